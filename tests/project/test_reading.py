"""Scores from stored replies read anew, and split by whether the model knows the work."""

import json
from pathlib import Path

import pytest
from benchwright.errors import InputError, UsageError
from benchwright.project.evaluate import Evaluated, Evaluation, evaluate
from benchwright.project.report import write as write_report
from benchwright.project.score import score
from benchwright.project.table import write_csv
from benchwright.schemas.response import Response
from benchwright.scoring.recognition import same_work

from .releases import made, write


def run(release: Path, script: str, condition: str = "full") -> Evaluated:
    Path("model.yaml").write_text(f"benchwright_script: 1\nrules:\n{script}")
    return evaluate(None, release, Evaluation("scripted/model.yaml", condition))


@pytest.fixture
def release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return made(tmp_path / "release", "s" * 24)


ANSWER = '  - {reply: \'{"answer": "A"}\'}\n'


def test_stored_replies_are_read_again_and_the_files_stay(release: Path) -> None:
    done = run(release, ANSWER)
    stored = done.folder / "responses.jsonl"
    # As an older reader might have left it: two replies unread, one read as another option.
    replies = done.result.responses
    unread = {"ids": (), "status": "no_answer", "rule": "older"}
    other = next(option for option in replies[2].shown if option not in replies[2].ids)
    old: list[Response] = [
        *(one.model_copy(update=unread) for one in replies[:2]), replies[2].model_copy(update={"ids": (other,)})
    ]  # fmt: skip
    write(stored, [*old, *replies[3:]])  # type: ignore[arg-type]
    before = stored.read_bytes()
    plain, again = score(release, [done.folder]), score(release, [done.folder], reparse=True)
    assert plain.reread is None
    assert plain.runs[0].statuses == {"answered": 22, "no_answer": 2}
    assert again.runs[0].statuses == {"answered": 24}
    assert again.reread is not None
    assert [(one.item, one.before.split()[0], one.after.split()[0]) for one in again.reread] == [
        (replies[0].item, "no_answer", "answered"), (replies[1].item, "no_answer", "answered"),
        (replies[2].item, "answered", "answered"),
    ]  # fmt: skip
    assert stored.read_bytes() == before
    assert "reread" in again.json()


def probed(release: Path) -> tuple[Path, Path]:
    """A run, and a probe of its model that names a work for the clips of the first days."""
    answers = run(release, ANSWER)
    named = "".join(
        f"  - {{contains: 'on day {day}.', reply: '{{\"work\": \"The Long Rain\"}}'}}\n" for day in range(1, 10)
    )
    probe = run(release, named + "  - {reply: '{\"work\": null}'}\n", "recognition")
    return answers.folder, probe.folder


def test_accuracy_is_split_by_whether_a_work_is_named(release: Path, tmp_path: Path) -> None:
    answers, probe = probed(release)
    found = score(release, [answers, probe])
    assert [one.condition for one in found.runs] == ["full"]
    (split,) = found.recognition
    assert (split.named, split.right, split.right_only) == (9, None, False)
    assert (split.recognised, split.others) == (9, 15)
    total = (split.accuracy or 0) * 9 + (split.other_accuracy or 0) * 15
    assert total / 24 == pytest.approx(found.runs[0].accuracy.value)
    assert split.value == pytest.approx((split.accuracy or 0) - (split.other_accuracy or 0))
    assert split.low is not None
    write_csv(found, tmp_path / "t.csv")
    assert "difference by recognition" in (tmp_path / "t.csv").read_text()
    page = write_report(release, [answers, probe], found, tmp_path / "r.html").read_text()
    assert "Recognised works" in page


@pytest.mark.parametrize(
    ("titles", "right", "reason"),
    [(["Long Rain"], 9, ""), (["Heavy Rain"], 0, "one half of the split is empty")],
)
def test_a_work_that_is_known_counts_only_where_it_is_the_right_one(
    titles: list[str], right: int, reason: str, release: Path, tmp_path: Path
) -> None:
    works = tmp_path / "works.json"
    works.write_text(json.dumps({"s1": titles}))
    (split,) = score(release, [*probed(release)], works=works).recognition
    assert (split.right_only, split.named, split.right, split.recognised) == (True, 9, right, right)
    assert split.reason == reason


def test_a_probe_alone_has_no_score_and_titles_must_be_titles(release: Path, tmp_path: Path) -> None:
    answers, probe = probed(release)
    with pytest.raises(UsageError, match="a probe alone has no score"):
        score(release, [probe])
    (tmp_path / "works.json").write_text("[1]")
    with pytest.raises(InputError, match="is to hold the titles of each source's work"):
        score(release, [answers, probe], works=tmp_path / "works.json")


@pytest.mark.parametrize(
    ("said", "titles", "same"),
    [
        ("Heavy Rain", ["heavy rain"], True),
        ("Heavy Rain (2010)", ["Heavy Rain"], True),
        ("Rain", ["Heavy Rain"], True),
        ("It", ["Sit"], False),
        ("It", ["IT!"], True),
        ("", ["Heavy Rain"], False),
        ("Beyond", [], False),
        ("暴雨", ["暴雨"], True),
    ],
)
def test_titles_are_compared_by_letters(said: str, titles: list[str], same: bool) -> None:
    assert same_work(said, titles) is same
