"""Set benchwright up in `.venv` and run it, with nothing but Python 3.11 or newer and pip.

    python3 scripts/run.py demo [OPTIONS]    run the demo
    python3 scripts/run.py test [OPTIONS]    run the tests
    python3 scripts/run.py setup             set up for development, run nothing

The first run installs; later runs start at once, until pyproject.toml changes. BENCHWRIGHT_VENV names another folder
for the environment.
"""

import hashlib
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMMANDS = {
    "demo": ("", ["-m", "benchwright", "demo"]),
    "test": ("[dev]", ["-m", "pytest", "-q", "-n", "auto", "--dist", "loadfile", "--no-loadscope-reorder"]),
    "setup": ("[dev]", []),
}


def say(text: str) -> None:
    print("scripts/run.py: " + text, file=sys.stderr, flush=True)


def environment() -> dict[str, str]:
    """The caller's environment, without what would point Python elsewhere or keep it from storing bytecode."""
    dropped = {"PYTHONHOME", "PYTHONPATH", "VIRTUAL_ENV", "PYTHONDONTWRITEBYTECODE"}
    return {name: value for name, value in os.environ.items() if name not in dropped}


def interpreter(folder: Path) -> Path:
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def call(command: list[str], **more: str) -> bool:
    return subprocess.call(command, cwd=ROOT, env={**environment(), **more}) == 0


def make(folder: Path) -> None:
    """A fresh environment with an up-to-date pip: old ones take a quarter of an hour on these dependencies."""
    say(f"making an environment in {folder}")
    try:
        venv.EnvBuilder(clear=True, with_pip=True).create(folder)
    except subprocess.CalledProcessError:
        sys.exit("this Python has no ensurepip; install it (Debian and Ubuntu: apt install python3-venv) and run again")
    if not call([str(interpreter(folder)), "-m", "pip", "install", "--quiet", "--upgrade", "pip"]):
        sys.exit("pip could not be upgraded; see its message above")


def install(python: Path, extra: str) -> None:
    """Install the checkout, by uv where it can be had, else by pip."""
    target = f"{ROOT}{extra}"
    say(f"installing benchwright{extra} and what it needs; this takes some minutes at most")
    if call([str(python), "-m", "pip", "install", "--quiet", "uv"]):
        uv = [str(python), "-m", "uv", "pip", "install", "--quiet", "--python", str(python), "--editable", target]
        if call(uv, UV_COMPILE_BYTECODE="1"):
            return
    say("uv could not install it; trying pip, which takes longer")
    if not call([str(python), "-m", "pip", "install", "--quiet", "--editable", target]):
        sys.exit("the installation failed; see the message above")


def wanted() -> str:
    """What an environment is made for: this checkout, and what its `pyproject.toml` asks for now."""
    return hashlib.sha256((ROOT / "pyproject.toml").read_bytes() + str(ROOT).encode()).hexdigest()


def ready(folder: Path, extra: str) -> None:
    """Set the environment up, unless it already holds what is wanted."""
    state = wanted()
    done = [folder / f"benchwright-installed{suffix}" for suffix in {extra, "[dev]"}]
    if any(stamp.is_file() and stamp.read_text("utf-8") == state for stamp in done):
        return
    if not interpreter(folder).exists():
        make(folder)
    install(interpreter(folder), extra)
    (folder / f"benchwright-installed{extra}").write_text(state, encoding="utf-8")


def main() -> int:
    if sys.version_info < (3, 11):  # noqa: UP036  (an older Python can read this file, and should say so)
        sys.exit("benchwright needs Python 3.11 or newer; this is " + sys.version.split()[0])
    if len(sys.argv) < 2 or sys.argv[1] not in COMMANDS:
        sys.exit((__doc__ or "").strip())
    extra, arguments = COMMANDS[sys.argv[1]]
    folder = Path(os.environ.get("BENCHWRIGHT_VENV", ROOT / ".venv")).resolve()
    ready(folder, extra)
    if not arguments:
        return 0
    command = [str(interpreter(folder)), *arguments, *sys.argv[2:]]
    say("running " + " ".join(command))
    return subprocess.call(command, cwd=ROOT if sys.argv[1] == "test" else None, env=environment())


if __name__ == "__main__":
    sys.exit(main())
