"""Answers handed on apart, or under a passphrase: what ships says nothing of them, and who has them can check."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from benchwright.errors import InputError, UsageError
from benchwright.project.freeze import Handover, _prepared
from benchwright.project.releases import open_release
from benchwright.project.verify import verify
from benchwright.release import layout
from benchwright.release.apart import beside
from benchwright.release.freeze import freeze
from benchwright.release.lock import passphrase

from .build import NAME, content, made

WORDS = b"correct horse battery staple"
GATED = ("apart", "encrypted")


@pytest.fixture(scope="module")
def gated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("gated")
    for how in GATED:
        freeze(content(answers=how), folder / how, secret=WORDS)
    (folder / "words").write_bytes(WORDS + b"\n")
    return folder


@pytest.fixture
def copies(gated: Path, tmp_path: Path) -> Path:
    return shutil.copytree(gated, tmp_path / "copies")


def tree(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def blamed(found: Any) -> set[str]:
    return {problem.file for problem in found.problems}


@pytest.mark.parametrize("how", GATED)
def test_what_ships_holds_no_answer(how: str, gated: Path) -> None:
    shipped = tree(gated / how)
    assert not [path for path in shipped if path.startswith(("answers/", "grounding/"))]
    assert not [path for path, data in shipped.items() if NAME.encode() in data]
    kept = {"answers": ["SHA256SUMS", "key.jsonl"], "grounding": ["SHA256SUMS", "heads.txt", "trace.jsonl"]}
    assert sorted(tree(beside(gated / how))) == [f"{part}/{name}" for part, names in kept.items() for name in names]
    turned = [one.key.model_copy(update={"tier": "B"}) for one in made(5)]
    other = tree(freeze(content(answers=how, keys=turned), gated / f"{how}-other", secret=WORDS))
    differing = {path for path in shipped if shipped[path] != other[path]}
    assert differing <= {"release.json", "SHA256SUMS", layout.LOCKED}


@pytest.mark.parametrize("how", GATED)
def test_two_freezes_are_the_same_bytes(how: str, gated: Path, tmp_path: Path) -> None:
    again = freeze(content(answers=how), tmp_path / how, secret=WORDS)
    assert tree(again) == tree(gated / how)
    assert tree(beside(again)) == tree(beside(gated / how))


@pytest.mark.parametrize("how", GATED)
def test_the_public_part_is_checked_alone(how: str, gated: Path) -> None:
    found = verify(gated / how)
    assert found.ok
    said = {"apart": "kept apart", "encrypted": "not in the clear"}[how]
    assert [f"{part}: {said}, so not checked" for part in ("answers", "grounding")] == list(found.notes[:2])


@pytest.mark.parametrize("how", GATED)
def test_with_the_answers_all_is_checked(how: str, copies: Path) -> None:
    kept = beside(copies / how)
    found = verify(copies / how, answers=kept)
    assert found.ok
    assert len(found.notes) == 1
    for path, data in tree(kept).items():
        (kept / path).write_bytes(data.replace(b"a", b"b", 1))
        assert path in blamed(verify(copies / how, answers=kept))
        (kept / path).write_bytes(data)
    (kept / "more").write_bytes(b"")
    assert blamed(verify(copies / how, answers=kept)) == {"more"}


def test_with_the_key_the_answers_are_checked(copies: Path) -> None:
    found = verify(copies / "encrypted", key=copies / "words")
    assert found.ok
    assert [note.split(":")[0] for note in found.notes[:1]] == ["grounding"]


@pytest.mark.parametrize("how", GATED)
def test_answers_that_were_put_back_are_a_whole_release(how: str, copies: Path) -> None:
    shutil.copytree(beside(copies / how), copies / how, dirs_exist_ok=True)
    assert verify(copies / how).ok
    assert len(list(open_release(copies / how).keys())) == 5


def test_answers_are_found_beside_apart_and_by_key(copies: Path) -> None:
    wanted = [one.key for one in made(5)]
    assert list(open_release(copies / "apart").keys()) == wanted
    elsewhere = beside(copies / "apart").rename(copies / "elsewhere")
    with pytest.raises(InputError, match="--answers"):
        open_release(copies / "apart").keys()
    for place in (elsewhere, elsewhere / "answers", elsewhere / layout.KEYS):
        assert list(open_release(copies / "apart", answers=place).keys()) == wanted
    assert list(open_release(copies / "encrypted", key=copies / "words").keys()) == wanted


def test_answers_of_another_release_are_none(copies: Path, tmp_path: Path) -> None:
    other = freeze(content(4, answers="apart"), tmp_path / "other")
    with pytest.raises(InputError, match="holds not the answers"):
        open_release(copies / "apart", answers=beside(other)).keys()


def test_another_key_opens_nothing(copies: Path) -> None:
    (copies / "wrong").write_bytes(b"correct horse battery stable")
    with pytest.raises(InputError, match="does not open it"):
        verify(copies / "encrypted", key=copies / "wrong")
    with pytest.raises(InputError, match="does not open it"):
        open_release(copies / "encrypted", key=copies / "wrong").keys()


def test_a_changed_byte_opens_nothing(copies: Path) -> None:
    file = copies / "encrypted" / layout.LOCKED
    data = file.read_bytes()
    for at in (0, len(data) // 2, len(data) - 1):
        file.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        assert layout.LOCKED in blamed(verify(copies / "encrypted"))
        with pytest.raises(InputError):
            open_release(copies / "encrypted", key=copies / "words").keys()


@pytest.mark.parametrize("how", GATED)
def test_locked_answers_belong_to_releases_that_say_so(how: str, copies: Path) -> None:
    file = copies / how / layout.LOCKED
    if how == "apart":
        file.write_bytes(b"")
    else:
        file.unlink()
    assert layout.LOCKED in blamed(verify(copies / how))


def test_what_a_killed_freeze_left_beside_may_stay(copies: Path) -> None:
    """Killed between the two: the answers are there, and the release is not."""
    before = tree(copies)
    shutil.rmtree(copies / "apart")
    freeze(content(answers="apart"), copies / "apart")
    assert tree(copies) == before


@pytest.mark.parametrize("edit", [b"", b"other"], ids=["emptied", "changed"])
def test_what_somebody_else_left_beside_is_not_touched(edit: bytes, copies: Path) -> None:
    shutil.rmtree(copies / "apart")
    (beside(copies / "apart") / layout.KEYS).write_bytes(edit)
    before = tree(copies)
    with pytest.raises(UsageError, match="is not what belongs to this release"):
        freeze(content(answers="apart"), copies / "apart")
    assert tree(copies) == before


@pytest.mark.parametrize(
    ("text", "says"), [(None, "no such file"), (b"", "of 0 characters"), (b"short\n", "fewer than 16")], ids=str
)
def test_passphrases_that_are_none(text: bytes | None, says: str, tmp_path: Path) -> None:
    if text is not None:
        (tmp_path / "words").write_bytes(text)
    with pytest.raises(UsageError, match=says):
        passphrase(tmp_path / "words")


@pytest.mark.parametrize(
    "wrong", [Handover(answers="encrypted"), Handover(key=Path("k")), Handover(answers="apart", key=Path("k"))], ids=str
)
def test_a_key_is_for_encrypted_answers(wrong: Handover) -> None:
    with pytest.raises(UsageError, match="--answers encrypted --key FILE"):
        _prepared(wrong)


def test_the_card_asks_for_no_file_that_is_not_there(gated: Path) -> None:
    for how in GATED:
        card = (gated / how / "README.md").read_text("utf-8")
        names = [config["config_name"] for config in yaml.safe_load(card.split("---\n")[1])["configs"]]
        assert "key" not in names
        manifest = json.loads((gated / how / "release.json").read_text("utf-8"))
        assert manifest["answers"] == how
        assert layout.KEYS in manifest["files"]
