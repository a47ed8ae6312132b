"""Judges over a run: resumed, paid once, their failures told from zeros."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from benchwright.errors import ProviderError, StoppedError, UsageError
from benchwright.evaluation.journal import JUDGE, load_kind
from benchwright.evaluation.judges import Case, case, rubric_view
from benchwright.evaluation.judging import JudgeResult, JudgeSettings, judge
from benchwright.llm.client import Client
from benchwright.llm.gateway import Gateway
from benchwright.llm.ledger import MemoryLedger
from benchwright.llm.scripted import Rule, Script, ScriptedClient
from benchwright.schemas.call import Reply, Request, Usage
from benchwright.schemas.judge import LogicVerdict, Rubric

from .conftest import item, lines
from .test_judges import response

RATED = {"reason": "so", "scene_description": 1, "individuals": 2, "topic_and_context": 3,
         "socio_emotional_analysis": 4, "answer_detail": 5, "adherence_to_prompt": 5}  # fmt: skip


def described(number: int, reply: str = "", repeat: int = 0) -> Case:
    one = item(number, format="open", options=())
    said = response(one, reply or f"Description number {number}.", repeat=repeat)
    found = case("hsa", one, said, rubric_view(one, lines(number), ()))
    assert found is not None
    return found


def traced(reply: str) -> Case:
    one = item(1)
    said = response(one, reply)
    found = case("modality", one, said, rubric_view(one, lines(), said.shown))
    assert found is not None
    return found


def scripted(*rules: Rule) -> ScriptedClient:
    return ScriptedClient(Script(benchwright_script=1, rules=rules, default="error"))


def says(reply: dict[str, Any] | str, **when: Any) -> Rule:
    return Rule(reply=reply, usage=Usage(output_tokens=7), **when)


def go(
    cases: list[Case],
    client: Client,
    folder: Path,
    rubric: Rubric = "hsa",
    ledger: MemoryLedger | None = None,
    **changes: Any,
) -> JudgeResult:
    settings = JudgeSettings(rubric, "scripted/judge", "sha256:0")._replace(**changes)
    return asyncio.run(judge(cases, Gateway(client, ledger or MemoryLedger()), settings, folder))


def test_a_judge_leaves_two_files_with_its_words(tmp_path: Path) -> None:
    done = go([described(2), described(1)], scripted(says(RATED)), tmp_path)
    assert [line.item for line in done.judgements] == ["i000000000001", "i000000000002"]
    assert [(line.status, line.ratings, line.reason) for line in done.judgements] == [
        ("judged", (1, 2, 3, 4, 5, 5), "so")
    ] * 2
    assert done.judgements[0].usage.output_tokens == 7
    assert sorted(path.name for path in tmp_path.iterdir()) == ["judge.json", "judgements.jsonl"]
    assert load_kind(tmp_path, JUDGE) == (done.info, done.judgements)


def test_what_was_judged_is_never_judged_again_and_what_changed_is(tmp_path: Path) -> None:
    first, second, third = (scripted(says(RATED)) for _ in range(3))
    go([described(1)], first, tmp_path)
    go([described(1), described(2)], second, tmp_path)
    assert (len(first.calls), len(second.calls)) == (1, 1)
    done = go([described(1, "Another description."), described(2)], third, tmp_path)
    assert len(third.calls) == 1
    assert len({line.reply_sha256 for line in done.judgements}) == 2


def test_equal_replies_of_repeats_are_paid_once(tmp_path: Path) -> None:
    client = scripted(says(RATED))
    done = go([described(1, "Rain.", repeat) for repeat in range(3)], client, tmp_path)
    assert (len(done.judgements), len(client.calls)) == (3, 1)


def test_what_the_ledger_holds_is_not_paid_again_when_the_files_are_lost(tmp_path: Path) -> None:
    client, ledger = scripted(says(RATED)), MemoryLedger()
    first = go([described(1), described(2)], client, tmp_path / "a", ledger=ledger)
    again = go([described(1), described(2)], client, tmp_path / "b", ledger=ledger)
    assert (first.judgements, len(client.calls), len(ledger.served)) == (again.judgements, 2, 2)
    assert {row.role for row in ledger.rows.values()} == {"rubric_judge"}


def test_an_unreadable_verdict_is_asked_for_again(tmp_path: Path) -> None:
    client = scripted(says({**RATED, "individuals": 9}, times=1), says(RATED))
    done = go([described(1)], client, tmp_path)
    assert (done.statuses, len(client.calls)) == ({"judged": 1}, 2)


def test_a_judge_that_never_gives_a_verdict_is_an_error_and_no_zero(tmp_path: Path) -> None:
    lost, client = scripted(says("I would say good.")), scripted(says(RATED))
    done = go([described(1)], lost, tmp_path)
    (line,) = done.judgements
    assert (done.errors, line.status, line.ratings, line.credit) == (1, "judge_error", (), None)
    assert "no JSON object" in line.reason
    assert len(lost.calls) == 3  # one reply, and a correction of it in each of two tries
    again = go([described(1)], client, tmp_path)
    assert (again.errors, again.judgements[0].ratings) == (0, (1, 2, 3, 4, 5, 5))


def test_a_provider_that_fails_on_one_case_leaves_the_others(tmp_path: Path) -> None:
    client = scripted(Rule(contains="number 1", error="overloaded"), says(RATED))
    done = go([described(1), described(2)], client, tmp_path)
    assert [line.status for line in done.judgements] == ["judge_error", "judged"]
    assert "overloaded" in done.judgements[0].reason


class Locked(ScriptedClient):
    """A provider whose key is wrong after some replies: no other call can work."""

    def __init__(self, after: int) -> None:
        super().__init__(Script(benchwright_script=1, rules=(says(RATED),)))
        self.after = after

    async def complete(self, request: Request, *, sample: int) -> Reply:
        if len(self.calls) == self.after:
            raise ProviderError("the key is wrong", everywhere=True, passing=False)
        return await super().complete(request, sample=sample)


def test_a_judge_that_is_stopped_goes_on(tmp_path: Path) -> None:
    cases, second = [described(number) for number in range(1, 6)], scripted(says(RATED))
    with pytest.raises(ProviderError, match="key is wrong"):
        go(cases, Locked(2), tmp_path, concurrency=1)
    with pytest.raises(StoppedError, match="not finished; judge again"):
        load_kind(tmp_path, JUDGE)
    done = go(cases, second, tmp_path)
    assert (len(done.judgements), len(second.calls)) == (5, 3)


def test_another_judge_wants_another_folder(tmp_path: Path) -> None:
    go([described(1)], scripted(says(RATED)), tmp_path)
    with pytest.raises(UsageError, match="holds a judge with another judge"):
        go([described(1)], scripted(says(RATED)), tmp_path, judge="scripted/other")


STEPS = "1. Beta whispers (vocal)\n2. Beta looks away\n3. Guests thank hosts"
TAGGED = {"steps": [{"step": 1, "tags": ["visual"]}, {"step": 2, "tags": ["visual"]}, {"step": 3, "tags": []}]}


def test_tags_that_a_model_gave_stay(tmp_path: Path) -> None:
    done = go([traced(STEPS)], scripted(says(TAGGED)), tmp_path, "modality")
    assert [step.tags for step in done.judgements[0].steps] == [("vocal",), ("visual",), ()]


def test_tags_for_other_steps_are_no_verdict(tmp_path: Path) -> None:
    short = {"steps": TAGGED["steps"][:2]}
    client = scripted(says(short, times=1), says(TAGGED, contains="one entry for each of the 3 steps"))
    assert go([traced(STEPS)], client, tmp_path, "modality").statuses == {"judged": 1}


@pytest.mark.parametrize(
    ("said", "label"), [("Fully Coherent", "fully coherent"), ("fully_coherent", "fully coherent")]
)
def test_labels_however_they_are_written(said: str, label: str) -> None:
    assert LogicVerdict.model_validate({"reason": "", "label": said}).label == label


def test_the_line_of_a_verdict_is_canonical(tmp_path: Path) -> None:
    go([described(1)], scripted(says(RATED)), tmp_path / "a")
    go([described(1)], scripted(says(RATED)), tmp_path / "b", concurrency=1)
    files = [(tmp_path / side / "judgements.jsonl").read_bytes() for side in "ab"]
    assert files[0] == files[1]
    assert json.loads(files[0])["ratings"] == [1, 2, 3, 4, 5, 5]
