"""Coverage: which slot comes next, so that under-represented cells of the taxonomy fill first.

The plan of a slot depends on the decisions on earlier slots only, and on those in number order: never on who finished
first. Source: the contract in `docs/slots.md`.
"""

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from ..schemas.item import Coordinate, Slot


class Cell(NamedTuple):
    """A coordinate with the number of items wanted."""

    coordinate: Coordinate
    target: int


class Wait:
    """The plan needs the decision on an earlier slot first."""


WAIT: Final = Wait()


class Past(NamedTuple):
    """A slot that an earlier build decided."""

    slot: Slot
    accepted: bool


class Planner:
    """Plans numbered slots.

    `supply` lists, for each coordinate, the (source id, ordinal) pairs that its Director can serve, in the order in
    which they are tried. `lookahead` is how many undecided slots may count as accepted. `past` is what earlier builds
    decided, in number order: a build goes on from there, even where targets or supply have changed since.
    """

    def __init__(
        self,
        cells: Sequence[Cell],
        supply: Mapping[Coordinate, Sequence[tuple[str, int]]],
        lookahead: int,
        past: Sequence[Past] = (),
        most: int | None = None,
    ) -> None:
        """`most` bounds the slots planned here, beside those of the past."""
        self.cells = tuple(cells)
        self._most = None if most is None else len(past) + most
        self.lookahead = lookahead
        self.slots = [one.slot for one in past]
        self.accepted = [one.accepted for one in past]
        """The decisions so far, in number order."""
        known = {slot.slot_id for slot in self.slots}
        self._next = 1 + max((slot.number for slot in self.slots), default=0)
        self._sure = 0
        """As many decisions as every later plan knows; `_counts` has those that were not accepted taken off."""
        self._counts = Counter(slot.coordinate for slot in self.slots)
        self._left = {
            coordinate: deque(pair for pair in pairs if _name(coordinate, *pair) not in known)
            for coordinate, pairs in supply.items()
        }

    def decide(self, accepted: bool) -> None:
        """Record the decision on the first undecided slot."""
        self.accepted.append(accepted)

    def next(self) -> Slot | Wait | None:
        """The next slot; WAIT while its plan needs a decision that is not there; None when nothing is left to plan."""
        planned = len(self.slots)
        if self._most is not None and planned >= self._most:
            return None
        first = max(0, planned + 1 - self.lookahead)
        if first > len(self.accepted):
            return WAIT
        self._learn(self._counts, self._sure, first)
        self._sure, counts = first, self._counts.copy()
        for known in range(first, planned + 1):
            if known > len(self.accepted):
                return WAIT
            self._learn(counts, max(first, known - 1), known)
            if cell := self._neediest(counts):
                self.slots.append(self._slot(cell.coordinate))
                self._counts[cell.coordinate] += 1
                return self.slots[-1]
        return None

    def _learn(self, counts: Counter[Coordinate], start: int, stop: int) -> None:
        """Take off what was counted as accepted and is not, of the decisions after the first `start` up to `stop`."""
        for place in range(start, stop):
            counts[self.slots[place].coordinate] -= not self.accepted[place]

    def counts(self, known: int | None = None) -> Counter[Coordinate]:
        """Accepted items by coordinate, the slots after `known` counted as accepted; without it, exactly."""
        sure = self.accepted if known is None else self.accepted[:known]
        slots = self.slots[: len(sure)] if known is None else self.slots
        return Counter(slot.coordinate for place, slot in enumerate(slots) if place >= len(sure) or sure[place])

    def _neediest(self, counts: Mapping[Coordinate, int]) -> Cell | None:
        """The cell with the smallest share of its target, among those with a target unmet and supply left."""
        wanting = [
            cell for cell in self.cells if counts[cell.coordinate] < cell.target and self._left.get(cell.coordinate)
        ]
        return min(wanting, key=lambda cell: counts[cell.coordinate] / cell.target, default=None)

    def _slot(self, coordinate: Coordinate) -> Slot:
        source, ordinal = self._left[coordinate].popleft()
        name, number = _name(coordinate, source, ordinal), self._next
        self._next += 1
        return Slot(slot_id=name, number=number, source_id=source, coordinate=coordinate, ordinal=ordinal)


def _name(coordinate: Coordinate, source: str, ordinal: int) -> str:
    return f"{source}/{coordinate.capability}/{coordinate.interaction}/{ordinal}"
