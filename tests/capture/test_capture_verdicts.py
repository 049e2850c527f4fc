"""What a person says next decides: a claim that is denied goes, a proposal they approve stays."""

import pytest

from memdeck.core.ingest.extract.shape import Session, reference
from memdeck.core.ingest.extract.steps import read_session
from memdeck.core.ingest.extract.verdicts import approves, denies

CLAIM = "Decision: events are published to RabbitMQ, not Kafka."
CAUSE = "The root cause is that `parse()` drops the last row because the buffer is 512 bytes."
PROPOSAL = "I suggest using Postgres for the job queue instead of Redis."


def test_what_commands_showed_is_not_denied_by_words(session):
    session.asks("Run the tests.").runs("pytest", "E  ModuleNotFoundError: No module named 'x'", 1)
    session.runs("uv sync --extra dev").runs("pytest").says("They run.").asks("No, that's wrong.")
    assert [c.rule for c in session.captures()] == ["agent.error-fix"]


def test_a_reading_names_the_claims_that_were_denied(session):
    session.asks("Where do events go?").runs("ls").says(CLAIM)
    answer = session.turns[-1]
    session.asks("No, that's wrong.")
    place = Session("s1", "claude", "", None)
    reading = read_session(session.turns, place, since_line=answer.line)
    [correction] = reading.corrections
    [withdrawn] = correction.withdrawn
    assert withdrawn.place == reference(place, answer.uuid, "")
    assert correction.holds is None
    assert reading.captures == []


@pytest.mark.parametrize(
    "answer", ["yes, do that", "Agreed.", "Sounds good!", "Go ahead.", "perfect"]
)
def test_an_approved_proposal_becomes_a_decision(session, answer):
    session.asks("Which queue shall we use?").says(f"Two options. {PROPOSAL}").asks(answer)
    [kept] = session.captures()
    assert kept.content == (
        "Use Postgres for the job queue instead of Redis."
        " (The agent proposed it, the person agreed.)"
    )
    assert (kept.rule, kept.category, kept.type) == ("person.approval", "decision", "episodic")
    assert kept.details["event_type"] == "decision"
    assert kept.confidence > 0.9
    assert kept.origin.line == 3  # where the person said it


@pytest.mark.parametrize(
    "proposal",
    [
        "Shall I store the amounts as integer cents in Postgres?",
        "Do you want me to pin urllib3 below 2 in pyproject.toml?",
        "My recommendation: keep the sessions in Redis with a TTL of 30 minutes.",
        "I would split `orders.py` into a reader and a writer module.",
    ],
)
def test_there_are_several_ways_to_propose(session, proposal):
    session.asks("What next?").says(proposal).asks("Yes, do that.")
    assert [c.rule for c in session.captures()] == ["person.approval"]


@pytest.mark.parametrize(
    "answer",
    [
        "Yes, but keep Redis for the sessions of the web client.",
        "Hm, let me think about it.",
        "Is that a good idea?",
        "ok",
        "No.",
        "Now fix the tests.",
    ],
)
def test_without_a_clear_yes_there_is_no_decision(session, answer):
    session.asks("Which queue shall we use?").says(PROPOSAL).asks(answer)
    assert not [c for c in session.captures() if c.rule == "person.approval"]


@pytest.mark.parametrize(
    "proposal",
    [
        "Shall I run the tests?",
        "Want me to fix it?",
        "I suggest using Postgres or Redis for the job queue.",
        "I suggest using it.",
        "We could perhaps use Postgres for the queue.",
    ],
)
def test_a_yes_to_something_small_or_open_is_no_decision(session, proposal):
    session.asks("What next?").says(proposal).asks("Yes, do that.")
    assert session.captures() == []


@pytest.mark.parametrize("answer", ["wait, no! The app reads it. Revert it.", "Undo that, please."])
def test_what_is_taken_back_was_not_done(session, answer):
    session.asks("Delete the old flags.").runs("rm app/flags.py")
    session.says("I removed `flags.py`, because nothing imports it any more.").asks(answer)
    assert session.captures() == []


@pytest.mark.parametrize(
    ("answer", "count"),
    [
        ("ok let's go with Postgres then.", 1),
        ("Let's use Postgres for the job queue.", 1),
        ("Let's go with Kafka then.", 0),
        ("Let's go for lunch.", 0),
    ],
)
def test_a_proposal_may_be_approved_by_its_name(session, answer, count):
    session.asks("Which queue shall we use?").says(PROPOSAL).asks(answer)
    assert len(session.contents("approval")) == count


def test_what_was_asked_for_last_stands_for_the_proposal_before(session):
    session.asks("Which queue?").says(f"{PROPOSAL}\n\nShall I go ahead?").asks("Yes, go ahead.")
    assert len(session.contents("approval")) == 1


@pytest.mark.parametrize("text", ["no problem", "no more mails", "not now", "never push", ""])
def test_not_every_no_denies(text):
    assert not denies(text)


def test_yes_and_no_are_told_apart():
    answers = ("Yes, please do that.", "No, that's wrong.")
    assert [approves(text) for text in answers] == [True, False]
    assert [denies(text) for text in answers] == [False, True]
