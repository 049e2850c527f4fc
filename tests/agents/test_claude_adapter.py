"""Claude Code's payloads, handed to the hook; everything else is left alone."""

import json
import os
from pathlib import Path

import pytest

pytestmark = pytest.mark.usefixtures("opened_once")

WIRE = Path(__file__).parent.parent / "wire"
EVERY = sorted((WIRE / "claude" / "payloads").glob("*.json"))

NOT_FOR_US = (
    "UserPromptSubmit.slash",
    "UserPromptSubmit.task-notification",
    "PostToolUse.TaskUpdate.failed",
    "captured.SubagentStop",  # the host's own summariser
)


@pytest.fixture
def read(hear):
    return lambda payload, word="": hear("claude", payload, word)


FACT = 'Say "aye" ☕ at the quay.'


def test_a_task_keeps_its_id_when_the_update_has_no_status_change(payload, read):
    update = payload("PostToolUse.TaskUpdate.completed")
    del update["tool_response"]["statusChange"]
    todos = read(update).todos
    assert (todos["task"], todos["completed"]) == ("1", 1)


def test_only_what_a_person_typed_is_answered(read, subtests):
    rows = [
        ("why does it fail?", True),
        ("/home/dev/app.py fails, why?", True),
        ("  run the tests", True),
        ("/remember use tabs", False),
        ("/mem:search tabs", False),
        ("/clear", False),
        ("/", False),
        ("", False),
        (" \n", False),
        ("<task-notification>\n<task-id>1</task-id>", False),
        ("<command-name>/clear</command-name>", False),
    ]
    for prompt, is_typed in rows:
        with subtests.test(prompt=prompt):
            given = {"session_id": "s", "hook_event_name": "UserPromptSubmit", "prompt": prompt}
            assert (read(given).kind is not None) is is_typed


def test_a_payload_without_event_name_is_read_as_the_command_line_says(read):
    heard = read({"session_id": "s", "cwd": "/p"}, "Stop")
    assert heard.kind == "turn_ended"


@pytest.mark.parametrize("key", ["cwd", "transcript_path"])
@pytest.mark.parametrize(
    "value",
    [17, ["a"], {"a": 1}, "relative/path", "/with\0nul", "/a\nb", "/half\ud83d", "/" * 5000],
)
def test_a_path_that_cannot_be_followed_counts_as_missing(key, value, read):
    heard = read({"session_id": "s", "hook_event_name": "Stop", key: value})
    assert (heard.cwd, heard.transcript) == (os.getcwd(), "")  # the hook runs where the agent is


def test_an_event_of_no_session_is_not_for_us(read, subtests):
    for session in [None, 17, "", ["x"], "x" * 201]:
        with subtests.test(session=session):
            assert read({"session_id": session, "hook_event_name": "Stop"}).kind is None


def test_a_tool_without_a_usable_path_starts_unheard(payload, read, subtests):
    rows = [None, 3, "", "/a\0b", "/half\ud83d", "x" * 5000, ["/a"]]
    for value in rows:
        with subtests.test(value=value):
            edit = payload("captured.PreToolUse-Edit")
            edit["tool_input"]["file_path"] = value
            assert read(edit).kind is None


def test_a_tool_that_ended_says_how(payload, read, subtests):
    rows = [
        ("captured.PostToolUse-Bash", {}, "ok"),
        ("captured.PostToolUse-Edit", {}, "ok"),
        ("captured.PostToolUseFailure-Bash", {}, "failed"),
        ("captured.PostToolUseFailure-Bash", {"is_interrupt": True}, ""),
        ("captured.PostToolUse-Bash", {"tool_response": {"interrupted": True}}, ""),
    ]
    for name, changes, outcome in rows:
        with subtests.test(name=name):
            heard = read({**payload(name), **changes})
            assert (heard.kind, heard.outcome) == ("tool_ended", outcome)


def test_a_subagent_that_starts_is_heard_and_the_hosts_own_has_none(payload, read):
    given = payload("captured.SubagentStart-Explore")
    assert read(given).name == "SubagentStart"
    assert read({**given, "agent_type": ""}).kind is None


def test_a_reply_is_one_object_of_the_shape_that_every_host_accepts_and_no_other_is_replied_to(
    payload, assert_reply, subtests, read, known, tmp_path
):
    known(tmp_path / "acme", **{FACT: {"files": ["app.py", "notes.md", "a.ipynb"]}})
    sessions = iter(range(1_000))

    def asked(payload):
        where = {"cwd": str(tmp_path / "acme"), "session_id": f"s{next(sessions)}"}
        return read({**payload, **where}).said

    answered = set()
    for path in EVERY:
        with subtests.test(path.stem):
            given = payload(path.stem)
            if given.get("hook_event_name") == "UserPromptSubmit" and path.stem not in NOT_FOR_US:
                given["prompt"] = "what is said at the quay?"
            if said := asked(given):
                assert said.isascii()
                assert_reply(said, given["hook_event_name"])
                assert FACT in json.loads(said)["hookSpecificOutput"]["additionalContext"]
                answered.add(given["hook_event_name"])
    before = {"SessionStart", "UserPromptSubmit", "PreToolUse", "SubagentStart"}
    assert answered == before | {"PostToolUse"}  # of a list in which a task begins
