"""The frozen migrations and the tables say the same."""

import re
import sqlite3
from pathlib import Path

import pytest
from peewee import SqliteDatabase
from playhouse.migrations import Runner

import memdeck
from memdeck.tests.vocabulary import TYPES

MIGRATIONS = str(Path(memdeck.__file__).with_name("db") / "migrations")


def migrated(path):
    """A database that went through every step from nothing, as the oldest stores did."""
    database = SqliteDatabase(path)
    database.connect()
    with database.atomic("IMMEDIATE"):
        Runner(database, MIGRATIONS).up()
    return database


def definitions(connection):
    """What made each table and index, spacing and quotes apart, without the list of steps."""
    asked = "SELECT type, name, sql FROM sqlite_master WHERE tbl_name != 'schema_migration'"
    return {
        (kind, name): sql and re.sub('[ \n"]+', "", sql)
        for kind, name, sql in connection.execute(asked)
    }


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
def store(core):
    """What is inside of a new store."""
    return core._store


def test_a_new_store_and_one_that_went_through_every_step_are_the_same(store, tmp_path):
    old = migrated(tmp_path / "old.db").connection()
    assert definitions(store.connection) == definitions(old)
    assert columns_of(store.connection) == columns_of(old)
    assert indexes_of(store.connection) == indexes_of(old)
    assert len(definitions(old)) > 60


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ("ALTER TABLE session ADD COLUMN mood TEXT", "session was altered"),
        ("DROP INDEX memory_pinned", "memory_pinned was altered"),
        ("CREATE INDEX of_mine ON memory (title)", "of_mine was altered"),
        ("DROP TABLE summary", "summary"),
    ],
)
def test_a_schema_that_differs_is_named(core, home_path, change, named):
    assert core.verify().ok
    with sqlite3.connect(home_path / "memory.db") as database:
        database.execute(change)
    assert any(named in problem for problem in core.verify().problems)


def test_a_new_store_needs_no_step_of_an_older_version_later(store):
    steps = {path.stem for path in Path(MIGRATIONS).glob("[0-9]*.py")}
    assert set(Runner(store.database, MIGRATIONS).applied()) == steps


def test_the_version_is_the_number_of_the_last_migration(store):
    scripts = list(Path(MIGRATIONS).glob("[0-9]*.py"))
    latest = max(int(path.name[:4]) for path in scripts)
    assert store.database.pragma("user_version") == latest


def test_every_type_of_memory_has_a_table_of_its_own(core, store):
    core.import_memories({"content": f"A {kind} memory", "type": kind} for kind in TYPES)
    for kind in TYPES:
        assert store.connection.execute(f"SELECT count(*) FROM {kind}").fetchone() == (1,)


INDEXED = {
    "episodic": ["timestamp"],
    "semantic": ["concept", "category"],
    "prospective": ["status", "priority", "due_at"],
    "procedural": ["procedure_name", "category", "usage_count", "success_rate"],
    "working": ["todo_id", "expires_at", "cleared_at"],
    "memory_link": ["source", "target"],
    "memory": ["session", "importance", "confidence"],
}


def test_the_indexes_of_000_16_are_there(store, subtests):
    for table in INDEXED:
        with subtests.test(table=table):
            found = [
                sql.replace('"', "")
                for (sql,) in store.connection.execute(
                    "SELECT sql FROM sqlite_master"
                    " WHERE type = 'index' AND tbl_name = ? AND sql NOT NULL",
                    (table,),
                )
            ]
            for columns in INDEXED[table]:
                assert any(f"({columns})" in sql for sql in found), (table, columns)


LIMITS = [
    ("episodic", "emotional_valence", -2, 2, 1),
    ("prospective", "priority", 1, 5, 1),
    ("working", "priority", 1, 5, 1),
    ("procedural", "success_rate", 0.0, 1.0, 0.01),
]


def test_ranges_hold_in_the_database_at_both_ends(core, store, subtests):
    core.import_memories({"content": f"A {kind} memory", "type": kind} for kind in TYPES)
    for table, field, low, high, step in LIMITS:
        with subtests.test(table=table):
            put = f"UPDATE {table} SET {field} = ?"
            for value in (low, high):
                store.connection.execute(put, (value,))
            for value in (low - step, high + step):
                with pytest.raises(sqlite3.IntegrityError):
                    store.connection.execute(put, (value,))
