"""Canonical bytes: whatever way they are written, they are those of RFC 8785."""

import struct
from typing import Any

import pytest
import rfc8785
from benchwright.schemas.base import canonical, plain
from hypothesis import given, settings
from hypothesis import strategies as st

TEXT = st.text() | st.sampled_from(
    ["e-0", "1e+16", "0" * 16, "\u2028\x7f", '\x00\x1f"\\/', "\ufeff", "\U0001f600", "é"]
)
NUMBERS = (
    st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.floats(-1e-3, 1e-3)
    | st.sampled_from([0.0, -0.0, 1e-6, 9.9e-5, 1e-4, 1e15, 1e16, 1e21, 2.0**53, 123456789012345680.0, 5e-324])
)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=500)
@given(JSON)
def test_the_bytes_are_those_of_rfc8785(value: Any) -> None:
    assert canonical(value) == rfc8785.dumps(plain(value))


@settings(max_examples=300)
@given(st.integers(0, 2**64 - 1))
def test_any_float(bits: int) -> None:
    (value,) = struct.unpack(">d", bits.to_bytes(8))
    if value - value == 0:
        assert canonical([value]) == rfc8785.dumps([round(value, 6)])


KNOWN: dict[str, tuple[Any, str]] = {
    # RFC 8785, section 3.2.3 and appendix B.
    "numbers": ({"a": 1e21, "b": 333333333.5, "c": 4.5, "d": 2e-3, "e": 1e-6}, '{"a":1e+21,"b":333333333.5,"c":4.5,'),
    "keys": ({"\u20ac": 1, "\r": 2, "\uff01": 3, "1": 4, "\U0001f600": 5, "\x80": 6}, '{"\\r":2,"1":4,"\x80":6,"€":1,'),
    "keys beyond": ({"\uff01": 3, "\U0001f600": 5}, '{"\U0001f600":5,"\uff01":3}'),
    "whole floats": ({"z": 1.0, "a": -0.0, "m": (1, [])}, '{"a":0,"m":[1,[]],"z":1}'),
    "text": ("cafe\u0301 \x08\t\x1b\u2028", '"café \\b\\t\\u001b\u2028"'),
}


@pytest.mark.parametrize(("value", "text"), KNOWN.values(), ids=KNOWN.keys())
def test_known_bytes(value: Any, text: str) -> None:
    assert canonical(value).decode().startswith(text)


@pytest.mark.parametrize("value", [2**53, -(2**53), float("nan"), float("inf"), "\ud800", {"\udfff": 1}], ids=ascii)
def test_what_has_no_canonical_form(value: Any) -> None:
    with pytest.raises(ValueError):
        canonical(value)
