"""Forgeries: a change carried through all hashes and sums, so that only the rules of a release can find it."""

import json
from collections.abc import Callable
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
from benchwright.release import documents, layout
from benchwright.release.freeze import freeze
from benchwright.release.verify import verify
from benchwright.schemas.base import canonical, sha256
from benchwright.schemas.release import Manifest

from .build import content


def forge(release: Path, path: str, to: Callable[[bytes], bytes]) -> None:
    """Change a file, and everything that is a hash of it."""
    change(release / path, to)
    manifest_path = release / layout.MANIFEST
    raw = json.loads(manifest_path.read_bytes())
    if path != layout.MANIFEST:
        raw["files"][path] = sha256((release / path).read_bytes())
    if path == layout.HEADS:
        raw["isolation_root"] = raw["files"][path]
    manifest_path.write_bytes(canonical(raw) + b"\n")
    for name, text in documents.of(Manifest.model_validate(raw)).items():
        (release / name).write_text(text, encoding="utf-8", newline="\n")
    for part in layout.PARTS:
        sum_up(release, part)


def sum_up(release: Path, part: layout.Part) -> None:
    files = [file for file in release.rglob("*") if file.is_file()]
    hashes = {str(file.relative_to(release)): sha256(file.read_bytes()) for file in files}
    (release / part.sums).write_text(layout.sums_text(part, hashes), encoding="utf-8", newline="\n")


def change(file: Path, to: Callable[[bytes], bytes]) -> None:
    file.write_bytes(to(file.read_bytes()))


def row(number: int, edit: Callable[[dict[str, Any]], Any]) -> Callable[[bytes], bytes]:
    """Edit one row, written again in canonical form."""

    def apply(data: bytes) -> bytes:
        lines = [json.loads(line) for line in data.splitlines()]
        edit(lines[number])
        return b"".join(canonical(line) + b"\n" for line in lines)

    return apply


def lines(edit: Callable[[list[bytes]], list[bytes]]) -> Callable[[bytes], bytes]:
    return lambda data: b"".join(edit(data.splitlines(keepends=True)))


def taken(number: bytes) -> Callable[[bytes], bytes]:
    return lambda data: data.replace(b'"taken":1', b'"taken":' + number, 1)


def whole(edit: Callable[[dict[str, Any]], Any]) -> Callable[[bytes], bytes]:
    def apply(data: bytes) -> bytes:
        value = json.loads(data)
        edit(value)
        return canonical(value) + b"\n"

    return apply


