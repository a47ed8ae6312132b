"""What holds of every draft on random stories, and of every plan's clip."""

import itertools
import random

import pytest
from benchwright.agents.behaviour import Behaviour
from benchwright.agents.counterfactual import Counterfactual
from benchwright.agents.derivation import (
    CLIP_DECISIONS,
    PLANS_A_PLACE,
    QUOTED,
    WORDS,
    candidate,
    opening,
    spread,
    usable,
)
from benchwright.agents.tracker import transcript
from benchwright.narrative.plays import sample
from benchwright.narrative.runtime import Line
from benchwright.schemas.grounding import Event
from benchwright.schemas.item import Plan

from ..narrative.conftest import GraphStory, Way
from .tales import PEOPLE, assert_sound, drafts, narrative, tell, wording

SENTENCES = (
    "amber lanterns swing above her",
    "yellow lamps sway over her",
    "seven geese follow him home",
    "they mend broken crockery together",
    "nobody answers when she knocks",
    "he whistles beside the furnace",
    "her brother forgot his umbrella",
    "wolves howl while they dine",
    "he polishes an enormous trumpet",
    "she unlocks the cellar slowly",
)
PLACES = "aabcdefghi"
"""By sentence: the first two are wordings of one place."""


def tale(seed: int) -> GraphStory:
    """Four layers of up to three states, each choice leading to the next layer, one line or two told on each."""
    chance = random.Random(seed)
    lines = [f"{place}/{sentence}" for place, sentence in zip(PLACES, SENTENCES, strict=True)]
    layers = [["s0"]] + [[f"s{depth}{n}" for n in range(chance.randint(2, 3))] for depth in (1, 2, 3)]
    graph: dict[str, dict[str, Way]] = {}
    for names, after in itertools.pairwise(layers):
        for name in names:
            letters = "xyz"[: chance.randint(2 if name == "s0" else 1, 3)]
            graph[name] = {
                f"{name} {letter}": Way(chance.choice(after), chance.sample(lines, chance.randint(1, 2)))
                for letter in letters
            }
    return GraphStory(graph | {name: {} for name in layers[-1]})


@pytest.mark.parametrize(("derivation", "stories"), [(Counterfactual, 80), (Behaviour, 20)])
def test_every_draft_on_a_random_story_is_true_of_it(derivation, stories: int):
    made = 0
    for seed in range(stories):
        about = narrative(tale(seed))
        about.chart.plays = sample(about.chart, seed=seed, count=2)
        maker = derivation(wording(2))
        for plan in maker.plans(about):
            for draft in drafts(maker, about, plan)[:4]:
                assert_sound(about.story, plan, draft)
                made += 1
    assert made >= 20, "too few to say anything"


def chain(length: int, chapter_at: int = -1):
    """Scenes in a row with two choices each; one of them may begin a chapter."""
    names = [f"n{place}{'!' if place == chapter_at else ''}" for place in range(length)] + ["end"]
    scenes = {
        name: {"Wait": (after, [f"Otto counts to {place}."]), "Hide": (after, [f"Otto whistles {place} times."])}
        for place, (name, after) in enumerate(itertools.pairwise(names))
    }
    return scenes | {"end": {}}


@pytest.mark.parametrize(
    ("length", "chapter_at", "first"),
    [(1, -1, 0), (8, -1, 0), (9, -1, 1), (12, -1, 4), (9, 5, 5), (9, 8, 8), (12, 2, 4)],
)
def test_a_clip_shows_the_last_decisions_of_its_chapter(tmp_path, length: int, chapter_at: int, first: int):
    about = narrative(tell(tmp_path, chain(length, chapter_at)), [0] * length)
    plans = {len(plan.play): plan for plan in Behaviour(wording(2)).plans(about)}
    plan = plans[length - 1]
    assert plan.first == first
    lines, spans = transcript(about.chart, plan)
    assert sum(line.kind == "choice" for line in lines) == length - first <= CLIP_DECISIONS
    told = "Rain falls." if first == 0 else f"Otto counts to {first - 1}."
    expected = [told]
    for place in range(first, length):
        expected += ["[Wait | Hide]", "Wait", f"Otto counts to {place}."]
    assert [line.text for line in lines] == expected[:-1], "nothing after the choice at the decision"
    assert len(spans) == len(lines)


def plan(location: str, *play: int) -> Plan:
    return Plan(claim="behaviour", play=play, taken=0, first=0, location=location)


def test_plans_are_spread_over_places():
    many = [plan("a", number) for number in range(6)] + [plan("b", 7), plan("c", 8), plan("c", 9)]
    order = [one.location for one in spread(many, "sha")]
    assert sorted(order[:3]) == ["a", "b", "c"]
    assert order.count("a") == PLANS_A_PLACE
    assert spread(reversed(many), "sha") == spread(many, "sha")
    assert spread(many, "another") != spread(many, "sha")


USABLE = {
    "Otto waits at the gate.": True,
    "He waits there by the gate.": False,
    "“Wait by the gate,” he says.": True,
    "“Nobody is here at all,” it says.": True,
    "Otto waits there.": False,
    " ".join(["Otto"] + ["word"] * (WORDS[1] - 1)): True,
    " ".join(["Otto"] + ["word"] * WORDS[1]): False,
    " ".join(["Otto", "waits", "at", "the", "gate."] + ["word"] * WORDS[1]): True,
    "“Now they own you.”": False,
    "“Now they own you,” says Otto.": True,
    "“Now they own you and your house.”": True,
    "The night is very dark.": False,
    "I wonder what he is waiting for.": False,
    "Lene waits at the gate.": False,
}


OPENINGS = {
    "Otto waits. Lene goes.": "Otto waits. Lene goes.",
    " ".join(["Otto waits."] + ["word"] * WORDS[1]): "Otto waits.",
    "“Nobody came. " + "They all stayed away. " * 30 + "”": "“Nobody came." + " They all stayed away." * 7 + "”",
}


@pytest.mark.parametrize("text", OPENINGS)
def test_a_page_is_quoted_up_to_the_end_of_a_sentence(text: str):
    assert opening(Line(text, "a")).text == OPENINGS[text]
    assert len(OPENINGS[text]) <= QUOTED + 1
    quote = candidate(Line(text, "a"), Event(kind="line", match=(text,)), "none").text
    assert quote.count("“") == quote.count("”")


@pytest.mark.parametrize("text", USABLE)
def test_usable(text: str):
    """Lene is not known."""
    assert [entity.names[0] for entity in PEOPLE] == ["Marta", "Otto", "Lene"]
    assert usable(Line(text, "a"), wording(6).cast, frozenset({"Otto"})) == USABLE[text]
