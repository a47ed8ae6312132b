"""What people reach on a release, how far they agree with each other and with judges, and how traces compare."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import UsageError
from ..evaluation import trace
from ..schemas.human import Endorsement, HumanAnswer, HumanLabel, HumanRating, HumanStep
from ..schemas.judge import Judgement, Rubric
from ..schemas.release import KeyRow, ModelInput
from ..scoring import credit
from ..scoring.agreement import Agreement, agreement
from ..scoring.caption import Rated
from ..scoring.caption import score as caption_score
from ..scoring.figure import Figure
from ..scoring.genome import GenomeFigures, Step, compare
from ..scoring.human import Baseline, Marked, baseline, consistency
from ..scoring.intervals import Interval, wilson
from ..scoring.paired import Spread, draw
from ..scoring.ratings import Rating
from ..scoring.table import Table
from ..scoring.table_caption import agreement as caption_agreement
from ..scoring.table_genome import mean, normalised
from .judge import Found
from .people import stored
from .releases import Release, open_release
from .score import Scorable, scorable

Key = tuple[str, int]


class HumanScore(NamedTuple):
    """What people reach. Shares lie in [0, 1]."""

    people: int
    items: int
    baseline: Baseline
    pooled_spread: Spread
    macro_spread: Spread
    paper_style: Interval | None
    """Wilson's, as if all answers were independent; None with half credits."""
    consistency: Figure
    """Sanity duplicates that were answered as the first time."""
    duplicates: int
    unjudged: int
    """Answers in words without a credit: they are left out."""
    agreement: Agreement
    """Between people, on the ids they chose; items that one person alone answered count for nothing in it."""


def human_score(release: Path, folder: Path, *, count_skipped: bool) -> HumanScore:
    """The human baseline of a release. Raises `UsageError` where no answers were taken in."""
    opened = open_release(release)
    answers = stored(folder, HumanAnswer)
    if not answers:
        raise UsageError(f"{folder}: no answers there; `benchwright human import RELEASE answers FILE` takes them in")
    items, keys = _known(opened)
    first = [answer for answer in answers if answer.occasion == 0]
    again = [answer for answer in answers if answer.occasion > 0]
    marks, unjudged = _marks(first, items, keys)
    found = baseline(marks, count_skipped)
    if not found.n:
        raise UsageError(f"{folder}: no answer that counts; {unjudged} in words wait for a credit")
    kept = [mark for mark in marks if count_skipped or mark.credit is not None]
    drawn = draw([[mark.credit or 0.0] for mark in kept], [keys[mark.item].episode for mark in kept],
                 [mark.capability for mark in kept])  # fmt: skip
    return HumanScore(
        people=len({answer.person for answer in first}),
        items=len({answer.item for answer in first}),
        baseline=found,
        pooled_spread=drawn.spreads(drawn.micro())[0],
        macro_spread=drawn.spreads(drawn.macro())[0],
        paper_style=_wilson([mark.credit or 0.0 for mark in kept]),
        consistency=consistency(marks, _marks(again, items, keys)[0]),
        duplicates=len(again),
        unjudged=unjudged,
        agreement=_on_answers(first, keys),
    )


def _wilson(credits: Sequence[float]) -> Interval | None:
    return wilson(round(sum(credits)), len(credits)) if all(own in (0, 1) for own in credits) else None


def _known(release: Release) -> tuple[dict[str, ModelInput], dict[str, KeyRow]]:
    rows = release.keys()
    return {item.id: item for item in release.inputs()}, {row.id: row for row in rows}


def _marks(
    answers: Sequence[HumanAnswer], items: Mapping[str, ModelInput], keys: Mapping[str, KeyRow]
) -> tuple[list[Marked], int]:
    """One mark an answer, and how many answers in words have no credit yet."""
    marks, unjudged = [], 0
    for answer in answers:
        item = items[answer.item]
        earned = answer.credit if item.format == "open" else credit.choice(answer.ids, keys[item.id].answer)
        if earned is None and not answer.skipped:
            unjudged += 1
            continue
        marks.append(Marked(answer.person, item.id, item.capability, None if answer.skipped else earned))
    return marks, unjudged


