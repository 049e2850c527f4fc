"""What our plugin hands over from OpenCode, handed to the hook: what it notes and says."""

import json
from pathlib import Path

import pytest

from memdeck import open_memory

pytestmark = pytest.mark.usefixtures("opened_once")

PAYLOADS = Path(__file__).parent.parent / "wire" / "opencode" / "payloads"
EVERY = sorted(PAYLOADS.glob("*.json"))


def load(name):
    return json.loads((PAYLOADS / f"{name}.json").read_bytes())


def hook_in(stem):
    """The hook that a recording without an envelope is named after."""
    return stem.removeprefix("captured.").partition("-")[0]


@pytest.fixture
def read(hear):
    return lambda payload, word="": hear("opencode", payload, word)


FACT = 'Say "aye" ☕ <at> the quay.'


@pytest.fixture
def asked(read, known, tmp_path):
    """The same in a project that knows a fact of a file."""
    known(tmp_path / "acme", **{FACT: {"files": ["a.py"]}})
    where = {"directory": str(tmp_path / "acme")}
    return lambda payload, word="": read({**payload, **where}, word)


def plugged(hook, **fields):
    """A payload as our plugin sends it."""
    envelope = {
        "api": "v1",
        "hook": hook,
        "directory": "/home/dev/acme-api",
        "worktree": "/home/dev",
        "input": {"sessionID": "ses_1"},
    }
    return {**envelope, **fields}


CHILD = {"parentID": "ses_0"}
ADDRESS = "opencode:ses_1"
FAILED = {"sessionID": "ses_1", "error": {"name": "APIError"}}
STOPPED = {"sessionID": "ses_1", "error": {"name": "MessageAbortedError"}}


@pytest.mark.parametrize(
    ("payload", "noted"),
    [
        (plugged("session.idle"), ("turn_ended", "ses_1", "", "", ADDRESS)),
        (plugged("session.idle", **CHILD), ("subagent_ended", "ses_0", "ses_1", "", ADDRESS)),
        (
            plugged("session.created", source="startup"),
            ("session_started", "ses_1", "", "startup", ADDRESS),
        ),
        (
            plugged("session.created", source="resume"),
            ("session_started", "ses_1", "", "resume", ADDRESS),
        ),
        (plugged("session.compacted"), ("session_started", "ses_1", "", "compact", ADDRESS)),
        (plugged("session.error", input=FAILED), ("failed", "ses_1", "", "APIError", ADDRESS)),
        (plugged("session.error", input=STOPPED), (None, "", "", "", "")),
        (plugged("session.deleted"), ("session_ended", "ses_1", "", "deleted", "")),
        (plugged("dispose"), ("session_ended", "ses_1", "", "exit", ADDRESS)),
    ],
)
def test_an_event_of_a_session_says_whose_it_is_why_it_came_and_where_to_read(payload, noted, read):
    heard = read(payload)
    assert (heard.kind, heard.session, heard.agent_id, heard.detail, heard.transcript) == noted
    assert heard.cwd == ("/home/dev/acme-api" if heard.kind else "")


@pytest.mark.parametrize(
    ("title", "role"),
    [
        ("Look for callers (@explore subagent)", "researcher"),
        ("Odd (@one) and (@code-reviewer subagent)", "executor"),
        ("Explore retry callers", None),
        ("(@explore subagent) at the start", None),
        (None, None),
    ],
)
def test_a_child_session_is_a_subagent_of_its_parent(title, role, asked):
    given = {"sessionID": "ses_1", "info": {"id": "ses_1", "title": title}}
    heard = asked(plugged("subagent.created", input=given, **CHILD))
    assert heard.kind == ""
    assert (heard.receipt["session"], heard.receipt["source"]) == ("ses_0", "ses_1")
    assert heard.receipt["about"]["role"] == role


def test_a_child_says_what_it_is_asked_first(asked, tmp_path):
    with open_memory(project=tmp_path / "acme") as memory:
        memory.import_memories(  # what matters without a question leaves no room for all
            {"content": f"Pier {number} has {number + 3} bollards.", "importance": 0.9}
            for number in range(30)
        )
    parts = [{"type": "text", "text": "look for what to say at the quay"}]
    given = {"sessionID": "ses_1", "info": {"id": "ses_1", "title": "(@explore subagent)"}}
    created = plugged("subagent.created", input=given, output={"parts": parts}, **CHILD)
    assert FACT in json.loads(asked(created).said)["text"]
    other = {**created, "output": None, "input": {**given, "sessionID": "ses_2"}}
    assert "quay" not in asked({**other, "parentID": "ses_9"}).said


