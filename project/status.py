"""`status`: what became of the slots so far, and what is still wanted."""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from ..graph.coverage import Cell
from ..knowledge.loader import Taxonomy
from ..schemas.item import Slot
from ..state.ledger import StoreLedger
from ..state.store import Store, StoredEvent
from . import sources, targets
from .config import FOR_STORIES, FOR_VIDEOS
from .folder import Project

OUTCOMES = ("accepted", "surplus", "discarded")


class Summary(NamedTuple):
    """Counts over all decided slots."""

    accepted: int
    discarded: int
    surplus: int
    open: int
    """Items still wanted: the sum of every cell's target less its accepted items."""
    by_capability: dict[str, int]
    reasons: dict[str, int]
    """Slots by the code they ended with, accepted ones left out."""
    calls: int
    spent: float
    """US dollars."""
    stopped_by: str | None = None
    """Why a build ended with items wanted: `limit`; `sources`, which yield no more; `rules`, which make none of what is
    open. None where the targets are met. `status` knows of `rules` only."""
    usable: int = 0
    """Sources that the build could use, or that `status` knows of."""
    videos_waiting: int = 0
    """Videos that show no story: rules make no items of what is only seen, so their slots stay open."""
    refused: tuple[str, ...] = ()
    """Sources that the build could not use, a line each; `status` opens none, so it has none."""
    unshared: tuple[str, ...] = ()
    """Recorded shares that the build could not use, a line each."""
    unmade: tuple[str, ...] = ()
    """Open capabilities of which rules make no items: they need a language model."""
    warnings: tuple[str, ...] = ()
    """What is to be known of the models that a build used."""

    def json(self) -> dict[str, Any]:
        """The counts; what is said of sources only where there is something to say."""
        told = self._asdict()
        usable, waiting, refused, unshared, unmade, warned = (
            told.pop(name) for name in ("usable", "videos_waiting", "refused", "unshared", "unmade", "warnings")
        )
        told |= {"warnings": list(warned)} if warned else {}
        told |= {"unmade": list(unmade)} if unmade else {}
        told |= {"unshared": list(unshared)} if unshared else {}
        told |= {"usable": usable, "refused": list(refused)} if refused else {}
        return told | ({"videos_waiting": waiting} if waiting else {})


def status(project: Project) -> Summary:
    """The counts of a project as they stand. A project that was never built has none."""
    taxonomy, wanted = targets.of(project)
    if not project.store.exists():
        total = sum(cell.target for cell in wanted)
        return Summary(0, 0, 0, total, {}, {}, 0, 0.0, None)
    with Store.read(project.store) as store:
        return summarise(store, taxonomy, wanted, sources.current(project, store), by_model=by_model(project))


def decisions(store: Store) -> dict[str, StoredEvent]:
    """The last decision on each slot: an item may be accepted first, and filtered out later."""
    return {event.key.slot_id: event for event in store.events() if event.kind in OUTCOMES}


def by_model(project: Project) -> bool:
    """Whether models make items that no code derives."""
    return project.config.plays(FOR_VIDEOS) or project.config.plays(FOR_STORIES)


def summarise(
    store: Store, taxonomy: Taxonomy, wanted: Sequence[Cell], current: Collection[str], *, by_model: bool = False
) -> Summary:
    """Counts over the slots of the sources in `current`."""
    slots = {slot.slot_id: slot for _, slot in store.all(Slot) if slot.source_id in current}
    decided = [event for slot_id, event in decisions(store).items() if slot_id in slots]
    counts = Counter(event.kind for event in decided)
    accepted = Counter(slots[event.key.slot_id].coordinate for event in decided if event.kind == "accepted")
    reasons = Counter(str(event.payload["code"]) for event in decided if event.kind != "accepted")
    missing: Counter[str] = Counter()
    for cell in wanted:
        missing[cell.coordinate.capability] += max(0, cell.target - accepted[cell.coordinate])
    open_ones = (name for name, number in missing.items() if number and not taxonomy.capabilities[name].claim)
    unmade = () if by_model else tuple(open_ones)
    spent = StoreLedger(store).spent()
    by_capability: Counter[str] = Counter()
    for coordinate, number in accepted.items():
        by_capability[coordinate.capability] += number
    return Summary(
        accepted=counts["accepted"],
        discarded=counts["discarded"],
        surplus=counts["surplus"],
        open=missing.total(),
        by_capability=dict(sorted(by_capability.items())),
        reasons=dict(sorted(reasons.items())),
        calls=spent.calls,
        spent=spent.usd,
        stopped_by="rules" if unmade and len(unmade) == len(+missing) else None,
        usable=len(current),
        videos_waiting=0
        if by_model
        else sum(not film.story for name, film in sources.footage_of(store).items() if name in current),
        unmade=unmade,
    )
