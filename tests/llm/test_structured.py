"""Replies as records: what is forgiven, what is corrected, and what is a failure that is counted."""

import asyncio
import json
import time
from typing import Any, Literal

import pytest
from benchwright.llm.gateway import Gateway
from benchwright.llm.ledger import MemoryLedger
from benchwright.llm.lenient import values
from benchwright.llm.scripted import Rule, Script, ScriptedClient
from benchwright.llm.structured import CUT, EMPTY, NO_OBJECT, TWO, Structured, ask, read, schema_of
from benchwright.schemas.base import Record, classed
from benchwright.schemas.call import Reply
from hypothesis import given
from hypothesis import strategies as st

from .calls import request


class Said(Record):
    answer: Literal["A", "B", "C"] = classed("proposal")
    why: str = classed("proposal", "")
    cues: tuple[str, ...] = classed("proposal", ())


GOOD = Said(answer="B", why="it rains", cues=("one", "two"))
PLAIN = '{"answer": "B", "why": "it rains", "cues": ["one", "two"]}'

FORGIVEN = {
    "as asked": PLAIN,
    "fenced": f"```json\n{PLAIN}\n```",
    "fenced without a language": f"```\n{PLAIN}\n```",
    "a fence that never closes": f"```json\n{PLAIN}",
    "prose before": f"Sure! Here is the answer:\n\n{PLAIN}",
    "prose after": f"{PLAIN}\n\nI hope that this helps.",
    "prose with braces before": f"Of the options {{one of them}} fits.\n{PLAIN}",
    "prose with brackets before": f"See line [3] of the scene.\n{PLAIN}",
    "an apostrophe in prose": f"It's what she'd say.\n{PLAIN}",
    "byte order mark": f"\ufeff{PLAIN}",
    "thinking": f'<think>Perhaps {{"answer": "A"}}?</think>{PLAIN}',
    "thinking closed without opening": f'So it is {{"answer": "C"}}, or not.</think>\n{PLAIN}',
    "thinking in brackets": f'[THINK]maybe {{"answer": "A"}}[/THINK]{PLAIN}',
    "a final channel": f'<|channel|>analysis<|message|>{{"answer": "A"}}<|channel|>final<|message|>{PLAIN}',
    "said twice": f"{PLAIN}\n{PLAIN}",
    "a second object of another kind": f'{PLAIN}\n{{"confidence": 0.9}}',
    "its schema before it": f'{{"type": "object", "properties": {{"answer": {{"enum": ["A"]}}}}}}\n{PLAIN}',
    "comma after the last value": '{"answer": "B", "why": "it rains", "cues": ["one", "two",],}',
    "commas too many": '{"answer": "B",, "why": "it rains", "cues": [,"one",,"two"]}',
    "single quotes": "{'answer': 'B', 'why': 'it rains', 'cues': ['one', 'two']}",
    "typographic quotes": "{“answer”: “B”, “why”: “it rains”, “cues”: [“one”, “two”]}",
    "bare keys": '{answer: "B", why: "it rains", cues: ["one", "two"]}',
    "comments": '{"answer": "B", // sure\n"why": "it rains", /* both */ "cues": ["one", "two"]}',
    "an envelope": f'{{"result": {PLAIN}}}',
    "an array of one": f"[{PLAIN}]",
    "a string of JSON": json.dumps(PLAIN),
    "doubled braces": "{" + PLAIN + "}",
    "a tuple of Python": "{'answer': 'B', 'why': 'it rains', 'cues': ['one', 'two'], }",
    "line breaks between tokens": PLAIN.replace(", ", ",\r\n\t"),
    "a key given twice": '{"answer": "A", "answer": "B", "why": "it rains", "cues": ["one", "two"]}',
}


@pytest.mark.parametrize("text", FORGIVEN.values(), ids=FORGIVEN)
def test_forgiven(text: str) -> None:
    assert read(Reply(text=text), Said) == (GOOD, "")


