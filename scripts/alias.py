"""Link the root modules and package folders into `.alias/benchwright/`, which type checkers read."""

import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ALIAS = ROOT / ".alias" / "benchwright"


def main() -> None:
    shutil.rmtree(ALIAS.parent, ignore_errors=True)
    ALIAS.mkdir(parents=True)
    modules = [*ROOT.glob("*.py"), ROOT / "py.typed"]
    packages = [path.parent for path in ROOT.glob("*/__init__.py") if path.parent.name != "tests"]
    for target in sorted(modules + packages):
        (ALIAS / target.name).symlink_to(target, target_is_directory=target.is_dir())


if __name__ == "__main__":
    main()
