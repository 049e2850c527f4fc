"""Codex's payloads, handed to the hook: what it notes, and that its replies pass their schemas."""

import json
from pathlib import Path

import pytest

from memdeck import open_memory

pytestmark = pytest.mark.usefixtures("opened_once")

WIRE = Path(__file__).parent.parent / "wire" / "codex"
EVERY = sorted((WIRE / "payloads").glob("*.json"))
ANSWERED = ("SessionStart", "UserPromptSubmit", "PreToolUse", "SubagentStart")


def load(name):
    return json.loads((WIRE / "payloads" / f"{name}.json").read_bytes())


@pytest.fixture
def read(hear):
    return lambda payload: hear("codex", payload)


@pytest.fixture
def patched(tmp_path):
    """A patch about to be made in the project that `known` was told of."""

    def _patched(*lines, session="s1"):
        given = {**load("captured.PreToolUse-apply_patch"), "cwd": str(tmp_path / "acme")}
        return {**given, "session_id": session, "tool_input": {"command": "\n".join(lines)}}

    return _patched


def test_a_patch_names_its_files_as_given(read, patched, tmp_path):
    (tmp_path / "acme").mkdir()
    facts = {
        "The tide turns at noon": "app/a b.py",
        "The crane lifts forty tonnes": "app/c.py",
        "Ropes are bought in March": "not/this.py",
        "A pilot reports by radio": "app/new.py",
        "Berth nine is closed": "app/old.py",
    }
    with open_memory(project=tmp_path / "acme") as memory:
        for fact, path in facts.items():
            memory.remember(fact, files=[path])
    patch = patched(
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
    told = read(patch).said  # at most three
    with open_memory(project=tmp_path / "acme") as memory:
        for fact in facts:
            if fact in told:
                memory.forget(memory.search(fact)[0].id)
    told += read({**patch, "session_id": "s2"}).said
    assert [told.count(fact) for fact in facts] == [1, 1, 0, 1, 1]


@pytest.mark.parametrize(("place", "is_told"), [(19, True), (20, False)])
def test_of_a_large_patch_the_first_twenty_files_are_looked_at(
    read, known, patched, tmp_path, place, is_told
):
    known(tmp_path / "acme", The_gauge={"files": [f"{place}.py"]})
    heard = read(patched(*(f"*** Add File: {n}.py" for n in range(place + 1))))
    assert ("The gauge" in heard.said) is is_told


def test_a_patch_that_names_no_file_starts_unheard(read, subtests):
    rows = [None, "", 7, "no patch at all", "*** Add File: \n"]
    for patch in rows:
        with subtests.test(patch=patch):
            given = load("captured.PreToolUse-apply_patch")
            given["tool_input"]["command"] = patch
            assert read(given).kind is None


def test_how_a_tool_ended_is_said_where_the_host_shows_it(read, subtests):
    rows = [
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
    ]
    for response, outcome in rows:
        with subtests.test(response=response):
            given = {**load("captured.PostToolUse-apply_patch"), "tool_response": response}
            heard = read(given)
            assert (heard.kind, heard.outcome) == ("tool_ended", outcome)


def test_calls_of_our_own_skills_are_no_questions(read, subtests):
    rows = [
        ("why does it fail?", True),
        ("$deploy to staging", True),
        ("$memory of that bug", True),
        ("$remember use tabs", False),
        ("$mem", False),
        (" \n", False),
        (None, False),
    ]
    for prompt, is_heard in rows:
        with subtests.test(prompt=prompt):
            heard = read({**load("captured.UserPromptSubmit"), "prompt": prompt})
            assert (heard.kind is not None) is is_heard


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


FACT = 'Say "aye" ☕ <at> the quay.'


def test_a_reply_passes_the_hosts_own_schema_and_no_other_event_is_replied_to(
    read, known, tmp_path, subtests
):
    known(tmp_path / "acme", **{FACT: {"files": ["app.py"]}})
    with open_memory(project=tmp_path / "acme") as memory:
        memory.pin(memory.search("quay")[0].id)
    answered = set()
    for number, path in enumerate(EVERY):
        payload = {**load(path.stem), "cwd": str(tmp_path / "acme"), "session_id": f"s{number}"}
        if payload.get("tool_name") == "apply_patch":
            payload["tool_input"] = {"command": "*** Update File: app.py"}
        with subtests.test(path.stem):
            said = read(payload).said
            if said:
                answered.add(payload["hook_event_name"])
                reply = json.loads(said)
                assert_valid(reply, schema(payload["hook_event_name"]))
                assert FACT in reply["hookSpecificOutput"]["additionalContext"]
                recorded = WIRE / "outputs" / f"{payload['hook_event_name']}.stdout.json"
                if recorded.exists():  # of the form that was recorded as valid
                    form = json.loads(recorded.read_bytes())["hookSpecificOutput"]
                    assert set(reply["hookSpecificOutput"]) == set(form)
    assert answered == {*ANSWERED}


@pytest.mark.parametrize("tool", ["spawn_agent", "collaborationspawn_agent"])
def test_a_task_that_a_subagent_is_given_is_heard_of(tool, read, home, known, tmp_path):
    """What fits it is set aside for the start of a subagent of its kind."""
    known(tmp_path / "acme", Callers_of_the_gauge_are_in_the_harbour_office={})
    given = {"message": "Look for callers of the gauge", "agent_type": "explorer"}
    asked = {**load("captured.PreToolUse-apply_patch"), "cwd": str(tmp_path / "acme")}
    heard = read({**asked, "session_id": "s1", "tool_name": tool, "tool_input": given})
    assert (heard.kind, heard.said) == ("", "")
    [note] = [json.loads(path.read_text()) for path in Path(home.spool).glob("tasks/*.json")]
    assert (note["session"], note["role"], len(note["memories"])) == ("s1", "explorer", 1)
