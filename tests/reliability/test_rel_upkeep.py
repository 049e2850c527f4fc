"""What an open store leaves behind: no transaction, no large log, no file that others may read."""

import os
import shutil
import sqlite3
from contextlib import closing
from datetime import timedelta

import pytest

from memdeck import Capture, ManagerError, MemoryCoordinator, open_memory
from memdeck.core.sessions.turns import Turn
from memdeck.tests.mending import rebuild
from memdeck.tests.receipts import receipt_of

TIDE = "Berth 12 floods at spring tide, so boats over nine metres are moved to pier C"
LOCKS = "The reservation table is locked per berth because two skippers once got the same one"


def waiting(core):
    """The id of a candidate."""
    told = "From now on always run `make test-db` before the integration tests, they need its data."
    [result] = core.offer([Capture(content=told, rule="person.instruction")])
    return result.memory_id


def rules_of(core):
    """A file of standing instructions."""
    path = os.path.join(os.path.dirname(core.home.path), "AGENTS.md")
    with open(path, "w", encoding="utf-8") as file:
        file.write("- Read the tide table before you move a berth.\n")
    return path


def recorded(core):
    """What an agent recorded in a session of its own."""
    core.session_seen("s2", "claude", "/harbour")
    told = "Run `make tides` before you move a berth: the table is stale otherwise."
    memory = core.learn(told, session="s2", why="the boat came aground").result.memory_id
    [recording] = core.recordings(memory)
    return recording


def promoted_everywhere(core, memory):
    with core.agreeing(lambda _: True):
        return core.promote(memory, "global")


def pinned_as_one(core, *memories):
    with core.as_one_act():
        for memory in memories:
            core.pin(memory)
    return core.undo()


