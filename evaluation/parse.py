"""Reads a model's reply to a choice question: schema first, then the last declaration, and never a guess.

The ladder: reasoning blocks away; a JSON object with an answer key; a declaration in words; a reply that is nothing
but ids; a first or last line that is; a leading `C.`; an option's own words. What climbs none of these is no answer,
for the reason given by its status. Ids come only from the item's own options.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from .clean import visible
from .declarations import declared
from .objects import read_object
from .optionset import AMBIGUOUS, NO_ANSWER, REFUSAL, TRUNCATED, OptionSet, Reading, Status
from .values import CLOSE, END, ID, OPEN, REFUSING, only_ids, read_value

LEADING = re.compile(rf"{OPEN}(?P<id>{ID}){END}(?P<mark>{CLOSE}\s*[.):]|{CLOSE}\s+[-–—]\s|[)\]]|{CLOSE},)")
LINE_LEADING = re.compile(rf"^[ \t>*-]*{OPEN}(?P<id>{ID}){END}{CLOSE}\s*[.):][*_]*\s*(?P<rest>.*)$", re.MULTILINE)
ENUMERATED = re.compile(
    rf"(?<![A-Za-z0-9])(?P<a>{ID}){END}{CLOSE}\s*(?:,|/|\bor\b|\band\b|\bund\b|\by\b|\bet\b)\s*"
    rf"(?:(?:or|and|option)\s+)?{OPEN}(?P<b>{ID}){END}"
)
ELIMINATING = re.compile(
    r"\b(?:rule\w*\s+out|eliminat\w+|exclud\w+|discard\w*|reject\w*|neither|not|dismiss\w*|ignor\w+|explain)\b|n['’]t\b",
    re.IGNORECASE,
)
DISCARDED = re.compile(r"\b(?:wrong|incorrect|ruled\s+out|eliminated|excluded)\b", re.IGNORECASE)
VERDICT = re.compile(
    r"[\s:–—*_-]*(?:(?P<against>(?:is\s+)?(?:no|not|wrong|incorrect|false|unlikely|implausible)\b|[❌✗✘])|"
    r"(?:is\s+)?(?:yes|right|correct|true)\b)",
    re.IGNORECASE,
)
OFTEN = 1000
"""Characters up to which a reply is remembered: longer ones are hardly ever said twice."""


class ParsedAnswer(NamedTuple):
    """`ids` in the options' order, empty unless `status` is `answered`; `rule` names the rung that read the reply."""

    ids: tuple[str, ...]
    status: Status
    rule: str


def parse_answer(text: str, options: Mapping[str, str] | Sequence[str], *, multiple: bool = False) -> ParsedAnswer:
    """What a reply chooses among `options`: id → text, or a sequence of ids, or a sequence of texts lettered from A.

    `multiple` allows a set; otherwise two ids are `too_many`. Raises `ValueError` for an empty set of options.
    Source: SCORING, rules above the formulas; the order of the rungs is ours.
    """
    offered = OptionSet.of(options, multiple)
    return _again(text, offered) if len(text) <= OFTEN else _parse(text, offered)


def _parse(text: str, offered: OptionSet) -> ParsedAnswer:
    shown, cut = visible(text)
    reading, rule = (TRUNCATED, "unclosed reasoning") if cut else _climb(shown, offered)
    return ParsedAnswer(reading.ids, reading.status, rule)


_again = lru_cache(maxsize=4096)(_parse)
"""Repeats of one run often say the same, and so do models that answer with a letter."""


def _climb(text: str, options: OptionSet) -> tuple[Reading, str]:
    if not text:
        return NO_ANSWER, "empty"
    found = read_object(text, options)
    if found and found.speaks:
        return found.reading, found.rule
    if declaration := declared(text, options):
        return declaration.reading, declaration.rule
    if found and re.match(r"(?:```\w*\s*)?\{", text):
        return found.reading, found.rule
    for rung in (_bare, _restated, _line, _leading, _own_words):
        if reading := rung(text, options):
            return reading, rung.__name__.strip("_").replace("_", " ")
    return _silent(text, options)


def _bare(text: str, options: OptionSet) -> Reading | None:
    """Nothing but ids."""
    return read_value(text, options) if only_ids(text) or _glued(text) else None


def _glued(text: str) -> bool:
    return bool(re.fullmatch(r"[A-Z]{2,10}", text.strip()))


def _line(text: str, options: OptionSet) -> Reading | None:
    """The last line, or the first, is ids and nothing else."""
    lines = [line.strip() for line in text.splitlines() if line.strip(" *_#`-")]
    readings = [_bare(line, options) for line in (lines[-1], lines[0])] if len(lines) > 1 else []
    return next((reading for reading in readings if reading), None)


def _restated(text: str, options: OptionSet) -> Reading | None:
    """Several lines that each begin with an id: the options said again, or the list of those chosen."""
    lines = [(match["id"], match["rest"]) for match in LINE_LEADING.finditer(text)]
    ids = {options.id_of(token) for token, _ in lines} - {None}
    if len(ids) < 2 or _line(text, options):
        return None
    if verdicts := _verdicts(lines, options):
        return verdicts
    whole = len(lines) == len([line for line in text.splitlines() if line.strip()])
    if options.multiple and whole and len(ids) < len(options.texts):
        return options.chosen(option for option in ids if option)
    return AMBIGUOUS


def _verdicts(lines: list[tuple[str, str]], options: OptionSet) -> Reading | None:
    """A list that says of each option whether it is right; None for a list of the options or of those chosen."""
    judged = [(options.id_of(token), VERDICT.match(rest)) for token, rest in lines if not options.with_text(rest)]
    if not any(verdict and verdict["against"] for _, verdict in judged):
        return None
    if len(lines) < 3 or not all(option and verdict for option, verdict in judged) or len(judged) < len(lines):
        return AMBIGUOUS
    return options.chosen(option for option, verdict in judged if option and verdict and not verdict["against"])


def _leading(text: str, options: OptionSet) -> Reading | None:
    """`C. She lies`, `(b) she lies`, `D - she lies`."""
    match = LEADING.match(text)
    if match is None or (match["id"] in ("I", "i") and "," in match["mark"]):
        return None
    return read_value(text, options)


def _own_words(text: str, options: OptionSet) -> Reading | None:
    """The reply, or its first line or sentence, is an option's text."""
    first = re.split(r"\n|(?<=[.!?])\s", text)[0]
    for piece in dict.fromkeys((text, first)):
        if same := options.with_text(piece):
            return options.chosen(same) if len(same) == 1 else AMBIGUOUS
    return None


def _silent(text: str, options: OptionSet) -> tuple[Reading, str]:
    """Why there is no answer: a refusal, several candidates, or nothing at all."""
    if REFUSING.search(text):
        return REFUSAL, "refusal"
    for match in ENUMERATED.finditer(text):
        tokens = [match["a"], match["b"]]
        ids = {options.id_of(token) for token in tokens if not token.islower()} - {None}
        before = text[max(0, match.start() - 200) : match.start()]
        after = re.split(r"[.\n]", text[match.end() : match.end() + 200])[0]
        if len(ids) == 2 and not DISCARDED.search(after) and not ELIMINATING.search(re.split(r"[.\n]", before)[-1]):
            return AMBIGUOUS, "several candidates"
    return NO_ANSWER, "nothing declared"
