"""The built-in reviewers, one by one: what lifts a score, what lowers it, and how they explain."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdeck.core.answers import Neighbour
from memdeck.core.review.analyzer import Analyzer
from memdeck.core.review.archaeologist import Archaeologist
from memdeck.core.review.patterns import Patterns
from memdeck.core.review.reading import MOST_SPECIFICS, read, specifics_of
from memdeck.core.review.reviewer import SHOWN, Subject
from memdeck.core.review.security import Security
from memdeck.core.values import TYPES

ALL = (Analyzer(), Patterns(), Archaeologist(), Security())


def a_subject(content, **fields):
    given_fields = {"type": "semantic", "category": "discovery", "importance": 0.5, **fields}
    return Subject(content, **given_fields)


def analyzed(content, **fields):
    return Analyzer().review(a_subject(content, **fields), 2.0)


def pattern(content, **fields):
    return Patterns().review(a_subject(content, **fields), 2.0)


def novel(content, *known, **fields):
    near = tuple(Neighbour(id=str(number), content=text) for number, text in enumerate(known))
    return Archaeologist().review(a_subject(content, neighbours=near, **fields), 2.0)


TALK = {
    "thanks": "Thank you so much, that is exactly what we were hoping for, great work!",
    "a greeting": "Hello and good morning, shall we get started with what we planned?",
    "an apology": "I apologize for the confusion, you are right that this was my mistake.",
    "narration": "Let me have a look at how that is done before we go on with anything else.",
    "a promise": "I'll take care of that and then come back to you with the results of it.",
    "status": "Everything is finished and all the tests are passing, nothing left to do here.",
    "progress": "The job is 40% done and still running, it should be ready in a few minutes.",
    "a question": "What do you think, should we leave it like this or do it some other way?",
    "nothing named": "It was done this way because the other way would not have been as good.",
    "a truism": "Always write clean and readable code, quality is important for everybody.",
}


@pytest.mark.parametrize("content", TALK.values(), ids=TALK)
def test_talk_is_trivial_for_all_three(content):
    for reviewer in ALL[:3]:
        vote = reviewer.review(a_subject(content), 2.0)
        assert vote.is_trivial
    assert analyzed(content).score <= 3.0


@pytest.mark.parametrize(
    "content",
    [
        "Commit messages are written in English, even if the ticket is in German.",
        "The ledger keeps cents as integers, see `ledger/money.go`.",
        "All tests pass again. `parse_rfc3339()` must get the offset, chrono drops it otherwise.",
        "Ask Ines before anything is deleted from the bucket acme-archive.",
    ],
)
def test_a_fact_is_trivial_for_nobody(content):
    for reviewer in ALL:
        assert not reviewer.review(a_subject(content, rule="person.remember"), 2.0).is_trivial


def test_a_person_may_lay_something_down_in_everyday_words():
    said = a_subject("Never push to main without asking.", importance=0.85, rule="person.must")
    by_nobody = replace(said, importance=0.5, rule="")

    assert not Analyzer().review(said, 2.0).is_trivial
    assert Analyzer().review(by_nobody, 2.0).is_trivial


def test_importance_follows_the_rule_that_found_it():
    text = "The worker reads its queue name from `WORKER_QUEUE`."
    scores = [analyzed(text, importance=share).score for share in (0.0, 0.3, 0.6, 1.0)]
    assert scores == sorted(scores)
    assert scores[0] < 4 < scores[2]


@pytest.mark.parametrize(
    ("weak", "strong"),
    [
        ("Retries come from the client.", "Retries must always come from the client, never twice."),
        ("Perhaps `fetch_rates()` times out.", "`fetch_rates()` times out."),
        ("Rename `total` to `sum_cents` in billing.py.", "`sum_cents` is in billing.py."),
        (
            "Added `Badge.tsx` to the folder ui/.",
            "Added `Badge.tsx` to the folder ui/ because the old one cannot be themed.",
        ),
        (
            "Use port 3001 for now, something else listens on 3000.",
            "Use port 3001, something else listens on 3000.",
        ),
        ("It listens on port 9100 of the gateway.", "Prometheus listens on port 9100."),
        (
            "2026-03-01 12:00:03 ERROR pool: connection to db-3 lost",
            "The pool loses its connection to db-3 at 12:00 every day",
        ),
    ],
)
def test_what_lasts_has_more_of_a_pattern_than_what_does_not(weak, strong):
    assert pattern(weak).score < pattern(strong).score
    assert analyzed(weak).score <= analyzed(strong).score


def test_a_fix_is_worth_keeping_and_says_why():
    vote = pattern("`make` failed with “no rule for gen.h”; running `make headers` first fixed it.")
    assert vote.score >= 8
    assert vote.reason.startswith("It shows what works")


def test_what_waits_to_be_done_is_no_request():
    text = "Rename the table `usr` once the mobile app 4.0 is out."
    assert pattern(text, type="prospective", rule="person.intention").score >= 5
    assert pattern(text).score < 5


def test_concreteness_counts_names_numbers_and_rare_words_up_to_a_limit():
    assert specifics_of("it is what it is, and that is good enough for us") == 0
    assert specifics_of("the quay") < specifics_of("quay and berth") < specifics_of("`berth_id`")
    assert specifics_of(" ".join(f"`call_{n}()`" for n in range(9))) == MOST_SPECIFICS


def test_words_inside_code_are_not_the_speakers():
    assert not read("`let me check` is printed by the installer of zlib").is_talk
    assert read("let me check what is printed by it").is_talk


def test_only_what_a_reviewer_is_shown_is_read():
    hidden = "x" * SHOWN + " Never do that."
    assert not read(hidden).stands
    assert read("Never do that.").stands


# --- the type


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        ("`tox` failed with “no py312”; `uv python install 3.12` fixed it.", "procedural"),
        ("Reminder: drop the column `usr.fax` before the audit in June.", "prospective"),
        ("Amounts must never be floats in the `ledger` package.", "semantic"),
        ("Renamed `billing.py` to `ledger.py`.", "episodic"),
    ],
)
def test_an_unsure_type_is_corrected_by_what_the_text_shows(content, shown):
    for start in TYPES:
        vote = analyzed(content, type=start, is_type_unsure=True)
        assert vote.type == (None if start == shown else shown)
        assert analyzed(content, type=start).type is None


# --- novelty


def test_with_nothing_like_it_known_a_text_is_new():
    assert novel("Invoices are numbered per tenant.").score == 9.0


@pytest.mark.parametrize(
    ("content", "known"),
    [
        (
            "Store user sessions in Postgres, not Redis.",
            "User sessions are stored in Postgres, not in Redis, because ops said so.",
        ),
        (
            "The nightly feed of the supplier is cp1252, never UTF-8.",
            "The supplier's feed comes nightly and is cp1252, never UTF-8",
        ),
    ],
)
def test_what_a_memory_says_already_is_neither_new_nor_a_pattern(content, known):
    assert novel(content, known).score == 2.0
    assert known.rstrip(".") in novel(content, known).reason
    near = (Neighbour("1", known),)
    assert pattern(content, neighbours=near).score < 5
    assert pattern(content).score >= 5


@pytest.mark.parametrize(
    ("content", "known"),
    [
        ("Always store session data in Redis.", "Never store session data in Redis."),
        ("Retry the export 3 times before failing.", "Retry the export 5 times before failing."),
        ("Never edit api/gen files by hand.", "Never edit web/gen files by hand."),
        (
            "Store user sessions in Postgres, not Redis.",
            "Store user sessions in Redis, not Postgres.",
        ),
        ("Deploy with helm.", "helm 3 is needed to deploy the charts"),
    ],
)
def test_an_opposite_another_number_or_another_name_is_news(content, known):
    assert novel(content, known, rule="person.must", importance=0.8).score > 2.0
    without = pattern(content, rule="person.must", importance=0.8)
    near = (Neighbour("1", known),)
    assert pattern(content, rule="person.must", importance=0.8, neighbours=near) == without


def test_the_more_is_known_the_less_is_new():
    text = "The gateway checks tenant quotas in `quota.go` before it signs the request."
    nothing = novel(text, "Berths are measured in decimetres.").score
    some = novel(text, "The gateway signs each request.").score
    much = novel(text, "Tenant quotas are checked in `quota.go`, in the gateway.").score
    assert nothing > some > much > 2.0


def test_a_neighbour_is_called_by_its_title():
    near = (Neighbour("1", "The feed of the supplier is cp1252.", title="Encoding of the feed"),)
    vote = Archaeologist().review(a_subject("The supplier's feed is cp1252.", neighbours=near), 2)
    assert vote.reason == "It is known already: “Encoding of the feed”."


# --- security (001-14)


@pytest.mark.parametrize(
    "content",
    [
        "The auth middleware runs first.",
        "OAuth scopes are listed in scopes.yml.",
        "Authentication is done by the gateway.",
        "Unauthorized calls get a 401.",
        "PASSWORDS are hashed with argon2id.",
        "A reset token lives for 20 minutes.",
        "Encryption at rest uses the key in KMS.",
        "Two vulnerabilities were found in the parser.",
        "Authentication, password, token and encryption: all of them are in vault.md.",
    ],
)
def test_security_adds_three_once(content):
    assert Security().review(a_subject(content), 2.0).score == 8.0


@pytest.mark.parametrize(
    "content", ["The authors are optional.", "Ask the port authority.", "Berths are numbered.", ""]
)
def test_anything_else_is_a_five(content):
    assert Security().review(a_subject(content), 2.0).score == 5.0


# --- all of them

TEXTS = st.one_of(
    st.text(max_size=700),
    st.lists(st.sampled_from([*TALK.values(), "`a.b`", "never", "port 80", "\n"])).map(" ".join),
)


@given(
    TEXTS,
    st.lists(TEXTS, max_size=3),
    st.floats(0, 1),
    st.sampled_from(["", "person.must", "agent.outcome"]),
    st.sampled_from(TYPES),
    st.booleans(),
)
def test_any_text_gets_a_vote_in_range_and_always_the_same(
    content, known, importance, rule, kind, unsure
):
    subject = Subject(
        content,
        kind,
        "discovery",
        importance,
        rule=rule,
        is_type_unsure=unsure,
        neighbours=tuple(Neighbour(str(n), text) for n, text in enumerate(known)),
    )
    for reviewer in ALL:
        vote = reviewer.review(subject, 2.0)
        assert vote.reviewer == reviewer.name
        assert vote.status == "ok"
        assert vote.score is not None
        assert 1 <= vote.score <= 10
        assert vote.type is None or (unsure and vote.type in TYPES)
        assert 0 < len(vote.reason) <= 300
        assert vote.reason.endswith(".")
        assert reviewer.review(subject, 0.1) == vote