CALLS = {
    "remember": lambda core, one, other: core.remember(f"{TIDE}, again"),
    "offer": lambda core, one, other: core.offer([Capture(content=f"{TIDE}, offered")]),
    "store": lambda core, one, other: core.store(f"{TIDE}, stored", "semantic"),
    "import_memories": lambda core, one, other: core.import_memories([{"content": "x"}, {}]),
    "edit": lambda core, one, other: core.edit(one, title="Tides"),
    "pin": lambda core, one, other: core.pin([one, other]),
    "unpin": lambda core, one, other: core.unpin(one),
    "confirm": lambda core, one, other: core.confirm(one),
    "retag": lambda core, one, other: core.retag(one, add=["tide"]),
    "forget": lambda core, one, other: core.forget(one),
    "restore": lambda core, one, other: core.restore(one),
    "delete_memory": lambda core, one, other: core.delete_memory("nobody"),
    "clear_working_memory": lambda core, one, other: core.clear_working_memory("s1"),
    "determine_memory_type": lambda core, one, other: core.determine_memory_type("TODO: x"),
    "route_storage": lambda core, one, other: core.route_storage(f"{TIDE}, routed", "semantic"),
    "route_retrieval": lambda core, one, other: core.route_retrieval("which berth floods?"),
    "link": lambda core, one, other: core.link(one, other, "extends"),
    "mark_conflict": lambda core, one, other: core.mark_conflict(one, other),
    "agreeing": lambda core, one, other: promoted_everywhere(core, one),
    "act": lambda core, one, other: core.act(1),
    "as_one_act": pinned_as_one,
    "undo": lambda core, one, other: core.undo(),
    "redo": lambda core, one, other: core.redo(),
    "show": lambda core, one, other: core.show(one),
    "resolve": lambda core, one, other: core.resolve(one[:15]),
    "links": lambda core, one, other: core.links(one),
    "history": lambda core, one, other: core.history(one),
    "list": lambda core, one, other: core.list("tide"),
    "find": lambda core, one, other: [core.find("tide", p) for p in ("newest", "ranked", "exact")],
    "rows": lambda core, one, other: core.rows(core.find("").nums),
    "memory": lambda core, one, other: core.memory(core.find("").nums[0]),
    "facets": lambda core, one, other: core.facets("tide"),
    "count": lambda core, one, other: core.count("tide -pier"),
    "suggest": lambda core, one, other: core.suggest("tyde"),
    "search": lambda core, one, other: core.search("which berth floods?"),
    "suggest_instead": lambda core, one, other: core.suggest_instead("when is tyde?"),
    "account": lambda core, one, other: core.account("tide", core.search("tide")[0]),
    "retrieve": lambda core, one, other: core.retrieve("tide", deduplicate=True),
    "recall": lambda core, one, other: core.recall("which berth floods?", session="s1"),
    "receipts": lambda core, one, other: core.receipts(),
    "receipt": lambda core, one, other: core.receipt("0"),
    "keep_receipt": lambda core, one, other: core.keep_receipt(receipt_of(core, "spring tide")),
    "note_known": lambda core, one, other: core.note_known(
        receipt_of(
            core, "spring tide", items=[], left_out=[[one, "injected before in this session"]]
        )
    ),
    "session_seen": lambda core, one, other: core.session_seen("s1", "claude", "/harbour"),
    "session_goal": lambda core, one, other: core.session_goal("s1", "look"),
    "session_ended": lambda core, one, other: core.session_ended("s1", "other"),
    "transcript_mark": lambda core, one, other: core.transcript_mark("/t"),
    "set_transcript_mark": lambda core, one, other: core.set_transcript_mark("/t", 1, 1),
    "audit": lambda core, one, other: core.audit(since=core.now() - timedelta(days=1)),
    "differences": lambda core, one, other: core.differences(1),
    "last_seq": lambda core, one, other: core.last_seq(),
    "data_version": lambda core, one, other: core.data_version(),
    "verify": lambda core, one, other: core.verify(),
    "settings_problems": lambda core, one, other: core.settings_problems(),
    "rebuild": lambda core, one, other: core.rebuild(),
    "problems_at_opening": lambda core, one, other: core.problems_at_opening(),
    "projects": lambda core, one, other: core.projects(),
    "stats": lambda core, one, other: core.stats(),
    "accept": lambda core, one, other: core.accept(waiting(core)),
    "accept_edited": lambda core, one, other: core.accept_edited(waiting(core), title="Tides"),
    "add_alias": lambda core, one, other: core.add_alias("berth", ["mooring"]),
    "aliases": lambda core, one, other: core.aliases(),
    "candidacy": lambda core, one, other: core.candidacy(waiting(core)),
    "salience": lambda core, one, other: core.salience(waiting(core)),
    "audit_count": lambda core, one, other: core.audit_count(),
    "done": lambda core, one, other: core.done(
        core.remember("Renew the certificate of the feed", type="prospective").memory_id
    ),
    "begin_todos": lambda core, one, other: core.begin_todos("s1", ["look"]),
    "end_todos": lambda core, one, other: core.end_todos("s1", [("look", core.now())]),
    "checkpoint": lambda core, one, other: core.checkpoint("s1", 10),
    "checkpoints": lambda core, one, other: core.checkpoints("s1"),
    "clear_expired": lambda core, one, other: core.clear_expired(),
    "complete_task": lambda core, one, other: core.complete_task("s1", "1"),
    "conflict": lambda core, one, other: core.conflict(core.mark_conflict(one, other)),
    "correct": lambda core, one, other: core.correct([]),
    "conflicts": lambda core, one, other: core.conflicts(resolved=None),
    "create_working_memory": lambda core, one, other: core.create_working_memory(
        "Look at pier C", "s1"
    ),
    "end_quarantines": lambda core, one, other: core.end_quarantines(),
    "envelope": lambda core, one, other: core.envelope(one),
    "feedback": lambda core, one, other: core.feedback("0", one, True),
    "finalize_session": lambda core, one, other: core.finalize_session("s1"),
    "find_secrets": lambda core, one, other: core.find_secrets(),
    "fork_session": lambda core, one, other: core.fork_session("s1"),
    "has_ended": lambda core, one, other: core.has_ended("s1"),
    "health": lambda core, one, other: core.health(),
    "hold_prompt": lambda core, one, other: core.hold_prompt("s1", "Look at pier C"),
    "index_problem": lambda core, one, other: core.index_problem(),
    "marker_at_mark": lambda core, one, other: core.marker_at_mark("/t"),
    "is_recorded": lambda core, one, other: core.is_recorded("s1"),
    "merge": lambda core, one, other: core.merge(one, other),
    "neighbours": lambda core, one, other: core.neighbours(TIDE),
    "promote": lambda core, one, other: core.promote(one, "global"),
    "receipt_named": lambda core, one, other: core.receipt_named("0"),
    "redact_store": lambda core, one, other: core.redact_store(),
    "redaction_choice": lambda core, one, other: core.redaction_choice(),
    "refused_captures": lambda core, one, other: core.refused_captures(),
    "reject": lambda core, one, other: core.reject(waiting(core)),
    "remove_alias": lambda core, one, other: core.remove_alias("berth"),
    "rescue": lambda core, one, other: core.rescue(1),
    "resolve_conflict": lambda core, one, other: core.resolve_conflict(
        core.mark_conflict(one, other), "a"
    ),
    "reviews": lambda core, one, other: core.reviews(waiting(core)),
    "session_named": lambda core, one, other: core.session_named("s1"),
    "sessions": lambda core, one, other: core.sessions(),
    "set_ceiling": lambda core, one, other: core.set_ceiling(2_000),
    "set_incognito": lambda core, one, other: core.set_incognito("s1"),
    "set_preset": lambda core, one, other: core.set_preset("aggressive"),
    "snooze": lambda core, one, other: core.snooze(waiting(core), core.now() + timedelta(hours=1)),
    "sync_tasks": lambda core, one, other: core.sync_tasks("s1", []),
    "wanted_everywhere": lambda core, one, other: core.wanted_everywhere(),
    "worth": lambda core, one, other: core.worth(one),
    "weigh": lambda core, one, other: core.weigh(),
    "note_uses": lambda core, one, other: core.note_uses("s1", [Turn("assistant", TIDE, line=1)]),
    "activity": lambda core, one, other: core.activity("s1"),
    "import_instructions": lambda core, one, other: core.import_instructions(rules_of(core)),
    "instructions_in": lambda core, one, other: core.instructions_in(rules_of(core)),
    "note_activity": lambda core, one, other: core.note_activity("s1", files=["tide.py"]),
    "note_step": lambda core, one, other: core.note_step("x", "s1", todo_id="1", stage="plan"),
    "set_switch": lambda core, one, other: core.set_switch("incognito", True),
    "working_memory": lambda core, one, other: core.working_memory("s1"),
    "is_here": lambda core, one, other: core.is_here("/harbour"),
    "learn": lambda core, one, other: recorded(core),
    "recordings": lambda core, one, other: core.recordings(recorded(core).memory),
    "settle_recording": lambda core, one, other: core.settle_recording(recorded(core).id, "agent"),
    "keep": lambda core, one, other: core.keep(one),
    "profile": lambda core, one, other: core.profile(),
    "summaries": lambda core, one, other: core.summaries(),
    "opened_summary": lambda core, one, other: core.opened_summary("nobody"),
    "unchecked": lambda core, one, other: core.unchecked(recorded(core).session),
    "as_of": lambda core, one, other: core.as_of(core.now()).close(),
    "withdraw_recording": lambda core, one, other: core.withdraw_recording(recorded(core).id),
}


