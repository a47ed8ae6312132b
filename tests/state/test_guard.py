"""Attacks on the guard: each kind of statement, by each role for which something is secret, and the whole matrix."""

import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from benchwright.errors import IsolationError
from benchwright.schemas.view import ROLES, Role
from benchwright.state.guard import Guard, GuardedConnection
from benchwright.state.store import Store
from benchwright.state.tables import BOOKS, KEY, RECORD_TABLES, table_of, tables_of
from sqlmodel import select

YES, NO = True, False
MATRIX: dict[Role, tuple[bool, bool, bool, bool]] = {
    "director": (YES, NO, YES, NO),
    "tracker": (YES, NO, YES, NO),
    "generator": (YES, YES, YES, NO),
    "question": (YES, NO, NO, NO),
    "answer": (YES, NO, NO, NO),
    "adjudicator": (YES, NO, YES, NO),
    "critic": (YES, YES, YES, NO),
    "blind": (YES, NO, NO, NO),
    "model": (YES, NO, NO, NO),
    "expert": (YES, YES, YES, YES),
    "judge": (YES, NO, NO, YES),
    "rubric_judge": (YES, NO, NO, NO),
    "auditor": (YES, YES, YES, YES),
}
"""public, proposal, backend, reference: the table of the specification (ISOLATION 2), by hand."""
LISTED: dict[str, set[str]] = {
    "draft_backend": {"question", "frame", "options", "wording"},
    "feedback_proposal": {"code", "message"},
    "candidate_proposal": {"question", "format", "options", "answer", "traps", "cues", "rationale"},
    "cues_backend": {"cues"},
}
"""What the question role reads beyond its classes: wording, and what it proposed itself."""

TARGETS: dict[str, list[tuple[str, str]]] = {
    "proposal": [("item_proposal", "answer"), ("draft_proposal", "traps"), ("adjudication_proposal", "proof")],
    "backend": [("item_backend", "recipe"), ("draft_backend", "others"), ("source_backend", "path")],
    "reference": [("reference_reference", "answer"), ("reference_reference", "answer_text")],
}
CLASSES = ("public", "proposal", "backend", "reference")

SELECTS: dict[str, str] = {
    "column": "SELECT {c} FROM {t}",
    "star": "SELECT * FROM {t}",
    "table star": "SELECT s.* FROM item_public p, {t} s",
    "alias": "SELECT s.{c} AS question FROM {t} AS s",
    "upper case": "SELECT {C} FROM {T}",
    "quoted": 'SELECT "{c}" FROM main."{t}"',
    "content hash": "SELECT content_hash FROM {t}",
    "inner join": "SELECT p.question FROM item_public p JOIN {t} s ON p.run = s.run AND s.{c} IS NOT NULL",
    "left join": "SELECT p.question, s.{c} FROM item_public p LEFT JOIN {t} s ON p.slot_id = s.slot_id",
    "left join of nothing": "SELECT p.question FROM item_public p LEFT JOIN {t} s ON 1",
    "full join": "SELECT s.{c} FROM (SELECT 0 AS v) FULL JOIN {t} s ON s.{c} = v",
    "cross join": "SELECT s.{c} FROM item_public, {t} s",
    "cte": "WITH s AS (SELECT {c} AS v FROM {t}) SELECT v FROM s",
    "cte with columns": "WITH s(v) AS (SELECT {c} FROM {t}) SELECT question, (SELECT v FROM s) FROM item_public",
    "scalar subquery": "SELECT (SELECT {c} FROM {t} LIMIT 1) FROM item_public",
    "correlated subquery": "SELECT (SELECT s.{c} FROM {t} s WHERE s.round = p.round LIMIT 1) FROM item_public p",
    "derived table": "SELECT v FROM (SELECT {c} AS v FROM {t})",
    "in": "SELECT question FROM item_public WHERE 'x' NOT IN (SELECT {c} FROM {t})",
    "in table": "SELECT question FROM item_public WHERE ({ones}) NOT IN {t}",
    "exists": "SELECT question FROM item_public WHERE EXISTS (SELECT 1 FROM {t} WHERE {c} <> 'x')",
    "bare exists": "SELECT EXISTS (SELECT 1 FROM {t})",
    "order by oracle": "SELECT slot_id FROM {t} ORDER BY {c}",
    "order by another table": "SELECT question FROM item_public p ORDER BY (SELECT {c} FROM {t} s WHERE s.run = p.run)",
    "collation": "SELECT slot_id FROM {t} ORDER BY {c} COLLATE NOCASE DESC",
    "where oracle": "SELECT slot_id FROM {t} WHERE {c} > ''",
    "like oracle": "SELECT slot_id FROM {t} WHERE {c} LIKE '%'",
    "case oracle": "SELECT CASE WHEN {c} > 'm' THEN 1 ELSE 0 END FROM {t}",
    "is null oracle": "SELECT {c} IS NULL FROM {t}",
    "limit oracle": "SELECT slot_id FROM item_public LIMIT (SELECT length({c}) FROM {t} LIMIT 1)",
    "group by": "SELECT count(*) FROM {t} GROUP BY {c}",
    "having": "SELECT slot_id FROM {t} GROUP BY slot_id HAVING max({c}) > ''",
    "distinct": "SELECT DISTINCT {c} FROM {t}",
    "aggregate": "SELECT max({c}), min({c}) FROM {t}",
    "group_concat": "SELECT group_concat({c}, '') FROM {t}",
    "count of rows": "SELECT count(*) FROM {t}",
    "count of values": "SELECT count(DISTINCT {c}) FROM {t}",
    "filter": "SELECT count(*) FILTER (WHERE {c} > '') FROM {t}",
    "union": "SELECT question FROM item_public UNION SELECT {c} FROM {t}",
    "union all": "SELECT {c} FROM {t} UNION ALL SELECT question FROM item_public",
    "except": "SELECT question FROM item_public EXCEPT SELECT {c} FROM {t}",
    "window": "SELECT row_number() OVER (ORDER BY {c}) FROM {t}",
    "window partition": "SELECT count(*) OVER (PARTITION BY {c}) FROM {t}",
    "typeof": "SELECT typeof({c}) FROM {t}",
    "length": "SELECT length({c}) FROM {t}",
    "substr": "SELECT substr({c}, 1, 1), hex({c}), instr({c}, 'o') FROM {t}",
    "json_extract": "SELECT json_extract('[' || length({c}) || ']', '$[0]') FROM {t}",
    "values": "VALUES ((SELECT {c} FROM {t} LIMIT 1))",
    "explain": "EXPLAIN SELECT {c} FROM {t}",
    "query plan": "EXPLAIN QUERY PLAN SELECT {c} FROM {t}",
}
"""Statements that the auditor may run."""

