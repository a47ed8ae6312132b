"""Logs of other harnesses, read as runs: Inspect AI (`.eval`, `.json`) and lmms-eval (`…_samples_….jsonl`).

A log is believed in its replies alone. What was asked is made anew from the release and has to be, word for word, what
the log says was sent; replies are read by our parser, whatever score the harness gave them.
"""

import json
import struct
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from ..errors import InputError
from ..evaluation.journal import load as load_run
from ..evaluation.posing import Poser, Posing
from ..evaluation.run import read_again
from ..schemas.base import sha256, shown_order
from ..schemas.call import Usage
from ..schemas.release import ModelInput
from ..schemas.response import Response, RunInfo
from .harness import Told, text_of
from .histories import under
from .releases import Release

ENDINGS = (".eval", ".json", ".jsonl")
KEY = "benchwright"
"""Under which a plug-in tells what it asked: in an Inspect sample's metadata, as a metric of an lmms-eval sample."""
ZSTANDARD = 93
STOPPED: Mapping[str, str] = {"max_tokens": "truncated", "model_length": "truncated", "content_filter": "refusal"}
UNREAD = "log"
"""Rule of a reply that was not read yet."""


class Said(NamedTuple):
    """One reply of a log."""

    told: Told
    repeat: int
    sent: str
    """All words that were sent."""
    reply: str
    status: str
    """`ok`, or what the provider said: `truncated`, `refusal`, `error`."""
    usage: Usage = Usage()


def is_log(path: Path) -> bool:
    """Whether a path names a log, and no folder of a run."""
    return path.suffix in ENDINGS and path.is_file()


def load(release: Release, run: Path) -> tuple[RunInfo, list[Response]]:
    """A run, ours or another harness's. Raises `InputError` for a log that cannot be one of this release, and what
    `evaluation.journal.load` raises."""
    if not is_log(run):
        return load_run(run)
    model, said = _lmms(run) if run.suffix == ".jsonl" else _inspect(run)
    if not said:
        raise InputError(run, "holds no sample")
    info = _info(release, run, model, said)
    return info, sorted(_responses(release, run, info, said), key=lambda one: (one.item, one.repeat))


def _info(release: Release, run: Path, model: str, said: Sequence[Said]) -> RunInfo:
    first = said[0].told
    same = ("release", "release_sha256", "condition", "prompt_sha256", "takes", "frames")
    for one in said:
        if differing := [name for name in same if getattr(one.told, name) != getattr(first, name)]:
            raise InputError(run, f"its samples differ in {', '.join(differing)}: these are several runs", one.told.id)
    return RunInfo(
        release=first.release,
        release_sha256=first.release_sha256,
        model=model,
        condition=first.condition,
        prompt_id="evaluate",
        prompt_sha256=first.prompt_sha256,
        permutation_seed=release.manifest.permutation_seed,
        repeats=max(one.repeat for one in said) + 1,
        takes=first.takes,
        frames=first.frames,
    )


def _responses(release: Release, run: Path, info: RunInfo, said: Iterable[Said]) -> Iterator[Response]:
    """Of a log on another version too: what changed since then is for `corrected` to find."""
    poser = Poser(Posing(info.model, info.condition, info.permutation_seed), release.transcripts())
    items = {item.id: item for item in under(release.inputs(), poser.condition)}
    for one in said:
        item, own = items.get(one.told.id), info.release_sha256 == release.sha256
        if item is None and own:
            raise InputError(run, f"asks about {one.told.id}, which {release.title} does not have")
        unread = _unread(info, one, item)
        yield unread if item is None else read_again(_held(poser, run, item, one, unread, own=own), item)


def _held(poser: Poser, run: Path, item: ModelInput, one: Said, unread: Response, *, own: bool) -> Response:
    """The response with the hash of its request, where the log sent the words of that request."""
    if one.told.prompt_sha256 != poser.template.sha256:
        return unread
    asked, wrong = poser.again(item, unread)
    if asked is not None and text_of(asked) == one.sent:
        return unread.model_copy(update={"input_sha256": asked.input_sha256})
    if own:
        other = "was sent other words than benchwright asks with: this is no log of its plug-in"
        raise InputError(run, wrong or other, item.id)
    return unread


def _unread(info: RunInfo, one: Said, item: ModelInput | None) -> Response:
    options = [option.id for option in item.options] if item else []
    return Response.model_validate(
        {
            "item": one.told.id,
            "condition": info.condition,
            "repeat": one.repeat,
            "shown": shown_order(info.permutation_seed, one.told.id, options),
            "input_sha256": sha256(one.sent.encode()),
            "given": one.told.given,
            "media": one.told.media,
            "reply": one.reply,
            "status": "no_answer" if one.status == "ok" else one.status,
            "rule": UNREAD if one.status == "ok" else "provider",
            "ids": (),
            "usage": one.usage,
        }
    )


def _inspect(path: Path) -> tuple[str, list[Said]]:
    """Model and replies of a log of Inspect AI."""
    header, samples = _zipped(path) if path.suffix == ".eval" else _plain(path)
    try:
        return str(header["eval"]["model"]), [_sample(path, sample) for sample in samples]
    except (KeyError, TypeError, IndexError) as error:
        raise InputError(path, f"is no log of Inspect AI that can be read: {error!r}") from None


