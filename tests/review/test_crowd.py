"""Five reviewers at once: no vote is lost, and what is made of the votes equals what the votes themselves say."""

import sqlite3
import threading
from collections import Counter
from itertools import combinations
from pathlib import Path
from random import Random

import pytest
from benchwright.review.desk import last_entries
from benchwright.review.modes import VERIFIED, decision
from benchwright.review.outcomes import outcomes
from benchwright.schemas.review import ReviewEntry
from benchwright.scoring.agreement import agreement
from benchwright.state.store import Store

from .world import EXPERTS, KEY, Served, fill, served

Cast = dict[tuple[str, str], tuple[str, dict[str, str]]]
"""What each reviewer said of each task: chosen option, marks."""


def review_all(site: Served, who: str, cast: Cast) -> None:
    """Answer and judge everything, as a seeded person would: mostly right, mostly approving."""
    person, rng, after = site.enter(who), Random(who), ""
    while (state := person.next("verification", after)) is not None:
        after = state["task"]
        chosen = KEY if rng.random() < 0.9 else "o1"
        marks = {one.name: "yes" if rng.random() < 0.97 else rng.choice(["no", "unsure"]) for one in VERIFIED}
        cast[who, after] = chosen, marks
        assert person.answer(state, [chosen]).status == 200
        assert person.save(state, marks=marks).status == 200
        assert person.save(state, "submit").json["stage"] == "done"


@pytest.mark.parametrize("items", [6, pytest.param(300, marks=pytest.mark.live)])
def test_five_reviewers_in_parallel(tmp_path: Path, items: int):
    path = tmp_path / "store.sqlite"
    facts, cast = fill(path, items), Cast()
    with served(path, facts, ("verification",)) as site:
        crowd = [threading.Thread(target=review_all, args=(site, who, cast)) for who in EXPERTS]
        for one in crowd:
            one.start()
        for one in crowd:
            one.join()
        subjects = {task.id: task.subject for task in site.desk.queue.tasks.values()}
    assert len(cast) == len(EXPERTS) * items
    with Store.read(path) as store:
        kept = {(one.entry.reviewer, one.entry.task): one.entry for one in last_entries(store).values()}
        found = outcomes(store, facts, 5).verdicts
    assert {key: (entry.work.ids[0], entry.work.marks) for key, entry in kept.items()} == cast
    assert {entry.stage for entry in kept.values()} == {"done"}
    assert Counter(verdict.state for verdict in found.values()) == by_hand(cast, subjects)
    assert raw_agreement(cast) == pytest.approx(of_scoring(kept, list(subjects)), abs=1e-12)
    revisions = sqlite3.connect(path).execute("SELECT count(*), max(round) FROM review_entry_reference").fetchone()
    assert revisions == (5 * len(cast), 5)


def by_hand(cast: Cast, subjects: dict[str, str]) -> Counter[str]:
    """States, from the votes alone: any no rejects, any unsure waits, two wrong answers of five are not the key."""
    states: Counter[str] = Counter()
    for task in subjects:
        own = [cast[who, task] for who in EXPERTS]
        marks = [mark for _, given in own for mark in given.values()]
        wrong = sum(chosen != KEY for chosen, _ in own)
        rejects = sum("no" in given.values() for _, given in own)
        approves = sum(set(given.values()) == {"yes"} for _, given in own)
        assert rejects + approves <= 5
        agreed = "not the key" if wrong > 1 else "approved"
        states["rejected" if "no" in marks else "waiting" if approves < 5 else agreed] += 1
    return states


def raw_agreement(cast: Cast) -> float:
    """Share of pairs of reviewers of the same task who chose the same option, averaged over tasks."""
    tasks = {task for _, task in cast}
    pairs = [[cast[a, task][0] == cast[b, task][0] for a, b in combinations(EXPERTS, 2)] for task in tasks]
    return sum(sum(own) / len(own) for own in pairs) / len(pairs)


def of_scoring(kept: dict[tuple[str, str], ReviewEntry], tasks: list[str]) -> float | None:
    return agreement([[kept[who, task].work.ids[0] for who in EXPERTS] for task in tasks]).raw.figure.value


def test_the_decisions_that_are_kept_follow_from_the_marks(tmp_path: Path):
    path = tmp_path / "store.sqlite"
    facts, cast = fill(path, 1), Cast()
    with served(path, facts, ("verification",)) as site:
        review_all(site, "e1", cast)
        (task,) = {task for _, task in cast}
    with Store.read(path) as store:
        (own,) = last_entries(store).values()
    marks = set(cast["e1", task][1].values())
    expected = "reject" if "no" in marks else "approve" if marks == {"yes"} else "abstain"
    assert decision(own.entry.work) == expected
