"""`push`: a release to a dataset repository on Hugging Face, private unless it is said otherwise.

The public part goes, the answers on request alone, the grounding with its real names never. What was frozen is never
changed there either: each version has its tag, and a tag that is there is not written over.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from ..errors import RefusedError, StoppedError, UsageError
from ..release import layout
from .releases import Release, open_release
from .verify import verify

if TYPE_CHECKING:
    from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi

EXTRA = "push needs huggingface_hub: pip install 'benchwright[hub]'; --dry-run shows what would be sent without it"
NAME = re.compile(r"(?!.*(?:--|\.\.))(?!.*\.git$)[^\W_](?:[\w.-]{0,94}\w)?/\w(?:[\w.-]{0,94}\w)?", re.ASCII)
"""As the hub takes them."""
THEIRS = (".gitattributes",)
"""Files that the hub keeps in every repository."""


class Plan(NamedTuple):
    """What is sent, and what stays."""

    repo: str
    tag: str
    files: tuple[str, ...]
    """Paths in the release, and in the repository."""
    size: int
    """Bytes of them all."""
    kept: dict[str, str]
    """Parts that stay here, and why."""
    private: bool


class Pushed(NamedTuple):
    plan: Plan
    why_dry: str
    """Why nothing was sent; empty where it was."""
    url: str = ""
    """Of the commit."""
    deleted: tuple[str, ...] = ()
    """Files of an earlier version that the repository does not show any more."""


def push(release: Path, repo: str, *, answers: bool = False, public: bool = False, dry_run: bool = False) -> Pushed:
    """Send a release to the dataset repository `repo`, made if missing; without a token or with `dry_run` only say
    what would be sent. The token is what `hf auth login` left, or `HF_TOKEN`; the address `HF_ENDPOINT`, or the hub's.

    Raises `InputError` for a folder that is no release; `RefusedError` where `verify` finds a problem, the answers are
    not in it though they are asked for, the repository is public though that was not asked for, or has this version;
    `UsageError` for a name that is none, a token that is not accepted or a missing library; `StoppedError` where the
    hub does not answer.
    """
    if not NAME.fullmatch(repo):
        raise UsageError(f"--repo {repo!r}: expected owner/name")
    opened = open_release(release)
    if problems := verify(release).problems:
        lines = tuple(f"{one.file}: {one.problem}" for one in problems)
        raise RefusedError(f"{release}: problems: {len(lines)}; only what verifies is sent", lines)
    plan = _plan(opened, repo, answers=answers, private=not public)
    if dry_run:
        return Pushed(plan, "a dry run")
    token = _token()
    return _send(opened, plan, token) if token else Pushed(plan, "there is no token: `hf auth login`, or set HF_TOKEN")


def _plan(release: Release, repo: str, *, answers: bool, private: bool) -> Plan:
    there = sorted(path for path in release.folder.rglob("*") if path.is_file())
    parts: dict[str, list[Path]] = {part.name: [] for part in layout.PARTS}
    for path in there:
        parts[layout.part_of(path.relative_to(release.folder).as_posix()).name].append(path)
    if answers and not parts["answers"]:
        raise RefusedError(f"{release.folder}: its answers are kept apart, so they cannot be sent along")
    kept = {"grounding": "holds real names, and is never sent"} if parts["grounding"] else {}
    if parts["answers"] and not answers:
        kept["answers"] = "stay here; --answers sends them too"
    chosen = [*parts["public"], *(parts["answers"] if answers else [])]
    files = tuple(sorted(path.relative_to(release.folder).as_posix() for path in chosen))
    size = sum(path.stat().st_size for path in chosen)
    return Plan(repo, f"v{release.manifest.version}", files, size, dict(sorted(kept.items())), private)


def _token() -> str | None:
    try:
        from huggingface_hub import get_token
    except ModuleNotFoundError:
        raise UsageError(EXTRA) from None
    return get_token()


def _send(release: Release, plan: Plan, token: str) -> Pushed:
    from huggingface_hub import HfApi

    api = HfApi(endpoint=os.environ.get("HF_ENDPOINT"), token=token)
    with _hub(plan.repo):
        _ = urlsplit(api.endpoint).port  # an address that is none would end in errors of the library's own
        api.create_repo(plan.repo, repo_type="dataset", private=plan.private, exist_ok=True)
        _check(api, plan)
        stale = sorted(set(api.list_repo_files(plan.repo, repo_type="dataset")) - {*plan.files, *THEIRS})
        title = f"{release.title} (benchwright {release.manifest.tool_version})"
        operations: list[CommitOperationAdd | CommitOperationDelete] = [*_added(release, plan), *_deleted(stale)]
        done = api.create_commit(plan.repo, operations, commit_message=title, repo_type="dataset")
        api.create_tag(plan.repo, tag=plan.tag, revision=done.oid, repo_type="dataset")
    return Pushed(plan, "", done.commit_url, tuple(stale))


def _check(api: "HfApi", plan: Plan) -> None:
    """What stands in the repository, before anything is sent there."""
    if plan.private and not api.repo_info(plan.repo, repo_type="dataset").private:
        raise RefusedError(f"{plan.repo} is public; --public says that the release may be, too")
    tags = {tag.name for tag in api.list_repo_refs(plan.repo, repo_type="dataset").tags}
    if plan.tag in tags:
        raise RefusedError(f"{plan.repo} has {plan.tag} already, and a release is never changed; freeze a new version")


def _added(release: Release, plan: Plan) -> "Iterator[CommitOperationAdd]":
    from huggingface_hub import CommitOperationAdd

    for path in plan.files:
        yield CommitOperationAdd(path_in_repo=path, path_or_fileobj=release.folder / path)


def _deleted(stale: list[str]) -> "Iterator[CommitOperationDelete]":
    from huggingface_hub import CommitOperationDelete

    for path in stale:
        yield CommitOperationDelete(path_in_repo=path)


@contextmanager
def _hub(repo: str) -> Iterator[None]:
    """What the hub says, in our own words: a token that is not taken is bad input, all else may pass."""
    errors: Any = import_module("huggingface_hub.errors")
    transport: type[Exception] = errors.HTTPError  # of httpx or httpx2, as the library's version has it
    try:
        yield
    except errors.HfHubHTTPError as error:
        status = error.response.status_code
        if status in (401, 403):
            raise UsageError(
                f"{repo}: the hub does not take the token ({status}); it must be one that may write"
            ) from None
        raise StoppedError(f"{repo}: the hub answered {status}; try again") from None
    except ValueError as error:  # what it says may hold the token
        what = "the hub's address, or the token, is none"
        raise UsageError(f"{repo}: {what} ({type(error).__name__}); see HF_ENDPOINT and HF_TOKEN") from None
    except (transport, OSError) as error:
        raise StoppedError(f"{repo}: the hub does not answer ({type(error).__name__}); try again") from None
