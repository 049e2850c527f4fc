"""Values of options: moments and importance, at both ends of their ranges."""

from datetime import UTC, datetime, time, timedelta
from functools import partial

import pytest

from memdeck.cli import options
from memdeck.cli.options import DEADLINE, Moment
from memdeck.core.text.times import moment as moment_of

NOW = datetime(2026, 3, 20, 9, 30, tzinfo=UTC).astimezone()  # a Friday
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


@pytest.fixture(autouse=True)
def _now(monkeypatch):
    monkeypatch.setattr(options, "moment", partial(moment_of, now=NOW))


@pytest.fixture
def past():
    """The moment that an option takes a text for."""
    return lambda text: Moment().convert(text, None, None)


def at(days, clock="00:00"):
    """A time of the day so many days from today, where we are."""
    day = NOW.date() + timedelta(days)
    return datetime.combine(day, time.fromisoformat(clock)).astimezone()


def of_week(name, *, after):
    """How many days from today the next such day is that is later than `after` days from it."""
    days = range(after + 1, after + 8)
    return next(n for n in days if (NOW.weekday() + n) % 7 == WEEKDAYS.index(name))


DISTANCES = [
    ("90m", timedelta(minutes=90)),
    ("3h", timedelta(hours=3)),
    ("7d", timedelta(days=7)),
    ("2w", timedelta(weeks=2)),
    ("1mo", timedelta(days=30)),
    ("1y", timedelta(days=365)),
    (" 7D ", timedelta(days=7)),
]


def test_a_distance_a_day_by_its_name_and_a_moment_point_backwards(past, subtests):
    first = at(0).replace(day=1)
    rows = [
        *((text, NOW - distance) for text, distance in DISTANCES),
        ("3d ago", NOW - timedelta(days=3)),
        ("today", at(0)),
        ("Yesterday", at(-1)),
        ("yesterday 14:30", at(-1, "14:30")),
        *((name, at(of_week(name, after=-7))) for name in WEEKDAYS),
        ("Mon", at(of_week("monday", after=-7))),
        (f"last {WEEKDAYS[NOW.weekday()]}", at(-7)),
        ("last monday", at(of_week("monday", after=-8))),
        ("tuesday at 0:05", at(of_week("tuesday", after=-7), "00:05")),
        ("this week", at(-NOW.weekday())),
        ("last week", at(-NOW.weekday() - 7)),
        ("this month", first),
        ("last month", (first - timedelta(days=1)).replace(day=1)),
        ("2026-03-01T12:00:00+02:00", datetime(2026, 3, 1, 10, tzinfo=UTC)),
        ("2026-03-01T12:00:00Z", datetime(2026, 3, 1, 12, tzinfo=UTC)),
        ("2026-03-01T12:00", datetime(2026, 3, 1, 12).astimezone()),  # the reader's zone
    ]
    for text, moment in rows:
        with subtests.test(text=text):
            assert past(text) == moment


def test_the_same_points_ahead_for_what_is_to_come(subtests):
    rows = [
        *((text, NOW + distance) for text, distance in DISTANCES),
        ("today", at(0, "23:59")),
        ("Tomorrow", at(1, "23:59")),
        ("tomorrow 14:30", at(1, "14:30")),
        *((name, at(of_week(name, after=0), "23:59")) for name in WEEKDAYS),
        ("tue", at(of_week("tuesday", after=0), "23:59")),
        ("friday at 9:05", at(of_week("friday", after=0), "09:05")),
        ("next friday", at(of_week("friday", after=0), "23:59")),
        ("in 3 days", at(3, "23:59")),
        ("In two weeks", at(14, "23:59")),
        ("next week", at(7, "23:59")),
        ("00:00", at(1)),
        ("23:59", at(0, "23:59")),
    ]
    for text, moment in rows:
        with subtests.test(text=text):
            assert DEADLINE.convert(text, None, None) == moment


def test_what_is_no_time_says_what_would_be_one(cli, subtests):
    no_day = ["24:00", "monday 9", "this monday", "next week", "mondays"]
    for text in ["", "soon", "7x", "-7d", "2026-13-01", "999999y", "7 d 3h", *no_day]:
        with subtests.test(text=text):
            answer = cli("history", f"--since={text}", code=2)
            assert "is not a time. Write 2026-03-01" in answer.err
    for text in ["yesterday", "last monday", "this week", "24:00", ""]:
        with subtests.test(text=text):
            answer = cli("remember", "Call the pilot", f"--due={text}", code=2)
            assert "monday, tomorrow 14:30" in answer.err


@pytest.mark.parametrize(("given", "kept"), [("1", 0.0), ("10", 1.0), ("4", 1 / 3)])
def test_importance_goes_from_one_to_ten(cli, given, kept):
    answer = cli("remember", "Deploys go through the canary first", "--importance", given, "--json")
    assert answer.json["memory"]["importance"] == pytest.approx(kept, abs=1e-6)
    assert answer.json["memory"]["importance_10"] == int(given)
