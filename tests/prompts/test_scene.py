"""The scene as every template lays it out."""

import pytest
from benchwright.prompts.compose import scene
from benchwright.prompts.loader import load
from benchwright.schemas.clip import TranscriptLine

TRANSCRIPT = (
    TranscriptLine(text="Rain falls."),
    TranscriptLine(text="Stay.", speaker="Alpha"),
    TranscriptLine(text="[Go | Wait]", kind="menu"),
    TranscriptLine(text="Go", speaker="Beta", kind="choice"),
    TranscriptLine(text="Wait", kind="choice"),
)


@pytest.mark.parametrize("prompt", ["scene", "evaluate", "judge"])
def test_speech_and_choices_say_whose_they_are(prompt: str) -> None:
    (shown,) = scene(load(prompt), "", TRANSCRIPT, ())
    assert shown.text.split("\n\n", 1)[1].splitlines() == [
        "Rain falls.",
        "Alpha: Stay.",
        "[Go | Wait]",
        "> Beta chooses: Go",
        "> Wait",
    ]


@pytest.mark.parametrize("prompt", ["scene", "judge"])
def test_a_scene_with_menus_says_what_the_brackets_hold(prompt: str) -> None:
    """To a model under test the instructions say so."""
    (shown,) = scene(load(prompt), "", TRANSCRIPT, ())
    (plain,) = scene(load(prompt), "", [line for line in TRANSCRIPT if line.told], ())
    assert "square brackets" in shown.text.split("\n\n", 1)[0]
    assert plain.text.split("\n\n", 1)[0] == "The scene"
