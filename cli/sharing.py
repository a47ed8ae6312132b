"""Releases handed on: pushed to a hub, and what may be trained on beside them."""

from pathlib import Path
from typing import Annotated

import typer

from .output import AsJson, emit, note
from .releases import ReleaseFolder


def push(
    release: ReleaseFolder,
    repo: Annotated[str, typer.Option(metavar="OWNER/NAME", help="Dataset repository on Hugging Face.")],
    answers: Annotated[
        bool, typer.Option("--answers", help="Send the answers too, not the public part alone.")
    ] = False,
    public: Annotated[bool, typer.Option("--public", help="The repository may be public; else it is private.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be sent, and send nothing.")] = False,
    as_json: AsJson = False,
) -> None:
    """Send a release to a dataset repository on Hugging Face; without a token, say what would be sent."""
    from ..project.push import push as run

    done = run(release, repo, answers=answers, public=public, dry_run=dry_run)
    plan = done.plan
    result = {
        "repo": plan.repo,
        "tag": plan.tag,
        "private": plan.private,
        "files": plan.files,
        "bytes": plan.size,
        "kept": plan.kept,
        "sent": not done.why_dry,
        "why": done.why_dry,
        "commit": done.url,
        "deleted": done.deleted,
    }
    emit("push", result, plan.files if done.why_dry else [done.url], as_json=as_json)
    for part, why in plan.kept.items():
        note(f"{part}: {why}")
    kind = "private" if plan.private else "public"
    if done.why_dry:
        note(f"nothing was sent, this is {done.why_dry}" if dry_run else f"nothing was sent: {done.why_dry}")
    note(f"{len(plan.files)} files, {plan.size:,} bytes: {kind} dataset {plan.repo}, {plan.tag}")


def export_training(
    out: Annotated[Path, typer.Argument(metavar="DIR", help="New folder for the data.")],
    apart_from: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="RELEASE", help="A release to hold nothing of, beside the project's own; may be repeated."
        ),
    ] = None,
    pictures: Annotated[
        bool, typer.Option("--pictures", help="Add 32 pictures of each clip that a video shows.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Write the accepted items that no release holds anything of as data for SFT and GRPO."""
    from ..project import folder as folders
    from ..project.training import export as run

    done = run(folders.find(Path.cwd()), apart_from or [], out, pictures=pictures)
    emit("export-training", {"folder": str(done.folder), "counts": done.counts}, [str(done.folder)], as_json=as_json)
    note(f"{done.counts['sft']} examples for SFT, {done.counts['grpo']} prompts for GRPO")
    for name, count in done.counts.items():
        if name.startswith("left/"):
            note(f"left out: {count} {name.removeprefix('left/')}")
