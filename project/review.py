"""`review serve`: the review of a project, put together from its settings, its store and runs on a release."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..errors import BenchwrightError, InputError, UsageError
from ..media.cut import film
from ..review import content
from ..review.content import Content, Items, Replies, Reply, Screened
from ..review.deal import stratified
from ..review.desk import Desk
from ..review.disputes import Adjudicated, Disputes, adjudication, verification
from ..review.outcomes import Facts, outcomes
from ..review.queue import Campaign, Queue, Task, task_id
from ..schemas.base import digest
from ..schemas.clip import Span
from ..schemas.review import Mode
from ..state.store import Store
from . import sources
from .config import Review
from .folder import Project, writable
from .plant import plant
from .review_replies import MODES as REPLY_MODES
from .review_replies import replies_of
from .review_times import times_of
from .standing import facts

if TYPE_CHECKING:
    from ..review.app import Site
    from ..review.media import Clips as Known
    from ..review.media import Cut

USUAL: tuple[Mode, ...] = ("verification", "baseline", "overlap")
EXTRA = "the review page needs more packages: pip install 'benchwright[review]'"
RATERS = 2
"""People who rate each reply. Source: Social Caption 3.2.4."""
SCREENERS = 2


class Asked(NamedTuple):
    """What a review is to hold."""

    modes: tuple[Mode, ...] = USUAL
    release: Path | None = None
    runs: tuple[Path, ...] = ()
    judge: str | None = None


class Opened(NamedTuple):
    """A review, ready to be served."""

    site: "Site"
    desk: Desk
    links: Mapping[str, str]
    """Token of each reviewer."""


@contextmanager
def opened(project: Project, asked: Asked) -> Iterator[Opened]:
    """Raises `UsageError` where there is nobody to review, nothing to review, or the extra is not installed."""
    try:
        from ..review.app import Changes, Site
        from ..review.security import Sessions
    except ModuleNotFoundError as error:
        if error.name not in ("starlette", "uvicorn", "anyio"):
            raise
        raise UsageError(EXTRA) from None
    settings = project.config.review
    reviewers = sorted({*settings.experts, *settings.people, *settings.adjudicators})
    if not reviewers:
        raise project.file.wrong(("review",), "nobody reviews; list opaque ids under review.experts or review.people")
    if not project.store.exists():
        raise UsageError(f"{project.root} has no items yet; run `benchwright build` first")
    with Store.open(project.store, seed=project.config.seed) as store:
        clips = _clips(project, store)
        desk = desk_of(project, store, asked, clips)
        sessions = Sessions(reviewers)
        edit, template = _editing(project, store)
        again = Changes(edit, template, lambda: desk_of(project, store, asked, clips))
        yield Opened(Site(desk, sessions, clips, again), desk, sessions.tokens)


def desk_of(project: Project, store: Store, asked: Asked, clips: content.Clips) -> Desk:
    """Every task of every mode, with what was done of it so far."""
    settings, seed = project.config.review, project.config.seed
    items = facts(store, sources.current(project, store))
    replies = replies_of(asked.release, asked.runs, asked.judge) if asked.release else {}
    campaigns = [
        *_on_items(store, settings, seed, items, asked.modes),
        *(_on_replies(mode, own, settings, seed) for mode, own in replies.items()),
    ]
    if not any(campaign.tasks for campaign in campaigns):
        raise UsageError("there is nothing to review; `benchwright build` makes items, --run names replies to rate")
    times = times_of(project, store)
    contents: dict[Mode, Content] = dict.fromkeys((*USUAL, "annotation"), Items(store, clips, times))
    contents |= {"screening": Screened(store, clips), "adjudication": Adjudicated(store, clips, seed, times)}
    contents |= {mode: Replies({one.id: one for one in own}, clips) for mode, own in replies.items()}
    queue = Queue(campaigns, seed, settings.lease * 60, 0.0)
    return Desk(store, queue, contents, seed, _clock(), Disputes(items, settings.approvals, seed))


def _clock() -> Callable[[], float]:
    import time

    start = time.monotonic()
    return lambda: time.monotonic() - start


def _on_items(
    store: Store, settings: Review, seed: int, items: Sequence[Facts], modes: Sequence[Mode]
) -> Iterator[Campaign]:
    """The campaigns on the project's own items and clips."""
    wanted = round(settings.planted * len(items))
    planted = plant(store, seed, wanted, min(wanted, 3 if settings.people else 0)) if wanted else []
    state = outcomes(store, items, settings.approvals)

    def tasks(mode: Mode, own: Sequence[Facts]) -> list[Task]:
        return [
            Task(task_id(seed, mode, one.slot), mode, one.slot, 0, one.capability, hashes(mode, one)) for one in own
        ]

    def hashes(mode: Mode, one: Facts) -> str:
        return "" if mode == "screening" else one.public_hash

    def also(mode: Mode, attention: bool) -> list[Task]:
        return [Task(task_id(seed, mode, place), mode, place, 0, one.capability)
                for place, one in planted if (one.defect == "attention") == attention]  # fmt: skip

    shared = set(stratified({one.slot: f"{one.capability}/{one.cluster}" for one in items}, settings.overlap, seed))
    if "verification" in modes:
        current = [verification(seed, one, state.ballots.get(one.slot, 0)) for one in items]
        own = (*current, *also("verification", False))
        yield Campaign("verification", own, settings.experts, settings.approvals)
    if "baseline" in modes:
        rest = tasks("baseline", [one for one in items if one.slot not in shared])
        yield Campaign("baseline", (*rest, *also("baseline", True)), settings.people, 1, settings.duplicates)
    if "overlap" in modes:
        own = tuple(tasks("overlap", [one for one in items if one.slot in shared]))
        yield Campaign("overlap", own, settings.people, len(settings.people))
    if "annotation" in modes:
        yield Campaign("annotation", tuple(tasks("annotation", items)), settings.people, 1)
    if "screening" in modes:
        first = {one.clip: one for one in sorted(items, key=lambda one: one.slot, reverse=True)}
        own = tuple(tasks("screening", list(first.values())))
        yield Campaign("screening", own, settings.experts, min(SCREENERS, len(settings.experts)))
    disputed = [adjudication(seed, one, state.ballots.get(one.slot, 0)) for one in items
                if state.verdicts[one.slot].disputed]  # fmt: skip
    yield Campaign("adjudication", tuple(disputed), settings.adjudicators, 1)


