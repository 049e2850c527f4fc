"""A task ends by a person's word, over sessions and days, and comes back by theirs (000-12)."""

from datetime import timedelta

import pytest

TASK = "Renew the certificate of the tide feed before the season starts"
PROMPT = "what about the certificate of the tide feed?"


@pytest.fixture
def put_off(open_core):
    """The id of what the person put off in the first session."""
    core = open_core(session="s1")
    return core.remember(TASK, type="prospective").memory_id


def test_what_is_done_is_told_no_more_in_any_later_session(open_core, clock, put_off):
    assert TASK in open_core(session="s2").recall(PROMPT).text
    clock.now += timedelta(days=1)
    [ended] = open_core(session="s2").done(put_off)
    assert (ended.retired_as, ended.details["status"]) == ("completed", "completed")
    assert ended.details["completed_at"]
    for session in ("s3", "s4"):
        clock.now += timedelta(days=1)
        assert TASK not in open_core(session=session).recall(PROMPT).text


def test_a_reminder_is_told_once_when_it_is_due_and_asks(open_core, clock):
    """000-12: told at the next prompt, whatever it is about; then it waits at starts."""
    first = open_core(session="s1")
    due = clock.now + timedelta(days=2)
    reminder = first.remember(TASK, due=due).memory_id
    short = first.show(reminder).short_id
    talk = "please rename the berth column"
    clock.now = due - timedelta(seconds=1)
    assert TASK not in open_core(session="s2").recall(talk).text
    clock.now = due + timedelta(seconds=1)
    assert TASK in open_core().recall(talk).text  # a person looks: that tells no agent
    assert first.show(reminder).accesses == 0
    told = open_core(session="s2").recall(talk)
    assert TASK in told.text
    assert f'<task id="{short}"' in told.text
    assert "When one is finished, run: memdeck done ID" in told.text
    assert [hit.parts for hit in told.items] == [{"due": 1.0}]
    for session in ("s2", "s3"):
        clock.now += timedelta(hours=1)
        assert TASK not in open_core(session=session).recall(talk).text
    assert TASK in open_core(session="s4").recall("", event="SessionStart").text
    open_core(session="s4").done(reminder)
    clock.now += timedelta(days=1)
    assert TASK not in open_core(session="s5").recall("", event="SessionStart").text
