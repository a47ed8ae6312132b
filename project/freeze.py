"""`freeze`: the accepted items of a project as a release, approved by people or saying that they are not."""

import asyncio
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from importlib.metadata import version as installed
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, get_args

from ..errors import InputError, RefusedError, UsageError
from ..release import layout
from ..release.content import ReleaseContent
from ..release.freeze import freeze as write
from ..release.lock import lock, passphrase
from ..release.signature import Sign, signer
from ..review.outcomes import outcomes
from ..schemas.base import Record
from ..schemas.clip import Clip
from ..schemas.files import read_record
from ..schemas.grounding import Trace
from ..schemas.item import Item, Reference, Slot
from ..schemas.release import Handing, KeyRow, Manifest, ModelInput, SourceFacts, TraceRow
from ..schemas.source import Footage, Source
from ..schemas.view import Adjudication
from ..scoring.bootstrap import RESAMPLER_ID
from ..state.log import heads
from ..state.store import NodeKey, Store, StoreEvent
from . import lexicon, sources
from .config import Config, RoleName
from .folder import Project, writable
from .gates import gate
from .kin import kin, of
from .splits import TRAIN, assign
from .standing import facts
from .status import decisions
from .versions import Succession, succeed

R = TypeVar("R", bound=Record)


@dataclass(frozen=True)
class Frozen:
    """A release that was written."""

    folder: Path
    items: int
    reviewed: bool
    date: str
    succession: Succession
    warnings: tuple[str, ...]


class Handover(NamedTuple):
    """How a release is handed on."""

    sign: Path | None = None
    """Private key, or the public one of a key in ssh-agent."""
    answers: Handing = "plain"
    key: Path | None = None
    """File with the passphrase of encrypted answers."""


class Accepted(NamedTuple):
    """An accepted item with everything that a release says of it."""

    slot: Slot
    item: Item
    reference: Reference
    clip: Clip
    trace: Trace
    proof: str


def freeze(
    project: Project,
    version: str | None = None,
    *,
    unreviewed: bool = False,
    day: str | None = None,
    reasons: Mapping[str, str] | None = None,
    overrides: Mapping[str, str] | None = None,
    handover: Handover | None = None,
) -> Frozen:
    """Write `releases/<name>-<version>`. The version is the next number where none is given; the date is `day`, or that
    of the first freeze of this version; `reasons` say why records of the version before it were changed, by item, and
    `overrides` why gates may be passed, by gate.

    Raises `RefusedError` where items lack approvals and `unreviewed` is not asked for, or a gate refuses; `UsageError`
    for a version or a day that is none, or that does not say what changed.
    """
    if version is not None and not layout.VERSION.fullmatch(version):
        raise UsageError(f"version {version!r}: expected three numbers such as 1.0.0")
    if not project.store.exists():
        raise UsageError(f"{project.root} has no items yet; run `benchwright build` first")
    asked, (sign, secret) = _day(day), _prepared(handover or Handover())
    with Store.open(project.store, seed=project.config.seed) as store:
        items = accepted(store, sources.current(project, store))
        if not items:
            raise RefusedError(f"{project.root} has no accepted item; a release needs some")
        drawn = _drawn(project, store, items)
        items = [one for one in items if drawn.get(one.slot.source_id) != TRAIN]
        reviewed = _reviewed(project, store, items, unreviewed=unreviewed)
        writable(project.releases)
        content = replace(content_of(project, store, items, reviewed=reviewed), splits=_by_split(drawn))
        slots = {one.item.item_id: one.slot for one in items}
        passed = gate(project, store, slots, content, overrides or {})
        content = replace(content, overrides=passed.overrides)
        succession = succeed(content, project.releases, version, reasons or {})
        number = succession.content.version
        stamps = [event.payload["date"] for event in store.events("freeze") if event.payload["version"] == number]
        stamped = asked or (stamps[-1] if stamps else datetime.now(UTC).date().isoformat())
        content = replace(succession.content, date=stamped, answers=(handover or Handover()).answers)
        folder = write(content, project.releases / f"{content.title}-{number}", sign=sign, secret=secret)
        asyncio.run(_stamp(store, number, stamped, len(stamps), drawn))
    return Frozen(folder, len(items), reviewed, stamped, succession, passed.warnings)


