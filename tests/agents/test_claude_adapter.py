"""Claude Code's payloads become our events; everything else becomes nothing."""

import json
from pathlib import Path

import pytest

from memdeck.agents import events
from memdeck.agents.hosts import registry as hosts
from memdeck.agents.hosts.claude import wire as claude

PAYLOADS = Path(__file__).parent.parent / "wire" / "claude" / "payloads"

KINDS = {
    "SessionStart": events.SESSION_STARTED,
    "UserPromptSubmit": events.PROMPT,
    "PostToolUseFailure": events.TOOL_ENDED,
    "TaskCompleted": events.TASK_COMPLETED,
    "Stop": events.TURN_ENDED,
    "StopFailure": events.FAILED,
    "SubagentStart": events.SUBAGENT_STARTED,
    "SubagentStop": events.SUBAGENT_ENDED,
    "PreCompact": events.COMPACTING,
    "SessionEnd": events.SESSION_ENDED,
}
NOT_FOR_US = (
    "UserPromptSubmit.slash",
    "UserPromptSubmit.task-notification",
    "PostToolUse.TaskUpdate.failed",
    "captured.SubagentStop",  # the host's own summariser
)
EVERY = sorted(PAYLOADS.glob("*.json"))


def expected_kind(name: str, payload: dict) -> str | None:
    if name in NOT_FOR_US:
        return None
    event = payload["hook_event_name"]
    if event == "PreToolUse" and payload["tool_name"] in claude.TASK_TOOLS:
        return events.TASK_GIVEN
    if event == "PreToolUse":
        return events.TOOL_STARTING if payload["tool_name"] in claude.FILE_TOOLS else None
    if event == "PostToolUse":
        return events.TODOS if payload["tool_name"] in claude.TODO_TOOLS else events.TOOL_ENDED
    return KINDS.get(event)


def test_every_recorded_payload_is_read_as_what_it_is(subtests):
    for path in EVERY:
        with subtests.test(path=path):
            payload = json.loads(path.read_bytes())
            event = claude.read(payload)

            assert (event and event.kind) == expected_kind(path.stem, payload)
            if event is not None:
                assert event.session == payload["session_id"]
                assert event.cwd == payload["cwd"]
                assert event.host == "claude"
                assert event.name == payload["hook_event_name"]


@pytest.mark.parametrize("source", ["startup", "resume", "clear", "compact", "fork"])
def test_a_session_start_says_how_it_started(source, payload):
    assert claude.read(payload(f"SessionStart.{source}")).detail == source


def test_an_ended_subagent_points_to_its_own_transcript(payload):
    event = claude.read(payload("captured.SubagentStop-Explore"))
    assert event.transcript.endswith("/subagents/agent-a0000000000000001.jsonl")
    assert event.agent_id == "a0000000000000001"


@pytest.mark.parametrize(
    ("name", "still_open", "completed"),
    [
        ("PostToolUse.TodoWrite.create", 3, 0),
        ("PostToolUse.TodoWrite.complete", 2, 1),
        ("PostToolUse.TodoWrite.all-complete", 0, 1),
        ("PostToolUse.TodoWrite.legacy-ids", 1, 1),
        ("captured.PostToolUse-TodoWrite-started", 2, 0),
        ("captured.PostToolUse-TodoWrite-completed", 0, 2),
        ("PostToolUse.TaskCreate", 1, 0),
        ("PostToolUse.TaskUpdate.in_progress", 1, 0),
        ("PostToolUse.TaskUpdate.completed", 0, 1),
        ("captured.TaskCompleted", 0, 1),
    ],
)
def test_todos_are_counted_as_they_stand_after_the_call(name, still_open, completed, payload):
    todos = claude.read(payload(name)).todos
    assert (todos.open, todos.completed) == (still_open, completed)


def test_a_task_keeps_its_id_when_the_update_has_no_status_change(payload):
    update = payload("PostToolUse.TaskUpdate.completed")
    del update["tool_response"]["statusChange"]
    todos = claude.read(update).todos
    assert (todos.task, todos.completed) == ("1", 1)


