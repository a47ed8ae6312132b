"""SIGKILL of the server while pages save: everything that was acknowledged is there. This file is also the server."""

import http.client
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from random import Random

import pytest
from benchwright.review.desk import last_entries
from benchwright.schemas.review import ReviewEntry
from benchwright.state.store import Store

from .world import EXPERTS, Person, fill, served

ITEMS = 4
CALL = "from tests.review.test_kill import main; from pathlib import Path; main(Path({!r}))"
Acknowledged = dict[tuple[str, str, int], str]
"""Every note that the server said it has, by person, task and revision."""


def main(path: Path) -> None:
    """Serve until killed; prints port and tokens."""
    from .world import _facts, slots

    with served(path, [_facts(name, "") for name in slots(ITEMS)], ("verification",)) as site:
        print(json.dumps({"port": site.port, "tokens": site.tokens}), flush=True)
        time.sleep(600)


def save_on(person: Person, who: str, acknowledged: Acknowledged, stop: threading.Event) -> None:
    """Save as fast as the server answers, and write down what it said it has."""
    try:
        state = person.next("verification")
        number = state["revision"]
        while not stop.is_set():
            number += 1
            note = f"{who} {number} {os.urandom(4).hex()}"
            if person.save(state, note=note).status == 200:
                acknowledged[who, state["task"], state["revision"]] = note
    except (http.client.HTTPException, OSError, ValueError):
        return


def kill_once(path: Path, wait: float) -> Acknowledged:
    """Start a server, let five people save, kill it `wait` seconds after the first save; what was acknowledged."""
    command = [sys.executable, "-c", CALL.format(str(path))]
    root = Path(__file__).resolve().parent.parent.parent
    server = subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True)
    acknowledged = Acknowledged()
    stop, people = threading.Event(), []
    try:
        assert server.stdout is not None
        told = json.loads(server.stdout.readline())
        people = [Person(told["port"], told["tokens"][who]) for who in EXPERTS]
        crowd = [threading.Thread(target=save_on, args=(one, who, acknowledged, stop))
                 for one, who in zip(people, EXPERTS, strict=True)]  # fmt: skip
        for one in crowd:
            one.start()
        late = time.monotonic() + 60
        while not acknowledged and time.monotonic() < late:
            time.sleep(0.01)
        time.sleep(wait)
    finally:
        server.send_signal(signal.SIGKILL)
        server.wait()
        stop.set()
        if server.stdout is not None:
            server.stdout.close()
    for one in crowd:
        one.join()
    for person in people:
        person.close()
    return acknowledged


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
@pytest.mark.parametrize("times", [1, pytest.param(50, marks=pytest.mark.live)])
def test_what_was_acknowledged_is_there(tmp_path: Path, times: int):
    path, rng, saves = tmp_path / "store.sqlite", Random(7), 0
    fill(path, ITEMS)
    for _ in range(times):
        acknowledged = kill_once(path, rng.random() * 0.5)
        assert acknowledged
        with Store.read(path) as store:
            kept = {(entry.reviewer, entry.task, key.round): entry.work.note for key, entry in store.all(ReviewEntry)}
            last = {(place.person, place.task): saved for place, saved in last_entries(store).items()}
        assert acknowledged.items() <= kept.items()
        for who, task, revision in acknowledged:
            assert last[who, task].revision >= revision
        saves += len(acknowledged)
    print(f"{times} kills; {saves} saves acknowledged before them, all there")
