"""Verdicts on hand-made graphs, agreement with the analysis on random ones, and path counts of a real story."""

import pytest
from benchwright.errors import InputError, RefusedError, StoryError
from benchwright.narrative.analysis import Analysis
from benchwright.narrative.oracle import rederive
from benchwright.narrative.windows import explore_windows
from benchwright.schemas.grounding import Event, Recipe, Recorded
from hypothesis import event as note
from hypothesis import given, settings
from hypothesis import strategies as st

GIFT = {
    "s": {"give": ("t", ["thanks/1"], 1), "keep": ("h", ["silence/1"]), "ask": ("t", ["thanks/2"])},
    "t": {"stay": ("u", ["warm/1"]), "go": ("u", ["warm/2", "rain/1"], 1)},
    "u": {"wait": ("good", ["late/1"])},
    "h": {"stay": ("bad", ["late/1"], -1), "leave": ("bad", ["cold/1"])},
    "good": {},
    "bad": {},
}


def line(*texts: str) -> Event:
    return Event(kind="line", match=texts)


def event(kind: str, match) -> Event:
    return Event(kind=kind, match=match)


def recipe(claim: str, events: dict[str, Event], **fields) -> Recipe:
    fields = {"play": (), "taken": 0, "window": 2} | fields
    return Recipe(claim=claim, story_sha256="sha256:00", events=events, **fields)


# The player gave; supposed: kept. 2 paths each within 2 decisions (after keep the story ends after one).
COUNTERFACTUAL = {
    "o1": (line("silence/1"), "true"),
    "o2": (line("cold/1"), "possible"),
    "o3": (line("late/1"), "possible"),
    "o4": (line("rain/1"), "false"),
    "o5": (event("ending", "bad"), "true"),
    "o6": (event("signal", "trust < 0"), "possible"),
    "o7": (event("signal", "trust <= 0"), "false"),
    "o8": (event("choice_lost", ("wait",)), "true"),
    "o9": (event("choice_open", ("leave",)), "true"),
    "p1": (event("choice", ("stay",)), "possible"),
    "p2": (event("choice", ("keep",)), "false"),
    "p3": (event("choice_open", ("stay",)), "possible"),
}


@pytest.mark.parametrize("option", COUNTERFACTUAL)
def test_counterfactual(graph_story, option: str):
    kind, expected = COUNTERFACTUAL[option]
    found = rederive(
        graph_story(GIFT).runtime(), recipe("counterfactual", {option: kind}, taken=0, others=(1, 2), window=2)
    )
    verdict = "true" if option in found.true else "possible" if option in found.possible else "false"
    assert verdict == expected
    assert found.paths == 4


def test_a_proof_names_its_paths_and_the_ids_that_hold(graph_story):
    events = {option: kind for option, (kind, _) in COUNTERFACTUAL.items()}
    found = rederive(graph_story(GIFT).runtime(), recipe("counterfactual", events, others=(1,)))
    assert found.true == ("o1", "o5", "o8", "o9")
    assert found.possible == ("o2", "o3", "o6", "p1", "p3")
    assert found.proof == "4 options hold on 4 paths"
    only = rederive(graph_story(GIFT).runtime(), recipe("counterfactual", {"o1": line("silence/1")}, others=(1,)))
    assert only.proof == "proved by enumeration (4 paths)"


@pytest.mark.parametrize(
    ("window", "true", "possible"),
    [
        (0, ("thanks",), ()),
        (1, ("thanks", "warm"), ("rain",)),
        (2, ("late", "thanks", "warm"), ("rain",)),
        (6, ("late", "thanks", "warm"), ("rain",)),
    ],
)
def test_behaviour_by_window(graph_story, window: int, true, possible):
    events = {
        "thanks": line("thanks/1", "thanks/2"),
        "warm": line("warm/2", "warm/1"),
        "rain": line("rain/1"),
        "late": line("late/1"),
        "cold": line("cold/1"),
    }
    found = rederive(graph_story(GIFT).runtime(), recipe("behaviour", events, window=window))
    assert (found.true, found.possible) == (true, possible)


def test_texts_are_compared_in_nfc_without_stray_white_space(graph_story):
    story = graph_story({"s": {"go": ("end", ["Ren\u00e9  waits. "])}, "end": {}})
    events = {"o1": line(" Rene\u0301 waits."), "o2": line("Rene waits."), "o3": event("line", "René waits. Longer")}
    assert rederive(story.runtime(), recipe("behaviour", events)).true == ("o1",)


