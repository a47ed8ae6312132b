"""Every variable of a story along a play, read off the story itself.

An explored flowchart keeps only the variables that the rest of the story still reads: histories that differ in others
are one state. What a hidden variable was at a moment of one play is therefore asked of the runtime.
"""

from collections.abc import Mapping, Sequence

from ..schemas.story import Scalar
from .runtime import Runtime, Story


class Readings:
    """Replays plays on one runtime, opened when first needed; plays read before are remembered. Close it after use."""

    def __init__(self, story: Story) -> None:
        self._story = story
        self._runtime: Runtime | None = None
        self._memo: dict[tuple[int, ...], Mapping[str, Scalar]] = {}

    def along(self, play: Sequence[int]) -> tuple[Mapping[str, Scalar], ...]:
        """The variables at the first decision, and after each choice of the play. Raises `StoryError`."""
        parts = [tuple(play[:length]) for length in range(len(play) + 1)]
        if not all(part in self._memo for part in parts):
            runtime = self._open()
            steps = [runtime.start(), *(runtime.choose(index) for index in play)]
            self._memo |= {part: step.variables for part, step in zip(parts, steps, strict=True)}
        return tuple(self._memo[part] for part in parts)

    def close(self) -> None:
        if self._runtime is not None:
            self._runtime.close()
        self._runtime = None

    def _open(self) -> Runtime:
        if self._runtime is None:
            self._runtime = self._story.runtime()
        return self._runtime
