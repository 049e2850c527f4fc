"""Journal and tables as one, whatever happens in between."""

import os
from pathlib import Path

import pytest

from memdeck import BadInput, Refused, StoreNewer, StoreUnusable
from memdeck.db import journal
from memdeck.db.home import Home
from memdeck.db.rebuild import verify as look_at
from memdeck.db.store import MAX_ROWS, Store
from memdeck.tests.mending import rebuild, verify

DETAILS = {
    "concept": "tide",
    "category": "fact",
    "source_sessions": [],
    "evidence_count": 1,
    "related_concepts": [],
}


@pytest.fixture
def store(home):
    opened = Store(home)
    yield opened
    opened.close()


def an_image(change, text="Berth 12 floods at spring tide", **fields):
    """A valid memory image, to be varied."""
    num = change.next_num()
    image = {
        **dict.fromkeys(
            ("agent", "agent_id", "due", "expires", "key", "line", "ref", "retired_as")
        ),
        **dict.fromkeys(("retired_at", "role", "session", "transcript")),
        "num": num,
        "id": f"m{num:08}",
        "type": "semantic",
        "category": "warning",
        "scope": "project",
        "project": "harbour-0000000001",
        "status": "candidate",
        "title": text[:20],
        "content": text,
        "importance": 0.5,
        "confidence": 0.7,
        "privacy": "public",
        "tags": ["tide"],
        "files": ["berths/tide.py"],
        "fingerprint": "f" * 16,
        "tokens": 7,
        "created_at": 1_000,
        "updated_at": 1_000,
        "details": DETAILS,
    }
    return {**image, **fields}


def add(store, text="Berth 12 floods at spring tide", **fields):
    with store.change("add", actor="person", at=1_000) as change:
        image = an_image(change, text, **fields)
        change.put("memory", image)
    return image


def ids(store):
    return [row[0] for row in store.connection.execute("SELECT id FROM memory ORDER BY num")]


def test_a_change_and_its_journal_line_stand_together(store, home):
    image = add(store)
    [found] = list(journal.read(home))
    assert found.record["action"] == "add"
    written = {name: value for name, value in image.items() if value is not None}
    assert found.record["changes"] == [
        {"table": "memory", "key": image["id"], "before": None, "after": written}
    ]
    with store.change("edit", actor="person", at=2) as change:
        change.put("memory", {**image, "importance": 1, "due": 3})
    [_, edited] = [found.record["changes"][0] for found in journal.read(home)]
    assert edited["before"] == {"importance": image["importance"], "due": None}
    assert edited["after"] == {"importance": 1, "due": 3}
    assert ids(store) == [image["id"]]


def test_a_change_that_fails_leaves_no_trace(store, home):
    with pytest.raises(RuntimeError), store.change("add", actor="person", at=1) as change:
        change.put("memory", an_image(change))
        raise RuntimeError("the caller failed")
    assert ids(store) == []
    assert list(journal.read(home)) == []


def test_what_the_tables_refuse_never_reaches_the_journal(store, home):
    with pytest.raises(BadInput, match="outside what the store takes"):
        add(store, importance=1.5)
    assert list(journal.read(home)) == []
    assert add(store)["id"] in ids(store)


def test_a_change_of_nothing_writes_nothing(store, home):
    image = add(store)
    with store.change("edit", actor="person", at=2) as change:
        change.put("memory", dict(image))
    assert len(list(journal.read(home))) == 1


def test_a_record_carries_at_most_a_thousand_memories(store):
    with store.change("import", actor="person", at=1) as change:
        images = [an_image(change) for _ in range(MAX_ROWS)]
        for image in images:
            change.put("memory", image)
    assert ids(store) == [image["id"] for image in images]  # in the order in which they came
    with (
        pytest.raises(Refused, match="at most"),
        store.change("import", actor="person", at=1) as change,
    ):
        for _ in range(MAX_ROWS + 1):
            change.put("memory", an_image(change))


def test_rebuild_brings_every_row_back_without_the_database(store, home):
    images = [add(store, f"Memory number {number}") for number in range(5)]
    store.take_back(3, at=9)
    store.close()
    for suffix in ("", "-wal", "-shm"):
        if os.path.exists(home.database + suffix):
            os.remove(home.database + suffix)
    report = rebuild(home)
    assert (report.records, report.memories) == (6, 4)
    again = Store(home)
    assert ids(again) == [image["id"] for image in images if image is not images[2]]
    assert verify(home).ok
    again.close()


def test_verify_names_a_missing_and_an_extra_row(store, home):
    image = add(store)
    add(store, "Another one")
    store.connection.execute("DELETE FROM memory WHERE id = ?", (image["id"],))
    assert any("missing" in problem for problem in verify(home).problems)


def test_verify_names_a_dropped_journal_line(store, home):
    for number in range(3):
        add(store, f"Memory number {number}")
    path = journal.segment_path(home, 1)
    with open(path, "rb") as file:
        lines = [line for line in file.read().split(b"\n") if line]
    with open(path, "wb") as file:
        file.write(b"".join(b"\n" + line + b"\n" for line in (lines[0], lines[2])))
    assert any("entry 2 was altered or dropped" in problem for problem in look_at(store).problems)
    store.close()
    assert verify(home).ok  # repaired when it was opened


def test_verify_names_lines_that_stand_twice(store, home):
    add(store)
    path = Path(journal.segment_path(home, 1))
    path.write_bytes(2 * path.read_bytes())
    assert any("or stand twice" in problem for problem in look_at(store).problems)


def test_verify_finds_stale_words_in_the_search_index(store, home):
    add(store)
    store.connection.execute("INSERT INTO memory_fts(rowid, title) VALUES (77, 'ghost')")
    assert any("search index" in problem for problem in verify(home).problems)


def test_a_newer_store_is_refused_and_left_alone(store, home):
    add(store)
    store.database.pragma("user_version", 99)
    store.database.pragma("application_id", 0x6D640000 + 99)
    store.close()
    before = Path(home.database).read_bytes()
    with pytest.raises(StoreNewer, match="schema 99"):
        Store(home)
    assert Path(home.database).read_bytes() == before


@pytest.mark.parametrize("mask", [0o000, 0o022])
def test_every_file_is_private_under_any_umask(tmp_path, mask):
    old = os.umask(mask)
    try:
        store = Store(Home(tmp_path / "home"))
        add(store)
        for folder, _, names in os.walk(tmp_path / "home"):
            assert os.stat(folder).st_mode & 0o777 == 0o700
            for name in names:
                assert os.stat(os.path.join(folder, name)).st_mode & 0o777 == 0o600, name
        store.close()
    finally:
        os.umask(old)


@pytest.mark.parametrize("name", ["memory.db", "journal", "spool", "log", "backups"])
def test_links_are_refused(tmp_path, name):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "home").mkdir()
    os.symlink(tmp_path / "elsewhere", tmp_path / "home" / name)
    with pytest.raises(StoreUnusable, match="symbolic link") as refused:
        Store(Home(tmp_path / "home"))
    assert str(tmp_path / "elsewhere") in refused.value.hint
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_the_home_itself_may_be_a_link(tmp_path):
    (tmp_path / "dotfiles").mkdir()
    os.symlink(tmp_path / "dotfiles", tmp_path / "home")
    store = Store(Home(tmp_path / "home"))
    add(store)
    store.close()
    assert (tmp_path / "dotfiles" / "memory.db").stat().st_size


def test_a_file_in_the_homes_place_is_a_clear_error(tmp_path):
    (tmp_path / "home").write_text("a file")
    with pytest.raises(StoreUnusable, match="is a file"):
        Store(Home(tmp_path / "home"))
