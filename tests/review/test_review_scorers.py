"""The built-in reviewers, one by one: the score, what the person did next, the store, security."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdeck import Neighbour, Salience, Subject
from memdeck.core.config.settings import Policy
from memdeck.core.judgement.salience import threshold
from memdeck.core.models.reviewers import review, reviewers_for
from memdeck.tests.vocabulary import TYPES

NAMES = ["analyzer", "patterns", "knowledge-archaeologist", "security"]
ALL = reviewers_for(Policy.of({"review": {"reviewers": NAMES}}).review, spent=(0.0, 0))
ANALYZER, PATTERNS, ARCHAEOLOGIST, SECURITY = ALL
TEXT = "The gateway signs each request with the tenant's key, since the proxy drops the header."
BAR = threshold(is_person=False)
SCORE = Salience(BAR + 2.0, 0.47, 0.18, True, False, (("gives a reason", 0.6), ("short", -0.2)))


def a_subject(content=TEXT, **fields):
    given_fields = {"type": "semantic", "category": "discovery", "importance": 0.5, **fields}
    return Subject(content, **given_fields)


def near(likeness, content="The gateway signs each request.", title=""):
    return (Neighbour("n1", content, title, similarity=likeness),)


def decided(subject):
    return review(subject, ALL[:3], heuristic=lambda _: None)


# --- the score


def test_importance_is_what_the_score_or_the_rule_gives_it():
    scores = [
        ANALYZER.review(a_subject(importance=share), 2.0).score for share in (0.0, 0.3, 0.6, 1.0)
    ]
    assert scores == [1.0, 4.0, 6.0, 10.0]


# --- novelty


@pytest.mark.parametrize(("likeness", "is_kept"), [(0.84, True), (0.85, False)])
def test_what_a_memory_says_already_is_refused(likeness, is_kept):
    decision = decided(a_subject(neighbours=near(likeness)))
    assert decision.is_accepted is is_kept
    if not is_kept:
        assert "A memory says it already: “The gateway signs each request”." in decision.reason


# --- security


def test_security_adds_three_once(subtests):
    rows = [
        "The auth middleware runs first.",
        "OAuth scopes are listed in scopes.yml.",
        "Authentication is done by the gateway.",
        "Unauthorized calls get a 401.",
        "PASSWORDS are hashed with argon2id.",
        "A reset token lives for 20 minutes.",
        "Encryption at rest uses the key in KMS.",
        "Two vulnerabilities were found in the parser.",
        "Authentication, password, token and encryption: all of them are in vault.md.",
    ]
    for content in rows:
        with subtests.test(content=content):
            assert SECURITY.review(a_subject(content), 2.0).score == 8.0


# --- all of them


@given(
    st.text(max_size=700),
    st.floats(0, 1),
    st.one_of(st.none(), st.floats(-30, 30)),
    st.sampled_from(["", "person.must", "agent.outcome"]),
    st.floats(0, 1),
    st.sampled_from(TYPES),
)
def test_any_text_gets_a_vote_in_range_and_always_the_same(
    content, importance, score, rule, likeness, kind
):
    salience = None if score is None else replace(SCORE, score=score)
    subject = Subject(
        content,
        kind,
        "discovery",
        importance,
        rule=rule,
        salience=salience,
        neighbours=near(likeness, content),
    )
    for reviewer in ALL:
        vote = reviewer.review(subject, 2.0)
        assert vote.reviewer == reviewer.name
        assert vote.status == "ok"
        assert vote.score is not None
        assert 1 <= vote.score <= 10
        assert vote.type is None
        assert 0 < len(vote.reason) <= 300
        assert vote.reason.endswith(".")
        assert reviewer.review(subject, 0.1) == vote
