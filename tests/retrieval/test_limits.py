"""The hook reads limits leniently: what cannot be used has its default."""

from memdeck.core.config.limits import RANGES, RecallLimits

NUMBERS = sorted(RANGES)


def test_the_defaults_are_those_of_the_design():
    limits = RecallLimits()
    assert (limits.max_candidate_scan, limits.max_retrieval_ms) == (500, 200)
    assert (limits.top_k, limits.injection_top_n) == (15, 5)
    assert (limits.max_pinned, limits.max_per_source) == (5, 2)
    assert limits.drop_bottom_share == 0.3
    assert (limits.context_share, limits.max_budget_tokens) == (0.08, 5_000)
    assert limits.min_importance == 6


def test_both_ends_of_a_range_are_taken_and_beyond_them_the_default_counts(subtests):
    for name in NUMBERS:
        with subtests.test(name=name):
            low, high = RANGES[name]
            usual = getattr(RecallLimits(), name)
            for value, taken in ((low, low), (high, high), (low - 1, usual), (high + 1, usual)):
                assert getattr(RecallLimits.of_preset({name: value}, "balanced"), name) == taken


def test_degraded_looks_at_less():
    slow = RecallLimits().degraded()
    assert (slow.top_k, slow.max_candidate_scan) == (5, 100)
    smaller = RecallLimits(top_k=3, max_candidate_scan=50).degraded()
    assert (smaller.top_k, smaller.max_candidate_scan) == (3, 50)


def test_the_ceiling_can_be_moved_within_its_range():
    assert RecallLimits().with_ceiling(1_200).max_budget_tokens == 1_200
    assert RecallLimits().with_ceiling(1).max_budget_tokens == 100
    assert RecallLimits().with_ceiling(10**9).max_budget_tokens == 50_000
