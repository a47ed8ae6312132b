"""A value that fits a JSON Schema, each choice in it made by a digest: what the scripted client says by default."""

from collections.abc import Mapping, Sequence
from typing import Any

from ..schemas.base import digest


def instance(schema: Mapping[str, Any], seed: str) -> Any:
    """A value for `schema`: enums, constants, objects (all their properties), arrays (one element), scalars, `$ref`
    into `$defs`, and the first branch of `anyOf`/`oneOf` that is not null. Equal arguments give equal values."""
    return _value(schema, schema, seed)


def _value(schema: Mapping[str, Any], root: Mapping[str, Any], seed: str) -> Any:
    if "$ref" in schema:
        return _value(_resolve(root, schema["$ref"]), root, seed)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return _pick(schema["enum"], seed)
    for union in ("anyOf", "oneOf", "allOf"):
        if union in schema:
            branches = [branch for branch in schema[union] if branch.get("type") != "null"]
            return _value((branches or schema[union])[0], root, seed)
    return _typed(schema, root, seed)


def _typed(schema: Mapping[str, Any], root: Mapping[str, Any], seed: str) -> Any:
    kind = schema.get("type")
    if kind == "object" or "properties" in schema:
        properties: Mapping[str, Any] = schema.get("properties", {})
        return {name: _value(part, root, digest(seed, name)) for name, part in properties.items()}
    if kind == "array":
        return [_value(schema.get("items", {}), root, seed)]
    if kind in ("integer", "number"):
        return schema.get("minimum", 0)
    return {"boolean": int(seed[:8], 16) % 2 == 0, "null": None}.get(str(kind), f"scripted {seed[:8]}")


def _pick(values: Sequence[Any], seed: str) -> Any:
    return values[int(digest(seed, "enum"), 16) % len(values)]


def _resolve(root: Mapping[str, Any], reference: str) -> Mapping[str, Any]:
    target: Any = root
    for piece in reference.removeprefix("#/").split("/"):
        target = target[piece]
    return dict(target)