def _on_answers(answers: Sequence[HumanAnswer], keys: Mapping[str, KeyRow]) -> Agreement:
    """Between people, over choice items; whole episodes are drawn for the intervals."""
    chosen = {(answer.item, answer.person): "|".join(sorted(answer.ids)) for answer in answers if answer.ids}
    people, items = sorted({answer.person for answer in answers}), sorted({item for item, _ in chosen})
    table = [[chosen.get((item, person)) for person in people] for item in items]
    return agreement(table, [keys[item].episode for item in items])


class LabelAgreement(NamedTuple):
    """People and a judge on the same replies."""

    judge: str
    replies: int
    """Labelled by a person and by the judge."""
    people: Agreement
    with_judge: Agreement
    """Over every pair of a person's label and the judge's."""


class RatingAgreement(NamedTuple):
    judge: str
    people_mean: Figure
    judge_mean: Figure
    table: Table
    """Binary F1 by rating, beside what saying yes to everything would get."""


class JudgeAgreement(NamedTuple):
    labels: dict[str, LabelAgreement]
    ratings: dict[str, RatingAgreement]
    endorsed: dict[str, Baseline]
    """By rubric. The experts saw the decision: it is no blind agreement."""


def judge_agreement(release: Path, run: Path, folder: Path, judge: str | None = None) -> JudgeAgreement:
    """A judge's verdicts on a run against people's. Raises `UsageError` where there is nothing to compare."""
    opened = open_release(release)
    scored = scorable(opened, run, judge)
    found = scored.found
    episodes = {row.item.id: row.key.episode for row in scored.rows}
    capabilities = {row.item.id: row.item.capability for row in scored.rows}
    told = JudgeAgreement(
        labels=_labels([one for one in stored(folder, HumanLabel) if one.run == run.name], found, episodes),
        ratings=_ratings([one for one in stored(folder, HumanRating) if one.run == run.name], found),
        endorsed=_endorsed([one for one in stored(folder, Endorsement) if one.run == run.name], capabilities),
    )
    if not any(told):
        raise UsageError(
            f"{folder}: nobody has labelled, rated or endorsed replies of {run.name} that a judge has judged"
        )
    return told


def _labels(labels: Sequence[HumanLabel], found: Found, episodes: Mapping[str, str]) -> dict[str, LabelAgreement]:
    told = {}
    for rubric, lines in found.lines.items():
        own = [label for label in labels if label.rubric == rubric and (label.item, label.repeat) in lines]
        if own:
            judged = {(label.item, label.repeat): said_by(lines[label.item, label.repeat]) for label in own}
            pairs = [(judged[label.item, label.repeat], label.label) for label in own]
            with_judge = agreement(pairs, [episodes[label.item] for label in own])
            told[str(rubric)] = LabelAgreement(found.judges[rubric], len(judged), _between(own, episodes), with_judge)
    return told


def said_by(line: Judgement) -> str:
    """A verdict as people's labels are written."""
    return line.label if line.label is not None else f"{line.credit:g}"


def _between(labels: Sequence[HumanLabel], episodes: Mapping[str, str]) -> Agreement:
    given = {(label.item, label.repeat, label.person): label.label for label in labels}
    people = sorted({label.person for label in labels})
    replies = sorted({(label.item, label.repeat) for label in labels})
    table: list[list[Rating]] = [[given.get((*reply, person)) for person in people] for reply in replies]
    return agreement(table, [episodes[item] for item, _ in replies])


def _ratings(ratings: Sequence[HumanRating], found: Found) -> dict[str, RatingAgreement]:
    told: dict[str, RatingAgreement] = {}
    rubrics: tuple[Rubric, ...] = ("hsa", "dsa")
    for rubric in rubrics:
        own = [Rated(_reply(one.item, one.repeat), one.person, one.ratings) for one in ratings if one.rubric == rubric]
        if own and rubric in found.lines:
            judge, lines = found.judges[rubric], found.lines[rubric]
            judged = [Rated(_reply(*key), judge, line.ratings) for key, line in sorted(lines.items())]
            table = caption_agreement({"H": own, judge: judged}, rubric.upper())
            told[rubric] = RatingAgreement(judge, caption_score(own), caption_score(judged), table)
    return told


def _reply(item: str, repeat: int) -> str:
    return f"{item}#{repeat}"


