"""What becomes of finished slots: decided in number order, the same in a resumed build."""

import asyncio
import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
from benchwright.graph.admission import Admission, Decided
from benchwright.graph.context import Run
from benchwright.schemas.clip import Clip, ClipRef, TranscriptLine
from benchwright.schemas.grounding import Event, EventKind, Recipe, Trace
from benchwright.schemas.item import Coordinate, Item, Option, Plan, Reference, Slot
from benchwright.schemas.view import Adjudication, Answer, Verdict
from benchwright.state.store import NodeKey, Store
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

HERE = Coordinate(capability="behavior_prediction", interaction="support")
THERE = Coordinate(capability="behavior_prediction", interaction="conflict")
ACCEPTED, TARGET_MET = Decided("accepted", "accepted"), Decided("surplus", "target-met")
READ_OFF = Decided("surplus", "read-off-the-surface")


class Case(NamedTuple):
    """A finished slot."""

    code: str = "accepted"
    coordinate: Coordinate = HERE
    source: str = "s1"
    location: str = ""
    """The decision asked about; empty for one of its own."""
    question: str = ""
    """Empty for a question of its own."""
    claim: str = "behaviour"
    hits: Sequence[bool] = (False, False, False)
    """Whether each Answer run chose the key."""
    options: int = 6
    line: str = ""
    """The line of the story that the key is; empty for one of its own."""
    kind: EventKind = "line"


def slot_of(place: int, case: Case) -> Slot:
    name = f"{case.source}/{case.coordinate.capability}/{case.coordinate.interaction}/{place}"
    return Slot(slot_id=name, number=place + 1, source_id=case.source, coordinate=case.coordinate, ordinal=place)


def item_of(slot: Slot, case: Case) -> Item:
    texts = {f"o{n}": f"{'' if case.question else slot.slot_id} option {n}" for n in range(1, case.options + 1)}
    recipe = Recipe(
        claim=case.claim,
        story_sha256="sha",
        play=(0,),
        taken=0,
        window=1,
        events={option: Event(kind=case.kind, match=(f"{case.line or slot.slot_id} {option}",)) for option in texts},
    )
    return Item(
        item_id="i" + slot.slot_id,
        capability=slot.coordinate.capability,
        interaction=slot.coordinate.interaction,
        clip=CLIP.ref,
        background="",
        question=case.question or f"What comes of {slot.slot_id}?",
        options=tuple(Option(id=option, text=text) for option, text in texts.items()),
        public_hash="h",
        recipe=recipe,
        answer=("o1",),
        traps=dict.fromkeys(list(texts)[1:], "none"),
        rationale="",
    )


LINES = tuple(TranscriptLine(text=f"line {n}", kind="menu" if n == 8 else "line") for n in range(1, 10))
CLIP = Clip(
    clip_id="c",
    source_id="s1",
    ref=ClipRef(media="m", start=0, end=9, unit="lines"),
    background="",
    transcript=LINES,
)


async def finish(store: Store, slot: Slot, case: Case) -> None:
    """Store what a slot that went all the way holds."""
    item = item_of(slot, case)
    key = NodeKey(slot.slot_id, "slot", 0)
    flags = dict.fromkeys(("cue_support", "coherence", "alignment", "agreement"), True)
    records = {
        "slot": slot,
        "director": Plan(claim=case.claim, play=(0,), taken=0, first=0, location=case.location or slot.slot_id),
        "tracker": Trace(claims=(), tier="B"),
        "anonymise": item,
        "adjudicator": Adjudication(true=("o1",), proof="as played"),
        "critic": Verdict(
            decision="accept", answerability="unknown", defect="none", code="accepted", message="", **flags
        ),
    }
    shown = tuple(option.id for option in item.options)
    said = [Answer(ids=("o1",) if hit else ("o2",), status="answered", shown=shown) for hit in case.hits]
    await asyncio.gather(
        *(store.put(key._replace(node=node), record) for node, record in records.items()),
        store.put(key._replace(node="anonymise"), CLIP),
        *(store.put(key._replace(node="answer", run=run), answer) for run, answer in enumerate(said)),
    )


