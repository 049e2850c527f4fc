"""What a person switches for one project: kept in the store, and taken back like any act."""

import pytest

from memdeck import BadInput, NotFound

# --- auto-memory


def test_the_switch_of_one_project_is_not_that_of_another(core, open_core):
    core.set_switch("auto_memory", False)
    core.set_preset("aggressive")
    core.set_ceiling(500)
    core.add_alias("quay", ["pier"])
    other = open_core("airport")
    assert other.auto_memory
    assert other.policy.preset == "balanced"
    assert other.ceiling is None
    assert other.aliases() == {}


@pytest.mark.parametrize("reach", ["project", "everywhere"])
@pytest.mark.parametrize(("name", "hides"), [("auto_memory", False), ("incognito", True)])
def test_a_switch_reaches_as_far_as_it_says(core, open_core, name, hides, reach):
    other = open_core("quayside")
    core.set_switch(name, hides, reach)
    assert (core.is_recorded("s1"), other.is_recorded("s9")) == (False, reach == "project")
    core.set_switch(name, not hides, reach)
    assert core.is_recorded("s1")
    assert other.is_recorded("s9")


def test_one_session_is_switched_by_itself(core):
    core.session_seen("s1", "claude")
    core.session_seen("s2", "codex")
    core.set_incognito("s2")
    assert not core.is_recorded("s2")
    assert core.is_recorded("s1")
    assert core.is_recorded("s3")


# --- the budget's ceiling


@pytest.mark.parametrize(
    ("tokens", "is_taken"), [(99, False), (100, True), (50_000, True), (50_001, False)]
)
def test_a_ceiling_has_a_range(core, tokens, is_taken):
    if is_taken:
        core.set_ceiling(tokens)
        assert core.ceiling == tokens
    else:
        with pytest.raises(BadInput, match="between 100 and 50000"):
            core.set_ceiling(tokens)
        assert core.ceiling is None


# --- aliases


def test_aliases_of_a_word_are_gathered_each_once(core):
    assert core.add_alias(" Quay ", ["Pier", "jetty"]) == ("pier", "jetty")
    assert core.add_alias("quay", ["jetty", "mole"]) == ("pier", "jetty", "mole")
    assert core.aliases() == {"quay": ("pier", "jetty", "mole")}
    core.remove_alias("QUAY")
    assert core.aliases() == {}
    with pytest.raises(NotFound):
        core.remove_alias("quay")


@pytest.mark.parametrize(("number", "is_taken"), [(20, True), (21, False)])
def test_a_word_has_at_most_20_aliases(core, number, is_taken):
    words = [f"pier{one}" for one in range(number)]
    if is_taken:
        assert len(core.add_alias("quay", words)) == 20
    else:
        with pytest.raises(BadInput, match="20 is the limit"):
            core.add_alias("quay", words)
        assert core.aliases() == {}
