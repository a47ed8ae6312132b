"""Versions: which number says what changed, what the errata hold, and that an id is never used again."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from benchwright.errors import InputError, RefusedError, UsageError
from benchwright.project.releases import open_release
from benchwright.project.versions import Difference, diff, parse_reasons, succeed
from benchwright.release.content import ReleaseContent
from benchwright.release.freeze import freeze
from benchwright.release.verify import verify
from benchwright.schemas.base import content_hash
from benchwright.schemas.clip import TranscriptLine
from benchwright.schemas.release import Erratum

from ..release.build import NAME, Made, content, made

WHY = {"": "a reader found it"}
Rows = list[Made]


def of(rows: Rows, **changed: Any) -> ReleaseContent:
    """A release of these rows."""
    return content(
        clips=sorted((one.clip for one in rows), key=lambda clip: clip.ref.media),
        items=[one.item for one in rows],
        keys=[one.key for one in rows],
        traces=[one.trace for one in rows],
        heads={one.item.id: content_hash(one.item.id) for one in rows},
        **changed,
    )


def frozen(rows: Rows, releases: Path, version: str | None, reasons: dict[str, str] | None = None) -> Path:
    found = succeed(of(rows), releases, version, reasons or {})
    return freeze(found.content, releases / f"{found.content.title}-{found.content.version}")


def rows(count: int = 5) -> Rows:
    return list(made(count))


def fewer() -> Rows:
    return rows()[1:]


def more() -> Rows:
    return rows(6)


def requested() -> Rows:
    """The question of the first item in other words."""
    return with_first(
        item=lambda item: item.model_copy(update={"question": "What does Alpha do then, before the stop?"})
    )


def rekeyed(to: str | None = None) -> Rows:
    """Another option of the first item is right, or a certain one."""

    def turn(key: Any) -> Any:
        answer = to or min(key.traps)
        traps = {name: "logic" for name in (*key.traps, *key.answer) if name != answer}
        text = next(option.text for option in rows()[0].item.options if option.id == answer)
        return key.model_copy(update={"answer": (answer,), "answer_text": text, "traps": traps})

    return with_first(key=turn)


def retold() -> Rows:
    """The clip of the first item says another thing."""

    def tell(clip: Any) -> Any:
        return clip.model_copy(update={"transcript": (TranscriptLine(text="Hm."), *clip.transcript[1:])})

    return with_first(clip=tell)


def retraced() -> Rows:
    return with_first(trace=lambda trace: trace.model_copy(update={"proof": "enumerated 10 paths"}))


def with_first(**edits: Callable[[Any], Any]) -> Rows:
    found = rows()
    for name, edit in edits.items():
        setattr(found[0], name, edit(getattr(found[0], name)))
    return found


CASES = [
    pytest.param(rows, "1.0.1", (), id="the-same"),
    pytest.param(more, "1.1.0", (), id="added"),
    pytest.param(fewer, "2.0.0", ((),), id="removed"),
    pytest.param(requested, "2.0.0", (("question",),), id="question"),
    pytest.param(rekeyed, "2.0.0", (("answer", "answer_text", "traps"),), id="key"),
    pytest.param(retold, "2.0.0", (("transcript",),), id="transcript"),
    pytest.param(retraced, "2.0.0", (("proof",),), id="trace"),
]


@pytest.mark.parametrize(("later", "version", "changed"), CASES)
def test_the_number_follows_from_what_changed(
    later: Callable[[], Rows], version: str, changed: tuple[tuple[str, ...], ...], tmp_path: Path
) -> None:
    frozen(rows(), tmp_path, "1.0.0")
    new = frozen(later(), tmp_path, None, WHY if changed else {})
    assert new.name.endswith(f"-{version}")
    assert verify(new).problems == ()
    errata = [Erratum.model_validate_json(line) for line in (new / "errata.jsonl").read_bytes().splitlines()]
    assert tuple(one.changed for one in errata) == changed
    assert {(one.version, one.id, one.reason) for one in errata} <= {(version, rows()[0].item.id, WHY[""])}
    assert diff(tmp_path / "small-unreviewed-1.0.0", new).findings == ()


def lines_of(folder: Path, path: str) -> list[Any]:
    return [json.loads(line) for line in (folder / path).read_bytes().splitlines()]


def test_hashes_are_those_of_the_lines(tmp_path: Path) -> None:
    old, new = frozen(rows(), tmp_path, "1.0.0"), frozen(requested(), tmp_path, None, WHY)
    (one,) = lines_of(new, "errata.jsonl")
    assert one["public_hash_before"] == content_hash(lines_of(old, "model_input/test.jsonl")[0])
    assert one["public_hash_after"] == content_hash(lines_of(new, "model_input/test.jsonl")[0])


WRONG = [
    pytest.param(rows, "1.1.0", "no record changed, so the next one is 1.0.1", id="minor-for-the-same"),
    pytest.param(more, "1.0.1", "records were added, so the next one is 1.1.0", id="patch-for-added"),
    pytest.param(more, "2.0.0", "records were added", id="major-for-added"),
    pytest.param(more, "1.1.1", "records were added", id="two-numbers"),
    pytest.param(requested, "1.1.0", "changed or removed, so the next one is 2.0.0", id="minor-for-changed"),
    pytest.param(fewer, "1.0.1", "records were changed or removed", id="patch-for-removed"),
]  # fmt: skip


@pytest.mark.parametrize(("later", "version", "says"), WRONG)
def test_a_number_that_says_otherwise(later: Callable[[], Rows], version: str, says: str, tmp_path: Path) -> None:
    frozen(rows(), tmp_path, "1.0.0")
    with pytest.raises(UsageError, match=says):
        frozen(later(), tmp_path, version, WHY)


@pytest.mark.parametrize("version", ["2.0.0", "4.0.0"])
def test_a_number_may_be_left_out(version: str, tmp_path: Path) -> None:
    frozen(rows(), tmp_path, "1.0.0")
    assert frozen(requested(), tmp_path, version, WHY).is_dir()


def test_a_change_needs_a_reason(tmp_path: Path) -> None:
    frozen(rows(), tmp_path, "1.0.0")
    item, other = rows()[0].item.id, rows()[1].item.id
    with pytest.raises(RefusedError, match=f"--reason {item}=WHY") as caught:
        frozen(requested(), tmp_path, None)
    assert caught.value.findings == (f"{item}: changed (question)",)
    with pytest.raises(UsageError, match="neither changed nor removed"):
        frozen(requested(), tmp_path, None, {item: "unclear", other: "unclear too"})
    assert frozen(requested(), tmp_path, None, {item: "unclear"}).is_dir()


def test_a_reason_may_hold_no_name(tmp_path: Path) -> None:
    frozen(rows(), tmp_path, "1.0.0")
    with pytest.raises(RefusedError) as caught:
        frozen(requested(), tmp_path, None, {"": f"{NAME} was not there"})
    assert "name-leak" in caught.value.findings[0]


def test_the_first_version_has_no_errata(tmp_path: Path) -> None:
    first = frozen(rows(), tmp_path, None)
    assert first.name == "small-unreviewed-1.0.0"
    assert not (first / "errata.jsonl").exists()
    with pytest.raises(UsageError, match="no earlier version"):
        succeed(of(rows()), tmp_path / "other", None, WHY)


def test_an_id_is_never_used_again(tmp_path: Path) -> None:
    """Out in 2.0.0, and back in what would be 2.1.0; the errata remember it over any number of versions."""
    frozen(rows(), tmp_path, "1.0.0")
    frozen(fewer(), tmp_path, "2.0.0", WHY)
    frozen(fewer(), tmp_path, "2.0.1")
    with pytest.raises(RefusedError) as caught:
        frozen(rows(), tmp_path, None)
    assert caught.value.findings == (
        f"{rows()[0].item.id}: was taken out in 2.0.0; an id is never used again [id-used-again]",
    )


def test_errata_of_all_versions_are_kept(tmp_path: Path) -> None:
    frozen(rows(), tmp_path, "1.0.0")
    frozen(requested(), tmp_path, "2.0.0", {"": "unclear"})
    last = frozen(rows(), tmp_path, "3.0.0", {"": "it was clear after all"})
    opened = open_release(last)
    assert [one.version for one in opened.manifest.history] == ["1.0.0", "2.0.0"]
    assert [one.reason for one in opened.errata()] == ["unclear", "it was clear after all"]
    assert verify(last).ok
    assert diff(tmp_path / "small-unreviewed-1.0.0", last) == Difference(
        open_release(tmp_path / "small-unreviewed-1.0.0"), opened, (), (), (), ()
    )


def test_freezing_an_older_version_again_gives_the_same_bytes(tmp_path: Path) -> None:
    first = frozen(rows(), tmp_path, "1.0.0")
    second = frozen(requested(), tmp_path, "2.0.0", WHY)
    frozen(rows(), tmp_path, "3.0.0", WHY)
    before = (second / "release.json").read_bytes()
    second.rename(tmp_path / "elsewhere")
    assert (frozen(requested(), tmp_path, "2.0.0", WHY) / "release.json").read_bytes() == before
    assert first.is_dir()


def test_answers_that_are_not_at_hand(tmp_path: Path) -> None:
    first = frozen(rows(), tmp_path, "1.0.0")
    (first / "answers").rename(tmp_path / "away")
    with pytest.raises(InputError, match="has no answers/"):
        frozen(rows(), tmp_path, None)
    apart = tmp_path / "small-unreviewed-1.0.0-apart"
    apart.mkdir()
    (tmp_path / "away").rename(apart / "answers")
    assert frozen(rows(), tmp_path, None).name == "small-unreviewed-1.0.1"


def test_diff_of_releases_that_do_not_follow(tmp_path: Path) -> None:
    """Each frozen as if it were the first: neither number nor errata say what changed."""
    one, other = (
        freeze(of(own, version=version), tmp_path / version)
        for own, version in ((rows(), "1.0.0"), (requested(), "1.0.1"))
    )
    found = diff(one, other)
    assert [(change.kind, change.fields) for change in found.changes] == [("changed", ("question",))]
    assert found.level == "major"
    assert found.findings == ("small-unreviewed 1.0.1 does not name small-unreviewed 1.0.0 among its earlier versions",)
    assert diff(other, one).findings == ()


def test_diff_without_answers(tmp_path: Path) -> None:
    one, other = frozen(rows(), tmp_path, "1.0.0"), frozen(rekeyed(), tmp_path, "2.0.0", WHY)
    (one / "answers").rename(tmp_path / "away")
    found = diff(one, other)
    assert (found.changes, found.withheld) == ((), ("answers",))


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ([], {}),
        (["they were  unclear"], {"": "they were unclear"}),
        (["i0123456789ab=a=b", "x=y"], {"i0123456789ab": "a=b", "": "x=y"}),
    ],
    ids=str,
)
def test_reasons_as_they_are_given(given: list[str], found: dict[str, str]) -> None:
    assert parse_reasons(given) == found


@pytest.mark.parametrize("given", [["i0123456789ab="], [" "], ["one", "two"]], ids=str)
def test_reasons_that_are_none(given: list[str]) -> None:
    with pytest.raises(UsageError, match="--reason"):
        parse_reasons(given)


def hashed(where: bytes) -> Callable[[list[bytes]], list[bytes]]:
    """Another hash in the last line."""
    return lambda lines: [*lines[:-1], lines[-1].replace(where + b'":"sha256:', where + b'":"sha256:0', 1)]


FORGED = {
    "a line taken out": (lambda lines: lines[:1], "is not what 2.0.0 made of it"),
    "lines reversed": (lambda lines: lines[::-1], "ascend"),
    "another hash after": (hashed(b"public_hash_after"), "is not what 3.0.0 made of it"),
    "another hash before": (hashed(b"public_hash_before"), "does not follow"),
    "another version": (lambda lines: [lines[0].replace(b'"2.0.0"', b'"2.5.0"'), *lines[1:]], "version 2.5.0"),
}


@pytest.mark.parametrize(("edit", "says"), FORGED.values(), ids=FORGED.keys())
def test_errata_that_were_edited(edit: Callable[[list[bytes]], list[bytes]], says: str, tmp_path: Path) -> None:
    frozen(rows(), tmp_path, "1.0.0")
    frozen(requested(), tmp_path, "2.0.0", WHY)
    last = frozen(rows(), tmp_path, "3.0.0", WHY)
    file = last / "errata.jsonl"
    file.write_bytes(b"".join(edit(file.read_bytes().splitlines(keepends=True))))
    problems = [problem.problem for problem in verify(last).problems if problem.file == "errata.jsonl"]
    assert any("its hash in release.json" in problem for problem in problems)
    assert any(says in problem for problem in problems)
