"""The scripted client, its script files, and the registry."""

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from benchwright.errors import InputError, ProviderError, UsageError
from benchwright.llm.instance import instance
from benchwright.llm.registry import client_for
from benchwright.llm.scripted import Rule, Script, ScriptedClient
from benchwright.schemas.call import Message, Part, Reply, Request
from hypothesis import given
from hypothesis import strategies as st

LETTERS: dict[str, Any] = {"type": "object", "properties": {"answer": {"enum": ["A", "B", "C", "D"]}}}


def request(text: str = "x", prompt_id: str = "p", schema: dict[str, Any] = LETTERS) -> Request:
    parts = (Part(text="before"), Part(text=text))
    message = Message(role="user", parts=parts)
    return Request(
        model="scripted/s", prompt_id=prompt_id, prompt_sha256="sha256:0", messages=(message,), answer_schema=schema
    )


def say(client: ScriptedClient, asked: Request, sample: int = 0) -> Reply:
    return asyncio.run(client.complete(asked, sample=sample))


@pytest.mark.parametrize(
    ("rule", "fits"),
    [
        pytest.param(Rule(reply="yes"), True, id="no condition"),
        pytest.param(Rule(reply="yes", prompt_id="p"), True, id="prompt"),
        pytest.param(Rule(reply="yes", prompt_id="q"), False, id="another prompt"),
        pytest.param(Rule(reply="yes", contains="lantern"), True, id="substring"),
        pytest.param(Rule(reply="yes", contains="Lantern"), False, id="substring in another case"),
        pytest.param(Rule(reply="yes", sample=2), True, id="sample"),
        pytest.param(Rule(reply="yes", sample=0), False, id="another sample"),
        pytest.param(Rule(reply="yes", prompt_id="p", sample=0), False, id="all must hold"),
    ],
)
def test_the_first_rule_that_fits_speaks(rule: Rule, fits: bool) -> None:
    client = ScriptedClient(Script(benchwright_script=1, rules=(rule, Rule(reply="no"))))
    assert say(client, request("the lantern"), sample=2).text == ("yes" if fits else "no")


def test_times_counts_the_calls_a_rule_may_serve() -> None:
    client = ScriptedClient(Script(benchwright_script=1, rules=(Rule(error="busy", times=2), Rule(reply="ok"))))
    for _ in range(2):
        with pytest.raises(ProviderError, match="scripted/s: busy"):
            say(client, request())
    assert say(client, request()).text == "ok"


def test_without_a_rule_the_reply_fits_the_schema_and_is_spread_by_digest() -> None:
    client = client_for("scripted/hash")
    replies = [asyncio.run(client.complete(request(str(n)), sample=0)).text for n in range(400)]
    answers = Counter(json.loads(reply)["answer"] for reply in replies)
    assert sorted(answers) == ["A", "B", "C", "D"]
    assert min(answers.values()) > 60  # 100 expected, standard deviation 8.7
    assert replies[0] == asyncio.run(client_for("scripted/hash").complete(request("0"), sample=0)).text
    assert len({asyncio.run(client.complete(request("0"), sample=n)).text for n in range(20)}) > 1


SCHEMAS: dict[str, dict[str, Any]] = {
    "letters": LETTERS,
    "set": {"type": "object", "properties": {"answer": {"type": "array", "items": {"enum": ["A", "B"]}}}},
    "reference": {
        "$defs": {"Cue": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}},
        "type": "object",
        "properties": {"cues": {"type": "array", "items": {"$ref": "#/$defs/Cue"}}, "score": {"type": "integer"}},
    },
    "union": {"anyOf": [{"type": "null"}, {"type": "number", "minimum": 2}]},
    "scalars": {"type": "object", "properties": {"sure": {"type": "boolean"}, "none": {"type": "null"}}},
    "constant": {"const": "go"},
}


@pytest.mark.parametrize("schema", SCHEMAS.values(), ids=SCHEMAS)
@given(seed=st.text())
def test_an_instance_is_valid(schema: dict[str, Any], seed: str) -> None:
    value = instance(schema, seed.encode("utf-8", "replace").hex().ljust(8, "0"))
    jsonschema.validate(value, schema)


def test_without_a_schema_there_is_a_text() -> None:
    assert say(ScriptedClient(), request(schema={})).text.startswith("scripted ")


def test_a_script_that_must_cover_everything_says_what_it_lacks() -> None:
    with pytest.raises(ProviderError, match="no rule of the script fits a request of prompt p"):
        say(ScriptedClient(Script(benchwright_script=1, default="error")), request())


def test_a_script_is_read_from_yaml_or_json_beside_the_project(tmp_path: Path) -> None:
    tmp_path.joinpath("a.yaml").write_text(
        "benchwright_script: 1\nrules:\n  - reply: {answer: B}\n    status: truncated\n"
    )
    tmp_path.joinpath("a.json").write_text('{"benchwright_script": 1, "rules": [{"reply": "C"}]}')
    from_yaml = asyncio.run(client_for("scripted/a.yaml", tmp_path).complete(request(), sample=0))
    from_json = asyncio.run(client_for("scripted/a.json", tmp_path).complete(request(), sample=0))
    assert (from_yaml.text, from_yaml.status, from_json.text) == ('{"answer":"B"}', "truncated", "C")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("benchwright_script: 1\nrule: []\n", "a.yaml:2: unknown key 'rule'"),
        ("benchwright_script: 1\nrules:\n  - {reply: a, error: b}\n", "a.yaml:3: .*a reply or an error, not both"),
        ("benchwright_script: 2\n", "a.yaml:1: "),
    ],
)
def test_a_faulty_script_names_the_line(text: str, message: str, tmp_path: Path) -> None:
    tmp_path.joinpath("a.yaml").write_text(text)
    with pytest.raises(InputError, match=message):
        client_for("scripted/a.yaml", tmp_path)


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("openai/gpt-x", "model openai/gpt-x: real models are called from a project"),
        ("gemini/y", "`benchwright init DIR` makes one"),
        ("scripted/", "model 'scripted/': write PROVIDER/NAME"),
        ("scripted", "write PROVIDER/NAME"),
        ("/x", "write PROVIDER/NAME"),
        ("", "write PROVIDER/NAME"),
    ],
)
def test_what_cannot_be_called_is_refused_in_one_line(model: str, said: str) -> None:
    with pytest.raises(UsageError, match=said) as refused:
        client_for(model)
    assert "\n" not in str(refused.value)
