"""Which lines may say the same: those of the same words, and those that share a clause."""

from itertools import combinations

import pytest
import yaml
from benchwright.agents.narratives import Narrative
from benchwright.narrative.explore import explore
from benchwright.narrative.similarity import alike, bits, clauses
from benchwright.narrative.stories import open_story

PAIRS = {
    "the same": ("Lene laughs.", "Lene laughs.", True),
    "nearly the same words": ("Lene laughs at the old boat.", "Lene laughs at that old boat.", True),
    "a clause": (
        "Lene puts a comma where a dot was and looks disappointed in him.",
        "Lene asks whether Otto is taking minutes, and puts a comma where a dot was.",
        True,
    ),
    "four words in a row": (
        "Lene writes down twenty crowns, presses hard and breaks the pencil.",
        "Otto finds an envelope and writes down twenty crowns on it, since nobody asks.",
        False,
    ),
    "five words that say nothing": (
        "Lene says that he is not to be told of the storm before supper.",
        "Otto believes that he is not to be found by anybody who has a lantern.",
        False,
    ),
    "a clause of names": (
        "In the evening, over cold soup, Lene asks Marta whether she has sold her grandfather's boat to strangers.",
        "Otto waits behind the curtain until Lene asks Marta whether she likes poppy cake, and then he sneezes.",
        False,
    ),
    "other words": ("Lene laughs at the boat.", "Otto counts his silver.", False),
    "no words": ("", "…", False),
}


@pytest.mark.parametrize("case", PAIRS)
def test_alike(case: str):
    one, other, expected = PAIRS[case]
    assert alike(one, [other]) is alike(other, [one]) is expected


def test_a_clause_has_five_words_and_two_that_carry_meaning():
    assert clauses("Lene puts a comma where a dot is.") == {
        "lene puts a comma where", "puts a comma where a", "a comma where a dot", "comma where a dot is",
    }  # fmt: skip
    assert clauses("He says that it is not to be.") == set()


def test_the_lines_of_a_story_are_compared_as_two_texts_are(tmp_path):
    told = sorted({text for one, other, _ in PAIRS.values() for text in (one, other) if text})
    choices = [{"text": f"Choice {n}", "to": "end", "lines": [{"text": text}]} for n, text in enumerate(told)]
    states = {"start": {"choices": choices}, "end": {"ending": "end"}}
    path = tmp_path / "pairs.story.yaml"
    path.write_text(
        yaml.safe_dump(
            {"benchwright_story": 1, "title": "Pairs", "protagonists": ["Marta"], "start": "start", "states": states}
        )
    )
    story = open_story(path)
    about = Narrative.of(story, explore(story))
    numbers = {line.text: number for number in about.analysis.line_events() for line in about.analysis.lines(number)}
    found = {pair: about.similarity.alike(numbers[pair[0]], bits([numbers[pair[1]]])) for pair in combinations(told, 2)}
    assert found == {(one, other): alike(one, [other]) for one, other in combinations(told, 2)}
    assert sum(found.values()) >= 2
