"""The published JSON Schemas: one for every record, current, and each property with its class."""

import importlib
import json
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from benchwright.project import folder
from benchwright.schemas.base import FIELD_CLASSES, Record, class_of
from jsonschema import Draft202012Validator

ROOT = Path(__file__).resolve().parent.parent.parent
PUBLISHED = ROOT / "schemas" / "json"
FILES = {path.name: json.loads(path.read_text("utf-8")) for path in sorted(PUBLISHED.glob("*.json"))}


def subclasses(record: type[Record]) -> Iterator[type[Record]]:
    for below in record.__subclasses__():
        yield below
        yield from subclasses(below)


def records() -> dict[str, type[Record]]:
    modules = [path.stem for path in (ROOT / "schemas").glob("*.py")]
    names = {importlib.import_module(f"benchwright.schemas.{module}").__name__ for module in modules}
    whole = (record for record in subclasses(Record) if record.__name__[0] != "_")
    return {record.__name__: record for record in whole if record.__module__ in names}


def test_every_record_is_published() -> None:
    titles = {schema["title"] for schema in FILES.values()}
    assert titles == set(records()) | {"Config"}
    assert {"story.schema.json", "configuration.schema.json", "model-input.schema.json"} <= set(FILES)


def test_the_files_are_current() -> None:
    written = {path.name: path.read_text("utf-8") for path in PUBLISHED.glob("*.json")}
    assert written == runpy.run_path(str(ROOT / "scripts" / "schemas.py"))["render"](), "run scripts/schemas.py"


@pytest.mark.parametrize("name", FILES)
def test_each_is_a_json_schema_with_classes(name: str) -> None:
    schema = FILES[name]
    Draft202012Validator.check_schema(schema)
    assert schema["additionalProperties"] is False
    record = records().get(schema["title"])
    for key, entry in schema["properties"].items():
        assert entry["class"] in FIELD_CLASSES
        if record:
            field = next(field for field, info in record.model_fields.items() if key in (field, info.alias))
            assert entry["class"] == class_of(record, field)


def problems(schema: str, value: Any) -> list[str]:
    return [error.message for error in Draft202012Validator(FILES[schema]).iter_errors(value)]


def test_a_new_projects_configuration_is_valid(tmp_path: Path) -> None:
    read = yaml.safe_load(folder.init(tmp_path).file.path.read_text("utf-8"))
    assert not problems("configuration.schema.json", read)
    assert problems("configuration.schema.json", read | {"colour": "red"})


def test_a_story_is_valid_by_the_names_an_author_writes() -> None:
    line = {"text": "Hello.", "if": "calm"}
    story = {
        "benchwright_story": 1,
        "title": "t",
        "protagonists": ["Ada"],
        "start": "a",
        "states": {"a": {"lines": [line], "ending": "end"}},
    }
    assert not problems("story.schema.json", story)
    line["when"] = line.pop("if")
    assert problems("story.schema.json", story)