def two(core):
    one = core.remember(TIDE, tags=["tide"], files=["berths/tide.py"]).memory_id
    return one, core.remember(LOCKS).memory_id


def test_no_call_leaves_a_transaction_or_a_half_read_answer_open(open_core, home, subtests):
    """A reader that is left open would keep the log from ever being folded in."""
    core = open_core()
    pair = two(core)
    core.pin(pair[0])
    core.undo()
    core.close()
    shutil.copytree(home.path, as_it_was := f"{home.path}-as-it-was")
    core = open_core()
    for name, call in CALLS.items():
        with subtests.test(call=name):
            seq, before = core.last_seq(), core.list()
            try:
                kept = call(core, *pair)  # and what it answers holds nothing open either
            except ManagerError as error:
                kept = error
            assert not core._store.connection.in_transaction
            with closing(sqlite3.connect(home.database, timeout=0)) as other:
                busy, _, left = other.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                assert (busy, left) == (0, 0)
                other.execute("BEGIN IMMEDIATE")
                other.execute("ROLLBACK")
            log = home.database + "-wal"
            assert not os.path.exists(log) or os.path.getsize(log) == 0
            assert (kept, before) is not None
        if core.last_seq() != seq:
            core.close()
            shutil.rmtree(home.path)
            shutil.copytree(as_it_was, home.path)
            core = open_core()


FAILING = {
    "forget": lambda core, one, other: core.forget([one, "nobody"]),
    "edit": lambda core, one, other: core.edit(one, importance=7),
    "undo": lambda core, one, other: core.undo(4711),
    "pin": lambda core, one, other: (core.forget(one), core.pin([other, one])),
    "remember": lambda core, one, other: core.remember(""),
    "search": lambda core, one, other: core.search("tide", limit=2**70),
}


@pytest.mark.parametrize("name", FAILING)
def test_no_refusal_leaves_a_transaction_open(core, home, name):
    pair = two(core)
    with pytest.raises(ManagerError):
        FAILING[name](core, *pair)
    assert not core._store.connection.in_transaction
    with closing(sqlite3.connect(home.database, timeout=0)) as other:
        assert other.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
    assert core.verify().ok


# --- the write-ahead log

WRITE = """
from memdeck import open_memory
from memdeck.tests.fillers import filler
with open_memory(home, "harbour") as memory:
    for part in range(5):
        memory.import_memories({"content": f"{part} {n} " + "tide " * 60} for n in range(100))
        for number in range(30):
            memory.remember(filler(30 * part + number))
"""


