"""What a person says next decides: a denied claim goes."""

import pytest

from memdeck.core.ingest.extract.shape import Session, reference
from memdeck.core.ingest.extract.steps import read_session
from memdeck.core.ingest.extract.verdicts import denies

CLAIM = "Decision: events are published to RabbitMQ, not Kafka."


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


@pytest.mark.parametrize("answer", ["wait, no! The app reads it. Revert it.", "Undo that, please."])
def test_what_is_taken_back_was_not_done(session, answer):
    session.asks("Delete the old flags.").runs("rm app/flags.py")
    session.says("I removed `flags.py`, because nothing imports it any more.").asks(answer)
    assert session.captures() == []


@pytest.mark.parametrize("text", ["no problem", "no more mails", "not now", "never push", ""])
def test_not_every_no_denies(text):
    assert not denies(text)


def test_a_no_denies_and_a_yes_does_not():
    assert denies("No, that's wrong.")
    assert not denies("Yes, please do that.")
