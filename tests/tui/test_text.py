"""Memory text is hostile: it shows as it stands, in the cells it is given, and does nothing."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.content import Content

from memdeck.tui.text import (
    AGE_WIDTH,
    age,
    counted,
    cut,
    fit,
    moment,
    one_line,
    path_lines,
    plain,
    quoted,
    showable,
    width,
)

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
ANY_TEXT = st.text(st.characters(codec=None), max_size=40)  # lone surrogates too


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("two\nlines\r\nthree", "two\nlines\nthree"),
        ("a\tb", "a    b"),
        ("\x1b[31mred\x07", "␛[31mred␇"),
        ("\x00\x7f", "␀␡"),
        ("\x9b31m", "⟨009b⟩31m"),
        ("safe\u202eevil", "safe⟨202e⟩evil"),
        ("zero\u200bwidth", "zero⟨200b⟩width"),
        ("tag\U000e0041", "tag⟨e0041⟩"),
        ("smuggled\ufe01", "smuggled⟨fe01⟩"),
        ("half \ud83d", "half ⟨d83d⟩"),
        ("warning ⚠\ufe0f", "warning ⚠"),
        ("\U0001f469\u200d\U0001f4bb", "\U0001f469\U0001f4bb"),
        ("\U0001f44d\U0001f3fd", "\U0001f44d"),
        ("\U0001f469\U0001f3fd\u200d\U0001f4bb", "\U0001f469\U0001f4bb"),
        ("skin \U0001f3fd", "skin ⟨1f3fd⟩"),
        ("[b]list[int][/b]", "[b]list[int][/b]"),
    ],
)
def test_what_cannot_be_seen_is_made_visible(text: str, shown: str):
    assert showable(text) == shown


def test_every_run_of_white_space_is_one_space():
    assert one_line("  a \n\n\t b\u2003c ") == "a b c"


@pytest.mark.parametrize(
    ("text", "cells", "shown"),
    [
        ("retry budget", 12, "retry budget"),
        ("retry budget", 11, "retry budg…"),
        ("retry budget", 7, "retry…"),
        ("retry budget", 1, "…"),
        ("retry budget", 0, ""),
        ("", 4, ""),
        ("日本語", 6, "日本語"),
        ("日本語", 5, "日本…"),
        ("日本語", 4, "日…"),
        ("a\u0301" * 900, 3, "a\u0301a\u0301…"),
    ],
)
def test_what_is_cut_off_ends_in_an_ellipsis(text: str, cells: int, shown: str):
    assert cut(text, cells) == shown


@given(ANY_TEXT, st.integers(0, 30))
def test_no_text_is_wider_than_its_cells(text: str, cells: int):
    assert width(cut(text, cells)) <= cells
    assert width(fit(text, cells)) == width(fit(text, cells, right=True)) == cells


@given(ANY_TEXT)
def test_what_is_shown_can_be_sent_to_a_terminal(text: str):
    shown = showable(text)

    shown.encode("utf-8")
    assert all(
        char == "\n" or char.isprintable() or char.isspace() for char in shown if char < "\xa1"
    )


MARKUP_TEXT = st.text("[]/\\\\@=\"'()bc#$1 ", max_size=12)


@given(ANY_TEXT | MARKUP_TEXT)
def test_no_text_becomes_markup(text: str):
    sentence = Content.from_markup(f"Forgot {quoted(text)}. [@click=app.undo]Undo[/]")

    assert plain(text).plain == showable(text)
    assert sentence.plain == f"Forgot “{cut(text, 40)}”. Undo"
    assert len(sentence.spans) == 1


def test_a_text_of_any_length_is_cut_without_being_read_whole():
    assert cut("\u0301" * 10_000_000, 3).endswith("…")


@pytest.mark.parametrize(
    ("ago", "shown"),
    [
        (0, " now"),
        (MINUTE - 1, " now"),
        (MINUTE, "  1m"),
        (HOUR - 1, " 59m"),
        (HOUR, "  1h"),
        (DAY - 1, " 23h"),
        (DAY, "  1d"),
        (14 * DAY - 1, " 13d"),
        (14 * DAY, "  2w"),
        (60 * DAY - 1, "  8w"),
        (60 * DAY, " 1mo"),
        (365 * DAY, "11mo"),
        (366 * DAY, "  1y"),
        (200 * 366 * DAY, " 99y"),
        (-MINUTE, " +1m"),
        (-3 * DAY, " +3d"),
        (-365 * DAY, "+52w"),
        (-400 * DAY, " +1y"),
    ],
)
def test_ages_are_told_in_four_cells(ago: int, shown: str):
    assert age(1_000 * DAY * 100, 1_000 * DAY * 100 + ago) == shown


@given(st.integers(-(10**15), 10**15), st.integers(-(10**15), 10**15))
def test_every_age_has_the_same_width(ms: int, now_ms: int):
    assert len(age(ms, now_ms)) == AGE_WIDTH


def test_no_time_is_blank():
    assert age(None, 0) == " " * AGE_WIDTH


def test_a_moment_names_its_zone():
    assert moment(datetime(2026, 11, 21, 14, 32, 10, tzinfo=UTC)).startswith("2026-11-2")


@pytest.mark.parametrize(
    ("count", "told"),
    [(0, "0 memories"), (1, "1 memory"), (3_214, "3,214 memories")],
)
def test_a_number_agrees_with_its_noun(count: int, told: str):
    assert counted(count, "memory", "memories") == told


def test_a_path_is_broken_between_its_parts():
    path = "src/quayside/domain/waitlist.py"
    assert path_lines(path, 31) == path
    assert path_lines(path, 30) == "src/quayside/domain/\nwaitlist.py"
    assert path_lines("/a/bc/", 3) == "/a/\nbc/"
    assert path_lines("", 3) == ""
