"""Capitalised spans of a text: each a name perhaps, with what its surroundings prove."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from .patterns import clean
from .position import initial, previous_word
from .vocabulary import CALENDAR, FUNCTION_WORDS, NEVER_NAMES, PARTICLES, PEOPLES, TITLES

CAPITALS_MEAN_NOTHING = 0.2
"""Share of capitalised words in mid-sentence from which capitals are a habit of the language (German), not names."""
ENOUGH_WORDS = 200
"""Words from which that share is worth measuring."""

_WORDS = re.compile(r"[^\W\d_]+(?:['’\-‐‑][^\W\d_]+)*")
_TAG = re.compile(r"<[^<>]{1,40}>")
_LABEL = re.compile(r"\s*([^\W_][^\s:：(){}<>=\"“]{0,23}(?: [^\W\d_][^\s:：(){}<>=\"“]{0,23}){0,2})\s*[:：]\s*\S")
_IDENTIFIER = re.compile(r"[^\W\dA-Z]\w*")
"""A lone small word is a value that the story compares, not text."""
_CONTRACTION = re.compile(r"['’](?:s|m|d|ll|ve|re|t)?$", re.IGNORECASE)


class Mention(NamedTuple):
    """One capitalised span, titles and function words taken off."""

    text: str
    source: str
    """The text it stands in."""
    start: int
    end: int
    proven: bool
    """Whether its capital cannot be due to the start of a sentence."""
    titled: bool = False
    """Whether a title stands before it."""
    opens: bool = False
    """Whether its first word begins a sentence, so that only the rest is sure to belong to the name."""
    numbered: bool = False
    """Whether it ends in a number ("Room 12")."""


class Census(NamedTuple):
    """What the texts of a story show of their words."""

    mentions: tuple[Mention, ...]
    lower: Counter[str]
    """Uses in lower case, by word."""
    proven: Counter[str]
    """Proven mentions, by casefolded span."""
    labels: Counter[str]
    """Uses as a speaker's label ("HOOPER: …"), by casefolded label."""


def take(texts: Iterable[str]) -> Census:
    """Read all texts; headlines and shouted lines prove nothing and are left out."""
    read = [_read(raw) for raw in texts if not _IDENTIFIER.fullmatch(raw.strip())]
    lower = Counter(bare(word.group()) for _, words in read for word in words if word.group()[0].islower())
    mentions = [mention for text, words in read if not _headline(words) for mention in _mentions(text, words)]
    total = sum(lower.values()) + len(mentions)
    if total >= ENOUGH_WORDS and sum(mention.proven for mention in mentions) > CAPITALS_MEAN_NOTHING * total:
        mentions = [mention._replace(proven=mention.titled) for mention in mentions]
    proven = Counter(mention.text.casefold() for mention in mentions if mention.proven)
    whole = Counter(mention.text.casefold() for mention in mentions)
    mentions = [part for mention in mentions for part in _resolved(mention, lower, proven, whole)]
    proven = Counter(mention.text.casefold() for mention in mentions if mention.proven)
    return Census(tuple(mentions), lower, proven, Counter(filter(None, (_label(text) for text, _ in read))))


def bare(word: str) -> str:
    """A word without contraction or possessive, casefolded."""
    return _CONTRACTION.sub("", word).casefold()


def names_nobody(word: str) -> bool:
    """Whether a capital of this word is convention: titles, the calendar, peoples, "I", "God"."""
    low = bare(word)
    closed = low in TITLES or low in FUNCTION_WORDS or low in NEVER_NAMES or low in CALENDAR
    return closed or low in PEOPLES or low.removesuffix("s") in PEOPLES


def _read(raw: str) -> tuple[str, list[re.Match[str]]]:
    text = _TAG.sub(lambda match: "*" * len(match.group()), unicodedata.normalize("NFC", raw))
    return text, list(_WORDS.finditer(text))


def _label(text: str) -> str:
    match = _LABEL.match(text)
    label = clean(match[1]).casefold() if match and not match[1][0].islower() else ""
    return "" if names_nobody(label) or not any(map(str.isalpha, label)) else label


def _headline(words: Sequence[re.Match[str]]) -> bool:
    texts = [word.group() for word in words]
    shouted = len(texts) > 1 and not any(text[1:].islower() for text in texts)
    return shouted or (len(texts) >= 3 and all(text[0].isupper() for text in texts))


def _mentions(text: str, words: Sequence[re.Match[str]]) -> Iterator[Mention]:
    at = 0
    while at < len(words):
        end = _run_end(text, words, at) if words[at].group()[0].isupper() else at
        mention = _mention(text, list(words[at:end]))
        if mention is not None:
            yield mention
        at = max(end, at + 1)


def _run_end(text: str, words: Sequence[re.Match[str]], at: int) -> int:
    """Where the run of capitalised words ends that begins at `at`; small particles ("de") may stand inside it."""
    end = at + 1
    while end < len(words) and not re.search(r"['’]s?$", words[end - 1].group()):
        following = end
        while following < len(words) - 1 and words[following].group() in PARTICLES - {"the"}:
            following += 1
        between = text[words[end - 1].end() : words[end].start()]
        stop = between == ". " and (bare(words[end - 1].group()) in TITLES or len(words[end - 1].group()) == 1)
        if not words[following].group()[0].isupper() or not (between == " " or stop):
            break
        end = following + 1
    return end


def _mention(text: str, run: list[re.Match[str]]) -> Mention | None:
    """The name in a run, without what stands at its edges by convention."""
    first, titled = run[0] if run else None, False
    while run and names_nobody(run[0].group()):
        titled = bare(run[0].group()) in TITLES
        if bare(run[0].group()).removesuffix("s") in PEOPLES:
            return None
        run = run[1:]
    while run and names_nobody(run[-1].group()):
        run = run[:-1]
    if not run:
        return None
    start = run[0].start()
    span = _capital_part(_CONTRACTION.sub("", text[start : run[-1].end()]))
    number = re.match(r" \d{1,4}\b(?![.:,]?\d)", text[start + len(span) :])
    titled = titled or bare(previous_word(text, start)) in TITLES
    opens = run[0] is first and initial(text, start) and not titled
    end = start + len(span) + (number.end() if number else 0)
    proven = not opens or (len(run) > 1 and not number)
    return Mention(text[start:end], text, start, end, proven, titled, opens, bool(number)) if len(span) > 1 else None


def _capital_part(span: str) -> str:
    """`Hooper-like` → `Hooper`; `Jean-Luc` stays."""
    return re.sub(r"(?:[-‐‑][^\W\d_A-Z][^\W\d_]*)+$", "", span)


def _resolved(mention: Mention, lower: Counter[str], proven: Counter[str], whole: Counter[str]) -> list[Mention]:
    """Part the first word of a sentence from a longer mention, unless it is known to belong to the name."""
    first, _, rest = mention.text.partition(" ")
    if not mention.opens or not rest or mention.numbered:
        return [mention]
    often = whole[mention.text.casefold()] > max(1, proven[rest.casefold()])
    if (often or proven[first.casefold()]) and not lower[first.casefold()]:
        return [mention]
    while rest.partition(" ")[0] in PARTICLES and " " in rest:
        rest = rest.partition(" ")[2]
    opening = mention._replace(text=first, end=mention.start + len(first), proven=False)
    return [opening, mention._replace(text=rest, start=mention.end - len(rest), opens=False)]
