"""Behaviour items: another person's act, sure to come next, that another history would have made otherwise."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from benchwright.agents.behaviour import Behaviour
from benchwright.agents.derivation import Drafted
from benchwright.agents.narratives import Narrative
from benchwright.agents.tracker import transcript
from benchwright.narrative.stories import open_story
from benchwright.schemas.item import Draft, Plan

from .tales import Scenes, assert_sound, drafts, narrative, tell, view, wording

GREET = "Otto greets her at the gate with a nod."
ACT = "Lene burns the yellow envelope on the stove."
OTHER = "Lene runs across the meadow towards the mill."
THIRD = "Lene sings an old song about seven swans."
LATER = "Lene counts the silver coins under her breath."
OTTO = "Otto sighs and puts the ladder against the wall."
OURS = "Marta hums while she climbs up the ladder."
OTTO_COUNTS = "Otto counts the silver coins twice over."
WEATHER = "The rain has stopped by now."

BASE: Scenes = {
    "gate": {"Enter the yard": ("yard", [GREET])},
    "yard": {"Tell Otto": ("told", [WEATHER, ACT]), "Hide": ("told", [OTHER]), "Go": ("told", [THIRD])},
    "told": {"Wait": ("good", [OTTO])},
    "good": {},
}
"""Marta tells Otto, and Lene burns the envelope; had she hidden or gone, Lene would have done something else."""
PLAY = (0, 0, 0)


def but(**scenes: Any) -> Scenes:
    return BASE | scenes


def plans(folder: Path, scenes: Scenes, options: int = 3) -> tuple[Behaviour, Narrative, list[Plan]]:
    derivation, about = Behaviour(wording(options)), narrative(tell(folder, scenes), PLAY)
    return derivation, about, [plan for plan in derivation.plans(about) if len(plan.play) == 1]


def made(folder: Path, scenes: Scenes, options: int = 3) -> list[Draft]:
    derivation, about, found = plans(folder, scenes, options)
    made = []
    for plan in found:
        for draft in drafts(derivation, about, plan):
            assert_sound(about.story, plan, draft)
            made.append(draft)
    return made


def test_the_item(tmp_path):
    draft = made(tmp_path, BASE)[0]
    assert draft.answer == ACT
    assert draft.traps == {OTHER: "wrong_branch", THIRD: "wrong_branch"}
    assert draft.question == (
        "At the end of the clip Marta chooses to tell Otto. "
        "What does Lene do or say next, before Marta has to choose again?"
    )


def yard(*told: str) -> Scenes:
    """The base story with another reply to telling Otto."""
    return but(yard=BASE["yard"] | {"Tell Otto": ("told", told)})


NO_PLAN: dict[str, Scenes] = {
    "the protagonist's own act": yard(WEATHER, OURS),
    "nobody's act": yard(WEATHER),
    "no reply": yard(),
    "whatever is chosen, the same act": but(yard=dict.fromkeys(["Tell Otto", "Hide", "Go"], ("told", [ACT]))),
    "no other history in which this person acts": yard(OTTO),
}


@pytest.mark.parametrize("rule", NO_PLAN)
def test_no_plan(tmp_path, rule: str):
    _, _, found = plans(tmp_path, NO_PLAN[rule])
    assert found == []


NO_DRAFT: dict[str, tuple[Scenes, int, Drafted]] = {
    "happened before": (but(gate={"Enter the yard": ("yard", [GREET, ACT])}), 3, None),
    "an echo of the choice": (
        but(
            yard={"Burn the yellow envelope": ("told", [ACT])}
            | {k: v for k, v in BASE["yard"].items() if k != "Tell Otto"}
        ),
        3,
        "few-foils",
    ),
    "too few foils": (BASE, 4, "few-foils"),
    "a scrap": (yard("Lene nods gravely."), 3, None),
}


@pytest.mark.parametrize("rule", NO_DRAFT)
def test_no_draft(tmp_path, rule: str):
    scenes, options, expected = NO_DRAFT[rule]
    derivation, about, found = plans(tmp_path, scenes, options)
    assert len(found) == 1
    assert derivation.draft(view(about.story, found[0]), about, 0) == expected


FOILS: dict[str, tuple[Scenes, bool]] = {
    "told elsewhere": (but(gate={"Enter the yard": ("yard", [GREET]), "Leave": ("good", [LATER])}), True),
    "told in the same reply": (yard(WEATHER, ACT, LATER), False),
    "told within one more choice": (but(told={"Wait": ("good", [OTTO]), "Go": ("good", [LATER])}), False),
    "happened before": (but(gate={"Enter the yard": ("yard", [GREET, LATER])}), False),
    "another person's act": (
        but(gate={"Enter the yard": ("yard", [GREET]), "Leave": ("good", [OTTO_COUNTS])}),
        False,
    ),
    "said alike within the reply": (
        but(
            gate={"Enter the yard": ("yard", [GREET]), "Leave": ("good", [LATER])},
            yard=BASE["yard"] | {"Tell Otto": ("told", [ACT, "Under her breath Lene counts the silver coins."])},
        ),
        False,
    ),
}


@pytest.mark.parametrize("case", FOILS)
def test_foils(tmp_path, case: str):
    """With the acts of the other two choices, a third foil is needed for four options: there is one or none."""
    scenes, expected = FOILS[case]
    found = made(tmp_path, scenes, options=4)
    assert [set(draft.traps) == {OTHER, THIRD, LATER} for draft in found[:1]] == [True] * expected
    assert len(made(tmp_path, scenes, options=3)) > 0


def test_the_clip_ends_before_the_act(tmp_path):
    _, about, (plan,) = plans(tmp_path, yard(WEATHER, ACT, LATER))
    lines, _ = transcript(about.chart, plan)
    assert [line.text for line in lines] == [
        "Rain falls.", "Enter the yard", GREET, "[Tell Otto | Hide | Go]", "Tell Otto", WEATHER,
    ]  # fmt: skip
    assert plan.shown == 1


def test_an_act_about_somebody_who_is_not_in_the_clip_is_no_key(tmp_path):
    derivation, about, (plan,) = plans(tmp_path, BASE)
    assert derivation.draft(view(about.story, plan, present=["Marta", "Otto"]), about, 0) is None


def test_a_foil_is_from_as_far_away_as_the_taxonomy_lets_it_be(tmp_path):
    """What is told at the gate is one decision away from the yard."""
    scenes = but(gate={"Enter the yard": ("yard", [GREET]), "Leave": ("good", [LATER])})
    about = narrative(tell(tmp_path, scenes), PLAY)
    for within, expected in ((0, False), (1, True)):
        derivation = Behaviour(wording(4, within))
        (plan,) = (plan for plan in derivation.plans(about) if len(plan.play) == 1)
        assert bool(drafts(derivation, about, plan)) == expected


@pytest.mark.parametrize(("pauses", "expected"), [(0, True), (1, False)], ids=["named just before", "long gone"])
def test_a_foil_is_about_people_at_hand(tmp_path, pauses: int, expected: bool):
    """Otto greets her, and is named no more; a foil about him is one as long as that is at most a choice ago."""
    about_otto = "Lene counts the silver coins of Otto."
    acts = {"Stay": ACT, "Hide": OTHER, "Go": about_otto}
    walk: Scenes = {f"walk{n}": {"Walk on": (f"walk{n + 1}", [WEATHER])} for n in range(pauses)}
    scenes: Scenes = {
        "gate": {"Enter the yard": ("walk0", [GREET])},
        **walk,
        f"walk{pauses}": {choice: ("told", [act]) for choice, act in acts.items()},
        "told": {"Wait": ("good", [])},
        "good": {},
    }
    derivation, story = Behaviour(wording(3)), narrative(tell(tmp_path, scenes), (0,) * (pauses + 2))
    plan = next(plan for plan in derivation.plans(story) if len(plan.play) == 1 + pauses)
    assert bool(drafts(derivation, story, plan)) == expected


def test_attempts_keep_the_key_and_draw_other_foils(tmp_path):
    gate = {"Enter the yard": ("yard", [GREET]), "Leave": ("good", [LATER])}
    derivation, about, (plan,) = plans(tmp_path, but(gate=gate), options=2)
    found = drafts(derivation, about, plan)
    assert {draft.answer for draft in found} == {ACT}
    assert len({frozenset(draft.traps) for draft in found}) > 1
    assert drafts(derivation, about, plan) == found


def test_what_the_same_choice_leads_to_in_another_mood_is_no_foil(tmp_path):
    """Both visits to the yard offer the same choices; Lene's act there depends on what Marta did before."""
    path = tmp_path / "moods.story.yaml"
    reply = [{"text": ACT, "if": "warm"}, {"text": LATER, "if": "not warm"}]
    states = {
        "gate": {
            "choices": [
                {"text": "Greet Lene", "to": "yard", "effects": ["warm = true"]},
                {"text": "Pass", "to": "yard"},
            ]
        },
        "yard": {
            "lines": [{"text": GREET}],
            "choices": [
                {"text": "Tell Otto", "to": "end", "lines": reply},
                {"text": "Hide", "to": "end", "lines": [{"text": OTHER}]},
                {"text": "Go", "to": "end", "lines": [{"text": THIRD}]},
            ],
        },
        "end": {"ending": "over"},
    }
    people = [{"name": name} for name in ("Marta", "Otto", "Lene")]
    data = {"benchwright_story": 1, "title": "Moods", "protagonists": ["Marta"], "people": people}
    path.write_text(yaml.safe_dump(data | {"variables": {"warm": False}, "start": "gate", "states": states}))
    about = narrative(open_story(path), (0, 0))
    derivation = Behaviour(wording(3))
    (plan,) = [plan for plan in derivation.plans(about) if len(plan.play) == 1]
    found = drafts(derivation, about, plan)
    assert {draft.answer for draft in found} == {ACT}
    assert all(set(draft.traps) == {OTHER, THIRD} for draft in found)
