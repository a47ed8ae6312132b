"""The gates of a release that rows alone cannot tell: evidence that no longer stands, rules that answer without
understanding, and what a reader of its figures has to be warned of."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ..errors import InputError, RefusedError, UsageError
from ..llm.families import evaluated
from ..release.content import ReleaseContent
from ..schemas.files import read_record
from ..schemas.finding import Finding
from ..schemas.item import Slot
from ..schemas.release import KeyRow, Override
from ..schemas.response import RunInfo
from ..schemas.score import RuleScore
from ..state.store import Store
from . import items
from .audit import Auditor
from .folder import Project
from .report import shortcuts

UNRESOLVED = ("missing", "contradicted", "not-replayable")
"""Faults of an audit with which an item is not frozen."""
PREFIX = "shortcut/"
MOST = 5
"""Lines that are told of an item; `audit ITEM` tells all."""


class Passed(NamedTuple):
    """What let a release through."""

    overrides: tuple[Override, ...]
    warnings: tuple[str, ...]


def gate(
    project: Project, store: Store, slots: Mapping[str, Slot], content: ReleaseContent, overrides: Mapping[str, str]
) -> Passed:
    """Hold what is to be frozen against all of them; `slots` are those of its items, by item id, `overrides` reasons by
    gate.

    Raises `RefusedError` with every finding, `UsageError` for an override of a gate that does not refuse.
    """
    scores = tried(content)
    found = [*unresolved(project, store, slots), *working(scores, overrides)]
    errors = [one for one in found if one.severity == "error"]
    if errors:
        lines = tuple(f"{one.place}: {one.message} [{one.code}]" for one in errors)
        raise RefusedError(f"{len(lines)} findings: nothing was frozen", lines)
    warnings = [f"{one.place}: {one.message} [{one.code}]" for one in found]
    passed = tuple(Override(gate=name, reason=overrides[name]) for name in sorted(overrides))
    return Passed(passed, tuple(dict.fromkeys([*warnings, *_doubts(project, content, scores)])))


def unresolved(project: Project, store: Store, slots: Mapping[str, Slot]) -> Iterator[Finding]:
    """`evidence-unresolved` for each item whose evidence or label no longer stands in its source, and a warning,
    `evidence-moved`, where it stands elsewhere. Where the source is the same to the byte, its label is the one which
    the adjudicator derived from it; else it is derived again."""
    auditor = Auditor(project, store)
    for item, slot in sorted(slots.items()):
        done = auditor.audit(slot, items.show(project, item), believing=True)
        faults = [fault for fault in done.faults if fault in UNRESOLVED]
        told = "; ".join(done.unresolved[:MOST])
        if faults:
            yield Finding(code="evidence-unresolved", place=item, message=f"{told}; see `benchwright audit {item}`")
        elif "moved" in done.faults:
            yield Finding(code="evidence-moved", place=item, message=told, severity="warning")


def working(scores: Sequence[RuleScore], overrides: Mapping[str, str]) -> Iterator[Finding]:
    """`shortcut-works` for each rule that answers more items than it may, and that no override lets pass.

    Raises `UsageError` for an override of another rule.
    """
    broken = {PREFIX + one.rule: one for one in scores if one.verdict == "breaks"}
    if idle := sorted(set(overrides) - set(broken)):
        those = f"those that do are {', '.join(sorted(broken))}" if broken else "none of this kind does"
        raise UsageError(f"--override {idle[0]}: this gate does not refuse; {those}")
    for name, one in broken.items():
        if name not in overrides:
            said = (
                f"answers {one.correct} of {one.n} items, so perhaps a share of {one.bound or 1:.3f}, which must lie "
                f"below {one.limit:.3f}; mend the items, or say why it may stand with --override {name}=WHY"
            )
            yield Finding(code="shortcut-works", place=name, message=said)


def tried(content: ReleaseContent) -> tuple[RuleScore, ...]:
    """Every rule on the items that are to be frozen; one without a key is another gate's business."""
    keys: dict[str, KeyRow] = {key.id: key for key in content.keys()}  # noqa: SIM118
    transcripts = {clip.ref.media: clip.transcript for clip in content.clips()}
    items = [item for item in content.items() if item.id in keys]
    return shortcuts(content.permutation_seed, items, keys, transcripts)


def parse_overrides(given: Sequence[str]) -> dict[str, str]:
    """`GATE=WHY`, as `--override` takes them. Raises `UsageError`."""
    found: dict[str, str] = {}
    for text in given:
        name, _, why = text.partition("=")
        if not name.startswith(PREFIX) or not why.strip() or name in found:
            raise UsageError(f"--override {text!r}: give one reason a gate, as {PREFIX}longest=WHY; only these can be")
        found[name] = " ".join(why.split())
    return found


def _doubts(project: Project, content: ReleaseContent, scores: Sequence[RuleScore]) -> Iterator[str]:
    """What speaks against nothing, and has to be known."""
    unknown = sum(key.status == "derived, answerability unknown" for key in content.keys())  # noqa: SIM118
    if unknown:
        yield f"{unknown} items are derived by code: whether their clips are enough to answer them is not known"
    if few := [one for one in scores if one.verdict == "too few to tell"]:
        yield f"too few to tell whether a rule without understanding works: {few[0].reason}"
    for file in sorted(project.runs.rglob("run.json")):
        try:
            yield from evaluated(content.policies, read_record(file, RunInfo).model)
        except InputError as error:
            yield str(error)
