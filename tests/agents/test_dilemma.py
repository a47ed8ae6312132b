"""Moral dilemmas: a clear majority among recorded choices, and never anything less."""

import itertools
from fractions import Fraction
from typing import Any

import pytest
from benchwright.agents.dilemma import MoralDilemma, majority
from benchwright.agents.narratives import Narrative
from benchwright.agents.tracker import transcript
from benchwright.narrative.oracle import rederive
from benchwright.narrative.runtime import Choice, Step
from benchwright.narrative.shares import Entry
from benchwright.schemas.grounding import Event, Recipe, Recorded
from hypothesis import given
from hypothesis import strategies as st

from .tales import Scenes, drafts, judged, narrative, tell, wording

MENU = ("Tell Otto", "Say nothing", "Blame Lene")
SCENES: Scenes = {
    "hall": {"Wait": ("gate", ["Otto comes in.", "Lene looks away."]), "Leave": ("gate", ["Nobody stirs."])},
    "gate": {text: ("end", ["Otto nods."]) for text in MENU},
    "end": {},
}


def recorded(*players: float) -> Recorded:
    chosen = dict(zip((*MENU, "Sing", "Weep", "Pray"), players, strict=False))
    return Recorded(source="a poll", date="2026", n=round(sum(players)), chosen=chosen)


# The shares of three choices; a lead of exactly ten points at n = 1000 has z = 0.1 / sqrt((0.9 − 0.01) / 1000) = 3.35.
LEADS = {
    "ten points": ((500, 400, 100), True),
    "a player less": ((499, 400, 101), False),
    "tie": ((450, 450, 100), False),
    "few players": ((50, 40, 10), False),  # z = 0.1 / sqrt((0.9 − 0.01) / 100) = 1.06
    "just beyond chance": ((60, 40), True),  # z = 0.2 / sqrt((1 − 0.04) / 100) = 2.04
    "just within chance": ((59, 41), False),  # z = 0.18 / sqrt((1 − 0.0324) / 100) = 1.83
    "all of ten": ((10, 0), True),
    "all of nine": ((9, 0), False),
}


@pytest.mark.parametrize("name", LEADS)
def test_a_majority_is_clear_or_none(name: str):
    players, clear = LEADS[name]
    for order in itertools.permutations(players):
        found = recorded(*order)
        assert bool(majority(found)) == clear
        if clear:
            assert found.chosen[majority(found)] == max(players)


def about(folder, *players: float, plays=([0, 1], [1, 0], [0, 2])) -> Narrative:
    told = narrative(tell(folder, SCENES), *plays)
    return told._replace(shares=(Entry(recorded(*players), "poll.yaml:5", "sha256:00"),))


def test_the_options_are_the_menu_and_the_clip_ends_before_it(tmp_path):
    told = about(tmp_path, 20, 100, 40)
    maker = MoralDilemma(wording(6))
    (plan,) = maker.plans(told)
    lines, _ = transcript(told.chart, plan)
    assert [line.text for line in lines][-1] in ("Lene looks away.", "Nobody stirs.")
    assert not {line.text for line in lines} & set(MENU)
    (draft,) = drafts(maker, told, plan)
    assert {option.text for option in draft.options} == set(MENU)
    assert draft.answer == "Say nothing"
    assert set(draft.traps.values()) == {"none"}
    assert "Marta" in draft.question
    assert "players" in draft.question
    assert not any(character.isdigit() for character in draft.question)
    verdict = judged(told.story, plan, draft)
    assert (verdict.true, verdict.possible) == (("Say nothing",), ())


def test_the_first_decision_can_be_asked_about(tmp_path):
    told = about(tmp_path, 9)
    entry = Entry(Recorded(source="a poll", date="2026", n=90, chosen={"Wait": 80, "Leave": 10}), "poll.yaml:5", "")
    told = told._replace(shares=(entry,))
    maker = MoralDilemma(wording(6))
    (plan,) = maker.plans(told)
    assert (plan.play, plan.way, plan.shown) == ((), (), 1)
    lines, _ = transcript(told.chart, plan)
    assert [line.text for line in lines] == ["Rain falls."]
    assert [draft.answer for draft in drafts(maker, told, plan)] == ["Wait"]


@pytest.mark.parametrize("players", [(60, 60, 40), (50, 40, 10), (20, 100)], ids=["tie", "few", "another menu"])
def test_no_clear_majority_is_no_item(tmp_path, players):
    assert MoralDilemma(wording(6)).plans(about(tmp_path, *players)) == []


def test_without_recorded_shares_there_is_nothing(tmp_path):
    told = narrative(tell(tmp_path, SCENES), [0, 1])
    assert MoralDilemma(wording(6)).plans(told) == []


def test_choices_that_look_the_same_are_no_options(tmp_path):
    scenes: Scenes = {"hall": {"Don't": ("end", ["So."]), "Don’t": ("end", ["Oh."])}, "end": {}}
    told = narrative(tell(tmp_path, scenes), [0])
    entry = Entry(Recorded(source="a poll", date="2026", n=90, chosen={"Don't": 80, "Don’t": 10}), "poll.yaml:5", "")
    told = told._replace(shares=(entry,))
    maker = MoralDilemma(wording(6))
    assert [drafts(maker, told, plan) for plan in maker.plans(told)] == [[]]


@given(st.lists(st.integers(0, 400), min_size=2, max_size=6).filter(any))
def test_the_oracle_agrees_with_the_derivation(players: list[int]):
    """On every table of counts: two readers that share no code."""
    found = recorded(*players)
    runtime: Any = Offering(tuple(found.chosen))
    events = {text: Event(kind="choice", match=(text,)) for text in found.chosen}
    recipe = Recipe(claim="moral_dilemma", story_sha256="", play=(), taken=0, window=0, recorded=found, events=events)
    first = majority(found)
    assert rederive(runtime, recipe).true == ((first,) if first else ())
    ranked = sorted((Fraction(count, found.n) for count in players), reverse=True)
    if first:
        assert ranked[0] - ranked[1] >= Fraction(1, 10)


class Offering:
    """A runtime that stands at one decision."""

    def __init__(self, texts: tuple[str, ...]) -> None:
        self.texts = texts

    def start(self):
        return Step((), tuple(Choice(text, text) for text in self.texts), {}, "here")

    def save(self) -> str:
        return ""
