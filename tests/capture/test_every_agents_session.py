"""A session of each agent gives captures, and its list of todos in one form."""

import json
from pathlib import Path

import pytest

from memdeck.benchmarks.gallery.extract import extract
from memdeck.core.sessions.transcript import read_any
from memdeck.core.sessions.turns import Turn
from memdeck.hosts.opencode.host import read_export

WIRE = Path(__file__).parent.parent / "wire"
FILES = {
    "claude": WIRE / "claude" / "transcripts" / "claude-session.jsonl",
    "codex": WIRE / "codex" / "rollout-0.169.jsonl",
    "gemini": WIRE / "gemini" / "session-resumed.jsonl",
    "opencode": WIRE / "opencode" / "export.json",
}


def left_open(turns):
    """What is kept of the agent's list: its open items, and whether they were begun."""
    found = extract(turns, session="s1")
    kept = [one for one in found if one.rule == "agent.open-todo"]
    return [(one.content, one.details["status"]) for one in kept]


def test_a_recorded_session_yields_captures(subtests):
    for host in FILES:
        with subtests.test(host=host):
            path = str(FILES[host])
            turns = read_any(path, host).turns
            told = "Remember that total() returns a float, for the sake of the shop."
            turns += (Turn("user", told, line=turns[-1].line + 1, uuid="told"),)
            found = extract(turns, session="s1", agent=host, transcript=path)
            assert any("total()" in capture.content for capture in found)
            assert {capture.origin.agent for capture in found} == {host}


def test_a_recorded_session_tells_how_its_todos_ended(subtests):
    for host in FILES:
        with subtests.test(host=host):
            turns = read_any(str(FILES[host]), host).turns
            assert left_open(turns) == []
            earlier = [left_open(turns[:end]) for end in range(len(turns))]
            assert any("Return a float" in content for kept in earlier for content, _ in kept)


STATES = ("completed", "in_progress", "pending")
SUBJECTS = ("Add the migration", "Make orders idempotent", "Document the header")
LEFT = [
    ("Todo left open: Make orders idempotent.", "active"),
    ("Todo left open: Document the header.", "pending"),
]


def claude_lines(name, key, word):
    todos = [{word: s, "status": state} for s, state in zip(SUBJECTS, STATES, strict=True)]
    use = {"type": "tool_use", "id": "t1", "name": name, "input": {key: todos}}
    message = {"id": "m1", "role": "assistant", "content": [use]}
    return [{"type": "assistant", "uuid": "u1", "isSidechain": False, "message": message}]


def codex_lines(name, key, word):
    todos = [{word: s, "status": state} for s, state in zip(SUBJECTS, STATES, strict=True)]
    call = {"type": "function_call", "name": name, "call_id": "c1"}
    call["arguments"] = json.dumps({key: todos})
    return [
        {"type": "session_meta", "payload": {"id": "s1", "cwd": "/p"}},
        {"type": "response_item", "payload": call},
    ]


def gemini_lines(name, key, word):
    todos = [{word: s, "status": state} for s, state in zip(SUBJECTS, STATES, strict=True)]
    call = {"id": "c1", "name": name, "args": {key: todos}, "status": "success"}
    return [
        {"sessionId": "s1", "projectHash": "p", "kind": "main"},
        {"id": "m1", "type": "gemini", "content": "", "toolCalls": [call]},
    ]


def opencode_lines(name, key, word):
    todos = [{word: s, "status": state} for s, state in zip(SUBJECTS, STATES, strict=True)]
    state = {"status": "completed", "input": {key: todos}, "output": ""}
    part = {"id": "p1", "type": "tool", "tool": name, "callID": "c1", "state": state}
    return [{"info": {"id": "m1", "role": "assistant"}, "parts": [part]}]


LISTS = {
    "claude": (claude_lines, "TodoWrite", "todos", "content"),
    "codex": (codex_lines, "update_plan", "plan", "step"),
    "gemini": (gemini_lines, "write_todos", "todos", "description"),
    "opencode": (opencode_lines, "todowrite", "todos", "content"),
}


@pytest.mark.parametrize("host", LISTS)
def test_every_agents_list_is_the_same_list(host, tmp_path):
    lines, *words = LISTS[host]
    file = tmp_path / "session.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines(*words)))
    assert left_open(read_any(str(file), host).turns) == LEFT


def test_an_exported_list_is_that_list_as_well():
    text = json.dumps({"info": {"id": "ses_1"}, "messages": opencode_lines(*LISTS["opencode"][1:])})
    assert left_open(read_export(text).turns) == LEFT


@pytest.mark.parametrize(
    ("host", "state", "is_open"),
    [
        ("gemini", "blocked", True),
        ("gemini", "cancelled", False),
        ("opencode", "cancelled", False),
        ("codex", "in_progress", True),
    ],
)
def test_a_state_that_only_some_agents_know_is_open_or_over(host, state, is_open, tmp_path):
    lines, *words = LISTS[host]
    text = "".join(json.dumps(line) + "\n" for line in lines(*words))
    file = tmp_path / "session.jsonl"
    file.write_text(text.replace("in_progress", state))
    kept = [content for content, _ in left_open(read_any(str(file), host).turns)]
    assert (LEFT[0][0] in kept) is is_open
