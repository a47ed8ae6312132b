"""`score`: runs against the answers of the release that they were made on."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..evaluation.journal import load
from ..schemas.score import CapabilityDrop, Comparison, RunScore
from ..scoring.gather import gather
from ..scoring.score import score_run
from ..scoring.versus import comparisons, falls, run_names, tier_shares
from . import runs as runs_on_disk
from .releases import open_release


class Scores(NamedTuple):
    """The scores of several runs, in the order given, and what they show together."""

    release: str
    runs: tuple[RunScore, ...]
    names: tuple[str, ...]
    """What each run is called in `comparisons` and `drops`."""
    comparisons: tuple[Comparison, ...]
    drops: tuple[CapabilityDrop, ...]
    tiers: dict[str, dict[str, float]]

    def json(self) -> dict[str, Any]:
        records = {name: getattr(self, name) for name in ("runs", "comparisons", "drops")}
        dumped = {name: [one.model_dump(mode="json") for one in own] for name, own in records.items()}
        return {"release": self.release, **dumped, "tiers": self.tiers}


def score(release: Path, runs: Sequence[Path]) -> Scores:
    """Score runs. Raises `InputError` for a run that is not whole or not on this release, or a folder that is no run or
    no release."""
    opened = open_release(release)
    inputs, keys = opened.inputs(), list(opened.keys())
    loaded = [load(folder) for folder in runs]
    for folder, (info, responses) in zip(runs, loaded, strict=True):
        runs_on_disk.check(opened, folder, info, responses)
    scores = tuple(score_run(inputs, keys, responses, info) for info, responses in loaded)
    rows = [gather(inputs, keys, responses, info) for info, responses in loaded]
    names = run_names([info for info, _ in loaded])
    tiers = tier_shares(rows[0]) if rows else {}
    together = tuple(comparisons(names, rows)), tuple(falls(names, rows))
    return Scores(opened.title, scores, tuple(names), *together, tiers)
