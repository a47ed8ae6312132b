"""Plays one compiled Ink story in a process of its own, since a story can crash, hang or poison its runtime.

Run as `python -P -m benchwright.narrative.ink_child`; JSON lines on stdin and stdout. It imports only the standard
library and bink: a new process costs a tenth of a second. Every position is one text of three lines: JSON of the lines
told up to there, JSON of the marks that tags have set (`# chapter:` and so on), bink's own saved state. The caller
keeps positions and the process holds nothing that matters: a killed one is replaced at no loss.
"""

import contextlib
import json
import os
import re
import sys
import threading
import time
from collections.abc import Iterable
from typing import Any

HANG = 75
"""Exit code of a process that gave itself up after the time limit."""
MOST_LINES = 5000
MOST_MEMORY = 1 << 30
"""Bytes: endless recursion grows until it fails here, not on the machine."""
MARKS = ("chapter", "protagonist", "present", "ending")

_SEED = re.compile(r'"storySeed":-?\d+')


class Watchdog:
    """Ends the process when an operation outlasts `seconds`, or its parent. bink releases the GIL while it runs."""

    def __init__(self, seconds: float) -> None:
        self._seconds, self._deadline, self._parent = seconds, float("inf"), os.getppid()
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        while True:
            time.sleep(0.1)
            if time.monotonic() > self._deadline or os.getppid() != self._parent:
                os._exit(HANG)

    def __enter__(self) -> None:
        self._deadline = time.monotonic() + self._seconds

    def __exit__(self, *_: object) -> None:
        self._deadline = float("inf")


class Player:
    """A story and the position it stands at. Raises `RuntimeError` where the story fails; the next call starts afresh.

    `fallbacks` are the paths of choice points that are invisible (`* ->`): bink offers them after loading, since its
    saved state does not say what they are, so they are struck from every position. `seed` decides what a story draws;
    None is for a story that draws nothing, and keeps bink's own seed out of positions.
    """

    def __init__(self, source: str, fallbacks: Iterable[str], seconds: float, seed: int | None = None) -> None:
        self._source, self._fallbacks, self._seed = source, frozenset(fallbacks), seed
        self._tagged = '"#"' in source
        self._first: str | None = None
        self._watchdog = Watchdog(seconds)
        self._story: Any = None
        self._at: str | None = None
        self._marks: dict[str, str] = {}

    def start(self) -> str:
        """The first position."""
        if self._first is None:
            self._at = self._story = None
            with self._watchdog:
                self._fresh()
                self._first = self._tell()
        return self._first

    def choose(self, position: str | None, index: int) -> str:
        """The position after a choice, at `position` or (None) where the player stands."""
        with self._watchdog:
            self._go(position)
            self._at = None
            try:
                self._story.choose_choice_index(index)
                return self._tell()
            except RuntimeError:
                self._story = None
                raise

    def expand(self, position: str, count: int) -> list[str | dict[str, str]]:
        """The position after each of `count` choices offered at `position`; `{"error": …}` where the story fails."""
        return [self._attempt(position, index) for index in range(count)]

    def _attempt(self, position: str, index: int) -> str | dict[str, str]:
        try:
            return self.choose(position, index)
        except RuntimeError as error:
            return {"error": str(error)}

    def _fresh(self) -> None:
        from bink.story import Story

        self._marks = {}
        self._story = Story(self._source)
        self._story.set_allow_external_function_fallbacks(True)
        if self._seed is not None:
            self._story.load_state(self._state())

    def _go(self, position: str | None) -> None:
        if self._story is None:
            self._fresh()
        if position is None or position == self._at:
            return
        _, marks, state = position.split("\n", 2)
        self._story.load_state(state)
        self._marks = json.loads(marks)

    def _tell(self) -> str:
        story, lines = self._story, []
        while story.can_continue():
            text = story.cont().strip()
            tags = list(story.tags) if self._tagged else []
            self._mark(tags)
            if text:
                lines.append([text, tags] if tags else [text])
            if len(lines) > MOST_LINES:
                raise RuntimeError(f"more than {MOST_LINES} lines without a choice")
        self._at = "\n".join((compact(lines), compact(self._marks), self._state()))
        return self._at

    def _mark(self, tags: list[str]) -> None:
        for tag in tags:
            name, colon, value = tag.partition(":")
            mark = name.strip().lower()
            if colon and mark in MARKS:
                self._marks[mark] = value.strip()

    def _state(self) -> str:
        """bink's saved state with our seed and without invisible choices."""
        saved = _SEED.sub(f'"storySeed":{self._seed or 0}', self._story.save_state(), count=1)
        return self._without_fallbacks(saved) if self._fallbacks else saved

    def _without_fallbacks(self, saved: str) -> str:
        state = json.loads(saved)
        for flow in state["flows"].values():
            kept = [choice for choice in flow["currentChoices"] if choice["originalChoicePath"] not in self._fallbacks]
            if len(kept) == len(flow["currentChoices"]):
                continue
            flow["currentChoices"] = kept
            used = {str(choice["originalThreadIndex"]) for choice in kept}
            flow["choiceThreads"] = {key: one for key, one in flow.get("choiceThreads", {}).items() if key in used}
        return compact(state)


def compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def answer(player: Player, request: dict[str, Any]) -> dict[str, Any]:
    """One reply: `{"ok": …}`, or `{"error": …}` in the runtime's words."""
    operation, arguments = request["op"], request.get("args", [])
    try:
        return {"ok": getattr(player, operation)(*arguments)}
    except RuntimeError as error:
        return {"error": str(error)}


def limit_memory() -> None:
    """Where the system can: a story that outgrows `MOST_MEMORY` ends this process alone."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


def main(kind: type[Player] = Player) -> None:
    """Answer until stdin ends, as it does when the parent ends. The first line is what `kind` is made of."""
    limit_memory()
    player = kind(**json.loads(sys.stdin.buffer.readline()))
    for line in sys.stdin.buffer:
        reply = answer(player, json.loads(line))
        sys.stdout.buffer.write(json.dumps(reply, ensure_ascii=False).encode() + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
