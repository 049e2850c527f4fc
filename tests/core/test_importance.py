"""What makes a memory important: six factors, their weights, and where they come from."""

import pytest

from memdeck import Envelope
from memdeck.core.sessions.turns import Turn

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


def test_the_weights_are_those_of_the_requirement_and_make_one(core, offer):
    """What a factor moves is its weight times what it is above or below the neutral."""
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


# --- from what the store knows


def test_a_kept_capture_is_weighed_and_the_parts_are_kept(core, offer):
    work = Envelope(outcome="success", tokens=10_000, time_ms=60_000)
    memory = offer(rule="person.instruction", envelope=work).memory_id
    assert core.worth(memory).factors == {
        "outcome": 1.0,
        "reuse": 0.0,
        "cross_agent": 0.0,
        "novelty": 1.0,
        "user_signal": 1.0,
        "cost_savings": 0.5,
    }


# --- the work it was learned at


def test_no_part_of_an_envelope_keeps_a_secret(core, offer, home_path):
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
