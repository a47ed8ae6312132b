"""Reads a value: a short text that stands where an answer is declared, `(C)`, `A, C` or an option's own words."""

import re
from typing import NamedTuple

from .optionset import AMBIGUOUS, INVALID, NO_ANSWER, REFUSAL, OptionSet, Reading

ID = r"(?:[A-Za-z]\d{0,3}|\d{1,3})"
# An id ends where no Latin letter or digit goes on; a Korean or Chinese suffix may follow at once.
END = r"(?![A-Za-z0-9À-ɏ%]|['’\-][A-Za-z]|\.[a-z0-9])"
OPEN, CLOSE = r"[(\[{\"'`*_$<“‘]{0,6}", r"[)\]}\"'`*_$>”’]{0,6}"
WORD = re.compile(r"[^\s.,;:/&+|、•!()\[\]{}\"'`*_$<>“”‘’#-]+")
NAMED = rf"{OPEN}(?:(?i:options?|choices?)\s+)?{OPEN}(?P<id>{ID}){END}{CLOSE}"
ONE_ID = re.compile(ID)
JOINING = ("and", "or", "und", "y", "et", "option", "options")
FIRST = re.compile(NAMED)
JOIN = r"(?:and|or|und|oder|y|et|ou|e)\s+(?:(?:possibly|maybe|perhaps|even|also)\s+)?"
NEXT = re.compile(rf"(?P<sep>\s*[,;/&+|、]\s*(?:{JOIN})?|\s*\n[ \t]*[-*•]\s+|\s+\(?{JOIN}|\s+){NAMED}")
GLUED = re.compile(rf"{OPEN}(?P<ids>[A-Z]{{2,}}){CLOSE}[.,;:!]*")
TRIM = " \t\n.,;:!*_`#>~"
BULLET = re.compile(r"^[-•]\s+")
CONNECTOR = re.compile(
    r"(?:because|since|as|for|rather|not|instead|but|while|although|though|(?:is|are)\s+(?:the\s+)?(?:most|best|correct|right))\b",
    re.IGNORECASE,
)
PREFIX = re.compile(
    r"(?:(?:I\s+(?:think|believe|guess|would\s+say|say),?|probably|likely|most\s+likely|definitely|clearly|simply|indeed|"
    r"therefore|thus|both|either|the|la|el|le|die|der|das|a\s+letra)\s+)*"
    r"(?:(?:correct|right|best|final)\s+)?"
    r"(?:(?:answers?|options?|choices?|letters?|number|no\.|opción|opcion|opção|réponse|lettre|antwort|opzione|"
    r"вариант|选项|選項|選択肢|보기)\s*(?:is|are|:|=|#)?\s*)?",
    re.IGNORECASE,
)
NOTHING = re.compile(
    r"(?:none|neither|nothing|no\s+(?:answer|option|idea)|n/?a|null|unknown|unsure|unclear|undetermined|not\s+sure|"
    r"(?:i\s+)?(?:do\s*n['’]?o?t|do\s+not|cannot|can['’]?t)\s+(?:know|tell|determine|say|answer|decide)|"
    r"(?:it\s+)?(?:cannot|can['’]t)\s+be\s+(?:determined|answered|known)|insufficient|not\s+enough)\b",
    re.IGNORECASE,
)
REFUSING = re.compile(
    r"\b(?:I['’]?m|I\s+am)\s+(?:sorry|unable|not\s+able|afraid)\b|\b(?:I|we)\s+(?:can['’]?t|cannot|can\s+not|won['’]?t|"
    r"will\s+not|am\s+unable\s+to|must\s+decline)\b[^.\n]{0,40}\b(?:help|assist|identify|comply|answer|provide|engage|"
    r"respond|fulfil|fulfill|do\s+that|discuss)\b|\bI\s+(?:must\s+)?decline\b|\bas\s+an?\s+(?:AI|language\s+model)\b[^.\n]*"
    r"\b(?:can['’]?t|cannot|unable|not\s+able)\b|\bunable\s+to\s+(?:help|assist|comply|identify)\b",
    re.IGNORECASE,
)
SET_OFF = re.compile(r"\s+[-–—:(\[]")
CLAUSE_OPENS = re.compile(r"\s+(?!because|since|as|for|are|both|together|and|or)[a-z]")
AGAINST = re.compile(
    r"[\s.,:;)\]*_–—-]*(?:however,?\s+)?(?:"
    r"(?:which\s+)?(?:is|are|was|were|seems?|looks?)\s+(?:(?:all|both|clearly|simply|also|obviously|therefore)\s+)*"
    r"(?:wrong|incorrect|not\b|ruled\s+out|eliminated|excluded|implausible|unlikely)"
    r"|(?:wrong|incorrect|eliminated|ruled\s+out|implausible)\s*(?:[.,;!\n]|$|because\b|since\b|as\b))"
    r"|\s+(?:cannot|can['’]t|do(?:es)?\s+not|do(?:es)?n['’]t)\s+(?:be\s+(?:right|correct)|fit|match|explain|make|work|account)\b",
    re.IGNORECASE,
)
"""What may follow ids that are named only to be discarded."""
OPEN_TO_ALL = re.compile(
    r"\s+(?:are|seem|could|might|may|would)\b[^.\n]{0,40}\b(?:plausible|possible|likely|reasonable|valid|fit|tempting)\b"
)
JOINED = re.compile(r"[\s.,;\"'”)]*(?P<word>[,;/&\"”]|\b(?:or|and|oder|und|ou|et|y)\b)[\s\"'“(]*")
EITHER = re.compile(r"\b(?:or|oder|ou)\b")
WORDS_END = re.compile(r"\s*(?:$|[.,;:!?\"')\]*-]|because\b|since\b)")


