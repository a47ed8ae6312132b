"""Small scored worlds: items with six options, one key and tagged foils."""

from collections.abc import Callable, Sequence

import pytest
from benchwright.schemas.base import shown_order
from benchwright.schemas.clip import ClipRef
from benchwright.schemas.item import Option
from benchwright.schemas.release import KeyRow, ModelInput
from benchwright.schemas.response import Response, RunInfo

TRAPS = {"o2": "visual_shortcut", "o3": "visual_shortcut", "o4": "logic", "o5": "knowledge_prior", "o6": "none"}
RUN = RunInfo(
    release="r 1.0",
    release_sha256="sha256:0",
    model="m",
    condition="full",
    prompt_id="evaluate",
    prompt_sha256="sha256:1",
    permutation_seed=42,
)
World = tuple[list[ModelInput], list[KeyRow], list[Response]]


def item(number: int, capability: str = "behaviour", options: int = 6, format: str = "single") -> ModelInput:
    return ModelInput.model_validate(
        {
            "id": f"i{number:03}",
            "capability": capability,
            "interaction": "conflict" if number % 2 else "negotiation",
            "format": format,
            "clip": ClipRef(media="media/c.json", start=0, end=1, unit="lines"),
            "background": "",
            "question": "?",
            "options": tuple(Option(id=f"o{place}", text=str(place)) for place in range(1, options + 1)),
        }
    )


def key(number: int, episode: str = "", answer: Sequence[str] = ("o1",)) -> KeyRow:
    return KeyRow.model_validate(
        {
            "id": f"i{number:03}",
            "answer": tuple(answer),
            "answer_text": "1",
            "traps": {option: trap for option, trap in TRAPS.items() if option not in answer},
            "tier": "B",
            "status": "derived, answerability unknown",
            "episode": episode or f"e{number:03}",
            "story": "s1",
        }
    )


def reply(number: int, chosen: str = "o1", status: str = "answered", repeat: int = 0) -> Response:
    return Response.model_validate(
        {
            "item": f"i{number:03}",
            "condition": "full",
            "repeat": repeat,
            "shown": shown_order(42, f"i{number:03}", [f"o{place}" for place in range(1, 7)]),
            "input_sha256": "sha256:2",
            "reply": "",
            "status": status,
            "rule": "json",
            "ids": tuple(chosen.split()) if status == "answered" else (),
        }
    )


def world(chosen: Sequence[str], per_episode: int = 2, capabilities: str = "TN") -> World:
    """One item a choice; `per_episode` items share an episode; capabilities take turns."""
    numbers = range(len(chosen))
    return (
        [item(number, capabilities[number % len(capabilities)]) for number in numbers],
        [key(number, f"e{number // per_episode:03}") for number in numbers],
        [
            reply(number, option) if option.startswith("o") else reply(number, status=option)
            for number, option in enumerate(chosen)
        ],
    )


@pytest.fixture(name="world")
def make_world() -> Callable[..., World]:
    return world
