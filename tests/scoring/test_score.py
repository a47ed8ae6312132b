"""Scores of whole runs: figures by hand, incomplete runs, and the laws that hold for all of them."""

import random
from collections.abc import Callable

import pytest
from benchwright.errors import UsageError
from benchwright.schemas.response import Response
from benchwright.schemas.score import RunScore
from benchwright.scoring.score import score_run
from hypothesis import given, settings
from hypothesis import strategies as st

from .conftest import RUN, World, item, key, reply, world

MakeWorld = Callable[..., World]


def scored(chosen: list[str], **options: object) -> RunScore:
    return score_run(*world(chosen, **options), RUN)  # type: ignore[arg-type]


def test_a_run_by_hand() -> None:
    """24 items in 12 episodes of two: T (even numbers) all right; N right in 3 of 12; two of N fell for o2, one for o4,
    five for the untagged o6, one was unreadable."""
    n_side = ["o1", "o1", "o1", "o2", "o2", "o4", "o6", "o6", "o6", "o6", "o6", "no_answer"]
    score = scored([option for own in n_side for option in ("o1", own)])
    assert (score.n, score.complete, score.bounds) == (24, True, None)
    assert score.accuracy.value == pytest.approx(15 / 24)
    assert (score.accuracy.method, score.accuracy.unit, score.accuracy.n) == ("bootstrap by episode", "episode", 12)
    assert score.macro == pytest.approx((1 + 3 / 12) / 2)
    assert score.chance == pytest.approx(1 / 6)
    assert score.by_capability["N"].value == pytest.approx(0.25)
    assert (score.by_capability["T"].low, score.by_capability["T"].high) == (1, 1)
    assert score.by_interaction.keys() == {"conflict", "negotiation"}
    assert score.statuses == {"answered": 23, "no_answer": 1}
    assert sum(score.positions.values()) == 24
    visual = score.traps["visual_shortcut"]
    assert (visual.chosen, visual.wrong) == (2, 9)
    assert visual.rate == pytest.approx(2 / 9)
    assert visual.rate_of_parsed == pytest.approx(2 / 8)
    assert visual.expected == pytest.approx(2 / 5)
    assert "none" not in score.traps


def test_the_bootstrap_of_a_run_is_that_of_its_episodes() -> None:
    """Twelve episodes, six all right and six all wrong: the accuracy of a draw is binomial(12, 1/2) / 12, whose 2.5 %
    and 97.5 % points are 3/12 and 9/12."""
    score = scored(["o1", "o1"] * 6 + ["o2", "o2"] * 6)
    assert (score.accuracy.low, score.accuracy.high) == pytest.approx((3 / 12, 9 / 12))
    assert score.accuracy.paper_style is not None
    assert score.accuracy.paper_style.low == pytest.approx(0.3143, abs=1e-4)  # Wilson of 12 of 24


def test_one_item_an_episode_has_wilson() -> None:
    score = scored(["o1"] * 6 + ["o2"] * 15, per_episode=1)
    assert (score.accuracy.method, score.accuracy.unit, score.accuracy.n) == ("wilson", "item", 21)
    assert (score.accuracy.low, score.accuracy.high) == pytest.approx((0.138139, 0.499564), abs=1e-6)


def test_whole_stories_are_drawn_too() -> None:
    """Twelve stories of two episodes, six all right: binomial(12, 1/2) / 12 again, though there are 24 episodes."""
    inputs, keys, replies = world(["o1"] * 24 + ["o2"] * 24)
    keys = [key.model_copy(update={"story": f"s{place // 4:02}"}) for place, key in enumerate(keys)]
    score = score_run(inputs, keys, replies, RUN)
    assert score.by_story is not None
    assert (score.by_story.method, score.by_story.unit, score.by_story.n) == ("bootstrap by story", "story", 12)
    assert (score.by_story.low, score.by_story.high) == pytest.approx((3 / 12, 9 / 12))
    assert (score.accuracy.n, score.accuracy.value) == (24, score.by_story.value)
    single = scored(["o1", "o2"] * 12).by_story
    assert single is not None
    assert single.reason == "1 stories, fewer than 10: no interval"


