"""Finds where a reply declares its answer in words: tags, tool calls, boxes, labels and sentences. The last one wins.

A declaration that is negated, supposed, put into someone else's mouth or asked as a question is none.
"""

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from .optionset import TRUNCATED, OptionSet, Reading
from .values import CLOSE, END, FIRST, ID, NEXT, OPEN, read_value

TAG = re.compile(
    r"<(?P<tag>final[_-]?answer|answer|choice|option|final|selection)>(?P<value>.*?)(?P<end></(?P=tag)>|\Z)",
    re.IGNORECASE | re.DOTALL,
)
CALL = re.compile(
    r"\b\w{0,30}(?:answer|choice|choose|select|submit)\w{0,30}\(\s*(?:\w+\s*=\s*)?(?P<value>[^()\n]{1,200})\)",
    re.IGNORECASE,
)
CALLED = re.compile(r"\((?<=\w\()")
BOX = re.compile(r"\\(?:boxed|fbox)\s*\{(?P<value>(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}")
OTHER = (
    "second ", "other ", "another ", "next ", "wrong ", "incorrect ", "possible ", "plausible ", "tempting ",
    "alternative ", "runner-up ", "worst ", "every ", "each ", "no ", "first ",
)  # fmt: skip
"""Before a noun they make it another answer than the reply's own."""
NOUNS = (
    "answers?", "ans", "respuesta", "réponse", "reponse", "antwort", "risposta", "resposta", "antwoord", "svar",
    "odpowiedź", "cevap", "jawaban", "ответ", "答案", "答え", "回答", "正解", "정답", "답변", "답",
)  # fmt: skip
NOUN = rf"(?:{'|'.join(NOUNS)})"


def _first(letters: str, others: str = "") -> str:
    """A look-ahead for the first characters of a pattern: without it every place of a text tries every alternative."""
    return rf"(?-i:(?=[{letters}{letters.upper()}{others}]))"


