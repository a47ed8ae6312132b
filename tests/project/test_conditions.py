"""Evaluations with films, histories and worked examples: what reaches the model, what is stored, what is refused."""

import base64
import json
from pathlib import Path
from typing import Any

import av
import pytest
from benchwright.errors import InputError, UsageError
from benchwright.evaluation.conditions import named
from benchwright.media.frames import Frame, upright
from benchwright.project import folder
from benchwright.project.estimate import of_evaluation
from benchwright.project.evaluate import Evaluated, Evaluation, each, evaluate, evaluate_all
from benchwright.project.films import of_release
from benchwright.project.folder import Project
from benchwright.project.histories import under
from benchwright.project.people import take_in
from benchwright.project.releases import open_release
from benchwright.project.score import score
from benchwright.project.sight import Looking
from benchwright.schemas.base import sha256
from benchwright.schemas.clip import ClipRef, VideoSpan
from benchwright.schemas.human import HumanStep
from benchwright.schemas.release import MediaRow, ModelInput, SourceFacts
from benchwright.schemas.response import Response

from ..llm.openai_server import Got, Server, Turn, said
from ..media.test_cut import beeping
from ..media.videos import number_of, numbered
from .releases import item, made, manifest, media, write

VIDEO = "s-film"


def filmed(place: Path, kind: str = "seconds", count: int = 4, **changes: object) -> tuple[Path, Path]:
    """A release whose clips n lie at seconds n to n + 2 of one video, and the video."""
    release = made(place / "release", "s" * count)
    video = numbered(place / "play.mkv", 100, 5)
    items = [one.model_copy(update=changes) for one in (item(n, "single") for n in range(1, count + 1))]
    rows = []
    for number, one in enumerate(items, 1):
        row = media(one)
        if kind == "seconds":
            span = {"start": number, "end": number + 2, "unit": "seconds", "source_id": VIDEO}
            rows.append(row.model_copy(update=span))
            items[number - 1] = one.model_copy(
                update={"clip": ClipRef(media=row.media, start=number, end=number + 2, unit="seconds")}
            )
        else:
            shown = VideoSpan(source_id=VIDEO, start=number, end=number + 2, confidence=1)
            rows.append(row.model_copy(update={"video": shown if number < count else None}))
    write(release / "media" / "manifest.jsonl", rows)
    write(release / "model_input" / "test.jsonl", items)
    facts = SourceFacts(
        source_id=VIDEO, kind="video", license="CC0-1.0", language="en", sha256=sha256(video.read_bytes()), duration=20
    )
    write(release / "release.json", [manifest().model_copy(update={"sources": (facts,)})])
    return release, video


def project(place: Path, server: Server, takes: str) -> Project:
    place.joinpath("benchwright.yaml").write_text(
        f"version: 1\nname: tried\nbudget: {{usd: 9}}\n"
        f"models: {{openai/m: {{api_base: '{server.address}/v1', takes: [{takes}]}}}}\n"
        "prices: {openai/m: {input: 0.1, output: 0.1}}\n"
    )
    return folder.find(place)


def right(got: Got, number: int) -> Turn:
    return Turn(said('{"answer": "A"}'))


def asked(server: Server) -> list[list[dict[str, object]]]:
    """The content of the last message of each request."""
    found = [got.json["messages"][-1]["content"] for got in server.got]
    return [content if isinstance(content, list) else [{"type": "text", "text": content}] for content in found]


def pictures(content: list[dict[str, object]]) -> list[int]:
    numbers = []
    for part in content:
        if part["type"] == "image_url":
            data = base64.b64decode(part["image_url"]["url"].partition(",")[2])  # type: ignore[index]
            path = Path("picture.jpg")
            path.write_bytes(data)
            with av.open(str(path)) as container:
                numbers.append(number_of(Frame(0.0, upright(next(container.decode(video=0))))))
    return numbers


def go(opened: Project, release: Path, condition: str, *videos: Path, **changes: Any) -> Evaluated:
    how = Evaluation("openai/m", condition, concurrency=1, looking=Looking(videos))
    return evaluate(opened, release, how._replace(**changes))


