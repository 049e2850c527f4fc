"""OpenCode's sessions as turns."""

import json
from pathlib import Path

import pytest

from memdeck.core.sessions.turns import calls_in
from memdeck.tests.transcripts import read_opencode

EXPORT = str(Path(__file__).parent.parent / "wire" / "opencode" / "export.json")


def message(role, *parts, name="m1", **more):
    named = [{"id": f"{name}-p{n}", **part} for n, part in enumerate(parts)]
    about = {"id": name, "role": role, "time": {"created": 1_768_467_600_000}}
    return {"info": {**about, **more}, "parts": named}


def text(said, **more):
    return {"type": "text", "text": said, **more}


def tool(name="bash", status="completed", given=None, **state):
    told = {"status": status, "input": given or {"command": "make"}, **state}
    return {"type": "tool", "tool": name, "callID": "c1", "state": told}


@pytest.fixture
def turns(tmp_path):
    """The turns of a session with these messages."""

    def read(*messages, info=None, **options):
        file = tmp_path / "export.json"
        file.write_text(json.dumps({"info": info or {"id": "ses_1"}, "messages": messages}))
        return read_opencode(str(file), **options).turns

    return read


def test_an_exported_session_gives_its_turns_with_place_and_time():
    reading = read_opencode(EXPORT)
    assert [t.text for t in reading.turns if t.is_prompt] == [
        "Please make total() return a float and run the checks.",
        "Do the checks pass?",
        "And now?",
    ]
    assert [c.tool for c in calls_in(reading.turns)] == (
        "Bash Bash Read Edit Write TodoWrite TodoWrite"
    ).split()
    assert [t.line for t in reading.turns if t.kind == "boundary"] == [12]
    assert reading.turns[0].at.isoformat() == "2026-01-15T09:00:00+00:00"
    assert (reading.line_no, reading.offset) == (15, Path(EXPORT).stat().st_size)
    assert len({(t.uuid, t.part) for t in reading.turns}) == len(reading.turns)


def test_the_exit_code_tells_a_failure():
    failed = [c.result.text for c in calls_in(read_opencode(EXPORT).turns) if c.result.is_error]
    assert failed == ["Exit code 3\ncollecting\nassert failed: total\n"]


def test_what_is_nobodys_words_is_left_out(turns, subtests):
    rows = [
        message("user", text("always", synthetic=True)),
        message("user", text("always", ignored=True)),
        message("user", text("  ")),
        message("user", {"type": "file", "url": "x"}),
        message("assistant", {"type": "reasoning", "text": "hm"}),
        message("assistant", text("so far"), summary=True, mode="compaction"),
        message("system", text("always")),
        message("assistant", tool(status="pending")),
        {"info": {"role": "user"}, "parts": 7},
        {"info": {"role": ["user"]}, "parts": [text("x")]},
        7,
    ]
    for told in rows:
        with subtests.test(told=told):
            assert turns(told) == ()


def test_the_quotes_of_the_command_line_are_not_the_persons(turns, subtests):
    rows = [
        ('"do it"', "do it"),
        ('"say \\"hi\\" to it"', 'say "hi" to it'),
        ('"a" and "b"', '"a" and "b"'),
        ('""', '""'),
    ]
    for stored, typed in rows:
        with subtests.test(stored=stored):
            assert [t.text for t in turns(message("user", text(stored)))] == [typed]


def test_a_refusal_with_words_is_told_as_the_rules_know_it(turns):
    said = (
        "The user rejected permission to use this specific tool call with the following feedback: "
    )
    [made] = calls_in(turns(message("assistant", tool(status="error", error=said + "use uv"))))
    assert made.result.is_error
    assert made.result.text.startswith("The user doesn't want to proceed with this tool use.")
    assert made.result.text.endswith("the user said:\nuse uv")


@pytest.mark.parametrize(
    ("output", "report"),
    [
        (
            "It is in a.py:3.\n\n<task_metadata>\nsession_id: ses_2\n</task_metadata>",
            "It is in a.py:3.",
        ),
        ("task_id: ses_2\n\n<task_result>\nIt is in a.py:3.\n</task_result>", "It is in a.py:3."),
    ],
)
def test_the_report_of_a_subagent_is_read_without_its_frame(turns, output, report):
    given = {"prompt": "Where?", "subagent_type": "explore"}
    part = tool("task", given=given, output=output, metadata={"sessionId": "ses_2"})
    [made] = calls_in(turns(message("assistant", part)))
    assert (made.tool, made.result.text) == ("Agent", report)
    assert made.result.details == {"agent_id": "ses_2"}


def test_what_was_reverted_is_not_read(turns):
    messages = (message("user", text("a")), message("user", text("b"), name="m2"))
    assert [t.text for t in turns(*messages, info={"revert": {"messageID": "m2"}})] == ["a"]


def test_a_child_session_is_a_subagents_and_is_read_when_asked(turns):
    child, info = message("user", text("look")), {"id": "ses_2", "parentID": "ses_1"}
    assert turns(child, info=info) == ()
    [turn] = turns(child, info=info, sidechains=True)
    assert turn.agent_id == "ses_2"


def test_a_running_call_is_read_and_its_result_when_it_is_there(turns):
    assert [t.kind for t in turns(message("assistant", tool(status="running")))] == ["tool_call"]


def test_a_whole_file_is_read_again_without_repeating_itself():
    reading = read_opencode(EXPORT)
    again = read_opencode(EXPORT, reading.offset, reading.line_no, reading.seen_uuids)
    assert (again.turns, again.offset) == ((), reading.offset)
    assert read_opencode(EXPORT, reading.offset, reading.line_no).turns == reading.turns
