"""Small releases to run on: items whose texts carry their own number."""

from collections.abc import Callable

import pytest
from benchwright.schemas.base import digest
from benchwright.schemas.clip import ClipRef, TranscriptLine
from benchwright.schemas.item import Option
from benchwright.schemas.release import ModelInput

MakeItem = Callable[..., ModelInput]


def item(number: int = 1, **changes: object) -> ModelInput:
    identity = f"i{number:012d}"
    texts = [f"Alpha takes the {thing} {number}" for thing in ("lantern", "boat", "letter", "key", "coat", "road")]
    ordered = sorted(texts, key=lambda text: digest(identity, text))
    fields: dict[str, object] = {
        "id": identity,
        "capability": "counterfactual",
        "interaction": "negotiation",
        "format": "single",
        "clip": ClipRef(media=f"media/c{number}.json", start=0, end=2, unit="lines"),
        "background": "Alpha and Beta share a house.",
        "question": f"What would Alpha take, had Beta left ({number})?",
        "options": tuple(Option(id=f"o{place}", text=text) for place, text in enumerate(ordered, 1)),
    }
    return ModelInput.model_validate(fields | changes)


def lines(number: int = 1) -> tuple[TranscriptLine, ...]:
    return (
        TranscriptLine(text=f"It rains on day {number}."),
        TranscriptLine(text="Where is the lantern?", speaker="Beta"),
        TranscriptLine(text="Say nothing", kind="choice"),
    )


@pytest.fixture(name="item")
def make_item() -> MakeItem:
    return item


@pytest.fixture
def inputs() -> list[ModelInput]:
    return [item(number) for number in range(1, 21)]


@pytest.fixture
def transcripts() -> dict[str, tuple[TranscriptLine, ...]]:
    return {f"media/c{number}.json": lines(number) for number in range(1, 21)}
