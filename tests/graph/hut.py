"""A small project that builds in seconds, and all that a build of it must give again, byte for byte.

The story is `story.yaml`: twelve decisions of five choices each, each answered two scenes later by another's act.
Its second line is a number: another one draws other plays, and so other items.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml
from benchwright.graph.context import Run
from benchwright.project import folder, progress
from benchwright.project.folder import Project
from benchwright.project.freeze import freeze
from benchwright.project.ingest import ingest
from benchwright.project.ready import ready
from benchwright.schemas.base import canonical, digest, shown_order
from benchwright.schemas.item import Item, Slot
from benchwright.state.ledger import StoreLedger
from benchwright.state.log import chains, check
from benchwright.state.store import Store
from benchwright.state.tables import RECORDS

STORY = Path(__file__).parent / "story.yaml"
SEED = 7
VERSION, DAY = "1.0.0", "2031-01-02"
SCRIPT = "answers.yaml"
TARGETS = {"counterfactual_reasoning": 5, "behavior_prediction": 5}
FEW = {"counterfactual_reasoning": 3, "behavior_prediction": 3}
WRONG = "wrong"
MODEL = {"answer": {"policy": "llm", "model": f"scripted/{SCRIPT}"}}


def hut(place: Path, *, script: Mapping[str, Any] | None = None, **settings: Any) -> Project:
    """A project with the story ingested. With a script, a model that speaks by it plays the Answer agent."""
    project = folder.init(place)
    if script is not None:
        (place / SCRIPT).write_text(yaml.safe_dump(dict(script)), encoding="utf-8")
        settings = {"roles": MODEL} | settings
    config = {"version": 1, "name": "hut", "seed": SEED, "targets": TARGETS, "foils_within": 2} | settings
    project.file.path.write_text(yaml.safe_dump(config), encoding="utf-8")
    (place / STORY.name).write_bytes(STORY.read_bytes())
    ingest(folder.find(place), [place / STORY.name])
    return folder.find(place)


@contextmanager
def running(project: Project) -> Iterator[Run]:
    """What `build` gives the state machine, for tests that put an agent of their own in the place of one."""
    with ready(project, progress.quiet) as prepared:
        yield prepared.run


def letter(place: int) -> str:
    return f'{{"status": "answered", "answer": "{"ABCDEF"[place]}"}}'


Moods = Mapping[int, Mapping[int, str]]


def answers(built: Project, moods: Moods, slow: int | None = None) -> dict[str, Any]:
    """A script of the Answer agent that knows the keys of a project built by rules.

    `moods` says, by the place of an accepted item and by sample, what is replied in place of the letter of the key;
    WRONG stands for another letter. Every call takes its own time, up to 50 ms, and those about the item at the place
    `slow` half a second.
    """
    rules = []
    for place, item in enumerate(accepted(built)):
        for sample in range(9):
            order = shown_order(SEED, f"{item.item_id}/{sample % 3}", [option.id for option in item.options])
            right = order.index(item.answer[0])
            said = (moods).get(place, {}).get(sample, letter(right))
            said = letter((right + 1) % len(order)) if said == WRONG else said
            late = 0.5 if place == slow else int(digest(slow or 0, item.item_id, sample), 16) % 50 / 1000
            rules.append(
                {"prompt_id": "answer", "contains": item.question, "sample": sample, "reply": said, "latency": late}
            )
    return {"benchwright_script": 1, "rules": rules}


def accepted(project: Project) -> list[Item]:
    """Accepted items in the order of their slots' numbers."""
    with Store.open(project.store) as store:
        slots = {slot.slot_id: slot.number for _, slot in store.all(Slot)}
        ids = sorted((event.key.slot_id for event in store.events("accepted")), key=slots.__getitem__)
        return [item for item in (store.latest(Item, slot_id) for slot_id in ids) if item is not None]


def rows(project: Project) -> dict[str, Any]:
    """Every record, event, log chain, template and settled call of a store; nothing that depends on time."""
    with Store.open(project.store) as store:
        assert check(store) is None
        found: dict[str, Any] = {
            record.__name__: [(key, canonical(one)) for key, one in store.all(record)] for record in RECORDS
        }
        found["log"] = {item: [(link.values, link.head) for link in links] for item, links in chains(store)}
        found["events"] = sorted(
            (event.key, event.kind, canonical(event.payload)) for event in store.events() if event.kind != "freeze"
        )
        found["templates"] = store.templates()
        calls = [row for row in StoreLedger(store).calls() if row.status == "settled" and not row.cached]
        found["calls"] = [(row.request_sha256, row.sample, row.reply) for row in calls]
        return found


def unknown(project: Project) -> int:
    """How many calls the ledger holds whose fate nobody knows."""
    with Store.open(project.store) as store:
        return StoreLedger(store).spent().unknown


def frozen(project: Project) -> dict[str, bytes]:
    """The files of a release of the project, by path."""
    return files(freeze(project, VERSION, unreviewed=True, day=DAY).folder)


def files(release: Path) -> dict[str, bytes]:
    return {path.relative_to(release).as_posix(): path.read_bytes() for path in release.rglob("*") if path.is_file()}


def assert_same(one: Mapping[str, Any], other: Mapping[str, Any]) -> None:
    """Names what differs: a failure that printed two stores whole would help nobody."""
    if differing := sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name)):
        raise AssertionError(f"these differ: {', '.join(differing)}")
