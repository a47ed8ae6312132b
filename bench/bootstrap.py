"""The bootstrap of a whole paper, beside the sampling and the one matrix product that it cannot do without.

17 models × 2 metrics × 1,000 questions in 630 episodes and 8 capabilities, 10,000 draws: intervals of every macro
score, every capability score and every paired difference of macro scores. Each part runs in a process of its own, so
that memory is its own; they take turns, and medians are printed. The rival resamples one series at a time through
`scipy.stats.bootstrap` with a Python statistic; it is timed on 200 draws of one macro score and scaled.
"""

import json
import resource
import statistics
import subprocess
import sys
import time
from itertools import combinations

import numpy as np

MODELS, METRICS, ITEMS, EPISODES, CAPABILITIES, DRAWS = 17, 2, 1000, 630, 8, 10_000
RIVAL_DRAWS = 200
RUNS = 3
SERIES = MODELS * METRICS
PAIRS = METRICS * len(list(combinations(range(MODELS), 2)))
STATISTICS = SERIES + SERIES * CAPABILITIES + PAIRS


def world() -> tuple[np.ndarray, list[str], list[str]]:
    """(items, series) credits in {0, ½, 1}, and each item's episode and capability; every one of these occurs."""
    random = np.random.RandomState(0)
    credits = random.randint(0, 3, (ITEMS, SERIES)) / 2
    episodes = [*range(EPISODES), *random.randint(0, EPISODES, ITEMS - EPISODES)]
    return credits, [f"e{episode:03}" for episode in episodes], [f"c{item % CAPABILITIES}" for item in range(ITEMS)]


def ours() -> int:
    """All intervals; returns how many."""
    from benchwright.scoring.paired import differences, draw

    credits, episodes, capabilities = world()
    drawn = draw(credits, episodes, capabilities, DRAWS)
    macro = drawn.macro()
    spreads = drawn.spreads(macro)
    for name in drawn.groups:
        spreads += drawn.spreads(drawn.group(name))
    for metric in range(METRICS):
        own = range(metric * MODELS, (metric + 1) * MODELS)
        spreads += drawn.spreads(differences(macro, list(combinations(own, 2))))
    return sum(spread.interval is not None for spread in spreads)


def floor() -> int:
    """The draws, counted, and their product with the sums: nothing else."""
    random = np.random.RandomState(42)
    sums = random.rand(SERIES * CAPABILITIES + CAPABILITIES, EPISODES)
    drawn = np.empty((len(sums), DRAWS))
    for start in range(0, DRAWS, 1000):
        rows = random.randint(0, EPISODES, (1000, EPISODES), dtype=np.int64)
        rows += np.arange(1000, dtype=np.int64)[:, None] * EPISODES
        counts = np.bincount(rows.ravel(), minlength=1000 * EPISODES).reshape(1000, EPISODES).astype(np.float64)
        np.matmul(sums, counts.T, out=drawn[:, start : start + 1000])
    return len(drawn)


def rival() -> int:
    """One macro score by `scipy.stats.bootstrap`: episodes are drawn, a Python function adds them up."""
    from scipy.stats import bootstrap

    credits, episodes, capabilities = world()
    names, groups = sorted(set(episodes)), sorted(set(capabilities))
    sums, counts = np.zeros((2, EPISODES, CAPABILITIES))
    for credit, episode, capability in zip(credits[:, 0], episodes, capabilities, strict=True):
        place = names.index(episode), groups.index(capability)
        sums[place] += credit
        counts[place] += 1

    def macro(drawn: np.ndarray) -> float:
        return float((sums[drawn].sum(axis=0) / counts[drawn].sum(axis=0)).mean())

    bootstrap((np.arange(EPISODES),), macro, n_resamples=RIVAL_DRAWS, vectorized=False, method="percentile",
              rng=np.random.RandomState(42))  # fmt: skip
    return 1


PARTS = {"ours": ours, "floor": floor, "rival": rival}


def run(part: str) -> dict[str, float]:
    """Seconds of wall and CPU time without imports, peak memory in MB, figures: of one part in a new process."""
    done = subprocess.run([sys.executable, __file__, part], capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def child(part: str) -> None:
    import benchwright.scoring.paired  # noqa: F401 (imports are not what is measured)

    if part == "rival":
        import scipy.stats  # noqa: F401
    started, before = time.perf_counter(), time.process_time()
    figures = PARTS[part]()
    wall, cpu = time.perf_counter() - started, time.process_time() - before
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"wall": wall, "cpu": cpu, "memory": memory, "figures": figures}))


def main() -> None:
    taken: dict[str, list[dict[str, float]]] = {part: [] for part in PARTS}
    for _ in range(RUNS):
        for part in PARTS:
            taken[part].append(run(part))
    median = {part: {key: statistics.median(one[key] for one in own) for key in own[0]} for part, own in taken.items()}
    for part, own in median.items():
        times = f"{own['wall']:7.3f} s wall {own['cpu']:7.3f} s CPU"
        print(f"{part:6} {times} {own['memory']:6.0f} MB {own['figures']:.0f} figures")
    scaled = median["rival"]["cpu"] * DRAWS / RIVAL_DRAWS * STATISTICS
    print(f"ours / floor: {median['ours']['wall'] / median['floor']['wall']:.2f} wall, "
          f"{median['ours']['cpu'] / median['floor']['cpu']:.2f} CPU (at most 2)")  # fmt: skip
    print(f"scipy.stats.bootstrap, scaled to {STATISTICS} figures of {DRAWS} draws: {scaled:.0f} s CPU, "
          f"{scaled / median['ours']['cpu']:.0f} times ours (at least 100)")  # fmt: skip


if __name__ == "__main__":
    child(sys.argv[1]) if len(sys.argv) > 1 else main()
