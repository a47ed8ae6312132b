"""The small project, built once by rules."""

import pytest
from benchwright.project.build import build
from benchwright.project.folder import Project

from .hut import frozen, hut


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Built by rules with one worker. Read-only by agreement."""
    project = hut(tmp_path_factory.mktemp("hut") / "one", concurrency=1)
    build(project)
    return project


@pytest.fixture(scope="session")
def released(built: Project) -> dict[str, bytes]:
    """The files of its release."""
    return frozen(built)
