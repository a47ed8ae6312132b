"""The import contracts of `pyproject.toml` hold, and each of them fails when somebody breaks it."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CONTRACTS = {
    contract["id"]: contract["name"]
    for contract in tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
}

PLANTED = [
    ("layers", "state", "from ..project import folder"),
    ("layers", "scoring", "from ..narrative import runtime"),
    ("layers", "schemas", "from ..state import store"),
    ("no-database", "agents", "import sqlite3"),
    ("no-database", "prompts", "import sqlmodel"),
    ("no-database", "llm", "import sqlalchemy"),
    ("no-database", "evaluation", "from .. import state"),
    ("no-database", "checks", "import sqlalchemy.orm"),
    ("oracle-apart", "narrative/oracle.py", "from . import analysis"),
    ("oracle-apart", "narrative/analysis.py", "from . import oracle"),
    ("configuration", "graph", "from ..project import config"),
    ("configuration", "cli", "from ..project.config import Config"),
    ("cli-thin", "cli", "from ..state import store"),
    ("release-apart", "release", "from ..agents import critic"),
    ("evaluation-outside", "evaluation", "from ..narrative import runtime"),
    ("checks-below", "checks", "from ..llm import client"),
    ("agents-below", "agents", "from ..checks import gates"),
    ("audit-below", "audit", "from ..agents import critic"),
    ("layers", "pages", "from ..scoring import score"),
    ("review-below", "review", "from ..narrative import runtime"),
]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package's sources, where a violation can be planted."""
    base = tmp_path_factory.mktemp("contracts")
    package = base / "benchwright"
    rooms = [path.parent for path in ROOT.glob("*/__init__.py")]
    for room in rooms:
        shutil.copytree(room, package / room.name, ignore=shutil.ignore_patterns("__pycache__", "*.json", "*.yaml"))
    for module in ROOT.glob("*.py"):
        shutil.copy(module, package)
    shutil.copy(ROOT / "pyproject.toml", base)
    return base


def lint(base: Path, *arguments: str) -> tuple[int, str]:
    """Run import-linter on the package below `base`, which comes before any installed one."""
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()"]
    environment = os.environ | {"PYTHONPATH": str(base), "COLUMNS": "200"}
    done = subprocess.run(
        [*command, *arguments], cwd=base, env=environment, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


def test_every_contract_holds(copy: Path) -> None:
    code, output = lint(copy)
    assert code == 0, output
    assert f"Contracts: {len(CONTRACTS)} kept, 0 broken" in output


@pytest.mark.parametrize(("contract", "place", "line"), PLANTED)
def test_a_planted_violation_fails(copy: Path, contract: str, place: str, line: str) -> None:
    path = copy / "benchwright" / (place if place.endswith(".py") else f"{place}/planted.py")
    before = path.read_text("utf-8") if path.exists() else None
    path.write_text((before or "") + f"\n{line}\n", encoding="utf-8")
    try:
        code, output = lint(copy, "--contract", contract)
    finally:
        path.unlink() if before is None else path.write_text(before, encoding="utf-8")
    assert code == 1, output
    assert f"{CONTRACTS[contract]} BROKEN" in output


def test_every_contract_is_tried() -> None:
    assert {contract for contract, _, _ in PLANTED} == set(CONTRACTS)
