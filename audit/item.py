"""One item audited: its claims looked up in the story again, its label derived again, and what every role saw."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from ..errors import BenchwrightError, InputError
from ..narrative.oracle import Verdict, rederive
from ..narrative.runtime import Runtime, Story
from ..narrative.shares import Entry, known
from ..schemas.clip import TranscriptLine
from ..schemas.grounding import Recipe, Trace
from ..schemas.item import Item
from ..schemas.view import Adjudication
from .evidence import Claim, Menu, Told, Walk, resolve, walk
from .film import Film
from .isolation import Look


class Replay(NamedTuple):
    """What the story says of the label now."""

    verdict: Literal["verified", "contradicted", "not replayable", "no recipe"]
    """`no recipe`: no code derives the label; there is nothing but evidence, and what people say."""
    true: tuple[str, ...]
    possible: tuple[str, ...]
    proof: str


FAULTS = ("missing", "moved", "contradicted", "not-replayable", "isolation", "unverified-c")
"""What can be wrong with an item: evidence that is gone or stands elsewhere, a label that the story denies or that
cannot be derived again, a role that saw what it must not, and two steps of inference that no people have approved."""

NO_RECIPE = Replay("no recipe", (), (), "no code derives this label: it rests on evidence and on people")


class Branch(NamedTuple):
    """One path of the window after a choice at the decision: the one that takes the first choice from there on."""

    name: str
    choice: str
    told: tuple[Told, ...]


class Audit(NamedTuple):
    """It shows the answer and real names: for authors and auditors only."""

    item: Item
    outcome: str
    key: tuple[str, ...]
    tier: str
    claims: tuple[Claim, ...]
    replay: Replay
    branches: tuple[Branch, ...]
    way: tuple[Told, ...]
    """The play up to and with the choice at the decision; of a moral dilemma without it."""
    looks: tuple[Look, ...]
    said: Mapping[str, tuple[str, ...]]
    """What nodes said of the item, one line a record, by `round/node/run`."""
    video: str = ""
    """Where a video shows the clip, in words; empty where none does."""
    film: Film | None = None
    """None where no video shows the clip."""
    transcript: tuple[TranscriptLine, ...] = ()
    """The clip as whoever answers reads it."""
    menus: tuple[Menu, ...] = ()
    """What was offered at each decision of the play."""
    first: int = 0
    """Choices made before the clip starts."""
    approved: bool = False
    """Whether people approved the item as it stands."""

    @property
    def faults(self) -> tuple[str, ...]:
        """Which of `FAULTS` the item has, in their order."""
        found: set[str] = {one.verdict for claim in self.claims for one in claim.evidence}
        found |= {claim.verdict for claim in self.claims} | {self.replay.verdict.replace(" ", "-")}
        found |= {"isolation" for look in self.looks if not look.sound}
        found |= {"unverified-c"} if self.tier == "C" and not self.approved else set()
        return tuple(fault for fault in FAULTS if fault in found)

    @property
    def unresolved(self) -> tuple[str, ...]:
        """What stands in the way of calling the item sound, one line each."""
        found = [f"{claim.verdict}: {one.evidence.quote or one.evidence.place} ({one.note})"
                 for claim in self.claims for one in claim.evidence if one.verdict != "verified"]  # fmt: skip
        if self.replay.verdict not in ("verified", "no recipe"):
            found.append(f"{self.replay.verdict}: {self.replay.proof}")
        for look in self.looks:
            if not look.sound:
                found.append(f"isolation: {look.entry.node} round {look.entry.round}: {look.note or look.forbidden}")
        return tuple(found)

    def json(self) -> dict[str, Any]:
        claims = [
            {"text": claim.text, "verdict": claim.verdict,
             "evidence": [one.evidence.model_dump(mode="json") | {"verdict": one.verdict, "note": one.note}
                          for one in claim.evidence]}
            for claim in self.claims
        ]  # fmt: skip
        recipe = self.item.recipe
        return {
            "item": self.item.item_id,
            "outcome": self.outcome,
            "tier": self.tier,
            "approved": self.approved,
            "faults": list(self.faults),
            "sound": not self.unresolved,
            "unresolved": list(self.unresolved),
            "claims": claims,
            "key": list(self.key),
            "video": self.video,
            "replay": self.replay._asdict() | {"recipe": recipe and recipe.model_dump(mode="json")},
            "isolation": [look.json() for look in self.looks],
        }


def audit(
    item: Item,
    trace: Trace | None,
    story: Story,
    looks: Sequence[Look],
    shares: Sequence[Entry] = (),
    settled: Adjudication | None = None,
) -> Audit:
    """Audit an item against its story as it is now, and against what is recorded of its players now.

    With `settled`, what the adjudicator derived is believed where the story is the same to the byte, and no branches
    are told; else the label is derived again. What is not in its records (`outcome`, `said`, the key as it was
    accepted) is set by who reads the store.
    """
    recipe = item.recipe
    if recipe is None:
        return _told(item, trace, story, looks)
    runtime = story.runtime()
    try:
        way = _way(runtime, recipe)
        same = settled is not None and recipe.story_sha256 == story.info.sha256
        replay = _held(settled, item.answer) if same and settled else _replay(runtime, recipe, item.answer, shares)
        branches = tuple(_branches(runtime, recipe)) if way and settled is None else ()
    finally:
        runtime.close()
    return Audit(
        item=item,
        outcome="",
        key=item.answer,
        tier=trace.tier if trace else "",
        claims=resolve(trace, story, way, shares) if trace else (),
        replay=replay,
        branches=branches,
        way=_until(way, len(recipe.play)) if way else (),
        looks=tuple(looks),
        said={},
        menus=way.menus if way else (),
    )


def _told(item: Item, trace: Trace | None, story: Story, looks: Sequence[Look]) -> Audit:
    """An item about a story's scene that no code derives: its evidence is looked up, and no label replayed."""
    play = (
        next((one.place for claim in trace.claims for one in claim.evidence if one.kind == "play"), "") if trace else ""
    )
    runtime = story.runtime()
    try:
        way = walk(runtime, [int(index) for index in play.split(",") if index])
    except InputError:
        way = None
    finally:
        runtime.close()
    return Audit(
        item=item, outcome="", key=item.answer, tier=trace.tier if trace else "",
        claims=resolve(trace, story, way) if trace else (), replay=NO_RECIPE, branches=(), way=way.told if way else (),
        looks=tuple(looks), said={}, menus=way.menus if way else (),
    )  # fmt: skip


