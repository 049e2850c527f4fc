"""What a crash left of a record that never counted is moved out, told once, and swept for secrets.

What was acknowledged and altered since is written again from the database.
"""

import errno
import os
import shutil
import stat
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


def full(*_):
    raise OSError(errno.ENOSPC, "No space left on device")


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
def test_what_never_counted_is_moved_out_and_told_once(tear, home, behind, texts, contents):
    tear(home)
    behind()
    size = os.path.getsize(journal.segment_path(home, 1))
    with open_memory(home, "harbour") as memory:
        told = memory.problems_at_opening()
        assert memory.verify().ok
    files = torn(home)
    assert len(told) == len(files) == (3 if tear is several else 1)
    assert all(str(path.name) in one for path, one in zip(files, told, strict=True))
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    moved = sum(path.stat().st_size for path in files)
    assert os.path.getsize(journal.segment_path(home, 1)) + moved == pytest.approx(size, abs=10)
    assert whole(home).ok
    assert texts(home) == [FIRST, THIRD]
    before = contents(home)
    os.unlink(home.database)
    assert rebuild(home).skipped == []
    assert contents(home) == before


def test_the_command_line_says_it_once(home, behind, capsys, monkeypatch):
    monkeypatch.setenv("MEMDECK_HOME", home.path)
    in_the_middle(home)
    behind()
    assert run(["verify", "--project", "harbour"]) == 0
    told = capsys.readouterr()
    assert "never acknowledged, moved to journal/torn-000001-" in told.err
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
    assert len(torn(home)) == 1
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
    with open_memory(home, "harbour") as memory:
        [problem] = memory.problems_at_opening()
        assert memory.verify().ok
        actions = [entry.action for entry in memory.audit()]
    if is_known or not last:
        assert "Repaired" in problem
        assert actions[0] == "repair"
        assert ("lost" in actions) is not is_known
    assert texts(home) == [FIRST, *[SECOND] * is_known, *[THIRD] * (not last)]
    assert len(torn(home)) == 1
    assert whole(home).ok


def test_what_was_passed_over_and_written_behind_is_no_alteration(home, behind, monkeypatch):
    """As an older memdeck left it, or a full disk: the chain knows nothing of that line."""
    in_the_middle(home)
    behind()
    with monkeypatch.context() as no_space:
        no_space.setattr(journal.os, "replace", full)
        say(home, THIRD)
    with open_memory(home, "harbour") as memory:
        assert [found.problem for found in journal.read(home)] == ["", "altered", ""]
        assert memory.verify().ok, memory.verify().problems
    Path(home.log, "hooks.log").write_text(f"token {SECRET}")
    with open_memory(home, "harbour") as memory:
        assert memory.redact_store().left == ()
        assert memory.verify().ok
    assert [found.problem for found in journal.read(home)] == ["", ""]


DIE_WHILE_MOVING = """
from memdeck.db import journal
from memdeck.db.home import Home
from memdeck.db.store import Store

sync, replace = os.fsync, os.replace
point = given[0]
calls = []
def third(handle):
    calls.append(1)
    sync(handle)
    if len(calls) == int(point):
        die()
if point.isdigit():
    os.fsync = third
elif point == "before the exchange":
    os.replace = die
else:
    os.replace = lambda *paths: (replace(*paths), die())
Store(Home(home))
"""


@pytest.mark.parametrize("point", ["1", "2", "3", "4", "before the exchange", "after the exchange"])
def test_a_crash_while_it_is_moved_loses_nothing(point, home, behind, texts, child):
    several(home)
    behind()
    data = Path(journal.segment_path(home, 1)).read_bytes()
    lost = [line for line in data.split(b"\n") if line and journal.unseal(line)[0] is None]
    assert child(DIE_WHILE_MOVING, point).returncode == -9
    assert texts(home) == [FIRST]
    assert sorted(path.read_bytes().strip(b"\n") for path in torn(home)) == sorted(lost)
    assert whole(home).ok
    assert not list(Path(home.journal).glob("*.tmp"))


def test_on_a_full_disk_the_line_stays_and_the_store_opens(home, behind, texts, monkeypatch):
    in_the_middle(home)
    behind()
    with monkeypatch.context() as no_space:
        no_space.setattr(journal.os, "replace", full)
        assert texts(home) == [FIRST]
    assert texts(home) == [FIRST]
    assert len(torn(home)) == 1
    assert whole(home).ok


def test_secrets_are_found_in_what_was_moved_and_taken_out(home, behind):
    append(home, f'\n{{"content": "The token is {SECRET}, ask ops'.encode())
    with open_memory(home, "harbour") as memory:
        assert len(torn(home)) == 1
        assert torn(home)[0].name in {held.name for held in memory.find_secrets()}
        done = memory.redact_store()
        assert done.left == ()
        assert memory.verify().ok
    assert torn(home) == []
    for path in Path(home.path).rglob("*"):
        assert not path.is_file() or SECRET.encode() not in path.read_bytes()
