"""Prompts as people write them, over a store of a dozen notes."""

import pytest

NOTES = [
    "Idempotency keys for payments are stored in Redis with a TTL of 24 hours, never in Postgres.",
    "Integration tests need `make test-db` first; they run against a throwaway container.",
    "Never modify the auth middleware directly; go through auth/policy.py.",
    "The retryBudget of the payment worker is 3; above that the queue times out.",
    "API keys live in Vault under secret/harbour; the deploy job reads them at start.",
    "We decided to use Tailwind for the dashboard, not styled-components.",
    "ECONNREFUSED on port 5433 means the test database container is not up.",
    "Deployments to production happen through the release workflow on tags.",
    "The outbox table in db/outbox.py guarantees at-least-once delivery of events.",
    "The nightly job cleans the cache of thumbnails in S3.",
    "Use structlog for logging; print statements fail the build.",
]


@pytest.fixture
def stocked(core):
    for note in NOTES:
        core.remember(note)
    return core


def test_a_natural_prompt_finds_its_answer_first(stocked, subtests):
    rows = [
        ("where do we store idempotency keys?", "Idempotency keys"),
        ("how do I run the integration tests?", "Integration tests"),
        ("I get ECONNREFUSED when I start them", "ECONNREFUSED"),
        ("which styling library did we choose for the dashboard?", "Tailwind"),
        ("please refactor db/outbox.py", "The outbox"),
        ("why does the payment worker time out", "The retryBudget"),
        ("how are releases made?", "Deployments"),
        ("increase the TTL", "Idempotency keys"),
        ("what about login", "Never modify the auth"),
    ]
    for prompt, answer in rows:
        with subtests.test(prompt=prompt):
            first = stocked.recall(prompt).items[0]
            assert answer in first.memory.content


@pytest.mark.parametrize(
    "prompt",
    ["ok thanks", "fix the test", "run it", "write a haiku about autumn leaves", "continue please"],
)
def test_a_prompt_with_no_answer_gets_none(stocked, prompt):
    assert stocked.recall(prompt).text == ""


def test_a_project_never_hears_of_another(stocked, open_core):
    """Invariant 4."""
    other = open_core("shipyard")
    assert other.recall("where do we store idempotency keys?").text == ""


def test_a_pinned_memory_comes_with_every_prompt(stocked):
    """002-15, 002-18."""
    rule = stocked.recall("auth middleware").items[0].memory
    stocked.pin([rule.id])
    assert rule.content in stocked.recall("ok thanks").text
    assert rule.content in stocked.recall("", event="SessionStart").text


def test_a_forgotten_memory_is_never_recalled(stocked):
    memory = stocked.recall("idempotency keys").items[0].memory
    stocked.forget([memory.id])
    assert memory.id not in [hit.id for hit in stocked.recall("idempotency keys").items]
