"""Days that words name: by when something is due, and until when something holds."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdeck.core.text.times import due_date, holds_until

TUESDAY = datetime(2026, 11, 17, 9, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("by the end of the week", "2026-11-22"),
        ("by the end of the month", "2026-11-30"),
        ("until the end of the quarter", "2026-12-31"),
        ("by the end of the year", "2026-12-31"),
        ("by end of day", "2026-11-17"),
        ("in two weeks", "2026-12-01"),
        ("in 3 days", "2026-11-20"),
        ("in a couple of weeks", "2026-12-01"),
        ("next month", "2026-12-17"),
        ("by March 3", "2027-03-03"),  # of next year, as this year's is over
        ("by the 30th of November", "2026-11-30"),
        ("before Nov 30", "2026-11-30"),
        ("tonight", "2026-11-17"),
        ("by February 30", None),
        ("in a while", None),
    ],
)
def test_a_day_is_told_from_today(text, day):
    due = due_date(f"Rotate the key {text}.", TUESDAY)
    assert (due.date().isoformat() if due else None) == day


@pytest.mark.parametrize(
    ("text", "words", "day"),
    [
        ("Don't deploy until Friday.", "until Friday", "2026-11-20"),
        ("Don't deploy until next Friday.", "until next Friday", "2026-11-20"),
        ("Freeze main until 2026-12-01.", "until 2026-12-01", "2026-12-01"),
        ("Freeze main until the end of the month.", "until the end of the month", "2026-11-30"),
        ("For this sprint, use the beta API.", "For this sprint", "2026-12-01"),
        ("Use the beta API this week.", "this week", "2026-11-22"),
        ("Use it for the next two weeks.", "for the next two weeks", "2026-12-01"),
        ("Use it until tomorrow.", "until tomorrow", "2026-11-18"),
    ],
)
def test_words_may_limit_a_statement_to_a_time(text, words, day):
    said, end = holds_until(text, TUESDAY)
    assert (said, end.date().isoformat()) == (words, day)


@pytest.mark.parametrize(
    "text",
    ["Use it for now.", "Use it until the release is out.", "Always use it.", "until I say so"],
)
def test_without_a_day_there_is_no_limit(text):
    assert holds_until(text, TUESDAY) is None


def test_a_limit_counts_from_when_it_was_said():
    assert holds_until("Don't deploy until Friday.", None) is None
    assert holds_until("Don't deploy until 2026-12-01.", None) is not None


def test_what_holds_for_a_time_expires_and_its_end_is_told_behind_it(session):
    session.asks("Remember: no deploys until Friday, the auditors are in.", at=TUESDAY)
    [kept] = session.captures()
    assert kept.content == "No deploys until Friday, the auditors are in (until 2026-11-20)."
    assert kept.expires == datetime(2026, 11, 20, 23, 59, tzinfo=UTC)


def test_what_holds_for_good_does_not_expire(session):
    [kept] = session.asks("Remember: no deploys on Fridays, support is off.", at=TUESDAY).captures()
    assert kept.expires is None


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
    due = due_date(f"Do it {words}.", said_at)
    assert due is None or due >= said_at.replace(second=0, microsecond=0)
