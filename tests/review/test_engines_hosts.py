"""The agents as reviewers: the exact words they are called with, and what their output means."""

import json
import os
import time

import pytest

pytestmark = pytest.mark.slow

ANSWER = {"importance": 7, "trivial": False, "reason": "Said once, needed often."}
WORDS = json.dumps(ANSWER)
FENCED = f"```json\n{json.dumps(ANSWER, indent=2)}\n```"


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


def test_another_model_can_be_named(program, ask):
    claude = program("claude", stdout=json.dumps(claude_result()))
    vote = ask(kind="claude", model="sonnet")
    assert claude.seen["arguments"][3:5] == ["--model", "sonnet"]
    assert vote.engine == "claude sonnet"


def test_every_form_of_claudes_answer_is_understood(program, ask, subtests):
    rows = [
        json.dumps([{"type": "system", "subtype": "init"}, claude_result()]),
        lines({"type": "system"}, {"type": "assistant", "message": {}}, claude_result()),
        json.dumps(claude_result(result=FENCED)),
        json.dumps(claude_result(result=None, structured_output=ANSWER)),
        json.dumps(claude_result(result=f"Here it is: {WORDS} Hope that helps.")),
    ]
    for stdout in rows:
        with subtests.test(stdout=stdout):
            program("claude", stdout=stdout)
            vote = ask(kind="claude")
            assert (vote.status, vote.score, vote.cost_usd) == ("ok", 7.0, 0.0031)


def test_an_error_that_claude_reports_as_a_result_is_a_failure(program, ask, subtests):
    rows = [
        (
            json.dumps(claude_result(is_error=True, result="Not logged in. Run /login.")),
            0,
            "Not logged in. Run /login.",
        ),
        (
            json.dumps({"type": "result", "subtype": "error_max_turns", "is_error": True}),
            0,
            "error_max_turns",
        ),
        (
            json.dumps(
                {"type": "result", "subtype": "error_during_execution", "errors": ["Overloaded"]}
            ),
            1,
            "Overloaded",
        ),
        (json.dumps(claude_result()), 1, "importance"),  # a good result of a run that failed
        ("", 1, "exit code 1"),
        ("not even JSON", 0, "not even JSON"),
    ]
    for stdout, code, says in rows:
        with subtests.test(stdout=stdout):
            program("claude", stdout=stdout, code=code)
            vote = ask(kind="claude")
            assert (vote.status, vote.score) == ("failed", None)
            assert says in vote.reason


def test_a_failure_of_claude_costs_what_it_reports(program, ask):
    program("claude", stdout=json.dumps(claude_result(is_error=True, total_cost_usd=0.02)))
    assert ask(kind="claude").cost_usd == 0.02


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


def test_codex_without_a_model_uses_its_own(program, ask):
    codex = program("codex", stdout=lines(*codex_events(said(WORDS), TURN_DONE)))
    ask(kind="codex")
    assert "-m" not in codex.seen["arguments"]


def test_the_last_message_of_codex_counts(program, ask):
    program("codex", stdout=lines(*codex_events(said("Let me see."), said(WORDS), TURN_DONE)))
    assert ask(kind="codex").score == 7


def test_codex_that_tried_again_and_succeeded_has_answered(program, ask):
    retry = {"type": "error", "message": "Reconnecting... 1/5"}
    program("codex", stdout=lines(*codex_events(retry, said(WORDS), TURN_DONE)))
    assert ask(kind="codex").status == "ok"


def test_a_failed_turn_of_codex_is_a_failure(program, ask, subtests):
    rows = [
        (
            lines(
                *codex_events(
                    said(WORDS), {"type": "turn.failed", "error": {"message": "usage limit"}}
                )
            ),
            0,
            "usage limit",
        ),
        (lines(*codex_events({"type": "error", "message": "401 Unauthorized"})), 1, "401"),
        (lines(*codex_events(TURN_DONE)), 0, "exit code 0"),
        (lines(*codex_events(said(WORDS), TURN_DONE)), 2, "exit code 2"),
    ]
    for stdout, code, says in rows:
        with subtests.test(stdout=stdout):
            program("codex", stdout=stdout, code=code)
            vote = ask(kind="codex")
            assert vote.status == "failed"
            assert says in vote.reason


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


