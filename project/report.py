"""The report of scored runs as one HTML file, with every shortcut rule tried on the release."""

import shlex
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..checks.rules import Posed, rule_scores
from ..errors import UsageError
from ..evaluation.conditions import named
from ..evaluation.prompt import ask, content_of, options_of, template
from ..pages.report import Report, report_page
from ..schemas.clip import TranscriptLine
from ..schemas.files import storing, write_whole
from ..schemas.judge import Judgement
from ..schemas.release import KeyRow, ModelInput
from ..schemas.response import Response
from ..schemas.score import RuleScore
from .judge import Found
from .releases import Release, open_release, outside
from .score import Scores, answering, scorable


def write(
    release: Path | Release,
    runs: Sequence[Path],
    scores: Scores,
    out: Path,
    judge: str | None = None,
    *,
    reparse: bool = False,
) -> Path:
    """Write the report of runs that were scored, with the words of their judges, or of the one named. Raises
    `UsageError` where the file cannot be written."""
    opened = open_release(release)
    rows = opened.keys()
    inputs, keys, transcripts = opened.inputs(), {row.id: row for row in rows}, opened.transcripts()
    loaded = answering([scorable(opened, run, judge, reparse=reparse) for run in runs])
    chosen = [*(["--judge", judge] if judge else []), *(["--reparse"] if reparse else [])]
    chosen += ["--errata"] if opened.carries else []
    command = ["benchwright", "score", str(opened.folder), *map(str, runs), *chosen, "--html", str(out)]
    page = report_page(
        Report(
            manifest=opened.manifest,
            runs=dict(zip(scores.names, scores.runs, strict=True)),
            comparisons=scores.comparisons,
            drops=scores.drops,
            ablations=scores.ablations,
            tiers=scores.tiers,
            recognition=scores.recognition,
            replies=[_by_item(run.responses) for run in loaded],
            judgements=[_by_reply(run.found) for run in loaded],
            rules=shortcuts(opened.manifest.permutation_seed, inputs, keys, transcripts),
            items=inputs,
            keys=keys,
            transcripts=transcripts,
            command=shlex.join(command),
        )
    )
    write_page(out, page)
    return out


def write_page(out: Path, page: str) -> None:
    """Write a page whole or not at all. Raises `UsageError` where it cannot be written, or lies in a release."""
    outside(out)
    if out.is_dir():
        raise UsageError(f"{out} is a folder; name a file in it")
    if out.exists() and not out.is_file():
        raise UsageError(f"{out} is a device or a pipe, which would be replaced; name a file")
    with storing(out):
        out.parent.mkdir(parents=True, exist_ok=True)
        write_whole(out, [page.encode()])


def shortcuts(
    seed: int,
    inputs: Sequence[ModelInput],
    keys: Mapping[str, KeyRow],
    transcripts: Mapping[str, Sequence[TranscriptLine]],
) -> tuple[RuleScore, ...]:
    """Every rule on every choice item, posed in the very words and order (`seed`) that models are sent."""
    texts, full = template(), named("full")
    posed = []
    for item in sorted(inputs, key=lambda item: item.id):
        if item.format == "open":
            continue
        asked = ask(item, transcripts, model="baseline", condition=full, seed=seed, template=texts)
        options = zip(options_of(asked.request), asked.shown, strict=True)
        posed.append(
            Posed(
                question=content_of(asked.request, "question"),
                transcript=content_of(asked.request, "transcript"),
                options=tuple(option.model_copy(update={"id": name}) for option, name in options),
                answer=keys[item.id].answer,
                episode=keys[item.id].episode,
                story=keys[item.id].story,
            )
        )
    return rule_scores(posed, seed=seed)


def _by_reply(found: Found) -> dict[tuple[str, int], dict[str, Judgement]]:
    """What judges said of each reply, by rubric."""
    said = defaultdict[tuple[str, int], dict[str, Judgement]](dict)
    for rubric, lines in sorted(found.lines.items()):
        for reply, line in lines.items():
            said[reply][rubric] = line
    return said


def _by_item(responses: Sequence[Response]) -> dict[str, list[Response]]:
    found = defaultdict[str, list[Response]](list)
    for response in responses:
        found[response.item].append(response)
    return found