def test_a_failed_task_update_changes_nothing(payload):
    assert claude.read(payload("PostToolUse.TaskUpdate.failed")) is None


@pytest.mark.parametrize(
    ("prompt", "is_typed"),
    [
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
    ],
)
def test_only_what_a_person_typed_is_answered(prompt, is_typed):
    assert claude.is_typed(prompt) is is_typed


def test_a_payload_without_event_name_is_read_as_the_command_line_says():
    event = claude.read({"session_id": "s", "cwd": "/p"}, "Stop")
    assert event.kind == events.TURN_ENDED


def test_the_payloads_own_event_name_wins():
    event = claude.read({"session_id": "s", "hook_event_name": "SessionEnd"}, "Stop")
    assert (event.kind, event.name) == (events.SESSION_ENDED, "SessionEnd")


@pytest.mark.parametrize("key", ["cwd", "transcript_path"])
@pytest.mark.parametrize(
    "value",
    [17, ["a"], {"a": 1}, "relative/path", "/with\0nul", "/a\nb", "/half\ud83d", "/" * 5000],
)
def test_a_path_that_cannot_be_followed_counts_as_missing(key, value):
    event = claude.read({"session_id": "s", "hook_event_name": "Stop", key: value})
    assert (event.cwd, event.transcript) == ("", "")


@pytest.mark.parametrize("path", ["/srv/Café ☕/x", "/srv/全角　空白", "C:\\work\\api"])
def test_unusual_but_real_paths_are_kept(path):
    assert claude.read({"session_id": "s", "hook_event_name": "Stop", "cwd": path}).cwd == path


@pytest.mark.parametrize("session", [None, 17, "", ["x"], "x" * 201])
def test_an_event_of_no_session_is_not_for_us(session):
    assert claude.read({"session_id": session, "hook_event_name": "Stop"}) is None


@pytest.mark.parametrize(
    ("name", "tool", "files"),
    [
        ("captured.PreToolUse-Read", "Read", ("/home/dev/acme-api/app.py",)),
        ("captured.PreToolUse-Edit", "Edit", ("/home/dev/acme-api/app.py",)),
        ("captured.PreToolUse-Write", "Write", ("/home/dev/acme-api/notes.md",)),
    ],
)
def test_a_tool_that_starts_on_a_file_names_it(name, tool, files, payload):
    event = claude.read(payload(name))
    assert (event.kind, event.tool, event.files) == (events.TOOL_STARTING, tool, files)


def test_a_notebook_is_a_file_as_well(payload):
    edit = payload("captured.PreToolUse-Edit")
    edit |= {"tool_name": "NotebookEdit", "tool_input": {"notebook_path": "/p/a.ipynb"}}
    assert claude.read(edit).files == ("/p/a.ipynb",)


@pytest.mark.parametrize("value", [None, 3, "", "/a\0b", "/half\ud83d", "x" * 5000, ["/a"]])
def test_a_tool_without_a_usable_path_starts_unheard(value, payload):
    edit = payload("captured.PreToolUse-Edit")
    edit["tool_input"]["file_path"] = value
    assert claude.read(edit) is None


@pytest.mark.parametrize(
    ("name", "changes", "outcome"),
    [
        ("captured.PostToolUse-Bash", {}, "ok"),
        ("captured.PostToolUse-Edit", {}, "ok"),
        ("captured.PostToolUseFailure-Bash", {}, "failed"),
        ("captured.PostToolUseFailure-Bash", {"is_interrupt": True}, ""),
        ("captured.PostToolUse-Bash", {"tool_response": {"interrupted": True}}, ""),
    ],
)
def test_a_tool_that_ended_says_how(name, changes, outcome, payload):
    event = claude.read({**payload(name), **changes})
    assert (event.kind, event.outcome) == (events.TOOL_ENDED, outcome)


def test_a_todo_tool_that_failed_is_no_news(payload):
    failure = payload("captured.PostToolUseFailure-Bash")
    assert claude.read({**failure, "tool_name": "TodoWrite"}) is None


