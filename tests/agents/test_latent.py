"""Latent-state items: what moved over a clip, and what stood still although the clip tells of its people."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from benchwright.agents.latent import LatentState
from benchwright.agents.narratives import Narrative
from benchwright.narrative.oracle import rederive
from benchwright.narrative.stories import open_story
from benchwright.schemas.grounding import Recipe
from benchwright.schemas.item import Draft, Plan

from .tales import NAMES, drafts, narrative, wording

THANK, SCOLD, WALK = "otto = otto + 1", "otto = otto - 1", ""
LENE, MIDDLE, WORST, HIGHER = "lene = 2", "lene = 1", "lene = 0", "lene = 3"
OTTO_MORE, OTTO_LESS = "Otto trusts Marta more than before", "Otto trusts Marta less than before"
LENE_MORE, LENE_LESS = "Lene trusts Marta more than before", "Lene trusts Marta less than before"
SIGNALS = {
    name: {"kind": "relationship_change", "between": [name.capitalize(), "Marta"], "label": "trust"}
    for name in ("otto", "lene")
}


def about(
    folder: Path, effects: list[str], *, start: Mapping[str, int], lines: str, signals: Any = SIGNALS
) -> Narrative:
    """One scene after another; the first choice of each has an effect, the other has none. The play takes the first."""
    states: dict[str, Any] = {
        f"s{place}": {
            "choices": [
                {
                    "text": f"Do thing {place}",
                    "to": f"s{place + 1}",
                    "effects": [effect] if effect else [],
                    "lines": [{"text": f"Marta does thing number {place}. {lines}"}],
                },
                {"text": "Walk on", "to": f"s{place + 1}", "lines": [{"text": "Marta walks on in silence."}]},
            ]
        }
        for place, effect in enumerate(effects)
    }
    unlikely = {"text": "The bells ring.", "if": "otto + lene > 100"}
    states[f"s{len(effects)}"] = {"ending": "end", "lines": [{"text": "Rain falls."}, unlikely]}
    data = {
        "benchwright_story": 1,
        "title": "Tale",
        "protagonists": ["Marta"],
        "people": [{"name": name} for name in NAMES],
        "variables": dict(start),
        "signals": signals,
        "start": "s0",
        "states": states,
    }
    path = folder / "tale.story.yaml"
    path.write_text(yaml.safe_dump(data, sort_keys=False), encoding="utf-8")
    return narrative(open_story(path), (0,) * len(effects))


def made(about: Narrative) -> list[tuple[Plan, Draft]]:
    derivation = LatentState(wording(4), {})
    return [(plan, draft) for plan in derivation.plans(about) for draft in drafts(derivation, about, plan)]


BOTH = "Otto looks up, and Lene whistles."
CASES: dict[str, tuple[list[str], dict[str, int], str, str | None]] = {
    "one rises, the other stands still": ([THANK, WALK, WALK], {"otto": 1, "lene": 1}, BOTH, OTTO_MORE),
    "one falls": ([WALK, SCOLD, WALK], {"otto": 1, "lene": 1}, BOTH, OTTO_LESS),
    "twice the same way": ([THANK, WALK, THANK], {"otto": 1, "lene": 1}, BOTH, OTTO_MORE),
    "there and back": ([THANK, SCOLD, WALK], {"otto": 1, "lene": 1}, BOTH, None),
    "nothing moves": ([WALK, WALK, WALK], {"otto": 1, "lene": 1}, BOTH, None),
    "both move": ([THANK, LENE, WALK], {"otto": 1, "lene": 1}, BOTH, None),
    "the other is nowhere in the clip": ([THANK, WALK, WALK], {"otto": 1, "lene": 1}, "Otto looks up.", None),
    "whoever it moves is not told of": ([THANK, WALK, WALK], {"otto": 1, "lene": 1}, "Lene whistles.", None),
    "too short": ([THANK, WALK], {"otto": 1, "lene": 1}, BOTH, None),
    "it never moves at all": ([THANK, LENE, WALK], {"otto": 1, "lene": 2}, BOTH, OTTO_MORE),
    "at the end of its scale": ([WORST, LENE, WALK, THANK, WALK, WALK], {"otto": 1, "lene": 2}, BOTH, None),
    "inside its scale": ([WORST, MIDDLE, WALK, THANK, WALK, WALK], {"otto": 1, "lene": 2}, BOTH, OTTO_MORE),
}


@pytest.mark.parametrize("case", CASES)
def test_items(tmp_path: Path, case: str):
    effects, start, lines, expected = CASES[case]
    story = about(tmp_path, effects, start=start, lines=lines)
    found = made(story)
    assert {draft.answer for _, draft in found} == ({expected} if expected else set())
    for plan, draft in found:
        assert {option.text for option in draft.options} == {OTTO_MORE, OTTO_LESS, LENE_MORE, LENE_LESS}
        assert_true(story, plan, draft)


def assert_true(about: Narrative, plan: Plan, draft: Draft) -> None:
    """The runtime itself says that the key came true over the clip, and nothing else."""
    recipe = Recipe(
        claim="latent_state",
        story_sha256=about.story.info.sha256,
        play=plan.play,
        taken=plan.taken,
        since=plan.first,
        window=draft.window,
        events={option.text: option.event for option in draft.options},
    )
    runtime = about.story.runtime()
    try:
        verdict = rederive(runtime, recipe)
    finally:
        runtime.close()
    assert verdict.true == (draft.answer,)
    assert verdict.possible == ()


@pytest.mark.parametrize(("said", "asked"), [(LENE, False), (WALK, True)])
def test_a_choice_that_moves_it_after_another_history_makes_no_foil_of_it(tmp_path: Path, said: str, asked: bool):
    """Lene stands still inside her scale, at 2 of 3; who had walked on at first would see her moved in the clip."""
    story = about(tmp_path, [LENE, WALK, THANK, said, WALK, HIGHER], start={"otto": 1, "lene": 0}, lines=BOTH)
    clips = {(plan.first, len(plan.way)) for plan, _ in made(story)}
    assert ((2, 5) in clips) is asked


def test_without_signals_there_is_nothing_to_ask(tmp_path: Path):
    assert made(about(tmp_path, [THANK, WALK, WALK], start={"otto": 1, "lene": 1}, lines=BOTH, signals={})) == []
