"""Logs of other harnesses are scored as our own runs, and believed in nothing but their replies."""

import copy
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from benchwright.errors import InputError
from benchwright.project import logs
from benchwright.project.evaluate import Evaluation, evaluate
from benchwright.project.harness import Setting, questions
from benchwright.project.releases import open_release
from benchwright.project.score import score

from .harnesses import CUT, WRITERS, Writer, inspect_eval, inspect_json, inspect_zstd, samples
from .releases import made

FORMATS = "ssmsssss"
REPLIES = (
    '{"answer": "RIGHT"}', "I think the answer is (RIGHT).", '{"answer": ["RIGHT"]}', "Nobody can say.", CUT,
    '{"answer": "Z"}', "A. or perhaps B.", "{}",
)  # fmt: skip
"""By item; RIGHT stands for the letter of the answer."""


@pytest.fixture
def release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return made(tmp_path / "release", FORMATS)


@pytest.fixture
def replies(release: Path) -> dict[str, str]:
    posed = zip(questions(release), REPLIES, strict=True)
    return {question.id: reply.replace("RIGHT", question.target) for question, reply in posed}


def own_run(release: Path, replies: dict[str, str]) -> Path:
    """Our own run with the same replies, in the words of a script."""
    rules = [
        {"contains": f"({int(item[1:])})", "reply": reply, **({"status": "truncated"} if reply == CUT else {})}
        for item, reply in replies.items()
    ]
    Path("model.yaml").write_text(json.dumps({"benchwright_script": 1, "rules": rules, "default": "error"}))
    return evaluate(None, release, Evaluation("scripted/model.yaml")).folder


@pytest.mark.parametrize("name", WRITERS)
def test_the_same_replies_have_the_same_figures(name: str, release: Path, replies: dict[str, str]) -> None:
    log, own = WRITERS[name](Path(), release, replies), own_run(release, replies)
    theirs, ours = score(release, [log]), score(release, [own])
    if name == "lmms-eval":  # it does not say why a reply ended
        assert theirs.runs[0].statuses.pop("no_answer") == ours.runs[0].statuses.pop("no_answer") + 1
        assert ours.runs[0].statuses.pop("truncated") == 1
    assert theirs.runs[0].model_dump() == ours.runs[0].model_dump()
    assert ours.runs[0].accuracy.value == 3 / 8


def test_a_log_has_the_responses_of_our_own_run(release: Path, replies: dict[str, str]) -> None:
    log, opened = WRITERS["inspect json"](Path(), release, replies), open_release(release)
    theirs, ours = logs.load(opened, log), logs.load(opened, own_run(release, replies))
    assert theirs[0] == ours[0]
    usage = {"usage": ours[1][0].usage}
    assert [one.model_copy(update=usage) for one in theirs[1]] == [one.model_copy(update=usage) for one in ours[1]]
    assert {one.usage.output_tokens for one in theirs[1]} == {3}


def changed(change: Callable[[dict[str, Any]], object]) -> Writer:
    def write(folder: Path, release: Path, replies: Any) -> Path:
        all_of_them = samples(release, replies)
        change(all_of_them[2])
        return inspect_json(folder, all_of_them)

    return write


def other_words(sample: dict[str, Any]) -> None:
    sample["input"][1]["content"] += "\nThe second option is right."


def other_item(sample: dict[str, Any]) -> None:
    sample["metadata"]["benchwright"]["id"] = "i999999999999"


def other_condition(sample: dict[str, Any]) -> None:
    sample["metadata"]["benchwright"]["condition"] = "question-only"


@pytest.mark.parametrize(
    ("write", "says"),
    [
        (changed(other_words), "i000000000003: was sent other words than benchwright asks with"),
        (changed(other_item), "asks about i999999999999, which small 1.0.0 does not have"),
        (changed(other_condition), "its samples differ in condition"),
        (changed(lambda sample: sample.pop("metadata")), "this is no log of its plug-in"),
        (
            changed(lambda sample: sample.pop("input")),
            "i000000000003: is no log of Inspect AI that can be read: input: Field required",
        ),
        (lambda folder, release, replies: inspect_json(folder, samples(release, replies)[1:]), "7 replies to 8 items"),
        (lambda folder, *_: inspect_json(folder, []), "holds no sample"),
    ],
    ids=["words", "item", "condition", "no plug-in", "no input", "too few", "empty"],
)
def test_what_is_no_log_of_the_release(write: Writer, says: str, release: Path, replies: dict[str, str]) -> None:
    with pytest.raises(InputError) as error:
        score(release, [write(Path(), release, replies)])
    assert says in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("a.eval", b"PK", "is no finished log of Inspect AI"),
        ("a.json", b"{", "no JSON"),
        ("a.json", b'{"eval": {}}', "holds no samples"),
        ("a.jsonl", b'{"doc_id": 0}\n', "a.jsonl:1: is no sample of lmms-eval"),
        ("a.jsonl", b'{"input": "", "filtered_resps": ""}\n', "a.jsonl:1: nothing under 'benchwright'"),
    ],
    ids=["zip", "json", "header alone", "lmms", "lmms without plug-in"],
)
def test_broken_files_are_named(name: str, data: bytes, says: str, release: Path) -> None:
    Path(name).write_bytes(data)
    with pytest.raises(InputError) as error:
        score(release, [Path(name)])
    assert says in str(error.value)


