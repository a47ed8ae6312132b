"""Targets as cells of the taxonomy."""

from pathlib import Path

import pytest
from benchwright.errors import InputError
from benchwright.knowledge.loader import load_taxonomy
from benchwright.project import config
from benchwright.project.targets import cells
from hypothesis import given
from hypothesis import strategies as st

TAXONOMY = load_taxonomy()
FIRST, *OTHERS = TAXONOMY.interactions


def load(folder: Path, targets: str) -> config.ConfigFile:
    path = folder / config.FILE_NAME
    path.write_text(f"version: 1\nname: a\ntargets:\n{targets}", encoding="utf-8")
    return config.load(path)


@given(st.integers(0, 50))
def test_a_bare_number_is_spread_evenly(count: int) -> None:
    settings = config.Config(version=1, name="n", targets={"behavior_prediction": count})
    found = cells(config.ConfigFile(Path("x"), settings, lambda place: 1), TAXONOMY)
    numbers = [cell.target for cell in found]
    assert sum(numbers) == count
    assert numbers == sorted(numbers, reverse=True)
    assert max(numbers, default=0) - min(numbers, default=0) <= 1
    assert len(numbers) == min(count, len(TAXONOMY.interactions))


def test_numbers_by_interaction_are_taken_as_they_are(tmp_path: Path) -> None:
    found = cells(load(tmp_path, f"  behavior_prediction: {{{FIRST}: 3, {OTHERS[0]}: 0}}\n"), TAXONOMY)
    assert [(cell.coordinate.interaction, cell.target) for cell in found] == [(FIRST, 3)]


@pytest.mark.parametrize(
    ("targets", "line", "says"),
    [
        pytest.param("  mind_reading: 4\n", 4, "'mind_reading'; the taxonomy has behavior_prediction", id="capability"),
        pytest.param(
            f"  behavior_prediction:\n    {FIRST}: 1\n    war: 2\n", 6, "'war'; the taxonomy has", id="interaction"
        ),
    ],
)
def test_targets_outside_the_taxonomy(tmp_path: Path, targets: str, line: int, says: str) -> None:
    with pytest.raises(InputError, match=says) as caught:
        cells(load(tmp_path, targets), TAXONOMY)
    assert caught.value.place == line
