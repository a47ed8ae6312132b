"""What could have come in place of a choice, against the paths written out one by one."""

from collections.abc import Iterator

from benchwright.narrative.alternatives import Alternatives
from benchwright.narrative.analysis import Analysis
from benchwright.narrative.flowchart import Flowchart, Transition
from benchwright.narrative.occurrences import numbers
from benchwright.narrative.windows import explore_windows
from hypothesis import given, settings
from hypothesis import strategies as st

# Instead of waiting Ann may call (and then the bell rings in one more decision) or run (then it never does).
STREET = {
    "s": {"wait": ("t", ["snow/1"]), "call": ("u", ["echo/1"]), "run": ("away", ["steps/1"])},
    "t": {"knock": ("home", ["bell/1"])},
    "u": {"knock": ("v", ["dog/1"]), "leave": ("away", ["dog/1"])},
    "v": {"pull": ("home", ["bell/1"])},
    "home": {},
    "away": {},
}


def whole(story) -> Analysis:
    return Analysis(explore_windows(story, seed=1, playthroughs=6, window=6, max_length=12))


def number(analysis: Analysis, text: str) -> int:
    return next(n for n in analysis.line_events() if text in analysis.event(n).match)


def paths(chart: Flowchart, edge: Transition, window: int) -> Iterator[list[Transition]]:
    after = chart.transitions(edge.target) if window else ()
    if not after:
        yield [edge]
    for follows in after:
        for rest in paths(chart, follows, window - 1):
            yield [edge, *rest]


def test_by_hand(graph_story):
    analysis = whole(graph_story(STREET))
    wait, _, run = analysis.chart.transitions(0)
    near, far = Alternatives(analysis).to(wait, 1), Alternatives(analysis).to(wait, 2)
    bell, dog, steps = (number(analysis, f"{name}/1") for name in ("bell", "dog", "steps"))
    assert [near.some >> one & 1 for one in (bell, dog, steps)] == [0, 1, 1]
    assert [near.ever >> one & 1 for one in (bell, dog, steps)] == [1, 1, 1]
    assert [far.some >> one & 1 for one in (bell, dog, steps)] == [1, 1, 1]
    assert [far.each >> one & 1 for one in (bell, dog, steps)] == [0, 0, 0], "after running nothing more is told"
    assert (near.known, far.known) == (True, True)
    assert (near.paths, far.paths) == (1 + 2, 1 + 2), "run; call and then knock or leave"
    assert Alternatives(analysis).to(run, 1).each >> bell & 1 == 0, "after calling it takes two decisions"
    assert Alternatives(analysis).to(run, 2).each >> bell & 1 == 1


def test_a_choice_without_siblings_has_no_alternative(graph_story):
    analysis = whole(graph_story(STREET))
    (knock,) = analysis.chart.transitions(analysis.chart.state_at((0,)))
    assert Alternatives(analysis).to(knock, 2) == (0, 0, False, 0, 0)


@settings(max_examples=60, deadline=None)
@given(data=st.data(), window=st.integers(0, 3))
def test_sets_agree_with_the_paths_and_with_single_events(data, window: int, random_stories):
    analysis = whole(data.draw(random_stories))
    chart, alternatives = analysis.chart, Alternatives(analysis)
    for play in chart.plays:
        for depth, edge in enumerate(chart.follow(play)):
            found = alternatives.to(edge, window)
            siblings = [other for other in chart.transitions(edge.source) if other.index != edge.index]
            ways = [list(paths(chart, other, window)) for other in siblings]
            told = [{n for way in one for step in way for n in numbers(analysis.occurrences.own(step))} for one in ways]
            assert set(numbers(found.some)) == set().union(*told)
            assert set(numbers(found.each)) == (set.intersection(*told) if told else set())
            assert found.paths == sum(map(len, ways))
            assert not found.some & ~found.ever
            if play[depth:] and analysis.line_events():
                event = data.draw(st.sampled_from(sorted(analysis.line_events())))
                derived = analysis.antecedents(play, analysis.event(event), window)
                assert depth not in derived.refuted or found.some >> event & 1
                assert depth not in derived.causes or not found.some >> event & 1
