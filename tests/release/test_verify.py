"""Whatever is changed in a release, `verify` names the file."""

import json
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from benchwright.errors import InputError
from benchwright.release import layout
from benchwright.release.verify import verify
from benchwright.schemas.base import content_hash, sha256
from hypothesis import given, settings
from hypothesis import strategies as st

FILES = (
    "release.json", "model_input/test.jsonl", "media/manifest.jsonl", "media/*.json", "answers/key.jsonl",
    "answers/SHA256SUMS", "grounding/trace.jsonl", "grounding/heads.txt", "grounding/SHA256SUMS", "README.md",
    "croissant.json", "CITATION.cff", ".zenodo.json", "LICENSE", "datasheet.md", "SHA256SUMS",
    "plugins/inspect/task.py", "plugins/lmms_eval/release.yaml", "plugins/lmms_eval/utils.py",
)  # fmt: skip


def blamed(folder: Path) -> set[str]:
    return {problem.file for problem in verify(folder).problems}


def path_of(release: Path, pattern: str) -> str:
    return sorted(str(path.relative_to(release)) for path in release.glob(pattern))[0]


def change(file: Path, to: Callable[[bytes], bytes]) -> None:
    file.write_bytes(to(file.read_bytes()))


def test_the_list_of_files_is_whole(release: Path) -> None:
    there = {path for path in release.rglob("*") if path.is_file()}
    assert {path for pattern in FILES for path in release.glob(pattern)} == there


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


@pytest.mark.parametrize("pattern", FILES)
def test_one_flipped_byte_is_found(pattern: str, release: Path) -> None:
    """First, last and six bytes between, each flipped alone."""
    path = path_of(release, pattern)
    data = (release / path).read_bytes()
    places = {0, len(data) - 1, *random.Random(pattern).sample(range(len(data)), 6)}
    for at in sorted(places):
        (release / path).write_bytes(flipped(data, at))
        assert path in blamed(release), f"byte {at}"
    (release / path).write_bytes(data)
    assert verify(release).ok


EDITS: dict[str, Callable[[bytes], bytes]] = {
    "truncated": lambda data: data[: len(data) // 2],
    "last byte cut": lambda data: data[:-1],
    "emptied": lambda data: b"",
    "byte added": lambda data: data + b"\n",
    "line doubled": lambda data: data + data.splitlines(keepends=True)[-1],
    "byte order mark": lambda data: b"\xef\xbb\xbf" + data,
    "CRLF": lambda data: data.replace(b"\n", b"\r\n"),
    "no UTF-8": lambda data: b"\xff" + data[1:],
}


@pytest.mark.parametrize("pattern", FILES)
@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS.keys())
def test_edits_are_found(pattern: str, edit: Callable[[bytes], bytes], release: Path) -> None:
    path = path_of(release, pattern)
    change(release / path, edit)
    assert path in blamed(release)


@pytest.mark.parametrize("pattern", FILES)
def test_a_missing_file_is_found(pattern: str, release: Path) -> None:
    path = path_of(release, pattern)
    (release / path).unlink()
    assert path in blamed(release)


@pytest.mark.parametrize(
    "path", ["notes.txt", "media/extra.json", "answers/old.jsonl", "grounding/x", "deep/er/x", ".hidden", "media/c.mp4"]
)
def test_an_extra_file_is_found(path: str, release: Path) -> None:
    (release / path).parent.mkdir(parents=True, exist_ok=True)
    (release / path).write_bytes(b"[]\n")
    assert path in blamed(release)


def test_an_extra_folder_is_found(release: Path) -> None:
    (release / "empty").mkdir()
    assert blamed(release) == {"empty"}


@pytest.mark.skipif(os.name == "nt", reason="links and pipes as POSIX has them")
@pytest.mark.parametrize("kind", ["link to a file", "link to a folder", "link to nowhere", "pipe"])
def test_what_is_no_plain_file_is_found_and_not_opened(kind: str, release: Path) -> None:
    if kind == "pipe":
        os.mkfifo(release / "media" / "x.json")
    else:
        targets = {"link to a file": "../README.md", "link to a folder": "/", "link to nowhere": "nowhere"}
        (release / "media" / "x.json").symlink_to(targets[kind])
    assert "media/x.json" in blamed(release)


