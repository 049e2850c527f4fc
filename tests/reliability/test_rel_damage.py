"""A damaged store: it is noticed, named, and brought back from the journal.

The places that are hit are drawn once, with a fixed seed.
"""

import os
import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from memdeck import ManagerError, NotFound, Refused, StoreDamaged, StoreUnusable, open_memory
from memdeck.benchmarks.reliability import injure
from memdeck.db import journal
from memdeck.db.home import Home
from memdeck.db.store import Store
from memdeck.tests.conftest import built_once
from memdeck.tests.contents import contents
from memdeck.tests.fillers import filler
from memdeck.tests.mending import rebuild, verify

WORDS = "berth tide flood boat pier lock skipper gauge harbour storm crane rope sluice log".split()
TYPES = ("semantic", "episodic", "procedural", "prospective")
MEMORIES = 24


@pytest.fixture(scope="module")
def lived_in(tmp_path_factory):
    """A home in which something of everything was done; to be copied, never changed."""
    return built_once(tmp_path_factory, "lived-in-to-damage", _live_in)


def _live_in(folder):
    home = Home(folder)
    chance = random.Random(7)
    with open_memory(home, "harbour", confirmation_callback=lambda _: True) as memory:
        ids = [
            memory.remember(
                filler(number) if number else "Berth 12 floods at spring tide",
                tags=chance.sample(WORDS, 2),
                files=[f"src/{chance.choice(WORDS)}.py"],
                type=TYPES[number % 4],
                scope="global" if number % 9 == 0 else None,
            ).memory_id
            for number in range(MEMORIES)
        ]
        memory.pin(ids[:3])
        memory.forget(ids[3:9])
        memory.link(ids[10], ids[11], "extends")
        memory.mark_conflict(ids[12], ids[13])
        memory.edit(ids[14], title="Berths under water")
        memory.undo()
        for number in range(4):
            memory.session_seen(f"s{number}", "claude", "/harbour")
            memory.recall("which berth floods?", session=f"s{number}")
    return home


@pytest.fixture(scope="module")
def sound(lived_in):
    """What its rows are."""
    return rows_of(lived_in)


def rows_of(home):
    store = Store(home)
    try:
        return contents(store.connection, without={"revision"})  # which a repair may have written
    finally:
        store.close()


@pytest.fixture
def copy(lived_in, tmp_path):
    """A copy of that home, to be damaged; as often as a test likes."""
    made = []

    def make():
        home = Home(tmp_path / f"copy{len(made)}")
        shutil.copytree(lived_in.path, home.path)
        made.append(home)
        return home

    return make


def is_noticed(home):
    """Whether opening it says that something was wrong, which is repaired then."""
    with open_memory(home, "harbour") as memory:
        assert memory.verify().ok
        return bool(memory.problems_at_opening())


def flip(path, place, bit):
    with open(path, "r+b") as file:
        file.seek(place)
        [byte] = file.read(1)
        file.seek(place)
        file.write(bytes([byte ^ 1 << bit]))


@pytest.mark.parametrize("place", [0, 16, 18, 24, 28, 32, 44, 52, 56, 60, 96, 99])
def test_a_damaged_head_is_noticed_or_harmless(place, copy, sound):
    """Byte 60 holds the schema's version: with the tables of this one it is no newer store."""
    home = copy()
    flip(home.database, place, 2)
    is_noticed(home)
    assert rows_of(home) == sound


@pytest.mark.parametrize("kind", ["zeros", "noise"])
@pytest.mark.parametrize("share", [0.05, 0.4, 0.8])
def test_a_lost_page_is_noticed_and_mended(kind, share, copy, sound):
    home = copy()
    page = 4096
    count = os.path.getsize(home.database) // page
    with open(home.database, "r+b") as file:
        file.seek(int(count * share) * page)
        file.write(bytes(page) if kind == "zeros" else random.Random(1).randbytes(page))
    assert is_noticed(home)
    assert rows_of(home) == sound
    assert not is_noticed(home)