def _prepared(handover: Handover) -> tuple[Sign | None, bytes]:
    """What signs, and the passphrase, both tried before anything is written. Raises `UsageError`."""
    if (handover.answers == "encrypted") != (handover.key is not None):
        raise UsageError("encrypted answers need a key, and no others do; say `--answers encrypted --key FILE`")
    secret = passphrase(handover.key) if handover.key else b""
    if secret:
        lock(b"", secret, "")
    return signer(handover.sign) if handover.sign else None, secret


def _reviewed(project: Project, store: Store, items: Sequence[Accepted], *, unreviewed: bool) -> bool:
    """Whether people have approved every item. Raises `RefusedError` where not, unless `unreviewed` allows it."""
    waiting = list(unapproved(store, items, project.config.review.approvals))
    if waiting and not unreviewed:
        raise RefusedError(
            f"{len(waiting)} of {len(items)} items lack approvals; `--unreviewed` freezes them as such",
            tuple(waiting),
        )
    return not waiting


def accepted(store: Store, current: Collection[str]) -> list[Accepted]:
    """Accepted items of the sources in `current`, by id."""
    slots = {slot.slot_id: slot for _, slot in store.all(Slot) if slot.source_id in current}
    last = decisions(store)
    chosen = [slots[name] for name, event in last.items() if event.kind == "accepted" and name in slots]
    found = [_accepted(store, slot) for slot in chosen]
    return sorted(found, key=lambda one: one.item.item_id)


def unapproved(store: Store, items: Sequence[Accepted], needed: int) -> Iterator[str]:
    """A line for each item that people have not approved as it stands now."""
    standing = facts(store, {one.slot.source_id for one in items})
    verdicts = outcomes(store, standing, needed).verdicts
    for one in items:
        found = verdicts[one.slot.slot_id]
        if found.state != "approved":
            yield f"{one.item.item_id}: {found.words()}"


def _accepted(store: Store, slot: Slot) -> Accepted:
    def need(record: type[R]) -> R:
        found = store.latest(record, slot.slot_id)
        if found is None:
            raise LookupError(f"{slot.slot_id}: accepted without {record.__name__}")
        return found

    item, label = need(Item), store.latest(Adjudication, slot.slot_id)
    proof = need(Adjudication).proof if item.recipe else label.proof if label else ""
    return Accepted(slot, item, need(Reference), need(Clip), need(Trace), proof)


def content_of(project: Project, store: Store, items: Sequence[Accepted], *, reviewed: bool) -> ReleaseContent:
    """All but version and date."""
    films = {one.clip.video.source_id for one in items if one.clip.video}
    used = {one.slot.source_id for one in items} | films
    footage = sources.footage_of(store)
    ids = {one.item.item_id for one in items}
    origins = [source for name, source in sorted(sources.sources_of(store).items()) if name in used]
    clips = {one.clip.ref.media: one.clip for one in items}
    return ReleaseContent(
        name=project.config.name,
        version="",
        date="",
        license=" AND ".join(sorted({source.license for source in origins if source.license})),
        reviewed=reviewed,
        sources=[_facts(project, source, footage.get(source.source_id)) for source in origins],
        clips=lambda: (clips[media] for media in sorted(clips)),
        items=lambda: (model_input(one.item) for one in items),
        keys=lambda: (key_row(one) for one in items),
        traces=lambda: (_trace(one) for one in items),
        heads={item: head for item, head in heads(store).items() if item in ids},
        leaks=lexicon.anonymizer(project, store).leaks,
        permutation_seed=project.config.seed,
        resampler_id=RESAMPLER_ID,
        tool_version=installed("benchwright"),
        prompts={prompt: sha256 for sha256, (prompt, _) in store.templates().items()},
        policies=_policies(project.config),
        yields=_yields(store),
    )


