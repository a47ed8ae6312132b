"""Alarms on items: planted faults raise theirs, and only with enough models are they more than hints."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from benchwright.scoring.alarms import alarms
from benchwright.scoring.itemanalysis import Asked, analyse

FINDINGS = Path(__file__).resolve().parents[2] / "docs" / "findings.md"
OPTIONS = ("o1", "o2", "o3")


def asked(item: str, chosen: str) -> Asked:
    """One digit a model: the option that it chose; 0 where it chose none."""
    picks = tuple(frozenset({f"o{digit}"}) if digit != "0" else frozenset[str]() for digit in chosen)
    return Asked(item, frozenset({"o1"}), OPTIONS, picks)


def codes(items: dict[str, str], blind: Mapping[str, tuple[float, ...]] | None = None) -> dict[tuple[str, str], str]:
    """(item, code) → severity."""
    found = alarms(analyse([asked(item, chosen) for item, chosen in items.items()]), blind or {})
    return {(one.place, one.code): one.severity for one in found}


# Six models, the first the weakest. Each sound item is right for the three that are able, and each foil is taken.
SOUND = {f"s{number}": "232111" for number in range(4)}


def test_sound_items_raise_nothing() -> None:
    assert codes(SOUND, {"s0": (1, 0, 1, 1, 1, 1)}) == {}


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ("111323", {"discrimination-negative", "key-doubted"}),
        ("222111", {"foil-unused"}),
        ("000111", {"foil-unused"}),
        ("132132", set()),
    ],
    ids=["the able choose foils", "nobody chooses o3", "nobody chooses a foil", "unrelated"],
)
def test_a_planted_fault_is_found(chosen: str, expected: set[str]) -> None:
    found = codes({**SOUND, "x": chosen})
    assert {code for item, code in found if item == "x"} >= expected
    assert expected or not found
    assert set(found.values()) <= {"warning"}


def test_an_item_that_needs_no_clip() -> None:
    everyone = {"s0": (1.0,) * 6, "s1": (1.0,) * 5 + (0.0,)}
    assert codes(SOUND, everyone) == {("s0", "right-without-clip"): "warning"}
    assert codes({"s0": "1"}, {"s0": (1.0,)}).keys() == {("s0", "foil-unused")}


def test_with_enough_models_faults_are_errors() -> None:
    """Thirty models: six times the five sound ones; a dead foil stays a warning."""
    many = {item: chosen * 5 for item, chosen in SOUND.items()}
    found = codes({**many, "x": "222333" * 5, "y": "222111" * 5, "z": "111323" * 5})
    assert found[("z", "key-doubted")] == "error"
    assert found[("z", "discrimination-negative")] == "error"
    assert found[("y", "foil-unused")] == "warning"


def test_a_doubted_key_names_the_options_that_are_chosen() -> None:
    """The three able models, who are right on every sound item, choose o3, o2, o3."""
    found = alarms(analyse([asked(item, chosen) for item, chosen in {**SOUND, "x": "111323"}.items()]), {})
    (doubted,) = [one for one in found if one.code == "key-doubted"]
    assert doubted.message == "of the strongest third of models, more choose o2 (33 %), o3 (67 %) than the key"


def test_every_code_is_explained() -> None:
    found = {code for _, code in codes({**SOUND, "x": "111323", "y": "222111"}, {"s0": (1.0,) * 6})}
    assert found == {"discrimination-negative", "key-doubted", "foil-unused", "right-without-clip"}
    rows = re.findall(r"^\| `([a-z-]+)` \|", FINDINGS.read_text("utf-8"), re.MULTILINE)
    assert all(rows.count(code) == 1 for code in found)
