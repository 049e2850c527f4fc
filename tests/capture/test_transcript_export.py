"""An exported session is read whole each time; what is new in it is told by its moments."""

import json
from datetime import UTC, datetime
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from memdeck.hosts.opencode.host import lines_before, read_export
from memdeck.tests.transcripts import read_opencode

EXPORT = Path(__file__).parent.parent / "wire" / "opencode" / "export.json"
START = 1_768_467_600_000


def message(number, role="user", *, at=None, is_finished=True):
    """Message `number` of a session, one second after the one before it."""
    created = START + 1000 * (number if at is None else at)
    times = {"created": created}
    if role == "assistant" and is_finished:
        times["completed"] = created + 500
    part = {"id": f"prt_{number}", "type": "text", "text": f"words {number}"}
    if role == "assistant":
        part["time"] = {"start": created}
    return {"info": {"id": f"msg_{number}", "role": role, "time": times}, "parts": [part]}


def export(*messages, **info):
    return json.dumps({"info": {"id": "ses_1", **info}, "messages": messages}, indent=2)


def test_an_export_reads_like_the_file_it_could_be():
    text = EXPORT.read_text("utf-8")
    reading, of_file = read_export(text), read_opencode(str(EXPORT))
    assert reading.turns == of_file.turns != ()
    assert (reading.line_no, reading.has_more, reading.skipped) == (15, False, "")


def test_where_a_reading_ended_is_a_moment():
    reading = read_export(export(message(1), message(2, "assistant")))
    assert reading.offset == START + 2000
    assert datetime.fromtimestamp(reading.offset / 1000, UTC) == reading.turns[-1].at
    assert read_export(export()).offset == 0


def test_what_came_after_the_last_reading_is_new():
    first = read_export(export(message(1), message(2, "assistant")))
    assert lines_before(first, 0) == 0
    assert lines_before(first, first.offset) == 2
    grown = read_export(export(message(1), message(2, "assistant"), message(3)))
    assert lines_before(grown, first.offset) == 2
    assert lines_before(grown, grown.offset) == 3


def test_a_message_that_is_being_written_is_new_again_when_it_is_whole():
    half = read_export(export(message(1), message(2, "assistant", is_finished=False)))
    assert [turn.text for turn in half.turns] == ["words 1", "words 2"]
    assert half.line_no == 1
    whole = read_export(export(message(1), message(2, "assistant")))
    assert lines_before(whole, half.offset) == 1


def test_a_prompt_in_the_place_of_one_that_was_taken_back_is_new():
    before = export(*(message(n, ("assistant", "user")[n % 2]) for n in (1, 2, 3, 4)))
    mark = read_export(before).offset
    after = export(
        message(1), message(2, "assistant"), message(5, at=9), message(6, "assistant", at=10)
    )
    reading = read_export(after)
    assert reading.line_no == 4  # as many as before
    assert lines_before(reading, mark) == 2


def test_what_was_taken_back_is_not_read():
    messages = [message(1), message(2, "assistant"), message(3)]
    reading = read_export(export(*messages, revert={"messageID": "msg_3"}))
    assert [turn.text for turn in reading.turns] == ["words 1", "words 2"]


def test_what_is_no_export_gives_nothing(subtests):
    for text in ["", "{", "[]", "7", "null", '{"messages": 3}', "[" * 100_000]:
        with subtests.test(text=text):
            reading = read_export(text)
            assert (reading.turns, reading.line_no, reading.offset) == ((), 0, 0)


@given(
    st.recursive(
        st.none() | st.integers() | st.text(max_size=5),
        lambda s: (
            st.lists(s)
            | (
                st.dictionaries(
                    st.sampled_from(["info", "messages", "parts", "time", "role", "id"]), s
                )
            )
        ),
        max_leaves=12,
    )
)
def test_odd_exports_never_raise(value):
    reading = read_export(json.dumps(value))
    assert 0 <= lines_before(reading, 0) <= max(reading.line_no, len(reading.turns))
