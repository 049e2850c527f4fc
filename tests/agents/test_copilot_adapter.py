"""GitHub Copilot CLI: both spellings of its payloads, what it can be told, and its log."""

import json
from pathlib import Path

import pytest

from memdeck.core.sessions.transcript import host_of_file, read_any

PAYLOADS = Path(__file__).parent.parent / "wire" / "copilot" / "payloads"


def recorded(stem, **more):
    return {**json.loads((PAYLOADS / f"{stem}.json").read_text()), **more}


@pytest.fixture
def read(hear):
    """What the hook makes of a recorded payload, with other fields."""
    return lambda stem, **more: hear("copilot", recorded(stem, **more), stem.partition(".")[2])


def test_both_spellings_say_the_same(read, subtests):
    rows = [
        ("sessionStart", "SessionStart", "session_started"),
        ("postToolUse", "PostToolUse", "tool_ended"),
        ("preCompact", "PreCompact", "compacting"),
        ("agentStop", "Stop", "turn_ended"),
        ("sessionEnd", "SessionEnd", "session_ended"),
    ]
    for camel, pascal, kind in rows:
        with subtests.test(camel=camel):
            one, other = read(f"camel.{camel}"), read(f"pascal.{pascal}")
            assert one.kind == other.kind == kind
            assert one.name == other.name == camel
            slots = set(one.record) - {"id", "at", "detail"}
            assert [one.record[slot] for slot in slots] == [other.record[slot] for slot in slots]
            assert one.session == "8e6c4a20-5d7b-4f91-b3a5-c1e3d5f7b928"
            assert one.cwd == "/home/dev/acme-api"


def test_each_moment_that_can_be_told_gets_a_flat_reply(hear, known, tmp_path):
    known(tmp_path / "acme", **{"Tide gauges are read in métres.": {"files": ["tides.py"]}})
    payload = recorded("camel.subagentStop", cwd=str(tmp_path / "acme"))
    heard = hear("copilot", payload, "subagentStart")
    assert (heard.kind, heard.receipt["about"]["role"]) == ("", "researcher")
    start = recorded("camel.sessionStart", cwd=str(tmp_path / "acme"), sessionId="other")
    where = {"cwd": str(tmp_path / "acme")}
    prompt = recorded("camel.userPromptSubmitted", **where, prompt="in what are tide gauges read?")
    opened = {"toolName": "view", "toolArgs": {"path": "tides.py"}}
    view = recorded("camel.postToolUse", **where, **opened, sessionId="sixth")
    replies = [
        hear("copilot", start, "sessionStart").said,
        hear("copilot", {**prompt, "sessionId": "fifth"}, "userPromptSubmitted").said,
        hear("copilot", view, "postToolUse").said,
    ]
    command = {**prompt, "sessionId": "seventh", "prompt": "/model tide gauges"}
    assert hear("copilot", command, "userPromptSubmitted").said == ""
    for reply in (heard.said, *replies):
        [(name, told)] = json.loads(reply).items()
        assert name == "additionalContext"
        assert "métres" in told
    stop = recorded("camel.agentStop", cwd=str(tmp_path / "acme"), sessionId="third")
    assert hear("copilot", stop, "agentStop").said == ""


def log_of(*events_):
    lines = [
        {"type": kind, "data": data, "id": f"e{number}", "timestamp": None, "parentId": None}
        for number, (kind, data) in enumerate(events_)
    ]
    return "".join(json.dumps(line) + "\n" for line in lines)


def test_its_log_gives_turns_and_a_call_is_read_once(tmp_path):
    file = tmp_path / "events.jsonl"
    given = {"path": "/a.py", "old_str": "a", "new_str": "b"}
    request = {"toolCallId": "t1", "name": "edit", "arguments": given}
    file.write_text(
        log_of(
            ("session.start", {"sessionId": "s"}),
            ("user.message", {"content": "Mend it.", "transformedContent": "<x/>Mend it."}),
            ("user.message", {"content": "Go on.", "source": "autopilot"}),
            ("assistant.reasoning", {"content": "hm"}),
            ("assistant.message", {"content": "I will.", "toolRequests": [request]}),
            ("tool.execution_start", {"toolCallId": "t1", "toolName": "edit", "arguments": given}),
            ("tool.execution_complete", {"toolCallId": "t1", "success": False,
             "error": {"message": "no match"}}),
            ("tool.execution_start", {"toolCallId": "t2", "toolName": "bash", "arguments": {}}),
            ("tool.execution_complete", {"toolCallId": "t2", "success": True,
             "result": {"content": "E1"}, "shellExecution": {"exitCode": 3}}),
            ("assistant.message", {"content": "of a subagent", "parentToolCallId": "t9"}),
            ("session.compaction_complete", {"success": True}),
        )
    )  # fmt: skip
    assert host_of_file(str(file)) == "copilot"
    turns = read_any(str(file)).turns
    assert [(turn.kind, turn.text) for turn in turns] == [
        ("user", "Mend it."),
        ("assistant", "I will."),
        ("tool_call", ""),
        ("tool_result", "no match"),
        ("tool_call", ""),
        ("tool_result", "E1"),
        ("boundary", ""),
    ]
    call, result, failed = turns[2], turns[3], turns[5]
    assert failed.is_error
    assert (call.tool, call.tool_input["file_path"]) == ("Edit", "/a.py")
    assert (call.tool_input["old_string"], call.tool_input["new_string"]) == ("a", "b")
    assert (call.call_id, result.call_id, result.is_error) == ("t1", "t1", True)
    everyone = read_any(str(file), sidechains=True).turns
    assert [turn.text for turn in everyone if turn.agent_id] == ["of a subagent"]
