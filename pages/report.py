"""The report of a release's runs: figures with the data behind them, and every item with every reply."""

from collections.abc import Mapping, Sequence
from string import ascii_uppercase
from typing import NamedTuple

from ..schemas.clip import TranscriptLine
from ..schemas.judge import Judgement
from ..schemas.release import KeyRow, Manifest, ModelInput
from ..schemas.response import Response
from ..schemas.score import Ablation, CapabilityDrop, Comparison, Recognition, RuleScore, RunScore
from . import figures, judged, together
from .charts import key
from .render import render

SIGNS = {"right": "✓", "wrong": "✗", "unread": "?"}


class Report(NamedTuple):
    """All that a report tells. `replies` has one mapping a run: responses by item."""

    manifest: Manifest
    runs: Mapping[str, RunScore]
    """By the name that `comparisons` and `drops` call each by."""
    comparisons: Sequence[Comparison]
    drops: Sequence[CapabilityDrop]
    ablations: Sequence[Ablation]
    tiers: Mapping[str, Mapping[str, float]]
    """Share of the items in each tier, by capability and over `all`."""
    replies: Sequence[Mapping[str, Sequence[Response]]]
    rules: Sequence[RuleScore]
    items: Sequence[ModelInput]
    keys: Mapping[str, KeyRow]
    transcripts: Mapping[str, Sequence[TranscriptLine]]
    command: str
    """The command line that makes this page again."""
    recognition: Sequence[Recognition] = ()
    judgements: Sequence[Mapping[tuple[str, int], Mapping[str, Judgement]]] = ()
    """One mapping a run: what judges said, by item and repeat, then by rubric."""


class Shown(NamedTuple):
    """One option as an item of the explorer shows it."""

    id: str
    text: str
    keyed: bool
    trap: str
    chosen_by: tuple[int, ...]


class Read(NamedTuple):
    """One reply, and what was read in it."""

    run: int
    result: str
    """`right`, `wrong`, or `unread`: no option could be read, or no judge has scored an open answer."""
    letters: str
    texts: tuple[str, ...]
    response: Response
    said: tuple["Said", ...]


class Said(NamedTuple):
    """What a judge said of a reply."""

    rubric: str
    verdict: str
    reason: str


class Entry(NamedTuple):
    """One item of the explorer."""

    item: ModelInput
    key: KeyRow
    transcript: Sequence[TranscriptLine]
    options: tuple[Shown, ...]
    replies: tuple[Read, ...]
    marks: tuple[tuple[int, str], ...]
    """(run, result) of each run's first reply."""

    @property
    def results(self) -> str:
        """Words that the explorer's filter looks for."""
        own = [f"{run}-{'right' if result == 'right' else 'wrong'}" for run, result in self.marks]
        results = {result for _, result in self.marks}
        return " ".join([*own, *(["all-right"] if results == {"right"} else []),
                         *(["none-right"] if "right" not in results else [])])  # fmt: skip


def report_page(report: Report) -> str:
    """The report as one HTML file. Raises `ValueError` for a report without runs or items."""
    if not report.runs or not report.items:
        raise ValueError("a report needs a run and an item")
    runs = report.runs
    rationales = judged.rationales(runs)
    return render(
        "report.html",
        report=report,
        manifest=report.manifest,
        names=tuple(runs),
        marks=[key(at) for at in range(len(runs))],
        accuracy=figures.accuracy(runs),
        macro=figures.macro(runs),
        stories=figures.by_story(runs),
        comparisons=together.comparisons(report.comparisons) if report.comparisons else None,
        most_pairs=together.MOST_PAIRS,
        ablations=together.ablations(report.ablations) if report.ablations else None,
        recognition=together.recognition(report.recognition) if report.recognition else None,
        heat=together.heat(runs) if len(runs) >= together.FEWEST_IN_A_MAP else None,
        drops=together.drops(report.drops) if report.drops else None,
        tiers=together.tiers(report.tiers) if report.tiers else None,
        capability=figures.groups("capability", runs),
        interaction=figures.groups("interaction", runs),
        verified=judged.verified(rationales) if rationales else None,
        losses=judged.losses(rationales) if rationales else None,
        traps=figures.traps(runs) if any(run.traps for run in runs.values()) else None,
        positions=figures.positions(runs),
        statuses=figures.statuses(runs),
        readings=figures.readings(dict(zip(runs, map(_flat, report.replies), strict=True))),
        rules=figures.rules(report.rules) if report.rules else None,
        broken=[rule.rule for rule in report.rules if rule.verdict == "breaks"],
        yields=figures.yields(report.manifest.yields) if report.manifest.yields else None,
        entries=[_entry(report, item) for item in sorted(report.items, key=lambda item: item.id)],
        capabilities=sorted({item.capability for item in report.items}),
        interactions=sorted({item.interaction for item in report.items}),
        signs=SIGNS,
    )


def _flat(by_item: Mapping[str, Sequence[Response]]) -> list[Response]:
    return [response for item in sorted(by_item) for response in by_item[item]]


def _entry(report: Report, item: ModelInput) -> Entry:
    answer = report.keys[item.id]
    said = report.judgements or [{} for _ in report.replies]
    replies = tuple(
        _read(run, item, answer, response, said[run].get((item.id, response.repeat), {}))
        for run, by_item in enumerate(report.replies)
        for response in by_item.get(item.id, ())
    )
    marks = {read.run: read.result for read in reversed(replies)}
    options = tuple(
        Shown(option.id, option.text, option.id in answer.answer, answer.traps.get(option.id, ""),
              tuple(read.run for read in replies if option.id in read.response.ids))
        for option in item.options
    )  # fmt: skip
    transcript = report.transcripts.get(item.clip.media, ())
    return Entry(item, answer, transcript, options, replies, tuple(sorted(marks.items())))


def _read(run: int, item: ModelInput, answer: KeyRow, response: Response, said: Mapping[str, Judgement]) -> Read:
    texts = {option.id: option.text for option in item.options}
    letters = dict(zip(response.shown, ascii_uppercase, strict=False))
    result = "unread" if not response.ids else "right" if set(response.ids) == set(answer.answer) else "wrong"
    if item.format == "open" and "open" in said:
        result = "right" if said["open"].credit == 1 else "wrong"
    chosen = [option for option in response.shown if option in response.ids]
    spelled = ", ".join(letters[option] for option in chosen)
    verdicts = tuple(_said(rubric, line) for rubric, line in said.items())
    return Read(run, result, spelled, tuple(texts[option] for option in chosen), response, verdicts)


def _said(rubric: str, line: Judgement) -> Said:
    verdict = line.label or ("" if line.credit is None else f"{line.credit:g}")
    if line.steps:
        verdict = "; ".join(f"{at}: {', '.join(step.tags) or 'none'}" for at, step in enumerate(line.steps, 1))
    elif line.ratings:
        verdict = f"{sum(line.ratings)} of 30 ({', '.join(map(str, line.ratings))})"
    return Said(rubric, verdict, line.reason)
