"""Which lines may say the same: those of the same words, and those that share a clause."""

import pytest
from benchwright.narrative.similarity import alike, clauses

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