def test_the_log_stays_small_while_the_app_looks_on(home, child):
    """8,000 writes with a reader that is half through made it 357 MB; an app that is not, 6."""
    with open_memory(home, "harbour") as app:
        app.remember(TIDE)
        shown = app.find("")
        seen = app.data_version()
        done = child(WRITE)
        assert done.returncode == 0, done.stderr
        assert os.path.getsize(home.database + "-wal") < 12_000_000
        assert app.data_version() != seen
        assert app.find("").total == 651
        assert app.rows(shown.nums)[0].title.startswith("Berth 12")


# --- who may read what is written


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077])
def test_no_file_is_ever_open_to_others(tmp_path, mask):
    home = tmp_path / "home"
    old = os.umask(mask)
    try:
        with open_memory(home, "harbour") as core:
            core.remember(TIDE)
            core.recall("spring tide")
            check_modes(home)
        with open(home / "memory.db", "r+b") as file:
            file.truncate(5_000)
        report = rebuild(core.home)
        assert report.set_aside
        with open_memory(home, "harbour") as core:
            core.remember(LOCKS)
            check_modes(home)
    finally:
        os.umask(old)
    check_modes(home)


def check_modes(home):
    files = 0
    for folder, _, names in os.walk(home):
        assert os.stat(folder).st_mode & 0o777 == 0o700, folder
        for name in names:
            files += 1
            assert os.stat(os.path.join(folder, name)).st_mode & 0o777 == 0o600, name
    assert files >= 2


def test_a_store_that_was_open_to_others_is_closed_to_them(tmp_path):
    home = tmp_path / "home"
    with open_memory(home, "harbour") as core:
        core.remember(TIDE)
    os.chmod(home, 0o755)
    os.chmod(home / "journal", 0o755)
    os.chmod(home / "memory.db", 0o644)
    with open_memory(home, "harbour") as core:
        core.remember(LOCKS)
        check_modes(home)


@pytest.mark.parametrize("name", ["memory.db-wal", "memory.db-shm", "journal/000001.jsonl"])
def test_a_link_in_the_place_of_a_file_is_not_followed(tmp_path, name):
    home = tmp_path / "home"
    with open_memory(home, "harbour"):
        pass
    (tmp_path / "elsewhere").write_text("untouched")
    os.symlink(tmp_path / "elsewhere", home / name)
    with pytest.raises(ManagerError, match="symbolic link"), open_memory(home, "harbour") as core:
        core.remember(TIDE)
    assert (tmp_path / "elsewhere").read_text() == "untouched"


# --- a store belongs to its thread, and any thread may interrupt it


def test_an_interrupted_query_leaves_the_store_usable(home, monkeypatch):
    with open_memory(home, "harbour") as core:
        core.import_memories({"content": f"{TIDE}, number {n}"} for n in range(400))
        core._store.connection.set_progress_handler(core.interrupt, 20)
        with pytest.raises(sqlite3.OperationalError, match="interrupted"):
            core.find("tide")
        with pytest.raises(sqlite3.OperationalError, match="interrupted"):
            core.remember(LOCKS)
        core._store.connection.set_progress_handler(None, 0)
        assert not core._store.connection.in_transaction
        assert core.find("tide").total == 400
        assert core.remember(LOCKS).stored
        assert core.verify().ok


def test_several_stores_can_be_open_in_one_process(home):
    cores = [MemoryCoordinator.open(home, "harbour") for _ in range(6)]
    for number, core in enumerate(cores):
        core.remember(f"{TIDE}, seen from {number}")
    assert all(len(core.list()) == 6 for core in cores)
    for core in cores:
        core.close()
    assert not os.path.exists(home.database + "-wal")


def test_opening_reads_nothing_that_grows_with_the_store(home, monkeypatch):
    """Steps of the database, not time: the same few for one memory or for two hundred."""
    steps = []
    connect = sqlite3.connect

    def counted(*given, **named):
        connection = connect(*given, **named)
        connection.set_progress_handler(lambda: steps.append(1), 10)
        return connection

    def opening():
        steps.clear()
        with monkeypatch.context() as watched:
            watched.setattr(sqlite3, "connect", counted)
            MemoryCoordinator.open(home, "harbour").close()
        return len(steps)

    with open_memory(home, "harbour") as core:
        core.remember(TIDE)
    small = opening()
    assert small > 0
    with open_memory(home, "harbour") as core:
        core.import_memories({"content": f"{LOCKS}, number {n}"} for n in range(200))
    assert opening() <= small + 20
