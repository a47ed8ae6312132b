"""From the names of a lexicon to one regular expression that finds them in every form they take in a text."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..errors import UsageError
from ..schemas.story import Entity
from .inflection import AGGLUTINATIVE, ARABIC_PREFIXES, HANGUL_PARTICLES, HEBREW_PREFIXES, declension
from .scripts import AFTER, APOSTROPHES, BEFORE, DASHES, IGNORED, Family, family, variants
from .vocabulary import ALWAYS_WORDS, PARTICLES, TITLES, WORD_NAMES

_TOKENS = re.compile(
    rf"(?:[^\W_]|[\u0300-\u036f\u0900-\u0eff]|[{APOSTROPHES}](?=\w))+|(?:(?![\u0300-\u036f\u0900-\u0eff])[\W_])+"
)

_PREFIXES: dict[Family, str] = {"hebrew": HEBREW_PREFIXES, "arabic": ARABIC_PREFIXES}


class Form(NamedTuple):
    """One name of one entity, and how it is searched for."""

    name: str
    entity: Entity
    family: Family

    @property
    def common(self) -> bool:
        """Whether each hit needs the proof of its position: single ordinary words only."""
        return (self.entity.common_word or self.name.casefold() in ALWAYS_WORDS) and " " not in self.name

    @property
    def cased(self) -> bool:
        """Whether only capitalised forms count: ordinary words, and names too short to be told from other words."""
        word = self.entity.common_word or self.name.casefold() in ALWAYS_WORDS | WORD_NAMES
        return word or (self.family == "latin" and len(self.name) <= 2)

    @property
    def short_unspaced(self) -> bool:
        """A name so short that, in a script without spaces, it also occurs inside other words."""
        kana = bool(re.match(r"[\u3040-\u309f]", self.name))
        return self.family == "unspaced" and len(self.name) <= (2 if kana else 1)


def forms(entities: Iterable[Entity]) -> tuple[Form, ...]:
    """Every name of every entity, longest first. Raises `UsageError` where a name belongs to two entities."""
    owner: dict[str, Form] = {}
    for entity in entities:
        for raw in entity.names:
            name = without_title(raw) if entity.kind == "person" else clean(raw)
            if not name:
                raise UsageError(f"the lexicon holds an entity whose name is blank: {entity.names!r}")
            form = Form(name, entity, family(name))
            other = owner.setdefault(name.casefold(), form)
            if other.entity != entity:
                raise UsageError(f"the name {name!r} belongs to two entities, {other.entity.names[0]!r} and "
                                 f"{entity.names[0]!r}: give it to one of them")  # fmt: skip
    return tuple(sorted(owner.values(), key=lambda form: (-len(form.name), form.name)))


def clean(name: str) -> str:
    """A name as it is compared: NFC, single spaces, none around."""
    return " ".join(unicodedata.normalize("NFC", name).split())


def without_title(name: str) -> str:
    """`Commander Harris` is the name `Harris`; a name that is nothing but titles stays."""
    words = clean(name).split(" ")
    while len(words) > 1 and words[0].casefold().rstrip(".") in TITLES:
        words = words[1:]
    return " ".join(words)


def compile_text(names: Sequence[Form], language: str) -> re.Pattern[str]:
    """The expression for running text. Group `n<i>` is the name proper of form i; what follows it is its suffix."""
    cores = [f"(?P<n{index}>{_core(form, language)})" for index, form in enumerate(names)]
    worded = [index for index, form in enumerate(names) if form.family not in ("unspaced", "katakana", "other")]
    free = [_bounded(names[index], core) for index, core in enumerate(cores) if index not in worded]
    first = "".join(sorted({character for index in worded for character in _first(names[index])}))
    bounded = "|".join(_bounded(names[index], cores[index]) for index in worded)
    parts = [*([f"(?=[{first}]){BEFORE}(?:{bounded})"] if worded else []), *free]
    return re.compile("|".join(parts) or r"(?!)", re.IGNORECASE)


def _first(form: Form) -> str:
    """The characters with which a match of a form may begin: they keep the search fast."""
    begin = form.name.lstrip(APOSTROPHES)[:1] or form.name[0]
    return re.escape(variants(begin) + form.name[0]) + _PREFIXES.get(form.family, "")


def compile_filename(names: Sequence[Form]) -> re.Pattern[str]:
    """The expression for file names: humps and underscores bound words, and five letters are enough inside one."""
    begin, end = r"(?:(?<![^\W\d_])|(?<=(?-i:[a-z]))(?=(?-i:[A-Z])))", r"(?:(?![^\W\d_])|(?=(?-i:[A-Z])))"
    parts = []
    for index, form in enumerate(names):
        core = f"(?P<n{index}>{spell(form.name, joined=True)})"
        free = sum(map(str.isalpha, form.name)) >= 5 or form.family in ("unspaced", "hangul", "katakana")
        parts.append(core if free else f"{begin}{core}(?:e?s)?{end}")
    return re.compile("|".join(parts) or r"(?!)", re.IGNORECASE)


def _core(form: Form, language: str) -> str:
    if form.cased:
        return f"(?-i:{_capitalised(form.name)}|{spell(form.name.upper())})"
    exact, table = spell(form.name), declension(form.name, language)
    if table is not None:
        return f"{exact}|{_inflected(form.name, table.stem(form.name), table.endings)}"
    if language in AGGLUTINATIVE and form.family == "latin" and len(form.name) >= 4:
        return rf"{exact}|(?-i:{spell(form.name)})[^\W\d_]{{1,8}}"
    return exact


def _capitalised(name: str) -> str:
    """The name with its capitals; small words ("the", "of") count in either case."""
    words = name.split(" ")
    small = {word for word in words if len(words) > 1 and word.casefold() in PARTICLES}
    return r"\s+".join(f"(?i:{spell(word)})" if word in small else spell(word[0].upper() + word[1:]) for word in words)


def _inflected(name: str, stem: str, endings: Iterable[str]) -> str:
    """The stem, capitalised, with any ending; also the stem that lost its last vowel (Павел, Павла)."""
    stems = [stem]
    if stem == name and re.search(r"[^\Wаеёиоуыэюя][еёо][^\Wаеёиоуыэюя]$", name) and len(name) >= 4:
        stems.append(name[:-2] + name[-1])
    tails = "|".join(endings)
    cased = "|".join(spell(form) for root in stems for form in (root[0].upper() + root[1:], root.upper()))
    return f"(?-i:{cased})(?:{tails})"


def _bounded(form: Form, core: str) -> str:
    """Add the suffixes, glued words and boundaries of the name's script; `BEFORE` stands before spaced scripts."""
    if form.family == "unspaced" or not any(map(str.isalnum, form.name)):
        return core
    if form.family == "katakana":
        return rf"(?<![\u30a1-\u30faー]){core}(?![\u30a1-\u30faー])"
    if form.family == "hangul":
        return rf"{core}(?=(?:{'|'.join(HANGUL_PARTICLES)}){{0,2}}{AFTER})"
    begin = BEFORE if form.family == "other" else ""
    digits = r"(?<!\d)" if form.name[0].isdigit() else "", r"(?!\d)" if form.name[-1].isdigit() else ""
    prefix = f"(?:[{_PREFIXES[form.family]}]{IGNORED}){{0,3}}" if form.family in _PREFIXES else ""
    suffix = _suffix(form.name) if form.family == "latin" and form.name[-1].isalpha() else ""
    return begin + digits[0] + prefix + core + suffix + digits[1] + AFTER


