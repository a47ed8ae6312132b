"""Makes the repository's root collectable although it is a package (see CONTRIBUTING.md)."""

import shutil
from pathlib import Path

import pytest
from benchwright.project import folder
from benchwright.project.build import build
from benchwright.project.folder import Project
from hypothesis import settings

from .tale import begin

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"

# A busy machine is slow now and then: that is no property of the code.
settings.register_profile("no-deadline", deadline=None)
settings.load_profile("no-deadline")


class RootIsNoPackage:
    """Without it pytest imports the root's `__init__.py` a second time, under the checkout's folder name."""

    def pytest_collect_directory(self, path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        return pytest.Dir.from_parent(parent, path=path) if path == ROOT else None


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(RootIsNoPackage())


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real inputs beside the checkout; tests that need it skip where it is missing."""
    if not SHARED.is_dir():
        pytest.skip("../shared is not here")
    return SHARED


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project whose build is done, by one worker. Not to be changed: `built` is a copy."""
    project = begin(tmp_path_factory.mktemp("built") / "w", 1)
    build(project)
    return project


@pytest.fixture
def built(finished: Project, tmp_path: Path) -> Project:
    """A project of one's own whose build is done."""
    shutil.copytree(finished.root.parent, tmp_path / "w")
    return folder.find(tmp_path / "w" / "project")
