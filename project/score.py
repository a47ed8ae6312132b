"""`score`: runs against the answers of the release that they were made on."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import TypeAdapter, ValidationError

from ..errors import InputError, UsageError
from ..evaluation.conditions import named
from ..evaluation.judges import reply_hash
from ..evaluation.recognition import work_named
from ..evaluation.run import read_again
from ..evaluation.trace import rationale
from ..schemas.release import KeyRow, ModelInput
from ..schemas.response import Response, RunInfo
from ..schemas.score import Ablation, CapabilityDrop, Comparison, JudgedScore, Recognition, RunScore
from ..scoring.gather import Row, gather
from ..scoring.judged import judged_score, open_credit
from ..scoring.recognition import Said, recognition, same_work
from ..scoring.score import score_run
from ..scoring.versus import ablations, comparisons, falls, run_names, tier_shares
from . import logs
from .corrected import Voided, carry
from .judge import Found, cases_of, judgements_of
from .releases import Release, open_release

WORKS = TypeAdapter(dict[str, list[str]])


class Reread(NamedTuple):
    """A reply that today's parser reads otherwise than it was stored."""

    run: str
    item: str
    repeat: int
    before: str
    """Status, rule and option ids."""
    after: str


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
    recognition: tuple[Recognition, ...] = ()
    reread: tuple[Reread, ...] | None = None
    """None where replies were taken as they are stored."""
    voided: tuple[Voided, ...] | None = None
    """Items of runs on earlier versions that were not scored; None where such runs are refused."""

    def json(self) -> dict[str, Any]:
        records = {name: getattr(self, name) for name in ("runs", "comparisons", "drops", "ablations", "recognition")}
        dumped = {name: [one.model_dump(mode="json") for one in own] for name, own in records.items()}
        reread = {} if self.reread is None else {"reread": [one._asdict() for one in self.reread]}
        voided = {} if self.voided is None else {"voided": [one._asdict() for one in self.voided]}
        return {"release": self.release, **dumped, "tiers": self.tiers, **reread, **voided}


class Scorable(NamedTuple):
    """A run that fits its release, with what judges have said of it."""

    folder: Path
    info: RunInfo
    inputs: list[ModelInput]
    """The records that it was to answer."""
    responses: list[Response]
    found: Found
    rows: list[Row]
    """Of every item of the release; one that was not to be asked has no credit."""
    reread: tuple[Reread, ...] = ()
    voided: tuple[Voided, ...] = ()

    @property
    def credits(self) -> dict[tuple[str, int], float]:
        """Of answers to open questions."""
        return open_credit(self.found.lines)


def score(
    release: Path | Release,
    runs: Sequence[Path],
    judge: str | None = None,
    *,
    reparse: bool = False,
    works: Path | None = None,
) -> Scores:
    """Score runs, ours or logs of other harnesses, with what judges (or the one named) have said of them. `reparse`
    reads stored replies anew; `works` is a JSON file with the titles of each source's work, by source id, which the
    recognition probe is held against. A release that was opened for it takes runs on earlier versions too.

    Raises `InputError` for a run that is not whole or not on this release, or a folder that is no run or no release;
    `UsageError` where two judges have judged the same and none is named, or no run answers the release's questions.
    """
    opened = open_release(release)
    every = [scorable(opened, folder, judge, reparse=reparse) for folder in runs]
    loaded = answering(every)
    if not loaded:
        raise UsageError("there is no run that answers the questions of the release; a probe alone has no score")
    keys = list(opened.keys())
    scores = tuple(
        score_run(run.inputs, keys, run.responses, run.info, run.credits).model_copy(
            update={"judged": _judged(opened, run)}
        )
        for run in loaded
    )
    rows, infos = [run.rows for run in loaded], [run.info for run in loaded]
    names = run_names(infos)
    together = tuple(comparisons(names, rows)), tuple(falls(names, rows)), tuple(ablations(infos, rows))
    split = tuple(_recognised(every, names, keys, works))
    reread = tuple(one for run in every for one in run.reread) if reparse else None
    voided = tuple(one for run in every for one in run.voided) if opened.carries else None
    return Scores(opened.title, scores, tuple(names), *together, tier_shares(rows[0]), split, reread, voided)


