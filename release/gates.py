"""The gates of a release: what must be right before anything of it is published."""

from collections.abc import Iterator, Mapping, Sequence

from ..errors import RefusedError
from ..schemas.base import digest
from ..schemas.clip import Clip
from ..schemas.finding import Finding
from ..schemas.release import KeyRow, ModelInput, SourceFacts
from . import rows
from .content import ReleaseContent
from .errata import retired
from .layout import MANIFEST, SPLITS, TRANSCRIPT
from .licenses import is_license
from .splits import REST, Splitting

Place = tuple[str, str]
"""Where a public text stands, and the text."""


class Gates:
    """Looks at each clip and row as it is written, and remembers what shows only in the whole."""

    def __init__(self, content: ReleaseContent) -> None:
        self.findings: list[Finding] = []
        self.sources: Mapping[str, SourceFacts] = {source.source_id: source for source in content.sources}
        self._content = content
        self._clips: dict[str, rows.Extent] = {}
        self._rules = rows.Rules(self._clips, self.sources, retired=retired(content.errata))
        self._unused: set[str] = set()
        self._last_media = ""
        self._questions: dict[str, str] = {}
        self._splitting = Splitting(content.splits, content.sources)
        self._facts()

    @property
    def splits(self) -> tuple[str, ...]:
        """The splits that are written."""
        return tuple(split for split in SPLITS if split == REST or split in self._content.splits)

    def split(self, row: rows.Joined) -> str:
        return self._splitting.split(row.item) if row.item is not None else REST

    def refuse(self) -> None:
        """Raise `RefusedError` with all that was found, if anything was."""
        self.findings.extend(self._splitting.all())
        for media in sorted(self._unused):
            self._find("clip-unused", media, "no item uses the clip, so it would be published for nothing")
        self._unused.clear()
        if not self._questions:
            self._find("release-empty", MANIFEST, "there is no item to release")
        if self.findings:
            lines = tuple(f"{finding.place}: {finding.message} [{finding.code}]" for finding in self.findings)
            raise RefusedError(f"{len(lines)} findings: nothing was frozen", lines)

    def clip(self, clip: Clip) -> bool:
        """Whether the clip can be written at all."""
        ref, lines = clip.ref, len(clip.transcript)
        self._leaks(ref.media, _texts_of_clip(clip))
        if not TRANSCRIPT.fullmatch(ref.media):
            self._find("clip-path", ref.media, "a transcript is called media/NAME.json, of letters, digits and . _ -")
        elif ref.media <= self._last_media:
            self._find("id-collision", ref.media, f"the clip stands twice, or behind {self._last_media}")
        elif clip.source_id not in self.sources:
            self._find("source-missing", ref.media, f"the release names no source {clip.source_id}")
        elif ref.unit == "lines" and not ref.start <= ref.end <= lines:
            self._find("clip-range", ref.media, f"{ref.start:g}–{ref.end:g} is no part of {lines} lines")
        elif problem := rows.video_problem(clip.video, self.sources):
            self._find("video-range", ref.media, problem)
        else:
            self._clips[ref.media] = rows.Extent(ref.start, ref.end, ref.unit)
            self._unused.add(ref.media)
            self._last_media = ref.media
            videos = [clip.video.source_id] if clip.video else []
            self._splitting.clip(ref.media, [clip.source_id, *videos], clip.transcript)
            return True
        return False

    def checked(self) -> Iterator[rows.Joined]:
        """The items with their keys and traces, each looked at."""
        content = self._content
        items = rows.ascending(content.items(), self._collision)
        keys = rows.ascending(content.keys(), self._collision)
        traces = rows.ascending(content.traces(), self._collision)
        for row in rows.joined(items, keys, traces):
            self._row(row)
            yield row

    def _row(self, row: rows.Joined) -> None:
        self.findings.extend(self._rules.of(row))
        if row.item is not None:
            if row.id not in self._content.heads:
                self._find("isolation-head-missing", row.id, "the isolation log knows nothing of the item")
            self._unused.discard(row.item.clip.media)
            self._leaks(row.id, _texts_of_item(row.item))
            self._duplicate(row.item)
            self._splitting.item(row.item, row.key)
            if row.key is not None and self.split(row) == "dev":
                self._leaks(f"{row.id}/key", _texts_of_key(row.key))

    def _facts(self) -> None:
        content = self._content
        texts = [("name", content.title), ("license", content.license)]
        texts += [(f"override {override.gate}", override.reason) for override in content.overrides]
        texts += [(f"reason for {erratum.id}", erratum.reason) for erratum in content.errata]
        self._license(MANIFEST, content.license)
        for source in content.sources:
            self._license(f"source {source.source_id}", source.license)
            texts.append((f"source {source.source_id}", source.license))
        self._leaks(MANIFEST, texts)

    def _license(self, place: str, license: str) -> None:
        if not license.strip():
            self._find("license-missing", place, "no licence is given; say an SPDX id, as CC-BY-4.0")
        elif not is_license(license):
            self._find("license-unknown", place, f"{license!r} is no licence; say an SPDX id, as CC-BY-4.0")

    def _duplicate(self, item: ModelInput) -> None:
        key = digest(rows.letters(item.question), *sorted(rows.letters(option.text) for option in item.options))
        first = self._questions.setdefault(key, item.id)
        if first != item.id:
            self._find("item-duplicate", item.id, f"asks the same as {first}")

    def _leaks(self, place: str, texts: Sequence[Place]) -> None:
        # One search over all texts is much cheaper than one each, and finds no less.
        if self._content.leaks("\n".join(text for _, text in texts)):
            for where, text in texts:
                for name in sorted({leak.name for leak in self._content.leaks(text)}):
                    self._find("name-leak", f"{place}/{where}", f"holds the name {name!r}")

    def _collision(self, place: str, message: str) -> None:
        self._find("id-collision", place, message)

    def _find(self, code: str, place: str, message: str) -> None:
        self.findings.append(Finding(code=code, place=place, message=message))


def _texts_of_clip(clip: Clip) -> list[Place]:
    lines = list(enumerate(clip.transcript, 1))
    texts = [("path", clip.ref.media)] + [(f"line {number}", line.text) for number, line in lines]
    return texts + [(f"speaker of line {number}", line.speaker) for number, line in lines if line.speaker]


def _texts_of_item(item: ModelInput) -> list[Place]:
    named = ("capability", "interaction", "background", "question")
    texts = [(name, str(getattr(item, name))) for name in named] + [("clip", item.clip.media)]
    texts += [(option.id, option.text) for option in item.options]
    return texts + [("history", text) for text in item.history]


def _texts_of_key(key: KeyRow) -> list[Place]:
    """Of a key that everybody gets."""
    cues = [(f"cue {number}", cue) for number, cue in enumerate(key.cues, 1)]
    return [("answer", key.answer_text), *cues, *(("tag", tag) for tag in key.tags)]