def test_the_macro_mean_has_an_interval_too() -> None:
    """One item of N in one of twelve episodes: (11/12)^12 of the draws lack it, and are dropped."""
    inputs, keys, replies = world(["o2"] + ["o1"] * 23, capabilities="T")
    inputs[0] = inputs[0].model_copy(update={"capability": "N"})
    macro = score_run(inputs, keys, replies, RUN).macro_estimate
    assert macro is not None
    assert (macro.value, macro.low, macro.high, macro.n) == (0.5, 0.5, 0.5, 12)
    assert int(macro.reason.split()[0]) == pytest.approx(10_000 * (11 / 12) ** 12, rel=0.05)
    incomplete = score_run(inputs, keys, replies[1:], RUN).macro_estimate
    assert incomplete is not None
    assert (incomplete.value, incomplete.low, incomplete.reason) == (None, None, "1 of 24 items unscored")


@pytest.mark.parametrize("per_episode", [1, 2])
def test_fewer_than_ten_episodes_give_no_interval(per_episode: int) -> None:
    accuracy = scored(["o1", "o2"] * 4, per_episode=per_episode).accuracy
    assert (accuracy.value, accuracy.low, accuracy.high) == (0.5, None, None)
    assert accuracy.reason == f"{8 // per_episode} episodes, fewer than 10: no interval"
    assert accuracy.paper_style is not None


@pytest.mark.parametrize("status", ["error", "judge_error", "missing"])
def test_what_failed_for_our_part_leaves_the_run_incomplete(status: str) -> None:
    inputs, keys, responses = world(["o1"] * 12 + ["o2"] * 12)
    failed = [] if status == "missing" else [reply(0, status=status)]
    score = score_run(inputs, keys, [*failed, *responses[1:]], RUN)
    assert (score.complete, score.accuracy.value, score.accuracy.low, score.macro) == (False, None, None, None)
    assert score.accuracy.reason == "1 of 24 items unscored"
    assert score.bounds is not None
    assert (score.bounds.low, score.bounds.high) == pytest.approx((11 / 24, 12 / 24))
    assert score.statuses == {"answered": 23, status: 1}
    assert (score.by_capability["T"].value, score.by_capability["N"].value) == (None, 0.5)


@pytest.mark.parametrize("status", ["no_answer", "ambiguous", "too_many", "invalid_option", "refusal", "truncated"])
def test_what_the_model_did_not_say_is_wrong_and_counts(status: str) -> None:
    score = scored([status] + ["o1"] * 23)
    assert (score.complete, score.statuses[status]) == (True, 1)
    assert score.accuracy.value == pytest.approx(23 / 24)


def test_repeats_are_averaged_an_item_and_have_no_wilson() -> None:
    inputs, keys, responses = world(["o1"] * 12, per_episode=1)
    again = [reply(number, "o2" if number < 6 else "o1", repeat=1) for number in range(12)]
    score = score_run(inputs, keys, [*responses, *again], RUN.model_copy(update={"repeats": 2}))
    assert score.accuracy.value == pytest.approx(0.75)
    assert (score.accuracy.method, score.accuracy.paper_style) == ("bootstrap by episode", None)
    assert score.traps["visual_shortcut"].wrong == 6


def test_a_set_is_right_as_a_whole() -> None:
    inputs = [item(number, format="multiple") for number in range(12)]
    keys = [key(number, answer=("o1", "o2")) for number in range(12)]
    responses = [reply(number, "o1 o2" if number < 6 else "o1 o4") for number in range(12)]
    score = score_run(inputs, keys, responses, RUN)
    assert score.accuracy.value == 0.5
    assert score.traps["logic"].rate == 1  # of the wrong ones, all chose o4 beside a right option
    assert score.traps["logic"].expected == pytest.approx(1 / 4)


def test_positions_are_those_that_were_shown() -> None:
    inputs, keys, responses = world(["o1"] * 30)
    shown = [response.model_copy(update={"shown": ("o2", "o3", "o1", "o4", "o5", "o6")}) for response in responses]
    assert score_run(inputs, keys, shown, RUN).positions == {"1": 0, "2": 0, "3": 30, "4": 0, "5": 0, "6": 0}
    assert score_run(inputs, keys, [], RUN).positions == score_run(inputs, keys, responses, RUN).positions


def test_an_even_spread_of_positions_minds_how_many_options_an_item_has() -> None:
    inputs, keys, _ = world(["o1"] * 30)
    fewer = [one.model_copy(update={"options": one.options[:4]}) if at < 12 else one for at, one in enumerate(inputs)]
    even = 12 / 4 + 18 / 6
    expected = score_run(fewer, keys, [], RUN).positions_expected
    assert expected == pytest.approx({"1": even, "2": even, "3": even, "4": even, "5": 3, "6": 3})
    assert sum(expected.values()) == pytest.approx(30)


