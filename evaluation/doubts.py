"""Words around an id that take it back: negations, doubts, other people's opinions, names that are no options."""

import re


def first(letters: str, others: str = "") -> str:
    """A look-ahead for the first characters of a pattern: without it every place of a text tries every alternative."""
    return rf"(?-i:(?=[{letters}{letters.upper()}{others}]))"


SPOILT = re.compile(
    first("nudhwtisomca")
    + r"(?:\b(?:not|never|neither|nor|unlikely|doubt|hardly|whether|thought|initially|some|others|many|might|"
    r"may|could|why|if)\b|n['’]t\b|\bat\s+first\b)",
    re.IGNORECASE,
)
SPOILING = (
    "not", "never", "neither", "nor", "unlikely", "doubt", "hardly", "whether", "thought", "initially", "some",
    "others", "many", "might", "may", "could", "why", "if", "n't", "n’t", "at",
)  # fmt: skip
"""One of these stands in whatever `SPOILT` finds."""
SUPPOSING = re.compile(r"\b(?:if|unless|had|were|suppose|otherwise)\b", re.IGNORECASE)
OTHERWISE = re.compile(r"[^.\n]{0,80}\b(?:otherwise|else|unless)\b[^.\n]{0,20}\b[A-Z](?![A-Za-z])")
NAMING = re.compile(
    r"\b(?:person|people|speaker|characters?|plan|type|vitamin|hepatitis|players?|team|groups?|man|woman|boy|girl|student|"
    r"child|patient|participant|suspect|witness|friend|party|side|scene|clip|video|image|frame|figure|shot|panel|part|"
    r"section|grade|class|level|room|case|example|version|actor|individual|parent|sibling|colleague|guest|agent|user|"
    r"mr|mrs|ms|dr)\.?\s+\Z",
    re.IGNORECASE,
)
REPORTED = re.compile(
    r"\b(?:he|she|they|someone|somebody|everyone|the\s+(?!evidence|tone|clip|video|scene|context|question|text|passage|"
    r"story|dialogue|transcript)\w+)\s+(?:says?|said|claims?|claimed|insists?|insisted|believes?|believed|thinks?)\b",
    re.IGNORECASE,
)
SENTENCE_END = re.compile(r"[.!?\n]")
CLAUSE = re.compile(first("bsth") + r"\b(?:but|so|therefore|hence|thus|because)\b", re.IGNORECASE)


def clause(text: str, place: int) -> str:
    """What stands before `place` in its own clause."""
    begin = max(0, place - 200, *(text.rfind(stop, max(0, place - 200), place) + 1 for stop in ".!?;,\n"))
    return CLAUSE.split(text[begin:place])[-1]


def spoilt(text: str) -> bool:
    """Whether words say that what follows is negated, doubted or someone else's."""
    return any(map(text.lower().__contains__, SPOILING)) and SPOILT.search(text) is not None


def reported(text: str) -> bool:
    """Whether words put what follows into another's mouth: `The teacher says that …`."""
    return REPORTED.search(text) is not None


def names_another(text: str) -> bool:
    """Whether a letter that follows is somebody's name, or a thing's: `Speaker`, `plan`."""
    return NAMING.search(text) is not None


def supposed(text: str, place: int) -> bool:
    """Whether the sentence supposes something before `place`."""
    return SUPPOSING.search(SENTENCE_END.split(text[max(0, place - 400) : place])[-1]) is not None
