"""What a statement is about, as a noun phrase, and what else it names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdeck.core.ingest.extract.concepts import (
    MAX_CONCEPT,
    MAX_RELATED,
    concept_of,
    nature_of,
    related_concepts,
)


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("Amounts are stored as integer cents in the billing service.", "amounts"),
        ("Don't mock the billing service in tests.", "billing service"),
        ("The EU tenants have their own billing host.", "EU tenants"),
        ("Store idempotency keys in Postgres, not Redis.", "idempotency keys"),
        ("Never push without asking me first.", "push"),
        ("I prefer small commits with a one-line message.", "small commits"),
        ("We decided on Postgres for the ledger.", "Postgres"),
        ("In this repo, always use pnpm.", "pnpm"),
        ("When you add an endpoint, update the OpenAPI file.", "OpenAPI file"),
        ("It turns out that the search API allows 30 requests.", "search API"),
        ("The nightly supplier import crashes since Monday.", "nightly supplier import"),
        ("`batched()` needs Python 3.12.", "batched"),
        ("Run `make test-db` first.", "make test-db"),
        ("!!!", "!!!"),
    ],
)
def test_the_concept_is_the_subject_or_the_object(text, concept):
    assert concept_of(text) == concept


def test_the_concept_of_a_capture_is_more_than_a_tag(session):
    session.asks("Remember: store idempotency keys in Postgres, not Redis.")
    [kept] = session.captures()
    assert kept.details == {
        "concept": "idempotency keys",
        "category": "fact",
        "related_concepts": ["postgres", "redis"],
        "source_sessions": ["s1"],
        "evidence_count": 1,
    }


def test_related_is_what_else_is_named():
    text = "`parse()` in app/feeds.py reads from Kafka, see `FEED_URL`."
    assert related_concepts(text, "parse") == ("kafka", "feeds.py", "FEED_URL")


@pytest.mark.parametrize(
    ("text", "nature", "category"),
    [
        ("Amounts are stored as integer cents.", "fact", "domain_knowledge"),
        ("Tenants in the EU have a billing contract of their own.", "fact", "domain_knowledge"),
        ("Every handler returns a frozen dataclass.", "fact", "pattern"),
        ("Branches are named after the ticket.", "fact", "pattern"),
        ("The staging cluster lives in eu-central-1.", "fact", "fact"),
        ("`invoice_total()` returns a float.", "fact", "fact"),  # about the code
        ("Never touch the invoices by hand.", "principle", "principle"),  # as the rule says
    ],
)
def test_a_fact_may_be_a_pattern_or_knowledge_of_the_domain(text, nature, category):
    assert nature_of(text, nature) == category


@given(st.text(min_size=1, max_size=400))
def test_every_text_has_a_bounded_concept(text):
    concept = concept_of(text)
    assert 0 < len(concept) <= MAX_CONCEPT
    assert len(related_concepts(text, concept)) <= MAX_RELATED