@pytest.mark.skipif(os.name == "nt", reason="links as POSIX has them")
@pytest.mark.parametrize("path", ["release.json", "answers", "media", "SHA256SUMS"])
def test_a_link_in_place_of_the_thing_is_found(path: str, release: Path) -> None:
    elsewhere = release.with_name("elsewhere")
    shutil.move(release / path, elsewhere)
    (release / path).symlink_to(elsewhere)
    assert path in blamed(release)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("README.md", "datasheet.md"),
        ("model_input/test.jsonl", "answers/key.jsonl"),
        ("answers/SHA256SUMS", "grounding/SHA256SUMS"),
        ("release.json", "croissant.json"),
    ],
)
def test_swapped_files_are_found(one: str, other: str, release: Path) -> None:
    first, second = (release / one).read_bytes(), (release / other).read_bytes()
    (release / one).write_bytes(second)
    (release / other).write_bytes(first)
    assert {one, other} <= blamed(release)


def test_swapped_transcripts_are_found(release: Path) -> None:
    one, other = sorted(release.glob("media/c*.json"))[:2]
    first, second = one.read_bytes(), other.read_bytes()
    one.write_bytes(second)
    other.write_bytes(first)
    assert {f"media/{one.name}", f"media/{other.name}"} <= blamed(release)


@pytest.mark.parametrize("part", ["answers", "grounding"])
def test_a_withheld_part_is_a_note(part: str, release: Path) -> None:
    shutil.rmtree(release / part)
    found = verify(release)
    assert found.problems == ()
    assert [note for note in found.notes if note.startswith(part)]


def test_both_parts_may_be_withheld_and_the_rest_is_still_checked(release: Path) -> None:
    shutil.rmtree(release / "answers")
    shutil.rmtree(release / "grounding")
    assert verify(release).ok
    change(release / "model_input/test.jsonl", lambda data: data.replace(b"Beta", b"Zeta", 1))
    assert "model_input/test.jsonl" in blamed(release)


def test_an_emptied_part_is_no_withheld_part(release: Path) -> None:
    (release / "answers/key.jsonl").unlink()
    (release / "answers/SHA256SUMS").unlink()
    assert {"answers/key.jsonl", "answers/SHA256SUMS"} <= blamed(release)


def test_consistency_only_is_said(release: Path) -> None:
    assert [note for note in verify(release).notes if "not who made them" in note]
    (release / "SHA256SUMS.sig").write_bytes(b"a signature")
    assert blamed(release) == {"SHA256SUMS.sig"}


def test_no_folder_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        verify(tmp_path / "nothing")


def test_an_empty_folder_misses_everything_public(tmp_path: Path) -> None:
    assert blamed(tmp_path) == {"release.json", "model_input/test.jsonl", "media/manifest.jsonl", "SHA256SUMS"} | {
        *layout.DOCUMENTS
    }  # fmt: skip


@settings(max_examples=30)
@given(data=st.data())
def test_any_edit_of_any_file_is_found(frozen: Path, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(sorted(file for file in frozen.rglob("*") if file.is_file())))
    before = path.read_bytes()
    start = data.draw(st.integers(0, len(before)))
    end = data.draw(st.integers(start, min(len(before), start + 40)))
    after = before[:start] + data.draw(st.binary(max_size=40)) + before[end:]
    try:
        path.write_bytes(after)
        assert (str(path.relative_to(frozen)) in blamed(frozen)) == (after != before)
    finally:
        path.write_bytes(before)


def test_the_hash_of_an_item_is_that_of_its_line(release: Path) -> None:
    """A reader with nothing but a JSON library and sha256 can check `public_hash`."""
    for line in (release / "model_input/test.jsonl").read_bytes().splitlines():
        assert sha256(line) == content_hash(json.loads(line))
