"""Observed items against a local server that speaks OpenAI's protocol and misbehaves: every run ends as documented.

With `tests/llm/test_litellm.py` the only file that imports litellm, which takes some eight seconds of CPU.
"""

import json
import os
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from benchwright.errors import BudgetError
from benchwright.llm.scripted import Rule, Script
from benchwright.project import audit, folder
from benchwright.project.build import build
from benchwright.project.folder import Project
from benchwright.schemas.call import Message, Part, Request

from ..llm.openai_server import Got, Server, Turn, refused, said
from .watched import ROLES, script, watched

os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
pytest.importorskip("litellm")
pytestmark = [pytest.mark.filterwarnings(f"ignore::{kind}") for kind in ("UserWarning", "DeprecationWarning")]

MODEL = "openai/m"
SPOKEN = Script.model_validate(script())
BEGINNINGS = {"You write one question": "question", "You check whether": "answer", "You review one item": "critic"}


def words(content: Any) -> str:
    """What of a message is text."""
    if isinstance(content, str):
        return content
    return "\n\n".join(part["text"] for part in content if part["type"] == "text")


def knowing(got: Got) -> str:
    """What a good model replies to a request: by the rules of the script."""
    turns = [Message(role=one["role"], parts=(Part(text=words(one["content"])),)) for one in got.json["messages"]]
    prompt = next(name for start, name in BEGINNINGS.items() if turns[0].parts[0].text.startswith(start))
    request = Request(model="m", prompt_id=prompt, prompt_sha256="", messages=tuple(turns))
    rule: Rule = next(rule for rule in SPOKEN.rules if rule.fits(request, 0))
    return rule.reply if isinstance(rule.reply, str) else json.dumps(rule.reply)


def served(server: Server, place: Path, **settings: Any) -> Project:
    roles = {role: {"policy": "llm", "model": MODEL} for role in ROLES}
    models = {MODEL: {"api_base": f"{server.address}/v1", "timeout": 5}}
    prices = {MODEL: {"input": 0, "output": 0, "call": 1.0}}
    given: dict[str, Any] = {"targets": {"grounding": 4, "interaction_memory": 4}, "budget": {"usd": None}} | settings
    return watched(place, roles=roles, models=models, prices=prices, concurrency=4, **given)


def rows(project: Project) -> list[tuple[str, float]]:
    with closing(sqlite3.connect(project.store)) as file:
        return file.execute("SELECT status, usd FROM call WHERE coalesce(cached, 0) = 0").fetchall()


def weather(got: Got, number: int) -> Turn:
    """Every kind of trouble in turn, and between them good replies."""
    good = knowing(got)
    troubles = {
        2: Turn(refused("slow down", "rate_limit"), 429, {"retry-after": "0"}),
        5: Turn(refused("boom"), 500),
        8: Turn(said(f"<think>Hmm {{}}</think>\n```json\n{good}\n```\nI hope that helps.")),
        11: Turn(said(good), delay=0.3, drip=0.02),
        14: Turn(said("I would rather not.", refusal="I would rather not.")),
        17: Turn(refused("down"), 503),
        20: Turn(said(good[: len(good) // 2])),
    }
    return troubles.get(number % 23, Turn(said(good)))


def test_storms_end_as_documented_and_no_call_is_lost_or_paid_twice(tmp_path: Path) -> None:
    with Server(weather) as server:
        project = served(server, tmp_path / "p")
        counted = build(project)
        got = len(server.got)
    assert counted.accepted >= 6
    assert counted.open == 8 - counted.accepted
    statuses = Counter(status for status, _ in rows(project))
    assert statuses.keys() <= {"settled", "spoilt", "failed", "unknown"}
    assert sum(statuses.values()) == got, "one row for each request that was sent"
    replied = statuses["settled"] + statuses["spoilt"] + statuses["unknown"]
    assert counted.spent == pytest.approx(sum(usd for _, usd in rows(project)))
    assert counted.calls == replied
    assert audit.isolation(project) == []


def test_a_budget_ends_the_run_and_the_rest_is_paid_once(tmp_path: Path) -> None:
    with Server(lambda got, number: Turn(said(knowing(got)))) as server:
        project = served(server, tmp_path / "p", budget={"usd": 12.0})
        with pytest.raises(BudgetError):
            build(project)
        assert sum(usd for _, usd in rows(project)) <= 12.0
        raised = project.file.path.read_text("utf-8").replace("usd: 12.0", "usd: 1000.0")
        project.file.path.write_text(raised, "utf-8")
        counted = build(folder.find(project.root))
        assert counted.accepted == 8
        assert len(server.got) == counted.calls == counted.spent == 8 * 5


def test_a_request_that_is_too_long_ends_its_slot_alone(tmp_path: Path) -> None:
    def answer(got: Got, number: int) -> Turn:
        told = json.dumps(got.json)
        if "my ladder by the door" in told and told.count("You write one question"):
            return Turn(refused("maximum context length is 10 tokens", "invalid_request_error"), 400)
        return Turn(said(knowing(got)))

    with Server(answer) as server:
        counted = build(served(server, tmp_path / "p", targets={"grounding": 4}))
    assert counted.reasons == {"call-refused": 1}
    assert counted.accepted == 4
