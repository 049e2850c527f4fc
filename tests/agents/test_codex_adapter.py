"""Codex's payloads become our events, and our replies pass its own schemas."""

import json
from pathlib import Path

import pytest

from memdeck.agents import events
from memdeck.agents.hosts.codex import wire as codex

WIRE = Path(__file__).parent.parent / "wire" / "codex"
EVERY = sorted((WIRE / "payloads").glob("*.json"))
KINDS = {
    "SessionStart": events.SESSION_STARTED,
    "UserPromptSubmit": events.PROMPT,
    "SubagentStart": events.SUBAGENT_STARTED,
    "SubagentStop": events.SUBAGENT_ENDED,
    "PreCompact": events.COMPACTING,
    "Stop": events.TURN_ENDED,
    "Interrupt": events.TURN_ENDED,
    "SessionEnd": events.SESSION_ENDED,
}


def load(name):
    return json.loads((WIRE / "payloads" / f"{name}.json").read_bytes())


def expected_kind(name, payload):
    event, tool = payload["hook_event_name"], payload.get("tool_name")
    if name == "UserPromptSubmit.skill":
        return None  # "$remember ..." is a call of our own skill
    if event == "PreToolUse" and tool in codex.TASK_TOOLS:
        return events.TASK_GIVEN
    if event == "PreToolUse":
        return events.TOOL_STARTING if tool == "apply_patch" else None
    if event == "PostToolUse":
        return events.TODOS if tool == "update_plan" else events.TOOL_ENDED
    return KINDS.get(event)


def test_every_recorded_payload_is_read_as_what_it_is(subtests):
    for path in EVERY:
        with subtests.test(path=path):
            payload = json.loads(path.read_bytes())
            event = codex.read(payload)

            assert (event and event.kind) == expected_kind(path.stem, payload)
            if event is not None:
                assert (event.host, event.name) == ("codex", payload["hook_event_name"])
                assert (event.session, event.cwd) == (payload["session_id"], payload["cwd"])
                own = payload.get("agent_transcript_path") or payload["transcript_path"] or ""
                assert event.transcript == own


@pytest.mark.parametrize("source", ["startup", "resume", "clear", "compact"])
def test_a_session_start_says_how_it_started(source):
    assert codex.read(load(f"SessionStart.{source}")).detail == source


def test_a_session_without_a_file_has_no_transcript():
    event = codex.read(load("SessionStart.null-transcript"))
    assert (event.kind, event.transcript) == (events.SESSION_STARTED, "")


@pytest.mark.parametrize(
    ("name", "still_open", "completed"),
    [
        ("PostToolUse.update_plan.create", 3, 0),
        ("PostToolUse.update_plan.complete", 2, 1),
        ("captured.PostToolUse-update_plan-started", 2, 0),
        ("captured.PostToolUse-update_plan-completed", 0, 2),
    ],
)
def test_a_plan_is_counted_as_it_stands(name, still_open, completed):
    todos = codex.read(load(name)).todos
    assert (todos.tool, todos.open, todos.completed) == ("update_plan", still_open, completed)


def test_a_patch_names_its_files_once_each_and_as_given():
    given = load("captured.PreToolUse-apply_patch")
    given["tool_input"]["command"] = "\n".join(
        (
            "*** Begin Patch",
            "*** Update File: app/a b.py",
            "*** Move to: app/c.py",
            "@@",
            "-*** Add File: not/this.py",
            "*** Add File: app/new.py",
            "+x",
            "*** Delete File: app/old.py",
            "*** Update File: app/new.py",
            "*** End Patch",
        )
    )
    event = codex.read(given)
    assert event.kind == events.TOOL_STARTING
    assert event.files == ("app/a b.py", "app/c.py", "app/new.py", "app/old.py")


@pytest.mark.parametrize(("count", "kept"), [(20, 20), (21, 20)])
def test_of_a_large_patch_the_first_files_are_looked_at(count, kept):
    given = load("captured.PreToolUse-apply_patch")
    given["tool_input"]["command"] = "\n".join(f"*** Add File: {n}.py" for n in range(count))
    assert len(codex.read(given).files) == kept


@pytest.mark.parametrize("patch", [None, "", 7, "no patch at all", "*** Add File: \n"])
def test_a_patch_that_names_no_file_starts_unheard(patch):
    given = load("captured.PreToolUse-apply_patch")
    given["tool_input"]["command"] = patch
    assert codex.read(given) is None


@pytest.mark.parametrize(
    ("response", "outcome"),
    [
        ("Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.", "ok"),
        ("Exit code: 1\nWall time: 0 seconds\nOutput:\nno such file", "failed"),
        ("Success. Updated the following files:\nM app.py\n", "ok"),
        ("Exit code: 1\nsaid the program", ""),
        ("collecting\nassert failed: total\n", ""),  # the shell's exit code is not told
        ({"content": [], "isError": False}, "ok"),
        ({"content": [], "isError": True}, "failed"),
        ({"content": []}, ""),
        (None, ""),
        ([1], ""),
    ],
)
def test_how_a_tool_ended_is_said_where_the_host_shows_it(response, outcome):
    given = {**load("captured.PostToolUse-apply_patch"), "tool_response": response}
    event = codex.read(given)
    assert (event.kind, event.outcome) == (events.TOOL_ENDED, outcome)


