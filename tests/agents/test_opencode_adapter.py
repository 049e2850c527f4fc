"""What our plugin hands over from OpenCode becomes our events."""

import json
from pathlib import Path

import pytest

from memdeck.agents import events
from memdeck.agents.hosts.opencode import exports
from memdeck.agents.hosts.opencode import wire as opencode

PAYLOADS = Path(__file__).parent.parent / "wire" / "opencode" / "payloads"
EVERY = sorted(PAYLOADS.glob("*.json"))
KINDS = {
    "captured.chat.message": events.PROMPT,
    "captured.event.session.compacted": events.SESSION_STARTED,
    "captured.event.session.created": events.SESSION_STARTED,
    "captured.event.session.idle": events.TURN_ENDED,
    "captured.event.todo.updated": events.TODOS,
    "captured.experimental.session.compacting": events.COMPACTING,
    "captured.tool.execute.after-bash": events.TOOL_ENDED,
    "captured.tool.execute.after-bash-failure": events.TOOL_ENDED,
    "captured.tool.execute.after-edit": events.TOOL_ENDED,
    "captured.tool.execute.after-read": events.TOOL_ENDED,
    "captured.tool.execute.after-todowrite": events.TODOS,
    "captured.tool.execute.after-write": events.TOOL_ENDED,
    "captured.tool.execute.before-edit": events.TOOL_STARTING,
    "captured.tool.execute.before-read": events.TOOL_STARTING,
    "captured.tool.execute.before-write": events.TOOL_STARTING,
    "chat.message": events.PROMPT,
    "event.session.compacted": events.SESSION_STARTED,
    "event.session.created": events.SESSION_STARTED,
    "event.session.created.child": events.SUBAGENT_STARTED,
    "event.session.deleted": events.SESSION_ENDED,
    "event.session.error": events.FAILED,
    "event.session.idle": events.TURN_ENDED,
    "event.todo.updated": events.TODOS,
    "experimental.session.compacting": events.COMPACTING,
    "tool.execute.after": events.TOOL_ENDED,
    "tool.execute.after.todowrite": events.TODOS,
}
"""By file: what it is. Any other is not for us."""


def load(name):
    return json.loads((PAYLOADS / f"{name}.json").read_bytes())


def hook_in(stem):
    """The hook that a recording without an envelope is named after."""
    return stem.removeprefix("captured.").partition("-")[0]


def test_every_recorded_payload_is_read_as_what_it_is(subtests):
    for path in EVERY:
        with subtests.test(path=path):
            payload = json.loads(path.read_bytes())
            event = opencode.read(payload, hook_in(path.stem))

            assert (event and event.kind) == KINDS.get(path.stem)
            if event is not None:
                assert event.host == "opencode"
                assert event.name in opencode.EVENTS
                assert event.session.startswith("ses_")


def plugged(hook, **fields):
    """A payload as our plugin sends it."""
    envelope = {
        "api": "v1",
        "hook": hook,
        "directory": "/home/dev/acme-api",
        "worktree": "/home/dev",
        "program": "/opt/open code/opencode",
        "input": {"sessionID": "ses_1"},
    }
    return {**envelope, **fields}


def test_a_session_is_addressed_by_its_name_and_the_program_that_has_it():
    event = opencode.read(plugged("session.idle"))
    assert (event.session, event.cwd) == ("ses_1", "/home/dev/acme-api")
    assert event.transcript == "opencode:ses_1@/opt/open code/opencode"
    assert exports.is_address(event.transcript)


@pytest.mark.parametrize("program", [None, 7, "opencode", "/a\nb"])
def test_a_program_that_cannot_be_started_is_left_out(program):
    assert opencode.read(plugged("session.idle", program=program)).transcript == "opencode:ses_1"


def test_without_a_folder_the_worktree_counts():
    assert opencode.read(plugged("session.idle", directory="")).cwd == "/home/dev"


@pytest.mark.parametrize("source", ["startup", "resume"])
def test_a_session_says_how_it_started(source):
    event = opencode.read(plugged("session.created", source=source))
    assert (event.kind, event.detail) == (events.SESSION_STARTED, source)


def test_a_compacted_session_starts_anew():
    event = opencode.read(plugged("session.compacted"))
    assert (event.kind, event.detail) == (events.SESSION_STARTED, "compact")


CHILD = {"parentID": "ses_0"}


@pytest.mark.parametrize(
    ("title", "role"),
    [
        ("Look for callers (@explore subagent)", "explore"),
        ("Odd (@one) and (@code-reviewer subagent)", "code-reviewer"),
        ("Explore retry callers", ""),
        ("(@explore subagent) at the start", ""),
        (None, ""),
    ],
)
def test_a_child_session_is_a_subagent_of_its_parent(title, role):
    given = {"sessionID": "ses_1", "info": {"id": "ses_1", "title": title}}
    event = opencode.read(plugged("subagent.created", input=given, **CHILD))
    assert event.kind == events.SUBAGENT_STARTED
    assert (event.session, event.agent_id, event.role) == ("ses_0", "ses_1", role)


def test_a_child_says_what_it_is_asked_first():
    parts = [{"type": "text", "text": "look for callers"}]
    given = {"sessionID": "ses_1", "info": {"id": "ses_1", "title": "(@explore subagent)"}}
    asked = plugged("subagent.created", input=given, output={"parts": parts}, **CHILD)
    assert opencode.read(asked).prompt == "look for callers"
    assert opencode.read({**asked, "output": None}).prompt == ""


def test_a_child_that_is_idle_has_ended_and_can_be_read():
    event = opencode.read(plugged("session.idle", **CHILD))
    assert event.kind == events.SUBAGENT_ENDED
    assert (event.session, event.agent_id) == ("ses_0", "ses_1")
    assert event.transcript.startswith("opencode:ses_1@")


