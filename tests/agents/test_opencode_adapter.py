"""What our plugin hands over from OpenCode, handed to the hook: what it notes and says."""

import json
from pathlib import Path

import pytest

from memdeck import open_memory

PAYLOADS = Path(__file__).parent.parent / "wire" / "opencode" / "payloads"
EVERY = sorted(PAYLOADS.glob("*.json"))
KINDS = {
    "captured.chat.message": "",
    "captured.event.session.compacted": "session_started",
    "captured.event.session.created": "session_started",
    "captured.event.session.idle": "turn_ended",
    "captured.event.todo.updated": "todos",
    "captured.experimental.session.compacting": "compacting",
    "captured.tool.execute.after-bash": "tool_ended",
    "captured.tool.execute.after-bash-failure": "tool_ended",
    "captured.tool.execute.after-edit": "tool_ended",
    "captured.tool.execute.after-read": "tool_ended",
    "captured.tool.execute.after-todowrite": "todos",
    "captured.tool.execute.after-write": "tool_ended",
    "captured.tool.execute.before-edit": "",
    "captured.tool.execute.before-read": "",
    "captured.tool.execute.before-write": "",
    "chat.message": "",
    "event.session.compacted": "session_started",
    "event.session.created": "session_started",
    "event.session.created.child": "",
    "event.session.deleted": "session_ended",
    "event.session.error": "failed",
    "event.session.idle": "turn_ended",
    "event.todo.updated": "todos",
    "experimental.session.compacting": "compacting",
    "tool.execute.after": "tool_ended",
    "tool.execute.after.todowrite": "todos",
}
"""By file: what is noted, "" for what is only answered. Any other is not for us."""


def load(name):
    return json.loads((PAYLOADS / f"{name}.json").read_bytes())


def hook_in(stem):
    """The hook that a recording without an envelope is named after."""
    return stem.removeprefix("captured.").partition("-")[0]


@pytest.fixture
def read(hear):
    return lambda payload, word="": hear("opencode", payload, word)


def test_every_recorded_payload_is_read_as_what_it_is(read, subtests):
    for path in EVERY:
        with subtests.test(path=path):
            payload = json.loads(path.read_bytes())
            heard = read(payload, hook_in(path.stem))

            assert heard.kind == KINDS.get(path.stem)
            if heard.record:
                assert heard.host == "opencode"
                assert heard.session.startswith("ses_")


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


def test_a_session_is_addressed_by_its_name_and_the_program_that_has_it(read):
    heard = read(plugged("session.idle"))
    assert (heard.session, heard.cwd) == ("ses_1", "/home/dev/acme-api")
    assert heard.transcript == "opencode:ses_1@/opt/open code/opencode"
    

@pytest.mark.parametrize("program", [None, 7, "opencode", "/a\nb"])
def test_a_program_that_cannot_be_started_is_left_out(program, read):
    assert read(plugged("session.idle", program=program)).transcript == "opencode:ses_1"


def test_without_a_folder_the_worktree_counts(read):
    assert read(plugged("session.idle", directory="")).cwd == "/home/dev"


@pytest.mark.parametrize("source", ["startup", "resume"])
def test_a_session_says_how_it_started(source, read):
    heard = read(plugged("session.created", source=source))
    assert (heard.kind, heard.detail) == ("session_started", source)


def test_a_compacted_session_starts_anew(read):
    heard = read(plugged("session.compacted"))
    assert (heard.kind, heard.detail) == ("session_started", "compact")


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
def test_a_child_session_is_a_subagent_of_its_parent(title, role, read):
    given = {"sessionID": "ses_1", "info": {"id": "ses_1", "title": title}}
    heard = read(plugged("subagent.created", input=given, **CHILD))
    assert heard.kind == ""
    assert (heard.session, heard.agent_id, heard.role) == ("ses_0", "ses_1", role)


def test_a_child_says_what_it_is_asked_first(read):
    parts = [{"type": "text", "text": "look for callers"}]
    given = {"sessionID": "ses_1", "info": {"id": "ses_1", "title": "(@explore subagent)"}}
    asked = plugged("subagent.created", input=given, output={"parts": parts}, **CHILD)
    assert read(asked).prompt == "look for callers"
    assert read({**asked, "output": None}).prompt == ""


def test_a_child_that_is_idle_has_ended_and_can_be_read(read):
    heard = read(plugged("session.idle", **CHILD))
    assert heard.kind == "subagent_ended"
    assert (heard.session, heard.agent_id) == ("ses_0", "ses_1")
    assert heard.transcript.startswith("opencode:ses_1@")


