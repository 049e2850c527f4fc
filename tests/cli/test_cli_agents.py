"""install, uninstall, hook, drain: agents are connected, and left, without a trace."""

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


@pytest.mark.parametrize("host", FILES)
def test_each_agent_is_connected_and_left_without_a_trace(cli, agents, host):
    assert f"+++ {agents[host]}" in cli("install", host, "--dry-run", code=0).out
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


def test_doctor_mends_what_it_safely_can_and_says_so(cli, home, agents):
    settings = agents["claude"]
    cli("install", "claude")
    whole = settings.read_text()
    settings.write_text(whole.replace("claude Stop ", "other Stop "))
    os.chmod(home / "install.lock", 0o644)

    assert "memdeck doctor --fix" in cli("doctor", code=1).err
    assert "claude Stop" not in settings.read_text()

    fixed = cli("doctor", "--fix", code=0)
    assert "whole again" in fixed.err
    assert "yours alone" in fixed.err
    assert "claude Stop" in settings.read_text()
    lines = cli("doctor", "--fix", "--json").lines
    assert {line["done"] for line in lines} == {""}


@pytest.mark.parametrize(
    ("login", "typed", "engine"),
    [
        ((".credentials.json", "{}"), "\n", "claude"),
        ((".credentials.json", "{}"), "n\n", ""),
        ((".claude.json", '{"oauthAccount": {}}'), "\n", "claude"),  # macOS keeps the key apart
        ((".claude.json", "{}"), "\n", ""),
        ((), "y\n", "claude"),
    ],
)
def test_install_asks_once_whether_a_model_reads_sessions(
    cli, agents, tmp_path, monkeypatch, login, typed, engine
):
    monkeypatch.setattr(_NamedTextIOWrapper, "isatty", lambda _: True)
    program = tmp_path / "bin" / "claude"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o700)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    if login:
        (tmp_path / "claude").mkdir()
        (tmp_path / "claude" / login[0]).write_text(login[1])
    assert "10,600 tokens" in cli("install", "claude", stdin=typed).err
    assert cli("extract", "--json").json["engine"] == engine
    assert "10,600 tokens" not in cli("install", "codex", stdin="y\n").err


def test_install_asks_nothing_without_a_terminal_or_for_json(cli, agents, monkeypatch):
    assert "10,600" not in cli("install", "claude").err
    monkeypatch.setattr(_NamedTextIOWrapper, "isatty", lambda _: True)
    assert "10,600" not in cli("install", "codex", "--json", stdin="y\n").err
    assert not cli("extract", "--json").json["is_answered"]
