"""Foils look like the key, and nothing about the key's place among them tells which it is."""

from collections import Counter
from itertools import product
from random import Random

import pytest
from benchwright.agents.foils import LENGTHS, MOST_OF_A_TRAP, Candidate, Scene, choose
from benchwright.narrative.similarity import alike
from benchwright.narrative.words import content_words, fold
from benchwright.schemas.grounding import Event
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

SPOKEN = (True, False)
TOLD = (False, False)
WORDS = [
    "amber",
    "basil",
    "cedar",
    "delta",
    "ember",
    "fjord",
    "grove",
    "heron",
    "indigo",
    "jasper",
    "kestrel",
    "lagoon",
    "maple",
    "nectar",
    "ochre",
    "pepper",
    "quartz",
    "raven",
    "saffron",
    "thistle",
    "umber",
    "velvet",
    "willow",
    "yarrow",
    "zephyr",
    "anchor",
    "beacon",
    "candle",
    "dragon",
    "engine",
    "falcon",
    "garden",
    "hammer",
    "island",
    "jungle",
    "kettle",
    "ladder",
    "mirror",
    "needle",
    "orchid",
    "pigeon",
    "ribbon",
    "saddle",
    "timber",
    "violin",
    "walnut",
]


def text(number: int, length: int) -> str:
    """Words that no other number has, filled up or cut to a length."""
    own = WORDS[number * 2 % len(WORDS) : number * 2 % len(WORDS) + 2]
    return (" ".join(own) + " " + chr(0x4E00 + number) * length)[:length]


def one(number: int, length: int = 40, trap="none", register=TOLD, distance=0) -> Candidate:
    words = text(number, length)
    return Candidate(words, Event(kind="line", match=(words,)), trap, register, distance)


KEY = one(0)
GOOD = [one(number, 30 + number * 2) for number in range(1, 11)]


def texts(found) -> list[str]:
    return [candidate.text for candidate in found]


REFUSED = {
    "another register": one(20, register=SPOKEN),
    "too short": one(20, int(len(KEY.text) * LENGTHS[0]) - 1),
    "too long": one(20, int(len(KEY.text) * LENGTHS[1]) + 1),
    "the key itself": KEY,
}


@pytest.mark.parametrize("why", REFUSED)
def test_refused(why: str):
    assert choose(KEY, [REFUSED[why]], seed="s", count=5) == ()
    assert REFUSED[why] not in choose(KEY, [REFUSED[why], *GOOD], seed="s", count=11)


ALLOWED = {
    "the shortest": one(20, int(len(KEY.text) * LENGTHS[0])),
    "the longest": one(20, int(len(KEY.text) * LENGTHS[1])),
}


@pytest.mark.parametrize("why", ALLOWED)
def test_allowed_at_the_bound(why: str):
    assert choose(KEY, [ALLOWED[why]], seed="s", count=5) == (ALLOWED[why],)


def test_no_two_foils_are_alike():
    pair = [one(3, 38), one(3, 42)]
    assert alike(pair[0].text, [pair[1].text])
    assert len(choose(KEY, pair, seed="s", count=5)) == 1


@pytest.mark.parametrize("trap", ["logic", "wrong_branch"])
def test_traps_are_capped(trap):
    pool = [one(number, trap=trap) for number in range(1, 8)]
    assert len(choose(KEY, pool, seed="s", count=5)) == MOST_OF_A_TRAP


def test_candidates_without_a_trap_are_not_capped():
    assert len(choose(KEY, GOOD, seed="s", count=5)) == 5


def test_the_less_remote_goes_first():
    """A third choice's consequences, then what is near; what really followed counts as two decisions away."""
    third, here = one(1, 44, "wrong_branch", distance=3), one(2, 44)
    logic, far = one(3, 44, "logic", distance=3), one(4, 44, distance=2)
    for seed in map(str, range(20)):
        for count, best in enumerate([(), (third,), (third, here), (third, here, logic)]):
            assert choose(KEY, [far, logic, here, third], seed=seed, count=count) == best


def test_half_of_the_options_may_be_of_another_register():
    """So that neither half holds the key more often; never one or two against the rest."""
    told, spoken = [one(number) for number in range(1, 4)], [one(n, register=SPOKEN) for n in range(4, 7)]
    for seed in map(str, range(20)):
        assert {foil.register for foil in choose(KEY, told + spoken, seed=seed, count=3)} == {TOLD}
        assert sorted(foil.register for foil in choose(KEY, told[:1] + spoken, seed=seed, count=3)) == [
            TOLD,
            SPOKEN,
            SPOKEN,
        ]
        assert len(choose(KEY, told[:2] + spoken[:1], seed=seed, count=3)) == 2
        assert len(choose(KEY, told[:1] + spoken, seed=seed, count=2)) == 1


CLIP = Scene(told=content_words("Lene puts the letter under the clock"))


