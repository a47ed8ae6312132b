"""`review export` and `review import`: finished reviews as JSON lines, so that other tools can take part.

What leaves is what `human import` reads as well, where it is of a kind that it knows.
"""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from ..errors import InputError, RowsError, UsageError
from ..review.desk import last_entries
from ..review.modes import FORMS, decision
from ..review.outcomes import planted_of
from ..review.queue import Place, task_id
from ..review.work import Saved
from ..schemas.base import Record, item_id
from ..schemas.files import storing, to_line, write_whole
from ..schemas.human import Endorsement, HumanAnswer, HumanRating, HumanStep
from ..schemas.item import Item
from ..schemas.review import FinishedReview, Planted, ReviewEntry, Work
from ..state.store import NodeKey, Store
from .folder import Project

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Taken(NamedTuple):
    rows: int
    new: int


def export(project: Project, out: Path | None = None) -> dict[str, int]:
    """Write `reviews.jsonl` and, of what there is, `answers`, `traces`, `ratings` and `endorsements`; lines by file.

    Raises `UsageError` where there is no store, or the folder cannot be written.
    """
    with _open(project) as store:
        planted = planted_of(store)
        finished = list(reviews(store, project.config.seed, planted))
    folder = out or project.root / "review"
    files: dict[str, list[Record]] = {"reviews": list(finished), **_human(finished)}
    with storing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    written = {}
    for name, records in files.items():
        if records:
            path = folder / f"{name}.jsonl"
            write_whole(path, map(to_line, records))
            written[str(path)] = len(records)
    return written


def reviews(store: Store, seed: int, planted: Mapping[str, Planted]) -> Iterator[FinishedReview]:
    """Every finished task, in order of mode, item, ballot and reviewer."""
    done = [saved for saved in last_entries(store).values() if saved.entry.stage == "done"]
    for saved in sorted(done, key=lambda one: (one.entry.mode, one.key.slot_id, one.key.run, one.entry.reviewer)):
        yield _review(saved, seed, planted.get(saved.key.slot_id))


def _review(saved: Saved, seed: int, planted: Planted | None) -> FinishedReview:
    key, entry = saved
    work = entry.work
    item = planted.item_id if planted else item_id(seed, key.slot_id)
    if entry.mode in REPLIES:
        item = key.slot_id
    letters = "".join(LETTERS[entry.shown.index(one)] for one in work.ids if one in entry.shown[: len(LETTERS)])
    return FinishedReview(
        mode=entry.mode, reviewer=entry.reviewer, item=item, ballot=key.run, public_hash=entry.public_hash,
        item_hash=entry.item_hash, shown=entry.shown, letter=letters, said=work.said, ids=work.ids, text=work.text,
        confidence=work.confidence, marks=work.marks, note=work.note, steps=work.steps, seconds=entry.seconds,
        decision=decision(work) if entry.mode == "verification" else "",
        watched=entry.watched, defect=planted.defect if planted else "",
    )  # fmt: skip


REPLIES = ("rating", "hsa", "dsa", "endorsement")
"""Modes whose subject is a reply of a run, not an item."""


def _human(finished: Iterable[FinishedReview]) -> dict[str, list[Record]]:
    """What is of a kind that `human import` takes; planted items are not."""
    found: dict[str, list[Record]] = defaultdict(list)
    for review in finished:
        if not review.defect:
            for kind, record in _as_said(review):
                found[kind].append(record)
    return dict(sorted(found.items()))


def _as_said(review: FinishedReview) -> Iterator[tuple[str, Record]]:
    if review.mode in ("baseline", "annotation"):
        answered = review.said == "answer"
        yield "answers", HumanAnswer(
            person=review.reviewer, item=review.item, ids=review.ids if answered else (), occasion=review.ballot,
            text=review.text if answered and not review.ids else "", skipped=not answered, shown=review.shown,
            seconds=review.seconds,
        )  # fmt: skip
    if review.mode == "annotation":
        for number, step in enumerate(review.steps, 1):
            yield (
                "traces",
                HumanStep(person=review.reviewer, item=review.item, step=number, text=step.text, tags=step.tags),
            )
    if review.said == "skip" or review.mode not in REPLIES:
        return
    run, item, repeat, *rubric = review.item.split("/")
    known = {"person": review.reviewer, "item": item, "run": run, "repeat": int(repeat)}
    if review.mode in ("hsa", "dsa"):
        marks = [int(review.marks[criterion.name]) for criterion in FORMS[review.mode].criteria]
        yield "ratings", HumanRating.model_validate(known | {"rubric": review.mode, "ratings": marks})
    elif review.mode == "endorsement":
        endorsed = review.marks["endorsed"] == "yes"
        yield "endorsements", Endorsement.model_validate(known | {"rubric": rubric[0], "endorsed": endorsed})


