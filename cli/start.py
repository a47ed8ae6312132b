"""How a project begins."""

from pathlib import Path
from typing import Annotated

import typer


def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of the project; made if missing.")],
) -> None:
    """Make a project: a folder with a commented benchwright.yaml."""
    from ..project import folder as folders

    print(folders.init(folder).file.path)
