"""A project on PYTHONPATH, or around us, has modules of its own; none of them is run.

Here the commands are those that were really installed, as an agent and a person start them.
"""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

MEMDECK, HOOK = (str(Path(sys.executable).with_name(name)) for name in ("memdeck", "memdeck-hook"))

# `sitecustomize` and `encodings` are run before any line of a program, `re` by scripts of pip.
FOREIGN = (
    *("sitecustomize", "usercustomize", "encodings", "site", "re", "json", "sqlite3", "zlib"),
    *("memdeck", "click", "peewee", "subprocess", "tomllib", "__main__"),
)
MARKING = """\
import posix
posix.close(posix.open({marker!r}, posix.O_CREAT | posix.O_WRONLY))
raise SystemExit(2)
"""

FACT = "The tide gauge of pier 12 is read at noon, in centimetres"
QUESTION = "when is the tide gauge of pier 12 read?"
RULE = "From now on always moor boats over nine metres at pier C."


@pytest.fixture(autouse=True)
def _opened_once():
    """Nothing was ever opened here."""


@pytest.fixture
def markers(tmp_path):
    folder = tmp_path / "markers"
    folder.mkdir()
    return folder


@pytest.fixture
def planted(repo, markers):
    """A project whose modules leave a file behind when they are run."""
    for name in FOREIGN:
        (repo / f"{name}.py").write_text(MARKING.format(marker=str(markers / name)))
    return repo


@pytest.fixture(params=["PYTHONPATH", "current folder"])
def way(request, planted, monkeypatch):
    """How the project gets in; the folder to start commands in."""
    monkeypatch.delenv("PYTHONPATH", raising=False)
    if request.param == "PYTHONPATH":
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join(("", ".", str(planted))))
        monkeypatch.setenv("PYTHONSTARTUP", str(planted / "json.py"))
    return planted


def run(*words, cwd, data=b"", **more):
    done = subprocess.run(words, input=data, capture_output=True, cwd=cwd, check=False, **more)
    assert done.returncode == 0, done.stderr
    assert b"Error" not in done.stderr
    return done.stdout.decode()


def payload(event, cwd, **fields):
    known = {"session_id": "s1", "cwd": str(cwd), "hook_event_name": event}
    return json.dumps({**known, **fields}).encode()


def test_commands_and_hooks_run_none_of_a_projects_modules(way, cli, markers):
    cli.remember(FACT, cwd=way)
    assert FACT in run(MEMDECK, "search", QUESTION, "--json", cwd=way)
    for command in ((HOOK, "claude"), (MEMDECK, "hook", "claude")):
        asked = payload("UserPromptSubmit", way, prompt=QUESTION, session_id=command[1])
        assert FACT in run(*command, "UserPromptSubmit", cwd=way, data=asked)
    assert os.listdir(markers) == []


@pytest.mark.parametrize("way", ["PYTHONPATH"], indirect=True)  # and the current folder with it
def test_what_install_registers_and_what_hooks_start_run_none_either(
    way, home, markers, start, no_drain_runs, known
):
    folder = Path(os.environ["HOME"], ".claude")
    folder.mkdir(parents=True)
    run(MEMDECK, "install", "claude", cwd=way)
    hooks = json.loads((folder / "settings.json").read_text())["hooks"]
    [registered] = [one["command"] for group in hooks["Stop"] for one in group["hooks"]]
    session = start("s1", way)
    session.says(RULE)
    stop = payload("Stop", way, transcript_path=str(session.transcript))
    assert run("sh", "-c", registered, cwd=way, data=stop) == ""
    no_drain_runs()
    run(MEMDECK, "drain", cwd=way)  # should the one that the hook started not have begun yet
    no_drain_runs()
    assert [one.content for one in known(cwd=way)] == [RULE]

    command = f"{shlex.quote(MEMDECK)} memory slash mem status"
    assert "1 memor" in run("sh", "-c", command, cwd=way)
    assert os.listdir(markers) == []
