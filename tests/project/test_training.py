"""Training data hold nothing of a release: no source, no passage, no question; what they hold is right and valid."""

import json
import runpy
import shutil
from pathlib import Path
from typing import Any

import pytest
from benchwright.errors import RefusedError, UsageError
from benchwright.evaluation.parse import parse_answer
from benchwright.project import folder
from benchwright.project.folder import Project
from benchwright.project.freeze import freeze
from benchwright.project.releases import open_release
from benchwright.project.training import Exported, export
from benchwright.schemas.base import sha256
from benchwright.schemas.clip import TranscriptLine
from benchwright.schemas.files import to_line
from benchwright.schemas.release import ModelInput, SourceFacts

from .releases import made, manifest, write

NAMES = ("Odile", "Ferris", "Brannick", "Linnea")


@pytest.fixture(scope="module")
def project(finished: Project, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A copy of the built project, without any release."""
    copy = shutil.copytree(finished.root.parent, tmp_path_factory.mktemp("training") / "t")
    shutil.rmtree(copy / "project" / "releases", ignore_errors=True)
    return folder.find(copy / "project")


@pytest.fixture(scope="module")
def frozen(finished: Project, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release of the same project, elsewhere."""
    copy = shutil.copytree(finished.root.parent, tmp_path_factory.mktemp("frozen") / "f")
    shutil.rmtree(copy / "project" / "releases", ignore_errors=True)
    return freeze(folder.find(copy / "project"), "1.0.0", unreviewed=True, day="2031-01-02").folder


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release that has nothing in common with it."""
    return made(tmp_path_factory.mktemp("other") / "release", "sso")


@pytest.fixture(scope="module")
def done(project: Project, other: Path, tmp_path_factory: pytest.TempPathFactory) -> Exported:
    return export(project, [other], tmp_path_factory.mktemp("out") / "data")


def rows(done: Exported, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (done.folder / name).read_text("utf-8").splitlines()]


def test_every_item_is_there_and_counted(done: Exported, frozen: Path, other: Path) -> None:
    items = [item.id for item in open_release(frozen).inputs()]
    assert [row["id"] for row in rows(done, "sft.jsonl")] == items
    assert [row["id"] for row in rows(done, "grpo.jsonl")] == items
    assert done.counts == {"sft": len(items), "grpo": len(items)}
    told = json.loads((done.folder / "training.json").read_text())
    assert told["apart_from"] == {"small 1.0.0": open_release(other).sha256}
    assert told["files"] == {name: sha256((done.folder / name).read_bytes()) for name in told["files"]}
    assert set(told["files"]) == {"sft.jsonl", "grpo.jsonl", "reward.py"}


def test_targets_hold_the_answer_and_one_observation(done: Exported, frozen: Path) -> None:
    opened = open_release(frozen)
    keys, transcripts = opened.keys(), opened.transcripts()
    answers = {key.id: key.answer_text for key in keys}
    items = {item.id: item for item in opened.inputs()}
    for row in rows(done, "sft.jsonl"):
        system, user, assistant = row["messages"]
        assert [turn["role"] for turn in row["messages"]] == ["system", "user", "assistant"]
        target = json.loads(assistant["content"])
        assert [name for name, value in target.items() if value is not None] == ["G", "answer"]
        assert list(target) == ["G", "W", "N", "T", "S", "A", "M", "R", "answer"]
        told = transcripts[items[row["id"]].clip.media]
        assert target["G"] in [f"{line.speaker}: {line.text}" if line.speaker else line.text for line in told]
        assert f"\n\n{target['answer']}. {answers[row['id']]}" in user["content"]
        assert '"G": "<statement>"' in system["content"]


def test_the_reward_beside_the_data_takes_the_targets_and_no_other_letter(done: Exported) -> None:
    reward = runpy.run_path(str(done.folder / "reward.py"))["reward"]
    targets = {row["id"]: row["messages"][-1]["content"] for row in rows(done, "sft.jsonl")}
    prompts = rows(done, "grpo.jsonl")
    columns = {name: [row[name] for row in prompts] for name in ("answer", "letters", "format")}
    assert set(reward([targets[row["id"]] for row in prompts], **columns)) == {1.0}
    for row in prompts:
        for letter in row["letters"]:
            text = json.dumps({**json.loads(targets[row["id"]]), "answer": letter})
            read = parse_answer(text, row["letters"]).ids
            assert reward([text], **{name: [row[name]] for name in columns}) == [float(list(read) == row["answer"])]


def test_prompts_end_before_the_answer_and_hold_no_real_name(done: Exported) -> None:
    for row in rows(done, "grpo.jsonl"):
        assert [turn["role"] for turn in row["prompt"]] == ["system", "user"]
    for path in done.folder.iterdir():
        assert not any(name in path.read_text("utf-8") for name in NAMES)


def test_two_exports_have_the_same_bytes(project: Project, other: Path, done: Exported, tmp_path: Path) -> None:
    again = export(project, [other], tmp_path / "data")
    for path in done.folder.iterdir():
        assert (again.folder / path.name).read_bytes() == path.read_bytes()


def nothing_left(project: Project, against: list[Path], out: Path) -> str:
    with pytest.raises(RefusedError) as caught:
        export(project, against, out)
    assert not out.exists()
    return str(caught.value)


def test_a_source_of_a_release_is_left_out(project: Project, frozen: Path, other: Path, tmp_path: Path) -> None:
    said = nothing_left(project, [other, frozen], tmp_path / "data")
    assert "of a source of a release" in said


def test_releases_of_the_project_count_unasked(project: Project, frozen: Path, tmp_path: Path) -> None:
    root = shutil.copytree(project.root.parent, tmp_path / "p") / "project"
    shutil.copytree(frozen, root / "releases" / frozen.name)
    assert "of a source of a release" in nothing_left(folder.find(root), [], tmp_path / "data")


def with_source(place: Path, sha: str) -> Path:
    release = made(place, "s")
    fact = SourceFacts(source_id="s000000000f", kind="story", license="CC0-1.0", language="en", sha256=sha)
    write(release / "release.json", [manifest().model_copy(update={"sources": (fact,)})])
    return release


def test_the_same_file_under_another_id_is_found_by_its_hash(project: Project, frozen: Path, tmp_path: Path) -> None:
    sha = open_release(frozen).manifest.sources[0].sha256
    said = nothing_left(project, [with_source(tmp_path / "r", sha)], tmp_path / "data")
    assert "of a source of a release" in said


def test_a_source_in_another_form_is_found_by_what_is_said(project: Project, frozen: Path, tmp_path: Path) -> None:
    """As subtitles of another cut of the same video have it: other spacing and case, some lines more, some fewer, and
    no menus."""
    release, told = made(tmp_path / "r", "s"), open_release(frozen).transcripts()
    longest = [line for line in max(told.values(), key=len) if line.told]
    lines = [TranscriptLine(text="Nobody knew how the winter would end."), *longest[1:]]
    lines = [line.model_copy(update={"text": f"{line.text.upper()}  "}) for line in lines]
    (release / "media" / "c1.json").write_bytes(to_line(lines))
    said = nothing_left(project, [release], tmp_path / "data")
    assert "of a source that says what a release's clip says" in said


def test_what_nearly_asks_the_same_is_left_out_alone(project: Project, frozen: Path, tmp_path: Path) -> None:
    release, item = made(tmp_path / "r", "s"), open_release(frozen).inputs()[0]
    own = open_release(release).inputs()[0]
    options = tuple(option.model_copy(update={"text": option.text.replace(".", "!")}) for option in item.options)
    near: list[ModelInput] = [own.model_copy(update={"question": item.question.lower(), "options": options})]
    write(release / "model_input" / "test.jsonl", near)
    done = export(project, [release], tmp_path / "data")
    assert done.counts["left/nearly ask what a release asks"] >= 1
    kept = {row["id"] for row in rows(done, "sft.jsonl")}
    assert item.id not in kept
    assert kept


def test_there_must_be_a_release_to_keep_apart_from(project: Project, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no release to keep the training data apart from"):
        export(project, [], tmp_path / "data")


def test_it_is_written_to_a_new_folder_outside_any_release(project: Project, other: Path, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    for place in (tmp_path / "data", other / "data"):
        with pytest.raises(UsageError):
            export(project, [other], place)
