"""Counterfactual items: each rule of NARRATIVE 5 has a story in which only that rule forbids the item."""

import itertools
from pathlib import Path
from typing import Any

import pytest
from benchwright.agents.counterfactual import WINDOWS, Counterfactual
from benchwright.agents.narratives import Narrative
from benchwright.narrative.explore import explore
from benchwright.schemas.item import Draft, Plan

from .tales import Scenes, assert_sound, drafts, narrative, tell, view, wording

KEY = "Lene burns the yellow envelope on the stove."
GREET = "Otto greets her at the gate with a nod."
SIGH = "Otto sighs and puts the ladder against the wall."
BELL = "The bell of the mill rings twice in the wind."
DANCE = "Otto dances with a broom in the empty kitchen."
SING = "Lene sings the old song of the seven swans."
SLEEP = "Otto sleeps on a bench beside the river."

BASE: Scenes = {
    "gate": {"Enter the yard": ("yard", [GREET])},
    "yard": {"Tell Otto": ("told", [SIGH]), "Hide": ("hidden", [BELL])},
    "told": {"Wait": ("good", [DANCE])},
    "hidden": {"Wait": ("bad", [KEY])},
    "good": {},
    "bad": {},
}
"""Marta tells Otto. Had she hidden, nobody would have answered it, and Lene would have burnt the envelope next."""
PLAY = (0, 0, 0)


def but(**scenes: Any) -> Scenes:
    return BASE | scenes


def plans(folder: Path, scenes: Scenes, play=PLAY, options: int = 3) -> tuple[Counterfactual, Narrative, list[Plan]]:
    derivation, about = Counterfactual(wording(options)), narrative(tell(folder, scenes), play)
    return derivation, about, derivation.plans(about)


def made(folder: Path, scenes: Scenes, options: int = 3) -> list[Draft]:
    derivation, about, found = plans(folder, scenes, options=options)
    made = []
    for plan in found:
        for draft in drafts(derivation, about, plan):
            assert_sound(about.story, plan, draft)
            made.append(draft)
    return made


def texts(draft: Draft) -> set[str]:
    return {option.text for option in draft.options}


def test_the_item(tmp_path):
    (draft,) = made(tmp_path, BASE)
    assert draft.answer == KEY
    assert draft.traps == {SIGH: "logic", DANCE: "logic"}
    assert (draft.window, draft.others) == (2, (1,))
    assert draft.question == (
        "The clip ends when Marta chooses to tell Otto. Suppose Marta had chosen to hide instead. "
        "Which of these would have happened within Marta's next two choices?"
    )


FORBIDDEN: dict[str, Scenes] = {
    "happened before": but(gate={"Enter the yard": ("yard", [GREET, KEY])}),
    "said alike before": but(
        gate={"Enter the yard": ("yard", [GREET, "On the stove Lene burns the yellow envelope again."])}
    ),
    "possible after the choice made": but(told={"Wait": ("good", [DANCE]), "Go": ("good", [KEY])}),
    "told in reply to the choice made": but(yard={"Tell Otto": ("told", [SIGH, KEY]), "Hide": ("hidden", [BELL])}),
    "said alike after the choice made": but(
        told={"Wait": ("good", [DANCE]), "Go": ("good", ["Lene burns that yellow envelope on the stove."])}
    ),
    "not on every path after the supposed choice": but(hidden={"Wait": ("bad", [KEY]), "Go": ("bad", [DANCE])}),
    "past the widest window": but(
        hidden={"Wait": ("h1", [])},
        h1={"Wait": ("h2", [])},
        h2={"Wait": ("h3", [])},
        h3={"Wait": ("h4", [])},
        h4={"Wait": ("h5", [])},
        h5={"Wait": ("bad", [KEY])},
    ),
}  # fmt: skip


@pytest.mark.parametrize("rule", FORBIDDEN)
def test_forbidden(tmp_path, rule: str):
    _, _, found = plans(tmp_path, FORBIDDEN[rule])
    assert [plan for plan in found if plan.play == PLAY[:1]] == []


