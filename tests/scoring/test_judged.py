"""Figures that rest on judges: by hand, none while a label is missing, and the laws of verified credit."""

import random

import pytest
from benchwright.schemas.judge import LABELS, Judgement, Rubric, TraceStep
from benchwright.schemas.score import JudgedScore
from benchwright.scoring.gather import Key, gather
from benchwright.scoring.judged import judged_score
from hypothesis import given, settings
from hypothesis import strategies as st

from .conftest import RUN, world

SAID = {"G": "She looks at the closed door."}
Labels = list[tuple[str, str]]


def line(key: Key, **said: object) -> Judgement:
    fields = {"item": key[0], "repeat": key[1], "reply_sha256": "sha256:0", "input_sha256": "sha256:1"}
    return Judgement.model_validate(fields | {"status": "judged"} | said)


def judged(chosen: list[str], labels: Labels, *, lost: int = 0, silent: int = 0, shuffle: int = 0) -> JudgedScore:
    """One item an episode; `lost`: how many of the first evidence labels are missing; `silent`: replies of the end
    without a rationale."""
    inputs, keys, responses = world(chosen, per_episode=1)
    if shuffle:
        random.Random(shuffle).shuffle(inputs)
        random.Random(shuffle + 1).shuffle(responses)
    named = sorted((reply.item, reply.repeat) for reply in responses)
    given = dict(zip(named, labels, strict=True))
    speaking = named[: len(named) - silent]
    lines: dict[Rubric, dict[Key, Judgement]] = {
        "evidence": {key: line(key, label=given[key][0]) for key in speaking[lost:]},
        "logic": {key: line(key, label=given[key][1]) for key in speaking},
    }
    rows = gather(inputs, keys, responses, RUN)
    cases: dict[Rubric, int] = {"evidence": len(speaking), "logic": len(speaking)}
    return judged_score(rows, lines, dict.fromkeys(speaking, SAID), {"evidence": "j", "logic": "j"}, cases)


def test_verified_credit_by_hand() -> None:
    """Four items, all of one capability a side (T even, N odd): right with normal and fully coherent (1/1.2), right and
    contradicted (.5/1.2 · 1/1.2), wrong, and right without a rationale."""
    labels = [("normal", "fully coherent"), ("contradicted", "acceptable"), ("strong", "weak"), ("strong", "weak")]
    found = judged(["o1", "o1", "o2", "o1"], labels, silent=1).rationale
    assert found is not None
    first, second = 1 / 1.2, 0.5 / 1.44
    assert found.verified.value == pytest.approx((first + second) / 4)
    assert found.raw.value == 3 / 4
    assert found.retention == pytest.approx((first + second) / 3)
    assert found.by_capability == {"T": pytest.approx(first / 2), "N": pytest.approx(second / 2)}
    assert found.macro_verified == pytest.approx((first + second) / 4)
    assert found.coverage == 3 / 4
    assert found.adverse == {"both": 0, "only_evidence": 1, "only_logic": 0, "neither": 2}
    assert found.losses["answer"] == pytest.approx(1 / 4)
    assert found.losses["coverage"] == pytest.approx(1 / 4)
    assert found.verified.low is None
    assert "4 episodes" in found.verified.reason


def test_a_missing_label_leaves_no_figure() -> None:
    found = judged(["o1"] * 12, [("normal", "weak")] * 12, lost=2)
    assert (found.rationale, found.unjudged) == (None, {"evidence": 2})
    assert found.reason == "2 of 12 items wait for a reply or a judge"


def test_one_judge_of_two_is_not_enough() -> None:
    inputs, keys, responses = world(["o1"] * 3)
    rows = gather(inputs, keys, responses, RUN)
    found = judged_score(rows, {"evidence": {}}, {}, {"evidence": "j"}, {"evidence": 0})
    assert (found.rationale, found.reason) == (None, "verified credit needs the labels of logic")


label = st.tuples(st.sampled_from(LABELS["evidence"]), st.sampled_from(LABELS["logic"]))
answers = st.lists(st.tuples(st.sampled_from(["o1", "o2", "no_answer", "refusal"]), label), min_size=1, max_size=30)


@settings(max_examples=30)
@given(said=answers, silent=st.integers(0, 3), shuffle=st.integers(1, 9))
def test_the_laws_of_verified_credit(said: list[tuple[str, tuple[str, str]]], silent: int, shuffle: int) -> None:
    chosen, labels = [one for one, _ in said], [own for _, own in said]
    silent = min(silent, len(said))
    found = judged(chosen, labels, silent=silent).rationale
    assert found is not None
    assert found.raw.value is not None
    assert found.verified.value is not None
    assert 0 <= found.verified.value <= found.raw.value + 1e-12
    assert found.macro_verified <= found.macro_raw + 1e-12
    assert sum(found.losses.values()) == pytest.approx(1)
    assert found.losses["kept"] == pytest.approx(found.macro_verified)
    turned = judged(chosen, labels, silent=silent, shuffle=shuffle).rationale
    assert turned is not None
    assert turned.verified == found.verified
    assert turned.retention_low == found.retention_low


def test_ratings_and_steps_by_hand() -> None:
    """Two clips of the world are one: the mean is over its ratings. Three steps, one of two tags and one of none."""
    inputs, keys, responses = world(["o1"] * 4)
    rows = gather(inputs, keys, responses, RUN)
    keyed = [(reply.item, reply.repeat) for reply in responses]
    ratings = {key: line(key, ratings=(1, 2, 3, 4, 5, place)) for place, key in enumerate(keyed, 1)}
    steps = (TraceStep(text="a", tags=("visual", "vocal")), TraceStep(text="b", tags=("visual",)), TraceStep(text="c"))
    tagged = {keyed[0]: line(keyed[0], steps=steps)}
    lines: dict[Rubric, dict[Key, Judgement]] = {"hsa": ratings, "modality": tagged}
    found = judged_score(rows, lines, {}, {"hsa": "j", "modality": "j"}, {"hsa": 4, "modality": 2})
    assert found.hsa is not None
    assert (found.hsa.n, found.hsa.total) == (1, 15 + 2.5)
    assert found.hsa.items["adherence to prompt"] == 2.5
    assert found.modality is not None
    assert found.modality.tags == {"visual": 2, "verbal": 0, "vocal": 1, "external knowledge": 0}
    assert (found.modality.untagged, found.unjudged, found.reason) == (1, {"modality": 1}, "")
