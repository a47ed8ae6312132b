"""The models of one run: their settings read from the configuration, one ledger and one purse, a limit a provider."""

import asyncio
import os
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from ..evaluation.film import Takes
from ..llm.client import Client, Ledger, Media
from ..llm.gateway import Gateway, Manners, WorstCase, free
from ..llm.ledger import MemoryLedger
from ..llm.limits import Limiter
from ..llm.meter import Meter
from ..llm.prices import Price
from ..llm.providers import NoMedia, Providers
from ..llm.purse import Purse
from ..llm.registry import client_for
from ..llm.retry import Retry
from ..llm.settings import ModelSettings
from . import config
from .folder import Project

USUAL_KEYS: Mapping[str, tuple[str, ...]] = {"gemini": ("GEMINI_API_KEY", "GOOGLE_API_KEY")}
"""Variables that hold a provider's key, where it is not PROVIDER_API_KEY."""
RULES = "baseline/"
"""Models that are rules of ours: they cost nothing, and no call of theirs counts against a budget."""
OURS = ("scripted/", RULES)
"""Models that run in this process: they are not waited for, and cost nothing unless a price is given."""

T = TypeVar("T")
ClientFor = Callable[[str, Path, Providers | None], Client]


class Models:
    """Gateways to the models of a project, or without one to those that need none."""

    def __init__(
        self,
        project: Project | None,
        ledger: Ledger,
        folder: Path,
        *,
        at_once: int | None = None,
        reach: ClientFor = client_for,
        media: Media | None = None,
    ) -> None:
        """`folder` is where scripts lie. `at_once` bounds the calls under way; else each model's own setting. `media`
        are the files that requests may show."""
        self.meter = Meter()
        self._project, self._ledger, self._folder = project, ledger, folder
        self._at_once, self._reach = at_once, reach
        self._providers = providers(project, media) if project else None
        self._purse = Purse()
        self._random = Random(project.config.seed if project else 0)
        self._limiters: dict[tuple[str, str | None], Limiter] = {}
        self._gateways: dict[str, Gateway] = {}
        self._clients: list[Client] = []

    def gateway(self, model: str) -> Gateway:
        """The one of a model, whoever asks: what it uploads serves all roles. Raises `UsageError` for a model that
        cannot be called."""
        if model not in self._gateways:
            self._gateways[model] = self._made(model)
        return self._gateways[model]

    def _made(self, model: str) -> Gateway:
        client = self._reach(model, self._folder, self._providers)
        self._clients.append(client)
        manners = Manners(self._worst_case(model), self._retry(model), self._limiter(model), self._purse, self.meter)
        return Gateway(client, MemoryLedger() if model.startswith(RULES) else self._ledger, manners)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work` in a loop of its own; at its end connections and uploaded files are given back."""
        return asyncio.run(self._closing(work))

    async def _closing(self, work: Coroutine[Any, Any, T]) -> T:
        try:
            return await work
        finally:
            await self._close()

    async def _close(self) -> None:
        for client in self._clients:
            close: Any = getattr(client, "aclose", None)
            if close is not None:
                await close()

    def _worst_case(self, model: str) -> WorstCase:
        if self._providers is None or is_ours(model, self._providers):
            return free
        return self._providers.tariff(model).worst

    def _retry(self, model: str) -> Retry:
        return Retry(self._random, base=0.0) if model.startswith(OURS) else Retry(self._random)

    def _limiter(self, model: str) -> Limiter:
        entry = self._project.config.model(model) if self._project else config.ModelEntry()
        key = (model.partition("/")[0], entry.api_base)
        return self._limiters.setdefault(key, Limiter(self._at_once or entry.concurrency))


def providers(project: Project, media: Media | None = None) -> Providers:
    """What the configuration says of real models. Prices and settings are looked up when a model is called."""
    prices = {name: Price(**entry.model_dump()) for name, entry in project.config.prices.items()}
    return Providers(lambda model: settings(project, model), prices, media or NoMedia())


def takes(project: Project | None, model: str) -> Takes:
    """What a model takes beside text. Outside a project none can be reached that takes anything but text."""
    if project is None:
        return Takes()
    if model.startswith(OURS):
        return Takes(frozenset(project.config.model(model).takes or ()))
    return Takes(*providers(project).takes(model))


def settings(project: Project, model: str) -> ModelSettings:
    """How a model is reached. Raises `UsageError` for a variable that is not set."""
    entry = project.config.model(model)
    tape = entry.record or entry.replay
    return ModelSettings(
        model=model,
        api_base=config.expand(entry.api_base) if entry.api_base else None,
        api_key=_key(model, entry),
        client=entry.client,
        schema=entry.json_schema,
        takes=None if entry.takes is None else frozenset(entry.takes),
        timeout=entry.timeout,
        tape=("record" if entry.record else "replay", project.root / tape) if tape else None,
        extra=entry.parameters,
    )


def _key(model: str, entry: config.ModelEntry) -> str | None:
    """The key that is configured, else the provider's own where no other server is named: a server of one's own, or of
    somebody else, is not to see it."""
    if entry.api_key is not None:
        return config.expand(entry.api_key)
    provider = model.partition("/")[0]
    names = USUAL_KEYS.get(provider, (f"{provider.upper()}_API_KEY",))
    found = (os.environ[name] for name in names if os.environ.get(name))
    return None if entry.api_base is not None else next(found, None)


def is_ours(model: str, reach: Providers) -> bool:
    """Whether a model costs nothing because it is a script or a rule. A price in the configuration makes it cost."""
    return model.startswith(OURS) and model not in reach.prices
