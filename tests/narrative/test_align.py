"""A filmed play is found again from its transcript, and every line of it in time, whatever the transcript lacks."""

from collections.abc import Iterator
from itertools import pairwise

import pytest
from benchwright.narrative.align import CLIP_FLOOR, Recording, align, clip_span, overlays
from benchwright.narrative.heard import Heard
from benchwright.narrative.recover import given, recover
from benchwright.narrative.runtime import Runtime
from benchwright.narrative.stories import open_story
from benchwright.narrative.timelines import protagonists_of, stretches, timelines
from benchwright.schemas.alignment import Alignment, Moment
from benchwright.schemas.clip import Cue, Span

from .filmed import STORY, Faults, Filmed, at_random, film

NEAR = 0.5
"""Seconds by which a span may be off."""

FAULTS = {
    "none": Faults(),
    "words misheard": Faults(misheard=0.15),
    "lines missing": Faults(missing=0.2),
    "signals on screen": Faults(extra=0.4),
    "cues split": Faults(split=0.5),
    "cues merged": Faults(merged=0.5),
    "silent choices": Faults(choices=False),
    "all at once": Faults(0.12, 0.1, 0.2, 0.2, 0.2),
}
PLAYS = {"all at once": (0, 1)}
"""Seeds of the plays: two where a few lines may be off, since a share of one short play is coarse."""


@pytest.fixture(scope="module")
def runtime() -> Iterator[Runtime]:
    runtime = open_story(STORY).runtime()
    yield runtime
    runtime.close()


def filmed(runtime: Runtime, faults: Faults, seed: int = 0, length: int = 7) -> Filmed:
    return film(runtime, at_random(runtime, seed, length), faults, seed)


@pytest.mark.parametrize("name", FAULTS)
def test_the_play_is_recovered_and_every_line_is_in_its_place(runtime: Runtime, name: str) -> None:
    off = [far for seed in PLAYS.get(name, (0,)) for far in offsets(runtime, name, seed)]
    assert sum(far > NEAR for far in off) <= (0.03 if FAULTS[name].misheard and FAULTS[name].merged else 0) * len(off)


def offsets(runtime: Runtime, name: str, seed: int) -> list[float]:
    """By how many seconds the lines of a play are off; all else of it is as it should be."""
    shown = filmed(runtime, FAULTS[name], seed)
    heard = Heard(shown.cues)
    found = recover(heard, runtime)
    assert found.play == shown.play
    alignment = align(heard, found.steps, found.play)
    assert len(alignment.moments) == len(shown.truth)
    there = [(moment, truth) for moment, truth in zip(alignment.moments, shown.truth, strict=True) if truth]
    missed = sum(moment.span is None for moment, _ in there)
    assert missed <= 0.03 * len(there)
    off = [max(abs(m.span.start - t[0]), abs(m.span.end - t[1])) for m, t in there if m.span]
    ghosts = [m for m, t in zip(alignment.moments, shown.truth, strict=True) if t is None and m.span]
    assert len(ghosts) <= 1
    beside = {cue.text for cue in alignment.extra}
    assert beside <= {"[Trust ▲ Kasimir–Vesna]"} or FAULTS[name].misheard
    assert ("[Trust ▲ Kasimir–Vesna]" in beside) == (FAULTS[name].extra > 0)
    for state in alignment.states():
        spans = [t for m, t in there if m.after == state.after and m.kind == "line"]
        assert (state.span is None) == (not spans)
    return off


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_whole_plays_with_all_faults(runtime: Runtime, seed: int) -> None:
    shown = filmed(runtime, FAULTS["all at once"], seed, 60)
    assert recover(Heard(shown.cues), runtime).play == shown.play


def test_a_video_that_ends_before_the_story_does(runtime: Runtime) -> None:
    """The last choice stands in the transcript, what it led to does not."""
    shown = filmed(runtime, Faults())
    reply = shown.truth[-len(shown.steps[-1].lines)]
    assert reply is not None
    cut = [cue for cue in shown.cues if cue.start < reply[0] - 0.01]
    found = recover(Heard(cut), runtime)
    assert found.play == shown.play
    alignment = align(Heard(cut), found.steps, found.play)
    assert alignment.states()[-1].span is None
    assert alignment.states()[-2].span is not None


