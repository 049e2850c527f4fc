"""What a statement is about, as a noun phrase, and what else it names."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

CONCEPTS = [
    ("Amounts are stored as integer cents in the billing service.", "amounts"),
    ("Don't mock the billing service in tests.", "billing service"),
    ("The EU tenants have their own billing host.", "EU tenants"),
    ("Store idempotency keys in Postgres, not Redis.", "idempotency keys"),
    ("Never push without asking me first.", "push"),
    ("I prefer small commits with a one-line message.", "small commits"),
    ("We decided on Postgres for the ledger.", "Postgres"),
    ("In this repo, always use pnpm.", "pnpm"),
    ("It turns out that the search API is down.", "search API"),
    ("The nightly supplier import fails on Mondays.", "nightly supplier import"),
    ("`batched()` needs Python 3.12.", "batched"),
    ("Run `make test-db` first.", "make test-db"),
    ("!!!", "!!!"),
]


def test_the_concept_is_the_subject_or_the_object(fields_of):
    found = fields_of("semantic", [text for text, _ in CONCEPTS])
    assert [one["concept"] for one in found] == [concept for _, concept in CONCEPTS]


def test_the_concept_of_a_capture_is_more_than_a_tag(session, core):
    session.asks("Remember: store idempotency keys in Postgres, not Redis.")
    [kept] = core.offer(session.captures())
    assert core.show(kept.memory_id).details == {
        "concept": "idempotency keys",
        "category": "fact",
        "related_concepts": ["postgres", "redis"],
        "source_sessions": ["s1"],
        "evidence_count": 1,
    }


def test_related_is_what_else_is_named(fields_of):
    [found] = fields_of("semantic", ["`parse()` in app/feeds.py reads from Kafka, see `FEED_URL`."])
    assert found["concept"] == "parse"
    assert found["related_concepts"] == ["kafka", "feeds.py", "FEED_URL"]


NATURES = [
    ("Amounts are stored as integer cents.", "domain_knowledge"),
    ("Tenants in the EU have a billing contract of their own.", "domain_knowledge"),
    ("Every handler returns a frozen dataclass.", "pattern"),
    ("Branches are named after the ticket.", "pattern"),
    ("The staging cluster lives in eu-central-1.", "fact"),
    ("`invoice_total()` returns a float.", "fact"),  # about the code
]


def test_a_fact_may_be_a_pattern_or_knowledge_of_the_domain(fields_of):
    found = fields_of("semantic", [text for text, _ in NATURES], category="discovery")
    natures = [one["category"] for one in found]
    assert list(zip((text for text, _ in NATURES), natures, strict=True)) == NATURES
    [asked] = fields_of("semantic", ["Never touch the invoices by hand."], category="preference")
    assert asked["category"] == "principle"


@settings(max_examples=3, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(max_size=400), min_size=20, max_size=20))
def test_every_text_has_a_bounded_concept(fields_of, texts):
    """Sixty texts in three stores' imports."""
    for found in fields_of("semantic", [f"Berth {n}: {text}" for n, text in enumerate(texts)]):
        assert 0 < len(found["concept"]) <= 60
        assert len(found["related_concepts"]) <= 8
