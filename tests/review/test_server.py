"""Attacks on the review server, each refused or harmless; and what it does for those who may ask."""

import contextlib
import json
import re
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from benchwright.errors import UsageError
from benchwright.review.media import Clips, Cut
from benchwright.review.security import BODY, Sessions
from benchwright.review.server import hosts_of, listen
from benchwright.schemas.clip import VideoSpan

from .world import KEY, Person, Served, fill, served

CLIP = bytes(range(256)) * 40
VIDEO = "sv"
SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(2)>\u202e\x00' OR 1=1 --"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("review")
    (folder / "clip.mp4").write_bytes(CLIP)
    with served(
        folder / "store.sqlite", fill(folder / "store.sqlite", 6, video=VIDEO), video=folder / "clip.mp4"
    ) as site:
        yield site


@pytest.fixture(scope="module")
def expert(site: Served) -> Person:
    return site.enter("e1")


@pytest.fixture(scope="module")
def media(site: Served, expert: Person) -> str:
    """The id of the clip that a video shows, as the page is told it."""
    first = next(
        task for task in site.desk.queue.tasks.values() if task.mode == "verification" and task.subject[-1] == "0"
    )
    return str(expert.ask("GET", f"/api/task/{first.id}").json["public"]["media"])


def test_an_exchange_gives_a_cookie_that_scripts_and_other_sites_never_get(site: Served):
    person = site.person()
    answer = person.ask("GET", f"/enter?token={site.tokens['p3']}")
    assert answer.status == 200
    assert re.fullmatch(
        r"benchwright_review=[\w-]{43}; HttpOnly; Path=/; SameSite=strict", answer.headers["set-cookie"]
    )
    assert answer.headers["referrer-policy"] == "no-referrer"


def test_a_link_works_once(site: Served):
    token = site.tokens["e5"]
    assert site.person(token).ask("GET", "/").status == 200
    again = site.person().ask("GET", f"/enter?token={token}")
    assert (again.status, "set-cookie" in again.headers) == (403, False)


@pytest.mark.parametrize("path", ["/", "/api/me", "/api/task/t0", "/media/m0"])
@pytest.mark.parametrize(
    "cookie", ["", "benchwright_review=", "benchwright_review=" + "A" * 43], ids=["none", "empty", "wrong"]
)
def test_without_a_session_nothing_is_told(site: Served, path: str, cookie: str):
    answer = site.person().ask("GET", path, Cookie=cookie)
    assert (answer.status, answer.json) == (401, {"error": "open the link that you were given"})


@pytest.mark.parametrize("token", ["", "x", "A" * 43, "ä"], ids=["empty", "short", "long", "foreign"])
def test_a_wrong_token_opens_nothing(token: str):
    sessions = Sessions(["e1"])
    assert sessions.exchange(token) is None
    assert sessions.tokens.keys() == {"e1"}


@pytest.mark.parametrize(
    "origin",
    ["", "null", "http://evil.example", "https://127.0.0.1:{port}", "http://localhost:{port}", "http://127.0.0.1"],
)
def test_a_write_from_elsewhere_is_refused(site: Served, expert: Person, origin: str):
    answer = expert.ask("POST", "/api/next", b'{"mode": "verification"}', Origin=origin.format(port=site.port))
    assert answer.status == 403


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:{port}.evil.example", "0.0.0.0:{port}"]
)
@pytest.mark.parametrize("path", ["/", "/api/me", "/review.js"])
def test_a_foreign_host_is_refused(site: Served, expert: Person, host: str, path: str):
    assert expert.ask("GET", path, Host=host.format(port=site.port)).status == 421


@pytest.mark.parametrize(
    "path",
    ["/media/../store.sqlite", "/media/%2e%2e%2fstore.sqlite", "/media/..%5cstore.sqlite", "/media//etc/passwd",
     "/media/%00", "/../review/app.py", "/review.html", "/templates/review.html", "/store.sqlite", "/api/task/../me",
     "/media/store.sqlite"],
)  # fmt: skip
def test_a_path_leads_nowhere_else(expert: Person, path: str):
    answer = expert.ask("GET", path)
    assert answer.status == 404
    assert set(answer.json) == {"error"}


def test_a_clip_that_was_not_told_is_not_played(site: Served, media: str):
    assert site.enter("p1").ask("GET", f"/media/{media}").status == 404


