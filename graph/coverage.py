"""Coverage: which slot comes next, so that under-represented cells of the taxonomy fill first.

The plan of a slot depends on the decisions on earlier slots only, and on those in number order: never on who finished
first. Source: the contract in `docs/slots.md`.
"""

from collections import Counter
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


class Planner:
    """Plans numbered slots.

    `supply` lists, for each coordinate, the (source id, ordinal) pairs that its Director can serve, in the order in
    which they are tried. `lookahead` is how many undecided slots may count as accepted.
    """

    def __init__(
        self, cells: Sequence[Cell], supply: Mapping[Coordinate, Sequence[tuple[str, int]]], lookahead: int
    ) -> None:
        self.cells = tuple(cells)
        self.supply = supply
        self.lookahead = lookahead
        self.slots: list[Slot] = []
        self.accepted: list[bool] = []
        """The decisions so far, in number order."""

    def decide(self, accepted: bool) -> None:
        """Record the decision on the first undecided slot."""
        self.accepted.append(accepted)

    def next(self) -> Slot | Wait | None:
        """The next slot; WAIT while its plan needs a decision that is not there; None when nothing is left to plan."""
        planned = len(self.slots)
        for known in range(max(0, planned + 1 - self.lookahead), planned + 1):
            if known > len(self.accepted):
                return WAIT
            if cell := self._neediest(known):
                self.slots.append(self._slot(cell.coordinate))
                return self.slots[-1]
        return None

    def counts(self, known: int | None = None) -> Counter[Coordinate]:
        """Accepted items by coordinate, the slots after `known` counted as accepted; without it, exactly."""
        sure = self.accepted if known is None else self.accepted[:known]
        slots = self.slots[: len(sure)] if known is None else self.slots
        return Counter(slot.coordinate for place, slot in enumerate(slots) if place >= len(sure) or sure[place])

    def _neediest(self, known: int) -> Cell | None:
        """The cell with the smallest share of its target, among those with a target unmet and supply left."""
        counts = self.counts(known)
        tried = Counter(slot.coordinate for slot in self.slots)
        wanting = [
            cell
            for cell in self.cells
            if counts[cell.coordinate] < cell.target
            and tried[cell.coordinate] < len(self.supply.get(cell.coordinate, ()))
        ]
        return min(wanting, key=lambda cell: counts[cell.coordinate] / cell.target, default=None)

    def _slot(self, coordinate: Coordinate) -> Slot:
        tried = sum(slot.coordinate == coordinate for slot in self.slots)
        source, ordinal = self.supply[coordinate][tried]
        name = f"{source}/{coordinate.capability}/{coordinate.interaction}/{ordinal}"
        return Slot(slot_id=name, number=len(self.slots) + 1, source_id=source, coordinate=coordinate, ordinal=ordinal)
