"""A freeze that is killed: what it leaves is no release, and the next freeze clears it away and goes on."""

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from benchwright.release.freeze import freeze
from benchwright.release.verify import verify

from .build import content
from .test_freeze import tree

PROGRAM = """
import sys
from pathlib import Path
sys.path.insert(0, {root!r})
from tests.release.build import content
from benchwright.release.freeze import freeze
print("begun", flush=True)
freeze(content(300, answers="apart"), Path({target!r}))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL as POSIX has it")
def test_a_freeze_that_is_killed_leaves_no_release(tmp_path: Path) -> None:
    """Killed at several moments, by the files that are there: while clips, rows, and the last of it are written."""
    whole = freeze(content(300, answers="apart"), tmp_path / "whole")
    target, chosen = tmp_path / "r", random.Random(7)
    program = PROGRAM.format(root=str(Path(__file__).resolve().parents[2]), target=str(target))
    killed = 0
    for wanted in (2, chosen.randrange(20, 150), chosen.randrange(150, 290), 306, 311):
        run = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.DEVNULL)
        staging = target.with_name(".r.partial")
        while run.poll() is None and sum(len(files) for *_, files in os.walk(staging)) < wanted:
            time.sleep(0.002)
        run.kill()
        run.wait()
        if target.exists():
            assert verify(target).ok
            break
        killed += 1
    assert killed >= 3
    if not target.exists():
        freeze(content(300, answers="apart"), target)
    assert tree(target) == tree(whole)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["r", "r-apart", "whole", "whole-apart"]
