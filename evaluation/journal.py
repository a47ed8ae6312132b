"""What a run has got so far, on disk: appended to as replies come, and made into the run's two files at the end.

journal.jsonl     while the run goes on: the run's description, then one response a line
responses.jsonl   every response by (item, repeat), canonical JSON
run.json          written last: where it stands, the run is over
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, Self

from ..errors import InputError, StoppedError, UsageError
from ..schemas.files import parse_record, read_record, read_records, storing, to_line, write_whole
from ..schemas.response import Response, RunInfo

Key = tuple[str, int]
"""(item, repeat)"""


class Journal:
    """Opens a run's folder, new or begun. `done` holds the responses that need not be asked for again."""

    def __init__(self, folder: Path, info: RunInfo) -> None:
        """Raises `UsageError` for a folder that cannot be written, or that holds another run."""
        self.folder, self.info = folder, info
        self.done: dict[Key, Response] = {}
        self._path = folder / "journal.jsonl"
        with storing(folder):
            folder.mkdir(parents=True, exist_ok=True)
        if (folder / "run.json").exists():
            self._same_run(read_record(folder / "run.json", RunInfo))
        if (folder / "responses.jsonl").exists():
            self._take(read_records(folder / "responses.jsonl", Response))
        self._take(self._resume())
        self._file = self._open()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def append(self, response: Response) -> None:
        """Write down one response. It survives this process; what it cost stands in the ledger, which is synced."""
        with storing(self._path):
            self._file.write(to_line(response))
            self._file.flush()
        self._take([response])

    def finish(self, failed: Sequence[Response]) -> list[Response]:
        """The run's files from what is done and what failed for good; the journal goes. Returns all, in order."""
        responses = sorted([*self.done.values(), *failed], key=lambda response: (response.item, response.repeat))
        write_whole(self.folder / "responses.jsonl", map(to_line, responses))
        write_whole(self.folder / "run.json", [to_line(self.info)])
        self._file.close()
        self._path.unlink()
        return responses

    def _take(self, responses: Iterator[Response] | list[Response]) -> None:
        self.done |= {(r.item, r.repeat): r for r in responses if r.status != "error"}

    def _same_run(self, other: RunInfo) -> None:
        if other != self.info:
            differing = [name for name in RunInfo.model_fields if getattr(other, name) != getattr(self.info, name)]
            raise UsageError(f"{self.folder} holds a run with another {', '.join(differing)}; choose another folder")

    def _resume(self) -> Iterator[Response]:
        """The responses of a journal that was left. A last line cut short by a kill is taken away."""
        if not self._path.exists():
            return
        data = self._path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        with storing(self._path):
            os.truncate(self._path, len(whole))
        lines = whole.splitlines()
        if lines:
            self._same_run(parse_record(lines[0], RunInfo, self._path, 1))
        for number, line in enumerate(lines[1:], 2):
            yield parse_record(line, Response, self._path, number)

    def _open(self) -> BinaryIO:
        with storing(self._path):
            file = self._path.open("ab")
            if file.tell() == 0:
                file.write(to_line(self.info))
                file.flush()
            return file


def load(folder: Path) -> tuple[RunInfo, list[Response]]:
    """A finished run. Raises `StoppedError` for one that is not finished, `InputError` for a folder that is no run."""
    if not (folder / "run.json").exists():
        if (folder / "journal.jsonl").exists():
            raise StoppedError(f"{folder}: the run is not finished; evaluate again with the same arguments")
        raise InputError(folder, "no run.json: this is no run")
    return read_record(folder / "run.json", RunInfo), list(read_records(folder / "responses.jsonl", Response))
