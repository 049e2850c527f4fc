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


def test_by_default_everything_is_taken_down(core, talk):
    switches = core.switches
    assert switches.by_settings
    assert switches.auto_project
    assert switches.auto_everywhere
    assert switches.why_unasked == ""
    assert not switches.incognito_project
    assert not switches.incognito_everywhere
    [one] = switches.sessions
    assert (one.id, one.goal, one.name) == ("s1", GOAL, GOAL)
    assert (one.auto_memory, one.incognito) == (True, False)
    assert core.is_recorded(talk)


@pytest.mark.parametrize("reach", ["project", "everywhere"])
@pytest.mark.parametrize(("name", "hides"), [("auto_memory", False), ("incognito", True)])
def test_a_switch_reaches_as_far_as_it_says(core, open_core, talk, name, hides, reach):
    core.set_switch(name, hides, reach)

    assert not core.is_recorded(talk)
    other = open_core("quayside")
    assert other.is_recorded("s9") == (reach == "project")

    core.set_switch(name, not hides, reach)
    assert core.is_recorded(talk)
    assert other.is_recorded("s9")


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
