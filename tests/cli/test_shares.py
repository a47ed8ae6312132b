"""What is wrong with recorded shares costs a line each, and the build goes on."""

import json
from pathlib import Path

import pytest

from ..project.conftest import STORY
from .conftest import Cli

HEAD = "benchwright_shares: 1\nsource: a poll\ndate: 2031-04\ndecisions:\n"
ENTRY = "  - counts: {Tell him.: 70, Say nothing.: 30}\n"
FLAWED = {
    "sound": (HEAD + ENTRY, []),
    "unmatched": (HEAD + ENTRY + "  - counts: {Run.: 3, Hide.: 9}\n", ["poll.yaml:6: no decision offers 'Hide.'"]),
    "malformed": (HEAD + "  - counts: {Run.: 3}\n" + ENTRY, ["poll.yaml:5: the file: a decision has two choices"]),
    "no source": (HEAD.replace("source", "sauce") + ENTRY, ["poll.yaml:2: unknown key 'sauce' (and 1 more)"]),
}


def project(cli: Cli, tmp_path: Path, written: str, **entry: str) -> Path:
    """A project with one story and a file of shares; no targets, so that a build only looks at its sources."""
    cli("init", "p")
    folder = tmp_path / "p"
    (folder / "key.story.yaml").write_text(STORY, encoding="utf-8")
    (folder / "poll.yaml").write_text(written, encoding="utf-8")
    listed = json.dumps([{"path": "key.story.yaml", "shares": "poll.yaml"} | entry])
    (folder / "benchwright.yaml").write_text(f"version: 1\nname: p\nsources: {listed}\n", encoding="utf-8")
    return folder


@pytest.mark.parametrize("name", FLAWED)
def test_a_build_names_what_it_cannot_use(cli: Cli, tmp_path: Path, name: str) -> None:
    shares, lines = FLAWED[name]
    folder = project(cli, tmp_path, shares)
    done = cli("build", "--json", folder=folder)
    assert done.code == (1 if lines else 0)
    assert len(json.loads(done.out).get("unshared", [])) == len(lines)
    assert all(line in done.err for line in lines)
    assert "Traceback" not in done.err


def test_a_missing_file_of_shares_is_named_and_the_story_is_used(cli: Cli, tmp_path: Path) -> None:
    folder = project(cli, tmp_path, "", shares="nowhere.yaml")
    done = cli("build", folder=folder)
    assert done.code == 1
    assert "nowhere.yaml: no such file or directory" in done.err
    assert "recorded shares that cannot be used: 1; the build went on without them" in done.err


def test_ingest_prints_the_signals_that_it_proposes(cli: Cli, tmp_path: Path) -> None:
    story = STORY.replace("start: workshop", "variables: {tobin_trust: 1}\nstart: workshop")
    story = story.replace("{text: Tell him., ", "{effects: [tobin_trust += 1], text: Tell him., ")
    cli("init", "p")
    (tmp_path / "p" / "key.story.yaml").write_text(story, encoding="utf-8")
    done = cli("ingest", "key.story.yaml", folder=tmp_path / "p")
    assert done.code == 0
    assert "signals proposed, as comments under `signals` in benchwright.yaml: 1" in done.out
    assert "trust of Tobin Ashe towards Mara" in done.out
    again = cli("ingest", "key.story.yaml", "--json", folder=tmp_path / "p")
    assert json.loads(again.out)["signals_proposed"] == {}, "proposed once, when the story comes in"