INPUTS, KEYS, TRACES, MEDIA, HEADS, MANIFEST = (
    layout.INPUTS, layout.KEYS, layout.TRACES, layout.MEDIA, layout.HEADS, layout.MANIFEST
)  # fmt: skip
FORGERIES: dict[str, tuple[str, Callable[[bytes], bytes], str, str]] = {
    "not canonical": (INPUTS, lambda data: data.replace(b'":"', b'": "', 1), INPUTS, "canonical"),
    "escaped for nothing": (INPUTS, lambda data: data.replace("“".encode(), b"\\u201c", 1), INPUTS, "canonical"),
    "a float with a point": (INPUTS, lambda data: data.replace(b'"start":0', b'"start":0.0', 1), INPUTS, "canonical"),
    "an infinite number": (INPUTS, lambda data: data.replace(b'"start":0', b'"start":1e999', 1), INPUTS, "line 1"),
    "no number": (INPUTS, lambda data: data.replace(b'"start":0', b'"start":NaN', 1), INPUTS, "line 1"),
    "an integer too long": (TRACES, taken(b"9" * 400), TRACES, "line 1"),
    "an integer beyond 2⁵³": (TRACES, taken(b"1152921504606846976"), TRACES, "line 1"),
    "a key twice": (INPUTS, lambda data: data.replace(b"{", b'{"id":"x",', 1), INPUTS, "canonical"),
    "a field too many": (INPUTS, row(0, lambda r: r.update(answer="o1")), INPUTS, "line 1: answer"),
    "a field too few": (INPUTS, row(1, lambda r: r.pop("question")), INPUTS, "line 2: question"),
    "blank line": (INPUTS, lambda data: data + b"\n", INPUTS, "line 6"),
    "no line end": (INPUTS, lambda data: data[:-1], INPUTS, "canonical"),
    "deep nesting": (INPUTS, lambda data: b"[" * 100_000 + b"\n" + data, INPUTS, "line 1"),
    "rows reversed": (INPUTS, lines(lambda rows: rows[::-1]), INPUTS, "stands behind"),
    "row doubled": (KEYS, lines(lambda rows: rows[:1] + rows), KEYS, "stands twice"),
    "row removed": (INPUTS, lines(lambda rows: rows[1:]), INPUTS, "no item"),
    "key removed": (KEYS, lines(lambda rows: rows[1:]), KEYS, "no key"),
    "trace removed": (TRACES, lines(lambda rows: rows[1:]), TRACES, "no trace"),
    "option ids swapped": (
        INPUTS, row(0, lambda r: r["options"].insert(0, r["options"].pop())), INPUTS, "digest"
    ),
    "option reworded": (INPUTS, row(0, lambda r: r["options"][2].update(text="Alpha runs.")), INPUTS, "digest"),
    "options alike": (
        INPUTS, row(0, lambda r: r["options"][0].update(text=r["options"][1]["text"])), INPUTS, "says the same"
    ),
    "option empty": (INPUTS, row(0, lambda r: r["options"][0].update(text="")), INPUTS, "no word"),
    "answer elsewhere": (KEYS, row(0, lambda r: r.update(answer=["o7"])), KEYS, "not among"),
    "answer moved": (KEYS, row(0, lambda r: r.update(answer=list(r["traps"])[:1])), KEYS, "text of the key"),
    "trap removed": (KEYS, row(0, lambda r: r["traps"].popitem()), KEYS, "trap"),
    "trap of another kind": (KEYS, row(0, lambda r: r["traps"].update(o1="bait")), KEYS, "line 1"),
    "another story": (KEYS, row(0, lambda r: r.update(story="s0")), KEYS, "no source"),
    "events of other options": (TRACES, row(0, lambda r: r["recipe"]["events"].pop("o1")), TRACES, "events"),
    "recipe for another story": (TRACES, row(0, lambda r: r["recipe"].update(story_sha256="x")), TRACES, "no story"),
    "clip that is not there": (INPUTS, row(0, lambda r: r["clip"].update(media="media/x.json")), INPUTS, "no clip"),
    "clip too long": (INPUTS, row(0, lambda r: r["clip"].update(end=50)), INPUTS, "do not lie in"),
    "clip in seconds": (INPUTS, row(0, lambda r: r["clip"].update(unit="seconds")), INPUTS, "do not lie in"),
    "media longer than its transcript": (MEDIA, row(0, lambda r: r.update(end=50)), MEDIA, "no part of"),
    "media with another hash": (MEDIA, row(0, lambda r: r.update(sha256=sha256(b""))), "media/*.json", "its hash in"),
    "media of another licence": (MEDIA, row(0, lambda r: r.update(license="MIT")), MEDIA, "licence"),
    "media outside the folder": (MEDIA, row(0, lambda r: r.update(media="media/../../x.json")), MEDIA, "is called"),
    "media rows reversed": (MEDIA, lines(lambda rows: rows[::-1]), MEDIA, "behind"),
    "heads reversed": (HEADS, lines(lambda rows: rows[::-1]), HEADS, "ascending"),
    "head removed": (HEADS, lines(lambda rows: rows[1:]), HEADS, "has no head"),
    "head that is none": (HEADS, lambda data: data.replace(b"sha256:", b"sha512:", 1), HEADS, "one line"),
    "counted wrongly": (MANIFEST, whole(lambda m: m["counts"].update(items=6)), MANIFEST, "counts 6 items"),
    "counted too much": (MANIFEST, whole(lambda m: m["counts"].update({"capability/x": 1})), MANIFEST, "capability/x"),
    "said to be reviewed": (MANIFEST, whole(lambda m: m.update(reviewed=True)), MANIFEST, "reviewed"),
    "another canary": (MANIFEST, whole(lambda m: m.update(canary="x")), MANIFEST, "canary"),
    "another root": (MANIFEST, whole(lambda m: m.update(isolation_root=sha256(b""))), HEADS, "isolation root"),
    "a file that is not there": (
        MANIFEST, whole(lambda m: m["files"].update({"media/x.json": sha256(b"")})), "media/x.json", "missing"
    ),
    "a file not listed": (MANIFEST, whole(lambda m: m["files"].pop(INPUTS)), INPUTS, "not listed"),
}  # fmt: skip


@pytest.mark.parametrize(("path", "edit", "file", "says"), FORGERIES.values(), ids=FORGERIES.keys())
def test_what_sums_cannot_show(path: str, edit: Callable[[bytes], bytes], file: str, says: str, release: Path) -> None:
    forge(release, path, edit)
    found = verify(release).problems
    assert [problem for problem in found if fnmatch(problem.file, file) and says in problem.problem], found


def test_a_forged_document_is_found(release: Path) -> None:
    forge(release, layout.MANIFEST, lambda data: data)
    assert verify(release).ok
    for name in layout.DOCUMENTS:
        change(release / name, lambda data: data + b"\nReviewed by everybody.\n")
    sum_up(release, layout.PUBLIC)
    assert {problem.file for problem in verify(release).problems} == set(layout.DOCUMENTS)


def test_a_release_of_another_version_of_the_tool_is_held_against_its_sums(tmp_path: Path) -> None:
    release = freeze(content(tool_version="99.0"), tmp_path / "r")
    found = verify(release)
    assert found.ok
    assert [note for note in found.notes if "99.0" in note]


def test_many_problems_of_one_file_are_cut_short(tmp_path: Path) -> None:
    release = freeze(content(60), tmp_path / "r")
    change(release / "model_input/test.jsonl", lambda data: data.replace(b"\n", b"\r\n"))
    about = [problem.problem for problem in verify(release).problems if problem.file == "model_input/test.jsonl"]
    assert len(about) == 21
    assert about[-1].endswith("more problems")
