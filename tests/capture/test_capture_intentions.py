"""What a person puts off, and until when."""

from datetime import UTC, datetime

from .conftest import SessionBuilder

TUESDAY = datetime(2026, 11, 17, 9, 0, tzinfo=UTC)


DAYS = [
    ("rotate the key by 2026-12-01.", "2026-12-01"),
    ("rotate the key tomorrow.", "2026-11-18"),
    ("rotate the key by Friday.", "2026-11-20"),
    ("rotate the key on Tuesday.", "2026-11-24"),  # today's name means the next one
    ("rotate the key next week.", "2026-11-24"),
    ("rotate the key later.", None),
    ("rotate the key by 2026-13-45.", None),
    ("rotate the key, due 2026-12-01T10:00.", "2026-12-01"),
    ("rotate the key of docs/2026-12-01-keys.md.", None),
]


def test_a_day_is_counted_from_when_it_was_said(subtests):
    for text, day in DAYS:
        with subtests.test(text=text):
            [kept] = SessionBuilder().asks(f"Remind me to {text}", at=TUESDAY).captures()
            assert (kept.due.date().isoformat() if kept.due else None) == day


def test_without_a_time_a_weekday_says_nothing(session):
    [kept] = session.asks("Remind me to rotate the key by Friday.").captures()
    assert kept.due is None


KINDS = [
    ("Remind me to rotate the staging key by Friday", "reminder", 3, "time"),
    ("Follow up with ops on the firewall next week", "followup", 3, "time"),
    ("We'll drop the column after the release", "commitment", 3, "event"),
    ("TODO: urgent, drop the column after the release", "todo", 5, "event"),
    ("Someday we should drop the column", "todo", 2, "context"),
]


def test_an_intention_has_its_kind_priority_and_trigger(subtests):
    for text, *wanted in KINDS:
        with subtests.test(text=text):
            [kept] = SessionBuilder().asks(text, at=TUESDAY).captures()
            names = ("intention_type", "priority", "trigger_type")
            assert [kept.details[name] for name in names] == wanted


def test_a_day_at_the_beginning_reads_as_a_date(subtests):
    rows = [
        (
            "Tomorrow we have to rotate the staging key",
            "By 2026-11-18, we have to rotate the staging key.",
        ),
        (
            "By end of month, the old importers must move to the new queue.",
            "By 2026-11-30, the old importers must move to the new queue.",
        ),
        (
            "Next week we need to drop the legacy table",
            "By 2026-11-24, we need to drop the legacy table.",
        ),
    ]
    for said, kept_as in rows:
        with subtests.test(said=said):
            session = SessionBuilder()
            session.asks(said, at=TUESDAY)
            assert [one.content for one in session.captures()] == [kept_as]


PRIORITIES = [
    ("Urgent: rotate the key", 5),
    ("Rotate the key asap", 5),
    ("It is important to rotate the key", 4),
    ("Rotate the key soon", 4),
    ("Rotate the key", 3),
    ("Eventually rotate the key", 2),
    ("Rotate the key, no rush", 1),
    ("Not urgent: rotate the key", 1),
]


def test_words_tell_the_priority_from_one_to_five(fields_of):
    found = fields_of("prospective", [text for text, _ in PRIORITIES])
    told = [one["priority"] for one in found]
    assert list(zip((text for text, _ in PRIORITIES), told, strict=True)) == PRIORITIES
    assert set(told) == {1, 2, 3, 4, 5}


OCCASIONS = [
    ("Rotate the key by Friday", "time", "by 2026-11-20"),
    ("Rotate the key in two weeks", "time", "by 2026-12-01"),
    ("Drop the flag once the 2.0 release is out", "event", "once the 2.0 release is out"),
    ("Drop the flag after the release.", "event", "after the release"),
    ("Split it when you touch billing.py", "context", "when you touch billing.py"),
    (
        "TODO: Next time we work on the export, split it",
        "context",
        "Next time we work on the export",
    ),
    ("Drop the flag", "context", ""),
]


def test_an_occasion_is_a_day_an_event_or_a_place_in_the_work(subtests):
    for text, *wanted in OCCASIONS:
        with subtests.test(text=text):
            [kept] = SessionBuilder().asks(f"TODO: {text}", at=TUESDAY).captures()
            assert [kept.details[name] for name in ("trigger_type", "trigger_condition")] == wanted


def test_what_is_put_off_is_kept(subtests):
    rows = [
        "TODO: cover the retries of the webhook with tests.",
        "Remind me, no rush, to clean up the fixtures.",
        "Later we need to move the limits into the admin UI.",
        "We plan to replace Celery with a simple queue.",
        "We still need to page the export of orders.",
        "Next time we touch billing.py, we should extract the tax rules.",
        "Once the release is out, we should drop the legacy column.",
        "I'll write the migration guide by the end of the month.",
        "Follow up with Dana about the contract next Friday.",
        "We need to upgrade Django before the end of the quarter.",
        "We should split `orders.py` in a separate PR.",
        "TODO(dana): cover the retries of the webhook.",
        "Note to self: renew the certificate of staging.",
        "Let's handle the pagination of orders next sprint.",
    ]
    for text in rows:
        with subtests.test(text=text):
            session = SessionBuilder()
            [kept] = session.asks(text, at=TUESDAY).captures()
            assert (kept.rule, kept.type) == ("person.intention", "prospective")
            assert kept.details["trigger_type"] in ("time", "event", "context")


def test_the_work_of_the_hour_is_not_put_off(subtests):
    rows = [
        "We need to fix the login bug.",
        "I need to know what it does.",
        "We plan to talk about that with ops.",
        "Let's do the export now.",
        "Let's do that later.",
        "We'll fix it after the release.",
        "Let's talk about the export next week.",
        "Do you plan to replace Celery?",
        "We will see.",
        "Let's walk this through step by step until we find the fault.",
        "Let's fix the validation before we move on to the layout.",
        "Let's take a critical look at docs/plans/2026-12-06-sessions.md.",
        "We also need to review all the shell scripts.",
    ]
    for text in rows:
        with subtests.test(text=text):
            session = SessionBuilder()
            assert session.asks(text, at=TUESDAY).captures() == []
