"""After a rule update a whole store is swept: found everywhere, told by kind, erased for good."""

import json
import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from memdeck import MemoryCoordinator, StoreBusy, open_memory
from memdeck.benchmarks.redaction_vectors import filled
from memdeck.db import journal
from memdeck.db import rebuild as resealing
from memdeck.db.home import Home
from memdeck.db.store import Store
from memdeck.tests import forked
from memdeck.tests.mending import rebuild, verify

pytestmark = pytest.mark.slow

TOKEN = filled("gh" + "p_{w36}")
OTHER = filled("sk-ant-api03-{b93}AA")


def slip_in(home, memory, **fields):
    """Write fields past the coordinator, as a version whose rules knew less did."""
    store = Store(home)
    try:
        with store.change("edit", actor="person", at=1) as change:
            change.put("memory", {**change.get("memory", memory), **fields})
    finally:
        store.close()


def files_with(home, *secrets):
    """The files under the home whose raw bytes hold one of the secrets."""
    found = []
    for folder, _, names in os.walk(home.path):
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                data = file.read()
            found += [name for secret in secrets if secret.encode() in data]
    return found


@pytest.fixture
def stained(home, clock):
    """A store in which a live and a forgotten memory hold what today's rules know."""
    with open_memory(home, "harbour", clock=clock) as core:
        for number in range(20):
            core.remember(f"Berth {number} has {number + 2} bollards of iron")
        live = core.remember("Berth 30 is dry at noon").memory_id
        gone = core.remember("Berth 31 floods at noon").memory_id
    slip_in(home, live, content=f"The berth uses {TOKEN} daily", tags=[TOKEN, "ops"], title="")
    slip_in(home, gone, title=f"With {TOKEN}", details={}, files=[f"ops/{OTHER}.md"])
    with open_memory(home, "harbour", clock=clock) as core:
        core.forget(gone, "not needed")
    return live, gone


def sweep(home, clock):
    return MemoryCoordinator.open(home, "harbour", clock=clock)


def test_a_clean_store_has_nothing_to_tell(home, clock):
    with open_memory(home, "harbour", clock=clock) as core:
        core.remember("Ask alice@corp.example about berth 3, it is locked")
    with sweep(home, clock) as broom:
        assert broom.find_secrets() == []
        assert broom.redact_store().found == ()


def test_what_is_found_is_told_by_place_kind_and_count_and_never_shown(home, clock, stained):
    with sweep(home, clock) as broom:
        held = broom.find_secrets()
    live = next(one for one in held if one.name == stained[0])
    assert live.place == "memory"
    assert dict(live.counts) == {("content", "github-token"): 1, ("tags", "github-token"): 1}
    assert {one.place for one in held} == {"memory", "journal"}
    assert TOKEN not in repr(held)
    assert OTHER not in repr(held)


def test_a_fix_leaves_it_in_no_file_and_says_what_it_did(home, clock, stained):
    assert set(files_with(home, TOKEN, OTHER)) >= {"000001.jsonl"}

    with sweep(home, clock) as broom:
        done = broom.redact_store()

    assert (done.is_clean, done.left) == (True, ())
    assert files_with(home, TOKEN, OTHER) == []
    with open_memory(home, "harbour", clock=clock) as core:
        assert core.verify().problems == ()
        [entry] = core.audit(action="redact")
        assert "content github-token ×1" in entry.reason
        assert entry.actor == "rule"
        assert TOKEN not in entry.reason
        live = core.resolve(stained[0])
        assert live.content == "The berth uses [REDACTED:github-token] daily"
        assert live.tags == ("[REDACTED:github-token]", "ops")
        assert not core.resolve(stained[1]).is_live
        assert next(hit.id for hit in core.search("berth daily")) == stained[0]


def test_neither_undo_nor_a_rebuild_brings_it_back(home, clock, stained):
    with sweep(home, clock) as broom:
        broom.redact_store()
    with open_memory(home, "harbour", clock=clock) as core:
        undone = core.undo()  # of what a person did last: forgetting
        assert core.resolve(stained[1]).title == "With [REDACTED:github-token]"
        assert core.differences(undone.undoes)
    rebuild(home)
    assert files_with(home, TOKEN, OTHER) == []


def test_a_forgotten_text_stays_forgotten_under_its_new_fingerprint(home, clock):
    with open_memory(home, "harbour", clock=clock) as core:
        gone = core.remember("Berth 31 floods at noon").memory_id
    slip_in(home, gone, content=f"Berth 31 needs {TOKEN} at noon", fingerprint="f" * 64)
    with open_memory(home, "harbour", clock=clock) as core:
        core.forget(gone)
    with sweep(home, clock) as broom:
        broom.redact_store()
        fingerprint = broom._store.connection.execute(
            "SELECT fingerprint FROM memory WHERE id = ?", (gone,)
        ).fetchone()[0]
        stones = broom._store.connection.execute("SELECT fingerprint FROM tombstone").fetchall()
    assert stones == [(fingerprint,)]
    assert fingerprint != "f" * 64
    assert verify(home).problems == ()


