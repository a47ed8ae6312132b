"""What a call costs, and the most it may cost: bounds that hold, and prices that cannot be right."""

import json
from pathlib import Path

import pytest
from benchwright.errors import InputError, UsageError
from benchwright.llm.client import Medium
from benchwright.llm.prices import LongPrice, Price, PriceTable, Tariff, Window, tariff
from benchwright.llm.providers import NoMedia, Providers
from benchwright.llm.settings import ModelSettings
from benchwright.llm.tokens import IMAGE, MESSAGE, Tokens, tokens
from benchwright.schemas.call import Message, Part, Request
from hypothesis import given
from hypothesis import strategies as st

from .calls import request


def chat(provider: str, into: float, out: float | None) -> dict[str, object]:
    return {
        "litellm_provider": provider, "mode": "chat", "input_cost_per_token": into, "output_cost_per_token": out
    }  # fmt: skip


ENTRIES: dict[str, dict[str, object]] = {
    "gpt-small": {
        "litellm_provider": "openai", "mode": "chat", "input_cost_per_token": 1.5e-07, "output_cost_per_token": 6e-07,
        "max_input_tokens": 1000, "max_output_tokens": 100, "supports_vision": True, "supports_response_schema": True,
    },
    "gemini/flash": {
        "litellm_provider": "gemini", "mode": "chat", "input_cost_per_token": 3e-07, "output_cost_per_token": 2.5e-06,
        "input_cost_per_audio_token": 1e-06, "output_cost_per_reasoning_token": 3e-06,
        "input_cost_per_token_above_200k_tokens": 6e-07, "output_cost_per_token_above_200k_tokens": 5e-06,
        "max_input_tokens": 1_000_000, "supported_modalities": ["text", "image", "audio", "video"],
    },
    "openai/nothing": chat("openai", 0.0, 0),
    "openai/half": chat("openai", 1e-6, None),
    "openai/dear": chat("openai", 0.01, 0.01),
    "openai/wrong": chat("openai", -1e-6, 1e-6),
    "openai/vectors": {**chat("openai", 1e-6, None), "mode": "embedding"},
    "ollama/llama": chat("ollama", 0, 0),
    "namesake": chat("groq", 1e-6, 1e-6),
}  # fmt: skip


@pytest.fixture
def table(tmp_path: Path) -> PriceTable:
    path = tmp_path / "prices.json"
    path.write_text(json.dumps({"sample_spec": {"mode": "chat"}, "": 1, **ENTRIES}))
    return PriceTable(path)


def rate(model: str, table: PriceTable, **given: Price) -> Tariff:
    return tariff(model, given, table, NoMedia())


def test_a_name_is_found_with_its_provider_or_without(table: PriceTable) -> None:
    facts = table.facts("openai/gpt-small")
    assert facts is not None
    assert facts.price == Price(0.15, 0.6, 0.0, 0.15)
    assert (facts.window, facts.takes, facts.schema) == (Window(1000, 100), frozenset({"image"}), True)
    flash = table.facts("gemini/flash")
    assert flash is not None
    assert flash.price == Price(0.3, 3.0, 0.0, 1.0, LongPrice(200_000, 0.6, 5.0))
    assert flash.takes == {"image", "audio", "video"}


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("openai/unheard", "no price is known for openai/unheard"),
        ("openai/namesake", "no price is known"),
        ("openai/vectors", "no price is known"),
        ("openai/nothing", "has openai/nothing at nothing"),
        ("openai/half", "has openai/half at nothing, in part"),
        ("openai/dear", "at 10000 USD for a million tokens"),
        ("openai/wrong", "at -1 USD"),
    ],
)
def test_a_price_that_is_not_there_or_cannot_be_right_is_refused(model: str, said: str, table: PriceTable) -> None:
    with pytest.raises(UsageError, match=said) as refused:
        rate(model, table)
    assert "prices" in str(refused.value)


def test_a_given_price_goes_before_the_table(table: PriceTable) -> None:
    given = Price(1.0, 2.0)
    assert tariff("openai/dear", {"openai/dear": given}, table, NoMedia()).price == given
    mine = tariff("openai/gpt-small", {"openai/gpt-small": given}, table, NoMedia())
    assert (mine.price, mine.window) == (given, Window(1000, 100))


def test_a_model_of_ones_own_is_free(table: PriceTable) -> None:
    assert rate("ollama/llama", table).worst(request()) == 0.0


