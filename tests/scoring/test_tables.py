"""The tables of the four papers, from the stored replies of a made-up but complete run."""

import csv
import io
from collections.abc import Sequence

import pytest
from benchwright.scoring import table_caption, table_genome, table_psychemme, table_socialreason
from benchwright.scoring.caption import HSA_ITEMS, Rated
from benchwright.scoring.figure import Figure
from benchwright.scoring.gather import gather
from benchwright.scoring.genome import Step, compare
from benchwright.scoring.human import Marked, baseline
from benchwright.scoring.score import score_run
from benchwright.scoring.table import Table
from benchwright.scoring.table_psychemme import FULL, MATCHED, MISMATCHED, NONE, Scored
from benchwright.scoring.verified import Judged
from benchwright.scoring.versus import falls

from .conftest import RUN, World, world

CAPABILITIES = "GWNTSAMR"
NORMAL = Judged(0, True, "normal", "acceptable")
"""What all judges say here: answers keep 1/1.44 of their credit."""


def stored(model: str, condition: str, chosen: Sequence[str]) -> list[Scored]:
    """48 items, two an episode, capabilities in turn: as replies, gathered, and judged."""
    inputs, keys, replies = world(chosen, 2, CAPABILITIES)
    replies = [reply.model_copy(update={"condition": condition}) for reply in replies]
    run = RUN.model_copy(update={"model": model, "condition": condition})
    rows = gather(inputs, keys, replies, run)
    return table_psychemme.scored(run, rows, {row.item.id: NORMAL for row in rows})


ALL = ["o1"] * 48
HALF = (["o1"] * 8 + ["o2"] * 8) * 3
NO_G = ["o3" if number % 8 == 0 else "o1" for number in range(48)]


@pytest.fixture(scope="module")
def rows() -> list[Scored]:
    runs = [
        ("strong", FULL, ALL),
        ("weak", FULL, HALF),
        ("odd", FULL, NO_G),
        ("strong", "question-only", HALF),
        ("weak", "question-only", HALF),
        ("odd", "question-only", NO_G),
        ("strong", NONE, HALF),
        ("strong", MATCHED, ALL),
        (("strong"), f"{MISMATCHED}#42", HALF),
        (("strong"), f"{MISMATCHED}#2026", HALF),
        (("strong"), f"{MISMATCHED}#3407", ["o2"] * 48),
    ]
    return [row for run in runs for row in stored(*run)]


def read(table: Table) -> dict[str, dict[str, str]]:
    """By first column; each row as long as the header."""
    lines = list(csv.DictReader(io.StringIO(table.csv())))
    assert all(None not in line and None not in line.values() for line in lines)
    return {line[table.columns[0]]: line for line in lines}


def test_psychemme_main_results(rows: list[Scored]) -> None:
    table = table_psychemme.main(rows)
    assert table.columns == ("Model", "Raw", "Ver.", *sorted(CAPABILITIES))
    found = read(table)
    assert (found["strong"]["Raw"], found["strong"]["Ver."], found["strong"]["T"]) == ("100.00", "69.44", "69.44")
    assert (found["odd"]["Raw"], found["odd"]["G"], found["odd"]["W"]) == ("87.50", "0.00", "69.44")
    assert table_psychemme.main(rows[::-1]) == table


def test_psychemme_capabilities(rows: list[Scored]) -> None:
    found = read(table_psychemme.capabilities(rows, "Raw"))
    assert (found["odd"]["G"], found["odd"]["G 95 %"]) == ("0.00", "[0.00, 0.00]")
    low, high = map(float, found["weak"]["Overall 95 %"].strip("[]").split(","))
    assert low < float(found["weak"]["Overall"]) == 50 < high


def test_psychemme_input_controls(rows: list[Scored]) -> None:
    table = table_psychemme.controls(rows, ["question-only"])
    lines = {(row[0], row[1]): row for row in table.rows}
    assert len(lines) == 6
    assert lines["strong", "question-only"][4] == pytest.approx(-50)
    assert lines["odd", "question-only"][4:] == (0, (0, 0))


def test_psychemme_history(rows: list[Scored]) -> None:
    """Mismatched: the mean of ½, ½ and 0 over items, 16.67 points below no history."""
    lines = {row[1]: row for row in table_psychemme.history(rows).rows}
    assert lines[MATCHED][2:4] == (100, 50)
    assert lines[MISMATCHED][2:4] == pytest.approx((100 / 3, -50 / 3))
    assert lines[NONE][3] == 0


def test_psychemme_votes(rows: list[Scored]) -> None:
    """In G one model is always right, one half the time: alone 3 of 6 items have a majority; the best has all."""
    found = read(table_psychemme.votes(rows))
    assert set(found) == set(CAPABILITIES)
    assert (found["G"]["Best (on these items)"], found["G"]["Oracle"], found["G"]["Majority"]) == (
        "100.00",
        "100.00",
        "50.00",
    )
    assert found["W"]["Vote"] == "100.00"


def test_psychemme_strata(rows: list[Scored]) -> None:
    items = sorted({row.item for row in rows})
    found = read(
        table_psychemme.strata(rows, {item: "≤30s" if place % 8 == 0 else ">60s" for place, item in enumerate(items)})
    )
    assert (found["odd"]["≤30s Raw"], found["odd"][">60s Raw"], found["odd"][">60s Ver."]) == (
        "0.00",
        "100.00",
        "69.44",
    )


