"""`score`: runs against the answers of the release that they were made on."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import InputError
from ..evaluation.journal import load
from ..schemas.score import RunScore
from ..scoring.score import score_run
from .releases import open_release


class Scores(NamedTuple):
    """The scores of several runs, in the order given."""

    release: str
    runs: tuple[RunScore, ...]

    def json(self) -> dict[str, Any]:
        return {"release": self.release, "runs": [run.model_dump(mode="json") for run in self.runs]}


def score(release: Path, runs: Sequence[Path]) -> Scores:
    """Score runs. Raises `InputError` for a run on another release, or a folder that is no run or no release."""
    opened = open_release(release)
    inputs, keys = opened.inputs(), list(opened.keys())
    scores = []
    for folder in runs:
        info, responses = load(folder)
        if info.release_sha256 != opened.sha256:
            raise InputError(folder, f"a run on {info.release}, whose release.json is not that of {release}")
        scores.append(score_run(inputs, keys, responses, info))
    return Scores(opened.title, tuple(scores))