def admission(store: Store, targets: Mapping[Coordinate, int], sources=("s1", "s2"), counts: bool = False) -> Admission:
    agents: Any = SimpleNamespace(answer=SimpleNamespace(counts=counts))
    publisher: Any = None
    return Admission(Run(store, agents, publisher, gates=lambda proposal: (), seed=7), targets, sources)


async def decide(deciding: Admission, cases: Sequence[Case], first: int = 0) -> list[Decided]:
    slots = [slot_of(place, case) for place, case in enumerate(cases)]
    await asyncio.gather(*(finish(deciding.run.store, *pair) for pair in zip(slots, cases, strict=True)))
    return [await deciding.decide(slot, case.code) for slot, case in list(zip(slots, cases, strict=True))[first:]]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "store.sqlite", seed=7) as opened:
        yield opened


HIT, MISS = Case(hits=(True,) * 3), Case()
TABLE: dict[str, tuple[list[Case], list[Decided]]] = {
    "accepted": ([Case(), Case()], [ACCEPTED, ACCEPTED]),
    "target met": ([Case()] * 4, [ACCEPTED] * 3 + [TARGET_MET]),
    "no target": ([Case(coordinate=THERE)], [TARGET_MET]),
    "discarded": ([Case("no-draft"), *[Case()] * 4], [Decided("discarded", "no-draft"), *[ACCEPTED] * 3, TARGET_MET]),
    "decision taken": ([Case(location="gate")] * 2, [ACCEPTED, Decided("surplus", "decision-taken")]),
    "the decision of a discarded slot is free": (
        [Case("no-cues", location="gate"), Case(location="gate")],
        [Decided("discarded", "no-cues"), ACCEPTED],
    ),
    "the decision of another story": ([Case(location="gate"), Case(location="gate", source="s2")], [ACCEPTED] * 2),
    "the decision for another claim": (
        [Case(location="gate"), Case(location="gate", claim="counterfactual")],
        [ACCEPTED] * 2,
    ),
    "question taken": ([Case(question="Why?")] * 2, [ACCEPTED, Decided("surplus", "question-taken")]),
    "the question in another story": (
        [Case(question="Why?"), Case(question="Why?", source="s2")],
        [ACCEPTED, Decided("surplus", "question-taken")],
    ),
    "the question with other options": (
        [Case(question="Why?"), Case(question="Why?", options=5)],
        [ACCEPTED, ACCEPTED],
    ),
    "question and answer taken": (
        [Case(question="Why?", line="He nods."), Case(question="Why?", line="He nods.", options=5)],
        [ACCEPTED, Decided("surplus", "answer-taken")],
    ),
    "the answer to another question": ([Case(line="He nods."), Case(line="He nods.", options=5)], [ACCEPTED] * 2),
    "question and answer in another story": (
        [Case(question="Why?", line="He nods."), Case(question="Why?", line="He nods.", options=5, source="s2")],
        [ACCEPTED] * 2,
    ),
    "the same answer that is no line": (
        [Case(question="Why?", line="x > 1", kind="signal", options=count) for count in (5, 6)],
        [ACCEPTED] * 2,
    ),
    "one hit is within chance": ([HIT, MISS], [ACCEPTED, ACCEPTED]),
    "two hits are above it": ([HIT, HIT, MISS], [ACCEPTED, READ_OFF, ACCEPTED]),
    "1 of 3 runs is no hit": ([HIT, Case(hits=(True, False, False))], [ACCEPTED, ACCEPTED]),
    "2 of 3 runs are a hit": ([HIT, Case(hits=(True, False, True))], [ACCEPTED, READ_OFF]),
    "the target is looked at first": ([Case(location="gate")] + [Case()] * 2 + [Case(location="gate")],
        [ACCEPTED] * 3 + [TARGET_MET]),
}  # fmt: skip