@pytest.mark.parametrize("share", [0.0, 0.001, 0.2, 0.5, 0.95])
def test_a_truncated_database_comes_back(share, copy, sound):
    home = copy()
    os.truncate(home.database, int(os.path.getsize(home.database) * share))
    if share:
        with pytest.raises(ManagerError, match="damaged"):
            Store(home)
    assert rebuild(home).memories == MEMORIES
    assert rows_of(home) == sound
    assert not is_noticed(home)


def test_a_damaged_database_is_kept_and_what_only_it_knew_is_saved(copy):
    """Use counters and receipts stand in no journal; what of them is sound is taken over."""
    home = copy()
    with open_memory(home, "harbour") as memory:
        receipts, used = memory.receipts(), {one.id: one.accesses for one in memory.list()}
        assert len(receipts) == 4
        assert any(used.values())
        page = memory._store.connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'memory'"
        ).fetchone()[0]
    with open(home.database, "r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(bytes(4096))

    report = rebuild(home)
    assert os.path.dirname(report.set_aside) == home.backups
    assert os.stat(report.set_aside).st_mode & 0o777 == 0o600
    with open_memory(home, "harbour") as memory:
        assert memory.receipts() == receipts
        assert {one.id: one.accesses for one in memory.list()} == used


@pytest.mark.parametrize("column", ["seq", "hash", "segment", "offset"])
def test_a_damaged_place_in_the_journal_is_noticed_and_mended(column, copy, sound):
    home = copy()
    store = Store(home)
    store.connection.execute(f"UPDATE journal_state SET {column} = x'ff'")
    store.close()
    with pytest.raises(StoreDamaged):
        Store(home)
    rebuild(home)
    assert rows_of(home) == sound


def test_whoever_has_the_store_open_goes_on_after_a_rebuild_in_place(copy, sound):
    home = copy()
    with open_memory(home, "harbour") as looking_on:
        before = looking_on.list()
        assert rebuild(home).set_aside is None
        assert looking_on.list() == before
        looking_on.remember("Berth 99 is new")
        assert looking_on.verify().ok
    assert len(rows_of(home)["memory"]) == len(sound["memory"]) + 1


def test_whoever_has_a_database_open_that_is_set_aside_writes_nothing_into_it(copy):
    home = copy()
    with open_memory(home, "harbour") as looking_on:
        os.truncate(home.database, 8_192)
        assert rebuild(home).set_aside
        with pytest.raises(ManagerError, match=r"replaced|damaged"):
            looking_on.remember("Berth 99 is new")
    with open_memory(home, "harbour") as memory:
        assert memory.verify().ok
        assert memory.remember("Berth 99 is new").stored


@pytest.mark.parametrize("lost", [("-wal",), ("-wal", "-shm"), ("-shm",)])
def test_a_deleted_write_ahead_log_costs_nothing_acknowledged(lost, home, child, texts):
    done = child(
        "from memdeck import open_memory\n"
        "with open_memory(home, 'harbour') as memory:\n"
        "    for number in range(9):\n"
        "        memory.remember(f'Berth {number} is let')\n"
        "    die()\n"
    )
    assert done.returncode == -9
    assert os.path.getsize(home.database + "-wal") > 0
    for suffix in lost:
        os.remove(home.database + suffix)
    assert texts(home) == [f"Berth {number} is let" for number in range(9)]
    with open_memory(home, "harbour") as memory:
        assert memory.verify().ok


@pytest.mark.parametrize(
    ("old", "new"),
    [('"goal" TEXT', '"goax" TEXT'), ('"started_at" INTEGER', '"started_at" INTEXT')],
)
def test_an_altered_name_or_kind_of_a_column_is_noticed_and_mended(old, new, copy, sound):
    """One bit in the schema can do it, and SQLite's own check does not mind."""
    home = copy()
    with closing(sqlite3.connect(home.database, isolation_level=None)) as other:
        other.execute("PRAGMA writable_schema = 1")
        other.execute(f"UPDATE sqlite_master SET sql = replace(sql, '{old}', '{new}')")
    assert is_noticed(home)
    assert rows_of(home) == sound
    assert not is_noticed(home)


@pytest.mark.parametrize("value", ["'no JSON'", "x'ff'", "CAST(x'ff61' AS TEXT)"])
def test_a_receipt_that_cannot_be_read_is_named_and_costs_no_other(value, copy):
    home = copy()
    with open_memory(home, "harbour") as memory:
        receipts = memory.receipts()
        memory._store.connection.execute(
            f"UPDATE receipt SET items = {value} WHERE id = ?", (receipts[0].id,)
        )
        with pytest.raises(StoreDamaged):
            memory.receipts()
        assert any("receipt cannot be read" in one for one in memory.verify().problems)
    rebuild(home)
    with open_memory(home, "harbour") as memory:
        assert memory.receipts() == receipts[1:]
        assert memory.verify().ok


def test_a_schema_that_is_no_text_is_noticed_and_mended(copy, sound):
    """Then not even SQLite's complaint about it can be read."""
    home = copy()
    with open(home.database, "rb") as file:
        data = file.read()
    broken = data.replace(b"prospectiverow_priority", b"prospectiv\xe5row_priority")
    assert broken != data
    with open(home.database, "wb") as file:
        file.write(broken)
    assert is_noticed(home)
    assert rows_of(home) == sound


# --- the journal


@pytest.fixture
def in_segments(home, monkeypatch):
    """A store whose journal has a segment for every second record."""
    monkeypatch.setattr(journal, "SEGMENT_BYTES", 1_000)
    with open_memory(home, "harbour") as memory:
        for number in range(9):
            memory.remember(f"Berth {number} is let")
    assert len(journal.segments(home)) >= 5
    return home


@pytest.mark.parametrize("which", [0, 2, -1, None])
def test_a_deleted_segment_is_written_again_from_the_database(which, in_segments, texts):
    home = in_segments
    before = rows_of(home)
    gone = journal.segments(home) if which is None else [journal.segments(home)[which]]
    lost = next(link.seq for link in journal.links(home) if link.segment == gone[0])
    for number in gone:
        os.remove(journal.segment_path(home, number))
    with open_memory(home, "harbour") as memory:
        [problem] = memory.problems_at_opening()
        assert "Repaired" in problem
        assert memory.verify().ok
        assert rows_of(home) == before
        with pytest.raises(Refused, match="damaged"):
            memory.undo(lost)
        memory.pin(memory.list()[0].id)  # and it goes on
    before = rows_of(home)
    os.remove(home.database)
    assert rebuild(home).memories == len(texts(home)) == 9
    assert rows_of(home) == before


def test_without_a_database_a_journal_with_a_gap_gives_what_it_has(in_segments, texts):
    home = in_segments
    os.remove(journal.segment_path(home, 2))
    os.remove(home.database)
    report = rebuild(home)
    assert 0 < report.memories < 9
    assert report.lost == report.restored > 0
    with open_memory(home, "harbour") as memory:
        assert memory.verify().ok
        assert sum(entry.action == "lost" for entry in memory.audit()) == report.lost
        memory.remember("Berth 10 is new")
        with pytest.raises(NotFound):
            memory.differences(4711)
    assert texts(home)[-1] == "Berth 10 is new"


@pytest.mark.parametrize("is_copied", [True, False])
def test_a_journal_of_another_store_is_refused_until_somebody_chooses(is_copied, copy, sound):
    home, other = copy(), Home(copy().path + "-other")
    with open_memory(other, "harbour") as memory:
        memory.remember("Berth 44 is of another store")
    shutil.rmtree(home.journal)
    shutil.copytree(other.journal, home.journal)
    for _ in range(2):
        with pytest.raises(StoreUnusable, match="belongs to another store"):
            open_memory(home, "harbour")
    if is_copied:
        os.rename(home.database, home.database + ".away")
        assert len(rows_of(home)["memory"]) == 1
    else:
        os.rename(home.journal, home.journal + ".away")
        with open_memory(home, "harbour") as memory:
            assert memory.problems_at_opening()
        assert rows_of(home) == sound


@pytest.mark.parametrize("kind", ["database", "journal"])
def test_an_injury_is_repaired_when_the_store_is_opened(kind, copy, sound):
    for seed in range(10):
        home = copy()
        injury = injure(home, kind, random.Random(seed))
        is_noticed(home)
        assert rows_of(home) == sound, (seed, injury)
        assert not is_noticed(home), (seed, injury)
        shutil.rmtree(home.path)


@pytest.mark.parametrize("rewrite", [b"\xef\xbb\xbf".__add__, bytes.rstrip])
def test_a_journal_whose_lines_were_moved_is_read_where_they_are(rewrite, copy, sound):
    home = copy()
    path = Path(journal.segment_path(home, 1))
    path.write_bytes(rewrite(path.read_bytes()))
    is_noticed(home)
    assert rows_of(home) == sound
    assert not is_noticed(home)


# --- verify names what differs, row by row

TAMPERINGS = {
    "UPDATE memory SET content = 'altered' WHERE num = {num}": "differs from its journal entry",
    "UPDATE memory SET importance = 0.9999 WHERE num = {num}": "differs from its journal entry",
    "UPDATE memory SET terms = terms || ' zglobalx' WHERE num = {num}": "differs from its journal",
    "UPDATE memory SET revision = 1 WHERE num = {num}": "differs from its journal entry",
    "UPDATE memory SET row_hash = '0' WHERE num = {num}": "differs from its journal entry",
    "UPDATE memory SET tags = 'no JSON' WHERE num = {num}": "differs from its journal entry",
    "UPDATE memory SET content = x'ff00' WHERE num = {num}": "differs from its journal entry",
    "UPDATE memory SET tags = CAST(x'31' AS TEXT) WHERE num = {num}": "differs from its journal",
    "UPDATE session SET agent = x'ff' WHERE id = 's1'": "session s1 differs",
    "DELETE FROM memory WHERE num = {num}": "is missing from the database",
    "DELETE FROM semantic WHERE memory = {num}": "semantic {num} is missing from the database",
    "UPDATE memory_tag SET tag = tag || 's' WHERE memory = {num}": "memory_tag",
    "DELETE FROM memory_file": "memory_file",
    "DELETE FROM memory_link": "memory_link",
    "INSERT INTO tombstone VALUES ('x', 'y', 'z', 1)": "in the database but not in the journal",
    "UPDATE session SET goal = 'altered'": "session s0 differs",
    "UPDATE conflict SET resolved_at = 1": "conflict",
    "UPDATE audit SET actor = 'rule' WHERE seq = 2": "audit 2 differs from its journal entry",
    "UPDATE audit SET undone_by = 9 WHERE seq = 2": "audit 2 differs from its journal entry",
    "DELETE FROM audit WHERE seq = 2": "audit 2 is missing from the database",
    "UPDATE journal_state SET hash = '0'": "does not hold the database's last entry",
    "UPDATE journal_state SET seq = seq + 1": "does not hold the database's last entry",
    "INSERT INTO memory_fts(rowid, title) VALUES (77, 'ghost')": "search index",
}


def altered(home, *tamperings):
    """What verify says of a store after these, and the number of the memory that they hit."""
    store = Store(home)
    database = store.connection
    num = database.execute("SELECT num FROM memory WHERE type = 'semantic'").fetchone()[0]
    for tampering in tamperings:
        database.execute(tampering.format(num=num))
    store.close()
    return num, verify(home).problems


def test_verify_names_what_was_altered_behind_its_back(copy, subtests):
    for tampering, told in TAMPERINGS.items():
        with subtests.test(tampering=tampering):
            num, problems = altered(copy(), tampering)
            assert any(told.format(num=num) in problem for problem in problems), problems


ITS_PLACE = [one for one in TAMPERINGS if "journal_state" in one]
ROWS = [one for one in TAMPERINGS if "journal_state" not in one]


@pytest.mark.parametrize("tamperings", [ROWS, *([one] for one in ITS_PLACE)])
def test_a_rebuild_mends_what_was_altered(tamperings, copy, sound):
    home = copy()
    assert altered(home, *tamperings)[1]
    rebuild(home)
    assert rows_of(home) == sound
    assert not is_noticed(home)
