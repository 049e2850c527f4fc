"""The frozen migrations and the tables say the same."""

import re

import pytest
from peewee import IntegrityError, SchemaManager, SqliteDatabase

from memdeck.db import derived, tables
from memdeck.db.home import Home
from memdeck.db.images import JSON_COLUMNS, detail_tables
from memdeck.db.keepers import KEEPERS
from memdeck.db.migrations import LATEST
from memdeck.db.store import Store


def schema_of(connection):
    """Table and index definitions, spacing aside, by name."""
    found = connection.execute(
        "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'memory_fts%'"
        " AND name NOT IN ('schema_migration', 'schema_migration_name')"
        " AND tbl_name != 'schema_migration'"
    )
    return {name: re.sub(r"\s+|(?<=\()\s|\s(?=\))", "", sql) for name, sql in found}


@pytest.fixture
def store(home_path):
    opened = Store(Home(home_path))
    yield opened
    opened.close()


def test_the_migrations_make_exactly_the_tables_of_the_models(store):
    database = SqliteDatabase(":memory:")
    for model in derived.ALL:
        SchemaManager(model, database).create_all()
    assert schema_of(store.connection) == schema_of(database.connection())


def test_the_version_is_the_number_of_the_last_migration(store):
    from pathlib import Path

    import memdeck.db.migrations as folder

    scripts = list(Path(folder.__path__[0]).glob("[0-9]*.py"))
    assert max(int(path.name[:4]) for path in scripts) == LATEST
    assert store.database.pragma("user_version") == LATEST


def test_every_type_of_memory_has_a_table_of_its_own(store):
    assert set(detail_tables(store.connection)) == set(tables.DETAILS)


def test_json_columns_are_known_to_the_reader_that_does_without_models():
    declared = {
        name
        for model in derived.ALL
        for name, field in model._meta.fields.items()
        if isinstance(field, tables.JSONField)
    }
    assert declared == JSON_COLUMNS


def test_the_journal_carries_every_kind_of_row_it_answers_for():
    parts = {"memory_tag", "memory_file", *tables.DETAILS}
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
    table = getattr(tables, model)
    for value in (low, high):
        table.insert({**row, field: value}).on_conflict_replace().execute(store.database)
    for value in (low - 1, high + 1):
        with pytest.raises(IntegrityError):
            table.insert({**row, field: value}).on_conflict_replace().execute(store.database)


def test_a_rate_outside_zero_to_one_is_refused(store):
    row = {"memory": 1, "procedure_name": "p", "category": "workflow"}
    for value in (0.0, 1.0):
        tables.ProceduralRow.insert({**row, "success_rate": value}).on_conflict_replace().execute(
            store.database
        )
    with pytest.raises(IntegrityError):
        tables.ProceduralRow.insert({**row, "memory": 2, "success_rate": 1.01}).execute(
            store.database
        )
