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


@pytest.mark.parametrize(
    "prompt",
    ["ok thanks", "fix the test", "run it", "write a haiku about autumn leaves", "continue please"],
)
def test_a_prompt_with_no_answer_gets_none(stocked, prompt):
    assert stocked.recall(prompt).text == ""
