"""Which words of a text carry meaning, so that two texts can be compared for echo. No model, no language data.

English function words are left out and English endings folded (`trusted`, `trusting`, `trusts`: one word). Words of
other alphabets are kept as they are; scripts without spaces are cut into pairs of characters.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby, pairwise

_FUNCTION_WORDS = """
a about above after again against all almost also although always am an and any anyone anything are around as at
away back be because been before being below between both but by ca came can come could did do does doing done down
during each either else enough even ever every everyone everything few for from further get gets getting give given
go goes going gone got had has have having he her here hers herself him himself his how however i if in indeed into
is it its itself just keep kept less let like made make makes making many may maybe me might mine more most much
must my myself neither never no nobody none nor not nothing now of off often on once one ones only onto or other
others our ours ourselves out over own perhaps put quite rather really said same say says seem seems shall she
should since so some someone something soon still such take taken takes tell than that the their theirs them
themselves then there these they thing things this those though through thus till to together too took toward
towards two under until up upon us very was way we well went were what whatever when where whether which while who
whoever whole whom whose why will wo sha with within without would yes yet you your yours yourself yourselves
"""
STOP_WORDS = frozenset(_FUNCTION_WORDS.split())

_POINTING = {"this", "these", "those"}

_CONTRACTION = re.compile(r"(?:n't|'(?:s|ll|re|ve|d|m))$")
_SPACELESS = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+"
)
_LATIN = re.compile("[a-z]+")
_SENTENCE_END = re.compile(r"""(?:(?<=[.!?…][”"’')\]])|(?<=[.!?…]))\s+|(?<=[。！？])""")
_ABBREVIATION = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|St|Prof|Capt|Col|Gen|Lt|Sgt|[A-Z])\.$")


@lru_cache(maxsize=16384)
def content_words(text: str) -> frozenset[str]:
    """The folded content words of a text; numbers count."""
    return frozenset(word for token in tokens(text) for word in _folded(token))


def presumed(text: str) -> list[frozenset[str]]:
    """What a text speaks of as known already, in order: the content words among the two after each "the" and each
    "that" which one follows, and after each "this", "these" or "those", even where there are none."""
    words = tokens(text)
    found: list[frozenset[str]] = []
    for place, word in enumerate(words):
        after = [frozenset(_folded(other)) for other in words[place + 1 : place + 3]]
        thing = frozenset[str]().union(*after)
        if word in _POINTING or (word == "the" and thing) or (word == "that" and any(after[:1])):
            found.append(thing)
    return found


def share(words: frozenset[str], others: frozenset[str]) -> float:
    """Share of `words` that are among `others`, 0–1; 0 where there are none."""
    return len(words & others) / len(words) if words else 0.0


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Overlap of two sets of words over their union, 0–1; 1 where both are empty."""
    return len(one & other) / len(one | other) if one or other else 1.0


def tokens(text: str) -> list[str]:
    """Casefolded words in order: runs of letters, marks and digits, with apostrophes inside them."""
    plain = unicodedata.normalize("NFC", text).casefold().replace("’", "'")
    runs = ("".join(run) for is_word, run in groupby(plain, key=_in_word) if is_word)
    return [run.strip("'") for run in runs if run.strip("'")]


def spoken(text: str) -> list[str]:
    """The words of a text as a transcript has them, in order; scripts without spaces come as single characters."""
    return [piece for token in tokens(text) for piece in (token if _SPACELESS.search(token) else [token])]


def sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text; no split after an initial or a short title (`Dr.`)."""
    parts: list[str] = []
    for part in (piece.strip() for piece in _SENTENCE_END.split(text)):
        if parts and _ABBREVIATION.search(parts[-1]):
            parts[-1] += " " + part
        elif part:
            parts.append(part)
    return tuple(parts)


def first_sentences(text: str, width: int) -> str:
    """As many whole sentences from the start as fit into `width` characters, at least the first."""
    kept = ""
    for sentence in sentences(text):
        longer = f"{kept} {sentence}".strip()
        if kept and len(longer) > width:
            break
        kept = longer
    return kept


def _in_word(character: str) -> bool:
    return character == "'" or unicodedata.category(character)[0] in "LMN"


def _folded(token: str) -> list[str]:
    if _SPACELESS.search(token):
        return [pair for part in _SPACELESS.findall(token) for pair in _pairs(part)]
    word = _CONTRACTION.sub("", token)
    if not word or token in STOP_WORDS or word in STOP_WORDS or (len(word) == 1 and word.isalpha()):
        return []
    return [fold(word)]


def _pairs(run: str) -> list[str]:
    return [first + second for first, second in pairwise(run)] or [run]


def fold(word: str) -> str:
    """An English word without its common endings; any other word as it is."""
    if not _LATIN.fullmatch(word) or len(word) < 4:
        return word
    stem = _without_plural(word)
    stem = _without_verb_ending(stem)
    stem = stem[:-1] if len(stem) > 3 and stem.endswith("e") else stem
    return stem[:-1] + "i" if len(stem) > 3 and stem.endswith("y") else stem


def _without_plural(word: str) -> str:
    if word.endswith(("ies", "ied")) and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _without_verb_ending(word: str) -> str:
    for ending, shortest in (("ingly", 7), ("edly", 6), ("ing", 5), ("ed", 4), ("ly", 5)):
        stem = word.removesuffix(ending)
        if stem != word and len(word) > shortest and re.search("[aeiouy]", stem):
            doubled = len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "aeiouslz" and ending != "ly"
            return stem[:-1] if doubled else stem
    return word


def echo(key: str, choice: str, options: Sequence[str]) -> bool:
    """Whether the key shares more content words with the words of the choice than the options do on average.

    Recognising the choice's own words would then be enough to answer. `options` may or may not hold the key: the
    verdict is the same. No options, no echo.
    """
    words = content_words(choice)
    shared = [len(words & content_words(option)) for option in options]
    return bool(shared) and len(words & content_words(key)) * len(shared) > sum(shared)
