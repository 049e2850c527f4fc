"""What makes a memory important: six factors, their weights, and where they come from (003-11)."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdeck.core.answers import Envelope
from memdeck.core.lifecycle.importance import WEIGHTS, Known, factors, score

known_things = st.builds(
    Known,
    outcome=st.sampled_from(["", "success", "failure", "partial"]),
    is_lesson=st.booleans(),
    uses=st.integers(0, 10**6),
    helpful=st.integers(0, 1000),
    unhelpful=st.integers(0, 1000),
    agents=st.integers(0, 100),
    similarity=st.floats(0, 1),
    is_from_person=st.booleans(),
    status=st.sampled_from(["candidate", "confirmed", "pinned"]),
    tokens=st.none() | st.integers(0, 10**9),
    time_ms=st.none() | st.integers(0, 10**9),
)


def test_the_weights_are_those_of_the_requirement_and_make_one():
    """003-11."""
    assert WEIGHTS == {
        "outcome": 0.25,
        "reuse": 0.20,
        "cross_agent": 0.20,
        "novelty": 0.15,
        "user_signal": 0.15,
        "cost_savings": 0.05,
    }
    assert math.isclose(sum(WEIGHTS.values()), 1.0)


@pytest.mark.parametrize(
    ("factor", "least", "most"),
    [
        ("outcome", Known(outcome="failure"), Known(outcome="success")),
        ("reuse", Known(uses=0), Known(uses=10)),
        ("cross_agent", Known(agents=1), Known(agents=3)),
        ("novelty", Known(similarity=1.0), Known(similarity=0.0)),
        (
            "user_signal",
            Known(status="candidate", unhelpful=1, is_from_person=False),
            Known(status="pinned"),
        ),
        ("cost_savings", Known(tokens=0, time_ms=0), Known(tokens=20_000)),
    ],
)
def test_each_factor_reaches_both_ends_of_its_range(factor, least, most):
    """003-11: each 0-1."""
    low, high = factors(least)[factor], factors(most)[factor]
    assert low == pytest.approx(0.1 if factor == "user_signal" else 0.0)
    assert high == 1.0


@pytest.mark.parametrize(
    ("factor", "beyond"),
    [
        ("reuse", Known(uses=11)),
        ("cross_agent", Known(agents=4)),
        ("cost_savings", Known(tokens=20_001, time_ms=10**9)),
    ],
)
def test_more_than_enough_counts_as_enough(factor, beyond):
    assert factors(beyond)[factor] == 1.0


@pytest.mark.parametrize(
    ("outcome", "worth"), [("success", 1.0), ("partial", 0.5), ("", 0.5), ("failure", 0.0)]
)
def test_how_the_work_went_counts(outcome, worth):
    assert factors(Known(outcome=outcome))["outcome"] == worth


def test_a_failure_that_taught_something_is_worth_as_much_as_a_success():
    assert factors(Known(outcome="failure", is_lesson=True))["outcome"] == 1.0


def test_time_saves_as_tokens_do():
    assert factors(Known(time_ms=300_000))["cost_savings"] == 0.5
    assert factors(Known(tokens=10_000))["cost_savings"] == 0.5


@given(known_things)
def test_factors_and_their_sum_lie_between_nothing_and_one(known):
    """003-11."""
    parts = factors(known)
    assert list(parts) == list(WEIGHTS)
    assert all(0.0 <= value <= 1.0 for value in parts.values())
    assert 0.0 <= score(parts) <= 1.0 + 1e-9


@given(known_things, st.integers(0, 100), st.integers(0, 10))
def test_more_use_and_more_agents_never_make_it_less_important(known, uses, agents):
    from dataclasses import replace

    more = replace(known, uses=known.uses + uses, agents=known.agents + agents)
    assert score(factors(more)) >= score(factors(known)) - 1e-12


def test_the_sum_is_the_weighted_one():
    """003-11, with every factor at its best, and with one alone."""
    assert score(dict.fromkeys(WEIGHTS, 1.0)) == pytest.approx(1.0)
    for name, weight in WEIGHTS.items():
        assert score({**dict.fromkeys(WEIGHTS, 0.0), name: 1.0}) == pytest.approx(weight)


# --- from what the store knows


def test_a_kept_capture_is_weighed_and_the_parts_are_kept(core, offer):
    """003-11."""
    work = Envelope(outcome="success", tokens=10_000, time_ms=60_000)
    memory = offer(rule="person.instruction", envelope=work).memory_id
    assert core.weight(memory) == {
        "outcome": 1.0,
        "reuse": 0.0,
        "cross_agent": 0.0,
        "novelty": 1.0,
        "user_signal": 1.0,
        "cost_savings": 0.5,
    }
    assert core.candidate(memory).weight == core.weight(memory)


def test_what_resembles_something_known_is_less_novel(core, offer):
    offer()
    near = offer("Berth 12 floods in autumn storms as well, so its power is cut at the pier box")
    [nearest] = core.neighbours(core.show(near.memory_id).content, without=near.memory_id, limit=1)
    assert 0 < nearest.similarity < 0.85
    assert core.weight(near.memory_id)["novelty"] == pytest.approx(1 - nearest.similarity)


def test_what_a_person_wrote_is_not_weighed(core, texts):
    assert core.weight(core.remember(texts["tide"]).memory_id) == {}


# --- the work it was learned at (003-04, 003-06)

ENVELOPE = Envelope(
    task="Move the tide importer",
    intent="make the import survive a missing gauge",
    actions=("make migrate", "make tides"),
    outcome="partial",
    artifacts=("tides/importer.py",),
    errors=("no such table: gauge",),
    lessons=("migrate first",),
    tokens=1200,
    time_ms=90_000,
)


def test_an_envelope_comes_back_as_it_was_given(core, offer):
    """003-04, 003-06: enriched with task, outcome, agent and role, and kept in the journal."""
    memory = offer("fix", envelope=ENVELOPE, rule="agent.error-fix").memory_id
    assert core.envelope(memory) == ENVELOPE
    assert core.candidate(memory).envelope == ENVELOPE


@pytest.mark.parametrize("outcome", ["", "success", "failure", "partial"])
def test_every_outcome_of_the_envelope_is_kept(core, offer, outcome):
    """003-06."""
    memory = offer(envelope=Envelope(task="x", outcome=outcome)).memory_id
    assert core.envelope(memory).outcome == outcome


def test_no_part_of_an_envelope_keeps_a_secret(core, offer, home_path):
    """003-06, 002-28."""
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    stained = Envelope(
        task=f"Use {secret}",
        intent=f"push with {secret}",
        actions=(f"GITHUB_TOKEN={secret} make push",),
        artifacts=(f"out/{secret}.txt",),
        errors=(f"bad credentials: {secret}",),
        lessons=(f"{secret} is read only",),
    )
    memory = offer("fix", envelope=stained).memory_id
    kept = core.envelope(memory)
    assert secret not in repr(kept)
    assert all("[REDACTED:github-token]" in text for text in (kept.task, kept.intent, *kept.errors))
    core.close()
    for path in home_path.rglob("*"):
        assert path.is_dir() or secret.encode() not in path.read_bytes(), path


def test_without_an_envelope_nothing_is_written(core, offer, row_of):
    memory = offer().memory_id
    assert core.envelope(memory) == Envelope()
    assert row_of("count(*)", "memory_envelope", "1") == 0


def test_who_found_it_stands_with_the_memory(core, texts):
    """003-06: agent and role."""
    result = core.store(
        texts["tide"], "semantic", {}, {"session_id": "s1", "agent_id": "a7", "role": "executor"}
    )
    origin = core.show(result.memory_id).origin
    assert (origin.session, origin.agent_id, origin.role) == ("s1", "a7", "executor")
