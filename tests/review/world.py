"""A review of made-up items, served on loopback as it is in earnest, and people who use it over HTTP."""

import asyncio
import http.client
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from benchwright.review.app import Changes, Site
from benchwright.review.content import Content, Items, Screened
from benchwright.review.desk import Desk
from benchwright.review.disputes import Adjudicated, Disputes, verification
from benchwright.review.media import Clips, Cut
from benchwright.review.outcomes import Facts
from benchwright.review.queue import Campaign, Queue, Task, task_id
from benchwright.review.security import Sessions
from benchwright.review.server import listen, server_of
from benchwright.schemas.base import content_hash
from benchwright.schemas.clip import Clip, ClipRef, TranscriptLine, VideoSpan
from benchwright.schemas.item import Item, Reference
from benchwright.schemas.review import Mode
from benchwright.state.store import NodeKey, Store, StoreEvent

from ..state.conftest import SEED, project, slot

EXPERTS = ("e1", "e2", "e3", "e4", "e5")
PEOPLE = ("p1", "p2", "p3")
KEY = "o2"
"""Of every item."""


def slots(count: int) -> list[str]:
    return [f"s/counterfactual/conflict/{number}" for number in range(count)]


def fill(path: Path, count: int, mark: str = "", video: str = "") -> list[Facts]:
    """A store of accepted items whose secrets hold `mark`; the first one is shown by a video, if one is named."""
    with Store.open(path, seed=SEED) as store:
        thread = threading.Thread(target=lambda: asyncio.run(_put(store, count, mark, video)))
        thread.start()
        thread.join()
    return [_facts(name, mark) for name in slots(count)]


async def _put(store: Store, count: int, mark: str, video: str) -> None:
    rows = project()
    for number, name in enumerate(slots(count)):
        for key, records in slot(name, mark=mark):
            kept = [_changed(one, number, mark, video) for one in records]
            if key.node != "verification/r1":
                rows.append((key, tuple(kept)))
    await asyncio.gather(*(store.put(key, *records) for key, records in rows))
    fate = StoreEvent("accepted", {"code": "accepted"})
    await asyncio.gather(*(store.put(NodeKey(name, "decision", 0), event=fate) for name in slots(count)))


def _changed(record: Any, number: int, mark: str, video: str) -> Any:
    """Each item with words and hashes of its own."""
    if isinstance(record, Item):
        own = {"question": f"What would have followed on day {number}?", "clip": _clip(number)}
        public = {name: getattr(record, name) for name in ("item_id", "background", "options", "history")}
        return record.model_copy(update=own | {"public_hash": content_hash(public | own)})
    if isinstance(record, Reference):
        return record.model_copy(update={"item_hash": content_hash([number, mark]), "episode": f"e{number}"})
    if isinstance(record, Clip):
        line = TranscriptLine(text=f"Alpha waits for Beta on day {number}.")
        told = {"clip_id": f"c{number}", "ref": _clip(number), "transcript": (line, line)}
        film = VideoSpan(source_id=video, start=1, end=2, confidence=1) if number == 0 and video else None
        return record.model_copy(update=told | {"video": film})
    return record


def _clip(number: int) -> ClipRef:
    return ClipRef(media=f"media/c{number}.json", start=0, end=2, unit="lines")


def _facts(name: str, mark: str) -> Facts:
    number = int(name.rpartition("/")[2])
    records = [one for _, row in slot(name, mark=mark) for one in row]
    item = _changed(next(one for one in records if isinstance(one, Item)), number, mark, "")
    return Facts(name, item.item_id, item.capability, "s", f"e{number}", item.clip.media, "single", item.public_hash,
                 content_hash([number, mark]), (KEY,))  # fmt: skip


def queue_of(facts: Sequence[Facts], modes: Sequence[Mode], needed: int = 5, lease: float = 3600) -> Queue:
    def tasks(mode: Mode, own: Sequence[Facts]) -> tuple[Task, ...]:
        return tuple(
            Task(task_id(SEED, mode, one.slot), mode, one.slot, 0, one.capability, one.public_hash) for one in own
        )

    known: dict[Mode, Campaign] = {
        "verification": Campaign(
            "verification", tuple(verification(SEED, one, 0) for one in facts), EXPERTS[:needed], needed
        ),
        "baseline": Campaign("baseline", tasks("baseline", facts), PEOPLE, 1),
        "overlap": Campaign("overlap", tasks("overlap", facts), PEOPLE, len(PEOPLE)),
        "screening": Campaign("screening", (Task("tscreen", "screening", facts[0].slot),), EXPERTS, 2),
        "annotation": Campaign("annotation", tasks("annotation", facts), PEOPLE, 1),
        "adjudication": Campaign("adjudication", (), ("boss",), 1),
    }
    return Queue([known[mode] for mode in modes], SEED, lease, 0.0)


