"""Files of recorded shares: read, each bad entry named with its line, and matched with what a story offers."""

import json
from pathlib import Path

import pytest
from benchwright.errors import InputError
from benchwright.narrative.explore import explore
from benchwright.narrative.ink import InkStory
from benchwright.narrative.shares import Shares, known, matched, read_shares
from benchwright.schemas.grounding import Recipe, Recorded

HEAD = "benchwright_shares: 1\nsource: a poll\ndate: 2026-03-01\ndecisions:\n"


@pytest.fixture
def read(tmp_path: Path):
    def read(text: str) -> Shares:
        path = tmp_path / "poll.yaml"
        path.write_text(text, encoding="utf-8")
        return read_shares(path, "poll.yaml")

    return read


def test_counts_and_shares_come_to_the_same(read):
    found = read(HEAD + "  - counts: {Yes: 30, No: 10}\n  - {n: 40, shares: {  stay  here: 0.75, go: 0.25}}\n")
    assert found.problems == ()
    assert [entry.recorded for entry in found.entries] == [
        Recorded(source="a poll", date="2026-03-01", n=40, chosen={"Yes": 30, "No": 10}),
        Recorded(source="a poll", date="2026-03-01", n=40, chosen={"stay here": 30, "go": 10}),
    ]
    assert [entry.place for entry in found.entries] == ["poll.yaml:5", "poll.yaml:6"]
    assert found.entries[0].quote == "a poll, 2026-03-01, n = 40: No / Yes"


def test_rounded_percents_are_taken(read):
    assert read(HEAD + "  - {n: 7, shares: {a: 0.33, b: 0.33, c: 0.33}}\n").problems == ()


BAD_ENTRIES = {
    "neither": ("{}", "give either counts, or shares with n"),
    "both": ("{counts: {a: 1, b: 2}, shares: {a: 0.3, b: 0.7}, n: 3}", "give either counts, or shares with n"),
    "shares without n": ("{shares: {a: 0.3, b: 0.7}}", "shares need n"),
    "counts with n": ("{counts: {a: 1, b: 2}, n: 3}", "counts have none"),
    "one choice": ("{counts: {a: 1}}", "two choices or more"),
    "same text": ('{counts: {a b: 1, "a  b": 2}}', "two choices or more, each with words of its own"),
    "no text": ('{counts: {a: 1, " ": 2}}', "two choices or more, each with words of its own"),
    "no players": ("{counts: {a: 0, b: 0}}", "nobody chose anything"),
    "negative": ("{counts: {a: -1, b: 2}}", "greater than or equal to 0, got -1"),
    "fraction": ("{counts: {a: 1.5, b: 2}}", "a valid integer, got 1.5"),
    "truth": ("{counts: {a: true, b: 2}}", "a valid integer, got True"),
    "percent": ("{shares: {a: 60, b: 40}, n: 9}", "less than or equal to 1, got 60"),
    "too little": ("{shares: {a: 0.5, b: 0.3}, n: 9}", "the shares add up to 0.8, not to 1"),
    "unknown key": ("{counts: {a: 1, b: 2}, when: now}", "unknown key 'when'"),
    "text": ("a", "valid dictionary"),
    "again": ("{counts: {go: 5, stay: 6}}", "the same choices as in line 5"),
}


@pytest.mark.parametrize("name", BAD_ENTRIES)
def test_a_bad_entry_is_named_with_its_line_and_the_others_stay(read, name: str):
    entry, message = BAD_ENTRIES[name]
    found = read(HEAD + f"  - counts: {{stay: 3, go: 4}}\n  - {entry}\n  - counts: {{run: 3, hide: 4}}\n")
    assert [sorted(entry.menu) for entry in found.entries] == [["go", "stay"], ["hide", "run"]]
    assert len(found.problems) == 1
    assert message in str(found.problems[0])
    assert found.problems[0].place in (6, "6")
    assert "\n" not in str(found.problems[0])