@pytest.mark.parametrize(
    "hook",
    ["session.compacted", "experimental.session.compacting", "session.deleted", "dispose"],
)
def test_a_childs_bookkeeping_is_not_its_parents(hook, read):
    assert read(plugged(hook)).kind is not None
    assert read(plugged(hook, **CHILD)).kind is None


def test_what_a_subagent_is_asked_is_no_prompt(read):
    given = {"parts": [{"type": "text", "text": "look for callers"}]}
    assert read(plugged("chat.message", output=given)).kind == ""
    assert read(plugged("chat.message", output=given, **CHILD)).kind is None


def test_a_prompt_is_what_was_typed(read):
    parts = [
        {"type": "text", "text": "why?"},
        {"type": "text", "text": "injected", "synthetic": True},
        {"type": "file", "text": "a file"},
        {"type": "text", "text": 7},
        "odd",
        {"type": "text", "text": "and how?"},
    ]
    assert read(plugged("chat.message", output={"parts": parts})).prompt == (
        "why?\nand how?"
    )
    assert read(plugged("chat.message", output={"parts": parts[1:5]})).kind is None


@pytest.mark.parametrize(
    ("name", "still_open", "completed"),
    [
        ("event.todo.updated", 2, 1),
        ("tool.execute.after.todowrite", 2, 1),
        ("captured.event.todo.updated", 2, 0),
    ],
)
def test_todos_are_counted_as_they_stand(name, still_open, completed, read):
    todos = read(load(name), hook_in(name)).todos
    assert (todos["tool"], todos["open"], todos["completed"]) == ("todowrite", still_open, completed)


def test_todos_are_counted_without_their_words(read):
    states = [{"status": "completed"}, {"status": "pending"}, {"status": "cancelled"}]
    given = {"sessionID": "ses_1", "todos": states}
    todos = read(plugged("todo.updated", input=given)).todos
    assert (todos["open"], todos["completed"]) == (1, 1)


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
def test_a_tool_that_starts_on_files_names_them(tool, args, files, read):
    given = {"tool": tool, "sessionID": "ses_1", "callID": "c"}
    heard = read(plugged("tool.execute.before", input=given, output={"args": args}))
    assert (heard.files if event else ()) == files


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
def test_a_tool_that_ended_says_how(output, outcome, read):
    given = {"tool": "bash", "sessionID": "ses_1", "callID": "c", "args": {}}
    heard = read(plugged("tool.execute.after", input=given, output=output))
    assert (heard.kind, heard.outcome) == ("tool_ended", outcome)


def test_a_turn_that_failed_says_why_and_one_that_was_stopped_has_not_failed(read):
    def failed(name):
        given = {"sessionID": "ses_1", "error": {"name": name}}
        return read(plugged("session.error", input=given))

    assert (failed("APIError").kind, failed("APIError").detail) == ("failed", "APIError")
    assert failed("MessageAbortedError") is None


def test_of_a_deleted_session_nothing_is_left_to_read(read):
    heard = read(plugged("session.deleted"))
    assert (heard.kind, heard.transcript) == ("session_ended", "")
    assert read(plugged("dispose")).transcript != ""


def test_the_second_api_is_left_alone(read):
    given = plugged("session.idle", api="v2")
    assert read(given).kind is None


@pytest.mark.parametrize("session", [None, 7, "", "x" * 201])
def test_an_event_of_no_session_is_not_for_us(session, read):
    assert read(plugged("session.idle", input={"sessionID": session})).kind is None


@pytest.mark.parametrize("name", opencode.ANSWERED)
def test_a_reply_is_one_object_that_the_plugin_can_read(name):
    event = events.Event("", "opencode", name, session="s")
    assert json.loads(opencode.reply(event, 'a "b" ☕\ud83d')) == {"text": 'a "b" ☕\ud83d'}
    assert opencode.reply(event, "☕").isascii()
    assert opencode.reply(event, "") == ""


@pytest.mark.parametrize("name", sorted(set(opencode.EVENTS) - set(opencode.ANSWERED)))
def test_no_other_event_is_ever_replied_to(name):
    assert opencode.reply(events.Event("turn_ended", "opencode", name), "text") == ""


@pytest.mark.parametrize(("size", "is_let_through"), [(9900, True), (9901, False)])
def test_a_reply_is_whole_or_refused(size, is_let_through):
    event = events.Event("", "opencode", "chat.message")
    if is_let_through:
        assert opencode.reply(event, "x" * size)
        return
    with pytest.raises(ValueError, match="too large"):
        opencode.reply(event, "x" * size)
