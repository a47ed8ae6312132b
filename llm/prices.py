"""What a call costs: the price that the configuration gives, else litellm's table, if it can be believed.

The table is read as a file: importing litellm for it would take seconds. Prices err on the dear side: no discount for
cached prompts, and media at the highest rate that the table has for the model.
"""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import InputError, UsageError
from ..schemas.call import Request, Usage
from .client import Media
from .tokens import has_media, output, tokens

TABLE = "model_prices_and_context_window_backup.json"
MILLION = 1_000_000
ABSURD = 1000.0
"""US dollars for a million tokens: the dearest models cost less, so a table that says more is wrong."""
FREE_PROVIDERS = frozenset({"ollama", "ollama_chat", "lm_studio", "llamafile", "hosted_vllm", "vllm", "xinference"})
"""Their models run on a machine of one's own, so a price of zero is no mistake."""
LONG = re.compile(r"(input|output)_cost_per_token_above_(\d+)k_tokens")


class LongPrice(NamedTuple):
    """The price of a call whose input is longer than `above` tokens."""

    above: int
    input: float
    output: float


@dataclass(frozen=True)
class Price:
    """US dollars for a million tokens, and for a call."""

    input: float
    output: float
    call: float = 0.0
    media: float | None = None
    """For a million input tokens of a request that shows something; as `input` when None."""
    long: LongPrice | None = None

    def of(self, input_tokens: int, output_tokens: int, *, media: bool = False) -> float:
        into, out = self.input, self.output
        if self.long and input_tokens > self.long.above:
            into, out = max(into, self.long.input), max(out, self.long.output)
        if media and self.media is not None:
            into = max(into, self.media)
        return self.call + (input_tokens * into + output_tokens * out) / MILLION


class Window(NamedTuple):
    """What a model takes and gives at most, in tokens; None where nobody says."""

    input: int | None = None
    output: int | None = None


@dataclass(frozen=True)
class Tariff:
    """One model's price, and what bounds its calls."""

    model: str
    price: Price
    window: Window
    media: Media
    longest: int | None = None
    """Tokens of a reply at most, where the model's own parameters say so and go before the request's."""

    def worst(self, request: Request) -> float:
        """The most a call may cost. Raises `UsageError` where nothing bounds it."""
        counted = tokens(request, self.media).most
        into = min((bound for bound in (counted, self.window.input) if bound is not None), default=None)
        out = self.longest or output(request) or self.window.output
        if into is None or out is None:
            lacking = "its media have no known length" if into is None else "the request has no max_tokens"
            raise UsageError(f"{self.model}: nothing bounds the cost of a call: {lacking}, and the table no window")
        return self.price.of(into, out, media=has_media(request))

    def paid(self, request: Request, input_tokens: int, output_tokens: int) -> Usage:
        """What a call cost, by the tokens that the provider counted; its worst case where it counted none."""
        if not input_tokens and not output_tokens:
            return Usage(usd=self.worst(request))
        usd = self.price.of(input_tokens, output_tokens, media=has_media(request))
        return Usage(input_tokens=input_tokens, output_tokens=output_tokens, usd=usd)

    def likely(self, request: Request, output_tokens: int) -> float:
        return self.price.of(tokens(request, self.media).likely, output_tokens, media=has_media(request))


class Facts(NamedTuple):
    """What the table says of a model."""

    price: Price
    window: Window
    takes: frozenset[str]
    """`image`, `video`, `audio`."""
    schema: bool
    """Whether it has a JSON schema mode."""


