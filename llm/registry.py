"""From the name of a model to its client."""

from pathlib import Path

from ..errors import UsageError
from .client import Client
from .providers import Providers
from .scripted import ScriptedClient

HASH = "scripted/hash"


def client_for(model: str, folder: Path = Path(), providers: Providers | None = None) -> Client:
    """`scripted/hash` answers by digest, `scripted/FILE` from a script beside `folder`, `PROVIDER/NAME` as `providers`
    reaches it.

    Raises `UsageError` for a name that is none of these, or a model that cannot be reached or priced; `InputError` for
    a script that cannot be read.
    """
    provider, _, name = model.partition("/")
    if not provider or not name:
        raise UsageError(f"model {model!r}: write PROVIDER/NAME, such as openai/NAME, gemini/NAME or scripted/FILE")
    if model == HASH:
        return ScriptedClient()
    if provider == "scripted":
        return ScriptedClient.from_file(folder / name)
    if providers is None:
        raise UsageError(
            f"model {model}: real models are called from a project, whose benchwright.yaml holds their budget; "
            "`benchwright init DIR` makes one"
        )
    return providers.client(model)