def _on_replies(mode: Mode, replies: Sequence[Reply], settings: Review, seed: int) -> Campaign:
    people, each = (settings.experts, len(settings.experts)) if mode == "endorsement" else (settings.people, RATERS)
    tasks = tuple(Task(task_id(seed, mode, one.id), mode, one.id, 0, one.item.capability) for one in replies)
    return Campaign(mode, tasks, people, each)


def _clips(project: Project, store: Store) -> "Known":
    """Clips of the project's videos, cut when they are first played, kept by what they are cut from."""
    from ..review.media import Clips

    known = {name: source for name, source in sources.sources_of(store).items() if source.kind == "video"}
    folder = project.cache / "clips"
    durations = {name: footage.duration for name, footage in sources.footage_of(store).items()}

    def cut(wanted: "Cut") -> Path | None:
        source = known[wanted.source_id]
        span = Span(start=wanted.start, end=min(wanted.end, durations[wanted.source_id]))
        out = folder / f"{digest('clip', source.sha256, str(span.start), str(span.end))[:32]}.mp4"
        if not out.exists():
            _film(sources.located(project, source.path), span, out)
        return out if out.exists() else None

    return Clips(project.config.seed, cut, lambda name: name in known)


def _film(video: Path, span: Span, out: Path) -> None:
    """Cut a clip, whole or not at all; what cannot be cut is not there."""
    writable(out.parent)
    part = out.with_suffix(".part")
    try:
        film(video, span, part, sound=True)
        part.replace(out)
    except (BenchwrightError, OSError):
        part.unlink(missing_ok=True)


def _editing(project: Project, store: Store) -> tuple[Callable[[str, str], dict[str, object]], Callable[[str], str]]:
    """Edits of items, as `item edit` makes them, on the text of a file."""
    import tempfile

    from ..schemas.base import item_id
    from . import handmade
    from .progress import quiet

    def edit(slot: str, text: str) -> dict[str, object]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "item.yaml"
            path.write_text(text, encoding="utf-8")
            try:
                made = handmade.edit(project, item_id(project.config.seed, slot), path, quiet)
            except InputError as error:
                raise InputError("item", error.problem, error.place) from None
        return made.json()

    return edit, lambda slot: handmade.template(project, item_id(project.config.seed, slot))


def known_modes(names: Sequence[str]) -> tuple[Mode, ...]:
    """Modes on items by their names. Raises `UsageError` for another one."""
    offered: tuple[Mode, ...] = (*USUAL, "annotation", "screening")
    found = tuple(mode for mode in offered if mode in names)
    if unknown := sorted(set(names) - set(found)):
        more = f"; {', '.join(REPLY_MODES)} come with --run"
        raise UsageError(f"there is no mode {unknown[0]!r}; there are {', '.join(offered)}{more}")
    return found or USUAL