@pytest.mark.parametrize(
    "hook",
    ["session.compacted", "experimental.session.compacting", "session.deleted", "dispose"],
)
def test_a_childs_bookkeeping_is_not_its_parents(hook):
    assert opencode.read(plugged(hook)) is not None
    assert opencode.read(plugged(hook, **CHILD)) is None


def test_what_a_subagent_is_asked_is_no_prompt():
    given = {"parts": [{"type": "text", "text": "look for callers"}]}
    assert opencode.read(plugged("chat.message", output=given)).kind == events.PROMPT
    assert opencode.read(plugged("chat.message", output=given, **CHILD)) is None


def test_a_prompt_is_what_was_typed():
    parts = [
        {"type": "text", "text": "why?"},
        {"type": "text", "text": "injected", "synthetic": True},
        {"type": "file", "text": "a file"},
        {"type": "text", "text": 7},
        "odd",
        {"type": "text", "text": "and how?"},
    ]
    assert opencode.read(plugged("chat.message", output={"parts": parts})).prompt == (
        "why?\nand how?"
    )
    assert opencode.read(plugged("chat.message", output={"parts": parts[1:5]})) is None


@pytest.mark.parametrize(
    ("name", "still_open", "completed"),
    [
        ("event.todo.updated", 2, 1),
        ("tool.execute.after.todowrite", 2, 1),
        ("captured.event.todo.updated", 2, 0),
    ],
)
def test_todos_are_counted_as_they_stand(name, still_open, completed):
    todos = opencode.read(load(name), hook_in(name)).todos
    assert (todos.tool, todos.open, todos.completed) == ("todowrite", still_open, completed)


def test_todos_are_counted_without_their_words():
    states = [{"status": "completed"}, {"status": "pending"}, {"status": "cancelled"}]
    given = {"sessionID": "ses_1", "todos": states}
    todos = opencode.read(plugged("todo.updated", input=given)).todos
    assert (todos.open, todos.completed) == (1, 1)


@pytest.mark.parametrize(
    ("tool", "args", "files"),
    [
        ("read", {"filePath": "/p/a.py"}, ("/p/a.py",)),
        ("edit", {"filePath": "a.py"}, ("a.py",)),
        (
            "apply_patch",
            {"patchText": "*** Add File: a.py\n*** Update File: b.py"},
            ("a.py", "b.py"),
        ),
        ("bash", {"filePath": "/p/a.py"}, ()),
        ("read", {"filePath": 7}, ()),
        ("read", None, ()),
    ],
)
def test_a_tool_that_starts_on_files_names_them(tool, args, files):
    given = {"tool": tool, "sessionID": "ses_1", "callID": "c"}
    event = opencode.read(plugged("tool.execute.before", input=given, output={"args": args}))
    assert (event.files if event else ()) == files


@pytest.mark.parametrize(
    ("output", "outcome"),
    [
        ({"metadata": {"exit": 0}}, "ok"),
        ({"metadata": {"exit": 3}}, "failed"),
        ({"metadata": {"exit": None}}, ""),
        ({"metadata": {}}, "ok"),
        ({"isError": True}, "failed"),
        ({}, "ok"),
    ],
)
def test_a_tool_that_ended_says_how(output, outcome):
    given = {"tool": "bash", "sessionID": "ses_1", "callID": "c", "args": {}}
    event = opencode.read(plugged("tool.execute.after", input=given, output=output))
    assert (event.kind, event.outcome) == (events.TOOL_ENDED, outcome)


def test_a_turn_that_failed_says_why_and_one_that_was_stopped_has_not_failed():
    def failed(name):
        given = {"sessionID": "ses_1", "error": {"name": name}}
        return opencode.read(plugged("session.error", input=given))

    assert (failed("APIError").kind, failed("APIError").detail) == (events.FAILED, "APIError")
    assert failed("MessageAbortedError") is None


def test_of_a_deleted_session_nothing_is_left_to_read():
    event = opencode.read(plugged("session.deleted"))
    assert (event.kind, event.transcript) == (events.SESSION_ENDED, "")
    assert opencode.read(plugged("dispose")).transcript != ""


def test_the_second_api_is_left_alone():
    given = plugged("session.idle", api="v2")
    assert opencode.read(given) is None


@pytest.mark.parametrize("session", [None, 7, "", "x" * 201])
def test_an_event_of_no_session_is_not_for_us(session):
    assert opencode.read(plugged("session.idle", input={"sessionID": session})) is None


@pytest.mark.parametrize("name", opencode.ANSWERED)
def test_a_reply_is_one_object_that_the_plugin_can_read(name):
    event = events.Event(events.PROMPT, "opencode", name, session="s")
    assert json.loads(opencode.reply(event, 'a "b" ☕\ud83d')) == {"text": 'a "b" ☕\ud83d'}
    assert opencode.reply(event, "☕").isascii()
    assert opencode.reply(event, "") == ""


@pytest.mark.parametrize("name", sorted(set(opencode.EVENTS) - set(opencode.ANSWERED)))
def test_no_other_event_is_ever_replied_to(name):
    assert opencode.reply(events.Event(events.TURN_ENDED, "opencode", name), "text") == ""


@pytest.mark.parametrize(("size", "is_let_through"), [(9900, True), (9901, False)])
def test_a_reply_is_whole_or_refused(size, is_let_through):
    event = events.Event(events.PROMPT, "opencode", "chat.message")
    if is_let_through:
        assert opencode.reply(event, "x" * size)
        return
    with pytest.raises(ValueError, match="too large"):
        opencode.reply(event, "x" * size)
