"""Runs: complete, resumable, paid once, the same bytes however they went."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from benchwright.errors import BudgetError, InputError, StoppedError, UsageError
from benchwright.evaluation import journal
from benchwright.evaluation.baselines import BASELINES, BaselineClient, client_for
from benchwright.evaluation.prompt import Transcripts
from benchwright.evaluation.run import RunResult, RunSettings, read_again, run
from benchwright.llm.client import Client
from benchwright.llm.gateway import Gateway, Manners
from benchwright.llm.ledger import MemoryLedger
from benchwright.llm.retry import Retry
from benchwright.llm.scripted import Rule, Script, ScriptedClient
from benchwright.schemas.call import CallRow, Reply, Request
from benchwright.schemas.release import ModelInput


def settings(model: str = "scripted/s", **changes: object) -> RunSettings:
    fields = {"release": "r 1.0", "release_sha256": "sha256:0", "model": model, "permutation_seed": 42}
    return RunSettings(**{**fields, **changes})  # type: ignore[arg-type]


def scripted(*rules: Rule) -> ScriptedClient:
    return ScriptedClient(Script(benchwright_script=1, rules=rules))


def go(
    inputs: list[ModelInput], transcripts: Transcripts, client: Client, folder: Path, **changes: object
) -> RunResult:
    gateway = Gateway(client, MemoryLedger(), Manners(retry=Retry(Random(0), attempts=3, base=0)))
    return asyncio.run(run(inputs, transcripts, gateway, settings(**changes), folder))  # type: ignore[arg-type]


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


class Dying(ScriptedClient):
    """Ends the process, as far as the run can tell, after some replies."""

    def __init__(self, after: int) -> None:
        super().__init__()
        self.after = after

    async def complete(self, request: Request, *, sample: int) -> Reply:
        if len(self.calls) == self.after:
            raise KeyboardInterrupt
        return await super().complete(request, sample=sample)


def test_a_run_leaves_two_files_sorted_and_canonical(
    inputs: list[ModelInput], transcripts: Transcripts, tmp_path: Path
) -> None:
    result = go(inputs[::-1], transcripts, ScriptedClient(), tmp_path)
    lines = (tmp_path / "responses.jsonl").read_text().splitlines()
    assert sorted(files(tmp_path)) == ["responses.jsonl", "run.json"]
    assert [json.loads(line)["item"] for line in lines] == [item.id for item in inputs]
    assert result.statuses == Counter(answered=20)
    assert json.loads((tmp_path / "run.json").read_text())["schema"] == "benchwright/run/1"
    assert journal.load(tmp_path) == (result.info, result.responses)


@pytest.mark.parametrize("concurrency", [1, 3, 64])
def test_bytes_do_not_depend_on_who_is_answered_first(
    concurrency: int, inputs: list[ModelInput], transcripts: Transcripts, tmp_path: Path
) -> None:
    slow = scripted(Rule(contains="day 1", latency=0.01), Rule(contains="day 7", latency=0.02))
    go(inputs, transcripts, ScriptedClient(), tmp_path / "a", concurrency=1)
    go(inputs, transcripts, slow, tmp_path / "b", concurrency=concurrency)
    assert files(tmp_path / "a") == files(tmp_path / "b")


@pytest.mark.parametrize("after", [0, 1, 7, 19])
def test_a_killed_run_goes_on_and_asks_for_nothing_twice(
    after: int, inputs: list[ModelInput], transcripts: Transcripts, tmp_path: Path
) -> None:
    dying, second = Dying(after), ScriptedClient()
    with pytest.raises(KeyboardInterrupt):
        go(inputs, transcripts, dying, tmp_path / "a", concurrency=1)
    with pytest.raises(StoppedError, match="not finished"):
        journal.load(tmp_path / "a")
    go(inputs, transcripts, second, tmp_path / "a")
    go(inputs, transcripts, ScriptedClient(), tmp_path / "b")
    assert files(tmp_path / "a") == files(tmp_path / "b")
    assert len(dying.calls) + len(second.calls) == 20
    assert not set(dying.calls) & set(second.calls)


@pytest.mark.parametrize("cut", [1, 40, 200])
def test_a_last_line_cut_by_a_kill_is_asked_for_again(
    cut: int, inputs: list[ModelInput], transcripts: Transcripts, tmp_path: Path
) -> None:
    with pytest.raises(KeyboardInterrupt):
        go(inputs, transcripts, Dying(5), tmp_path, concurrency=1)
    path = tmp_path / "journal.jsonl"
    path.write_bytes(path.read_bytes()[:-cut])
    second = ScriptedClient()
    assert go(inputs, transcripts, second, tmp_path).statuses == Counter(answered=20)
    assert len(second.calls) == 16


def test_only_failures_are_asked_for_again(inputs: list[ModelInput], transcripts: Transcripts, tmp_path: Path) -> None:
    result = go(inputs, transcripts, scripted(Rule(contains="day 3.", error="overloaded")), tmp_path)
    failed = [response for response in result.responses if response.status == "error"]
    assert (result.errors, [row.reply for row in failed]) == (1, ["scripted/s: overloaded"])
    assert files(tmp_path).keys() == {"run.json", "responses.jsonl"}
    second = ScriptedClient()
    assert go(inputs, transcripts, second, tmp_path).statuses == Counter(answered=20)
    assert len(second.calls) == 1
    assert go(inputs, transcripts, second, tmp_path).errors == 0
    assert len(second.calls) == 1


def test_a_passing_fault_is_tried_again_at_once(
    inputs: list[ModelInput], transcripts: Transcripts, tmp_path: Path
) -> None:
    client = scripted(Rule(contains="day 3.", error="busy", times=2))
    assert go(inputs, transcripts, client, tmp_path).errors == 0
    assert len(client.calls) == 22


def test_a_spent_budget_stops_cleanly_and_keeps_what_was_answered(
    inputs: list[ModelInput], transcripts: Transcripts, tmp_path: Path
) -> None:
    class Seven(MemoryLedger):
        async def reserve(self, row: CallRow, request: bytes) -> None:
            if len(self.rows) == 7:
                raise BudgetError("budget: all 7 calls made")
            await super().reserve(row, request)

    client, second = scripted(Rule(latency=0.01)), ScriptedClient()
    with pytest.raises(StoppedError, match="all 7 calls made"):
        asyncio.run(run(inputs, transcripts, Gateway(client, Seven()), settings(concurrency=4), tmp_path))
    assert len((tmp_path / "journal.jsonl").read_bytes().splitlines()) == 1 + 7
    assert go(inputs, transcripts, second, tmp_path).statuses == Counter(answered=20)
    assert len(second.calls) == 13


def test_repeats_are_new_calls_with_the_same_bytes(
    inputs: list[ModelInput], transcripts: Transcripts, tmp_path: Path
) -> None:
    client = ScriptedClient()
    result = go(inputs[:4], transcripts, client, tmp_path, repeats=3)
    assert Counter(response.repeat for response in result.responses) == {0: 4, 1: 4, 2: 4}
    assert Counter(request for request, _ in client.calls) == {row.input_sha256: 3 for row in result.responses}
    keys = [(row.item, row.repeat) for row in result.responses]
    assert keys == sorted(keys)


def test_a_clip_without_video_costs_no_second_call(
    inputs: list[ModelInput], transcripts: Transcripts, tmp_path: Path
) -> None:
    client, ledger = ScriptedClient(), MemoryLedger()
    for condition in ("full", "transcript-only"):
        gateway = Gateway(client, ledger)
        asyncio.run(run(inputs, transcripts, gateway, settings(condition=condition), tmp_path / condition))
    assert len(client.calls) == 20


def test_a_folder_belongs_to_one_run(inputs: list[ModelInput], transcripts: Transcripts, tmp_path: Path) -> None:
    go(inputs, transcripts, ScriptedClient(), tmp_path / "done")
    with pytest.raises(KeyboardInterrupt):
        go(inputs, transcripts, Dying(3), tmp_path / "begun", concurrency=1)
    for folder in ("done", "begun"):
        with pytest.raises(UsageError, match="another model, condition"):
            go(inputs, transcripts, ScriptedClient(), tmp_path / folder, model="other", condition="question-only")


def test_nothing_is_asked_where_one_record_cannot_be(
    inputs: list[ModelInput], transcripts: Transcripts, tmp_path: Path
) -> None:
    client = ScriptedClient()
    missing = {media: lines for media, lines in transcripts.items() if media != "media/c9.json"}
    with pytest.raises(UsageError, match="no transcript media/c9"):
        go(inputs, missing, client, tmp_path / "run")
    assert client.calls == []
    assert not (tmp_path / "run").exists()


def test_a_folder_that_cannot_be_written_is_a_wrong_call(
    inputs: list[ModelInput], transcripts: Transcripts, tmp_path: Path
) -> None:
    tmp_path.joinpath("file").write_text("")
    with pytest.raises(UsageError, match="cannot write"):
        go(inputs, transcripts, ScriptedClient(), tmp_path / "file" / "run")


def test_a_damaged_journal_names_the_line(inputs: list[ModelInput], transcripts: Transcripts, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        go(inputs, transcripts, Dying(3), tmp_path, concurrency=1)
    lines = (tmp_path / "journal.jsonl").read_bytes().splitlines()
    (tmp_path / "journal.jsonl").write_bytes(b"\n".join([lines[0], b"{}", *lines[2:]]) + b"\n")
    with pytest.raises(InputError, match=r"journal\.jsonl:2: no Response"):
        go(inputs, transcripts, ScriptedClient(), tmp_path)


def test_a_folder_that_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="this is no run"):
        journal.load(tmp_path)


def test_stored_replies_are_read_again_without_a_call(
    inputs: list[ModelInput], transcripts: Transcripts, tmp_path: Path
) -> None:
    replies = ("The answer is C.", "I cannot help with that", '{"answer": "B"', "no")
    client = scripted(*(Rule(contains=f"day {n}.", reply=text) for n, text in enumerate(replies, 1)))
    result = go(inputs[:4], transcripts, client, tmp_path)
    by_id = {item.id: item for item in inputs}
    for response in result.responses:
        spoilt = response.model_copy(update={"ids": ("o9",), "status": "answered", "rule": "old"})
        assert read_again(spoilt, by_id[response.item]) == response


@pytest.mark.parametrize("name", BASELINES)
def test_every_baseline_goes_through_the_same_door(
    name: str, inputs: list[ModelInput], transcripts: Transcripts, tmp_path: Path
) -> None:
    model = f"baseline/{name}"
    result = go(inputs, transcripts, client_for(model), tmp_path, model=model)
    assert result.statuses == Counter(answered=20)
    again = go(inputs, transcripts, client_for(model), tmp_path / "again", model=model)
    assert [row.ids for row in again.responses] == [row.ids for row in result.responses]


@pytest.mark.parametrize(("name", "place"), [("first", 0), ("last", 5)])
def test_positions_are_those_shown(
    name: str, place: int, inputs: list[ModelInput], transcripts: Transcripts, tmp_path: Path
) -> None:
    result = go(inputs, transcripts, BaselineClient(name), tmp_path)
    assert all(row.ids == (row.shown[place],) for row in result.responses)
    assert len({row.ids for row in result.responses}) > 1


def test_the_reader_of_transcripts_reads_them(
    inputs: list[ModelInput], transcripts: Transcripts, tmp_path: Path
) -> None:
    """Of the things that could be taken only the lantern is spoken of; its option is the one like the scene."""
    by_id = {item.id: {option.id: option.text for option in item.options} for item in inputs}
    result = go(inputs, transcripts, BaselineClient("most-similar"), tmp_path / "a")
    assert all("lantern" in by_id[row.item][row.ids[0]] for row in result.responses)
    opposite = go(inputs, transcripts, BaselineClient("least-similar"), tmp_path / "b")
    assert not [row for row in opposite.responses if "lantern" in by_id[row.item][row.ids[0]]]


def test_the_random_baseline_is_uniform_over_places_and_ids(
    item: Callable[..., ModelInput], transcripts: Transcripts, tmp_path: Path
) -> None:
    many = [item(number, clip={"media": "media/c1.json", "start": 0, "end": 2}) for number in range(600)]
    result = go(many, transcripts, BaselineClient("random"), tmp_path)
    by_id = Counter(row.ids[0] for row in result.responses)
    by_place = Counter(str(row.shown.index(row.ids[0])) for row in result.responses)
    for counts in (by_id, by_place):
        # chi-square with 5 degrees of freedom: 20.5 is the upper 0.1 % point
        assert sum((count - 100) ** 2 / 100 for count in counts.values()) < 20.5
        assert len(counts) == 6


def test_an_unknown_baseline_names_those_there_are() -> None:
    with pytest.raises(UsageError, match="random, most-similar, least-similar"):
        client_for("baseline/cleverest")


def test_what_cannot_be_run_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="real models are called from a project"):
        client_for("openai/x")
    with pytest.raises(InputError, match=r"gone\.yaml: no such file"):
        client_for("scripted/gone.yaml", tmp_path)
