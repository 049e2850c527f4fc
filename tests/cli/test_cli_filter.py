"""`memdeck search --filter`: the filters that programs write, as JSON."""

import json

import pytest


@pytest.fixture
def some(remembered):
    """Ids of three memories, by a word each."""
    return {
        "redis": remembered("The queue tests need a running redis", "--tag", "tests"),
        "retry": remembered("The queue retries three times", "--importance", "9"),
        "friday": remembered("Never run the queue migrations on Fridays", "--category", "warning"),
    }


def test_filters_hold_with_words_and_without(cli, some, subtests):
    """004-03."""
    rows = [
        ({}, {"redis", "retry", "friday"}),
        ({"tags": ["tests", "other"]}, {"redis"}),
        ({"category": {"$ne": "warning"}}, {"redis", "retry"}),
        ({"importance": {"$gte": 0.85, "$lte": 1}}, {"retry"}),
        ({"created_at": {"$lt": "2001-01-01"}}, set()),
    ]
    for filters, names in rows:
        with subtests.test(filters=filters):
            for words in (["queue"], []):
                answer = cli("search", *words, "--filter", json.dumps(filters), "--json")
                assert answer.code == 0, answer.err
                assert {hit["id"] for hit in answer.lines} == {some[name] for name in names}
