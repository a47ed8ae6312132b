"""A new folder or data file must reach the wheel: what lies in the tree against what `pyproject.toml` lists."""

import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
SETUPTOOLS = SETTINGS["tool"]["setuptools"]
PACKAGES = {name: ROOT.joinpath(*name.split(".")[1:]) for name in SETUPTOOLS["packages"]}
OUTSIDE = {"tests", "scripts", "docs", "bench", "build", "dist"}


def test_every_folder_with_an_init_is_listed() -> None:
    inner = {path.parent.relative_to(ROOT).parts for path in ROOT.glob("[!.]*/**/__init__.py")}
    found = {".".join(("benchwright", *parts)) for parts in inner if parts[0] not in OUTSIDE}
    assert found | {"benchwright"} == set(PACKAGES)


def test_no_module_lies_outside_the_listed_packages() -> None:
    modules = {path.parent for path in ROOT.glob("[!.]*/**/*.py") if path.relative_to(ROOT).parts[0] not in OUTSIDE}
    assert modules <= set(PACKAGES.values())


@pytest.mark.parametrize("package", SETUPTOOLS["package-data"])
def test_every_data_pattern_finds_files(package: str) -> None:
    for pattern in SETUPTOOLS["package-data"][package]:
        assert any(path.is_file() for path in PACKAGES[package].glob(pattern)), f"{package}: {pattern} finds nothing"


def test_every_data_file_is_covered_by_a_pattern() -> None:
    patterns = SETUPTOOLS["package-data"]
    covered = {path for name in patterns for pattern in patterns[name] for path in PACKAGES[name].glob(pattern)}
    folders = [folder for folder in PACKAGES.values() if folder != ROOT]
    files = {path for folder in folders for path in folder.rglob("*") if path.is_file() and path.suffix != ".py"}
    assert {path for path in files if "__pycache__" not in path.parts} <= covered


def test_the_root_module_holds_only_a_docstring() -> None:
    assert (ROOT / "__init__.py").read_text("utf-8").count("\n") == 1
