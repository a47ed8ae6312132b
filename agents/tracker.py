"""The Tracker aligns a planned clip with the flowchart: what is told, where it stands, which signals hold. No label."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from ..knowledge.loader import Language
from ..narrative.align import best_span, overlays
from ..narrative.flowchart import Flowchart
from ..narrative.runtime import Line
from ..schemas.clip import Excerpt, TranscriptLine
from ..schemas.grounding import Evidence, GroundedClaim, SeenCue, Tier, Trace
from ..schemas.item import OBSERVED, Plan
from ..schemas.view import TrackerView
from .narratives import Narrative, Narratives
from .phrases import Cast, typeset

TIERS: dict[str, Tier] = {
    "behaviour": "B", "counterfactual": "C", "causal_antecedent": "C", "latent_state": "C", "moral_dilemma": "B",
    OBSERVED: "C",
}  # fmt: skip
"""By claim. One decision or transition of the flowchart, or two and more steps (NARRATIVE 5)."""

TOLD_AFTER = 8
"""Lines after a clip that are noted of an item which no code derives."""


class Tracking(Protocol):
    async def track(self, view: TrackerView) -> tuple[Trace, Excerpt]: ...


class RulesTracker:
    """`signals` names the variables that the project reads, beside those its stories declare."""

    def __init__(self, narratives: Narratives, language: Language, signals: Iterable[str] = ()) -> None:
        self.narratives, self.language = narratives, language
        declared = (name for narrative in narratives.values() for name in narrative.story.info.signals)
        self.signals = frozenset([*signals, *declared])

    async def track(self, view: TrackerView) -> tuple[Trace, Excerpt]:
        return self.cut(view)

    def cut(self, view: TrackerView) -> tuple[Trace, Excerpt]:
        narrative = self.narratives[view.source.source_id]
        lines, spans = transcript(narrative.chart, view.plan)
        play = view.plan.way
        video = best_span(narrative.recordings, play, view.plan.first, view.plan.shown)
        excerpt = Excerpt(
            lines=lines,
            background=background(view, protagonists(narrative.chart, view.plan) or (self.language.narrator,)),
            play=play,
            first=view.plan.first,
            spans=spans,
            video=video,
            overlays=overlays(narrative.recordings, video) if video else (),
        )
        trace = Trace(
            claims=(_shown(view, lines, spans), _decision(view, narrative)),
            signals={
                name: float(value)
                for name, value in narrative.readings.along(play)[-1].items()
                if name in self.signals and isinstance(value, int | float)
            },
            present=tuple(sorted(Cast(view.people, self.language).mentioned(with_speakers(lines)))),
            tier=TIERS[view.plan.claim],
            cues=afterwards(narrative, view.plan) if view.plan.claim == OBSERVED else (),
        )
        return trace, excerpt


def transcript(chart: Flowchart, plan: Plan) -> tuple[tuple[TranscriptLine, ...], tuple[str, ...]]:
    """The lines of a clip and their source spans: text, what could be chosen, as a film shows it, and what was, up to
    and with the choice at the decision; of a moral dilemma up to the menu."""
    way = chart.follow(plan.way)
    shown: list[tuple[TranscriptLine, str]] = []
    told = chart.opening if plan.first == 0 else way[plan.first - 1].lines
    for transition in way[plan.first :]:
        shown += [_told(line) for line in told]
        decision = chart.state(transition.source)
        who = decision.protagonist
        if len(decision.choices) > 1:
            offered = " | ".join(typeset(choice.text) for choice in decision.choices)
            shown.append((TranscriptLine(text=f"[{offered}]", kind="menu"), decision.location))
        made = TranscriptLine(text=typeset(transition.choice.text), speaker=who, kind="choice")
        shown.append((made, transition.choice.span))
        told = transition.lines
    shown += [_told(line) for line in told[: plan.shown]]
    return tuple(line for line, _ in shown), tuple(span for _, span in shown)


def with_speakers(lines: Iterable[TranscriptLine]) -> str:
    """What comes about in a transcript: its text with who says what, of a choice the words alone, and no menu."""
    told = (line for line in lines if line.told)
    return "\n".join(f"{line.speaker or ''} {line.text}" if line.kind == "line" else line.text for line in told)


def afterwards(narrative: Narrative, plan: Plan) -> tuple[SeenCue, ...]:
    """What the story tells right after a clip: for those who have to know what is true, and never for who answers."""
    told = narrative.chart.follow(plan.way)[-1].lines[plan.shown : plan.shown + TOLD_AFTER]
    return tuple(
        SeenCue(line=0, kind="afterwards", person=line.speaker or "", text=typeset(line.text)) for line in told
    )


def _told(line: Line) -> tuple[TranscriptLine, str]:
    return TranscriptLine(text=typeset(line.text), speaker=line.speaker), line.span


def protagonists(chart: Flowchart, plan: Plan) -> tuple[str, ...]:
    """Who makes the choices of a clip, in the order of their first; nobody where the story names none."""
    way = chart.follow((*plan.play, plan.taken))[plan.first :]
    names = [chart.state(edge.source).protagonist or plan.protagonist for edge in way]
    return tuple(dict.fromkeys(name for name in names if name))


def background(view: TrackerView, makers: Sequence[str]) -> str:
    """What is true before the clip starts: the author's words, and who makes the choices."""
    verb = "makes" if len(makers) == 1 else "make"
    frame = f"An excerpt from a branching story; {' and '.join(makers)} {verb} the choices."
    return f"{view.source.background.strip()} {frame}".strip()


def _shown(view: TrackerView, lines: tuple[TranscriptLine, ...], spans: tuple[str, ...]) -> GroundedClaim:
    """The last lines told before the decision, each with its place."""
    last = [(line, span) for line, span in zip(lines, spans, strict=True) if line.kind == "line"][-3:]
    evidence = tuple(
        Evidence(kind="line", quote=line.text, place=span, source_sha256=view.source.sha256) for line, span in last
    )
    return GroundedClaim(text="the clip tells this up to the decision", evidence=evidence)


def _decision(view: TrackerView, narrative: Narrative) -> GroundedClaim:
    way = ",".join(map(str, view.plan.way))
    play = Evidence(kind="play", place=way, source_sha256=view.source.sha256)
    entry = narrative.shares_at(narrative.chart.state_at(view.plan.play))
    if view.plan.claim == "moral_dilemma" and entry is not None:
        recorded = Evidence(kind="shares", quote=entry.quote, place=entry.place, source_sha256=entry.sha256)
        text = "the play reaches this decision, where it was recorded what players chose"
        return GroundedClaim(text=text, evidence=(play, recorded))
    made = narrative.chart.follow(view.plan.way)[-1].choice
    choice = Evidence(kind="choice", quote=made.text, place=made.span, source_sha256=view.source.sha256)
    return GroundedClaim(text="the play reaches this decision and takes this choice", evidence=(play, choice))
