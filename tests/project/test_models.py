"""Models of a project: settings, keys, prices; what a run will cost, and that it costs no more."""

import json
from pathlib import Path

import pytest
from benchwright.errors import InputError, UsageError
from benchwright.llm.ledger import MemoryLedger
from benchwright.project import folder
from benchwright.project.estimate import of_build, of_evaluation
from benchwright.project.evaluate import Evaluation, evaluate
from benchwright.project.folder import Project
from benchwright.project.models import Models, settings
from benchwright.release.freeze import freeze

from ..cli.conftest import Cli, cli
from ..release.build import content

__all__ = ["cli"]

KEYS = ("OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY")


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in KEYS:
        monkeypatch.delenv(name, raising=False)


def project(place: Path, text: str = "") -> Project:
    place.mkdir(exist_ok=True)
    place.joinpath("benchwright.yaml").write_text(f"version: 1\nname: tried\n{text}\n")
    return folder.find(place)


def test_a_model_is_reached_as_its_entry_says_else_as_its_providers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = project(
        tmp_path,
        "models:\n  openai: {api_base: 'http://a/v1'}\n  openai/m: {timeout: 5, record: t.jsonl, takes: [image]}",
    )
    monkeypatch.setenv("OPENAI_API_KEY", "k1")
    other, mine = settings(opened, "openai/other"), settings(opened, "openai/m")
    assert (other.api_base, other.api_key, other.timeout) == ("http://a/v1", None, 120)
    assert (mine.api_base, mine.api_key, mine.timeout) == (None, "k1", 5)
    assert (mine.tape, mine.takes, mine.library) == (("record", tmp_path / "t.jsonl"), frozenset({"image"}), "litellm")
    assert other.library == "openai"
    assert "k1" not in repr(mine)


@pytest.mark.parametrize(
    ("entry", "environment", "key"),
    [
        ("", {"GEMINI_API_KEY": "a", "GOOGLE_API_KEY": "b"}, "a"),
        ("", {"GOOGLE_API_KEY": "b"}, "b"),
        ("", {}, None),
        ("api_key: $MINE", {"MINE": "c", "GEMINI_API_KEY": "a"}, "c"),
        ("api_base: 'http://other'", {"GEMINI_API_KEY": "a"}, None),
    ],
)
def test_where_a_key_comes_from(
    entry: str, environment: dict[str, str], key: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert settings(project(tmp_path, f"models: {{gemini/x: {{{entry}}}}}"), "gemini/x").api_key == key


def test_a_variable_that_is_not_set_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no variable UNSET_KEY"):
        settings(project(tmp_path, "models: {openai/m: {api_key: $UNSET_KEY}}"), "openai/m")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("models: {openai/m: {api_key: abc}}", "api_key"),
        ("models: {openai/m: {record: a, replay: b}}", "record or replay, not both"),
        ("prices: {openai/m: {input: -1}}", "input"),
        ("models: {openai/m: {retries: 9}}", "unknown key 'models.openai/m.retries'"),
    ],
)
def test_what_is_refused(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said):
        project(tmp_path, text)


