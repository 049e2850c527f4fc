"""A disk that is full or fails: the change is refused, nothing is half made, and it goes on.

Faults come from the system: calls that fail as the kernel makes them fail, or a limit on the
size of files.
"""

import errno
import os
import sqlite3

import pytest

from memdeck import ManagerError, StoreFull, StoreUnusable, open_memory
from memdeck.db import journal
from memdeck.db.store import Store
from memdeck.tests.fillers import filler

FIRST, SECOND, THIRD = "Berth 1 is dry", "Berth 2 floods", "Berth 3 is let"


def fails(number):
    def call(*_):
        raise OSError(number, os.strerror(number))

    return call


def half_then_full(real):
    """A write that takes half of what it is given, and then no more."""
    state = {"left": 1}

    def write(handle, data):
        if not state["left"]:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        state["left"] = 0
        return real(handle, data[: len(data) // 2])

    return write


FAULTS = {
    "the disk is full": ("write", lambda _: fails(errno.ENOSPC), StoreFull),
    "it fills in the middle of a record": ("write", half_then_full, StoreFull),
    "the quota is used up": ("write", lambda _: fails(errno.EDQUOT), StoreFull),
    "the sync fails": ("fsync", lambda _: fails(errno.EIO), StoreUnusable),
    "no file can be opened": ("open", lambda _: fails(errno.EMFILE), StoreUnusable),
}


@pytest.mark.parametrize(("name", "fault", "error"), FAULTS.values(), ids=list(FAULTS))
def test_a_journal_that_cannot_be_written_refuses_the_change(
    name, fault, error, home, texts, monkeypatch
):
    with open_memory(home, "harbour") as memory:
        memory.remember(FIRST)
        size = journal.last(home)
        with monkeypatch.context() as broken:
            broken.setattr(os, name, fault(getattr(os, name)))
            for _ in range(3):
                with pytest.raises(error):
                    memory.remember(SECOND)
        assert journal.last(home) == size
        assert [one.content for one in memory.list()] == [FIRST]

        memory.remember(THIRD)  # it goes on by itself
        assert memory.verify().ok
        assert [entry.seq for entry in memory.audit()] == [2, 1]
    assert texts(home) == [FIRST, THIRD]


def test_a_folder_that_cannot_be_synced_refuses_the_change_that_needs_a_new_segment(
    home, texts, monkeypatch
):
    monkeypatch.setattr(journal, "SEGMENT_BYTES", 100)
    real, calls = os.fsync, []

    def only_files(handle):
        calls.append(handle)
        if os.path.isdir(f"/proc/self/fd/{handle}"):
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        real(handle)

    with open_memory(home, "harbour") as memory:
        memory.remember(FIRST)
        with monkeypatch.context() as broken:
            broken.setattr(os, "fsync", only_files)
            with pytest.raises(StoreUnusable):
                memory.remember(SECOND)
        assert len(calls) == 2
        memory.remember(THIRD)
        assert memory.verify().ok
    assert texts(home) == [FIRST, THIRD]


def test_a_record_that_can_neither_be_synced_nor_taken_back_leaves_a_whole_store(
    home, texts, monkeypatch
):
    """The worst: the change was refused, yet its record stands. It counts, and nothing breaks."""
    with open_memory(home, "harbour") as memory:
        memory.remember(FIRST)
        with monkeypatch.context() as broken:
            broken.setattr(os, "fsync", fails(errno.EIO))
            broken.setattr(os, "ftruncate", fails(errno.EIO))
            with pytest.raises(StoreUnusable):
                memory.remember(SECOND)
        memory.remember(THIRD)
        assert memory.verify().ok
    assert texts(home) == [FIRST, SECOND, THIRD]


# --- the journal has the record, and the database cannot commit it


def commit_fails(store, monkeypatch, meanwhile=lambda: None):
    """The next commit of this store fails as on a full disk, after SQLite has rolled back."""

    def commit():
        monkeypatch.undo()
        store.database.rollback()
        meanwhile()
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(store.database, "commit", commit)


def test_a_change_that_cannot_be_committed_is_taken_out_of_the_journal(home, texts, monkeypatch):
    """Else it would be made at some later time, although its author was told that it failed."""
    with open_memory(home, "harbour") as memory:
        memory.remember(FIRST)
        size = journal.last(home)
        for _ in range(3):
            commit_fails(memory._store, monkeypatch)
            with pytest.raises(StoreFull):
                memory.remember(SECOND)
            assert journal.last(home) == size
        memory.remember(SECOND)
        assert memory.verify().ok
    assert texts(home) == [FIRST, SECOND]


def test_a_new_segment_goes_with_the_record_that_needed_it(home, texts, monkeypatch):
    with open_memory(home, "harbour") as memory:
        memory.remember(FIRST)
        size = journal.last(home)
        with monkeypatch.context() as small:
            small.setattr(journal, "SEGMENT_BYTES", 100)
            commit_fails(memory._store, small)
            with pytest.raises(StoreFull):
                memory.remember(SECOND)
        assert journal.last(home) == size
        memory.remember(THIRD)
        assert memory.verify().ok
    assert texts(home) == [FIRST, THIRD]


@pytest.mark.usefixtures("quick_pauses")
def test_a_change_that_another_writer_has_applied_meanwhile_stands(home, texts, monkeypatch):
    def another_opens():
        Store(home).close()  # and so rolls the record forward

    with open_memory(home, "harbour") as memory:
        memory.remember(FIRST)
        commit_fails(memory._store, monkeypatch, another_opens)
        assert memory.remember(SECOND).stored
        memory.remember(THIRD)
        assert memory.verify().ok
    assert texts(home) == [FIRST, SECOND, THIRD]


@pytest.mark.usefixtures("quick_pauses")
def test_two_writers_on_a_full_disk_take_back_only_what_is_their_own(home, texts, monkeypatch):
    with open_memory(home, "harbour") as one, open_memory(home, "harbour") as other:
        one.remember(FIRST)
        size = journal.last(home)
        refused = []

        def another_fails_too():
            with pytest.MonkeyPatch.context() as inner:
                commit_fails(other._store, inner)
                try:
                    other.remember(THIRD)
                except StoreFull:
                    refused.append(THIRD)

        commit_fails(one._store, monkeypatch, another_fails_too)
        with pytest.raises(StoreFull):
            one.remember(SECOND)
        assert refused == [THIRD]
        assert journal.last(home) == size
        assert one.remember(THIRD).stored
        assert one.verify().ok
    assert texts(home) == [FIRST, THIRD]


# --- a real limit of the system

FILL = """
import resource
from memdeck import open_memory
from memdeck import StoreFull
from memdeck.tests.fillers import filler

with open_memory(home, "harbour") as memory:
    kept = [memory.remember(filler(number)).memory_id for number in range(3)]
    full = os.path.join(home, given[0])
    room = os.path.getsize(full) + int(given[1])
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))
    refused = 0
    for number in range(3, 60):
        try:
            kept.append(memory.remember(filler(number)).memory_id)
        except StoreFull:
            refused += 1
    listed = len(memory.list())
    with open_memory(home, "harbour") as other:
        seen = len(other.list())
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    again = memory.remember("There is room again").stored
    print(json.dumps([kept, refused, [listed, seen], again, memory.verify().problems]))
"""


@pytest.mark.parametrize("room", ["40", "6000"])
@pytest.mark.parametrize("file", ["memory.db-wal", "journal/000001.jsonl"])
def test_a_full_disk_loses_nothing_acknowledged_and_makes_nothing_refused(
    file, room, child, home, texts
):
    import json

    if file.startswith("journal"):  # else the log, which is larger, would fill first
        with open_memory(home, "x") as memory:
            memory.import_memories({"content": f"{n} " + "word " * 700} for n in range(25))
            for _ in range(4):  # each writes all of it once more
                memory.undo()
                memory.redo()
    told = child(FILL, file, room)
    assert told.returncode == 0, told.stderr
    kept, refused, listed, again, problems = json.loads(told.stdout)
    assert refused > 30
    assert listed == [len(kept)] * 2 == [60 - refused] * 2
    assert again
    assert problems == []
    fillers = {filler(number) for number in range(60)}
    assert len([text for text in texts(home) if text in fillers]) == len(kept)


def test_a_new_home_on_a_full_disk_is_a_clear_error(child):
    told = child(
        "import resource\n"
        "from memdeck import open_memory\n"
        "from memdeck import ManagerError\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))\n"
        "try:\n"
        "    with open_memory(home, 'x'): pass\n"
        "except ManagerError as error:\n"
        "    print(type(error).__name__)\n"
    )
    assert (told.stdout, told.stderr) == ("StoreFull\n", "")


def test_a_journal_folder_that_vanished_is_a_clear_error_and_loses_nothing(home, texts):
    with open_memory(home, "harbour") as memory:
        memory.remember(FIRST)
        os.rename(home.journal, home.journal + ".away")
        with pytest.raises(StoreUnusable):
            memory.remember(SECOND)
        assert [one.content for one in memory.list()] == [FIRST]
        os.rename(home.journal + ".away", home.journal)
        memory.remember(THIRD)
        assert memory.verify().ok


def test_a_database_that_is_replaced_or_removed_while_open_takes_no_more(home):
    with open_memory(home, "harbour") as memory:
        memory.remember(FIRST)
        os.rename(home.database, home.database + ".away")
        for _ in range(2):
            with pytest.raises(StoreUnusable, match="replaced while it was open"):
                memory.remember(SECOND)
            with open(home.database, "wb"):
                pass
        os.replace(home.database + ".away", home.database)
        memory.remember(THIRD)
        assert memory.verify().ok


def test_what_the_database_says_of_itself_never_escapes_as_its_own_error(home):
    with open_memory(home, "harbour") as memory:
        memory.remember(FIRST)
        memory._store.connection.execute("DROP TABLE conflict")
        memory._store.connection.execute("PRAGMA query_only = 1")
        for ask in (memory.list, memory.stats, lambda: memory.search("berth")):
            with pytest.raises(ManagerError, match="damaged"):
                ask()
        assert not memory.verify().ok