STRINGS = {
    "raw line break": ('{"answer": "B", "why": "one\ntwo"}', "one\ntwo"),
    "raw tab": ('{"answer": "B", "why": "one\ttwo"}', "one\ttwo"),
    "quotes inside": ('{"answer": "B", "why": "she said "no" to him"}', 'she said "no" to him'),
    "quotes at its end": ('{"answer": "B", "why": "she said "no""}', 'she said "no"'),
    "an apostrophe in single quotes": ("{'answer': 'B', 'why': 'it's late'}", "it's late"),
    "an escape that does not exist": (r'{"answer": "B", "why": "it\'s 5 \% more"}', "it's 5 % more"),
    "an escape of half a pair": (r'{"answer": "B", "why": "\ud83d\ude00",}', "😀"),
    "braces inside": ('{"answer": "B", "why": "{\\"answer\\": \\"A\\"}",}', '{"answer": "A"}'),
    "a tag inside a good reply": ('{"answer": "B", "why": "<think>A</think>"}', "<think>A</think>"),
    "a fence inside": ('{"answer": "B", "why": "```json {} ```",}', "```json {} ```"),
    "a slash": ('{"answer": "B", "why": "he/she // it",}', "he/she // it"),
}


@pytest.mark.parametrize(("text", "why"), STRINGS.values(), ids=STRINGS)
def test_what_stands_in_a_string_stays_there(text: str, why: str) -> None:
    value, problem = read(Reply(text=text), Said)
    assert (value and value.why, problem) == (why, "")


FAULTY = {
    "nothing": (Reply(text=""), EMPTY),
    "blanks": (Reply(text=" \n "), EMPTY),
    "prose": (Reply(text="The answer is B."), NO_OBJECT),
    "a letter": (Reply(text="B"), NO_OBJECT),
    "cut in a string": (Reply(text='{"answer": "B", "why": "it ra'), NO_OBJECT),
    "cut, and the provider says so": (Reply(text='{"answer": "B", "why": "it ra', status="truncated"), CUT),
    "cut after an inner object": (Reply(text='{"x": {"answer": "B"}, "y": '), NO_OBJECT),
    "cut while thinking": (Reply(text='<think>{"answer": "B"} or', status="truncated"), CUT),
    "only thought": (Reply(text='<think>{"answer": "B"}</think>I do not know.'), NO_OBJECT),
    "refused": (Reply(text="I cannot help with that.", status="refusal"), "refused: I cannot help with that."),
    "refused with an object": (Reply(text=PLAIN, status="refusal"), f"refused: {PLAIN}"),
    "two answers": (Reply(text='{"answer": "A"} or {"answer": "B"}'), TWO),
    "wrong value": (Reply(text='{"answer": "D"}'), "answer: Input should be 'A', 'B' or 'C'"),
    "lower case": (Reply(text='{"answer": "b"}'), "answer: Input should be 'A', 'B' or 'C'"),
    "wrong type": (Reply(text='{"answer": ["B"]}'), "answer: Input should be 'A', 'B' or 'C'"),
    "missing key": (Reply(text='{"why": "it rains"}'), "answer: Field required"),
    "a key too many": (Reply(text='{"answer": "B", "sure": true}'), "sure: Extra inputs are not permitted"),
    "null": (Reply(text="null"), "the object: Input should be a valid dictionary or instance of Said"),
    "a string": (Reply(text='"B"'), NO_OBJECT),
    "an array of two": (Reply(text='[{"answer": "B"}, {"answer": "A"}]'), "the object: Input should be"),
    "only braces": (Reply(text="{" * 5000), NO_OBJECT),
    "XML": (Reply(text="<answer>B</answer>"), NO_OBJECT),
    "YAML": (Reply(text="answer: B\nwhy: it rains"), NO_OBJECT),
}


@pytest.mark.parametrize(("reply", "problem"), FAULTY.values(), ids=FAULTY)
def test_never_guessed(reply: Reply, problem: str) -> None:
    value, said = read(reply, Said)
    assert value is None
    assert said.startswith(problem)


def test_a_reply_that_is_whole_counts_although_the_limit_was_reached() -> None:
    assert read(Reply(text=PLAIN, status="truncated"), Said) == (GOOD, "")


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**6), 10**6)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text(), JSON, max_size=4))
def test_json_is_read_as_json(value: dict[str, Any]) -> None:
    """Alone by `json.loads`; among words by the tolerant reader, which sees the same in it."""
    assert values(json.dumps(value)) == [value]
    assert values(json.dumps(value, ensure_ascii=False)) == [value]
    assert values(f"Here: {json.dumps(value)} :that is all") == [value]


