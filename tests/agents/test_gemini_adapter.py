"""Gemini CLI's payloads become our events; what it sends with every request is left alone."""

import json
import tomllib
from pathlib import Path

import pytest

from memdeck.agents import events
from memdeck.agents.hosts.gemini import wire as gemini
from memdeck.agents.slash_commands import files

WIRE = Path(__file__).parent.parent / "wire" / "gemini"
EVERY = sorted((WIRE / "payloads").glob("*.json"))
KINDS = {
    "SessionStart": events.SESSION_STARTED,
    "BeforeAgent": events.PROMPT,
    "AfterAgent": events.TURN_ENDED,
    "SessionEnd": events.SESSION_ENDED,
}


def load(name):
    return json.loads((WIRE / "payloads" / f"{name}.json").read_bytes())


def expected_kind(payload):
    event, tool = payload["hook_event_name"], payload.get("tool_name")
    if event == "BeforeTool":
        return events.TOOL_STARTING if tool in gemini.FILE_TOOLS else None
    if event == "AfterTool":
        return events.TODOS if tool == "write_todos" else events.TOOL_ENDED
    return KINDS.get(event)


def test_every_recorded_payload_is_read_as_what_it_is(subtests):
    for path in EVERY:
        with subtests.test(path=path):
            payload = json.loads(path.read_bytes())
            event = gemini.read(payload)

            assert (event and event.kind) == expected_kind(payload)
            if event is not None:
                assert (event.host, event.name) == ("gemini", payload["hook_event_name"])
                assert (event.session, event.cwd) == (payload["session_id"], payload["cwd"])
                assert event.transcript == payload["transcript_path"]


def test_nothing_is_asked_for_that_comes_with_every_request():
    asked = {name for names in gemini.GROUPS.values() for name in names}
    often = {"PreCompress", "BeforeModel", "AfterModel", "BeforeToolSelection"}
    assert not often & {*asked, *gemini.EVENTS}
    assert gemini.read(load("captured.PreCompress-auto")) is None


@pytest.mark.parametrize(
    ("name", "still_open", "completed"),
    [
        ("AfterTool.write_todos.create", 3, 0),
        ("AfterTool.write_todos.complete", 1, 1),  # the third one is cancelled
        ("captured.AfterTool-write_todos-started", 2, 0),
        ("captured.AfterTool-write_todos-completed", 0, 2),
    ],
)
def test_todos_are_counted_as_they_stand(name, still_open, completed):
    todos = gemini.read(load(name)).todos
    assert (todos.tool, todos.open, todos.completed) == ("write_todos", still_open, completed)


def test_a_todo_list_that_was_refused_is_no_news():
    given = load("captured.AfterTool-write_todos-started")
    given["tool_response"]["error"] = {"message": "only one may be in progress"}
    assert gemini.read(given) is None


@pytest.mark.parametrize("name", ["read_file", "replace", "write_file"])
def test_a_tool_that_starts_on_a_file_names_it(name):
    given = load(f"captured.BeforeTool-{name}")
    event = gemini.read(given)
    assert (event.tool, event.files) == (name, (given["tool_input"]["file_path"],))


def test_an_older_spelling_of_a_path_is_known():
    given = load("captured.BeforeTool-read_file")
    given["tool_input"] = {"absolute_path": "/p/a.py"}
    assert gemini.read(given).files == ("/p/a.py",)


@pytest.mark.parametrize(
    ("name", "outcome"),
    [
        ("captured.AfterTool-run_shell_command", "ok"),
        ("captured.AfterTool-run_shell_command-failure", "failed"),
        ("AfterTool.run_shell_command.error", "failed"),
        ("captured.AfterTool-read_file", "ok"),
        ("captured.AfterTool-read_file-error", "failed"),
        ("captured.AfterTool-replace", "ok"),
        ("AfterTool.mcp", "ok"),
    ],
)
def test_a_tool_that_ended_says_how(name, outcome):
    assert gemini.read(load(name)).outcome == outcome


