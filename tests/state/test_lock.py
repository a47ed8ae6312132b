"""The build's lock: one process a store, named to the second one, free again however the first one ends."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from benchwright.errors import UsageError
from benchwright.state.lock import build_lock

HOLD = """
import sys
from pathlib import Path
from benchwright.state.lock import build_lock
with build_lock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_second_build_is_told_who_holds_the_store(tmp_path: Path):
    store = tmp_path / "store.sqlite"
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, store], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        message = f"another build is running \\(process {holder.pid}\\)"
        with pytest.raises(UsageError, match=message) as error, build_lock(store):
            pass
        assert error.value.exit_code == 2
        holder.kill()
    with build_lock(store):
        assert store.with_name("store.sqlite.lock").read_text().strip() == str(os.getpid())


def test_the_lock_is_free_after_use_and_after_an_error(tmp_path: Path):
    store = tmp_path / "store.sqlite"
    with pytest.raises(RuntimeError), build_lock(store):
        raise RuntimeError
    for _ in range(2):
        with build_lock(store):
            pass


def test_two_builds_in_one_process_exclude_each_other(tmp_path: Path):
    store = tmp_path / "store.sqlite"
    with build_lock(store), pytest.raises(UsageError, match=f"process {os.getpid()}"), build_lock(store):
        pass


def test_different_stores_do_not_meet(tmp_path: Path):
    with build_lock(tmp_path / "a.sqlite"), build_lock(tmp_path / "b.sqlite"):
        pass


def test_no_folder_is_a_usage_error(tmp_path: Path):
    with pytest.raises(UsageError, match="cannot be written"), build_lock(tmp_path / "nowhere" / "store.sqlite"):
        pass
