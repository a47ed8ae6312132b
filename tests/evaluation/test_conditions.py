"""Conditions: their names, what each shows to which model, and what cannot be shown."""

from collections.abc import Callable

import pytest
from benchwright.errors import UsageError
from benchwright.evaluation.conditions import SEEDS, expanded, named
from benchwright.evaluation.film import Material, Takes, forms, material, problem, words
from benchwright.schemas.clip import ClipRef
from benchwright.schemas.release import ModelInput
from benchwright.schemas.response import Form, Shown

MakeItem = Callable[..., ModelInput]

NAMES = [
    ("full", "full", "matched", None, 0),
    ("0-shot", "full", "matched", None, 0),
    ("full+0-shot", "full", "matched", None, 0),
    ("4-shot+transcript-only", "transcript-only+4-shot", "matched", None, 4),
    ("full+history-none", "history-none", "none", None, 0),
    ("history-matched", "history-matched", "matched", None, 0),
    ("16-shot+history-mismatched#42", "history-mismatched#42+16-shot", "mismatched", 42, 16),
    ("question-only+2-shot", "question-only+2-shot", "matched", None, 2),
]


@pytest.mark.parametrize(("written", "name", "history", "seed", "shots"), NAMES, ids=[row[0] for row in NAMES])
def test_a_condition_has_one_name_however_it_is_written(
    written: str, name: str, history: str, seed: int | None, shots: int
) -> None:
    found = named(written)
    assert (found.name, found.history, found.seed, found.shots) == (name, history, seed, shots)
    assert named(found.name) == found


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("blind", "no condition 'blind'; there are full, question-only, .*16-shot"),
        ("3-shot", "no condition '3-shot'"),
        ("history-mismatched", "no condition 'history-mismatched'"),
        ("full+muted", "the same thing twice"),
        ("1-shot+2-shot", "the same thing twice"),
        ("recognition+2-shot", "recognition stands alone"),
        ("question-only+history-none", "question-only stands alone"),
        ("", "no condition ''"),
    ],
)
def test_what_is_no_condition_is_refused(written: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        named(written)


def test_a_mismatched_history_is_run_once_for_each_seed() -> None:
    assert [one.name for one in expanded("history-mismatched+2-shot")] == [
        f"history-mismatched#{seed}+2-shot" for seed in SEEDS
    ]
    assert [one.name for one in expanded("muted")] == ["muted"]


class Filmed:
    """Every clip has a film, with sound or without."""

    def __init__(self, sound: bool = True) -> None:
        self.sound = sound

    def shows(self, clip: ClipRef) -> bool:
        return clip.media != "media/c9.json"

    def sounds(self, clip: ClipRef) -> bool:
        return self.sound

    def cut(self, clip: ClipRef, form: Form) -> tuple[Shown, ...]:
        return (Shown(form=form, sha256=f"sha256:{form}", start=1.0, end=3.0),)


GENAI = Takes(frozenset({"image", "video", "audio"}), hears_video=True)
OMNI = Takes(frozenset({"image", "video", "audio"}))
VIDEO, EYES, EARS, TEXT = (
    Takes(frozenset({"video"})),
    Takes(frozenset({"image"})),
    Takes(frozenset({"image", "audio"})),
    Takes(),
)

SEEN = [
    ("full", GENAI, True, ("video",), False),
    ("full", GENAI, False, ("silent",), True),
    ("full", OMNI, True, ("silent", "audio"), False),
    ("full", VIDEO, True, ("silent",), True),
    ("full", EYES, True, ("frames",), True),
    ("full", EARS, True, ("frames", "audio"), False),
    ("full", EARS, False, ("frames",), True),
    ("full", TEXT, True, (), True),
    ("question-only", GENAI, True, (), False),
    ("transcript-only", GENAI, True, (), True),
    ("visual-only", GENAI, True, ("silent",), False),
    ("visual-only", EARS, True, ("frames",), False),
    ("single-image", GENAI, True, ("image", "audio"), False),
    ("single-image", EYES, True, ("image",), True),
    ("muted", GENAI, True, ("silent",), True),
    ("muted", EARS, True, ("frames",), True),
    ("recognition", GENAI, True, ("video",), False),
]


@pytest.mark.parametrize(("condition", "takes", "sound", "expected", "written"), SEEN)
def test_a_clip_of_a_video_is_shown_natively_first_and_told_where_it_is_not_heard(
    condition: str, takes: Takes, sound: bool, expected: tuple[Form, ...], written: bool, item: MakeItem
) -> None:
    one = item(clip=ClipRef(media="media/c1.json", start=0, end=4, unit="seconds"))
    got = material(named(condition), one, takes, Filmed(sound))
    assert (tuple(shown.form for shown in got.media), got.words) == (expected, written)
    assert problem(named(condition), one, got) == ""


@pytest.mark.parametrize("condition", ["full", "single-image", "muted", "recognition"])
def test_a_clip_of_a_story_keeps_its_lines_beside_the_film(condition: str, item: MakeItem) -> None:
    assert material(named(condition), item(), GENAI, Filmed()).words


@pytest.mark.parametrize(
    ("condition", "number", "takes", "reason"),
    [
        ("visual-only", 9, GENAI, "no video shows its clip"),
        ("single-image", 9, GENAI, "no video shows its clip"),
        ("visual-only", 1, TEXT, "the model takes no pictures"),
        ("single-image", 1, VIDEO, "the model takes no pictures"),
    ],
)
def test_a_condition_that_would_show_nothing_is_refused(
    condition: str, number: int, takes: Takes, reason: str, item: MakeItem
) -> None:
    with pytest.raises(UsageError, match=f"{condition} has nothing to show: {reason}"):
        material(named(condition), item(number), takes, Filmed())


@pytest.mark.parametrize("condition", ["full", "transcript-only", "muted", "question-only"])
def test_a_clip_without_film_shows_what_there_is(condition: str, item: MakeItem) -> None:
    got = material(named(condition), item(9), GENAI, Filmed())
    assert got == Material(words=condition != "question-only")
    assert not forms(named(condition), item(9), GENAI, Filmed())
    assert words(named("full"), item(9), ())


@pytest.mark.parametrize(
    ("condition", "form", "written", "wrong"),
    [
        ("question-only", "frames", False, "was shown frames"),
        ("transcript-only", "image", True, "was shown image"),
        ("visual-only", "video", False, "was shown video"),
        ("visual-only", "silent", True, "has the transcript"),
        ("muted", "audio", True, "was shown audio"),
        ("muted", "silent", False, "lacks the transcript"),
        ("single-image", "frames", True, "was shown frames"),
        ("full", "frames", False, "lacks the transcript"),
    ],
)
def test_a_stored_input_is_held_against_its_condition(
    condition: str, form: Form, written: bool, wrong: str, item: MakeItem
) -> None:
    got = Material(written, (Shown(form=form, sha256="sha256:0", start=0.0, end=1.0),))
    assert wrong in problem(named(condition), item(), got)
