"""What it takes to reach real models: settings and prices by the model's name, and the media to show.

The client libraries are imported by the clients, and those only when the first call is made.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ..errors import UsageError
from .client import Client, Media, Medium
from .prices import Price, PriceTable, Tariff, tariff
from .settings import MEDIA_KINDS, MediaKind, ModelSettings

HEARING = ("gemini", "vertex_ai")
"""Providers that count the sound of a video as part of it, through litellm as well."""


class NoMedia:
    """Fulfils `Media` where there are none."""

    def medium(self, sha256: str) -> Medium:
        raise UsageError(f"media {sha256} are not there")


@dataclass(frozen=True)
class Providers:
    """Every model that may be called."""

    settings: Callable[[str], ModelSettings]
    """By the model's name."""
    prices: Mapping[str, Price] = field(default_factory=dict)
    """Those that the configuration gives; they go before the table's."""
    media: Media = field(default_factory=NoMedia)
    table: PriceTable = field(default_factory=PriceTable)

    def tariff(self, model: str) -> Tariff:
        """Raises `UsageError` where no price is known that can be believed. A model that is replayed is free."""
        settings = self.settings(model)
        replayed = settings.tape and settings.tape[0] == "replay"
        given = {model: Price(0.0, 0.0)} if replayed else self.prices
        return tariff(model, given, self.table, self.media, settings.longest)

    def takes(self, model: str) -> tuple[frozenset[MediaKind], bool, bool]:
        """Media that a model takes beside text, whether it hears the sound of a video, and whether it can be told which
        seconds of it to look at: what its settings say, else what is known of its library or stands in the price
        table."""
        settings = self.settings(model)
        native = settings.library == "genai"
        hears = native or settings.provider in HEARING
        if settings.takes is not None:
            return settings.takes, hears, native
        if native:
            return frozenset(MEDIA_KINDS), True, True
        facts = self.table.known(model)
        known = facts.takes if facts else frozenset()
        return frozenset(kind for kind in MEDIA_KINDS if kind in known), hears, False

    def client(self, model: str) -> Client:
        """Raises `UsageError` where a library, a key or a price is missing; `InputError` for a tape that is none."""
        from .recorder import Recorder, Replayer

        settings, price = self.settings(model), self.tariff(model)
        if settings.tape and settings.tape[0] == "replay":
            return Replayer(settings.tape[1])
        client = self._real(settings, price)
        return Recorder(client, settings.tape[1]) if settings.tape else client

    def _real(self, settings: ModelSettings, price: Tariff) -> Client:
        if settings.library == "genai":
            from .genai_client import GenaiClient

            return GenaiClient(settings, price, self.media)
        if settings.library == "openai":
            from .openai_client import OpenaiClient

            return OpenaiClient(settings, price, self.table.known(settings.model), self.media)
        from .litellm_client import LitellmClient

        return LitellmClient(settings, price, self.table.known(settings.model), self.media)
