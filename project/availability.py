"""Whether the media that a release rests on can still be had: as files, by hash, and, if asked, at their address."""

import http.client
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from ..errors import UsageError
from ..schemas.files import file_hash
from ..schemas.release import SourceFacts
from .releases import open_release

Status = Literal["available", "changed", "missing", "unknown"]
GONE = (404, 410, 451)
"""Answers by which a server says that there is no such thing any more."""
TIMEOUT = 20.0
"""Seconds."""


class Found(NamedTuple):
    """What became of one source."""

    source: str
    kind: str
    where: str
    """The file, the address, or what was looked through."""
    status: Status
    note: str = ""

    @property
    def fault(self) -> bool:
        return self.status in ("changed", "missing")


def available(release: Path, places: Sequence[Path], *, online: bool = False) -> tuple[Found, ...]:
    """Each source of a release among the files in `places`; and, `online`, what its address answers. Nothing else goes
    over the network, and nothing is downloaded.

    Raises `UsageError` for a place that is not there, `InputError` for a folder that is no release.
    """
    manifest = open_release(release).manifest
    found = list(_at_hand(manifest.sources, places)) if places else []
    return (*found, *(_ask(source) for source in manifest.sources if online))


def _at_hand(sources: Sequence[SourceFacts], places: Sequence[Path]) -> Iterator[Found]:
    files = [file for place in places for file in _files(place)]
    by_hash = {file_hash(file): file for file in reversed(files)}
    named = {file.stem: file for file in files}
    for one in sources:
        if one.sha256 in by_hash:
            yield Found(one.source_id, one.kind, str(by_hash[one.sha256]), "available")
        elif one.source_id in named:
            note = f"its hash is not {one.sha256}"
            yield Found(one.source_id, one.kind, str(named[one.source_id]), "changed", note)
        else:
            yield Found(one.source_id, one.kind, ", ".join(map(str, places)), "missing", "no file there has its hash")


def _files(place: Path) -> list[Path]:
    if place.is_dir():
        return sorted(path for path in place.rglob("*") if path.is_file())
    if place.is_file():
        return [place]
    raise UsageError(f"{place} is not there; name a file, or a folder of files")


class HeadAgain(urllib.request.HTTPRedirectHandler):
    """Asks for no more at another address than at the first."""

    def redirect_request(self, req: urllib.request.Request, *args: Any, **kwargs: Any) -> urllib.request.Request | None:
        again = super().redirect_request(req, *args, **kwargs)
        if again is not None:
            again.method = "HEAD"
        return again if again is None or again.type in ("http", "https") else None


def _length(said: str | None) -> int | None:
    """Bytes; None where a server says nothing that is a length."""
    return int(said) if said and said.isascii() and said.isdecimal() and len(said) < 20 else None


def _ask(source: SourceFacts) -> Found:
    """What the address of a source answers to HEAD."""

    def found(status: Status, note: str) -> Found:
        return Found(source.source_id, source.kind, source.url or "", status, note)

    if source.url is None:
        return found("unknown", "the release names no address")
    if not source.url.startswith(("http://", "https://")):
        return found("unknown", "no address of the web")
    try:
        asked = urllib.request.Request(source.url, method="HEAD", headers={"User-Agent": "benchwright"})
        with urllib.request.build_opener(HeadAgain).open(asked, timeout=TIMEOUT) as answer:
            size = _length(answer.headers.get("Content-Length"))
    except urllib.error.HTTPError as error:
        error.close()
        return found("missing" if error.code in GONE else "unknown", f"the server answers {error.code}")
    except (OSError, ValueError, http.client.HTTPException) as error:
        return found("unknown", f"no answer: {getattr(error, 'reason', error)}")
    if source.size is not None and size is not None and size != source.size:
        return found("changed", f"{size} bytes, and it had {source.size}")
    return found("available", "" if size is not None else "the server does not say how long it is")