def test_the_worst_case_by_hand() -> None:
    """Texts of 7, 10 and 9 bytes, two messages, no schema; 64 tokens of reply at most."""
    plain = request(schema=False)
    assert tokens(plain, NoMedia()).most == 7 + 10 + 9 + 2 * MESSAGE
    worst = Tariff("m", Price(2.0, 5.0, call=0.01), Window(), NoMedia()).worst(plain)
    assert worst == pytest.approx(0.01 + (58 * 2.0 + 64 * 5.0) / 1e6)


def test_a_window_bounds_what_the_text_does_not(table: PriceTable) -> None:
    long = request("x" * 5000)
    assert rate("openai/gpt-small", table).worst(long) == pytest.approx((1000 * 0.15 + 64 * 0.6) / 1e6)


def test_without_max_tokens_the_window_bounds_the_reply(table: PriceTable) -> None:
    open_end = request(schema=False).model_copy(update={"parameters": {}})
    assert rate("openai/gpt-small", table).worst(open_end) == pytest.approx((58 * 0.15 + 100 * 0.6) / 1e6)
    with pytest.raises(UsageError, match="the request has no max_tokens"):
        Tariff("m", Price(1.0, 1.0), Window(), NoMedia()).worst(open_end)


def test_long_inputs_and_media_go_at_their_own_rate() -> None:
    price = Price(1.0, 2.0, media=4.0, long=LongPrice(1000, 3.0, 6.0))
    assert price.of(1000, 10) == pytest.approx((1000 * 1 + 10 * 2) / 1e6)
    assert price.of(1001, 10) == pytest.approx((1001 * 3 + 10 * 6) / 1e6)
    assert price.of(1001, 10, media=True) == pytest.approx((1001 * 4 + 10 * 6) / 1e6)


def test_what_the_provider_did_not_count_is_charged_at_the_worst_case() -> None:
    tariff = Tariff("m", Price(2.0, 5.0), Window(), NoMedia())
    assert tariff.paid(request(), 0, 0).usd == tariff.worst(request())
    assert tariff.paid(request(), 100, 10).usd == pytest.approx(250 / 1e6)


class Shelf:
    """Media of a known length, or of none."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds

    def medium(self, sha256: str) -> Medium:
        return Medium(Path("v.mp4"), "video/mp4", self.seconds)


def showing(**part: object) -> Request:
    shown = Part.model_validate({"media_sha256": "sha256:1", **part})
    return request(schema=False).model_copy(update={"messages": (Message(role="user", parts=(shown,)),)})


@pytest.mark.parametrize(
    ("part", "seconds", "most"),
    [
        ({"kind": "image"}, None, IMAGE),
        ({"kind": "video"}, 10.0, 3001),
        ({"kind": "video", "start": 2.0, "end": 4.5}, None, 751),
        ({"kind": "video", "start": 2.0}, 10.0, 2401),
        ({"kind": "audio"}, 10.0, 321),
    ],
)
def test_media_are_bounded_by_their_length(part: dict[str, object], seconds: float | None, most: int) -> None:
    assert tokens(showing(**part), Shelf(seconds)).most == most + MESSAGE


def test_a_video_of_unknown_length_is_bounded_by_the_window_or_refused() -> None:
    video = showing(kind="video")
    assert tokens(video, Shelf(None)) == Tokens(None, 60 * 300 + MESSAGE)
    assert Tariff("m", Price(1.0, 0.0), Window(input=500), Shelf(None)).worst(video) == pytest.approx(500 / 1e6)
    with pytest.raises(UsageError, match="media have no known length"):
        Tariff("m", Price(1.0, 0.0), Window(), Shelf(None)).worst(video)


def test_a_models_own_longest_reply_goes_before_the_requests() -> None:
    """It is sent in the request's place, so it is what has to be reserved."""
    settings = ModelSettings("openai/m", extra={"max_tokens": 1000, "temperature": 1})
    reach = Providers(lambda model: settings, {"openai/m": Price(0.0, 1000.0)})
    assert reach.tariff("openai/m").worst(request()) == pytest.approx(1.0)


@given(st.text(), st.text())
def test_no_tokenizer_on_bytes_makes_more(one: str, other: str) -> None:
    most = tokens(request(one + other), NoMedia()).most
    assert most is not None
    assert most >= len((one + other).encode("utf-8", "surrogatepass"))


def test_a_table_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    tmp_path.joinpath("prices.json").write_text("{")
    with pytest.raises(InputError, match=r"prices\.json: the price table cannot be read"):
        PriceTable(tmp_path / "prices.json").facts("openai/x")


def test_the_table_that_litellm_brings_is_read_without_importing_it() -> None:
    facts = PriceTable().facts("openai/gpt-4o-mini")
    if facts is None:
        pytest.skip("litellm is not installed")
    assert 0 < facts.price.input < facts.price.output < 10
    assert facts.window.input == 128_000
