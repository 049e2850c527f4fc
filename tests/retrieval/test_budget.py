"""Tokens: how they are counted, and who gets how many."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdeck.core.limits import RecallLimits
from memdeck.core.retrieval.budget import (
    TIERS,
    TYPE_SHARES,
    adaptive_row,
    adaptive_total,
    allocate,
    type_shares,
)
from memdeck.core.retrieval.tokens import estimate_tokens, utf8_bytes, utf16_units


@pytest.mark.parametrize(
    ("words", "tokens"), [(0, 0), (1, 1), (2, 2), (3, 3), (4, 5), (10, 13), (1_000, 1_300)]
)
def test_an_estimate_is_the_whole_part_of_words_times_1_3(words, tokens):
    """000-41."""
    assert estimate_tokens(" \n".join(["word"] * words)) == tokens


def test_lengths_are_counted_as_hosts_do():
    assert (utf16_units("aé€😀"), utf8_bytes("aé€😀")) == (5, 10)
    assert (utf16_units(""), utf8_bytes("")) == (0, 0)
    assert utf8_bytes("\ud800") == 1


@given(st.text())
def test_bytes_are_never_fewer_than_utf16_units(text):
    clean = text.encode("utf-8", "replace").decode()
    assert utf8_bytes(clean) >= utf16_units(clean) == len(clean.encode("utf-16-le")) // 2


@pytest.mark.parametrize(
    ("context", "total", "row"),
    [
        (100_000, 5_000, (400, 2_300, 1_500, 600)),
        (50_000, 4_000, (320, 1_840, 1_196, 600)),
        (20_000, 1_600, (200, 700, 500, 200)),
        (8_000, 640, (200, 500, 300, 200)),
    ],
)
def test_the_table_holds_as_written_and_the_total_always_wins(context, total, row):
    """002-19 and "Settled": lower tiers shrink first until the parts fit."""
    allocation = allocate(RecallLimits(), context)
    assert allocation.total == total
    assert tuple(allocation.row[tier] for tier in TIERS) == row
    limits = allocation.limits
    assert sum(limits.values()) <= total
    left = total
    for tier, wanted in zip(TIERS, row, strict=True):
        assert limits[tier] == min(wanted, left)
        left -= limits[tier]


def test_with_8000_tokens_left_the_lower_tiers_give_way():
    assert allocate(RecallLimits(), 8_000).limits == {
        "always": 200,
        "working": 440,
        "retrieval": 0,
        "summary": 0,
    }


def test_an_unknown_context_counts_as_100000():
    """000-40."""
    assert allocate(RecallLimits()) == allocate(RecallLimits(), 100_000)


@pytest.mark.parametrize(
    ("context", "total"),
    [(-5, 0), (0, 0), (12, 0), (13, 1), (62_499, 4_999), (62_500, 5_000), (10**9, 5_000)],
)
def test_the_total_is_8_percent_up_to_the_ceiling(context, total):
    assert adaptive_total(RecallLimits(), context) == total


@given(st.integers(0, 60_000))
def test_rows_grow_with_the_total(total):
    row, next_row = adaptive_row(total), adaptive_row(total + 1)
    assert all(row[tier] <= next_row[tier] for tier in TIERS)
    if total <= 5_000:  # 002-18
        assert 200 <= row["always"] <= 400
        assert 300 <= row["retrieval"] <= 1_500
        assert 200 <= row["summary"] <= 600


def test_a_raised_ceiling_raises_every_tier():
    """002-23."""
    allocation = allocate(RecallLimits().with_ceiling(10_000), 200_000)
    assert allocation.total == 10_000
    assert tuple(allocation.row[tier] for tier in TIERS) == (800, 4_600, 3_000, 1_200)


@given(
    st.integers(0, 2_000_000),
    st.integers(100, 50_000),
    st.sampled_from(["adaptive", "five-type", "tiered"]),
    st.text(max_size=40),
)
def test_the_parts_of_every_policy_fit_the_total(context, ceiling, policy, prompt):
    limits = RecallLimits(budget_policy=policy, max_budget_tokens=ceiling)
    allocation = allocate(limits, context, prompt)
    assert sum(allocation.limits.values()) <= allocation.total
    assert all(value >= 0 for value in allocation.limits.values())


def test_the_five_type_policy_has_000s_numbers():
    """000-40, 000-42, 000-18."""
    allocation = allocate(RecallLimits(budget_policy="five-type"))
    assert allocation.total == 8_000
    assert allocation.shares == {
        "episodic": 2_000,
        "semantic": 3_000,
        "prospective": 1_000,
        "procedural": 2_000,
    }
    assert allocation.shares_are_hard
    assert allocation.row["working"] == 1_000
    assert allocation.places == 20
    assert allocate(RecallLimits(budget_policy="five-type"), 50_000).total == 4_000


@pytest.mark.parametrize(
    ("prompt", "moved"),
    [
        ("what is on the TODO list", {"prospective": 1_500, "semantic": 2_500}),
        ("which task comes next", {"prospective": 1_500, "semantic": 2_500}),
        ("how to release", {"procedural": 2_500, "episodic": 1_500}),
        ("the procedure for tasks", {"procedural": 2_500, "prospective": 1_500}),
        ("anything else", {}),
    ],
)
def test_the_words_of_a_prompt_move_500_tokens(prompt, moved):
    """000-43."""
    shares = allocate(RecallLimits(budget_policy="five-type"), None, prompt).shares
    assert {name: shares[name] for name in moved} == moved
    assert sum(shares.values()) == 8_000


@given(st.text())
def test_shares_always_add_up(prompt):
    assert sum(type_shares(prompt).values()) == pytest.approx(1.0)


def test_the_retrieval_tier_is_shared_by_type():
    """ "Settled": 000's type shares inside 002's retrieval tier."""
    allocation = allocate(RecallLimits(), 100_000)
    assert allocation.shares == {name: int(1_500 * part) for name, part in TYPE_SHARES.items()}
    assert not allocation.shares_are_hard
    assert allocation.share_of("social") == allocation.shares["prospective"]  # 001-13


def test_the_tiered_policy_is_40_40_20():
    """004-10."""
    allocation = allocate(RecallLimits(budget_policy="tiered"), 50_000)
    assert allocation.row["working"] == 1_600
    assert allocation.shares == {"project": 1_600, "global": 800}
    assert allocation.shares_by == "scope"
