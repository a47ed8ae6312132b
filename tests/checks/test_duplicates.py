"""Items that ask the same thing are found; items that share a template are not."""

import time

import pytest
from benchwright.checks.duplicates import claim_key, findings, near_duplicates, question_key
from benchwright.schemas.base import digest
from benchwright.schemas.clip import ClipRef
from benchwright.schemas.grounding import Recipe
from benchwright.schemas.item import Item, Option

OPTIONS = ("Alpha burns the letter.", "Beta leaves at dawn.", "The ferry sinks.")


def item(item_id: str, question: str, options: tuple[str, ...] = OPTIONS) -> Item:
    return Item(
        item_id=item_id, capability="c", interaction="i", clip=ClipRef(media="media/c.json", start=0, end=1),
        background="", question=question, public_hash="sha256:0", answer=("o1",), traps={}, rationale="",
        options=tuple(Option(id=f"o{at}", text=text) for at, text in enumerate(options, 1)),
        recipe=Recipe(claim="behaviour", story_sha256="sha256:0", play=(), taken=0, window=1, events={}),
    )  # fmt: skip


def test_the_claim_key_tells_claims_decisions_and_sources_apart():
    base = claim_key("s1", "behaviour", "here")
    assert base == claim_key("s1", "behaviour", "here")
    others = {
        claim_key("s2", "behaviour", "here"),
        claim_key("s1", "counterfactual", "here"),
        claim_key("s1", "behaviour", "x"),
    }
    assert len({base, *others}) == 4


@pytest.mark.parametrize(
    ("question", "options", "same"),
    [
        ("What happens next?", OPTIONS, True),
        ("what happens NEXT", tuple(reversed(OPTIONS)), True),
        ("What happens next?", ("alpha burns the letter", "Beta leaves at dawn!", "The ferry sinks…"), True),
        ("What happens then?", OPTIONS, False),
        ("What happens next?", (*OPTIONS[:2], "The ferry floats."), False),
    ],
)
def test_question_key(question, options, same):
    assert (question_key(question, options) == question_key("What happens next?", OPTIONS)) is same


def test_near_duplicates_need_a_like_question_and_like_options():
    items = [
        item("i1", "What would Alpha do before the next choice, had the letter been lost?"),
        item("i2", "What would Alpha do before the next choice, had a letter been lost?"),
        item(
            "i3",
            "What would Alpha do before the next choice, had the letter been lost?",
            ("Yes.", "No.", "Perhaps so."),
        ),
        item("i4", "Who leaves the ferry by the end of the chapter?"),
    ]
    assert [(pair.first, pair.second) for pair in near_duplicates(items)] == [("i1", "i2")]
    assert [(f.code, f.place, f.severity) for f in findings(items)] == [("item-near-duplicate", "i2", "warning")]


def test_equal_items_are_errors():
    found = findings([item("i1", "What happens next?"), item("i2", "What happens NEXT", OPTIONS[::-1])])
    assert [(f.code, f.place, f.severity) for f in found] == [("item-duplicate", "i2", "error")]


@pytest.mark.parametrize("items", [[], [item("i1", "What happens next?")]], ids=["none", "one"])
def test_too_few_to_repeat(items):
    assert near_duplicates(items) == []


def test_five_hundred_items_are_compared_in_a_moment():
    question = "What would Alpha do with the letter before she has to choose again?"
    words = [digest("word", at) for at in range(500)]
    items = [
        item(f"i{at}", question, (f"Alpha says {word}.", f"Beta finds {word[::-1]}.")) for at, word in enumerate(words)
    ]
    start = time.process_time()
    assert near_duplicates(items) == []
    assert time.process_time() - start < 3
