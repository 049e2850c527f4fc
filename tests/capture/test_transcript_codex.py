"""Codex's rollout as turns."""

import json
from pathlib import Path

import pytest

from memdeck.benchmarks.gallery.extract import extract
from memdeck.core.sessions.turns import calls_in
from memdeck.tests.transcripts import read_codex

WIRE = Path(__file__).parent.parent / "wire" / "codex"
NEW, OLD = str(WIRE / "rollout-0.169.jsonl"), str(WIRE / "rollout-0.160.jsonl")


def a_line(kind, /, **payload):
    return {"timestamp": "2026-03-20T09:00:00.000Z", "type": kind, "payload": payload}


def meta(**more):
    return a_line("session_meta", id="t1", cwd="/home/dev/app", **more)


def event(kind, /, **fields):
    return a_line("event_msg", type=kind, **fields)


def item(kind, /, **fields):
    return a_line("response_item", type=kind, **fields)


def call(name, /, call_id="c1", **arguments):
    return item("function_call", name=name, call_id=call_id, arguments=json.dumps(arguments))


def output(text, call_id="c1"):
    return item("function_call_output", call_id=call_id, output=text)


def patch(text):
    return item("custom_tool_call", name="apply_patch", call_id="c1", input=text)


@pytest.fixture
def turns(written):
    """The turns of these lines, after a head that names the session's folder."""
    return lambda *lines, **options: read_codex(written([meta(), *lines]), **options).turns


@pytest.fixture
def called(turns):
    """The calls among these lines."""
    return lambda *lines: calls_in(turns(*lines))


def test_a_recorded_session_gives_its_turns_with_place_and_time():
    reading = read_codex(NEW)
    first, *_, last = reading.turns
    assert (first.kind, first.line) == ("user", 9)
    assert first.text == "Please make total() return a float and run the checks."
    assert first.at.isoformat() == "2026-01-15T09:00:07+00:00"
    assert last.text == "The checks pass now."
    assert [t.text for t in reading.turns if t.kind == "user"][1:] == ["Do the checks pass?"]
    assert (reading.bad_lines, reading.offset) == (0, Path(NEW).stat().st_size)


def test_the_form_with_messages_as_events_is_read_too():
    turns = read_codex(OLD).turns
    assert [t.text[:30] for t in turns if t.kind == "user"] == [
        "POST /v1/orders sometimes creat"[:30]
    ]
    assert [t.kind for t in turns if t.kind in ("assistant", "boundary")] == [
        "boundary",
        "assistant",
    ]
    assert not any("Project memory" in t.text for t in turns)


def test_calls_have_the_names_that_the_rules_know():
    calls = calls_in(read_codex(NEW).turns)
    assert [c.tool for c in calls] == ["Bash", "Bash", "Edit", "Write", "TodoWrite", "TodoWrite"]
    assert calls[0].argument("command") == "ls && echo checks-ok"
    assert calls[2].argument("file_path") == "app.py"
    assert calls[2].argument("new_string") == "    return float(sum(items))"
    assert calls[4].turn.tool_input["todos"][0] == {
        "content": "Return a float",
        "status": "in_progress",
    }


def test_the_exit_code_tells_a_failure_and_the_frame_around_the_output_is_left_out():
    failed = [c for c in calls_in(read_codex(NEW).turns) if c.result.is_error]
    assert [c.result.text for c in failed] == ["Exit code 3\ncollecting\nassert failed: total\n"]
    assert calls_in(read_codex(NEW).turns)[0].result.text == "README.md\napp.py\nchecks-ok\n"


def test_what_is_nobodys_words_is_left_out(turns, subtests):
    rows = [
        item("message", role="user", content=[{"type": "input_text", "text": "always"}]),
        item("message", role="developer", content=[{"type": "input_text", "text": "always"}]),
        item("reasoning", summary=[{"type": "summary_text", "text": "hm"}]),
        event("user_message", message="<environment_context>\n<cwd>/x</cwd>"),
        event("user_message", message="# AGENTS.md instructions for /x\nalways"),
        event("user_message", message=" "),
        event("token_count", info={}),
        event("turn_aborted", turn_id="p"),
        event("item_completed", item={"type": "Reasoning", "id": "r"}),
        a_line("turn_context", turn_id="p"),
        a_line("world_state", state={}),
    ]
    for line in rows:
        with subtests.test(line=line):
            assert turns(line) == ()


