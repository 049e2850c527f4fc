"""install, uninstall, hook, drain: agents are connected, and left, without a trace."""

import json
import os

import pytest
from click.testing import _NamedTextIOWrapper

FILES = {
    "claude": "claude/settings.json",
    "codex": "codex/hooks.json",
    "copilot": "copilot/hooks/memdeck.json",
    "gemini": "gemini/.gemini/settings.json",
    "opencode": "opencode/plugins/memdeck.js",
}


@pytest.fixture
def agents(tmp_path, monkeypatch):
    """Every agent's folder lies in this one; returns where its file stands, by host."""
    for host, name in (
        ("claude", "CLAUDE_CONFIG_DIR"),
        ("codex", "CODEX_HOME"),
        ("copilot", "COPILOT_HOME"),
        ("gemini", "GEMINI_CLI_HOME"),
        ("opencode", "OPENCODE_CONFIG_DIR"),
    ):
        monkeypatch.setenv(name, str(tmp_path / host))
    return {host: tmp_path / name for host, name in FILES.items()}


@pytest.fixture
def settings(agents):
    return agents["claude"]


@pytest.mark.parametrize("host", FILES)
def test_each_agent_is_connected_and_left_without_a_trace(cli, agents, host):
    shown = cli("install", host, "--dry-run")
    assert shown.code == 0
    assert f"+++ {agents[host]}" in shown.out
    assert not agents[host].exists()

    installed = cli("install", host)
    assert (installed.code, installed.out) == (0, "")
    assert "connected" in installed.err
    assert str(agents[host]) in installed.err
    again = cli("install", host, "--json").json
    assert (again["host"], again["changed"], again["diff"]) == (host, False, "")
    assert again["files"][0] == {"path": str(agents[host]), "changes": False}
    assert cli("status", "--json").json["hooks"][host] == ["user"]

    left = cli("uninstall", host, "--json").json
    assert left["changed"] is True
    assert not agents[host].exists()
    assert cli("status", "--json").json["hooks"] == {name: [] for name in FILES}


def test_doctor_mends_what_it_safely_can_and_says_so(cli, settings, home):
    cli("install", "claude")
    whole = settings.read_text()
    settings.write_text(whole.replace("claude Stop ", "other Stop "))
    os.chmod(home / "install.lock", 0o644)

    looked = cli("doctor")
    assert looked.code == 1
    assert "memdeck doctor --fix" in looked.err
    assert "claude Stop" not in settings.read_text()

    fixed = cli("doctor", "--fix")
    assert fixed.code == 0
    assert "whole again" in fixed.err
    assert "yours alone" in fixed.err
    assert "claude Stop" in settings.read_text()
    lines = cli("doctor", "--fix", "--json").lines
    assert {line["done"] for line in lines} == {""}


def test_install_puts_the_hooks_in_and_uninstall_takes_them_out(cli, settings):
    settings.parent.mkdir()
    settings.write_text('{\n\t"model": "opus" }')
    before = settings.read_bytes()

    installed = cli("install", "claude")
    assert installed.code == 0
    assert "connected" in installed.err
    hooks = json.loads(settings.read_text())["hooks"]
    assert "UserPromptSubmit" in hooks

    assert cli("uninstall", "claude").code == 0
    assert settings.read_bytes() == before


def test_a_dry_run_shows_the_change_and_makes_none(cli, settings):
    answer = cli("install", "claude", "--dry-run")
    assert answer.code == 0
    assert "+" in answer.out
    assert "UserPromptSubmit" in answer.out
    assert not settings.exists()
    as_json = cli("install", "claude", "--dry-run", "--json").json
    assert as_json["dry_run"] is True
    assert as_json["changed"] is False
    assert as_json["path"] == str(settings)
    cli("install", "claude")
    assert cli("uninstall", "claude", "--dry-run").code == 0
    assert settings.exists()


@pytest.mark.parametrize("act", ["install", "uninstall"])
def test_settings_that_are_not_json_are_left_alone(cli, settings, act):
    settings.parent.mkdir()
    settings.write_text("{ broken")
    for words in ([], ["--dry-run"]):
        answer = cli(act, "claude", *words)
        assert (answer.code, answer.out) == (1, "")
        assert "not valid JSON" in answer.err
    assert settings.read_text() == "{ broken"


def test_a_hook_answers_a_prompt_with_what_is_remembered(cli, process, remembered, tmp_path):
    remembered("The queue tests need a running redis on port 6380", "--pin")
    payload = {
        "session_id": "s-1",
        "transcript_path": str(tmp_path / "none.jsonl"),
        "cwd": str(tmp_path / "acme-api"),
        "hook_event_name": "UserPromptSubmit",
        "prompt": "how do I run the queue tests?",
    }
    answer = process("hook", "claude", "UserPromptSubmit", stdin=json.dumps(payload))
    assert (answer.code, answer.err) == (0, "")
    assert "6380" in answer.json["hookSpecificOutput"]["additionalContext"]


@pytest.mark.parametrize("stdin", ["", "nonsense", "[]"])
def test_a_hook_is_silent_about_what_it_does_not_understand(process, stdin):
    for words in (["claude", "Stop"], ["claude"], ["emacs", "Stop"], ["claude", "Nothing", "-x"]):
        answer = process("hook", *words, stdin=stdin)
        assert (answer.code, answer.out, answer.err) == (0, "", "")


def test_drain_works_off_what_the_hooks_noted(cli, process, no_home, tmp_path):
    payload = {
        "session_id": "s-1",
        "transcript_path": str(tmp_path / "none.jsonl"),
        "cwd": str(tmp_path / "acme-api"),
        "hook_event_name": "SessionStart",
        "source": "startup",
    }
    process("hook", "claude", "SessionStart", stdin=json.dumps(payload))
    answer = cli("drain", "--json")
    assert answer.code == 0
    assert (answer.json["ran"], answer.json["records"]) == (True, 1)
    assert cli("status", "--json").json["spool_bytes"] == 0
    assert cli("drain").out.startswith("drained  0 notes")


@pytest.mark.parametrize(
    ("has_login", "typed", "engine"),
    [(True, "\n", "claude"), (True, "n\n", ""), (False, "\n", ""), (False, "y\n", "claude")],
)
def test_install_asks_once_whether_a_model_reads_sessions(
    cli, agents, tmp_path, monkeypatch, has_login, typed, engine
):
    monkeypatch.setattr(_NamedTextIOWrapper, "isatty", lambda _: True)
    program = tmp_path / "bin" / "claude"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o700)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    if has_login:
        (tmp_path / "claude").mkdir()
        (tmp_path / "claude" / ".credentials.json").write_text("{}")
    assert "10,600 tokens" in cli("install", "claude", stdin=typed).err
    assert cli("extract", "--json").json["engine"] == engine
    assert "10,600 tokens" not in cli("install", "codex", stdin="y\n").err


def test_install_asks_nothing_without_a_terminal_or_for_json(cli, agents, monkeypatch):
    assert "10,600" not in cli("install", "claude").err
    monkeypatch.setattr(_NamedTextIOWrapper, "isatty", lambda _: True)
    assert "10,600" not in cli("install", "codex", "--json", stdin="y\n").err
    assert not cli("extract", "--json").json["is_answered"]
