"""What is peculiar to Claude Code's settings: three scopes, seconds, todo tools, a switch."""

import json

import pytest

from .agents_bench import Bench, forget_surroundings


@pytest.fixture
def bench(home, tmp_path, monkeypatch):
    forget_surroundings(monkeypatch)
    project = tmp_path / "project"
    project.mkdir()
    return Bench("claude", home, project)


def test_the_time_limit_is_in_seconds_and_holds_for_the_end_of_a_session(bench):
    bench.install()
    hooks = json.loads(bench.file.read_bytes())["hooks"]
    assert {group["hooks"][0]["timeout"] for [group] in hooks.values()} == {10}
    assert "SessionEnd" in hooks


def test_switched_off_hooks_are_pointed_out(bench):
    bench.put('{"disableAllHooks": true}')
    assert any("disableAllHooks" in note for note in bench.install().notes)


def test_the_commands_come_and_go_with_the_hooks(bench):
    bench.install()
    assert {name for name in bench.tree() if "commands" in name} == {
        f".claude/commands/{name}.md" for name in ("remember", "forget", "pin", "mem")
    }
    bench.uninstall()
    assert bench.tree() == {}


def test_a_command_of_somebody_elses_is_left_alone_and_the_hooks_are_installed(bench):
    theirs = bench.project / ".claude" / "commands" / "pin.md"
    theirs.parent.mkdir(parents=True)
    theirs.write_text("Pin the roadmap.\n")
    notes = bench.install().notes
    assert [note for note in notes if str(theirs) in note and "not ours" in note]
    assert bench.file.exists()
    assert (theirs.parent / "forget.md").exists()
    bench.uninstall()
    assert bench.tree() == {".claude/commands/pin.md": b"Pin the roadmap.\n"}
