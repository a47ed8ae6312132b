"""What a run has got so far, on disk: appended to as replies come, and made into the run's two files at the end.

journal.jsonl     while the run goes on: the run's description, then one line a reply
responses.jsonl   every response by (item, repeat), canonical JSON; of a judge, judgements.jsonl
run.json          written last: where it stands, the run is over; of a judge, judge.json
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Generic, Protocol, Self, TypeVar

from ..errors import InputError, StoppedError, UsageError
from ..schemas.base import Record
from ..schemas.files import parse_record, read_record, read_records, storing, to_line, write_whole
from ..schemas.judge import JudgeInfo, Judgement
from ..schemas.response import Response, RunInfo

Key = tuple[str, int]
"""(item, repeat)"""


class Line(Protocol):
    """What a journal keeps: one line for each item and repeat."""

    @property
    def item(self) -> str: ...
    @property
    def repeat(self) -> int: ...


_Info = TypeVar("_Info", bound=Record)
_Line = TypeVar("_Line", Response, Judgement)


@dataclass(frozen=True)
class Kind(Generic[_Info, _Line]):
    """What is kept, and in which files."""

    info: type[_Info]
    line: type[_Line]
    info_file: str
    lines_file: str
    final: Callable[[_Line], bool]
    """Whether a line need not be asked for again."""
    what: str
    again: str
    """The command that goes on with it."""


RUN = Kind(RunInfo, Response, "run.json", "responses.jsonl", lambda line: line.status != "error", "run", "evaluate")
JUDGE = Kind(
    JudgeInfo, Judgement, "judge.json", "judgements.jsonl", lambda line: line.status == "judged", "judge", "judge"
)


class Journal(Generic[_Info, _Line]):
    """Opens a run's folder, new or begun. `done` holds the lines that need not be asked for again."""

    def __init__(self, folder: Path, info: _Info, kind: Kind[_Info, _Line]) -> None:
        """Raises `UsageError` for a folder that cannot be written, or that holds another run."""
        self.folder, self.info = folder, info
        self.kind: Kind[_Info, _Line] = kind
        self.done: dict[Key, _Line] = {}
        self._path = folder / "journal.jsonl"
        with storing(folder):
            folder.mkdir(parents=True, exist_ok=True)
        if (folder / kind.info_file).exists():
            self._same_run(read_record(folder / kind.info_file, kind.info))
        if (folder / kind.lines_file).exists():
            self._take(read_records(folder / kind.lines_file, kind.line))
        self._take(self._resume())
        self._file = self._open()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def append(self, line: _Line) -> None:
        """Write down one line. It survives this process; what it cost stands in the ledger, which is synced."""
        with storing(self._path):
            self._file.write(to_line(line))
            self._file.flush()
        self._take([line])

    def finish(self, failed: Sequence[_Line]) -> list[_Line]:
        """The run's files from what is done and what failed for good; the journal goes. Returns all, in order."""
        every = self.done | {key(line): line for line in failed}
        lines = [every[place] for place in sorted(every)]
        write_whole(self.folder / self.kind.lines_file, map(to_line, lines))
        write_whole(self.folder / self.kind.info_file, [to_line(self.info)])
        self._file.close()
        self._path.unlink()
        return lines

    def _take(self, lines: Iterable[_Line]) -> None:
        self.done |= {key(line): line for line in lines if self.kind.final(line)}

    def _same_run(self, other: _Info) -> None:
        if other != self.info:
            names = type(self.info).model_fields
            differing = [name for name in names if getattr(other, name) != getattr(self.info, name)]
            raise UsageError(
                f"{self.folder} holds a {self.kind.what} with another {', '.join(differing)}; "
                "move it away, or choose another folder"
            )

    def _resume(self) -> Iterator[_Line]:
        """The lines of a journal that was left. A last line cut short by a kill is taken away."""
        if not self._path.exists():
            return
        data = self._path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        with storing(self._path):
            os.truncate(self._path, len(whole))
        lines = whole.splitlines()
        if lines:
            self._same_run(parse_record(lines[0], self.kind.info, self._path, 1))
        for number, line in enumerate(lines[1:], 2):
            yield parse_record(line, self.kind.line, self._path, number)

    def _open(self) -> BinaryIO:
        with storing(self._path):
            file = self._path.open("ab")
            if file.tell() == 0:
                file.write(to_line(self.info))
                file.flush()
            return file


def key(line: Line) -> Key:
    return line.item, line.repeat


def load(folder: Path) -> tuple[RunInfo, list[Response]]:
    """A finished run. Raises `StoppedError` for one that is not finished, `InputError` for a folder that is no run."""
    return load_kind(folder, RUN)


def load_kind(folder: Path, kind: Kind[_Info, _Line]) -> tuple[_Info, list[_Line]]:
    """The same for either kind of folder."""
    if not (folder / kind.info_file).exists():
        if (folder / "journal.jsonl").exists():
            raise StoppedError(f"{folder}: the run is not finished; {kind.again} again with the same arguments")
        raise InputError(folder, f"no {kind.info_file}: this is no {kind.what}")
    return read_record(folder / kind.info_file, kind.info), list(read_records(folder / kind.lines_file, kind.line))
