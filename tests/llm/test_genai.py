"""Gemini through google-genai, against a local stand-in: upload, poll, generate, delete; offsets; schema."""

import asyncio
import base64
import json
from pathlib import Path
from typing import Any

import pytest
from benchwright.errors import ProviderError, UsageError
from benchwright.llm.client import Medium
from benchwright.llm.gateway import Gateway, Manners
from benchwright.llm.genai_client import INLINE, GenaiClient, too_large
from benchwright.llm.ledger import MemoryLedger
from benchwright.llm.prices import Price, Tariff, Window
from benchwright.llm.retry import Retry
from benchwright.llm.settings import ModelSettings
from benchwright.schemas.call import Message, Part, Reply, Request

from .calls import request
from .gemini_server import Gemini, generated
from .openai_server import Got, Server, Turn

pytest.importorskip("google.genai")
# google-genai is warned of its own use of aiohttp.
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:Sending a large body:ResourceWarning"),
]

KEY = "AIza-not-a-real-key"
LARGE = b"v" * (INLINE + 1)


class Shelf:
    def __init__(self, folder: Path, **files: bytes) -> None:
        self.folder = folder
        for name, data in files.items():
            folder.joinpath(name).write_bytes(data)

    def medium(self, sha256: str) -> Medium:
        return Medium(self.folder / sha256, "video/mp4", 60.0)


def showing(*names: str, kind: str = "video", **more: object) -> Request:
    parts = [Part.model_validate({"kind": kind, "media_sha256": name, **more}) for name in names]
    turns = (Message(role="system", parts=(Part(text="Watch."),)), Message(role="user", parts=(*parts, Part(text="?"))))
    return request(model="gemini/flash").model_copy(update={"messages": turns})


def client(server: Server, media: Any, **changes: Any) -> GenaiClient:
    given = {"model": "gemini/flash", "api_base": server.address, "api_key": KEY, "timeout": 5.0, **changes}
    tariff = Tariff("gemini/flash", Price(1000.0, 1000.0), Window(), media)
    return GenaiClient(ModelSettings(**given), tariff, media, (0.001, 0.001))


@pytest.fixture
def gemini() -> Gemini:
    return Gemini()


def converse(gemini: Gemini, shelf: Shelf, *asked: Request, **changes: Any) -> list[Reply]:
    with Server(gemini) as server:
        gemini.address = server.address
        made = client(server, shelf, **changes)

        async def all_of_them() -> list[Reply]:
            try:
                return list(await asyncio.gather(*(made.complete(one, sample=0) for one in asked)))
            finally:
                await made.aclose()

        return asyncio.run(all_of_them())


def test_a_small_video_goes_along_with_its_offsets_and_the_schema(gemini: Gemini, tmp_path: Path) -> None:
    (reply,) = converse(gemini, Shelf(tmp_path, small=b"abc"), showing("small", start=1.5, end=3.25))
    (sent,) = gemini.asked
    video, words = sent["contents"][0]["parts"]
    assert base64.b64decode(video["inlineData"]["data"]) == b"abc"
    assert video["inlineData"]["mime_type"] == "video/mp4"
    assert video["videoMetadata"] == {"start_offset": "1.500s", "end_offset": "3.250s"}
    assert words == {"text": "?"}
    assert sent["systemInstruction"]["parts"] == [{"text": "Watch."}]
    config = sent["generationConfig"]
    assert (config["responseMimeType"], config["maxOutputTokens"], config["temperature"]) == ("application/json", 64, 0)
    assert config["responseJsonSchema"]["properties"]["answer"]["enum"] == ["A", "B", "C"]
    assert (reply.text, reply.status, gemini.files) == ('{"answer": "B"}', "ok", {})
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (100, 10)


def test_a_large_video_is_uploaded_once_waited_for_shown_and_taken_away(gemini: Gemini, tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, large=LARGE)
    asked = [showing("large", start=float(at), end=at + 2.0) for at in range(3)]
    assert len(converse(gemini, shelf, *asked)) == 3
    assert list(gemini.files) == ["files/f0"]
    assert gemini.files["files/f0"] == LARGE
    assert gemini.looks == 2
    assert gemini.deleted == ["files/f0"]
    for sent in gemini.asked:
        video = sent["contents"][0]["parts"][0]
        assert video["fileData"] == {"file_uri": "https://files/files/f0", "mime_type": "video/mp4"}
    offsets = sorted(sent["contents"][0]["parts"][0]["videoMetadata"]["start_offset"] for sent in gemini.asked)
    assert offsets == ["0.000s", "1.000s", "2.000s"]


def test_the_largest_are_uploaded_until_the_others_fit(tmp_path: Path) -> None:
    Shelf(tmp_path, a=b"1" * 5, b=b"1" * 4, c=b"1" * 3)
    media = {Part(kind="video", media_sha256=name): Medium(tmp_path / name, "video/mp4") for name in "abc"}
    assert [too_large(media, most) for most in (12, 11, 7, 6, 2)] == [
        frozenset(), {"a"}, {"a"}, {"a", "b"}, {"a", "b", "c"}
    ]  # fmt: skip


