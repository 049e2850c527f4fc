"""A file that somebody else is still writing."""

import json
import os

import pytest

from memdeck.tests.transcripts import read_claude

MAX_LINE = 4 << 20  # bytes


def said(number, more=""):
    """A line of a session file."""
    message = {"role": "user", "content": f"{number}{more}"}
    return json.dumps({"type": "user", "uuid": f"u{number}", "message": message}).encode() + b"\n"


def numbers(reading):
    """(line, text) of each turn that was read."""
    return [(turn.line, turn.text) for turn in reading.turns]


def test_a_half_written_last_line_is_left_for_the_next_reading(tmp_path):
    file = tmp_path / "s.jsonl"
    file.write_bytes(said(1) + said(2) + said(3)[:9])
    first = read_claude(str(file))
    assert numbers(first) == [(1, "1"), (2, "2")]
    assert (first.offset, first.line_no) == (2 * len(said(1)), 2)

    file.write_bytes(said(1) + said(2) + said(3))
    assert numbers(read_claude(str(file), first.offset, first.line_no)) == [(3, "3")]


@pytest.mark.parametrize("lines", [said(7), said(1, "a longer one than before") + said(2)])
def test_a_file_that_shrank_or_was_replaced_is_read_from_its_start(tmp_path, lines):
    file = tmp_path / "s.jsonl"
    file.write_bytes(lines)
    again = read_claude(str(file), 5000 if len(lines) < 100 else len(said(1)), 40)
    assert [line for line, _ in numbers(again)] == list(range(1, lines.count(b"\n") + 1))


def test_nonsense_is_counted_and_passed_over(tmp_path):
    file = tmp_path / "s.jsonl"
    file.write_bytes(
        said(1)
        + b'not json\n[1]\n"text"\nnull\n\n  \n\xff\xfe\x00\n'
        + said(2).replace(b"\n", b"\r\n")
        + b"[" * 100_000
        + b"\n\xef\xbb\xbf"
        + said(3)
    )
    reading = read_claude(str(file))
    assert [text for _, text in numbers(reading)] == ["1", "2", "3"]
    assert (reading.bad_lines, reading.line_no) == (6, 11)


@pytest.mark.parametrize("over", [0, 1])
def test_a_line_over_the_limit_is_skipped_without_losing_the_count(tmp_path, over):
    file = tmp_path / "s.jsonl"
    longest = MAX_LINE + 1  # with its newline
    long = said(2, ("x " * longest)[: longest - len(said(2)) + over])
    file.write_bytes(said(1) + long + said(3))
    reading = read_claude(str(file))
    assert [line for line, _ in numbers(reading)] == [1, 2, 3][:: 1 + over]
    assert reading.bad_lines == over
    assert reading.offset == file.stat().st_size


def test_an_endless_line_that_is_still_written_waits(tmp_path):
    file = tmp_path / "s.jsonl"
    file.write_bytes(said(1) + b"x" * (MAX_LINE + 200_000))
    reading = read_claude(str(file))
    assert len(reading.turns) == 1
    assert (reading.offset, reading.has_more) == (len(said(1)), False)


def test_a_reading_is_bounded_and_says_that_there_is_more(tmp_path):
    file = tmp_path / "s.jsonl"
    file.write_bytes(b"".join(said(number) for number in range(10)))
    reading = read_claude(str(file), max_bytes=2 * len(said(1)) + 9)
    assert len(reading.turns) == 3
    assert reading.has_more
    rest = read_claude(str(file), reading.offset, reading.line_no, max_bytes=100_000)
    assert [line for line, _ in numbers(rest)] == list(range(4, 11))
    assert not rest.has_more


def test_only_regular_files_are_read(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="not a regular file"):
        read_claude(str(pipe))
    with pytest.raises(OSError, match="not a regular file"):
        read_claude(str(tmp_path))
    with pytest.raises(FileNotFoundError):
        read_claude(str(tmp_path / "missing.jsonl"))
