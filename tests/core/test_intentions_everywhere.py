"""What is used again and again may hold everywhere, if a person says so."""

import pytest


@pytest.fixture
def core(open_core):
    return open_core()


def use(core, times):
    for _ in range(times):
        core.recall("rotate the staging key of the payment partner")


def test_a_fact_used_as_often_is_not_proposed(core):
    core.remember("The staging key of the payment partner lives in the vault.", type="semantic")
    use(core, 4)
    assert core.wanted_everywhere() == []


def test_the_query_lists_just_what_is_offered_and_nothing_that_was_declined(core, open_core):
    core.remember("Rotate the staging key of the payment partner.", type="prospective")
    core.remember("Rotate the staging fleet before the payment audit.", type="prospective")
    use(core, 3)
    for name in ("another", "third"):
        open_core(name).remember("Deploys go out by hand on the first Monday of a month.")
    shared = core.remember("Deploys go out by hand on the first Monday of a month.").memory_id
    core.remember("The cranes of the harbour rest on Sundays.")

    def offered():
        found = {one.id for one in core.wanted_everywhere()}
        assert {one.id for one in core.list("is:offered")} == found
        return found

    found = offered()
    assert shared in found
    assert len(found) >= 2
    core.services.review.decline(shared)
    assert offered() == found - {shared}