RANGES = [
    ("bytes=0-0", CLIP[:1]), ("bytes=5-9", CLIP[5:10]), ("bytes=10000-", CLIP[10000:]), ("bytes=-7", CLIP[-7:]),
    ("bytes=0-999999", CLIP), ("bytes=-999999", CLIP),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "found"), RANGES, ids=[asked for asked, _ in RANGES])
def test_one_range_of_a_clip(expert: Person, media: str, asked: str, found: bytes):
    answer = expert.ask("GET", f"/media/{media}", Range=asked)
    start = (
        CLIP.index(found)
        if len(found) > 256
        else len(CLIP) - len(found)
        if "=-" in asked
        else int(asked[6:].split("-")[0])
    )
    assert (answer.status, answer.body) == (206, found)
    assert answer.headers["content-range"] == f"bytes {start}-{start + len(found) - 1}/{len(CLIP)}"


def test_a_whole_clip(expert: Person, media: str):
    answer = expert.ask("GET", f"/media/{media}")
    assert (answer.status, answer.body, answer.headers["accept-ranges"]) == (200, CLIP, "bytes")
    head = expert.ask("HEAD", f"/media/{media}")
    assert (head.status, head.body, head.headers["content-length"]) == (200, b"", str(len(CLIP)))


@pytest.mark.parametrize(
    "asked",
    ["bytes=" + ",".join(f"{n}-{n}" for n in range(200)), "bytes=0-1,3-4", f"bytes={len(CLIP)}-", "bytes=9-5",
     "bytes=-0", "bytes=-", "bytes=a-b", "lines=0-1", "bytes=" + "9" * 60 + "-"],
    ids=["200", "two", "beyond", "backwards", "none", "empty", "letters", "unit", "huge"],
)  # fmt: skip
def test_other_ranges_are_refused(expert: Person, media: str, asked: str):
    answer = expert.ask("GET", f"/media/{media}", Range=asked)
    assert (answer.status, answer.headers["content-range"]) == (416, f"bytes */{len(CLIP)}")


