"""A project with one small story."""

from pathlib import Path

import pytest
from benchwright.project import folder
from benchwright.project.folder import Project

STORY = """\
benchwright_story: 1
title: The Spare Key
license: CC0-1.0
protagonists: [Mara]
people:
  - {name: Tobin Ashe, aliases: [Tob], descriptor: the man with sawdust on his sleeves}
start: workshop
states:
  workshop:
    lines:
      - text: The till stands open, and Renfield leans on it.
      - text: Somewhere behind the wall Renfield is counting.
      - {speaker: Tobin Ashe, text: You counted it last.}
    choices:
      - {text: Tell him., to: end}
      - {text: Say nothing., to: end}
  end:
    lines: [{text: Nobody speaks until Renfield leaves.}]
    ending: quiet
"""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return folder.init(tmp_path / "project")


@pytest.fixture
def story(tmp_path: Path) -> Path:
    """A story outside the project's folder."""
    path = tmp_path / "key.story.yaml"
    path.write_text(STORY, encoding="utf-8")
    return path