@pytest.mark.parametrize("steps", [0, 1])
def test_the_smallest_window_that_holds_the_key_is_stated(tmp_path, steps: int):
    """One decision wider than needed, so that it holds however the last decision is counted."""
    names = ["hidden", *(f"h{number}" for number in range(steps)), "bad"]
    scenes = but(**{name: {"Wait": (after, [])} for name, after in itertools.pairwise(names)})
    scenes = scenes | {names[-2]: {"Wait": ("bad", [KEY])}}
    (draft,) = made(tmp_path, scenes)
    assert draft.answer == KEY
    assert draft.window == WINDOWS[steps]
    assert ("two", "three")[steps] in draft.frame["window"]


def test_what_answers_the_supposed_choice_goes_before_what_comes_later(tmp_path):
    yard = {"Tell Otto": ("told", [SIGH]), "Hide": ("hidden", [BELL, SING])}
    assert [draft.answer for draft in made(tmp_path, but(yard=yard))] == [SING, KEY]


@pytest.mark.parametrize(
    "told", [BELL, "Marta burns the yellow envelope on the stove.", "Lene waits for a long moment."]
)
def test_no_option_is_nobodys_act_or_the_protagonists_or_a_mere_gesture(tmp_path, told: str):
    assert made(tmp_path, but(hidden={"Wait": ("bad", [told])})) == []
    (draft,) = made(tmp_path, but(gate={"Enter the yard": ("yard", [GREET]), "Walk on": ("good", [told])}))
    assert told not in texts(draft)


def test_a_foil_that_may_follow_the_supposed_choice_is_none(tmp_path):
    """Sleeping is told of elsewhere, so that it is a foil; not so where it may follow hiding."""
    gate = {"Enter the yard": ("yard", [GREET]), "Walk on": ("good", [SLEEP])}
    here = {"Wait": ("bad", [KEY]), "Go": ("bad", [KEY])}
    (possible,) = made(tmp_path, but(gate=gate, hidden=here), options=4)
    assert SLEEP in texts(possible)
    here = {"Wait": ("bad", [KEY]), "Go": ("bad", [KEY, SLEEP])}
    assert made(tmp_path, but(gate=gate, hidden=here), options=4) == []


def test_what_happened_before_is_no_foil(tmp_path):
    assert made(tmp_path, BASE, options=4) == [], "only the greeting would be left"


def test_a_third_choice_gives_wrong_branch_foils(tmp_path):
    yard = {"Tell Otto": ("told", [SIGH]), "Hide": ("hidden", [BELL]), "Leave": ("away", [SING])}
    found = made(tmp_path, but(yard=yard, away={"Wait": ("bad", [SLEEP])}), options=5)
    draft = next(draft for draft in found if draft.others[0] == 1)
    assert draft.traps == {SIGH: "logic", DANCE: "logic", SING: "wrong_branch", SLEEP: "wrong_branch"}
    assert draft.others == (1, 2)


def test_an_echo_of_the_choice_is_no_item(tmp_path):
    choice = "Burn the yellow envelope"
    yard = {"Tell Otto": ("told", [SIGH]), choice: ("hidden", [BELL])}
    derivation, about, found = plans(tmp_path, but(yard=yard))
    assert len(found) == 1
    assert drafts(derivation, about, found[0]) == []


def test_too_few_foils_are_no_item(tmp_path):
    derivation, about, found = plans(tmp_path, BASE, options=6)
    assert len(found) == 1
    assert drafts(derivation, about, found[0]) == []


def test_a_key_about_somebody_who_is_not_in_the_clip_is_none(tmp_path):
    derivation, about, (plan,) = plans(tmp_path, BASE)
    assert derivation.draft(view(about.story, plan, present=["Marta", "Otto"]), about, 0) is None


def test_nothing_is_claimed_where_the_story_was_not_explored(tmp_path):
    story = tell(tmp_path, BASE)
    chart = explore(story, max_depth=2)
    chart.plays = [PLAY[:2]]
    assert Counterfactual(wording(3)).plans(Narrative.of(story, chart)) == []


def test_drafts_do_not_depend_on_what_was_asked_before(tmp_path):
    derivation, about, (plan,) = plans(tmp_path, BASE)
    assert drafts(Counterfactual(wording(3)), about, plan) == drafts(derivation, about, plan) != []
