"""Results go to stdout, as text or as one JSON object; progress and messages go to stderr."""

import json
import sys
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Annotated, Any

import typer

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]


def emit(command: str, result: Mapping[str, Any], lines: Iterable[str], *, as_json: bool) -> None:
    """Print a result: as `schema` and the keys of `result` on one line, or as lines of text."""
    if as_json:
        ascii_only = (sys.stdout.encoding or "").lower() != "utf-8"
        print(json.dumps({"schema": f"benchwright/{command}/1", **result}, ensure_ascii=ascii_only))
    else:
        for line in lines:
            print(printable(line))


def note(message: str) -> None:
    """A message for the person at the terminal."""
    print(printable(message), file=sys.stderr)


def printable(line: str) -> str:
    """One line without the characters that would steer a terminal, whatever releases, logs and stories hold."""
    return "".join(c if _shows(c) else c.encode("unicode_escape").decode() for c in line)


def _shows(char: str) -> bool:
    """Spaces of any width, and the joiners that scripts are written with, do no harm."""
    return char.isprintable() or unicodedata.category(char) == "Zs" or char in "\u200c\u200d"