def test_what_a_subagent_is_asked_is_no_prompt(read):
    given = {"parts": [{"type": "text", "text": "look for callers"}]}
    assert read(plugged("chat.message", output=given)).kind == ""
    assert read(plugged("chat.message", output=given, **CHILD)).kind is None


def test_a_prompt_is_what_was_typed(asked, tmp_path):
    with open_memory(project=tmp_path / "acme") as memory:
        memory.remember("Bollards are painted white in May.")
        memory.remember("Cranes lift forty tonnes.")
    parts = [
        {"type": "text", "text": "how to say aye at the quay?"},
        {"type": "text", "text": "what do cranes lift, forty tonnes?", "synthetic": True},
        {"type": "file", "text": "what do cranes lift, forty tonnes?"},
        {"type": "text", "text": 7},
        "odd",
        {"type": "text", "text": "and when are bollards painted white?"},
    ]
    said = asked(plugged("chat.message", output={"parts": parts})).said
    assert "quay" in said
    assert "Bollards" in said
    assert "Cranes" not in said
    assert asked(plugged("chat.message", output={"parts": parts[1:5]})).kind is None


@pytest.mark.parametrize(
    ("tool", "args", "files"),
    [
        ("read", {"filePath": "/p/a.py"}, ("/p/a.py",)),
        ("edit", {"filePath": "a.py"}, ("a.py",)),
        (
            "apply_patch",
            {"patchText": "*** Add File: b.py\n*** Update File: a.py"},
            ("b.py", "a.py"),
        ),
        ("bash", {"filePath": "/p/a.py"}, ()),
        ("read", {"filePath": 7}, ()),
        ("read", None, ()),
    ],
)
def test_a_tool_that_starts_on_files_names_them(tool, args, files, asked):
    given = {"tool": tool, "sessionID": "ses_1", "callID": "c"}
    heard = asked(plugged("tool.execute.before", input=given, output={"args": args}))
    assert heard.kind == ("" if files else None)
    assert ("quay" in heard.said) is bool(files)


def test_a_tool_that_ended_says_how(read, subtests):
    rows = [
        ({"metadata": {"exit": 0}}, "ok"),
        ({"metadata": {"exit": 3}}, "failed"),
        ({"metadata": {"exit": None}}, ""),
        ({"metadata": {}}, "ok"),
        ({"isError": True}, "failed"),
        ({}, "ok"),
    ]
    for output, outcome in rows:
        with subtests.test(output=output):
            given = {"tool": "bash", "sessionID": "ses_1", "callID": "c", "args": {}}
            heard = read(plugged("tool.execute.after", input=given, output=output))
            assert (heard.kind, heard.outcome) == ("tool_ended", outcome)


def test_an_event_of_no_session_is_not_for_us(read, subtests):
    for session in [None, 7, "", "x" * 201]:
        with subtests.test(session=session):
            assert read(plugged("session.idle", input={"sessionID": session})).kind is None


def test_a_reply_is_one_object_that_the_plugin_can_read_and_no_other_event_is_replied_to(
    asked, subtests
):
    on_file = {"args": {"filePath": "a.py"}}
    named = {"tool": "read", "sessionID": "ses_a", "callID": "c", **on_file}
    child = {"sessionID": "ses_c", "info": {"id": "ses_c", "title": "(@explore subagent)"}}
    prompt = {"parts": [{"type": "text", "text": "how to say aye at the quay?"}]}
    payloads = [
        (plugged("tool.execute.before", input=named, output=on_file), ""),
        (plugged("tool.execute.after", input={**named, "sessionID": "ses_b"}, output={}), ""),
        (plugged("subagent.created", input=child, **CHILD), ""),
        (plugged("chat.message", input={"sessionID": "ses_d"}, output=prompt), ""),
        *((load(path.stem), hook_in(path.stem)) for path in EVERY),
    ]
    answered = set()
    for payload, hook in payloads:
        with subtests.test(hook=hook or payload["hook"]):
            heard = asked(payload, hook)
            if heard.said:
                answered.add(heard.name)
                assert heard.said.isascii()
                assert set(json.loads(heard.said)) == {"text"}
                assert FACT in json.loads(heard.said)["text"]
    sessions = {"session.created", "session.compacted", "subagent.created", "chat.message"}
    assert answered == {*sessions, "tool.execute.before"}
