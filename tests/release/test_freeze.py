"""What `freeze` writes, what it refuses, and that it leaves nothing half done."""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from benchwright.errors import RefusedError, StoppedError, UsageError
from benchwright.release.freeze import freeze
from benchwright.release.verify import verify
from benchwright.schemas.base import digest
from benchwright.schemas.clip import TranscriptLine
from benchwright.schemas.item import Option
from benchwright.schemas.release import ModelInput, Override
from benchwright.state.log import isolation_root

from .build import NAME, SOURCE, Made, content, made


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_two_freezes_are_the_same_bytes(tmp_path: Path) -> None:
    one, two = freeze(content(), tmp_path / "one"), freeze(content(), tmp_path / "two")
    assert tree(one) == tree(two)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one", "two"]


def test_verify_finds_no_fault(release: Path) -> None:
    assert verify(release).problems == ()


def test_the_manifest(release: Path) -> None:
    manifest = json.loads((release / "release.json").read_text("utf-8"))
    assert manifest["name"] == "small-unreviewed"
    assert manifest["reviewed"] is False
    assert manifest["counts"]["items"] == 5
    assert manifest["counts"]["status/answerable"] == 2
    assert manifest["isolation_root"] == isolation_root(content().heads)
    assert "release.json" not in manifest["files"]
    assert len(manifest["files"]) == 5 + 5


def test_rows_are_sorted_lines_that_end_in_lf(release: Path) -> None:
    for name in ("model_input/test.jsonl", "answers/key.jsonl", "grounding/trace.jsonl"):
        data = (release / name).read_bytes()
        ids = [json.loads(line)["id"] for line in data.splitlines()]
        assert ids == sorted(ids)
        assert data.endswith(b"}\n")
        assert b"\r" not in data


def test_names_stand_in_the_grounding_alone(release: Path) -> None:
    assert [path for path, data in tree(release).items() if NAME.encode() in data] == ["grounding/trace.jsonl"]


def test_the_answer_stands_in_no_public_file(release: Path) -> None:
    """No public byte depends on which option is right, the hash of the keys and what is made from it aside."""
    rows = list(made(5))
    turned = []
    for one in rows:
        key, other = one.key, next(option for option in one.item.options if option.id not in one.key.answer)
        traps = {option.id: "logic" for option in one.item.options if option.id != other.id}
        turned.append(key.model_copy(update={"answer": (other.id,), "answer_text": other.text, "traps": traps}))
    before, after = tree(release), tree(freeze(content(keys=turned), release.with_name("turned")))
    differing = {path for path in before if before[path] != after[path]}
    assert differing == {"release.json", "SHA256SUMS", "answers/key.jsonl", "answers/SHA256SUMS"}
    manifests = [json.loads(files["release.json"]) for files in (before, after)]
    for manifest in manifests:
        del manifest["files"]["answers/key.jsonl"]
    assert manifests[0] == manifests[1]


def test_a_reviewed_release_says_so(tmp_path: Path) -> None:
    card = (freeze(content(reviewed=True), tmp_path / "r") / "README.md").read_text("utf-8")
    assert "nreviewed" not in card
    assert verify(tmp_path / "r").problems == ()


def first(**changed: Any) -> list[ModelInput]:
    """The items, the first of them changed."""
    items = [one.item for one in made(5)]
    return [items[0].model_copy(update=changed), *items[1:]]


def options(*texts: str) -> tuple[Option, ...]:
    return tuple(Option(id=f"o{at}", text=text) for at, text in enumerate(texts, 1))


def rows() -> list[Made]:
    return list(made(5))


def repeated() -> dict[str, Any]:
    """Two items that ask the same, each in order of its own ids."""
    one, other, *rest = (row.item for row in rows())
    texts = sorted((option.text.upper() for option in one.options), key=lambda text: digest(other.id, text))
    same = other.model_copy(update={"question": one.question, "options": options(*texts)})
    return {"items": [one, same, *rest]}


def clips_with(text: str) -> list[Any]:
    clips = sorted((one.clip for one in rows()), key=lambda clip: clip.ref.media)
    lines = (TranscriptLine(text=text), *clips[0].transcript[1:])
    return [clips[0].model_copy(update={"transcript": lines}), *clips[1:]]


def renamed_clip(media: str) -> dict[str, Any]:
    clips = sorted((one.clip for one in rows()), key=lambda clip: clip.ref.media)
    ref = clips[0].ref.model_copy(update={"media": media})
    return {"clips": [clips[0].model_copy(update={"ref": ref}), *clips[1:]]}


