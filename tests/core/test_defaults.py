"""What holds where nothing was configured is what the settings have as their defaults."""

from dataclasses import replace

import pytest


def test_the_defaults_of_the_settings_are_those_of_a_glance(core):
    policy = core.policy
    assert policy.habits() == type(policy.habits())()
    assert policy.habits().limits == type(policy.recall.limits())()


@pytest.mark.parametrize(
    ("preset", "unproven"),
    [("conservative", "never"), ("balanced", "asked"), ("aggressive", "always")],
)
def test_a_preset_changes_no_habit_but_what_is_told_of_the_unproven(configured, preset, unproven):
    usual = configured().policy.habits()
    told = replace(usual.limits, unproven=unproven)
    assert configured(f'preset = "{preset}"').policy.habits() == replace(usual, limits=told)
    own = f'preset = "{preset}"\n[recall]\nunproven = "asked"'
    assert configured(own).policy.habits() == usual


def test_habits_follow_the_settings(configured):
    given = 'auto_memory = false\n[review]\nteaching = false\n[extractor]\nengine = "claude"'
    habits = configured(given).policy.habits()
    assert (habits.auto_memory, habits.teaching, habits.engine) == (False, False, "claude")
