"""Logs of other harnesses, read as runs: Inspect AI (`.eval`, `.json`) and lmms-eval (`…_samples_….jsonl`).

A log is believed in its replies alone. What was asked is made anew from the release and has to be, word for word, what
the log says was sent; replies are read by our parser, whatever score the harness gave them.
"""

import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import from_json

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
LARGEST = 1 << 28
"""Bytes of a sample of a packed log, unpacked. A small file can claim far more."""
MANY = 1000
"""Epochs."""
TORN = (
    zipfile.BadZipFile, KeyError, OSError, EOFError, ValueError, RuntimeError, struct.error, zlib.error, lzma.LZMAError
)  # fmt: skip
"""What reading an archive raises that is torn, encrypted or packed in a way of its own."""


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


class Theirs(BaseModel):
    """What is read of a log of Inspect AI; all else in it is left alone."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Piece(Theirs):
    type: str
    text: str = ""


class Words(Theirs):
    content: str | tuple[Piece, ...]


class Choice(Theirs):
    message: Words
    stop_reason: str | None = None


class Tokens(Theirs):
    input_tokens: int | None = Field(None, ge=0, lt=2**53)
    output_tokens: int | None = Field(None, ge=0, lt=2**53)


class Output(Theirs):
    choices: tuple[Choice, ...] = ()
    usage: Tokens | None = None


class Sample(Theirs):
    id: str | int
    epoch: int = Field(ge=1, le=MANY)
    input: tuple[Words, ...]
    output: Output | None = None
    metadata: dict[str, Any] | None = None
    attachments: dict[str, str] | None = None
    error: Any = None


class Named(Theirs):
    model: str = Field(min_length=1)


class Header(Theirs):
    eval: Named


AnyTheirs = TypeVar("AnyTheirs", bound=Theirs)


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
    header, *samples = _zipped(path) if path.suffix == ".eval" else _plain(path)
    return _valid(path, Header, header).eval.model, [_sample(path, sample) for sample in samples]


def _valid(path: Path, kind: type[AnyTheirs], data: Any, place: object = None) -> AnyTheirs:
    try:
        return kind.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        where = "/".join(map(str, first["loc"]))
        raise InputError(path, f"is no log of Inspect AI that can be read: {where}: {first['msg']}", place) from None


def _plain(path: Path) -> Iterator[Any]:
    data = _json(path, _bytes(path))
    if not isinstance(data, dict) or not isinstance(data.get("samples"), list):
        raise InputError(path, "holds no samples: this is no log of Inspect AI, or one of its header alone")
    yield data
    yield from data["samples"]


def _zipped(path: Path) -> Iterator[Any]:
    """The header, then the samples."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if name.startswith("samples/") and name.endswith(".json")]
            for name in ("header.json", *sorted(names)):
                yield _json(path, _member(path, archive, name), name)
    except TORN as error:
        raise InputError(path, f"is no finished log of Inspect AI: {error or type(error).__name__}") from None


def _member(path: Path, archive: zipfile.ZipFile, name: str) -> bytes:
    info = archive.getinfo(name)
    if info.compress_type == ZSTANDARD:
        data = _unpacked(path, info)
    else:
        with archive.open(info) as member:
            data = member.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise InputError(path, f"holds more than {LARGEST} bytes", name)
    return data


def _unpacked(path: Path, info: zipfile.ZipInfo) -> bytes:
    """Zstandard, which the standard library reads from Python 3.14 on. The sizes of a member's local header lead to
    its data; see APPNOTE.TXT 4.3.7 of the ZIP format."""
    import zstandard

    with path.open("rb") as file:
        file.seek(info.header_offset)
        name, extra = struct.unpack("<26x2H", file.read(30))
        file.seek(info.header_offset + 30 + name + extra)
        packed = io.BytesIO(file.read(info.compress_size))
    try:
        data = zstandard.ZstdDecompressor().stream_reader(packed).read(LARGEST + 1)
    except zstandard.ZstdError as error:
        raise InputError(path, f"cannot be unpacked: {error}", info.filename) from None
    if len(data) <= LARGEST and zlib.crc32(data) != info.CRC:
        raise InputError(path, "is not what its checksum says", info.filename)
    return data


def _sample(path: Path, data: Any) -> Said:
    sample = _valid(path, Sample, data, data.get("id") if isinstance(data, dict) else None)
    attached = sample.attachments or {}
    told = _told(path, sample.id, (sample.metadata or {}).get(KEY))
    output = sample.output or Output()
    failed = bool(sample.error) or not output.choices
    status = "error" if failed else STOPPED.get(output.choices[0].stop_reason or "", "ok")
    reply = "" if failed else _words(output.choices[0].message, attached)
    used = output.usage or Tokens()
    usage = Usage(input_tokens=used.input_tokens or 0, output_tokens=used.output_tokens or 0)
    sent = "\n\n".join(_words(message, attached) for message in sample.input)
    return Said(told, sample.epoch - 1, sent, reply, status, usage)


def _words(message: Words, attached: Mapping[str, str]) -> str:
    """The text of a message; what is long may lie among the attachments. Thoughts and media are no words."""
    said = message.content
    parts = [said] if isinstance(said, str) else [part.text for part in said if part.type == "text"]
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
        return from_json(data)
    except ValueError as error:
        raise InputError(path, f"no JSON: {error}", place) from None
