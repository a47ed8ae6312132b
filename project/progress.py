"""What a run shows while it goes on: how far its stage is, and what its calls come to."""

from collections.abc import Callable

from ..llm.meter import Meter

Progress = Callable[[str, int, int | None], None]
"""Called with what is done, how much of it, and of how much (None where nobody knows)."""


def quiet(stage: str, done: int, total: int | None) -> None:
    """No progress shown."""


class Live:
    """Puts the meter's line behind each stage, and shows both anew whenever one of them changes."""

    def __init__(self, progress: Progress, meter: Meter) -> None:
        self._progress, self._meter = progress, meter
        self._last: tuple[str, int, int | None] = ("", 0, None)
        meter.watch = self._show

    def stage(self, name: str) -> Callable[[int, int | None], None]:
        """For one that counts within a stage."""
        return lambda done, total: self(name, done, total)

    def __call__(self, stage: str, done: int, total: int | None) -> None:
        self._last = (stage, done, total)
        self._show()

    def _show(self) -> None:
        stage, done, total = self._last
        used = self._meter.calls or self._meter.under_way or self._meter.served or self._meter.failed
        self._progress(f"{stage}: {self._meter.told()}" if used else stage, done, total)
