"""`score`: runs against the answers of the release that they were made on."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..evaluation.journal import load
from ..evaluation.judges import reply_hash
from ..evaluation.trace import rationale
from ..schemas.response import Response, RunInfo
from ..schemas.score import CapabilityDrop, Comparison, JudgedScore, RunScore
from ..scoring.gather import Row, gather
from ..scoring.judged import judged_score, open_credit
from ..scoring.score import score_run
from ..scoring.versus import comparisons, falls, run_names, tier_shares
from . import runs as runs_on_disk
from .judge import Found, cases_of, judgements_of
from .releases import Release, open_release


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


def score(release: Path, runs: Sequence[Path], judge: str | None = None) -> Scores:
    """Score runs, with what judges (or the one named) have said of them.

    Raises `InputError` for a run that is not whole or not on this release, or a folder that is no run or no release;
    `UsageError` where two judges have judged the same and none is named.
    """
    opened = open_release(release)
    inputs, keys = opened.inputs(), list(opened.keys())
    loaded = [load(folder) for folder in runs]
    for folder, (info, responses) in zip(runs, loaded, strict=True):
        runs_on_disk.check(opened, folder, info, responses)
    found = [_verdicts(folder, responses, judge) for folder, (_, responses) in zip(runs, loaded, strict=True)]
    credits = [open_credit(one.lines) for one in found]
    rows = [gather(inputs, keys, run[1], run[0], own) for run, own in zip(loaded, credits, strict=True)]
    judged = [_judged(opened, *one) for one in zip(loaded, rows, found, strict=True)]
    scores = tuple(
        score_run(inputs, keys, responses, info, own).model_copy(update={"judged": said})
        for (info, responses), own, said in zip(loaded, credits, judged, strict=True)
    )
    names = run_names([info for info, _ in loaded])
    tiers = tier_shares(rows[0]) if rows else {}
    together = tuple(comparisons(names, rows)), tuple(falls(names, rows))
    return Scores(opened.title, scores, tuple(names), *together, tiers)


def _verdicts(run: Path, responses: Sequence[Response], judge: str | None) -> Found:
    return judgements_of(run, {(one.item, one.repeat): reply_hash(one) for one in responses}, judge)


def _judged(
    release: Release, run: tuple[RunInfo, list[Response]], rows: Sequence[Row], found: Found
) -> JudgedScore | None:
    """The figures that rest on judges; None where none has judged the run."""
    if not found.judges:
        return None
    _, responses = run
    rationales = {(one.item, one.repeat): rationale(one.reply) for one in responses}
    cases = {rubric: len(cases_of(release, responses, rubric)) for rubric in found.lines}
    return judged_score(rows, found.lines, rationales, found.judges, cases)
