"""Freezing: a release is gated, written beside its place, flushed to disk, and appears there whole or not at all."""

import re
from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from ..errors import UsageError
from ..schemas.clip import Clip
from ..schemas.files import to_line
from ..schemas.release import DAY, Manifest, MediaRow
from . import apart, documents, layout
from .content import UNREVIEWED, ReleaseContent
from .folder import NewFolder, new_folder
from .gates import Gates
from .lock import lock
from .manifest import canary, count
from .signature import Sign


def freeze(content: ReleaseContent, folder: Path, *, sign: Sign | None = None, secret: bytes = b"") -> Path:
    """Write the release to `folder`, which must not exist yet. Equal content gives equal bytes.

    `sign` signs the sums; `secret` is the passphrase of answers that are handed on encrypted. Answers that are not
    plain lie in `apart.beside(folder)` with the grounding.

    Raises `RefusedError` with every finding where a gate refuses, `UsageError` for a version, date or folder that
    cannot be used, `StoppedError` where the disk fills; then nothing is left behind.
    """
    _check_form(content)
    gates = Gates(content)
    with new_folder(folder) as out:
        _write_clips(content, out, gates)
        counts = _write_rows(out, gates)
        if content.history:
            out.write(layout.ERRATA, b"".join(map(to_line, content.errata)))
        out.write(layout.HEADS, layout.heads_text(content.heads).encode())
        gates.refuse()
        if content.answers == "encrypted":
            key = (out.root / layout.KEYS).read_bytes()
            out.write(layout.LOCKED, lock(key, secret, _canary(content)))
        _write_manifest(content, counts, out)
        for part in layout.PARTS:
            out.write(part.sums, layout.sums_text(part, out.hashes).encode())
        if sign is not None:
            out.write(layout.SIGNATURE, sign((out.root / layout.SUMS).read_bytes()))
        if content.answers != "plain":
            apart.move(out, apart.beside(folder))
    return folder


def _check_form(content: ReleaseContent) -> None:
    if not layout.NAME.fullmatch(content.title):
        raise UsageError(f"name {content.name!r}: expected small letters, digits, dots, dashes and underscores")
    if not layout.VERSION.fullmatch(content.version):
        raise UsageError(f"version {content.version!r}: expected three numbers, as 1.0.0")
    if not re.fullmatch(DAY, content.date):
        raise UsageError(f"date {content.date!r}: expected YYYY-MM-DD")
    if content.reviewed and content.title.endswith(UNREVIEWED):
        raise UsageError(f"name {content.name!r}: a reviewed release cannot be called so")


def _canary(content: ReleaseContent) -> str:
    return canary(content.title, content.version, content.permutation_seed)


def _write_clips(content: ReleaseContent, out: NewFolder, gates: Gates) -> None:
    with out.open(layout.MEDIA) as manifest:
        for clip in content.clips():
            if gates.clip(clip):
                digest = out.write(clip.ref.media, to_line(clip.model_dump(mode="json")["transcript"]))
                manifest.write(to_line(_media_row(clip, digest, gates.sources[clip.source_id].license)))


def _media_row(clip: Clip, digest: str, license: str) -> MediaRow:
    ref = clip.ref
    return MediaRow(
        media=ref.media,
        source_id=clip.source_id,
        start=ref.start,
        end=ref.end,
        unit=ref.unit,
        sha256=digest,
        license=license,
        video=clip.video,
    )


def _write_rows(out: NewFolder, gates: Gates) -> Counter[str]:
    counts = Counter[str](items=0)
    with ExitStack() as opened:
        files = [layout.KEYS, layout.TRACES, *map(layout.inputs, gates.splits)]
        files += [layout.DEV_KEYS] if "dev" in gates.splits else []
        sinks = {path: opened.enter_context(out.open(path)) for path in files}
        for row in gates.checked():
            split = gates.split(row)
            paths = (layout.inputs(split), layout.KEYS, layout.TRACES)
            for path, record in zip(paths, row, strict=True):
                if record is not None:
                    sinks[path].write(to_line(record))
            if split == "dev" and row.key is not None:
                sinks[layout.DEV_KEYS].write(to_line(row.key))
            count(counts, row, split if len(gates.splits) > 1 else "")
    return counts


def _write_manifest(content: ReleaseContent, counts: Mapping[str, int], out: NewFolder) -> None:
    manifest = Manifest(
        name=content.title,
        version=content.version,
        date=content.date,
        canary=_canary(content),
        license=content.license,
        reviewed=content.reviewed,
        counts=dict(counts),
        files=layout.data_files(out.hashes),
        prompts=dict(content.prompts),
        policies=dict(content.policies),
        permutation_seed=content.permutation_seed,
        resampler_id=content.resampler_id,
        isolation_root=out.hashes[layout.HEADS],
        overrides=tuple(content.overrides),
        answers=content.answers,
        history=tuple(content.history),
        splits={split: tuple(sorted(names)) for split, names in content.splits.items()},
        sources=tuple(sorted(content.sources, key=lambda source: source.source_id)),
        yields=dict(content.yields),
        tool_version=content.tool_version,
    )
    out.write(layout.MANIFEST, to_line(manifest))
    for path, text in documents.of(manifest).items():
        out.write(path, text.encode())