def test_an_ended_subagent_points_to_its_own_rollout():
    event = codex.read(load("SubagentStop"))
    assert event.transcript.endswith("019a8f40-2222-7c11-a0b1-5d6e7f8a9b0c.jsonl")
    assert (event.role, event.agent_id) == ("explorer", "019a8f40-2222-7c11-a0b1-5d6e7f8a9b0c")


def test_a_subagent_without_a_rollout_leaves_nothing_to_read():
    assert codex.read({**load("SubagentStop"), "agent_transcript_path": None}) is None


def test_what_a_subagent_does_bears_its_name():
    event = codex.read(load("PostToolUse.Bash.subagent"))
    assert event.agent_id == "019a8f40-2222-7c11-a0b1-5d6e7f8a9b0c"


@pytest.mark.parametrize(
    ("prompt", "is_heard"),
    [
        ("why does it fail?", True),
        ("$deploy to staging", True),
        ("$memory of that bug", True),
        ("$remember use tabs", False),
        ("$mem", False),
        (" \n", False),
        (None, False),
    ],
)
def test_calls_of_our_own_skills_are_no_questions(prompt, is_heard):
    event = codex.read({**load("captured.UserPromptSubmit"), "prompt": prompt})
    assert (event is not None) is is_heard


# --- replies


def schema(event):
    kebab = "".join(f"-{c.lower()}" if c.isupper() else c for c in event).lstrip("-")
    return json.loads((WIRE / "schemas" / f"{kebab}.command.output.json").read_bytes())


def assert_valid(reply, schema):
    """No key that the host's schema does not name: it forbids all others."""
    assert set(reply) <= set(schema["properties"])
    inner = reply["hookSpecificOutput"]
    wanted = schema["properties"]["hookSpecificOutput"]["allOf"][0]["$ref"].rpartition("/")[2]
    definition = schema["definitions"][wanted]
    assert definition["additionalProperties"] is False
    assert set(inner) <= set(definition["properties"])
    assert inner["hookEventName"] == definition["properties"]["hookEventName"]["const"]


@pytest.mark.parametrize("name", codex.ANSWERED)
def test_a_reply_passes_the_hosts_own_schema(name):
    event = events.Event(events.PROMPT, "codex", name, session="s")
    reply = json.loads(codex.reply(event, 'a "b" ☕\ud83d'))
    assert_valid(reply, schema(name))
    assert reply["hookSpecificOutput"]["additionalContext"] == 'a "b" ☕\ud83d'


@pytest.mark.parametrize("name", ["SessionStart", "UserPromptSubmit"])
def test_a_reply_has_the_form_that_was_recorded_as_valid(name):
    recorded = json.loads((WIRE / "outputs" / f"{name}.stdout.json").read_bytes())
    event = events.Event(events.PROMPT, "codex", name, session="s")
    said = recorded["hookSpecificOutput"]["additionalContext"]
    assert json.loads(codex.reply(event, said)) == recorded


@pytest.mark.parametrize("name", sorted(set(codex.EVENTS) - set(codex.ANSWERED)))
def test_no_other_event_is_ever_replied_to(name):
    assert codex.reply(events.Event(events.TURN_ENDED, "codex", name), "text") == ""


@pytest.mark.parametrize(("size", "is_let_through"), [(9900, True), (9901, False)])
def test_a_reply_is_whole_or_refused(size, is_let_through):
    event = events.Event(events.PROMPT, "codex", "UserPromptSubmit")
    if is_let_through:
        assert codex.reply(event, "x" * size)
        return
    with pytest.raises(ValueError, match="too large"):
        codex.reply(event, "x" * size)


@pytest.mark.parametrize("tool", ["spawn_agent", "collaborationspawn_agent"])
def test_a_task_that_a_subagent_is_given_is_heard_of(tool):
    given = {"message": "Look for callers", "task_name": "look_up", "agent_type": "explorer"}
    asked = {
        **load("captured.PreToolUse-apply_patch"),
        "tool_name": tool,
        "tool_input": given,
    }
    event = codex.read(asked)
    assert (event.kind, event.prompt, event.role) == (
        events.TASK_GIVEN,
        "Look for callers",
        "explorer",
    )


@pytest.mark.parametrize("message", ["gAAAAABpI3Nf0c2p", "", None, 3])
def test_a_task_that_cannot_be_read_is_none(message):
    """Codex hands some models' messages over enciphered."""
    asked = {
        **load("captured.PreToolUse-apply_patch"),
        "tool_name": "spawn_agent",
        "tool_input": {"message": message},
    }
    assert codex.read(asked) is None
