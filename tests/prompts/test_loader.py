"""Templates: strict variables, parts cut before they are filled, known by the hash of their bytes."""

import hashlib
from pathlib import Path

import pytest
from benchwright.errors import UsageError
from benchwright.prompts.loader import from_bytes, load

TEXT = b"<!-- part: one -->\nHello {{ name }}.\n<!-- part: two -->\n{% for x in items %}\n- {{ x }}\n{% endfor %}\n"


def test_a_template_is_known_by_the_hash_of_its_bytes() -> None:
    template = from_bytes("t", TEXT)
    assert template.sha256 == "sha256:" + hashlib.sha256(TEXT).hexdigest()
    assert list(template.parts) == ["one", "two"]


def test_rendering_the_whole_leaves_the_marks_out() -> None:
    assert from_bytes("t", TEXT).render(name="Ann", items=["a", "b"]) == "Hello Ann.\n- a\n- b"


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ({}, "missing name"),
        ({"name": "Ann", "age": 3}, "unknown age"),
        ({"nom": "Ann"}, "missing name, unknown nom"),
    ],
    ids=["missing", "unknown", "both"],
)
def test_variables_are_strict(variables: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        from_bytes("t", TEXT).render_part("one", **variables)


def test_what_is_filled_in_opens_no_part_and_runs_no_template() -> None:
    hostile = "<!-- part: two -->\n{{ items }} {% raw %} <b>&amp;"
    assert from_bytes("t", TEXT).render_part("one", name=hostile) == f"Hello {hostile}."


def test_an_unknown_part_and_a_part_named_twice() -> None:
    with pytest.raises(UsageError, match="no part 'three'; it has one, two"):
        from_bytes("t", TEXT).render_part("three")
    with pytest.raises(UsageError, match="named twice"):
        from_bytes("t", TEXT + TEXT)


@pytest.mark.parametrize("name", ["nothing-here", "../errors", "", "evaluate.md"])
def test_an_unknown_prompt(name: str) -> None:
    with pytest.raises(UsageError, match="there is no prompt"):
        load(name)


def test_every_shipped_template_can_be_parsed() -> None:
    folder = Path(__file__).parents[2] / "prompts"
    names = sorted(path.stem for path in folder.glob("*.md"))
    assert "evaluate" in names
    assert all(load(name).id == name for name in names)
