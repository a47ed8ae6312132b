"""Pages are read as trees."""

import pytest

from ..html import Page


@pytest.fixture
def read() -> type[Page]:
    return Page
