"""Text from outside is safe to store, compare and show."""

import sys
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdeck.tests.redacting import redact, redact_all

REPLACEMENT = "\ufffd"
ZWNJ, ZWJ = "\u200c", "\u200d"

# Characters whose neighbours decide about them; random text alone would hardly ever combine them.
TRICKY = (
    "a1é>#❤🔥👩می\u0301\u0338\u200c\u200d\ufe0f\u20e3\u034f"
    "\x1b[]mP\\\x9b\x9d\x07\x00\r\n\ud83d\ude00"
)
ANY_TEXT = st.one_of(
    st.text(st.characters(exclude_categories=())), st.text(TRICKY, max_size=12), st.text()
)


def clean(text):
    """What is left of a text that holds no secret."""
    return redact(text).value


@settings(max_examples=3)
@given(st.lists(ANY_TEXT, min_size=20, max_size=20))
def test_the_result_is_storable_holds_no_control_character_and_is_clean(texts):
    """Sixty texts, twenty of them by one command."""
    cleaned = [one.value for one in redact_all(texts)]
    for text in cleaned:
        text.encode()
        assert unicodedata.is_normalized("NFC", text)
        assert not {char for char in text if unicodedata.category(char) == "Cc"} - {"\t", "\n"}
        assert not {char for char in text if unicodedata.category(char) == "Cf"} - {ZWNJ, ZWJ}
    assert [one.value for one in redact_all(cleaned)] == cleaned


PLAIN = st.text(st.characters(codec="ascii", exclude_categories=("Cc",)))


@settings(max_examples=3)
@given(st.lists(PLAIN, min_size=20, max_size=20))
def test_plain_ascii_is_returned_as_it_is(texts):
    assert [one.value for one in redact_all(texts)] == texts


def test_every_format_character_goes_from_inside_a_word():
    characters = map(chr, range(sys.maxunicode + 1))
    invisible = [char for char in characters if unicodedata.category(char) == "Cf"]
    cleaned = redact_all(f"a{char}b" for char in invisible)
    assert [one.value for one in cleaned] == ["ab"] * len(invisible)


def test_newlines_controls_and_surrogates(subtests):
    rows = [
        ("a\r\nb\rc\x0bd\x0ce\x85f\u2028g\u2029h", "a\nb\nc\nd\ne\nf\ng\nh"),
        ("tab\tand\nnewline stay", "tab\tand\nnewline stay"),
        ("nul\x00", f"nul{REPLACEMENT}"),
        ("bell\x07 back\x08 del\x7f c1\x80", "bell back del c1"),
        ("lone \ud800 half", f"lone {REPLACEMENT} half"),
        ("two halves \ud83d\ude00", "two halves 😀"),
        ("e\u0301", "é"),
    ]
    for text, cleaned in rows:
        with subtests.test(text=text):
            assert clean(text) == cleaned


def test_escape_sequences_go(subtests):
    rows = [
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x9b31mred", "red"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;https://x.io\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b]52;c;aGVsbG8=\x07", ""),
        ("\x9d0;title\x9ctext", "text"),
        ("\x1bPdevice\x1b\\text", "text"),
        ("\x1b(Btext\x1b7", "text"),
        ("\x1b]0;no end\nnext line", "0;no end\nnext line"),
        ("\x1b\x1b[0m[31mred", "[31mred"),
        ("an array[0] stays", "an array[0] stays"),
    ]
    for text, cleaned in rows:
        with subtests.test(text=text):
            assert clean(text) == cleaned


@pytest.mark.parametrize(
    "hidden",
    "\u202e\u2066\u200b\u200e\ufeff\u2060\u00ad\u061c\u180e\u034f\u115f\u3164\ufe0f\u200c\u200d"
    "\U000e0041\U000e0100",
)
def test_what_cannot_be_seen_splits_no_word(hidden):
    assert clean(f"pass{hidden}word") == "password"


def test_joiners_stay_where_they_are_meant(subtests):
    rows = [
        "👩\u200d👩\u200d👧 a family",
        "❤\ufe0f\u200d🔥 and ☀\ufe0f",
        "1\ufe0f\u20e3 a keycap",
        "👍🏽 with a skin tone",
        "می\u200cخواهم",
        "क्\u200dष and क्\u200cष",
    ]
    for text in rows:
        with subtests.test(text=text):
            assert clean(text) == text


def test_joiners_go_where_they_join_nothing(subtests):
    for text in [f" {ZWJ} ", f"a{ZWJ}é", f"é{ZWJ}", f"👩{ZWNJ}👧", f"é{ZWJ}{ZWJ}é"]:
        with subtests.test(text=text):
            assert not {ZWJ, ZWNJ} & set(clean(text))


@pytest.mark.slow
def test_a_long_text_of_openings_is_cleaned():
    openings = ("\x1b]", "\x9d", "\x1b[0", "\x1b", "\u200d", "é\u200d", "\ud83d")
    once = redact_all(opening * 20_000 for opening in openings)
    assert redact_all(one.value for one in once) == once
