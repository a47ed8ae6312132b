"""What `benchwright --help` costs, against `import typer`: medians of 7 processes, in turn."""

import statistics
import subprocess
import sys
import time

COMMANDS = {"import typer": ["-c", "import typer"], "benchwright --help": ["-m", "benchwright", "--help"]}
RUNS = 7


def seconds(arguments: list[str]) -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - started


def measure(runs: int = RUNS) -> dict[str, float]:
    """Median wall time of each command; they take turns, so that a busy machine slows both alike."""
    times = [{name: seconds(arguments) for name, arguments in COMMANDS.items()} for _ in range(runs)]
    return {name: statistics.median(time[name] for time in times) for name in COMMANDS}


if __name__ == "__main__":
    medians = measure()
    for name, median in medians.items():
        print(f"{name:20} {median * 1000:6.0f} ms")
    print(f"ratio                {medians['benchwright --help'] / medians['import typer']:6.2f}")
