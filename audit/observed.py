"""An item that no code derives, audited: what it rests on is looked up in the subtitles of its source as they are."""

import re
from collections.abc import Sequence

from ..schemas.clip import Cue
from ..schemas.grounding import Evidence, Trace
from ..schemas.item import Item
from .evidence import ORDER, Claim, Found, Verdict, bare
from .isolation import Look
from .item import NO_RECIPE, Audit

PLACE = re.compile(r"t=(?P<start>[\d.]+),(?P<end>[\d.]+)")
NEAR = 0.5
"""Seconds by which a subtitle may have moved and still stand where it stood."""


def audit(item: Item, trace: Trace | None, cues: Sequence[Cue], sha256: str, looks: Sequence[Look]) -> Audit:
    """`cues` and `sha256` are those of the source as it is now."""
    return Audit(
        item=item,
        outcome="",
        key=item.answer,
        tier=trace.tier if trace else "",
        claims=tuple(_claims(trace, cues, sha256)) if trace else (),
        replay=NO_RECIPE,
        branches=(),
        way=(),
        looks=tuple(looks),
        said={},
    )


def _claims(trace: Trace, cues: Sequence[Cue], sha256: str) -> list[Claim]:
    claims = [Claim(own.text, tuple(_found(one, cues, sha256) for one in own.evidence)) for own in trace.claims]
    return sorted(claims, key=lambda claim: ORDER.index(claim.verdict))


def _found(evidence: Evidence, cues: Sequence[Cue], sha256: str) -> Found:
    place = PLACE.fullmatch(evidence.place)
    same = [cue for cue in cues if bare(evidence.quote) and bare(evidence.quote) in bare(cue.text)]
    if place and not evidence.quote:
        return Found(evidence, "verified", "a stretch of the source")
    if not same:
        return Found(evidence, "missing", "in no subtitle")
    if place and any(abs(cue.start - float(place["start"])) <= NEAR for cue in same):
        verdict: Verdict = "verified" if evidence.source_sha256 == sha256 else "moved"
        return Found(evidence, verdict, "there" if verdict == "verified" else "there, in another version of the source")
    return Found(evidence, "moved", f"now at {same[0].start:.3f} seconds")
