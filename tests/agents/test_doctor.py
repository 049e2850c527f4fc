"""Doctor says what is wrong and what mends it, and changes nothing by looking."""

import os
import sqlite3
import time
from pathlib import Path

import pytest

from memdeck import open_memory
from memdeck.agents import drain, spool
from memdeck.benchmarks.gallery.programs import put_program
from memdeck.db.journal import segment_path
from memdeck.tests.findings import findings

from .agents_bench import Bench, forget_surroundings


@pytest.fixture
def project(tmp_path, monkeypatch):
    forget_surroundings(monkeypatch)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    folder = tmp_path / "acme-api"
    folder.mkdir()
    return str(folder)


@pytest.fixture
def look(home, project):
    """The findings by name."""
    return lambda: findings(home.path, project)


@pytest.fixture
def hours_later(monkeypatch):
    """From now on it is so many hours later."""
    now = time.time
    return lambda hours: monkeypatch.setattr(time, "time", lambda: now() + 3600 * hours)


@pytest.fixture
def installed(home, project):
    """Claude Code's hooks in the project's settings; returns the program they run."""
    program = Path(project, "memdeck-hook")
    put_program(program, "#!/bin/sh\n")
    Bench("claude", home, Path(project)).install(program=str(program))
    return program


def test_a_healthy_installation_has_nothing_to_mend(home, project, installed, look):
    with open_memory(home, project) as memory:
        memory.remember("The staging database lives on host db-7, behind the VPN.")
    assert "and 1 memory." in look()["store"].message
    with open_memory(home, project, confirmation_callback=lambda _: True) as memory:
        memory.remember("Answer briefly, in every project.", scope="global")
    findings = look()
    assert [finding for finding in findings.values() if not finding.ok] == []
    assert "and 2 memories." in findings["store"].message
    assert {"home", "journal", "store", "spool"} <= set(findings)


def test_files_that_others_can_read_are_named(home, look):
    home.prepare()
    Path(home.config).write_text("")
    os.chmod(home.config, 0o644)
    finding = look()["home"]
    assert not finding.ok
    assert "config.toml" in finding.message
    assert "chmod" in finding.advice


def test_a_newer_store_is_named_with_its_remedy(home, project, look):
    with open_memory(home, project):
        pass
    connection = sqlite3.connect(home.database)
    connection.execute("PRAGMA user_version = 999")
    connection.execute(f"PRAGMA application_id = {0x6D640000 + 999}")
    connection.close()
    finding = look()["store"]
    assert not finding.ok
    assert "Upgrade" in finding.advice


def test_a_damaged_store_is_named(home, look):
    home.prepare()
    Path(home.database).write_bytes(bytes(range(256)) * 64)
    os.chmod(home.database, 0o600)
    assert not look()["store"].ok


def test_records_that_wait_too_long_are_named(home, look, hours_later):
    spool.append(home, spool.new_record("turn_ended", "claude", "s", "/p"))
    assert look()["spool"].ok
    hours_later(2)
    late = look()["spool"]
    assert not late.ok
    assert late.message.startswith("1 records wait")


def test_records_that_failed_are_named(home, look):
    home.prepare()
    record = spool.new_record("turn_ended", "claude", "s", "/p")
    drain.keep_failed(home, record, "KeyError drain.py:7")
    finding = look()["failed records"]
    assert not finding.ok
    assert "KeyError drain.py:7" in finding.message


def test_torn_lines_of_the_spool_are_named_until_they_are_drained(home, look):
    spool.append(home, spool.new_record("turn_ended", "claude", "s", "/p"))
    with open(spool.path_of(home), "ab") as file:
        file.write(b'\n00000000 {"id": "to')
    finding = look()["spool"]
    assert "1 lines are torn" in finding.message
    assert (finding.ok, finding.fix) == (False, "drain")


def test_unreadable_settings_are_named(home, project, look):
    with open_memory(home, project):
        pass
    assert look()["settings"].ok
    Path(project, ".memdeck.toml").write_text("[nonsense")
    finding = look()["settings"]
    assert not finding.ok
    assert ".memdeck.toml" in finding.message
    assert "). Nothing is captured until then." in finding.message
    assert look()["store"].ok


@pytest.mark.parametrize(
    ("milliseconds", "ok", "said"), [(20.0, True, "healthy"), (900.0, False, "looks at less")]
)
def test_recall_that_is_too_slow_is_found(home, look, milliseconds, ok, said):
    """002-34."""
    with open_memory(home, "harbour") as store:
        for number in range(5):
            store.keep_receipt(
                {
                    "id": f"receipt{number}",
                    "at": 1_774_000_000_000 + number,
                    "host": "claude",
                    "project": store.project_id,
                    "session": None,
                    "event": "UserPromptSubmit",
                    "prompt_fingerprint": "0" * 16,
                    "tokens": 0,
                    "budget": 5_000,
                    "per_tier": {},
                    "items": [],
                    "left_out": [],
                    "latency_ms": milliseconds,
                }
            )
    found = look()["recall"]
    assert found.ok is ok
    assert said in found.message
    assert bool(found.advice) is not ok


def test_what_a_crash_left_in_the_journal_is_told_and_no_harm(home, project, look):
    with open_memory(home, project) as memory:
        memory.remember("The staging database lives on host db-7, behind the VPN.")
    with open(segment_path(home, 1), "ab") as file:
        file.write(b"\n{half of a record")
    told = [one.message for one in look().values()]
    assert any("never acknowledged, passed over" in one for one in told)
    assert look()["journal"].message == "Journal and tables are in step."