def test_an_administrators_settings_for_gemini_stay_in_force(program, ask, monkeypatch):
    monkeypatch.setenv("GEMINI_CLI_SYSTEM_SETTINGS_PATH", "/srv/gemini.json")
    stand_in = program("gemini", stdout=gemini())
    ask(kind="gemini")
    environment = stand_in.seen["environment"]
    assert environment["GEMINI_CLI_SYSTEM_SETTINGS_PATH"] == "/srv/gemini.json"


def test_notices_before_geminis_answer_are_passed_over(program, ask):
    program("gemini", stdout=f"Loaded cached credentials.\n{gemini(FENCED)}\n")
    assert ask(kind="gemini").score == 7.0


def test_an_error_of_gemini_is_a_failure(program, ask, subtests):
    rows = [
        (json.dumps({"error": {"type": "Auth", "message": "sign in", "code": 41}}), "", 41, "sign"),
        ("", "Please set an Auth method", 41, "exit code 41: Please set an Auth method"),
        (gemini(response=None), "", 0, "exit code 0"),
        (gemini(), "", 53, "exit code 53"),
    ]
    for stdout, stderr, code, says in rows:
        with subtests.test(stdout=stdout):
            program("gemini", stdout=stdout, stderr=stderr, code=code)
            vote = ask(kind="gemini")
            assert vote.status == "failed"
            assert says in vote.reason


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


@pytest.mark.parametrize("part", [{}, {"do": "hang"}], ids=["answered", "hung"])
def test_the_session_that_opencode_stores_is_deleted(program, ask, part):
    stand_in = program("opencode", stdout=opencode(TEXT, STEP, DONE), **part)
    ask(kind="opencode", limit_s=4.0 if part else 30.0)
    for _ in range(3_000):
        if len(stand_in.calls) > 1:
            break
        time.sleep(0.02)
    later = stand_in.calls[1]
    assert later["arguments"] == ["session", "delete", "ses_3fA9"]
    assert later["environment"]["MEMDECK_GUARD"] == "1"


def test_a_session_by_any_other_name_is_left_alone(program, ask):
    stand_in = program("opencode", stdout=lines({**TEXT, "sessionID": "--all; rm"}))
    assert ask(kind="opencode").status == "ok"
    assert len(stand_in.calls) == 1


def test_a_cost_of_nothing_is_not_believed(program, ask):
    """OpenCode reports 0 for a model that it has no price of."""
    free = {"type": "step_finish", "part": {"cost": 0, "tokens": {"input": 1_000_000}}}
    program("opencode", stdout=opencode(TEXT, free))
    assert ask(kind="opencode", usd_per_call=0.5).cost_usd == 0.5


def test_an_error_of_opencode_is_a_failure(program, ask, subtests):
    rows = [
        (
            opencode({"type": "error", "error": {"name": "ApiError", "data": {"message": "429"}}}),
            1,
            "429",
        ),
        (opencode(TEXT, {"type": "error", "error": {"name": "Aborted"}}), 0, "Aborted"),
        ("Error: Model not found: acme/none\n", 1, "Model not found"),
        (opencode(DONE), 0, "exit code 0"),
    ]
    for stdout, code, says in rows:
        with subtests.test(stdout=stdout):
            program("opencode", stdout=stdout, code=code)
            vote = ask(kind="opencode")
            assert vote.status == "failed"
            assert says in vote.reason


# --- all of them


@pytest.mark.parametrize("kind", ["claude", "codex", "gemini", "opencode"])
def test_an_agent_that_is_not_installed_is_said_to_be_missing(ask, kind, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    vote = ask(kind=kind)
    assert (vote.status, vote.cost_usd) == ("failed", 0.0)
    assert f"{kind} cannot be started" in vote.reason


@pytest.mark.parametrize("kind", ["claude", "codex", "gemini", "opencode"])
def test_no_output_of_an_agent_is_more_than_a_failed_vote(program, ask, kind, subtests):
    agent = program(kind)
    for stdout in (
        "[]", "null", "[[[", '{"type": 5}', '{"type":"result","result":7}\n\x00', "{" * 5_000,
        '{"error": {"message": {"message": []}}}', '{"item": 3, "part": [], "usage": "x"}',
    ):  # fmt: skip
        with subtests.test(stdout=stdout[:40]):
            agent.acts(stdout=stdout)
            vote = ask(kind=kind)
            assert vote.status in ("failed", "invalid")
            assert "Unexpected" not in vote.reason
