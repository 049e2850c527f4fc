"""When `created:`, `before:` and `after:` mean."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

NOW = datetime(2026, 3, 20, 9, 30, tzinfo=UTC)  # of the tests' clock
WEEK_AGO = NOW - timedelta(days=7)
DAY = datetime(2026, 1, 31).astimezone()
NEXT = datetime(2026, 2, 1).astimezone()
MIDNIGHT = datetime(2026, 3, 20).astimezone()
LITTLE = timedelta(milliseconds=1)


@pytest.fixture
def fits(core):
    """Whether a query finds what was made at a moment."""

    def of(text, *moments):
        ids = core.import_memories(
            {"content": f"{one}", "key": f"{one}", "created_at": one.isoformat()} for one in moments
        ).ids
        found = {memory.id for memory in core.list(text)}
        return [one in found for one in ids]

    return of


def test_each_form_is_a_stretch_of_time(fits, subtests):
    rows = [
        ("created:<7d", WEEK_AGO, None),
        ("created:<=7d", WEEK_AGO, None),
        ("created:7d", WEEK_AGO, None),
        ("created:=1w", WEEK_AGO, None),
        ("created:>7d", None, WEEK_AGO),
        ("created:>=168h", None, WEEK_AGO),
        ("before:7D", None, WEEK_AGO),
        ("after:1w", WEEK_AGO, None),
        ("created:2026-01-31", DAY, NEXT),
        ("created:<2026-01-31", None, DAY),
        ("created:<=2026-01-31", None, NEXT),
        ("created:>2026-01-31", NEXT, None),
        ("created:>=2026-01-31", DAY, None),
        ("before:2026-01-31", None, DAY),
        ("after:2026-01-31", DAY, None),
        ("after:2026-01-31T12:00", DAY + timedelta(hours=12), None),
        ("created:2026-01-31T12:00", *(DAY + timedelta(hours=12, minutes=n) for n in (0, 1))),
        ("before:2026-01-31T12:00+02:00", None, datetime(2026, 1, 31, 10, tzinfo=UTC)),
        ("created:<0d", NOW, None),
        ("created:today", MIDNIGHT, MIDNIGHT + timedelta(days=1)),
        ("created:Yesterday", MIDNIGHT - timedelta(days=1), MIDNIGHT),
        ("before:yesterday", None, MIDNIGHT - timedelta(days=1)),
        ("after:monday", MIDNIGHT - timedelta(days=MIDNIGHT.weekday()), None),
    ]
    for text, since, until in rows:
        with subtests.test(text=text):
            if since is not None:
                assert fits(text, since - LITTLE, since) == [False, True]
            if until is not None:
                assert fits(text, until - LITTLE, until) == [True, False]
            assert (since or until) is not None


def test_an_age_beyond_all_calendars_is_the_beginning_of_time(fits):
    assert fits("after:999999w", datetime(1970, 1, 2, tzinfo=UTC)) == [True]


def test_what_is_no_time_counts_for_nothing(fits, subtests):
    rows = (
        "created:7 created:d created:-7d created:7000000d created:< created:2026-13-01 "
        "created:2026-1-1 created:20260131 created:9999-12-31 before:>7d after:tomorrow "
        "before:٢٠٢٦-٠١-٠١"
    ).split()
    for text in rows:
        with subtests.test(text=text):
            assert fits(text, NOW, DAY) == [True, True]


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.sampled_from(["created:", "created:<", "created:>=", "created:>", "before:", "after:"]),
    st.integers(0, 999_999),
    st.sampled_from("hdw"),
    st.dates(min_value=datetime(1970, 2, 1).date(), max_value=datetime(9999, 12, 30).date()),
)
def test_any_age_and_any_day_has_a_beginning_and_an_end(fits, key, number, unit, day):
    is_since = key in ("created:", "created:<", "after:")
    assert fits(f"{key}{number}{unit}", NOW) == [is_since]
    begins = datetime.combine(day, datetime.min.time()).astimezone()
    found = fits(f"created:{day.isoformat()}", begins - LITTLE, begins)
    assert found == [False, True]
