"""Director and Tracker of videos and transcripts: which stretch a slot is about, and what is said in it.

Rules cut the source into stretches and sort them by interaction type; a model, where one plays the role, may turn a
stretch down, narrow it, and note what rules cannot see.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Self

from pydantic import Field, model_validator

from ..knowledge.loader import Capability, Taxonomy
from ..schemas.base import canonical, digest
from ..schemas.call import Request
from ..schemas.clip import Excerpt, Span, TranscriptLine, VideoSpan
from ..schemas.grounding import Evidence, GroundedClaim, SeenCue, Trace
from ..schemas.item import OBSERVED, Coordinate, Format, Plan
from ..schemas.view import DirectorView, TrackerView
from .asking import Asking, Line, Said
from .director import cue_words
from .material import Material, Materials, Turn, history, lines, place, recalled, stretches, text, within

FRAME = "A stretch of a recorded conversation."
Cut = Callable[[TrackerView], tuple[Trace, Excerpt]]
"""What rules make of a view: the trace, and the lines with their places."""


class Stretch(NamedTuple):
    span: Span
    before: tuple[Span, ...]
    """The earlier stretch that it has most to do with; empty where there is none."""


class Chosen(Said):
    """What a model says of a stretch: whether it bears an item, and which of its lines it should have."""

    suitable: bool
    first: int | None = Field(None, ge=1)
    last: int | None = Field(None, ge=1)
    reason: str | None = None

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.first is not None and self.last is not None and self.last < self.first:
            raise ValueError(f"a stretch that ends with line {self.last} cannot start with line {self.first}")
        return self


class WatchingDirector:
    """Serves the stretches of videos and transcripts, by interaction type. A model may turn one down or narrow it."""

    def __init__(self, materials: Materials, taxonomy: Taxonomy, asking: Asking | None = None) -> None:
        self.materials, self.taxonomy, self.asking = materials, taxonomy, asking
        self._sorted: dict[str, dict[str, list[Stretch]]] = {}

    def supply(self, source_id: str, coordinate: Coordinate) -> int:
        return len(self._of(source_id, coordinate))

    async def direct(self, view: DirectorView) -> Plan | None:
        plan, material = self._plan(view), self.materials.get(view.source.source_id)
        if plan is None or plan.span is None or material is None or self.asking is None:
            return plan
        await self.asking.look(_video(view.source.source_id, self.materials, plan))
        request = self._request(self.asking, view, plan)
        said = (await self.asking.ask(request, Chosen, view.ordinal)).value
        if said is None or not said.suitable:
            return None
        return plan.model_copy(update={"span": _narrowed(within(material, plan.span), plan.span, said)})

    def prompt(self, view: DirectorView) -> bytes | None:
        plan = self._plan(view)
        return canonical(self._request(self.asking, view, plan)) if self.asking and plan else None

    def _request(self, asking: Asking, view: DirectorView, plan: Plan) -> Request:
        told, _ = lines(within(self.materials[view.source.source_id], plan.span or Span(start=0, end=0)))
        user = asking.scene(view.source.background, told, video=_video(view.source.source_id, self.materials, plan))
        return asking.request({}, user, Chosen, view.coordinate.capability)

    def _plan(self, view: DirectorView) -> Plan | None:
        found = self._of(view.source.source_id, view.coordinate)
        if view.ordinal >= len(found):
            return None
        span, before = found[view.ordinal]
        capability = self.taxonomy.capabilities[view.coordinate.capability]
        return Plan(
            claim=OBSERVED,
            location=f"{span.start:.3f}-{span.end:.3f}",
            span=span,
            before=before if capability.history else (),
            format=drawn(capability, view.source.source_id, *view.coordinate.model_dump().values(), view.ordinal),
        )

    def _of(self, source_id: str, coordinate: Coordinate) -> list[Stretch]:
        material = self.materials.get(source_id)
        if material is None:
            return []
        if source_id not in self._sorted:
            self._sorted[source_id] = _by_type(material, self.taxonomy)
        found = self._sorted[source_id].get(coordinate.interaction, [])
        needs = self.taxonomy.capabilities[coordinate.capability].history
        return [stretch for stretch in found if stretch.before or not needs]


def drawn(capability: Capability, *seeds: str | int) -> Format:
    """The format of a slot: each as often as its weight says, by digest of what the slot is."""
    formats: list[Format] = [name for name, weight in sorted(capability.formats.items()) for _ in range(weight)]
    return formats[int(digest(*seeds, "format"), 16) % len(formats)]


def _by_type(material: Material, taxonomy: Taxonomy) -> dict[str, list[Stretch]]:
    """Stretches by the interaction type whose cue words stand out most against the whole source. Where none stands, the
    type that has no cue words of its own; without such a type it is not social enough for a clip."""
    spans = stretches(material)
    counts = {span: cue_words(text(within(material, span)), taxonomy) for span in spans}
    total = sum(counts.values(), Counter[str]())
    rest = next((name for name, kind in taxonomy.interactions.items() if not kind.cues), None)
    found: dict[str, list[Stretch]] = {}
    for span in spans:
        lift = {name: counts[span][name] / total[name] for name in taxonomy.interactions if counts[span][name]}
        kind = max(lift, key=lambda name: lift[name]) if lift else rest
        if kind is not None:
            earlier = recalled(material, span, spans)
            found.setdefault(kind, []).append(Stretch(span, (earlier,) if earlier else ()))
    return found


def _narrowed(told: Sequence[Turn], span: Span, said: Chosen) -> Span:
    """The span of the lines that a model wants, of two at least; the whole where it names none that are there."""
    shown, places = lines(told)
    first, last = (said.first or 1) - 1, min(said.last or len(shown), len(shown)) - 1
    kept = [turn for turn in told if place(turn) in places[first : last + 1]]
    if len(kept) < 2 or len(kept) == len(told):
        return span
    return Span(start=max(span.start, kept[0].start), end=min(span.end, max(turn.end for turn in kept)))


def _video(source_id: str, materials: Mapping[str, Material], plan: Plan) -> VideoSpan | None:
    if plan.span is None or not materials[source_id].pictures:
        return None
    return VideoSpan(start=plan.span.start, end=plan.span.end, source_id=source_id, confidence=1.0)


class Noted(Said):
    """One cue, as a model notes it."""

    line: int = Field(ge=0)
    kind: str
    person: Line = ""
    text: Line = Field(min_length=1)

    def seen(self, lines: Sequence[TranscriptLine]) -> SeenCue | None:
        """None where it names a line that is not there or a menu; a kind of its own is taken for something seen."""
        if self.line > len(lines) or (self.line and not lines[self.line - 1].told):
            return None
        kinds = {"verbal", "vocal", "visual", "action"}
        kind = self.kind if self.kind in kinds else "visual"
        return SeenCue.model_validate({"line": self.line, "kind": kind, "person": self.person, "text": self.text})


class Notes(Said):
    cues: list[Noted]


class WatchingTracker:
    """Reads the lines of a stretch with their times, tells of pauses, and names the places that an audit looks up."""

    def __init__(self, materials: Materials) -> None:
        self.materials = materials

    async def track(self, view: TrackerView) -> tuple[Trace, Excerpt]:
        return self.cut(view)

    def cut(self, view: TrackerView) -> tuple[Trace, Excerpt]:
        material, span = self.materials[view.source.source_id], view.plan.span or Span(start=0, end=0)
        told = within(material, span)
        shown, places = lines(told)
        excerpt = Excerpt(
            lines=shown,
            background=f"{view.source.background.strip()} {FRAME}".strip(),
            spans=places,
            video=_video(view.source.source_id, self.materials, view.plan),
            history=history(material, view.plan.before),
        )
        quoted = tuple(
            Evidence(kind="cue", quote=turn.text, place=place(turn), source_sha256=view.source.sha256) for turn in told
        )
        stretch = Evidence(kind="cue", place=f"t={span.start:.3f},{span.end:.3f}", source_sha256=view.source.sha256)
        claim = GroundedClaim(text="this is said in the clip, at these times", evidence=quoted or (stretch,))
        spoken = text(told) + " " + " ".join(turn.speaker or "" for turn in told)
        present = tuple(sorted({name for person in view.people for name in person.names[:1] if name in spoken}))
        return Trace(claims=(claim,), present=present, tier="B"), excerpt


class NotingTracker:
    """A Tracker whose trace is joined by the cues that a model notes; what cannot be read notes nothing."""

    def __init__(self, cut: Cut, asking: Asking, aprace: Mapping[str, str]) -> None:
        self.cut, self.asking, self.aprace = cut, asking, dict(aprace)

    async def track(self, view: TrackerView) -> tuple[Trace, Excerpt]:
        trace, excerpt = self.cut(view)
        await self.asking.look(excerpt.video)
        came = await self.asking.ask(self._request(excerpt), Notes, 0)
        noted = came.value.cues if came.value else []
        seen = [cue for one in noted if (cue := one.seen(excerpt.lines))]
        return trace.model_copy(update={"cues": (*trace.cues, *seen)}), excerpt

    def prompt(self, view: TrackerView) -> bytes | None:
        return canonical(self._request(self.cut(view)[1]))

    def _request(self, excerpt: Excerpt) -> Request:
        user = self.asking.scene(excerpt.background, excerpt.lines, excerpt.history, excerpt.video)
        return self.asking.request({"aprace": self.aprace}, user, Notes)
