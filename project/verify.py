"""`verify`: a release against itself, offline. It works on any release folder, in a project or not."""

import tempfile
from pathlib import Path

from ..errors import UsageError
from ..release import layout
from ..release.lock import passphrase, unlock
from ..release.verify import Verified
from ..release.verify import verify as check
from ..schemas.base import sha256
from .releases import open_release

__all__ = ["Verified", "verify"]


def verify(
    release: Path, *, answers: Path | None = None, key: Path | None = None, signers: Path | None = None
) -> Verified:
    """Check a release. `answers` is a folder with the parts that are kept apart, `key` a file with the passphrase of
    its answers, `signers` a file of those whose signature is trusted.

    Raises what `release.verify` raises, and `InputError` for a key that does not open the answers.
    """
    if key is None:
        return check(release, kept=answers, signers=signers)
    if answers is not None:
        raise UsageError("give the answers, or the key that opens them, not both")
    data = unlock(release / layout.LOCKED, passphrase(key), open_release(release).manifest.canary)
    with tempfile.TemporaryDirectory() as place:
        (Path(place) / layout.ANSWERS.folder).mkdir()
        (Path(place) / layout.KEYS).write_bytes(data)
        sums = layout.sums_text(layout.ANSWERS, {layout.KEYS: sha256(data)})
        (Path(place) / layout.ANSWERS.sums).write_bytes(sums.encode())
        return check(release, kept=Path(place), signers=signers)