INITIALS = "".join(sorted({noun[0] for noun in NOUNS}))
RANK = r"(?:(?:final|correct|best|my|chosen|selected|right|most\s+likely)\s+)"
GIVES = (
    rf"(?:[*_`\"')\]]*\s*(?:[:=]|\bis\s*:)[*_]*|\s+(?={OPEN}{ID}{END}{CLOSE}\s*(?:[.:,)]|\n|\Z))|\s+-\s+)"
    r"(?=(?P<value>[^\n]{0,600}))"
)
LABEL = re.compile(rf"{_first(INITIALS)}(?<![A-Za-z])(?P<noun>{NOUN}){GIVES}", re.IGNORECASE)
TITLE = re.compile(
    _first("cospfbmr", r" \t>#*_-")
    + rf"(?:^[ \t>#*_-]{{0,12}}{RANK}?|\b{RANK})(?:choice|option|selection|prediction){GIVES}",
    re.IGNORECASE | re.MULTILINE,
)
HEADING = re.compile(
    rf"(?:\A|(?<=\n))[ \t>#*_]{{0,12}}{RANK}?{NOUN}[ \t*_]*[:=]?[ \t*_]*\n\s{{0,20}}(?P<value>[^\n]{{1,600}})",
    re.IGNORECASE,
)
FILLER = r"(?:\s*(?:indeed|clearly|definitely|probably|likely|most likely|therefore|thus|simply))?\s*:?\s*"
SURE = r"(?:is|are|must\s+be|should\s+be|has\s+to\s+be|can\s+only\s+be|lautet|ist|es|est|è|é|är|er)"
SUPPOSED = r"(?:would\s+be|sería|serait|wäre|sarebbe|seria)"
SENTENCE = re.compile(
    rf"{_first(INITIALS + 'cos', '选選')}(?:(?<![A-Za-z])(?P<noun>{NOUN}|choices?|options?|selections?|"
    r"solution|opción|opzione|opção)"
    rf"(?:\s+(?:here|correcta|correcte|corretta|correta|final|to\s+(?:this|the)\s+question))?"
    rf"(?:\s+(?:{SURE}|(?P<supposed>{SUPPOSED}))\b|\s*(?:是|为|為|应该是|應該是|は|은|는)|\s*[—–])"
    rf"|(?:选择|選擇|选|選)(?![项項择擇])){FILLER}(?=(?P<value>[^\n]{{0,600}}))",
    re.IGNORECASE,
)
CHOOSING = re.compile(
    _first("iw") + r"\b(?:I|we)(?:,[^,.\n]{1,20},)?(?:['’](?:ll|d|m)|\s+(?:would|will|am|must|shall|have\s+to))?"
    r"(?:\s+(?:therefore|thus|hence|now|finally))?\s+(?:choose|pick|select|chose|picked|selected|go(?:ing)?\s+with|"
    r"went\s+with|going\s+for|go\s+for|opt\s+for|vote\s+for|settle\s+on|conclude|say|think|guess|believe)\s+(?=(?P<value>[^\n]{0,600}))",
    re.IGNORECASE,
)
WRAPPED_ID = rf"(?:(?:answer|option|choice|number)\s*{OPEN}{ID}{END}|[(\[{{]{ID}[)\]}}])"
PRAISED = re.compile(
    rf"{_first('iaws', ':')}(?:\b(?:is|are|would\s+be|should\s+be)\s|:)\s*(?=(?P<value>{WRAPPED_ID}[^\n]{{0,600}}))",
    re.IGNORECASE,
)
PRAISE = re.compile(
    _first("tmbcria") + r"(?<![A-Za-z])(?:the)?(?:most\s+\w+|best|correct|right|ideal|answer|choice)\b",
    re.IGNORECASE,
)
POINTING = re.compile(
    rf"{_first('itw')}\b(?:it|this|that|which)\s+{SURE}\s+(?=(?P<value>[^\n]{{0,600}}))", re.IGNORECASE
)
POINTED = re.compile(
    rf"(?:[Oo]ption\s+)?{OPEN}(?P<id>{ID}){END}{CLOSE}\s*(?:[.,;!\n]|$|because\b|since\b|rather\b|not\b)"
)
DEGREE = r"(?:\s+(?:clearly|therefore|thus|probably|likely|definitely|obviously|indeed|by\s+far))?"
MERIT = (
    r"(?:\s+(?:the|a))?(?:\s+(?:only|single))?\s+(?:best|correct|right|one|answer|most\s+(?:likely|plausible|appropriate|"
    r"accurate|fitting|suitable|reasonable|consistent|probable))\b(?!\s+(?:wrong|incorrect|false|not|if|only)\b)"
)
SUBJECT = re.compile(
    rf"(?=[(\[{{\"'`*_$<“‘A-Z0-9]){OPEN}(?<![A-Za-z0-9]){ID}{END}{CLOSE}(?=\s*(?:,|and\b|&|(?:is|are|seems?|looks?|appears?|fits?|matches|makes|remains?)\b))"
)
VERDICT = re.compile(
    rf"\s+(?:(?:is|are|seems?|looks?|appears?|remains?)(?:\s+to\s+be)?{DEGREE}{MERIT}|(?:fits?|match(?:es)?)\s+"
    r"(?:the\s+\w+\s+)?(?:best|most\s+closely)\b|makes?\s+(?:the\s+)?most\s+sense\b)"
)
SPOILT = re.compile(
    _first("nudhwtisomca")
    + r"(?:\b(?:not|never|neither|nor|unlikely|doubt|hardly|whether|thought|initially|some|others|many|might|"
    r"may|could|why|if)\b"
    r"|n['’]t\b|\bat\s+first\b)",
    re.IGNORECASE,
)
SPOILING = (
    "not", "never", "neither", "nor", "unlikely", "doubt", "hardly", "whether", "thought", "initially", "some",
    "others", "many", "might", "may", "could", "why", "if", "n't", "n’t", "at",
)  # fmt: skip
"""One of these stands in whatever `SPOILT` finds."""
SUPPOSING = re.compile(r"\b(?:if|unless|had|were|suppose|otherwise)\b", re.IGNORECASE)
PREDICATE = re.compile(
    r"\s+(?:is|are|was|were|has|have|does|do|did|seems?|looks?|appears?|would|will|can|could|cannot|might|may|must|should|"
    r"fits?|matches|makes|ignores?|misses|contradicts?|goes|fails|explains?|describes?)\b"
)
INSTEAD = re.compile(rf"not\s+(?:option\s+)?{OPEN}{ID}{END}{CLOSE}\s*,?\s*(?:but|it\s+is|rather)\s+", re.IGNORECASE)
SENTENCE_END = re.compile(r"[.!?\n]")
ASKED = re.compile(rf"{OPEN}{ID}{CLOSE}\s*\?")
CLAUSE = re.compile(_first("bsth") + r"\b(?:but|so|therefore|hence|thus|because)\b", re.IGNORECASE)


