"""Reading a release folder, ours or anybody's, for those who run models on it and score them."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter, ValidationError

from ..errors import InputError, UsageError
from ..release.apart import places
from ..release.layout import ANSWERS, ERRATA, INPUTS, KEYS, LOCKED, MANIFEST, MEDIA, TRANSCRIPT
from ..release.lock import passphrase, unlock
from ..schemas.base import sha256
from ..schemas.clip import TranscriptLine
from ..schemas.files import file_hash, parse_record, read_record, read_records
from ..schemas.release import Ancestor, Erratum, KeyRow, Manifest, MediaRow, ModelInput

LINES = TypeAdapter(list[TranscriptLine])


class Release(NamedTuple):
    """A release folder with its manifest."""

    folder: Path
    manifest: Manifest
    sha256: str
    """Hash of `release.json`."""
    carries: bool = False
    """Whether replies to earlier versions count where what was shown is still the same."""
    answers: Path | None = None
    """Where the answers lie that are kept apart, if not beside it: a folder, or the file of the keys."""
    key: Path | None = None
    """File with the passphrase of encrypted answers."""

    @property
    def title(self) -> str:
        return f"{self.manifest.name} {self.manifest.version}"

    def inputs(self) -> list[ModelInput]:
        return list(read_records(self.folder / INPUTS, ModelInput))

    def transcripts(self) -> dict[str, list[TranscriptLine]]:
        """Lines by media path, of every clip that the manifest of media lists. Raises `InputError`."""
        rows = read_records(self.folder / MEDIA, MediaRow)
        return {row.media: self._transcript(row.media) for row in rows if TRANSCRIPT.fullmatch(row.media)}

    def filmed(self) -> dict[str, MediaRow]:
        """The clips that a video shows, by media path: an aligned play, or a stretch of a video of its own."""
        videos = {source.source_id for source in self.manifest.sources if source.kind == "video"}
        rows = read_records(self.folder / MEDIA, MediaRow)
        return {row.media: row for row in rows if row.video or (row.unit == "seconds" and row.source_id in videos)}

    def errata(self) -> Iterator[Erratum]:
        """Every correction that it knows of. Raises `InputError`."""
        return read_records(self.folder / ERRATA, Erratum) if self.manifest.history else iter(())

    def ancestor(self, sha256: str) -> Ancestor | None:
        """The earlier version with this manifest."""
        return next((one for one in self.manifest.history if one.sha256 == sha256), None)

    def _transcript(self, media: str) -> list[TranscriptLine]:
        path = self.folder / media
        try:
            return LINES.validate_json(path.read_bytes())
        except OSError as error:
            raise InputError(path, (error.strerror or str(error)).lower()) from None
        except ValidationError as error:
            raise InputError(path, f"no transcript: {error.errors()[0]['msg']}") from None

    def keys(self) -> Iterator[KeyRow]:
        """Raises `InputError` where the answers are withheld, or are not those of this release."""
        if self.key is not None:
            path = self.folder / LOCKED
            data = unlock(path, passphrase(self.key), self.manifest.canary)
            self._own(path, sha256(data))
            return (parse_record(line, KeyRow, path, at) for at, line in enumerate(data.splitlines(), 1))
        path = self._keys()
        if path.parent != self.folder / ANSWERS.folder:
            self._own(path, file_hash(path))
        return read_records(path, KeyRow)

    def _keys(self) -> Path:
        if self.answers is not None and self.answers.is_file():
            return self.answers
        found = places(self.folder, self.answers).get(ANSWERS.name)
        if found is None:
            how = {"apart": "name their folder with --answers", "encrypted": "name the file of their key with --key"}
            done = how.get(self.manifest.answers, "ask its authors")
            raise InputError(self.folder / KEYS, f"the answers of this release are withheld; {done}")
        return found / KEYS.removeprefix(ANSWERS.folder)

    def _own(self, path: Path, found: str) -> None:
        if found != self.manifest.files.get(KEYS):
            raise InputError(path, f"holds not the answers that {self.folder / MANIFEST} names by hash")


def outside(place: Path) -> Path:
    """`place`. Raises `UsageError` where it lies in a release, whose files must stay those it was frozen with."""
    for parent in place.resolve().parents:
        if (parent / MANIFEST).is_file():
            raise UsageError(f"{place} lies in the release {parent}, which must stay as it is; choose another place")
    return place


def open_release(
    release: "Path | Release", *, carries: bool = False, answers: Path | None = None, key: Path | None = None
) -> Release:
    """A release from its folder, or one that is open already. `carries` lets replies to earlier versions count;
    `answers` and `key` say where answers lie, and what opens them.

    Raises `InputError` for a folder that is no release.
    """
    if isinstance(release, Release):
        return release
    path = release / MANIFEST
    manifest = read_record(path, Manifest)
    return Release(release, manifest, sha256(path.read_bytes()), carries, answers, key)
