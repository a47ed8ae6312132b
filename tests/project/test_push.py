"""Pushing a release, against a local stand-in that speaks as much of the hub's protocol as a push needs."""

import base64
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from benchwright.errors import BenchwrightError, InputError, RefusedError, StoppedError, UsageError
from benchwright.project.push import push
from benchwright.release.freeze import freeze
from benchwright.release.verify import verify

from ..llm.openai_server import Got, Server, Turn
from ..release.build import NAME, content

pytest.importorskip("huggingface_hub")
REPO = "owner/small"
KINDS = ("create", "refs", "tree", "preupload", "commit", "tag")
TOKEN = "hf_" + "standin"


class Hub:
    """One dataset repository: what was asked of it, and what it holds."""

    def __init__(self) -> None:
        self.private: bool | None = None
        self.files: dict[str, bytes] = {".gitattributes": b""}
        self.tags: list[str] = []
        self.log: list[str] = []
        self.fails: dict[str, int] = {}
        """Status by the last part of a path's kind."""
        self.address = ""

    def answer(self, got: Got, _: int) -> Turn:
        path = got.path.partition("?")[0]
        kind = next(
            (kind for kind in ("create", "refs", "tree", "preupload", "commit", "tag") if f"/{kind}" in path), "info"
        )
        self.log.append(kind)
        if got.headers.get("authorization") != f"Bearer {TOKEN}":
            return Turn({"error": "who are you"}, 401)
        if kind == "info" and self.private is None:
            return Turn({"error": "no such repository"}, 404, {"x-error-code": "RepoNotFound"})
        if kind in self.fails:
            return Turn({"error": "no"}, self.fails[kind])
        return Turn(getattr(self, f"_{kind}")(got))

    def _create(self, got: Got) -> Any:
        if self.private is None:
            self.private = got.json["visibility"] == "private"
        return {"url": f"{self.address}/datasets/{REPO}"}

    def _info(self, _: Got) -> Any:
        return {"id": REPO, "private": self.private, "sha": "0", "siblings": []}

    def _tree(self, _: Got) -> Any:
        return [{"type": "file", "path": path, "size": len(data), "oid": "0"} for path, data in self.files.items()]

    def _refs(self, _: Got) -> Any:
        tags = [{"name": tag, "ref": f"refs/tags/{tag}", "targetCommit": "0"} for tag in self.tags]
        return {"branches": [], "converts": [], "tags": tags}

    def _preupload(self, got: Got) -> Any:
        return {
            "files": [
                {"path": one["path"], "uploadMode": "regular", "shouldIgnore": False} for one in got.json["files"]
            ]
        }

    def _commit(self, got: Got) -> Any:
        for line in got.body.splitlines():
            one = json.loads(line)
            if one["key"] == "file":
                self.files[one["value"]["path"]] = base64.b64decode(one["value"]["content"])
            elif one["key"] == "deletedFile":
                del self.files[one["value"]["path"]]
        return {"commitOid": "1", "commitUrl": f"{self.address}/datasets/{REPO}/commit/1", "success": True}

    def _tag(self, got: Got) -> Any:
        self.tags.append(got.json["tag"])
        return {}


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    there = Hub()
    with Server(there.answer) as server:
        there.address = server.address
        monkeypatch.setenv("HF_ENDPOINT", server.address)
        monkeypatch.setenv("HF_TOKEN", TOKEN)
        yield there


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return freeze(content(4), tmp_path_factory.mktemp("push") / "small-1.2.0")


def files(release: Path, *, but: tuple[str, ...]) -> dict[str, bytes]:
    found = {path.relative_to(release).as_posix(): path.read_bytes() for path in release.rglob("*") if path.is_file()}
    return {path: data for path, data in found.items() if not path.startswith(but)}


def test_the_public_part_goes_and_the_repository_is_private(hub: Hub, release: Path) -> None:
    done = push(release, REPO)
    assert done.url.endswith("/commit/1")
    assert hub.private is True
    assert hub.tags == ["v1.2.0"]
    del hub.files[".gitattributes"]
    assert hub.files == files(release, but=("answers/", "grounding/"))
    assert set(done.plan.kept) == {"answers", "grounding"}


def test_what_arrives_verifies_and_holds_neither_answers_nor_names(hub: Hub, release: Path, tmp_path: Path) -> None:
    push(release, REPO)
    del hub.files[".gitattributes"]
    for path, data in hub.files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)
        assert NAME.encode() not in data
        assert b'"answer_text"' not in data
    assert verify(tmp_path).ok


def test_answers_go_where_that_is_asked_for_and_grounding_never(hub: Hub, release: Path) -> None:
    push(release, REPO, answers=True, public=True)
    assert hub.private is False
    del hub.files[".gitattributes"]
    assert hub.files == files(release, but=("grounding/",))