def test_an_introduction_and_credits_are_no_part_of_the_play(runtime: Runtime) -> None:
    shown = filmed(runtime, Faults())
    before = [Cue(start=0, end=2, text="Hello and welcome back to my channel, please subscribe")]
    after = [
        Cue(start=shown.cues[-1].end + 1, end=shown.cues[-1].end + 9, text="Thank you all so much for watching today")
    ]
    heard = Heard([*before, *shown.cues, *after])
    found = recover(heard, runtime)
    assert found.play == shown.play
    spans = [moment.span for moment in align(heard, found.steps, found.play).moments]
    assert all(span and span.start > 2 and span.end <= shown.cues[-1].end for span in spans)


def test_another_text_aligns_with_nothing(runtime: Runtime) -> None:
    said = "the quick brown fox jumps over a lazy dog and then it rains for forty days"
    heard = Heard([Cue(start=n, end=n + 1, text=said) for n in range(10)])
    found = recover(heard, runtime)
    assert found.play == ()
    alignment = align(heard, found.steps, found.play)
    assert alignment.confidence < 0.1
    assert [state.span for state in alignment.states()] == [None]


@pytest.mark.parametrize("cues", [[], [Cue(start=0, end=1, text="…")]], ids=["no cue", "no word"])
def test_a_transcript_without_words(runtime: Runtime, cues: list[Cue]) -> None:
    heard = Heard(cues)
    found = recover(heard, runtime)
    assert (found.play, align(heard, found.steps, found.play).confidence) == ((), 0.0)


def test_a_play_that_is_given_and_one_that_is_not_offered(runtime: Runtime) -> None:
    assert len(given(runtime, (0, 1))) == 3
    with pytest.raises(LookupError) as caught:
        given(runtime, (0, 1, 99))
    assert caught.value.args == (2,)


def moment(kind: str, after: int, start: float | None, end: float = 0, confidence: float = 1.0) -> Moment:
    span = None if start is None else Span(start=start, end=end)
    told = {"kind": kind, "after": after, "words": 10, "span": span, "confidence": confidence if span else 0.0}
    return Moment.model_validate(told)


def told(**changed: Moment) -> Alignment:
    """A play of two choices, a line before and two after each: line, choice, two lines, choice, two lines."""
    usual = {
        "opening": moment("line", 0, 0, 4), "first": moment("choice", 0, 5, 6),
        "reply": moment("line", 1, 7, 9), "more": moment("line", 1, 9, 12), "second": moment("choice", 1, 14, 15),
        "act": moment("line", 2, 16, 18), "last": moment("line", 2, 18, 20),
    }  # fmt: skip
    return Alignment(play=(2, 0), moments=tuple((usual | changed).values()))


SPANS = [
    # play of the clip, first, shown: start and end
    ((2,), 0, 0, (0, 6)),  # from the opening to the first choice
    ((2,), 0, 1, (0, 9)),  # and one line of its reply
    ((2, 0), 0, 0, (0, 15)),
    ((2, 0), 1, 0, (7, 15)),  # begins with what the first choice led to
    ((2, 0), 1, 2, (7, 20)),  # to the end of all that is told
    ((), 0, 1, (0, 4)),  # before the first menu
    ((2,), 0, 2, (0, 12)),  # before the second
]


@pytest.mark.parametrize(("play", "first", "shown", "span"), SPANS)
def test_the_span_of_a_clip(play: tuple[int, ...], first: int, shown: int, span: tuple[float, float]) -> None:
    found = clip_span(told(), "s1", play, first, shown)
    assert found is not None
    assert (found.start, found.end, found.source_id, found.confidence) == (*span, "s1", 1.0)


