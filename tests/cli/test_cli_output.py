"""What is printed can be read, and cannot steer a terminal."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdeck.cli import output

HOSTILE = "\x1b]52;c;aGk=\x07\x1b[2J\x9b31m\u202eevil\u2066\ufeff\U000e0041\x7f\r\x00"


def test_control_characters_are_shown_as_pictures():
    assert output.visible("a\x1b[31mb\x07") == "a␛[31mb␇"
    assert output.visible("\x9b\u202e") == "<U+009B><U+202E>"


def test_line_feeds_and_tabs_stay_unless_one_line_is_asked_for():
    assert output.visible("a\n\tb") == "a\n\tb"
    assert output.one_line("a\n\tb") == "a  b"


@given(st.text())
def test_nothing_visible_is_a_control(text):
    shown = output.visible(text + HOSTILE)
    assert not any(ord(c) < 32 and c not in "\n\t" for c in shown)
    assert not any(0x7F <= ord(c) < 0xA0 or 0xD800 <= ord(c) < 0xE000 for c in shown)


@given(st.text(alphabet=st.characters() | st.sampled_from("\udc80\x9b\u202e\U000e0041")))
def test_a_json_line_is_one_safe_line_and_says_the_same(text):
    line = output.json_line({"text": text})
    assert output.visible(line) == line
    assert "\n" not in line
    assert json.loads(line)["text"] == text


def test_cells_are_what_a_terminal_shows(subtests):
    for text, columns in [("abc", 3), ("日本", 4), ("e\u0301", 1), ("", 0), ("👩\u200d💻", 4)]:
        with subtests.test(text=text):
            assert output.cells(text) == columns


@given(st.text(), st.integers(1, 40))
def test_clipped_text_fits_and_says_that_it_was_clipped(text, columns):
    clipped = output.clip(text, columns)
    assert output.cells(clipped) <= columns
    assert clipped == text or clipped.endswith("…")


@given(st.text(st.characters(exclude_categories=["Cs"])), st.integers(8, 60))
def test_wrapped_lines_fit_and_lose_no_character(text, columns):
    lines = output.wrap(text, columns)
    assert all(output.cells(line) <= columns for line in lines)
    whole = output.visible(text).expandtabs(4)
    assert "".join(lines).replace(" ", "") == whole.replace(" ", "").replace("\n", "")


def test_ages_are_short(subtests):
    rows = [
        (0, "now"),
        (59, "now"),
        (60, "1m"),
        (3_599, "59m"),
        (3_600, "1h"),
        (86_399, "23h"),
        (86_400, "1d"),
        (20 * 86_400, "20d"),
        (21 * 86_400, "3w"),
        (63 * 86_400, "2mo"),
        (364 * 86_400, "11mo"),
        (365 * 86_400, "1y"),
        (40 * 365.25 * 86_400, "40y"),
    ]
    for seconds, words in rows:
        with subtests.test(seconds=seconds):
            assert output.span(seconds) == words
            assert len(words) <= 4


def test_a_moment_to_come_says_so():
    now = datetime(2026, 1, 1, tzinfo=UTC)
    assert output.age(now + timedelta(days=3), now) == "in 3d"
    assert output.age(now + timedelta(seconds=5), now) == "now"


def test_sizes_are_for_readers(subtests):
    rows = [(0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (64_000, "64 kB"), (3_400_000, "3.4 MB")]
    for number, words in rows:
        with subtests.test(number=number):
            assert output.size(number) == words


def test_a_gauge_is_full_at_its_limit(subtests):
    rows = [(0, "░░░░"), (5, "██░░"), (10, "████"), (99, "████")]
    for used, bar in rows:
        with subtests.test(used=used):
            assert output.gauge(used, 10, columns=4) == bar


def test_a_gauge_without_a_limit_is_empty():
    assert output.gauge(7, 0, columns=4) == "░░░░"


def test_moments_are_iso_in_utc():
    assert output.iso(datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)) == "2026-01-02T03:04:05Z"
    assert output.iso(None) is None


class Terminal:
    def __init__(self, is_terminal: bool) -> None:
        self.is_terminal = is_terminal

    def isatty(self) -> bool:
        return self.is_terminal


@pytest.mark.parametrize(
    ("is_terminal", "variables", "is_colourful"),
    [
        (True, {"TERM": "xterm"}, True),
        (False, {"TERM": "xterm"}, False),
        (True, {"TERM": "xterm", "NO_COLOR": "1"}, False),
        (True, {"TERM": "dumb"}, False),
    ],
)
def test_colour_is_for_terminals_that_want_it(monkeypatch, is_terminal, variables, is_colourful):
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert output.colourful(Terminal(is_terminal)) is is_colourful


@given(st.lists(st.text("ab-", max_size=12), max_size=12), st.integers(1, 9))
def test_a_beginning_means_its_name_alone(names, least):
    short = output.unique_beginnings(names, least)
    assert set(short) == set(names)
    for name, beginning in short.items():
        assert name.startswith(beginning)
        assert len(beginning) >= min(least, len(name))
        if beginning != name:
            assert [other for other in short if other.startswith(beginning)] == [name]


def test_a_beginning_is_no_longer_than_it_must_be():
    assert output.unique_beginnings(["abcdefgh", "abcdxyz"], 2) == {
        "abcdefgh": "abcde",
        "abcdxyz": "abcdx",
    }
    assert output.unique_beginnings(["abcd"], 7) == {"abcd": "abcd"}
