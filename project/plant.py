"""Items with a known defect, put among the real ones: who does not notice them cannot vouch for the others.

Made from items that no release holds where there are some, else from accepted ones, under ids and in a form that say
nothing. What was planted once stays as it is.
"""

import asyncio
from itertools import islice
from typing import Any, NamedTuple

from ..schemas.base import content_hash, digest, item_id
from ..schemas.clip import Clip
from ..schemas.grounding import Trace
from ..schemas.item import Item, Option, Reference
from ..schemas.review import PLANTED, BlindView, Defect, Planted
from ..state.store import NodeKey, Store

DEFECTS: tuple[Defect, ...] = ("wrong key", "unanswerable", "two right answers")
ATTENTION = "Choose this answer to show that you are reading."
AGAIN = "What happens is this: {}"


class Base(NamedTuple):
    """An item to make one from."""

    slot: str
    item: Item
    clip: Clip
    trace: Trace
    answer: tuple[str, ...]
    tier: str
    status: str
    tags: tuple[str, ...]
    cues: tuple[str, ...]


def plant(store: Store, seed: int, wanted: int, attention: int) -> list[tuple[str, Planted]]:
    """(place, item) of everything planted so far: `wanted` defects and `attention` checks, as far as items last."""
    kinds = [DEFECTS[number % len(DEFECTS)] for number in range(wanted)]
    kinds += ["attention"] * attention
    bases = _bases(store, seed, len(kinds) + 1)
    found: list[tuple[str, Planted]] = []
    for number, kind in enumerate(kinds[: len(bases)] if len(bases) > 1 else ()):
        place = f"{PLANTED}{'attention' if kind == 'attention' else 'defect'}/{number}"
        made = _made(seed, place, kind, bases[number], bases[number - 1])
        (kept,) = asyncio.run(store.put(NodeKey(place, "plant", 0), made))
        found.append((place, kept))
    return found


def _bases(store: Store, seed: int, most: int) -> list[Base]:
    """Choice items that went all the way, those that no release will hold first."""
    fates = {event.key.slot_id: event.kind for event in store.events() if event.kind in ("accepted", "surplus")}
    order = sorted(fates, key=lambda slot: (fates[slot] == "accepted", digest(seed, "plant", slot)))
    found = (_base(store, slot) for slot in order)
    return list(islice((one for one in found if one is not None), most))


def _base(store: Store, slot: str) -> Base | None:
    """None for an item that gives nothing to plant: an open question, several right answers, two options."""
    item, clip, trace = store.latest(Item, slot), store.latest(Clip, slot), store.latest(Trace, slot)
    reference = store.latest(Reference, slot)
    if item is None or clip is None or trace is None or len(item.options) < 3:
        return None
    if reference is None:
        found = Base(
            slot, item, clip, trace, item.answer, trace.tier, "derived, answerability unknown", (), clip.leading
        )
    else:
        known = (reference.answer, reference.tier, reference.status, reference.tags, reference.cues)
        found = Base(slot, item, clip, trace, *known)
    return found if len(found.answer) == 1 else None


def _made(seed: int, place: str, defect: Defect, base: Base, other: Base) -> Planted:
    texts = {option.id: option.text for option in base.item.options}
    key, clip, cues = base.answer[0], base.clip, base.cues
    wrong = sorted(set(texts) - {key}, key=lambda name: digest(seed, place, name))
    presented = texts[key]
    if defect == "wrong key":
        presented = texts[wrong[0]]
    elif defect == "two right answers":
        texts[wrong[0]] = AGAIN.format(texts[key])
    elif defect == "attention":
        texts[wrong[0]] = presented = ATTENTION
    else:
        clip, cues = other.clip, other.cues
    identity = item_id(seed, place)
    ordered = sorted(texts.values(), key=lambda text: digest(identity, text))
    options = tuple(Option(id=f"o{number}", text=text) for number, text in enumerate(ordered, 1))
    public: dict[str, Any] = {
        "item_id": identity, "capability": base.item.capability, "interaction": base.item.interaction,
        "format": base.item.format, "clip": clip.ref, "background": clip.background, "transcript": clip.transcript,
        "video": clip.video, "question": base.item.question, "options": options, "history": base.item.history,
    }  # fmt: skip
    assert set(public) == set(BlindView.model_fields) - {"public_hash"}
    by_text = {option.text: option.id for option in options}
    traps = {by_text[text]: base.item.traps.get(name, "none") for name, text in texts.items() if text != presented}
    behind: dict[str, Any] = {
        "answer": (by_text[presented],), "answer_text": presented, "traps": traps, "cues": cues, "tier": base.tier,
        "status": base.status, "tags": base.tags, "claims": base.trace.claims,
    }  # fmt: skip
    return Planted(
        **public, public_hash=content_hash(public), defect=defect, origin=base.slot, **behind,
        item_hash=content_hash([public, behind]),
    )  # fmt: skip