def key_with(**changed: Any) -> dict[str, Any]:
    keys = [one.key for one in rows()]
    return {"keys": [keys[0].model_copy(update=changed), *keys[1:]]}


def trace_with(**changed: Any) -> dict[str, Any]:
    traces = [one.trace for one in rows()]
    recipe = traces[0].recipe
    assert recipe is not None
    recipe = recipe.model_copy(update=changed)
    return {"traces": [traces[0].model_copy(update={"recipe": recipe}), *traces[1:]]}


REFUSED: dict[str, tuple[Callable[[], dict[str, Any]], str]] = {
    "name in a question": (lambda: {"items": first(question=f"Why did {NAME.upper()} go?")}, "name-leak"),
    "name in a background": (lambda: {"items": first(background=f"{NAME}’s house.")}, "name-leak"),
    "name in a history": (lambda: {"items": first(history=(f"{NAME} came.",))}, "name-leak"),
    "name in a capability": (lambda: {"items": first(capability=f"{NAME}_trust")}, "name-leak"),
    "name in a transcript": (lambda: {"clips": clips_with(f"“{NAME}!”")}, "name-leak"),
    "name in a file name": (lambda: renamed_clip(f"media/a{NAME}.json"), "name-leak"),
    "name in an override": (lambda: {"overrides": [Override(gate="x", reason=f"{NAME} said so")]}, "name-leak"),
    "name in the name": (lambda: {"name": f"{NAME.lower()}-bench"}, "name-leak"),
    "two options alike": (lambda: {"items": first(options=options("Yes.", "yes", "No"))}, "option-duplicate"),
    "an empty option": (lambda: {"items": first(options=options("Yes", " … "))}, "option-empty"),
    "one option": (lambda: {"items": first(options=options("Yes"))}, "option-count"),
    "options in another order": (lambda: {"items": first(options=rows()[0].item.options[::-1])}, "option-order"),
    "options not in NFC": (lambda: {"items": first(options=options("cafe\u0301", "tea"))}, "text-form"),
    "no answer": (lambda: key_with(answer=()), "answer-missing"),
    "an answer that is no option": (lambda: key_with(answer=("o9",)), "answer-missing"),
    "two answers to one question": (lambda: key_with(answer=("o1", "o2")), "answer-missing"),
    "another text than the option's": (lambda: key_with(answer_text="Something else."), "answer-missing"),
    "a wrong option without a trap": (lambda: key_with(traps={}), "trap-missing"),
    "a source nobody knows": (lambda: key_with(story="s9999999999"), "source-missing"),
    "a story nobody knows": (lambda: trace_with(story_sha256="sha256:00"), "story-missing"),
    "a recipe for other options": (lambda: trace_with(events={}), "recipe-options"),
    "no licence of a source": (lambda: {"sources": [SOURCE.model_copy(update={"license": ""})]}, "license-missing"),
    "an unknown licence": (lambda: {"sources": [SOURCE.model_copy(update={"license": "unknown"})]}, "license-unknown"),
    "words for a licence": (lambda: {"license": "free for all"}, "license-unknown"),
    "no licence": (lambda: {"license": ""}, "license-missing"),
    "one id twice": (lambda: {"items": [rows()[0].item, *first()]}, "id-collision"),
    "ids out of order": (lambda: {"items": first()[::-1]}, "id-collision"),
    "one clip twice": (lambda: {"clips": [rows()[0].clip, rows()[0].clip]}, "id-collision"),
    "a key too few": (lambda: {"keys": [one.key for one in rows()][1:]}, "key-missing"),
    "a trace too few": (lambda: {"traces": [one.trace for one in rows()][:-1]}, "trace-missing"),
    "an item too few": (lambda: {"items": first()[1:]}, "input-missing"),
    "no items": (lambda: {"items": [], "keys": [], "traces": [], "clips": []}, "release-empty"),
    "a clip too few": (lambda: {"clips": clips_with("Hm.")[1:]}, "clip-missing"),
    "a clip too many": (lambda: {"clips": sorted([Made(99).clip, *clips_with("Hm.")], key=media)}, "clip-unused"),
    "a clip outside the release": (lambda: renamed_clip("media/../../escape.json"), "clip-path"),
    "a clip of another source": (lambda: {"sources": []}, "source-missing"),
    "a clip that is too short": (
        lambda: {"items": first(clip=rows()[0].item.clip.model_copy(update={"end": 99}))},
        "clip-range",
    ),
    "no head": (lambda: {"heads": {}}, "isolation-head-missing"),
    "the same question twice": (repeated, "item-duplicate"),
}


