"""The knowledge files: what is bundled is whole, and a project's own taxonomy is read with its lines."""

import re
from string import Formatter
from typing import get_args

import pytest
from benchwright.agents.question import render
from benchwright.errors import InputError
from benchwright.knowledge.loader import Questions, load_language, load_questions, load_taxonomy
from benchwright.schemas.grounding import Claim

FIELDS = {
    "counterfactual": {"who", "did", "instead", "window"},
    "behaviour": {"who", "did", "person", "window"},
    "causal_antecedent": {"who", "event", "window"},
}
"""What a draft's frame holds, by claim."""
WORDED = tuple(FIELDS)


def templates(questions: Questions, claim: str) -> tuple[str, ...]:
    found: tuple[str, ...] = getattr(questions, claim)
    return found


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


def test_every_capability_has_a_known_claim_or_none():
    claims = {capability.claim for capability in load_taxonomy().capabilities.values()}
    assert claims <= {*get_args(Claim), None}
    assert {"counterfactual", "behaviour"} <= claims


def test_the_four_interaction_types_have_cues_that_can_be_met():
    interactions = load_taxonomy().interactions
    assert len(interactions) == 4
    for kind in interactions.values():
        assert kind.cues
        assert len(set(kind.cues)) == len(kind.cues)
        for cue in kind.cues:
            assert re.fullmatch(r"[a-z]+", cue), "cues are compared with lower-case words without punctuation"


def test_language_lists_are_lower_case_and_do_not_overlap():
    language = load_language()
    for words in (language.verbs, language.spoken, language.speech, set(language.answers)):
        assert all(word == word.casefold() for word in words)
    assert not language.verbs & language.spoken
    assert not language.verbs & set(language.answers)
    assert not any("’" in word for word in language.spoken)


@pytest.mark.parametrize("claim", WORDED)
def test_every_template_is_filled_by_its_frame_and_states_its_window(claim: str):
    questions = load_questions()
    frame = {"claim": claim} | {name: f"<{name}>" for name in FIELDS[claim]}
    for wording, template in enumerate(templates(questions, claim)):
        assert fields(template) <= FIELDS[claim]
        assert "<window>" in render(questions, frame, wording)
        assert "{" not in render(questions, frame, wording)


@pytest.mark.parametrize("claim", WORDED)
def test_wordings_differ(claim: str):
    found = templates(load_questions(), claim)
    assert len(found) == len(set(found)) > 1


def test_a_question_about_most_players_says_whose_majority_it_is_and_when():
    for template in templates(load_questions(), "moral_dilemma"):
        assert fields(template) == {"who"}
        assert "the most players" in template
        assert {"clip", "next"} & set(re.findall(r"\w+", template))


def test_windows_are_filled_by_who_and_count():
    windows = load_questions().windows
    assert {"before_next", "within"} <= windows.keys()
    assert all(fields(window) <= {"who", "count"} for window in windows.values())


def test_counts_are_the_numerals_up_to_the_widest_window():
    assert load_questions().counts == ("zero", "one", "two", "three", "four", "five", "six")


OWN = """\
version: 1
source: mine
capabilities:
  guessing:
    claim: behaviour
    needs: story
    definition: What comes next.
interactions:
  talk:
    definition: Talking.
    cues: [say, yes, on]
options: [4, 6]
"""


def test_a_projects_own_taxonomy(tmp_path):
    path = tmp_path / "taxonomy.yaml"
    path.write_text(OWN, encoding="utf-8")
    taxonomy = load_taxonomy(path)
    assert taxonomy.capabilities["guessing"].claim == "behaviour"
    assert taxonomy.interactions["talk"].cues == ("say", "yes", "on"), "words that old YAML takes for true and false"
    assert taxonomy.options == (4, 6)
    assert taxonomy.options_of("guessing") == (4, 6)


def test_a_capability_may_have_a_range_of_its_own(tmp_path):
    path = tmp_path / "taxonomy.yaml"
    path.write_text(OWN.replace("needs: story", "needs: story\n    options: [2, 3]"), encoding="utf-8")
    assert load_taxonomy(path).options_of("guessing") == (2, 3)
    assert load_taxonomy().options_of("moral_dilemma") == (2, 6)


BROKEN = [
    ("claim: behaviour", "claim: mindreading", 5, "capabilities.guessing.claim"),
    ("needs: story", "needs: story\n    wants: story", 7, "wants"),
    ("cues: [say, yes, on]", "cues: 3", 11, "interactions.talk.cues"),
    ("options: [4, 6]", "options: [4, many]", 12, "options"),
    ("options: [4, 6]", "options: [4, 5, 6]", 12, "options"),
    ("options: [4, 6]", "options: [6, 4]", 12, "options: the fewest options come first"),
    ("needs: story", "needs: story\n    options: [1, 4]", 7, "capabilities.guessing.options"),
    ("version: 1", "version: one", 1, "version"),
    ("options: [4, 6]", "sauce: mine", 12, "sauce"),
    ("    definition: Talking.", "    definition: [Talking.", 11, "malformed"),
]


@pytest.mark.parametrize(("old", "new", "line", "says"), BROKEN, ids=[new.strip() for _, new, _, _ in BROKEN])
def test_an_error_names_file_and_line(tmp_path, old: str, new: str, line: int, says: str):
    path = tmp_path / "mine.yaml"
    assert old in OWN
    path.write_text(OWN.replace(old, new), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_taxonomy(path)
    assert f"mine.yaml:{line}" in str(caught.value)
    assert says in str(caught.value)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match=r"none\.yaml"):
        load_taxonomy(tmp_path / "none.yaml")