class Declaration(NamedTuple):
    place: int
    reading: Reading
    rule: str


def declared(text: str, options: OptionSet) -> Declaration | None:
    """The last declaration of a text; None where there is none that can be read."""
    words = set(WORD.findall(text.lower()))
    absent = words.isdisjoint if text.isascii() else (words | ELSEWHERE).isdisjoint
    found = [
        declaration
        for finder in FINDERS
        if finder.sign in text and not any(map(absent, finder.words))
        for declaration in finder.find(text, options)
    ]
    return max(found, key=lambda declaration: declaration.place, default=None)


def _tags(text: str, options: OptionSet) -> Iterator[Declaration]:
    for match in TAG.finditer(text):
        if not match["end"] and not match["value"].strip():
            yield Declaration(match.start(), TRUNCATED, "tag")
        elif reading := read_value(match["value"], options):
            yield Declaration(match.start(), reading, "tag")


def _calls(text: str, options: OptionSet) -> Iterator[Declaration]:
    for match in CALL.finditer(text) if CALLED.search(text) else ():
        if reading := read_value(match["value"].strip("\"' "), options):
            yield Declaration(match.start(), reading, "tool call")


def _boxes(text: str, options: OptionSet) -> Iterator[Declaration]:
    for match in BOX.finditer(text):
        value = match["value"].replace("{", "").replace("}", "")
        if "\\" not in value and (reading := read_value(value, options)):
            yield Declaration(match.start(), reading, "boxed")


def _labels(pattern: re.Pattern[str], text: str, options: OptionSet) -> Iterator[Declaration]:
    for match in _own(pattern, text):
        value = match["value"]
        if not value.strip(" \t*_`") and pattern is not HEADING:
            value = text[match.end() : match.end() + 1000].lstrip().partition("\n")[0]
        if reading := read_value(value, options):
            yield Declaration(match.start(), reading, "label")


def _sentences(pattern: re.Pattern[str], text: str, options: OptionSet) -> Iterator[Declaration]:
    for match in _own(pattern, text):
        supposed = pattern is SENTENCE and match["supposed"] and SUPPOSING.search(_sentence(text, match.start()))
        if not _spoilt(_clause(text, match.start())) and not supposed:
            yield from _declaration(match, options)


def _praising(text: str, options: OptionSet) -> Iterator[Declaration]:
    """`The most fitting act here is (B)`: from its end, since few ids stand in brackets and many words praise."""
    place = 0
    for match in PRAISED.finditer(text):
        if praise := _praise(text, place, match.start()):
            place = match.end()
            if not _spoilt(_clause(text, praise.start()) + text[praise.end() : match.start()]):
                yield from _declaration(match, options)


def _praise(text: str, begin: int, end: int) -> re.Match[str] | None:
    """The first word of praise whose sentence goes on, on one line, to `end`."""
    # What praises stands in the same sentence: looking for it from further back only costs time.
    begin = max(begin, end - 300, *(text.rfind(stop, begin, end) + 1 for stop in ".?!;"))
    within = max(text.rfind("\n", begin, end) + 1, end - 160)
    return next((praise for praise in PRAISE.finditer(text, begin, end) if praise.end() >= within), None)


def _declaration(match: re.Match[str], options: OptionSet) -> Iterator[Declaration]:
    if reading := _stated(match["value"], options):
        yield Declaration(match.start("value"), reading, "sentence")


