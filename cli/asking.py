"""Options of the commands that ask models about a release, each once."""

from typing import Literal

import typer

Asked = Literal["none", "rationale", "steps"]
Pictures = Literal["1fps", "32"]

Condition = typer.Option(
    metavar="NAME", help="What the model is shown: parts joined by +, see docs/conditions.md; may be repeated."
)
Frames = typer.Option(help="Pictures of a clip for a model that takes no video: one a second (64 at most), or 32.")
Media = typer.Option(metavar="PATH", help="A video of the release, or a folder of videos; may be repeated.")
Shots = typer.Option(metavar="RELEASE", help="Another release, from which worked examples are taken (k-shot).")
WithFilm = typer.Option("--with-film", help="Only the items whose clip a video shows.")
