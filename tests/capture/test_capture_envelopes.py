"""What surrounded a memory when it was learned: the work, how it went, what it cost (003-06)."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdeck.benchmarks.gallery.extract import extract
from memdeck.core.ingest.extract.turns import Turn

from .conftest import SessionBuilder

BEGAN = datetime(2026, 11, 17, 9, 0, tzinfo=UTC)
RULE = "From now on, never push without asking me first."


def envelope_of(session, rule="", **options):
    return next(c for c in session.captures(**options) if c.rule.endswith(rule)).envelope


def test_an_envelope_tells_the_work_and_how_it_went(session):
    todo = {"content": "Fix the nightly import", "status": "in_progress"}
    session.asks("The nightly import fails. Repair it.", at=BEGAN)
    session.calls("TodoWrite", todos=[todo])
    session.runs("pytest tests/imports", "E  ModuleNotFoundError: No module named 'freezegun'", 1)
    session.runs("uv sync --extra dev").edits("app/imports.py", "a = 1", "a = 2")
    session.runs("pytest tests/imports", "3 passed")
    session.says("Repaired.", at=BEGAN + timedelta(minutes=2), tokens=1200, message_id="m1")
    envelope = envelope_of(session, "error-fix")
    assert envelope.task == "Fix the nightly import"
    assert envelope.intent == "The nightly import fails. Repair it."
    assert envelope.actions == (
        "ran pytest tests/imports (failed)",
        "ran uv sync --extra dev",
        "edited app/imports.py",
        "ran pytest tests/imports",
    )
    assert envelope.outcome == "success"
    assert envelope.artifacts == ("app/imports.py",)
    assert envelope.errors == ("ModuleNotFoundError: No module named 'freezegun'",)
    assert (envelope.tokens, envelope.time_ms) == (1200, 120_000)


def test_what_made_the_difference_is_a_lesson_for_the_other_memories(session):
    session.asks(f"{RULE} Now run the tests.")
    session.runs("pytest", "E  ModuleNotFoundError: No module named 'freezegun'", 1)
    session.runs("uv sync --extra dev").runs("pytest").says("They pass.")
    lessons = {c.rule: c.envelope.lessons for c in session.captures()}
    assert "uv sync --extra dev" in lessons["person.from-now-on"][0]
    assert lessons["agent.error-fix"] == ()  # it says so itself


def test_the_blocks_of_one_answer_cost_once(session):
    session.asks(RULE, at=BEGAN)
    for text in ("I see.", "Understood."):
        session.says(text, tokens=500, message_id="m1")
    session.says("Done.", tokens=70, message_id="m2")
    assert envelope_of(session).tokens == 570


def test_what_the_file_does_not_tell_stays_empty(session):
    envelope = envelope_of(session.asks(RULE))
    assert (envelope.tokens, envelope.time_ms, envelope.outcome, envelope.actions) == (
        None,
        None,
        "",
        (),
    )
    assert envelope.intent == RULE


def test_the_outcome_follows_exit_codes_and_closing_words(subtests):
    rows = [
        ([("make x", 0)], "Done.", "", "success"),
        ([("make x", 1), ("make x", 0)], "Done.", "", "success"),
        ([("make x", 1)], "That is how far it goes.", "", "failure"),
        ([("make a", 0), ("make x", 1)], "That is how far it goes.", "", "partial"),
        ([("make x", 1), ("make b", 0)], "The rest is done.", "", "partial"),
        ([("make x", 1)], "I could not get it to work.", "", "failure"),
        ([("make x", 0)], "I could not get the docs to build.", "", "partial"),
        ([("make x", 0)], "Done, except for the docs.", "", "partial"),
        ([("make x", 0)], "Done.", "No, that's wrong.", "failure"),
        ([("make x", 0)], "Done. Shall I push?", "No.", "success"),
        ([("make x", 0)], "Done. Tokens say `could not` now.", "", "success"),
        ([("ls", 0)], "There are two files.", "", ""),
    ]
    for ends, closing, reaction, outcome in rows:
        with subtests.test(ends=ends):
            session = SessionBuilder()
            session.asks(RULE)
            for command, code in ends:
                session.runs(command, "boom: denied" if code else "ok", code)
            session.says(closing)
            if reaction:
                session.asks(reaction)
            assert envelope_of(session, "from-now-on").outcome == outcome


def test_each_piece_of_work_has_its_own(session):
    session.asks(RULE).runs("make a").says("Done.")
    session.asks("From now on, use pnpm in all packages.").runs("make b").says("Done.")
    assert [c.envelope.actions for c in session.captures()] == [("ran make a",), ("ran make b",)]


def test_words_typed_meanwhile_belong_to_the_work_they_fell_into(session):
    session.asks("Deploy the API.").runs("make a")
    session._add("queued", RULE)
    session.runs("make b").says("Done.")
    envelope = envelope_of(session)
    assert (envelope.intent, envelope.actions) == ("Deploy the API.", ("ran make a", "ran make b"))


def test_the_task_is_the_one_that_was_active_then(session):
    for subject, said in (("First thing", RULE), ("Second thing", "From now on, use pnpm.")):
        session.calls("TodoWrite", todos=[{"content": subject, "status": "in_progress"}])
        session.asks(said)
    tasks = [c.envelope.task for c in session.captures() if c.rule.startswith("person")]
    assert tasks == ["First thing", "Second thing"]


def test_a_private_passage_reaches_no_envelope(session):
    session.asks(f"<private>my salary</private> {RULE}").runs("make a")
    session.calls("Agent", "nothing", prompt="<private>my salary</private> look")
    assert "salary" not in repr(envelope_of(session))


def test_what_happened_knows_what_was_going_on(session):
    session.asks("The import is slow. Fix it.", at=BEGAN).edits("app/imports.py", "a", "b")
    session._add("queued", "Remember that the build failed because libpq was missing.", at=BEGAN)
    session.says("It now reads in batches of 500 rows.", at=BEGAN)
    session.asks("great, exactly what I wanted")
    [kept] = session.captures()
    assert kept.details == {
        "event_type": "error",
        "timestamp": round(BEGAN.timestamp() * 1000),
        "context": {"asked": "The import is slow. Fix it.", "outcome": "success"},
        "emotional_valence": 2,
    }


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(min_size=1, max_size=600), max_size=20), st.integers(0, 30))
def test_every_list_stays_bounded(texts, edits):
    turns = [Turn("user", RULE, line=1, uuid="u1")]
    for number, text in enumerate(texts):
        given_ = {"command": f"make {text}"}
        turns += [
            Turn("tool_call", tool="Bash", tool_input=given_, line=2, call_id=f"c{number}"),
            Turn("tool_result", f"error: {text}", is_error=True, line=2, call_id=f"c{number}"),
        ]
    for number in range(edits):
        path = {"file_path": f"/p/{'x' * 300}{number}.py", "content": "a"}
        turns.append(Turn("tool_call", tool="Write", tool_input=path, line=3, call_id=f"e{number}"))
    [kept] = [c for c in extract(turns, session="s1") if c.rule == "person.from-now-on"]
    for entries in (
        kept.envelope.actions,
        kept.envelope.artifacts,
        kept.envelope.errors,
        kept.envelope.lessons,
    ):
        assert len(entries) <= 8
        assert all(len(entry) <= 200 and "\n" not in entry for entry in entries)
    assert len(kept.envelope.intent) <= 200
    assert len(kept.envelope.task) <= 200
