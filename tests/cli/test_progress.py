"""The live table: a line for each stage, what is told behind it, and room for no more lines than fit."""

import io

from benchwright.cli.progress import ROWS, live
from rich.console import Console


def shown(*steps: tuple[str, int, int | None]) -> str:
    """What stands on the screen after the last step."""
    console = Console(file=io.StringIO(), force_terminal=True, width=120, color_system=None)
    with live(console) as show:
        for step in steps:
            show(*step)
    return console.file.getvalue()  # type: ignore[attr-defined, no-any-return]


def test_every_run_has_a_line_before_it_begins() -> None:
    said = shown(("a/b  full", 0, 30), ("a/b  muted", 0, 30), ("a/b  full: 3 calls, 0.1 USD", 7, 30))
    frame = said[: said.rindex("7/30")].rpartition("a/b  full")[2] + said[said.rindex("7/30") :]
    assert "3 calls, 0.1 USD" in frame
    assert "a/b  muted" in frame
    assert "0/30" in frame
    assert "full: 3" not in said


def test_the_first_lines_leave_a_table_that_is_full() -> None:
    said = shown(*((f"stage {number:02}", 1, 2) for number in range(ROWS + 3)))
    frames = said.split("stage 18")
    assert "stage 02" not in frames[-1]
    assert "stage 05" in said


def test_a_stage_without_an_end_is_counted_all_the_same() -> None:
    assert "5/?" in shown(("exploring", 5, None))
