"""The targets of a project as cells of its taxonomy."""

from ..graph.coverage import Cell
from ..knowledge.loader import Taxonomy, load_taxonomy
from ..schemas.item import Coordinate
from .config import ConfigFile
from .folder import Project


def of(project: Project) -> tuple[Taxonomy, tuple[Cell, ...]]:
    """The project's taxonomy, and its targets as cells of it. Raises `InputError` with the line of what is wrong."""
    name = project.config.taxonomy
    taxonomy = load_taxonomy(project.root / name if name else None)
    return taxonomy, tuple(cells(project.file, taxonomy))


def cells(file: ConfigFile, taxonomy: Taxonomy) -> list[Cell]:
    """Cells in the order of the taxonomy. A bare number is spread evenly, the first interactions taking what is over.

    Raises `InputError` with the line for a capability or an interaction that the taxonomy does not have.
    """
    found = []
    for capability, wanted in file.config.targets.items():
        if capability not in taxonomy.capabilities:
            raise file.wrong(("targets", capability), _unknown("capability", capability, taxonomy.capabilities))
        spread = _spread(wanted, list(taxonomy.interactions)) if isinstance(wanted, int) else wanted
        for interaction, target in spread.items():
            if interaction not in taxonomy.interactions:
                place = ("targets", capability, interaction)
                raise file.wrong(place, _unknown("interaction", interaction, taxonomy.interactions))
            if target:
                found.append(Cell(Coordinate(capability=capability, interaction=interaction), target))
    return found


def _spread(wanted: int, interactions: list[str]) -> dict[str, int]:
    share, over = divmod(wanted, len(interactions))
    return {name: share + (place < over) for place, name in enumerate(interactions)}


def _unknown(kind: str, name: str, known: object) -> str:
    return f"unknown {kind} {name!r}; the taxonomy has {', '.join(map(str, known))}"  # type: ignore[call-overload]
