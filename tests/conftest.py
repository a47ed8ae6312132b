"""Makes the repository's root collectable although it is a package (see CONTRIBUTING.md)."""

from pathlib import Path

import pytest
from hypothesis import settings

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
