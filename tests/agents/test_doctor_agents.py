"""Each agent's standing: absent is no fault; what hinders a connected one is named and mended."""

import os
import time
from pathlib import Path

import pytest

from memdeck import Refused, open_memory
from memdeck.agents import spool
from memdeck.agents.desk import Desk
from memdeck.benchmarks.gallery.programs import put_program
from memdeck.core.agents import HOSTS, Finding
from memdeck.tests.receipts import receipt_of

from .agents_bench import JSON_HOSTS, TURN_EVENT, Bench, events_of, trusted_by_codex


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    folder = tmp_path / "acme-api"
    folder.mkdir()
    return folder


@pytest.fixture
def desk(home, project):
    return Desk(home, str(project))


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "memdeck-hook"
    put_program(path, "#!/bin/sh\n")
    return path


@pytest.fixture
def bench(home, project, program):
    """Connect a host; returns its bench."""

    def connect(host, scope="user"):
        made = Bench(host, home, project)
        made.install(scope, program=str(program))
        return made

    return connect


@pytest.fixture
def state(desk):
    return lambda host: next(one for one in desk.survey() if one.host == host)


def wrong(state):
    return [finding for finding in state.findings if not finding.ok]


def trust_all(path):
    """Codex's config.toml as it is when the person trusts what stands in `path`."""
    Path(path.parent, "config.toml").write_text(trusted_by_codex(path))


def test_a_machine_without_agents_has_four_states_and_no_fault(desk):
    states = desk.survey()
    assert tuple(state.host for state in states) == HOSTS
    for state in states:
        assert not state.is_present
        assert (state.program, state.scopes, state.is_trusted) == ("", (), None)
        assert (state.latency_p50_ms, state.last_error, state.last_fired_ms) == (None, "", None)
        assert [finding.ok for finding in state.findings] == [True]


def test_looking_changes_nothing(desk, home, tmp_path):
    desk.survey()
    assert not os.path.exists(home.path)
    assert not (tmp_path / "person").exists()


@pytest.mark.parametrize("host", HOSTS)
def test_a_connected_agent_is_well_and_says_where(host, bench, state):
    made = bench(host)
    if host == "codex":
        trust_all(made.path("user"))
    found = state(host)
    assert found.scopes == ("user",)
    assert wrong(found) == []
    assert [mark.name for mark in found.events] == events_of(host)
    assert f"Installed in {made.path('user')}" in found.findings[0].message
    assert "Nothing has come" in found.findings[0].message


def test_what_came_when_and_how_quickly_it_was_answered(bench, state, home, project):
    bench("claude")
    for heard in ("claude.Stop", "codex.SessionStart"):
        mark = Path(home.log, "fired", heard)
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.touch()
    with open_memory(home, "harbour") as store:
        for number, milliseconds in enumerate((10.0, 20.0, 90.0)):
            store.keep_receipt(
                receipt_of(store, "which pier?", id=f"receipt{number}", latency_ms=milliseconds)
            )
    for error in ("claude Stop OSError[ENOSPC]", "codex Stop ValueError x.py:1"):
        with open(Path(home.log, "hooks.log"), "a") as file:
            print(time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), error, file=file)
    found = state("claude")
    marks = {mark.name: mark.at_ms for mark in found.events}
    assert abs(marks["Stop"] / 1000 - time.time()) < 600
    assert (marks["SessionStart"], found.last_fired_ms) == (None, marks["Stop"])
    assert (found.latency_p50_ms, found.latency_p95_ms) == (20.0, 90.0)
    assert found.last_error.endswith("claude Stop OSError[ENOSPC]")
    message = found.findings[0].message
    assert "Last event just now, answered within 20 ms (95 %: 90 ms); never of" in message
    assert "SessionStart" in message
    assert state("gemini").latency_p50_ms is None


@pytest.mark.parametrize("host", JSON_HOSTS)
def test_missing_events_are_named_and_put_back(host, bench, state, desk):
    made = bench(host)
    event = TURN_EVENT[host]
    whole = made.path("user").read_text()
    made.put(whole.replace(f"{host} {event} ", f"other {event} "), "user")
    [finding] = [one for one in wrong(state(host)) if one.fix]
    assert f"lacks {event}" in finding.message
    assert f"memdeck install {host} --scope user" in finding.advice
    assert "whole again" in desk.fix(finding)
    assert [one for one in wrong(state(host)) if one.fix] == []


@pytest.mark.parametrize("host", HOSTS)
def test_a_program_that_is_gone_is_named_and_replaced(host, bench, state, desk, program):
    bench(host)
    program.unlink()
    [finding] = [one for one in wrong(state(host)) if one.fix]
    assert str(program) in finding.message
    desk.fix(finding)
    assert [one for one in wrong(state(host)) if one.fix] == []


def test_codex_is_trusted_when_it_knows_every_hook(bench, state):
    made = bench("codex")
    assert state("codex").is_trusted is False
    [finding] = wrong(state("codex"))
    assert f"not trusted: {', '.join(events_of('codex'))}." in finding.message
    assert "`memdeck install codex --trust`" in finding.advice
    assert finding.fix == ""  # only a person trusts
    trust_all(made.path("user"))
    assert state("codex").is_trusted is True


def test_only_what_is_safe_is_mended(desk, home):
    spool.append(home, spool.new_record("turn_ended", "claude", "s", "/p"))
    Path(home.config).touch(0o644)
    assert "1 files and folders" in desk.fix(Finding("home", False, "", "", "permissions"))
    assert os.stat(home.config).st_mode & 0o777 == 0o600
    assert "worked off" in desk.fix(Finding("spool", False, "", "", "drain"))
    assert spool.read_spool(home) == []
    for fix in ("", "trust codex", "install"):
        with pytest.raises(Refused):
            desk.fix(Finding("codex", False, "", "", fix))
