"""What a reviewer may put down, and when: each save is held against the form of its mode before it is kept."""

from typing import NamedTuple

from ..schemas.review import ReviewEntry, Saving, Stage, Work
from ..state.store import NodeKey
from .content import Sheet
from .modes import FORMS, Form

BLIND_PARTS = ("said", "ids", "text", "confidence", "steps")
"""What the lock locks."""


class SaveError(Exception):
    """A save that cannot be kept, and why: one line for the reviewer."""

    def __init__(self, problem: str) -> None:
        self.problem = problem
        super().__init__(problem)


def accepted(entry: ReviewEntry, saving: Saving, sheet: Sheet) -> Work:
    """The work to be kept: what is locked stays as it was. Raises `SaveError`."""
    form, work = FORMS[entry.mode], saving.work
    if entry.stage == "done":
        raise SaveError("this task is finished")
    if entry.stage == "expert" and form.answer:
        work = work.model_copy(update={name: getattr(entry.work, name) for name in BLIND_PARTS})
    _well_formed(form, entry, work, sheet)
    if saving.action == "lock":
        _lockable(form, entry, work, sheet)
    elif saving.action == "submit":
        _finished(form, entry, work)
    return work


def following(entry: ReviewEntry, action: str, work: Work) -> Stage:
    """The stage that an action leads to."""
    if action == "submit" or (action == "lock" and (work.said == "skip" or not FORMS[entry.mode].criteria)):
        return "done"
    return "expert" if action == "lock" else entry.stage


def _well_formed(form: Form, entry: ReviewEntry, work: Work, sheet: Sheet) -> None:
    if strange := sorted(set(work.ids) - set(entry.shown)):
        raise SaveError(f"{strange[0]} is no option of this item")
    if len(set(work.ids)) < len(work.ids) or (sheet.format == "single" and len(work.ids) > 1):
        raise SaveError("one option can be chosen")
    if work.said == "answer" and not form.answer:
        raise SaveError("this task asks for no answer")
    if work.steps and not form.steps:
        raise SaveError("this task asks for no steps")
    allowed = {criterion.name: criterion.choices for criterion in form.criteria} if entry.stage == "expert" else {}
    for name, choice in work.marks.items():
        if choice not in allowed.get(name, ()):
            raise SaveError(f"{name}: {choice} is no mark that can be given now")


def _lockable(form: Form, entry: ReviewEntry, work: Work, sheet: Sheet) -> None:
    if entry.stage != "blind":
        raise SaveError("the answer is locked already")
    if not work.said:
        raise SaveError("answer, or say that it is ambiguous, or skip it")
    if work.said == "answer":
        if not (work.text.strip() if sheet.format == "open" else work.ids):
            raise SaveError("write an answer first" if sheet.format == "open" else "choose an option first")
        if not work.confidence:
            raise SaveError("say how sure you are")
        if form.steps and not any(step.text.strip() for step in work.steps):
            raise SaveError("write down at least one step")


def _finished(form: Form, entry: ReviewEntry, work: Work) -> None:
    if entry.stage != "expert":
        raise SaveError("lock your answer first")
    if work.said == "skip" and not form.answer:
        return
    if missing := [criterion.name for criterion in form.criteria if criterion.name not in work.marks]:
        raise SaveError(f"still to be judged: {', '.join(missing)}")


class Saved(NamedTuple):
    """An entry with the key that it stands under."""

    key: NodeKey
    entry: ReviewEntry

    @property
    def revision(self) -> int:
        return self.key.round
