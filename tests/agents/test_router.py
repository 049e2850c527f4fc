"""Which moments of a session are noted and answered, how each is switched (003-01 to 003-03)."""

import json
import os

import pytest

from memdeck import open_memory
from memdeck.agents import spool
from memdeck.agents.drain import drain_spool

pytestmark = pytest.mark.usefixtures("opened_once")

FACT = "The tide gauge is read in metres above the quay, never above the sea."
ROUND = "Round the gauge's reading down, since ships must not touch ground."


@pytest.fixture
def touch(say, project):
    """A tool is about to read a file of the project."""

    def _touch(path, tool="Read", session="s1"):
        return say(
            "PreToolUse",
            session=session,
            tool_name=tool,
            tool_input={"file_path": os.path.join(project, path)},
            tool_use_id="t1",
        )

    return _touch


def receipts(home, project):
    drain_spool(home)
    with open_memory(home, project) as memory:
        return memory.receipts()


# --- before a file is read or edited (003-03)


@pytest.mark.parametrize("tool", ["Read", "Edit", "Write", "MultiEdit"])
def test_what_is_known_of_a_file_is_told_before_it_is_touched(remember, touch, tool):
    """003-03, 003-16: pre-tool recall."""
    remember(FACT, files=["src/gauge.py"])
    assert FACT in touch("src/gauge.py", tool)


def test_of_each_file_a_session_is_told_once(home, project, remember, touch):
    """Also before any drain has seen the first telling, and after it has."""
    remember(FACT, files=["src/gauge.py"])
    assert FACT in touch("src/gauge.py")
    remember(ROUND, files=["src/gauge.py"])
    assert touch("src/gauge.py") == ""
    drain_spool(home)
    assert touch("src/gauge.py") == ""
    assert ROUND in touch("src/gauge.py", session="s2")


def test_at_most_three_of_the_most_important_are_told(remember, touch):
    for number, name in enumerate(["quay", "sluice", "pier", "lock", "basin"]):
        remember(
            f"The {name} has a gauge of its own.", files=["src/gauge.py"], importance=number / 10
        )
    text = touch("src/gauge.py")
    assert [name for name in ("quay", "sluice", "pier", "lock", "basin") if name in text] == [
        "pier",
        "lock",
        "basin",
    ]


def test_a_file_of_which_nothing_is_known_costs_no_recall_and_leaves_no_receipt(
    home, project, remember, touch
):
    remember(FACT, files=["src/gauge.py"])
    assert touch("src/crane.py") == ""
    assert spool.read_spool(home) == []
    assert receipts(home, project) == []


# --- what is noted


def test_a_failed_tool_is_counted_by_its_kind(home, project, say):
    """003-01, 003-02, 003-16: post-tool record and its outcome; files come from the transcript."""
    say("SessionStart", source="startup")
    for name, more in (
        ("PostToolUse", {"tool_response": {"type": "text"}}),
        ("PostToolUseFailure", {"error": "File has not been read yet"}),
    ):
        say(
            name,
            tool_name="Edit",
            tool_input={"file_path": f"{project}/src/gauge.py"},
            tool_use_id=name,
            **more,
        )
    assert not any("gauge.py" in json.dumps(record) for record in spool.read_spool(home))
    drain_spool(home)
    with open_memory(home, project) as memory:
        work = memory.activity("s1")
    assert (work.tools, work.failures, work.last_failure) == (2, 1, "Edit")


def test_of_an_incognito_session_no_receipt_names_a_file(home, project, remember, touch):
    remember(FACT, files=["src/gauge.py"])
    with open_memory(home, project) as memory:
        memory.set_switch("incognito", True)
    assert FACT in touch("src/gauge.py")
    [receipt] = receipts(home, project)
    assert receipt.files == ()
    assert receipt.items


# --- events


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("SessionStart", {"source": "startup"}),
        ("SessionEnd", {"reason": "other"}),
        ("UserPromptSubmit", {"prompt": "how is the tide gauge read?"}),
        ("Stop", {}),
        ("SubagentStop", {"agent_id": "a", "agent_type": "x", "agent_transcript_path": "/t/a"}),
        ("TaskCompleted", {"task_id": "1"}),
        ("PostToolUse", {"tool_name": "TodoWrite", "tool_input": {"todos": []}}),
        ("PreCompact", {"trigger": "auto"}),
        ("PreToolUse", {"tool_name": "Read", "tool_input": {"file_path": "/x/gauge.py"}}),
        ("PostToolUseFailure", {"tool_name": "Bash", "error": "Exit code 1"}),
        ("SubagentStart", {"agent_id": "a", "agent_type": "reviewer"}),
        ("StopFailure", {"error": "unknown"}),
    ],
)
def test_each_event_of_the_router_is_answered_or_kept(home, remember, say, name, fields):
    remember(FACT, files=["gauge.py"], pin=True)
    answer = say(name, **fields)
    assert answer or spool.read_spool(home)
