"""Write `docs/configuration.md` from the model of `benchwright.yaml`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

from benchwright.project.config import (
    Budget,
    Config,
    Exploration,
    ModelEntry,
    PriceEntry,
    Review,
    RoleName,
    RolePolicy,
    SourceEntry,
)
from benchwright.schemas.base import Record
from benchwright.schemas.story import Entity, EntityKind, Signal, SignalKind
from pydantic_core import PydanticUndefined

PAGE = Path(__file__).resolve().parent.parent / "docs" / "configuration.md"
HEAD = """# benchwright.yaml

Made from the model in `project/config.py` by `scripts/config_docs.py`. `benchwright init` writes a commented file;
commands find it in the current folder or above. An unknown key is an error, reported with its line. The JSON Schema is
`schemas/json/configuration.schema.json`.

Secrets never stand in the file. Write `$NAME` (in `store`, in a source's `path`, in
`api_key` and `api_base` of a model), and the value is taken from the
environment when it is used; what looks like a key is refused.
"""
EXAMPLE = """
## Example

```yaml
version: 1
name: winter-reserve
seed: 7
sources:
  - path: stories/reserve.ink.json
    license: CC-BY-4.0
targets:
  counterfactual_reasoning: 20
  behavior_prediction: {conflict: 5, support: 5}
entities:
  - {names: [Renfield, Old Ren], kind: person, descriptor: the man with the lantern}
signals:
  trust_tobin: {kind: relationship_change, between: [Tobin, Mara], label: trust}
concurrency: 8
```
"""
PARTS: dict[str, type[Record]] = {
    "sources": SourceEntry,
    "roles": RolePolicy,
    "models": ModelEntry,
    "prices": PriceEntry,
    "budget": Budget,
    "entities": Entity,
    "exploration": Exploration,
    "signals": Signal,
    "review": Review,
}
VALUES = {
    "models": "Keys: `PROVIDER/NAME`, or `PROVIDER` for all models of one. See `models.md`.",
    "prices": "Keys: `PROVIDER/NAME`. US dollars; what is left out costs nothing.",
    "roles": f"Keys: {', '.join(get_args(RoleName))}.",
    "entities": f"Kinds: {', '.join(get_args(EntityKind))}.",
    "signals": f"Keys: names of variables. Kinds: {', '.join(get_args(SignalKind))}.",
}
MEANINGS = {
    "budget": "Hard caps on calls of language models.",
    "exploration": "How far stories are explored.",
    "review": "What people must have said of an item.",
    "names": "The name used first, then aliases.",
    "kind": "What it is.",
    "placeholder": "What stands for it; given out by itself when left empty, and never taken back.",
    "descriptor": "What a viewer can see of a person.",
    "common_word": "True where the name is an ordinary word too.",
    "between": "Who feels, then towards whom.",
    "label": "What the variable measures, in words.",
    "policy": "`rules`, or `llm`.",
}


def rows(record: type[Record]) -> Iterator[str]:
    for name, field in record.model_fields.items():
        yield f"| `{name}` | {shown(field.default)} | {field.description or MEANINGS[name]} |"


def shown(default: Any) -> str:
    if default is PydanticUndefined:
        return ""
    if default in ((), {}, "", None):
        return "none"
    return f"`{str(default).lower() if isinstance(default, bool) else default}`"


def table(record: type[Record]) -> str:
    return "\n".join(["| key | default | meaning |", "|---|---|---|", *rows(record)])


def render() -> str:
    parts = [HEAD, table(Config), EXAMPLE]
    for name, record in PARTS.items():
        parts.append(f"## {name}\n\n{VALUES.get(name, '')}\n\n{table(record)}\n".replace("\n\n\n", "\n"))
    return "\n".join(parts)


def main() -> None:
    PAGE.write_text(render(), encoding="utf-8")
    print(PAGE)


if __name__ == "__main__":
    main()
