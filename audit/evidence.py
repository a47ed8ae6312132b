"""Evidence looked up again: the play of an item is played on the story as it is now, and every quote sought on it.

Quotes were typeset when they were taken (curly quotes, no markup), so letters and digits alone are compared.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from ..errors import InputError
from ..narrative.runtime import Runtime, Step, Story
from ..narrative.shares import Entry
from ..schemas.grounding import Evidence, Trace

Verdict = Literal["verified", "moved", "missing"]
ORDER: tuple[Verdict, ...] = ("missing", "moved", "verified")
"""What needs attention comes first."""
MARKUP = re.compile(r"</?[A-Za-z][^<>]{0,40}>")


class Told(NamedTuple):
    """One line, or one choice taken, on the way of a play."""

    kind: Literal["line", "choice"]
    text: str
    span: str
    speaker: str | None
    after: int
    """Number of choices made before it."""


class Menu(NamedTuple):
    """What was offered at one decision of a play."""

    after: int
    """Number of choices made before it."""
    offered: tuple[str, ...]
    taken: int
    """Position of the choice made."""


class Walk(NamedTuple):
    """A play from the start: what was told and chosen, out of what, and where it led."""

    told: tuple[Told, ...]
    end: Step
    menus: tuple[Menu, ...] = ()


class Found(NamedTuple):
    evidence: Evidence
    verdict: Verdict
    note: str
    """Where it was found, or what was found instead."""


class Claim(NamedTuple):
    text: str
    evidence: tuple[Found, ...]

    @property
    def verdict(self) -> Verdict:
        """That of its worst evidence; a claim without evidence is missing it."""
        return min((found.verdict for found in self.evidence), key=ORDER.index, default="missing")


def walk(runtime: Runtime, play: Sequence[int], *, onward: int = 0) -> Walk:
    """Play from the start, and then `onward` first choices more, or to the story's end if that comes first.

    Raises `InputError` for a choice that is not offered, `StoryError` where the story fails.
    """
    step = runtime.start()
    told, menus = [*_lines(step, 0)], list[Menu]()
    for depth, index in enumerate((*play, *(0,) * onward)):
        if depth >= len(play) and not step.choices:
            break
        if index not in range(len(step.choices)):
            raise InputError("play", f"choice {index} is not offered after {depth}, {len(step.choices)} are")
        choice = step.choices[index]
        menus.append(Menu(depth, tuple(one.text for one in step.choices), index))
        told.append(Told("choice", choice.text, choice.span, step.protagonist, depth))
        step = runtime.choose(index)
        told += _lines(step, depth + 1)
    return Walk(tuple(told), step, tuple(menus))


def resolve(trace: Trace, story: Story, way: Walk | None, shares: Sequence[Entry] = ()) -> tuple[Claim, ...]:
    """Each claim of a trace with the verdict on its evidence now; unresolved first.

    `way` is the item's play, None where it cannot be played any more; `shares` what is recorded of players now.
    """
    claims = [Claim(own.text, tuple(_look_up(one, story, way, shares) for one in own.evidence)) for own in trace.claims]
    if trace.signals:
        claims.append(Claim("signals at the end of the clip", tuple(_signals(trace, story, way))))
    ordered = [
        claim._replace(evidence=tuple(sorted(claim.evidence, key=lambda one: ORDER.index(one.verdict))))
        for claim in claims
    ]
    return tuple(sorted(ordered, key=lambda claim: ORDER.index(claim.verdict)))


def _look_up(evidence: Evidence, story: Story, way: Walk | None, shares: Sequence[Entry]) -> Found:
    return _recorded(evidence, shares) if evidence.kind == "shares" else _look(evidence, story, way)


def _recorded(evidence: Evidence, shares: Sequence[Entry]) -> Found:
    same = [entry for entry in shares if entry.quote == evidence.quote]
    for entry in same:
        if (entry.place, entry.sha256) == (evidence.place, evidence.source_sha256):
            return Found(evidence, "verified", "recorded there")
    if same:
        return Found(evidence, "moved", f"recorded, but now at {same[0].place}, or in another version of the file")
    return Found(evidence, "missing", "recorded in no file now")


def _look(evidence: Evidence, story: Story, way: Walk | None) -> Found:
    verdict, note = _play(evidence, story, way) if evidence.kind == "play" else _quote(evidence, story, way)
    if evidence.source_sha256 != story.info.sha256 and verdict == "verified":
        return Found(evidence, "moved", f"{note}, in another version of the story")
    return Found(evidence, verdict, note)


def _play(evidence: Evidence, story: Story, way: Walk | None) -> tuple[Verdict, str]:
    """The item's own play was played already."""
    if way is None or evidence.place != ",".join(str(menu.taken) for menu in way.menus):
        runtime = story.runtime()
        try:
            way = walk(runtime, [int(index) for index in evidence.place.split(",") if evidence.place])
        except (InputError, ValueError) as error:
            return "missing", f"cannot be played: {error}"
        finally:
            runtime.close()
    choices = len(way.menus)
    return "verified", f"plays to the end, {choices} choice{'s' if choices != 1 else ''}"


def _quote(evidence: Evidence, story: Story, way: Walk | None) -> tuple[Verdict, str]:
    wanted = bare(evidence.quote)
    same = [told for told in way.told if bare(told.text) == wanted] if way else []
    for told in same:
        if told.span == evidence.place and told.kind == evidence.kind:
            return "verified", f"there, after {told.after} choices"
    if same:
        return "moved", f"on the play, but at {same[0].span}"
    if any(wanted and wanted in bare(text) for text in story.info.texts):
        return "moved", "in the story, but not on this play"
    return "missing", "nowhere in the story"


def _signals(trace: Trace, story: Story, way: Walk | None) -> Iterator[Found]:
    for name, value in sorted(trace.signals.items()):
        now = way.end.variables.get(name) if way else None
        evidence = Evidence(kind="signal", quote=f"{value:g}", place=name, source_sha256=story.info.sha256)
        known = isinstance(now, bool | int | float)
        verdict: Verdict = "verified" if known and float(now or 0) == value else "moved" if known else "missing"
        yield Found(evidence, verdict, f"{name} is {now if known else 'unknown'}")


def bare(text: str) -> str:
    """A text as it is compared: its letters and digits, without markup."""
    return "".join(letter for letter in MARKUP.sub("", text).casefold() if letter.isalnum())


def _lines(step: Step, after: int) -> Iterator[Told]:
    return (Told("line", line.text, line.span, line.speaker, after) for line in step.lines)