def _suffix(name: str) -> str:
    """The plural; for names of five letters or more also words made of them ("Polish" is not made of Pol)."""
    hissing = re.search(r"(?P<s>[sß])$|(?:[xz]|[cs]h)$", name, re.IGNORECASE)
    plural = "s" if hissing is None else "es" if hissing["s"] else "e?s"
    return f"(?:{plural}|ians?|esque|ish)?" if len(name) >= 5 else f"(?:{plural})?"


def spell(name: str, *, joined: bool = False) -> str:
    """A pattern for a name as written: accents, apostrophes, dashes and spaces may be of any kind.

    `joined`: the parts of the name may also stand together without a space.
    """
    pieces = _TOKENS.findall(name)
    inner = range(1, len(pieces) - 1)
    return "".join(
        _separator(pieces, at, joined) if at in inner and not _is_word(piece) else "".join(map(_letter, piece))
        for at, piece in enumerate(pieces)
    )


def _is_word(piece: str) -> bool:
    return any(map(str.isalnum, piece))


def _letter(character: str) -> str:
    if character in APOSTROPHES:
        return f"[{APOSTROPHES}]?"
    if character == "ß":
        return f"(?:ß|ẞ|ss){IGNORED}"
    if not character.isalpha():
        return re.escape(character)
    return f"[{re.escape(variants(character))}]{IGNORED}"


def _separator(pieces: Sequence[str], at: int, joined: bool) -> str:
    """What may stand where the name has a space, a dash, a full stop or a middle dot."""
    piece = pieces[at]
    others = "".join(character for character in piece if not character.isspace() and character not in "-‐‑–—_.·・･=＝")
    if others:
        return r"\s*" + r"\s*".join(map(re.escape, others)) + r"\s*"
    if joined or set(piece) & set("·・･=＝"):
        return rf"[\s.·・･=＝{DASHES}]*"
    if "." in piece or len(pieces[at - 1]) == 1:
        return rf"\.?[\s{DASHES}]*"
    return rf"(?:\.?\s+|\s?[{DASHES}]\s?)"
