"""Runs as they lie on disk, held against the release that they say they were made on before anything is scored."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ..errors import InputError
from ..evaluation.conditions import named
from ..evaluation.posing import Poser, Posing
from ..schemas.base import shown_order
from ..schemas.release import ModelInput
from ..schemas.response import Response, RunInfo
from .histories import under
from .releases import Release

FILES = ("run.json", "journal.jsonl")
"""What makes a folder a run, a finished one or one that was stopped."""


def folders(paths: Iterable[Path]) -> list[Path]:
    """The runs named, each once: a folder that is none stands for all the runs below it."""
    found = [run for path in paths for run in ([path] if _is_run(path) else sorted(_below(path)) or [path])]
    return list(dict.fromkeys(found))


def _is_run(folder: Path) -> bool:
    return any((folder / name).exists() for name in FILES)


def _below(folder: Path) -> set[Path]:
    found = {file.parent for name in FILES for file in folder.rglob(name)}
    return {run for run in found if not found.intersection(run.parents)}


def check(release: Release, folder: Path, info: RunInfo, responses: Sequence[Response]) -> None:
    """Raises `InputError` for a run on another release, with replies missing, or with one that its description and the
    records of the release do not lead to."""
    if info.release_sha256 != release.sha256:
        raise another(release, folder, info)
    inputs = asked_of(release, info)
    whole(folder, info, responses, len(inputs))
    for number, problem in enumerate(problems(release, inputs, info, responses), 1):
        if problem:
            raise InputError(file_of(folder), problem, number)


def file_of(run: Path) -> Path:
    """Where the replies of a run stand; a log of another harness is one file."""
    return run if run.is_file() else run / "responses.jsonl"


def another(release: Release, folder: Path, info: RunInfo) -> InputError:
    return InputError(folder, f"a run on {info.release}, whose release.json is not that of {release.folder}")


def whole(folder: Path, info: RunInfo, responses: Sequence[Response], items: int) -> None:
    """Raises `InputError` where replies are missing to some of the items that a run was to answer."""
    if len(responses) != items * info.repeats:
        wanted = f"{items} items asked {info.repeats} times"
        problem = f"{len(responses)} replies to {wanted}; evaluate again with the same arguments"
        raise InputError(file_of(folder), problem)


def asked_of(release: Release, info: RunInfo) -> list[ModelInput]:
    """The records that a run was to answer, as its condition shows them."""
    inputs = under(release.inputs(), named(info.condition))
    filmed = release.filmed() if info.scope == "film" else {}
    return inputs if info.scope == "all" else [item for item in inputs if item.clip.media in filmed]


def problems(
    release: Release, inputs: Sequence[ModelInput], info: RunInfo, responses: Sequence[Response]
) -> Iterator[str]:
    """What is wrong with each response; empty where nothing is."""
    items = {item.id: item for item in inputs}
    poser = Poser(Posing(info.model, info.condition, info.permutation_seed, info.trace), release.transcripts())
    for response in responses:
        item = items.get(response.item)
        if item is None:
            yield f"answers {response.item}, which the release does not have, or the run was not to be asked"
            continue
        options = [] if poser.condition.probe else [option.id for option in item.options]
        if response.shown != tuple(shown_order(info.permutation_seed, item.id, options)):
            yield f"{item.id}: its options were not shown as permutation_seed {info.permutation_seed} orders them"
        elif unknown := sorted(set(response.ids) - set(options)):
            yield f"{item.id}: chooses {', '.join(unknown)}, and the options are {', '.join(options)}"
        else:
            yield _misfit(poser, item, info, response)


def _misfit(poser: Poser, item: ModelInput, info: RunInfo, response: Response) -> str:
    """Why a reply does not answer what the run says was sent; nothing is held against a prompt of another day."""
    if info.prompt_sha256 != poser.template.sha256:
        return ""
    asked, wrong = poser.again(item, response)
    if wrong:
        return f"{item.id}: {wrong}"
    if asked is not None and response.input_sha256 != asked.input_sha256:
        return f"{item.id}: not the reply to what run.json says was sent: model, condition or prompt differ"
    return ""