def test_a_model_without_a_price_is_refused_before_anything_is_sent(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no price is known for openai/unheard-of"):
        Models(project(tmp_path), MemoryLedger(), tmp_path).gateway("openai/unheard-of")


SCRIPT = 'rules: [{reply: \'{"answer": "A"}\', usage: {input_tokens: 9, output_tokens: 2, usd: 1.0}}]'


@pytest.fixture
def release(tmp_path: Path) -> Path:
    tmp_path.joinpath("a.yaml").write_text(f"benchwright_script: 1\n{SCRIPT}\n")
    return freeze(content(6), tmp_path / "small-1.2.0")


def test_an_evaluation_is_estimated_to_the_call_and_leaves_out_what_is_there(
    release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    opened = project(tmp_path, "prices: {scripted/a.yaml: {call: 1}}\nbudget: {usd: 50}")
    how = Evaluation("scripted/a.yaml", repeats=2)
    before = of_evaluation(opened, release, [how]).json()
    assert [before[name] for name in ("calls", "there", "usd", "most", "left")] == [12, 0, 12.0, 12.0, 50.0]
    assert not before["roles"][0]["measured"]
    evaluate(opened, release, how._replace(repeats=1))
    after = of_evaluation(opened, release, [how]).json()
    assert [after[name] for name in ("calls", "there", "usd", "left")] == [6, 6, 6.0, 44.0]
    assert after["roles"][0]["measured"]
    assert after["output_tokens"] == 12
    evaluate(opened, release, how)
    assert of_evaluation(opened, release, [how]).json()["calls"] == 0


def test_a_build_is_estimated_by_role(tmp_path: Path) -> None:
    rules = project(tmp_path / "rules", "targets: {counterfactual_reasoning: 9}")
    assert of_build(rules).lines == ()
    model = "roles: {answer: {policy: llm, model: scripted/a.yaml}}\nprices: {scripted/a.yaml: {input: 1, output: 10}}"
    (line,) = of_build(project(tmp_path / "llm", f"targets: {{counterfactual_reasoning: 9}}\n{model}")).lines
    # Nine slots, three answers each; 1500 tokens in and 128 out are assumed: 0.00278 USD a call.
    assert (line.role, line.calls, line.input_tokens, line.output_tokens) == ("answer", 27, 40_500, 3456)
    assert line.usd == pytest.approx(27 * (1500 * 1 + 128 * 10) / 1e6)
    # At most three rounds, each answer corrected once.
    assert line.most == pytest.approx(27 * 3 * 2 * (3000 * 1 + 512 * 10) / 1e6)


def test_each_role_is_reckoned_with_the_reply_that_it_may_give(tmp_path: Path) -> None:
    played = ("director", "tracker", "question", "answer", "critic")
    roles = ", ".join(f"{role}: {{policy: llm, model: scripted/{role}.yaml}}" for role in played)
    models = "models: {scripted/critic.yaml: {parameters: {max_tokens: 100}}}"
    prices = "prices: {scripted/question.yaml: {input: 0, output: 10}, scripted/director.yaml: {input: 0, output: 10}}"
    made = project(tmp_path, f"targets: {{grounding: 8}}\nroles: {{{roles}}}\n{models}\n{prices}")
    lines = {line.role: line for line in of_build(made).lines}
    said = {role: line.output_tokens / line.calls for role, line in lines.items()}
    assert said == {"director": 384, "tracker": 384, "question": 384, "answer": 128, "critic": 25}
    # 1,536 tokens at most: three rounds of three tries, each corrected once; a director is asked once a slot.
    assert lines["question"].most == pytest.approx(8 * 3 * 3 * 2 * 1536 * 10 / 1e6)
    assert lines["director"].most == pytest.approx(8 * 2 * 1536 * 10 / 1e6)


def test_a_run_out_of_money_exits_3_and_the_same_command_goes_on(release: Path, tmp_path: Path, cli: Cli) -> None:
    project(tmp_path, "prices: {scripted/a.yaml: {call: 1}}\nbudget: {usd: 4}")
    command = ("evaluate", release, "--model", "scripted/a.yaml")
    stopped = cli(*command)
    assert (stopped.code, stopped.out) == (3, "")
    assert stopped.err.startswith("benchwright: budget: 4.0000 of 4.0000 USD spent")
    project(tmp_path, "prices: {scripted/a.yaml: {call: 1}}\nbudget: {usd: 6}")
    assert cli(*command).code == 0
    said = json.loads(cli("estimate", release, "--model", "scripted/a.yaml", "--json").out)
    assert (said["schema"], said["calls"], said["there"], said["left"]) == ("benchwright/estimate/1", 0, 6, 0.0)
    assert "6 more are answered already" in cli("estimate", release, "--model", "scripted/a.yaml").out
    assert cli("estimate", release).code == 2
    assert "no calls: every role follows rules" in cli("estimate").out


def test_rules_of_ours_count_against_no_budget(release: Path, tmp_path: Path, cli: Cli) -> None:
    project(tmp_path, "budget: {calls: 0}")
    assert cli("evaluate", release, "--model", "baseline/random", "--model", "baseline/last").code == 0
    assert json.loads(cli("status", "--json").out)["calls"] == 0
    refused = cli("evaluate", release, "--model", "scripted/a.yaml")
    assert (refused.code, refused.err.count("\n")) == (3, 1)