def media(clip: Any) -> str:
    return str(clip.ref.media)


@pytest.mark.parametrize(("broken", "code"), REFUSED.values(), ids=REFUSED.keys())
def test_gates_refuse(broken: Callable[[], dict[str, Any]], code: str, tmp_path: Path) -> None:
    with pytest.raises(RefusedError) as caught:
        freeze(content(**broken()), tmp_path / "r")
    assert [line for line in caught.value.findings if line.endswith(f"[{code}]")]
    assert list(tmp_path.iterdir()) == []


def test_every_finding_is_listed(tmp_path: Path) -> None:
    with pytest.raises(RefusedError) as caught:
        freeze(content(**key_with(answer=()), license=""), tmp_path / "r")
    assert {line.rsplit("[")[-1] for line in caught.value.findings} == {
        "answer-missing]", "trap-missing]", "license-missing]"
    }  # fmt: skip


@pytest.mark.parametrize(
    "changed",
    [{"version": "1"}, {"version": "1.0.0-rc1"}, {"date": "tomorrow"}, {"name": "a-unreviewed", "reviewed": True}],
    ids=str,
)
def test_what_is_asked_wrongly(changed: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        freeze(content(**changed), tmp_path / "r")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("standing", ["folder", "full folder", "file", "link to nowhere"])
def test_nothing_is_written_over(standing: str, tmp_path: Path) -> None:
    target = tmp_path / "r"
    if standing == "file":
        target.write_text("mine", encoding="utf-8")
    elif standing == "link to nowhere":
        target.symlink_to(tmp_path / "nowhere")
    else:
        target.mkdir()
        if standing == "full folder":
            (target / "mine").write_text("mine", encoding="utf-8")
    before = sorted(str(path) for path in tmp_path.rglob("*"))
    with pytest.raises(UsageError, match="never written over"):
        freeze(content(), target)
    assert sorted(str(path) for path in tmp_path.rglob("*")) == before


def test_what_a_killed_freeze_left_is_cleared(tmp_path: Path) -> None:
    (tmp_path / ".r.partial" / "media").mkdir(parents=True)
    (tmp_path / ".r.partial" / "README.md").write_text("half", encoding="utf-8")
    assert verify(freeze(content(), tmp_path / "r")).ok
    assert [path.name for path in tmp_path.iterdir()] == ["r"]


def test_a_fault_in_the_rows_leaves_nothing(tmp_path: Path) -> None:
    def broken() -> Any:
        yield rows()[0].item
        raise LookupError("the store fell over")

    with pytest.raises(LookupError):
        freeze(content(items=broken), tmp_path / "r")
    assert list(tmp_path.iterdir()) == []


def test_a_place_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(UsageError, match="cannot write"):
        freeze(content(), tmp_path / "file" / "r")


FULL = """
import resource, signal, sys
from pathlib import Path
sys.path.insert(0, {tests!r})
from tests.release.build import content
from benchwright.errors import StoppedError
from benchwright.release.freeze import freeze
limited = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, limited[1]))
try:
    freeze(content(), Path({target!r}))
except StoppedError as error:
    print(error)
    sys.exit(error.exit_code)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no limits on files there")
@pytest.mark.parametrize("size", [0, 100, 3000])
def test_a_file_that_cannot_grow_stops(size: int, tmp_path: Path) -> None:
    """RLIMIT_FSIZE is the portable way to a disk that takes no more."""
    root = Path(__file__).resolve().parents[2]
    program = FULL.format(tests=str(root), size=size, target=str(tmp_path / "r"))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 3, done.stderr
    assert "make room" in done.stdout
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="mounting needs root")
def test_a_full_disk_stops() -> None:
    with tempfile.TemporaryDirectory() as name:
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=32k", "none", name], check=False)
        if mounted.returncode:
            pytest.skip("cannot mount here")
        try:
            with pytest.raises(StoppedError, match="no space left"):
                freeze(content(40), Path(name) / "r")
            assert list(Path(name).iterdir()) == []
        finally:
            subprocess.run(["umount", name], check=True)


def test_every_code_is_documented() -> None:
    root = Path(__file__).resolve().parents[2]
    documented = set(re.findall(r"^\| `([a-z-]+)`", (root / "docs" / "findings.md").read_text("utf-8"), re.MULTILINE))
    text = "".join(path.read_text("utf-8") for path in sorted((root / "release").glob("*.py")))
    used = set(re.findall(r"(?:_find|_error)\(\s*\"([a-z-]+)\"", text))
    assert "name-leak" in used
    assert used - documented == set()
