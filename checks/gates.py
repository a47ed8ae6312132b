"""The gates: what code can refuse in an item before any model is paid. Each is one row of `GATES`.

A gate yields (place, message) for each defect. The messages of gates that are `about_key` give the right option away:
`without_key` takes those findings out before a role that may not know it reads them.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import Literal, NamedTuple

from ..narrative.words import echo
from ..schemas.base import digest
from ..schemas.finding import Finding
from .case import Case, CaseOption
from .texts import contains, plain, quoted, same_answer, word_count

Defects = Iterator[tuple[str, str]]

_NUMBER = r"\d+|one|two|three|four|five|six|seven|eight|nine|ten|few|several"
_UNIT = r"choices?|decisions?|turns?|steps?|scenes?|lines?|moments?|seconds?|minutes?|hours?|days?|exchanges?|events?"
_WINDOW = re.compile(
    rf"\b(?:before|within|by the end|by then|ever|until|next|immediately|straight away|from then on|from now on|"
    rf"rest of|right after|soon after|in the end|(?:{_NUMBER})(?: \w+)? (?:{_UNIT}))\b",
    re.IGNORECASE,
)

_CITED = re.compile(r"turn (?P<turn>\d+) of the history|line (?P<line>\d+)")


class Gate(NamedTuple):
    code: str
    description: str
    check: Callable[[Case], Defects]
    severity: Literal["error", "warning"] = "error"
    about_key: bool = False
    """Whether a finding tells which option is right."""


def run(case: Case, gates: Sequence[Gate] | None = None) -> list[Finding]:
    """The findings of all gates on one case, in the order of the table; none for a sound item."""
    return [
        Finding(code=gate.code, message=message, place=place, severity=gate.severity)
        for gate in (GATES if gates is None else gates)
        for place, message in gate.check(case)
    ]


def without_key(findings: Iterable[Finding]) -> list[Finding]:
    """The findings that do not give away which option is right."""
    telling = {gate.code for gate in GATES if gate.about_key}
    return [finding for finding in findings if finding.code not in telling]


def _option_count(case: Case) -> Defects:
    least, most, count = case.settings.least_options, case.settings.most_options, len(case.options)
    if case.format == "open":
        least, most = 0, 0
    if not least <= count <= most:
        allowed = f"{least}" if least == most else f"{least} to {most}"
        yield case.place, f"{count} options; {allowed} are asked for"


def _option_empty(case: Case) -> Defects:
    for option in case.options:
        if not plain(option.text):
            yield _at(case, option), "the option holds no word"


def _option_duplicate(case: Case) -> Defects:
    for one, other in combinations(case.options, 2):
        if plain(one.text) and plain(one.text) == plain(other.text):
            yield _at(case, other), f"says the same as option {one.id}"


def _option_near_duplicate(case: Case) -> Defects:
    for one, other in combinations(case.options, 2):
        if plain(one.text) != plain(other.text) and same_answer(one.text, other.text, case.settings.near):
            yield _at(case, other), f"differs from option {one.id} by a few letters only"


def _option_length(case: Case) -> Defects:
    key = None if case.claim in case.settings.menu_claims else case.key
    for option in case.options if key else ():
        ratio = len(option.text.strip()) / max(1, len(key.text.strip())) if key else 1
        if not case.settings.shortest_ratio <= ratio <= case.settings.longest_ratio:
            yield _at(case, option), f"is {ratio:.1f} times as long as the key"


def _key_outlier(case: Case) -> Defects:
    others = [len(option.text.strip()) for option in case.options if option.id not in case.answer]
    if case.key is None or not others or case.claim in case.settings.menu_claims:
        return
    length, outlier = len(case.key.text.strip()), case.settings.outlier
    if length > outlier * max(others):
        yield case.place, f"the key is the longest option by {length / max(1, max(others)) - 1:.0%}"
    if length * outlier < min(others):
        yield case.place, f"the key is the shortest option by {1 - length / min(others):.0%}"


def _option_kind(case: Case) -> Defects:
    kinds = sorted({option.kind for option in case.options})
    if len(kinds) > 1:
        yield case.place, f"the options are events of different kinds: {', '.join(kind or 'none' for kind in kinds)}"


def _option_shown(case: Case) -> Defects:
    yield from _answer_asked(case)
    sources: list[tuple[str, tuple[str, ...]]] = [
        ("the question", (case.question,)), ("the background", (case.background,))
    ]  # fmt: skip
    if case.claim in case.settings.timeless_claims:
        return
    if case.claim not in case.settings.shown_claims:
        sources.append(("the transcript", tuple(line.text for line in case.transcript)))
    for option in case.options:
        for name, texts in sources:
            if any(contains(text, option.text) for text in texts):
                yield _at(case, option), f"its text stands in {name}"


def _answer_asked(case: Case) -> Defects:
    """Of an item that no code derives: a question that holds its own answer, even where that is a word or two."""
    if case.item is None or case.item.recipe is not None:
        return
    if case.format == "open" and contains(case.question, case.item.answer_text):
        yield case.place, "its answer stands in the question"
    asked = [option for option in case.options if quoted(case.question, option.text)]
    if case.key and asked == [case.key]:
        yield _at(case, case.key), "its text stands in the question, and that of no other option does"


def _shown_unevenly(case: Case) -> Defects:
    if case.claim not in case.settings.shown_claims:
        return
    told = [line.text for line in case.transcript if line.told]
    shown = [any(contains(text, option.text) for text in told) for option in case.options]
    if any(shown) and not all(shown):
        yield case.place, f"{sum(shown)} of {len(shown)} options stand in the transcript; all must, or none"


def _answer_missing(case: Case) -> Defects:
    ids = {option.id for option in case.options}
    if case.format == "open":
        if case.item is not None and not plain(case.item.answer_text):
            yield case.place, "an open question without an answer"
    elif not case.answer or not set(case.answer) <= ids:
        yield case.place, "the answer is not among the options"
    elif case.format == "single" and len(case.answer) > 1:
        yield case.place, f"{len(case.answer)} answers to a question that has one"
    elif case.format == "multiple" and len(case.answer) == len(case.options):
        yield case.place, "every option is right"


def _trap_missing(case: Case) -> Defects:
    wrong = {option.id for option in case.options} - set(case.answer)
    if case.traps is not None and case.traps != wrong:
        yield case.place, "each wrong option needs one trap, and the answer none"


def _question_mark(case: Case) -> Defects:
    if not case.question.rstrip().endswith(("?", "？", "؟", "՞")):
        yield f"{case.place}/question", "does not end with a question mark"


def _question_window(case: Case) -> Defects:
    if case.claim in case.settings.timeless_claims:
        return
    if case.settings.language == "en" and not _WINDOW.search(case.question):
        yield (
            f"{case.place}/question",
            'does not say until when ("before the next choice", "by the end of the chapter")',
        )


def _question_length(case: Case) -> Defects:
    count = word_count(case.question)
    if not case.settings.least_words <= count <= case.settings.most_words:
        allowed = f"{case.settings.least_words} to {case.settings.most_words}"
        yield f"{case.place}/question", f"has {count} words; {allowed} are allowed"


def _echo(case: Case) -> Defects:
    if case.choice and case.key and echo(case.key.text, case.choice, [option.text for option in case.options]):
        yield case.place, "the key repeats more words of the supposed choice than the options do on average"


def _name_leak(case: Case) -> Defects:
    if case.anonymizer is None:
        return
    for place, text in case.public_texts():
        for leak in case.anonymizer.leaks(text):
            yield place, f"holds a name of the lexicon at {leak.start}–{leak.end}"


def _name_ambiguous(case: Case) -> Defects:
    if case.anonymizer is None:
        return
    for place, text in case.public_texts():
        for hit in case.anonymizer.ambiguous(text):
            yield place, f"{hit.name!r} at {hit.start}–{hit.end} may be a name or an ordinary word: reword it"


def _descriptor_missing(case: Case) -> Defects:
    if case.anonymizer is None:
        return
    used = {name for _, text in case.public_texts() for name in case.anonymizer.placeholders(text)}
    for entity in case.anonymizer.entities:
        if entity.placeholder in used and not entity.descriptor:
            yield case.place, f"{entity.placeholder} has no descriptor that says how a viewer can tell it"


def _option_order(case: Case) -> Defects:
    if case.item is None:
        return
    item = case.item
    ascending = sorted(item.options, key=lambda option: digest(item.item_id, option.text))
    if [option.id for option in ascending] != [f"o{number}" for number in range(1, len(ascending) + 1)]:
        yield case.place, "option ids do not ascend with digest(item id, text): the order of making would show"
    elif list(item.options) != ascending:
        yield case.place, "options do not stand in the order of their ids"


def _cue_missing(case: Case) -> Defects:
    """A cited cue is looked up by code before any model is asked whether it supports the answer."""
    item = case.item
    if item is None or item.recipe is not None:
        return
    if not item.cues:
        yield case.place, "the proposal cites nothing that its answer rests on"
    lines = [f"{line.speaker or ''} {line.text}" if line.told else None for line in case.transcript]
    for cue in item.cues:
        place, _, quote = cue.partition(": ")
        if match := _CITED.fullmatch(place):
            number = int(match["turn"] or match["line"])
            told = dict(enumerate(item.history if match["turn"] else lines, 1)).get(number)
            if told is None or not quoted(told, quote):
                yield case.place, f"it cites {place}, which does not say {quote!r}"


def _history_unused(case: Case) -> Defects:
    item = case.item
    if item is None or item.recipe is not None or not item.history:
        return
    if not any(cue.startswith("turn ") for cue in item.cues):
        yield case.place, "it is to draw on what was said before, and cites no turn of it"


def _at(case: Case, option: CaseOption) -> str:
    return f"{case.place}/{option.id}"


GATES: tuple[Gate, ...] = (
    Gate("option-count", "The number of options is not the one the taxonomy declares.", _option_count),
    Gate("option-empty", "An option holds no word.", _option_empty),
    Gate("option-duplicate", "Two options are the same but for case, punctuation and spacing.", _option_duplicate),
    Gate("option-near-duplicate", "Two options differ by a few letters only.", _option_near_duplicate),
    Gate("option-length", "An option is much longer or shorter than the key.", _option_length, about_key=True),
    Gate("key-outlier", "The key is by far the longest or the shortest option.", _key_outlier, about_key=True),
    Gate("option-kind", "The options are events of different kinds.", _option_kind),
    Gate("option-shown", "The text of an option stands in the transcript, background or question.", _option_shown),
    Gate("options-unevenly-shown", "Some options, not all, are choices seen in the transcript.", _shown_unevenly),
    Gate("answer-missing", "The answer is not among the options, or there are several.", _answer_missing),
    Gate("trap-missing", "A wrong option has no trap, or the answer has one.", _trap_missing, about_key=True),
    Gate("question-mark", "The question does not end with a question mark.", _question_mark),
    Gate("question-window", "The question does not say until when.", _question_window),
    Gate("question-length", "The question is too short or too long.", _question_length),
    Gate("echo", "The key repeats the words of the supposed choice.", _echo, about_key=True),
    Gate("cue-missing", "A cited cue does not stand where it is cited; or none is.", _cue_missing, about_key=True),
    Gate("history-unused", "An item with a history cites no turn of it.", _history_unused, about_key=True),
    Gate("name-leak", "A public text holds a name of the lexicon.", _name_leak),
    Gate("name-ambiguous", "A public text holds a word that may be a name.", _name_ambiguous),
    Gate("descriptor-missing", "A placeholder has no visible descriptor.", _descriptor_missing, severity="warning"),
    Gate("option-order", "Option ids do not ascend with the digest of item id and text.", _option_order),
)
"""In the order in which they are reported. `docs/findings.md` lists every code."""