class _List(NamedTuple):
    """Ids at the start of a text, whether `or` stood among them, and what follows."""

    tokens: tuple[str, ...]
    separators: tuple[str, ...]
    rest: str
    wrapped: bool


def read_value(text: str, options: OptionSet) -> Reading | None:
    """What a declared value says; None where it says nothing that can be read. Nothing is ever read approximately."""
    bare = BULLET.sub("", text.strip().lstrip(TRIM))
    if not bare.strip(TRIM):
        return None
    if same := options.with_text(bare):
        return options.chosen(same) if len(same) == 1 else AMBIGUOUS
    without = bare[_prefix(bare) :]
    for candidate in dict.fromkeys((bare, without)):
        if reading := _glued(candidate, options):
            return reading
        listed = _list(candidate)
        if listed and (reading := _whole(listed, options) or _leading(listed, options, named=candidate != bare)):
            return reading
    return _words(without, options)


def _prefix(text: str) -> int:
    found = PREFIX.match(text)
    return found.end() if found else 0


def _glued(text: str, options: OptionSet) -> Reading | None:
    """The value is ids without anything between them: `AC`."""
    glued = GLUED.fullmatch(text)
    if not glued or options.id_of(glued["ids"]):
        return None
    ids = [options.id_of(letter) for letter in glued["ids"]]
    if None in ids or len(set(ids)) < len(ids):
        return None
    return options.chosen(option for option in ids if option)


def _whole(listed: _List, options: OptionSet) -> Reading | None:
    """The value is ids and nothing else."""
    return None if listed.rest.strip(TRIM + ")]}\"'$") else _of_list(listed, options)


def _leading(listed: _List, options: OptionSet, named: bool) -> Reading | None:
    """The value begins with an id: `C) she asks`, `B because …`, `D - …`. An article or a pronoun is none."""
    listed = _without_subject(listed)
    if _discarded(listed, options):
        return None
    if len(listed.tokens) > 1 and not options.multiple and OPEN_TO_ALL.match(listed.rest):
        return AMBIGUOUS
    last = options.id_of(listed.tokens[-1])
    if not _stands_alone(listed, last, options, named):
        return None
    found = options.starting(listed.rest.lstrip(" \t.,;:)]}-–—\"'*_"))
    if found and last and found[0] not in {options.id_of(token) for token in listed.tokens}:
        return AMBIGUOUS
    return _of_list(listed, options)


