"""Causal antecedents on a story whose one cause is known: helping Otto, three decisions before he brings the key."""

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from benchwright.agents.antecedent import CausalAntecedent, balanced
from benchwright.agents.derivation import PLANS_A_PLACE
from benchwright.agents.tracker import transcript
from benchwright.agents.way import End, Needed
from benchwright.schemas.grounding import Event
from benchwright.schemas.item import Draft, Plan
from hypothesis import given
from hypothesis import strategies as st

from .tales import Scenes, assert_sound, drafts, narrative, tell, wording

END = "Otto brings Marta the spare key to the cellar."
DOOR = ("Lene closes the window against the wind.", "Lene counts the cups on the tray.")


def scenes(other_end: str = "Otto walks past Marta without a greeting.") -> Scenes:
    """Two ways of the same four decisions; only the first choice tells them apart."""

    def way(name: str, end: str) -> Scenes:
        return {
            f"{name}1": {
                "Watch Lene at the window": (f"{name}2", [DOOR[0]]),
                "Leave Lene to her work": (f"{name}2", [DOOR[1]]),
            },
            f"{name}2": {
                "Sit down beside Lene": (f"{name}3", ["Lene moves her basket aside."]),
                "Walk once round the table": (f"{name}3", ["Lene follows Marta with her eyes."]),
            },
            f"{name}3": {
                "Pour the rest of the tea": (f"{name}4", [end]),
                "Light the lamp by the door": (f"{name}4", [end]),
            },
            f"{name}4": {},
        }

    first: Scenes = {
        "start": {
            "Carry the crates upstairs": ("a1", ["Otto wipes his forehead and thanks Marta."]),
            "Read the letter on the stairs": ("b1", ["Otto lifts the crates alone."]),
        }
    }
    return first | way("a", END) | way("b", other_end)


def test_the_choice_that_the_end_needed_is_the_key(tmp_path: Path) -> None:
    story = tell(tmp_path, scenes())
    about = narrative(story, (0, 0, 0, 0))
    maker = CausalAntecedent(wording(3))
    made = [(plan, draft) for plan in maker.plans(about) for draft in drafts(maker, about, plan)]
    assert made
    for plan, draft in made:
        assert_sound(story, plan, draft)
    ending_in_the_key = [draft for _, draft in made if draft.target and END in draft.target.match]
    assert ending_in_the_key
    assert all("carry the crates" in draft.answer.casefold() for draft in ending_in_the_key)


def test_an_end_that_comes_either_way_needs_no_choice(tmp_path: Path) -> None:
    about = narrative(tell(tmp_path, scenes(other_end=END)), (0, 0, 0, 0))
    maker = CausalAntecedent(wording(3))
    made = [draft for plan in maker.plans(about) for draft in drafts(maker, about, plan)]
    assert not [draft for draft in made if draft.target and END in draft.target.match]


GREETED = ["Otto greets Marta and asks Lene for a chair."]

# NARRATIVE 5: replacing the knock loses the end although another way comes to it; at a hub replacing loses nothing.
DETOUR: Scenes = {
    "s0": {"Open the gate": ("s1", ["A dog barks."]), "Climb the fence": ("s2", ["A board cracks."])},
    "s1": {"Knock at the door": ("p", ["A light goes on."]), "Return to town": ("gone", ["The road is wet."])},
    "s2": {"Knock at the door": ("p", ["A curtain moves."])},
    "p": {"Enter the hall": ("in", GREETED)},
    "in": {},
    "gone": {},
}
HUB: Scenes = {
    "hub": {"Knock at the door": ("p", ["A light goes on."]), "Circle the house": ("hub", ["A dog barks."])},
    "p": {"Enter the hall": ("q", ["A clock ticks."])},
    "q": {"Open the parlour": ("in", GREETED), "Call from the stairs": ("in", GREETED)},
    "in": {},
}


def asked(folder: Path, scenes: Scenes, play: tuple[int, ...], end: str) -> list[tuple[Plan, Draft]]:
    """Every draft with two options that asks what a line depended on."""
    about, maker = narrative(tell(folder, scenes), play), CausalAntecedent(wording(2))
    made = [(plan, draft) for plan in maker.plans(about) for draft in drafts(maker, about, plan)]
    for plan, draft in made:
        assert_sound(about.story, plan, draft)
    return [(plan, draft) for plan, draft in made if draft.target == Event(kind="line", match=(end,))]


def test_a_choice_is_a_cause_with_its_history_fixed(tmp_path: Path) -> None:
    made = asked(tmp_path, DETOUR, (0, 0, 0), GREETED[0])
    stated = [(draft.window, draft.question.split("within the ")[1].split()[0]) for _, draft in made]
    assert sorted(stated) == [(5, "five"), (6, "six")]
    for plan, draft in made:
        assert draft.answer == "Marta chose to knock at the door"
        assert {option.text for option in draft.options} == {draft.answer, "Marta chose to open the gate"}
        assert (plan.play, plan.taken, plan.first, plan.shown) == ((0, 0), 0, 0, 1)
        assert draft.question.startswith(f"The clip ends: {GREETED[0]} ")


def test_the_last_choice_is_no_cause_and_no_foil_where_it_has_no_sibling(tmp_path: Path) -> None:
    made = asked(tmp_path, DETOUR, (0, 0, 0), GREETED[0])
    assert made
    assert not [option for _, draft in made for option in draft.options if "enter the hall" in option.text]


def test_what_can_still_come_from_a_hub_is_asked_of_nobody(tmp_path: Path) -> None:
    assert not asked(tmp_path, HUB, (0, 0, 0), GREETED[0])