DETOUR = {
    "s0": {"a": ("s1",), "b": ("s2",)},
    "s1": {"c": ("p",), "d": ("end",)},
    "s2": {"e": ("p",)},
    "p": {"go": ("end", ["x/1"])},
    "end": {},
}
HUB = {"hub": {"c": ("p",), "d": ("hub", [], 1)}, "p": {"go": ("end", ["x/1"])}, "end": {}}


# NARRATIVE 5: replacing c loses x although c does not dominate it; c dominates x although replacing it does not lose x.
@pytest.mark.parametrize(
    ("graph", "play", "window", "true", "possible"),
    [
        (DETOUR, (0, 0, 0), 2, ("c",), ("go",)),
        (DETOUR, (0, 0, 0), 1, ("c",), ("a", "go")),
        (DETOUR, (1, 0, 0), 2, (), ("e", "go")),
        (HUB, (0, 0), 2, (), ("go",)),
        (HUB, (1, 0, 0), 2, (), ("go",)),
        (HUB, (0, 0), 1, ("c",), ("go",)),
    ],
    ids=["replacing-c-loses-x", "too-far-for-a", "no-sibling", "hub", "hub-later", "hub-too-near"],
)
def test_causal_antecedent(graph_story, graph, play, window: int, true, possible):
    story = graph_story(graph)
    runtime, step, events = story.runtime(), story.runtime().start(), {}
    step = runtime.start()
    for index in play:
        text = step.choices[index].text
        events[text] = event("choice", (text,))
        step = runtime.choose(index)
    made = recipe("causal_antecedent", events, play=play[:-1], taken=play[-1], window=window, target=line("x/1"))
    found = rederive(story.runtime(), made)
    assert (found.true, found.possible) == (true, possible)


@pytest.mark.parametrize(
    ("play", "taken", "true"),
    [((0,), 1, ("high",)), ((0,), 0, ("some",)), ((1,), 0, ("low",))],
    ids=["gave-and-went", "gave-and-stayed", "kept"],
)
def test_latent_state(graph_story, play, taken: int, true):
    events = {
        "high": event("signal", "trust >= 2"),
        "some": event("signal", "trust == 1"),
        "low": event("signal", "trust < 0"),
    }
    found = rederive(graph_story(GIFT).runtime(), recipe("latent_state", events, play=play, taken=taken, window=None))
    assert found == (true, (), "proved by enumeration (1 path)", 1)


# trust: 0 at the start, 1 once given, 2 after going.
@pytest.mark.parametrize(
    ("since", "more", "less", "true"),
    [(0, "trust > 0", "trust < 0", ("more",)), (1, "trust > 1", "trust < 1", ("more",))],
    ids=["from-the-start", "from-the-gift"],
)
def test_latent_state_since_the_clip_starts(graph_story, since: int, more: str, less: str, true):
    events = {"more": event("signal", more), "less": event("signal", less)}
    made = recipe("latent_state", events, play=(0,), taken=1, since=since)
    assert rederive(graph_story(GIFT).runtime(), made).true == true


MENU = {"o1": event("choice", ("give",)), "o2": event("choice", ("keep",)), "o3": event("choice", ("ask",))}


def players(**chosen: float) -> Recorded:
    return Recorded(source="a poll", date="2026", n=round(sum(chosen.values())), chosen=chosen)


# 0.1 at n = 800 has z = 0.1 / sqrt((0.9 − 0.01) / 800) = 3.0; at n = 80 it has 0.95.
@pytest.mark.parametrize(
    ("chosen", "true", "proof"),
    [
        ((80, 400, 320), ("o2",), "a clear majority: 400 players against 320 (a poll, 2026, n = 800)"),
        ((8, 40, 32), (), "no clear majority: 40 players against 32 (a poll, 2026, n = 80)"),
        ((81, 399, 320), (), "no clear majority: 399 players against 320 (a poll, 2026, n = 800)"),
        ((100, 350, 350), (), "no clear majority: 350 players against 350 (a poll, 2026, n = 800)"),
        ((10.5, 0, 0), ("o1",), "a clear majority: 10.5 players against 0 (a poll, 2026, n = 10)"),
        ((9, 0, 0), (), "no clear majority: 9 players against 0 (a poll, 2026, n = 9)"),
    ],
    ids=["clear", "within-chance", "under-ten-points", "tie", "all-of-ten", "all-of-nine"],
)
def test_moral_dilemma(graph_story, chosen: tuple[float, ...], true, proof: str):
    poll = players(**dict(zip(("give", "keep", "ask"), chosen, strict=True)))
    found = rederive(graph_story(GIFT).runtime(), recipe("moral_dilemma", MENU, recorded=poll))
    assert found == (true, (), proof, 1)


