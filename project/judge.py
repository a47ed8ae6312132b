"""`judge`: a judge over the replies of a run. What was judged is never judged again, nor paid for twice."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import UsageError
from ..evaluation.baselines import PREFIX
from ..evaluation.journal import JUDGE, load, load_kind
from ..evaluation.judges import KINDS, Case, case, judge_view, rubric_view
from ..evaluation.judging import JudgeResult, JudgeSettings
from ..evaluation.judging import judge as ask
from ..llm.client import Ledger
from ..schemas.base import digest
from ..schemas.clip import TranscriptLine
from ..schemas.judge import RUBRICS, Judgement, Rubric
from ..schemas.release import KeyRow, ModelInput
from ..schemas.response import Response
from ..schemas.view import RubricView
from ..scoring.caption import total
from ..scoring.f1 import THRESHOLD
from ..scoring.mismatch import Mismatch, mismatch, partners
from ..scoring.verified import STANDARD, level
from . import runs as runs_on_disk
from .evaluate import ledger_of, nearest, slug
from .models import Models
from .progress import Live, Progress, quiet
from .releases import Release, open_release

FOLDER = "judges"
NOTHING = {
    "open": "no answer to an open question",
    "hsa": "no answer to an open question",
    "dsa": "no answer to an open question",
    "evidence": "no reply with a rationale; `evaluate --trace rationale` asks for one",
    "logic": "no reply with a rationale; `evaluate --trace rationale` asks for one",
    "modality": "no trace with an untagged step; `evaluate --trace steps` asks for one",
}


class Judging(NamedTuple):
    """Who judges, and what."""

    judge: str
    rubrics: tuple[Rubric, ...] = ("open",)
    mismatched: int | None = None
    """Seed of the control: each reply beside another item's reference, or another clip's scene."""
    concurrency: int = 8


class Control(NamedTuple):
    """What the judge says where it should find nothing right."""

    n: int
    still_right: int
    """Replies judged well beside the wrong item: credit 1, a label of `normal` or better, ratings of 4 on average."""
    scores: Mismatch
    """Beside the matched verdicts of the same judge; without them the matched side is empty."""

    def json(self) -> dict[str, Any]:
        named = {name: figure._asdict() for name, figure in self.scores._asdict().items()}
        return {"n": self.n, "still_right": self.still_right, **named}


class Judged(NamedTuple):
    folder: Path
    result: JudgeResult
    control: Control | None


def named(rubric: str) -> Rubric:
    """The rubric of that name. Raises `UsageError` with the names there are."""
    found = next((name for name in RUBRICS if name == rubric), None)
    if found is None:
        raise UsageError(f"there is no rubric {rubric!r}; there are {', '.join(RUBRICS)}")
    return found


def judge(release: Path, run: Path, how: Judging, *, progress: Progress = quiet) -> dict[Rubric, Judged]:
    """Judge a run's replies under each rubric.

    Raises `UsageError` before anything is asked where one of them has nothing to judge, `InputError` where one needs
    the answers and they are withheld; `StoppedError` where the budget ends.
    """
    opened = open_release(release)
    if how.judge.startswith(PREFIX):
        raise UsageError(f"{how.judge} chooses among options and cannot judge; name a model")
    if how.mismatched is not None and "modality" in how.rubrics:
        raise UsageError("tags are neither right nor wrong: rubric modality has no mismatch control")
    responses = replies_of(opened, run)
    cases = {rubric: cases_of(opened, responses, rubric, how.mismatched) for rubric in how.rubrics}
    if empty := next((rubric for rubric, own in cases.items() if not own), None):
        raise UsageError(f"{run}: {NOTHING[empty]}, so rubric {empty} has nothing to judge")
    found: dict[Rubric, Judged] = {}
    with ledger_of(nearest(Path.cwd())) as ledger:
        for rubric, own in cases.items():
            folder = _folder(run, rubric, how.judge, how.mismatched)
            result = _ask(ledger, own, _settings(opened, rubric, how), folder, progress)
            seen = None if how.mismatched is None else control(_folder(run, rubric, how.judge, None), result)
            found[rubric] = Judged(folder, result, seen)
    return found


def replies_of(release: Release, run: Path) -> list[Response]:
    """The replies of a run on this release. Raises `InputError` for one that is not whole or not on it."""
    info, responses = load(run)
    runs_on_disk.check(release, run, info, responses)
    return responses


def cases_of(release: Release, responses: Sequence[Response], rubric: Rubric, seed: int | None = None) -> list[Case]:
    """What there is to judge, by (item, repeat). The key is opened only for rubrics that may see the reference."""
    items = {item.id: item for item in release.inputs()}
    transcripts, rows = release.transcripts(), release.keys() if KINDS[rubric].role == "judge" else None
    keys = None if rows is None else {key.id: key for key in rows}
    matched = _cases(rubric, responses, items, transcripts, keys, {})
    if seed is None or not matched:
        return matched
    stand_ins = _stand_ins([items[one.item] for one in matched], seed)
    return _cases(rubric, responses, items, transcripts, keys, stand_ins)


def _cases(
    rubric: Rubric,
    responses: Sequence[Response],
    items: Mapping[str, ModelInput],
    transcripts: Mapping[str, Sequence[TranscriptLine]],
    keys: Mapping[str, KeyRow] | None,
    stand_ins: Mapping[str, str],
) -> list[Case]:
    found = []
    for response in sorted(responses, key=lambda response: (response.item, response.repeat)):
        item = items[response.item]
        other = stand_ins.get(item.id, item.id)
        view: RubricView
        if keys is not None:
            view = judge_view(item, keys[other], transcripts.get(item.clip.media, ()), response.shown)
        else:
            scene = item.model_copy(update={"background": items[other].background, "history": items[other].history})
            view = rubric_view(scene, transcripts.get(items[other].clip.media, ()), response.shown)
        one = case(rubric, item, response, view, other if stand_ins else "")
        found += [one] if one else []
    return found


def _stand_ins(judged: Sequence[ModelInput], seed: int) -> dict[str, str]:
    """An item of another clip for each. Clips change places, so that no reply meets its own."""
    by_clip: dict[str, list[str]] = {}
    for item in judged:
        by_clip.setdefault(item.clip.media, []).append(item.id)
    try:
        other = partners(list(by_clip), seed)
    except ValueError as error:
        raise UsageError(str(error)) from None
    return {
        item.id: min(by_clip[other[item.clip.media]], key=lambda name: digest(seed, item.id, name)) for item in judged
    }


def _settings(release: Release, rubric: Rubric, how: Judging) -> JudgeSettings:
    return JudgeSettings(rubric, how.judge, release.sha256, how.mismatched, how.concurrency)


def _ask(ledger: Ledger, cases: list[Case], settings: JudgeSettings, folder: Path, progress: Progress) -> JudgeResult:
    models = Models(nearest(Path.cwd()), ledger, Path.cwd(), at_once=settings.concurrency)
    gateway = models.gateway(settings.judge)
    told = Live(progress, models.meter).stage(f"{settings.rubric} by {settings.judge}")
    return models.run(ask(cases, gateway, settings, folder, told))


def _folder(run: Path, rubric: Rubric, judge: str, seed: int | None) -> Path:
    return run / FOLDER / (slug(f"{rubric}-{judge}") + ("" if seed is None else f"-mismatched-{seed}"))


def control(real: Path, result: JudgeResult) -> Control:
    """The control's verdicts beside the real ones on the same replies, where the same judge has given them."""
    there = load_kind(real, JUDGE)[1] if (real / JUDGE.info_file).exists() else []
    judged = [line for line in result.judgements if line.status == "judged"]
    hashes = {(line.item, line.repeat, line.reply_sha256) for line in judged}
    matched = [line for line in there if (line.item, line.repeat, line.reply_sha256) in hashes]
    scores = [[own for line in lines if (own := worth(line)) is not None] for lines in (matched, judged)]
    return Control(len(judged), sum(map(right, judged)), mismatch(*scores))