def told_later(told: str) -> Scenes:
    """The detour, where the road back comes to a line too, but eight decisions later."""
    names = [f"r{place}" for place in range(8)] + ["gone"]
    road: Scenes = {
        here: {f"Pass the milestone {here}": (there, [told if there == "gone" else "The road is wet."])}
        for here, there in pairwise(names)
    }
    road["s1"] = {"Knock at the door": ("p", ["A light goes on."]), "Return to town": ("r0", ["The road is wet."])}
    return {**DETOUR, **road}


def test_what_comes_later_without_the_choice_did_not_need_it(tmp_path: Path) -> None:
    assert asked(tmp_path, told_later("The road is dry."), (0, 0, 0), GREETED[0])
    assert not asked(tmp_path, told_later(GREETED[0]), (0, 0, 0), GREETED[0])


def test_a_paraphrase_that_comes_without_the_choice_spoils_it(tmp_path: Path) -> None:
    told: Scenes = {
        **DETOUR,
        "s1": {"Knock at the door": ("p", ["A light goes on."]), "Return to town": ("gone", [f"{GREETED[0]} Twice."])},
    }
    assert not asked(tmp_path, told, (0, 0, 0), GREETED[0])


@pytest.mark.parametrize(
    "end",
    [
        "I greet Otto and ask Lene for a chair.",
        "The clock strikes eleven in the empty hall.",
        "Otto greets her.",
        "Marta goes into the hall to knock at the door once more, as Otto told her to.",
    ],
    ids=["the narrator's own act", "of nobody", "a scrap", "the words of the choice"],
)
def test_such_an_end_is_not_asked_about(tmp_path: Path, end: str) -> None:
    assert not asked(tmp_path, {**DETOUR, "p": {"Enter the hall": ("in", [end])}}, (0, 0, 0), end)


def test_a_choice_that_opens_is_no_end(tmp_path: Path) -> None:
    """What opens a choice is seldom told: an end is a line that tells of people."""
    opened: Scenes = {
        **DETOUR,
        "p": {"Enter the hall": ("in", ["A clock ticks."])},
        "in": {"Ask Otto for the letter": ("gone", ["Otto frowns."]), "Leave": ("gone", ["A dog barks."])},
    }
    assert CausalAntecedent(wording(2)).plans(narrative(tell(tmp_path, opened), (0, 0, 0))) == []


def test_a_foil_is_a_choice_without_which_the_same_choices_lead_on(tmp_path: Path) -> None:
    another: Scenes = {**DETOUR, "s2": {"Rap on the window": ("p", ["A curtain moves."])}}
    assert asked(tmp_path, DETOUR, (0, 0, 0), GREETED[0])
    assert not asked(tmp_path, another, (0, 0, 0), GREETED[0])


def corridor(steps: int) -> Scenes:
    """Choices between the knock and the greeting; each of them could be another without any difference."""
    names = ["p", *(f"c{step}" for step in range(steps))]
    walk: Scenes = {
        here: {
            f"Pass the chair {here}": (there, ["A clock ticks."]),
            f"Pass the lamp {here}": (there, ["A cat sleeps."]),
        }
        for here, there in pairwise(names)
    }
    return {**DETOUR, **walk, names[-1]: {"Enter the hall": ("in", GREETED)}}


@pytest.mark.parametrize(("steps", "near"), [(3, True), (4, False)])
def test_a_cause_is_close_to_its_end(tmp_path: Path, steps: int, near: bool) -> None:
    made = asked(tmp_path, corridor(steps), (0,) * (3 + steps), GREETED[0])
    assert [draft for _, draft in made if "knock at the door" in draft.answer] if near else not made


def test_every_option_is_a_choice_of_the_clip(tmp_path: Path) -> None:
    about, maker = narrative(tell(tmp_path, scenes()), (0, 0, 0, 0)), CausalAntecedent(wording(3))
    for plan in maker.plans(about):
        made = {line.text for line in transcript(about.chart, plan)[0] if line.kind == "choice"}
        for draft in drafts(maker, about, plan):
            assert {text for option in draft.options for text in option.event.match} <= made


def needed(place: str, rank: int, paths: int = 10) -> Needed:
    return Needed(End(0, "", 1), 5, rank, tuple(range(6)), place, paths)


def plans_at(*locations: str) -> list[Plan]:
    return [
        Plan(claim="causal_antecedent", play=(number,), taken=0, first=0, shown=1, location=location)
        for number, location in enumerate(locations)
    ]


def test_no_cause_comes_twice_before_every_other_came_once() -> None:
    plans = plans_at("a", "b", "c", "c")
    found = list(zip(plans, [needed("x", 0), needed("x", 1), needed("x", 2), needed("y", 2)], strict=True))
    chosen = balanced(found, "sha")
    causes = [{id(plan): one.place for plan, one in found}[id(plan)] for plan in chosen]
    assert sorted(causes[:2]) == ["x", "y"]
    assert len(chosen) == 4


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("uvwxyz"), st.integers(0, 5)), max_size=40))
def test_ranks_are_spread_as_far_as_the_story_lets(drawn: list[tuple[str, str, int]]) -> None:
    plans = plans_at(*(location for location, _, _ in drawn))
    found = [(plan, needed(place, rank)) for plan, (_, place, rank) in zip(plans, drawn, strict=True)]
    chosen = balanced(found, "sha")
    assert len(set(chosen)) == len(chosen)
    assert set(chosen) <= set(plans)
    per_place = Counter(plan.location for plan in chosen)
    assert all(count <= PLANS_A_PLACE for count in per_place.values())
    firsts = [plan.location for plan in chosen[: len(per_place)]]
    by_plan = dict(found)
    repeated = Counter(by_plan[plan].place for plan in chosen)
    assert max(repeated.values(), default=0) <= PLANS_A_PLACE
    assert not firsts or Counter(firsts).most_common(1)[0][1] <= PLANS_A_PLACE