@given(st.text(alphabet="{}[]\",:'\\ a1\n/*", max_size=60))
def test_no_text_is_too_odd(text: str) -> None:
    assert isinstance(values(text), list)


HUGE = {
    "braces": "{" * 250_000,
    "open strings": '{"' * 125_000,
    "quotes": '{"a": "' + '" ' * 125_000,
    "comments": "{/*" * 75_000,
    "comments after quotes": '{"a": "' + '" /*' * 75_000,
    "escapes": '{"' + "\\" * 250_000,
    "brackets": "[" * 250_000,
    "thinking": "<think>" * 50_000,
    "closing": "</think>" * 50_000,
    "objects": '{"a": 1} ' * 25_000,
}


@pytest.mark.parametrize("text", HUGE.values(), ids=HUGE)
def test_a_huge_reply_is_read_in_time_that_grows_with_its_length(text: str) -> None:
    began = time.process_time()
    value, problem = read(Reply(text=text), Said)
    assert (value, bool(problem)) == (None, True)
    assert time.process_time() - began < 5


def wording(problem: str) -> str:
    return f"That could not be used ({problem}). Reply again."


def asked(*rules: Rule) -> tuple[Structured[Said], Gateway, ScriptedClient, MemoryLedger]:
    client, ledger = ScriptedClient(Script(benchwright_script=1, rules=rules, default="error")), MemoryLedger()
    gateway = Gateway(client, ledger)
    work = ask(gateway, request(), Said, sample=0, role="critic", correction=wording)
    return asyncio.run(work), gateway, client, ledger


def test_a_good_reply_costs_one_call() -> None:
    said, gateway, client, _ = asked(Rule(reply=PLAIN))
    assert (said.value, said.problem, len(client.calls), gateway.meter.malformed) == (GOOD, "", 1, 0)


def test_a_correction_shows_what_was_wrong_and_nothing_else() -> None:
    first = Rule(reply='{"answer": "D"}', times=1)
    second = Rule(
        contains="That could not be used (answer: Input should be 'A', 'B' or 'C'). Reply again.", reply=PLAIN
    )
    said, gateway, client, ledger = asked(first, second)
    assert (said.value, len(said.replies), gateway.meter.malformed) == (GOOD, 2, 0)
    before, after = (json.loads(ledger.requests[sha256])["messages"] for sha256, _ in client.calls)
    assert after[: len(before)] == before
    assert [(turn["role"], turn["parts"][0]["text"]) for turn in after[len(before) :]] == [
        ("assistant", '{"answer": "D"}'),
        ("user", wording("answer: Input should be 'A', 'B' or 'C'")),
    ]


def test_after_one_correction_it_is_a_failure_that_is_counted_and_never_served_again() -> None:
    said, gateway, client, ledger = asked(Rule(reply="no idea"))
    assert (said.value, said.problem, len(client.calls), gateway.meter.malformed) == (None, NO_OBJECT, 2, 1)
    assert [ledger.rows[key].status for key in client.calls] == ["settled", "spoilt"]
    again = ScriptedClient(Script(benchwright_script=1, rules=(Rule(reply=PLAIN),)))
    work = ask(Gateway(again, ledger), request(), Said, sample=0, role="critic", correction=wording)
    assert asyncio.run(work).value == GOOD
    assert again.calls == [client.calls[1]]


def test_a_refusal_is_not_argued_with() -> None:
    said, gateway, client, _ = asked(Rule(reply="I will not.", status="refusal"))
    assert (said.value, said.problem, len(client.calls)) == (None, "refused: I will not.", 1)
    assert gateway.meter.malformed == 1


def test_a_long_reply_is_sent_back_in_part() -> None:
    _, _, client, ledger = asked(Rule(reply="x" * 100_000))
    assert len(ledger.requests[client.calls[1][0]]) < 10_000


def test_the_schema_says_nothing_of_who_may_see_a_field() -> None:
    class Class(Record):
        class_: str = classed("backend", alias="class")
        inner: Said = classed("proposal")

    schema = schema_of(Class)
    assert set(schema["properties"]) == {"class", "inner"}
    assert "proposal" not in json.dumps(schema)
    assert "backend" not in json.dumps(schema)
