"""Claude Code's transcript as turns."""

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from memdeck.core.sessions.turns import MAX_TEXT, calls_in
from memdeck.tests.transcripts import read_claude

NAMES = tuple(
    (
        "claude-session transcript transcript.truncated debugging-session corrections-session "
        "pasted-session noise-session planning-session quiet-session"
    ).split()
)


def a_line(kind="user", content="hello", **fields):
    return {"type": kind, "uuid": "u1", "message": {"role": kind, "content": content}, **fields}


def an_answer(*blocks, **fields):
    message = {"id": "m1", "role": "assistant", "model": "claude-sonnet-5", "content": list(blocks)}
    return {"type": "assistant", "uuid": "a1", "message": message, **fields}


def kinds(path, **options):
    return [turn.kind for turn in read_claude(path, **options).turns]


def test_a_recorded_session_gives_its_turns_with_place_and_time(transcript):
    reading = read_claude(transcript("claude-session"))
    first, *_, last = reading.turns
    assert (first.kind, first.line) == ("user", 3)
    assert first.text == "Please make total() return a float and run the checks."
    assert first.uuid == "00000000-0000-4000-8000-000000000012"
    assert first.at.isoformat() == "2026-01-15T09:00:03+00:00"
    assert last.text == "And now?"  # the answer to it repeats an earlier message
    assert reading.bad_lines == 0
    assert reading.offset == Path(transcript("claude-session")).stat().st_size


def test_calls_are_joined_with_their_results(transcript):
    calls = calls_in(read_claude(transcript("claude-session")).turns)
    failed = [call for call in calls if call.result and call.result.is_error]
    assert [call.tool for call in calls[:4]] == ["Bash", "Bash", "Read", "Edit"]
    assert len(failed) == 1
    assert failed[0].argument("command").startswith("echo collecting")
    assert failed[0].result.text.startswith("Exit code 3")


def test_a_prompt_typed_meanwhile_is_queued_and_counted_once(transcript):
    queued = [t for t in read_claude(transcript("transcript")).turns if t.kind == "queued"]
    assert [turn.text for turn in queued] == ["also keep keys for 48 hours only"]


def test_who_answered_and_which_task_is_kept_beside_a_result(transcript):
    results = [c.result for c in calls_in(read_claude(transcript("claude-session")).turns)]
    assert {"task_id": "1"} in [dict(r.details) for r in results if r]
    assert any(r.details.get("agent_type") == "Explore" for r in results if r)


def test_a_subagents_file_is_read_when_asked(transcript):
    path = transcript("subagent-transcript")
    assert read_claude(path).turns == ()
    turns = read_claude(path, sidechains=True).turns
    assert [turn.kind for turn in turns] == ["user", "tool_call", "tool_result", "assistant"]
    assert {turn.agent_id for turn in turns} == {"a7c31f0e2b94d5568"}


def test_what_is_nobodys_words_is_left_out(written, subtests):
    rows = [
        a_line(isMeta=True),
        a_line(isCompactSummary=True),
        a_line(isSidechain=True),
        a_line(content="<command-name>/pin</command-name>"),
        a_line(content="<local-command-stdout>always</local-command-stdout>"),
        a_line(content="<task-notification>done</task-notification>"),
        a_line(content="[Request interrupted by user]"),
        a_line(content="  "),
        an_answer({"type": "thinking", "thinking": "hm"}),
        an_answer({"type": "text", "text": "API Error"}, isApiErrorMessage=True),
        {"type": "summary", "summary": "x"},
        {"type": "progress", "data": {}},
        {"type": "file-history-snapshot", "snapshot": {}},
        {"type": "queue-operation", "content": "x"},
        {"type": "attachment", "attachment": {"type": "hook_success", "stdout": "x"}},
        {
            "type": "attachment",
            "attachment": {"type": "queued_command", "prompt": "x", "commandMode": "bash"},
        },
        {"type": "system", "subtype": "turn_duration"},
    ]
    for line in rows:
        with subtests.test(line=line):
            assert kinds(written([line])) == []


def test_a_synthetic_answer_is_left_out(written):
    line = an_answer({"type": "text", "text": "No response requested."})
    line["message"]["model"] = "<synthetic>"
    assert kinds(written([line])) == []


def test_a_compaction_is_a_boundary(written):
    assert kinds(written([{"type": "system", "subtype": "compact_boundary"}])) == ["boundary"]


def test_lines_with_a_uuid_seen_before_are_read_once(written):
    path = written([a_line(), a_line(content="again"), a_line(content="new", uuid="u2")])
    reading = read_claude(path)
    assert [turn.text for turn in reading.turns] == ["hello", "new"]
    assert read_claude(path, seen_uuids=reading.seen_uuids).turns == ()


def test_the_lines_of_one_answer_repeat_no_block(written):
    text, call = (
        {"type": "text", "text": "I look."},
        {"type": "tool_use", "id": "c1", "name": "Read"},
    )
    path = written([an_answer(text), an_answer(text, call, uuid="a2"), an_answer(call, uuid="a3")])
    turns = read_claude(path).turns
    assert [turn.kind for turn in turns] == ["assistant", "tool_call"]
    assert {turn.message_id for turn in turns} == {"m1"}


def test_a_long_text_loses_its_middle(written):
    [turn] = read_claude(written([a_line(content="a" * 50_000 + "z" * 50_000)])).turns
    assert len(turn.text) == MAX_TEXT
    assert turn.text.startswith("aaa")
    assert turn.text.endswith("zzz")


def test_a_time_that_is_none_is_left_open(written, subtests):
    rows = ["soon", 5, None, "0001-01-01T00:00:00+23:59", ""]
    for timestamp in rows:
        with subtests.test(timestamp=timestamp):
            [turn] = read_claude(written([a_line(timestamp=timestamp)])).turns
            assert turn.at is None


def test_odd_calls_and_results_still_are_turns(written):
    path = written(
        [
            an_answer({"type": "tool_use", "id": 5, "name": None, "input": "x"}),
            a_line(content=[{"type": "tool_result", "tool_use_id": [], "content": 9}]),
            a_line(content=[{"type": "tool_result"}], uuid="u3", toolUseResult=[1]),
        ]
    )
    calls = calls_in(read_claude(path).turns)
    assert [(call.tool, call.result, call.argument("command")) for call in calls] == [
        ("", None, "")
    ]


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(NAMES), st.integers(500, 20_000))
def test_many_bounded_readings_give_the_turns_of_one(transcript, name, max_bytes):
    turns, offset, line, seen = (), 0, 0, frozenset()
    has_more = True
    while has_more:
        reading = read_claude(transcript(name), offset, line, seen, max_bytes=max_bytes)
        turns += reading.turns
        offset, line, seen = reading.offset, reading.line_no, reading.seen_uuids
        has_more = reading.has_more
    assert turns == read_claude(transcript(name)).turns
