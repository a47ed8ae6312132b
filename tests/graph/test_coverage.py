"""The Planner against the contract of docs/slots.md, restated by brute force, in any order of finishing."""

import random
from collections.abc import Callable, Sequence

import pytest
from benchwright.graph.coverage import WAIT, Cell, Planner
from benchwright.schemas.item import Coordinate, Slot
from hypothesis import given
from hypothesis import strategies as st

Fate = Callable[[str, int], bool]
"""Whether the slot with this id and number is accepted."""


def at(name: str) -> Coordinate:
    return Coordinate(capability=name, interaction="talk")


def setting(targets: Sequence[int], supplies: Sequence[int], lookahead: int = 64) -> Planner:
    """One cell for each target, named by letters; its clips come from two sources in turn."""
    cells = [Cell(at(name), target) for name, target in zip("abcdef", targets, strict=False)]
    supply = {
        cell.coordinate: [(f"s{ordinal % 2}", ordinal) for ordinal in range(count)]
        for cell, count in zip(cells, supplies, strict=True)
    }
    return Planner(cells, supply, lookahead)


def by_contract(targets: Sequence[int], supplies: Sequence[int], lookahead: int, fate: Fate) -> list[str]:
    """Slot k from the decisions on 1..p, p the smallest number >= k - L at which a target is unmet (CONTRACTS 2).

    A target counts as unmet only where a clip is left for it. Nothing of the Planner is used.
    """
    names = "abcdef"[: len(targets)]
    made: list[tuple[str, str]] = []
    fates: list[bool] = []
    while True:
        k = len(made) + 1
        for p in range(max(0, k - lookahead), k):
            count = {n: sum(c == n and (i >= p or fates[i]) for i, (c, _) in enumerate(made)) for n in names}
            left = {n: supplies[names.index(n)] - sum(c == n for c, _ in made) for n in names}
            open_ = [n for n in names if count[n] < targets[names.index(n)] and left[n] > 0]
            if open_:
                chosen = sorted(open_, key=lambda n: (count[n] / targets[names.index(n)], names.index(n)))[0]
                ordinal = sum(c == chosen for c, _ in made)
                made.append((chosen, f"s{ordinal % 2}/{chosen}/talk/{ordinal}"))
                fates.append(fate(made[-1][1], k))
                break
        else:
            return [slot_id for _, slot_id in made]


def simulate(planner: Planner, fate: Fate, workers: int, rng: random.Random) -> list[Slot]:
    """Slots finish in an order drawn from `rng`; decisions are given in the order of numbers."""
    running: list[Slot] = []
    finished: dict[int, bool] = {}
    while True:
        while len(running) < workers and isinstance(slot := planner.next(), Slot):
            running.append(slot)
        if not running:
            return planner.slots
        done = running.pop(rng.randrange(len(running)))
        finished[done.number] = fate(done.slot_id, done.number)
        while (number := len(planner.accepted) + 1) in finished:
            planner.decide(finished[number])


SIZES = st.integers(1, 4).flatmap(
    lambda n: st.tuples(
        st.lists(st.integers(0, 6), min_size=n, max_size=n), st.lists(st.integers(0, 12), min_size=n, max_size=n)
    )
)
LOOKAHEADS = st.sampled_from([1, 2, 3, 64])
NEVER, ALWAYS = 0, 10


def drawn(seed: int, chance: int) -> Fate:
    """Accepted `chance` times in ten, drawn from the slot's id only."""
    return lambda slot_id, number: random.Random(f"{seed}/{slot_id}").randrange(10) < chance


@given(SIZES, LOOKAHEADS, st.integers(0, 99), st.integers(NEVER, ALWAYS), st.integers(1, 9), st.randoms())
def test_the_plan_is_the_contracts_whoever_finishes_first(sizes, lookahead, seed, chance, workers, rng):
    fate = drawn(seed, chance)
    targets, supplies = sizes
    planner = setting(targets, supplies, lookahead)
    slots = simulate(planner, fate, workers, rng)
    assert [slot.slot_id for slot in slots] == by_contract(targets, supplies, lookahead, fate)
    assert [slot.number for slot in slots] == list(range(1, len(slots) + 1))
    assert planner.next() is None


@given(SIZES, LOOKAHEADS, st.integers(0, 99), st.integers(NEVER, ALWAYS), st.integers(1, 9), st.randoms())
def test_in_the_end_each_target_is_met_or_its_supply_is_used_up(sizes, lookahead, seed, chance, workers, rng):
    targets, supplies = sizes
    planner = setting(targets, supplies, lookahead)
    slots = simulate(planner, drawn(seed, chance), workers, rng)
    counts = planner.counts()
    for cell, supply in zip(planner.cells, supplies, strict=True):
        tried = sum(slot.coordinate == cell.coordinate for slot in slots)
        assert counts[cell.coordinate] <= cell.target
        assert counts[cell.coordinate] == cell.target or tried == supply


@given(SIZES, LOOKAHEADS, st.integers(1, 9), st.randoms())
def test_targets_are_met_with_no_slot_too_many_where_all_are_accepted(sizes, lookahead, workers, rng):
    targets, supplies = sizes
    planner = setting(targets, supplies, lookahead)
    slots = simulate(planner, lambda slot_id, number: True, workers, rng)
    assert len(slots) == sum(map(min, targets, supplies))


@pytest.mark.parametrize("lookahead", [1, 2, 64])
def test_at_most_so_many_slots_are_undecided(lookahead: int):
    planner = setting([100], [200], lookahead)
    for decided in range(5):
        while isinstance(planner.next(), Slot):
            pass
        assert planner.next() is WAIT
        assert len(planner.slots) - decided == lookahead
        planner.decide(False)


def test_nothing_is_planned_beyond_the_target_until_a_decision_is_known():
    planner = setting([2], [9])
    assert [isinstance(planner.next(), Slot) for _ in range(2)] == [True, True]
    assert planner.next() is WAIT
    planner.decide(True)
    assert planner.next() is WAIT
    planner.decide(False)
    assert isinstance(planner.next(), Slot)


def test_the_cell_with_the_smallest_share_of_its_target_comes_next():
    planner = setting([4, 2, 1], [9, 9, 9])
    order = [planner.next() for _ in range(7)]
    assert [slot.coordinate.capability for slot in order if isinstance(slot, Slot)] == list("abcaaba")


def test_a_slots_id_names_source_coordinate_and_ordinal():
    planner = setting([2], [2])
    slots = [planner.next(), planner.next()]
    assert [slot.slot_id for slot in slots if isinstance(slot, Slot)] == ["s0/a/talk/0", "s1/a/talk/1"]


EMPTY = {"no cells": ([], []), "targets of zero": ([0, 0], [5, 5]), "no supply": ([3], [0])}


@pytest.mark.parametrize("case", EMPTY)
def test_nothing_to_plan(case: str):
    assert setting(*EMPTY[case]).next() is None


def test_a_cell_that_no_director_serves_is_passed_over():
    planner = Planner([Cell(at("a"), 1), Cell(at("b"), 1)], {at("b"): [("s", 0)]}, 64)
    slot = planner.next()
    assert isinstance(slot, Slot)
    assert slot.coordinate == at("b")


def test_decisions_after_a_number_count_as_accepted():
    planner = setting([3], [9])
    for _ in range(3):
        planner.next()
    for accepted in (False, True, False):
        planner.decide(accepted)
    assert [planner.counts(known)[at("a")] for known in (0, 1, 2, 3)] == [3, 2, 2, 1]
    assert planner.counts()[at("a")] == 1