def _discarded(listed: _List, options: OptionSet) -> bool:
    """Whether what follows the ids speaks against them, and is not the option's own words."""
    if not AGAINST.match(listed.rest):
        return False
    found = options.starting(listed.rest.lstrip(" \t.,;:)]}-–—\"'*_"))
    return not found or found[0] != options.id_of(listed.tokens[-1])


def _stands_alone(listed: _List, option: str | None, options: OptionSet, named: bool) -> bool:
    token, rest = listed.tokens[-1], listed.rest
    spaced = rest[:1].isspace() and rest.strip()
    if not spaced or rest.startswith("\n") or SET_OFF.match(rest):
        return bool(listed.wrapped or named or not token.islower() or not rest or rest[0] in ").:,;\n")
    if listed.wrapped or named or CONNECTOR.match(rest.lstrip()):
        return listed.wrapped or named or not token.islower()
    found = options.starting(rest)
    if found and found[0] == option:
        return True
    return token.isupper() and token not in ("A", "I")


def _without_subject(listed: _List) -> _List:
    """`C, A is too strong` names C: the last id opens a clause of its own."""
    opens = CLAUSE_OPENS.match(listed.rest) if len(listed.tokens) > 1 else None
    if opens and listed.separators[-1].strip() in (",", ";"):
        return listed._replace(tokens=listed.tokens[:-1], separators=listed.separators[:-1], rest=",")
    return listed


def _list(text: str) -> _List | None:
    first = FIRST.match(text)
    if first is None:
        return None
    tokens, separators, place = [first["id"]], [], first.end()
    while following := NEXT.match(text, place):
        # `a` and `I` between blanks are words, unless the whole list is written so.
        if following["sep"].isspace() and following["id"] != tokens[0] and not only_ids(text[following.start() :]):
            break
        tokens.append(following["id"])
        separators.append(following["sep"])
        place = following.end()
    return _List(tuple(tokens), tuple(separators), text[place:], first.group() != first["id"])


def only_ids(text: str) -> bool:
    """Whether a text is ids, signs between them and words that join them, and nothing else."""
    named = False
    for match in WORD.finditer(text):
        is_id = bool(ONE_ID.fullmatch(match.group()))
        if not is_id and match.group().lower() not in JOINING:
            return False
        named = named or is_id
    return named


def _of_list(listed: _List, options: OptionSet) -> Reading:
    ids = [option for token in listed.tokens if (option := options.id_of(token))]
    if len(ids) < len(listed.tokens):
        return INVALID
    if len(ids) > 1 and len(set(ids)) > 1 and any(EITHER.search(separator) for separator in listed.separators):
        return AMBIGUOUS
    return options.chosen(ids)


def _further(ids: tuple[str, ...], rest: str, options: OptionSet) -> Reading:
    """The options whose words follow one another: `He is angry; he wants to leave`."""
    while (joined := JOINED.match(rest)) and (found := options.starting(rest[joined.end() :])):
        if joined["word"] in ("or", "oder", "ou"):
            return AMBIGUOUS
        ids, rest = (*ids, found[0]), found[1]
    return options.chosen(ids)


def _words(text: str, options: OptionSet) -> Reading | None:
    """An option's own words, or words that decline to choose."""
    for piece in dict.fromkeys((text, text.partition("\n")[0])):
        found = options.starting(piece)
        if found and WORDS_END.match(found[1]):
            same = options.with_text(options.texts[found[0]])
            return _further(same, found[1], options) if len(same) == 1 else AMBIGUOUS
        if found and JOINED.match(found[1]) and (reading := _further((found[0],), found[1], options)).ids[1:]:
            return reading
    if NOTHING.match(text):
        return NO_ANSWER
    return REFUSAL if REFUSING.match(text) else None
