"""A store that an older version wrote opens, and nothing in it is lost."""

import json
import lzma
import os
import sqlite3
from pathlib import Path

import pytest

from memdeck.db.fast_reader import open_reader
from memdeck.db.home import SCHEMA, Home
from memdeck.db.tables import JOURNALED
from memdeck.tests.contents import contents
from memdeck.tests.mending import rebuild

RECORDED = Path(__file__).parent.parent / "old_stores"
FOLLOWING = {"terms", "parts", "revision", "row_hash"}
"""Columns that follow from a row and its entry."""

TABLES = {model._meta.table_name: set(model._meta.fields) for model in JOURNALED}


@pytest.fixture
def home(home_path):
    """A home as schema 27 left it: 90 memories, sessions, conflicts, receipts, an undo."""
    home = Home(home_path)
    home.prepare()
    for name, path in (
        ("memory.db", home.database),
        ("000001.jsonl", os.path.join(home.journal, "000001.jsonl")),
    ):
        Path(path).write_bytes(lzma.decompress((RECORDED / f"{name}.xz").read_bytes()))
        Path(path).chmod(0o600)
    return home


def rows_of(path):
    """The rows that the journal brings back, in the tables and columns of this version.

    Pairs that schema 27 listed as near each other, and nobody decided, were no conflicts.
    """
    with sqlite3.connect(path) as database:
        if database.execute("PRAGMA user_version").fetchone() == (27,):
            database.execute("DELETE FROM conflict WHERE band = 'near' AND resolved_at IS NULL")
        found = contents(database, without=FOLLOWING)
        database.rollback()
    return {
        table: sorted(
            json.dumps({name: json.loads(row).get(name) for name in sorted(columns - FOLLOWING)})
            for row in found.get(table, ())
        )
        for table, columns in TABLES.items()
    }


def test_every_row_of_a_recorded_store_is_there_after_opening_and_after_a_rebuild(home, open_core):
    before = rows_of(home.database)
    assert len(before["memory"]) == 90
    assert (len(before["memory_link"]), len(before["conflict"])) == (5, 6)
    with open_core("quayside") as core:
        assert core.verify().problems == ()
        assert core._store.connection.execute("PRAGMA user_version").fetchone() == (SCHEMA,)
        assert len(core.receipts()) > 20
    assert rows_of(home.database) == before
    rebuild(home)
    assert rows_of(home.database) == before
    [copy] = (name for name in os.listdir(home.backups) if name.endswith(".db"))
    with sqlite3.connect(os.path.join(home.backups, copy)) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (27,)
    os.remove(home.database)
    with open_core("quayside") as core:
        assert core.verify().ok
    assert rows_of(home.database) == before


def test_old_entries_are_taken_back_and_done_again(home, open_core):
    with open_core("quayside") as core:
        before = rows_of(home.database)
        for _ in range(8):
            core.undo()
        assert rows_of(home.database)["memory"] != before["memory"]
        for _ in range(8):
            core.redo()
        assert core.verify().problems == ()
        assert rows_of(home.database)["memory"] == before["memory"]


def test_a_table_and_a_column_of_an_older_version_are_passed_over(home, open_core):
    core = open_core("quayside")
    memory = core.remember("Berth 12 floods at spring tide").memory_id
    core.close()
    with sqlite3.connect(home.database) as database:
        database.execute("CREATE TABLE mood (id TEXT PRIMARY KEY)")
        database.execute("ALTER TABLE memory ADD COLUMN mood TEXT")
        database.execute("ALTER TABLE receipt ADD COLUMN mood TEXT")
        database.execute("PRAGMA user_version = 27")
    with open_core("quayside") as core:
        assert core.verify().problems == ()
        assert core.show(memory).content == "Berth 12 floods at spring tide"


def test_hooks_read_the_index_of_the_last_version_until_the_store_is_opened(home_path, open_core):
    with open_core("quayside") as core:
        core.remember("parseXMLHttpResponse is deprecated")
        project = core.project.id
    home = Home(home_path)
    with sqlite3.connect(home.database) as database:
        database.executescript(
            "DROP TABLE memory_fts; UPDATE memory SET parts = ''; PRAGMA user_version = 29;"
            "CREATE VIRTUAL TABLE memory_fts USING fts5(title, content, tags, files, category,"
            " terms, content='memory', content_rowid='num', tokenize='porter unicode61');"
            "INSERT INTO memory_fts(memory_fts) VALUES('rebuild');"
        )
    reader = open_reader(home, 0)
    assert len(reader.candidates(["deprecated"], project, 5)) == 1
    assert reader.candidates(["response"], project, 5) == []
    reader.close()
    with open_core("quayside") as core:
        assert core.verify().problems == ()
        assert len(core.search("xml response")) == 1
