"""Non-interference: whatever is secret in a store may change, and the answering side's view keeps every byte."""

import asyncio
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import count
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

import pytest
from benchwright.errors import BenchwrightError
from benchwright.schemas.base import Record, canonical, class_of
from benchwright.schemas.source import LexiconEntry
from benchwright.schemas.view import Feedback, QuestionView
from benchwright.state.store import NodeKey, Store
from benchwright.state.tables import KEY, RECORDS, lexicon_key, source_key
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

CAPABILITY = "counterfactual/conflict/1"
SCALARS: dict[Any, st.SearchStrategy[Any]] = {
    str: st.text(st.characters(codec="utf-8"), max_size=12),
    bool: st.booleans(),
    NoneType: st.none(),
}
PRINTED = ("Slot", "Source", "Clip", "Item")
"""Records with public fields; of all others a store may lack any."""


def values(kind: Any, bounds: Sequence[Any] = ()) -> st.SearchStrategy[Any]:
    """Values of a field's type, as JSON types: what its records take."""
    origin, arguments = get_origin(kind), get_args(kind)
    if kind in (int, float):
        least = max((getattr(bound, "ge", -100) for bound in bounds), default=-100)
        most = min((getattr(bound, "le", 100) for bound in bounds), default=100)
        return st.integers(least, most) if kind is int else st.floats(least, most)
    patterns = [bound.pattern for bound in bounds if getattr(bound, "pattern", None)]
    if kind is str and patterns:
        return st.from_regex(patterns[0], fullmatch=True)
    if kind in SCALARS:
        return SCALARS[kind]
    if origin is Literal:
        return st.sampled_from(arguments)
    if origin in (Union, UnionType):
        return st.one_of([values(argument) for argument in arguments])
    if origin is tuple:
        return st.lists(values(arguments[0]), min_size=1, max_size=3)
    if origin is dict:
        return st.dictionaries(values(str), values(arguments[1]), max_size=3)
    fields = {name: values(field.annotation, field.metadata) for name, field in kind.model_fields.items()}
    return st.fixed_dictionaries(fields).filter(partial(taken, kind))


def taken(kind: type[Record], fields: dict[str, Any]) -> bool:
    try:
        kind.model_validate(fields)
    except ValidationError:
        return False
    return True


def secrets(record: type[Record]) -> st.SearchStrategy[dict[str, Any]]:
    """New values for every field that is not public."""
    names = [name for name in record.model_fields if class_of(record, name) != "public" and name not in KEY]
    fields = record.model_fields
    return st.fixed_dictionaries({name: values(fields[name].annotation, fields[name].metadata) for name in names})


Secrets = dict[str, dict[str, Any]]
EVERY_SECRET = st.fixed_dictionaries({record.__name__: secrets(record) for record in RECORDS})
OPTIONAL = [record.__name__ for record in RECORDS if record.__name__ not in PRINTED]


def changed(record: Record, new: Secrets) -> Record:
    return type(record).model_validate(record.model_dump() | new[type(record).__name__])


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory, samples) -> Iterator[tuple[Store, Store]]:
    folder = tmp_path_factory.mktemp("stores")
    paths = (folder / "a.sqlite", folder / "b.sqlite")
    with Store.open(paths[0], seed=samples.seed) as one, Store.open(paths[1], seed=samples.seed) as other:
        yield one, other


numbers = count()


def fill(store: Store, samples: Any, number: int, new: Secrets | None, absent: set[str]) -> str:
    """One slot of two rounds, with its own source and one more name in the lexicon. Returns the slot's id."""
    source = f"s{number}"
    slot = f"{source}/{CAPABILITY}"
    rows = [*samples.slot(slot), *samples.slot(slot, 1), (source_key(source), samples.project()[0][1])]
    rows = [(key, tuple(point(record, source) for record in records)) for key, records in rows]
    if new is not None:
        rows = [(key, tuple(changed(record, new) for record in records)) for key, records in rows]
        entry = LexiconEntry.model_validate(new["LexiconEntry"] | {"number": number})
        rows.append((lexicon_key(1000 + number), (entry,)))
    rows = [(key, tuple(one for one in records if type(one).__name__ not in absent)) for key, records in rows]

    async def put() -> None:
        await asyncio.gather(*(store.put(key, *records) for key, records in rows))

    asyncio.run(put())
    return slot


def point(record: Record, source: str) -> Record:
    return record.model_copy(update={"source_id": source}) if "source_id" in type(record).model_fields else record


def shown(store: Store, slot: str) -> list[object]:
    """All that the answering side gets: bytes, and what the log and an error say."""
    seen = [store.see("answer", slot, round, run) for round in range(3) for run in range(3)]
    with pytest.raises(BenchwrightError) as error:
        store.view("answer", slot, -1)
    return [(canonical(one.view), one.version, one.fields) for one in seen] + [str(error.value)]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(new=EVERY_SECRET, absent=st.sets(st.sampled_from(OPTIONAL)))
def test_no_secret_moves_the_answer_view(stores: tuple[Store, Store], samples, new: Secrets, absent: set[str]):
    one, other = stores
    number = next(numbers)
    slot = fill(one, samples, number, None, set())
    assert fill(other, samples, number, new, absent) == slot
    assert shown(one, slot) == shown(other, slot)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(new=secrets(next(record for record in RECORDS if record.__name__ == "Draft")))
def test_no_label_moves_the_question_view(stores: tuple[Store, Store], samples, new: dict[str, Any]):
    """The question role reads wording; the key, the traps and the rationale of the draft may be anything."""
    one, other = stores
    number = next(numbers)
    label = {name: new[name] for name in ("answer", "traps", "rationale", "others", "window", "target")}
    unchanged: Secrets = {record.__name__: {} for record in RECORDS}
    fill(one, samples, number, None, set())
    slot = fill(other, samples, number, unchanged | {"Draft": label, "LexiconEntry": ENTRY}, set())
    views: list[QuestionView] = [store.view("question", slot, 1) for store in stores]
    assert canonical(views[0]) == canonical(views[1])


ENTRY = {"entity": {"names": ["Somebody"]}, "origin": "author"}


def test_the_comparison_would_see_a_leak(stores: tuple[Store, Store], samples):
    """The same change does move the views of the roles that may see it, and a public change moves the answer's."""
    one, other = stores
    number = next(numbers)
    unchanged: Secrets = {record.__name__: {} for record in RECORDS} | {"LexiconEntry": ENTRY}
    fill(one, samples, number, None, set())
    slot = fill(other, samples, number, unchanged | {"Item": {"answer": ["o3"], "background": "Changed."}}, set())
    for role in ("critic", "answer"):
        assert canonical(one.see(role, slot, 1).view) != canonical(other.see(role, slot, 1).view)
    asyncio.run(one.put(NodeKey(slot, "gates", 1), Feedback(code="leak", message="more")))
    assert one.view("question", slot, 1, 1).feedback.code == "leak"
