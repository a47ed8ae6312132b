"""The words and the people of the rules policy."""

import pytest
from benchwright.agents.phrases import Cast
from benchwright.knowledge.loader import Language, Questions, load_language, load_questions
from benchwright.schemas.story import Entity

from ..narrative.conftest import graph_story, random_stories

__all__ = ["graph_story", "random_stories"]

PEOPLE = (
    Entity(names=("Ilse Brandt", "Ilse", "Mrs Brandt")),
    Entity(names=("Ivo",)),
    Entity(names=("Art",)),
    Entity(names=("José",)),
    Entity(names=("Oslo",), kind="place"),
)


@pytest.fixture(scope="session")
def language() -> Language:
    return load_language()


@pytest.fixture(scope="session")
def questions() -> Questions:
    return load_questions()


@pytest.fixture(scope="session")
def cast(language: Language) -> Cast:
    """Ilse Brandt (also Ilse, Mrs Brandt), Ivo, Art and José; Oslo is a place."""
    return Cast(PEOPLE, language)
