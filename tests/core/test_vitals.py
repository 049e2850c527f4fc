"""How a store is doing, and what a person keeps from ageing."""

from datetime import UTC, datetime, timedelta

import pytest

from memdeck import Capture, Origin, Refused, open_memory

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
DAY = timedelta(days=1)
NOTE = "The berth allocation was moved over to the new schema, its views are missing"
FREEZE = "The release freeze for the harbour app lasts until the second tide gate is in"


class Clock:
    """A clock that a test sets."""

    def __init__(self):
        self.now = START

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def core(tmp_path, clock):
    with open_memory(tmp_path / "home", tmp_path, clock=clock) as memory:
        yield memory


def found(core, text=NOTE, session="s1"):
    """What an agent found on the way: it lives fourteen days."""
    core.session_seen(session, "claude")
    capture = Capture(text, category="task_progress", origin=Origin(session=session, line=3))
    [result] = core.offer([capture])
    return result.memory_id


def test_only_a_person_keeps_and_only_what_is_live(core, tmp_path, clock):
    note = found(core)
    with (
        open_memory(tmp_path / "home", tmp_path, clock=clock, actor="agent") as agent,
        pytest.raises(Refused, match="Only the user"),
    ):
        agent.keep(note)
    core.forget(note)
    with pytest.raises(Refused):
        core.keep(note)


def test_usage_is_counted_by_agent(core, clock):
    core.remember(FREEZE)
    core.recall("when is the release freeze over?", host="codex")
    usage = core.services.vitals.usage()
    [codex] = usage.agents
    assert (codex.agent, codex.injections, codex.memories) == ("codex", 1, 1)
    assert usage.of("claude").tokens == 0
    assert usage.total("tokens") == codex.tokens > 0
