"""Add to `benchwright.yaml` as text, so that the author's comments and layout stay as they are."""

import re
from collections.abc import Mapping
from typing import Any

import yaml

from ..agents.signals import Proposal
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


def with_proposals(text: str, proposals: Mapping[str, Proposal]) -> str:
    """`text` with signals as comments under `signals`, those left out that stand in a comment already.

    The text stays as it is where its layout would make the comments mean something else.
    """
    fresh = {name: one for name, one in proposals.items() if not re.search(rf"(?m)^\s*#\s*{re.escape(name)}:", text)}
    if not fresh:
        return text
    line_end = "\r\n" if "\r\n" in text else "\n"
    try:
        added = _proposed(text, fresh).replace("\r\n", "\n").replace("\n", line_end)
        before, after = _read(text), _read(added)
        return added if after == before | {"signals": before.get("signals") or after["signals"]} else text
    except (yaml.YAMLError, KeyError):
        return text


def _proposed(text: str, proposals: Mapping[str, Proposal]) -> str:
    node = _value(yaml.compose(text, Loader=yaml.SafeLoader), "signals")
    if node is None:
        return f"{text.rstrip()}\n\nsignals:\n{_comments(proposals, 2)}"
    if isinstance(node, yaml.MappingNode) and node.value and not node.flow_style:
        return _below(text, _end(node), _comments(proposals, node.start_mark.column))
    if isinstance(node, yaml.MappingNode) and node.value:
        return _below(text, node.end_mark.index, _comments(proposals, 2))
    start, end = node.start_mark.index, node.end_mark.index
    return _below(text[:start].rstrip(" ") + text[end:], start, _comments(proposals, 2))


def _comments(proposals: Mapping[str, Proposal], indent: int) -> str:
    """Lines that count once their first character is taken away."""
    lines = ["# Proposed by `ingest`, and in force for no line until you have read it and taken its first # away:"]
    for name, (signal, doubt) in proposals.items():
        told = {key: list(value) if key == "between" else value for key, value in signal.model_dump().items()}
        flow = yaml.safe_dump(told, default_flow_style=True, allow_unicode=True, sort_keys=False, width=10**6).strip()
        key = yaml.safe_dump({name: 0}, allow_unicode=True).rpartition(":")[0]
        lines.append(f"#{' ' * indent}{key}: {flow}{f'  # {doubt}' if doubt else ''}")
    return "".join(f"{line}\n" for line in lines)


def _added(text: str, entry: dict[str, Any]) -> str:
    node = _value(yaml.compose(text, Loader=yaml.SafeLoader), "sources")
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


def _value(top: yaml.Node | None, name: str) -> yaml.Node | None:
    """What stands behind a key; None where the key is missing."""
    pairs = top.value if isinstance(top, yaml.MappingNode) else []
    return next((value for key, value in pairs if key.value == name), None)


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
