"""What people said: taken in whole or not at all, and what it comes to."""

import json
from pathlib import Path
from typing import Any

import pytest

from ..project.releases import made
from .conftest import Cli, Done
from .test_judges import script

ITEMS = 12
"""Odd ones are choices whose key is o1, even ones open questions; one clip each."""
Records = list[dict[str, Any]]


@pytest.fixture
def release(tmp_path: Path) -> Path:
    return made(tmp_path / "release", "so" * (ITEMS // 2))


def name(number: int) -> str:
    return f"i{number:012d}"


def told(done: Done) -> dict[str, Any]:
    assert done.code == 0, done.err
    found: dict[str, Any] = json.loads(done.out)
    return found


def lines(path: Path, records: Records) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def answers() -> Records:
    """Two people on six choices: ann has four right, ben five and one skipped; ann was asked twice about one; and each
    answers one open question, of which one is half right and one not judged."""
    ann: Records = [{"person": "ann", "item": name(n), "ids": ["o1"] if n < 9 else ["o2"]} for n in range(1, 12, 2)]
    ben: Records = [{"person": "ben", "item": name(n), "ids": ["o1"]} for n in range(1, 10, 2)]
    rest: Records = [
        {"person": "ben", "item": name(11), "skipped": True},
        {"person": "ann", "item": name(1), "ids": ["o1"], "occasion": 1},
        {"person": "ann", "item": name(9), "ids": ["o1"], "occasion": 1},
        {"person": "ann", "item": name(2), "text": "in words", "credit": 0.5},
        {"person": "ben", "item": name(2), "text": "other words"},
    ]
    return [*ann, *ben, *rest]


def test_the_human_baseline_by_hand(cli: Cli, release: Path, tmp_path: Path) -> None:
    """ann 4.5 of 7; ben 5 of 5, or of 6 with the skipped one; pooled 9.5 of 12 or of 13."""
    done = told(cli("human", "import", release, "answers", lines(tmp_path / "a.jsonl", answers()), "--json"))
    assert (done["rows"], done["new"], done["total"]) == (16, 16, 16)
    found = told(cli("human", "baseline", release, "--json"))
    own = found["baseline"]
    assert (own["n"], own["pooled"]["value"]) == (12, pytest.approx(9.5 / 12))
    assert own["by_person"]["ann"]["value"] == pytest.approx(4.5 / 7)
    assert own["by_person"]["ben"]["value"] == 1
    assert own["macro"]["value"] == pytest.approx((9 / 11 + 0.5) / 2)
    assert (found["duplicates"], found["consistency"]["value"], found["unjudged"]) == (2, 0.5, 1)
    assert (found["agreement"]["units"], found["agreement"]["raw"]["figure"]["value"]) == (5, pytest.approx(4 / 5))
    assert found["paper_style"] is None  # one answer is half right
    strict = told(cli("human", "baseline", release, "--count-skipped", "--json"))["baseline"]
    assert (strict["n"], strict["by_person"]["ben"]["value"]) == (13, pytest.approx(5 / 6))
    assert "pooled" in cli("human", "baseline", release).out


def test_the_baseline_of_psychemme(cli: Cli, release: Path, tmp_path: Path) -> None:
    """PsycheMME Table 27 in small: six items by two people, ten of twelve right: Wilson gives [0.5520, 0.9530]."""
    records = [{"person": who, "item": name(n), "ids": ["o2" if n == 1 else "o1"]}
               for n in range(1, 12, 2) for who in ("a", "b")]  # fmt: skip
    told(cli("human", "import", release, "answers", lines(tmp_path / "a.jsonl", records), "--json"))
    found = told(cli("human", "baseline", release, "--json"))
    assert found["baseline"]["pooled"]["value"] == pytest.approx(10 / 12)
    assert (found["paper_style"]["low"], found["paper_style"]["high"]) == pytest.approx((0.5520, 0.9530), abs=1e-4)
    assert found["pooled_spread"]["interval"] is None
    assert found["pooled_spread"]["reason"] == "6 episodes, fewer than 10: no interval"
    assert found["agreement"]["raw"]["figure"]["value"] == 1


def test_csv_and_jsonl_say_the_same(cli: Cli, release: Path, tmp_path: Path) -> None:
    table = tmp_path / "a.csv"
    columns = ("person", "item", "ids", "text", "credit", "skipped", "occasion")
    cells = [one | {"ids": "|".join(one.get("ids", ()))} for one in answers()]
    rows = [",".join(str(one.get(column, "")) for column in columns) for one in cells]
    header = ",".join(columns)
    table.write_text("\ufeff" + "\r\n".join([header, *reversed(rows)]) + "\r\n", encoding="utf-8")
    for folder, file in (("x", lines(tmp_path / "a.jsonl", answers())), ("y", table)):
        told(cli("human", "import", release, "answers", file, "--folder", folder, "--json"))
    assert (tmp_path / "x" / "answers.jsonl").read_bytes() == (tmp_path / "y" / "answers.jsonl").read_bytes()
    again = told(cli("human", "import", release, "answers", table, "--folder", "x", "--json"))
    assert (again["rows"], again["new"], again["total"]) == (16, 0, 16)


GOOD = {"person": "ann", "item": name(1), "ids": ["o1"]}
RATING = {"person": "a", "item": name(2), "run": "r", "rubric": "hsa"}
STEP = {"person": "a", "item": name(1), "text": "x"}
BAD_ROWS = [
    pytest.param("answers", GOOD | {"item": "i9"}, "item: the release has no i9", id="another item"),
    pytest.param("answers", GOOD | {"ids": ["o9"]}, "ids: o9 is none of o1, o2, o3, o4", id="another option"),
    pytest.param("answers", GOOD | {"ids": ["o1", "o2"]}, "one option can be chosen, not 2", id="two options"),
    pytest.param("answers", GOOD | {"ids": []}, "ids, or a text, or was skipped", id="nothing"),
    pytest.param("answers", GOOD | {"item": name(2)}, "an open question has no options", id="ids of an open one"),
    pytest.param("answers", {"person": "ann", "item": name(1), "text": "x"}, "answered by `ids`", id="words"),
    pytest.param("answers", GOOD | {"shown": ["o1", "o2"]}, "shown: these are not", id="another order"),
    pytest.param("answers", GOOD | {"person": "ann@example.org"}, "person: String should match", id="an address"),
    pytest.param("answers", GOOD | {"mood": "fine"}, "mood: Extra inputs", id="unknown field"),
    pytest.param("answers", {"item": name(1), "ids": ["o1"]}, "person: Field required", id="missing field"),
    pytest.param("answers", GOOD | {"seconds": float("nan")}, "seconds: ", id="no number"),
    pytest.param("answers", GOOD | {"occasion": 10**20}, "occasion: ", id="huge"),
    pytest.param("answers", ["ann"], "valid dictionary", id="no object"),
    pytest.param("ratings", GOOD | {"run": "r"}, "rubric: Field required", id="answer for a rating"),
    pytest.param("ratings", RATING | {"ratings": [1, 2, 3, 4, 5, 6]},
                 "ratings.5: ", id="six"),
    pytest.param("ratings", RATING | {"ratings": [1, 2]},
                 "ratings: ", id="too few"),
    pytest.param("labels", {"person": "a", "item": name(2), "run": "r", "rubric": "logic", "label": "strong"},
                 "label 'strong' is none of fully coherent", id="label of another rubric"),
    pytest.param("labels", {"person": "a", "item": name(2), "run": "r", "rubric": "open", "label": "0.7"},
                 "is none of 0, 0.5, 1", id="no credit"),
    pytest.param("endorsements", {"person": "a", "item": name(2), "run": "r", "rubric": "open", "endorsed": "maybe"},
                 "endorsed: ", id="no yes or no"),
    pytest.param("traces", STEP | {"step": 2}, "has steps 2, not 1 to 2", id="gap"),
    pytest.param("traces", STEP | {"step": 1, "tags": ["smell"]},
                 "tags.0: ", id="no modality"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "bad", "says"), BAD_ROWS)
def test_a_bad_row_is_one_line_and_nothing_is_taken_in(
    kind: str, bad: Any, says: str, cli: Cli, release: Path, tmp_path: Path
) -> None:
    file = lines(tmp_path / "a.jsonl", [bad])
    done = cli("human", "import", release, kind, file)
    assert (done.code, done.out) == (2, "")
    finding, summary = done.err.splitlines()
    assert finding.startswith(f"{file}:1: ")
    assert says in finding
    assert summary == "benchwright: 1 bad rows of 1: nothing was taken in"
    assert not (tmp_path / "human").exists()


def test_every_bad_row_has_its_line_and_good_ones_stay_out(cli: Cli, release: Path, tmp_path: Path) -> None:
    told(cli("human", "import", release, "answers", lines(tmp_path / "first.jsonl", [GOOD]), "--json"))
    stored = next(tmp_path.glob("human/*/answers.jsonl"))
    before = stored.read_bytes()
    file = tmp_path / "b.jsonl"
    other = json.dumps(GOOD | {"item": name(3)})
    against = json.dumps(GOOD | {"ids": ["o2"]})
    file.write_text(f'{other}\n\n{{"person": \n{json.dumps(GOOD | {"item": "i9"})}\n{against}\n', encoding="utf-8")
    table = tmp_path / "c.csv"
    table.write_text(f"person,item,ids\nann,{name(5)},o1\nann,{name(7)},o1,more\nann,{name(9)},o7\n", encoding="utf-8")
    done = cli("human", "import", release, "answers", file, table)
    found = [line.split(": ")[0] for line in done.err.splitlines()[:-1]]
    assert found == [f"{file}:3", f"{file}:4", f"{file}:5", f"{table}:3", f"{table}:4"]
    assert "no JSON" in done.err
    assert "there already and says something else" in done.err
    assert "4 cells under 3 columns" in done.err
    assert stored.read_bytes() == before


@pytest.mark.parametrize(
    ("data", "says"),
    [(None, "no such file"), (b"", "no rows"), (b"\xff\xfe", "no UTF-8")],
    ids=["missing", "empty", "another encoding"],
)
def test_a_file_that_cannot_be_read(data: bytes | None, says: str, cli: Cli, release: Path, tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    if data is not None:
        file.write_bytes(data)
    done = cli("human", "import", release, "answers", file)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert says in done.err


@pytest.fixture
def run(cli: Cli, release: Path, tmp_path: Path) -> Path:
    """A run whose replies have a rationale and a trace, judged by a judge that is easily pleased."""
    steps = [{"step": "Alpha looks sad", "tags": ["visual"]}, {"step": "Beta shouts", "tags": []}]
    reply = {"answer": "A", "G": "Alpha holds on to the lamp.", "trace": steps}
    tags = [{"step": 1, "tags": []}, {"step": 2, "tags": ["vocal"]}]
    model = script(tmp_path, "model.yaml", [{"reply": reply}])
    rated = dict.fromkeys(("scene_description", "individuals", "topic_and_context", "socio_emotional_analysis",
                           "answer_detail", "adherence_to_prompt"), 4)  # fmt: skip
    judge = script(
        tmp_path,
        "judge.yaml",
        [
            {"prompt_id": "judge_open", "reply": {"reason": "", "credit": 1}},
            {"prompt_id": "judge_evidence", "reply": {"reason": "", "label": "strong"}},
            {"prompt_id": "judge_hsa", "reply": rated | {"reason": ""}},
            {
                "prompt_id": "judge_modality",
                "reply": {"steps": tags},
            },
        ],
    )
    told(cli("evaluate", release, "--model", model, "--out", "run", "--trace", "steps", "--json"))
    rubrics = [f"--rubric={rubric}" for rubric in ("open", "evidence", "hsa", "modality")]
    told(cli("judge", release, "run", "--judge", judge, *rubrics, "--json"))
    return tmp_path / "run"


def on_reply(number: int, **said: Any) -> dict[str, Any]:
    return {"item": name(number), "run": "run"} | said


def test_a_judge_against_people_by_hand(cli: Cli, release: Path, run: Path, tmp_path: Path) -> None:
    """The judge gives 1 to all six open answers. ann agrees on all; ben says 0 to three: 9 of 12 pairs agree. Experts
    endorse 4 of 6."""
    labels = [on_reply(n, person=who, rubric="open", label="0" if who == "ben" and n > 6 else "1")
              for n in range(2, 13, 2) for who in ("ann", "ben")]  # fmt: skip
    endorsed = [on_reply(n, person="eve", rubric="open", endorsed=n < 10) for n in range(2, 13, 2)]
    ratings = [on_reply(n, person=who, rubric="hsa", ratings=[4, 4, 4, 4, 4, 1 if who == "ben" else 5])
               for n in range(2, 13, 2) for who in ("ann", "ben")]  # fmt: skip
    for kind, records in (("labels", labels), ("endorsements", endorsed), ("ratings", ratings)):
        told(cli("human", "import", release, kind, lines(tmp_path / f"{kind}.jsonl", records), "--json"))
    found = told(cli("human", "agreement", release, run, "--json"))
    openly = found["labels"]["open"]
    assert openly["replies"] == 6
    assert openly["people"]["raw"]["figure"]["value"] == pytest.approx(0.5)
    assert openly["with_judge"]["raw"]["figure"]["value"] == pytest.approx(9 / 12)
    assert openly["people"]["cohen"]["0 1"]["value"] == pytest.approx(0)
    assert found["endorsed"]["open"]["pooled"]["value"] == pytest.approx(4 / 6)
    rated = found["ratings"]["hsa"]
    assert (rated["people_mean"]["value"], rated["judge_mean"]["value"]) == (pytest.approx((25 + 21) / 2), 24)
    adherence = rated["table"]["rows"][-1]
    assert adherence[0] == "adherence to prompt"
    assert adherence[1] == 0  # ann says yes and ben no to every reply
    assert adherence[3] == pytest.approx(100 * 2 * 6 / (6 + 12))  # half of the pairs with the judge
    assert "with the judge" in cli("human", "agreement", release, run).out
    assert cli("human", "agreement", release, run, "--judge", "scripted/nobody").code == 2


def test_traces_against_people_by_hand(cli: Cli, release: Path, run: Path, tmp_path: Path) -> None:
    """The model sees that Alpha is sad, and hears Beta shout: one step of each kind, the second tagged by the judge."""
    steps = [("Alpha looks sad and afraid", ["visual"]), ("Nobody answers", ["verbal"]), ("Beta shouts", ["vocal"])]
    records = [{"person": "ann", "item": name(1), "step": at, "text": text, "tags": tags}
               for at, (text, tags) in enumerate(steps, 1)]  # fmt: skip
    told(cli("human", "import", release, "traces", lines(tmp_path / "t.jsonl", records), "--json"))
    found = told(cli("human", "traces", release, run, "--json"))
    means = {figure: own["value"] for figure, own in found["means"].items()}
    assert (found["pairs"], found["untagged"]) == (1, 0)
    assert (means["visual"], means["vocal"], means["verbal"], means["external_knowledge"]) == (1, 1, 0, 0)
    assert (means["num_steps"], means["all_modality"], means["emotion"]) == (1, 2, 1)
    assert means["difference_sequence"] == pytest.approx(2 * 2 / 5)
    assert found["normalised"]["all_modality"]["value"] == pytest.approx(2 / 3)
    assert found["normalised"]["emotion"]["value"] == pytest.approx(1 / 2)
    assert "similarity_step" in cli("human", "traces", release, run).out


def test_a_subset_of_clips(cli: Cli, release: Path, run: Path) -> None:
    found = told(cli("human", "sample", release, "--n", 6, "--run", run, "--json"))
    assert (found["of"], found["units"], len(found["ids"]), len(found["items"])) == ("clip", ITEMS, 6, 6)
    assert found["factors"] == ["difficulty", "question", "people", "dialogue"]
    question = {level["level"]: level["taken"] for level in found["levels"] if level["factor"] == "question"}
    assert question == {"counterfactual": 3, "empathy": 3}
    assert told(cli("human", "sample", release, "--n", 6, "--run", run, "--json")) == found
    text = cli("human", "sample", release, "--n", 2, "--of", "item", "--factor", "question").out.splitlines()
    assert "question empathy: 1 taken, 1.0 wanted of 6" in text


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["sample", "--n", "99"], "12 clips: 99 of 12"),
        (["sample", "--factor", "mood"], "there is no factor 'mood'"),
        (["sample", "--factor", "difficulty"], "name some with --run"),
        (["sample", "--of", "story"], "clips or items, not 'story'"),
        (["baseline"], "no answers there"),
        (["traces", "run"], "no traces there"),
        (["agreement", "run"], "nobody has labelled"),
        (["import", "moods", "x.csv"], "there is no kind 'moods'"),
    ],
)
def test_what_cannot_be_done_is_one_line(arguments: list[str], says: str, cli: Cli, release: Path, run: Path) -> None:
    command, *rest = arguments
    done = cli("human", command, release, *rest)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert says in done.err