ALL: tuple[Mode, ...] = ("verification", "baseline", "overlap", "screening", "annotation", "adjudication")


def desk_of(store: Store, facts: Sequence[Facts], clips: Clips, modes: Sequence[Mode] = ALL, needed: int = 5) -> Desk:
    items = Items(store, clips)
    contents: dict[Mode, Content] = dict.fromkeys(("verification", "baseline", "overlap", "annotation"), items)
    contents |= {"screening": Screened(store, clips), "adjudication": Adjudicated(store, clips, SEED)}
    return Desk(store, queue_of(facts, modes, needed), contents, SEED, on_finish=Disputes(facts, needed, SEED))


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Person:
    """One reviewer's browser, as far as HTTP goes."""

    def __init__(self, port: int, token: str = "") -> None:
        self.port, self.cookie = port, ""
        self.seen: list[bytes] = []
        """Every answer: status, headers and body."""
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        if token:
            answer = self.ask("GET", f"/enter?token={token}")
            self.cookie = answer.headers["set-cookie"].partition(";")[0]

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
        """With the headers that a page of ours sends, unless they are given; an empty one is left out."""
        known = {"Host": f"127.0.0.1:{self.port}", "Cookie": self.cookie}
        if method == "POST":
            known |= {"Origin": f"http://127.0.0.1:{self.port}", "Content-Type": "application/json"}
        told = known | {name.replace("_", "-"): value for name, value in headers.items()}
        sent = {name: value for name, value in told.items() if value}
        try:
            self._connection.request(method, path, body, sent)
            answer = self._connection.getresponse()
            read = Answer(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
        except (http.client.HTTPException, OSError):
            self._connection.close()
            raise
        self.seen.append(repr((read.status, sorted(read.headers.items()))).encode() + read.body)
        return read

    def close(self) -> None:
        self._connection.close()

    def post(self, path: str, **body: Any) -> Answer:
        return self.ask("POST", path, json.dumps(body).encode())

    def next(self, mode: str, after: str = "") -> Any:
        return self.post("/api/next", mode=mode, after=after).json

    def save(self, state: dict[str, Any], action: str = "save", **work: Any) -> Answer:
        """Go on from a state with changes of its work; a success goes into the state."""
        work = state["work"] | work
        told = {"revision": state["revision"], "action": action, "work": work, "seconds": 3.5, "watched": 0.5}
        answer = self.post(f"/api/task/{state['task']}", **told)
        if answer.status == 200:
            state |= answer.json
        return answer

    def answer(self, state: dict[str, Any], ids: Sequence[str] = (KEY,), **work: Any) -> Answer:
        """Save and lock an answer."""
        self.save(state, said="answer", ids=list(ids), confidence=2, **work)
        return self.save(state, "lock")

    def judge(self, state: dict[str, Any], **marks: str) -> Answer:
        """Mark every criterion yes but for those named, and submit."""
        given = {one["name"]: marks.get(one["name"].replace(" ", "_"), "yes") for one in state["criteria"]}
        self.save(state, marks=given)
        return self.save(state, "submit")


class Served(NamedTuple):
    port: int
    tokens: dict[str, str]
    desk: Desk
    facts: list[Facts]
    people: list[Person]
    cookies: dict[str, str]

    def person(self, token: str = "") -> Person:
        """A new browser; its connection is closed with the server."""
        self.people.append(Person(self.port, token))
        return self.people[-1]

    def enter(self, who: str) -> Person:
        """A browser of a reviewer; the second one goes on with the session of the first."""
        if who not in self.cookies:
            self.cookies[who] = self.person(self.tokens[who]).cookie
        person = self.person()
        person.cookie = self.cookies[who]
        return person


@contextmanager
def served(
    path: Path, facts: list[Facts], modes: Sequence[Mode] = ALL, needed: int = 5, video: Path | None = None,
    changes: Callable[[Store, Clips], Changes] | None = None,
) -> Iterator[Served]:  # fmt: skip
    """A review of the store at `path` on a free port."""

    def cut(wanted: Cut) -> Path | None:
        return video

    clips = Clips(SEED, cut, lambda source: video is not None)
    with Store.open(path, seed=SEED) as store, listen("127.0.0.1", 0, False) as bound:
        desk = desk_of(store, facts, clips, modes, needed)
        sessions = Sessions([*EXPERTS, *PEOPLE, "boss"])
        server = server_of(Site(desk, sessions, clips, changes(store, clips) if changes else None), bound)
        thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[bound])))
        thread.start()
        try:
            while not server.started and thread.is_alive():
                thread.join(0.01)
            site = Served(bound.getsockname()[1], dict(sessions.tokens), desk, facts, [], {})
            yield site
        finally:
            for person in site.people:
                person.close()
            server.should_exit = True
            thread.join()
