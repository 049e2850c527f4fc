"""The time that a question is about, and how well a memory fits it: its part of the score."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

SECOND = timedelta(seconds=1)
DAYS = [
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
]
NO_DAYS = [
    "",
    "where is the march of progress?",
    "it may fail",
    "in detail",
    "zillion weeks ago",
    "may 3 people join?",
    "on 31 June 2025",
    "since 2025-13-01",
]


def moment(day):
    return datetime.fromisoformat(day).replace(tzinfo=UTC)


@pytest.fixture
def fits(core):
    """How well notes of these moments fit the time of a question, by what is named in both."""

    def ask(question, about, moments):
        core.import_memories(
            {"content": f"{about} note {place}", "created_at": at.isoformat(), "key": f"{at}"}
            for place, at in enumerate(moments)
        )
        hits = {hit.key: hit.parts for hit in core.search(f"{about}: {question}")}
        return [  # by the weights of the two parts
            round(hits[f"{at}"]["when"] / hits[f"{at}"]["tells"] * 0.43 / 1.41, 6) for at in moments
        ]

    return ask


@pytest.mark.slow
def test_words_for_a_time_become_its_days(fits, subtests):
    for number, (question, first, after) in enumerate(DAYS):
        with subtests.test(question):
            first, after = moment(first), moment(after)
            moments = [first, after - SECOND, first - SECOND, after]
            inside = fits(question, f"crane{chr(97 + number)}", moments)
            assert inside[:2] == [1.0, 1.0]
            assert max(inside[2:]) <= 1.0
            assert min(inside[2:]) > 0.9
            before, beyond = fits(
                question,
                f"winch{chr(97 + number)}",
                [first - timedelta(hours=1), after + timedelta(hours=1)],
            )
            assert before < 1.0 > beyond


def test_other_words_name_no_time(fits, subtests):
    for number, question in enumerate(NO_DAYS):
        with subtests.test(question):
            moments = [
                moment(day) for day in ("2026-03-20", "2026-03-01", "2025-06-30", "2025-05-03")
            ]
            assert fits(question, f"crane{chr(97 + number)}", moments) == [0.0] * 4


@given(st.text(max_size=100))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_question_is_an_error(core, text):
    core.search(f"when, {text}")
    core.recall(f"in March {text}")