@pytest.mark.parametrize(
    ("responses", "message"),
    [
        ([reply(99)], "i099, which the release does not have"),
        ([reply(0), reply(0)], r"i000 \(repeat 0, full\) stands twice"),
        ([reply(0, repeat=1)], "none of its 1 repeats"),
        ([reply(0).model_copy(update={"condition": "question-only"})], "under full"),
    ],
    ids=["unknown item", "twice", "beyond the repeats", "another condition"],
)
def test_what_does_not_belong_together_is_refused(responses: list[Response], message: str) -> None:
    inputs, keys, _ = world(["o1"])
    with pytest.raises(UsageError, match=message):
        score_run(inputs, keys, responses, RUN)


def test_no_key_and_no_items_are_refused() -> None:
    inputs, keys, responses = world(["o1", "o1"])
    with pytest.raises(UsageError, match=r"no row for i001 \(1 missing\)"):
        score_run(inputs, keys[:1], responses, RUN)
    with pytest.raises(UsageError, match="no items"):
        score_run([], [], [], RUN)


def test_open_questions_have_the_credit_that_a_judge_gave() -> None:
    """Four open questions: right, half right, refused by the model, and one that no judge has scored."""
    inputs = [item(number, options=0, format="open") for number in range(4)]
    keys = [key(number, answer=()).model_copy(update={"traps": {}}) for number in range(4)]
    said = [reply(0), reply(1), reply(2, status="refusal"), reply(3)]
    responses = [one.model_copy(update={"ids": (), "shown": ()}) for one in said]
    judged = {("i000", 0): 1.0, ("i001", 0): 0.5}
    score = score_run(inputs, keys, responses, RUN, judged)
    assert (score.complete, score.accuracy.value, score.chance) == (False, None, 0.0)
    assert score.statuses == {"answered": 2, "judge_error": 1, "refusal": 1}
    assert score.bounds is not None
    assert (score.bounds.low, score.bounds.high) == (1.5 / 4, 2.5 / 4)
    whole = score_run(inputs, keys, responses, RUN, judged | {("i003", 0): 0.0})
    assert (whole.complete, whole.accuracy.value, whole.traps) == (True, 1.5 / 4, {})
    assert (whole.accuracy.method, whole.accuracy.paper_style) == ("bootstrap by episode", None)


choices = st.lists(
    st.sampled_from(["o1", "o1", "o2", "o3", "o4", "o6", "no_answer", "refusal", "error"]), min_size=1, max_size=40
)


@settings(max_examples=40, deadline=None)
@given(chosen=choices, per_episode=st.integers(1, 3), seed=st.integers(0, 9))
def test_the_order_of_nothing_changes_a_score(chosen: list[str], per_episode: int, seed: int) -> None:
    inputs, keys, responses = world(chosen, per_episode)
    score = score_run(inputs, keys, responses, RUN)
    shuffle = random.Random(seed)
    turned = [one.model_copy(update={"options": tuple(reversed(one.options))}) for one in inputs]
    for rows in (turned, keys, responses):
        shuffle.shuffle(rows)
    assert score_run(turned, keys, responses, RUN) == score


@settings(max_examples=40, deadline=None)
@given(chosen=choices, data=st.data())
def test_a_reply_made_unreadable_never_raises_a_score(chosen: list[str], data: st.DataObject) -> None:
    complete = ["o1" if option == "error" else option for option in chosen]
    spoilt = list(complete)
    spoilt[data.draw(st.integers(0, len(chosen) - 1))] = data.draw(
        st.sampled_from(["no_answer", "ambiguous", "truncated"])
    )
    before, after = scored(complete), scored(spoilt)
    assert (after.accuracy.value or 0) <= (before.accuracy.value or 0)
    assert (after.macro or 0) <= (before.macro or 0)


@settings(max_examples=40, deadline=None)
@given(chosen=choices)
def test_every_figure_lies_where_it_must(chosen: list[str]) -> None:
    score = scored(chosen)
    for estimate in (score.accuracy, *score.by_capability.values(), *score.by_interaction.values()):
        if estimate.value is not None and estimate.low is not None and estimate.high is not None:
            assert 0 <= estimate.low <= estimate.value + 1e-12
            assert estimate.value - 1e-12 <= estimate.high <= 1
        assert (estimate.low is None) <= bool(estimate.reason)
    for rate in score.traps.values():
        assert rate.rate is None or 0 <= rate.rate <= (rate.rate_of_parsed or 0)
    assert sum(score.statuses.values()) == score.n
