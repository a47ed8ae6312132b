"""Write the JSON Schema of every record, of the story file and of the configuration into `schemas/json/`.

Each property carries the class of its field, and what the source says under the field.
"""

import ast
import importlib
import inspect
import json
import pkgutil
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import benchwright.schemas
from benchwright.project import config
from benchwright.schemas.base import Record, class_of

FOLDER = Path(__file__).resolve().parent.parent / "schemas" / "json"
NAMES = {"StoryFile": "story", "SharesFile": "shares", "Config": "configuration"}


def modules() -> list[ModuleType]:
    names = sorted(module.name for module in pkgutil.iter_modules(benchwright.schemas.__path__))
    return [importlib.import_module(f"benchwright.schemas.{name}") for name in names] + [config]


def records() -> dict[str, type[Record]]:
    """Every record that is defined in `schemas/` or in the configuration, by name."""
    found = [value for module in modules() for value in vars(module).values() if inspect.isclass(value)]
    whole = [one for one in found if issubclass(one, Record) and one is not Record and one.__name__[0] != "_"]
    return {record.__name__: record for record in whole}


def notes(module: ModuleType) -> dict[tuple[str, str], str]:
    """The text under each field, by class and field."""
    found: dict[tuple[str, str], str] = {}
    for node in ast.parse(inspect.getsource(module)).body:
        for field, below in zip(node.body, node.body[1:], strict=False) if isinstance(node, ast.ClassDef) else ():
            if (
                isinstance(field, ast.AnnAssign)
                and isinstance(below, ast.Expr)
                and isinstance(below.value, ast.Constant)
            ):
                found[node.name, ast.unparse(field.target)] = " ".join(str(below.value.value).split())
    return found


def annotate(schema: dict[str, Any], record: type[Record], described: dict[tuple[str, str], str]) -> None:
    """Give each property of one record its class and its text."""
    for name, field in record.model_fields.items():
        entry = schema["properties"][field.alias or name]
        entry["class"] = class_of(record, name)
        for owner in record.__mro__:
            if (owner.__name__, name) in described:
                entry.setdefault("description", described[owner.__name__, name])


def render() -> dict[str, str]:
    """The text of every schema file, by file name."""
    known, described = records(), {key: text for module in modules() for key, text in notes(module).items()}
    files: dict[str, str] = {}
    for name, record in known.items():
        if record.__module__ == config.__name__ and record is not config.Config:
            continue
        schema = {"$schema": "https://json-schema.org/draft/2020-12/schema"} | record.model_json_schema()
        annotate(schema, record, described)
        for inner, part in schema.get("$defs", {}).items():
            if inner in known:
                annotate(part, known[inner], described)
        kebab = NAMES.get(name) or re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()
        files[f"{kebab}.schema.json"] = json.dumps(schema, indent=1, ensure_ascii=False) + "\n"
    return files


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    files = render()
    for path in FOLDER.glob("*.json"):
        if path.name not in files:
            path.unlink()
    for name, text in files.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    print(f"{len(files)} schemas in {FOLDER}")


if __name__ == "__main__":
    main()
