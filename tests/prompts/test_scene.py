"""The scene as every template lays it out."""

import pytest
from benchwright.prompts.compose import scene
from benchwright.prompts.loader import load
from benchwright.schemas.clip import TranscriptLine

TRANSCRIPT = (
    TranscriptLine(text="Rain falls."),
    TranscriptLine(text="Stay.", speaker="Alpha"),
    TranscriptLine(text="Go", speaker="Beta", kind="choice"),
    TranscriptLine(text="Wait", kind="choice"),
)


@pytest.mark.parametrize("prompt", ["scene", "evaluate", "judge"])
def test_speech_and_choices_say_whose_they_are(prompt: str) -> None:
    (shown,) = scene(load(prompt), "", TRANSCRIPT, ())
    assert shown.text.split("\n\n", 1)[1].splitlines() == [
        "Rain falls.",
        "Alpha: Stay.",
        "> Beta chooses: Go",
        "> Wait",
    ]
