"""What holds where nothing was configured is what the settings have as their defaults."""

import pytest

from memdeck.core.config.limits import RecallLimits
from memdeck.core.config.policy import Policy

Habits = type(Policy().habits())


def test_the_defaults_of_the_settings_are_those_of_a_glance():
    assert Policy().habits() == Habits()
    assert Policy().habits().limits == RecallLimits()


@pytest.mark.parametrize(
    ("preset", "unproven"),
    [("conservative", "never"), ("balanced", "asked"), ("aggressive", "always")],
)
def test_a_preset_changes_no_habit_but_what_is_told_of_the_unproven(preset, unproven):
    told = RecallLimits(unproven=unproven)
    assert Policy.model_validate({"preset": preset}).habits() == Habits(limits=told)
    own = {"preset": preset, "recall": {"unproven": "asked"}}
    assert Policy.model_validate(own).habits() == Habits()


def test_habits_follow_the_settings():
    given = {"auto_memory": False, "review": {"teaching": False}, "extractor": {"engine": "claude"}}
    habits = Policy.model_validate(given).habits()
    assert (habits.auto_memory, habits.teaching, habits.engine) == (False, False, "claude")
