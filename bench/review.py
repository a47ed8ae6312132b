"""What the review page costs with a long queue: latency of every kind of request on loopback, at the 95th percentile.

    python bench/review.py [--items 10000] [--reviewers 5] [--rounds 200]

Makes a store of that many small items, serves it as `review serve` does in a process of its own, and lets one reviewer,
then all at once, open, save, lock and submit. Prints milliseconds by kind of request, what it took to start, and the
load of the machine, whose noise is in the figures.
"""

import argparse
import asyncio
import http.client
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from pathlib import Path
from statistics import quantiles
from typing import Any

from benchwright.project import folder
from benchwright.schemas.base import content_hash, item_id
from benchwright.schemas.clip import Clip, ClipRef, TranscriptLine
from benchwright.schemas.grounding import Event, Recipe, Trace
from benchwright.schemas.item import Coordinate, Item, Option, Reference, Slot
from benchwright.schemas.source import Source
from benchwright.schemas.view import Adjudication
from benchwright.state.store import NodeKey, Store, StoreEvent
from benchwright.state.tables import source_key

SEED = 7
HASH = "sha256:" + "0" * 64
Times = dict[str, list[float]]


def main() -> None:
    arguments = parse()
    reviewers = [f"e{number}" for number in range(arguments.reviewers)]
    with tempfile.TemporaryDirectory() as place:
        root = project(Path(place) / "project", arguments.items, reviewers)
        started = time.perf_counter()
        command = [
            sys.executable,
            "-m",
            "benchwright",
            "review",
            "serve",
            "--mode",
            "verification",
            "--port",
            "0",
            "--json",
        ]
        server = subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            links = json.loads(server.stdout.readline())["links"]
            print(
                f"{arguments.items} items, {len(reviewers)} reviewers; ready in {time.perf_counter() - started:.1f} s"
            )
            print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
            sessions = {who: Session(links[who]) for who in reviewers}
            report("one reviewer", [sessions[reviewers[0]].work(arguments.rounds)])
            report("all at once", together(list(sessions.values()), arguments.rounds))
        finally:
            server.terminate()
            server.wait()


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure the review page with a long queue.")
    parser.add_argument("--items", type=int, default=10_000)
    parser.add_argument("--reviewers", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=200, help="Items that each reviewer verifies.")
    return parser.parse_args()


class Session:
    """One reviewer's browser."""

    def __init__(self, link: str) -> None:
        address, _, path = link.removeprefix("http://").partition("/")
        self._host = address
        self._connection = http.client.HTTPConnection(address, timeout=60)
        self._cookie = ""
        self.times: Times = defaultdict(list)
        self._connection.request("GET", f"/{path}", headers={"Host": address})
        answer = self._connection.getresponse()
        answer.read()
        self._cookie = (answer.getheader("set-cookie") or "").partition(";")[0]

    def ask(self, kind: str, path: str, body: dict[str, Any] | None = None) -> Any:
        headers = {"Host": self._host, "Origin": f"http://{self._host}", "Cookie": self._cookie}
        headers |= {"Content-Type": "application/json"} if body is not None else {}
        before = time.perf_counter()
        self._connection.request(
            "POST" if body is not None else "GET", path, json.dumps(body) if body else None, headers
        )
        answer = self._connection.getresponse()
        read = answer.read()
        self.times[kind].append(1000 * (time.perf_counter() - before))
        if answer.status != 200:
            raise SystemExit(f"{path}: {answer.status} {read!r}")
        return json.loads(read) if path.startswith("/api") else read

    def work(self, rounds: int) -> Times:
        """Verify so many items, each by eight requests, as the page makes them."""
        self.times.clear()
        for _ in range(rounds):
            self.ask("page", "/")
            self.ask("overview", "/api/me")
            state = self.ask("next", "/api/next", {"mode": "verification"})
            answered = {"said": "answer", "ids": state["shown"][:1], "confidence": 2}
            state |= self._save(state, "save", answered)
            state |= self._save(state, "lock", answered)
            marks = {one["name"]: "yes" for one in state["criteria"]}
            state |= self._save(state, "save", answered | {"marks": marks})
            self._save(state, "submit", answered | {"marks": marks})
            self.ask("task", f"/api/task/{state['task']}")
        return self.times

    def _save(self, state: dict[str, Any], action: str, work: dict[str, Any]) -> Any:
        sent = {"revision": state["revision"], "action": action, "work": work, "seconds": 9.0, "watched": 1.0}
        return self.ask(action, f"/api/task/{state['task']}", sent)


