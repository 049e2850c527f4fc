"""The time that a question is about, and how well a memory fits it."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdeck.core.retrieval.times import DAY_MS, Window, window_of


def ms(day):
    return int(datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp() * 1000)


FRIDAY = ms("2026-03-20T09:30")


@pytest.mark.parametrize(
    ("prompt", "first", "after"),
    [
        ("what did we decide today?", "2026-03-20", "2026-03-21"),
        ("what did we decide yesterday?", "2026-03-19", "2026-03-20"),
        ("the day before yesterday we saw it", "2026-03-18", "2026-03-19"),
        ("last week's outage", "2026-03-09", "2026-03-16"),
        ("what was done this week", "2026-03-16", "2026-03-23"),
        ("the migration of last month", "2026-02-01", "2026-03-01"),
        ("what broke in January", "2026-01-01", "2026-02-01"),
        ("what broke in December?", "2025-12-01", "2026-01-01"),
        ("two days ago", "2026-03-18", "2026-03-19"),
        ("what was decided 3 weeks ago", "2026-02-24", "2026-03-03"),
        ("was haben wir gestern beschlossen?", "2026-03-19", "2026-03-20"),
        ("der Ausfall letzte Woche", "2026-03-09", "2026-03-16"),
        ("vor drei Wochen", "2026-02-24", "2026-03-03"),
        ("was war im März?", "2026-03-01", "2026-04-01"),
        ("what did we see on 7 July, 2025?", "2025-07-07", "2025-07-08"),
        ("what broke on October 13th, 2025", "2025-10-13", "2025-10-14"),
        ("what was released in July 2024", "2024-07-01", "2024-08-01"),
        ("the outage on May 3", "2025-05-03", "2025-05-04"),
        ("die Sitzung am 3. März", "2026-03-03", "2026-03-04"),
        ("what happened 2025-11-30?", "2025-11-30", "2025-12-01"),
        ("what happened in 2025-11?", "2025-11-01", "2025-12-01"),
    ],
)
def test_words_for_a_time_become_its_days(prompt, first, after):
    assert window_of(prompt, FRIDAY) == Window(ms(first), ms(after))


@pytest.mark.parametrize(
    "prompt",
    [
        "",
        "where is the march of progress?",
        "it may fail",
        "in detail",
        "zillion weeks ago",
        "may 3 people join?",
        "on 31 June 2025",
        "since 2025-13-01",
    ],
)
def test_other_words_name_no_time(prompt):
    assert window_of(prompt, FRIDAY) is None


def test_a_moment_fits_fully_inside_and_less_beside_until_half_the_length_away():
    window = Window(10 * DAY_MS, 14 * DAY_MS)
    assert window.fits(10 * DAY_MS) == window.fits(14 * DAY_MS - 1) == 1.0
    assert window.fits(9 * DAY_MS) == window.fits(15 * DAY_MS) == 0.5
    assert window.fits(8 * DAY_MS) == window.fits(16 * DAY_MS) == 0.0
    day = Window(10 * DAY_MS, 11 * DAY_MS)
    assert day.fits(10 * DAY_MS - DAY_MS // 2) == 0.5


@settings(deadline=None)
@given(st.text(max_size=100), st.integers(0, 4_000_000_000_000))
def test_no_prompt_is_an_error_and_a_window_has_an_inside(prompt, now):
    window = window_of(prompt, now)
    assert window is None or window.fits((window.since + window.until) // 2) == 1.0
