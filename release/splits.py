"""The splits of a release: each source stands in one, and none of them shares anything with another.

Where no splits are declared everything is in `test`, and nothing is looked at.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from ..checks.disjoint import Side, shared
from ..checks.duplicates import Asks, asks
from ..schemas.clip import TranscriptLine
from ..schemas.finding import Finding
from ..schemas.release import KeyRow, ModelInput, SourceFacts

REST = "test"
"""The split of what is in no other."""


class Splitting:
    """Which split each source, clip and item is in, and what they say; told of them as they are written, or read."""

    def __init__(self, splits: Mapping[str, Sequence[str]], sources: Iterable[SourceFacts]) -> None:
        self.declared = bool(splits)
        self.findings: list[Finding] = []
        self._of_source: dict[str, str] = {}
        self._of_clip: dict[str, str] = {}
        self._passages: dict[str, dict[str, list[str]]] = {split: {} for split in splits}
        self._asks: dict[str, list[Asks]] = {split: [] for split in splits}
        for split, names in splits.items():
            for name in names:
                if self._of_source.setdefault(name, split) != split:
                    self._find("split-source", name, f"the source stands in {self._of_source[name]} and in {split}")
        self._same_files(sources if splits else ())

    def clip(self, media: str, sources: Iterable[str], lines: Sequence[TranscriptLine]) -> None:
        """A clip with the sources that it shows."""
        if not self.declared:
            return
        own = sorted({self._of_source.get(name, "") for name in sources})
        if own == [""] or len(own) > 1:
            said = " and in ".join(split or "none" for split in own)
            self._find("split-source", media, f"the sources of the clip stand in {said}")
        self._of_clip[media] = own[-1] or REST
        self._passages.setdefault(own[-1] or REST, {})[media] = [line.text for line in lines if line.told]

    def split(self, item: ModelInput) -> str:
        return self._of_clip.get(item.clip.media, REST)

    def item(self, item: ModelInput, key: KeyRow | None) -> None:
        if self.declared:
            texts = [option.text for option in item.options] or [key.answer_text if key else ""]
            self._asks.setdefault(self.split(item), []).append(asks(item.id, item.question, texts))

    def all(self) -> Iterator[Finding]:
        """Everything that is wrong, once all has been told."""
        yield from self.findings
        if not self.declared:
            return
        sides = [Side(split, self._passages.get(split, {}), own) for split, own in sorted(self._asks.items())]
        for side in sides:
            if not side.asks:
                yield _error("split-empty", side.name, "no item is in this split")
        for one, other in combinations(sides, 2):
            yield from shared(one, other)

    def _same_files(self, sources: Iterable[SourceFacts]) -> None:
        seen: dict[str, str] = {}
        for source in sources:
            split = self._of_source.get(source.source_id)
            if split is not None and seen.setdefault(source.sha256, split) != split:
                self._find("split-source", source.source_id, f"the same file stands in {seen[source.sha256]}")

    def _find(self, code: str, place: str, message: str) -> None:
        self.findings.append(_error(code, place, message))


def _error(code: str, place: str, message: str) -> Finding:
    return Finding(code=code, place=place, message=message)
