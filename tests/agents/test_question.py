"""Another wording, and repaired options: never anything that tells the key."""

import asyncio

import pytest
from benchwright.agents.critic import rough_text
from benchwright.agents.question import RulesQuestion, render, repaired
from benchwright.schemas.item import Coordinate
from benchwright.schemas.view import Feedback, QuestionView
from hypothesis import given
from hypothesis import strategies as st

FRAME = {"claim": "behaviour", "who": "ivo", "did": "waits", "person": "Ilse", "window": "before noon"}
OPTIONS = ('A "b".', "co—operate", "as it is")


def view(code: str = "question-long", frame: dict[str, str] = FRAME, wording: int = 0) -> QuestionView:
    return QuestionView(
        coordinate=Coordinate(capability="c", interaction="i"),
        question="What now?",
        frame=frame,
        options=OPTIONS,
        wording=wording,
        feedback=Feedback(code=code, message=""),
    )


@pytest.mark.parametrize("wording", range(3))
@pytest.mark.parametrize("attempt", range(3))
def test_the_next_wording_is_taken(questions, wording: int, attempt: int):
    found = asyncio.run(RulesQuestion(questions).reword(view(wording=wording), attempt))
    assert found.wording == wording + 1 + attempt
    assert found.question == render(questions, FRAME, found.wording)


@pytest.mark.parametrize("changes", [{"code": "option-typography"}, {"frame": {}}])
def test_a_question_that_is_not_at_fault_or_written_by_hand_stays(questions, changes):
    found = asyncio.run(RulesQuestion(questions).reword(view(wording=4, **changes), 1))
    assert (found.question, found.wording) == ("What now?", 4)


@pytest.mark.parametrize("code", ["option-typography", "question-long"])
def test_options_are_repaired_in_any_case(questions, code: str):
    found = asyncio.run(RulesQuestion(questions).reword(view(code), 0))
    assert found.options == {'A "b".': "A “b”.", "co—operate": "co-operate", "as it is": "as it is"}


def test_after_the_last_wording_comes_the_first(questions):
    count = len(questions.behaviour)
    assert len({render(questions, FRAME, wording) for wording in range(count)}) == count
    assert render(questions, FRAME, count) == render(questions, FRAME, 0)


def test_a_question_begins_with_a_capital(questions):
    frame = FRAME | {"claim": "counterfactual", "instead": "gone"}
    assert all(render(questions, frame, wording)[0].isupper() for wording in range(3))


REPAIRED = {
    '"yes" and "no"': "“yes” and “no”",
    "“open": "“open”",
    "close”": "“close”",
    "co—operate": "co-operate",
    "No — not now": "No — not now",
    "two  blanks": "two blanks",
}


@pytest.mark.parametrize("text", REPAIRED)
def test_repaired(text: str):
    assert repaired(text) == REPAIRED[text]


@given(st.text(alphabet='ab "“”—', max_size=12))
def test_repairing_is_done_in_one_go(text: str):
    once = repaired(text)
    assert repaired(once) == once
    if abs(once.count("“") - once.count("”")) == 0:
        assert not rough_text(once)
