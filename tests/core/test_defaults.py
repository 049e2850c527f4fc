"""What holds where nothing was configured is what the settings have as their defaults."""


def test_the_defaults_of_the_settings_are_those_of_a_glance(core):
    policy = core.policy
    assert policy.habits() == type(policy.habits())()
    assert policy.habits().limits == type(policy.recall.limits())()