OTHERS: dict[str, str] = {
    "natural join": "SELECT question FROM item_public NATURAL JOIN {t}",
    "natural join of a guess": "SELECT 'right' FROM (SELECT 'guess' AS {c}) NATURAL JOIN {t}",
    "natural join after a parameter": "SELECT question FROM item_public JOIN (SELECT 1) ON ?1natural join {t}",
    "using a guess": "SELECT 'right' FROM (SELECT 'guess' AS {c}) JOIN {t} USING ({c})",
    "full join using": "SELECT {c} FROM (SELECT 0 AS {c}) FULL JOIN {t} USING ({c})",
    "right join using": "SELECT {c} FROM (SELECT 0 AS {c}) RIGHT JOIN {t} USING ({c})",
    "star of a join using": "SELECT * FROM (SELECT 0 AS {c}) FULL JOIN {t} USING ({c})",
    "rowid": "SELECT rowid FROM {t}",
    "recursive cte": "WITH RECURSIVE s(v) AS (SELECT {c} FROM {t} UNION SELECT v FROM s) SELECT v FROM s",
    "stored view": "SELECT v FROM planted_{t}_{c}",
    "stored view over public": "SELECT q FROM sneaked_public",
    "create view": "CREATE VIEW leak AS SELECT {c} FROM {t}",
    "create temp view": "CREATE TEMP VIEW leak AS SELECT {c} FROM {t}",
    "create trigger": "CREATE TRIGGER leak AFTER INSERT ON item_public BEGIN SELECT {c} FROM {t}; END",
    "create temp trigger": "CREATE TEMP TRIGGER leak AFTER INSERT ON item_public BEGIN SELECT {c} FROM {t}; END",
    "create table": "CREATE TABLE leak AS SELECT {c} FROM {t}",
    "create temp table": "CREATE TEMP TABLE leak AS SELECT {c} FROM {t}",
    "create index": "CREATE INDEX leak ON {t} ({c})",
    "create virtual table": "CREATE VIRTUAL TABLE leak USING fts5(x)",
    "drop table": "DROP TABLE planted",
    "alter table": "ALTER TABLE {t} RENAME COLUMN {c} TO question",
    "insert": "INSERT INTO planted SELECT {c} FROM {t}",
    "update": "UPDATE planted SET x = (SELECT {c} FROM {t} LIMIT 1)",
    "update returning": "UPDATE planted SET x = 1 RETURNING (SELECT {c} FROM {t} LIMIT 1)",
    "delete": "DELETE FROM planted WHERE x = (SELECT {c} FROM {t} LIMIT 1)",
    "replace": "REPLACE INTO planted SELECT {c} FROM {t}",
    "attach": "ATTACH ':memory:' AS other",
    "vacuum into": "VACUUM INTO '{file}'",
    "pragma": "PRAGMA table_info({t})",
    "pragma that writes": "PRAGMA writable_schema = ON",
    "pragma as a table": "SELECT name FROM pragma_table_info('{t}')",
    "sqlite_master": "SELECT sql FROM sqlite_master",
    "sqlite_schema": "SELECT count(*) FROM sqlite_schema",
    "temp schema": "SELECT name FROM sqlite_temp_master",
    "json_each": "SELECT value FROM json_each((SELECT json_array({c}) FROM {t} LIMIT 1))",
    "json_tree": "SELECT j.value FROM {t}, json_tree(json_array({c})) j",
    "begin": "BEGIN",
    "savepoint": "SAVEPOINT s",
    "analyze": "ANALYZE",
    "reindex": "REINDEX",
    "function": "SELECT randomblob(8)",
}
"""Statements that nobody may run through a guard; an open connection may."""

