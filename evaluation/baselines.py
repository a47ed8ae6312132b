"""Baselines that go through the same door as a real model: they fulfil `Client` and see the request alone."""

from pathlib import Path

from ..checks.shortcuts import SHORTCUTS
from ..errors import UsageError
from ..llm import registry
from ..llm.client import Client
from ..llm.providers import Providers
from ..schemas.base import canonical, digest
from ..schemas.call import Reply, Request
from .prompt import content_of, options_of

PREFIX = "baseline/"
RANDOM = "random"
BASELINES = (RANDOM, *SHORTCUTS)


class BaselineClient:
    """Answers by a shortcut rule, or uniformly at random by digest of (request hash, sample)."""

    def __init__(self, rule: str) -> None:
        if rule not in BASELINES:
            raise UsageError(f"there is no baseline {rule!r}; there are {', '.join(BASELINES)}")
        self.rule = rule

    async def complete(self, request: Request, *, sample: int) -> Reply:
        if not options_of(request):
            # An open question: rules choose among options, and have nothing to say.
            return Reply(text=canonical({"answer": ""}).decode())
        letter = self._letter(request, sample)
        several = request.answer_schema.get("properties", {}).get("answer", {}).get("type") == "array"
        return Reply(text=canonical({"answer": [letter] if several else letter}).decode())

    def _letter(self, request: Request, sample: int) -> str:
        options = options_of(request)
        if self.rule == RANDOM:
            return options[int(digest("random", request.sha256, sample), 16) % len(options)].id
        return SHORTCUTS[self.rule](content_of(request, "question"), content_of(request, "transcript"), options)


def client_for(model: str, folder: Path = Path(), providers: Providers | None = None) -> Client:
    """The client of any model that `evaluate` can run: `baseline/NAME`, or what `llm.registry` knows.

    Raises `UsageError` for a model that is neither, and what the registry raises.
    """
    if model.startswith(PREFIX):
        return BaselineClient(model.removeprefix(PREFIX))
    return registry.client_for(model, folder, providers)