@pytest.mark.parametrize(
    ("foil", "fits"),
    [
        ("Lene hides the letter under a coat", True),
        ("Lene hides the pistol under a coat", False),
        ("Lene hides this one under her coat", False),
        ("Lene hides that pistol under a coat", False),
        ("Lene says that she has come by herself", True),
    ],
    ids=["known", "unheard of", "pointed at", "that one", "no more than a conjunction"],
)
def test_a_foil_presumes_no_more_than_the_key_that_the_clip_has_not_shown(foil: str, fits: bool):
    key = Candidate("Otto winds the clock with care", KEY.event, "none", TOLD)
    found = choose(key, [Candidate(foil, KEY.event, "none", TOLD)], seed="s", count=1, scene=CLIP)
    assert bool(found) == fits


@pytest.mark.parametrize("count", [3, 5])
def test_the_rank_of_the_key_by_length_is_uniform(count: int):
    """The pool holds enough on both sides, so that only the seed decides."""
    pool = [one(n, 25 + n) for n in range(1, 8)] + [one(n, 40 + n) for n in range(8, 15)]
    ranks = Counter[int]()
    for seed in range(300):
        foils = choose(KEY, pool, seed=f"slot {seed}", count=count)
        assert len(foils) == count
        ranks[sum(len(foil.text) < len(KEY.text) for foil in foils)] += 1
    assert chisquare([ranks[rank] for rank in range(count + 1)]).pvalue > 0.001


def test_no_rank_of_the_key_by_words_shared_is_preferred():
    """With the clip and with the question: the pool holds candidates with fewer and with more of such words."""
    said, asked = ([f"{head}{middle}{tail}ox" for middle in "bdfgk" for tail in "lmnprst"] for head in ("a", "u"))

    def speaking(number: int, told: int, asks: int) -> Candidate:
        own = [f"{chr(97 + number % 26)}{chr(97 + number // 26)}{letter}ish" for letter in "abcdefgh"]
        drawn = Random(number)
        words = " ".join([*drawn.sample(said, told), *drawn.sample(asked, asks), *own[: 8 - told - asks]])
        return Candidate(words, Event(kind="line", match=(words,)), "none", TOLD)

    key = speaking(0, 2, 2)
    pool = [speaking(n, told, asks) for n, (told, asks) in enumerate(product(range(5), repeat=2), 1)]
    scene = Scene(frozenset(map(fold, said)), frozenset(map(fold, asked)))
    tops = Counter[str]()
    for seed in range(200):
        foils = choose(key, pool, seed=f"slot {seed}", count=5, scene=scene)
        for name, words in (("told", scene.told), ("asked", scene.asked)):
            own, *others = [len(content_words(one.text) & words) for one in (key, *foils)]
            tops[f"most {name}"] += own >= max(others)
            tops[f"least {name}"] += own <= min(others)
    assert all(200 * 0.03 < count < 200 * 0.25 for count in tops.values()), tops


def test_a_pool_on_one_side_of_the_key_is_used_all_the_same():
    longer = [one(number, 41 + number) for number in range(1, 8)]
    shorter = [one(number, 39 - number) for number in range(1, 8)]
    for seed in map(str, range(20)):
        assert len(choose(KEY, longer, seed=seed, count=5)) == 5
        assert len(choose(KEY, shorter, seed=seed, count=5)) == 5


def test_a_poor_pool_gives_fewer():
    assert set(texts(choose(KEY, GOOD[:3], seed="s", count=5))) == set(texts(GOOD[:3]))
    assert choose(KEY, [], seed="s", count=5) == ()
    assert choose(KEY, GOOD, seed="s", count=0) == ()


def test_seeds_differ():
    assert len({frozenset(texts(choose(KEY, GOOD, seed=str(seed), count=4))) for seed in range(30)}) > 5


CANDIDATES = st.builds(
    one,
    st.integers(0, 24),
    st.integers(15, 90),
    st.sampled_from(["none", "logic", "wrong_branch"]),
    st.sampled_from([TOLD, TOLD, SPOKEN]),
    st.integers(0, 10),
)


@given(
    st.lists(CANDIDATES, max_size=20, unique_by=lambda c: c.text), st.integers(0, 6), st.text(max_size=3), st.randoms()
)
def test_whatever_the_pool_the_foils_are_sound(pool, count: int, seed: str, random):
    foils = choose(KEY, pool, seed=seed, count=count)
    assert len(foils) == len(set(foils)) <= count
    assert set(foils) <= set(pool)
    for place, foil in enumerate(foils):
        assert foil.text != KEY.text
        assert LENGTHS[0] <= len(foil.text) / len(KEY.text) <= LENGTHS[1]
        assert not alike(foil.text, texts(foils[:place]))
    registers = Counter(foil.register for foil in foils)
    half = (count + 1) // 2
    assert registers[KEY.register] == len(foils) or dict(registers) == {SPOKEN: half, TOLD: half - 1}
    of_traps = Counter(foil.trap for foil in foils if foil.trap != "none")
    assert max(of_traps.values(), default=0) <= MOST_OF_A_TRAP
    shuffled = random.sample(pool, len(pool))
    assert choose(KEY, shuffled, seed=seed, count=count) == foils