if sqlite3.sqlite_version_info < (3, 39):
    for statements in (SELECTS, OTHERS):
        for kind in [
            kind for kind, statement in statements.items() if "FULL JOIN" in statement or "RIGHT JOIN" in statement
        ]:
            del statements[kind]

PARAMETERS = (1,)
DENIED = "prohibited|not authorized|authorization denied|vtable constructor failed"


def secrets(role: Role) -> list[tuple[str, str]]:
    """The targets that a role may not read, by the table above."""
    return [target for name, may in zip(CLASSES, MATRIX[role], strict=True) if not may for target in TARGETS[name]]


def sql(template: str, target: tuple[str, str], file: Path = Path("/nowhere/copy.sqlite")) -> str:
    table, column = target
    ones = ", ".join("1" for part in RECORD_TABLES if part.table.name == table for _ in part.table.c)
    return template.format(t=table, c=column, T=table.upper(), C=column.upper(), file=file, ones=ones)


GUILTY = [role for role in ROLES if secrets(role)]
EVERY_TARGET = [target for targets in TARGETS.values() for target in targets]


@pytest.fixture(scope="module")
def bare(filled: Store, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy without triggers, with things planted in it that an attacker might hope to find."""
    path = tmp_path_factory.mktemp("bare") / "store.sqlite"
    copy, original = sqlite3.connect(path), sqlite3.connect(filled.path)
    original.backup(copy)
    for (name,) in copy.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        copy.execute(f"DROP TRIGGER {name}")
    copy.execute("CREATE TABLE planted (x)")
    copy.execute("CREATE VIEW sneaked_public AS SELECT question AS q FROM item_public")
    for table, column in EVERY_TARGET:
        copy.execute(f"CREATE VIEW planted_{table}_{column} AS SELECT {column} AS v FROM {table}")
    copy.execute("PRAGMA journal_mode = DELETE")
    copy.close()
    original.close()
    return path


@pytest.fixture(scope="module")
def guards(bare: Path) -> Iterator[dict[Role, Guard]]:
    opened = {role: Guard(bare, role) for role in ROLES}
    yield opened
    for guard in opened.values():
        guard.close()


def connection_of(guard: Guard) -> sqlite3.Connection:
    connection: Any = guard.session.connection().connection.dbapi_connection
    assert isinstance(connection, GuardedConnection)
    return connection


def run(guard: Guard, statement: str) -> list[Any]:
    return connection_of(guard).execute(statement, PARAMETERS if "?" in statement else ()).fetchall()


def test_something_is_secret_from_all_but_two():
    assert set(ROLES) - set(GUILTY) == {"expert", "auditor"}
    assert len(GUILTY) * len(SELECTS | OTHERS) > 33


@pytest.mark.parametrize("kind", [*SELECTS, *OTHERS])
@pytest.mark.parametrize("role", GUILTY)
def test_attack_is_denied(guards: dict[Role, Guard], role: Role, kind: str):
    for target in secrets(role):
        with pytest.raises(sqlite3.DatabaseError, match=DENIED):
            run(guards[role], sql((SELECTS | OTHERS)[kind], target))


@pytest.mark.parametrize("kind", SELECTS)
def test_the_same_select_works_for_the_auditor(guards: dict[Role, Guard], kind: str):
    for target in EVERY_TARGET:
        assert run(guards["auditor"], sql(SELECTS[kind], target))


@pytest.mark.parametrize("kind", OTHERS)
def test_the_same_statement_works_without_a_guard(bare: Path, kind: str, tmp_path: Path):
    connection = sqlite3.connect(shutil.copy(bare, tmp_path), isolation_level=None)
    values = PARAMETERS if "?" in OTHERS[kind] else ()
    connection.execute(sql(OTHERS[kind], TARGETS["proposal"][0], tmp_path / "copy.sqlite"), values).fetchall()
    connection.close()


@pytest.mark.parametrize("kind", OTHERS)
def test_not_even_the_auditor_leaves_the_allow_list(guards: dict[Role, Guard], kind: str):
    with pytest.raises(sqlite3.DatabaseError, match=DENIED):
        run(guards["auditor"], sql(OTHERS[kind], TARGETS["proposal"][0]))


def test_load_extension_is_denied(guards: dict[Role, Guard]):
    for role in ROLES:
        with pytest.raises(sqlite3.DatabaseError, match="not authorized to use function: load_extension"):
            run(guards[role], "SELECT load_extension('x')")


@pytest.mark.parametrize(
    "door",
    [
        lambda connection: connection.blobopen("item_proposal", "answer", 1, readonly=True),
        lambda connection: connection.backup(sqlite3.connect(":memory:")),
        lambda connection: connection.serialize(),
        lambda connection: connection.iterdump(),
        lambda connection: connection.set_authorizer(None),
        lambda connection: connection.enable_load_extension(True),
    ],
    ids=["blobopen", "backup", "serialize", "iterdump", "set_authorizer", "enable_load_extension"],
)
def test_doors_beside_sql_are_shut(guards: dict[Role, Guard], door: Any):
    for role in ROLES:
        with pytest.raises(sqlite3.DatabaseError, match="not authorized on a guarded connection"):
            door(connection_of(guards[role]))


@pytest.mark.parametrize("role", ROLES)
def test_permission_matrix(guards: dict[Role, Guard], role: Role):
    classes = {name for name, may in zip(CLASSES, MATRIX[role], strict=True) if may}
    for part in RECORD_TABLES:
        name = part.table.name
        listed = LISTED.get(name, set()) if role == "question" else set()
        own = set(part.table.columns.keys()) if part.field_class in classes else listed
        allowed = own | set(KEY) if own else set()
        found = {column for column in part.table.columns.keys() if may_read(guards[role], name, column)}  # noqa: SIM118
        assert found == allowed, name


def may_read(guard: Guard, table: str, column: str) -> bool:
    try:
        run(guard, f'SELECT "{column}" FROM "{table}"')
    except sqlite3.DatabaseError:
        return False
    return True


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.__name__)
def test_books_are_for_the_auditor(guards: dict[Role, Guard], book: Any):
    table = table_of(book)
    assert [role for role in ROLES if may_read(guards[role], table.name, next(iter(table.c.keys())))] == ["auditor"]


@pytest.mark.parametrize("role", GUILTY)
def test_select_of_a_whole_model_fails(guards: dict[Role, Guard], role: Role):
    secret = {table for table, _ in secrets(role)}
    models = [part.model for part in RECORD_TABLES if part.table.name in secret]
    for model in models:
        with pytest.raises(IsolationError, match=f"role {role}: access to .* is prohibited"):
            guards[role].rows(select(model))
        assert guards["auditor"].rows(select(model))


@pytest.mark.parametrize("role", GUILTY)
def test_sessions_are_not_swapped(bare: Path, role: Role):
    """What the auditor's session holds in its identity map needs no SQL, so no authorizer would see it."""
    table, _ = secrets(role)[0]
    model: Any = next(part.model for part in RECORD_TABLES if part.table.name == table)
    auditor, guard = Guard(bare, "auditor"), Guard(bare, role)
    held = auditor.session.exec(select(model)).first()
    assert held is not None
    with pytest.raises(IsolationError, match="cannot be bound"):
        auditor.session.bind = guard.session.get_bind()
    with pytest.raises(IsolationError, match="cannot be bound"):
        guard.session.bind = auditor.session.get_bind()
    key = tuple(getattr(held, name) for name in KEY)
    with pytest.raises(Exception, match="prohibited"):
        guard.session.get(model, key, bind_arguments={"bind": auditor.session.get_bind()})
    assert auditor.session.get(model, key) is held
    auditor.close()
    guard.close()


def test_a_guard_can_read_what_it_may(guards: dict[Role, Guard]):
    (part, *_) = tables_of(RECORD_TABLES[0].record)
    for role in ROLES:
        assert run(guards[role], f"SELECT source_id FROM {part.table.name}")
        assert run(guards[role], "SELECT question, length(question) FROM item_public ORDER BY question")