def test_files_of_an_earlier_version_do_not_stay(hub: Hub, release: Path) -> None:
    hub.files |= {"media/old.json": b"", "answers/key.jsonl": b"secret"}
    assert push(release, REPO).deleted == ("answers/key.jsonl", "media/old.json")
    assert not hub.files.keys() & {"media/old.json", "answers/key.jsonl"}
    assert ".gitattributes" in hub.files


def _public(hub: Hub) -> None:
    hub.private = False


def _tagged(hub: Hub) -> None:
    hub.tags = ["v1.2.0"]


def _fails(kind: str, status: int) -> Any:
    return lambda hub: hub.fails.update({kind: status})


@pytest.mark.parametrize(
    ("change", "error", "says"),
    [
        (_public, RefusedError, "owner/small is public; --public says"),
        (_tagged, RefusedError, "has v1.2.0 already"),
        (_fails("create", 403), UsageError, "the hub does not take the token (403)"),
        (_fails("commit", 401), UsageError, "the hub does not take the token (401)"),
        (_fails("commit", 500), StoppedError, "the hub answered 500"),
        (_fails("refs", 404), StoppedError, "the hub answered 404"),
    ],
    ids=["public already", "same version", "may not create", "may not write", "broken", "gone"],
)
def test_refusals_send_nothing(change: Any, error: type[BenchwrightError], says: str, hub: Hub, release: Path) -> None:
    change(hub)
    with pytest.raises(error) as caught:
        push(release, REPO)
    assert says in str(caught.value)
    assert TOKEN not in str(caught.value)
    assert set(hub.files) == {".gitattributes"}


def test_a_hub_that_is_not_there(release: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    with pytest.raises(StoppedError, match="the hub does not answer"):
        push(release, REPO)


def test_what_does_not_verify_is_not_sent(hub: Hub, tmp_path: Path) -> None:
    release = freeze(content(4), tmp_path / "r")
    (release / "release.json").write_bytes((release / "release.json").read_bytes().replace(b"small", b"large"))
    with pytest.raises(RefusedError) as caught:
        push(release, REPO)
    assert any(line.startswith("release.json: ") for line in caught.value.findings)
    assert hub.log == []


def test_answers_that_are_kept_apart_cannot_be_sent(hub: Hub, tmp_path: Path) -> None:
    release = freeze(content(4), tmp_path / "r")
    for path in (release / "answers").iterdir():
        path.unlink()
    (release / "answers").rmdir()
    with pytest.raises(RefusedError, match="its answers are kept apart"):
        push(release, REPO, answers=True)
    assert set(push(release, REPO).plan.kept) == {"grounding"}


def test_a_dry_run_asks_nobody(hub: Hub, release: Path) -> None:
    done = push(release, REPO, dry_run=True)
    assert done.why_dry == "a dry run"
    assert set(done.plan.files) == set(files(release, but=("answers/", "grounding/")))
    assert done.plan.size == sum(map(len, files(release, but=("answers/", "grounding/")).values()))
    assert hub.log == []


@pytest.mark.parametrize(
    "repo",
    ["small", "a/b/c", "/small", "owner/", "ow ner/small", "-", "owner/" + "n" * 97, "a--b/c", "a/b..c", "a/b.git",
     "-a/b", "a/b-", "a/.b", "a/b\n", "../b", "a/\u00fc", ""],
)  # fmt: skip
def test_names_that_are_none(repo: str, release: Path) -> None:
    with pytest.raises(UsageError, match="expected owner/name"):
        push(release, repo, dry_run=True)


def test_no_release(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        push(tmp_path, REPO, dry_run=True)


def test_without_a_token_it_is_a_dry_run(release: Path, tmp_path: Path) -> None:
    """In a process of its own, with a home where no token lies."""
    bare = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "HUGGING"))}
    command = [sys.executable, "-m", "benchwright", "push", str(release), "--repo", REPO, "--json"]
    home = {"HF_HOME": str(tmp_path), "HF_ENDPOINT": "http://127.0.0.1:9"}
    done = subprocess.run(command, env=bare | home, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0
    told = json.loads(done.stdout)
    assert (told["schema"], told["sent"], told["private"]) == ("benchwright/push/1", False, True)
    assert "release.json" in told["files"]
    assert "nothing was sent: there is no token" in done.stderr


@pytest.mark.parametrize(
    ("variable", "value"),
    [("HF_ENDPOINT", "http://["), ("HF_ENDPOINT", "http://127.0.0.1:x"), ("HF_TOKEN", TOKEN + "\u00fc")],
    ids=["address", "port", "token"],
)
def test_an_address_or_a_token_that_is_none_is_told_without_it(
    variable: str, value: str, hub: Hub, release: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(UsageError, match="see HF_ENDPOINT and HF_TOKEN") as error:
        push(release, REPO)
    assert TOKEN not in str(error.value)
