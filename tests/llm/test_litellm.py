"""Any provider through litellm, and a server of one's own without it, against one that speaks OpenAI's protocol.

The only file that imports litellm, which takes some eight seconds of CPU.
"""

import asyncio
import json
import os
import sqlite3
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from benchwright.errors import BudgetError, ProviderError, UsageError
from benchwright.llm.chat import ChatClient
from benchwright.llm.client import Medium
from benchwright.llm.gateway import Gateway, Manners
from benchwright.llm.ledger import MemoryLedger
from benchwright.llm.limits import Limiter
from benchwright.llm.litellm_client import LitellmClient
from benchwright.llm.openai_client import OpenaiClient
from benchwright.llm.prices import Facts, Price, Tariff, Window
from benchwright.llm.retry import Retry
from benchwright.llm.settings import ModelSettings
from benchwright.project import folder
from benchwright.project.evaluate import Evaluation, evaluate
from benchwright.release.freeze import freeze
from benchwright.schemas.call import Message, Part, Reply, Request
from benchwright.state.ledger import StoreLedger
from benchwright.state.store import Store

from ..release.build import content
from .calls import SCHEMA, request
from .openai_server import Answer, Got, Server, Turn, refused, said

os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
pytest.importorskip("litellm")
# litellm and its dependencies warn of their own code while they make the first call.
pytestmark = [pytest.mark.filterwarnings(f"ignore::{kind}") for kind in ("UserWarning", "DeprecationWarning")]

KEY = "sk-not-a-real-key-0123456789"
GOOD = Turn(said('{"answer": "B"}'))
BUSY = Turn(refused("slow down", "rate_limit"), 429)


class Shelf:
    def __init__(self, path: Path, mime: str) -> None:
        self.path, self.mime = path, mime

    def medium(self, sha256: str) -> Medium:
        return Medium(self.path, self.mime, 2.0)


KINDS: dict[str, type[ChatClient]] = {"litellm": LitellmClient, "openai": OpenaiClient}
CHOSEN = ["litellm"]
"""The client that the test at hand is about."""


@pytest.fixture(params=KINDS, autouse=True)
def library(request: pytest.FixtureRequest) -> Iterator[str]:
    CHOSEN[:] = [request.param]
    yield request.param
    CHOSEN[:] = ["litellm"]


def client(server: Server, media: Any = None, facts: Facts | None = None, **changes: Any) -> Any:
    given = {"model": "openai/m", "api_base": f"{server.address}/v1", "api_key": KEY, "timeout": 5.0, **changes}
    tariff = Tariff("openai/m", Price(1000.0, 1000.0), Window(), media)
    return KINDS[CHOSEN[0]](ModelSettings(**given), tariff, facts, media)


async def closing(client: Any, work: Any) -> Any:
    try:
        return await work
    finally:
        await client.aclose()


def once(answer: Answer, asked: Request | None = None, **changes: Any) -> tuple[Reply, Server]:
    with Server(answer) as server:
        made = client(server, **changes)
        reply = asyncio.run(closing(made, made.complete(asked or request(), sample=0)))
    return reply, server


def script(*turns: Turn) -> Answer:
    """One after the other; the last one from then on."""
    return lambda got, number: turns[min(number, len(turns) - 1)]


def test_what_is_sent_and_what_comes_back() -> None:
    reply, server = once(script(GOOD))
    (got,) = server.got
    assert (got.path, got.headers["authorization"]) == ("/v1/chat/completions", f"Bearer {KEY}")
    assert got.json["messages"] == [
        {"role": "system", "content": "Answer."},
        {"role": "user", "content": "The scene.\n\nWho left?"},
    ]
    assert {name: got.json[name] for name in ("model", "temperature", "max_tokens")} == {
        "model": "m", "temperature": 0, "max_tokens": 64
    }  # fmt: skip
    schema = got.json["response_format"]["json_schema"]
    assert schema["strict"] is True
    assert schema["schema"]["properties"]["answer"] == {"enum": ["A", "B", "C"], "type": "string"}
    assert (reply.text, reply.status) == ('{"answer": "B"}', "ok")
    assert (reply.usage.input_tokens, reply.usage.output_tokens, reply.usage.usd) == (10, 5, 0.015)


