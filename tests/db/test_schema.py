"""What the tables hold, and that an altered schema is named."""

import sqlite3

import pytest

from memdeck.tests.vocabulary import TYPES


@pytest.fixture
def store(core):
    """What is inside of a new store."""
    return core._store


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
