"""Gemini CLI's payloads, handed to the hook; what it sends with every request is left alone."""

import json
import tomllib
from pathlib import Path

import pytest

from memdeck.cli.main import run as memdeck

pytestmark = pytest.mark.usefixtures("opened_once")

WIRE = Path(__file__).parent.parent / "wire" / "gemini"
EVERY = sorted((WIRE / "payloads").glob("*.json"))


def load(name):
    return json.loads((WIRE / "payloads" / f"{name}.json").read_bytes())


@pytest.fixture
def read(hear):
    return lambda payload: hear("gemini", payload)


def test_a_todo_list_that_was_refused_is_no_news(read):
    given = load("captured.AfterTool-write_todos-started")
    given["tool_response"]["error"] = {"message": "only one may be in progress"}
    assert read(given).kind is None


FACT = 'Say "aye" ☕ <at> the quay.'


@pytest.fixture
def asked(read, known, tmp_path):
    """Of one session after another in a project that knows a fact of a file: what the hook says."""
    known(tmp_path / "acme", **{FACT: {"files": ["src/a.py"]}})
    sessions = iter(range(1_000))

    def _asked(payload):
        where = {"cwd": str(tmp_path / "acme"), "session_id": f"s{next(sessions)}"}
        return read({**payload, **where}).said

    return _asked


@pytest.mark.parametrize("name", ["read_file", "replace", "write_file"])
def test_a_tool_that_starts_or_ended_on_a_file_names_it(name, asked, read):
    """What is known of the file is told with the tool's result: before, the host takes nothing."""
    given = {"tool_name": name, "tool_input": {"file_path": "/p/src/a.py"}}
    start = {**load("captured.BeforeTool-read_file"), **given}
    assert read(start).name == "BeforeTool"
    assert asked(start) == ""
    assert "quay" in asked({**load("captured.AfterTool-read_file"), **given})


def test_a_tool_that_ended_says_how(read, subtests):
    rows = [
        ("captured.AfterTool-run_shell_command", "ok"),
        ("captured.AfterTool-run_shell_command-failure", "failed"),
        ("AfterTool.run_shell_command.error", "failed"),
        ("captured.AfterTool-read_file", "ok"),
        ("captured.AfterTool-read_file-error", "failed"),
        ("captured.AfterTool-replace", "ok"),
        ("AfterTool.mcp", "ok"),
    ]
    for name, outcome in rows:
        with subtests.test(name=name):
            assert read(load(name)).outcome == outcome


def test_the_exit_code_is_the_hosts_own_line(read, subtests):
    rows = [
        ("Output: x\nExit Code: 0\nSignal: 9", "ok"),
        ("Output: x\nExit Code: 1\nBackground PIDs: 4\nProcess Group PGID: 3", "failed"),
        ("Output: Exit Code: 3\nall is well", "ok"),  # the program said so
        ("Output: Exit Code: 3\nall is well\nProcess Group PGID: 42", "ok"),
        ("Output: x\nExit Code: many", "ok"),
        ([{"text": "x"}], "ok"),
        (None, "ok"),
    ]
    for content, outcome in rows:
        with subtests.test(content=content):
            given = load("captured.AfterTool-run_shell_command")
            given["tool_response"]["llmContent"] = content
            assert read(given).outcome == outcome


def test_a_reply_is_one_object_of_the_shape_that_was_observed_and_no_other_event_is_replied_to(
    asked, subtests
):
    recorded = json.loads((WIRE / "outputs" / "BeforeAgent.stdout.json").read_bytes())
    answered = set()
    for path in EVERY:
        payload = load(path.stem)
        if "tool_input" in payload:
            payload["tool_input"]["file_path"] = "/p/src/a.py"
        with subtests.test(path.stem):
            if said := asked(payload):
                reply = json.loads(said)["hookSpecificOutput"]
                answered.add(payload["hook_event_name"])
                assert set(json.loads(said)) == set(recorded) == {"hookSpecificOutput"}
                assert set(reply) == set(recorded["hookSpecificOutput"])
                assert reply["hookEventName"] == payload["hook_event_name"]
                assert FACT in reply["additionalContext"]
    assert answered == {"BeforeAgent", "AfterTool"}


def test_our_own_slash_commands_are_no_question_to_memory(read, tmp_path):
    """Gemini hands over what a command expands to; a person's own words about us are a prompt."""
    assert memdeck(["install", "gemini", "--scope", "user"]) == 0
    commands = sorted((tmp_path / "person" / ".gemini" / "commands").rglob("*.toml"))
    assert len(commands) >= 4
    given = load("BeforeAgent")
    for file in commands:
        prompt = tomllib.loads(file.read_text())["prompt"]
        assert "!{" not in prompt  # Gemini would run it before any hook sees it
        assert read({**given, "prompt": prompt}).kind is None
    assert read({**given, "prompt": "what has memdeck printed above?"}).kind == ""


def test_a_result_brings_what_is_known_of_its_files_and_is_noted(hear, known, tmp_path):
    known(tmp_path / "acme", **{FACT: {"files": ["src/a.py"]}})
    about = {"cwd": str(tmp_path / "acme"), "tool_input": {"file_path": "src/a.py"}}
    heard = hear("gemini", {**load("captured.AfterTool-read_file"), **about}, "AfterTool")
    assert ("quay" in heard.said, heard.kind) == (True, "tool_ended")
