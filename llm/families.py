"""Families of models: those that share an origin share blind spots, so that one should not check what another made."""

import re
from collections.abc import Iterable, Iterator, Mapping

ONE_FAMILY: Mapping[str, str] = {
    "chatgpt": "gpt", "davinci": "gpt", "o": "gpt", "gemma": "gemini", "codellama": "llama", "vicuna": "llama",
    "mixtral": "mistral", "ministral": "mistral", "codestral": "mistral", "magistral": "mistral", "pixtral": "mistral",
    "qwq": "qwen", "qvq": "qwen",
}  # fmt: skip
"""Names of models whose maker calls others differently."""


def family(model: str) -> str:
    """The family of `PROVIDER/NAME`: what its name begins with, whoever serves it. `rules` is none: empty."""
    if "/" not in model:
        return ""
    provider, _, name = model.partition("/")
    if provider in ("scripted", "baseline"):
        return model
    first = re.match(r"(?:meta-)?([a-z]+)", name.rpartition("/")[2].lower())
    word = first[1] if first else name.lower()
    return ONE_FAMILY.get(word, word)


def shared(one: Iterable[str], other: Iterable[str]) -> tuple[str, ...]:
    """The families that stand on both sides, by the alphabet."""
    return tuple(sorted(({*map(family, one)} & {*map(family, other)}) - {""}))


def evaluated(policies: Mapping[str, str], model: str) -> Iterator[str]:
    """A warning where the family of an evaluated model made or checked the items. `policies` are by role."""
    roles = [role for role, policy in sorted(policies.items()) if shared([policy], [model])]
    if roles:
        yield f"{model} is of the family {family(model)}, which played {', '.join(roles)} of these items"
