"""What a crash tore of a record that never counted harms nobody, is told once, and is swept.

What was acknowledged and altered since is written again from the database.
"""

import os
import shutil
from pathlib import Path

import pytest

from memdeck import open_memory
from memdeck.cli.main import run
from memdeck.db import journal
from memdeck.tests.mending import rebuild

FIRST, SECOND, THIRD = "Berth 1 is dry", "Berth 2 floods", "Berth 3 is let"
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def say(home, text):
    """Remember a text; where its record begins and ends."""
    with open_memory(home, "harbour") as memory:
        start = memory._store.position()
        memory.remember(text)
        return start, memory._store.position()


@pytest.fixture
def behind(home):
    """A store with one memory, whose database does not know of what is said next."""
    say(home, FIRST)
    shutil.copy(home.database, home.path + ".old")

    def lose():
        for suffix in ("-wal", "-shm"):
            Path(home.database + suffix).unlink(missing_ok=True)
        shutil.copy(home.path + ".old", home.database)

    return lose


def zero(home, at, length):
    with open(journal.segment_path(home, 1), "r+b") as file:
        file.seek(at)
        file.write(b"\0" * length)


def append(home, data):
    with open(journal.segment_path(home, 1), "ab") as file:
        file.write(data)


def torn(home):
    return [Path(path) for path in journal.torn_files(home)]


def whole(home):
    with open_memory(home, "harbour") as memory:
        assert memory.problems_at_opening() == [], "told already"
        assert memory.verify().ok, memory.verify().problems
        memory.remember(THIRD)
        return memory.verify()


def in_the_middle(home):
    start, end = say(home, SECOND)
    zero(home, (start.offset + end.offset) // 2 - 256, 512)


def at_its_end(home):
    _, end = say(home, SECOND)
    zero(home, end.offset - 300, 300)


def without_newline(home):
    _, end = say(home, SECOND)
    os.truncate(journal.segment_path(home, 1), end.offset - 100)


def zeros_behind(home):
    append(home, b"\0" * 4_096)


def several(home):
    start, _ = say(home, SECOND)
    zero(home, start.offset + 100, 50)
    append(home, b"\n{half of one\n")
    append(home, b"\n{and of another")


@pytest.mark.parametrize(
    "tear", [in_the_middle, at_its_end, without_newline, zeros_behind, several]
)
def test_what_never_counted_is_told_once_and_harms_nobody(tear, home, behind, texts, contents):
    tear(home)
    behind()
    with open_memory(home, "harbour") as memory:
        assert len(memory.problems_at_opening()) == (3 if tear is several else 1)
        assert memory.verify().ok
    assert whole(home).ok
    assert texts(home) == [FIRST, THIRD]
    before = contents(home)
    os.unlink(home.database)
    rebuild(home)
    assert contents(home) == before


def test_the_command_line_says_it_once(home, behind, capsys, monkeypatch):
    monkeypatch.setenv("MEMDECK_HOME", home.path)
    in_the_middle(home)
    behind()
    assert run(["verify", "--project", "harbour"]) == 0
    told = capsys.readouterr()
    assert "never acknowledged, passed over: journal/000001.jsonl" in told.err
    assert told.out.startswith("whole")
    assert run(["verify", "--project", "harbour"]) == 0
    assert "journal" not in capsys.readouterr().err


def test_a_good_record_behind_a_torn_one_that_it_does_not_know_of_counts(home, behind, texts):
    """The torn one never counted: the next writer went on from the record before it."""
    say(home, SECOND)
    path = journal.segment_path(home, 1)
    with open(path, "rb") as file:
        data = file.read()
    start = data.rstrip(b"\n").rfind(b"\n")
    with open(path, "wb") as file:
        file.write(data[:start] + b"\n{half of a record\n" + data[start:])
    behind()
    assert texts(home) == [FIRST, SECOND]
    assert whole(home).ok
    assert texts(home) == [FIRST, SECOND, THIRD]


@pytest.mark.parametrize("is_known", [True, False])
@pytest.mark.parametrize("last", [True, False])
def test_an_acknowledged_record_that_was_altered_is_written_again(
    is_known, last, home, behind, texts
):
    """Where the database does not know of it either, the history says that it is lost."""
    start, end = say(home, SECOND)
    if not last:
        say(home, THIRD)
    zero(home, (start.offset + end.offset) // 2, 20)
    if not is_known:
        behind()
    is_repaired = is_known or not last
    with open_memory(home, "harbour") as memory:
        [problem] = memory.problems_at_opening()
        assert memory.verify().ok
        actions = [entry.action for entry in memory.audit()]
    if is_repaired:
        assert "Repaired" in problem
        assert actions[0] == "repair"
        assert ("lost" in actions) is not is_known
    assert texts(home) == [FIRST, *[SECOND] * is_known, *[THIRD] * (not last)]
    assert len(torn(home)) == is_repaired
    assert whole(home).ok


def test_secrets_are_found_in_what_was_torn_and_taken_out(home, behind):
    append(home, f'\n{{"content": "The token is {SECRET}, ask ops'.encode())
    with open_memory(home, "harbour") as memory:
        assert "journal" in {held.place for held in memory.find_secrets()}
        assert memory.redact_store().left == ()
        assert memory.verify().ok
    for path in Path(home.path).rglob("*"):
        assert not path.is_file() or SECRET.encode() not in path.read_bytes()
