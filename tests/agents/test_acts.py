"""Who acts in a line: the person named, or the only one whom a pronoun can mean."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from benchwright.agents.acts import Acts
from benchwright.agents.narratives import Narrative

from .tales import Scenes, narrative, tell, wording

FIRST, SECOND = "Otto comes out of the barn.", "Lene sets the table for four."


def about(folder: Path, scenes: Scenes, opening: Sequence[str] = ("Rain falls.",)) -> tuple[Narrative, Acts]:
    story = narrative(tell(folder, scenes, opening))
    return story, Acts(story.chart, story.analysis.occurrences, wording(3).cast)


def last_actor(folder: Path, told: Sequence[str], before: Sequence[str] = (FIRST,)) -> str | None:
    """Who acts in the last line of a reply, after another reply."""
    scenes: Scenes = {"a": {"Knock": ("b", before)}, "b": {"Wait": ("c", told)}, "c": {}}
    story, acts = about(folder, scenes)
    return acts.actor(story.chart.follow((0, 0))[-1], len(told) - 1)


REPLIES: dict[str, tuple[Sequence[str], Sequence[str], str | None]] = {
    "named": ((FIRST,), ("Lene nods.",), "Lene"),
    "the one named before in the reply": ((SECOND,), (FIRST, "He nods."), "Otto"),
    "speech given to a pronoun": ((FIRST,), (SECOND, "“Quite so,” she says."), "Lene"),
    "the one left in mind": ((FIRST,), ("He nods.",), "Otto"),
    "not the protagonist": ((FIRST,), ("Otto looks at Marta.", "He nods."), "Otto"),
    "either of two": ((FIRST,), ("Otto looks at Lene.", "She nods."), None),
    "either of two left in mind": ((FIRST, SECOND), ("She nods.",), None),
    "nobody left in mind": (("Rain falls.",), ("He nods.",), None),
    "somebody without a name near": ((FIRST,), ("Otto looks at the captain.", "He nods."), None),
    "a name within speech is nobody near": ((FIRST,), ("“Lene knows!” says Otto.", "He nods."), "Otto"),
    "no act": ((FIRST,), ("He is tired.",), None),
    "a thought": ((FIRST,), ("He wonders at the rain.",), None),
    "a pronoun further on": ((FIRST,), ("The door creaks, and he nods.",), None),
    "the narrator": ((FIRST,), ("I nod.",), None),
}


@pytest.mark.parametrize("case", REPLIES)
def test_actor(tmp_path: Path, case: str) -> None:
    before, told, expected = REPLIES[case]
    assert last_actor(tmp_path, told, before) == expected


def test_whom_the_ways_to_a_place_leave_in_mind_must_be_one(tmp_path: Path) -> None:
    scenes: Scenes = {
        "a": {"Knock": ("b", [FIRST]), "Call": ("b", [SECOND])},
        "b": {"Wait": ("c", ["She nods."])},
        "c": {},
    }
    story, acts = about(tmp_path, scenes)
    assert acts.actor(story.chart.follow((0, 0))[-1], 0) is None


def test_of_a_line_wherever_it_is_told(tmp_path: Path) -> None:
    scenes: Scenes = {
        "a": {"Knock": ("b", [FIRST]), "Call": ("b", [SECOND])},
        "b": {"Wait": ("c", ["Otto laughs aloud.", "He nods.", "A dog barks."]), "Go": ("c", ["She shrugs."])},
        "c": {},
    }
    story, acts = about(tmp_path, scenes)
    edges = (edge for number in range(len(story.chart)) for edge in story.chart.transitions(number))
    found = {line.text: acts.of(line) for edge in edges for line in edge.lines}
    assert found["Otto laughs aloud."] == found["He nods."] == "Otto"
    assert found["A dog barks."] is found["She shrugs."] is None
