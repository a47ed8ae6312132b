"""Add a source to `benchwright.yaml` as text, so that the author's comments and layout stay as they are."""

from typing import Any

import yaml

from ..errors import UsageError
from .config import FILE_NAME, SourceEntry


def with_source(text: str, source: SourceEntry) -> str:
    """`text` with one more entry under `sources`. Raises `UsageError` where its layout cannot be extended."""
    line_end = "\r\n" if "\r\n" in text else "\n"
    try:
        added = _added(text, source.model_dump(exclude_defaults=True)).replace("\r\n", "\n").replace("\n", line_end)
        wanted = _read(text) | {
            "sources": [*(_read(text).get("sources") or []), source.model_dump(exclude_defaults=True)]
        }
        if _read(added) == wanted:
            return added
    except yaml.YAMLError:
        pass
    raise UsageError(
        f"cannot add {source.path or source.url} to {FILE_NAME} by itself; add it under `sources:` by hand"
    )


def _added(text: str, entry: dict[str, Any]) -> str:
    node = _sources(yaml.compose(text, Loader=yaml.SafeLoader))
    if node is None:
        return f"{text.rstrip()}\n\nsources:\n{_block(entry, 0)}"
    if isinstance(node, yaml.SequenceNode) and node.value and node.flow_style:
        at = text.rindex("]", 0, node.end_mark.index)
        separator = " " if text[:at].rstrip().endswith(",") else ", "
        flow = yaml.safe_dump(entry, default_flow_style=True, allow_unicode=True, sort_keys=False, width=10**6).strip()
        return text[:at].rstrip() + separator + flow + text[at:]
    if isinstance(node, yaml.SequenceNode) and node.value:
        return _below(text, _end(node), _block(entry, node.start_mark.column))
    start, end = node.start_mark.index, node.end_mark.index
    return _below(text[:start].rstrip(" ") + text[end:], start, _block(entry, 0))


def _sources(top: yaml.Node | None) -> yaml.Node | None:
    """What stands behind the key `sources`; None where the key is missing."""
    pairs = top.value if isinstance(top, yaml.MappingNode) else []
    return next((value for key, value in pairs if key.value == "sources"), None)


def _end(node: yaml.Node) -> int:
    """Where the last scalar of a node ends; the marks of block nodes lie beyond the comments that follow."""
    while isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        node = last[1] if isinstance(last, tuple) else last
    return int(node.end_mark.index)


def _below(text: str, at: int, block: str) -> str:
    """`text` with a block inserted after the line in which `at` lies."""
    if text[at - 1 : at] == "\n":
        return text[:at] + block + text[at:]
    end = text.find("\n", at - 1)
    return f"{text.rstrip()}\n{block}" if end < 0 else text[: end + 1] + block + text[end + 1 :]


def _block(entry: dict[str, Any], indent: int) -> str:
    dumped = yaml.safe_dump([entry], default_flow_style=False, allow_unicode=True, sort_keys=False, width=10**6)
    return "".join(" " * indent + line for line in dumped.splitlines(keepends=True))


def _read(text: str) -> dict[str, Any]:
    return dict(yaml.safe_load(text) or {})