def test_a_file_that_cannot_be_processed_is_no_passing_fault_and_costs_nothing(tmp_path: Path) -> None:
    gemini = Gemini(1, state="FAILED")
    with pytest.raises(ProviderError, match="could not be processed") as raised:
        converse(gemini, Shelf(tmp_path, large=LARGE), showing("large"))
    assert (raised.value.passing, raised.value.charged, gemini.asked) == (False, False, [])


STATUSES = {
    "cut": (generated('{"ans', "MAX_TOKENS"), "truncated", '{"ans'),
    "unsafe": (generated("", "SAFETY"), "refusal", ""),
    "blocked": ({"promptFeedback": {"blockReason": "OTHER"}}, "refusal", "blocked: OTHER"),
    "no parts": ({"candidates": [{"finishReason": "STOP"}]}, "ok", ""),
    "a key in it": (generated(f"it is {KEY}"), "ok", "it is [key]"),
    "thoughts": (
        {"candidates": [{"content": {"parts": [{"text": "hm", "thought": True}, {"text": "B"}]}}]}, "ok", "B",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("body", "status", "text"), STATUSES.values(), ids=STATUSES)
def test_what_a_reply_is(body: dict[str, Any], status: str, text: str, tmp_path: Path) -> None:
    (reply,) = converse(Gemini(0, Turn(body)), Shelf(tmp_path), request(model="gemini/flash"))
    assert (reply.status, reply.text) == (status, text)
    if "usageMetadata" not in body:
        # Nothing was counted: 64 tokens of reply at a dollar for a thousand, and the prompt.
        assert reply.usage.usd > 0.064


def error(code: int, message: str, *details: dict[str, str]) -> dict[str, Any]:
    return {"error": {"code": code, "message": message, "status": "X", "details": list(details)}}


RETRY = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "12s"}
ERRORS = {
    "429": (Turn(error(429, "slow", RETRY), 429), (True, False, True, False, 12.0)),
    "500": (Turn(error(500, "boom"), 500), (True, True, False, False, 0.0)),
    "503": (Turn(error(503, "crowded"), 503, {"retry-after": "3"}), (True, True, True, False, 3.0)),
    "400": (Turn(error(400, f"bad {KEY}"), 400), (False, False, False, False, 0.0)),
    "403": (Turn(error(403, "no"), 403), (False, False, False, True, 0.0)),
    "hung up": (Turn(hang_up=True), (True, True, False, False, 0.0)),
    "cut": (Turn(generated(), cut=20), (True, True, False, False, 0.0)),
    "no JSON": (Turn("<html>"), (True, True, False, False, 0.0)),
    "empty": (Turn({}), (True, True, False, False, 0.0)),
    "late": (Turn(generated(), delay=3.0), (True, True, False, False, 0.0)),
}


@pytest.mark.parametrize(("turn", "expected"), ERRORS.values(), ids=ERRORS)
def test_what_an_error_is(turn: Turn, expected: tuple[Any, ...], tmp_path: Path) -> None:
    """And it is sent once: the library's own retries would be paid for unseen."""
    gemini = Gemini(0, turn)
    with pytest.raises(ProviderError) as raised:
        converse(gemini, Shelf(tmp_path), request(model="gemini/flash"), timeout=0.5 if turn.delay else 5.0)
    found = raised.value
    assert (found.passing, found.charged, found.crowded, found.everywhere, found.wait) == expected
    assert KEY not in str(found)
    assert len(gemini.asked) == 1


def test_an_upload_that_broke_is_sent_again_and_generation_paid_once(tmp_path: Path) -> None:
    gemini = Gemini(1)
    broke: list[int] = []

    def answer(got: Got, number: int) -> Turn:
        if "/sent/" in got.path and not broke:
            broke.append(number)
            return Turn(error(500, "boom"), 500)
        return gemini(got, number)

    with Server(answer) as server:
        gemini.address = server.address
        made, ledger = client(server, Shelf(tmp_path, large=LARGE)), MemoryLedger()
        gateway = Gateway(made, ledger, Manners(retry=Retry(base=0)))

        async def main() -> Reply:
            try:
                return await gateway.complete(showing("large"), sample=0, role="r")
            finally:
                await made.aclose()

        assert asyncio.run(main()).text == '{"answer": "B"}'
    assert (len(broke), len(gemini.asked), gateway.meter.calls) == (1, 1, 1)
    assert LARGE in gemini.files.values()


@pytest.mark.parametrize(
    ("asked", "changes", "said"),
    [
        (showing("small", kind="audio", start=1.0), {}, "cannot be told where in a audio"),
        (request(model="gemini/flash", magic=1), {}, "a parameter that Gemini does not know"),
        (request(model="gemini/flash"), {"api_key": None}, "needs a key: set models.gemini/flash.api_key beside"),
    ],
    ids=["offsets of sound", "unknown parameter", "no key"],
)
def test_what_cannot_be_asked(asked: Request, changes: dict[str, Any], said: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=said):
        converse(Gemini(), Shelf(tmp_path, small=b"abc"), asked, **changes)


def test_the_schema_can_be_asked_for_in_words(gemini: Gemini, tmp_path: Path) -> None:
    converse(gemini, Shelf(tmp_path), request(model="gemini/flash"), schema="prompt")
    assert "responseJsonSchema" not in gemini.asked[0]["generationConfig"]
    assert json.dumps(["A", "B", "C"]) in gemini.asked[0]["contents"][0]["parts"][-1]["text"]
