"""What a clip tells: from its first decision to the choice, or to the line before the act; nothing later."""

import asyncio

import pytest
import yaml
from benchwright.agents.tracker import RulesTracker, transcript
from benchwright.knowledge.loader import load_language
from benchwright.narrative.stories import open_story
from benchwright.schemas.clip import Excerpt
from benchwright.schemas.grounding import Trace
from benchwright.schemas.item import Plan
from benchwright.schemas.source import Source
from benchwright.schemas.view import TrackerView

from .tales import PEOPLE, Scenes, narrative, tell

TALE: Scenes = {
    "a": {"Knock": ("b", ['Otto opens  "the door".'])},
    "b": {"Enter": ("c", ["Lene nods.", "Otto leaves."]), "Go": ("c", [])},
    "c": {"Sit": ("end", ["The end."])},
    "end": {},
}
TOLD = [
    "Rain falls.", "> Knock", "Otto opens “the door”.", "[Enter | Go]", "> Enter",
    "Lene nods.", "Otto leaves.", "> Sit",
]  # fmt: skip
"""A menu stands before a choice where there was one."""


def plan(depth: int, first: int = 0, shown: int = 0) -> Plan:
    play = (0,) * depth
    return Plan(claim="behaviour", play=play, taken=0, first=first, shown=shown, location="x", protagonist="Marta")


CLIPS = {
    "at the start": (plan(0), TOLD[:2]),
    "two decisions": (plan(1), TOLD[:5]),
    "one line of the reply": (plan(1, shown=1), TOLD[:6]),
    "two lines of the reply": (plan(1, shown=2), TOLD[:7]),
    "from the second decision": (plan(1, first=1), TOLD[2:5]),
    "from the second to the third": (plan(2, first=1), TOLD[2:8]),
    "the third only": (plan(2, first=2), TOLD[5:8]),
    "all": (plan(2), TOLD),
}


def words(lines) -> list[str]:
    return [f"> {line.text}" if line.kind == "choice" else line.text for line in lines]


@pytest.mark.parametrize("clip", CLIPS)
def test_transcript(tmp_path, clip: str):
    shown, expected = CLIPS[clip]
    chart = narrative(tell(tmp_path, TALE)).chart
    lines, spans = transcript(chart, shown)
    assert words(lines) == expected
    assert len(spans) == len(lines)
    assert len(set(spans)) == len(spans)


def test_what_another_choice_leads_to_is_not_told(tmp_path):
    chart = narrative(tell(tmp_path, TALE)).chart
    gone = Plan(claim="behaviour", play=(0, 1), taken=0, first=1, location="x")
    assert words(transcript(chart, gone)[0]) == ["Otto opens “the door”.", "[Enter | Go]", "> Go", "> Sit"]


def test_a_choice_says_who_makes_it_and_names_nobody_present(tmp_path):
    tell(tmp_path, TALE)
    path = tmp_path / "tale.story.yaml"
    told = yaml.safe_load(path.read_text())
    told["protagonists"] = ["Marta", "Lene"]
    list(told["states"].values())[1]["protagonist"] = "Lene"
    path.write_text(yaml.safe_dump(told, sort_keys=False))
    shown = narrative(open_story(path))
    lines, _ = transcript(shown.chart, plan(1))
    assert [line.speaker for line in lines if line.kind == "choice"] == ["Marta", "Lene"]
    tracker = RulesTracker({"s": shown}, load_language())
    source = Source(source_id="s", kind="story", sha256="sha", path="p")
    view = TrackerView(source=source, plan=plan(1), people=PEOPLE)
    assert asyncio.run(tracker.track(view))[0].present == PRESENT["two decisions"]


def track(folder, shown: Plan, **source: str) -> tuple[Trace, Excerpt]:
    tracker = RulesTracker({"s": narrative(tell(folder, TALE))}, load_language())
    given = Source(source_id="s", kind="story", sha256="sha", path="p", **source)
    return asyncio.run(tracker.track(TrackerView(source=given, plan=shown, people=PEOPLE)))


PRESENT = {"at the start": (), "two decisions": ("Otto",), "one line of the reply": ("Lene", "Otto")}


@pytest.mark.parametrize("clip", PRESENT)
def test_who_is_present_is_named_in_the_clip(tmp_path, clip: str):
    assert track(tmp_path, CLIPS[clip][0])[0].present == PRESENT[clip]


def test_nobody_is_present_for_being_named_in_a_menu(tmp_path):
    tale = TALE | {"b": {"Enter": ("c", []), "Ask for Lene": ("c", [])}}
    tracker = RulesTracker({"s": narrative(tell(tmp_path, tale))}, load_language())
    given = Source(source_id="s", kind="story", sha256="sha", path="p")
    trace, excerpt = asyncio.run(tracker.track(TrackerView(source=given, plan=plan(1), people=PEOPLE)))
    assert "[Enter | Ask for Lene]" in [line.text for line in excerpt.lines if line.kind == "menu"]
    assert trace.present == ("Otto",)


def test_the_trace_holds_the_last_lines_and_the_play_as_evidence(tmp_path):
    trace, excerpt = track(tmp_path, plan(2))
    told, made = (claim.evidence for claim in trace.claims)
    assert [evidence.quote for evidence in told] == ["Otto opens “the door”.", "Lene nods.", "Otto leaves."]
    assert all(evidence.place in excerpt.spans for evidence in told)
    assert [(evidence.kind, evidence.quote) for evidence in made] == [("play", ""), ("choice", "Sit")]
    assert made[0].place == "0,0,0"
    assert {evidence.source_sha256 for evidence in (*told, *made)} == {"sha"}
    assert (excerpt.play, excerpt.first) == ((0, 0, 0), 0)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("", "An excerpt from a branching story; Marta makes the choices."),
        (" Otto is ill. ", "Otto is ill. An excerpt from a branching story; Marta makes the choices."),
    ],
)
def test_the_background_is_the_authors_and_says_who_chooses(tmp_path, given: str, expected: str):
    assert track(tmp_path, plan(1), background=given)[1].background == expected
