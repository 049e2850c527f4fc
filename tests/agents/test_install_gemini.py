"""What is peculiar to Gemini CLI: milliseconds, names, and events that must not be asked for."""

import json

import pytest

from .agents_bench import Bench, forget_surroundings


@pytest.fixture
def bench(home, tmp_path, monkeypatch):
    forget_surroundings(monkeypatch)
    monkeypatch.setenv("GEMINI_CLI_HOME", str(tmp_path / "person"))
    project = tmp_path / "project"
    project.mkdir()
    return Bench("gemini", home, project)


def test_switched_off_hooks_are_pointed_out(bench, subtests):
    rows = [
        ({}, ""),
        ({"hooksConfig": {"enabled": True, "disabled": ["memdeck"]}}, ""),
        ({"hooksConfig": 3}, ""),
        ({"hooksConfig": {"enabled": False}}, "enabled is false"),
    ]
    for settings, says in rows:
        with subtests.test(settings=settings):
            bench.put(json.dumps(settings))
            off = [note for note in bench.plan().notes if "enabled is" in note]
            assert len(off) == bool(says)
            assert all(says in note for note in off)


def test_the_commands_come_and_go_with_the_hooks(bench):
    bench.install()
    assert ".gemini/commands/remember.toml" in bench.tree()
    bench.uninstall()
    assert bench.tree() == {}