def raw(port: int, head: str, body: bytes = b"") -> bytes:
    """What comes back to bytes that no client of ours would send."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(head.replace("\n", "\r\n").encode() + b"\r\n\r\n")
        try:
            for start in range(0, len(body), 1 << 16):
                connection.sendall(body[start : start + (1 << 16)])
        except OSError:
            return b"closed"
        try:
            return connection.recv(1 << 16)
        except OSError:
            return b"closed"


def head(site: Served, expert: Person, more: str) -> str:
    own = f"127.0.0.1:{site.port}"
    sent = f"Host: {own}\nOrigin: http://{own}\nContent-Type: application/json\nCookie: {expert.cookie}"
    return f"POST /api/next HTTP/1.1\n{sent}\n{more}"


def test_fifty_megabytes_are_refused_before_they_are_read(site: Served, expert: Person):
    size = 50 << 20
    answer = raw(site.port, head(site, expert, f"Content-Length: {size}"), b" " * (1 << 18))
    assert answer.startswith(b"HTTP/1.1 413") or answer == b"closed"
    assert expert.ask("GET", "/api/me").status == 200


def test_a_body_of_unknown_length_is_refused(site: Served, expert: Person):
    answer = raw(site.port, head(site, expert, "Transfer-Encoding: chunked"), b"5\r\nabcde\r\n")
    assert answer.startswith(b"HTTP/1.1 411") or answer == b"closed"


def test_headers_without_end_are_refused(site: Served, expert: Person):
    answer = raw(site.port, "GET / HTTP/1.1\n" + "\n".join(f"X-{n}: {'a' * 900}" for n in range(200)))
    assert answer == b"closed" or not answer or answer.startswith((b"HTTP/1.1 400", b"HTTP/1.1 431"))
    assert expert.ask("GET", "/api/me").status == 200


BODIES = {
    "text": (b"hello", 422), "list": (b"[]", 422), "deep": (b"[" * 50_000, 422), "number": (b"1e999", 422),
    "no mode": (b'{"mode": "x"}', 422), "mode of another": (b'{"mode": "baseline"}', 200),
    "utf-16": ("{}".encode("utf-16"), 422),
}  # fmt: skip


@pytest.mark.parametrize(("body", "status"), BODIES.values(), ids=list(BODIES))
def test_bodies_that_are_none(expert: Person, body: bytes, status: int):
    answer = expert.ask("POST", "/api/next", body)
    assert answer.status == status
    if status == 200:
        assert answer.json is None


def test_another_kind_of_content_is_refused(expert: Person):
    assert expert.ask("POST", "/api/next", b"{}", Content_Type="text/plain").status == 415
    assert expert.ask("DELETE", "/api/me").status == 405


WORKS = {
    "unknown option": {"ids": ["o9"]},
    "two options": {"ids": ["o1", "o2"]},
    "too long": {"note": "x" * 4001},
    "another field": {"marks": {}, "reviewer": "e2"},
    "marks before the lock": {"marks": {"question validity": "yes"}},
    "steps": {"steps": [{"text": "a", "tags": []}]},
    "confidence": {"confidence": 9},
    "a mark that is none": {"marks": {"question validity": SCRIPT}},
}


@pytest.mark.parametrize("work", WORKS.values(), ids=list(WORKS))
def test_work_that_does_not_fit_is_refused_and_nothing_is_kept(site: Served, work: dict[str, Any]):
    person = site.enter("e2")
    state = person.next("verification")
    answer = person.save(dict(state), **work)
    assert answer.status == 422
    assert SCRIPT.encode() not in answer.body
    assert person.ask("GET", f"/api/task/{state['task']}").json["revision"] == state["revision"]


def test_script_in_every_text_field_stays_text(site: Served):
    person = site.enter("p1")
    state = person.next("annotation")
    steps = [{"text": SCRIPT[:-3], "tags": ["visual"]}]
    answer = person.save(state, note=SCRIPT, text=SCRIPT, said="answer", ids=[KEY], confidence=1, steps=steps)
    assert answer.status == 200
    kept = person.ask("GET", f"/api/task/{state['task']}")
    assert kept.json["work"]["note"] == SCRIPT
    assert kept.headers["content-type"] == "application/json"
    assert kept.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "path", ["/", "/review.js", "/player.js", "/review.css", "/page.css", "/icon.svg", "/api/me", "/nowhere"]
)
def test_the_policy_allows_what_is_ours_and_nothing_else(expert: Person, path: str):
    answer = expert.ask("GET", path)
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
    assert "unsafe" not in policy
    assert answer.headers["cache-control"] == "no-store"
    assert not re.search(rb"(?:src|href|url)\s*[=(]\s*[\"']?(?:https?:)?//", answer.body)


def test_the_page_has_no_script_or_style_of_its_own(expert: Person):
    page = expert.ask("GET", "/").body.decode()
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=", page)


def test_a_reviewer_cannot_reach_what_is_dealt_to_others_only(site: Served):
    other = site.enter("p2")
    own = next(task.id for task in site.desk.queue.tasks.values() if task.mode == "verification")
    assert other.ask("GET", f"/api/task/{own}").status == 404
    assert other.post(f"/api/task/{own}", revision=0, action="save", work={}).status == 404
    assert other.ask("GET", f"/api/task/{own}/item").status == 404


@pytest.mark.parametrize(("host", "expose", "problem"), [
    ("0.0.0.0", False, "--expose says that this is meant"), ("::", False, "--expose"),
    ("evil.example", True, "is no address"),
])  # fmt: skip
def test_other_addresses_are_refused(host: str, expose: bool, problem: str):
    with pytest.raises(UsageError, match=problem):
        listen(host, 0, expose)


def test_a_port_in_use_is_said():
    with listen("localhost", 0, False) as bound:
        bound.listen()
        port = bound.getsockname()[1]
        assert hosts_of(bound) == {f"127.0.0.1:{port}", f"localhost:{port}"}
        with pytest.raises(UsageError, match=f"cannot listen on 127.0.0.1 port {port}"):
            listen("127.0.0.1", port, False)


def test_a_bound_is_set_on_what_is_read():
    assert BODY < 1 << 20
    assert json.dumps({"note": "x" * 4000, "steps": [{"text": "y" * 1000, "tags": []}] * 40}).__len__() < BODY


def test_a_clip_that_is_being_made_holds_up_nobody(tmp_path: Path):
    """Whoever asks is told to come again, and what was asked for last is made first."""
    made, go = list[float](), threading.Event()

    def cut(wanted: Cut) -> Path:
        go.wait(20)
        made.append(wanted.start)
        return tmp_path

    clips = Clips(7, cut, lambda source: True)
    ids = [str(clips(VideoSpan(source_id="s", start=n, end=n + 1, confidence=1), False)) for n in range(4)]
    for media in ids:
        with pytest.raises(TimeoutError):
            clips.file(media)
    go.set()
    for media in ids:
        while True:
            with contextlib.suppress(TimeoutError):
                assert clips.file(media) == tmp_path
                break
    assert made == [0, 3, 2, 1]
    assert clips.file("m0") is None
