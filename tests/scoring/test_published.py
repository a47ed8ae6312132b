"""Every worked number of the papers, from our functions."""

import math
from pathlib import Path
from typing import Any

import pytest

from .published import COMPUTED, METRICS, vectors

VECTORS = vectors()


def close(got: Any, expected: Any, near: float) -> bool:
    """Within `near`, entry by entry; None and truth values are the same or not."""
    if isinstance(expected, dict):
        return got.keys() == expected.keys() and all(close(got[name], own, near) for name, own in expected.items())
    if isinstance(expected, list):
        return len(got) == len(expected) and all(map(close, got, expected, [near] * len(got)))
    if expected is None or isinstance(expected, (bool, str)):
        return bool(got == expected)
    return math.isclose(got, expected, rel_tol=0, abs_tol=near + 1e-9)


@pytest.mark.parametrize("vector", VECTORS, ids=[f"{vector['id']}-{vector['metric']}" for vector in VECTORS])
def test_a_worked_number(vector: dict[str, Any]) -> None:
    expected = vector["computed"] if vector["id"] in COMPUTED else vector["expected"]
    got = METRICS[vector["metric"]](vector["inputs"])
    assert close(got, expected, vector["tol"]), f"{got} is not {expected}"
    if vector["kind"] == "derived":
        assert close(got, vector["computed"], 1e-9), f"{got} is not {vector['computed']}"


def test_all_of_them_are_there(shared: Path) -> None:
    assert len(VECTORS) == 116
    assert {vector["metric"] for vector in VECTORS} == set(METRICS)
