"""A script that builds projects and kills the builds with SIGKILL around a commit; then it builds and freezes them.

It reads cases as JSON: a project's folder, and the commit to kill at, by the first kind of work in it or by its number,
before it or after it. It forks for every build, so that the imports are paid for once, and has two cases at work at a
time. For each it prints its place, the signal that ended the first build, the number of calls that were then in flight,
and the exit code of the second build.

It imports nothing of the tests: run by its path, it belongs to no package.
"""

import json
import os
import signal
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Literal

from benchwright.project import folder
from benchwright.project.build import build
from benchwright.project.freeze import freeze

LANES = 2
VERSION, DAY = "1.0.0", "2031-01-02"


def forked(work: Callable[[], object]) -> int:
    """The status of a child that does the work."""
    child = os.fork()
    if child == 0:
        try:
            work()
        except BaseException as error:
            sys.stderr.write(f"{type(error).__name__}: {error}\n")
            os._exit(70)
        os._exit(0)
    return os.waitpid(child, 0)[1]


def killed(case: dict[str, Any]) -> None:
    commits = 0

    def hook(kinds: tuple[str, ...], when: Literal["before", "after"]) -> None:
        nonlocal commits
        commits += when == "before"
        if when == case["when"] and (case["kind"] in kinds or commits == case["number"]):
            os.kill(os.getpid(), signal.SIGKILL)

    build(folder.find(Path(case["project"])), on_commit=hook)
    # How work is grouped into commits depends on time: one with this number may not have come.
    if case["number"] is not None:
        os.kill(os.getpid(), signal.SIGKILL)


def finished(project: folder.Project) -> None:
    build(project)
    freeze(project, VERSION, unreviewed=True, day=DAY)


def in_flight(project: folder.Project) -> int:
    with closing(sqlite3.connect(project.store)) as store:
        return int(store.execute("SELECT count(*) FROM call WHERE status = 'reserved'").fetchone()[0])


def lane(cases: list[dict[str, Any]]) -> None:
    for case in cases:
        first = forked(lambda case=case: killed(case))  # type: ignore[misc]
        project = folder.find(Path(case["project"]))
        calls = in_flight(project)
        second = forked(lambda project=project: finished(project))  # type: ignore[misc]
        print(case["place"], os.WTERMSIG(first), calls, os.waitstatus_to_exitcode(second), flush=True)


def main(cases: list[dict[str, Any]]) -> None:
    children = []
    for start in range(LANES):
        if (child := os.fork()) == 0:
            lane(cases[start::LANES])
            os._exit(0)
        children.append(child)
    for child in children:
        os.waitpid(child, 0)


if __name__ == "__main__":
    main(json.loads(Path(sys.argv[1]).read_text()))