def take_in(project: Project, files: Sequence[Path]) -> Taken:
    """Take in reviews made elsewhere. A row that is there already as it is changes nothing.

    Raises `RowsError` with a line for every row that is none, names no item, or says something else than one that was
    finished here; then nothing is kept.
    """
    with _open(project) as store:
        seed = project.config.seed
        slots = {item_id(seed, key.slot_id): key.slot_id for key, _ in store.all(Item)}
        slots |= {record.item_id: key.slot_id for key, record in store.all(Planted)}
        standing = last_entries(store)
        rows, problems = list(_rows(files)), list[str]()
        fresh: dict[Place, tuple[NodeKey, ReviewEntry]] = {}
        for place, row in rows:
            if isinstance(row, str):
                problems.append(f"{place}: {row}")
            elif problem := _take(store, seed, slots, standing, fresh, row):
                problems.append(f"{place}: {problem}")
        if problems:
            raise RowsError(f"{len(problems)} bad rows of {len(rows)}: nothing was taken in", tuple(problems))
        if not rows:
            raise InputError(files[0] if files else project.root, "no rows in it")
        asyncio.run(_put(store, fresh.values()))
    return Taken(len(rows), len(fresh))


async def _put(store: Store, rows: Iterable[tuple[NodeKey, ReviewEntry]]) -> None:
    await asyncio.gather(*(store.put(key, entry) for key, entry in rows))


def _rows(files: Sequence[Path]) -> Iterator[tuple[str, FinishedReview | str]]:
    for file in files:
        try:
            lines = file.read_text("utf-8").split("\n")
        except OSError as error:
            raise InputError(file, (error.strerror or str(error)).lower()) from None
        except UnicodeDecodeError as error:
            raise InputError(file, f"byte {error.start} is no UTF-8; save the file as UTF-8") from None
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield f"{file}:{number}", _row(line)


def _row(line: str) -> FinishedReview | str:
    try:
        return FinishedReview.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(piece) for piece in first["loc"])
        return f"{where + ': ' if where else ''}{first['msg']}"


def _take(
    store: Store, seed: int, slots: Mapping[str, str], standing: Mapping[Place, Saved],
    fresh: dict[Place, tuple[NodeKey, ReviewEntry]], review: FinishedReview,
) -> str:  # fmt: skip
    """Add an entry to what is new; what is wrong with the row, or nothing."""
    subject = review.item if review.mode in REPLIES else slots.get(review.item)
    if subject is None:
        return f"item: the project has no {review.item}"
    if problem := _misfit(store, subject, review):
        return problem
    task = task_id(seed, review.mode, subject, review.ballot)
    place = Place(task, review.reviewer)
    work = Work(
        said=review.said, ids=review.ids, text=review.text, confidence=review.confidence, marks=review.marks,
        note=review.note, steps=review.steps,
    )  # fmt: skip
    entry = ReviewEntry(
        task=task, mode=review.mode, reviewer=review.reviewer, action="import", stage="done", work=work,
        public_hash=review.public_hash, item_hash=review.item_hash, shown=review.shown, seconds=review.seconds,
        watched=review.watched,
    )  # fmt: skip
    before = standing.get(place)
    if place in fresh and fresh[place][1] != entry:
        return f"{review.reviewer} on {review.item} stands twice and says different things"
    if before is not None and before.entry.stage == "done":
        told = {"action": "import", "at": "", "before": 0}
        same = before.entry.model_copy(update=told) == entry
        return "" if same else f"{review.reviewer} on {review.item} is there already and says something else"
    revision = before.revision + 1 if before else 1
    fresh[place] = NodeKey(subject, f"{review.mode}/{review.reviewer}", revision, review.ballot), entry
    return ""


def _misfit(store: Store, subject: str, review: FinishedReview) -> str:
    """Why a review is none of this subject."""
    allowed = {criterion.name: criterion.choices for criterion in FORMS[review.mode].criteria}
    for name, choice in review.marks.items():
        if choice not in allowed.get(name, ()):
            return f"marks: {name} {choice!r} is no mark of {review.mode}"
    if review.mode in REPLIES:
        return "" if review.item.count("/") >= 2 else "item: expected run/item/repeat"
    item = store.latest(Item, subject) or store.latest(Planted, subject)
    known = {option.id for option in item.options} if item else set()
    if item is not None and review.public_hash == item.public_hash and (strange := set(review.ids) - known):
        return f"ids: {min(strange)} is none of {', '.join(sorted(known))}"
    return ""


def _open(project: Project) -> Store:
    if not project.store.exists():
        raise UsageError(f"{project.root} has no items yet; run `benchwright build` first")
    return Store.open(project.store, seed=project.config.seed)