ODD: tuple[Any, ...] = (None, -1, 1.5, "x", "\ud800", [], {}, [1], [[]], {"a": 1}, 10**30, float("nan"))


def places(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Of everything in a value of JSON."""
    if place:
        yield place
    for name in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield from places(value[name], (*place, name))


def with_odd(value: Any, place: tuple[Any, ...], odd: Any) -> Any:
    whole = inner = copy.deepcopy(value)
    for name in place[:-1]:
        inner = inner[name]
    inner[place[-1]] = odd
    return whole


@pytest.mark.parametrize("name", ["inspect json", "lmms-eval"])
def test_no_value_of_a_log_is_a_crash(name: str, release: Path, replies: dict[str, str]) -> None:
    """Anything may stand anywhere: a log is scored, or refused in one line."""
    log, refused = WRITERS[name](Path(), release, replies), 0
    if name == "lmms-eval":
        first, *others = map(json.loads, log.read_text("utf-8").splitlines())
    else:
        whole = json.loads(log.read_text("utf-8"))
        first = {"eval": whole["eval"], "samples": whole["samples"][:1]}
        others = whole["samples"][1:]
    opened = open_release(release)
    for place in places(first):
        for odd in ODD:
            made = with_odd(first, place, odd)
            if name == "lmms-eval":
                log.write_text("\n".join(map(json.dumps, [made, *others])))
            else:
                both = [*made["samples"], *others] if isinstance(made["samples"], list) else made["samples"]
                log.write_text(json.dumps(made | {"samples": both}))
            try:
                logs.load(opened, log)
            except InputError:
                refused += 1
    assert refused > 100


@pytest.mark.parametrize("name", ["inspect eval", "inspect eval, zstandard"])
def test_an_archive_with_any_byte_changed_is_read_right_or_refused(
    name: str, release: Path, replies: dict[str, str]
) -> None:
    log, opened = WRITERS[name](Path(), release, replies), open_release(release)
    whole, data, chosen, refused = logs.load(opened, log), log.read_bytes(), random.Random(7), 0
    for number in range(400):
        torn = bytearray(data if number % 4 else data[: chosen.randrange(len(data))])
        for _ in range(chosen.choice((1, 1, 3)) if torn else 0):
            torn[chosen.randrange(len(torn))] = chosen.randrange(256)
        log.write_bytes(torn)
        try:
            assert all(one in whole[1] for one in logs.load(opened, log)[1])
        except InputError:
            refused += 1
    assert refused > 200


@pytest.mark.parametrize("packed", [False, True], ids=["deflated", "zstandard"])
def test_a_small_file_that_claims_gigabytes_is_refused(
    packed: bool, release: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logs, "LARGEST", 10_000)
    sample = {"id": "i1", "epoch": 1, "input": [{"content": "x" * 20_000}]}
    with pytest.raises(InputError, match="holds more than 10000 bytes"):
        score(release, [(inspect_zstd if packed else inspect_eval)(Path(), [sample])])


@pytest.mark.parametrize("name", ["deep.json", "deep.jsonl"])
def test_a_log_that_is_nested_without_end_is_refused(name: str, release: Path) -> None:
    Path(name).write_text("[" * 100_000 + "]" * 100_000)
    with pytest.raises(InputError, match="no JSON"):
        score(release, [Path(name)])


def test_a_log_of_another_release_is_refused(release: Path, replies: dict[str, str]) -> None:
    log = WRITERS["inspect json"](Path(), release, replies)
    told = json.loads((release / "release.json").read_text())
    (release / "release.json").write_text(json.dumps(told | {"canary": "d"}))
    with pytest.raises(InputError, match="is not that of"):
        score(release, [log])


def test_errors_of_a_provider_stay_errors_and_repeats_are_told_apart(release: Path, replies: dict[str, str]) -> None:
    first, again = samples(release, replies), samples(release, replies)
    for sample in again:
        sample["epoch"] = 2
    again[0] |= {"error": {"message": "gone"}, "output": {"choices": []}}
    info, responses = logs.load(open_release(release), inspect_json(Path(), first + again))
    assert info.repeats == 2
    assert [(one.status, one.reply) for one in responses[:2]] == [("answered", replies["i000000000001"]), ("error", "")]


def test_long_texts_may_lie_among_the_attachments(release: Path, replies: dict[str, str]) -> None:
    all_of_them = samples(release, replies)
    for sample in all_of_them:
        content = sample["input"][1]["content"]
        sample |= {"attachments": {"abc": content}}
        sample["input"][1]["content"] = [{"type": "text", "text": "attachment://abc"}]
    assert score(release, [inspect_json(Path(), all_of_them)]).runs[0].n == 8


def test_a_condition_goes_through(release: Path) -> None:
    """Asked without the scene, and so it is held against that."""
    posed = questions(release, Setting("question-only"))
    assert not any("rains" in question.text for question in posed)
    from .harnesses import sample as one

    log = inspect_json(Path(), [one(question, '{"answer": "A"}') for question in posed])
    assert score(release, [log]).runs[0].condition == "question-only"
