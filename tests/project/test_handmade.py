"""Items by hand go the way of all others; what is refused leaves no trace that counts."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from benchwright.errors import InputError, UsageError
from benchwright.project import handmade, items
from benchwright.project.build import build
from benchwright.project.folder import Project
from benchwright.project.freeze import freeze
from benchwright.project.progress import quiet
from benchwright.project.status import status
from benchwright.project.verify import verify
from benchwright.schemas.item import Reference
from benchwright.state.store import Store


@pytest.fixture
def project(built: Project) -> Project:
    return built


@pytest.fixture
def item(project: Project) -> str:
    return next(item.id for item in items.listing(project) if item.outcome == "accepted")


Edit = Callable[..., Path]


@pytest.fixture
def edited(project: Project, item: str, tmp_path: Path) -> Edit:
    """The item as a file, with some keys changed."""

    def write(**changes: object) -> Path:
        draft = yaml.safe_load(handmade.template(project, item))
        path = tmp_path / "item.yaml"
        path.write_text(yaml.safe_dump(draft | changes, sort_keys=False), encoding="utf-8")
        return path

    return write


def reworded(project: Project, item: str) -> str:
    question: str = yaml.safe_load(handmade.template(project, item))["question"]
    return re.sub("^(At the end of the clip|The clip ends when)", "As the clip ends,", question)


def swapped(project: Project, item: str) -> dict[str, object]:
    """Another option as the answer."""
    draft = yaml.safe_load(handmade.template(project, item))
    other = next(option["text"] for option in draft["options"] if option["text"] != draft["answer"])
    traps = {text: trap for text, trap in draft["traps"].items() if text != other} | {draft["answer"]: "none"}
    return {"answer": other, "traps": traps}


def test_an_edit_changes_the_item_and_voids_what_was_said_of_it(project: Project, item: str, edited: Edit) -> None:
    before = items.show(project, item)
    made = handmade.edit(project, item, edited(question=reworded(project, item)), quiet)
    assert (made.id, made.outcome) == (item, "accepted")
    after = items.show(project, item)
    assert after.item.question != before.item.question
    assert after.item.public_hash != before.item.public_hash
    assert before.reference is not None
    assert after.reference is not None
    assert after.reference.item_hash != before.reference.item_hash
    assert {remark.node for remark in after.remarks if remark.round > 0} >= {"answer", "adjudicator", "critic"}
    frozen = freeze(project, "1.0.0", unreviewed=True, day="2031-01-02")
    assert verify(frozen.folder).ok
    assert after.item.question in (frozen.folder / "model_input" / "test.jsonl").read_text("utf-8")


def test_a_false_key_is_refused_and_the_item_stays(project: Project, item: str, edited: Edit) -> None:
    before, freezes = items.show(project, item), ("1.0.0", "1.0.1")
    first = freeze(project, freezes[0], unreviewed=True, day="2031-01-02").folder
    made = handmade.edit(project, item, edited(**swapped(project, item)), quiet)
    assert (made.outcome, made.code) == ("refused", "label-not-rederived")
    assert "by the story this is true" in made.messages[-1]
    after = items.show(project, item)
    assert (after.item, after.reference) == (before.item, before.reference)
    second = freeze(project, freezes[1], unreviewed=True, day="2031-01-02").folder
    for part in ("model_input/test.jsonl", "answers/key.jsonl", "grounding/trace.jsonl"):
        assert (first / part).read_bytes() == (second / part).read_bytes()


def test_a_leak_is_refused_by_the_gates(project: Project, item: str, edited: Edit) -> None:
    answer = yaml.safe_load(handmade.template(project, item))["answer"]
    made = handmade.edit(project, item, edited(question=f"{answer} What does Odile do next?"), quiet)
    assert made.outcome == "refused"
    assert made.messages
    assert items.show(project, item).item.question != answer


def test_edits_survive_another_build(project: Project, item: str, edited: Edit) -> None:
    handmade.edit(project, item, edited(question=reworded(project, item)), quiet)
    question = items.show(project, item).item.question
    accepted = status(project).accepted
    assert build(project).accepted == accepted
    assert items.show(project, item).item.question == question


def test_a_new_item_about_a_decision_that_is_taken_is_surplus(project: Project, edited: Edit) -> None:
    made = handmade.new(project, edited(), quiet)
    assert (made.outcome, made.code) == ("surplus", "decision-taken")
    assert items.show(project, made.id).outcome == "surplus"


def test_a_new_item_is_accepted_where_nothing_is_taken(project: Project, item: str, edited: Edit) -> None:
    """The same item in a store that has not built it."""
    path = edited()
    shutil.rmtree(project.state)
    made = handmade.new(project, path, quiet)
    assert (made.outcome, made.code, made.messages) == ("accepted", "accepted", ())
    with Store.open(project.store) as store:
        assert [reference.answer_text for _, reference in store.all(Reference)]
    assert freeze(project, "1.0.0", unreviewed=True, day="2031-01-02").items == 1


BAD = [
    pytest.param({"colour": "red"}, "unknown key 'colour'", id="unknown-key"),
    pytest.param({"answer": "Nobody does anything."}, "not the text of an option", id="answer"),
    pytest.param({"traps": {}}, "needs one trap", id="traps"),
    pytest.param({"source": "other.yaml"}, "no source 'other.yaml'", id="source"),
    pytest.param({"taken": 9}, "was not explored", id="choice"),
    pytest.param({"capability": "mind_reading"}, "no capability 'mind_reading'", id="capability"),
    pytest.param({"capability": "emotional_empathy"}, "cannot be derived", id="no-claim"),
    pytest.param({"interaction": "war"}, "no interaction 'war'", id="interaction"),
    pytest.param({"first": 99}, "expected 0 to", id="first"),
    pytest.param({"others": [9]}, "not another one", id="others"),
]


@pytest.mark.parametrize(("changes", "says"), BAD)
def test_a_wrong_file_is_named_with_its_line(
    project: Project, edited: Edit, changes: dict[str, object], says: str
) -> None:
    path = edited(**changes)
    with pytest.raises(InputError, match=says) as caught:
        handmade.new(project, path, quiet)
    assert isinstance(caught.value.place, int)
    key = next(iter(changes)) if "was not explored" not in says else "play"
    assert path.read_text("utf-8").splitlines()[caught.value.place - 1].startswith(key)


def test_an_edit_keeps_the_clip(project: Project, item: str, edited: Edit) -> None:
    with pytest.raises(InputError, match="keeps source and clip"):
        handmade.edit(project, item, edited(shown=0, first=1), quiet)


def test_only_accepted_items_are_edited(project: Project, edited: Edit) -> None:
    other = next(item.id for item in items.listing(project) if item.outcome != "accepted")
    with pytest.raises(UsageError, match="not accepted"):
        handmade.edit(project, other, edited(), quiet)
