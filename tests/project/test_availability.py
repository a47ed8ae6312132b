"""Media that a release rests on, looked for among files and asked for at a server of our own."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from benchwright.errors import UsageError
from benchwright.project.availability import available
from benchwright.release.freeze import freeze

from ..cli.conftest import cli  # noqa: F401
from ..release.build import SOURCE, content

STORY = b"the story"


class Answers(BaseHTTPRequestHandler):
    """`/CODE/LENGTH`: what to answer, and how long to say it is; no length for `-`."""

    def do_HEAD(self) -> None:
        _, code, length = self.path.split("/")
        if code == "torn":
            self.wfile.write(b"\x00 no HTTP\r\n\r\n")
            return
        self.send_response(int(code))
        if code == "302":
            self.send_header("Location", "/200/9" if length == "0" else "ftp://127.0.0.1:1/x")
        elif length != "-":
            self.send_header("Content-Length", length)
        self.end_headers()

    def do_GET(self) -> None:
        raise AssertionError("nothing is downloaded")

    def log_message(self, *_: Any) -> None:
        """Nothing."""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()


def released(folder: Path, **changed: Any) -> Path:
    return freeze(content(sources=[SOURCE.model_copy(update=changed)]), folder / "r")


@pytest.mark.parametrize(
    ("name", "data", "status"),
    [
        ("any.ink", STORY, "available"),
        ("deep/er/any", STORY, "available"),
        (f"{SOURCE.source_id}.ink", b"another story", "changed"),
        ("any.ink", b"another story", "missing"),
    ],
)
def test_files_at_hand(name: str, data: bytes, status: str, tmp_path: Path) -> None:
    file = tmp_path / "media" / name
    file.parent.mkdir(parents=True)
    file.write_bytes(data)
    (one,) = available(released(tmp_path), [tmp_path / "media"])
    assert (one.source, one.status) == (SOURCE.source_id, status)
    assert one.where == str(tmp_path / "media" if status == "missing" else file)
    with pytest.raises(UsageError, match="is not there"):
        available(tmp_path / "r", [tmp_path / "nowhere"])


@pytest.mark.parametrize(
    ("path", "size", "status"),
    [
        ("/200/9", 9, "available"),
        ("/200/9", None, "available"),
        ("/200/-", 9, "available"),
        ("/200/8", 9, "changed"),
        ("/404/0", 9, "missing"),
        ("/410/0", 9, "missing"),
        ("/403/0", 9, "unknown"),
        ("/500/0", 9, "unknown"),
        ("/200/abc", 9, "available"),
        ("/200/-5", 9, "available"),
        ("/302/0", 9, "available"),
        ("/302/1", 9, "unknown"),
        ("/torn/0", 9, "unknown"),
    ],
)
def test_addresses_that_answer(path: str, size: int | None, status: str, server: str, tmp_path: Path) -> None:
    release = released(tmp_path, url=server + path, size=size)
    (one,) = available(release, [], online=True)
    assert (one.where, one.status) == (server + path, status)
    assert available(release, []) == ()


@pytest.mark.parametrize(
    "url",
    [
        None,
        "http://127.0.0.1:1/x",
        "file:///etc/passwd",
        "http://[",
        "gopher://x",
        "http://a b/",
        "http://127.0.0.1:x/",
    ],
    ids=str,
)
def test_addresses_that_do_not(url: str | None, tmp_path: Path) -> None:
    (one,) = available(released(tmp_path, url=url), [], online=True)
    assert one.status == "unknown"
    assert one.note


def test_on_the_command_line(cli: Any, server: str, tmp_path: Path) -> None:  # noqa: F811
    release = released(tmp_path, url=f"{server}/404/0")
    assert cli("verify", release).code == 0
    (tmp_path / "story").write_bytes(STORY)
    there = cli("verify", release, "--media", tmp_path / "story")
    assert (there.code, there.err) == (0, "")
    assert there.out.startswith(f"available  {SOURCE.source_id}  story       {tmp_path / 'story'}\n")
    gone = cli("verify", release, "--online", "--json")
    assert gone.code == 1
    assert '"status": "missing"' in gone.out
    assert "sources missing or changed: 1" in gone.err
