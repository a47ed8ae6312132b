"""What `benchwright --help` costs, against `import typer`: medians of 7 processes, in CPU time and in wall time."""

import os
import statistics
import subprocess
import sys
import time
from typing import NamedTuple

COMMANDS = {"import typer": ["-c", "import typer"], "benchwright --help": ["-m", "benchwright", "--help"]}
RUNS = 7


class Cost(NamedTuple):
    cpu: float
    """Seconds."""
    wall: float


def cost(arguments: list[str]) -> Cost:
    started, before = time.perf_counter(), os.times()
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return Cost(cpu, time.perf_counter() - started)


def measure(runs: int = RUNS) -> dict[str, Cost]:
    """Medians of each command; they take turns, so that a busy machine slows both alike."""
    costs = [{name: cost(arguments) for name, arguments in COMMANDS.items()} for _ in range(runs)]
    columns = {name: list(zip(*(each[name] for each in costs), strict=True)) for name in COMMANDS}
    return {name: Cost(*map(statistics.median, column)) for name, column in columns.items()}


if __name__ == "__main__":
    medians = measure()
    for name, median in medians.items():
        print(f"{name:20} {median.cpu * 1000:6.0f} ms CPU {median.wall * 1000:6.0f} ms wall")
    ours, typer = medians["benchwright --help"], medians["import typer"]
    print(f"ratio                {ours.cpu / typer.cpu:6.2f}        {ours.wall / typer.wall:6.2f}")
