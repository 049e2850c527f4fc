"""Who may have the last word on the order, and ways of answering by name."""

from datetime import timedelta

import pytest

from memdeck import BadInput, Strategy

PLAIN = Strategy("own", lambda _question, ranked, _now: ranked)


def aged(clock, days):
    return (clock.now - timedelta(days=days)).isoformat()


def test_the_default_changes_nothing_and_a_strategy_is_chosen_by_name_or_handed_in(core, keep):
    """The reranker hook, a no-op by default."""
    keep("Berth 12 floods at spring tide", "Berth 9 is dry")
    asked = []

    def backwards(question, ranked, now_ms):
        asked.append((question, now_ms))
        return list(reversed(ranked))

    plain = core.search("berth")
    for same in ("plain", PLAIN):
        assert core.search("berth", strategy=same) == plain
    turned = core.search("berth", strategy=Strategy("backwards", backwards))
    assert turned == plain[::-1]
    assert asked == [("berth", core.now_ms())]
    assert "time" in core.search("berth", strategy="time-weighted")[0].parts
    with pytest.raises(BadInput, match="no search strategy 'best'"):
        core.search("berth", strategy="best")


def test_time_weighted_puts_the_newer_of_two_good_answers_first(core, keep, clock, subtests):
    """Weight 0.3, recency 1 / (1 + 0.1 x days); of a much better one none."""
    for days, freshness in [(0, 1.0), (10, 0.5), (90, 0.1), (990, 0.01)]:
        with subtests.test(days=days):
            keep({"content": f"The berth floods, {days}", "created_at": aged(clock, days)})
            hits = {hit.memory.content: hit for hit in core.search("berth", 9, "time-weighted")}
            hit = hits[f"The berth floods, {days}"]
            assert hit.parts["time"] == pytest.approx(0.3 * freshness)
    newest, *_ = core.search("berth", strategy="time-weighted")
    assert newest.memory.content == "The berth floods, 0"
    keep({"content": "The crane of the sluice beside berth 12", "created_at": aged(clock, 900)})
    best, *_ = core.search("crane sluice beside", strategy="time-weighted")
    assert best.memory.content.startswith("The crane")


@pytest.mark.parametrize("ranking", ["blend", "multiplicative", "additive"])
@pytest.mark.parametrize("strategy", ["time-weighted", "reviewed"])
def test_parts_add_up_after_any_reranker(core, keep, settings, clock, strategy, ranking):
    settings(ranking=ranking)
    keep(
        *(
            {"content": f"Tide {'x' * n}", "importance": n / 9, "created_at": aged(clock, n**4)}
            for n in range(9)
        )
    )
    hits = core.search("why tide?", strategy=strategy)
    assert len(hits) == 9
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    for hit in hits:
        assert hit.score == pytest.approx(sum(hit.parts.values()))
        assert -1e-9 <= hit.score <= 1.0 + 1e-9
