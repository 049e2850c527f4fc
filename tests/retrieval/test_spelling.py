"""Mistyped words, and which word of the index was meant."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdeck.core.retrieval.keywords import keywords
from memdeck.core.retrieval.spelling import meant_by, slips, unknown
from memdeck.db.index import beginnings

KNOWN = ["configur", "servic", "sensor", "budget", "auth", "deploy", "importer", "retri", "timeout"]


def known(word):
    return [stem for stem in KNOWN if stem.startswith(beginnings(word))]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("sevice", "servic"),
        ("senosr", "sensor"),
        ("buget", "budget"),
        ("configurtion", "configur"),
        ("configuratoin", "configur"),
        ("improter", "importer"),
        ("imporrter", "importer"),
        ("ubdget", "budget"),
        ("deploments", "deploy"),
        ("sensro", "sensor"),
        ("esrvice", "servic"),
        ("sevrice", "servic"),
        ("imxporter", "importer"),
        ("btudget", "budget"),
        ("deqloy", "deploy"),
    ],
)
def test_a_slip_leads_to_the_word_that_was_meant(typed, meant):
    assert meant_by(typed, known) == (meant,)


@pytest.mark.parametrize("word", ["autumn", "servant", "bucket", "timber", "configs"])
def test_another_word_stays_another_word(word):
    assert meant_by(word, known) == ()


@pytest.mark.parametrize(
    ("one", "other", "count"),
    [("", "", 0), ("tide", "tide", 0), ("tide", "tdie", 1), ("tide", "tid", 1), ("a", "bcd", 3)],
)
def test_slips_are_counted(one, other, count):
    assert slips(one, other) == slips(other, one) == count


@settings(deadline=None)
@given(st.text("abc", max_size=8), st.text("abc", max_size=8))
def test_slips_are_at_most_the_longer_word(one, other):
    assert abs(len(one) - len(other)) <= slips(one, other) <= max(len(one), len(other))
    assert (slips(one, other) == 0) == (one == other)


@settings(deadline=None)
@given(st.text("ab", max_size=6), st.text("abc", max_size=4), st.text("abc", max_size=4))
def test_what_two_words_share_at_either_end_counts_for_nothing(shared, one, other):
    count = slips(one, other)
    assert slips(shared + one, shared + other) <= count
    assert slips(f"{shared}x{one}", f"{shared}x{other}") == count
    assert slips(f"{one}x{shared}", f"{other}x{shared}") == count


def test_only_words_that_nothing_has_are_looked_up_the_longest_first_and_at_most_three():
    terms = keywords("tides berth sevice improter configurtion deploments retry_bugdet TS2345")
    found = unknown(terms, {"berth": 3, "tides": 1})
    assert found == ["configurtion", "deploments", "improter"]
    assert unknown(terms, dict.fromkeys((term.text for term in terms), 1)) == []


def test_a_word_that_a_synonym_stands_for_is_known():
    terms = keywords("authentication", {"authentication": ["login"]})
    assert unknown(terms, {"login": 2}) == []
    assert unknown(terms, {"login": 0}) == ["authentication"]