class PriceTable:
    """litellm's table, as it came with the installed version. Empty where litellm is not installed."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path

    def facts(self, model: str) -> Facts | None:
        """None for a model that is not there. Raises `UsageError` for a price that cannot be right."""
        entry = self._entry(model)
        if entry is None or entry.get("mode") not in ("chat", "responses", "completion", None):
            return None
        _check(model, _price(entry), entry)
        return _facts(entry)

    def known(self, model: str) -> Facts | None:
        """The same, whatever the price: for a model whose price is given."""
        entry = self._entry(model)
        return None if entry is None else _facts(entry)

    def _entry(self, model: str) -> Mapping[str, Any] | None:
        """The table names some models with their provider and some without; a namesake elsewhere is another model."""
        provider, _, name = model.partition("/")
        bare = self._entries.get(name)
        return self._entries.get(model) or (bare if bare and bare.get("litellm_provider") == provider else None)

    @cached_property
    def _entries(self) -> Mapping[str, Mapping[str, Any]]:
        path = self._path or _installed()
        if path is None:
            return {}
        try:
            entries = json.loads(path.read_bytes())
        except (OSError, ValueError) as error:
            raise InputError(path, f"the price table cannot be read: {error}") from None
        return {name: entry for name, entry in entries.items() if isinstance(entry, dict)}


def tariff(
    model: str, given: Mapping[str, Price], table: PriceTable, media: Media, longest: int | None = None
) -> Tariff:
    """The tariff of a model. Raises `UsageError` where neither the configuration nor the table has a price."""
    facts = table.known(model) if model in given else table.facts(model)
    price = given.get(model) or (facts.price if facts else None)
    if price is None:
        example = f"prices: {{{model}: {{input: 0.5, output: 1.5}}}}"
        raise UsageError(
            f"no price is known for {model}: say it in benchwright.yaml, {example} (USD per million tokens)"
        )
    return Tariff(model, price, facts.window if facts else Window(), media, longest)


def _installed() -> Path | None:
    spec = find_spec("litellm")
    places = spec.submodule_search_locations if spec else None
    found = [Path(place) / TABLE for place in places or ()]
    return next((path for path in found if path.is_file()), None)


def _number(entry: Mapping[str, Any], *names: str) -> float:
    """The highest of some figures, zero for those that are not there."""
    return max((float(entry[name]) for name in names if isinstance(entry.get(name), int | float)), default=0.0)


def _price(entry: Mapping[str, Any]) -> Price:
    into = _number(entry, "input_cost_per_token")
    shown = _number(entry, "input_cost_per_token", "input_cost_per_audio_token", "input_cost_per_image_token")
    out = _number(entry, "output_cost_per_token", "output_cost_per_reasoning_token")
    call = _number(entry, "input_cost_per_request")
    return Price(into * MILLION, out * MILLION, call, shown * MILLION, _long(entry))


def _long(entry: Mapping[str, Any]) -> LongPrice | None:
    found = [(match, entry[name]) for name in entry if (match := LONG.fullmatch(name))]
    steps = [(match, value) for match, value in found if isinstance(value, int | float)]
    if not steps:
        return None
    highest = {side: max([v for m, v in steps if m[1] == side], default=0.0) for side in ("input", "output")}
    above = min(int(match[2]) for match, _ in steps)
    return LongPrice(above * 1000, highest["input"] * MILLION, highest["output"] * MILLION)


def _facts(entry: Mapping[str, Any]) -> Facts:
    return Facts(_price(entry), _window(entry), _takes(entry), _has(entry, "response_schema"))


def _check(model: str, price: Price, entry: Mapping[str, Any]) -> None:
    """Whether a price can be right."""
    figures = [price.input, price.output, price.call, price.media or 0.0]
    wrong = [figure for figure in figures if not math.isfinite(figure) or not 0 <= figure <= ABSURD]
    free = not price.call and not (price.input and price.output) and entry.get("litellm_provider") not in FREE_PROVIDERS
    if wrong or free:
        said = f"{wrong[0]:g} USD for a million tokens or a call" if wrong else "nothing, in part or in all"
        raise UsageError(f"the price table has {model} at {said}; say its price in benchwright.yaml, under prices")


def _window(entry: Mapping[str, Any]) -> Window:
    sizes = [entry.get(name) for name in ("max_input_tokens", "max_output_tokens")]
    return Window(*(size if isinstance(size, int) and size > 0 else None for size in sizes))


def _takes(entry: Mapping[str, Any]) -> frozenset[str]:
    named = entry.get("supported_modalities")
    found = {kind for kind in ("image", "video", "audio") if isinstance(named, list) and kind in named}
    flags = {"vision": "image", "video_input": "video", "audio_input": "audio"}
    return frozenset(found | {kind for flag, kind in flags.items() if _has(entry, flag)})


def _has(entry: Mapping[str, Any], flag: str) -> bool:
    return entry.get(f"supports_{flag}") is True