def test_without_a_schema_mode_the_schema_is_asked_for_in_words() -> None:
    _, server = once(script(GOOD), schema="prompt")
    assert "response_format" not in server.got[0].json
    words = server.got[0].json["messages"][-1]["content"]
    assert words.startswith("The scene.\n\nWho left?\n\nReply with one JSON object")
    assert words.endswith(json.dumps(SCHEMA))


def test_a_server_that_has_none_says_so_and_is_asked_in_words_from_then_on() -> None:
    def answer(got: Got, number: int) -> Turn:
        return Turn(refused("response_format is not supported"), 400) if "response_format" in got.json else GOOD

    with Server(answer) as server:
        made = client(server)

        async def twice() -> list[Reply]:
            return [await made.complete(request(), sample=0) for _ in range(2)]

        replies = asyncio.run(closing(made, twice()))
    assert [reply.text for reply in replies] == ['{"answer": "B"}'] * 2
    assert [("response_format" in got.json) for got in server.got] == [True, False, False]


STATUSES = {
    "cut at the limit": (Turn(said('{"answer": ', "length")), "truncated", '{"answer": '),
    "filtered": (Turn(said("", "content_filter")), "refusal", ""),
    "refused": (Turn(said(None, refusal="I will not.")), "refusal", "I will not."),
    "empty": (Turn(said(None)), "ok", ""),
    "huge": (Turn(said("x" * 3_000_000)), "truncated", "x" * 1_000_000),
    "a key in it": (Turn(said(f"your key is {KEY}")), "ok", "your key is [key]"),
}


@pytest.mark.parametrize(("turn", "status", "text"), STATUSES.values(), ids=STATUSES)
def test_what_a_reply_is(turn: Turn, status: str, text: str) -> None:
    reply, _ = once(script(turn))
    assert (reply.status, reply.text == text) == (status, True)


def test_a_reply_without_usage_is_charged_at_the_worst_case() -> None:
    body = said("B")
    del body["usage"]
    reply, _ = once(script(Turn(body)))
    assert reply.usage.usd > 0.15


ERRORS = {
    "429": (BUSY, "429", (True, False, True)),
    "429 with a wait": (Turn(refused("slow down"), 429, {"retry-after": "7"}), "429", (True, False, True)),
    "500": (Turn(refused("boom"), 500), "500", (True, True, False)),
    "502 in HTML": (Turn("<html>bad gateway</html>", 502), "502", (True, True, False)),
    "503": (Turn(refused("down"), 503), "503", (True, True, True)),
    "400": (Turn(refused("what?"), 400), "400", (False, False, False)),
    "too long": (Turn(refused("maximum context length is 10 tokens"), 400), "400", (False, False, False)),
    "401 with the key": (Turn(refused(f"Incorrect API key: {KEY}"), 401), r"401 .*\[key\]", (False, False, False)),
    "403": (Turn(refused("no"), 403), "403", (False, False, False)),
    "404": (Turn(refused("no such model"), 404), "404", (False, False, False)),
    "no JSON": (Turn("It's B."), "openai/m: ", (True, True, False)),
    "no body": (Turn(b""), "openai/m: ", (True, True, False)),
    "no choice": (Turn({"choices": []}), "without a choice|no chat completion", (True, True, False)),
    "another shape": (Turn([1, 2]), "openai/m: ", (True, True, False)),
    "cut": (Turn(said("B"), cut=40), "openai/m: ", (True, True, False)),
    "hung up": (Turn(hang_up=True), "openai/m: ", (True, True, False)),
    "late": (Turn(said("B"), delay=3.0), "no reply within|timed out", (True, True, False)),
    "dripping": (Turn(said("B"), drip=0.3), "no reply within 0.6 s", (True, True, False)),
}


@pytest.mark.parametrize(("turn", "said", "expected"), ERRORS.values(), ids=ERRORS)
def test_what_an_error_is(turn: Turn, said: str, expected: tuple[bool, bool, bool]) -> None:
    timeout = 0.6 if turn.delay or turn.drip else 5.0
    with pytest.raises(ProviderError, match=said) as raised:
        once(script(turn), timeout=timeout)
    error = raised.value
    assert (error.passing, error.charged, error.crowded) == expected
    assert error.wait == (7.0 if "retry-after" in turn.headers else 0.0)
    assert "\n" not in str(error)
    assert KEY not in str(error)


