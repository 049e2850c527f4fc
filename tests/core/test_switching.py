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
    assert core.is_taken_down(talk)


@pytest.mark.parametrize("reach", ["project", "everywhere"])
@pytest.mark.parametrize(("name", "hides"), [("auto_memory", False), ("incognito", True)])
def test_a_switch_reaches_as_far_as_it_says(core, open_core, talk, name, hides, reach):
    core.set_switch(name, hides, reach)

    assert not core.is_taken_down(talk)
    other = open_core("quayside")
    assert other.is_taken_down("s9") == (reach == "project")

    core.set_switch(name, not hides, reach)
    assert core.is_taken_down(talk)
    assert other.is_taken_down("s9")


def test_of_two_that_hide_one_is_enough(core, talk):
    core.set_switch("incognito", True, "everywhere")
    core.set_switch("incognito", True)
    core.set_switch("incognito", False, "everywhere")

    assert not core.is_taken_down(talk)
    assert core.switches.incognito_project
    assert not core.switches.incognito_everywhere


def test_one_session_is_switched_by_itself(core, talk):
    core.session_seen("s2", "codex")
    core.set_auto_memory_of("s1", False)
    core.set_incognito("s2")

    assert not core.is_taken_down("s1")
    assert not core.is_taken_down("s2")
    assert core.is_taken_down("s3")
    by_id = {one.id: one for one in core.switches.sessions}
    assert not by_id["s1"].auto_memory
    assert not by_id["s1"].incognito
    assert by_id["s2"].auto_memory
    assert by_id["s2"].incognito
    core.set_auto_memory_of("s1")
    assert core.is_taken_down("s1")


def test_each_turn_is_one_undo_and_says_what_it_was(core, talk):
    core.set_switch("incognito", True, "everywhere")
    entry = core.audit(limit=1)[0]
    assert (entry.action, entry.reason) == ("incognito", "incognito everywhere: on")
    assert entry.title == entry.reason

    core.undo()
    assert core.audit(limit=1)[0].title == "incognito"
    assert core.is_taken_down(talk)
    core.set_switch("auto_memory", False)
    assert core.audit(limit=1)[0].action == "auto"
    core.undo()
    assert core.auto_memory


def test_what_the_settings_switch_off_stays_off(core, open_core, home_path, talk):
    (home_path / "config.toml").write_text("auto_memory = false\n")
    again = open_core()
    again.set_switch("auto_memory", True, "everywhere")
    again.set_switch("auto_memory", True)

    assert not again.switches.by_settings
    assert not again.auto_memory
    assert not again.is_taken_down(talk)
