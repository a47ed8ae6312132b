"""From the name of a model to its client."""

from pathlib import Path

from ..errors import UsageError
from .client import Client
from .scripted import ScriptedClient

HASH = "scripted/hash"


def client_for(model: str, folder: Path = Path()) -> Client:
    """`scripted/hash` answers by digest; `scripted/FILE` from a script beside `folder`. Raises `UsageError` for others.

    A script that cannot be read raises `InputError`.
    """
    provider, _, name = model.partition("/")
    if model == HASH:
        return ScriptedClient()
    if provider == "scripted" and name:
        return ScriptedClient.from_file(folder / name)
    raise UsageError(f"model {model!r}: only scripted/hash and scripted/FILE can be called; real providers come later")