def _endorsed(reviews: Sequence[Endorsement], capabilities: Mapping[str, str]) -> dict[str, Baseline]:
    rubrics = sorted({review.rubric for review in reviews})
    return {
        rubric: baseline(
            [
                Marked(one.person, one.item, capabilities[one.item], float(one.endorsed))
                for one in reviews
                if one.rubric == rubric
            ],
            count_skipped=False,
        )
        for rubric in rubrics
    }


class TraceScore(NamedTuple):
    """Social Genome's twelve figures of a run's traces against people's."""

    model: str
    pairs: int
    """Of a reply and a person's trace of the same item."""
    untagged: int
    """Steps of the replies without a tag: `judge --rubric modality` gives them one."""
    means: dict[str, Figure]
    normalised: dict[str, Figure]
    """Counts as a share of what people's own traces have."""


def trace_score(release: Path, run: Path, folder: Path, judge: str | None = None) -> TraceScore:
    """Compare traces; steps are embedded by the words they share. Raises `UsageError` where people gave none."""
    opened = open_release(release)
    people = people_traces(stored(folder, HumanStep))
    if not people:
        raise UsageError(f"{folder}: no traces there; `benchwright human import RELEASE traces FILE` takes them in")
    scored = scorable(opened, run, judge)
    traces, credits = model_traces(scored), credits_of(scored)
    pairs = [(reply, human) for reply in sorted(traces) for human in people.get(reply[0], ()) if reply in credits]
    ours = [compare(traces[reply], human, credits[reply]) for reply, human in pairs]
    theirs = [compare(human, human, 1.0) for _, human in pairs]
    untagged = sum(not step.tags for reply in {reply for reply, _ in pairs} for step in traces[reply])
    means = {name: mean(ours, name) for name in GenomeFigures._fields}
    return TraceScore(scored.info.model, len(pairs), untagged, means, normalised(ours, theirs))


def people_traces(steps: Sequence[HumanStep]) -> dict[str, list[list[Step]]]:
    """By item: one trace a person."""
    found: dict[str, dict[str, list[HumanStep]]] = {}
    for step in steps:
        found.setdefault(step.item, {}).setdefault(step.person, []).append(step)
    return {item: [_ordered(own) for _, own in sorted(traces.items())] for item, traces in found.items()}


def _ordered(steps: Sequence[HumanStep]) -> list[Step]:
    return [Step(step.text, frozenset(step.tags)) for step in sorted(steps, key=lambda step: step.step)]


def model_traces(run: Scorable) -> dict[Key, list[Step]]:
    """Every reply's steps; with a judge's tags where one gave them."""
    tagged = run.found.lines.get("modality", {})
    traces: dict[Key, list[Step]] = {}
    for row in run.rows:
        known = [row.item.question, *(option.text for option in row.item.options)]
        for reply in row.responses:
            key = (reply.item, reply.repeat)
            steps = tagged[key].steps if key in tagged else trace.steps(reply.reply, known)
            traces[key] = [Step(step.text, frozenset(step.tags)) for step in steps]
    return traces


def credits_of(run: Scorable) -> dict[Key, float]:
    """Credit of every reply that has one."""
    every = ((reply, own) for row in run.rows for reply, own in zip(row.responses, row.credits, strict=True))
    return {(reply.item, reply.repeat): own for reply, own in every if own is not None}


def plain(value: Any) -> Any:
    """Named tuples as objects, keys as text, for JSON."""
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: plain(own) for name, own in value._asdict().items()}
    if isinstance(value, Mapping):
        return {key if isinstance(key, str) else " ".join(map(str, key)): plain(own) for key, own in value.items()}
    return [plain(own) for own in value] if isinstance(value, list | tuple) else value


def in_words(figure: Figure) -> str:
    return f"undefined ({figure.reason})" if figure.value is None else f"{figure.value:.3f}"


def coefficients(found: Agreement) -> str:
    """All of them on one line, since each misleads alone."""
    agreed = {"raw": found.raw, "unanimous": found.unanimity, "alpha": found.alpha, "AC1": found.gwet}
    figures = {name: own.figure for name, own in agreed.items()} | {"kappa": found.cohen_mean}
    return ", ".join(f"{name} {in_words(figure)}" for name, figure in figures.items())