BAD_FILES = {
    "": "expected keys and values",
    "benchwright_shares: 1\ndate: 2026-03\ndecisions: []\n": "missing key 'source'",
    "benchwright_shares: 1\nsource: a poll\ndecisions: []\n": "missing key 'date'",
    HEAD.replace("2026-03-01", "last week") + "  []\n": "date: String should match pattern",
    HEAD.replace("2026-03-01", "2026-13-01") + "  []\n": "date: String should match pattern",
    HEAD + "  a: 1\n": "decisions: expected a valid tuple",
    HEAD + "  - [\n": "malformed",
}


@pytest.mark.parametrize("text", BAD_FILES)
def test_a_bad_file_is_one_problem(read, text: str):
    found = read(text)
    assert found.entries == ()
    assert len(found.problems) == 1
    assert BAD_FILES[text] in str(found.problems[0])


def test_a_file_that_is_missing_is_one_problem(tmp_path: Path):
    found = read_shares(tmp_path / "nowhere.yaml")
    assert [error.problem for error in found.problems] == ["no such file or directory"]


TALE: dict[str, dict[str, tuple[str, list[str]]]] = {
    "s": {"stay": ("t", []), "go": ("u", [])},
    "t": {"run": ("u", []), "hide": ("u", []), "wait": ("e", [])},
    "u": {"yes": ("v", []), "no": ("e", [])},
    "v": {"yes": ("e", []), "no": ("e", [])},
    "e": {},
}
UNMATCHED = {
    "fly": ("{stay: 5, fly: 6}", "no decision offers 'fly'"),
    "one too few": (
        "{run: 5, hide: 6}",
        "no decision offers exactly these 2 choices; one that comes near offers 'wait'",
    ),
    "one too many": ("{stay: 5, go: 6, run: 1}", "no decision offers exactly these 3 choices"),
    "two places": ("{yes: 5, no: 6}", "2 places of the story offer these choices"),
}


@pytest.mark.parametrize("name", UNMATCHED)
def test_what_matches_no_decision_is_named(graph_story, read, name: str):
    counts, message = UNMATCHED[name]
    shares = read(HEAD + f"  - counts: {{go: 3, stay: 4}}\n  - counts: {counts}\n")
    found = matched(explore(graph_story(TALE)), shares)
    assert [sorted(entry.menu) for entry in found.entries] == [["go", "stay"]]
    assert [error.place for error in found.problems] == ["6"]
    assert message in str(found.problems[0])


def test_a_story_that_is_not_explored_whole_says_so(graph_story, read):
    chart = explore(graph_story(TALE), max_states=2)
    found = matched(chart, read(HEAD + "  - counts: {run: 3, fly: 4}\n"))
    assert "explored so far offers 'fly'" in str(found.problems[0])


def test_compiled_ink_is_matched_alike(read, shared):
    path = shared / "data/narratives/ink/the-intercept/TheIntercept.v21.ink.json"
    data = json.loads(path.read_text(encoding="utf-8-sig"))
    chart = explore(InkStory(path, path.read_bytes(), data), max_states=20)
    menus = [[choice.text for choice in chart.state(number).choices] for number in range(len(chart))]
    texts = next(menu for menu in menus if len(menu) > 2 and sum(set(menu) == set(other) for other in menus) == 1)
    counts = ", ".join(f"{json.dumps(text)}: {number}" for number, text in enumerate(texts, 1))
    found = matched(chart, read(HEAD + f"  - counts: {{{counts}}}\n"))
    assert (len(found.entries), found.problems) == (1, ())


def test_a_recipe_whose_figures_no_file_holds_is_refused(read):
    (entry,) = read(HEAD + "  - counts: {stay: 3, go: 4}\n").entries
    fields = {"claim": "moral_dilemma", "story_sha256": "", "play": (), "taken": 0, "window": 0, "events": {}}
    known(Recipe(**fields), ())
    known(Recipe(**fields, recorded=entry.recorded), (entry,))
    forged = entry.recorded.model_copy(update={"chosen": {"stay": 4.0, "go": 3.0}})
    with pytest.raises(InputError, match="no file holds these figures"):
        known(Recipe(**fields, recorded=forged), (entry,))