def worth(line: Judgement) -> float | None:
    """A verdict as a number: credit, weight of a label in [0, 1], or total of six ratings. None for tags and errors."""
    if line.label is not None:
        return STANDARD.of(line.label) / STANDARD.strong
    return float(total(line.ratings)) if line.ratings else line.credit


def right(line: Judgement) -> bool:
    if line.label is not None:
        return (level(line.label) or 0) >= 2
    return sum(line.ratings) >= THRESHOLD * len(line.ratings) if line.ratings else line.credit == 1


class Found(NamedTuple):
    """The verdicts that stand beside a run."""

    judges: dict[str, str]
    lines: dict[Rubric, dict[tuple[str, int], Judgement]]
    """By rubric: those with a verdict, on the replies as they are now."""


def judgements_of(run: Path, hashes: Mapping[tuple[str, int], str], judge: str | None = None) -> Found:
    """All verdicts beside a run, or those of one judge. `hashes`: of each reply.

    Raises `UsageError` where two judges have judged under one rubric and none is named, or the one named has not
    judged; `StoppedError` where one is not finished.
    """
    judges: dict[str, str] = {}
    lines: dict[Rubric, dict[tuple[str, int], Judgement]] = {}
    for folder in sorted((run / FOLDER).glob("*/")):
        info, given = load_kind(folder, JUDGE)
        if info.mismatched is not None or judge not in (None, info.judge):
            continue
        if info.rubric in judges:
            both = f"{judges[info.rubric]} and {info.judge}"
            raise UsageError(f"{run}: {both} have judged {info.rubric}; choose with --judge")
        judges[info.rubric] = info.judge
        current = (line for line in given if line.reply_sha256 == hashes.get((line.item, line.repeat)))
        lines[info.rubric] = {(line.item, line.repeat): line for line in current if line.status == "judged"}
    if judge is not None and not judges:
        raise UsageError(f"{run}: {judge} has judged nothing there; `benchwright judge --judge {judge}` does")
    return Found({rubric: judges[rubric] for rubric in RUBRICS if rubric in judges}, lines)
