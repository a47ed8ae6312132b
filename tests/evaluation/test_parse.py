"""What a reply chooses. The worked cases of ../shared, a table of our own, and laws that hold for any text."""

import ast
import csv
import json
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from benchwright.evaluation import ParsedAnswer, parse_answer
from hypothesis import given, settings
from hypothesis import strategies as st

ABCD = dict.fromkeys("ABCD", "")
TEN = dict.fromkeys("ABCDEFGHIJ", "")
TEXTS = {
    "A": "A stranger lied to her",
    "B": "He is angry",
    "C": "He is angry at himself",
    "D": "None of the above",
}
ACTS = {"A": "Promise to keep the secret", "B": "Inform their parents", "C": "Confront the bullies", "D": "Wait"}


def test_the_worked_cases(shared: Path) -> None:
    path = shared / "vectors" / "answer_parsing_cases.jsonl"
    cases = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    wrong = [(case["output"], case["expected"], got) for case in cases if (got := read_case(case)) != expected(case)]
    assert len(cases) == 98
    assert wrong == []


def read_case(case: dict[str, object]) -> tuple[tuple[str, ...], str]:
    options = [str(option) for option in list(case["options"])]  # type: ignore[call-overload]
    parsed = parse_answer(str(case["output"]), options, multiple=case["mode"] == "multi")
    return parsed.ids, parsed.status


def expected(case: dict[str, object]) -> tuple[tuple[str, ...], str]:
    wanted = case["expected"]
    ids = () if wanted is None else (wanted,) if isinstance(wanted, str) else tuple(wanted)  # type: ignore[arg-type]
    return ids, "answered" if case["status"] == "ok" else str(case["status"])


