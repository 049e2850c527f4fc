"""The hook reads limits leniently: what cannot be used has its default."""

from dataclasses import fields

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdeck.core.config.limits import CHOICES, RANGES, RecallLimits

NUMBERS = sorted(RANGES)


def test_the_defaults_are_those_of_the_design():
    """002-16, 002-19, 000-35, 000-40."""
    limits = RecallLimits()
    assert (limits.max_candidate_scan, limits.max_retrieval_ms) == (500, 200)
    assert (limits.top_k, limits.injection_top_n) == (15, 5)
    assert (limits.max_pinned, limits.max_per_source) == (5, 2)
    assert limits.drop_bottom_share == 0.3
    assert (limits.context_share, limits.max_budget_tokens) == (0.08, 5_000)
    assert limits.five_type_tokens == 8_000
    assert limits.default_context_tokens * limits.context_share == limits.five_type_tokens
    assert limits.min_importance == 6


def test_every_field_has_a_range_or_a_choice():
    names = {field.name for field in fields(RecallLimits)}
    assert names == RANGES.keys() | CHOICES.keys() | {"strategy", "keep_prompts", "keep_told"}
    assert not RANGES.keys() & CHOICES.keys()


def test_both_ends_of_a_range_are_taken_and_beyond_them_the_default_counts(subtests):
    for name in NUMBERS:
        with subtests.test(name=name):
            low, high = RANGES[name]
            usual = getattr(RecallLimits(), name)
            for value, taken in ((low, low), (high, high), (low - 1, usual), (high + 1, usual)):
                assert getattr(RecallLimits.from_mapping({name: value}), name) == taken


def test_what_is_no_number_is_ignored(subtests):
    for nonsense in ["12", True, None, [], {}, float("nan")]:
        for name in NUMBERS:
            with subtests.test(nonsense=nonsense, name=name):
                assert RecallLimits.from_mapping({name: nonsense}) == RecallLimits()


def test_only_known_words_are_taken(subtests):
    for name in sorted(CHOICES):
        with subtests.test(name=name):
            for word in CHOICES[name]:
                assert getattr(RecallLimits.from_mapping({name: word}), name) == word
            assert getattr(RecallLimits.from_mapping({name: "other"}), name) == CHOICES[name][0]
            assert getattr(RecallLimits.from_mapping({name: ["blend"]}), name) == CHOICES[name][0]


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)


@pytest.mark.slow
@settings(max_examples=40)
@given(st.dictionaries(st.sampled_from([*NUMBERS, *CHOICES]) | st.text(), ANYTHING))
def test_no_table_is_refused_and_all_stays_in_range(table):
    limits = RecallLimits.from_mapping(table)
    for name, (low, high) in RANGES.items():
        assert low <= getattr(limits, name) <= high
    for name, words in CHOICES.items():
        assert getattr(limits, name) in words


def test_degraded_looks_at_less():
    """002-17."""
    slow = RecallLimits().degraded()
    assert (slow.top_k, slow.max_candidate_scan) == (5, 100)
    smaller = RecallLimits(top_k=3, max_candidate_scan=50).degraded()
    assert (smaller.top_k, smaller.max_candidate_scan) == (3, 50)


def test_the_ceiling_can_be_moved_within_its_range():
    """002-23: `memory budget <tokens>`."""
    assert RecallLimits().with_ceiling(1_200).max_budget_tokens == 1_200
    assert RecallLimits().with_ceiling(1).max_budget_tokens == 100
    assert RecallLimits().with_ceiling(10**9).max_budget_tokens == 50_000
