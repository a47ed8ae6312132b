"""Where everything lies in a release, and which part it belongs to."""

import re
from collections.abc import Container, Mapping
from typing import NamedTuple

from ..schemas.release import NAME as NAMED
from ..schemas.release import NUMBERS

MANIFEST = "release.json"
SPLITS = ("dev", "screening", "test")
"""In the order in which they are told; only the last is in every release."""
INPUTS = "model_input/test.jsonl"
DEV_KEYS = "dev/key.jsonl"
"""Keys of the development split, for everybody; a copy of its lines of the key."""
MEDIA = "media/manifest.jsonl"
KEYS = "answers/key.jsonl"
TRACES = "grounding/trace.jsonl"
ERRATA = "errata.jsonl"
"""There from the second version on."""
LOCKED = "answers.enc"
"""The key under a passphrase, where its author chose so."""
HEADS = "grounding/heads.txt"
SUMS = "SHA256SUMS"
SIGNATURE = "SHA256SUMS.sig"
PLUGINS = ("plugins/inspect/task.py", "plugins/lmms_eval/release.yaml", "plugins/lmms_eval/utils.py")
"""Tasks of other harnesses. They are code that people run, so they are summed, signed and made again like the rest."""
DOCUMENTS = ("README.md", "croissant.json", "CITATION.cff", ".zenodo.json", "LICENSE", "datasheet.md", *PLUGINS)

VERSION = re.compile(NUMBERS)
NAME = re.compile(NAMED)
TRANSCRIPT = re.compile(r"media/[A-Za-z0-9][A-Za-z0-9._-]*\.json")
"""What the path of a shipped transcript looks like: nothing that could lead out of the folder."""


class Part(NamedTuple):
    """Files that are handed on together. `folder` ends in a slash; the public part is all that is in no other."""

    name: str
    folder: str
    files: tuple[str, ...]
    """Paths of its data files, without the transcripts."""

    @property
    def sums(self) -> str:
        return self.folder + SUMS


PUBLIC = Part("public", "", (MANIFEST, INPUTS, MEDIA, *DOCUMENTS))
ANSWERS = Part("answers", "answers/", (KEYS,))
GROUNDING = Part("grounding", "grounding/", (TRACES, HEADS))
PARTS = (PUBLIC, ANSWERS, GROUNDING)
FOLDERS = frozenset(
    {"model_input", "dev", "media", "answers", "grounding", "plugins", "plugins/inspect", "plugins/lmms_eval"}
)


def inputs(split: str) -> str:
    """Path of the items of a split."""
    return f"model_input/{split}.jsonl"


def splits(files: Container[str]) -> tuple[str, ...]:
    """The splits of a release with these files."""
    return tuple(split for split in SPLITS if inputs(split) in files)


def part_of(path: str) -> Part:
    return next((part for part in (ANSWERS, GROUNDING) if path.startswith(part.folder)), PUBLIC)


def sums_text(part: Part, hashes: Mapping[str, str]) -> str:
    """What `sha256sum --check` reads inside the part's folder: a line a file, ascending by path.

    `hashes` maps paths in the release to `sha256:<hex>`; only those of the part count, and no sums or signature.
    """
    kept = sorted(path for path in hashes if part_of(path) == part and path not in (part.sums, SIGNATURE))
    return "".join(f"{hashes[path].removeprefix('sha256:')}  {path.removeprefix(part.folder)}\n" for path in kept)


def heads_text(heads: Mapping[str, str]) -> str:
    """The lines over which the isolation root is the hash."""
    return "".join(f"{item} {head}\n" for item, head in sorted(heads.items()))


def data_files(hashes: Mapping[str, str]) -> dict[str, str]:
    """The hashes that the manifest lists: of all but itself, the documents made from it, sums and signatures."""
    apart = {MANIFEST, SIGNATURE, *DOCUMENTS, *(part.sums for part in PARTS)}
    return {path: value for path, value in sorted(hashes.items()) if path not in apart}
