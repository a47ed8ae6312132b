"""Replies to an earlier version against the release that corrects it, and releases compared on the command line."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ..project.test_versions import Rows, fewer, frozen, more, rekeyed, requested, retold, rows
from .conftest import Cli

WHY = {"": "a reader found it"}


class Two(NamedTuple):
    """A run on the first version of a release, where its later versions lie."""

    run: Path
    releases: Path

    def later(self, changed: Rows, reasons: dict[str, str] | None = None) -> Path:
        return frozen(changed, self.releases, None, reasons)


@pytest.fixture
def two(cli: Cli, tmp_path: Path) -> Two:
    release, run = frozen(rows(), tmp_path / "releases", "1.0.0"), tmp_path / "run"
    assert cli("evaluate", release, "--model", "baseline/random", "--repeats", 2, "--out", run).code == 0
    return Two(run, tmp_path / "releases")


def scored(cli: Cli, release: Path, *more: object) -> Any:
    done = cli("score", release, *more, "--json")
    assert done.code == 0, done.err
    return json.loads(done.out)


def right(run: Path, keys: Rows) -> list[bool]:
    """Whether each reply chose the key."""
    answers = {one.item.id: list(one.key.answer) for one in keys}
    replies = [json.loads(line) for line in (run / "responses.jsonl").read_text().splitlines()]
    return [reply["ids"] == answers[reply["item"]] for reply in replies]


def test_a_run_on_another_version_is_refused_unless_asked_for(cli: Cli, two: Two) -> None:
    new = two.later(rekeyed(), WHY)
    refused = cli("score", new, two.run)
    assert (refused.code, refused.out) == (2, "")
    assert "a run on small-unreviewed 1.0.0" in refused.err


def test_a_corrected_key_scores_old_replies_anew(cli: Cli, two: Two) -> None:
    """The key becomes what the first reply chose."""
    chosen = json.loads((two.run / "responses.jsonl").read_text().splitlines()[0])["ids"][0]
    assert not right(two.run, rows())[0]
    found = scored(cli, two.later(rekeyed(chosen), WHY), two.run, "--errata")
    assert (found["voided"], found["runs"][0]["n"]) == ([], 5)
    assert right(two.run, rekeyed(chosen))[0]
    assert found["runs"][0]["accuracy"]["value"] == pytest.approx(sum(right(two.run, rekeyed(chosen))) / 10)


@pytest.mark.parametrize("later", [requested, retold, fewer], ids=lambda later: later.__name__)
def test_what_was_shown_otherwise_is_reported_and_not_scored(cli: Cli, two: Two, later: Any) -> None:
    new = two.later(later(), WHY)
    found = scored(cli, new, two.run, "--errata")
    item = rows()[0].item.id
    assert found["voided"] == [{"run": "run", "item": item, "version": "2.0.0", "reason": WHY[""]}]
    assert found["runs"][0]["n"] == 4
    assert found["runs"][0]["accuracy"]["value"] == pytest.approx(sum(right(two.run, rows())[2:]) / 8)
    told = cli("score", new, two.run, "--errata").out
    assert f"{item}: void since 2.0.0: {WHY['']}" in told
    assert "not scored, since something else was shown: 1 items" in told


def test_records_that_were_added_were_not_asked(cli: Cli, two: Two) -> None:
    found = scored(cli, two.later(more()), two.run, "--errata")
    assert (found["voided"], found["runs"][0]["n"]) == ([], 5)


def test_over_several_versions(cli: Cli, two: Two) -> None:
    """A key and then a question: void since the second change."""
    two.later(rekeyed(), {"": "the key"})
    last = two.later([rekeyed()[0], *requested()[1:]][:1] + rows()[1:-1], {"": "out"})
    found = scored(cli, last, two.run, "--errata")
    assert [(one["version"], one["reason"]) for one in found["voided"]] == [("3.0.0", "out")]
    assert found["runs"][0]["n"] == 4


@pytest.mark.parametrize("lost", [1, 2])
def test_replies_that_are_missing_are_missed(cli: Cli, two: Two, lost: int) -> None:
    file = two.run / "responses.jsonl"
    file.write_text("".join(file.read_text().splitlines(keepends=True)[:-lost]))
    done = cli("score", two.later(rekeyed(), WHY), two.run, "--errata")
    assert (done.code, done.out) == (2, "")
    assert "5 items asked 2 times" in done.err


def test_a_reply_to_another_text_does_not_count(cli: Cli, two: Two) -> None:
    """The errata forgot it, and the hash of what was sent remembers."""
    file = two.run / "responses.jsonl"
    first, *rest = [json.loads(line) for line in file.read_text().splitlines()]
    first["input_sha256"] = "sha256:0"
    file.write_text("".join(json.dumps(line) + "\n" for line in [first, *rest]))
    found = scored(cli, two.later(rows()), two.run, "--errata")
    assert [one["item"] for one in found["voided"]] == [first["item"]]
    assert found["runs"][0]["n"] == 4


def test_the_page_takes_them_too(cli: Cli, two: Two, tmp_path: Path) -> None:
    done = cli("score", two.later(requested(), WHY), two.run, "--errata", "--html", tmp_path / "page.html")
    assert done.code == 0, done.err
    assert "--errata" in (tmp_path / "page.html").read_text("utf-8")


def test_diff_on_the_command_line(cli: Cli, two: Two) -> None:
    old, new = two.releases / "small-unreviewed-1.0.0", two.later([*requested()[:-1]], WHY)
    done = cli("diff", old, new)
    first, last = rows()[0].item.id, rows()[-1].item.id
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        f"changed  {first}  question",
        f"removed  {last}",
        "small-unreviewed 1.0.0 → small-unreviewed 2.0.0: 0 added, 1 changed, 1 removed (major)",
    ]
    found = json.loads(cli("diff", old, new, "--json").out)
    assert found["schema"] == "benchwright/diff/1"
    assert (found["added"], found["removed"], found["level"]) == ([], [last], "major")
    assert [(one["id"], one["fields"]) for one in found["changed"]] == [(first, ["question"])]
    (new / "errata.jsonl").write_bytes(b"")
    silent = cli("diff", old, new)
    assert silent.code == 1
    assert "errata.jsonl does not say so" in silent.err
    assert cli("diff", old, two.releases).code == 2
