"""Small stories of Marta, who makes the choices, Otto and Lene; and all that a derivation needs to work on one."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml
from benchwright.agents.derivation import Derivation, Wording
from benchwright.agents.narratives import Narrative
from benchwright.agents.phrases import Cast
from benchwright.knowledge.loader import load_language, load_questions
from benchwright.narrative.explore import explore
from benchwright.narrative.oracle import Verdict, rederive
from benchwright.narrative.runtime import Story
from benchwright.narrative.stories import open_story
from benchwright.schemas.grounding import Recipe, Trace
from benchwright.schemas.item import Coordinate, Draft, Plan
from benchwright.schemas.source import Source
from benchwright.schemas.story import Entity
from benchwright.schemas.view import GeneratorView

NAMES = ("Marta", "Otto", "Lene")
PEOPLE = tuple(Entity(names=(name,)) for name in NAMES)

Scenes = dict[str, dict[str, tuple[str, Sequence[str]]]]
"""By scene: each choice with the scene that follows and what is told up to it. A scene without choices is an ending;
one whose name ends in `!` begins a chapter."""


def tell(folder: Path, scenes: Scenes, opening: Sequence[str] = ("Rain falls.",)) -> Story:
    """A story file with these scenes, opened."""
    chapter, states = "one", dict[str, Any]()
    for name, choices in scenes.items():
        chapter = name if name.endswith("!") else chapter
        offered = [
            {"text": text, "to": to, "lines": [{"text": t} for t in told]} for text, (to, told) in choices.items()
        ]
        states[name] = {"chapter": chapter, "choices": offered} if offered else {"chapter": chapter, "ending": name}
    start = next(iter(scenes))
    states[start]["lines"] = [{"text": text} for text in opening]
    data = {
        "benchwright_story": 1,
        "title": "Tale",
        "protagonists": ["Marta"],
        "people": [{"name": name} for name in NAMES],
        "start": start,
        "states": states,
    }
    path = folder / "tale.story.yaml"
    path.write_text(yaml.safe_dump(data, sort_keys=False, allow_unicode=True), encoding="utf-8")
    return open_story(path)


def narrative(story: Story, *plays: Sequence[int]) -> Narrative:
    """The story explored whole, with these recorded plays."""
    chart = explore(story)
    chart.plays = [tuple(play) for play in plays]
    return Narrative.of(story, chart)


def wording(options: int, foils_within: int = 2) -> Wording:
    language = load_language()
    return Wording(load_questions(), language, Cast(PEOPLE, language), options, foils_within=foils_within)


def view(story: Story, plan: Plan, slot_id: str = "s/c/i/0", present: Sequence[str] = NAMES) -> GeneratorView:
    return GeneratorView(
        source=Source(source_id="s", kind="story", sha256=story.info.sha256, path="tale.story.yaml"),
        coordinate=Coordinate(capability="c", interaction="i"),
        plan=plan,
        trace=Trace(claims=(), present=tuple(present), tier="C"),
        people=PEOPLE,
        slot_id=slot_id,
    )


def drafts(derivation: Derivation, about: Narrative, plan: Plan, slot_id: str = "s/c/i/0") -> list[Draft]:
    """The first drafts of a plan, at most eight."""
    made = (derivation.draft(view(about.story, plan, slot_id), about, attempt) for attempt in range(8))
    return [draft for draft in made if isinstance(draft, Draft)]


def judged(story: Story, plan: Plan, draft: Draft) -> Verdict:
    """What the story itself says of a draft; options go by their texts."""
    recipe = Recipe(
        claim=plan.claim,
        story_sha256=story.info.sha256,
        play=plan.play,
        taken=plan.taken,
        others=draft.others,
        window=draft.window,
        target=draft.target,
        recorded=draft.recorded,
        events={option.text: option.event for option in draft.options},
    )
    runtime = story.runtime()
    try:
        return rederive(runtime, recipe)
    finally:
        runtime.close()


def assert_sound(story: Story, plan: Plan, draft: Draft) -> None:
    """Exactly the key is true, nothing else possible, and every foil has its trap."""
    verdict = judged(story, plan, draft)
    assert verdict.true == (draft.answer,)
    assert verdict.possible == ()
    texts = {option.text for option in draft.options}
    assert set(draft.traps) == texts - {draft.answer}
    assert len(texts) == len(draft.options)