@pytest.mark.parametrize(
    ("reply", "options", "ids"),
    [
        # JSON
        ('{"answer": {"id": "B", "text": "He is angry"}}', TEXTS, "B"),
        ('{"final_answer": "C", "answer": "I weighed A and B"}', ABCD, "C"),
        ('[{"answer": "B"}]', ABCD, "B"),
        ('{"answer": "The correct answer is (D)."}', ABCD, "D"),
        ('{"answer": "I would go with B"}', ABCD, "B"),
        ('{"answer": "option c"}', ABCD, "C"),
        ("{answer: B}", ABCD, "B"),
        ('{"answer": "B", "why": "he said "no" twice"}', ABCD, "B"),
        ('{"answer": "A"} {"answer": "B", "why": "cut he', ABCD, "B"),
        ('{"answer": "A"}\n{"answer": "', ABCD, "A"),
        ('{"type": "object", "properties": {"answer": {"enum": ["A"]}}}\n{"answer": "C"}', ABCD, "C"),
        ('{"answer": "None of the above"}', TEXTS, "D"),
        ('{"answer": "A", "answer": "B"}', ABCD, "B"),
        # words
        ("<answer>B", ABCD, "B"),
        ("Answer: A stranger lied to her", TEXTS, "A"),
        ("Answer: C He is angry at himself", TEXTS, "C"),
        ("**Answer:** B", ABCD, "B"),
        ("**Final Answer**\n\nC", ABCD, "C"),
        ("Answer:\n(D)", ABCD, "D"),
        ("My answer would be C.", ABCD, "C"),
        ("The answer is B? No: the answer is C.", ABCD, "C"),
        ("At first I thought the answer is A, but the answer is D.", ABCD, "D"),
        ("Some might say the answer is A; I choose B.", ABCD, "B"),
        ("If we weigh the pause, the answer is B.", ABCD, "B"),
        ("Neither A nor B is correct, D is correct.", ABCD, "D"),
        ("A and B are wrong, C is right.", ABCD, "C"),
        ("C is the most plausible reading.", ABCD, "C"),
        ("The most effective action for Bella is option (a): contact them", ABCD, "A"),
        ("Based on this, the MOST EFFECTIVE ACTION WOULD BE (B) INFORM THE PARENTS.", ACTS, "B"),
        ("The correct answer is: Inform their parents, because it helps.", ACTS, "B"),
        ("Answer: C, A is too strong", ABCD, "C"),
        ("I, for one, choose D.", TEN, "D"),
        ("Answer: I", TEN, "I"),
        ("final answer - it must be I.", TEN, "I"),
        ("La bonne réponse est la B.", ABCD, "B"),
        ("Die richtige Antwort ist C.", ABCD, "C"),
        ("Правильный ответ — D", ABCD, "D"),
        ("正解はBです", ABCD, "B"),
        ("Answer B", ABCD, "B"),
        ("Answer - C", ABCD, "C"),
        ("I'd say C.", ABCD, "C"),
        ("I think B is too mild and C fits best.", ABCD, "C"),
        ("The answer is not B but D.", ABCD, "D"),
        ("我选择B", ABCD, "B"),
        ("选项A不对，选C。", ABCD, "C"),
        # corrections, conclusions, contrasts
        ("Answer: A. Wait, actually C.", ABCD, "C"),
        ("Actually, scratch that: D.", ABCD, "D"),
        ("Not A, B or C, so D.", ABCD, "D"),
        ("1. He smiles.\n2. He looks away.\nSo B.", ABCD, "B"),
        ("Probably C, though B is close.", ABCD, "C"),
        ("The answer is neither A nor C but B.", ABCD, "B"),
        ("Die Antwort ist nicht A, sondern B.", ABCD, "B"),
        ("La respuesta no es A, sino C.", ABCD, "C"),
        ("La réponse n'est pas A mais D.", ABCD, "D"),
        ("答案不是A,而是C。", ABCD, "C"),
        ("Answer: A and C are wrong, so B.", ABCD, "B"),
        # other languages and signs
        ("Ich wähle C.", ABCD, "C"),
        ("Elijo la opción B.", ABCD, "B"),
        ("Đáp án: B", ABCD, "B"),
        ("الإجابة: B", ABCD, "B"),
        ("Answer → C", ABCD, "C"),
        ("Answer: ✅ B", ABCD, "B"),
        # options judged one by one
        ("- A: no\n- B: no\n- C: yes\n- D: no", ABCD, "C"),
        ("A. wrong\nB. wrong\nC. correct\nD. wrong", ABCD, "C"),
        ('{"answer": {"A": false, "B": true}}', ABCD, "B"),
        ("A: wrong", {"A": "Wrong", "B": "Right"}, "A"),
        # bare, lines, own words
        ("The tone drops at the end.\n\nC", ABCD, "C"),
        ("B\n\nThe tone drops at the end.", ABCD, "B"),
        ("(b) Inform their parents", ACTS, "B"),
        ("Inform their parents. It is safest.", ACTS, "B"),
        ("\\boxed{B. Inform their parents}", ACTS, "B"),
        ("<|channel|>analysis<|message|>maybe A<|end|><|channel|>final<|message|>Answer: C", ABCD, "C"),
        ("[THINK]A? B?[/THINK]D", ABCD, "D"),
        ("12", {"1": "", "2": "", "12": ""}, "12"),
        ("Answer: 4", {"A": "3", "B": "4"}, "B"),
        ("Answer: o2", {"o1": "x", "o2": "y"}, "o2"),
    ],
)
def test_what_is_declared_is_read(reply: str, options: Mapping[str, str], ids: str) -> None:
    assert parse_answer(reply, options)[:2] == ((ids,), "answered")