def test_findings_logs_failed_notes_and_the_apps_own_file_are_cleaned(home, clock):
    with open_memory(home, "harbour", clock=clock) as core:
        core.remember("Berth 1 is dry")
        finding = {
            "project": core.context.project_id, "session": "s1", "ref": None, "fingerprint": "f",
            "content": f"uses {TOKEN} on staging", "category": None, "importance": 0.5,
            "confidence": 1.0, "files": "[]", "tags": json.dumps([TOKEN]), "rule": "x",
            "outcome": "refused", "reason": "why", "memory": None, "points": 0.0, "created_at": 1,
        }  # fmt: skip
        places = ", ".join(f":{name}" for name in finding)
        core._store.connection.execute(
            f"INSERT INTO finding ({', '.join(finding)}) VALUES ({places})", finding
        )
    failed = os.path.join(home.spool, "failed")
    os.makedirs(failed)
    for path, text in (
        (os.path.join(failed, "a.json"), json.dumps({"why": "x", "record": {"detail": TOKEN}})),
        (os.path.join(home.log, "hooks.log"), f"2026-01-01 claude Stop {TOKEN}\nnext line\n"),
        (os.path.join(home.path, "app.json"), json.dumps({"queries": [f"where is {TOKEN}"]})),
    ):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    with sweep(home, clock) as broom:
        places = {one.place for one in broom.find_secrets()}
        done = broom.redact_store()

    assert places == {"finding", "spool", "log", "app.json"}
    assert done.left == ()
    assert files_with(home, TOKEN) == []
    with open(os.path.join(home.log, "hooks.log"), encoding="utf-8") as file:
        assert file.read() == "2026-01-01 claude Stop [REDACTED:github-token]\nnext line\n"


def test_backups_and_waiting_notes_are_named_and_left_to_those_whose_they_are(home, clock, stained):
    backup = os.path.join(home.backups, "before-schema-9.db")
    source, target = sqlite3.connect(home.database), sqlite3.connect(backup)
    source.backup(target)
    source.close()
    target.close()
    with open(os.path.join(home.spool, "pending.jsonl"), "w", encoding="utf-8") as file:
        file.write(f'\n00000000 {{"id": "1", "detail": "{TOKEN}"}}\n')

    with sweep(home, clock) as broom:
        left = {one.place: one.name for one in broom.redact_store().left}

    assert left == {
        "backups": os.path.join("backups", "before-schema-9.db"),
        "spool": os.path.join("spool", "pending.jsonl"),
    }


def test_the_persons_own_settings_are_not_looked_through(home, clock):
    with open_memory(home, "harbour", clock=clock) as core:
        core.remember("Berth 1 is dry")
    with open(home.config, "w", encoding="utf-8") as file:
        file.write('[redaction]\nkeep_emails = ["me@corp.example"]\n')
    with sweep(home, clock) as broom:
        assert broom.find_secrets() == []


def test_a_line_that_a_crash_tore_is_looked_through_and_goes(home, clock, stained):
    with sweep(home, clock) as broom:
        broom.redact_store()
    with open(journal.segment_path(home, 1), "ab") as file:
        file.write(f'\n{{"seq":99,"changes":[{{"after":{{"content":"{TOKEN}'.encode())
    with sweep(home, clock) as broom:
        [held] = broom.find_secrets()
        assert (held.place, dict(held.counts)) == ("journal", {("text", "github-token"): 1})
        assert broom.redact_store().left == ()
    assert files_with(home, TOKEN) == []


# --- the journal written anew


def test_an_interrupted_run_is_told_and_finished_by_the_next(home, clock, stained):
    with sweep(home, clock) as broom:
        broom.redact_store()
    older = journal.segment_path(home, 2)
    shutil.copy(journal.segment_path(home, 1), older)  # as if it had not been taken away yet
    with open(os.path.join(home.journal, "resealing"), "wb"):
        pass
    with sweep(home, clock) as broom:
        [held] = broom.find_secrets()
        assert (held.place, held.name) == ("journal", "an interrupted fix")
        assert broom.redact_store().left == ()
    assert os.listdir(home.journal) == ["000001.jsonl"]
    assert verify(home).problems == ()


def test_a_journal_of_several_segments_becomes_one_and_says_the_same(
    home, clock, stained, monkeypatch
):
    monkeypatch.setattr(journal, "SEGMENT_BYTES", 2_000)
    with open_memory(home, "harbour", clock=clock) as core:
        for number in range(20):
            core.remember(f"Pier {number} is let until spring")
    assert len(journal.segments(home)) > 2
    store = Store(home)
    before = store.position().seq

    done = resealing.reseal(store, lambda record: record)

    assert (done.records, done.altered, done.is_clean) == (before, 0, True)
    assert journal.segments(home) == [1]
    assert verify(home).problems == ()
    store.close()
    with open_memory(home, "harbour", clock=clock) as core:
        core.remember("Pier 99 is new")
        assert core.verify().problems == ()


