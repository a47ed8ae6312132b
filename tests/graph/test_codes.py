"""Every code that a slot can end with is explained in `docs/findings.md`."""

import re
from pathlib import Path
from typing import get_args

import pytest
from benchwright.agents import critic, derivation, judging
from benchwright.checks.gates import GATES
from benchwright.graph import admission, gates, nodes, proposing
from benchwright.schemas.view import Answer, Verdict

FINDINGS = Path(__file__).resolve().parents[2] / "docs" / "findings.md"
KEBAB = re.compile(r'"([a-z]+(?:-[a-z]+)+)"')
MODULES = (admission, gates, nodes, proposing, critic, derivation, judging)
NO_CODES = {"re-examine", "names-audible", "ui-shown"}
"""Written like a code: a decision, and tags of items."""


def literals() -> set[str]:
    """Codes as they stand in the source."""
    sources = [Path(str(module.__file__)).read_text("utf-8") for module in MODULES]
    return {code for source in sources for code in KEBAB.findall(source)} - NO_CODES


def codes() -> set[str]:
    unsure = set(get_args(Answer.model_fields["status"].annotation)) - {"answered"}
    made = {f"answers-{status}" for status in unsure} | {"accepted", "discarded", gates.REFUSED}
    return literals() | made | {gate.code for gate in GATES}


def test_codes_are_found_in_the_source() -> None:
    assert {"no-draft", "no-clip", "foil-possible", "target-met", "question-long"} <= literals()


@pytest.mark.parametrize("code", sorted(codes()))
def test_every_code_is_explained(code: str) -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \|", FINDINGS.read_text("utf-8"), re.MULTILINE)
    assert rows.count(code) == 1


def test_a_verdicts_decisions_are_the_ones_that_the_machine_knows() -> None:
    assert set(get_args(Verdict.model_fields["decision"].annotation)) == {"accept", "revise", "re-examine", "discard"}
