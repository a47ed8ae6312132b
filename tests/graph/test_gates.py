"""What a proposing agent hears of a refusal: the Question agent nothing that depends on the key."""

from itertools import combinations

import pytest
from benchwright.anonymize.replace import Anonymizer
from benchwright.checks.case import GateSettings
from benchwright.checks.gates import GATES, Gate
from benchwright.graph.context import Proposal
from benchwright.graph.gates import REFUSED, feedback, gates
from benchwright.graph.public import Publisher
from benchwright.schemas.clip import Excerpt
from benchwright.schemas.finding import Finding
from benchwright.schemas.grounding import Event
from benchwright.schemas.item import Coordinate, Draft, DraftOption, Plan, Slot
from benchwright.schemas.source import Source
from benchwright.schemas.view import Feedback
from hypothesis import given
from hypothesis import strategies as st

TELLING = [gate for gate in GATES if gate.about_key]
SILENT = [gate for gate in GATES if not gate.about_key and gate.severity == "error"]


def finding(gate: Gate, place: str = "o1") -> Finding:
    return Finding(code=gate.code, message=f"{gate.code} says that o4 is right", place=place, severity=gate.severity)


@pytest.mark.parametrize("gate", TELLING, ids=lambda gate: gate.code)
def test_the_question_agent_hears_no_code_that_tells_of_the_key(gate: Gate) -> None:
    heard = feedback("question", [finding(gate), finding(gate, "o2")])
    assert heard is not None
    assert (heard.code, heard.message) == (REFUSED, "")


@pytest.mark.parametrize("gate", [*TELLING, *SILENT], ids=lambda gate: gate.code)
def test_the_generator_who_made_the_key_hears_all(gate: Gate) -> None:
    heard = feedback("generator", [finding(gate)])
    assert heard is not None
    assert heard.code == gate.code
    assert gate.code in heard.message


@pytest.mark.parametrize("node", ["generator", "question"])
def test_warnings_and_silence_refuse_nothing(node: str) -> None:
    warnings = [finding(gate) for gate in GATES if gate.severity == "warning"]
    assert warnings
    assert feedback(node, []) is feedback(node, warnings) is None


def some(gates: list[Gate]) -> st.SearchStrategy[list[Finding]]:
    return st.lists(st.builds(finding, st.sampled_from(gates), st.sampled_from(["o1", "o2", "o3"])), max_size=6)


@given(some(SILENT), some(TELLING), st.randoms())
def test_what_the_question_agent_hears_does_not_depend_on_what_is_found_of_the_key(silent, telling, rng) -> None:
    """Neither by a code, nor by the order of codes, nor by how many there are."""
    found = list(silent)
    for one in telling:
        found.insert(rng.randint(0, len(found)), one)
    neutral = Feedback(code=REFUSED, message="") if telling else None
    assert feedback("question", found) == (feedback("question", silent) or neutral)


def test_the_first_code_is_the_slots_when_the_proposal_ends_there() -> None:
    for first, second in combinations(SILENT[:4], 2):
        heard = feedback("question", [finding(first), finding(second)])
        assert heard is not None
        assert heard.code == first.code
        assert {first.code, second.code} <= set(heard.message.split())


@pytest.mark.parametrize(("options", "refused"), [(None, True), ({"c": (2, 3)}, False), ({"d": (2, 3)}, True)])
def test_a_capability_has_its_own_number_of_options(options, refused: bool) -> None:
    """Of three options, where six are asked for elsewhere."""
    texts = ("Otto opens the gate.", "Otto closes the gate now.", "Otto paints the old fence.")
    draft = Draft(
        question="What does Otto do before the next choice?",
        options=tuple(DraftOption(text=text, event=Event(kind="choice", match=(text,))) for text in texts),
        answer=texts[0],
        traps=dict.fromkeys(texts[1:], "none"),
        window=0,
        rationale="",
    )
    plan = Plan(claim="moral_dilemma", play=(), taken=0, first=0, location="gate")
    source = Source(source_id="s", kind="story", sha256="sha256:00", path="s.yaml")
    coordinate = Coordinate(capability="c", interaction="i")
    slot = Slot(slot_id="s/c/i/0", number=1, source_id="s", coordinate=coordinate, ordinal=0)
    publisher = Publisher(7, str, ())
    clip = publisher.clip(source, plan, Excerpt(lines=(), background="", play=(), first=0, spans=()))
    check = gates(Anonymizer(()), GateSettings(), options)
    found = check(Proposal(plan, draft, publisher.item(slot, source, plan, draft, clip), clip))
    assert ("option-count" in {one.code for one in found}) == refused
