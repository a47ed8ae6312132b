"""`filter` on a project: what is asked, what is dropped, and what a build makes of it."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from benchwright.errors import UsageError
from benchwright.project import items
from benchwright.project.ablate import CODE, ablate
from benchwright.project.build import build
from benchwright.project.folder import Project
from benchwright.project.freeze import freeze
from benchwright.project.status import status

from .watched import right, watched

KNOWING, GUESSING = "scripted/knows.yaml", "scripted/guesses.yaml"
TARGETS = {"interaction_timing": 4}
"""Of single choice alone."""
GUESSES = {"benchwright_script": 1, "rules": [{"reply": {"answer": "A"}}]}
"""Always the same letter, under which another option stands each time."""


def knowing() -> dict[str, Any]:
    """A model that knows every right option by its words, clip or not."""
    rules = [
        {"contains": f"{letter}. {right(number)}", "reply": {"answer": letter}}
        for number in range(10)
        for letter in "ABCD"
    ]
    return {"benchwright_script": 1, "rules": rules, "default": "hash"}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = watched(tmp_path / "p", targets=TARGETS)
    build(made)
    for name, script in (("knows", knowing()), ("knows-too", knowing()), ("guesses", GUESSES)):
        (made.root / f"{name}.yaml").write_text(yaml.safe_dump(script), "utf-8")
    return made


def test_what_two_families_know_without_the_clip_is_dropped_but_for_the_quota(project: Project) -> None:
    found = ablate(project, [KNOWING, "scripted/knows-too.yaml"]).filters
    assert [one.verdict for one in found.items] == ["kept by quota", "dropped", "dropped", "dropped"]
    assert {one.tags for one in found.items} == {("words-suffice",)}
    assert {name.rpartition(" ")[2] for name in found.not_run} == {"single-image"}
    blind = next(one for one in found.accuracy if one.condition == "question-only")
    assert (blind.before, blind.n_before, blind.after, blind.n_after, blind.guessing) == (1.0, 4, 1.0, 1, 0.25)
    left = status(project)
    assert (left.accepted, left.open, left.reasons) == (1, 3, {CODE: 3})
    assert sum(one.outcome == "accepted" for one in items.listing(project)) == 1
    assert freeze(project, "1.0.0", unreviewed=True, day="2031-01-02").items == 1
    assert build(project).accepted > 1, "a build makes others in their place"


def test_a_model_that_only_guesses_drops_nothing_and_a_second_filter_asks_nothing(project: Project) -> None:
    found = ablate(project, [KNOWING, GUESSING]).filters
    assert {one.verdict for one in found.items} == {"kept"}
    asked = status(project).calls
    assert asked - 4 * 5 == 2 * 2 * 5 * 4, "without a film `full` shows what `transcript-only` does"
    assert ablate(project, [KNOWING, GUESSING]).filters == found
    assert status(project).calls == asked


@pytest.mark.parametrize("models", [[KNOWING], [KNOWING, KNOWING], ["openai/gpt-5", "azure/gpt-4o"]])
def test_two_families_are_needed(project: Project, models: list[str]) -> None:
    with pytest.raises(UsageError, match="two models of two families"):
        ablate(project, models)
