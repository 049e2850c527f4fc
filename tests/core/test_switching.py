"""Auto-memory and incognito: one session, a project, everywhere; off wherever one says off."""

import pytest

GOAL = "Mend the tide tables"


@pytest.fixture
def talk(core):
    """A session that goes on, and one that has ended."""
    core.session_seen("s0", "claude")
    core.session_ended("s0", "logout")
    core.session_seen("s1", "claude")
    core.session_goal("s1", GOAL)
    return "s1"


def test_one_session_is_switched_by_itself(core, talk):
    core.session_seen("s2", "codex")
    core.set_auto_memory_of("s1", False)
    core.set_incognito("s2")

    assert not core.is_recorded("s1")
    assert not core.is_recorded("s2")
    assert core.is_recorded("s3")
    by_id = {one.id: one for one in core.switches.sessions}
    assert not by_id["s1"].auto_memory
    assert not by_id["s1"].incognito
    assert by_id["s2"].auto_memory
    assert by_id["s2"].incognito
    core.set_auto_memory_of("s1")
    assert core.is_recorded("s1")
