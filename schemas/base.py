"""What every record shares: frozen models, one class a field, canonical bytes, hashes and ids.

A field's class says who may see it (`docs/isolation.md`). It is declared once, here on the field, and read by the
role views, the database guard, the release writer and the evaluator alike. A field without a class is `backend`.
"""

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable
from typing import Any, Literal, get_args

import rfc8785
from pydantic import BaseModel, ConfigDict, Field

FieldClass = Literal["public", "proposal", "backend", "reference"]
FIELD_CLASSES: tuple[FieldClass, ...] = get_args(FieldClass)

SEPARATOR = "\x1f"

_LARGEST = 2**53
_SORTED = json.JSONEncoder(ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
_LONG = re.compile(rb"\d{16}")
"""As many digits as 2⁵³ has."""
_NUMBERS = (b"e-0", b"e+", b".0,", b".0]", b".0}")
_BEYOND = bytes(range(0xEE, 0xF5))
"""What the UTF-8 of characters from U+E000 on begins with: as keys, UTF-16 sorts them otherwise."""


class Record(BaseModel):
    """A frozen record; unknown fields are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, allow_inf_nan=False)


def classed(field_class: FieldClass, default: Any = ..., **kwargs: Any) -> Any:
    """Declare a field together with its class; `kwargs` go to `pydantic.Field`."""
    return Field(default, json_schema_extra={"class": field_class}, **kwargs)


def class_of(record: type[BaseModel], field: str) -> FieldClass:
    """The class of one field; `backend` where none is declared."""
    extra = record.model_fields[field].json_schema_extra
    declared = extra.get("class") if isinstance(extra, dict) else None
    return next((name for name in FIELD_CLASSES if name == declared), "backend")


def fields_of(record: type[BaseModel], classes: Iterable[FieldClass]) -> tuple[str, ...]:
    """The names of the fields of `record` whose class is among `classes`, in order of declaration."""
    allowed = set(classes)
    return tuple(name for name in record.model_fields if class_of(record, name) in allowed)


def plain(value: Any) -> Any:
    """`value` as JSON types: records become dicts, tuples lists; text is NFC, floats have at most 6 decimals, and those
    without any are integers."""
    if isinstance(value, str):
        return value if value.isascii() else unicodedata.normalize("NFC", value)
    if isinstance(value, dict):
        return {plain(key): one if type(one) is str and one.isascii() else plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [one if type(one) is str and one.isascii() else plain(one) for one in value]
    if isinstance(value, float):
        rounded = round(value, 6)
        return int(rounded) if rounded.is_integer() and abs(rounded) < _LARGEST else rounded
    return plain(value.model_dump(mode="json", by_alias=True)) if isinstance(value, BaseModel) else value


def canonical(value: Any) -> bytes:
    """RFC 8785 bytes of a record or of JSON types. Raises `rfc8785.CanonicalizationError` on NaN and huge integers.

    Python's own encoder writes nearly all records in a third of the time, to the same byte; rfc8785 writes the rest.
    """
    value = plain(value)
    try:
        data = _SORTED.encode(value).encode()
    except ValueError:
        return rfc8785.dumps(value)
    return rfc8785.dumps(value) if _odd(data) else data


def _odd(data: bytes) -> bool:
    """Whether JSON that Python wrote may differ from RFC 8785: in integers that it forbids, in floats that are very
    large or small, or in the order of keys. Text that only looks like that makes it true as well."""
    if len(data.translate(None, _BEYOND)) < len(data) or _LONG.search(data):
        return True
    return any(one in data for one in _NUMBERS) or data.endswith(b".0")


def sha256(data: bytes) -> str:
    """`sha256:<hex>` of some bytes."""
    return "sha256:" + hashlib.sha256(data).hexdigest()


def content_hash(value: Any) -> str:
    """`sha256:<hex>` of the canonical bytes of a value."""
    return sha256(canonical(value))


def digest(*parts: str | int) -> str:
    """Hex sha256 of the parts joined by 0x1F: the one way to seed a choice, an id or an order."""
    return hashlib.sha256(SEPARATOR.join(str(part) for part in parts).encode()).hexdigest()


def source_id(seed: int, source_hash: str) -> str:
    return "s" + digest(seed, source_hash)[:10]


def item_id(seed: int, slot_id: str) -> str:
    return "i" + digest(seed, slot_id)[:12]


def shown_order(seed: int, question_id: str, option_ids: Iterable[str]) -> tuple[str, ...]:
    """The order in which options are shown: sorted by digest(seed, question, option), whatever order they came in.

    Source: SCORING 13; one published vector. The Answer runs and the models under test use it alike.
    """
    return tuple(sorted(option_ids, key=lambda option: digest(seed, question_id, option)))


def seconds(value: float) -> float:
    """A time in seconds as it is stored: three decimals."""
    return round(value, 3)