@pytest.mark.parametrize(
    ("given", "command"),
    [
        ({"command": ["bash", "-lc", "make test"]}, "make test"),
        ({"command": ["git", "commit", "-m", "a b"]}, "git commit -m 'a b'"),
        ({"command": "make test"}, "make test"),
        ({"cmd": "make test", "workdir": "/home/dev/app"}, "make test"),
        ({"cmd": "make test", "workdir": "/home/dev/app/web"}, "cd /home/dev/app/web && make test"),
    ],
)
def test_a_command_is_as_a_person_would_type_it(called, given, command):
    [made] = called(call("shell", **given))
    assert (made.tool, made.argument("command")) == ("Bash", command)


def test_a_patch_is_a_call_for_each_file(called):
    text = (
        "*** Begin Patch\n*** Update File: a.py\n@@\n ctx\n-old\n+new\n@@ def f\n-x\n+y\n"
        "*** Update File: b.py\n*** Move to: c.py\n@@\n-1\n+2\n"
        "*** Add File: d.py\n+first\n+second\n*** Delete File: e.py\n*** End Patch"
    )
    calls = called(patch(text), output("Success."))
    assert [(c.tool, c.argument("file_path")) for c in calls] == [
        ("MultiEdit", "a.py"),
        ("Edit", "c.py"),
        ("Write", "d.py"),
        ("Delete", "e.py"),
    ]
    assert calls[0].turn.tool_input["edits"] == [
        {"old_string": "old", "new_string": "new"},
        {"old_string": "x", "new_string": "y"},
    ]
    assert calls[2].argument("content") == "first\nsecond"
    assert all(c.result for c in calls)


def test_what_a_script_ran_is_told_by_the_events_alone(called):
    ran = {"type": "CommandExecution", "id": "exec-1", "command": ["bash", "-lc", "make"]}
    changed = {"a.py": {"type": "update", "unified_diff": "--- a\n+++ b\n@@ -1 +1 @@\n-1\n+2\n"}}
    calls = called(
        item("custom_tool_call", name="exec", call_id="c9", input="await run('make')"),
        event("item_completed", item={**ran, "aggregated_output": "bad", "exit_code": 2}),
        event("item_completed", item={"type": "FileChange", "id": "exec-2", "changes": changed}),
        item("custom_tool_call_output", call_id="c9", output="done"),
    )
    assert [(c.tool, c.argument("command", "file_path")) for c in calls] == [
        ("Bash", "make"),
        ("Edit", "a.py"),
    ]
    assert (calls[0].result.text, calls[0].result.is_error) == ("Exit code 2\nbad", True)


def test_the_report_of_a_subagent_answers_the_call_that_started_it(called):
    report = {"status": {"a1": {"completed": "It is in app.py:3."}}, "timed_out": False}
    spawn, _ = called(
        call("spawn_agent", message="Where is it?", agent_type="explorer"),
        output('{"agent_id": "a1"}'),
        call("wait", call_id="c2", ids=["a1"]),
        output(json.dumps(report), call_id="c2"),
    )
    assert (spawn.tool, spawn.argument("prompt")) == ("Agent", "Where is it?")
    assert spawn.result.text == "It is in app.py:3."
    assert spawn.result.details == {"agent_id": "a1", "agent_type": "explorer"}


@pytest.mark.parametrize(
    "sign", [{"source": {"subagent": "review"}}, {"thread_source": "subagent"}]
)
def test_a_subagents_rollout_is_read_when_asked(written, sign):
    path = written([meta(**sign), event("user_message", message="look"), call("shell", cmd="ls")])
    assert read_codex(path).turns == ()
    turns = read_codex(path, sidechains=True).turns
    assert [t.kind for t in turns] == ["user", "tool_call"]
    assert {t.agent_id for t in turns} == {"t1"}


def test_a_compaction_is_a_boundary_in_both_forms(turns):
    told = turns(
        a_line("compacted", message="we decided"),
        event("item_completed", item={"type": "ContextCompaction", "id": "k1"}),
    )
    assert [(turn.kind, turn.text) for turn in told] == [("boundary", "")] * 2


def asking(*questions, call_id="c1"):
    listed = [{"id": name, "header": "H", "question": text} for name, text in questions]
    return call("request_user_input", call_id=call_id, questions=listed)


SPLIT = "Never split the tide journal by month"
WHY = "because the export of the pilots always reads whole years at noon"


def kept(found):
    """What is kept of a person's words."""
    return [one.content for one in extract(found, session="s1", agent="codex", is_judged=True)]


def test_what_a_person_answers_to_a_question_is_their_word(turns):
    """As Codex writes it: the label of an option, and a note typed beside it."""
    told = {"answers": {"split": {"answers": [f"{SPLIT} (Recommended)", f"user_note: {WHY}"]}}}
    found = turns(asking(("split", "How do we split the journal?")), output(json.dumps(told)))
    assert calls_in(found)[0].tool == "AskUserQuestion"
    [text] = kept(found)
    assert SPLIT in text
    assert WHY in text
