"""What is peculiar to each host's settings: places, time limits, switches, trust, links."""

import json
import os
import re
import tomllib

import pytest

from memdeck import Refused
from memdeck.cli.main import run as run_command_line

from .agents_bench import JSON_HOSTS, LAYOUTS, PROGRAM, Bench, events_of, trusted_by_codex


@pytest.fixture
def connect(home, tmp_path):
    """The bench of a host in an empty project."""
    (tmp_path / "project").mkdir()
    return lambda host: Bench(host, home, tmp_path / "project")


@pytest.fixture
def codex_home(connect, tmp_path, monkeypatch):
    folder = tmp_path / "codex"
    folder.mkdir()
    monkeypatch.setenv("CODEX_HOME", str(folder))
    return folder


FILES = {
    "claude": [f".claude/commands/{name}.md" for name in ("remember", "forget", "pin", "mem")],
    "codex": [".codex/skills/remember/SKILL.md"],
    "copilot": [".github/hooks/memdeck.json"],
    "gemini": [".gemini/commands/remember.toml"],
    "opencode": [".opencode/plugins/memdeck.js"],
}


@pytest.mark.parametrize("host", FILES)
def test_what_is_ours_comes_once_and_goes_whole(host, connect):
    bench = connect(host)
    bench.install()
    before = bench.tree()
    assert {*FILES[host]} <= before.keys()
    assert not bench.install().is_needed
    assert bench.tree() == before
    bench.uninstall()
    assert os.listdir(bench.project) == []


@pytest.mark.parametrize(
    ("host", "settings", "says"),
    [
        ("claude", {"disableAllHooks": True}, "disableAllHooks"),
        ("claude", {}, ""),
        ("gemini", {}, ""),
        ("gemini", {"hooksConfig": {"enabled": True, "disabled": ["memdeck"]}}, ""),
        ("gemini", {"hooksConfig": 3}, ""),
        ("gemini", {"hooksConfig": {"enabled": False}}, "enabled is false"),
    ],
)
def test_switched_off_hooks_are_pointed_out(host, settings, says, connect):
    bench = connect(host)
    bench.put(json.dumps(settings))
    off = [note for note in bench.plan().notes if "enabled is" in note or "disableAll" in note]
    assert len(off) == bool(says)
    assert all(says in note for note in off)


def test_claudes_time_limit_is_in_seconds_and_holds_for_the_end_of_a_session(connect):
    bench = connect("claude")
    bench.install()
    hooks = json.loads(bench.file.read_bytes())["hooks"]
    assert {group["hooks"][0]["timeout"] for [group] in hooks.values()} == {10}
    assert "SessionEnd" in hooks


def test_a_command_of_somebody_elses_is_left_alone_and_the_hooks_are_installed(connect):
    bench = connect("claude")
    theirs = bench.project / ".claude" / "commands" / "pin.md"
    theirs.parent.mkdir(parents=True)
    theirs.write_text("Pin the roadmap.\n")
    notes = bench.install().notes
    assert [note for note in notes if str(theirs) in note and "not ours" in note]
    assert bench.file.exists()
    assert (theirs.parent / "forget.md").exists()
    bench.uninstall()
    assert bench.tree() == {".claude/commands/pin.md": b"Pin the roadmap.\n"}


def test_codex_has_two_files_beside_a_config_toml_that_is_never_touched(connect, codex_home):
    bench = connect("codex")
    assert bench.path("user") == codex_home / "hooks.json"
    assert bench.path("project") == bench.project / ".codex" / "hooks.json"
    with pytest.raises(Refused) as refused:
        bench.plan("local")
    assert refused.value.hint == "Use user or project."
    (codex_home / "config.toml").write_text("model='x' # mine\n")
    bench.install("user")
    bench.uninstall("user")
    assert (codex_home / "config.toml").read_text() == "model='x' # mine\n"


def test_codex_trusts_our_hooks_and_no_others_until_we_leave(connect, codex_home, capfd):
    bench = connect("codex")
    theirs = {"hooks": [{"type": "command", "command": "say done"}]}
    bench.put(json.dumps({"hooks": {"Stop": [theirs]}}), "user")
    config = codex_home / "config.toml"
    config.write_text("model = 'x'  # mine")
    assert run_command_line(["install", "codex", "--trust", "--dry-run"]) == 0
    assert config.read_text() == "model = 'x'  # mine"
    assert run_command_line(["install", "codex", "--trust"]) == 0
    assert "Codex trusts these hooks" in capfd.readouterr().err
    state = tomllib.loads(config.read_text())["hooks"]["state"]
    ours = tomllib.loads(trusted_by_codex(bench.path("user")))["hooks"]["state"]
    assert len(ours) == len(events_of("codex"))
    assert state == ours
    before = config.read_text()
    assert run_command_line(["install", "codex", "--trust"]) == 0
    assert config.read_text() == before
    bench.uninstall("user")
    assert config.read_text() == "model = 'x'  # mine"


def test_opencodes_plugin_knows_the_program_the_home_and_what_is_asked_for(connect):
    bench = connect("opencode")
    bench.install()
    text = bench.file.read_text()
    constants = dict(re.findall(r"^const (HOOK|HOME|ASKED) = (.*)$", text, re.MULTILINE))
    assert {name: json.loads(value) for name, value in constants.items()} == {
        "HOOK": PROGRAM,
        "HOME": bench.home.path,
        "ASKED": " ".join(events_of("opencode")),
    }
    assert not re.search("@[A-Z]+@", text)


def test_copilots_file_has_its_own_form(connect):
    bench = connect("copilot")
    bench.install()
    written = json.loads(bench.file.read_text())
    assert written["version"] == 1
    [start] = written["hooks"]["sessionStart"]
    assert (start["type"], start["timeoutSec"]) == ("command", 10)
    assert start["bash"].endswith("copilot sessionStart || exit 0")


@pytest.mark.parametrize("host", JSON_HOSTS)
@pytest.mark.parametrize("scope", ["user", "project"])
def test_a_link_is_written_through_and_stays_a_link(host, scope, tmp_path, connect):
    bench = connect(host)
    target = (tmp_path if scope == "user" else bench.project) / "dotfiles.json"
    target.write_text(LAYOUTS["tabs"])
    file = bench.path(scope)
    file.parent.mkdir(parents=True)
    file.symlink_to(target)

    planned = bench.install(scope)
    assert file.is_symlink()
    assert "memdeck-hook" in target.read_text()
    assert any(str(target) in note for note in planned.notes)
    bench.uninstall(scope)
    assert file.is_symlink()
    assert target.read_text() == LAYOUTS["tabs"]
