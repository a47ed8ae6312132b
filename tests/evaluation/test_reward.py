"""The reward of a reply: right and valid, held against a table and against the parser that scores runs."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from benchwright.evaluation import reward as module
from benchwright.evaluation.parse import parse_answer
from benchwright.evaluation.reward import FIELDS, chosen, one, reward
from benchwright.evaluation.trace import rationale
from benchwright.scoring.rationale import informative
from hypothesis import given
from hypothesis import strategies as st

LETTERS = ("A", "B", "C", "D")
SEEN = "Beta puts the key down."


def reply(answer: Any = "B", **changed: Any) -> str:
    return json.dumps({**dict.fromkeys(FIELDS), "G": SEEN, "answer": answer, **changed})


def without(name: str) -> str:
    data = json.loads(reply())
    del data[name]
    return json.dumps(data)


SINGLE = [
    ("right", reply(), 1),
    ("wrong", reply("A"), 0),
    ("several fields", reply(N="She wants to be left alone."), 1),
    ("spaces around", f"\n {reply()} \n", 1),
    ("another script", reply(G="彼女は鍵を置いた。"), 1),
    ("words before", f"The answer is: {reply()}", 0),
    ("words behind", f"{reply()} I am sure.", 0),
    ("fence", f"```json\n{reply()}\n```", 0),
    ("letter alone", "B", 0),
    ("in words", "The answer is B.", 0),
    ("no letter on offer", reply("E"), 0),
    ("small letter", reply("b"), 0),
    ("text of an option", reply("Beta leaves"), 0),
    ("a list where one is asked for", reply(["B"]), 0),
    ("null", reply(None), 0),
    ("a number", reply(1), 0),
    ("no answer", without("answer"), 0),
    ("a field is missing", without("R"), 0),
    ("another key", reply(confidence="high"), 0),
    ("key twice", reply()[:-1] + ', "answer": "B"}', 0),
    ("key twice, other first", '{"answer": "A", ' + reply()[1:], 0),
    ("nothing said", reply(G=None), 0),
    ("empty", reply(G="  "), 0),
    ("one word", reply(G="Obviously."), 0),
    ("dashes", reply(G="- - - -"), 0),
    ("a field is no text", reply(W=["x"]), 0),
    ("a list of objects", f"[{reply()}]", 0),
    ("two objects", reply() + reply(), 0),
    ("reasoning before", f"<think>{reply('A')}</think>{reply()}", 0),
    ("cut", reply()[:-3], 0),
    ("nothing", "", 0),
    ("deep", "[" * 100_000, 0),
    ("NaN", "NaN", 0),
]  # fmt: skip


@pytest.mark.parametrize(("text", "wanted"), [row[1:] for row in SINGLE], ids=[row[0] for row in SINGLE])
def test_single(text: str, wanted: int) -> None:
    assert one(text, ["B"], LETTERS, "single") == wanted


MULTIPLE = [
    ("right", ["B", "D"], 1), ("order", ["D", "B"], 1), ("one of two", ["B"], 0), ("one too many", ["B", "D", "A"], 0),
    ("twice", ["B", "D", "D"], 0), ("none", [], 0), ("one letter, no list", "B", 0), ("not on offer", ["B", "E"], 0),
    ("lists in it", [["B"], ["D"]], 0),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "wanted"), [row[1:] for row in MULTIPLE], ids=[row[0] for row in MULTIPLE])
def test_multiple(answer: Any, wanted: int) -> None:
    assert one(reply(answer), ["B", "D"], LETTERS, "multiple") == wanted


@pytest.mark.parametrize("text", [row[1] for row in SINGLE if chosen(row[1], LETTERS, "single")])
def test_what_is_valid_is_read_alike_by_the_parser_and_counts_as_explained(text: str) -> None:
    options = {letter: f"option {letter}" for letter in LETTERS}
    assert parse_answer(text, options).ids == chosen(text, LETTERS, "single")
    assert any(informative(field) for field in rationale(text).values())


@given(st.text(), st.sampled_from([*LETTERS, "E", ""]), st.sampled_from(FIELDS))
def test_the_reward_is_one_only_for_the_reference(said: str, letter: str, field: str) -> None:
    text = reply(letter, **{"G": None, field: said})
    assert one(text, ["B"], LETTERS, "single") <= (letter == "B")
    assert one(said, ["B"], LETTERS, "single") == 0


def test_trainers_hand_over_texts_or_messages_and_columns_of_their_own() -> None:
    completions: list[Any] = [reply(), [{"role": "assistant", "content": reply("A")}], reply(["A"])]
    columns: dict[str, Any] = {"answer": [["B"], ["A"], ["A"]], "letters": [LETTERS] * 3}
    columns["format"] = ["single", "single", "multiple"]
    assert reward(completions, **columns, prompts=["?"] * 3, trainer_state=None) == [1.0, 1.0, 1.0]
    with pytest.raises(ValueError, match="zip"):
        reward(completions[:2], **columns)


def test_a_copy_works_without_benchwright(tmp_path: Path) -> None:
    (tmp_path / "reward.py").write_bytes(Path(module.__file__ or "").read_bytes())
    code = f"import reward; print(reward.reward([{reply()!r}], [['B']], [['A', 'B']], ['single']))"
    done = subprocess.run([sys.executable, "-S", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "[1.0]\n"