def test_a_server_that_is_not_there() -> None:
    with Server(script(GOOD)) as server:
        made = client(server)
    with pytest.raises(ProviderError, match="cannot be reached") as raised:
        asyncio.run(closing(made, made.complete(request(), sample=0)))
    assert (raised.value.passing, raised.value.charged, raised.value.everywhere) == (True, False, True)


def showing(kind: str, **more: object) -> Request:
    part = Part.model_validate({"kind": kind, "media_sha256": "sha256:1", **more})
    return request().model_copy(update={"messages": (Message(role="user", parts=(part, Part(text="What?"))),)})


@pytest.mark.parametrize(
    ("kind", "mime", "expected"),
    [
        ("image", "image/png", {"type": "image_url", "image_url": {"url": "data:image/png;base64,YWJj"}}),
        ("audio", "audio/mpeg", {"type": "input_audio", "input_audio": {"data": "YWJj", "format": "mp3"}}),
        ("video", "video/mp4", {"type": "video_url", "video_url": {"url": "data:video/mp4;base64,YWJj"}}),
    ],
)
def test_media_are_sent_where_the_model_takes_them(
    kind: str, mime: str, expected: dict[str, object], tmp_path: Path
) -> None:
    tmp_path.joinpath("file").write_bytes(b"abc")
    shelf = Shelf(tmp_path / "file", mime)
    _, server = once(script(GOOD), showing(kind), media=shelf, takes=frozenset({kind}))
    assert server.got[0].json["messages"][0]["content"] == [expected, {"type": "text", "text": "What?"}]
    with pytest.raises(UsageError, match=f"is not known to take {kind}"):
        once(script(GOOD), showing(kind), media=shelf)
    if kind == "video":
        with pytest.raises(UsageError, match="cannot be told where in a video"):
            once(script(GOOD), showing(kind, start=1.0), media=shelf, takes=frozenset({kind}))


