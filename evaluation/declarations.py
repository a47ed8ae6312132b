"""Finds where a reply declares its answer in words: tags, tool calls, boxes, labels and sentences. The last one wins.

A declaration that is negated, supposed, put into someone else's mouth or asked as a question is none.
"""

import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import takewhile
from typing import NamedTuple

from .doubts import OTHERWISE, clause, first, names_another, reported, spoilt, supposed
from .optionset import AMBIGUOUS, TRUNCATED, OptionSet, Reading
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
    "odpowiedź", "cevap", "jawaban", "đáp án", "odpověď",
    "ответ", "відповідь", "απάντηση", "תשובה", "الإجابة", "उत्तर", "คำตอบ",
    "答案", "答え", "回答", "正解", "정답", "답변", "답",
)  # fmt: skip
NOUN = rf"(?:{'|'.join(NOUNS)})"

INITIALS = "".join(sorted({noun[0] for noun in NOUNS}))
RANK = r"(?:(?:final|correct|best|my|chosen|selected|right|most\s+likely)\s+)"
GIVES = (
    rf"(?:[*_`\"')\]]*\s*(?:[:=→⇒]|[=-]>|\bis\s*:)[*_]*|\s+(?={OPEN}{ID}{END}{CLOSE}\s*(?:[.:,)]|\n|\Z))|\s+-\s+)"
    r"(?=(?P<value>[^\n]{0,600}))"
)
LABEL = re.compile(rf"{first(INITIALS)}(?<![A-Za-z])(?P<noun>{NOUN}){GIVES}", re.IGNORECASE)
TITLE = re.compile(
    first("cospfbmr", r" \t>#*_-")
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
    rf"{first(INITIALS + 'cos', '选選')}(?:(?<![A-Za-z])(?P<noun>{NOUN}|choices?|options?|selections?|"
    r"solution|opción|opzione|opção)"
    rf"(?:\s+(?:here|correcta|correcte|corretta|correta|final|to\s+(?:this|the)\s+question))?"
    rf"(?:\s+(?:{SURE}|(?P<supposed>{SUPPOSED}))\b|\s*(?:是|为|為|应该是|應該是|は|은|는)|\s*[—–])"
    rf"|(?:选择|選擇|选|選)(?![项項择擇])){FILLER}(?=(?P<value>[^\n]{{0,600}}))",
    re.IGNORECASE,
)
CHOOSING = re.compile(
    first("iwjes") + r"\b(?:(?:ich\s+(?:wähle|nehme)|je\s+choisis|elijo|escojo|elegiría|scelgo|escolho)"
    r"(?:\s+(?:la|l['’]|a|die|den))?|(?:I|we)(?:,[^,.\n]{1,20},)?(?:['’](?:ll|d|m)|\s+(?:would|will|am|must|shall|have\s+to))?"
    r"(?:\s+(?:therefore|thus|hence|now|finally))?\s+(?:choose|pick|select|chose|picked|selected|go(?:ing)?\s+with|"
    r"went\s+with|going\s+for|go\s+for|opt\s+for|vote\s+for|settle\s+on|conclude|say|think|guess|believe))\s+(?=(?P<value>[^\n]{0,600}))",
    re.IGNORECASE,
)
WRAPPED_ID = rf"(?:(?:answer|option|choice|number)\s*{OPEN}{ID}{END}|[(\[{{]{ID}[)\]}}])"
PRAISED = re.compile(
    rf"{first('iaws', ':')}(?:\b(?:is|are|would\s+be|should\s+be)\s|:)\s*(?=(?P<value>{WRAPPED_ID}[^\n]{{0,600}}))",
    re.IGNORECASE,
)
PRAISE = re.compile(
    first("tmbcria") + r"(?<![A-Za-z])(?:the)?(?:most\s+\w+|best|correct|right|ideal|answer|choice)\b",
    re.IGNORECASE,
)
POINTING = re.compile(
    rf"{first('itw')}\b(?:it|this|that|which)\s+{SURE}\s+(?=(?P<value>[^\n]{{0,600}}))", re.IGNORECASE
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
PREDICATE = re.compile(
    r"\s+(?:is|are|was|were|has|have|does|do|did|seems?|looks?|appears?|would|will|can|could|cannot|might|may|must|should|"
    r"fits?|matches|makes|ignores?|misses|contradicts?|goes|fails|explains?|describes?)\b"
)
INSTEAD = re.compile(
    rf"(?:not|neither)\s+(?:option\s+)?{OPEN}{ID}{END}{CLOSE}(?:\s*(?:nor|or|,)\s+{OPEN}{ID}{END}{CLOSE})*\s*,?\s*(?:but|it\s+is|rather)\s+",
    re.IGNORECASE,
)
ASKED = re.compile(rf"{OPEN}{ID}{CLOSE}\s*\?")


IT_IS = r"(?:(?:it|that)(?:['’]s|\s+(?:is|must\s+be|should\s+be))\s+)?"
CORRECTION = re.compile(
    r"\b(?:(?:wait|actually|scratch\s+that|correction|I\s+mean|on\s+(?:second\s+thoughts?|reflection))[\s,.:;…–—-]+)+"
    + IT_IS,
    re.IGNORECASE,
)
CONCLUSION = re.compile(rf"\b(?:so|therefore|thus|hence)\b[\s,:]+{IT_IS}", re.IGNORECASE)
OPENING = re.compile(r"\A(?:probably|(?:most\s+)?likely|definitely|clearly)[\s,:]+", re.IGNORECASE)
CONTRAST = re.compile(
    rf"(?:\b(?:not|no\s+es|nicht|pas|non\s+è|não\s+é)|不是)\s*(?:la\s+|le\s+)?(?:option\s+)?{OPEN}{ID}{END}{CLOSE}"
    r"\s*,?\s*(?:(?:but|sino|sondern|mais|ma|mas)\s+(?:la\s+|le\s+)?|而是|是)"
)
ENDED = re.compile(r"\s*(?:[.,;!。\n]|$|because\b|since\b|rather\b|not\b)")
LISTED = re.compile(rf"[ \t>*•-]*{OPEN}(?P<id>{ID}){END}{CLOSE}\s*(?:[.):]|$)")


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


def _turns(pattern: re.Pattern[str], text: str, options: OptionSet) -> Iterator[Declaration]:
    """`Wait, actually C`, `…, so it is D.`, `Probably B, though …`, `nicht A, sondern B`: ids that end their clause."""
    for match in pattern.finditer(text):
        subject = _subject(text, match.end())
        ids = [options.id_of(token) for token in subject[0]] if subject else []
        if subject and None not in ids and ENDED.match(text, subject[1]) and subject[0] != ["I"]:
            yield Declaration(match.end(), options.chosen(option for option in ids if option), "sentence")


def _labels(pattern: re.Pattern[str], text: str, options: OptionSet) -> Iterator[Declaration]:
    for match in _own(pattern, text):
        value = match["value"]
        empty = not value.strip(" \t*_`")
        if (empty or pattern is HEADING) and (reading := _block(text, match.start("value"), options)):
            yield Declaration(match.start(), reading, "label")
            continue
        if empty and pattern is not HEADING:
            value = text[match.end() : match.end() + 1000].lstrip().partition("\n")[0]
        if reading := read_value(value, options):
            yield Declaration(match.start(), reading, "label")


def _block(text: str, start: int, options: OptionSet) -> Reading | None:
    """Lines under a label that each begin with an id: those chosen, or the options said again."""
    lines = text[start : start + 2000].lstrip(" \t*_`\n").split("\n")
    ids = [options.id_of(match["id"]) for match in takewhile(bool, map(LISTED.match, lines)) if match]
    if len(set(ids)) < 2 or None in ids:
        return None
    return AMBIGUOUS if len(set(ids)) == len(options.texts) else options.chosen(option for option in ids if option)


def _sentences(pattern: re.Pattern[str], text: str, options: OptionSet) -> Iterator[Declaration]:
    for match in _own(pattern, text):
        before = clause(text, match.start())
        unless = (pattern is SENTENCE and match["supposed"]) or OTHERWISE.match(match["value"])
        if not spoilt(before) and not reported(before) and not (unless and supposed(text, match.start())):
            yield from _declaration(match, options)


def _praising(text: str, options: OptionSet) -> Iterator[Declaration]:
    """`The most fitting act here is (B)`: from its end, since few ids stand in brackets and many words praise."""
    place = 0
    for match in PRAISED.finditer(text):
        if praise := _praise(text, place, match.start()):
            place = match.end()
            if not spoilt(clause(text, praise.start()) + text[praise.end() : match.start()]):
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
        option = options.id_of(pointed["id"]) if pointed and not pointed["id"].islower() else None
        if option and not spoilt(clause(text, match.start())):
            yield Declaration(match.start("value"), options.chosen([option]), "sentence")


def _verdicts(text: str, options: OptionSet) -> Iterator[Declaration]:
    """`B is correct`, `A and C are right`, `option (D) fits best`."""
    place = 0
    right: set[str | None] = set()
    while match := SUBJECT.search(text, place):
        place = match.end()
        if listed := _subject(text, match.start()):
            ids, place = [options.id_of(token) for token in listed[0]], listed[1]
            before = clause(text, match.start())
            if VERDICT.match(text, place) and None not in ids and not spoilt(before) and not names_another(before):
                right = {*right, *ids} if options.multiple else {*ids}
                yield Declaration(match.start(), options.chosen(option for option in right if option), "sentence")


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


class Finder(NamedTuple):
    """What looks for declarations, and what stands in whatever it finds: looking for words is quicker than for
    patterns."""

    find: Callable[[str, OptionSet], Iterator[Declaration]]
    sign: str
    words: tuple[frozenset[str], ...] = ()
    """One word of each set, in small letters."""


WORD = re.compile(r"[a-z]+")
ELSEWHERE = frozenset(("answer", "is", "elsewhere"))
"""Taken to stand in a text that has other letters than ASCII, where nouns and verbs of other languages may."""
ANSWERS = frozenset(("answer", "answers", *NOUNS[1:]))
BEING = frozenset(("is", "are", "must", "should", "has", "can", "lautet", "ist", "es", "est", "er"))
PRAISES = ("most", "best", "correct", "right", "ideal", "answer", "choice")
CHOICES = (
    "choose", "pick", "select", "chose", "picked", "selected", "go", "going", "went", "opt", "vote", "settle",
    "conclude", "say", "think", "guess", "believe",
)  # fmt: skip
ELECTING = ("w", "hle", "nehme", "choisis", "elijo", "escojo", "eleg", "scelgo", "escolho")
"""As `WORD` finds them: `wähle` is two."""
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
    Finder(partial(_sentences, CHOOSING), "", (frozenset(("i", "we", *ELECTING)), frozenset((*CHOICES, *ELECTING)))),
    Finder(partial(_turns, CORRECTION), "", (frozenset(("actually", "scratch", "correction", "mean", "wait", "on")),)),
    Finder(partial(_turns, CONCLUSION), "", (frozenset(("so", "therefore", "thus", "hence")),)),
    Finder(partial(_turns, OPENING), "", (frozenset(("probably", "likely", "definitely", "clearly")),)),
    Finder(partial(_turns, CONTRAST), "", (frozenset(("but", "sino", "sondern", "mais", "ma", "mas", "elsewhere")),)),
    Finder(_praising, "", (frozenset((*PRAISES, *("the" + word for word in PRAISES))),)),
    Finder(_pointing, "", (frozenset(("it", "this", "that", "which")), BEING)),
    Finder(_verdicts, "", (frozenset(MERITS), frozenset(SEEMING))),
)
