"""A playthrough video goes through the product: ingested, aligned, in the clips, in the release; what is broken is one
line, and the rest goes on."""

import json
from pathlib import Path
from shutil import copytree

import pytest
from benchwright.audit.page import audit_page
from benchwright.errors import InputError, UsageError
from benchwright.project import audit, folder, items, sources
from benchwright.project.build import build
from benchwright.project.folder import Project
from benchwright.project.freeze import freeze
from benchwright.project.ingest import Beside, ingest
from benchwright.project.recordings import recorded
from benchwright.project.verify import verify
from benchwright.schemas.base import canonical
from benchwright.schemas.clip import Clip
from benchwright.schemas.item import Plan
from benchwright.state.store import Store

from .films import LINE, SECONDS, filmed


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, tuple[int, ...]]:
    """A project whose build is done; to be looked at only."""
    project, done, play = filmed(tmp_path_factory.mktemp("film") / "w")
    assert done.refused == ()
    build(project)
    return project, play


def test_ingest_tells_what_the_video_shows(tmp_path: Path) -> None:
    project, done, play = filmed(tmp_path / "w")
    (video,) = done.added  # the story was there already
    assert (video.kind, video.license, video.title) == ("video", "CC-BY-4.0", "play")
    assert done.shown[video.source_id].play == play
    assert done.shown[video.source_id].confidence == 1.0
    entry = project.config.sources[-1]
    assert (entry.path, entry.subtitles, entry.narrative) == ("../play.mp4", "../play.srt", "../tale.yaml")
    with Store.open(project.store) as store:
        footage = sources.footage_of(store)[video.source_id]
    assert (footage.duration, footage.audio, footage.subtitles) == (SECONDS, False, "../play.srt")
    again = ingest(project, [tmp_path / "w" / "play.mp4"], "", Beside(narrative=tmp_path / "w" / "tale.yaml"))
    assert (again.added, {source.kind for source in again.known}) == ((), {"story", "video"})
    other = ingest(project, [tmp_path / "w" / "play.mp4"], "", Beside(narrative=tmp_path / "w" / "play.srt"))
    assert [error.problem for error in other.refused] == [
        "is listed already with another narrative; change its entry in benchwright.yaml"
    ]


def test_the_recorded_play_is_the_first_of_the_plays(film: tuple[Project, tuple[int, ...]]) -> None:
    project, play = film
    gathered = sources.gather(project)
    (recording,) = next(iter(recorded(project, gathered).recordings.values()))
    assert recording.alignment.play == play


def test_clips_of_that_play_have_their_span_and_no_others(film: tuple[Project, tuple[int, ...]]) -> None:
    project, play = film
    with Store.open(project.store) as store:
        clips = [(store.latest(Plan, key.slot_id), clip) for key, clip in store.all(Clip)]
    there = 0
    for plan, clip in clips:
        assert plan is not None
        way = (*plan.play, plan.taken)
        assert (clip.video is not None) == (play[: len(way)] == way)
        if clip.video:
            there += 1
            assert clip.video.confidence == 1.0
            # Every line and choice takes LINE seconds and a menu none: a clip's first one says where it begins.
            assert clip.video.start % LINE == 0
            assert clip.video.end - clip.video.start == pytest.approx(
                LINE * sum(line.told for line in clip.transcript) - 0.5
            )
    assert 0 < there < len(clips)


@pytest.fixture(scope="module")
def frozen(film: tuple[Project, tuple[int, ...]]) -> Path:
    """The one release of the project: which version may follow depends on what was frozen before."""
    return freeze(film[0], "0.1.0", unreviewed=True, day="2031-01-02").folder


def test_the_release_names_the_video_and_does_not_hold_it(frozen: Path) -> None:
    release = frozen
    assert verify(release).ok
    rows = [json.loads(line) for line in (release / "media" / "manifest.jsonl").read_text().splitlines()]
    spans = [row["video"] for row in rows if "video" in row]
    assert 0 < len(spans) < len(rows)
    manifest = json.loads((release / "release.json").read_text())
    (video,) = [source for source in manifest["sources"] if source["kind"] == "video"]
    assert (video["duration"], video["license"]) == (SECONDS, "CC-BY-4.0")
    assert {span["source_id"] for span in spans} == {video["source_id"]}
    assert all(0 <= span["start"] < span["end"] <= SECONDS for span in spans)
    assert not list(release.rglob("*.mp4"))
    filmed_clips = {row["media"] for row in rows if "video" in row}
    items_of = [json.loads(line) for line in (release / "model_input" / "test.jsonl").read_text().splitlines()]
    there = {row["id"] for row in items_of if row["clip"]["media"] in filmed_clips}
    keys = [json.loads(line) for line in (release / "answers" / "key.jsonl").read_text().splitlines()]
    assert {row["id"] for row in keys if "names-audible" in row["tags"]} == there
    assert not any("ui-shown" in row["tags"] for row in keys)  # the tale has no hidden variable


