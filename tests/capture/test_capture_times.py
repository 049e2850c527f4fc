"""Days that words name: by when something is due, and until when something holds."""

import json
from datetime import UTC, datetime
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from .conftest import SessionBuilder

TUESDAY = datetime(2026, 11, 17, 9, 0, tzinfo=UTC)
TIMES = json.loads((Path(__file__).parent / "times.json").read_text("utf-8"))
"""Words with the day that they name on a Tuesday; of limits, also what is not said again."""


def test_a_day_is_told_from_today(subtests):
    for text, day in TIMES["days"]:
        with subtests.test(text=text):
            session = SessionBuilder().asks(f"Remind me to rotate the key {text}.", at=TUESDAY)
            [kept] = session.captures()
            assert (kept.due.date().isoformat() if kept.due else None) == day


def test_beyond_the_last_day_that_there_is_no_day_is_told(subtests):
    last = datetime(9999, 12, 31, 9, 0, tzinfo=UTC)  # as of a damaged file
    for text in ("by the end of the year", "next month", "by Sunday", "in two weeks", "tomorrow"):
        with subtests.test(text=text):
            session = SessionBuilder().asks(f"Remind me to rotate the key {text}.", at=last)
            [kept] = session.captures()
            assert kept.due is None or kept.due.date() == last.date()
    for text in ("Use it this week.", "Use it for the next two weeks."):
        with subtests.test(text=text):
            [kept] = SessionBuilder().asks(f"From now on: {text}", at=last).captures()
            assert kept.expires is None or kept.expires.date() == last.date()


def test_words_may_limit_a_statement_to_a_time(subtests):
    for text, words, day in TIMES["limits"]:
        with subtests.test(text=text):
            [kept] = SessionBuilder().asks(f"From now on: {text}", at=TUESDAY).captures()
            assert (kept.expires.date().isoformat() if kept.expires else None) == day
            is_told = day is not None and day not in words
            assert (f" (until {day})" in kept.content) is is_told


def test_a_limit_counts_from_when_it_was_said(session):
    session.asks("From now on: don't deploy until Friday.")
    session.asks("From now on: don't touch the crane until 2026-12-01.")
    friday, day = session.captures()
    assert friday.expires is None
    assert day.expires is not None


moments = st.datetimes(min_value=datetime(2000, 1, 1), max_value=datetime(2100, 1, 1)).map(
    lambda moment: moment.replace(tzinfo=UTC)
)


@given(
    moments,
    st.sampled_from(
        ("by Friday", "tomorrow", "next week", "in two weeks", "by March 3", "by end of month",
         "by February 29", "today", "by end of year", "in 400 months")
    ),
)  # fmt: skip
def test_no_day_lies_before_it_was_said(said_at, words):
    session = SessionBuilder().asks(f"Remind me to rotate the key {words}.", at=said_at)
    [kept] = session.captures()
    assert kept.due is None or kept.due >= said_at.replace(second=0, microsecond=0)