def together(sessions: list[Session], rounds: int) -> list[Times]:
    crowd = [threading.Thread(target=session.work, args=(rounds,)) for session in sessions]
    for one in crowd:
        one.start()
    for one in crowd:
        one.join()
    return [session.times for session in sessions]


def report(name: str, found: list[Times]) -> None:
    kinds = sorted({kind for times in found for kind in times})
    for kind in [*kinds, "all"]:
        own = [time for times in found for one, spent in times.items() if kind in (one, "all") for time in spent]
        ends = quantiles(own, n=100)
        told = f"median {ends[49]:6.1f} ms  p95 {ends[94]:6.1f} ms  p99 {ends[98]:6.1f} ms"
        print(f"{name:12} {kind:8} n {len(own):6}  {told}")


def project(root: Path, items: int, reviewers: list[str]) -> Path:
    """A project whose store holds so many accepted items of one source."""
    folder.init(root)
    settings = f"review: {{approvals: {len(reviewers)}, experts: [{', '.join(reviewers)}], planted: 0.01}}"
    text = f"version: 1\nname: bench\nseed: {SEED}\nsources: [{{path: story.ink.json}}]\n{settings}\n"
    (root / "benchwright.yaml").write_text(text, encoding="utf-8")
    (root / ".benchwright").mkdir()
    with Store.open(root / ".benchwright" / "store.sqlite", seed=SEED) as store:
        asyncio.run(fill(store, items))
    return root


async def fill(store: Store, items: int) -> None:
    source = Source(source_id="s0", kind="story", sha256=HASH, path="story.ink.json")
    await store.put(source_key("s0"), source)
    for start in range(0, items, 500):
        made = (one(store, number) for number in range(start, min(start + 500, items)))
        await asyncio.gather(*made)


async def one(store: Store, number: int) -> None:
    """An item of thirty lines and six options."""
    slot = f"s0/counterfactual_reasoning/conflict/{number}"
    identity, names = item_id(SEED, slot), [f"o{n}" for n in range(1, 7)]
    ref = ClipRef(media=f"media/c{number}.json", start=0, end=30, unit="lines")
    lines = tuple(TranscriptLine(text=f"Alpha looks at Beta for the {n}th time on day {number}.") for n in range(30))
    public = {
        "item_id": identity, "capability": "counterfactual_reasoning", "interaction": "conflict", "clip": ref,
        "background": "Alpha keeps the mill, and Beta the books. " * 12, "question": f"What if, on day {number}?",
        "options": tuple(Option(id=name, text=f"Beta does thing {name} on day {number}, at length.") for name in names),
    }  # fmt: skip
    events = {name: Event(kind="line", match=(name,)) for name in names}
    recipe = Recipe(claim="counterfactual", story_sha256=HASH, play=(0,), taken=0, others=(1,), window=2, events=events)
    item = Item(**public, public_hash=content_hash(public), recipe=recipe, answer=("o2",), traps={}, rationale="")
    reference = Reference(
        answer=("o2",), answer_text="x", traps={}, tier="B", status="answerable", episode=f"e{number}", story="s0",
        item_hash=content_hash([number]),
    )  # fmt: skip
    clip = Clip(clip_id=f"c{number}", source_id="s0", ref=ref, background="", transcript=lines)
    where = Coordinate(capability="counterfactual_reasoning", interaction="conflict")
    known = Slot(slot_id=slot, number=number, source_id="s0", coordinate=where, ordinal=number)
    label, trace = Adjudication(true=("o2",), proof="proved"), Trace(claims=(), tier="B")
    await store.put(
        NodeKey(slot, "all", 0), known, trace, clip, item, label, reference, event=StoreEvent("accepted", {"code": ""})
    )


if __name__ == "__main__":
    main()
