"""`export-training`: a project's items as training data that holds nothing of a benchmark.

What shares a source with a release goes, and with it all that is of that source: found by id and hash, and, for a video
that was encoded anew, by what is said. So do items that ask nearly what a release asks. Source: PsycheMME 3.6 and
Appendix E.
"""

import inspect
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..checks.disjoint import Side, shared
from ..checks.duplicates import Asks, asks
from ..errors import InputError, RefusedError, UsageError
from ..evaluation import reward
from ..evaluation.film import Takes
from ..evaluation.posing import BLIND, Poser, Posing, Sight
from ..evaluation.prompt import Asked
from ..evaluation.shots import Shot, answered
from ..evaluation.trace import FIELDS
from ..release.folder import NewFolder, new_folder
from ..schemas.base import Record, classed
from ..schemas.files import to_line
from ..schemas.item import Format, Option
from ..schemas.release import KeyRow
from ..state.store import Store
from . import sources
from .films import Films, of_clips
from .folder import Project
from .freeze import Accepted, accepted, key_row, model_input
from .kin import kin, of
from .releases import Release, open_release, outside
from .sight import shelf

CUE = re.compile(r"(?:line (\d+)|turn \d+ of the history)(?:: (.*))?", re.DOTALL)
CHOICES: tuple[Format, ...] = ("single", "multiple")


class Training(Record):
    """`training.json`."""

    schema_: str = classed("public", "benchwright/training/1", alias="schema")
    name: str = classed("public")
    apart_from: dict[str, str] = classed("public")
    """Hash of the manifest of each release that the data hold nothing of, by its title."""
    sources: dict[str, str] = classed("public")
    """Hash of every source of the data, by id."""
    counts: dict[str, int] = classed("public")
    """`sft`, `grpo`, and `left/<why>`."""
    prompt_sha256: str = classed("public")
    files: dict[str, str] = classed("public")


class Exported(NamedTuple):
    folder: Path
    counts: dict[str, int]


class Example(NamedTuple):
    """One item as it is trained on."""

    item: Accepted
    key: KeyRow
    asked: Asked
    observation: str


def export(project: Project, against: Sequence[Path], out: Path, *, pictures: bool = False) -> Exported:
    """Write the accepted items that no release holds anything of to the new folder `out`. The releases are those named
    and those that the project has frozen. `pictures` adds 32 of each clip that a video shows.

    Raises `UsageError` where there is no release, `RefusedError` where nothing is left, `InputError` for a release that
    cannot be read.
    """
    if not project.store.exists():
        raise UsageError(f"{project.root} has no items yet; run `benchwright build` first")
    releases = _releases(project, against)
    with Store.open(project.store, seed=project.config.seed) as store:
        items = accepted(store, sources.current(project, store))
        hashes = {name: source.sha256 for name, source in sources.sources_of(store).items()}
        kept, left = _apart(items, hashes, releases)
        films = of_clips((one.clip for one in kept), shelf(project, store, "32")) if pictures else None
    poser = _poser(project, kept, films)
    examples = list(_examples(kept, poser))
    if not examples:
        why = ", ".join(f"{count} {reason}" for reason, count in sorted(left.items())) or "there is no accepted item"
        raise RefusedError(f"nothing is left to train on: {why}")
    used = {name for one in examples for name in of(one.item.slot, one.item.clip)}
    told = Training(
        name=project.config.name,
        apart_from={one.title: one.sha256 for one in releases},
        sources={name: hashes[name] for name in sorted(used)},
        counts={},
        prompt_sha256=poser.template.sha256,
        files={},
    )
    with new_folder(outside(out)) as folder:
        counts = _write(folder, told, examples, left, films)
    return Exported(out, counts)


def _releases(project: Project, against: Sequence[Path]) -> list[Release]:
    own = sorted(path.parent for path in project.releases.glob("*/release.json"))
    found = {path.resolve(): open_release(path) for path in [*against, *own]}
    if not found:
        raise UsageError("there is no release to keep the training data apart from; name it with --apart-from")
    return list(found.values())


def _apart(
    items: Sequence[Accepted], hashes: Mapping[str, str], releases: Sequence[Release]
) -> tuple[list[Accepted], Counter[str]]:
    """The items that share nothing with a release, and how many were left out for which reason."""
    group = kin([of(one.slot, one.clip) for one in items], hashes)
    facts = [source for release in releases for source in release.manifest.sources]
    ids, seen = {fact.source_id for fact in facts}, {fact.sha256 for fact in facts}
    benched = {root for name, root in group.items() if name in ids or hashes[name] in seen}
    alike: set[str] = set()
    own = Side("this project", {one.clip.ref.media: _lines(one) for one in items}, [_asks(one) for one in items])
    for release in releases:
        for finding in shared(own, _side(release)):
            alike.add(finding.place)
    told_again = {group[one.slot.source_id] for one in items if one.clip.ref.media in alike}
    kept, left = [], Counter[str]()
    for one in items:
        root = group[one.slot.source_id]
        if root in benched:
            left["of a source of a release"] += 1
        elif root in told_again:
            left["of a source that says what a release's clip says"] += 1
        elif one.item.item_id in alike:
            left["nearly ask what a release asks"] += 1
        else:
            kept.append(one)
    return kept, left


