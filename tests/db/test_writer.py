"""Each line of the journal says which home wrote it, and when among the lines of all homes."""

import json
import shutil
import sqlite3
from datetime import UTC, datetime, timedelta

import pytest

from memdeck import MemoryCoordinator
from memdeck.tests.mending import rebuild

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def lines(path):
    """The journal's records, in order."""
    text = "".join(file.read_text() for file in sorted((path / "journal").glob("*.jsonl")))
    return [json.loads(line) for line in text.splitlines() if line]


def remember(path, text, now=NOW):
    core = MemoryCoordinator.open(path, "harbour", clock=lambda: now)
    try:
        core.remember(text)
        assert core.verify().ok
    finally:
        core.close()


def test_every_line_names_its_home_which_keeps_its_name(tmp_path):
    remember(tmp_path, "Berth 12 floods at spring tide")
    remember(tmp_path, "The crane at pier C lifts forty tonnes", NOW + timedelta(days=1))
    known = lines(tmp_path)
    assert len({line["writer"] for line in known}) == 1
    assert known[0]["writer"] == (tmp_path / "writer").read_text().strip()
    assert list(known[0])[:4] == ["seq", "at", "writer", "clock"]
    assert (tmp_path / "writer").stat().st_mode & 0o777 == 0o600


def test_two_homes_have_two_names(tmp_path):
    for name in ("a", "b"):
        remember(tmp_path / name, "Berth 12 floods at spring tide")
    a, b = (lines(tmp_path / name)[0] for name in ("a", "b"))
    assert a["writer"] != b["writer"]
    assert a["clock"] == b["clock"]


def test_the_clock_goes_on_when_the_wall_clock_is_put_back(tmp_path):
    for days in (0, 400, -400, 0, 401):
        remember(tmp_path, f"Berth {days + 500} is closed", NOW + timedelta(days=days))
    clocks = [line["clock"] for line in lines(tmp_path)]
    assert clocks == sorted(set(clocks))
    assert clocks[-1].startswith(f"{int((NOW + timedelta(days=401)).timestamp() * 1000):014d}-")


@pytest.mark.slow
def test_an_act_of_many_lines_has_a_clock_for_each_and_so_has_its_undo(tmp_path):
    core = MemoryCoordinator.open(tmp_path, "harbour", clock=lambda: NOW)
    core.import_memories({"content": f"Berth {n} is {n} metres long"} for n in range(1_001))
    core.undo()
    core.close()
    clocks = [line["clock"] for line in lines(tmp_path)]
    assert len(clocks) >= 6
    assert clocks == sorted(set(clocks))
    assert len({line["writer"] for line in lines(tmp_path)}) == 1


@pytest.mark.parametrize("is_rebuilt", [False, True])
def test_the_clock_is_known_again_after_a_crash_and_a_rebuild(tmp_path, is_rebuilt):
    """A crash between the journal's sync and the commit: the tables know nothing of the line."""
    remember(tmp_path, "Berth 12 floods at spring tide")
    shutil.copy(tmp_path / "memory.db", tmp_path / "before.db")
    remember(tmp_path, "The crane lifts forty tonnes", NOW + timedelta(days=9))
    shutil.move(tmp_path / "before.db", tmp_path / "memory.db")
    if is_rebuilt:
        rebuild(tmp_path)
    remember(tmp_path, "Pilots report by radio", NOW + timedelta(days=1))
    clocks = [line["clock"] for line in lines(tmp_path)]
    assert len(clocks) == 3
    assert clocks == sorted(set(clocks))


@pytest.mark.parametrize("damaged", ["", "somebody\n", "0" * 5_000])
def test_a_name_that_cannot_be_read_is_made_anew(tmp_path, damaged):
    remember(tmp_path, "Berth 12 floods at spring tide")
    (tmp_path / "writer").write_text(damaged)
    remember(tmp_path, "The crane lifts forty tonnes")
    assert lines(tmp_path)[-1]["writer"] == (tmp_path / "writer").read_text().strip()


def test_a_name_is_no_secret_to_the_search_for_secrets(tmp_path):
    remember(tmp_path, "Berth 12 floods at spring tide")
    core = MemoryCoordinator.open(tmp_path, "harbour")
    assert list(core.find_secrets()) == []
    core.close()
    with sqlite3.connect(tmp_path / "memory.db") as database:
        assert database.execute("SELECT clock FROM journal_state").fetchone()[0]


@pytest.mark.parametrize(
    ("last", "now_ms", "following"),
    [
        (None, 5, "00000000000005-00000"),
        ("00000000000005-00000", 5, "00000000000005-00001"),
        ("00000000000005-00001", 6, "00000000000006-00000"),
        ("00000000000005-99998", 4, "00000000000005-99999"),
        ("00000000000005-99999", 4, "00000000000006-00000"),
        (None, -7, "00000000000000-00000"),
    ],
)
def test_lines_of_one_millisecond_are_counted_and_then_count_as_later(
    open_core, home_path, last, now_ms, following
):
    epoch = datetime(1970, 1, 1, tzinfo=UTC)
    core = open_core(clock=lambda: epoch + timedelta(milliseconds=now_ms))
    if last is not None:
        core.remember("Berth 11 is dry")
        with sqlite3.connect(home_path / "memory.db") as database:
            database.execute("UPDATE journal_state SET clock = ?", (last,))
    core.remember("Berth 12 floods at spring tide")
    assert lines(home_path)[-1]["clock"] == following
