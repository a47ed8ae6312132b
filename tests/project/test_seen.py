"""Films reach whoever makes and filters items: each role gets its clip, nothing beside it, as its model takes it.

Every picture of the video carries the second at which it is shown.
"""

import base64
import io
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import av
import pytest
import yaml
from benchwright.media.frames import Frame, upright
from benchwright.media.sampling import moments
from benchwright.project import audit, folder, items
from benchwright.project.ablate import ablate
from benchwright.project.build import build
from benchwright.project.estimate import of_build
from benchwright.project.folder import Project
from benchwright.schemas.base import sha256
from benchwright.schemas.clip import Span
from benchwright.schemas.item import Item

from ..llm.gemini_server import Gemini, generated
from ..llm.openai_server import Got, Server, Turn, said
from ..media.videos import number_of, numbered
from .test_observed import asked_of, requests
from .test_observed_server import knowing, words
from .watched import SCRIPT, THINGS, watched

OURS = f"scripted/{SCRIPT}"
TARGETS = {"interaction_timing": 3}
ROLES = ("question", "answer", "critic")


def filmed(path: Path) -> Path:
    return numbered(path, 220, 1)


def seen(place: Path, takes: list[str], **settings: Any) -> Project:
    given: dict[str, Any] = {"targets": TARGETS, "models": {OURS: {"takes": takes}}} | settings
    return watched(place, **({"film": filmed} | given))


def accepted(project: Project) -> list[Item]:
    ids = [one.id for one in items.listing(project) if one.outcome == "accepted"]
    return [items.show(project, one).item for one in ids]


def numbers(picture: bytes) -> list[int]:
    with av.open(io.BytesIO(picture), "r") as container:
        return [number_of(Frame(0.0, upright(frame))) for frame in container.decode(video=0)]


def shown(request: Any) -> list[Any]:
    return [part for part in request["messages"][1]["parts"] if part["kind"] != "text"]


def pieces(project: Project) -> dict[str, bytes]:
    found = (path.read_bytes() for path in (project.state / "media").iterdir() if path.suffix != ".json")
    return {sha256(data): data for data in found}


