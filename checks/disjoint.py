"""Whether two sets of items share what must not stand in both: a passage of their sources, or a question.

The hash of a file finds the same file only. A video that was encoded anew, or a story in another format, is found by
its words: a clip that says mostly what the other set's clips say is of the same source.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ..schemas.finding import Finding
from .duplicates import Asks, near_ones
from .texts import plain

WORDS = 5
"""Of a line that tells a source: shorter ones are said everywhere."""
LINES = 3
"""Such lines that a clip must have, and of which more than half must be the other set's."""


class Side(NamedTuple):
    """One set."""

    name: str
    passages: Mapping[str, Sequence[str]]
    """Lines of each clip, by its path or id."""
    asks: Sequence[Asks]


def shared(one: Side, other: Side) -> Iterator[Finding]:
    """`split-passage` and `split-duplicate`: each clip and each item of `one` that has its like in `other`."""
    yield from _passages(one, other)
    for ask in one.asks:
        for pair in near_ones(ask, other.asks):
            said = f"asks nearly the same as {pair.second} of {other.name} (similarity {pair.similarity:.2f})"
            yield Finding(code="split-duplicate", place=pair.first, message=said)


def _passages(one: Side, other: Side) -> Iterator[Finding]:
    known = {line: clip for clip, lines in other.passages.items() for line in _telling(lines)}
    for clip, lines in one.passages.items():
        own = _telling(lines)
        found = [known[line] for line in own if line in known]
        if len(own) >= LINES and len(found) * 2 > len(own):
            said = f"{len(found)} of its {len(own)} longer lines stand in {other.name} too, as in {found[0]}"
            yield Finding(code="split-passage", place=clip, message=said)


def _telling(lines: Iterable[str]) -> list[str]:
    """The lines that tell a source, each once."""
    texts = dict.fromkeys(map(plain, lines))
    return [text for text in texts if len(text.split()) >= WORDS]
