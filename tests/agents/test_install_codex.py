"""What is peculiar to Codex: three seconds at the end, and trust that only a person gives."""

import json
import sys
import tomllib

import pytest

from memdeck import Refused
from memdeck.benchmarks.gallery.programs import put_program
from memdeck.cli.main import run as run_command_line
from memdeck.hosts import commands as commands

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


SERVER = """
import hashlib, json, os, re, sys, tomllib

home = os.environ["CODEX_HOME"]
config = os.path.join(home, "config.toml")
hooks = os.path.join(home, "hooks.json")


def state():
    if not os.path.exists(config):
        return {}
    return tomllib.load(open(config, "rb")).get("hooks", {}).get("state", {})


def listed():
    found = []
    for event, groups in json.load(open(hooks))["hooks"].items():
        label = re.sub("(?<=[a-z])(?=[A-Z])", "_", event).lower()
        for at, group in enumerate(groups):
            for inner, handler in enumerate(group["hooks"]):
                key = f"{hooks}:{label}:{at}:{inner}"
                shown = json.dumps([event, handler]).encode()
                digest = "sha256:" + hashlib.sha256(shown).hexdigest()
                trusted = state().get(key, {}).get("trusted_hash") == digest
                found.append({"key": key, "currentHash": digest, "command": handler["command"],
                              "trustStatus": "trusted" if trusted else "untrusted"})
    return found


def answer(method, params):
    if method == "hooks/list":
        return {"data": [{"cwd": params["cwds"][0], "hooks": listed(), "errors": []}]}
    if method == "config/batchWrite" and MODE != "deaf":
        [edit] = params["edits"]
        assert (edit["keyPath"], edit["mergeStrategy"]) == ("hooks.state", "upsert")
        with open(config, "a") as file:
            for key, value in edit["value"].items():
                file.write(f"[hooks.state.{json.dumps(key)}]\\n")
                file.write(f"trusted_hash = {json.dumps(value['trusted_hash'])}\\n")
    return {}


MODE = "MODE"
assert sys.argv[1:] == ["app-server"]
ready = False
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        ready = ready or message["method"] == "initialized"
        continue
    assert ready or message["method"] == "initialize"
    if MODE == "gone":
        break
    print("a line of a log", flush=True)
    print(json.dumps({"method": "a/notification", "params": {}}), flush=True)
    if MODE == "old" and message["method"] == "hooks/list":
        reply = {"error": {"code": -32601, "message": "unknown"}}
    else:
        reply = {"result": answer(message["method"], message["params"])}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **reply}), flush=True)
"""


@pytest.fixture
def codex(tmp_path, monkeypatch):
    """A program that answers as Codex's app-server does, in one of its moods."""

    def put(mode="well"):
        folder = tmp_path / "bin"
        folder.mkdir(exist_ok=True)
        program = folder / "codex"
        put_program(program, f"#!{sys.executable}\n" + SERVER.replace('"MODE"', f'"{mode}"'))
        monkeypatch.setenv("PATH", str(folder))

    return put


@pytest.fixture
def trusting(bench, capfd):
    """Install and have Codex told that the person trusts: whether that went well, and words."""

    def run(scope="user"):
        where = ["--scope", scope, "--project", str(bench.project)]
        code = run_command_line(["install", "codex", *where, "--trust"])
        return code == 0, capfd.readouterr().err

    return run


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


def test_codex_is_told_of_our_hooks_and_of_no_others(bench, codex, codex_home, trusting):
    codex()
    theirs = {"hooks": [{"type": "command", "command": "say done"}]}
    bench.put(json.dumps({"hooks": {"Stop": [theirs]}}), "user")
    is_well, said = trusting()
    assert is_well
    told = said.partition("Codex trusts: ")[2].rstrip(".\n").split(", ")
    assert sorted(told) == sorted(events_of("codex"))
    config = codex_home / "config.toml"
    state = tomllib.loads(config.read_text())["hooks"]["state"]
    ours = tomllib.loads(trusted_by_codex(bench.path("user")))["hooks"]["state"]
    assert len(ours) == len(events_of("codex"))
    assert state.keys() == ours.keys()
    before = config.read_text()
    assert trusting()[0]
    assert config.read_text() == before


def test_the_command_line_gives_trust_when_it_is_told_to(bench, codex, codex_home, capfd):
    codex()
    assert run_command_line(["install", "codex", "--trust", "--json"]) == 0
    assert set(json.loads(capfd.readouterr().out)["trusted"]) == set(events_of("codex"))
    assert "trusted_hash" in (codex_home / "config.toml").read_text()
    assert run_command_line(["install", "codex", "--trust"]) == 0
    assert "Codex trusts: SessionStart" in capfd.readouterr().err


def test_the_skills_come_and_go_with_the_hooks(bench):
    bench.install()
    assert ".codex/skills/remember/SKILL.md" in bench.tree()
    bench.uninstall()
    assert bench.tree() == {}
    assert list(bench.project.iterdir()) == []
