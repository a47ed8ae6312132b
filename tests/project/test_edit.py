"""Adding a source keeps every line that the author wrote."""

import re

import pytest
import yaml
from benchwright.agents.signals import Proposal
from benchwright.errors import UsageError
from benchwright.project.config import SourceEntry
from benchwright.project.edit import with_proposals, with_source
from benchwright.schemas.story import Signal
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


PROPOSED = {
    "kate": Proposal(Signal(kind="relationship_change", between=("José: é", "Kate"), label="trust"), "a guess"),
    "yes": Proposal(Signal(kind="public_opinion_shift", label="favour"), ""),
}
SIGNALS = {
    "missing": "version: 1\nname: a # mine\n",
    "missing-no-newline": "version: 1",
    "null": "signals:   # none yet\nname: a\n",
    "empty-map": "version: 1\nsignals: {}   # none yet\n\n# about the name\nname: a\n",
    "empty-map-last": "version: 1\nsignals: {}",
    "block": "signals:\n  ivo: {kind: causal_lock}  # first\n# about the name\nname: a\n",
    "block-indented": "signals:\n      ivo:\n        kind: causal_lock # theirs\n\nname: a\n",
    "windows": "version: 1\r\nsignals: {}\r\nname: a\r\n",
}


@pytest.mark.parametrize("text", SIGNALS.values(), ids=SIGNALS)
def test_proposed_signals_are_comments_that_count_once_uncommented(text: str) -> None:
    added = with_proposals(text, PROPOSED)
    before, after = yaml.safe_load(text), yaml.safe_load(added)
    assert after | {"signals": after["signals"] or {}} == before | {"signals": before.get("signals") or {}}
    assert all(line.split("#")[0].rstrip().replace("{}", "") in added for line in text.splitlines() if "#" in line)
    assert ("\n" in added.replace("\r\n", "")) != ("\r\n" in text)
    edited = yaml.safe_load(re.sub(r"(?m)^#(?= +(?:kate|'yes'):)", "", added))
    told = {name: signal.model_dump(mode="json") for name, (signal, _) in PROPOSED.items()}
    assert edited["signals"] == (before.get("signals") or {}) | told
    assert {key: edited[key] for key in before if key != "signals"} == {k: before[k] for k in before if k != "signals"}


def test_what_stands_in_a_comment_already_is_not_proposed_again() -> None:
    once = with_proposals(SIGNALS["empty-map"], PROPOSED)
    assert with_proposals(once, {"kate": PROPOSED["kate"]}) == once


def test_signals_in_one_line_stay_and_the_comments_stand_below() -> None:
    text = "signals: {ivo: {kind: causal_lock}}\nname: a\n"
    added = with_proposals(text, PROPOSED)
    assert yaml.safe_load(added) == yaml.safe_load(text)
    assert "#  kate: {kind: relationship_change" in added


def test_a_layout_that_is_none_stays_as_it_is() -> None:
    assert with_proposals("signals: [", PROPOSED) == "signals: ["