def test_pictures_of_the_span_and_of_nothing_else_reach_the_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    release, video = filmed(tmp_path)
    with Server(right) as server:
        done = go(project(tmp_path, server, "image"), release, "full", video)
    # Five pictures a second; clip n from second n: its seconds' middles are pictures 5n + 2 and 5n + 7.
    assert sorted(map(pictures, asked(server))) == [[5 * n + 2, 5 * n + 7] for n in range(1, 5)]
    first = done.result.responses[0]
    assert first.given == ("background", "frames", "transcript")
    assert [(one.form, one.start, one.end) for one in first.media] == [("frames", 1.0, 1.5), ("frames", 1.0, 2.5)]
    assert done.result.info.takes == ("image",)
    assert "It rains" in json.dumps(asked(server)[0])


def test_a_film_with_sound_goes_natively_and_by_its_hash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    release, _ = filmed(tmp_path)
    video = beeping(tmp_path / "sounding.mp4")
    facts = open_release(release).manifest.sources[0].model_copy(update={"sha256": sha256(video.read_bytes())})
    write(release / "release.json", [manifest().model_copy(update={"sources": (facts,)})])
    with Server(right) as server:
        opened = project(tmp_path, server, "video, audio")
        full, seen, muted = (go(opened, release, condition, tmp_path) for condition in ("full", "visual-only", "muted"))
    kinds = [[part["type"] for part in content if part["type"] != "text"] for content in asked(server)]
    assert kinds == [["video_url", "input_audio"]] * 4 + [["video_url"]] * 8
    assert full.result.responses[0].given == ("background", "silent", "audio")
    assert seen.result.responses[0].given == ("background", "silent")
    assert muted.result.responses[0].given == ("background", "silent", "transcript")
    assert b"ecret" not in b"".join(got.body for got in server.got)
    assert "It rains" not in json.dumps(asked(server)[:8])