def _own(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Matches from left to right, without those whose noun is somebody else's answer."""
    place = 0
    named = "noun" in pattern.groupindex
    while match := pattern.search(text, place):
        noun = match.start("noun") if named else -1
        if noun >= 0 and text[max(0, noun - 12) : noun].lower().endswith(OTHER):
            place = match.start() + 1
            continue
        yield match
        place = match.end()


def _pointing(text: str, options: OptionSet) -> Iterator[Declaration]:
    for match in POINTING.finditer(text):
        pointed = POINTED.match(match["value"])
        spoilt = _spoilt(_clause(text, match.start()))
        option = options.id_of(pointed["id"]) if pointed and not pointed["id"].islower() else None
        if option and not spoilt:
            yield Declaration(match.start("value"), options.chosen([option]), "sentence")


def _verdicts(text: str, options: OptionSet) -> Iterator[Declaration]:
    """`B is correct`, `A and C are right`, `option (D) fits best`."""
    place = 0
    while match := SUBJECT.search(text, place):
        place = match.end()
        if listed := _subject(text, match.start()):
            ids, place = [options.id_of(token) for token in listed[0]], listed[1]
            if VERDICT.match(text, place) and not _spoilt(_clause(text, match.start())) and None not in ids:
                reading = options.chosen(option for option in ids if option)
                yield Declaration(match.start(), reading, "sentence")


def _subject(text: str, start: int) -> tuple[list[str], int] | None:
    """Upper-case or numeric ids at `start` and where they end."""
    first = FIRST.match(text, start)
    if not first or first["id"].islower():
        return None
    tokens, place = [first["id"]], first.end()
    while (following := NEXT.match(text, place)) and not following["sep"].isspace() and not following["id"].islower():
        tokens, place = [*tokens, following["id"]], following.end()
    return tokens, place


def _stated(value: str, options: OptionSet) -> Reading | None:
    """A value within a sentence; None where the sentence asks, or goes on to say something of the option."""
    value = INSTEAD.sub("", value, count=1) if INSTEAD.match(value) else value
    subject = _subject(value, 0)
    asked = ASKED.match(value)
    if asked or (subject and PREDICATE.match(value, subject[1]) and not VERDICT.match(value, subject[1])):
        return None
    return read_value(value, options)


def _clause(text: str, place: int) -> str:
    """What stands before `place` in its own clause."""
    begin = max(0, place - 200, *(text.rfind(stop, max(0, place - 200), place) + 1 for stop in ".!?;,\n"))
    return CLAUSE.split(text[begin:place])[-1]


def _spoilt(text: str) -> bool:
    """Whether words say that what follows is negated, doubted or someone else's."""
    return any(map(text.lower().__contains__, SPOILING)) and SPOILT.search(text) is not None


def _sentence(text: str, place: int) -> str:
    return SENTENCE_END.split(text[max(0, place - 400) : place])[-1]


class Finder(NamedTuple):
    """What looks for declarations, and what stands in whatever it finds: looking for words is quicker than for
    patterns."""

    find: Callable[[str, OptionSet], Iterator[Declaration]]
    sign: str
    words: tuple[frozenset[str], ...] = ()
    """One word of each set, in small letters."""


WORD = re.compile(r"[a-z]+")
ELSEWHERE = frozenset(("answer", "is"))
"""Taken to stand in a text that has other letters than ASCII, where nouns and verbs of other languages may."""
ANSWERS = frozenset(("answer", "answers", *NOUNS[1:]))
BEING = frozenset(("is", "are", "must", "should", "has", "can", "lautet", "ist", "es", "est", "er"))
PRAISES = ("most", "best", "correct", "right", "ideal", "answer", "choice")
CHOICES = (
    "choose", "pick", "select", "chose", "picked", "selected", "go", "going", "went", "opt", "vote", "settle",
    "conclude", "say", "think", "guess", "believe",
)  # fmt: skip
MERITS = ("best", "correct", "right", "one", "answer", "most")
SEEMING = (
    "is", "are", "seem", "seems", "look", "looks", "appear", "appears", "remain", "remains", "fit", "fits", "match",
    "matches", "make", "makes",
)  # fmt: skip
FINDERS = (
    Finder(_tags, "<"),
    Finder(_calls, "("),
    Finder(_boxes, "\\"),
    Finder(partial(_labels, LABEL), "", (ANSWERS,)),
    Finder(partial(_labels, HEADING), "\n", (ANSWERS,)),
    Finder(partial(_labels, TITLE), "", (frozenset(("choice", "option", "selection", "prediction")),)),
    Finder(
        partial(_sentences, SENTENCE),
        "",
        (
            ANSWERS | {"choice", "choices", "option", "options", "selection", "selections", "solution"},
            BEING | {"would", "serait", "sarebbe", "seria"},
        ),
    ),
    Finder(partial(_sentences, CHOOSING), "", (frozenset(("i", "we")), frozenset(CHOICES))),
    Finder(_praising, "", (frozenset((*PRAISES, *("the" + word for word in PRAISES))),)),
    Finder(_pointing, "", (frozenset(("it", "this", "that", "which")), BEING)),
    Finder(_verdicts, "", (frozenset(MERITS), frozenset(SEEMING))),
)