@pytest.mark.parametrize(
    ("name", "kind"),
    [("captured.StopFailure", "unknown"), ("StopFailure", "rate_limit")],
)
def test_a_turn_that_failed_says_why(name, kind, payload):
    assert claude.read(payload(name)).detail == kind


def test_a_subagent_that_starts_has_a_role_and_the_hosts_own_has_none(payload):
    given = payload("captured.SubagentStart-Explore")
    assert claude.read(given).role == "Explore"
    assert claude.read({**given, "agent_type": ""}) is None


@pytest.mark.parametrize("value", [None, 3, "text", [1], [{"content": 1}], {"todos": 5}])
def test_odd_todo_lists_never_raise(value):
    for tool in claude.TODO_TOOLS:
        claude.read(
            {
                "session_id": "s",
                "hook_event_name": "PostToolUse",
                "tool_name": tool,
                "tool_input": {"todos": value, "taskId": value, "status": value},
                "tool_response": {"oldTodos": value, "task": value, "statusChange": value},
            }
        )


OTHERS = {
    "cursor": {"conversation_id": "c", "generation_id": "g", "cursor_version": "3.9"},
    "copilot": {"sessionId": "s", "timestamp": 1764000000000, "cwd": "/p"},
    "gemini": {
        "hook_event_name": "SessionStart",
        "timestamp": "2026-11-01T10:00:00Z",
        "transcript_path": "/home/dev/.gemini/tmp/p/chats/session-1.jsonl",
    },
    "codex": {
        "hook_event_name": "UserPromptSubmit",
        "turn_id": "t",
        "transcript_path": "/home/dev/.codex/sessions/2026/11/01/rollout-1.jsonl",
    },
}
OTHERS["copilot "] = {
    "hook_event_name": "Stop",
    "timestamp": "2026-11-01T10:00:00Z",
    "stop_reason": "end_turn",
    "transcript_path": "/t",
}
OTHERS["codex "] = {"hook_event_name": "SessionStart", "turn_id": "t", "transcript_path": None}


@pytest.mark.parametrize("host", OTHERS)
def test_payloads_of_other_hosts_are_recognised_and_left_alone(host):
    payload = {"session_id": "s", "hook_event_name": "Stop", **OTHERS[host]}
    assert hosts.host_of(payload) == host.strip()
    assert claude.read(payload, "Stop") is None


def test_no_payload_of_claude_code_is_taken_for_another_hosts(subtests):
    for path in EVERY:
        with subtests.test(path=path):
            assert hosts.host_of(json.loads(path.read_bytes())) in ("claude", None)


@pytest.mark.parametrize("name", claude.ANSWERED)
def test_a_reply_is_one_object_of_the_shape_that_every_host_accepts(name):
    event = events.Event(events.PROMPT, "claude", name, session="s")
    assert json.loads(claude.reply(event, 'a "b" ☕\ud83d')) == {
        "hookSpecificOutput": {"hookEventName": name, "additionalContext": 'a "b" ☕\ud83d'}
    }
    assert claude.reply(event, "☕").isascii()


@pytest.mark.parametrize(
    "name",
    ["Stop", "SubagentStop", "PreCompact", "SessionEnd", "StopFailure", "PostToolUseFailure", "X"],
)
def test_no_other_event_is_ever_replied_to(name):
    event = events.Event(events.TURN_ENDED, "claude", name, session="s")
    assert claude.reply(event, "text") == ""


def test_a_reply_up_to_the_hosts_limit_is_let_through():
    event = events.Event(events.PROMPT, "claude", "UserPromptSubmit", session="s")
    assert claude.reply(event, "x" * 9900)
    assert claude.reply(event, "") == ""


@pytest.mark.parametrize("text", ["x" * 9901, "é" * 4951, "😀" * 2476])
def test_a_reply_over_the_hosts_limit_is_refused_whole(text):
    event = events.Event(events.PROMPT, "claude", "UserPromptSubmit", session="s")
    with pytest.raises(ValueError, match="too large"):
        claude.reply(event, text)