@pytest.mark.parametrize("is_gone", [True, False])
def test_a_damaged_journal_is_repaired_and_then_sealed_again(is_gone, home, clock, stained):
    path = Path(journal.segment_path(home, 1))
    if is_gone:
        path.unlink()
    else:
        path.write_bytes(path.read_bytes().replace(b"Berth 3 has", b"Berth 3 HAS", 1))
    with sweep(home, clock) as broom:
        assert "Repaired" in broom.problems_at_opening()[0]
        assert broom.redact_store().left == ()
        assert broom.verify().ok
    assert files_with(home, TOKEN) == []


def test_whoever_writes_in_between_loses_nothing(home, clock, stained, monkeypatch):
    forget, written = resealing._forget_position, []

    def forget_and_let_another_write(store):
        end = forget(store)
        if len(written) < 2:
            with open_memory(home, "harbour", clock=clock) as core:
                written.append(core.remember(f"Pier {len(written)} came in between").memory_id)
        return end

    monkeypatch.setattr(resealing, "_forget_position", forget_and_let_another_write)
    with sweep(home, clock) as broom:
        assert broom.redact_store().left == ()
    with open_memory(home, "harbour", clock=clock) as core:
        assert all(core.resolve(one).is_live for one in written)
        assert core.verify().problems == ()
    assert files_with(home, TOKEN) == []


def test_with_somebody_writing_all_the_time_it_gives_up_and_changes_nothing(
    home, clock, stained, monkeypatch
):
    forget = resealing._forget_position

    def forget_and_let_another_write(store):
        end = forget(store)
        with open_memory(home, "harbour", clock=clock) as core:
            core.remember(f"Pier {os.urandom(4).hex()} came in between")
        return end

    monkeypatch.setattr(resealing, "_forget_position", forget_and_let_another_write)
    store = Store(home)
    with pytest.raises(StoreBusy):
        resealing.reseal(store, lambda record: record)
    store.close()
    with open_memory(home, "harbour", clock=clock) as core:
        assert core.verify().problems == ()


def test_a_reader_that_holds_on_to_the_old_rows_is_told(home, clock, stained, monkeypatch):
    monkeypatch.setattr(resealing, "READERS_WAIT_MS", 10)
    reader = sqlite3.connect(home.database)
    store = Store(home)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM memory").fetchone()
    assert not resealing.reseal(store, lambda record: record).is_clean
    reader.close()
    assert resealing.scrub(store)
    store.close()


CRASH = """
import json, os, signal, sys
from memdeck.db.connection import Database
from memdeck import MemoryCoordinator
from memdeck.db import rebuild as resealing

home, at = sys.argv[1], int(sys.argv[2])
steps = 0

def counted(act):
    def step(*given, **named):
        global steps
        steps += 1
        if steps == at:
            os.kill(os.getpid(), signal.SIGKILL)
        return act(*given, **named)
    return step

reseal = resealing.reseal

def armed(store, change):
    for name in ("replace", "unlink", "fsync"):
        setattr(os, name, counted(getattr(os, name)))
    Database.commit = counted(Database.commit)
    return reseal(store, change)

resealing.reseal = armed
with MemoryCoordinator.open(home, "harbour") as broom:
    broom.redact_store()
print("done", steps)
"""


def test_a_kill_at_any_step_leaves_a_whole_journal_and_a_second_run_finishes(
    home, clock, stained, monkeypatch, tmp_path
):
    monkeypatch.setattr(journal, "SEGMENT_BYTES", 9_000)
    with open_memory(home, "harbour", clock=clock) as core:
        for number in range(12):
            core.remember(f"Pier {number} is let until spring")
        known = {one.id for one in core.list()}
    assert len(journal.segments(home)) > 2

    for at in range(1, 40):
        place = Home(tmp_path / f"killed-{at}")
        shutil.copytree(home.path, place.path)
        done = forked.run(CRASH, place.path, str(at))
        if done.stdout.startswith("done"):
            break
        assert done.returncode == -9, done.stderr
        with open_memory(place, "harbour", clock=clock) as core:
            assert {one.id for one in core.list()} == known  # opening replays what there is
            core.remember("Said after the kill")
        with sweep(place, clock) as broom:
            assert broom.redact_store().left == ()
        assert files_with(place, TOKEN, OTHER) == []
        with open_memory(place, "harbour", clock=clock) as core:
            assert core.verify().problems == ()
            assert len(core.list()) == len(known) + 1
        rebuild(place)
    assert at > 6
