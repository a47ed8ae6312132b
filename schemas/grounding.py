"""Grounding: what a label rests on, as claims with evidence and as a recipe to replay on the story alone."""

from typing import Literal

from .base import Record, classed

Claim = Literal["counterfactual", "behaviour", "causal_antecedent", "latent_state", "moral_dilemma"]
EventKind = Literal["line", "signal", "fate", "choice_open", "choice_lost", "ending", "choice"]
Tier = Literal["A", "B", "AB", "C"]
Window = int | Literal["chapter"] | None
"""Decisions after the state reached (0 is that state's own text), the rest of the chapter, or None for ever after."""


class Event(Record):
    """A class of moments of a story, told apart by what a replay can see.

    `line`, `choice`, `choice_open`, `choice_lost`: `match` lists exact texts, any of which counts.
    `signal`, `fate`: `match` is `variable op number`. `ending`: `match` is the ending's id.
    """

    kind: EventKind = classed("backend")
    match: tuple[str, ...] | str = classed("backend")


class Recorded(Record):
    """What players chose at one decision, as somebody recorded it."""

    source: str = classed("backend")
    """Who recorded it, and of whom."""
    date: str = classed("backend")
    n: int = classed("backend", ge=1)
    """Players."""
    chosen: dict[str, float] = classed("backend")
    """How many of them made each choice, by its exact text; share times n where only shares were recorded."""

    def __str__(self) -> str:
        """Where the figures come from, without them."""
        return f"{self.source}, {self.date}, n = {self.n}"


def told_until(claim: str, play: tuple[int, ...], taken: int) -> tuple[int, ...]:
    """The choices that a clip comes from: up to the one at the decision, which a moral dilemma does not show."""
    return play if claim == "moral_dilemma" else (*play, taken)


class Recipe(Record):
    """How to re-derive a label. `events` names every option's event; it does not say which one is true."""

    claim: Claim = classed("backend")
    story_sha256: str = classed("backend")
    play: tuple[int, ...] = classed("backend")
    """Choice indices from the start to the decision."""
    taken: int = classed("backend")
    """Index chosen at the decision."""
    others: tuple[int, ...] = classed("backend", ())
    """Sibling indices; for a counterfactual the supposed one first."""
    since: int | None = classed("backend", None)
    """For a latent state: choices of `play` before the clip starts. Each option's number is the value there."""
    window: Window = classed("backend")
    target: Event | None = classed("backend", None)
    recorded: Recorded | None = classed("backend", None)
    """For a moral dilemma: what players chose at the decision."""
    events: dict[str, Event] = classed("backend")

    @property
    def way(self) -> tuple[int, ...]:
        return told_until(self.claim, self.play, self.taken)


class Evidence(Record):
    """Where a claim can be looked up: a quote at a place of a source with a known hash."""

    kind: Literal["line", "choice", "play", "signal", "shares", "cue"] = classed("backend")
    """`cue`: a subtitle of a video or transcript, or what is seen there; its place is `t=start,end` in seconds."""
    quote: str = classed("backend", "")
    place: str = classed("backend")
    """Source span, a play as comma-separated choice indices, or file and line of recorded shares."""
    source_sha256: str = classed("backend")
    """Of the story, of the file of recorded shares, or of the video or transcript."""


class SeenCue(Record):
    """One observable thing that the Tracker noted."""

    line: int = classed("backend", ge=0)
    """Line of the transcript, from 1; 0 for what stands beside it."""
    kind: Literal["verbal", "vocal", "visual", "action", "afterwards"] = classed("backend")
    """`afterwards`: what the story tells after the clip, which the answering side never sees."""
    person: str = classed("backend")
    text: str = classed("backend")


class GroundedClaim(Record):
    text: str = classed("backend")
    evidence: tuple[Evidence, ...] = classed("backend")


class Trace(Record):
    """What the Tracker wrote: the clip aligned with the story. It holds no label."""

    claims: tuple[GroundedClaim, ...] = classed("backend")
    signals: dict[str, float] = classed("backend", {})
    """Mapped variables at the end of the clip."""
    present: tuple[str, ...] = classed("backend", ())
    """Names of the people who speak or act in the clip."""
    tier: Tier = classed("backend")
    cues: tuple[SeenCue, ...] = classed("backend", ())
    """What was noted of a clip whose items no code derives."""
