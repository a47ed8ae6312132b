"""A planner that goes on from what earlier builds decided: as if never interrupted, and never the same slot twice."""

from collections import Counter
from collections.abc import Sequence

from benchwright.graph.coverage import Cell, Past, Planner
from benchwright.schemas.item import Coordinate, Slot
from hypothesis import given
from hypothesis import strategies as st


def at(name: str) -> Coordinate:
    return Coordinate(capability=name, interaction="talk")


class Setting:
    def __init__(self, cells: Sequence[tuple[int, int]], fates: Sequence[bool], lookahead: int) -> None:
        self.cells = [Cell(at(name), target) for name, (target, _) in zip("abc", cells, strict=False)]
        self.supply = {at(name): [("s", n) for n in range(many)] for name, (_, many) in zip("abc", cells, strict=False)}
        self.fates, self.lookahead = fates, lookahead

    def finish(self, past: Sequence[Past] = ()) -> list[Past]:
        """Plan and decide one slot after the other to the end."""
        planner = Planner(self.cells, self.supply, self.lookahead, past)
        while len(planner.accepted) < len(planner.slots) or isinstance(planner.next(), Slot):
            slot = planner.slots[len(planner.accepted)]
            planner.decide(self.fates[sum(map(ord, slot.slot_id)) % len(self.fates)])
        assert planner.next() is None
        return [Past(slot, accepted) for slot, accepted in zip(planner.slots, planner.accepted, strict=True)]


SETTINGS = st.builds(
    Setting,
    st.lists(st.tuples(st.integers(1, 5), st.integers(0, 9)), min_size=1, max_size=3),
    st.lists(st.booleans(), min_size=1, max_size=5),
    st.sampled_from([1, 2, 64]),
)


@given(SETTINGS, st.floats(0, 1))
def test_a_build_interrupted_anywhere_plans_what_a_whole_one_does(setting: Setting, share: float) -> None:
    whole = setting.finish()
    assert setting.finish(whole[: int(share * len(whole))]) == whole


@given(SETTINGS, SETTINGS)
def test_what_other_targets_and_another_supply_left_behind_counts(before: Setting, now: Setting) -> None:
    past = before.finish()
    done = now.finish(past)
    assert done[: len(past)] == past
    names = [one.slot.slot_id for one in done]
    assert len(set(names)) == len(names)
    assert [one.slot.number for one in done] == list(range(1, len(done) + 1))
    accepted = Counter(one.slot.coordinate for one in done if one.accepted)
    already = Counter(one.slot.coordinate for one in past if one.accepted)
    for cell in now.cells:
        assert accepted[cell.coordinate] <= max(cell.target, already[cell.coordinate])
        tried = sum(one.slot.coordinate == cell.coordinate for one in done)
        assert accepted[cell.coordinate] >= cell.target or tried >= len(now.supply[cell.coordinate])


def test_slots_outside_the_plan_count_and_take_no_number() -> None:
    """An item made by hand stands before the first slot."""
    by_hand = Slot(slot_id="s/a/talk/by-hand-0", number=0, source_id="s", coordinate=at("a"), ordinal=0)
    planner = Planner([Cell(at("a"), 2)], {at("a"): [("s", 0), ("s", 1)]}, 64, [Past(by_hand, True)])
    slot = planner.next()
    assert isinstance(slot, Slot)
    assert (slot.number, slot.slot_id) == (1, "s/a/talk/0")
    planner.decide(True)
    assert planner.next() is None