def test_an_item_and_its_audit_say_where_the_video_shows_it(film: tuple[Project, tuple[int, ...]]) -> None:
    project, _ = film
    accepted = [items.show(project, one.id) for one in items.listing(project) if one.outcome == "accepted"]
    there = next(shown for shown in accepted if shown.video)
    assert there.clip
    assert there.clip.video
    assert there.video == ("../play.mp4", there.clip.video.start, there.clip.video.end, 1.0)
    assert json.loads(json.dumps(there.json()))["video"]["path"] == "../play.mp4"
    done = audit.audit(project, there.item.item_id)
    assert done.video == str(there.video)
    assert done.film is None, "only a page needs it"
    assert done.video in audit_page(done, "benchwright audit")
    film_of = audit.audit(project, there.item.item_id, film=True).film
    assert film_of
    assert film_of.length == there.clip.video.end - there.clip.video.start
    assert film_of.data
    assert done.unresolved == ()
    assert {bool(shown.video) for shown in accepted} == {True, False}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"end": SECONDS + 1.0}, "do not lie in the 240 seconds of the video"),
        ({"source_id": "s0000000000"}, "the release names no video s0000000000"),
    ],
    ids=["beyond its end", "of no video"],
)
def test_a_forged_span_is_found(frozen: Path, tmp_path: Path, change: dict[str, object], said: str) -> None:
    release = Path(copytree(frozen, tmp_path / "r"))
    path = release / "media" / "manifest.jsonl"
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    place = next(at for at, row in enumerate(rows) if "video" in row)
    rows[place]["video"] |= change
    path.write_bytes(b"".join(canonical(row) + b"\n" for row in rows))
    problems = [one.problem for one in verify(release).problems if one.file == "media/manifest.jsonl"]
    assert any(said in problem for problem in problems)


@pytest.mark.parametrize(
    ("files", "options", "said"),
    [
        (["tale.yaml"], {"subtitles": "play.srt"}, "is no video"),
        (["tale.yaml"], {"narrative": "tale.yaml"}, "is no video"),
        (["play.mp4"], {"narrative": "play.srt"}, "no story that is read here"),
        (["play.mp4"], {"subtitles": "missing.srt"}, "no such file"),
    ],
)
def test_files_that_do_not_belong_together(
    tmp_path: Path, files: list[str], options: dict[str, str], said: str
) -> None:
    filmed(tmp_path / "w")
    project, place = folder.init(tmp_path / "new"), tmp_path / "w"
    done = ingest(project, [place / name for name in files], "", Beside(**{k: place / v for k, v in options.items()}))
    assert [said in str(error) for error in done.refused] == [True]
    with pytest.raises(UsageError, match="belong to one video"):
        ingest(project, [place / "tale.yaml", place / "play.mp4"], "", Beside(narrative=place / "tale.yaml"))


def test_a_play_that_the_author_gives(tmp_path: Path) -> None:
    project, _, play = filmed(tmp_path / "w")
    text, entry = project.file.path.read_text(), "  narrative: ../tale.yaml"
    project.file.path.write_text(text.replace(entry, f"{entry}\n  play: {list(play[:3])}"))
    changed = folder.find(project.root)
    (recording,) = next(iter(recorded(changed, sources.gather(changed)).recordings.values()))
    assert recording.alignment.play == play[:3]
    project.file.path.write_text(text.replace(entry, f"{entry}\n  play: [0, 7]"))
    changed = folder.find(project.root)
    found = recorded(changed, sources.gather(changed))
    assert [str(error) for error in found.refused] == ["../play.mp4: its `play` makes choice 2, which is not offered"]


def test_an_address_is_not_fetched(tmp_path: Path) -> None:
    project = folder.init(tmp_path / "p")
    text = project.file.path.read_text().replace("sources: []", "sources: [{url: 'https://example.org/v.mp4'}]")
    project.file.path.write_text(text)
    with pytest.raises(InputError, match="addresses are not fetched; download the video"):
        build(folder.find(project.root))
