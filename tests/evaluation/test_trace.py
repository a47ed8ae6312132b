"""What a reply says for itself: nothing is made up, whatever the reply."""

import pytest
from benchwright.evaluation.trace import FIELDS, answer_text, rationale, steps
from benchwright.schemas.judge import MODALITIES
from hypothesis import given
from hypothesis import strategies as st

ANSWERS = [
    pytest.param('{"answer": "She lies.", "G": null}', "She lies.", id="json"),
    pytest.param('Sure:\n```json\n{"answer": "She lies."}\n```', "She lies.", id="fenced"),
    pytest.param('{"answer": ["She lies", "he knows"]}', "She lies; he knows", id="several"),
    pytest.param("She lies.", "She lies.", id="words"),
    pytest.param("<think>Beta lies?</think> She lies.", "She lies.", id="after thinking"),
    pytest.param("<think>She lies", "", id="thinking that never ends"),
    pytest.param('{"answer": null}', "", id="null"),
    pytest.param('{"reason": "none"}', "", id="another object"),
    pytest.param("  ", "", id="blank"),
]


@pytest.mark.parametrize(("reply", "expected"), ANSWERS)
def test_an_open_answer_in_words(reply: str, expected: str) -> None:
    assert answer_text(reply) == expected


def test_the_eight_fields() -> None:
    found = rationale('{"answer": "B", "G": "Beta looks away.", "W": null, "extra": 1}')
    assert tuple(found) == FIELDS
    assert {field: text for field, text in found.items() if text} == {"G": "Beta looks away."}
    assert rationale('{"answer": "B"}') == rationale("B, as G says") == {}


TRACES = [
    pytest.param(
        '{"trace": [{"step": "Beta laughs", "tags": ["vocal", "n/a"]}, "Beta looks away"], "answer": "A"}',
        [("Beta laughs", ("vocal",)), ("Beta looks away", ())],
        id="json",
    ),
    pytest.param(
        "Reasoning steps:\n1. Beta smiles (visual)\n2) Beta says no [verbal, vocal]\n"
        "Step 3: Guests thank hosts (external knowledge)\nThe correct answer is A.",
        [("Beta smiles", ("visual",)), ("Beta says no", ("verbal", "vocal")),
         ("Guests thank hosts", ("external knowledge",))],
        id="lines",
    ),
    pytest.param("Beta looks away. She is tired.", [("Beta looks away.", ()), ("She is tired.", ())], id="sentences"),
    pytest.param("Why does Beta leave?\nBeta yawns.", [("Beta yawns.", ())], id="the question again"),
    pytest.param("She frowns (at the visual joke).", [("She frowns (at the visual joke).", ())], id="no tag"),
    pytest.param('{"answer": "A"}', [], id="an answer alone"),
    pytest.param("", [], id="nothing"),
]  # fmt: skip


@pytest.mark.parametrize(("reply", "expected"), TRACES)
def test_steps_and_their_tags(reply: str, expected: list[tuple[str, tuple[str, ...]]]) -> None:
    assert [(step.text, step.tags) for step in steps(reply, ["Why does Beta leave?"])] == expected


@given(st.text(alphabet='ab .\n()[]{}":,1visual', max_size=200))
def test_any_text_has_steps_of_its_own_words(reply: str) -> None:
    letters = {char for char in reply if char.isalnum()}
    for step in steps(reply):
        assert step.text.strip()
        assert {char for char in step.text if char.isalnum()} <= letters
        assert set(step.tags) <= set(MODALITIES)