def test_a_clip_ends_with_its_choice_where_nothing_is_told_before_the_next() -> None:
    moments = [moment("line", 0, 0, 4), moment("choice", 0, 5, 6), moment("choice", 1, 8, 9), moment("line", 2, 10, 12)]
    found = clip_span(Alignment(play=(2, 0), moments=tuple(moments)), "s1", (2,), 0, 0)
    assert found is not None
    assert (found.start, found.end) == (0, 6)


@pytest.mark.parametrize("play", [(1,), (2, 1), (2, 0, 0), (0, 2)])
def test_another_play_has_no_span(play: tuple[int, ...]) -> None:
    assert clip_span(told(), "s1", play, 0, 0) is None


def test_a_clip_never_reaches_into_what_is_told_next() -> None:
    """Two lines stand in one cue: the clip that ends with the first one ends where the second begins."""
    found = clip_span(told(reply=moment("line", 1, 7, 11), more=moment("line", 1, 9, 11)), "s1", (2,), 0, 1)
    assert found is not None
    assert found.end == 9


def test_overlays_are_the_extra_cues_of_the_same_video_within_the_span() -> None:
    cues = [(1, 3, "Trust ▲"), (5.5, 8, "Fear ▼"), (6, 9, "The End"), (20, 21, "Credits")]
    extra = tuple(Cue(start=start, end=end, text=text) for start, end, text in cues)
    alignment = told().model_copy(update={"extra": extra})
    span = clip_span(alignment, "s1", (2,), 0, 0)
    assert span is not None
    assert span.end == 6
    assert overlays([Recording("s0", told()), Recording("s1", alignment)], span) == ("Trust ▲", "Fear ▼")


def test_a_choice_that_nobody_says_is_made_right_before_what_follows() -> None:
    found = clip_span(told(first=moment("choice", 0, None)), "s1", (2,), 0, 0)
    assert found is None  # half of its words are missing: too little
    found = clip_span(told(second=moment("choice", 1, None)), "s1", (2, 0), 0, 0)
    assert found is not None
    assert (found.end, found.confidence) == (16, 0.8)
    assert found.confidence >= CLIP_FLOOR


def test_the_ends_of_a_clip_must_be_aligned() -> None:
    silent = {name: moment("line", 1, None) for name in ("reply", "more")}
    assert clip_span(told(**silent, second=moment("choice", 1, None)), "s1", (2, 0), 0, 0) is None


def test_protagonists_have_timelines_of_their_own() -> None:
    """Three states of Ada, two of Ben, one of Ada: three stretches, two calls."""
    spans = [(n * 10.0, n * 10.0 + 8) for n in range(6)]
    moments = [moment("line", after, *span) for after, span in enumerate(spans)]
    moments[1] = moment("line", 1, None)
    alignment = Alignment(play=(0,) * 5, moments=tuple(moments))
    found = stretches(alignment, ["Ada", "Ada", "Ada", "Ben", "Ben", "Ada"])
    assert [(one.protagonist, one.states) for one in found] == [
        ("Ada", (0, 1, 2)), ("Ben", (3, 4)), ("Ada", (5,)),
    ]  # fmt: skip
    assert [(one.span.start, one.span.end) for one in found if one.span] == [(0, 28), (30, 48), (50, 58)]
    by = timelines(found)
    assert list(by) == ["Ada", "Ben"]
    assert [one.states for one in by["Ada"]] == [(0, 1, 2), (5,)]


def test_the_timelines_of_a_filmed_play_do_not_overlap(runtime: Runtime) -> None:
    shown = filmed(runtime, Faults(), length=10)
    alignment = align(Heard(shown.cues), shown.steps, shown.play)
    found = stretches(alignment, protagonists_of(shown.steps))
    assert [one.protagonist for one in found] == ["Vesna", "Joonas"]
    assert sum(len(one.states) for one in found) == len(shown.play) + 1
    for before, after in pairwise(found):
        assert before.protagonist != after.protagonist
        assert before.span
        assert after.span
        assert before.span.end <= after.span.start
    with pytest.raises(ValueError, match="zip"):
        stretches(alignment, ["Vesna"])
