"""The agents as reviewers: the exact words they are called with, and what their output means."""

import json
import os

import pytest

pytestmark = pytest.mark.slow

ANSWER = {"importance": 7, "trivial": False, "reason": "Said once, needed often."}
WORDS = json.dumps(ANSWER)


def lines(*events):
    return "".join(f"{json.dumps(event)}\n" for event in events)


def claude_result(**fields):
    return {
        "type": "result",
        "subtype": "success",
        "is_error": False,
        "result": WORDS,
        "session_id": "s1",
        "num_turns": 1,
        "total_cost_usd": 0.0031,
        "usage": {"input_tokens": 10, "cache_read_input_tokens": 900, "output_tokens": 40},
        **fields,
    }


def codex_events(*more):
    return [
        {"type": "thread.started", "thread_id": "t1"},
        {"type": "turn.started"},
        {"type": "item.completed", "item": {"id": "i0", "type": "reasoning", "text": "Hm."}},
        *more,
    ]


def said(text):
    return {"type": "item.completed", "item": {"id": "i1", "type": "agent_message", "text": text}}


TURN_DONE = {
    "type": "turn.completed",
    "usage": {"input_tokens": 20_000, "cached_input_tokens": 0, "output_tokens": 100},
}


# --- Claude Code


def test_claude_is_asked_without_hooks_tools_session_or_settings(program, ask):
    claude = program("claude", stdout=json.dumps(claude_result()))

    vote = ask(kind="claude")

    assert claude.seen["arguments"] == [
        "-p", "--output-format", "json", "--model", "haiku",
        "--safe-mode", "--settings", '{"disableAllHooks":true}',
        "--tools", "", "--strict-mcp-config", "--disallowedTools", "mcp__*",
        "--disable-slash-commands", "--no-session-persistence",
    ]  # fmt: skip
    assert claude.seen["environment"]["MEMDECK_GUARD"] == "1"
    assert claude.seen["inside"] == []
    assert "Always run make migrate" in claude.seen["prompt"]
    assert (vote.score, vote.cost_usd, vote.engine) == (7.0, 0.0031, "claude")


# --- Codex


def test_codex_is_asked_without_hooks_rules_or_the_persons_settings(program, ask):
    codex = program("codex", stdout=lines(*codex_events(said(WORDS), TURN_DONE)))

    vote = ask(kind="codex", model="gpt-mini")

    words = codex.seen["arguments"]
    schema, last = words[words.index("--output-schema") + 1], words[words.index("-o") + 1]
    assert words == [
        "exec", "--json", "--ephemeral", "--skip-git-repo-check",
        "--sandbox", "read-only", "-c", "features.hooks=false",
        "--ignore-user-config", "--ignore-rules", "-m", "gpt-mini",
        "--output-schema", schema, "-o", last, "-",
    ]  # fmt: skip
    assert os.path.isabs(schema)
    assert os.path.isabs(last)
    assert os.path.dirname(schema) != codex.seen["folder"]
    assert codex.seen["files"]["schema.json"] == {
        "type": "object",
        "properties": {
            "importance": {"type": "number"},
            "trivial": {"type": "boolean"},
            "reason": {"type": "string"},
        },
        "required": ["importance", "trivial", "reason"],
        "additionalProperties": False,
    }
    assert codex.seen["inside"] == []
    assert codex.seen["environment"]["MEMDECK_GUARD"] == "1"
    assert (vote.status, vote.score) == ("ok", 7.0)


# --- Gemini


def gemini(response=WORDS, **fields):
    tokens = {"prompt": 3_000, "candidates": 40, "thoughts": 60, "total": 3_100}
    stats = {"models": {"flash": {"tokens": tokens}}}
    return json.dumps({"session_id": "s", "response": response, "stats": stats, **fields})


def test_gemini_is_asked_in_plan_mode_and_without_extensions(program, ask):
    stand_in = program("gemini", stdout=gemini())

    vote = ask(kind="gemini")

    assert stand_in.seen["arguments"] == [
        "-p", "", "--output-format", "json", "-m", "flash",
        "--approval-mode", "plan", "-e", "none", "--skip-trust",
    ]  # fmt: skip
    assert stand_in.seen["files"]["no-hooks.json"] == {"hooksConfig": {"enabled": False}}
    assert stand_in.seen["environment"]["MEMDECK_GUARD"] == "1"
    assert (vote.status, vote.score) == ("ok", 7.0)


# --- OpenCode


def opencode(*events):
    return lines(*({"timestamp": 1, "sessionID": "ses_3fA9", **event} for event in events))


TEXT = {"type": "text", "part": {"type": "text", "text": WORDS}}
STEP = {
    "type": "step_finish",
    "part": {"cost": 0.004, "tokens": {"input": 900, "output": 30, "reasoning": 5}},
}
DONE = {"type": "done", "reason": "idle", "rejected": []}


def test_opencode_is_asked_without_any_tool_or_public_page(program, ask):
    stand_in = program("opencode", stdout=opencode({"type": "step_start"}, TEXT, STEP, DONE))

    vote = ask(kind="opencode", model="acme/small-1")

    assert stand_in.seen["arguments"] == [
        "run", "--format", "json", "-m", "acme/small-1", "--title", "memdeck review",
        "Answer what follows.",
    ]  # fmt: skip
    environment = stand_in.seen["environment"]
    assert environment["MEMDECK_GUARD"] == "1"
    assert environment["OPENCODE_AUTO_SHARE"] == "false"
    permission = json.loads(environment["OPENCODE_PERMISSION"])
    assert {"*", "bash", "edit", "read", "webfetch"} <= set(permission)
    assert set(permission.values()) == {"deny"}
    assert environment["PWD"] == stand_in.seen["folder"]
    assert (vote.status, vote.score, vote.cost_usd) == ("ok", 7.0, 0.004)


# --- all of them


@pytest.mark.parametrize("kind", ["claude", "codex", "gemini", "opencode"])
def test_an_agent_that_is_not_installed_is_said_to_be_missing(ask, kind, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    vote = ask(kind=kind)
    assert (vote.status, vote.cost_usd) == ("failed", 0.0)
    assert f"{kind} cannot be started" in vote.reason
