"""The frozen migrations and the tables say the same."""

from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from peewee import IntegrityError, SqliteDatabase
from playhouse.migrations import Runner

from memdeck.db import derived, rows, schema, tables
from memdeck.db.connection import MIGRATIONS
from memdeck.db.home import Home
from memdeck.db.images import EXTRA, JSON_COLUMNS, detail_tables
from memdeck.db.keepers import KEEPERS
from memdeck.db.migrations import LATEST
from memdeck.db.store import Store


def migrated(path):
    """A database that went through every step from nothing, as the oldest stores did."""
    database = SqliteDatabase(path)
    database.connect()
    with database.atomic("IMMEDIATE"):
        Runner(database, MIGRATIONS).up()
    return database


def columns_of(connection):
    """Each table's columns as SQLite tells them: place, name, kind, whether NULL, default, key."""
    tables_there = [
        name
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        if not name.startswith("memory_fts_")
    ]
    return {
        name: connection.execute(f'PRAGMA table_xinfo("{name}")').fetchall()
        for name in tables_there
    }


def indexes_of(connection):
    """Each table's indexes: name, whether unique and partial, and the columns in order."""
    listed = connection.execute(
        'SELECT m.name, i.name, i."unique", i.partial, c.seqno, c.name FROM sqlite_master m'
        " JOIN pragma_index_list(m.name) i JOIN pragma_index_info(i.name) c WHERE m.type = 'table'"
    )
    return sorted(listed.fetchall(), key=repr)


@pytest.fixture
def store(home_path):
    opened = Store(Home(home_path))
    yield opened
    opened.close()


def test_a_new_store_and_one_that_went_through_every_step_are_the_same(store, tmp_path):
    old = migrated(tmp_path / "old.db").connection()
    assert schema.definitions(store.connection) == schema.definitions(old)
    assert columns_of(store.connection) == columns_of(old)
    assert indexes_of(store.connection) == indexes_of(old)
    assert len(schema.definitions(old)) > 60
    assert schema.altered(old) == schema.altered(store.connection) == []


@pytest.mark.parametrize(
    "change",
    [
        "ALTER TABLE session ADD COLUMN mood TEXT",
        "DROP INDEX memory_pinned",
        "CREATE INDEX of_mine ON memory (title)",
        "DROP TABLE summary",
    ],
)
def test_a_schema_that_differs_is_named(store, change):
    store.connection.execute(change)
    assert schema.altered(store.connection)


def test_a_new_store_needs_no_step_of_an_older_version_later(store):
    steps = {path.stem for path in Path(MIGRATIONS).glob("[0-9]*.py")}
    assert set(Runner(store.database, MIGRATIONS).applied()) == steps


def test_the_version_is_the_number_of_the_last_migration(store):
    scripts = list(Path(MIGRATIONS).glob("[0-9]*.py"))
    assert max(int(path.name[:4]) for path in scripts) == LATEST
    assert store.database.pragma("user_version") == LATEST


def test_every_type_of_memory_has_a_table_of_its_own(store):
    assert set(detail_tables(store.connection)) - {EXTRA} == set(tables.DETAILS)


def test_json_columns_are_known_to_the_reader_that_does_without_models():
    declared = {
        name
        for model in derived.ALL
        for name, field in model._meta.fields.items()
        if isinstance(field, tables.JSONField)
    }
    assert declared == JSON_COLUMNS


def test_the_journal_carries_every_kind_of_row_it_answers_for():
    parts = {"memory_tag", "memory_file", EXTRA, *tables.DETAILS}
    assert {model._meta.table_name for model in tables.JOURNALED} - parts == set(KEEPERS)


INDEXED = {
    "episodic": ["timestamp"],
    "semantic": ["concept", "category"],
    "prospective": ["status", "priority", "due_at"],
    "procedural": ["procedure_name", "category", "usage_count", "success_rate"],
    "working": ["todo_id", "expires_at", "cleared_at"],
    "memory_link": ["source", "target"],
    "memory": ["session", "importance", "confidence"],
}


@pytest.mark.parametrize("table", INDEXED)
def test_the_indexes_of_000_16_are_there(store, table):
    found = [
        sql.replace('"', "")
        for (sql,) in store.connection.execute(
            "SELECT sql FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql NOT NULL",
            (table,),
        )
    ]
    for columns in INDEXED[table]:
        assert any(f"({columns})" in sql for sql in found), (table, columns)


LIMITS = [
    (
        "EpisodicRow",
        {"memory": 1, "timestamp": 1, "event_type": "error"},
        "emotional_valence",
        -2,
        2,
    ),
    ("ProspectiveRow", {"memory": 1, "intention_type": "todo"}, "priority", 1, 5),
    ("WorkingRow", {"memory": 1, "context_type": "state", "expires_at": 1}, "priority", 1, 5),
]


@pytest.mark.parametrize(("model", "row", "field", "low", "high"), LIMITS)
def test_ranges_hold_in_the_database_at_both_ends(store, model, row, field, low, high):
    table = getattr(tables, model, None) or tables.DETAILS[model.removesuffix("Row").lower()]
    for value in (low, high):
        table.insert({**row, field: value}).on_conflict_replace().execute(store.database)
    for value in (low - 1, high + 1):
        with pytest.raises(IntegrityError):
            table.insert({**row, field: value}).on_conflict_replace().execute(store.database)


def test_a_rate_outside_zero_to_one_is_refused(store):
    row = {"memory": 1, "procedure_name": "p", "category": "workflow"}
    for value in (0.0, 1.0):
        tables.DETAILS["procedural"].insert(
            {**row, "success_rate": value}
        ).on_conflict_replace().execute(store.database)
    with pytest.raises(IntegrityError):
        tables.DETAILS["procedural"].insert({**row, "memory": 2, "success_rate": 1.01}).execute(
            store.database
        )


BY_TABLE = {model._meta.table_name: model for model in derived.ALL}
STORED = {name: kind for name, kind in vars(rows).items() if name.startswith("Stored")}


@pytest.mark.parametrize("name", STORED)
def test_a_row_that_leaves_has_the_columns_of_its_model(name):
    kind = STORED[name]
    model = BY_TABLE[kind.__doc__.split("`")[1]]
    hints, fields = get_type_hints(kind), model._meta.fields
    assert list(hints) == list(fields)
    scalars = {"TEXT": str, "INT": int, "FLOAT": float, "BLOB": bytes}
    for column, field in fields.items():
        kinds = get_args(hints[column]) or (hints[column],)
        if not isinstance(field, tables.JSONField):
            assert (type(None) in kinds) == field.null, column
            assert scalars[field.field_type] in kinds, column