@pytest.mark.parametrize("case", TABLE)
def test_decisions(store: Store, case: str):
    cases, expected = TABLE[case]
    assert asyncio.run(decide(admission(store, {HERE: 3}), cases)) == expected


def test_answers_that_count_fall_under_no_quota(store: Store):
    assert asyncio.run(decide(admission(store, {HERE: 9}, counts=True), [HIT] * 3)) == [ACCEPTED] * 3


def test_only_accepted_slots_have_a_reference(store: Store):
    cases = [Case(), Case("no-cues"), HIT, HIT]
    asyncio.run(decide(admission(store, {HERE: 9}), cases))
    found = {key.slot_id: reference for key, reference in store.all(Reference)}
    assert set(found) == {slot_of(place, cases[place]).slot_id for place in (0, 2)}
    reference = found[slot_of(0, cases[0]).slot_id]
    assert (reference.answer, reference.status) == (("o1",), "derived, answerability unknown")
    assert reference.answer_text == item_of(slot_of(0, cases[0]), cases[0]).options[0].text
    assert reference.cues == ("line 5", "line 6", "line 7", "line 9"), "a menu tells nothing"


CASES = st.builds(
    Case,
    st.sampled_from(["accepted"] * 4 + ["no-draft"]),
    st.sampled_from([HERE, THERE]),
    st.sampled_from(["s1", "s2"]),
    st.sampled_from(["", "", "", "gate"]),
    st.sampled_from(["", "", "", "Why?"]),
    st.just("behaviour"),
    hits=st.sampled_from([(True,) * 3, (False,) * 3]),
    options=st.integers(3, 6),
    line=st.sampled_from(["", "", "", "He nods."]),
    kind=st.just("line"),
)
TARGETS = {HERE: 4, THERE: 2}


@settings(max_examples=6, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(CASES, max_size=12), st.data())
def test_quota_targets_and_resuming(tmp_path_factory, cases: list[Case], data: st.DataObject):
    whole = tmp_path_factory.mktemp("admission")
    with Store.open(whole / "one.sqlite", seed=7) as store:
        found = asyncio.run(decide(admission(store, TARGETS), cases))
    kept = [case for case, decided in zip(cases, found, strict=True) if decided.outcome == "accepted"]
    for end in range(1, len(kept) + 1):
        chances = sum((Fraction(1, case.options) for case in kept[:end]), Fraction())
        assert sum(all(case.hits) for case in kept[:end]) <= math.ceil(chances)
    assert all(sum(case.coordinate == cell for case in kept) <= target for cell, target in TARGETS.items())
    stop = data.draw(st.integers(0, len(cases)), label="stop")
    with Store.open(whole / "two.sqlite", seed=7) as store:
        asyncio.run(decide(admission(store, TARGETS), cases[:stop]))
        assert asyncio.run(decide(admission(store, TARGETS), cases, stop)) == found[stop:]


def test_what_was_decided_stays_whatever_the_targets_are_now(store: Store):
    cases = [Case(), Case()]
    asyncio.run(decide(admission(store, {HERE: 1}), cases))
    again = admission(store, {HERE: 0})
    assert asyncio.run(decide(again, cases, 0)) == [ACCEPTED, TARGET_MET]
    assert again.counts[HERE] == 1


def test_decided_slots_count_once_and_only_those_of_the_sources(store: Store):
    asyncio.run(decide(admission(store, {HERE: 2}), [Case(), Case(source="s2")]))
    assert admission(store, {HERE: 2}).counts[HERE] == 2
    assert admission(store, {HERE: 2}, sources=["s2"]).counts[HERE] == 1
    assert admission(store, {HERE: 2}, sources=[]).counts[HERE] == 0


def test_accepted_without_an_item_is_an_error(store: Store):
    with pytest.raises(LookupError, match="accepted without an item"):
        asyncio.run(admission(store, {HERE: 1}).decide(slot_of(0, Case()), "accepted"))
