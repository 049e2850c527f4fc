"""When `created:`, `before:` and `after:` mean, seen from a moment that is given."""

from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from memdeck.core.query.language import parse

NOW = datetime(2026, 3, 20, 9, 30, tzinfo=UTC)
WEEK_AGO = NOW - timedelta(days=7)
DAY = datetime(2026, 1, 31, tzinfo=UTC)
NEXT = datetime(2026, 2, 1, tzinfo=UTC)


def window(text, now=NOW):
    [found] = parse(text).filters
    assert found.is_time
    return found.window(now)


def test_each_form_is_a_stretch_of_time(subtests):
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
        ("before:2026-01-31T12:00+02:00", None, DAY + timedelta(hours=10)),
        ("created:<0d", NOW, None),
    ]
    for text, since, until in rows:
        with subtests.test(text=text):
            assert window(text) == (since, until)


def test_a_day_begins_at_midnight_where_now_is():
    zone = timezone(timedelta(hours=5))
    assert window("after:2026-01-31", NOW.astimezone(zone))[0] == DAY - timedelta(hours=5)


def test_a_moment_is_a_minute():
    since, until = window("created:2026-01-31T12:00")
    assert until - since == timedelta(minutes=1)


def test_an_age_beyond_all_calendars_is_the_beginning_of_time():
    assert window("after:999999w")[0].year == 1


def test_what_is_no_time_is_a_hint(subtests):
    rows = [
        "created:7",
        "created:d",
        "created:-7d",
        "created:7000000d",
        "created:<",
        "created:2026-13-01",
        "created:2026-1-1",
        "created:20260131",
        "created:9999-12-31",
        "before:>7d",
        "after:tomorrow",
        "before:٢٠٢٦-٠١-٠١",
    ]
    for text in rows:
        with subtests.test(text=text):
            query = parse(text)
            assert query.filters == ()
            [hint] = query.hints
            assert "2026-01-31" in hint.message


def test_the_calendar_never_asks_the_clock():
    query = parse("created:<7d")
    assert query == parse(str(query))
    assert query.filters[0].window(NOW) != query.filters[0].window(NOW + timedelta(days=1))


MOMENTS = st.datetimes(
    min_value=datetime(1, 1, 1), max_value=datetime(9999, 12, 30), timezones=st.just(UTC)
)


@given(
    st.sampled_from(["created:", "created:<", "created:>=", "created:>", "before:", "after:"]),
    st.integers(0, 999_999),
    st.sampled_from("hdw"),
    MOMENTS,
)
def test_an_age_never_lies_in_the_future(key, number, unit, now):
    since, until = window(f"{key}{number}{unit}", now)
    assert (since is None) != (until is None)
    assert (since or until) <= max(now, datetime(1, 1, 2, tzinfo=UTC))


@given(st.dates(max_value=datetime(9999, 12, 30).date()), MOMENTS)
def test_every_day_has_a_beginning_and_an_end(day, now):
    since, until = window(f"created:{day.isoformat()}", now)
    assert until - since == timedelta(days=1)
    assert since.date() == day
