"""A file that somebody else is still writing."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdeck.core.ingest.extract.lines import LineReader, look_back


def objects(path, offset=0, line_no=0, **limits):
    reader = LineReader(str(path), offset, line_no, **limits)
    return list(reader), reader


def test_a_half_written_last_line_is_left_for_the_next_reading(tmp_path):
    file = tmp_path / "s.jsonl"
    file.write_bytes(b'{"n":1}\n{"n":2}\n{"n":')
    first, reader = objects(file)
    assert [value["n"] for _, value in first] == [1, 2]
    assert (reader.offset, reader.line_no) == (16, 2)

    file.write_bytes(b'{"n":1}\n{"n":2}\n{"n":3}\n')
    rest, _ = objects(file, reader.offset, reader.line_no)
    assert rest == [(3, {"n": 3})]


def test_a_file_that_shrank_is_read_from_its_start(tmp_path):
    file = tmp_path / "s.jsonl"
    file.write_bytes(b'{"n":7}\n')
    found, reader = objects(file, 5000, 40)
    assert found == [(1, {"n": 7})]
    assert reader.restarted


def test_a_file_that_was_replaced_by_a_longer_one_is_read_from_its_start(tmp_path):
    file = tmp_path / "s.jsonl"
    file.write_bytes(b'{"n":"a longer line than before"}\n{"n":2}\n')
    found, reader = objects(file, 8, 1)  # 8 was after a newline once
    assert [number for number, _ in found] == [1, 2]
    assert reader.restarted


def test_nonsense_is_counted_and_passed_over(tmp_path):
    file = tmp_path / "s.jsonl"
    file.write_bytes(
        b'{"n":1}\nnot json\n[1]\n"text"\nnull\n\n  \n\xff\xfe\x00\n{"n":2}\r\n'
        + b"[" * 100_000
        + b'\n\xef\xbb\xbf{"n":3}\n'
    )
    found, reader = objects(file)
    assert [value["n"] for _, value in found] == [1, 2, 3]
    assert reader.bad_lines == 6
    assert reader.line_no == 11


def test_a_line_over_the_limit_is_skipped_without_losing_the_count(tmp_path):
    file = tmp_path / "s.jsonl"
    file.write_bytes(b'{"n":1}\n{"big":"' + b"x" * 300_000 + b'"}\n{"n":3}\n')
    found, reader = objects(file, max_line=100_000)
    assert found == [(1, {"n": 1}), (3, {"n": 3})]
    assert reader.bad_lines == 1
    assert reader.offset == file.stat().st_size


def test_a_line_at_the_limit_is_read(tmp_path):
    file = tmp_path / "s.jsonl"
    line = b'{"n":"' + b"x" * 91 + b'"}'
    file.write_bytes(line + b"\n")
    assert len(line) == 99
    assert len(objects(file, max_line=99)[0]) == 1  # without its newline
    assert len(objects(file, max_line=98)[0]) == 0


def test_an_endless_line_that_is_still_written_waits(tmp_path):
    file = tmp_path / "s.jsonl"
    file.write_bytes(b'{"n":1}\n' + b"x" * 200_000)
    found, reader = objects(file, max_line=1000)
    assert len(found) == 1
    assert (reader.offset, reader.has_more) == (8, False)


def test_a_reading_is_bounded_and_says_that_there_is_more(tmp_path):
    file = tmp_path / "s.jsonl"
    file.write_bytes(b'{"n":1}\n' * 10)
    found, reader = objects(file, max_bytes=20)
    assert len(found) == 3
    assert reader.has_more
    rest, reader = objects(file, reader.offset, reader.line_no, max_bytes=1000)
    assert [number for number, _ in rest] == list(range(4, 11))
    assert not reader.has_more


def test_an_empty_file_has_nothing(tmp_path):
    file = tmp_path / "s.jsonl"
    file.touch()
    assert objects(file)[0] == []


def test_only_regular_files_are_read(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="not a regular file"):
        objects(pipe)
    with pytest.raises(OSError, match="not a regular file"):
        objects(tmp_path)
    with pytest.raises(FileNotFoundError):
        objects(tmp_path / "missing.jsonl")


@given(
    st.lists(st.integers(0, 30), min_size=1, max_size=30),
    st.integers(0, 400),
    st.integers(0, 29),
)
def test_looking_back_lands_on_the_start_of_a_line(tmp_path_factory, sizes, span, lines_read):
    file: Path = tmp_path_factory.mktemp("back") / "s.jsonl"
    lines = [b"x" * size + b"\n" for size in sizes]
    file.write_bytes(b"".join(lines))
    lines_read = min(lines_read, len(lines))
    offset = sum(map(len, lines[:lines_read]))

    start, number = look_back(str(file), offset, lines_read, span)

    assert start == sum(map(len, lines[:number]))
    assert number <= lines_read
    assert offset - start <= span
    if number > 0:
        assert offset - start + len(lines[number - 1]) > span - 1
