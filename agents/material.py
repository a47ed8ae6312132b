"""A video or a transcript as material for items: its turns, its scenes, and the stretches that items are about.

A stretch ends where people pause or the picture changes: at the first clear such place after its shortest length, else
at the strongest one before its longest. It goes from the start of the source to its end, so that the same source always
falls into the same stretches.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ..narrative.words import content_words
from ..schemas.clip import Cue, Span, TranscriptLine

SHORTEST, LONGEST = 12.0, 60.0
"""Seconds of a stretch. Source: PsycheMME, whose clips are 60 s at most in 858 of 1,000 items."""
FEWEST = 4
"""Lines of a stretch; of a source that has no more, two are enough."""
CLEAR = 3.0
"""Seconds of a pause at which a stretch ends in any case."""
SCENE = 3.0
"""A change of scene counts as a pause of so many seconds."""
PAUSE = 2.0
"""Seconds without a word, from which a transcript tells of them."""
MARGIN = 0.5
"""Seconds that a clip shows before its first word and after its last, where nobody speaks."""
REMEMBERED = 12
"""Turns of a history at most: the last ones."""
SPEAKER = re.compile(r"^(?:>>\s*|-\s*)?(?P<name>[^\W\d_][\w.'’ -]{0,30}?):\s+(?P<text>\S.*)$", re.DOTALL)


class Turn(NamedTuple):
    """One subtitle, its speaker taken off where it names one."""

    start: float
    end: float
    """Seconds."""
    speaker: str | None
    text: str


class Material(NamedTuple):
    """One source that is watched or read, not played."""

    turns: tuple[Turn, ...]
    cuts: tuple[float, ...] = ()
    """Seconds at which the picture changes."""
    duration: float = 0.0
    pictures: bool = False
    """Whether there is a video to show."""


Materials = Mapping[str, Material]
"""By source id."""


def turns(cues: Sequence[Cue]) -> tuple[Turn, ...]:
    """Subtitles as turns; what stands before a colon is taken for a speaker where it looks like a name. One in capitals
    is written as a name."""
    return tuple(_turn(cue) for cue in cues)


def _turn(cue: Cue) -> Turn:
    named = SPEAKER.match(cue.text)
    if named and (named["name"][0].isupper() or not named["name"][0].islower()) and len(named["name"].split()) <= 3:
        name = named["name"].strip()
        return Turn(cue.start, cue.end, name.title() if name.isupper() else name, named["text"].strip())
    return Turn(cue.start, cue.end, None, re.sub(r"^(?:>>|-)\s*", "", cue.text))


def stretches(material: Material) -> tuple[Span, ...]:
    """The stretches of a source, in order; none where it tells nothing."""
    if not material.turns:
        return tuple(_scenes(material))
    found, first = [], 0
    while first < len(material.turns):
        last = _last(material, first)
        found.append((first, last))
        first = last + 1
    if len(found) > 1 and found[-1][1] - found[-1][0] + 1 < FEWEST:
        found.pop()
    return tuple(_span(material, first, last) for first, last in found if last > first)


def _last(material: Material, first: int) -> int:
    """The last turn of the stretch that starts with turn `first`."""
    all_turns = material.turns
    start = all_turns[first].start
    near = [n for n in range(first, len(all_turns)) if all_turns[n].end - start <= LONGEST] or [first]
    long = [n for n in near if all_turns[n].end - start >= SHORTEST and n - first + 1 >= FEWEST]
    clear = (n for n in long if _pause(material, n) >= CLEAR)
    return next(clear, None) or max(long or near[-1:], key=lambda n: (_pause(material, n), n))


def _pause(material: Material, number: int) -> float:
    """How clearly something ends after a turn: seconds until the next one, a change of scene counted in."""
    if number + 1 == len(material.turns):
        return LONGEST
    end, start = material.turns[number].end, material.turns[number + 1].start
    cut = any(end - MARGIN <= cut <= start + MARGIN for cut in material.cuts)
    return max(0.0, start - end) + (SCENE if cut else 0.0)


def _span(material: Material, first: int, last: int) -> Span:
    """From the first word to the last, with a margin where nobody else speaks."""
    before = material.turns[first - 1].end if first else 0.0
    after = material.turns[last + 1].start if last + 1 < len(material.turns) else max(
        material.duration, material.turns[last].end
    )  # fmt: skip
    start, end = material.turns[first].start, max(turn.end for turn in material.turns[first : last + 1])
    return Span(start=max(min(before, start), start - MARGIN), end=min(max(after, end), end + MARGIN))


def _scenes(material: Material) -> Iterator[Span]:
    """Of a video without words: its scenes, put together until long enough, and cut where they are too long."""
    start = 0.0
    for cut in (*material.cuts, material.duration):
        while cut - start > LONGEST:
            yield Span(start=start, end=start + LONGEST)
            start += LONGEST
        if cut - start >= SHORTEST:
            yield Span(start=start, end=cut)
            start = cut


def within(material: Material, span: Span) -> tuple[Turn, ...]:
    """The turns of a stretch."""
    return tuple(turn for turn in material.turns if turn.start >= span.start and turn.end <= span.end)


def lines(told: Sequence[Turn]) -> tuple[tuple[TranscriptLine, ...], tuple[str, ...]]:
    """Turns as lines of a transcript and their places, pauses told as lines of their own."""
    found: list[tuple[TranscriptLine, str]] = []
    for number, turn in enumerate(told):
        silent = turn.start - told[number - 1].end if number else 0.0
        if silent >= PAUSE:
            text = f"({silent:.1f} seconds pass without a word)"
            found.append((TranscriptLine(text=text), _place(told[number - 1].end, turn.start)))
        found.append((TranscriptLine(text=turn.text, speaker=turn.speaker), place(turn)))
    return tuple(line for line, _ in found), tuple(span for _, span in found)


def place(turn: Turn) -> str:
    return _place(turn.start, turn.end)


def _place(start: float, end: float) -> str:
    return f"t={start:.3f},{end:.3f}"


def recalled(material: Material, span: Span, spans: Sequence[Span]) -> Span | None:
    """The earlier stretch that a stretch has most to do with: shared speakers, then shared words, then the nearest."""
    earlier = [one for one in spans if one.end <= span.start]
    now = within(material, span)

    def shared(one: Span) -> tuple[int, int, float]:
        then = within(material, one)
        return len(_speakers(now) & _speakers(then)), len(_words(now) & _words(then)), one.start

    return max(earlier, key=shared, default=None)


def history(material: Material, spans: Sequence[Span]) -> tuple[str, ...]:
    """What was said in earlier stretches, a turn a line, the last turns at most."""
    told = [turn for span in spans for turn in within(material, span)]
    return tuple(f"{turn.speaker}: {turn.text}" if turn.speaker else turn.text for turn in told[-REMEMBERED:])


def speakers_of(material: Material) -> tuple[str, ...]:
    """Who speaks, in order of the first word."""
    return tuple(dict.fromkeys(turn.speaker for turn in material.turns if turn.speaker))


def text(told: Sequence[Turn]) -> str:
    return " ".join(turn.text for turn in told)


def _speakers(told: Sequence[Turn]) -> set[str]:
    return {turn.speaker for turn in told if turn.speaker}


def _words(told: Sequence[Turn]) -> frozenset[str]:
    return content_words(text(told))
