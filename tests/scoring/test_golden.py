"""Figures of real predictions, made elsewhere with scipy, statsmodels, scikit-learn and krippendorff, to 1e-9."""

import csv
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benchwright.scoring import coefficients, significance
from benchwright.scoring.agreement import measure
from benchwright.scoring.bootstrap import counted, percentiles
from benchwright.scoring.credit import choice, micro
from benchwright.scoring.intervals import clopper_pearson, wilson
from benchwright.scoring.paired import differences, draw
from benchwright.scoring.ratings import tabulate

MODELS = ("HGA-val-97e2b00", "STVQA-val")
TYPES = {"C": ("CW", "CH"), "T": ("TN", "TC", "TP"), "D": ("DO", "DC", "DL")}
Predictions = dict[str, dict[str, int]]


@pytest.fixture(scope="module")
def golden(shared: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((shared / "vectors" / "golden_stats_nextqa.json").read_text("utf-8"))
    return found


@pytest.fixture(scope="module")
def runs(shared: Path) -> dict[str, Predictions]:
    folder = shared / "data" / "preds" / "nextqa"
    return {model: json.loads((folder / f"{model}.json").read_text("utf-8")) for model in MODELS}


@pytest.fixture(scope="module")
def right(runs: dict[str, Predictions]) -> dict[str, list[float]]:
    """Credits by model, in order of question id."""
    return {
        model: [choice({str(run[question]["prediction"])}, {str(run[question]["answer"])}) for question in sorted(run)]
        for model, run in runs.items()
    }


def close(value: Any) -> Any:
    return pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("model", MODELS)
def test_accuracies_and_their_intervals(model: str, golden: dict[str, Any], right: dict[str, list[float]]) -> None:
    expected = golden["nextqa_val"][model]
    correct = int(sum(right[model]))
    assert (correct, len(right[model])) == (expected["correct"], expected["n"])
    assert micro(right[model]) == close(expected["acc"])
    assert wilson(correct, expected["n"]) == close(expected["wilson95"])
    assert clopper_pearson(correct, expected["n"]) == close(expected["clopper_pearson95"])


def test_mcnemar(golden: dict[str, Any], right: dict[str, list[float]]) -> None:
    expected = golden["nextqa_val"]["mcnemar_HGA_vs_STVQA"]
    first, second = (np.array(right[model]) for model in MODELS)
    table = [[int(((first == a) & (second == b)).sum()) for b in (1, 0)] for a in (1, 0)]
    assert table == expected["table"]
    found = significance.mcnemar(table[0][1], table[1][0])
    assert found.p == close(expected["exact_p"])
    assert found.chi2.value == close(expected["chi2_cc"])
    assert found.chi2_p.value == close(expected["chi2_cc_p"])


def test_kappa_of_two_models(golden: dict[str, Any], runs: dict[str, Predictions]) -> None:
    """Over the options chosen."""
    first, second = (runs[model] for model in MODELS)
    table = tabulate([(first[question]["prediction"], second[question]["prediction"]) for question in first])
    found = measure(coefficients.cohen(table, 0, 1))
    assert found.value == close(golden["nextqa_val"]["cohen_kappa_HGA_STVQA"])


def drawn_means(sums: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """10,000 draws of the golden file's own generator, one row a call as it was made."""
    random, size = np.random.default_rng(20260101), len(sums)
    both = np.column_stack([sums, counts])
    rows = [counted(random.integers(0, size, (1, size))) @ both for _ in range(10_000)]
    drawn = np.vstack(rows)
    return np.asarray(drawn[:, 0] / drawn[:, 1])


def test_the_bootstrap_with_its_own_generator(
    golden: dict[str, Any], runs: dict[str, Predictions], right: dict[str, list[float]]
) -> None:
    """Items in the order of the file, then videos in order of their ids; for each the generator begins anew."""
    expected = golden["nextqa_val"]["paired_bootstrap_diff"]
    questions = sorted(runs[MODELS[0]])
    own = dict(zip(questions, np.subtract(right[MODELS[0]], right[MODELS[1]]), strict=True))
    paired = np.array([own[question] for question in runs[MODELS[0]]])
    by_video: dict[str, list[float]] = defaultdict(list)
    for question in questions:
        by_video[question.partition("_")[0]].append(own[question])
    videos = [by_video[video] for video in sorted(by_video)]
    items = drawn_means(paired, np.ones(len(paired)))
    clusters = drawn_means(np.array([sum(one) for one in videos]), np.array([len(one) for one in videos]))
    assert (paired.mean(), len(videos)) == close((expected["diff"], expected["clusters"]))
    ends, dropped = percentiles(np.vstack([items, clusters]))
    assert ends[0] == close(expected["item_ci95"])
    assert ends[1] == close(expected["cluster_by_video_ci95"])
    assert (items.std(ddof=1), clusters.std(ddof=1)) == close((expected["item_se"], expected["cluster_se"]))
    assert dropped.tolist() == [0, 0]


def test_our_own_draws_come_near(golden: dict[str, Any], runs: dict[str, Predictions], right: dict[str, Any]) -> None:
    """Another stream of numbers, so to 0.3 points (SCORING 9)."""
    questions = sorted(runs[MODELS[0]])
    drawn = draw(
        np.array([right[model] for model in MODELS]).T,
        [question.partition("_")[0] for question in questions],
        ["all"] * len(questions),
    )
    (spread,) = drawn.spreads(differences(drawn.micro(), [(0, 1)]))
    assert spread.interval == pytest.approx(
        golden["nextqa_val"]["paired_bootstrap_diff"]["cluster_by_video_ci95"], abs=0.003
    )


def test_causal_temporal_and_descriptive_questions(shared: Path, runs: dict[str, Predictions]) -> None:
    """The published row of HGA: 49.74 over all, 46.26, 50.74 and 59.33 by type."""
    with (shared / "data" / "qa" / "nextqa" / "val.csv").open(encoding="utf-8", newline="") as file:
        kind = {f"{row['video']}_{row['qid']}": row["type"] for row in csv.DictReader(file)}
    run = runs[MODELS[0]]
    credits = {question: choice({str(one["prediction"])}, {str(one["answer"])}) for question, one in run.items()}
    found = {
        name: round(100 * (micro([own for question, own in credits.items() if kind[question] in kinds]) or 0), 2)
        for name, kinds in TYPES.items()
    }
    assert found == {"C": 46.26, "T": 50.74, "D": 59.33}
    assert round(100 * (micro(list(credits.values())) or 0), 2) == 49.74


def test_agreement_of_five_runs_of_one_model(golden: dict[str, Any], shared: Path) -> None:
    with (shared / "data" / "preds" / "emobench" / "gpt-4-en.csv").open(encoding="utf-8", newline="") as file:
        rows = [[row[f"Pred {run}"] for run in range(1, 6)] for row in csv.DictReader(file)]
    expected = golden["emobench_EA"]["gpt-4-en"]
    assert (len(rows), sum(answer == "" for row in rows for answer in row)) == (expected["units"], expected["missing"])
    alpha = measure(coefficients.krippendorff(tabulate(rows)))
    assert alpha.value == close(expected["krippendorff_alpha_nominal"])


def test_edge_cases(golden: dict[str, Any]) -> None:
    for fraction, expected in golden["wilson_edge"].items():
        correct, n = map(int, fraction.split("/"))
        assert wilson(correct, n) == close(expected)
    edge = golden["holm_edge"]
    assert significance.holm(edge["p"]) == close(edge["adj"])
    assert significance.holm(edge["ties"]) == close(edge["adj_ties"])
    pairwise = golden["video_mme_V1_short_32f"]["pairwise"]
    assert significance.holm([row["p"] for row in pairwise]) == close([row["holm"] for row in pairwise])


def test_the_example_of_krippendorff(golden: dict[str, Any]) -> None:
    """Three coders of fifteen units with gaps, the usual worked table: nominal alpha 0.691."""
    coders = ("     34121133 3", "1 213343       ", "  21344 21133 4")
    table = [[None if code == " " else code for code in unit] for unit in zip(*coders, strict=True)]
    alpha = measure(coefficients.krippendorff(tabulate(table)))
    assert alpha.value == close(golden["krippendorff_2011_example"])
