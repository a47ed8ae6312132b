"""`--help` must stay cheap: no command's work is imported before the command runs."""

import runpy
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
HEAVY = {"pydantic", "yaml", "rich", "sqlalchemy", "sqlmodel", "langgraph", "numpy", "networkx", "jinja2", "asyncio"}


def test_help_imports_no_work() -> None:
    script = "import sys; import benchwright.cli.main; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    assert not HEAVY & set(loaded)
    assert not [
        name
        for name in loaded
        if name.startswith("benchwright.") and not name.startswith(("benchwright.cli", "benchwright.errors"))
    ]


def test_help_costs_at_most_twice_typer() -> None:
    medians = runpy.run_path(str(ROOT / "bench" / "startup.py"))["measure"]()
    assert medians["benchwright --help"].cpu <= 2 * medians["import typer"].cpu
