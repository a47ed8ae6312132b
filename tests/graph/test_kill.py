"""SIGKILL around a commit, and the same command again: the rows, the release and the settled calls of a whole build."""

import json
import os
import random
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple

import pytest
from benchwright.project import folder
from benchwright.project.build import build
from benchwright.project.folder import Project
from benchwright.schemas.call import CallRow
from benchwright.state.ledger import StoreLedger
from benchwright.state.store import Store

from .hut import WRONG, answers, assert_same, files, frozen, hut, rows

WORKERS = 4
RUNS = 3
KINDS = (
    *("call unknown", "template", "slot", "director", "tracker", "generator", "question", "anonymise"),
    *("adjudicator", "call reserved", "call settled", "call spoilt", "answer", "critic", "decision"),
)
"""Every kind of commit of this build, in which a model answers and no gate refuses anything."""
FEW = {"counterfactual_reasoning": 3, "behavior_prediction": 3}
UNSURE = '{"status": "ambiguous", "answer": null}'
MOODS = {0: {0: UNSURE, 1: UNSURE}, 1: {2: "No."}, 2: {0: WRONG, 1: WRONG}}
RANDOM = range(20)


class Killed(NamedTuple):
    project: Project
    signal: int
    in_flight: int
    """Calls whose fate was unknown when the build was killed."""
    again: int
    """Exit code of the second build."""


@pytest.fixture(scope="module")
def prepared(built: Project, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Ready to be built by a model; the story is explored already."""
    project = hut(tmp_path_factory.mktemp("kill") / "p", script=answers(built, MOODS), targets=FEW, concurrency=WORKERS)
    shutil.copytree(built.cache, project.cache, dirs_exist_ok=True)
    return project


def copied(project: Project, place: Path) -> Project:
    shutil.copytree(project.root, place)
    return folder.find(place)


class Whole(NamedTuple):
    rows: dict[str, object]
    release: dict[str, bytes]
    commits: Counter[str]
    """How many commits hold work of each kind; "" all of them."""


@pytest.fixture(scope="module")
def whole(prepared: Project, tmp_path_factory: pytest.TempPathFactory) -> Whole:
    """A build that nobody killed."""
    project = copied(prepared, tmp_path_factory.mktemp("whole") / "p")
    commits: Counter[str] = Counter()
    build(project, on_commit=lambda kinds, when: commits.update([*kinds, ""] if when == "before" else []))
    return Whole(rows(project), frozen(project), commits)


CASES = [*product(KINDS, ("before", "after")), *((number, "after" if number % 2 else "before") for number in RANDOM)]


@pytest.fixture(scope="module")
def killed(
    prepared: Project, whole: Whole, tmp_path_factory: pytest.TempPathFactory
) -> dict[tuple[object, str], Killed]:
    """Every case, killed and built again."""
    if not hasattr(os, "fork"):
        pytest.skip("needs fork and SIGKILL")
    place, chance = tmp_path_factory.mktemp("killed"), random.Random(9)
    cases = []
    for number, (which, when) in enumerate(CASES):
        project = copied(prepared, place / f"p{number}")
        drawn = 2 + int(chance.random() * (whole.commits[""] - 2))
        kind, commit = (which, None) if isinstance(which, str) else (None, drawn)
        cases.append({"place": number, "project": str(project.root), "kind": kind, "number": commit, "when": when})
    (place / "cases.json").write_text(json.dumps(cases))
    script = Path(__file__).with_name("killer.py")
    done = subprocess.run([sys.executable, script, place / "cases.json"], capture_output=True, text=True, check=False)
    told = {int(line.split()[0]): [int(word) for word in line.split()[1:]] for line in done.stdout.splitlines()}
    assert sorted(told) == list(range(len(CASES))), done.stderr
    return {case: Killed(folder.find(place / f"p{number}"), *told[number]) for number, case in enumerate(CASES)}


def test_these_are_all_the_kinds_of_commits(whole: Whole) -> None:
    assert set(whole.commits) - {""} == set(KINDS)


def calls(project: Project) -> Iterator[CallRow]:
    with Store.open(project.store) as store:
        yield from StoreLedger(store).calls()


@pytest.mark.parametrize(("which", "when"), CASES)
def test_killed_and_built_again(
    killed: dict[tuple[object, str], Killed], whole: Whole, which: str | int, when: str
) -> None:
    case = killed[which, when]
    assert (case.signal, case.again) == (9, 0)
    lost = Counter((row.request_sha256, row.sample) for row in calls(case.project) if row.status == "unknown")
    assert lost.total() == case.in_flight <= WORKERS * RUNS
    assert set(lost.values()) <= {1}
    assert_same(rows(case.project), whole.rows)
    (release,) = case.project.releases.iterdir()
    assert_same(files(release), whole.release)


def test_a_call_that_was_never_reserved_is_not_lost(killed: dict[tuple[object, str], Killed]) -> None:
    assert killed["template", "after"].in_flight == 0
    assert killed["call settled", "before"].in_flight > 0