KEY = {"o1": line("silence/1")}
POLL = players(give=80, keep=400, ask=320)
RISEN = {"o1": event("signal", "trust > 1")}


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (recipe("counterfactual", KEY, others=(1,), window=7), "window 7 needs the second explorer"),
        (recipe("counterfactual", KEY, others=(1,), window=None), "window None needs the second explorer"),
        (recipe("behaviour", KEY, window="chapter"), "window chapter needs the second explorer"),
        (recipe("counterfactual", KEY), "names another choice"),
        (recipe("counterfactual", KEY, others=(0,)), "names another choice"),
        (recipe("counterfactual", KEY, others=(3,)), "choice 3 is not offered after the play, 3 are"),
        (recipe("behaviour", KEY, play=(0, 5)), "choice 5 is not offered after 1 choices, 2 are"),
        (recipe("behaviour", {"o1": event("signal", "hope > 1")}), "not `variable op number`"),
        (
            recipe("latent_state", RISEN, play=(0,), since=0),
            "compares with another value than the one after 0",
        ),
        (recipe("latent_state", RISEN, play=(0,), since=2), "starts after 2 choices, but 2 are made"),
        (recipe("latent_state", RISEN, play=(0,), since=-1), "starts after -1 choices"),
        (recipe("causal_antecedent", KEY), "has a target"),
        (recipe("causal_antecedent", {"o1": event("choice", ("keep",))}, target=line("thanks/1")), "matches 0 choices"),
        (recipe("causal_antecedent", KEY, target=line("opening/1")), "does not first happen"),
        (recipe("moral_dilemma", MENU), "rests on recorded shares, and the recipe has none"),
        (recipe("moral_dilemma", MENU, recorded=players(give=9, keep=90)), "2 choices were recorded, and they are not"),
        (recipe("moral_dilemma", MENU, play=(0,), recorded=POLL), "3 choices were recorded, and they are not the 2"),
        (recipe("moral_dilemma", MENU, taken=3, recorded=POLL), "are not the 3 offered"),
        (recipe("moral_dilemma", KEY, recorded=POLL), "the options are not the choices offered"),
        (
            recipe("moral_dilemma", MENU | {"o3": event("choice_open", ("ask",))}, recorded=POLL),
            "the options are not the choices offered",
        ),
        (recipe("moral_dilemma", MENU | {"o4": MENU["o1"]}, recorded=POLL), "the options are not the choices offered"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_cannot_be_replayed_is_refused_in_one_line(graph_story, made: Recipe, message: str):
    with pytest.raises(InputError, match=message) as caught:
        rederive(graph_story(GIFT).runtime(), made)
    assert "\n" not in str(caught.value)


def test_too_many_paths_are_refused(graph_story):
    wide = graph_story({"s": {name: ("s", [], 1) for name in "abcdef"}})
    with pytest.raises(RefusedError, match="more than 100 paths within 4 decisions"):
        rederive(wide.runtime(), recipe("behaviour", KEY, window=4), max_paths=100)
    # 6 choices at each of 2 decisions
    assert rederive(wide.runtime(), recipe("behaviour", KEY, window=2), max_paths=36).paths == 36


def test_a_story_that_fails_within_the_window_proves_nothing(graph_story):
    runtime = graph_story(GIFT).runtime()
    choose = runtime.choose

    def fail_on_leave(index: int):
        if list(runtime.graph[runtime.here])[index] == "leave":
            raise StoryError("story", "endless recursion", "after keep")
        return choose(index)

    runtime.choose = fail_on_leave
    assert rederive(runtime, recipe("behaviour", KEY, taken=1, window=0)).true == ("o1",)
    with pytest.raises(StoryError, match="endless recursion"):
        rederive(runtime, recipe("behaviour", KEY, taken=1, window=1))


def claims_at(analysis: Analysis, decision, window: int):
    """For each sibling of a decision: the recipe of all known events and a few made ones, and the analysis's answer."""
    made_up = [event("signal", f"trust {op} {n}") for op in (">", "<=") for n in (-1, 0, 1)]
    for edge in analysis.chart.transitions(decision.state):
        taken = next(t for t in analysis.chart.transitions(decision.state) if t.index == decision.taken)
        if edge.index == taken.index or not analysis.known(edge, window) or not analysis.known(taken, window):
            continue
        known = [analysis.event(number) for number in range(len(analysis.occurrences))]
        lost = [event("choice_lost", one.match) for one in known if one.kind == "choice_open"]
        chosen = [event("choice", one.match) for one in known if one.kind == "choice_open"]
        events = {f"o{n}": one for n, one in enumerate([*known, *made_up, *lost, *chosen])}
        yield edge, taken, events


@settings(max_examples=40, deadline=None)
@given(data=st.data(), window=st.integers(0, 3))
def test_oracle_and_analysis_agree_on_every_choice(data, window: int, random_stories):
    story = data.draw(random_stories)
    analysis = Analysis(explore_windows(story, seed=1, playthroughs=2, window=3, max_length=3))
    for decision in analysis.decisions():
        for edge, taken, events in claims_at(analysis, decision, window):
            other = {o: analysis.chance(one, decision.play, edge, window) for o, one in events.items()}
            made = {o: analysis.chance(one, decision.play, taken, window) for o, one in events.items()}
            true = {o for o in events if other[o].must and not made[o].may}
            fields = {"play": decision.play, "taken": taken.index, "others": (edge.index,), "window": window}
            found = rederive(story.runtime(), recipe("counterfactual", events, **fields))
            assert found.true == tuple(sorted(true))
            assert found.possible == tuple(sorted({o for o in events if other[o].may} - true))
            note("some option true" if true else "none true")


@settings(max_examples=60, deadline=None)
@given(data=st.data(), window=st.integers(0, 3))
def test_oracle_and_analysis_agree_on_antecedents(data, window: int, random_stories):
    story = data.draw(random_stories)
    analysis = Analysis(explore_windows(story, seed=1, playthroughs=2, window=3, max_length=4))
    for play in {whole[:length] for whole in analysis.chart.plays for length in range(1, len(whole) + 1)}:
        way = analysis.chart.follow(play)
        texts = [edge.choice.text for edge in way]
        events = {str(n): event("choice", (text,)) for n, text in enumerate(texts) if texts.count(text) == 1}
        targets = [line(*analysis.event(number).match) for number in analysis.may(way[-1], 0) & analysis.line_events()]
        for target in [*targets, event("signal", "trust > 0"), event("signal", "trust <= -1")]:
            derived = analysis.antecedents(play, target, window)
            fields = {"play": play[:-1], "taken": play[-1], "window": window, "target": target}
            try:
                found = rederive(story.runtime(), recipe("causal_antecedent", events, **fields))
            except InputError:
                assert derived == ((), ())
                continue
            assert found.true == tuple(sorted(o for o in events if int(o) in derived.causes))
            false = set(events) - {*found.true, *found.possible}
            assert false == {o for o in events if int(o) in derived.refuted}
            note("a cause" if found.true else "no cause")


def test_the_intercept_has_162_paths_of_six_choices(intercept):
    # The start offers one choice, so 6 choices are that one and a window of 5. NARRATIVE 5 states 162.
    runtime = intercept.runtime()
    try:
        counts = [rederive(runtime, recipe("behaviour", KEY, window=window)).paths for window in range(6)]
    finally:
        runtime.close()
    assert counts == [1, 3, 8, 23, 59, 162]


@pytest.mark.slow
def test_the_intercept_has_9176_paths_of_ten_choices(intercept):
    # The first three choices have 8 continuations; from each, the fourth and a window of 6 more.
    runtime, total = intercept.runtime(), 0
    prefixes: list[tuple[int, ...]] = [()]
    try:
        for _ in range(4):
            prefixes = [(*play, index) for play in prefixes for index in range(offered(runtime, play))]
        for play in prefixes:
            total += rederive(runtime, recipe("behaviour", KEY, play=play[:-1], taken=play[-1], window=6)).paths
    finally:
        runtime.close()
    assert total == 9176


def offered(runtime, play) -> int:
    step = runtime.start()
    for index in play:
        step = runtime.choose(index)
    return len(step.choices)


def test_on_the_intercept_oracle_and_analysis_agree(intercept):
    analysis = Analysis(explore_windows(intercept, seed=2, playthroughs=1, window=2))
    runtime, agreed = intercept.runtime(), 0
    try:
        for decision in analysis.decisions()[::3]:
            for edge, taken, events in claims_at(analysis, decision, 2):
                events = {o: one for o, one in events.items() if one.kind not in ("signal", "choice")}
                fields = {"play": decision.play, "taken": taken.index, "others": (edge.index,), "window": 2}
                found = rederive(runtime, recipe("counterfactual", events, **fields))
                may = analysis.may(edge, 2)
                sure = analysis.surely_only(edge, taken, 2)
                derived = {o for o, one in events.items() if analysis.occurrences.number(one) in sure}
                lost = {o for o, one in events.items() if one.kind == "choice_lost"}
                assert set(found.true) - lost == derived
                possible = {o for o, one in events.items() if analysis.occurrences.number(one) in may} - derived
                assert set(found.possible) - lost == possible
                agreed += len(derived)
    finally:
        runtime.close()
    assert agreed > 20
