"""What is peculiar to Codex: three seconds at the end, and trust that only a person gives."""

import json
import tomllib

import pytest

from memdeck import Refused
from memdeck.cli.main import run as run_command_line

from .agents_bench import Bench, events_of, forget_surroundings, trusted_by_codex


@pytest.fixture
def codex_home(tmp_path, monkeypatch):
    forget_surroundings(monkeypatch)
    folder = tmp_path / "codex"
    folder.mkdir()
    monkeypatch.setenv("CODEX_HOME", str(folder))
    return folder


@pytest.fixture
def bench(home, tmp_path, codex_home):
    project = tmp_path / "project"
    project.mkdir()
    return Bench("codex", home, project)


def test_the_scopes_are_two_files_beside_config_toml(bench, codex_home):
    assert bench.path("user") == codex_home / "hooks.json"
    assert bench.path("project") == bench.project / ".codex" / "hooks.json"
    with pytest.raises(Refused) as refused:
        bench.plan("local")
    assert refused.value.hint == "Use user or project."


def test_the_toml_of_the_person_is_never_touched(bench, codex_home):
    (codex_home / "config.toml").write_text("model='x' # mine\n")
    bench.install("user")
    bench.uninstall("user")
    assert (codex_home / "config.toml").read_text() == "model='x' # mine\n"


def test_codex_trusts_our_hooks_and_no_others_until_we_leave(bench, codex_home, capfd):
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


def test_the_skills_come_and_go_with_the_hooks(bench):
    bench.install()
    assert ".codex/skills/remember/SKILL.md" in bench.tree()
    bench.uninstall()
    assert bench.tree() == {}
    assert list(bench.project.iterdir()) == []
