"""The 116 worked numbers of ../shared/vectors, and which function of ours each one is asked of."""

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from benchwright.schemas.base import shown_order
from benchwright.scoring import (
    bootstrap,
    clustered,
    coefficients,
    credit,
    f1,
    genome,
    grim,
    paired,
    power,
    significance,
    stages,
    verified,
    voting,
)
from benchwright.scoring.agreement import measure
from benchwright.scoring.human import Marked, baseline
from benchwright.scoring.intervals import wilson
from benchwright.scoring.ratings import tabulate
from benchwright.scoring.traps import Wrong, trap_rates

from ..conftest import SHARED

FILE = SHARED / "vectors" / "paper_vectors.json"
COMPUTED = ("v121", "v122")
"""What the paper prints does not follow from its own table: there `computed` is what counts."""
Given = Any


def vectors() -> list[dict[str, Any]]:
    return json.loads(FILE.read_text("utf-8")) if FILE.is_file() else []


def percent(right: float, n: int) -> float:
    """Mean of n credits that add up to `right`, whole or half, in percent."""
    whole, half = int(right), int(right % 1 > 0)
    return 100 * (credit.micro([1.0] * whole + [0.5] * half + [0.0] * (n - whole - half)) or 0.0)


def marks(given: Given, key: str) -> list[Marked]:
    return [
        Marked(str(person), f"i{item}", "all", float(item < right))
        for person, (right, n) in enumerate(zip(given[key], given["n"], strict=True))
        for item in range(n)
    ]


def pooled(key: str, given: Given) -> float:
    return 100 * (baseline(marks(given, key), count_skipped=True).pooled.value or 0.0)


WEIGHTS = {"soft": verified.SOFT, "strict": verified.STRICT}


def verified_credit(given: Given) -> float:
    weights = WEIGHTS[given["weights"].split()[0]] if "weights" in given else verified.STANDARD
    reply = verified.Judged(given["a"], bool(given["c"]), given["evidence"], given["logic"])
    return 100 * verified.verified(reply, weights)


def half_credit(counts: list[int]) -> stages.HalfCredit:
    found = stages.half_credit(*counts)
    assert found is not None
    return found


def half_credit_gap(given: Given) -> dict[str, float]:
    gap = stages.half_credit_gap(half_credit(given["claude"]), half_credit(given["gemini"]))
    names = ("gap", "from_nonzero", "from_full", "full_credit_diff")
    return {name: 100 * value for name, value in zip(names, gap, strict=True)}


def votes(given: Given) -> list[voting.Vote]:
    return [vote and frozenset(vote) for vote in given["votes"]]


def difference(given: Given) -> float:
    """Of whole differences of credit: mean difference over the items."""
    total, n = given["credit_diff"], given["n"]
    return float(100 * total / n)


def permutation(given: Given) -> list[str]:
    return list(shown_order(given["seed"], given["qid"], reversed(given["option_ids"])))


def traps(given: Given) -> dict[str, float | None]:
    chosen = given["traps_of_chosen_option_for_wrong_predictions"]
    tags = {str(place): trap for place, trap in enumerate(chosen) if trap}
    wrong = [Wrong((str(place),), tuple(map(str, range(len(chosen)))), tags, "e") for place in range(len(chosen))]
    return {name: rate.rate for name, rate in trap_rates(wrong, sorted({*tags.values()})).items()}


def bootstrapped(given: Given) -> dict[str, list[float]]:
    drawn = paired.draw(np.array(given["scores"]).T, given["episode"], given["capability"], given["B"], given["seed"])
    macro = drawn.macro()
    ends, _ = bootstrap.percentiles(np.vstack([macro[0], paired.differences(macro, [(0, 1)])]))
    return {"ci_a": (100 * ends[0]).tolist(), "ci_diff": (100 * ends[1]).tolist()}


def rated(given: Given) -> Any:
    return tabulate(list(zip(given["rater1"], given["rater2"], strict=True)))


def clusters(given: Given) -> dict[str, float | None]:
    found = clustered.standard_errors(given["x"], given["cluster"])
    return {
        "inspect_ai": found.corrected.value,
        "lmms_eval": found.cross_terms.value,
        "plain_CR0": found.plain.value,
    }


def open_need(given: Given) -> float:
    """Verified on the open questions, from both totals and the choice questions."""
    n, choices = given["n_choice"] + given["n_open"], given["n_choice"]
    first, second = (
        (total * n - part * choices) / given["n_open"]
        for total, part in zip(given["overall"], given["choice"], strict=True)
    )
    return float(first - second)


def adverse(given: Given) -> int:
    """Replies of each kind, made and counted again."""
    kinds = {"both_adverse": ("weak", "weak"), "only_evidence": ("weak", "normal"), "neither": ("strong", "normal")}
    replies = [verified.Judged(1, True, *labels) for kind, labels in kinds.items() for _ in range(given[kind])]
    found = verified.adverse(replies)
    assert (found.both, found.only_evidence) == (given["both_adverse"], given["only_evidence"])
    return found.n


