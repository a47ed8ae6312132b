"""Checking a release offline, against itself alone: nothing of the project that made it is needed.

Every file is hashed, every line read under its schema, every document made again from the manifest. What is found is
listed, not raised, so that one call shows all of it.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from heapq import merge
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter

from ..errors import InputError
from ..schemas.base import content_hash
from ..schemas.clip import TranscriptLine
from ..schemas.release import Erratum, KeyRow, Manifest, MediaRow, ModelInput, SourceFacts, TraceRow
from . import documents, errata, layout, reading, rows, signature
from .content import UNREVIEWED
from .manifest import canary, count
from .reading import Problem, Report
from .splits import REST, Splitting

_TRANSCRIPT: TypeAdapter[tuple[TranscriptLine, ...]] = TypeAdapter(tuple[TranscriptLine, ...])
_HEAD = re.compile(rb"^([^\s]+) (sha256:[0-9a-f]{64})$", re.MULTILINE)
_CONSISTENT = "this shows that the files belong together, not who made them"
_GROUPS = (("status", layout.ANSWERS),)
"""Groups of counts that only a part which may be withheld can tell."""
_FILES = {
    "id-used-again": layout.ERRATA,
    "key-missing": layout.KEYS,
    "answer-missing": layout.KEYS,
    "trap-missing": layout.KEYS,
    "source-missing": layout.KEYS,
    "trace-missing": layout.TRACES,
    "recipe-options": layout.TRACES,
    "story-missing": layout.TRACES,
}
"""Where the defect lies that a rule finds; in the inputs where it is not listed."""


class Verified(NamedTuple):
    problems: tuple[Problem, ...]
    """Every defect with its file, in the order of the files; none for a sound release."""
    notes: tuple[str, ...]
    """What could not be checked, and why."""

    @property
    def ok(self) -> bool:
        return not self.problems


def verify(folder: Path, *, kept: Path | None = None, signers: Path | None = None) -> Verified:
    """Check a release; a withheld part is a note, not a problem. `kept` is a folder with parts that were withheld,
    `signers` a file of those whose signature is trusted.

    Raises `InputError` where there is no such folder or file, `UsageError` where a signature is to be checked and
    nothing there can.
    """
    for place in (folder, kept):
        if place is not None and not place.is_dir():
            raise InputError(place, "is no folder; name the folder of a release")
    if signers is not None and not signers.is_file():
        raise InputError(signers, "there is no such file of allowed signers")
    return _Verification(folder, kept, signers).run()


class _Verification:
    """One run over one folder, and perhaps one with parts that were withheld."""

    def __init__(self, folder: Path, kept: Path | None, signers: Path | None) -> None:
        self.root, self.signers, self.report = folder, signers, Report()
        self.roots: dict[str, Path] = {}
        files, self.folders = reading.listing(folder, self.report)
        self.hashes = {path: reading.hash_of(folder, path, self.report) for path in files}
        if kept is not None:
            self._add(kept)
        self.parts = [part for part in layout.PARTS if not part.folder or part.folder[:-1] in self.folders]
        self.clips: dict[str, rows.Extent] = {}
        self.errata: dict[str, Erratum] = {}
        self.signed = ""
        self.counts = Counter[str](items=0)
        self.splitting = Splitting({}, ())
        self.split: dict[str, str] = {}

    def _add(self, kept: Path) -> None:
        """The parts that lie in another folder."""
        files, folders = reading.listing(kept, self.report)
        for folder in folders:
            part = layout.part_of(f"{folder}/")
            if part.folder != f"{folder}/" or folder in self.folders:
                self.report.add(folder, f"does not belong into {kept}")
            else:
                self.roots[part.name] = kept
        self.folders = [*self.folders, *(folder for folder in folders if folder not in self.folders)]
        for path in files:
            if layout.part_of(path).name in self.roots:
                self.hashes[path] = reading.hash_of(kept, path, self.report)
            else:
                self.report.add(path, f"does not belong into {kept}")

    def _place(self, path: str) -> Path:
        """The folder below which a file of the release lies."""
        return self.roots.get(layout.part_of(path).name, self.root)

    def run(self) -> Verified:
        manifest = self._whole(layout.MANIFEST, Manifest.model_validate_json)
        if manifest is not None:
            self.splitting = Splitting(manifest.splits, manifest.sources)
        self._clips(manifest)
        self._errata(manifest)
        self._listing(manifest)
        self._sums()
        self._signature()
        self._rows(manifest)
        if manifest is not None:
            self._manifest(manifest)
            self._documents(manifest)
        return Verified(self.report.problems(), tuple(self._notes(manifest)))

    def _clips(self, manifest: Manifest | None) -> None:
        """The clips of the media manifest, each held against its transcript."""
        sources = {source.source_id: source for source in manifest.sources} if manifest else None
        last = ""
        for row in self._records(layout.MEDIA, MediaRow):
            if row.media <= last:
                self.report.add(layout.MEDIA, f"{row.media}: stands twice, or behind {last}")
            if sources is not None:
                self._origin(row, sources)
            if layout.TRANSCRIPT.fullmatch(row.media):
                lines = self._transcript(row)
                videos = [row.video.source_id] if row.video else []
                self.splitting.clip(row.media, [row.source_id, *videos], lines or ())
            else:
                self.report.add(layout.MEDIA, f"{row.media!r}: a transcript is called media/NAME.json")
            last = max(last, row.media)
            self.clips[row.media] = rows.Extent(row.start, row.end, row.unit)

    def _origin(self, row: MediaRow, sources: Mapping[str, SourceFacts]) -> None:
        """The source of a clip, and the video that shows it, against the manifest."""
        if row.source_id not in sources or sources[row.source_id].license != row.license:
            self.report.add(layout.MEDIA, f"{row.media}: source or licence is not that of {layout.MANIFEST}")
        if problem := rows.video_problem(row.video, sources):
            self.report.add(layout.MEDIA, f"{row.media}: {problem}")

    def _transcript(self, row: MediaRow) -> tuple[TranscriptLine, ...] | None:
        if self.hashes.get(row.media, row.sha256) != row.sha256:
            self.report.add(row.media, f"differs from its hash in {layout.MEDIA}")
        lines = self._whole(row.media, _TRANSCRIPT.validate_json)
        if row.unit == "lines" and lines is not None and not row.start <= row.end <= len(lines):
            self.report.add(layout.MEDIA, f"{row.media}: {row.start:g}–{row.end:g} is no part of {len(lines)} lines")
        return lines

    def _errata(self, manifest: Manifest | None) -> None:
        """The corrections of earlier versions, and that they lead to this one."""
        found = list(self._records(layout.ERRATA, Erratum))
        self.errata = errata.latest(found)
        if manifest is not None:
            for problem in errata.disorder(found, manifest.history, manifest.version):
                self.report.add(layout.ERRATA, problem)

    def _listing(self, manifest: Manifest | None) -> None:
        """Every file that belongs there, and no other."""
        expected = {path for part in self.parts for path in (*part.files, part.sums)} | set(self.clips)
        if manifest is not None and manifest.history:
            expected.add(layout.ERRATA)
        if manifest is not None and manifest.answers == "encrypted":
            expected.add(layout.LOCKED)
        if manifest is not None:
            expected |= {layout.inputs(split) for split in manifest.splits if split in layout.SPLITS}
            expected |= {layout.DEV_KEYS} if "dev" in manifest.splits else set()
        for path in sorted(expected - set(self.hashes)):
            self.report.add(path, "is missing")
        for path in sorted(set(self.hashes) - expected - {layout.SIGNATURE}):
            self.report.add(path, "does not belong to the release")
        for folder in sorted(set(self.folders) - layout.FOLDERS):
            self.report.add(folder, "does not belong to the release")

    def _sums(self) -> None:
        for part in self.parts:
            stated = self._content(part.sums)
            regenerated = layout.sums_text(part, self.hashes).encode()
            if stated is None or stated == regenerated:
                continue
            self.report.add(part.sums, "differs from the sums of the files that are there")
            lines = set(stated.splitlines())
            for line in regenerated.splitlines():
                if line not in lines:
                    self.report.add(part.folder + line[66:].decode(), f"differs from its sum in {part.sums}")

    def _rows(self, manifest: Manifest | None) -> None:
        """Inputs, keys and traces brought together by id."""
        sources = {source.source_id: source for source in manifest.sources} if manifest else None
        gone = errata.retired(self.errata.values())
        rules = rows.Rules(self.clips, sources, [part.name for part in self.parts], gone)
        heads, unused = self._heads(), set(self.clips)
        public = self._dev_keys()
        for row in rows.joined(
            rows.ascending(self._inputs(), partial(self._order, layout.INPUTS)),
            rows.ascending(self._records(layout.KEYS, KeyRow), partial(self._order, layout.KEYS)),
            rows.ascending(self._records(layout.TRACES, TraceRow), partial(self._order, layout.TRACES)),
        ):
            for finding in rules.of(row):
                self.report.add(_FILES.get(finding.code, layout.INPUTS), f"{finding.place}: {finding.message}")
            if row.item is not None:
                unused.discard(row.item.clip.media)
                self._corrected(row.item)
                self._split(row.item, row.key or public.get(row.id), public.pop(row.id, None))
                if heads is not None and row.id not in heads:
                    self.report.add(layout.HEADS, f"{row.id}: has no head")
            split = self.split.pop(row.id, "")
            count(self.counts, row, split if self.splitting.declared else "")
        for media in sorted(unused):
            self.report.add(layout.MEDIA, f"{media}: no item uses it")
        for name in sorted(public):
            self.report.add(layout.DEV_KEYS, f"{name}: is no item of the development split")
        for finding in self.splitting.all():
            self.report.add(layout.MANIFEST, f"splits: {finding.place}: {finding.message}")

    def _inputs(self) -> Iterator[ModelInput]:
        """The items of all splits by id; each remembers the file that it came from."""
        files = [split for split in layout.SPLITS if layout.inputs(split) in self.hashes]
        streams = list(map(self._of_split, files))
        return streams[0] if len(streams) == 1 else merge(*streams, key=lambda item: item.id)

    def _of_split(self, split: str) -> Iterator[ModelInput]:
        path = layout.inputs(split)
        for item in rows.ascending(self._records(path, ModelInput), partial(self._order, path)):
            self.split[item.id] = split
            yield item

    def _dev_keys(self) -> dict[str, KeyRow]:
        return {key.id: key for key in self._records(layout.DEV_KEYS, KeyRow)}

    def _split(self, item: ModelInput, key: KeyRow | None, public: KeyRow | None) -> None:
        """An item stands in the file of its split, and its key is public in the development split alone."""
        split = self.split.get(item.id, REST)
        self.splitting.item(item, key)
        if split != self.splitting.split(item):
            place = self.splitting.split(item)
            self.report.add(layout.inputs(split), f"{item.id}: its clip is of a source of {place}")
        if (split == "dev") != (public is not None):
            self.report.add(layout.DEV_KEYS, f"{item.id}: {'has no' if public is None else 'has a'} public key")
        elif public is not None and key != public:
            self.report.add(layout.DEV_KEYS, f"{item.id}: is not what {layout.KEYS} says")
        elif public is not None:
            for finding in rows.of_key(item, public):
                self.report.add(layout.DEV_KEYS, f"{finding.place}: {finding.message}")

    def _corrected(self, item: ModelInput) -> None:
        """An item that was corrected is what its last erratum says."""
        last = self.errata.get(item.id)
        if last is not None and last.public_hash_after not in (None, content_hash(item)):
            self.report.add(layout.ERRATA, f"{item.id}: is not what {last.version} made of it")

    def _order(self, file: str, place: str, message: str) -> None:
        self.report.add(file, f"{place}: {message}")

    def _heads(self) -> frozenset[str] | None:
        """Ids of the items that have a head; None where there is nothing to read."""
        data = self._content(layout.HEADS)
        if data is None:
            return None
        found = {match[1].decode(errors="replace"): match[2].decode() for match in _HEAD.finditer(data)}
        if layout.heads_text(found).encode() != data:
            self.report.add(layout.HEADS, "is not one line `item head` for each item, ascending")
        return frozenset(found)

    def _manifest(self, manifest: Manifest) -> None:
        """What the manifest says against what is there."""
        name = layout.MANIFEST
        if manifest.reviewed == manifest.name.endswith(UNREVIEWED):
            self.report.add(name, "the name does not say whether people have reviewed it")
        if manifest.canary != canary(manifest.name, manifest.version, manifest.permutation_seed):
            self.report.add(name, "the canary is not that of name, version and seed")
        if self.hashes.get(layout.HEADS, manifest.isolation_root) != manifest.isolation_root:
            self.report.add(layout.HEADS, f"differs from the isolation root of {name}")
        withheld = tuple(f"{group}/" for group, part in _GROUPS if part not in self.parts)
        stated = {key: n for key, n in manifest.counts.items() if not key.startswith(withheld)}
        for key in sorted(stated.keys() | self.counts.keys()):
            if stated.get(key) != (there := self.counts.get(key)):
                self.report.add(name, f"counts {stated.get(key, 0)} {key}, and there are {there or 0}")
        self._files(manifest)

    def _files(self, manifest: Manifest) -> None:
        there = layout.data_files(self.hashes)
        stated = {path: value for path, value in manifest.files.items() if layout.part_of(path) in self.parts}
        for path in sorted(stated.keys() | there.keys()):
            if path not in stated:
                self.report.add(path, f"is not listed in {layout.MANIFEST}")
            elif path not in there:
                self.report.add(path, "is missing")
            elif stated[path] != there[path]:
                self.report.add(path, f"differs from its hash in {layout.MANIFEST}")

    def _documents(self, manifest: Manifest) -> None:
        if manifest.tool_version == version("benchwright"):
            for path, text in documents.of(manifest).items():
                if self._content(path) not in (None, text.encode()):
                    self.report.add(path, f"differs from what {layout.MANIFEST} gives")

    def _notes(self, manifest: Manifest | None) -> Iterator[str]:
        for part in layout.PARTS:
            if part not in self.parts:
                how = {"plain": "withheld", "apart": "kept apart", "encrypted": "not in the clear"}
                yield f"{part.name}: {how[manifest.answers] if manifest else 'withheld'}, so not checked"
        if manifest is not None and manifest.tool_version != version("benchwright"):
            yield (
                f"the documents were written by benchwright {manifest.tool_version}, this is {version('benchwright')}: "
                "they were held against their sums only"
            )
        yield self.signed or f"there is no signature: {_CONSISTENT}"

    def _signature(self) -> None:
        """Who vouches for the sums."""
        if layout.SIGNATURE not in self.hashes:
            if self.signers is not None:
                self.report.add(layout.SIGNATURE, "is missing, and a signature is asked for")
            return
        if self._content(layout.SIGNATURE) is None:
            return
        found = signature.check(self._content(layout.SUMS) or b"", self.root / layout.SIGNATURE, self.signers)
        if found.problem:
            self.report.add(layout.SIGNATURE, found.problem)
        self.signed = found.note if self.signers else f"{found.note}: {_CONSISTENT}"

    def _records(self, path: str, kind: type[reading.AnyRecord]) -> Iterator[reading.AnyRecord]:
        return reading.records(self._place(path), path, kind, self.report) if path in self.hashes else iter(())

    def _whole(self, path: str, read: Callable[[bytes], reading.Value]) -> reading.Value | None:
        return reading.whole(self._place(path), path, read, self.report) if path in self.hashes else None

    def _content(self, path: str) -> bytes | None:
        return reading.content(self._place(path), path, self.report) if path in self.hashes else None
