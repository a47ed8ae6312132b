"""What reaches somebody who has not locked an answer: the public side, and no byte that depends on anything else."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from benchwright.review.app import ASSETS

from .world import Person, Served, fill, served

SECRET = " SECRET"
HIDDEN = ("Ivo", "Marta", "harbour", "real line", "because", "conflict/", "sha256", "answer_text", "rationale", "trap")
"""What the backend, the proposal and the reference hold besides the mark."""


def walk(site: Served) -> list[bytes]:
    """Everything that a blind reviewer can be sent; the session itself is left out."""
    person = site.enter("p1")
    first = len(person.seen)
    for path in ("/", *ASSETS, "/page.css", "/api/me", "/nowhere", "/api/task/t0", "/media/m0"):
        person.ask("GET", path)
    for mode in ("baseline", "overlap", "annotation"):
        state, after = person.next(mode), ""
        while state is not None and state["task"] != after:
            after = state["task"]
            _use(person, state)
            state = person.next(mode, after)
    expert = site.enter("e1")
    state = expert.next("verification")
    _use(expert, state, lock=False)
    for mode in ("verification", "overlap", "nonsense"):
        person.post("/api/next", mode=mode)
    return [*person.seen[first:], *expert.seen]


def _use(person: Person, state: dict[str, Any], lock: bool = True) -> None:
    """Every kind of answer that a page gets before the lock: saved, undone, refused, in conflict; and locked."""
    person.save(state, said="answer", ids=state["shown"][:1], confidence=1)
    person.save(state, "undo")
    person.save(dict(state, revision=0), note="late")
    person.save(dict(state), ids=["o9"])
    person.save(dict(state), "submit")
    person.ask("GET", f"/api/task/{state['task']}")
    person.ask("GET", f"/api/task/{state['task']}/item")
    if lock:
        person.answer(state, state["shown"][:1], steps=[{"text": "x", "tags": []}] if state["steps"] else [])


@pytest.fixture(scope="module")
def walks(tmp_path_factory: pytest.TempPathFactory) -> list[list[bytes]]:
    """The same walk over two projects that differ in every secret."""
    found = []
    for mark in (SECRET, " OTHERS"):
        folder = tmp_path_factory.mktemp("blind")
        (folder / "clip.mp4").write_bytes(b"0" * 100)
        facts = fill(folder / "store.sqlite", 4, mark, "sv")
        with served(folder / "store.sqlite", facts, video=folder / "clip.mp4") as site:
            found.append(walk(site))
    return found


def test_there_is_much_to_search(walks: list[list[bytes]]):
    assert len(walks[0]) > 100
    assert sum(map(len, walks[0])) > 100_000
    assert any(b"What would have followed on day 3?" in body for body in walks[0])
    assert any(re.search(rb'"media":"m[0-9a-f]{24}"', body) for body in walks[0])


def test_no_byte_of_any_answer_is_secret(walks: list[list[bytes]]):
    told = [body for body in walks[0] if b"text/" not in body[:400] and b"svg" not in body[:400]]
    assert len(told) > 80
    for body in told:
        for hidden in (SECRET.strip(), *HIDDEN):
            assert hidden.encode() not in body, f"{hidden!r} in {body[:200]!r}"


def test_other_secrets_give_the_same_bytes(walks: list[list[bytes]]):
    assert len(walks[0]) == len(walks[1])
    for first, second in zip(*map(comparable, walks), strict=True):
        assert first == second


def comparable(bodies: list[bytes]) -> list[bytes]:
    """Without the port and the cookie, which are new in every session."""
    return [re.sub(rb"benchwright_review=[\w-]+", b"", re.sub(rb"127\.0\.0\.1:\d+", b"", body)) for body in bodies]


def test_what_a_blind_page_is_sent_is_listed(tmp_path: Path):
    facts = fill(tmp_path / "store.sqlite", 1, SECRET)
    with served(tmp_path / "store.sqlite", facts) as site:
        state = site.enter("e1").next("verification")
    assert set(state) == {
        "task", "mode", "title", "help", "answer", "steps", "item_hash", "shown", "public", "criteria", "behind",
        "revision", "stage", "work", "undo", "seconds", "watched",
    }  # fmt: skip
    assert (state["item_hash"], state["behind"]) == ("", None)
    scene = {"background", "lines", "history", "media"}
    assert set(state["public"]) == scene | {"question", "options", "format", "capability"}
    assert {key for option in state["public"]["options"] for key in option} == {"id", "text"}


def test_after_the_lock_an_expert_sees_what_stands_behind(tmp_path: Path):
    """The search would find it: what is missing before the lock is there after it."""
    facts = fill(tmp_path / "store.sqlite", 1, SECRET)
    with served(tmp_path / "store.sqlite", facts) as site:
        expert = site.enter("e1")
        state = expert.next("verification")
        assert SECRET not in json.dumps(state)
        expert.answer(state)
        assert SECRET in json.dumps(state["behind"])
