"""A writer may die at any point: what it acknowledged is there, what it did not is whole or absent.

The points are those of a write: the record is appended, synced, and the rows are committed.
"""

import errno
import os
import shutil
import sqlite3
import threading
from pathlib import Path

import pytest

from memdeck import StoreBusy, StoreFull, open_memory
from memdeck.db import journal
from memdeck.db import rebuild as rebuilding
from memdeck.db.connection import Database
from memdeck.tests.conftest import built_once
from memdeck.tests.mending import rebuild

FIRST, SECOND, THIRD = "Berth 1 is dry", "Berth 2 floods", "Berth 3 is let"

DIE_AT = """
from memdeck.db.connection import Database
from memdeck import open_memory

write, sync, commit = os.write, os.fsync, Database.commit
point = given[0]
with open_memory(home, "harbour") as memory:
    memory.remember("Berth 1 is dry")
    if point == "before the write":
        os.write = die
    elif point == "in the middle of the write":
        os.write = lambda handle, data: (write(handle, data[: len(data) // 2]), die())
    elif point == "before the sync":
        os.fsync = die
    elif point == "before the commit":
        os.fsync = lambda handle: (sync(handle), die())
    elif point == "at the commit":
        Database.commit = die
    elif point == "after the commit":
        Database.commit = lambda database: (commit(database), die())
    memory.remember("Berth 2 floods")
"""

POINTS = {
    "before the write": False,
    "in the middle of the write": False,
    "before the sync": True,  # a killed process leaves its page cache to the system
    "before the commit": True,
    "at the commit": True,
    "after the commit": True,
}


@pytest.mark.parametrize(("point", "is_kept"), POINTS.items(), ids=list(POINTS))
def test_a_writer_killed_at_any_point_leaves_a_whole_store(
    point, is_kept, child, home, texts, contents
):
    assert child(DIE_AT, point).returncode == -9

    assert texts(home) == ([FIRST, SECOND] if is_kept else [FIRST])
    with open_memory(home, "harbour") as memory:
        memory.remember(THIRD)
        assert memory.verify().ok
    before = contents(home)
    forget_database(home)
    rebuild(home)
    assert contents(home) == before
    assert texts(home)[-1] == THIRD


@pytest.mark.usefixtures("quick_pauses")
def test_a_writer_killed_while_it_holds_the_lock_holds_nobody_up(start_child, home, texts):
    writer = start_child(
        "from memdeck.db.home import Home\n"
        "from memdeck.db.store import Store\n"
        "store = Store(Home(home))\n"
        "with store.change('add', actor='person', at=1) as change:\n"
        "    print('locked', flush=True)\n"
        "    sys.stdin.read()\n"
    )
    assert writer.stdout.readline() == "locked\n"
    with open_memory(home, "harbour") as memory:
        memory._store.connection.execute("PRAGMA busy_timeout = 0")
        with pytest.raises(StoreBusy):
            memory.remember(FIRST)
        assert memory.list() == []  # reading goes on

        writer.kill()
        writer.communicate()
        memory.remember(FIRST)
    assert texts(home) == [FIRST]


