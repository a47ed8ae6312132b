"""`score`: runs against the answers of the release that they were made on."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..evaluation.journal import load
from ..evaluation.judges import reply_hash
from ..evaluation.trace import rationale
from ..schemas.response import Response, RunInfo
from ..schemas.score import Ablation, CapabilityDrop, Comparison, JudgedScore, RunScore
from ..scoring.gather import Row, gather
from ..scoring.judged import judged_score, open_credit
from ..scoring.score import score_run
from ..scoring.versus import ablations, comparisons, falls, run_names, tier_shares
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
    ablations: tuple[Ablation, ...]
    tiers: dict[str, dict[str, float]]

    def json(self) -> dict[str, Any]:
        records = {name: getattr(self, name) for name in ("runs", "comparisons", "drops", "ablations")}
        dumped = {name: [one.model_dump(mode="json") for one in own] for name, own in records.items()}
        return {"release": self.release, **dumped, "tiers": self.tiers}


def score(release: Path, runs: Sequence[Path], judge: str | None = None) -> Scores:
    """Score runs, with what judges (or the one named) have said of them.

    Raises `InputError` for a run that is not whole or not on this release, or a folder that is no run or no release;
    `UsageError` where two judges have judged the same and none is named.
    """
    opened = open_release(release)
    inputs, keys = opened.inputs(), list(opened.keys())
    loaded = [scorable(opened, folder, judge) for folder in runs]
    scores = tuple(
        score_run(inputs, keys, run.responses, run.info, run.credits).model_copy(
            update={"judged": _judged(opened, run)}
        )
        for run in loaded
    )
    rows = [run.rows for run in loaded]
    infos = [run.info for run in loaded]
    names = run_names(infos)
    tiers = tier_shares(rows[0]) if rows else {}
    together = tuple(comparisons(names, rows)), tuple(falls(names, rows)), tuple(ablations(infos, rows))
    return Scores(opened.title, scores, tuple(names), *together, tiers)


class Scorable(NamedTuple):
    """A run that fits its release, with what judges have said of it."""

    info: RunInfo
    responses: list[Response]
    found: Found
    rows: list[Row]

    @property
    def credits(self) -> dict[tuple[str, int], float]:
        """Of answers to open questions."""
        return open_credit(self.found.lines)


def scorable(release: Release, run: Path, judge: str | None = None) -> Scorable:
    """A run with its verdicts, or those of one judge. Raises what `score` raises."""
    info, responses = load(run)
    runs_on_disk.check(release, run, info, responses)
    found = judgements_of(run, {(one.item, one.repeat): reply_hash(one) for one in responses}, judge)
    rows = gather(release.inputs(), list(release.keys()), responses, info, open_credit(found.lines))
    return Scorable(info, responses, found, rows)


def _judged(release: Release, run: Scorable) -> JudgedScore | None:
    """The figures that rest on judges; None where none has judged the run."""
    if not run.found.judges:
        return None
    rationales = {(one.item, one.repeat): rationale(one.reply) for one in run.responses}
    cases = {rubric: len(cases_of(release, run.responses, rubric)) for rubric in run.found.lines}
    return judged_score(run.rows, run.found.lines, rationales, run.found.judges, cases)
