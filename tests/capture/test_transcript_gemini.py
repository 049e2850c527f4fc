"""Gemini CLI's chat file as turns."""

import json
from pathlib import Path

import pytest

from memdeck.core.sessions.turns import calls_in
from memdeck.tests.transcripts import read_gemini

WIRE = Path(__file__).parent.parent / "wire" / "gemini"
RESUMED, REWOUND = str(WIRE / "session-resumed.jsonl"), str(WIRE / "session-rewound.jsonl")
HEADER = {"sessionId": "s1", "projectHash": "00", "kind": "main"}


def message(kind, content="", name="m1", **more):
    about = {"id": name, "timestamp": "2026-03-20T09:00:00.000Z", "type": kind}
    return {**about, "content": content, **more}


def tool(name="run_shell_command", status="success", call="c1", **response):
    result = [{"functionResponse": {"id": call, "name": name, "response": response}}]
    args = {"command": "make"}
    return {"id": call, "name": name, "args": args, "status": status, "result": result}


@pytest.fixture
def turns(written):
    """The turns of these lines, after a header."""
    return lambda *lines, **options: read_gemini(written([HEADER, *lines]), **options).turns


def test_a_recorded_session_gives_its_turns_once_though_it_was_resumed():
    reading = read_gemini(RESUMED)
    prompts = [t.text for t in reading.turns if t.is_prompt]
    assert prompts == [
        "Please make total() return a float and run the checks.",
        "Do the checks pass?",
    ]
    assert [c.tool for c in calls_in(reading.turns)] == (
        "Bash Bash Read Read Edit Write TodoWrite TodoWrite"
    ).split()
    assert reading.turns[0].at.isoformat() == "2026-01-15T09:00:25+00:00"
    assert [t.text for t in reading.turns if t.kind == "assistant"] == [
        "I'll look around.",
        "Done: total() returns a float.",
        "The checks pass now.",
    ]
    assert (reading.bad_lines, reading.offset) == (0, Path(RESUMED).stat().st_size)


def test_failures_are_told_by_exit_code_and_by_error():
    failed = [c.result.text for c in calls_in(read_gemini(RESUMED).turns) if c.result.is_error]
    assert failed == [
        "Exit code 3\ncollecting\nassert failed: total",
        "File not found: /home/dev/acme-api/missing.py",
    ]


def test_what_was_typed_is_read_and_what_was_taken_back_is_not():
    turns = read_gemini(REWOUND).turns
    assert [t.kind for t in turns] == ["user", "tool_call", "tool_result", "assistant"]
    assert turns[0].text.endswith("ops will not run Redis in the EU region.")
    assert not any("never mind" in t.text or "Project memory" in t.text for t in turns)


def test_a_prompt_is_what_the_person_typed(turns, subtests):
    rows = [
        [{"text": "hello"}, {"text": "<hook_context>always use tabs</hook_context>"}],
        [{"text": "<hook_context>always\n\n&lt;b&gt; tabs</hook_context>\n\nhello"}],
        [{"text": "hello"}, {"text": "<hook_context>cut of"}],
        [{"text": "hello"}, {"text": "\n--- Content from referenced files ---"}, {"text": "tabs"}],
        [{"text": "hello"}, 7, {"inlineData": {}}],
        "hello",
    ]
    for parts in rows:
        with subtests.test(parts=parts):
            assert [t.text for t in turns(message("user", parts))] == ["hello"]


def test_what_is_nobodys_words_is_left_out(turns, subtests):
    rows = [
        message("user", "<session_context>\nThis is the Gemini CLI."),
        message("info", "always"),
        message("error", "always"),
        message("warning", "always"),
        message("gemini", "", thoughts=[{"subject": "hm"}]),
        message("gemini", [{"text": "hm", "thought": True}]),
        {"$set": {"summary": "always"}},
        {"$set": {"messages": 7}},
        {"$rewindTo": ["m1"]},
    ]
    for line in rows:
        with subtests.test(line=line):
            assert turns(line) == ()


def test_a_compression_is_a_boundary(turns):
    [turn] = turns(message("user", "<state_snapshot>we decided</state_snapshot>"))
    assert (turn.kind, turn.text) == ("boundary", "")


def test_a_call_that_the_person_stopped_is_no_failure(turns):
    [made] = calls_in(turns(message("gemini", toolCalls=[tool(status="cancelled", error="no")])))
    assert not made.result.is_error
    assert made.result.details == {"interrupted": True}


def test_todos_and_subagents_have_the_names_that_the_rules_know(turns):
    listed = {"todos": [{"description": "Do it", "status": "blocked"}, {"status": "pending"}]}
    calls = calls_in(
        turns(
            message(
                "gemini",
                toolCalls=[
                    {**tool("write_todos", output="ok"), "args": listed},
                    {**tool("codebase_investigator", call="c2"), "args": {"objective": "Where?"}},
                ],
            )
        )
    )
    assert [c.tool for c in calls] == ["TodoWrite", "Agent"]
    assert calls[0].turn.tool_input == {"todos": [{"content": "Do it", "status": "pending"}]}
    assert calls[1].argument("prompt") == "Where?"
    assert calls[1].argument("subagent_type") == "codebase_investigator"


def test_a_subagents_chat_is_read_when_asked(written):
    path = written([{**HEADER, "kind": "subagent"}, message("user", "look")])
    assert read_gemini(path).turns == ()
    [turn] = read_gemini(path, sidechains=True).turns
    assert turn.agent_id == "s1"


@pytest.mark.parametrize("indent", [None, 2])
def test_the_one_json_of_old_is_read_whole(tmp_path, indent):
    file = tmp_path / "session-2025.json"
    whole = {**HEADER, "messages": [message("user", "go"), message("gemini", "done", name="m2")]}
    file.write_text(json.dumps(whole, indent=indent))
    reading = read_gemini(str(file))
    assert [(t.kind, t.text, t.line) for t in reading.turns] == [
        ("user", "go", 1),
        ("assistant", "done", 2),
    ]
    assert (reading.offset, reading.line_no) == (file.stat().st_size, 2)

    whole["messages"].append(message("user", "more", name="m3"))
    file.write_text(json.dumps(whole, indent=indent))
    again = read_gemini(str(file), reading.offset, reading.line_no, reading.seen_uuids)
    assert [(t.text, t.line, t.uuid) for t in again.turns] == [("more", 3, "m3")]
    assert {t.uuid for t in reading.turns} < {t.uuid for t in read_gemini(str(file)).turns}
