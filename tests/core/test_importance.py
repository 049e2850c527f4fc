"""What makes a memory important: six factors, their weights, and where they come from (003-11)."""

import pytest

from memdeck import Envelope
from memdeck.core.ingest.extract.turns import Turn

WEIGHTS = {
    "outcome": 0.25,
    "reuse": 0.20,
    "cross_agent": 0.20,
    "novelty": 0.15,
    "user_signal": 0.15,
    "cost_savings": 0.05,
}
NEUTRAL = {
    **{"outcome": 0.5, "reuse": 0.0, "cross_agent": 0.0, "novelty": 1.0, "user_signal": 0.2},
    "cost_savings": 0.0,
}
"""The factors of a memory of which nothing is known."""


def factors_of(offer, core, **fields):
    """The factors of a finding of an agent, learned at such a piece of work."""
    return core.worth(offer(envelope=Envelope(**fields)).memory_id).factors


def test_the_weights_are_those_of_the_requirement_and_make_one(core, offer):
    """003-11: what a factor moves is its weight times what it is above or below the neutral."""
    assert sum(WEIGHTS.values()) == pytest.approx(1.0)
    work = Envelope(outcome="failure", tokens=20_000)
    memory = offer(envelope=work).memory_id
    near = "Berth 12 floods in autumn storms as well, so its power is cut at the pier box"
    for one in (memory, offer(near).memory_id, use(core, memory, "s8", "codex")):
        worth = core.worth(one)
        assert list(worth.moved) == list(WEIGHTS)
        for name, weight in WEIGHTS.items():
            moved = weight * (worth.factors[name] - NEUTRAL[name])
            assert worth.moved[name] == pytest.approx(moved), name
    assert all(worth.moved[name] for name in ("reuse", "cross_agent", "outcome", "cost_savings"))


def use(core, memory, session, agent):
    """A session is told the memory and its agent uses it."""
    core.session_seen(session, agent)
    content = core.show(memory).content
    asked = "Where does berth 12 flood at spring tide?"
    assert content in core.recall(asked, session=session, host=agent).text
    core.note_uses(session, [Turn("assistant", f"I read that {content}", line=1)])
    return memory


def test_use_and_agents_count_up_to_their_ends_and_never_against_it(core, offer, clock):
    """003-11: each 0-1, full at ten uses and three agents; more is enough."""
    memory = offer().memory_id
    lives = [core.worth(memory)]
    for number, agent in enumerate(("claude", "codex", "gemini", "copilot") * 3):
        clock.forward(hours=1)
        use(core, memory, f"s{number + 2}", agent)
        lives.append(core.worth(memory))
    told = {name: [life.factors[name] for life in lives] for name in WEIGHTS}
    for name in ("reuse", "cross_agent"):
        assert told[name][0] == 0.0
        assert told[name] == sorted(told[name])
        assert told[name][-1] == 1.0
    assert told["reuse"][9] < told["reuse"][10] == told["reuse"][11] == 1.0
    assert told["cross_agent"][2] < told["cross_agent"][3] == 1.0
    assert all(0.0 <= share <= 1.0 for shares in told.values() for share in shares)
    assert [life.importance for life in lives] == sorted(life.importance for life in lives)


@pytest.mark.parametrize(
    ("outcome", "worth"), [("success", 1.0), ("partial", 0.5), ("", 0.5), ("failure", 0.0)]
)
def test_how_the_work_went_counts(core, offer, outcome, worth):
    assert factors_of(offer, core, outcome=outcome)["outcome"] == worth


def test_a_failure_that_taught_something_is_worth_as_much_as_a_success(core, offer):
    assert factors_of(offer, core, outcome="failure", lessons=("migrate first",))["outcome"] == 1.0


@pytest.mark.parametrize(
    ("cost", "saved"),
    [
        ({"tokens": 0, "time_ms": 0}, 0.0),
        ({"tokens": 10_000}, 0.5),
        ({"time_ms": 300_000}, 0.5),  # time saves as tokens do
        ({"tokens": 20_000}, 1.0),
        ({"tokens": 20_001, "time_ms": 10**9}, 1.0),  # more than enough counts as enough
    ],
)
def test_what_it_cost_counts(core, offer, cost, saved):
    assert factors_of(offer, core, **cost)["cost_savings"] == saved


def test_what_people_did_with_it_counts(core, offer):
    memory = offer().memory_id
    told = core.recall("Where does berth 12 flood at spring tide?", session="s7")
    signals = [core.worth(memory).factors["user_signal"]]
    for is_helpful in (False, True):
        core.feedback(told.receipt, memory, is_helpful)
        signals.append(core.worth(memory).factors["user_signal"])
    core.pin(memory)
    signals.append(core.worth(memory).factors["user_signal"])
    assert signals == [0.2, 0.1, 0.6, 1.0]


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
