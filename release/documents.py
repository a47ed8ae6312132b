"""The documents of a release, each a function of the manifest alone, so that `verify` can make them again."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from ..schemas.release import Manifest
from . import layout, licenses
from .croissant import croissant
from .zenodo import zenodo

_TEMPLATES = {
    "README.md": "card.md.j2",
    "CITATION.cff": "citation.cff.j2",
    "LICENSE": "license.txt.j2",
    "datasheet.md": "datasheet.md.j2",
    "plugins/inspect/task.py": "inspect_task.py.j2",
    "plugins/lmms_eval/release.yaml": "lmms_task.yaml.j2",
    "plugins/lmms_eval/utils.py": "lmms_utils.py.j2",
}


def of(manifest: Manifest) -> dict[str, str]:
    """Every document by its path."""
    environment = _environment()
    facts = dict(_facts(manifest))
    written = {path: environment.get_template(name).render(facts) for path, name in _TEMPLATES.items()}
    return written | {"croissant.json": _json(croissant(manifest)), ".zenodo.json": _json(zenodo(manifest))}


def _json(document: dict[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("benchwright.release"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    environment.filters |= {"line": _line, "cell": _cell, "quoted": _quoted}
    return environment


def _facts(manifest: Manifest) -> Iterator[tuple[str, object]]:
    yield "manifest", manifest
    found = licenses.of(manifest.license)
    yield "found", found
    yield "texts", licenses.texts(manifest.license, manifest.date[:4], manifest.name)
    yield "hub", found[0].hub if len(found) == 1 else "other"
    yield "license_name", " and ".join(license.name for license in found)
    yield "languages", sorted({source.language for source in manifest.sources})
    yield "licenses", sorted({source.license for source in manifest.sources})
    yield "counted", {group: _counted(manifest, group) for group in ("capability", "interaction", "status")}
    yield "splits", layout.splits(manifest.files) or ("test",)
    yield "size", _size(manifest.counts.get("items", 0))
    key = "".join(c if c.isalnum() else "_" for c in f"{manifest.name}_{manifest.version}")
    yield "key", key
    yield "task", "benchwright_" + "".join(c if c.isascii() else "_" for c in key)


def _counted(manifest: Manifest, group: str) -> list[tuple[str, int]]:
    """Names and counts of one group, the most frequent first."""
    found = [(name.removeprefix(f"{group}/"), n) for name, n in manifest.counts.items() if name.startswith(f"{group}/")]
    return sorted(found, key=lambda pair: (-pair[1], pair[0]))


def _size(items: int) -> str:
    """The size category of Hugging Face."""
    bounds = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
    return next((name for bound, name in bounds if items < bound), "1M<n<10M")


def _line(text: str) -> str:
    """Text that stands in a line of Markdown and opens nothing of its own."""
    return "".join("\\" + c if c in "\\`*_<>[]|#" else c for c in " ".join(text.split()))


def _cell(text: str) -> str:
    """Text as code in a cell of a table."""
    return "`" + " ".join(text.split()).replace("`", "'").replace("|", "\\|") + "`"


def _quoted(text: str) -> str:
    """A JSON string, which is a YAML string too."""
    return json.dumps(text, ensure_ascii=False)
