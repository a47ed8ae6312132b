"""Signals are proposed where a name says what is measured and choices move it, and nowhere else."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from benchwright.agents.signals import Proposal, parts, propose_signals
from benchwright.anonymize.propose import propose
from benchwright.knowledge.loader import load_signal_words
from benchwright.narrative.courses import ENOUGH, observe
from benchwright.narrative.stories import open_story
from benchwright.schemas.story import Entity

PEOPLE = (
    Entity(names=("Connor",)),
    Entity(names=("Kate Brandt", "Kate", "Mrs Brandt")),
    Entity(names=("Ivo Marsh",)),
    Entity(names=("Ada Marsh",)),
    Entity(names=("Trondheim",), kind="place"),
)
PROJECT = Path(__file__).parents[2] / "project"


def tale(folder: Path, name: str, start: Any = 1, effect: str = "+= 1", state: str = "yard") -> Path:
    """A story whose one choice with an effect moves one variable, in a state of a name."""
    choices = [{"text": "Nod", "to": "end", "effects": [f"{name} {effect}"]}, {"text": "Wait", "to": state}]
    data = {
        "benchwright_story": 1,
        "title": "Tale",
        "protagonists": ["Connor"],
        "variables": {name: start},
        "start": state,
        "states": {state: {"lines": [{"text": "Rain."}], "choices": choices}, "end": {"ending": "over"}},
    }
    path = folder / "tale.story.yaml"
    path.write_text(yaml.safe_dump(data, sort_keys=False), encoding="utf-8")
    return path


def proposed(path: Path, known: tuple[str, ...] = ()) -> dict[str, Proposal]:
    return propose_signals(open_story(path), PEOPLE, load_signal_words(), known)


NAMED = {
    "trust_kate": ("relationship_change", ("Connor", "Kate Brandt"), "trust"),
    "TrustKate": ("relationship_change", ("Connor", "Kate Brandt"), "trust"),
    "kate_suspicion": ("relationship_change", ("Kate Brandt", "Connor"), "suspicion"),
    "ivo_respects_ada": ("relationship_change", ("Ivo Marsh", "Ada Marsh"), "respect"),
    "ada_ivo": ("relationship_change", ("Ada Marsh", "Ivo Marsh"), "trust"),
    "connor_fear": ("relationship_change", ("Connor",), "fear"),
    "trust": ("relationship_change", (), "trust"),
    "brandt_love": ("relationship_change", ("Kate Brandt", "Connor"), "love"),
    "public_opinion": ("public_opinion_shift", (), "public favour"),
    "kate_stress": ("instability_shift", ("Kate Brandt",), "stress"),
    "odds": ("success_probability_delta", (), "chance of success"),
}


@pytest.mark.parametrize("name", NAMED)
def test_a_name_tells_kind_people_and_label(tmp_path: Path, name: str):
    found = proposed(tale(tmp_path, name))
    assert list(found) == [name]
    signal = found[name].signal
    assert (signal.kind, signal.between, signal.label) == NAMED[name]


def test_the_places_where_it_moves_may_tell_with_whom(tmp_path: Path):
    found = proposed(tale(tmp_path, "trust", state="talk_with_ivo"))
    assert found["trust"].signal.between == ("Connor", "Ivo Marsh")
    assert found["trust"].doubt


NOTHING = {
    "one person": ("kate", 1, "+= 1"),
    "a count": ("kate_trust_count", 1, "+= 1"),
    "two people counted": ("ada_ivo_visits", 1, "+= 1"),
    "a place": ("trondheim_kate", 1, "+= 1"),
    "ambiguous name": ("marsh_kate", 1, "+= 1"),
    "part of a word": ("katering_ivory", 1, "+= 1"),
    "money": ("gold", 1, "+= 1"),
    "text": ("kate_trust", "low", "= 'high'"),
    "truth": ("kate_trust", False, "= true"),
    "never moved": ("kate_trust", 1, "+= 0"),
}


@pytest.mark.parametrize("case", NOTHING)
def test_nothing_is_made_of(tmp_path: Path, case: str):
    name, start, effect = NOTHING[case]
    assert proposed(tale(tmp_path, name, start, effect)) == {}


def test_a_fate_may_be_true_or_false(tmp_path: Path):
    found = proposed(tale(tmp_path, "ivo_alive", True, "= false"))
    assert found["ivo_alive"].signal.model_dump() == {
        "kind": "character_fate", "between": ("Ivo Marsh",), "label": "fate",
    }  # fmt: skip


def test_what_is_mapped_already_is_left_out(tmp_path: Path):
    assert proposed(tale(tmp_path, "trust_kate"), ("trust_kate",)) == {}


def test_a_story_that_fails_proposes_nothing(tmp_path: Path):
    assert proposed(tale(tmp_path, "trust_kate", 1, "= 1 // (trust_kate - 1)")) == {}


def test_the_demo():
    """The six variables between people and public opinion, of some seventy, as its authors map them but for labels."""
    story = open_story(PROJECT / "demo" / "story.ink.json")
    declared = tuple(Entity(names=(person.name,)) for person in story.info.people)
    people = (*declared, *propose(story.info.texts, declared))
    found = propose_signals(story, people, load_signal_words())
    mapped = yaml.safe_load((PROJECT / "demo" / "benchwright.yaml").read_text("utf-8"))["signals"]
    assert list(found) == list(mapped)
    for name, signal in mapped.items():
        assert found[name].signal.kind == signal["kind"]
        assert list(found[name].signal.between) == signal.get("between", [])


def test_the_intercept_proposes_nothing(shared: Path):
    """`forceful` and `evasive` count how somebody talks, `hooperClueType` tells a clue: none measures by its name."""
    story = open_story(shared / "data/narratives/ink/the-intercept/TheIntercept.v21.ink.json")
    people = propose(story.info.texts)
    assert {"Hooper", "Harris"} <= {name for entity in people for name in entity.names}
    assert propose_signals(story, people, load_signal_words()) == {}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("trust_kate", ["trust", "kate"]),
        ("hooperClueType", ["hooper", "clue", "type"]),
        ("KateIQ", ["kate", "iq"]),
        ("talk.with-kate_2", ["talk", "with", "kate"]),
        ("vertrauen_Jörg", ["vertrauen", "jörg"]),
        ("", []),
    ],
)
def test_parts(name: str, words: list[str]):
    assert parts(name) == words


def test_a_course_holds_how_and_by_whom_a_variable_was_moved(tmp_path: Path):
    story = open_story(tale(tmp_path, "trust", 4, "-= 2"))
    course = observe(story, story.runtime(), ["trust"])["trust"]
    assert set(course.steps) == {-2.0}
    assert set(course.spans) == {"yard#0"}
    assert course.deciders == {"Connor": len(course.steps)}
    assert len(course.steps) <= ENOUGH


def test_the_words_stand_once_and_in_small_letters():
    words = load_signal_words()
    listed = [word for measure in words.measures for word in measure.words]
    assert len(set(listed)) == len(listed)
    assert not set(listed) & words.counters
    assert all(word == word.casefold() for word in listed)
