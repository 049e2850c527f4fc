"""What is peculiar to Claude Code's settings: three scopes, seconds, todo tools, a switch."""

import json
import os

import pytest

from memdeck import Refused

from .agents_bench import Bench, forget_surroundings


@pytest.fixture
def bench(home, tmp_path, monkeypatch):
    forget_surroundings(monkeypatch)
    project = tmp_path / "project"
    project.mkdir()
    return Bench("claude", home, project)


def test_the_scopes_are_three_files(bench, monkeypatch, tmp_path):
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "conf"))
    assert [bench.path(scope) for scope in ("user", "project", "local")] == [
        tmp_path / "conf" / "settings.json",
        bench.project / ".claude" / "settings.json",
        bench.project / ".claude" / "settings.local.json",
    ]
    with pytest.raises(Refused, match="no scope 'planet'") as refused:
        bench.plan("planet")
    assert refused.value.hint == "Use user, project or local."


def test_the_time_limit_is_in_seconds_and_holds_for_the_end_of_a_session(bench):
    bench.install()
    hooks = json.loads(bench.file.read_bytes())["hooks"]
    assert {group["hooks"][0]["timeout"] for [group] in hooks.values()} == {10}
    assert "SessionEnd" in hooks


def test_tools_are_named_as_an_exact_list(bench):
    bench.home.prepare()
    with open(bench.home.config, "w", encoding="utf-8") as file:
        file.write('[hooks]\nevents = ["todos", "files"]\n')
    bench.install()
    hooks = json.loads(bench.file.read_bytes())["hooks"]
    assert hooks["PostToolUse"][0]["matcher"] == "TodoWrite|TaskCreate|TaskUpdate"
    assert hooks["PreToolUse"][0]["matcher"] == "Read|Edit|Write|MultiEdit|NotebookEdit"


def test_the_user_scope_keeps_its_folder(tmp_path, monkeypatch, bench):
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "conf"))
    bench.install("user")
    bench.uninstall("user")
    assert os.listdir(tmp_path / "conf") == []


def test_switched_off_hooks_are_pointed_out(bench):
    bench.put('{"disableAllHooks": true}')
    assert any("disableAllHooks" in note for note in bench.install().notes)


def test_a_shared_file_is_pointed_out(bench):
    assert any("shared" in note for note in bench.plan("project").notes)
    assert not any("shared" in note for note in bench.plan("local").notes)


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


def test_a_command_that_cannot_be_read_is_left_alone(bench):
    theirs = bench.project / ".claude" / "commands" / "pin.md"
    theirs.mkdir(parents=True)
    assert any("cannot be read" in note for note in bench.install().notes)
    bench.uninstall()
    assert theirs.is_dir()


def test_a_path_that_commands_cannot_hold_costs_only_the_commands(bench):
    notes = bench.install(program="/opt/$(x)/memdeck-hook").notes
    assert any(note.startswith("No commands were made") for note in notes)
    assert list(bench.tree()) == [".claude/settings.json"]


def test_no_commands_are_made_for_one_person_in_one_project(bench):
    """The host has no such place."""
    bench.install("local")
    assert list(bench.tree()) == [".claude/settings.local.json"]
