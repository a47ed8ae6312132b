from pathlib import Path

import pytest
from benchwright.release.freeze import freeze

from .build import content


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """A sound release of five items."""
    return freeze(content(), tmp_path / "small-1.2.0")