def similarity(function: Callable[..., Any], given: Given) -> float | None:
    threshold = (given["tau"],) if "tau" in given else ()
    value: float | None = function(np.array(given["M"], float), np.array(given["H"], float), *threshold).value
    return value


def mean(key: str, given: Given) -> float:
    return float(given[key] / given["traces"])


METRICS: Mapping[str, Callable[[Given], Any]] = {
    "count_sum": lambda given: sum(given.values() if isinstance(given, dict) else given),
    "partition_sum": adverse,
    "accuracy_pct": lambda given: percent(given["correct"], given["n"]),
    "rate_pct": lambda given: percent(given["k"], given["n"]),
    "endorsement_pct": lambda given: percent(given["endorsed"], given["n"]),
    "accuracy_pct_pooled_micro": partial(pooled, "correct"),
    "endorsement_pct_pooled": partial(pooled, "endorsed"),
    "verified_credit_pct": verified_credit,
    "stage_losses": lambda given: stages.losses(given["a"], given["c"], given["e"], given["l"], given["lam"])._asdict(),
    "nonzero_credit_pct": lambda given: 100 * half_credit(given["counts_0_half_1"]).nonzero,
    "full_credit_pct": lambda given: 100 * half_credit(given["counts_0_half_1"]).full,
    "half_credit_mean_pct": lambda given: 100 * half_credit(given["counts_0_half_1"]).mean,
    "half_credit_gap_decomposition_pp": half_credit_gap,
    "rate_diff_pp": lambda given: percent(given["k1"], given["n1"]) - percent(given["k2"], given["n2"]),
    "best_single_pct": lambda given: percent(given["correct"], given["n"]),
    "best_single_no_ties_pct": lambda given: percent(given["correct"], given["n"]),
    "plurality_expected_pct": lambda given: percent(given["expected_credit"], given["n"]),
    "oracle_gain_pp": lambda given: percent(given["oracle"], given["n"]) - percent(given["best"], given["n"]),
    "plurality_minus_best_pp": lambda given: (
        percent(given["plurality"], given["n"]) - percent(given["best"], given["n"])
    ),
    "strict_majority_pct": lambda given: percent(given["correct"], given["n"]),
    "plurality_credit": lambda given: voting.plurality(votes(given), {given["reference"]}),
    "strict_majority_credit": lambda given: voting.strict_majority(votes(given), {given["reference"]}),
    "paired_diff_pp": difference,
    "history_gain_pp": lambda given: percent(given["matched"], given["n"]) - percent(given["none"], given["n"]),
    "mismatch_mean_pct": lambda given: percent(given["correct_over_3_seeds"], given["n"]),
    "diff_pp": lambda given: given["x"] - given["y"],
    "rounding_trap_pp": lambda given: given["x"] - given["y"],
    "diff_of_diffs_pp": lambda given: given["d1"] - given["d2"],
    "open_raw_pct": lambda given: percent(given["credit"], given["n"]),
    "open_need_verified_diff_pp": open_need,
    "wilson_ci_pct": lambda given: [100 * end for end in wilson(given["k"], given["n"])],
    "holm_adjusted": lambda given: significance.holm(given["p"]),
    "trap_fall_rate": traps,
    "option_permutation_sha256": permutation,
    "mean_steps_per_trace": partial(mean, "steps"),
    "mean_entities_per_trace": partial(mean, "entities"),
    "external_knowledge_per_trace": lambda given: given["share"] * mean("steps", given),
    "difference_sequence_indel": lambda given: genome.difference_sequence(given["S_M"], given["S_H"]),
    "difference_sequence_printed_recursion": lambda given: genome.difference_sequence(
        given["S_M"], given["S_H"], given["substitution_cost"]
    ),
    "similarity_step": partial(similarity, genome.similarity_step),
    "similarity_num": partial(similarity, genome.similarity_num),
    "similarity_trace": partial(similarity, genome.similarity_trace),
    "paired_power_dz": lambda given: power.detectable(given["n"], given["alpha"], given["power"]).value,
    "binary_f1_macro_of_rows_pct": lambda given: credit.micro(given["rows"]),
    "binary_f1": lambda given: f1.binary_f1(given["rater1"], given["rater2"]).f1.value,
    "binary_f1_always_positive": lambda given: f1.always_positive(given["positive_rate"]),
    "cohen_kappa": lambda given: measure(coefficients.cohen(rated(given), 0, 1)).value,
    "grim_consistent_cells": lambda given: {
        name: grim.reachable_cells(given["values"], n) for name, n in given["denominators"].items()
    },
    "grim": lambda given: grim.reachable(given["pct"], given["n"]),
    "macro_pct": lambda given: 100 * (credit.macro(given["x"], given["capability"]) or 0.0),
    "micro_pct": lambda given: 100 * (credit.micro(given["x"]) or 0.0),
    "credit_retention_undefined": lambda given: stages.retention(given["a"], given["v"]).value,
    "clustered_se": clusters,
    "paired_episode_bootstrap_ci_pp": bootstrapped,
    "exact_set_credit": lambda given: credit.choice(given["pred"] or (), given["reference"]),
}
"""By metric, from a vector's inputs to our figure. Sums and differences of printed figures are Python's own."""
