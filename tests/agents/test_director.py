"""Which type of interaction a place of the story is, and what the Director hands out."""

import asyncio

import pytest
from benchwright.agents.behaviour import Behaviour
from benchwright.agents.director import RulesDirector, interactions
from benchwright.knowledge.loader import Capability, Interaction, Taxonomy, load_taxonomy
from benchwright.schemas.item import Coordinate, Plan
from benchwright.schemas.source import Source
from benchwright.schemas.view import DirectorView

from .tales import Scenes, narrative, tell, wording


def taxonomy(**cues: str) -> Taxonomy:
    return Taxonomy(
        version=1,
        source="test",
        capabilities={
            "acts": Capability(claim="behaviour", needs="story", definition=""),
            "feelings": Capability(claim=None, needs="language model", definition=""),
            "worlds": Capability(claim="counterfactual", needs="story", definition=""),
        },
        interactions={name: Interaction(definition="", cues=tuple(words.split())) for name, words in cues.items()},
    )


def types(folder, said: list[str], **cues: str) -> list[str | None]:
    """The type of each scene of a story that tells `said`, scene by scene. Choices offered are neutral."""
    names = [f"n{place}" for place in range(len(said))]
    scenes: Scenes = {
        name: {"One": (after, [told]), "Two": (after, [told])}
        for name, after, told in zip(names, [*names[1:], "end"], [*said[1:], "Over."], strict=True)
    }
    about = narrative(tell(folder, scenes | {"end": {}}, opening=[said[0]]), [0] * len(said))
    # Every clip shows the last text only, so that each place has the cues of its own.
    plans = [
        Plan(claim="behaviour", play=(0,) * place, taken=0, first=place, location=about.chart.state(place).location)
        for place in range(len(said))
    ]
    found = interactions(about, plans, taxonomy(**cues))
    return [found[plan.location] for plan in plans]


LIFT = {
    "one cue": (["They fight.", "They hug."], {"quarrel": "fight", "love": "hug"}, ["quarrel", "love"]),
    "none": (["They fight.", "It rains."], {"quarrel": "fight"}, ["quarrel", None]),
    "the rarer cue wins": (
        ["Ask, ask, ask, and a hug.", "Ask and ask."],
        {"talk": "ask", "love": "hug"},
        ["love", "talk"],
    ),
    "the earlier type wins a tie": (["Fight, hug."], {"love": "hug", "quarrel": "fight"}, ["love"]),
    "punctuation and capitals": (["“HUG!” he says…"], {"love": "hug"}, ["love"]),
    "whole words only": (["They hugged a fighter."], {"love": "hug", "quarrel": "fight"}, [None]),
}


@pytest.mark.parametrize("case", LIFT)
def test_interactions(tmp_path, case: str):
    said, cues, expected = LIFT[case]
    assert types(tmp_path, said, **cues) == expected


def test_the_choices_on_offer_count(tmp_path):
    scenes: Scenes = {"a": {"Fight": ("end", []), "Leave": ("end", [])}, "end": {}}
    about = narrative(tell(tmp_path, scenes), [1])
    location = about.chart.state(0).location
    plan = Plan(claim="behaviour", play=(), taken=1, first=0, location=location)
    assert interactions(about, [plan], taxonomy(quarrel="fight")) == {location: "quarrel"}


def test_what_could_have_been_chosen_earlier_does_not_count(tmp_path):
    scenes: Scenes = {
        "a": {"Wait": ("b", []), "Fight": ("b", [])},
        "b": {"One": ("end", []), "Two": ("end", [])},
        "end": {},
    }
    about = narrative(tell(tmp_path, scenes), [0, 0])
    location = about.chart.state(about.chart.state_at((0,))).location
    plan = Plan(claim="behaviour", play=(0,), taken=0, first=0, location=location)
    assert interactions(about, [plan], taxonomy(quarrel="fight")) == {location: None}


TALE: Scenes = {
    "a": {"Tell the truth": ("b", ["Otto hugs the old postman."]), "Lie": ("b", ["Otto kicks over a bucket."])},
    "b": {"One": ("end", ["Lene fights the tall goose."]), "Two": ("end", ["Lene hides under a table."])},
    "end": {},
}


def director(folder) -> RulesDirector:
    about = narrative(tell(folder, TALE), [0, 0], [1, 1])
    return RulesDirector(
        {"s": about}, taxonomy(love="hugs falls", quarrel="kicks"), {"behaviour": Behaviour(wording(2))}
    )


def at(capability: str, interaction: str) -> Coordinate:
    return Coordinate(capability=capability, interaction=interaction)


def direct(one: RulesDirector, coordinate: Coordinate, ordinal: int) -> Plan | None:
    source = Source(source_id="s", kind="story", sha256="sha", path="p")
    return asyncio.run(one.direct(DirectorView(source=source, coordinate=coordinate, ordinal=ordinal)))


def test_every_ordinal_of_the_supply_is_another_plan(tmp_path):
    one = director(tmp_path)
    cells = [at("acts", "love"), at("acts", "quarrel")]
    plans = [direct(one, cell, ordinal) for cell in cells for ordinal in range(one.supply("s", cell))]
    assert None not in plans
    assert len(plans) == len({plan.model_dump_json() for plan in plans if plan}) > 1
    assert [direct(one, cell, one.supply("s", cell)) for cell in cells] == [None, None]


NONE = [
    ("s", "feelings", "love"),  # no claim
    ("s", "worlds", "love"),  # no derivation of its claim
    ("unknown", "acts", "love"),  # no story
    ("s", "acts", "unknown"),  # no such type
]


@pytest.mark.parametrize(("source", "capability", "interaction"), NONE)
def test_no_supply(tmp_path, source: str, capability: str, interaction: str):
    assert director(tmp_path).supply(source, at(capability, interaction)) == 0


def test_the_bundled_taxonomy_can_be_directed_by(tmp_path):
    about = narrative(tell(tmp_path, TALE), [0, 0])
    one = RulesDirector({"s": about}, load_taxonomy(), {"behaviour": Behaviour(wording(2))})
    supply = {name: one.supply("s", at("behavior_prediction", name)) for name in load_taxonomy().interactions}
    assert supply.pop("disclosure") > 0
    assert not any(supply.values())
