"""The plug-ins of a release ask what `evaluate` asks, hold no answer of their own, and their logs can be scored."""

import importlib.util
import json
import shutil
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml
from benchwright.errors import UsageError
from benchwright.evaluation.conditions import named
from benchwright.evaluation.prompt import ask, template
from benchwright.project.harness import MAX_TOKENS, Setting, question, questions
from benchwright.project.releases import open_release
from benchwright.project.score import score
from benchwright.release.freeze import freeze
from benchwright.release.layout import PLUGINS
from benchwright.release.verify import verify

from ..release.build import content
from . import harnesses

INSPECT, LMMS, UTILS = PLUGINS


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return freeze(content(12), tmp_path_factory.mktemp("plugins") / "small-1.2.0")


def test_a_question_is_our_request(release: Path) -> None:
    opened = open_release(release)
    transcripts, seed = opened.transcripts(), opened.manifest.permutation_seed
    rows = opened.keys()
    keys = {key.id: key for key in rows}
    posed = questions(release)
    assert [one.id for one in posed] == sorted(keys)
    for item, one in zip(opened.inputs(), posed, strict=True):
        asked = ask(item, transcripts, model="", condition=named("full"), seed=seed, template=template())
        system, user = asked.request.messages
        assert one.system == system.parts[0].text
        assert [piece.text for piece in one.user] == ["\n\n".join(part.text for part in user.parts)]
        assert [asked.letters[one.target].id] == list(keys[one.id].answer)
        assert one.credit(f'{{"answer": "{one.target}"}}') == 1
        assert one.credit("I cannot tell.") == 0
        assert one.metadata["release_sha256"] == opened.sha256


def test_where_the_answers_are_withheld_nothing_is_scored(release: Path, tmp_path: Path) -> None:
    held = shutil.copytree(release, tmp_path / "held")
    shutil.rmtree(held / "answers")
    assert {(one.target, one.credit('{"answer": "A"}')) for one in questions(held)} == {("", None)}


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        (Setting("no-such"), "there is no condition"),
        (Setting("2-shot"), "a plug-in asks one plain condition"),
        (Setting("recognition"), "a plug-in asks one plain condition"),
        (Setting(takes="smell"), "not 'smell'"),
        (Setting(work="inside/media"), "lies in the release"),
        (Setting("visual-only"), "has nothing to show"),
    ],
    ids=["condition", "shots", "probe", "takes", "work", "nothing to show"],
)
def test_what_cannot_be_asked(setting: Setting, says: str, release: Path) -> None:
    if setting.work.startswith("inside"):
        setting = setting._replace(work=str(release / setting.work))
    with pytest.raises(UsageError, match=says):
        questions(release, setting)


def test_plug_ins_hold_no_answer_and_are_summed(release: Path) -> None:
    rows = open_release(release).keys()
    answers = {key.answer_text for key in rows}
    sums = (release / "SHA256SUMS").read_text()
    for path in PLUGINS:
        text = (release / path).read_text("utf-8")
        assert not any(answer in text for answer in answers)
        assert f"  {path}\n" in sums
        compiled = compile(text, path, "exec") if path.endswith(".py") else None
        assert compiled is None or compiled.co_name == "<module>"


def test_a_plug_in_that_was_touched_is_found(release: Path, tmp_path: Path) -> None:
    """It is code that others run."""
    touched = shutil.copytree(release, tmp_path / "touched")
    for path in PLUGINS:
        with (touched / path).open("a") as file:
            file.write("import os\n")
    assert {problem.file for problem in verify(touched).problems} >= {*PLUGINS}


class _Loader(yaml.SafeLoader):
    """Reads `!function utils.NAME` as lmms-eval does: a name of the module beside the file."""


def task_of(release: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[dict[str, Any], ModuleType]:
    monkeypatch.setattr("sys.dont_write_bytecode", True)  # as the head of the file asks for
    spec = importlib.util.spec_from_file_location("utils", release / UTILS)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    _Loader.add_constructor("!function", lambda _, node: getattr(module, str(node.value).removeprefix("utils.")))
    return yaml.load((release / LMMS).read_text("utf-8"), _Loader), module


def test_lmms_eval_finds_what_its_task_names(release: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    task, _ = task_of(release, monkeypatch)
    assert task["task"] == "benchwright_small_unreviewed_1_2_0"
    assert task["generation_kwargs"]["max_new_tokens"] == MAX_TOKENS == 768
    docs = [
        json.loads(line) for line in Path(task["dataset_kwargs"]["data_files"]["test"]).read_text("utf-8").splitlines()
    ]
    results = []
    for doc in docs:
        asked = question(release, doc["id"])
        assert task["doc_to_text"](doc) == asked.text
        assert task["doc_to_visual"](doc) == []
        system, user = task["doc_to_messages"](doc)
        assert [part["text"] for part in system["content"]] == [asked.system]
        assert [part["text"] for part in user["content"]] == [asked.user[0].text]
        results.append(task["process_results"](doc, [f'{{"answer": "{task["doc_to_target"](doc)}"}}']))
        results.append(task["process_results"](doc, ["Nobody knows."]))
    accuracy = task["metric_list"][0]["aggregation"]
    assert accuracy([result["benchwright"] for result in results]) == 0.5


def test_lmms_eval_takes_its_setting_from_the_environment(release: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCHWRIGHT_CONDITION", "question-only")
    task, _ = task_of(release, monkeypatch)
    doc = json.loads(Path(task["dataset_kwargs"]["data_files"]["test"]).read_text().splitlines()[0])
    assert task["doc_to_text"](doc) == question(release, doc["id"], Setting("question-only")).text


@pytest.mark.filterwarnings("ignore")
def test_inspect_ai_runs_the_task_on_a_mock_model(
    release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it is installed; it is no dependency of ours. Right answers to all but every third item."""
    inspect_ai: Any = pytest.importorskip("inspect_ai")
    models: Any = pytest.importorskip("inspect_ai.model")
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    monkeypatch.chdir(tmp_path)
    right = {one.user[0].text: one.target for one in questions(release)[1::3] + questions(release)[2::3]}

    def answer(messages: list[Any], *_: object) -> Any:
        return models.ModelOutput.from_content(
            "mockllm/model", f'{{"answer": "{right.get(messages[-1].text, "none")}"}}'
        )

    model = models.get_model("mockllm/model", custom_outputs=answer)
    spec = f"{release / INSPECT}@benchwright_small_unreviewed_1_2_0"
    for ending in ("eval", "json"):
        [log] = inspect_ai.eval(spec, model=model, log_dir="logs", log_format=ending, display="none")
        assert log.status == "success"
        assert log.results.scores[0].metrics["accuracy"].value == pytest.approx(8 / 12)
    runs = sorted(Path("logs").iterdir())
    scored = [one.model_dump() for one in score(release, runs).runs]
    assert len(scored) == 2
    assert scored[0]["accuracy"]["value"] == pytest.approx(8 / 12)
    assert scored[0] == scored[1]
    assert verify(release).ok


def test_logs_are_written_as_by_the_tool(release: Path, tmp_path: Path) -> None:
    """Every log that the other tests make is one that `score` takes."""
    replies = {one.id: f'{{"answer": "{one.target}"}}' for one in questions(release)}
    for number, write in enumerate(harnesses.WRITERS.values()):
        (tmp_path / str(number)).mkdir()
        assert score(release, [write(tmp_path / str(number), release, replies)]).runs[0].accuracy.value == 1
