"""17,000 stored replies read: real ones of ../shared, and such as our own prompt asks for. The limit is two seconds.

CPU time of one process, best of five; a plain loop beside it tells how busy the machine is, since two processes on one
core slow each other's CPU time too.
"""

import ast
import csv
import itertools
import json
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchwright.evaluation import parse_answer

PREDICTIONS = Path(__file__).resolve().parents[2] / "shared" / "data" / "preds" / "emobench"
REPLIES = 17_000
Reply = tuple[str, dict[str, str]]


def real(model: str) -> list[Reply]:
    with (PREDICTIONS / f"{model}.csv").open(encoding="utf-8", newline="") as file:
        rows = [
            (row, dict(zip("ABCDEF", ast.literal_eval(row["Choices"]), strict=False))) for row in csv.DictReader(file)
        ]
    return [(row[f"Res {run}"], options) for row, options in rows for run in range(1, 6)]


def structured() -> list[Reply]:
    """An answer and eight fields, as PsycheMME asks for."""
    fields = {"answer": "B", "G": "She turns her chair away from him.", "W": "She is hurt, and does not say so."}
    texts = ["She lies to him about it", "She is tired and wants to leave", "They talk about work", "None of this"]
    return [(json.dumps(fields | dict.fromkeys("NTSAMR")), dict(zip("ABCD", texts, strict=True)))]


def seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def many(replies: list[Reply], turn: int) -> list[Reply]:
    """As many as are measured, each another text: blanks at their ends write a number, so that none is known before."""
    asked = itertools.islice(itertools.cycle(replies), REPLIES)
    return [
        (text + f"{turn * REPLIES + place:b}".translate({48: " ", 49: "\t"}), options)
        for place, (text, options) in enumerate(asked)
    ]


def read(replies: list[Reply]) -> None:
    for text, options in replies:
        parse_answer(text, options)


if __name__ == "__main__":
    kinds = {"structured": structured()}
    if PREDICTIONS.is_dir():
        kinds |= {model: real(model) for model in ("gpt-4-en", "Llama-2-7b-chat-hf-en")}
    for name, replies in kinds.items():
        best = min(seconds(partial(read, many(replies, turn))) for turn in range(5))
        said = seconds(partial(read, many(replies, 0)[:1000] * (REPLIES // 1000)))
        print(
            f"{name:24} {best:5.2f} s CPU for {REPLIES} replies, {said:.2f} s where a thousand are said again and again"
        )
    loop = min(seconds(lambda: sum(i * i for i in range(1_000_000))) for _ in range(5))
    print(f"{'a loop of 1,000,000':24} {loop * 1000:5.0f} ms CPU")
