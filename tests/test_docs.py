"""What the documentation shows must work: stories open, settings load, links lead somewhere."""

import re
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from benchwright.cli.main import app
from benchwright.narrative.shares import read_shares
from benchwright.narrative.stories import open_story
from benchwright.project import config, itemfile

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(language: str, first: str) -> Iterator[tuple[str, str]]:
    """(page, text) of each fenced block of a language that begins with `first`."""
    for page in PAGES:
        for found in re.finditer(rf"^```{language}\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE):
            if found[1].startswith(first):
                yield page.name, found[1]


STORIES = list(blocks("yaml", "benchwright_story"))
SETTINGS = list(blocks("yaml", "version"))


def test_there_is_something_to_try() -> None:
    assert STORIES
    assert SETTINGS


@pytest.mark.parametrize(("page", "text"), STORIES)
def test_stories_open_without_a_warning(page: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / "story.yaml"
    path.write_text(text, encoding="utf-8")
    story = open_story(path)
    assert getattr(story, "warnings", ()) == ()
    runtime = story.runtime()
    step = runtime.start()
    while step.choices:
        step = runtime.choose(0)
    assert step.ending is not None


@pytest.mark.parametrize(("page", "text"), SETTINGS)
def test_settings_load(page: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / config.FILE_NAME
    path.write_text(text, encoding="utf-8")
    assert config.load(path).config.name


def test_recorded_shares_are_read(tmp_path: Path) -> None:
    found = list(blocks("yaml", "benchwright_shares"))
    assert found
    for _, text in found:
        path = tmp_path / "shares.yaml"
        path.write_text(text, encoding="utf-8")
        assert read_shares(path).problems == ()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_and_named_pages_exist(page: Path) -> None:
    text = page.read_text("utf-8")
    linked = [target for target in re.findall(r"\]\(([^)#:]+)\)", text) if target]
    assert [target for target in linked if not (page.parent / target).exists()] == []
    named = re.findall(r"`((?:docs|schemas|scripts|bench|tests|state|narrative|release)/[\w./-]+\.\w+)`", text)
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.mark.parametrize(("script", "page"), [("cli_docs.py", "cli.md"), ("config_docs.py", "configuration.md")])
def test_generated_pages_are_current(script: str, page: str) -> None:
    rendered = runpy.run_path(str(ROOT / "scripts" / script))["render"]()
    assert (ROOT / "docs" / page).read_text("utf-8") == rendered, f"run scripts/{script}"


def commands(command: Any, path: str = "") -> Iterator[str]:
    yield path
    for name, below in getattr(command, "commands", {}).items():
        yield from commands(below, f"{path} {name}".strip())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_that_are_shown_exist(page: Path) -> None:
    known = set(commands(typer.main.get_command(app)))
    first = {name.split()[0] for name in known if name}
    for words in re.findall(r"benchwright ((?:[a-z][a-z-]* ?)+)", "\n".join(code_of(page.read_text("utf-8")))):
        name = words.split()[0]
        assert name in first, f"benchwright {name}"
        if name in known and any(other.startswith(f"{name} ") for other in known):
            assert " ".join(words.split()[:2]) in known or len(words.split()) == 1, f"benchwright {words}"


def code_of(text: str) -> Iterator[str]:
    """Lines of code blocks, and code within the text."""
    for block in re.findall(r"^```\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        yield from (line for line in block.splitlines() if re.match(r"(\S*/)?benchwright ", line))
    yield from re.findall(r"`(benchwright [^`]*)`", text)


def test_items_load(tmp_path: Path) -> None:
    found = list(blocks("yaml", "source"))
    assert found
    for _, text in found:
        path = tmp_path / "item.yaml"
        path.write_text(text, encoding="utf-8")
        assert itemfile.read(path).item.answer
