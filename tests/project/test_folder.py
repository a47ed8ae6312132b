"""A project's folder: made once, never half, never over another."""

from pathlib import Path

import pytest
from benchwright.errors import InputError, UsageError
from benchwright.knowledge.loader import load_taxonomy
from benchwright.project import config, folder
from benchwright.project.config import Config
from benchwright.project.ingest import ingest
from benchwright.project.sources import located


def test_the_first_file_states_the_defaults(tmp_path: Path) -> None:
    project = folder.init(tmp_path / "My Tales")
    assert project.config == Config(version=1, name="my-tales", targets=project.config.targets)
    assert set(project.config.targets) <= set(load_taxonomy().capabilities)


NAMES = {
    "2024": "2024", "1.5": "1.5", "0x1f": "0x1f", "1e3": "1e3", "2024-01-02": "2024-01-02", "true": "true", "on": "on",
    "null": "null", "~": "benchmark", "---": "benchmark", "пример": "benchmark", "a: b": "a-b", "#x": "x", "'q'": "q",
    "[1]": "1", "new\nline": "new-line", "$HOME": "home", "$$": "benchmark", "-x": "x", "%s": "s", "a\\b": "a-b",
}  # fmt: skip
"""What YAML takes for something else than text, and what is no name."""


@pytest.mark.parametrize(("name", "expected"), NAMES.items(), ids=map(repr, NAMES))
def test_a_folder_of_any_name_becomes_a_project_and_takes_sources_in(tmp_path: Path, name: str, expected: str) -> None:
    place = tmp_path / name
    assert folder.init(place).config.name == expected
    talk = place / f"{name}.srt"
    talk.write_text("1\n00:00:01,000 --> 00:00:03,000\nANNA: Hello.\n", "utf-8")
    assert ingest(folder.find(place), [talk], "CC0-1.0").refused == ()
    (source,) = folder.find(place).config.sources
    assert located(folder.find(place), source.path or "") == talk


def test_every_setting_is_named_in_the_first_file(tmp_path: Path) -> None:
    text = folder.init(tmp_path / "p").file.path.read_text("utf-8")
    missing = {name for name in Config.model_fields if f"{name}:" not in text} - {"taxonomy"}
    assert not missing


def test_a_second_init_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    path = folder.init(tmp_path).file.path
    path.write_text("version: 1\nname: mine\n")
    with pytest.raises(UsageError, match="is there already"):
        folder.init(tmp_path)
    assert path.read_text() == "version: 1\nname: mine\n"


@pytest.mark.parametrize("below", ["file/project", "file"], ids=["below-a-file", "a-file"])
def test_a_place_that_cannot_be_written_is_refused(tmp_path: Path, below: str) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(UsageError, match="cannot write to"):
        folder.init(tmp_path / below)
    assert (tmp_path / "file").read_text() == "not a folder"


def test_the_kernels_own_folder_is_refused() -> None:
    if not Path("/proc/self").is_dir():
        pytest.skip("needs a read-only place that holds for root too")
    with pytest.raises(UsageError, match="cannot write to /proc"):
        folder.init(Path("/proc/self/project"))


def test_paths_lie_inside_the_project(tmp_path: Path) -> None:
    project = folder.init(tmp_path)
    places = (project.store, project.checkpoints, project.cache, project.releases, project.runs)
    assert all(tmp_path.resolve() in place.parents for place in places)


def test_a_server_as_store_is_refused_with_its_line(tmp_path: Path) -> None:
    (tmp_path / config.FILE_NAME).write_text("version: 1\nname: a\nstore: postgresql://host/db\n")
    with pytest.raises(InputError, match=r":3: the store is a SQLite file"):
        _ = folder.find(tmp_path).store
