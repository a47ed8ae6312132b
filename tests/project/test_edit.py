"""Adding a source keeps every line that the author wrote."""

import pytest
import yaml
from benchwright.errors import UsageError
from benchwright.project.config import SourceEntry
from benchwright.project.edit import with_source
from hypothesis import given
from hypothesis import strategies as st

NEW = SourceEntry(path="stories/new one.yaml", license="MIT")

LAYOUTS = {
    "missing": "version: 1\nname: a # mine\n",
    "missing-no-newline": "version: 1",
    "empty-file": "",
    "null": "version: 1\nsources:   # none yet\nname: a\n",
    "empty-list": "version: 1\nsources: []   # none yet\n\n# about the name\nname: a\n",
    "empty-list-last": "version: 1\nsources: []",
    "flow": "version: 1\nsources: [{path: a.yaml}]  # one\nname: a\n",
    "flow-lines": "version: 1\nsources: [\n  {path: a.yaml},\n]\nname: a\n",
    "block": "version: 1\nsources:\n- path: a.yaml  # first\n  license: MIT\n# about the name\nname: a\n",
    "block-indented": "version: 1\nsources:\n    - path: a.yaml\n      license: MIT  # theirs\n\n\nname: a\n",
    "block-of-flow": "version: 1\nsources:\n  - {path: a.yaml}\n  - {path: b.yaml} # two\n# end\n",
    "block-last": "name: é😀\nsources:\n- path: é😀.yaml",
    "block-scalar": "sources:\n- path: |\n    a.yaml\nname: a\n",
    "windows": "version: 1\r\nsources:\r\n- path: a.yaml\r\nname: a\r\n",
}


@pytest.mark.parametrize("text", LAYOUTS.values(), ids=LAYOUTS)
def test_one_entry_more_and_every_comment_kept(text: str) -> None:
    added = with_source(text, NEW)
    before, after = yaml.safe_load(text) or {}, yaml.safe_load(added)
    assert after["sources"] == [*(before.get("sources") or []), {"path": NEW.path, "license": "MIT"}]
    assert {key: after[key] for key in before if key != "sources"} == {
        k: v for k, v in before.items() if k != "sources"
    }
    comments = [line.split("#", 1)[1] for line in text.splitlines() if "#" in line]
    assert all(comment in added for comment in comments)
    assert ("\n" in added.replace("\r\n", "")) != ("\r\n" in text)


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), min_size=1), max_size=6))
def test_many_sources_in_turn(paths: list[str]) -> None:
    text = LAYOUTS["empty-list"]
    for path in paths:
        text = with_source(text, SourceEntry(path=path))
    assert [entry["path"] for entry in yaml.safe_load(text)["sources"]] == paths
    assert "# about the name\nname: a\n" in text


def test_a_layout_that_cannot_be_extended_is_left_to_the_author() -> None:
    with pytest.raises(UsageError, match="by hand"):
        with_source("sources: &all\n- path: a\nmore: *all\n", NEW)