def begun_elsewhere(home):
    """Another process at the first write to a file that has no write-ahead log yet."""
    home.prepare()
    other = sqlite3.connect(home.database, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    return other


def test_a_new_store_that_another_process_makes_as_well_is_opened_when_that_is_done(home, texts):
    """SQLite itself says at once that such a file is locked, however long it may wait."""
    other = begun_elsewhere(home)
    end = threading.Timer(0.1, other.close)
    end.start()
    with open_memory(home, "harbour") as memory:
        memory.remember(FIRST)
    end.join()
    assert texts(home) == [FIRST]


@pytest.mark.usefixtures("quick_pauses")
def test_a_new_store_that_stays_locked_is_said_to_be_busy(home):
    other = begun_elsewhere(home)
    with pytest.raises(StoreBusy), open_memory(home, "harbour"):
        pass
    other.close()


def forget_database(home):
    for suffix in ("", "-wal", "-shm"):
        if os.path.exists(home.database + suffix):
            os.remove(home.database + suffix)


# --- what a power cut takes from the database, the journal gives back


def behind(home, first, later):
    """A store whose database lost the `later` changes, as `synchronous=NORMAL` may."""
    for text in first:
        say(home, text)
    shutil.copy(home.database, home.path + ".old")
    places = [say(home, text) for text in later]
    forget_database(home)
    shutil.move(home.path + ".old", home.database)
    return places


def say(home, text):
    """Remember a text; the place in the journal after it."""
    with open_memory(home, "harbour") as memory:
        memory.remember(text)
        return memory._store.position()


def test_what_the_database_lost_comes_back_at_the_next_opening(home, texts):
    behind(home, [FIRST], [SECOND, THIRD])
    assert texts(home) == [FIRST, SECOND, THIRD]
    with open_memory(home, "harbour") as memory:
        assert memory.verify().ok
        assert memory.problems_at_opening() == []


def test_a_lost_line_does_not_take_the_lines_behind_it_along(home, texts):
    """They were acknowledged, and so is what comes after them; only the damaged one is gone."""
    first, *_ = behind(home, [FIRST], [SECOND, THIRD, "Berth 4 has power"])
    with open(journal.segment_path(home, 1), "r+b") as file:
        file.seek(first.offset - 200)
        file.write(b"#")

    with open_memory(home, "harbour") as memory:
        assert any("altered" in problem for problem in memory.problems_at_opening())
        assert [entry.action for entry in memory.audit()].count("lost") == 1
        memory.remember("Berth 5 is new")
    known = [FIRST, THIRD, "Berth 4 has power", "Berth 5 is new"]
    assert texts(home) == known
    with open_memory(home, "harbour") as memory:
        assert memory.verify().ok
    forget_database(home)
    rebuild(home)
    assert texts(home) == known


@pytest.mark.parametrize("share", [0.0, 0.3, 0.6, 0.9, 0.999])
def test_a_torn_tail_is_reported_once_and_harms_nobody(share, home, texts):
    [torn] = behind(home, [FIRST], [SECOND])
    path = journal.segment_path(home, 1)
    start = journal.read_one(home, 1, torn.offset) and line_start(path, torn.offset)
    os.truncate(path, start + 1 + int(share * (torn.offset - start - 2)))

    with open_memory(home, "harbour") as memory:
        assert len(memory.problems_at_opening()) == (share > 0)
    assert texts(home) == [FIRST]
    with open_memory(home, "harbour") as memory:
        assert memory.problems_at_opening() == []
        memory.remember(THIRD)
        assert memory.verify().ok
        assert memory.audit()[0].seq == 2
    forget_database(home)
    assert len(rebuild(home).skipped) == (share > 0)
    assert texts(home) == [FIRST, THIRD]


def line_start(path, end):
    """Where the line begins that ends at `end`."""
    with open(path, "rb") as file:
        data = file.read(end)
    return data.rstrip(b"\n").rfind(b"\n")


# --- several processes

WRITER = """
from memdeck import open_memory
from memdeck.db import journal
journal.SEGMENT_BYTES = 6_000
sys.stdin.readline()
with open_memory(home, "harbour") as memory:
    for number in range(12):
        print(memory.remember(f"Berth {number} of pier {given[0]} is let").memory_id)
"""


def test_writers_that_rotate_segments_while_others_roll_forward_lose_nothing(
    home, start_child, monkeypatch
):
    """The database is gone, so that whoever opens first must bring 40 records back."""
    monkeypatch.setattr(journal, "SEGMENT_BYTES", 6_000)
    with open_memory(home, "harbour") as memory:
        known = {memory.remember(f"Crane {number} is moored").memory_id for number in range(40)}
    forget_database(home)

    writers = [start_child(WRITER, str(pier)) for pier in range(3)]
    for writer in writers:
        writer.stdin.write("\n")
        writer.stdin.flush()
    said = {line for writer in writers for line in writer.communicate()[0].split()}
    assert [writer.returncode for writer in writers] == [0, 0, 0]

    assert len(said) == 36
    assert len(journal.segments(home)) > 8
    with open_memory(home, "harbour") as memory:
        assert {one.id for one in memory.list()} == known | said
        outcome = memory.verify()
        assert outcome.ok, outcome.problems
        assert outcome.records == 76


def test_the_same_text_said_by_several_at_once_is_one_memory(home, start_child):
    code = WRITER.replace("{given[0]}", "A")
    with open_memory(home, "harbour"):
        pass
    writers = [start_child(code, "x") for _ in range(3)]
    for writer in writers:
        writer.stdin.write("\n")
        writer.stdin.flush()
    said = {line for writer in writers for line in writer.communicate()[0].split()}
    with open_memory(home, "harbour") as memory:
        assert {one.id for one in memory.list()} == said
        assert len(said) == 12
        assert memory.verify().ok


def test_verify_raises_no_false_alarm_while_another_writes(home, monkeypatch):
    """Somebody commits just after the rows' moment was taken, and before the journal is read."""
    say(home, FIRST)

    def chain_after_a_write(home):
        say(home, SECOND)
        return journal.Chain(home)

    with open_memory(home, "harbour") as memory:
        with monkeypatch.context() as busy:
            busy.setattr(rebuilding, "Chain", chain_after_a_write)
            outcome = memory.verify()
        assert (outcome.ok, outcome.problems) == (True, ())
        assert memory.verify().records == 2


DIE_IN_AN_UNDO = """
from memdeck.db.connection import Database
from memdeck import open_memory

sync, replace, commit = os.fsync, os.replace, Database.commit
point = given[0]
with open_memory(home, "harbour") as memory:
    if point == "while it is written":
        memory.undo(progress=die)
    elif point == "before the sync":
        os.fsync = die
    elif point == "before it counts":
        os.replace = die
    elif point == "when it counts":
        os.replace = lambda *paths: (replace(*paths), die())
    elif point == "at the commit":
        Database.commit = die
    elif point == "after the commit":
        Database.commit = lambda database: (commit(database), die())
    memory.undo()
"""

PART = 50  # memories in a transaction of an import, here a tenth
MANY = PART + 1
POINTS_OF_AN_UNDO = {
    "while it is written": MANY,
    "before the sync": MANY,
    "before it counts": MANY,
    "when it counts": 0,
    "at the commit": 0,
    "after the commit": 0,
}


@pytest.fixture(scope="module")
def imported(tmp_path_factory):
    """A home of one import of many memories; to be copied, never changed."""

    def build(folder):
        with pytest.MonkeyPatch.context() as small, open_memory(folder, "harbour") as memory:
            small.setattr("memdeck.core.services.transfer.IMPORT_CHUNK", PART)
            memory.import_memories({"content": f"Berth {n} is dry"} for n in range(MANY))
            assert len(memory.audit()) == 2
        return folder

    return built_once(tmp_path_factory, "imported-dry", build)


@pytest.mark.parametrize(("point", "left"), POINTS_OF_AN_UNDO.items(), ids=list(POINTS_OF_AN_UNDO))
def test_an_act_of_many_entries_is_taken_back_whole_or_not_at_all(
    point, left, imported, child, home, texts, contents
):
    shutil.copytree(imported, home.path)
    assert child(DIE_IN_AN_UNDO, point).returncode == -9

    assert len(texts(home)) == left
    with open_memory(home, "harbour") as memory:
        assert memory.verify().ok
        memory.undo() if left else memory.redo()
        assert memory.count() == MANY - left
        memory.remember(THIRD)
        assert memory.verify().ok
    before = contents(home)
    forget_database(home)
    rebuild(home)
    assert contents(home) == before


@pytest.mark.parametrize("fails", ["the write", "the commit"])
def test_an_undo_of_many_entries_that_fails_leaves_nothing(fails, imported, home, monkeypatch):
    shutil.copytree(imported, home.path)
    with open_memory(home, "harbour") as memory:
        with monkeypatch.context() as broken:
            if fails == "the write":
                broken.setattr(journal.os, "replace", _no_space)
            else:
                broken.setattr(Database, "commit", _no_space)
            with pytest.raises(OSError if fails == "the commit" else StoreFull):
                memory.undo()
        assert memory.count() == MANY
        assert memory.verify().ok
        memory.undo()
        assert memory.count() == 0
        assert memory.verify().ok
    assert not list(Path(home.journal).glob("*.tmp"))


def _no_space(*_):
    raise OSError(errno.ENOSPC, "No space left on device")
