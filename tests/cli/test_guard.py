"""Whatever a command raises becomes one line on stderr and the documented code."""

import errno
import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy
import typer
from benchwright.cli.guard import guard, resumable
from benchwright.cli.output import emit, note
from benchwright.cli.progress import plain
from benchwright.errors import BenchwrightError, InputError, IsolationError, RefusedError, StoppedError, UsageError


def raising(error: BaseException) -> Callable[[], None]:
    def command() -> None:
        raise error

    return command


@pytest.mark.parametrize(
    ("error", "code", "says"),
    [
        pytest.param(
            RefusedError("2 items refused", ("i1: leak", "i2: echo")), 1, "i1: leak\ni2: echo\n", id="refused"
        ),
        pytest.param(UsageError("no such option"), 2, "no such option", id="usage"),
        pytest.param(InputError("a.yaml", "odd", 7), 2, "a.yaml:7: odd", id="input"),
        pytest.param(InputError("a\nb\x1b[2J.yaml", "\u202eodd"), 2, "a\\nb\\x1b[2J.yaml: \\u202eodd\n", id="steering"),
        pytest.param(typer.BadParameter("not a date"), 2, "not a date; see `benchwright --help`", id="parameter"),
        pytest.param(StoppedError("budget used up"), 3, "budget used up", id="stopped"),
        pytest.param(OSError(errno.ENOSPC, "No space left"), 3, "the disk is full", id="disk-full"),
        pytest.param(BenchwrightError("a view without an item"), 70, "a view without an item", id="ours"),
        pytest.param(IsolationError("answer may not read proposal"), 70, "answer may not read", id="isolation"),
        pytest.param(KeyError("x"), 70, "this is a bug in benchwright (KeyError: 'x')", id="bug"),
        pytest.param(RuntimeError("two\nlines"), 70, "(RuntimeError: two lines)", id="bug-of-two-lines"),
        pytest.param(BrokenPipeError(errno.EPIPE, "a child has gone"), 70, "a child has gone", id="pipe-of-a-child"),
        pytest.param(KeyboardInterrupt(), 130, "interrupted", id="interrupted"),
        pytest.param(typer.Exit(1), 1, "", id="exit-1"),
    ],
)
def test_codes(error: BaseException, code: int, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert guard(raising(error)) == code
    out, err = capsys.readouterr()
    assert says in err
    assert out == ""
    assert "Traceback" not in err
    assert err == "" or err.splitlines()[-1].startswith("benchwright: ")


def test_a_traceback_only_on_request(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("BENCHWRIGHT_DEBUG", "1")
    assert guard(raising(ZeroDivisionError("x"))) == 70
    assert "Traceback" in capsys.readouterr().err


def test_a_full_database_is_a_full_disk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """SQLite itself says that it is full, here by its own limit on pages, and SQLAlchemy wraps that."""
    engine = sqlalchemy.create_engine(f"sqlite:///{tmp_path / 'a.sqlite'}")

    def fill() -> None:
        with engine.begin() as connection:
            connection.execute(sqlalchemy.text("PRAGMA max_page_count = 2"))
            connection.execute(sqlalchemy.text("CREATE TABLE IF NOT EXISTS t (x)"))
            connection.execute(sqlalchemy.text("INSERT INTO t VALUES (zeroblob(100000))"))

    with pytest.raises(sqlalchemy.exc.OperationalError) as caught:
        fill()
    assert isinstance(caught.value.orig, sqlite3.OperationalError)
    assert guard(fill) == 3
    engine.dispose()
    assert "the disk is full" in capsys.readouterr().err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_resumable_commands_stop_with_work_left(number: int, capsys: pytest.CaptureFixture[str]) -> None:
    before = signal.getsignal(signal.SIGTERM)

    def command() -> None:
        with resumable():
            os.kill(os.getpid(), number)
            signal.pause()

    assert guard(command) == 3
    assert "the same command goes on" in capsys.readouterr().err
    assert signal.getsignal(signal.SIGTERM) == before


@pytest.mark.parametrize("unbuffered", ["", "1"], ids=["buffered", "unbuffered"])
def test_a_reader_that_goes_away_is_no_error(unbuffered: str, tmp_path: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as closed:
        done = subprocess.run(
            [sys.executable, "-m", "benchwright", "init", str(tmp_path / "p")],
            stdout=closed, stderr=subprocess.PIPE, env=os.environ | {"PYTHONUNBUFFERED": unbuffered}, check=False,
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.parametrize("unbuffered", ["", "1"], ids=["buffered", "unbuffered"])
def test_output_onto_a_full_disk_is_no_success(unbuffered: str, tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-m", "benchwright", "init", str(tmp_path / "p")]
        environment = os.environ | {"PYTHONUNBUFFERED": unbuffered}
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, env=environment, check=False)
    assert done.returncode == 3
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("form", [[], ["--json"]], ids=["text", "json"])
def test_any_text_reaches_any_terminal(form: list[str], tmp_path: Path) -> None:
    story = tmp_path / "a.yaml"
    states = "start: s\nstates: {s: {ending: E, lines: [{text: 'caf\u00e9 \u2014 \U0001f600'}]}}\n"
    story.write_text(f"benchwright_story: 1\ntitle: T\nprotagonists: [A]\n{states}", encoding="utf-8")
    command = [sys.executable, "-m", "benchwright", "narrative", "show", str(story), *form]
    done = subprocess.run(command, capture_output=True, env={**os.environ, "PYTHONIOENCODING": "ascii"}, check=True)
    told = done.stdout.decode("ascii")
    if form:
        assert json.loads(told)["lines"] == ["caf\u00e9 \u2014 \U0001f600"]
    else:
        assert "caf\\xe9 \\u2014 \\U0001f600" in told


def test_without_a_terminal_a_plain_line_comes_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    often, seldom = plain(0.0), plain(3600.0)
    often("exploring the hut", 7, None)
    often("slot 3", 2, 9)
    seldom("slot 3", 2, 9)
    assert capsys.readouterr() == ("", "exploring the hut: 7\nslot 3: 2 of 9\n")


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("ok\n\x1b[2Jok", "ok\\n\\x1b[2Jok"),
        ("a\u202eb", "a\\u202eb"),
        ("10\u00a0% 物\u3000語", "10\u00a0% 物\u3000語"),
        ("می\u200cخواهم", "می\u200cخواهم"),
    ],
    ids=["escape", "turned round", "spaces", "joiners"],
)
def test_a_result_is_a_line_that_steers_no_terminal(line: str, shown: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What somebody else's release, log or story says is printed, and cannot pretend to be ours."""
    emit("any", {}, [line], as_json=False)
    note(line)
    assert capsys.readouterr() == (f"{shown}\n", f"{shown}\n")