@pytest.fixture(scope="module")
def pictured(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Built by models that take pictures."""
    project = seen(tmp_path_factory.mktemp("seen") / "p", ["image"])
    assert build(project).accepted == 3
    return project


@pytest.mark.parametrize("role", ROLES)
def test_each_role_gets_the_pictures_of_its_clip_and_no_other(pictured: Project, role: str) -> None:
    kept = pieces(pictured)
    spans = {f"{thing} by the door": Span(start=n * 21.0, end=n * 21.0 + 21) for n, thing in enumerate(THINGS)}
    sent = requests(pictured, role)
    assert len(sent) >= 3
    for request in sent:
        told = request["messages"][1]["parts"]
        span = next(span for cue, span in spans.items() if any(cue in part["text"] for part in told))
        times = [number for part in shown(request) for number in numbers(kept[part["media_sha256"]])]
        assert len(times) >= 12
        assert times == sorted(times)
        assert span.start <= times[0] <= times[-1] < span.end
        heading = next(part["text"] for part in told if part["label"] == "film")
        assert heading.startswith(f"The scene, as {len(times)} pictures, from 0.5, 1.5, ")
        assert any("1. Alpha" in part["text"] or "Alpha: Did" in part["text"] for part in told), "and the transcript"


def test_what_was_shown_is_replayed_and_another_film_is_found(pictured: Project, tmp_path: Path) -> None:
    assert audit.isolation(pictured) == []
    assert asked_of(pictured, "answer") == 9
    (pictured.state / "media").rename(tmp_path / "media")
    assert audit.isolation(pictured) == [], "the pieces are cut again"
    copy = tmp_path / "p"
    copy.mkdir()
    (copy / "benchwright.yaml").write_bytes(pictured.file.path.read_bytes())
    (copy / ".benchwright").mkdir()
    with (
        closing(sqlite3.connect(pictured.store)) as source,
        closing(sqlite3.connect(copy / ".benchwright/store.sqlite")) as to,
    ):
        source.backup(to)
    moved = folder.find(copy)
    assert {found.code for found in audit.isolation(moved)} >= {"isolation-film-missing"}
    for span in (copy / ".benchwright" / "media", tmp_path / "media"):
        span.mkdir(exist_ok=True)
    _swapped(tmp_path / "media", copy / ".benchwright" / "media")
    assert {found.code for found in audit.isolation(moved)} >= {"isolation-prompt-differs"}


def _swapped(here: Path, there: Path) -> None:
    """The same pieces, each said to be of another clip."""
    indices = sorted(here.glob("*.json"))
    for path in here.iterdir():
        (there / path.name).write_bytes(path.read_bytes())
    for one, other in zip(indices, indices[1:] + indices[:1], strict=True):
        (there / one.name).write_bytes(other.read_bytes())


def test_a_text_only_model_reads_the_transcript(tmp_path: Path) -> None:
    project = seen(tmp_path / "p", [])
    assert build(project).accepted == 3
    for role in ROLES:
        assert not any(shown(request) for request in requests(project, role))
    assert not (project.state / "media").exists(), "nothing is cut for nobody"


def test_thirty_two_pictures_where_the_project_says_so(tmp_path: Path) -> None:
    project = seen(tmp_path / "p", ["image"], targets={"interaction_timing": 1}, frames="32")
    build(project)
    assert {len(shown(request)) for request in requests(project, "answer")} == {32}
    text = project.file.path.read_text("utf-8").replace("frames: '32'", "frames: 1fps")
    project.file.path.write_text(text, "utf-8")
    assert folder.find(project.root).config.frames == "1fps"
    assert audit.isolation(folder.find(project.root)) == [], "what was shown then is replayed as it was"


def test_the_estimate_counts_the_pictures(tmp_path: Path) -> None:
    priced = {"prices": {OURS: {"input": 1, "output": 0}}, "budget": {"usd": None}}
    blind, seeing = (of_build(seen(tmp_path / name, takes, **priced)) for name, takes in (("b", []), ("s", ["image"])))
    one, other = (lines.lines[0] for lines in (blind, seeing))
    pictures = len(moments(Span(start=0.5, end=15.8 + 0.5), "1fps"))
    assert other.input_tokens - one.input_tokens == pytest.approx(one.calls * pictures * 800, rel=0.05)
    assert other.usd - one.usd == pytest.approx(one.calls * pictures * 800 / 1e6, rel=0.05)


def test_filters_see_films_before_there_is_a_release(tmp_path: Path) -> None:
    """A model that knows the answer by the picture alone, and one that reads."""
    project = seen(tmp_path / "p", ["image"])
    build(project)
    answer = {"benchwright_script": 1, "rules": [{"reply": {"answer": "A"}}]}
    for name in ("sees", "reads"):
        (project.root / f"{name}.yaml").write_text(yaml.safe_dump(answer), "utf-8")
    known = yaml.safe_load(project.file.path.read_text("utf-8"))
    known["models"] = {"scripted/sees.yaml": {"takes": ["image"]}}
    project.file.path.write_text(yaml.safe_dump(known), "utf-8")
    project = folder.find(project.root)
    found = ablate(project, ["scripted/sees.yaml", "scripted/reads.yaml"]).filters
    assert found.not_run.keys() == {"scripted/reads.yaml single-image"}
    assert "takes no pictures" in found.not_run["scripted/reads.yaml single-image"]
    run = {(one.model, one.condition) for one in found.accuracy}
    assert {condition for model, condition in run if "sees" in model} == {
        "question-only", "transcript-only", "single-image", "full",
    }  # fmt: skip
    sent = requests(project, "filter")
    kept = pieces(project)
    stills = [request for request in sent if [one["label"] for one in shown(request)] == ["image"]]
    assert {len(shown(request)) for request in sent} >= {0, 1}
    middles = {number for one in stills for number in numbers(kept[shown(one)[0]["media_sha256"]])}
    spans = [items.show(project, one.item_id).item.clip for one in accepted(project)]
    assert middles == {int((span.start + span.end) / 2) for span in spans}
    assert all("question" in json.dumps(request) for request in sent)


def wordless(path: Path) -> Path:
    """Without subtitles beside it."""
    path.with_suffix(".srt").unlink()
    return filmed(path)


def test_of_a_video_without_words_models_that_see_nothing_make_nothing(tmp_path: Path) -> None:
    project = watched(tmp_path / "p", film=wordless, targets=TARGETS)
    counted = build(project)
    assert (counted.accepted, counted.calls) == (0, 0)
    assert "talk.mp4 has no words, and the models of question, answer, critic see no pictures" in counted.warnings


def broken(path: Path) -> Path:
    """Whose pictures are gone from the second clip on, though its index tells of them."""
    data = bytearray(filmed(path).read_bytes())
    start = data.index(b"mdat") + 4
    size = int.from_bytes(data[start - 8 : start - 4], "big") - 8
    cut = start + size // 8
    data[cut : start + size] = bytes(start + size - cut)
    path.write_bytes(data)
    return path


def test_a_clip_that_its_video_does_not_show_ends_its_slot_alone(tmp_path: Path) -> None:
    project = seen(tmp_path / "p", ["image"], film=broken)
    counted = build(project)
    assert counted.reasons.keys() == {"film-failed"}
    assert counted.discarded >= 2
    assert audit.isolation(project) == []


def bodies(server: Server) -> Iterator[tuple[str, list[int]]]:
    """The words of each request, and the numbers of the pictures in it."""
    for got in server.got:
        content = got.json["messages"][1]["content"]
        urls = [part["image_url"]["url"] for part in content if part["type"] == "image_url"]
        pictures = [base64.b64decode(url.removeprefix("data:image/jpeg;base64,")) for url in urls]
        yield words(content), [number for picture in pictures for number in numbers(picture)]


def test_the_bodies_that_a_server_gets_carry_the_pictures_of_the_span_alone(tmp_path: Path) -> None:
    pytest.importorskip("aiohttp")
    with Server(lambda got, number: Turn(said(knowing(got)))) as server:
        project = watched(
            tmp_path / "p",
            film=filmed,
            targets=TARGETS,
            roles={role: {"policy": "llm", "model": "openai/m"} for role in ROLES},
            models={"openai/m": {"api_base": f"{server.address}/v1", "takes": ["image"]}},
            prices={"openai/m": {"input": 0.1, "output": 0.1}},
            budget={"usd": 1000},
        )
        assert build(project).accepted == 3
        assert len(server.got) == 3 * 5
        for told, pictures in bodies(server):
            number = next(n for n, thing in enumerate(THINGS) if f"my {thing} by the door" in told)
            assert pictures == list(range(number * 21, number * 21 + len(pictures)))[: len(pictures)]
            assert 14 <= len(pictures) <= 17
            assert str(tmp_path) not in told
            assert "talk" not in told.replace("talked", "")
    assert audit.isolation(project) == []


class Watching(Gemini):
    """Replies as a good model does to what it is told; it cannot know what the video shows."""

    def __call__(self, got: Got, number: int) -> Turn:
        if "generateContent" not in got.path:
            return super().__call__(got, number)
        self.asked.append(got.json)
        turns = [("system", got.json["systemInstruction"])] + [(one["role"], one) for one in got.json["contents"]]
        told = [
            {"role": role if role != "model" else "assistant", "content": "\n\n".join(
                part["text"] for part in one["parts"] if "text" in part)}
            for role, one in turns
        ]  # fmt: skip
        return Turn(generated(knowing(Got("", "", {}, json.dumps({"messages": told}).encode()))))


def large(path: Path) -> Path:
    """A video that is sent once, and not with each request: filled up with a box that players skip."""
    filmed(path)
    with path.open("ab") as file:
        file.write((1_500_000).to_bytes(4, "big") + b"free" + bytes(1_499_992))
    return path


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.filterwarnings("ignore:Sending a large body:ResourceWarning")
def test_gemini_gets_the_video_once_and_the_seconds_of_each_clip(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("google.genai")
    monkeypatch.setenv("GEM_KEY", "AIza-not-a-real-key")
    gemini = Watching(2)
    with Server(gemini) as server:
        gemini.address = server.address
        project = watched(
            tmp_path / "p",
            film=large,
            targets=TARGETS,
            roles={role: {"policy": "llm", "model": "gemini/flash"} for role in ROLES},
            models={"gemini/flash": {"api_base": server.address, "api_key": "$GEM_KEY"}},
            prices={"gemini/flash": {"input": 0.1, "output": 0.1}},
            budget={"usd": 1000},
        )
        assert build(project).accepted == 3
        uploads = [got for got in server.got if got.path.startswith("/upload")]
    video = (project.root / "talk.mp4").read_bytes()
    assert list(gemini.files.values()) == [video], "uploaded once"
    assert gemini.looks >= 2
    assert gemini.deleted == ["files/f0"]
    assert b"talk" not in b"".join(got.body + str(got.headers).encode() for got in uploads)
    assert len(gemini.asked) == 15
    clips = {one.clip.media: one.clip for one in accepted(project)}
    spans = {(f"{one.start:.3f}s", f"{one.end:.3f}s") for one in clips.values()}
    for sent in gemini.asked:
        (part,) = [part for part in sent["contents"][0]["parts"] if "text" not in part]
        assert part["fileData"]["file_uri"] == "https://files/files/f0"
        told = part["videoMetadata"]
        assert (told["start_offset"], told["end_offset"]) in spans
        assert sent["generationConfig"]["responseJsonSchema"]["properties"]
    assert audit.isolation(project) == []
