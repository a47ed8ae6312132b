"""The child process that plays an Ink story, seen from the parent: requests, replies, and how it ended."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import weakref
from collections.abc import Mapping
from typing import IO, Any

from .ink_child import HANG
from .ink_index import normal

SECONDS = 10.0
"""Time limit of one operation of a story: a choice takes microseconds, so this is a hang."""

PANIC = "panic crossed"
"""What bink replies where the runtime under it panicked; the reason is on stderr."""

NO_BINK = (
    "Ink stories are played by bink, which is not installed (wheels: Linux x86_64 and aarch64, Windows, "
    "macOS 14+ on arm64); install it, or tell the story in our own format"
)


def plain_error(error: str) -> str:
    """What bink says, without what it says of itself."""
    first = error.partition("The first issue was: ")[2] or error
    return normal(re.sub(r"^(Invalid story state: |RUNTIME ERROR: |ERROR: )+", "", first))


class ChildError(Exception):
    """The child answered with an error, or ended."""


class Child:
    """The process that plays. It ends when this object does, and with this process, however that ends.

    `opening` and `seconds` are what the player in `module` is made of.
    """

    def __init__(self, opening: Mapping[str, Any], seconds: float, module: str = "ink_child") -> None:
        self._seconds = seconds
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 closed with the process
        command = [sys.executable, "-P", "-m", f"{__package__}.{module}"]
        environment = {**os.environ, "RUST_BACKTRACE": "0"}
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._complaints, env=environment
        )
        self.close = weakref.finalize(self, end, self._process, self._complaints)
        self._write({**opening, "seconds": seconds})

    def alive(self) -> bool:
        return self._process.poll() is None

    def ask(self, operation: str, *arguments: Any) -> Any:
        """The child's reply. Raises `ChildError` with its error, or with how it ended."""
        self.send(operation, *arguments)
        return self.receive()

    def send(self, operation: str, *arguments: Any) -> None:
        """Ask without waiting; replies come in the order of the requests."""
        self._write({"op": operation, "args": arguments})

    def receive(self) -> Any:
        """The next reply. Raises `ChildError`."""
        line = self._process.stdout.readline() if self._process.stdout else b""
        if not line.endswith(b"\n"):
            raise ChildError(self._how_it_ended())
        reply = json.loads(line)
        if "error" in reply:
            raise ChildError(self._in_full(reply["error"]))
        return reply["ok"]

    def _write(self, message: dict[str, Any]) -> None:
        with contextlib.suppress(BrokenPipeError, OSError):
            if self._process.stdin:
                self._process.stdin.write(json.dumps(message, ensure_ascii=False).encode() + b"\n")
                self._process.stdin.flush()

    def _how_it_ended(self) -> str:
        code = self._process.wait()
        if code == HANG:
            return f"the story ran for more than {self._seconds:g} s without coming to a choice (an endless loop?)"
        said = self._last_words()
        if "bink" in said and ("ModuleNotFoundError" in said or "library not found" in said):
            return NO_BINK
        how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        return f"the story crashed its runtime ({': '.join(filter(None, (how, said)))}; endless recursion?)"

    def _in_full(self, error: str) -> str:
        """A panic's own words stand on stderr; the reply says only that there was one."""
        return normal(self._last_words()) if PANIC in error else plain_error(error)

    def _last_words(self) -> str:
        self._complaints.seek(0)
        lines = self._complaints.read()[-4000:].decode(errors="replace").splitlines()
        telling = [line.strip() for line in lines if line.strip() and not line.startswith("note: ")]
        return telling[-1] if telling else ""


def end(process: "subprocess.Popen[bytes]", complaints: IO[bytes]) -> None:
    """Kill and reap a child and close its pipes."""
    process.kill()
    for pipe in (process.stdin, process.stdout, complaints):
        with contextlib.suppress(OSError):
            if pipe:
                pipe.close()
    process.wait()