@pytest.mark.parametrize(
    ("reply", "options", "status"),
    [
        ('{"answer": "He is hungry"}', TEXTS, "invalid_option"),
        ('{"answer": true}', ABCD, "invalid_option"),
        ('{"answer": "A or B"}', ABCD, "ambiguous"),
        ('{"answer": "B"', ABCD, "answered"),
        ('{"answer": "B', ABCD, "truncated"),
        ('{"answer": 1', {"1": "", "13": ""}, "truncated"),
        ('{"G": "he looks at the', ABCD, "truncated"),
        ('{"answer": ["A", "C"', ABCD, "truncated"),
        ('{"G": "A", "W": "B"}', ABCD, "no_answer"),
        ("Answer: A woman turns away", ABCD, "no_answer"),
        ("Answer: see above", ABCD, "no_answer"),
        ("Second choice: A", ABCD, "no_answer"),
        ("The answer is not B.", ABCD, "no_answer"),
        ("The answer isn't B", ABCD, "no_answer"),
        ("I don't think B is correct.", ABCD, "no_answer"),
        ("It is unlikely that B is the best.", ABCD, "no_answer"),
        ("If she were angry, the answer would be C.", ABCD, "no_answer"),
        ("Is the answer B?", ABCD, "no_answer"),
        ("Vitamin C and plan B", ABCD, "no_answer"),
        ("I would choose to wait.", TEN, "no_answer"),
        ("A is most likely wrong.", ABCD, "no_answer"),
        ("She gives him an A for effort.", ABCD, "no_answer"),
        ("I think B is wrong.", ABCD, "no_answer"),
        ("I say A man left.", ABCD, "no_answer"),
        ("I think B and C are wrong.", ABCD, "no_answer"),
        ("Answer A is wrong", ABCD, "no_answer"),
        ("选项A", ABCD, "no_answer"),
        ("A: wrong", ABCD, "no_answer"),
        ("(A) is incorrect because he smiles.", ABCD, "no_answer"),
        ("B, however, is wrong.", ABCD, "no_answer"),
        ("Option A: incorrect. Option B: no idea.", ABCD, "no_answer"),
        ("A, B and C are wrong.", ABCD, "no_answer"),
        ("A. wrong\nB. unclear\nC. correct", ABCD, "ambiguous"),
        ("A. Yes\nB. No", {"A": "Yes", "B": "No"}, "ambiguous"),
        ("Person B is right to leave.", ABCD, "no_answer"),
        ("Speaker A is the most likely to leave.", ABCD, "no_answer"),
        ("The teacher says the answer is A.", ABCD, "no_answer"),
        ("If he knew, the answer is A; otherwise B.", ABCD, "no_answer"),
        ("A, B, C and D are all plausible.", ABCD, "ambiguous"),
        ("The answer is A (or B).", ABCD, "ambiguous"),
        ("The answer is A or possibly B.", ABCD, "ambiguous"),
        ('Answer: "He is angry" or "A stranger lied to her"', TEXTS, "ambiguous"),
        ("Answer:\nA) waits\nB) leaves", ABCD, "too_many"),
        ("Answer: A、C", ABCD, "too_many"),
        ("Actually, a man left.", ABCD, "no_answer"),
        ("So A man left.", ABCD, "no_answer"),
        ("B or C", ABCD, "ambiguous"),
        ("Either A or D fits.", ABCD, "ambiguous"),
        ("A, B", ABCD, "too_many"),
        ("The answers are A and C.", ABCD, "too_many"),
        ("Answer: G", ABCD, "invalid_option"),
        ("Answer: 2", ABCD, "invalid_option"),
        ("(d) Inform their parents", ACTS, "ambiguous"),
        ("I'm sorry, I can't help with that.", ABCD, "refusal"),
        ("As an AI language model I am unable to judge people.", ABCD, "refusal"),
        ("<answer>", ABCD, "truncated"),
        ("<think>A fits", ABCD, "truncated"),
        ("Answer: A\n<think>wait", ABCD, "truncated"),
        ("<think>the answer is A</think>", ABCD, "no_answer"),
        ("He waits", {"A": "He waits", "B": "he waits."}, "ambiguous"),
    ],
)
def test_what_is_not_declared_is_not_guessed(reply: str, options: Mapping[str, str], status: str) -> None:
    assert parse_answer(reply, options).status == status


@pytest.mark.parametrize(
    ("reply", "ids"),
    [
        ("B and D are correct.", "BD"),
        ("B) waits\nD) leaves", "BD"),
        ('["C", "A"]', "AC"),
        ('{"answer": "A; D"}', "AD"),
        ("I choose A, C and D.", "ACD"),
        ("\\boxed{A, C}", "AC"),
        ("A", "A"),
        ("- A\n- C", "AC"),
        ("* (B)\n* (D)", "BD"),
        ("Answers:\nA) waits\nC) leaves", "AC"),
        ("答案:A、C", "AC"),
        ("The answer is both B and C.", "BC"),
        ("A is correct. C is correct. B and D are wrong.", "AC"),
        ("I choose A and B. Wait, actually A and D.", "AD"),
        ("A and C are wrong.", ""),
        ("A: no\nC: yes", ""),
        ("(A) and (C) do not fit.", ""),
    ],
)
def test_a_set_is_read_where_the_item_allows_one(reply: str, ids: str) -> None:
    assert parse_answer(reply, ABCD, multiple=True).ids == tuple(ids)