def _facts(project: Project, source: Source, footage: Footage | None) -> SourceFacts:
    known = {name: getattr(source, name) for name in SourceFacts.model_fields if name in Source.model_fields}
    url = next((entry.url for entry in project.config.sources if entry.path == source.path), None)
    size = sources.located(project, source.path).stat().st_size if url else None
    return SourceFacts(**known, duration=footage.duration if footage else None, url=url, size=size)


def model_input(item: Item) -> ModelInput:
    """What a release gives to the answering side."""
    shown = {name: getattr(item, name) for name in ModelInput.model_fields if name != "id"}
    return ModelInput(id=item.item_id, **shown)


def key_row(one: Accepted) -> KeyRow:
    """An item's line of the answer key."""
    known = {name: getattr(one.reference, name) for name in KeyRow.model_fields if name != "id"}
    return KeyRow(id=one.item.item_id, **known)


def _trace(one: Accepted) -> TraceRow:
    item = one.item
    return TraceRow(id=item.item_id, recipe=item.recipe, trace=one.trace, proof=one.proof, rationale=item.rationale)


def _policies(config: Config) -> dict[str, str]:
    """`rules`, or the model, of each role; labels are always re-derived by rule."""
    played = {role: config.role(role) for role in get_args(RoleName)}
    return {"adjudicator": "rules"} | {role: policy.model or policy.policy for role, policy in played.items()}


def _yields(store: Store) -> dict[str, int]:
    """What became of the slots: `accepted`, `surplus`, and `discarded/<code>`."""
    counts = Counter(
        event.kind if event.kind != "discarded" else f"discarded/{event.payload['code']}"
        for event in decisions(store).values()
    )
    return dict(sorted(counts.items()))


def _day(day: str | None) -> str | None:
    if day is None:
        return None
    try:
        return date.fromisoformat(day).isoformat()
    except ValueError:
        raise UsageError(f"date {day!r}: expected YYYY-MM-DD") from None


def _drawn(project: Project, store: Store, items: Sequence[Accepted]) -> dict[str, str]:
    """The split of every source; none where none are asked for and none were before."""
    kept = dict(published_splits(project))
    for event in store.events("freeze"):
        kept |= event.payload.get("splits", {})
    shares: dict[str, float] = {str(name): share for name, share in project.config.splits.items()}
    if not shares and not kept:
        return {}
    shown = [of(one.slot, one.clip) for one in items]
    hashes = {name: source.sha256 for name, source in sources.sources_of(store).items()}
    return assign(shown, kin(shown, hashes), shares, project.config.seed, kept)


def published_splits(project: Project) -> Iterator[tuple[str, str]]:
    """Sources and splits of the releases that are there: one may have been written by a freeze that was killed before
    it wrote that down."""
    for file in sorted(project.releases.glob(f"{project.config.name}-*/{layout.MANIFEST}")):
        with suppress(InputError):
            for split, names in read_record(file, Manifest).splits.items():
                yield from ((name, split) for name in names)


def _by_split(drawn: Mapping[str, str]) -> dict[str, list[str]]:
    """The sources of each split of a release; none where everything is for testing."""
    found: dict[str, list[str]] = {}
    for name, split in drawn.items():
        if split != TRAIN:
            found.setdefault(split, []).append(name)
    return found if len(found) > 1 else {}


async def _stamp(store: Store, version: str, day: str, times: int, drawn: Mapping[str, str]) -> None:
    """Write down that a version was frozen, so that freezing it once more gives the same date and splits."""
    payload: dict[str, Any] = {"version": version, "date": day}
    event = StoreEvent("freeze", payload | ({"splits": dict(drawn)} if drawn else {}))
    await store.put(NodeKey(f"release/{version}", "freeze", times), event=event)
