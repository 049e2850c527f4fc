"""What a statement is about, in a few words, and what else it names."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

CONCEPTS = [
    ("Amounts are stored as integer cents.", "Amounts are stored as"),
    ("OK, also run `make test-db` first.", "make test-db"),
    ("`batched()` needs Python 3.12.", "batched"),
    ("!!!", "!!!"),
]


def test_the_concept_is_the_code_that_is_named_or_the_first_words(fields_of):
    found = fields_of("semantic", [text for text, _ in CONCEPTS])
    assert [one["concept"] for one in found] == [concept for _, concept in CONCEPTS]


def test_the_fields_of_a_captured_fact(session):
    session.asks("Remember: store idempotency keys in Postgres, not Redis.")
    [kept] = session.captures()
    assert kept.details == {
        "concept": "Store idempotency keys in",
        "category": "fact",
        "related_concepts": ["postgres", "redis"],
        "source_sessions": ["s1"],
        "evidence_count": 1,
    }


def test_related_is_what_else_is_named(fields_of):
    [found] = fields_of("semantic", ["`parse()` in app/feeds.py reads from Kafka, see `FEED_URL`."])
    assert found["concept"] == "parse"
    assert found["related_concepts"] == ["kafka", "feeds.py", "FEED_URL"]


@settings(max_examples=3, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(max_size=400), min_size=20, max_size=20))
def test_every_text_has_a_bounded_concept(fields_of, texts):
    """Sixty texts in three stores' imports."""
    for found in fields_of("semantic", [f"Berth {n}: {text}" for n, text in enumerate(texts)]):
        assert 0 < len(found["concept"]) <= 60
        assert len(found["related_concepts"]) <= 8
