"""One append per event, which neither a crash nor the drain can lose."""

import contextlib
import os
import stat
import threading

import pytest

from memdeck.agents import drain, spool
from memdeck.db.errors import StoreUnusable
from memdeck.tests.forked import Forked


def a_record(kind="turn_ended", **fields):
    return {**spool.new_record(kind, "claude", "s1", "/p"), **fields}


def pending(home):
    return spool.path_of(home)


def test_what_was_appended_is_read_back_whatever_is_in_it(home):
    first, second = a_record(), a_record("session_ended", detail="\ud83d \x00 \u2028 ☕\n+x\n")
    spool.append(home, first)
    spool.append(home, second)
    assert spool.read_spool(home) == [first, second]


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_spool_and_folders_are_private_under_any_umask(home, umask):
    before = os.umask(umask)
    try:
        spool.append(home, a_record())
        drain.keep_failed(home, a_record(), "test")
    finally:
        os.umask(before)
    for folder, _, files in os.walk(home.path):
        assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700
        for name in files:
            assert stat.S_IMODE(os.stat(os.path.join(folder, name)).st_mode) == 0o600


def test_a_torn_tail_swallows_no_neighbour(home):
    first, second = a_record(), a_record()
    spool.append(home, first)
    with open(pending(home), "ab") as file:
        file.write(spool.encode(a_record())[:40])  # a writer was killed in the middle
    spool.append(home, second)

    assert spool.read_spool(home) == [first, second]
    assert spool.read_file(pending(home))[1] == 1


def test_no_record_is_lost_between_writers_and_drains(home):
    ids, seen = [], []
    is_done = threading.Event()

    def write():
        for _ in range(60):
            record = a_record()
            spool.append(home, record)
            ids.append(record["id"])

    def take():
        while not is_done.is_set() or spool.has_waiting(home):
            for claimed in drain.take_claims(home):
                seen.extend(record["id"] for record in claimed.records)
                claimed.finish()

    writers = [threading.Thread(target=write) for _ in range(4)]
    taker = threading.Thread(target=take)
    for thread in (*writers, taker):
        thread.start()
    for thread in writers:
        thread.join()
    is_done.set()
    taker.join()

    assert set(seen) == set(ids)
    assert len(set(ids)) == 240


WRITER = """
from memdeck.db.home import Home
from memdeck.agents import spool
home = Home()
while True:
    record = spool.new_record("turn_ended", "claude", "s", "/p" + "x" * 3000)
    spool.append(home, record)
    print(record["id"], flush=True)
"""


def test_no_acknowledged_record_is_lost_when_writers_are_killed(home):
    acknowledged = []
    for _ in range(4):
        writers = [Forked(WRITER) for _ in range(3)]
        for writer in writers:
            acknowledged += [writer.stdout.readline() for _ in range(10)]
        for writer in writers:
            writer.kill()
            acknowledged += writer.communicate()[0].splitlines(keepends=True)

    found = {record["id"] for record in spool.read_spool(home)}
    whole = {line.strip() for line in acknowledged if line.endswith("\n")}
    assert whole <= found
    assert len(whole) >= 120


def test_a_claim_goes_on_where_a_killed_drain_stopped(home):
    records = [a_record() for _ in range(3)]
    for record in records:
        spool.append(home, record)
    [first] = drain.take_claims(home)
    first.settle(records[0])

    assert spool.has_waiting(home)
    [second] = drain.take_claims(home)
    assert second.records == records[1:]
    second.finish()
    assert not spool.has_waiting(home)


def test_a_record_is_tried_three_times_and_then_set_aside(home):
    record = a_record()
    spool.append(home, record)
    outcomes = []
    for _ in range(3):
        [claimed] = drain.take_claims(home)
        [again] = claimed.records
        outcomes.append(claimed.retry(again, "KeyError drain.py:1"))
        claimed.finish()

    assert outcomes == [True, True, False]
    assert spool.read_spool(home) == []
    [kept] = drain.failed(home)
    assert kept["why"] == "KeyError drain.py:1"
    assert kept["record"]["id"] == record["id"]


LINKS = ("spool/pending.jsonl", "spool/failed", "spool/tasks", "log/hooks.log", "log/fired")


@pytest.mark.parametrize("place", [*LINKS, "spool", "log"])
def test_a_link_in_the_queue_or_the_log_is_not_followed(place, home, tell, payload, tmp_path):
    target = tmp_path / "theirs"
    home.prepare()
    if place.endswith((".jsonl", ".log")):
        target.write_bytes(b"theirs")
    else:
        for name in ("failed", "tasks", "fired"):
            (target / name).mkdir(parents=True)
        for path in (target / "pending.jsonl", target / "hooks.log"):
            path.write_bytes(b"theirs")
    if os.path.isdir(link := os.path.join(home.path, place)):
        os.rmdir(link)
    os.symlink(target, link)
    task = {"prompt": "look for the tide gauge", "subagent_type": "Explore"}
    if place != "spool":
        with contextlib.suppress(StoreUnusable):
            drain.keep_failed(home, a_record(), "test")
    tell({**payload("PreToolUse.Bash"), "tool_name": "Agent", "tool_input": task}, "claude")
    tell(payload("Stop"), "claude", "Stop")
    spool.log_error(home, "claude Stop", "why")
    with contextlib.suppress(StoreUnusable):
        drain.drain_spool(home)
    files = [path for path in (target, *target.rglob("*")) if path.is_file()]
    assert {path.read_bytes() for path in files} == {b"theirs"}
    assert len(files) == (1 if target.is_file() else 2)
    if place == "spool":
        assert "StoreUnusable" in " ".join(spool.last_errors(home))
