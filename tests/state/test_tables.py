"""Every field of every stored record stands in just the table of its class, in a column that a reader understands."""

import pytest
import sqlalchemy as sa
from benchwright.schemas.base import Record, class_of, content_hash, fields_of
from benchwright.schemas.item import Draft, Item, Slot
from benchwright.schemas.view import Verdict
from benchwright.state.tables import KEY, RECORD_TABLES, RECORDS, CanonicalJson, NodeKey, encode, tables_of

KEYED = {(Slot, "slot_id")}
"""Fields that are a key column themselves."""


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.__name__)
def test_each_field_stands_in_the_table_of_its_class(record: type[Record]):
    for field in record.model_fields:
        found = [part.field_class for part in tables_of(record) if field in part.fields]
        assert found == ([] if (record, field) in KEYED else [class_of(record, field)])


@pytest.mark.parametrize("part", RECORD_TABLES, ids=lambda part: part.table.name)
def test_columns_are_key_fields_and_hash(part):
    assert tuple(part.table.c.keys()) == (*KEY, *part.fields, "content_hash")
    assert tuple(part.table.primary_key.columns.keys()) == KEY
    assert part.table.name.endswith(f"_{part.field_class}")


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.__name__)
def test_null_can_only_mean_none_or_absent(record: type[Record]):
    """An optional field with another default than None could not be told from one that a row is older than."""
    for name, field in record.model_fields.items():
        optional = type(None) in getattr(field.annotation, "__args__", ())
        assert field.alias is None
        assert not optional or field.is_required() or field.default is None, name


@pytest.mark.parametrize(
    ("table", "column", "kind"),
    [
        ("verdict_proposal", "cue_support", sa.Boolean),
        ("verdict_proposal", "decision", sa.Text),
        ("slot_backend", "number", sa.BigInteger),
        ("plan_backend", "protagonist", sa.Text),
        ("draft_backend", "window", CanonicalJson),
        ("item_public", "options", CanonicalJson),
        ("slot_public", "coordinate", CanonicalJson),
    ],
)
def test_scalars_are_columns_and_the_rest_is_json(table: str, column: str, kind: type):
    found = next(part.table for part in RECORD_TABLES if part.table.name == table)
    assert isinstance(found.c[column].type, kind)


def test_the_hash_of_a_row_covers_its_own_class_only(samples):
    """A hash of the whole item beside its public part could be opened by trying six keys."""
    slot = "s/counterfactual/conflict/1"
    rows = {mark: samples.slot(slot, mark=mark) for mark in ("", " other")}
    found = {}
    for mark, stored in rows.items():
        item = next(record for _, records in stored for record in records if isinstance(record, Item))
        inserts = encode(NodeKey(slot, "x", 0), item).inserts
        found[mark] = {row.table.name: row.values["content_hash"] for row in inserts}
        public = item.model_dump(mode="json", include=set(fields_of(Item, {"public"})))
        assert found[mark]["item_public"] == content_hash(public)
    assert found[""]["item_public"] == found[" other"]["item_public"]
    assert found[""]["item_proposal"] != found[" other"]["item_proposal"]


def test_a_slot_stands_under_its_own_id_only(samples):
    ((key, (slot,)), *_) = samples.slot("s/counterfactual/conflict/1")
    assert encode(key, slot).record == slot
    with pytest.raises(ValueError, match="cannot stand under 'elsewhere'"):
        encode(key._replace(slot_id="elsewhere"), slot)


def test_tables_of_what_is_not_kept():
    class Stray(Record):
        text: str

    with pytest.raises(TypeError, match="keeps no Stray"):
        tables_of(Stray)


def test_partly_public_records_have_several_tables():
    assert [part.table.name for part in tables_of(Item)] == ["item_public", "item_proposal", "item_backend"]
    assert [part.table.name for part in tables_of(Draft)] == ["draft_proposal", "draft_backend"]
    assert [part.table.name for part in tables_of(Verdict)] == ["verdict_proposal"]
