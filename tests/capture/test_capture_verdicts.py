"""What the user says next decides how a piece of work ended."""

from .conftest import SessionBuilder


def test_what_commands_showed_is_not_denied_by_words(session):
    session.asks("Run the tests.").runs("pytest", "E  ModuleNotFoundError: No module named 'x'", 1)
    session.runs("uv sync --extra dev").runs("pytest").says("They run.").asks("No, that's wrong.")
    assert [c.rule for c in session.captures()] == ["agent.error-fix"]


ANSWERS = [
    ("No, that's wrong.", "failure"),
    ("wait, no! The app reads it. Revert it.", "failure"),
    ("Undo that, please.", "failure"),
    ("Yes, please do that.", "success"),
    ("no problem", "success"),
    ("no more mails", "success"),
    ("not now", "success"),
    ("never push", "success"),
    ("", "success"),
]


def test_a_no_denies_the_work_and_not_every_no_does(subtests):
    for answer, outcome in ANSWERS:
        with subtests.test(answer=answer):
            session = SessionBuilder()
            session.asks(
                "From now on, never push without asking me first. Now delete the old flags."
            )
            session.runs("rm app/flags.py").says("I removed `flags.py`.").asks(answer)
            [kept] = [one for one in session.captures() if one.rule == "person.from-now-on"]
            assert kept.envelope.outcome == outcome
