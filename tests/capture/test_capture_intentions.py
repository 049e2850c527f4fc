"""What a person puts off, and until when."""

from datetime import UTC, datetime

import pytest

from memdeck.core.capture.intentions import due_date, intention

TUESDAY = datetime(2026, 11, 17, 9, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Rotate the key by 2026-12-01.", "2026-12-01"),
        ("Rotate the key tomorrow.", "2026-11-18"),
        ("Rotate the key by Friday.", "2026-11-20"),
        ("Rotate the key on Tuesday.", "2026-11-24"),  # today's name means the next one
        ("Rotate the key next week.", "2026-11-24"),
        ("Rotate the key later.", None),
        ("Rotate the key by 2026-13-45.", None),
    ],
)
def test_a_day_is_counted_from_when_it_was_said(text, day):
    due = due_date(text, TUESDAY)
    assert (due.date().isoformat() if due else None) == day


def test_without_a_time_a_weekday_says_nothing():
    assert due_date("Rotate the key by Friday.", None) is None


@pytest.mark.parametrize(
    ("text", "kind", "priority", "trigger"),
    [
        ("Remind me to rotate the staging key by Friday", "reminder", 3, "time"),
        ("Follow up with ops on the firewall next week", "followup", 3, "time"),
        ("We'll drop the column after the release", "commitment", 3, "event"),
        ("Urgent: drop the column after the release", "todo", 5, "event"),
        ("Someday we should drop the column", "todo", 2, "context"),
    ],
)
def test_an_intention_has_its_kind_priority_and_trigger(text, kind, priority, trigger):
    planned = intention(text, TUESDAY)
    assert (planned.kind, planned.priority, planned.trigger_type) == (kind, priority, trigger)


def test_a_relative_day_is_written_as_a_date(session):
    session.asks("Remind me to rotate the staging key tomorrow.", at=TUESDAY)
    [kept] = session.captures()
    assert kept.content == "Rotate the staging key by 2026-11-18."
    assert kept.due == datetime(2026, 11, 18, 23, 59, tzinfo=UTC)
    assert kept.type == "prospective"
    assert kept.details["intention_type"] == "reminder"
    assert kept.rule == "person.intention"
