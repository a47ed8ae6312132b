"""What a project's first commands say to whoever does not know it yet."""

import json
from pathlib import Path

from .conftest import Cli

STORY = """\
benchwright_story: 1
title: The Spare Key
protagonists: [Mara]
people: [{name: Tobin, aliases: [Tob]}]
start: shop
states:
  shop: {ending: quiet, lines: [{text: Nobody speaks.}]}
"""


def test_ingest_tells_what_stands_for_each_name(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "key.story.yaml").write_text(STORY, encoding="utf-8")
    cli("init", ".")
    told = [line.split(maxsplit=1) for line in cli("ingest", "key.story.yaml").out.splitlines()]
    assert told[-2:] == [["Alpha", "Tobin, Tob"], ["Beta", "Mara"]]
    result = json.loads(cli("ingest", "key.story.yaml", "--json").out)
    assert (result["names"], result["lexicon"]) == (2, {"Alpha": ["Tobin", "Tob"], "Beta": ["Mara"]})


def test_a_project_without_items_says_how_to_make_some(cli: Cli) -> None:
    cli("init", ".")
    assert "benchwright build" in cli("item", "show").out
    assert json.loads(cli("item", "show", "--json").out)["items"] == []


def test_a_refused_release_leaves_no_folder(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "key.story.yaml").write_text(STORY, encoding="utf-8")
    cli("init", ".")
    cli("ingest", "key.story.yaml", "--license", "CC0-1.0")
    assert cli("freeze", "1.0.0", "--unreviewed").code == 1
    assert not (tmp_path / "releases").exists()