class Storm:
    """429 to every second request while more than `most` are open; now and then 500, a cut, garbage or a slow reply.
    Counts what it charges: whole replies, and those that it makes and loses."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.charged = 0
        self.whole: Counter[str] = Counter()

    def __call__(self, got: Got, number: int) -> Turn:
        text = got.json["messages"][-1]["content"]
        kind = self.random.choice(["good"] * 5 + ["busy", "busy", "busy", "down", "cut", "garbage"])
        if kind == "busy":
            return Turn(refused("slow down"), 429, {"retry-after": "0.01"})
        if kind == "down":
            return Turn(refused("boom"), 500)
        self.charged += 1
        if kind == "cut":
            return Turn(said("B"), cut=30)
        if kind == "garbage":
            return Turn("{not json")
        self.whole[text] += 1
        return Turn(said(f"B to {text}"), delay=0.005)


def test_in_a_storm_no_call_is_lost_or_paid_twice(tmp_path: Path) -> None:
    storm, asked = Storm(3), [request(f"q{number}", schema=False) for number in range(60)]
    with Server(storm) as server, Store.open(tmp_path / "store.sqlite") as store:
        made, ledger = client(server), StoreLedger(store)
        manners = Manners(lambda _: 1.0, Retry(Random(1), base=0.005), Limiter(16))
        gateway = Gateway(made, ledger, manners)

        async def rounds() -> list[Reply]:
            for _ in range(5):
                calls = (gateway.complete(one, sample=0, role="r") for one in asked)
                replies = await asyncio.gather(*calls, return_exceptions=True)
                assert all(isinstance(one, Reply | ProviderError) for one in replies)
                if all(isinstance(one, Reply) for one in replies):
                    break
            return [one for one in replies if isinstance(one, Reply)]

        replies = asyncio.run(closing(made, rounds()))
        rows = [row for row in ledger.calls() if not row.cached]
    assert [reply.text for reply in replies] == [f"B to The scene.\n\nq{number}" for number in range(60)]
    assert set(storm.whole.values()) == {1}
    # Every request that reached the server is a row, and what the server charged for is never counted as free.
    assert len(rows) == len(server.got)
    assert sum(row.status != "failed" for row in rows) >= storm.charged
    assert server.at_once <= 16
    assert manners.limiter.allowed < 16


def test_retry_after_is_heeded() -> None:
    with Server(script(Turn(refused("slow"), 429, {"retry-after": "0.5"}), GOOD)) as server:
        made = client(server)
        gateway = Gateway(made, MemoryLedger(), Manners(retry=Retry(Random(0), base=0)))
        loop = asyncio.new_event_loop()
        began = loop.time()
        loop.run_until_complete(closing(made, gateway.complete(request(), sample=0, role="r")))
        assert loop.time() - began >= 0.5
        assert not asyncio.all_tasks(loop), "litellm logs in a task of its own, which ends with the client"
        loop.close()
    assert len(server.got) == 2


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> folder.Project:
    """A project whose model is served here, and costs a dollar a call."""
    monkeypatch.setenv("MY_SECRET", KEY)
    root = folder.init(tmp_path / "project").root
    monkeypatch.chdir(root)
    return folder.find(root)


def configure(project: folder.Project, server: Server, usd: float) -> folder.Project:
    project.file.path.write_text(
        "version: 1\nname: tried\n"
        f"models: {{openai/m: {{api_base: '{server.address}/v1', api_key: $MY_SECRET, client: {CHOSEN[0]}}}}}\n"
        f"prices: {{openai/m: {{call: 1}}}}\nbudget: {{usd: {usd}}}\n"
    )
    return folder.find(project.root)


def test_a_model_is_evaluated_within_its_budget_and_the_key_is_nowhere(
    project: folder.Project, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The server repeats the key wherever it can: in replies, in errors that pass, and in one that does not."""
    release = freeze(content(8), tmp_path / "small-1.2.0")

    def answer(got: Got, number: int) -> Turn:
        echo = got.headers["authorization"]
        if number == 0:
            return Turn(refused(f"not yet, {echo}"), 429, {"retry-after": "0", "x-key": echo})
        return Turn(said('{"answer": "A", "key": "' + echo + '"}'))

    lines: list[str] = []
    asked = Evaluation("openai/m", concurrency=2)
    with Server(answer) as server:
        with pytest.raises(BudgetError, match=r"5\.0000 of 5\.0000 USD"):
            evaluate(configure(project, server, 5), release, asked, progress=lambda stage, *_: lines.append(stage))
        assert len(server.got) == 6
        done = evaluate(configure(project, server, 8), release, asked)
        assert len(server.got) == 9
    assert done.result.statuses == Counter(answered=8)
    assert any("4 calls" in line and "4.0000 USD" in line for line in lines)
    with pytest.raises(ProviderError, match="401"), Server(script(Turn(refused(f"bad key {KEY}"), 401))) as server:
        evaluate(configure(project, server, 99), release, asked._replace(repeats=2))
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(written) > 5
    assert not [path for path in written if KEY.encode() in path.read_bytes()]
    shown = capfd.readouterr()
    assert KEY not in shown.out + shown.err + "".join(lines)


def test_every_call_is_a_row(project: folder.Project, tmp_path: Path) -> None:
    release = freeze(content(4), tmp_path / "small-1.2.0")
    with Server(script(GOOD)) as server:
        opened = configure(project, server, 50)
        evaluate(opened, release, Evaluation("openai/m", out=tmp_path / "one"))
        evaluate(opened, release, Evaluation("openai/m", out=tmp_path / "two"))
        assert len(server.got) == 4
    connection = sqlite3.connect(opened.store)
    columns = "role, model, length(prompt_sha256), input_tokens, output_tokens, usd, cached, seconds > 0"
    rows = Counter(connection.execute(f"SELECT {columns} FROM call").fetchall())
    connection.close()
    assert rows == {
        ("model", "openai/m", 71, 10, 5, 1.0, None, 1): 4,
        ("model", "openai/m", 71, None, None, 0.0, 1, None): 4,
    }


def test_ten_failures_at_a_wrong_key_are_one(project: folder.Project, tmp_path: Path) -> None:
    release = freeze(content(10), tmp_path / "small-1.2.0")
    with Server(script(Turn(refused("who are you?"), 401))) as server:
        with pytest.raises(ProviderError, match="401"):
            evaluate(configure(project, server, 50), release, Evaluation("openai/m", concurrency=1))
        assert len(server.got) == 1
