"""What the Critic makes of each fault: decision, route and code."""

import asyncio
from typing import Any

import pytest
from benchwright.agents.critic import FEWEST_LINES, LAST_ROUND, LONGEST_QUESTION, RulesCritic, rough_text
from benchwright.schemas.clip import ClipRef, TranscriptLine
from benchwright.schemas.grounding import Event, Recipe
from benchwright.schemas.item import Draft, DraftOption, Item, Option
from benchwright.schemas.view import Adjudication, Answer, CriticView, Verdict

TEXTS = {"o1": "Ilse nods.", "o2": "Ilse waits.", "o3": "Ilse leaves."}
GOOD: dict[str, Any] = {
    "question": "What does Ilse do next?",
    "texts": TEXTS,
    "told": ("It rains.", "Ivo waits.", "Ilse comes."),
    "choices": 1,
    "capability": "counterfactual_reasoning",
    "true": ("o1",),
    "possible": (),
    "answers": ("o1", "o1", "o1"),
}
CLAIMS: Any = {"counterfactual_reasoning": "counterfactual", "behavior_prediction": "behaviour", "moral_dilemma": None}


def said(answer: str) -> Answer:
    if answer in TEXTS:
        return Answer(ids=(answer,), status="answered", shown=tuple(TEXTS))
    return Answer(ids=(), status=answer, shown=tuple(TEXTS))


def item(question: str, texts: dict[str, str], capability: str) -> Item:
    events = {option: Event(kind="line", match=(text,)) for option, text in texts.items()}
    recipe = Recipe(claim="counterfactual", story_sha256="s", play=(), taken=0, others=(1,), window=2, events=events)
    return Item(
        item_id="i1",
        capability=capability,
        interaction="support",
        clip=ClipRef(media="m", start=0, end=4, unit="lines"),
        background="",
        question=question,
        options=tuple(Option(id=option, text=text) for option, text in texts.items()),
        public_hash="h",
        recipe=recipe,
        answer=("o1",),
        traps={"o2": "logic", "o3": "none"},
        rationale="",
    )


def judge(round: int = 0, answers_count: bool = True, **changes: Any) -> Verdict:
    case = GOOD | changes
    lines = [TranscriptLine(text=text) for text in case["told"]]
    lines += [TranscriptLine(text="Go.", kind="choice")] * case["choices"]
    proposed = item(case["question"], case["texts"], case["capability"])
    view = CriticView(
        item=proposed,
        draft=Draft(
            question=proposed.question,
            options=tuple(DraftOption(text=o.text, event=proposed.derived.events[o.id]) for o in proposed.options),
            window=2,
            answer=TEXTS["o1"],
            traps={},
            rationale="",
        ),
        transcript=tuple(lines),
        answers=tuple(map(said, case["answers"])),
        answer_policy="p",
        adjudication=Adjudication(true=case["true"], possible=case["possible"], proof="as played"),
        round=round,
    )
    return asyncio.run(RulesCritic(CLAIMS, answers_count=answers_count).judge(view))


LONG = " ".join(["word"] * (LONGEST_QUESTION + 1))
OTHER_CLAIM = {"capability": "behavior_prediction"}
FAULTS: dict[str, tuple[Any, ...]] = {
    "another option is true": ({"true": ("o2",)}, "discard", "generator", "label-not-rederived", "proposal"),
    "nothing is true": ({"true": ()}, "discard", "generator", "label-not-rederived", "proposal"),
    "two are true": ({"true": ("o1", "o2")}, "discard", "generator", "label-not-rederived", "proposal"),
    "a foil may come true": ({"possible": ("o3",)}, "discard", "generator", "foil-possible", "proposal"),
    "another claim": (OTHER_CLAIM, "discard", "generator", "capability-not-aligned", "proposal"),
    "no claim": ({"capability": "moral_dilemma"}, "discard", "generator", "capability-not-aligned", "proposal"),
    "unknown capability": ({"capability": "flying"}, "discard", "generator", "capability-not-aligned", "proposal"),
    "few lines": ({"told": ("a",) * (FEWEST_LINES - 1), "choices": 9}, "discard", "generator", "no-cues", "proposal"),
    "long question": ({"question": LONG}, "revise", "question", "question-long", "proposal"),
    "rough option": ({"texts": TEXTS | {"o2": 'A "b".'}}, "revise", "question", "option-typography", "proposal"),
    "1 of 3": ({"answers": ("o1", "o2", "o3")}, "re-examine", "generator", "answers-disagree", "reasoning"),
    "one unsure": ({"answers": ("o1", "o2", "ambiguous")}, "re-examine", "generator", "answers-disagree", "reasoning"),
    "no answers": ({"answers": ()}, "re-examine", "generator", "answers-disagree", "reasoning"),
    "unsure": ({"answers": ("o1", "ambiguous", "ambiguous")}, "revise", "generator", "answers-ambiguous", "proposal"),
    "unsupported": ({"answers": ("unsupported",) * 3}, "revise", "generator", "answers-unsupported", "proposal"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_fault(fault: str):
    changes, *expected = FAULTS[fault]
    found = judge(**changes)
    assert [found.decision, found.route, found.code, found.defect] == expected


@pytest.mark.parametrize("fault", FAULTS)
def test_the_last_round_mends_nothing_more(fault: str):
    changes, decision, _, code, _ = FAULTS[fault]
    assert judge(round=LAST_ROUND - 1, **changes).decision == decision
    last = judge(round=LAST_ROUND, **changes)
    assert (last.decision, last.code) == ("discard", code)


SOUND: dict[str, dict[str, Any]] = {
    "as it is": {},
    "2 of 3": {"answers": ("o1", "o2", "o1")},
    "longest question": {"question": " ".join(["word"] * LONGEST_QUESTION)},
}


@pytest.mark.parametrize("round", range(LAST_ROUND + 1))
@pytest.mark.parametrize("case", SOUND)
def test_accepted(case: str, round: int):
    found = judge(round=round, **SOUND[case])
    assert (found.decision, found.code, found.defect, found.message) == ("accept", "accepted", "none", "")
    assert (found.answerability, found.agreement, found.coherence, found.alignment) == ("answerable", True, True, True)


@pytest.mark.parametrize("answers", [("o2",) * 3, ("unsupported",) * 3, ()])
def test_answers_that_are_no_evidence_change_nothing(answers: tuple[str, ...]):
    found = judge(answers_count=False, answers=answers)
    assert (found.decision, found.answerability) == ("accept", "unknown")


FLAGS: dict[str, dict[str, Any]] = {
    "agreement": {"true": ("o2",)},
    "coherence": {"possible": ("o2",)},
    "alignment": {"capability": "behavior_prediction"},
    "cue_support": {"told": ()},
}


@pytest.mark.parametrize("flag", FLAGS)
def test_each_flag_is_lowered_by_its_own_fault_only(flag: str):
    found = judge(**FLAGS[flag])
    assert {name: getattr(found, name) for name in FLAGS} == {name: name != flag for name in FLAGS}


def test_the_worst_fault_is_named_first():
    assert judge(question=LONG, true=("o2",)).code == "label-not-rederived"
    assert judge(question=LONG, answers=("o2",) * 3).code == "question-long"


ROUGH = {
    "She says “yes”.": False,
    'She says "yes".': True,
    "Two  blanks": True,
    "“unclosed": True,
    "unopened”": True,
    "co—operate": True,
    "No — not now": False,
    "": False,
}


@pytest.mark.parametrize("text", ROUGH)
def test_rough_text(text: str):
    assert rough_text(text) == ROUGH[text]
