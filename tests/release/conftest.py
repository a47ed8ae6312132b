import shutil
from pathlib import Path

import pytest
from benchwright.release.freeze import freeze

from .build import content


@pytest.fixture(scope="session")
def frozen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sound release of five items, to be looked at only."""
    return freeze(content(), tmp_path_factory.mktemp("frozen") / "small-1.2.0")


@pytest.fixture
def release(frozen: Path, tmp_path: Path) -> Path:
    """A copy of it, to be tampered with."""
    return shutil.copytree(frozen, tmp_path / frozen.name)
