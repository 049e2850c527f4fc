"""Values of options: moments and importance, at both ends of their ranges."""

from datetime import UTC, datetime, timedelta

import pytest

from memdeck.cli.choices import IMPORTANCE, moment

NOW = datetime(2026, 6, 15, 12, 0, tzinfo=UTC)


def test_a_distance_points_backwards_or_ahead(subtests):
    rows = [
        ("90m", timedelta(minutes=90)),
        ("3h", timedelta(hours=3)),
        ("7d", timedelta(days=7)),
        ("2w", timedelta(weeks=2)),
        ("1mo", timedelta(days=30)),
        ("1y", timedelta(days=365)),
        (" 7D ", timedelta(days=7)),
    ]
    for text, distance in rows:
        with subtests.test(text=text):
            assert moment(text, now=NOW) == NOW - distance
            assert moment(text, now=NOW, ahead=True) == NOW + distance


WEDNESDAY = datetime(2026, 3, 18, 15, 30).astimezone()


def test_a_day_may_be_named(subtests):
    rows = [
        ("today", datetime(2026, 3, 18)),
        ("Yesterday", datetime(2026, 3, 17)),
        ("monday", datetime(2026, 3, 16)),
        ("Mon", datetime(2026, 3, 16)),
        ("wednesday", datetime(2026, 3, 18)),
        ("last wednesday", datetime(2026, 3, 11)),
        ("last monday", datetime(2026, 3, 16)),
        ("thursday", datetime(2026, 3, 12)),
        ("sunday", datetime(2026, 3, 15)),
        ("this week", datetime(2026, 3, 16)),
        ("last week", datetime(2026, 3, 9)),
        ("this month", datetime(2026, 3, 1)),
        ("last month", datetime(2026, 2, 1)),
        ("yesterday 14:30", datetime(2026, 3, 17, 14, 30)),
        ("monday at 9:05", datetime(2026, 3, 16, 9, 5)),
        ("23:59", datetime(2026, 3, 18, 23, 59)),
        ("3d ago", datetime(2026, 3, 15, 15, 30)),
    ]
    for text, local in rows:
        with subtests.test(text=text):
            assert moment(text, now=WEDNESDAY) == local.astimezone()


def test_a_day_to_come_may_be_named(subtests):
    rows = [
        ("Tomorrow", datetime(2026, 3, 19)),
        ("tomorrow 14:30", datetime(2026, 3, 19, 14, 30)),
        ("thursday", datetime(2026, 3, 19)),
        ("tue", datetime(2026, 3, 24)),
        ("wednesday", datetime(2026, 3, 25)),
        ("friday at 9:05", datetime(2026, 3, 20, 9, 5)),
        ("15:30", datetime(2026, 3, 19, 15, 30)),
        ("15:31", datetime(2026, 3, 18, 15, 31)),
    ]
    for text, local in rows:
        with subtests.test(text=text):
            assert moment(text, now=WEDNESDAY, ahead=True) == local.astimezone()


def test_no_day_that_is_over_is_named_for_what_is_to_come(subtests):
    for text in ["today", "yesterday", "last monday", "this week", "24:00", ""]:
        expected = pytest.raises(ValueError, match=r"Write 2026.*monday, tomorrow 14:30")
        with subtests.test(text=text), expected:
            moment(text, ahead=True)


def test_words_that_name_no_day_are_refused(subtests):
    for text in ["", "24:00", "monday 9", "this monday", "next week", "mondays"]:
        with subtests.test(text=text), pytest.raises(ValueError, match="is not a time"):
            moment(text)


def test_a_moment_with_a_zone_is_that_moment():
    assert moment("2026-03-01T12:00:00+02:00") == datetime(2026, 3, 1, 10, tzinfo=UTC)
    assert moment("2026-03-01T12:00:00Z") == datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_a_moment_without_a_zone_is_the_readers():
    assert moment("2026-03-01T12:00") == datetime(2026, 3, 1, 12).astimezone(UTC)


def test_what_is_no_time_says_what_would_be_one(subtests):
    for text in ["", "soon", "7x", "-7d", "2026-13-01", "999999y", "7 d 3h"]:
        with subtests.test(text=text), pytest.raises(ValueError, match="2026-03-01"):
            moment(text)


@pytest.mark.parametrize(("given", "kept"), [("1", 0.0), ("10", 1.0), ("4", 1 / 3)])
def test_importance_goes_from_one_to_ten(cli, given, kept):
    answer = cli("remember", "Deploys go through the canary first", "--importance", given, "--json")
    assert answer.json["memory"]["importance"] == pytest.approx(kept, abs=1e-6)
    assert answer.json["memory"]["importance_10"] == int(given)


def test_importance_beyond_its_range_is_a_usage_error(cli, subtests):
    for given in ["0", "11", "0.5", "high", "-1"]:
        with subtests.test(given=given):
            answer = cli("remember", "Deploys go through the canary first", f"--importance={given}")
            assert answer.code == 2
            assert "from 1 to 10" in answer.err
            assert answer.out == ""


def test_an_importance_that_is_kept_already_stays():
    assert IMPORTANCE.convert(0.25, None, None) == 0.25


def test_a_number_that_is_none_is_told_its_range(cli, subtests):
    rows = [
        (["list", "--limit", "x"], "'x' is not a whole number from 1 on, such as 20."),
        (
            ["search", "a", "--limit", "501"],
            "'501' is not a whole number from 1 to 500, such as 20.",
        ),
        (["digest", "--limit", "-1"], "'-1' is not a whole number from 0 on, such as 20."),
        (["undo", "1.5"], "'1.5' is not a whole number from 1 on, such as 20."),
    ]
    for words, said in rows:
        with subtests.test(words=words):
            answer = cli(*words)
            assert (answer.code, said in answer.err) == (2, True), answer.err
