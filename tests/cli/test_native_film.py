"""A frozen release with film, shown to Gemini as it is: from the command line over HTTP to the score."""

import base64
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from benchwright.llm.genai_client import INLINE
from benchwright.media.probe import probe
from benchwright.schemas.base import sha256
from benchwright.schemas.clip import ClipRef
from benchwright.schemas.release import SourceFacts

from ..llm.gemini_server import Gemini, generated
from ..llm.openai_server import Server, Turn
from ..project.releases import item, made, manifest, media, write
from .conftest import Cli

pytest.importorskip("google.genai")
# google-genai is warned of its own use of aiohttp.
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:Sending a large body:ResourceWarning"),
]

SPANS = ((1.0, 6.0), (6.5, 7.5))
"""Of the two clips; the first is noise, which no codec makes small, the second a black picture."""
RATE = 25


def noisy(path: Path) -> Path:
    random = np.random.default_rng(1)
    noise = [random.integers(0, 256, (480, 640, 3), dtype=np.uint8) for _ in range(8)]
    with av.open(str(path), "w") as container:
        video = container.add_stream("mpeg4", rate=RATE)
        video.width, video.height, video.bit_rate = 640, 480, 60_000_000
        for number in range(8 * RATE):
            pixels = noise[number % 8] if number < 6.2 * RATE else np.zeros((480, 640, 3), np.uint8)
            picture = av.VideoFrame.from_ndarray(pixels, format="rgb24")
            picture.time_base, picture.pts = Fraction(1, RATE), number
            container.mux(video.encode(picture))
        container.mux(video.encode())
    return path


def filmed(place: Path) -> tuple[Path, Path]:
    release, video = made(place / "release", "ss"), noisy(place / "play.mkv")
    items, rows = [], []
    for number, (start, end) in enumerate(SPANS, 1):
        one = item(number, "single")
        items.append(
            one.model_copy(update={"clip": ClipRef(media=one.clip.media, start=start, end=end, unit="seconds")})
        )
        span = {"start": start, "end": end, "unit": "seconds", "source_id": "s-film"}
        rows.append(media(one).model_copy(update=span))
    write(release / "media" / "manifest.jsonl", rows)
    write(release / "model_input" / "test.jsonl", items)
    facts = SourceFacts(
        source_id="s-film",
        kind="video",
        license="CC0-1.0",
        language="en",
        sha256=sha256(video.read_bytes()),
        duration=8,
    )
    write(release / "release.json", [manifest().model_copy(update={"sources": (facts,)})])
    return release, video


def seconds(data: bytes, place: Path) -> float:
    place.write_bytes(data)
    return probe(place).duration


def test_a_film_is_uploaded_or_goes_along_and_what_was_shown_is_stored_and_scored(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GEMINI_API_KEY", "AIza-not-a-real-key")
    release, video = filmed(tmp_path)
    gemini = Gemini(2, Turn(generated('{"answer": "A"}')))
    with Server(gemini) as server:
        gemini.address = server.address
        tmp_path.joinpath("benchwright.yaml").write_text(
            "version: 1\nname: tried\nbudget: {usd: 9}\nprices: {gemini/flash: {input: 0.1, output: 0.1}}\n"
            f"models: {{gemini/flash: {{api_base: '{server.address}', api_key: $GEMINI_API_KEY}}}}\n"
        )
        asked = ("evaluate", release, "--model", "gemini/flash", "--media", video, "--out", tmp_path / "run")
        done = cli(*asked, "--concurrency", 1, "--json")
        again = cli(*asked, "--json")
    assert (done.code, again.code) == (0, 0), done.err + again.err
    assert len(gemini.asked) == len(SPANS), "what is stored is not asked again"

    responses = [json.loads(line) for line in (tmp_path / "run" / "responses.jsonl").read_text().splitlines()]
    shown = {one["media"][0]["start"]: one for one in responses}
    large, small = (shown[start] for start, _ in SPANS)
    parts = [part for one in gemini.asked for part in one["contents"][0]["parts"] if "text" not in part]
    (by_address,) = (part["fileData"] for part in parts if "fileData" in part)
    (within,) = (part["inlineData"] for part in parts if "inlineData" in part)

    # The large clip: uploaded, waited for, shown by its address, taken away; the small one in the request itself.
    (uploaded,) = gemini.files.values()
    inline = base64.urlsafe_b64decode(within["data"])
    assert len(uploaded) > INLINE > len(inline)
    assert (gemini.looks, gemini.deleted) == (2, ["files/f0"])
    assert by_address["file_uri"] == "https://files/files/f0"

    # Each file is the clip and nothing beside it; its hash and seconds are stored with the reply.
    for data, stored, (start, end) in ((uploaded, large, SPANS[0]), (inline, small, SPANS[1])):
        assert seconds(data, tmp_path / "piece.mp4") == pytest.approx(end - start, abs=0.1)
        (one,) = stored["media"]
        assert (one["form"], one["start"], one["end"], one["sha256"]) == ("silent", start, end, sha256(data))
        assert stored["given"] == ["background", "silent", "transcript"]
        assert (stored["status"], len(stored["ids"])) == ("answered", 1)
    for one in gemini.asked:
        schema = one["generationConfig"]["responseJsonSchema"]
        assert schema["properties"]["answer"]["enum"] == ["A", "B", "C", "D"]
    assert json.loads((tmp_path / "run" / "run.json").read_text())["takes"] == [
        "audio", "image", "video", "sound of video"
    ]  # fmt: skip

    scored: dict[str, Any] = json.loads(cli("score", release, tmp_path / "run", "--json").out)
    (run,) = scored["runs"]
    right = sum(one["ids"] == ["o1"] for one in responses)
    assert (run["n"], run["complete"], run["accuracy"]["value"]) == (2, True, right / 2)