def _plain(path: Path) -> tuple[Any, list[Any]]:
    data = _json(path, _bytes(path))
    if not isinstance(data, dict) or not isinstance(data.get("samples"), list):
        raise InputError(path, "holds no samples: this is no log of Inspect AI, or one of its header alone")
    return data, data["samples"]


def _zipped(path: Path) -> tuple[Any, list[Any]]:
    try:
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if name.startswith("samples/") and name.endswith(".json")]
            return _member(path, archive, "header.json"), [_member(path, archive, name) for name in sorted(names)]
    except (zipfile.BadZipFile, KeyError, OSError) as error:
        raise InputError(path, f"is no finished log of Inspect AI: {error}") from None


def _member(path: Path, archive: zipfile.ZipFile, name: str) -> Any:
    info = archive.getinfo(name)
    data = _unpacked(path, info) if info.compress_type == ZSTANDARD else archive.read(name)
    return _json(path, data, name)


def _unpacked(path: Path, info: zipfile.ZipInfo) -> bytes:
    """Zstandard, which the standard library reads from Python 3.14 on. The sizes of a member's local header lead to
    its data; see APPNOTE.TXT 4.3.7 of the ZIP format."""
    import zstandard

    with path.open("rb") as file:
        file.seek(info.header_offset)
        name, extra = struct.unpack("<26x2H", file.read(30))
        file.seek(info.header_offset + 30 + name + extra)
        try:
            return zstandard.ZstdDecompressor().decompress(file.read(info.compress_size), info.file_size)
        except zstandard.ZstdError as error:
            raise InputError(path, f"cannot be unpacked: {error}", info.filename) from None


def _sample(path: Path, sample: Any) -> Said:
    attached = sample.get("attachments") or {}
    told = _told(path, sample["id"], (sample.get("metadata") or {}).get(KEY))
    output = sample.get("output") or {}
    usage = output.get("usage") or {}
    failed = sample.get("error") or not output.get("choices")
    status = "error" if failed else STOPPED.get(output["choices"][0].get("stop_reason", ""), "ok")
    reply = "" if failed else _words(output["choices"][0]["message"]["content"], attached)
    tokens = {name: int(usage.get(name) or 0) for name in ("input_tokens", "output_tokens")}
    sent = "\n\n".join(_words(message["content"], attached) for message in sample["input"])
    return Said(told, int(sample["epoch"]) - 1, sent, reply, status, Usage(**tokens))


def _words(content: Any, attached: Mapping[str, str]) -> str:
    """The text of a message; what is long may lie among the attachments. Thoughts and media are no words."""
    parts = [content] if isinstance(content, str) else [part["text"] for part in content if part["type"] == "text"]
    return "\n\n".join(attached.get(part.removeprefix("attachment://"), part) for part in parts)


def _lmms(path: Path) -> tuple[str, list[Said]]:
    """Model and replies of the samples of lmms-eval."""
    samples = [(n, _json(path, line, n)) for n, line in enumerate(_bytes(path).splitlines(), 1) if line.strip()]
    seen: dict[str, int] = {}
    said = []
    for number, sample in samples:
        if not isinstance(sample, dict) or "input" not in sample or "filtered_resps" not in sample:
            raise InputError(path, "is no sample of lmms-eval: it holds no input or no filtered_resps", number)
        told = _told(path, number, sample.get(KEY))
        repeat = seen[told.id] = seen.get(told.id, -1) + 1
        said.append(Said(told, repeat, str(sample["input"]), _first(sample["filtered_resps"]), "ok"))
    return _model_beside(path), said


def _first(replies: Any) -> str:
    """The reply, however many lists it lies in."""
    while isinstance(replies, list) and replies:
        replies = replies[0]
    return replies if isinstance(replies, str) else ""


def _model_beside(path: Path) -> str:
    """What the results beside the samples call the model; else the name of the folder, which lmms-eval makes of it."""
    results = path.with_name(path.name.partition("_samples_")[0] + "_results.json")
    if results.is_file():
        found = _json(results, _bytes(results))
        named = found.get("model_name") if isinstance(found, dict) else None
        if isinstance(named, str) and named:
            return named
    return path.resolve().parent.name


def _told(path: Path, place: object, data: Any) -> Told:
    """Raises `InputError` where the sample is none of a plug-in of ours."""
    if not isinstance(data, dict):
        raise InputError(path, f"nothing under {KEY!r} says what was asked: this is no log of its plug-in", place)
    try:
        return Told.model_validate({name: value for name, value in data.items() if name != "credit"})
    except ValidationError as error:
        raise InputError(path, f"{KEY}: {error.errors()[0]['msg']}", place) from None


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(path, (error.strerror or str(error)).lower()) from None


def _json(path: Path, data: bytes, place: object = None) -> Any:
    try:
        return json.loads(data)
    except ValueError as error:
        raise InputError(path, f"no JSON: {error}", place) from None
