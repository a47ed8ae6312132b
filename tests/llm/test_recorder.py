"""A tape of calls: recorded once, replayed without a provider, for nothing."""

import asyncio
from pathlib import Path

import pytest
from benchwright.errors import InputError, ProviderError, UsageError
from benchwright.llm.prices import Price
from benchwright.llm.providers import Providers
from benchwright.llm.recorder import Recorder, Replayer
from benchwright.llm.scripted import Rule, Script, ScriptedClient
from benchwright.llm.settings import ModelSettings
from benchwright.schemas.call import Reply, Usage

from .calls import request


def recorded(path: Path, *replies: str) -> None:
    for sample, text in enumerate(replies):
        rule = Rule(reply=text, usage=Usage(input_tokens=3, output_tokens=1, usd=0.5))
        client = ScriptedClient(Script(benchwright_script=1, rules=(rule,)))
        asyncio.run(Recorder(client, path).complete(request(), sample=sample))


def replay(path: Path, sample: int = 0, text: str = "Who left?") -> Reply:
    return asyncio.run(Replayer(path).complete(request(text), sample=sample))


@pytest.mark.parametrize("text", ["", "plain", "two\nlines", "Ame\u0301lie", "half \ud83d pair", "\u2028"], ids=ascii)
def test_a_reply_comes_back_byte_for_byte_and_costs_nothing(text: str, tmp_path: Path) -> None:
    recorded(tmp_path / "tape.jsonl", text)
    reply = replay(tmp_path / "tape.jsonl")
    assert (reply.text, reply.usage) == (text, Usage(input_tokens=3, output_tokens=1, usd=0.0))


def test_samples_are_calls_of_their_own_and_the_first_reply_stands(tmp_path: Path) -> None:
    recorded(tmp_path / "tape.jsonl", "A", "B")
    recorded(tmp_path / "tape.jsonl", "C")
    assert [replay(tmp_path / "tape.jsonl", sample).text for sample in (0, 1)] == ["A", "B"]


@pytest.mark.parametrize(("sample", "text"), [(1, "Who left?"), (0, "Who stayed?")])
def test_another_request_is_not_there(sample: int, text: str, tmp_path: Path) -> None:
    recorded(tmp_path / "tape.jsonl", "A")
    with pytest.raises(ProviderError, match=r"tape\.jsonl has no reply to sha256:.*; record it first") as raised:
        replay(tmp_path / "tape.jsonl", sample, text)
    assert (raised.value.passing, raised.value.charged) == (False, False)


def test_a_last_line_that_was_cut_is_left_out_and_another_is_named(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    recorded(path, "A", "B")
    path.write_bytes(path.read_bytes()[:-20])
    assert replay(path).text == "A"
    path.write_bytes(b"{}\n" + path.read_bytes())
    with pytest.raises(InputError, match=r"tape\.jsonl:1: no recorded call"):
        replay(path)


def test_a_tape_that_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be replayed"):
        Replayer(tmp_path / "gone.jsonl")
    tmp_path.joinpath("file").write_text("")
    with pytest.raises(UsageError, match="cannot record to"):
        Recorder(ScriptedClient(), tmp_path / "file" / "tape.jsonl")


def test_a_replayed_model_needs_no_price_no_key_and_no_library(tmp_path: Path) -> None:
    recorded(tmp_path / "tape.jsonl", "A")
    tape = ModelSettings("openai/m", tape=("replay", tmp_path / "tape.jsonl"))
    reach = Providers(lambda model: tape)
    assert asyncio.run(reach.client("openai/m").complete(request(), sample=0)).text == "A"
    assert reach.tariff("openai/m").price == Price(0.0, 0.0)
