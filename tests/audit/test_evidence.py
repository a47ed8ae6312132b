"""Evidence is looked up again: there, moved, or gone."""

from pathlib import Path

import pytest
from benchwright.audit.evidence import Walk, bare, resolve, walk
from benchwright.errors import InputError
from benchwright.narrative.runtime import Story
from benchwright.narrative.stories import open_story
from benchwright.schemas.grounding import Evidence, GroundedClaim, Trace

STORY = """\
benchwright_story: 1
title: The Spare Key
protagonists: [Mara]
people: [{name: Tobin}]
variables: {trust: 1}
start: workshop
states:
  workshop:
    lines:
      - {speaker: Tobin, text: "You said \\"never\\" again."}
    choices:
      - {text: Tell him., to: yard, effects: [trust += 1]}
      - {text: Say nothing., to: cellar}
  yard:
    lines: [{text: Snow falls on the yard.}]
    choices: [{text: Leave., to: end}]
  cellar:
    lines: [{text: The lamp goes out.}]
    choices: [{text: Leave., to: end}]
  end:
    lines: [{text: Nobody speaks.}]
    ending: quiet
"""


@pytest.fixture
def story(tmp_path: Path) -> Story:
    path = tmp_path / "s.yaml"
    path.write_text(STORY, encoding="utf-8")
    return open_story(path)


@pytest.fixture
def way(story: Story) -> Walk:
    return walk(story.runtime(), (0,))


def evidence(story: Story, kind: str, quote: str, place: str, sha256: str = "") -> Evidence:
    return Evidence.model_validate(
        {"kind": kind, "quote": quote, "place": place, "source_sha256": sha256 or story.info.sha256}
    )


def verdict(story: Story, way: Walk | None, one: Evidence) -> tuple[str, str]:
    trace = Trace(claims=(GroundedClaim(text="c", evidence=(one,)),), tier="B")
    found = resolve(trace, story, way)[0].evidence[0]
    return found.verdict, found.note


def span(way: Walk, text: str) -> str:
    return next(told.span for told in way.told if told.text == text)


def test_a_quote_that_stands_there_is_verified_however_it_is_typeset(story: Story, way: Walk) -> None:
    place = way.told[0].span
    assert verdict(story, way, evidence(story, "line", "You  said “never” again.", place))[0] == "verified"
    chosen = evidence(story, "choice", "Tell him.", span(way, "Tell him."))
    assert verdict(story, way, chosen) == ("verified", "there, after 0 choices")


@pytest.mark.parametrize(
    ("kind", "quote", "place", "expected", "says"),
    [
        pytest.param("line", "Snow falls on the yard.", "other:0", "moved", "on the play, but at", id="other-place"),
        pytest.param("line", "The lamp goes out.", "cellar:0", "moved", "not on this play", id="other-branch"),
        pytest.param("line", "Rain falls on the yard.", "yard:0", "missing", "nowhere", id="changed-text"),
        pytest.param("play", "", "0,0", "verified", "2 choices", id="play"),
        pytest.param("play", "", "0,7", "missing", "choice 7 is not offered", id="play-gone"),
        pytest.param("play", "", "a,b", "missing", "cannot be played", id="no-play"),
    ],
)
def test_verdicts(story: Story, way: Walk, kind: str, quote: str, place: str, expected: str, says: str) -> None:
    found, note = verdict(story, way, evidence(story, kind, quote, place))
    assert (found, says in note) == (expected, True), note


def test_a_choice_text_is_no_line(story: Story, way: Walk) -> None:
    assert verdict(story, way, evidence(story, "line", "Tell him.", span(way, "Tell him.")))[0] == "moved"


def test_another_version_of_the_story_is_never_verified(story: Story, way: Walk) -> None:
    old = evidence(story, "choice", "Tell him.", span(way, "Tell him."), sha256="sha256:0")
    assert verdict(story, way, old) == ("moved", "there, after 0 choices, in another version of the story")


def test_without_a_play_a_quote_can_only_have_moved(story: Story) -> None:
    assert verdict(story, None, evidence(story, "line", "Nobody speaks.", "end:0"))[0] == "moved"


def test_signals_are_read_off_the_end_and_the_unresolved_come_first(story: Story, way: Walk) -> None:
    good = GroundedClaim(text="good", evidence=(evidence(story, "choice", "Tell him.", span(way, "Tell him.")),))
    trace = Trace(claims=(good,), signals={"trust": 2.0, "anger": 1.0, "luck": 0.0}, tier="B")
    first, second = resolve(trace, story, way)
    assert (first.verdict, second.text, second.verdict) == ("missing", "good", "verified")
    assert {one.evidence.place: one.verdict for one in first.evidence} == {
        "trust": "verified",  # 1 and 1 more for telling him
        "anger": "missing",
        "luck": "missing",
    }
    wrong = Trace(claims=(), signals={"trust": 1.0}, tier="B")
    assert resolve(wrong, story, way)[0].verdict == "moved"


def test_a_claim_without_evidence_is_missing_it(story: Story, way: Walk) -> None:
    assert resolve(Trace(claims=(GroundedClaim(text="c", evidence=()),), tier="B"), story, way)[0].verdict == "missing"


def test_a_walk_goes_onward_to_the_end_at_most(story: Story) -> None:
    far = walk(story.runtime(), (1,), onward=5)
    assert [told.text for told in far.told if told.kind == "choice"] == ["Say nothing.", "Leave."]
    assert far.end.ending == "quiet"
    with pytest.raises(InputError, match="choice 2 is not offered"):
        walk(story.runtime(), (2,))


def test_what_is_compared_are_letters_and_digits() -> None:
    assert bare("<i>It’s</i>  “10” o'clock!") == bare("It's 10 oclock")
    assert bare("Kein Öl") != bare("Kein Ol")
