"""Names proposed from a story's own text, for a person to accept: capitals in mid-sentence, and speakers' labels.

A span counts as a name when it stands capitalised where its language writes small, and hardly ever in lower case. What
the text cannot tell (a word seen only at the start of sentences) is listed by `doubtful`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from ..schemas.story import Entity
from .cues import kind_of, next_word
from .inflection import group
from .mentions import Census, Mention, names_nobody, take
from .patterns import without_title
from .vocabulary import ORGANIZATION_HEADS, PLACE_HEADS, SUBJECT_VERBS

RARE = 0.25
"""A word counts as a name only if it stands in lower case at most this often, per use as a name."""

_ROMAN = frozenset("IVXLC")


def propose(texts: Sequence[str], known: Sequence[Entity] = ()) -> list[Entity]:
    """Entities found in `texts` beyond `known`, in order of first mention, each with aliases and a guess at its kind.

    A new name of a known entity (the surname of someone known by the full name) comes back as an entity whose first
    name is the known one, so that `lexicon.merge` adds the alias. No evidence gives an empty list.
    """
    census = take(texts)
    names = [name for name in _spelled(census) if _is_name(name, census)]
    names = _without_plurals(names, known)
    return [_entity(names, census, known) for names in _gathered(names, census, known)]


def doubtful(texts: Sequence[str], known: Sequence[Entity] = ()) -> list[str]:
    """Words seen only capitalised and only at the start of sentences: names perhaps, for a person to look through."""
    census = take(texts)
    entities = [*known, *propose(texts, known)]
    accounted = {part.casefold() for entity in entities for name in entity.names for part in (name, *name.split())}
    words = dict.fromkeys(mention.text for mention in census.mentions if not mention.proven)
    return [
        word for word in words if word.casefold() not in accounted and not _seen_small(word, census) and len(word) > 2
    ]


def _seen_small(name: str, census: Census) -> int:
    return census.lower[name.casefold()]


def _spelled(census: Census) -> list[str]:
    """Every span as it is written most often, in order of first mention; then the labels."""
    forms: dict[str, Counter[str]] = {}
    for mention in census.mentions:
        forms.setdefault(mention.text.casefold(), Counter())[mention.text] += 1
    for label in census.labels:
        name = without_title(label).title() if label.isascii() else label
        forms.setdefault(name.casefold(), Counter())[name] += 1
    return [max(found, key=lambda form: (not form.isupper(), found[form])) for found in forms.values()]


def _is_name(name: str, census: Census) -> bool:
    low = name.casefold()
    if names_nobody(name) or len(name) < 2 or set(name) <= _ROMAN:
        return False
    small = _seen_small(name, census)
    labels = sum(count for label, count in census.labels.items() if without_title(label) == low)
    if labels >= 2 and small <= labels:
        return True
    uses = census.proven[low] + (0 if small else _as_subject(name, census))
    if name[-1].isdigit():
        return _is_numbered(name, census)
    if name.isupper() and (" " in name or (len(name) > 3 and uses < 2)):
        return False
    return uses > 0 and not _ordinary(name, census) and small <= RARE * uses


def _ordinary(name: str, census: Census) -> bool:
    """Whether a name of several words is made of ordinary ones, and heads nothing: a heading or a term of art."""
    words = name.casefold().split(" ")
    heads = words[-1] in PLACE_HEADS | ORGANIZATION_HEADS or any(mention.titled for mention in _of(name, census))
    return len(words) > 1 and not heads and all(census.lower[word] for word in words)


def _is_numbered(name: str, census: Census) -> bool:
    """`Hut 14` is a name; `Manning 2`, of a word that is a name by itself, is not."""
    base = name.rpartition(" ")[0]
    return base.split(" ")[-1].casefold() in PLACE_HEADS or (
        census.proven[name.casefold()] > 1 and not _is_name(base, census)
    )


def _as_subject(name: str, census: Census) -> int:
    """Sentences that begin with the word as subject of a verb ("Quince was …")."""
    openings = (mention for mention in census.mentions if mention.text == name and not mention.proven)
    return sum(next_word(mention) in SUBJECT_VERBS for mention in openings)


def _without_plurals(names: Sequence[str], known: Sequence[Entity]) -> list[str]:
    """The names that are neither known nor the plural of a known or proposed one."""
    old = {without_title(name).casefold() for entity in known for name in entity.names}
    old |= {name.casefold() for entity in known for name in entity.names}
    new = {name.casefold() for name in names}

    def plural(low: str) -> bool:
        return any(low.endswith(end) and low.removesuffix(end) in old | new for end in ("s", "es"))

    return [name for name in names if name.casefold() not in old and not plural(name.casefold())]


def _gathered(names: Sequence[str], census: Census, known: Sequence[Entity]) -> Iterator[list[str]]:
    """The names of each new or grown entity: its full name, then the parts and cases by which it also goes."""
    full = {name: _kind(name, census) for name in names if " " in name and not name[-1].isdigit()}
    full |= {name: entity.kind for entity in known for name in entity.names if " " in name}
    homes = {name: _home(name, full, census) for name in names if " " not in name}
    singles = [name for name in names if not homes.get(name)]
    known_homes = dict.fromkeys(home for home in homes.values() if home and home not in names)
    for home in [*known_homes, *(forms[0] for forms in group(singles))]:
        forms = next((forms for forms in group(singles) if forms[0] == home), [home])
        yield [*forms, *(name for name, owner in homes.items() if owner == home)]


def _home(name: str, full: dict[str, str], census: Census) -> str:
    """The one longer name of which `name` is a part, if the two can be the same thing; else empty."""
    homes = [longer for longer in full if name in longer.split(" ") and not _composed(longer)]
    if len(homes) != 1:
        return ""
    same = full[homes[0]] == "person" or full[homes[0]] == _kind(name, census)
    return homes[0] if same else ""


def _composed(name: str) -> bool:
    """Whether a long name is built on another's name (`Bank of Calder`, `Calder Institute`), or on a number."""
    words = [word.casefold() for word in name.split(" ")]
    return words[-1].isdigit() or words[-1] in ORGANIZATION_HEADS or bool({"of", "the"} & set(words))


def _kind(name: str, census: Census) -> str:
    return kind_of(_of(name, census))


def _of(name: str, census: Census) -> list[Mention]:
    return [mention for mention in census.mentions if mention.text.casefold() == name.casefold()]


def _entity(names: Sequence[str], census: Census, known: Iterable[Entity]) -> Entity:
    owner = next((entity for entity in known if names[0] in entity.names), None)
    if owner is not None:
        return owner.model_copy(
            update={"names": (owner.names[0], *(name for name in names if name not in owner.names))}
        )
    mentions = [mention for name in names for mention in _of(name, census)]
    common = any(_seen_small(name, census) for name in names)
    return Entity(names=tuple(names), kind=kind_of(mentions), common_word=common)
