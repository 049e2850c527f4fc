"""Recall that is too slow looks at less, until it is quick again (002-17, 002-34)."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdeck.core.config.limits import RecallLimits
from memdeck.core.retrieval.slo import (
    HEALTHY_MS,
    LEAST_SAMPLES,
    SLOW_MS,
    WINDOW,
    describe,
    judge,
    percentile_95,
)


def test_the_numbers_are_those_of_the_design():
    assert (WINDOW, LEAST_SAMPLES, HEALTHY_MS, SLOW_MS) == (100, 5, 200, 300)


def test_between_healthy_and_slow_everything_stays_as_it_was(subtests):
    rows = [
        (0.0, "healthy", False, False),
        (199.9, "healthy", False, False),
        (200.0, "fair", False, True),
        (300.0, "fair", False, True),
        (300.1, "slow", True, True),
        (9_999.0, "slow", True, True),
    ]
    for p95, state, from_well, from_degraded in rows:
        with subtests.test(p95=p95):
            window = [p95] * LEAST_SAMPLES
            assert judge(window, False)[:2] == (state, p95)
            assert judge(window, False).is_degraded is from_well
            assert judge(window, True).is_degraded is from_degraded


@pytest.mark.parametrize("was_degraded", [True, False])
def test_fewer_than_five_samples_decide_nothing(was_degraded):
    assert judge([5_000.0] * 4, was_degraded).is_degraded is was_degraded
    assert judge([1.0] * 4, was_degraded).is_degraded is was_degraded
    assert judge([], was_degraded) == ("unknown", None, 0, was_degraded)
    assert judge([5_000.0] * 5).is_degraded
    assert not judge([1.0] * 5, True).is_degraded


def test_only_the_last_hundred_count():
    assert judge([9_999.0] * 50 + [10.0] * 100).state == "healthy"
    assert judge([9_999.0] * 6 + [10.0] * 94).state == "slow"
    assert judge([9_999.0] * 5 + [10.0] * 95).state == "healthy"  # one in twenty may be slow
    assert judge([10.0] * 1_000).samples == 100


@given(st.lists(st.floats(0, 10_000), min_size=1, max_size=150))
def test_at_least_95_percent_are_within_the_95th_percentile(values):
    p95 = percentile_95(values)
    within = sum(value <= p95 for value in values)
    below = sum(value < p95 for value in values)
    assert within >= 0.95 * len(values) > below
    assert p95 in values


@given(st.lists(st.floats(0, 1_000), max_size=120), st.booleans())
def test_judging_twice_decides_the_same(values, was_degraded):
    once = judge(values, was_degraded)
    assert judge(values, once.is_degraded) == once


def test_degraded_limits_are_those_of_the_design_and_never_wider():
    """002-17."""
    limits = RecallLimits().degraded()
    assert (limits.top_k, limits.max_candidate_scan) == (5, 100)
    narrow = RecallLimits(top_k=3, max_candidate_scan=50).degraded()
    assert (narrow.top_k, narrow.max_candidate_scan) == (3, 50)


def test_health_is_told_in_a_line(subtests):
    rows = [
        ([], False, "not measured yet"),
        ([10.0] * 4, False, "too few to judge"),
        ([10.0] * 5, False, "healthy"),
        ([250.0] * 5, False, "fair"),
        ([250.0] * 5, True, "looks at less"),
        ([400.0] * 5, False, "looks at less"),
    ]
    for values, was_degraded, said in rows:
        with subtests.test(values=values):
            assert said in describe(judge(values, was_degraded))


@pytest.fixture
def noted(core):
    """Report recalls that took so many milliseconds each."""

    def note(*latencies):
        for latency in latencies:
            core.keep_receipt(
                {
                    "id": os.urandom(8).hex(),
                    "at": core.now_ms(),
                    "host": "claude",
                    "project": core.project_id,
                    "session": None,
                    "event": "UserPromptSubmit",
                    "prompt_fingerprint": "0" * 16,
                    "tokens": 0,
                    "budget": 5_000,
                    "per_tier": {},
                    "items": [],
                    "left_out": [],
                    "latency_ms": latency,
                }
            )
        return core.health()

    return note


def test_the_store_remembers_that_recall_is_degraded_until_it_is_healthy(core, noted):
    assert core.health().state == "unknown"
    assert not noted(*[900.0] * 4).is_degraded
    assert noted(900.0).is_degraded
    assert noted(*[250.0] * 100).is_degraded  # the slow ones have left the window
    assert core.health().state == "fair"
    assert not noted(*[10.0] * 100).is_degraded
    assert not noted(*[250.0] * 100).is_degraded
    assert len(core.latencies()) == 100


def test_a_degraded_recall_looks_at_less_and_says_so(core, noted):
    for number in range(12):
        core.remember(f"The harbour crane number {number} is checked by crew {number}{number}.")
    assert not core.recall("harbour crane crew", write_receipt=False).is_degraded
    noted(*[900.0] * 5)
    less = core.recall("harbour crane crew", write_receipt=False)
    assert less.is_degraded
    running = [why for _, why in less.left_out if why != "others rank before it"]
    assert len(less.items) + len(running) <= 5
