"""The public form of a proposal: renamed, described, with ids that nothing secret moves."""

from typing import Any

import pytest
from benchwright.anonymize.replace import Anonymizer
from benchwright.graph.public import Publisher
from benchwright.schemas.base import digest
from benchwright.schemas.clip import Clip, Excerpt, TranscriptLine
from benchwright.schemas.grounding import Event
from benchwright.schemas.item import Draft, DraftOption
from benchwright.schemas.source import Source
from benchwright.schemas.story import Entity

from .players import PLAN, SEED, SLOT

PEOPLE = (
    Entity(names=("Otto", "Otto Brandl"), placeholder="Alpha", descriptor="the man in the oilskin coat"),
    Entity(names=("Lene",), placeholder="Beta", descriptor="Otto's sister, with a green scarf"),
    Entity(names=("Alpine Club",), kind="organization", placeholder="Organization 1", descriptor="a flag with a star"),
    Entity(names=("Harbour Board",), kind="organization", placeholder="Organization 12", descriptor="a blue flag"),
    Entity(names=("Nadia",), placeholder="Gamma"),
)
PUBLISHER = Publisher(SEED, Anonymizer(PEOPLE).text, PEOPLE)
SOURCE = Source(source_id="s1", kind="story", sha256="sha256:00", path="hut.yaml")
TEXTS = ("Otto waits.", "Lene leaves.", "Nadia sings.", "Otto Brandl lies.")


def draft(**other: Any) -> Draft:
    given: dict[str, Any] = {
        "question": "What does Otto do before the next choice?",
        "options": tuple(DraftOption(text=text, event=Event(kind="line", match=(text,))) for text in TEXTS),
        "window": 1,
        "answer": TEXTS[1],
        "traps": {text: "none" for text in TEXTS if text != TEXTS[1]},
        "rationale": "",
    }
    return Draft.model_validate(given | other)


def clip(*lines: str, background: str = "Dusk.", **plan: Any) -> Clip:
    told = tuple(TranscriptLine(text=line) for line in lines)
    excerpt = Excerpt(lines=told, background=background, play=(0, 1, 1), first=0, spans=("",) * len(told))
    return PUBLISHER.clip(SOURCE, PLAN.model_copy(update=plan), excerpt)


CLIP = clip("Otto opens.", "Lene calls.")


def test_names_become_placeholders_everywhere() -> None:
    item = PUBLISHER.item(SLOT, SOURCE, PLAN, draft(), CLIP)
    assert item.question == "What does Alpha do before the next choice?"
    assert {option.text for option in item.options} == {"Alpha waits.", "Beta leaves.", "Gamma sings.", "Alpha lies."}
    assert [line.text for line in CLIP.transcript] == ["Alpha opens.", "Beta calls."]


@pytest.mark.parametrize(
    ("lines", "background", "described"),
    [
        pytest.param(["Otto opens."], "Dusk.", "Alpha is the man in the oilskin coat.", id="heard"),
        pytest.param(["It rains."], "Otto is out.", "Alpha is the man in the oilskin coat.", id="known-before"),
        pytest.param(["It rains."], "Dusk.", "", id="absent"),
        pytest.param(["Nadia opens."], "Dusk.", "", id="no-descriptor"),
        pytest.param(["Lene opens."], "Dusk.", "Beta is Alpha's sister, with a green scarf.", id="name-in-descriptor"),
        pytest.param(["The Harbour Board meets."], "Dusk.", "Organization 12 is a blue flag.", id="prefix-of-another"),
        pytest.param(["The Alpine Club meets."], "Dusk.", "Organization 1 is a flag with a star.", id="short-number"),
    ],
)
def test_who_is_in_the_clip_is_described(lines: list[str], background: str, described: str) -> None:
    shown = clip(*lines, background=background).background
    assert shown == f"{PUBLISHER.rename(background)} {described}".strip()


def test_an_entity_without_a_placeholder_is_described_nowhere() -> None:
    people = (Entity(names=("Otto",), descriptor="the man in the oilskin coat"),)
    excerpt = Excerpt(lines=(TranscriptLine(text="Rain."),), background="Dusk.", play=(0,), first=0, spans=("",))
    assert Publisher(SEED, str, people).clip(SOURCE, PLAN, excerpt).background == "Dusk."


def test_option_ids_ascend_by_digest_and_stand_in_their_order() -> None:
    item = PUBLISHER.item(SLOT, SOURCE, PLAN, draft(), CLIP)
    digests = [digest(item.item_id, option.text) for option in item.options]
    assert digests == sorted(digests)
    assert [option.id for option in item.options] == ["o1", "o2", "o3", "o4"]


def test_a_sound_draft_keeps_what_it_says() -> None:
    item = PUBLISHER.item(SLOT, SOURCE, PLAN, draft(), CLIP)
    texts = {option.id: option.text for option in item.options}
    assert [texts[option] for option in item.answer] == ["Beta leaves."]
    assert {texts[option] for option in item.traps} == {"Alpha waits.", "Gamma sings.", "Alpha lies."}
    matched = {texts[option]: event.match for option, event in item.derived.events.items()}
    assert matched == {PUBLISHER.rename(text): (text,) for text in TEXTS}


@pytest.mark.parametrize(
    "lie",
    [
        pytest.param({"answer": "Nobody knows."}, id="answer-is-no-option"),
        pytest.param({"answer": ""}, id="no-answer"),
        pytest.param({"traps": {}}, id="no-traps"),
        pytest.param({"traps": {"Nobody knows.": "logic", TEXTS[0]: "logic"}}, id="trap-of-no-option"),
        pytest.param({"options": draft().options * 2}, id="every-option-twice"),
        pytest.param({"options": ()}, id="no-option"),
        pytest.param({"question": ""}, id="no-question"),
        pytest.param({"window": "chapter", "others": (99,)}, id="odd-window"),
    ],
)
def test_a_false_draft_has_a_public_form_too(lie: dict[str, Any]) -> None:
    """The gates are to say what is wrong with it."""
    item = PUBLISHER.item(SLOT, SOURCE, PLAN, draft(**lie), CLIP)
    ids = {option.id for option in item.options}
    assert set(item.answer) <= ids
    assert set(item.traps) <= ids
    assert len(item.options) == len(draft(**lie).options)


@pytest.mark.parametrize("other", [{"first": 1}, {"shown": 2}])
def test_clips_that_show_other_parts_have_other_ids(other: dict[str, int]) -> None:
    told = (TranscriptLine(text="Rain."),)
    excerpt = Excerpt(lines=told, background="", play=(0, 1), first=other.get("first", 0), spans=("",))
    plan = PLAN.model_copy(update=other)
    plain = Excerpt(lines=told, background="", play=(0, 1), first=0, spans=("",))
    assert PUBLISHER.clip(SOURCE, plan, excerpt).clip_id != PUBLISHER.clip(SOURCE, PLAN, plain).clip_id