def socialreason() -> World:
    inputs, keys, replies = world(["o1", "o1", "o1", "o2", "o4", "no_answer"] * 8, 2)
    names = ("intent_recognition", "causal_antecedent")
    return [one.model_copy(update={"capability": names[place % 2]}) for place, one in enumerate(inputs)], keys, replies


def test_socialreasonbench() -> None:
    inputs, keys, replies = socialreason()
    runs = {"m": score_run(inputs, keys, replies, RUN)}
    people = baseline([Marked("ann", one.id, one.capability, 1.0) for one in inputs], count_skipped=False)
    found = read(table_socialreason.accuracies(runs, people))
    assert (found["m"]["Overall"], found["m"]["intent_recognition"]) == ("50.00", "66.67")
    assert found["m"]["causal_antecedent 95 %"] == "[17.97, 53.29]"  # Wilson of 8 of 24
    assert (found["Human"]["Overall"], found["Human"]["Overall 95 %"]) == ("100.00", "")
    traps = read(table_socialreason.traps(runs))
    assert (traps["m"]["Wrong"], traps["m"]["visual_shortcut"], traps["m"]["logic"]) == ("24", "33.33", "33.33")
    drops = read(table_socialreason.drops(falls(["m"], [gather(inputs, keys, replies, RUN)])))
    assert (drops["m"]["Perception"], drops["m"]["Reasoning"], drops["m"]["Difference"]) == ("66.67", "33.33", "33.33")
    tiers = read(table_socialreason.tiers({key.id: key for key in keys}, {one.id: one.capability for one in inputs}))
    assert (tiers["all"]["n"], tiers["all"]["B"], tiers["all"]["C"]) == ("48", "100.00", "0.00")


def test_social_genome() -> None:
    human = [Step("She frowns", frozenset({"visual"})), Step("He sounds sad", frozenset({"vocal"}))]
    traces = {("m", 0): [human, []], ("m", 4): [human[:1], human]}
    compared = {place: [compare(trace, human, float(bool(trace))) for trace in own] for place, own in traces.items()}
    accuracy = read(table_genome.accuracies(compared))
    assert (accuracy["m"]["k = 0"], accuracy["m"]["k = 4"]) == ("50.00", "100.00")
    similar = read(table_genome.similarities({place: own for place, own in compared.items() if place[1] == 0}))["m"]
    assert [similar[name] for name in table_genome.SIMILARITY] == ["0.50", "0.50", "1.00", "0.50", "0.50", "1.00"]
    steps = {row[1]: dict(zip(table_genome.STEPS, row[2:], strict=True)) for row in table_genome.steps(compared).rows}
    assert steps["4"]["visual"] == Figure(1.0)
    assert steps["4"]["vocal"] == Figure(0.5)
    missing = {("m", 0): [compare(human, [], 1.0), compare(human, human, 1.0)]}
    trace = table_genome.mean(missing["m", 0], "similarity_trace")
    assert trace.value == pytest.approx(1)
    assert trace.reason == "1 of 2 items have none"
    shares = table_genome.normalised(compared["m", 0], [compare(human, human, 1.0)])
    assert (shares["visual"], shares["verbal"].reason) == (Figure(0.5), "people have none")


def rated(*totals: Sequence[int], rater: str = "r1") -> list[Rated]:
    return [Rated(f"v{video}", rater, tuple(items)) for video, items in enumerate(totals)]


def test_social_caption() -> None:
    high, low = (5, 5, 4, 4, 5, 5), (2, 2, 2, 4, 2, 2)
    holistic = {("m", "H"): rated(high, low), ("m", "G"): rated(high, high)}
    table = table_caption.main({"m": [[1, 0], [1, 1], [1, 0]], "n": [[0, 0]]}, {"m": [[1, 1]]}, holistic, {})
    found = read(table)
    assert table.columns[3:] == ("HSA G", "HSA H", "DSA G", "DSA H")
    assert (found["m"]["SI w/o trans. (%)"], found["m"]["SI w/ trans. (%)"]) == ("66.67", "100.00")
    assert (found["m"]["HSA H"], found["m"]["HSA G"], found["m"]["DSA H"]) == ("21.00", "28.00", "")
    assert (found["n"]["SI w/ trans. (%)"], found["n"]["HSA H"]) == ("", "")


def test_social_captions_agreement() -> None:
    """Two people on two videos: they agree on the first wholly, on the second on the fourth item alone (yes) and the
    others (no, yes). F1 of the first item: 2·1 / (2 + 1)."""
    high, low = (5, 5, 4, 4, 5, 5), (2, 2, 2, 4, 2, 2)
    people = [*rated(high, low), *rated(high, high, rater="r2")]
    table = table_caption.agreement({"H": people, "G": rated(high, high, rater="g")}, "HSA")
    assert table.columns == ("Item", "H-H", "H-H always yes", "H-G", "H-G always yes")
    found = read(table)
    assert tuple(found) == HSA_ITEMS
    assert found["scene description"]["H-H"] == "66.67"
    assert found["socio-emotional analysis"]["H-H"] == "100.00"
    assert found["scene description"]["H-G"] == "85.71"  # 2·3 / (3 + 4)
    assert found["scene description"]["H-H always yes"] == "85.71"  # three quarters say yes