@pytest.mark.parametrize(
    ("content", "outcome"),
    [
        ("Output: x\nExit Code: 0\nSignal: 9", "ok"),
        ("Output: x\nExit Code: 1\nBackground PIDs: 4\nProcess Group PGID: 3", "failed"),
        ("Output: Exit Code: 3\nall is well", "ok"),  # the program said so
        ("Output: Exit Code: 3\nall is well\nProcess Group PGID: 42", "ok"),
        ("Output: x\nExit Code: many", "ok"),
        ([{"text": "x"}], "ok"),
        (None, "ok"),
    ],
)
def test_the_exit_code_is_the_hosts_own_line(content, outcome):
    given = load("captured.AfterTool-run_shell_command")
    given["tool_response"]["llmContent"] = content
    assert gemini.read(given).outcome == outcome


def test_a_file_that_speaks_of_exit_codes_was_read_well():
    given = load("captured.AfterTool-read_file")
    given["tool_response"]["llmContent"] = "Exit Code: 3"
    assert gemini.read(given).outcome == "ok"


def test_a_tool_without_an_answer_ended_somehow():
    given = load("captured.AfterTool-read_file")
    del given["tool_response"]
    assert gemini.read(given).outcome == ""


def test_a_session_whose_file_is_not_there_yet_is_still_geminis():
    event = gemini.read({**load("captured.SessionStart-startup"), "transcript_path": ""})
    assert (event.kind, event.transcript) == (events.SESSION_STARTED, "")


@pytest.mark.parametrize("prompt", [None, "", " \n", 7, ["x"]])
def test_an_empty_prompt_is_no_question(prompt):
    assert gemini.read({**load("captured.BeforeAgent"), "prompt": prompt}) is None


@pytest.mark.parametrize("name", gemini.ANSWERED)
def test_a_reply_is_one_object_of_the_shape_that_was_observed(name):
    event = events.Event(events.PROMPT, "gemini", name, session="s")
    assert json.loads(gemini.reply(event, "<a> ☕")) == {
        "hookSpecificOutput": {"hookEventName": name, "additionalContext": "<a> ☕"}
    }


def test_a_reply_has_the_form_that_was_recorded_as_valid():
    recorded = json.loads((WIRE / "outputs" / "BeforeAgent.stdout.json").read_bytes())
    event = events.Event(events.PROMPT, "gemini", "BeforeAgent", session="s")
    said = recorded["hookSpecificOutput"]["additionalContext"]
    assert json.loads(gemini.reply(event, said)) == recorded


@pytest.mark.parametrize(
    "name", ["SessionStart", "BeforeTool", "AfterAgent", "SessionEnd", "PreCompress"]
)
def test_no_other_event_is_ever_replied_to(name):
    assert gemini.reply(events.Event(events.TURN_ENDED, "gemini", name), "text") == ""


@pytest.mark.parametrize(("size", "is_let_through"), [(9900, True), (9901, False)])
def test_a_reply_is_whole_or_refused(size, is_let_through):
    event = events.Event(events.PROMPT, "gemini", "BeforeAgent")
    if is_let_through:
        assert gemini.reply(event, "x" * size)
        return
    with pytest.raises(ValueError, match="too large"):
        gemini.reply(event, "x" * size)


@pytest.mark.parametrize("folder", ["/opt/memdeck", "/opt/dev's own"])
def test_our_own_slash_commands_are_no_question_to_memory(folder):
    """Gemini hands over what a command expands to; a person's own words about us are a prompt."""
    for file in files("gemini", "user", None, program=f"{folder}/memdeck"):
        prompt = tomllib.loads(file.data.decode())["prompt"]
        given = load("BeforeAgent")
        if "!{" in prompt:
            assert gemini.read({**given, "prompt": prompt}) is None
        else:  # the agent is asked to run it
            assert "memdeck" in prompt
    event = gemini.read({**given, "prompt": "what has memdeck printed above?"})
    assert event is not None
