"""Social Genome's tables: means of its twelve figures by model and number of shots. Tables 4, 5 and 6."""

from collections.abc import Mapping, Sequence

from .figure import Figure, quotient, undefined
from .genome import NORMALISED, GenomeFigures
from .table import Table, Value, percent

Compared = Mapping[tuple[str, int], Sequence[GenomeFigures]]
"""By (model, shots): one record an item."""
SIMILARITY = ("similarity_trace", "similarity_step", "similarity_num", "difference_sequence", "emotion", "num_steps")
STEPS = ("all_modality", "visual", "verbal", "vocal", "external_knowledge")


def accuracies(compared: Compared) -> Table:
    """Table 4: accuracy by shots, in percent."""
    shots = sorted({shots for _, shots in compared})
    models = sorted({model for model, _ in compared})
    lines = [(model, *(percent(mean(compared.get((model, k), ()), "accuracy")) for k in shots)) for model in models]
    return Table("Accuracy (%)", ("Model", *(f"k = {k}" for k in shots)), tuple(lines))


def similarities(compared: Compared) -> Table:
    """Table 5, as means."""
    return _figures(compared, SIMILARITY, "Semantic and structural similarity")


def steps(compared: Compared) -> Table:
    """Table 6, as means."""
    return _figures(compared, STEPS, "Evidence by modality")


def mean(figures: Sequence[GenomeFigures], name: str) -> Figure:
    """Mean over the items for which the figure is defined; says how many were not."""
    values = [own.value if isinstance(own, Figure) else own for own in (getattr(one, name) for one in figures)]
    defined = [float(value) for value in values if value is not None]
    if not defined:
        return undefined("no item has the figure")
    lost = len(values) - len(defined)
    return Figure(sum(defined) / len(defined), f"{lost} of {len(values)} items have none" if lost else "")


def normalised(model: Sequence[GenomeFigures], human: Sequence[GenomeFigures]) -> dict[str, Figure]:
    """Counts as a share of what people reach: corpus mean / mean of `human`, human traces compared with themselves.

    For plots, and for the seven counts only; the other figures are shares already. Source: Social Genome, Figure 3.
    """
    found = {}
    for name in NORMALISED:
        ours, theirs = mean(model, name), mean(human, name)
        known = ours.value is not None and theirs.value is not None
        found[name] = quotient(ours.value or 0.0, theirs.value or 0.0, "people have none") if known else ours
    return found


def _figures(compared: Compared, names: Sequence[str], title: str) -> Table:
    lines: list[tuple[Value, ...]] = []
    for model, k in sorted(compared):
        lines.append((model, str(k), *(mean(compared[model, k], name) for name in names)))
    return Table(title, ("Model", "k", *names), tuple(lines))
