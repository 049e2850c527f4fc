"""What recurs in three sessions becomes a fact with its evidence, in whatever words (000-52)."""

from datetime import UTC, datetime, timedelta

import pytest

from memdeck import Capture, Origin, open_memory

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
DAY = timedelta(days=1)
WORDINGS = (
    "The tide tests failed because the fixture server was not running on the build machine",
    "Tests of the tide service fail on the build machine when the fixture server is not started",
    "On the build machine the fixture server was not running, so the tide tests failed",
)


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
    with open_memory(tmp_path / "home", tmp_path / "harbour", clock=clock) as memory:
        yield memory


def recurs(core, clock, *texts, first=1):
    """The ids of what agents told of, each text in a session of its own, a day apart."""
    ids = []
    for number, text in enumerate(texts, first):
        core.session_seen(f"s{number}", "claude", "/harbour")
        origin = Origin(f"s{number}", "claude")
        capture = Capture(
            content=text, type="episodic", category="error", rule="claim.finding", origin=origin
        )
        [result] = core.offer([capture])
        assert result.memory_id, result
        ids.append(result.memory_id)
        clock.now += DAY
    return ids


def proposed(core):
    [planned] = [one for one in core.maintenance.plan() if one.duty == "consolidation"]
    return planned.proposals


def test_episodes_in_other_words_become_a_fact_with_its_evidence(core, clock):
    ids = recurs(core, clock, *WORDINGS)
    assert len(set(ids)) > 1  # capture was not sure of each pair
    [planned] = proposed(core)
    assert "it happened in 3 sessions, so it holds; as “" in planned.why
    assert {core.resolve(one).type for one in ids} == {"episodic"}  # a plan changes nothing

    assert core.maintenance.run().done["consolidation"] == 1
    fact = core.resolve(planned.memory)
    assert (fact.type, fact.details["evidence_count"]) == ("semantic", 3)
    assert fact.details["source_sessions"] == ["s1", "s2", "s3"]
    others = {one for one in ids if one != fact.id}
    assert {core.resolve(one).retired_as for one in others} == {"merged"}
    links = {(link.source, link.target, link.kind) for link in core.links(fact.id)}
    assert links == {(one, fact.id, "reinforces") for one in others}
    assert core.maintenance.run().done["consolidation"] == 0  # a second run finds nothing


def test_two_sessions_are_too_few_and_a_third_is_enough(core, clock):
    recurs(core, clock, *WORDINGS[:2])
    assert core.maintenance.run().done["consolidation"] == 0
    recurs(core, clock, WORDINGS[2], first=3)
    assert core.maintenance.run().done["consolidation"] == 1
