"""Entries are only added, names belong to whoever had them first, placeholders stay."""

import pytest
from benchwright.anonymize.lexicon import GREEK_LETTERS, assign, entities, merge
from benchwright.errors import UsageError
from benchwright.schemas.source import LexiconEntry
from benchwright.schemas.story import Entity, StoryPerson
from hypothesis import given
from hypothesis import strategies as st


def person(*names: str, **kwargs: object) -> Entity:
    return Entity.model_validate({"names": names, **kwargs})


def placeholders(entries: list[LexiconEntry]) -> dict[str, str]:
    return {entry.entity.names[0]: entry.entity.placeholder for entry in entries}


def test_author_story_and_proposal_in_this_order():
    entries = merge(
        author=[person("Ines Calder", descriptor="the pilot")],
        story=[StoryPerson(name="Tomas", aliases=("Tom",)), StoryPerson(name="Ines Calder", descriptor="someone")],
        proposed=[person("Ines Calder", "Ines", placeholder="Alpha"), person("Quay", kind="place")],
    )
    assert [(entry.number, entry.entity.names, entry.origin) for entry in entries] == [
        (1, ("Ines Calder", "Ines"), "author"),
        (2, ("Tomas", "Tom"), "story"),
        (3, ("Quay",), "proposed"),
    ]
    assert entries[0].entity.descriptor == "the pilot"
    assert entries[0].entity.placeholder == ""


def test_merging_again_changes_nothing():
    author, story = [person("Ines")], [StoryPerson(name="Tomas")]
    once = assign(merge(author=author, story=story))
    assert merge(once, author=author, story=story) == once
    assert assign(once) == once


def test_later_names_are_numbered_on_and_keep_the_assignments():
    old = assign(merge(proposed=[person("Ines"), person("Tomas"), person("Quay", kind="place")]))
    new = assign(merge(old, author=[person("Bo"), person("Tomas", "Tom")], proposed=[person("Mill", kind="place")]))
    assert placeholders(new) == {
        "Ines": "Alpha", "Tomas": "Beta", "Quay": "Place 1", "Bo": "Gamma", "Mill": "Place 2",
    }  # fmt: skip
    assert [entry.number for entry in new] == [1, 2, 3, 4, 5]
    assert new[1].entity.names == ("Tomas", "Tom")


def test_the_author_corrects_a_proposal():
    old = assign(merge(proposed=[person("Hope")]))
    new = merge(old, author=[person("Hope", kind="place", common_word=True, descriptor="the farm")])
    assert new[0].entity == person("Hope", kind="place", common_word=True, descriptor="the farm", placeholder="Alpha")
    assert merge(new, proposed=[person("Hope")])[0].entity.kind == "person"
    assert merge(merge(author=[person("Hope", kind="place")]), proposed=[person("Hope")])[0].entity.kind == "place"


def test_a_title_makes_no_other_name():
    assert len(merge(author=[person("Commander Harris")], proposed=[person("Harris")])) == 1


def test_a_name_belongs_to_the_entry_that_had_it_first():
    entries = merge(story=[StoryPerson(name="Ines", aliases=("Captain",))], proposed=[person("Bo", "Captain")])
    assert [entry.entity.names for entry in entries] == [("Ines", "Captain", "Bo")]


@pytest.mark.parametrize(
    ("author", "message"),
    [
        ([person("Ines", "Cal"), person("Tomas", "Cal")], "'cal' is a name of both 'Ines' and 'Tomas'"),
        ([person("Known", placeholder="Omega")], "'Known' is 'Alpha' already"),
    ],
    ids=["one name, two entities", "another placeholder"],
)
def test_what_the_author_cannot_mean_is_refused(author, message):
    existing = assign(merge(proposed=[person("Known")]))
    with pytest.raises(UsageError, match=message):
        merge(existing, author=author)


def test_the_author_may_choose_a_placeholder():
    entries = assign(merge(author=[person("Ines", placeholder="Beta"), person("Bo"), person("Cy")]))
    assert placeholders(entries) == {"Ines": "Beta", "Bo": "Alpha", "Cy": "Gamma"}


def test_after_the_alphabet_numbers_follow():
    entries = assign(merge(proposed=[person(f"Name{at}x") for at in range(26)]))
    assert [entry.entity.placeholder for entry in entries] == [*GREEK_LETTERS, "Alpha 2", "Beta 2"]


@pytest.mark.parametrize(
    ("names", "texts", "expected"),
    [
        (["Ines"], ["the alpha wolf"], "Beta"),
        (["Ines"], ["ALPHA and Beta, gamma-rays"], "Delta"),
        (["Ines"], ["alphabet soup"], "Alpha"),
        (["Ines", "Alpha"], [], "Beta"),
        (["Ines", "Alpha Centauri"], [], "Beta"),
        (["Ines", "Lph"], [], "Beta"),
        (["Ines", "Eta"], [], "Alpha"),
    ],
    ids=["in a text", "several", "inside a word", "a name", "part of a name", "a name hides in it", "another hides"],
)
def test_a_placeholder_that_means_something_is_passed_over(names, texts, expected):
    entries = assign(merge(proposed=[person(name) for name in names]), texts)
    assert entries[0].entity.placeholder == expected


def test_nouns_and_numbers_are_passed_over_too():
    entries = merge(proposed=[person("Quay", kind="place"), person("Organ", kind="organization")])
    assert placeholders(assign(entries, ["They met at Place 1."])) == {"Quay": "Place 2", "Organ": "Institution 1"}


@given(st.lists(st.text("abcdefgh", min_size=2, max_size=6), min_size=1, max_size=60, unique=True), st.data())
def test_one_entity_one_placeholder_and_for_good(names, data):
    kinds = st.sampled_from(["person", "place", "organization", "other"])
    drawn = [person(name, kind=data.draw(kinds)) for name in names]
    cut = data.draw(st.integers(0, len(drawn)))
    first = assign(merge(proposed=drawn[:cut]))
    both = assign(merge(first, proposed=drawn[cut:]))
    assert both[: len(first)] == first
    given_ = [entity.placeholder.casefold() for entity in entities(both)]
    assert len(set(given_)) == len(given_) == len(names)
    assert not set(given_) & set(names)