@pytest.mark.parametrize(
    ("condition", "expected"), [("single-image", [[5 * n + 5] for n in range(1, 4)]), ("visual-only", None)]
)
def test_runs_on_filmed_items_alone_are_scored_and_compared(
    condition: str, expected: list[list[int]] | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    release, video = filmed(tmp_path, "lines")
    with Server(right) as server:
        opened = project(tmp_path, server, "image")
        with pytest.raises(UsageError, match=r"i000000000004: .* no video shows its clip"):
            go(opened, release, condition, video)
        part = go(opened, release, condition, video, scope="film")
        shown = sorted(map(pictures, asked(server)))
        words = go(opened, release, "transcript-only", video)
    assert expected is None or shown == expected
    found = score(release, [part.folder, words.folder])
    assert [run.n for run in found.runs] == [3, 4]
    assert [run.complete for run in found.runs] == [True, True]
    assert [one.n for one in found.comparisons] == [3]
    assert [one.n for one in found.ablations] == [3]


def test_a_video_that_is_not_at_hand_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    release, video = filmed(tmp_path)
    video.rename(tmp_path / "play.txt")
    with Server(right) as server:
        opened = project(tmp_path, server, "image")
        with pytest.raises(UsageError, match=r"the video of source s-film .* not at hand: name it"):
            go(opened, release, "full", tmp_path)
        with pytest.raises(UsageError, match="nowhere is not there"):
            go(opened, release, "full", tmp_path / "nowhere")
        assert not server.got
        assert go(opened, release, "transcript-only").result.errors == 0
        assert go(opened, release, "full", tmp_path / "play.txt").result.errors == 0


def test_pieces_are_cut_once_and_cut_again_where_one_is_lost(tmp_path: Path) -> None:
    release, video = filmed(tmp_path)
    films = of_release(open_release(release), tmp_path / "media", [video])
    clip = ClipRef(media="media/c2.json", start=2.5, end=3.5, unit="seconds")
    shown = films.cut(clip, "silent")
    assert [(one.start, one.end) for one in shown] == [(2.5, 3.5)]
    medium = films.shelf.medium(shown[0].sha256)
    assert (medium.mime, medium.seconds) == ("video/mp4", 1.0)
    assert sha256(medium.path.read_bytes()) == shown[0].sha256
    video.unlink()
    again = of_release(open_release(release), tmp_path / "media", [])
    assert again.cut(clip, "silent") == shown
    medium.path.unlink()
    with pytest.raises(UsageError, match="not at hand"):
        again.cut(clip, "silent")
    with pytest.raises(UsageError, match="are not there"):
        of_release(open_release(release), tmp_path / "media", []).shelf.medium(shown[0].sha256)


def told(number: int, media: int, history: str) -> ModelInput:
    return item(number, "single").model_copy(
        update={
            "clip": ClipRef(media=f"media/c{media}.json", start=0, end=2, unit="lines"),
            "history": (history,) if history else (),
        }
    )


ITEMS = [
    told(1, 1, "one"),
    told(2, 1, "uno"),
    told(3, 2, "two"),
    told(4, 3, "three"),
    told(5, 4, "two"),
    told(6, 5, ""),
]
KIN = {"one": "a", "uno": "a", "two": "b", "three": "c"}
"""Histories of one clip, and those of clips that share one, belong together."""


@pytest.mark.parametrize("seed", [42, 2026, 3407, 1, 2])
def test_a_mismatched_history_is_that_of_another_clip(seed: int) -> None:
    found = under(ITEMS, named(f"history-mismatched#{seed}"))
    assert [one.id for one in found] == [one.id for one in ITEMS]
    assert found[5].history == ()
    for own, other in zip(ITEMS[:5], found[:5], strict=True):
        assert KIN[own.history[0]] != KIN[other.history[0]]
        assert other.model_copy(update={"history": own.history}) == own
    assert under(ITEMS[::-1], named(f"history-mismatched#{seed}"))[::-1] == found


@pytest.mark.parametrize(
    ("items", "condition", "message"),
    [
        (ITEMS[5:], "history-none", "no item of the release has a history"),
        (ITEMS[:2], "history-mismatched#42", "belong to one clip, or are the same"),
        ([ITEMS[2], ITEMS[4]], "history-mismatched#42", "belong to one clip, or are the same"),
    ],
)
def test_histories_that_cannot_be_changed_are_refused(items: list[ModelInput], condition: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        under(items, named(condition))


def test_histories_are_run_and_their_seeds_averaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    release = made(tmp_path / "release", "s" * 12)
    items = [told(number, number, f"before {number}") for number in range(1, 13)]
    write(release / "model_input" / "test.jsonl", items)
    conditions = ["history-matched", "history-none", "history-mismatched"]
    done = evaluate_all(None, release, each(["scripted/hash"], conditions, Evaluation("")))
    assert [one.result.info.condition for one in done] == [
        "history-matched", "history-none", *(f"history-mismatched#{seed}" for seed in (42, 2026, 3407))
    ]  # fmt: skip
    found = score(release, [one.folder for one in done])
    assert [(one.condition, one.base) for one in found.ablations] == [
        ("history-matched", "history-none"), ("history-mismatched", "history-none")
    ]  # fmt: skip
    seeds = [run.accuracy.value or 0 for run in found.runs[2:]]
    assert found.ablations[1].accuracy == pytest.approx(sum(seeds) / 3)


def elsewhere(place: Path, formats: str = "s" * 8) -> Path:
    """A release of examples: of other items, from another source."""
    release = made(place, formats)
    facts = SourceFacts(source_id="s-other", kind="story", license="CC0-1.0", language="en", sha256="sha256:2")
    write(release / "release.json", [manifest().model_copy(update={"name": "others", "sources": (facts,)})])
    return release


def test_worked_examples_come_from_another_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    release, others = made(tmp_path / "release", "s" * 4), elsewhere(tmp_path / "others")
    with Server(right) as server:
        opened = project(tmp_path, server, "")
        done = go(opened, release, "2-shot", looking=Looking(shots=others))
    assert [len(got.json["messages"]) for got in server.got] == [6] * 4
    assert done.result.info.shots == f"others 1.0.0 {open_release(others).sha256}"
    assert [run.n for run in score(release, [done.folder]).runs] == [4]


def test_examples_that_share_a_source_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    release, others = elsewhere(tmp_path / "release"), elsewhere(tmp_path / "others", "ssss")
    for examples, message in ((release, "are the release itself|share source"), (others, "share source s-other")):
        how = Evaluation("scripted/hash", "1-shot", looking=Looking(shots=examples))
        with pytest.raises(UsageError, match=message):
            evaluate(None, release, how)
    with pytest.raises(UsageError, match="name a release of examples with --shots"):
        evaluate(None, release, Evaluation("scripted/hash", "1-shot"))


def test_examples_show_steps_of_people_that_were_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    release, others = made(tmp_path / "release", "ss"), elsewhere(tmp_path / "others")
    steps = tmp_path / "human" / "others-1.0.0"
    steps.mkdir(parents=True)
    (tmp_path / "steps.jsonl").write_bytes(
        b"".join(
            HumanStep(person="p1", item=f"i{n:012d}", step=place, text=f"step {place}").model_dump_json().encode()
            + b"\n"
            for n in range(1, 4)
            for place in (1, 2)
        )
    )
    take_in(others, "traces", [tmp_path / "steps.jsonl"], steps)
    with Server(right) as server:
        opened = project(tmp_path, server, "")
        go(opened, release, "2-shot", trace="steps", looking=Looking(shots=others))
        with pytest.raises(UsageError, match=r"4 shots: .* has 3 items of format single with a person's trace"):
            go(opened, release, "4-shot", trace="steps", looking=Looking(shots=others))
    example = json.loads(server.got[0].json["messages"][2]["content"])
    assert [step["step"] for step in example["trace"]] == ["step 1", "step 2"]


def test_an_estimate_knows_every_run_and_its_films(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    release, video = filmed(tmp_path)
    with Server(right) as server:
        opened = project(tmp_path, server, "image")
        runs = each(["openai/m"], ["full", "question-only"], Evaluation("", looking=Looking((video,))))
        before = of_evaluation(opened, release, runs).json()
        assert [(line["role"], line["calls"]) for line in before["roles"]] == [("full", 4), ("question-only", 4)]
        assert before["roles"][0]["input_tokens"] > before["roles"][1]["input_tokens"] + 4 * 2 * 800
        evaluate_all(opened, release, runs)
        assert of_evaluation(opened, release, runs).json()["calls"] == 0


def test_one_folder_holds_one_run() -> None:
    with pytest.raises(UsageError, match="2 runs cannot share the folder x"):
        each(["a/b"], ["full", "muted"], Evaluation("", out=Path("x")))
    assert len(each(["a/b", "c/d"], ["full", "muted", "full"], Evaluation(""))) == 4


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"media": ()}, "lacks the transcript|not the reply to what run.json says"),
        ({"given": ("background",)}, "lacks the transcript, against full"),
        ({"condition": "question-only"}, "stands twice, or is none|not the reply"),
    ],
)
def test_a_reply_to_something_else_is_refused(
    changes: dict[str, object], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    release, video = filmed(tmp_path)
    with Server(right) as server:
        done = go(project(tmp_path, server, "image"), release, "full", video)
    lines: list[Response] = [one.model_copy(update=changes) for one in done.result.responses[:1]]
    write(done.folder / "responses.jsonl", [*lines, *done.result.responses[1:]])  # type: ignore[arg-type]
    with pytest.raises((InputError, UsageError), match=message):
        score(release, [done.folder])


def test_media_rows_of_a_video_of_its_own_count_as_films(tmp_path: Path) -> None:
    release, _ = filmed(tmp_path)
    found = open_release(release).filmed()
    assert all(isinstance(row, MediaRow) for row in found.values())
    assert len(found) == 4
