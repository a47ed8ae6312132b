"""The public form of a proposal: anonymised, with option ids that say nothing of the key. Pure functions.

A proposal may be wrong in any way (a key that is no option, a trap of an unknown text): it is put into its public form
all the same, and the gates say what is wrong with it.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..schemas.base import content_hash, digest, item_id
from ..schemas.clip import Clip, ClipRef, Excerpt, Span, TranscriptLine
from ..schemas.grounding import Recipe, SeenCue
from ..schemas.item import Brief, Candidate, Cited, Cues, Draft, Item, Option, Plan, Slot
from ..schemas.release import ModelInput
from ..schemas.source import Source
from ..schemas.story import Entity


class Publisher(NamedTuple):
    """Makes public forms for one project."""

    seed: int
    rename: Callable[[str], str]
    """Replaces every name of the lexicon by its placeholder."""
    entities: Sequence[Entity]

    def clip(self, source: Source, plan: Plan, excerpt: Excerpt) -> Clip:
        lines = tuple(self._line(line) for line in excerpt.lines)
        place = (excerpt.first, plan.shown, *excerpt.play) if plan.span is None else ("span", *_millis(plan.span))
        clip_id = "c" + digest(self.seed, source.source_id, *place)[:12]
        media = f"media/{clip_id}.json"
        ref = ClipRef(media=media, start=0, end=len(lines), unit="lines")
        if plan.span is not None and excerpt.video is not None:
            ref = ClipRef(media=media, start=plan.span.start, end=plan.span.end)
        return Clip(
            clip_id=clip_id,
            source_id=source.source_id,
            ref=ref,
            background=self._background(excerpt, lines),
            transcript=lines,
            video=excerpt.video,
        )

    def item(self, slot: Slot, source: Source, plan: Plan, draft: Draft, clip: Clip) -> Item:
        identity = item_id(self.seed, slot.slot_id)
        public = {option.text: self.rename(option.text) for option in draft.options}
        order = sorted(draft.options, key=lambda option: digest(identity, public[option.text]))
        ids = {option.text: f"o{number}" for number, option in enumerate(order, 1)}
        shown = ModelInput(
            id=identity,
            capability=slot.coordinate.capability,
            interaction=slot.coordinate.interaction,
            format="single",
            clip=clip.ref,
            background=clip.background,
            question=self.rename(draft.question),
            options=tuple(Option(id=ids[option.text], text=public[option.text]) for option in order),
        )
        fields = {"item_id": identity, **dict(shown)}
        del fields["id"]
        return Item(
            **fields,
            public_hash=content_hash(shown),
            recipe=self._recipe(source, plan, draft, ids),
            answer=(ids[draft.answer],) if draft.answer in ids else (),
            traps={ids[text]: trap for text, trap in draft.traps.items() if text in ids},
            rationale=draft.rationale,
        )

    def brief(self, plan: Plan, excerpt: Excerpt) -> Brief:
        return Brief(format=plan.format, history=tuple(map(self.rename, excerpt.history)))

    def cues(self, noted: Sequence[SeenCue]) -> Cues:
        renamed = ({"person": self.rename(cue.person), "text": self.rename(cue.text)} for cue in noted)
        return Cues(cues=tuple(cue.model_copy(update=new) for cue, new in zip(noted, renamed, strict=True)))

    def candidate(self, slot: Slot, made: Candidate, clip: Clip, brief: Brief) -> Item:
        """The item of a candidate. Names that its proposer came up with are replaced like any other."""
        identity = item_id(self.seed, slot.slot_id)
        public = {text: self.rename(text) for text in made.options}
        order = sorted(made.options, key=lambda text: digest(identity, public[text]))
        ids = {text: f"o{number}" for number, text in enumerate(order, 1)}
        shown = ModelInput(
            id=identity,
            capability=slot.coordinate.capability,
            interaction=slot.coordinate.interaction,
            format=made.format,
            clip=clip.ref,
            background=clip.background,
            question=self.rename(made.question),
            options=tuple(Option(id=ids[text], text=public[text]) for text in order),
            history=brief.history,
        )
        fields = {"item_id": identity, **dict(shown)}
        del fields["id"]
        return Item(
            **fields,
            public_hash=content_hash(shown),
            answer=tuple(sorted(ids[text] for text in made.answer if text in ids)),
            answer_text="" if made.options else self.rename(" ".join(made.answer)),
            cues=tuple(self.rename(_told(cue)) for cue in made.cues),
            traps={ids[text]: trap for text, trap in made.traps.items() if text in ids},
            rationale=self.rename(made.rationale),
        )

    def _recipe(self, source: Source, plan: Plan, draft: Draft, ids: dict[str, str]) -> Recipe:
        return Recipe.model_validate(
            {
                "claim": plan.claim,
                "story_sha256": source.sha256,
                "play": plan.play,
                "taken": plan.taken,
                "others": draft.others,
                "since": plan.first if plan.claim == "latent_state" else None,
                "window": draft.window,
                "target": draft.target,
                "recorded": draft.recorded,
                "events": {ids[option.text]: option.event for option in draft.options},
            }
        )

    def _line(self, line: TranscriptLine) -> TranscriptLine:
        speaker = self.rename(line.speaker) if line.speaker else None
        return TranscriptLine(text=self.rename(line.text), speaker=speaker, kind=line.kind)

    def _background(self, excerpt: Excerpt, lines: Sequence[TranscriptLine]) -> str:
        """The background, and what can be seen of each person who is named in the clip and whose look is known."""
        text = self.rename(excerpt.background)
        told = " ".join([text, *(f"{line.speaker or ''} {line.text}" for line in lines)])
        looks = {e.placeholder: self.rename(e.descriptor) for e in self.entities if e.placeholder and e.descriptor}
        seen = [f"{name} is {look}." for name, look in looks.items() if re.search(rf"\b{re.escape(name)}\b", told)]
        return " ".join([text, *seen])


def _millis(span: Span) -> tuple[int, int]:
    return round(span.start * 1000), round(span.end * 1000)


def _told(cue: Cited) -> str:
    place = f"turn {cue.line[1:]} of the history" if cue.line[:1] == "H" else f"line {cue.line}"
    return f"{place}: {cue.quote}" if cue.line else cue.quote