def _way(runtime: Runtime, recipe: Recipe) -> Walk | None:
    try:
        return walk(runtime, recipe.way)
    except InputError:
        return None


def _until(way: Walk, decision: int) -> tuple[Told, ...]:
    return tuple(told for told in way.told if told.after <= decision)


def _replay(runtime: Runtime, recipe: Recipe, key: Sequence[str], shares: Sequence[Entry]) -> Replay:
    try:
        known(recipe, shares)
        found = rederive(runtime, recipe)
    except BenchwrightError as error:
        return Replay("not replayable", (), (), str(error))
    return _held(found, key)


def _held(found: Adjudication | Verdict, key: Sequence[str]) -> Replay:
    agrees = tuple(found.true) == tuple(sorted(key)) and not found.possible
    return Replay("verified" if agrees else "contradicted", tuple(found.true), tuple(found.possible), found.proof)


def _branches(runtime: Runtime, recipe: Recipe) -> Iterator[Branch]:
    """What follows the choice made and, for a counterfactual, the one supposed."""
    names = {recipe.taken: "the choice made"} if recipe.way != recipe.play else {}
    if recipe.claim == "counterfactual":
        names |= {recipe.others[0]: "the choice supposed"}
    for index, name in names.items():
        try:
            way = walk(runtime, (*recipe.play, index), onward=recipe.window if isinstance(recipe.window, int) else 0)
        except InputError:
            continue
        depth = len(recipe.play)
        choice = next(told.text for told in way.told if told.kind == "choice" and told.after == depth)
        yield Branch(name, choice, tuple(told for told in way.told if told.after > depth))