def test_options_may_be_ids_or_texts_in_order() -> None:
    assert parse_answer("B", ["A", "B"]).ids == ("B",)
    assert parse_answer("he leaves", ["He stays", "He leaves"]).ids == ("B",)
    with pytest.raises(ValueError, match="non-empty"):
        parse_answer("B", [])


PIECES = [
    "A",
    "B",
    "C",
    "D",
    "E",
    "I",
    "Answer:",
    "answer",
    '{"answer":',
    "}",
    "{",
    '"',
    "[",
    "]",
    "is",
    "not",
    "or",
    "and",
    "\\boxed{",
    "<think>",
    "</think>",
    "<answer>",
    "</answer>",
    ".",
    ",",
    "correct",
    "option",
    "the",
    "(",
    ")",
    "**",
    "```",
    "1",
    "13",
    "答案是",
    "fits",
    "best",
    "。",
]
pieces = st.sampled_from([*PIECES, "\n", "\u200b", "He is angry"])
replies = st.one_of(st.text(max_size=200), st.lists(pieces, max_size=30).map(" ".join))


@settings(max_examples=300, deadline=None)
@given(reply=replies, multiple=st.booleans())
def test_any_text_gives_ids_on_offer_or_a_reason(reply: str, multiple: bool) -> None:
    parsed = parse_answer(reply, TEXTS, multiple=multiple)
    assert set(parsed.ids) <= set(TEXTS)
    assert (parsed.status == "answered") == bool(parsed.ids)
    assert len(parsed.ids) <= (len(TEXTS) if multiple else 1)
    assert parsed == parse_answer(reply, TEXTS, multiple=multiple)


@settings(max_examples=200, deadline=None)
@given(reply=replies)
def test_a_reply_for_one_answer_is_never_read_otherwise_for_several(reply: str) -> None:
    single = parse_answer(reply, TEXTS)
    if single.status == "answered":
        assert parse_answer(reply, TEXTS, multiple=True).ids == single.ids


@settings(max_examples=200, deadline=None)
@given(reply=replies)
def test_a_reply_cut_within_its_reasoning_says_nothing(reply: str) -> None:
    assert parse_answer("<think>" + reply.replace("think", ""), TEXTS) == ParsedAnswer(
        (), "truncated", "unclosed reasoning"
    )


HOSTILE = ["{", '{"a":', '{"answer":', "[", "<b>", "A, ", "(A", "\n", "answer", "Answer: ", "is B ", "A****", "The "]


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_replies_end_soon(piece: str) -> None:
    started = time.process_time()
    parse_answer(piece * (20_000 // len(piece)), ABCD)
    assert time.process_time() - started < 5


DECIDED = {
    ("Llama-2-7b-chat-hf-en", 40): ("A", "refusal"),
    ("Llama-2-7b-chat-hf-en", 81): ("C", "invalid_option"),
    ("Llama-2-7b-chat-hf-en", 92): ("C", "no_answer"),
}
"""Every row on which upstream's index and ours differ, by hand; all five replies of each are alike. Row 40 declines,
and names (a) as what it will not advise: upstream took the refused option for the answer. Row 81 says (c), and then,
last, "the answer is 3": the last declaration counts, and 3 is no id; that it means the third would be a guess. Row 92,
"The most correct response for option (c).", has lost its verb: what it says of (c) is not there to be read."""


@pytest.mark.parametrize("model", ["gpt-4-en", "Llama-2-7b-chat-hf-en"])
def test_real_replies_differ_from_upstream_where_it_was_decided(model: str, shared: Path) -> None:
    """Upstream's index is no gold label; where it has none (−1), ours has none either."""
    differing: dict[tuple[str, int], set[tuple[str, str]]] = {}
    with (shared / "data" / "preds" / "emobench" / f"{model}.csv").open(encoding="utf-8", newline="") as file:
        for number, row in enumerate(csv.DictReader(file)):
            choices = ast.literal_eval(row["Choices"])
            for run in range(1, 6):
                parsed = parse_answer(row[f"Res {run}"], choices)
                index = int(row[f"Pred {run}"])
                upstream = "ABCD"[index] if index >= 0 else ""
                if parsed.ids != tuple(upstream):
                    assert not parsed.ids, "where both name an option, it is the same"
                    differing.setdefault((model, number), set()).add((upstream, parsed.status))
    assert differing == {place: {decided} for place, decided in DECIDED.items() if place[0] == model}
