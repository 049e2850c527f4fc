"""Days that words name: by when something is due, and until when something holds."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from .conftest import SessionBuilder

TUESDAY = datetime(2026, 11, 17, 9, 0, tzinfo=UTC)

DAYS = [
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
    ("but not today", None),
]


def test_a_day_is_told_from_today(subtests):
    for text, day in DAYS:
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


LIMITS = [
    ("Don't deploy until Friday.", "until Friday", "2026-11-20"),
    ("Don't deploy until next Friday.", "until next Friday", "2026-11-20"),
    ("Freeze main until 2026-12-01.", "until 2026-12-01", "2026-12-01"),
    ("Freeze main until the end of the month.", "until the end of the month", "2026-11-30"),
    ("For this sprint, use the beta API.", "For this sprint", "2026-12-01"),
    ("Use the beta API this week.", "this week", "2026-11-22"),
    ("Use it for the next two weeks.", "for the next two weeks", "2026-12-01"),
    ("Use it until tomorrow.", "until tomorrow", "2026-11-18"),
    ("Only today: write to the prod schema.", "Only today", "2026-11-17"),
    ("Today don't run the slow tests.", "Today", "2026-11-17"),
    ("Don't deploy today.", "today", "2026-11-17"),
    ("hasta el viernes no despliegues.", "", "2026-11-20"),
    ("bis zum 1. Dezember nichts mergen.", "", "2026-12-01"),
    ("cette semaine, ne déploie pas.", "", "2026-11-22"),
    ("金曜日までマージしないでください", "", "2026-11-20"),
    # without a day there is no limit
    ("Today the parser reads both, so don't split them.", "", None),
    ("As of today, write to the prod schema.", "", None),
    ("ab heute nie mehr npm nehmen.", "", None),
    ("Use it for now.", "", None),
    ("Use it until the release is out.", "", None),
    ("Always use it.", "", None),
]


def test_words_may_limit_a_statement_to_a_time(subtests):
    for text, words, day in LIMITS:
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
