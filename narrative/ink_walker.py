"""The child process of whole exploration: a player that also says which positions are one state.

Run as `python -P -m benchwright.narrative.ink_walker`. The loop over states is the parent's; what costs time (the
story, and reading its saved states) happens here, and a position is sent once only.
"""

import hashlib
import json
import time
from collections.abc import Callable, Collection, Iterable
from typing import Any

from .ink_child import Player, main
from .liveness import EVERYTHING, Liveness


class Walker(Player):
    """A player for one exploration. `watched` variables are part of every state; `timed`: the runtime's own seconds are
    counted."""

    def __init__(self, *, watched: Iterable[str] = (), timed: bool = False, **opening: Any) -> None:
        super().__init__(**opening)
        self._watched = sorted(watched)
        self._liveness = Liveness(json.loads(self._source), self._watched)
        self._sent: set[str] = set()
        self._timed, self._spent = timed, 0.0

    def walk(self, position: str, indices: list[int]) -> list[Any]:
        """For each choice what `reached` says of the position after it, or the error in the runtime's words."""
        return [self._walk(position, index) for index in indices]

    def begin(self) -> list[Any]:
        return self.reached(self.start())

    def reached(self, position: str) -> list[Any]:
        """`[key, lines]` for a key that was told before, else `[key, lines, variables, names, position]`.

        The key is None for an ending. `variables` are bink's, of those in `names` (None: of all), without those at
        their first value; the key stands for them too, so that equal keys have equal ones.
        """
        lines, marks, saved = position.split("\n", 2)
        state = json.loads(saved)
        if not state["flows"][state["currentFlowName"]]["currentChoices"]:
            return [None, lines, *variables(state, self._watched), position]
        text, names = self._liveness.key(state)
        key = hashlib.sha256(f"{marks}\n{text}".encode()).hexdigest()
        if key in self._sent:
            return [key, lines]
        self._sent.add(key)
        return [key, lines, *variables(state, names), position]

    def spent(self) -> float:
        """Seconds spent inside the runtime: loading, choosing, continuing, saving."""
        return self._spent

    def _walk(self, position: str, index: int) -> Any:
        try:
            return self.reached(self.choose(position, index))
        except RuntimeError as error:
            return str(error)

    def _fresh(self) -> None:
        super()._fresh()
        if self._timed:
            self._story = Timed(self._story, self._count)

    def _count(self, seconds: float) -> None:
        self._spent += seconds


def variables(state: dict[str, Any], names: Collection[str]) -> tuple[dict[str, Any], list[str] | None]:
    """The values of some variables, where they are not the first ones, and their names; None for all."""
    values = {name: value for name, value in state["variablesState"].items() if name in names}
    return values, None if names is EVERYTHING else sorted(names)


class Timed:
    """A story whose calls are timed."""

    def __init__(self, story: Any, count: Callable[[float], None]) -> None:
        self._story, self._count = story, count
        for name in ("load_state", "choose_choice_index", "can_continue", "cont", "save_state"):
            setattr(self, name, self._timed(getattr(story, name)))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._story, name)

    def _timed(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*arguments: Any) -> Any:
            before = time.perf_counter()
            try:
                return call(*arguments)
            finally:
                self._count(time.perf_counter() - before)

        return timed


if __name__ == "__main__":
    main(Walker)