def answering(runs: Sequence[Scorable]) -> list[Scorable]:
    """The runs that answer the questions: all but probes."""
    return [run for run in runs if not named(run.info.condition).probe]


def scorable(release: Release, run: Path, judge: str | None = None, *, reparse: bool = False) -> Scorable:
    """A run with its verdicts, or those of one judge. Raises what `score` raises."""
    info, stored = logs.load(release, run)
    inputs, stored, voided = carry(release, run, info, stored)
    items = {item.id: item for item in inputs}
    responses = [read_again(one, items[one.item]) for one in stored] if reparse else stored
    found = judgements_of(run, {(one.item, one.repeat): reply_hash(one) for one in responses}, judge)
    rows = _rows(release, inputs, responses, info, found)
    return Scorable(run, info, inputs, responses, found, rows, tuple(_reread(run, stored, responses)), voided)


def _rows(
    release: Release, inputs: Sequence[ModelInput], responses: Sequence[Response], info: RunInfo, found: Found
) -> list[Row]:
    """One row for every item of the release, so that runs on a part of it stand beside the others."""
    keys = list(release.keys())
    if named(info.condition).probe:
        return []
    rows = gather(inputs, keys, responses, info, open_credit(found.lines))
    there, by_id = {row.item.id for row in rows}, {key.id: key for key in keys}
    left = (item for item in release.inputs() if item.id not in there)
    return sorted([*rows, *(Row(item, by_id[item.id], (), None) for item in left)], key=lambda row: row.item.id)


def _reread(run: Path, before: Sequence[Response], after: Sequence[Response]) -> Iterator[Reread]:
    for old, new in zip(before, after, strict=True):
        if (old.status, old.ids) != (new.status, new.ids):
            yield Reread(run.name, old.item, old.repeat, *map(_told, (old, new)))


def _told(reply: Response) -> str:
    return " ".join([reply.status, *reply.ids, f"({reply.rule})"])


def _recognised(
    runs: Sequence[Scorable], names: Sequence[str], keys: Sequence[KeyRow], works: Path | None
) -> Iterator[Recognition]:
    """Each answering run whose model was probed as well, split by what the probe found."""
    titles = _titles(works) if works else {}
    story = {key.id: key.story for key in keys}
    probes: dict[str, Mapping[str, Said]] = {}
    for run in runs:
        if named(run.info.condition).probe:
            probes.setdefault(run.info.model, _said(run.responses, story, titles))
    for run, name in zip(answering(runs), names, strict=True):
        if run.info.model in probes:
            yield recognition(name, run.rows, probes[run.info.model])


def _said(responses: Sequence[Response], story: Mapping[str, str], titles: Mapping[str, list[str]]) -> dict[str, Said]:
    """What the first repeat says of each item that it could be asked about."""
    found = {}
    for one in responses:
        if one.status != "error" and one.repeat == 0:
            work = work_named(one.reply) if one.status == "answered" else ""
            known = titles.get(story[one.item])
            found[one.item] = Said(work, None if known is None else same_work(work, known))
    return found


def _titles(file: Path) -> dict[str, list[str]]:
    """Raises `InputError`."""
    try:
        return WORKS.validate_json(file.read_bytes())
    except OSError as error:
        raise InputError(file, (error.strerror or str(error)).lower()) from None
    except ValidationError as error:
        wanted = "is to hold the titles of each source's work, as {source id: [title, …]}"
        raise InputError(file, f"{wanted}: {error.errors()[0]['msg']}") from None


def _judged(release: Release, run: Scorable) -> JudgedScore | None:
    """The figures that rest on judges; None where none has judged the run."""
    if not run.found.judges:
        return None
    rationales = {(one.item, one.repeat): rationale(one.reply) for one in run.responses}
    cases = {rubric: len(cases_of(release, run.responses, rubric)) for rubric in run.found.lines}
    own = {item.id for item in run.inputs}
    rows = [row for row in run.rows if row.item.id in own]
    return judged_score(rows, run.found.lines, rationales, run.found.judges, cases)