def _lines(one: Accepted) -> list[str]:
    return [line.text for line in one.clip.transcript if line.told]


def _asks(one: Accepted) -> Asks:
    texts = [option.text for option in one.item.options] or [one.reference.answer_text]
    return asks(one.item.item_id, one.item.question, texts)


def _side(release: Release) -> Side:
    """A release as far as it is there: without its answers, open questions are held by their words alone."""
    try:
        rows = release.keys()
        references = {key.id: key.answer_text for key in rows}
    except InputError:
        references = {}
    told = {media: [line.text for line in lines if line.told] for media, lines in release.transcripts().items()}
    posed = [
        asks(item.id, item.question, [option.text for option in item.options] or [references.get(item.id, "")])
        for item in release.inputs()
    ]
    return Side(release.title, told, posed)


def _poser(project: Project, items: Sequence[Accepted], films: Films | None) -> Poser:
    transcripts = {one.clip.ref.media: one.clip.transcript for one in items}
    sight = Sight(Takes(frozenset({"image"})), films) if films else BLIND
    return Poser(Posing("", "full", project.config.seed, "rationale"), transcripts, sight)


def _examples(items: Iterable[Accepted], poser: Poser) -> Iterator[Example]:
    for one in items:
        yield Example(one, key_row(one), poser.ask(model_input(one.item)), _observation(one))


def _observation(one: Accepted) -> str:
    """The first cue in words: what a line says that it names, or what stands in the cue itself."""
    for cue in one.reference.cues:
        found = CUE.fullmatch(cue)
        quote = (found[2] or "").strip() if found else cue.strip()
        number = int(found[1]) if found and found[1] else 0
        if not quote and 0 < number <= len(one.clip.transcript):
            line = one.clip.transcript[number - 1]
            quote = f"{line.speaker}: {line.text}" if line.speaker else line.text
        if quote:
            return quote
    return ""


def _write(
    folder: NewFolder, told: Training, examples: Sequence[Example], left: Counter[str], films: Films | None
) -> dict[str, int]:
    counts = Counter(sft=0, grpo=0)
    with folder.open("sft.jsonl") as sft, folder.open("grpo.jsonl") as grpo:
        for one in examples:
            shown = list(_pictures(folder, one.asked, films)) if films else []
            turns = _turns(one.asked, films is not None)
            extra = {"images": shown} if films else {}
            if one.observation:
                reply = {"role": "assistant", "content": _content(_reply(one), films is not None)}
                sft.write(to_line({"id": one.key.id, "messages": [*turns, reply], **extra}))
                counts["sft"] += 1
            else:
                left["have no observation (not in sft.jsonl)"] += 1
            if one.item.item.format in CHOICES:
                grpo.write(to_line({"id": one.key.id, "prompt": turns, **_key(one), **extra}))
                counts["grpo"] += 1
    folder.write("reward.py", inspect.getsource(reward).encode())
    whole = dict(counts) | {f"left/{why}": count for why, count in sorted(left.items())}
    folder.write("training.json", to_line(told.model_copy(update={"counts": whole, "files": dict(folder.hashes)})))
    return whole


def _reply(one: Example) -> str:
    """The answer and one observation; the other fields are null. In the order of the prompt."""
    item = one.item.item
    shot = Shot(model_input(item), one.key.answer, one.key.answer_text, one.key.story)
    fields: dict[str, Any] = {**dict.fromkeys(FIELDS), "G": one.observation}
    return json.dumps(fields | json.loads(answered(shot, one.asked.letters, "none")), ensure_ascii=False)


def _key(one: Example) -> dict[str, Any]:
    """What the reward needs to know."""
    letters: Mapping[str, Option] = one.asked.letters
    right = [letter for letter, option in letters.items() if option.id in one.key.answer]
    return {"answer": right, "letters": list(letters), "format": one.item.item.format}


def _turns(asked: Asked, parts: bool) -> list[dict[str, Any]]:
    """System and user. With `parts` the content is a list, in which `images` fills the places of pictures in order."""
    made = []
    for message in asked.request.messages:
        words = [part.text for part in message.parts if part.kind == "text"]
        content: Any = "\n\n".join(words)
        if parts:
            content = [
                {"type": "text", "text": part.text} if part.kind == "text" else {"type": "image"}
                for part in message.parts
            ]
        made.append({"role": message.role, "content": content})
    return made


def _content(text: str, parts: bool) -> Any:
    return [{"type": "text", "text": text}] if parts else text


def _pictures(folder: NewFolder, asked: Asked, films: Films) -> Iterator[str]:
    """The pictures of a request, each written once."""
    for shown in asked.media:
        path = f"images/{shown.sha256.removeprefix('sha256:')}.jpg"
        if path not in folder.hashes:
            folder.write(path, films.shelf.medium(shown.sha256).path.read_bytes())
        yield path
