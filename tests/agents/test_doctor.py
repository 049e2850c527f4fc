"""Doctor says what is wrong and what mends it, and changes nothing by looking."""

import os
import time
from pathlib import Path

import pytest

from memdeck import open_memory
from memdeck.agents import drain, spool
from memdeck.benchmarks.gallery.programs import put_program
from memdeck.db.journal import segment_path
from memdeck.tests.findings import findings
from memdeck.tests.receipts import receipt_of

from .agents_bench import Bench


@pytest.fixture
def project(tmp_path, monkeypatch):
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


def others_can_read(home):
    home.prepare()
    Path(home.config).touch(0o644)
    os.chmod(home.config, 0o644)


def a_record_failed(home):
    home.prepare()
    drain.keep_failed(home, spool.new_record("turn_ended", "claude", "s", "/p"), "KeyError x.py:7")


def a_line_is_torn(home):
    spool.append(home, spool.new_record("turn_ended", "claude", "s", "/p"))
    with open(spool.path_of(home), "ab") as file:
        file.write(b'\n00000000 {"id": "to')


@pytest.mark.parametrize(
    ("spoil", "name", "says", "mends"),
    [
        (others_can_read, "home", "config.toml", "chmod"),
        (a_record_failed, "failed records", "KeyError x.py:7", ""),
        (a_line_is_torn, "spool", "1 lines are torn", "drain"),
    ],
)
def test_what_is_wrong_is_named_with_what_mends_it(spoil, name, says, mends, home, look):
    spoil(home)
    finding = look()[name]
    assert not finding.ok
    assert says in finding.message
    assert mends in finding.advice


def test_records_that_wait_too_long_are_named(home, look, hours_later):
    spool.append(home, spool.new_record("turn_ended", "claude", "s", "/p"))
    assert look()["spool"].ok
    hours_later(2)
    late = look()["spool"]
    assert not late.ok
    assert late.message.startswith("1 records wait")


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
                receipt_of(store, "which pier?", id=f"receipt{number}", latency_ms=milliseconds)
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
