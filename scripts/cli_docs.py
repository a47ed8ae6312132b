"""Write `docs/cli.md` from the command line itself: its commands, arguments, options and their help texts."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer
from benchwright.cli.main import app
from typer.core import TyperGroup

PAGE = Path(__file__).resolve().parent.parent / "docs" / "cli.md"
HEAD = """# Command line

Made from the program by `scripts/cli_docs.py`. Results go to stdout (`--json` prints one JSON object), progress and
messages to stderr; [exit codes](exit-codes.md) say how a command ended. Commands that work on a project find its
`benchwright.yaml` in the current folder or above.
"""


def commands(command: Any, path: str) -> Iterator[tuple[str, Any]]:
    """A command and those below it, by their full names."""
    if isinstance(command, TyperGroup):
        for name, below in command.commands.items():
            yield from commands(below, f"{path} {name}")
    else:
        yield path, command


def usage(command: Any, path: str) -> str:
    arguments = [param for param in command.params if param.param_type_name == "argument"]
    return " ".join([path, *(shown(argument) for argument in arguments), "[OPTIONS]"])


def shown(argument: Any) -> str:
    name = argument.metavar or argument.name.upper()
    name = f"{name}..." if argument.nargs != 1 else name
    return name if argument.required or name.startswith("[") else f"[{name}]"


def spelled(param: Any) -> str:
    if param.param_type_name == "argument":
        return shown(param)
    value = "" if param.is_flag else f" {param.metavar or param.name.upper()}"
    return f"{'/'.join(param.opts)}{value}"


def section(path: str, command: Any) -> str:
    rows = [f"| `{spelled(param)}` | {param.help} |" for param in command.params]
    table = "\n".join(["", "| | |", "|---|---|", *rows, ""]) if rows else ""
    return f"## {path}\n\n```\n{usage(command, path)}\n```\n\n{' '.join(command.help.split())}\n{table}"


def render() -> str:
    return "\n".join([HEAD, *(section(*found) for found in commands(typer.main.get_command(app), "benchwright"))])


def main() -> None:
    PAGE.write_text(render(), encoding="utf-8")
    print(PAGE)


if __name__ == "__main__":
    main()
