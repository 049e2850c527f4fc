"""A subagent hears a little that fits its task; what it brings back bears its role (003-03, -06).

Claude Code says a task as its Agent tool is called, and not when the subagent starts.
"""

import pytest

from memdeck import open_memory
from memdeck.agents.drain import drain_spool
from memdeck.cli.main import run as run_command_line

pytestmark = pytest.mark.usefixtures("opened_once")

TIDES = "The tide gauge is read in metres above the quay, never above the sea."
CRANES = "The cranes of the north quay are named after rivers, since the crews ask for it."
TUGS = "The tugs are ordered by radio on channel twelve, never by telephone."
PINNED = "Berth numbers are text, since some of them end in a letter."
TIDE_TASK = "Find out how the tide gauge is read, and where."


@pytest.fixture
def memories(home, project):
    with open_memory(home, project) as memory:
        for text in (TIDES, CRANES, TUGS):
            memory.remember(text)
        memory.remember(PINNED, pin=True)


@pytest.fixture
def give(say):
    """The agent calls the tool that starts a subagent."""

    def _give(task, kind="Explore", tool="Agent", **more):
        given = {"description": "Look", "prompt": task, "subagent_type": kind}
        return say("PreToolUse", tool_name=tool, tool_input=given, tool_use_id="t1", **more)

    return _give


@pytest.fixture
def start(say):
    return lambda kind="Explore", agent="a1", **more: say(
        "SubagentStart", agent_id=agent, agent_type=kind, **more
    )


@pytest.mark.parametrize("tool", ["Agent", "Task"])
def test_a_subagent_is_told_what_fits_its_task_and_what_is_pinned(memories, give, start, tool):
    assert give(TIDE_TASK, tool=tool) == ""
    told = start()
    assert TIDES in told
    assert PINNED in told
    assert CRANES not in told
    assert TUGS not in told


def test_a_task_is_for_one_start(memories, give, start):
    give(TIDE_TASK)
    start()
    again = start(agent="a2")
    assert PINNED in again  # like one whose task nobody told


# --- a subagent has a context of its own


@pytest.fixture
def gauge(home, project):
    with open_memory(home, project) as memory:
        memory.remember(TIDES, files=["gauge.py"])


def test_what_the_session_said_itself_is_new_to_its_subagent(home, project, say, capfd):
    def touch(path="gauge.py", **more):
        given = {"file_path": f"{project}/{path}"}
        return say("PreToolUse", tool_name="Read", tool_input=given, tool_use_id="t1", **more)

    say("SessionStart", source="startup")
    drain_spool(home)
    words = ["learn", TIDES, "--file", "gauge.py", "--session", "s1", "--project", project]
    assert run_command_line(words) == 0
    capfd.readouterr()
    assert touch() == ""
    assert TIDES in touch(agent_id="a1", agent_type="Explore")
