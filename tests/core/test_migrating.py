"""A store of the first schema is upgraded when it is opened, and nothing in it is lost."""

import json
import os
import sqlite3

import pytest

from memdeck import MemoryCoordinator, StoreUnusable
from memdeck.db.home import Home
from memdeck.tests.contents import contents
from memdeck.tests.mending import rebuild

TEXTS = {
    "gauge-m": "The gauge of berth 12 is read on port 7600",
    "newer-m": "The gauge of berth 12 is read on port 7700",
    "event-m": "The tide importer crashed, since tides.csv was locked",
    "plan-m": "TODO: renew the certificate of the tide feed",
    "steps-m": "To migrate: run `make stop`, then `make migrate`, then `make start`",
    "waits-m": "Pilots report by radio when they pass the outer buoy",
    "gone-m": "Berth 12 has no water at all, since the main was cut in May",
}

DERIVED = {"terms", "revision", "row_hash"}
"""What follows from a row and its entry, in words of its own that each version may choose."""


def rows_of(database, before=None):
    """Every row that the journal answers for; of the tables and columns that were `before`."""
    found = contents(database, without=DERIVED)
    if before is None:
        return found
    columns = {table: json.loads(rows[0]).keys() for table, rows in before.items() if rows}
    return {
        table: sorted(
            json.dumps({name: json.loads(row)[name] for name in columns[table]}, sort_keys=True)
            for row in found[table]
        )
        for table in columns
    } | {table: found[table] for table in before if table not in columns}


@pytest.fixture
def old_home(old_store):
    """A home as the first version itself left it, and what it held."""
    home = Home(old_store(1))
    with sqlite3.connect(home.database) as database:
        before = {
            "rows": rows_of(database),
            "version": database.execute("PRAGMA user_version").fetchone()[0],
        }
    return home, before


@pytest.fixture
def upgraded(old_home, open_core):
    """That store, opened by this version; and what it held before."""
    _, before = old_home
    return open_core(), before


def test_it_really_is_the_first_schema_that_is_upgraded(old_home):
    home, before = old_home
    assert before["version"] == 1
    with sqlite3.connect(home.database) as database:
        names = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
    assert "memory_candidacy" not in names


def test_every_row_is_there_as_it_was(upgraded, tmp_path):
    core, before = upgraded
    assert rows_of(core._store.connection, before["rows"]) == before["rows"]
    version = core._store.connection.execute("PRAGMA user_version").fetchone()[0]
    with MemoryCoordinator.open(tmp_path / "new", "harbour") as new:
        assert new._store.connection.execute("PRAGMA user_version").fetchone() == (version,)


def test_it_is_whole(upgraded):
    core, _ = upgraded
    outcome = core.verify()
    assert outcome.ok, outcome.problems


def test_what_was_counted_is_still_counted(upgraded):
    core, _ = upgraded
    memory = core.show("gauge-m")
    assert (memory.accesses, memory.helpful) == (7, 1)
    assert core.transcript_mark("/t/s1.jsonl") == (4711, 42)
    assert [one.content for one in core.refused_captures()] == ["Sounds good"]
    [receipt] = core.receipts()
    assert (receipt.id, receipt.tokens) == ("r1", 40)
    assert core.latencies() == [12.5]


def test_everything_can_be_asked_for_as_before(upgraded):
    core, _ = upgraded
    assert {memory.id for memory in core.list()} == set(TEXTS) - {"gone-m"}
    assert core.search("tide importer crashed")[0].id == "event-m"
    assert core.show("steps-m").status == "pinned"
    assert core.aliases() == {"quay": ("pier",)}
    assert core.policy.preset == "conservative"
    assert core.session_named("s1").goal == "Move the gauge"
    assert core.session_named("s1").messages == 0
    [conflict] = core.conflicts()
    assert (conflict.id, conflict.reason, conflict.kind) == ("c-open", "", "contradictory")


def test_a_candidate_of_before_waits_in_the_inbox(upgraded):
    core, _ = upgraded
    [waiting] = core.candidates()
    assert (waiting.memory.id, waiting.points, waiting.votes) == ("waits-m", 0, ())
    assert core.accept("waits-m")[0].status == "confirmed"
    assert core.verify().ok


def test_old_entries_can_be_taken_back_down_to_the_first(upgraded):
    core, before = upgraded
    seqs = [entry.seq for entry in core.audit()]
    for seq in seqs:
        core.undo(seq)
    assert core.list() == []
    assert core.conflicts(resolved=None) == []
    assert core.verify().ok
    for _ in seqs:
        core.redo()
    assert rows_of(core._store.connection, before["rows"])["conflict"] == before["rows"]["conflict"]
    assert core.show("steps-m").status == "pinned"


def test_a_conflict_of_before_is_decided_and_the_verdict_taken_back(upgraded):
    core, before = upgraded
    core.resolve_conflict("c-open", "b")
    assert core.show("gauge-m").retired_as == "superseded"
    core.undo()
    assert rows_of(core._store.connection, before["rows"])["conflict"] == before["rows"]["conflict"]
    assert core.show("gauge-m").is_live
    assert core.verify().ok


def test_a_rebuild_gives_the_same_rows(upgraded, open_core):
    core, before = upgraded
    home = core.home
    core.close()
    for suffix in ("", "-wal", "-shm"):
        if os.path.exists(home.database + suffix):
            os.remove(home.database + suffix)
    rebuild(home)
    again = open_core()
    assert rows_of(again._store.connection, before["rows"]) == before["rows"]
    assert again.verify().ok


def test_a_copy_from_before_the_upgrade_is_kept(upgraded):
    core, _ = upgraded
    [kept] = [name for name in os.listdir(core.home.backups) if name.endswith(".db")]
    with sqlite3.connect(os.path.join(core.home.backups, kept)) as copy:
        assert copy.execute("PRAGMA user_version").fetchone()[0] == 1
        assert copy.execute("SELECT count(*) FROM memory").fetchone()[0] == len(TEXTS)


def test_the_upgraded_store_takes_new_captures(upgraded, offer):
    core, _ = upgraded
    result = offer("crane", rule="person.instruction", importance=0.9, into=core)
    assert result.stored, result.reason
    assert core.candidate(result.memory_id).points >= 5
    assert offer(TEXTS["waits-m"], into=core).memory_id == "waits-m"
    assert offer(TEXTS["gone-m"], into=core).reason == "a person forgot this text"
    assert core.verify().ok


def test_a_failing_upgrade_leaves_the_store_as_it_was(old_home):
    home, before = old_home
    with sqlite3.connect(home.database) as database:
        database.execute("CREATE TABLE session_activity (in_the_way)")  # of a step in between
    with pytest.raises(StoreUnusable):
        MemoryCoordinator.open(home, "harbour")
    with sqlite3.connect(home.database) as database:
        assert database.execute("PRAGMA user_version").fetchone()[0] == 1
        names = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
        assert "memory_candidacy" not in names  # nor what steps before it had made
        database.execute("DROP TABLE session_activity")
    with MemoryCoordinator.open(home, "harbour") as core:
        assert rows_of(core._store.connection, before["rows"]) == before["rows"]
