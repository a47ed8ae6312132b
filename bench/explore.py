"""Explores a story whole and holds the time against what the runtime's own calls took in the same run.

    python bench/explore.py STORY [--plays 400] [--max-states N] [--random-seed N] [--workers N]

Prints the figures of `narrative explore`, then: seconds inside the runtime (load, choose, continue, save, once a
transition, by the clock around each call), the ratio of the whole to them, peak memory of this process and of its
largest child, and how many random plays of the real runtime differ from the flowchart (0 expected).
"""

import argparse
import json
import resource
import time
from pathlib import Path

from benchwright.narrative.agreement import disagreements
from benchwright.narrative.explore import Bounds, explore_by
from benchwright.narrative.flowchart import Flowchart
from benchwright.narrative.ink import InkStory
from benchwright.narrative.runtime import Story
from benchwright.narrative.stories import open_story
from benchwright.narrative.summary import summarise
from benchwright.narrative.walk import WORKERS, InkWalk


def main() -> None:
    arguments = parse()
    story = open_story(arguments.story, random_seed=arguments.random_seed)
    if not isinstance(story, InkStory):
        raise SystemExit(f"{arguments.story}: expected compiled Ink")
    chart, seconds, spent = explore(story, arguments.max_states, arguments.workers)
    print(json.dumps(summarise(story, chart, seconds).to_json(), indent=1, ensure_ascii=False))
    print(f"runtime's own calls {spent:.2f} s; whole {seconds:.2f} s; ratio {seconds / spent:.2f}")
    print(f"peak memory {megabytes(resource.RUSAGE_SELF)} MB, largest child {megabytes(resource.RUSAGE_CHILDREN)} MB")
    print(f"{len(differences(story, chart, arguments.plays))} of {arguments.plays} random plays differ")


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure whole exploration of a compiled Ink story.")
    parser.add_argument("story", type=Path)
    parser.add_argument("--plays", type=int, default=400)
    parser.add_argument("--max-states", type=int, default=50_000)
    parser.add_argument("--random-seed", type=int)
    parser.add_argument("--workers", type=int, default=WORKERS)
    return parser.parse_args()


def explore(story: InkStory, states: int, workers: int) -> tuple[Flowchart, float, float]:
    """The flowchart, the seconds it took from starting the first process on, and those inside the runtime."""
    before = time.perf_counter()
    steps = InkWalk(story, workers=workers, timed=True)
    try:
        chart = explore_by(steps, story.info.sha256, Bounds(states))
        return chart, time.perf_counter() - before, steps.spent()
    finally:
        steps.close()


def megabytes(who: int) -> int:
    return resource.getrusage(who).ru_maxrss // 1024


def differences(story: Story, chart: Flowchart, plays: int) -> list[str]:
    runtime = story.runtime()
    try:
        return [str(difference) for difference in disagreements(runtime, chart, range(plays))]
    finally:
        runtime.close()


if __name__ == "__main__":
    main()
