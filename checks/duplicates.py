"""Items that ask the same thing twice: exact keys for admission, near-duplicates for a release."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from rapidfuzz import fuzz, process

from ..schemas.base import content_hash, digest
from ..schemas.finding import Finding
from ..schemas.item import Item
from .texts import plain


class Pair(NamedTuple):
    """Two items that nearly ask the same; `similarity` is 0–1, of the question and the options, whichever is less."""

    first: str
    second: str
    similarity: float


def claim_key(source_id: str, claim: str, location: str) -> str:
    """The same for two items that make the same kind of claim about the same decision of a story, whatever the play."""
    return digest("claim", source_id, claim, location)


def question_key(question: str, options: Sequence[str]) -> str:
    """The same for two items with the same question and the same set of options; case and punctuation do not count."""
    return content_hash([plain(question), sorted(map(plain, options))])


class Asks(NamedTuple):
    """What an item asks, plain: two items are near each other where both texts are."""

    id: str
    question: str
    answers: str
    """The options in alphabetical order, or the reference of an open question."""


def asks(id: str, question: str, answers: Iterable[str]) -> Asks:
    return Asks(id, plain(question), "\n".join(sorted(map(plain, answers))))


def near_duplicates(items: Sequence[Item], near: float = 0.9) -> list[Pair]:
    """Pairs whose questions and whose options are alike to `near` or more, in the order of the items.

    A shared question template alone makes no duplicate: the options, taken in alphabetical order, must be alike too.
    """
    every = [asks(item.item_id, item.question, [option.text for option in item.options]) for item in items]
    return [pair for at, one in enumerate(every) for pair in near_ones(one, every[at + 1 :], near)]


def near_ones(one: Asks, others: Sequence[Asks], near: float = 0.9) -> Iterator[Pair]:
    """Those of the others that ask nearly the same."""
    matches = process.extract_iter(
        one.answers, [other.answers for other in others], scorer=fuzz.ratio, score_cutoff=100 * near
    )
    for _, score, at in matches:
        alike = min(score, fuzz.ratio(one.question, others[int(at)].question)) / 100
        if alike >= near:
            yield Pair(one.id, others[int(at)].id, round(alike, 3))


def findings(items: Sequence[Item], near: float = 0.9) -> list[Finding]:
    """`item-duplicate` for equal question and options, `item-near-duplicate` (a warning) for nearly equal ones."""
    by_id = {item.item_id: _key(item) for item in items}
    return [
        Finding(code="item-duplicate", message=f"asks the same as {pair.first}", place=pair.second)
        if by_id[pair.first] == by_id[pair.second]
        else Finding(
            code="item-near-duplicate",
            message=f"asks nearly the same as {pair.first} (similarity {pair.similarity:.2f})",
            place=pair.second,
            severity="warning",
        )
        for pair in near_duplicates(items, near)
    ]


def _key(item: Item) -> str:
    return question_key(item.question, [option.text for option in item.options])
