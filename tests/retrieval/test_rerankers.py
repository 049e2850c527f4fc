"""Who may have the last word on the order, and ways of answering by name."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdeck import BadInput
from memdeck.core.retrieval.keywords import keywords
from memdeck.core.retrieval.ranking import DAY_MS
from memdeck.core.retrieval.rerankers import (
    PLAIN,
    STRATEGIES,
    Strategy,
    analyzer,
    patterns,
    reviewed,
    time_recency,
    time_weighted,
    unchanged,
    wanted_kinds,
)
from memdeck.core.retrieval.selection import Ranked


@pytest.fixture
def two(an_image, now_ms):
    """A better answer of long ago, and a weaker one of today."""
    old = an_image("Berth", created_at=now_ms - 90 * DAY_MS, category="decision")
    new = an_image("Crane", created_at=now_ms, category="error")
    return [Ranked(old, 0.8, {"words": 0.5, "near": 0.3}), Ranked(new, 0.7, {"words": 0.7})]


def test_time_recency_falls_as_the_design_says(subtests):
    """001-15: 1 / (1 + 0.1 x days)."""
    for age_days, freshness in [(-1, 1.0), (0, 1.0), (10, 0.5), (90, 0.1), (990, 0.01)]:
        with subtests.test(age_days=age_days):
            assert time_recency(age_days) == pytest.approx(freshness)


def test_time_weighted_puts_the_newer_of_two_good_answers_first(two, now_ms):
    """001-15: weight 0.3, over-fetch x 2."""
    new, old = time_weighted("", two, now_ms)
    assert new.image["content"] == "Crane"
    assert new.parts == pytest.approx({"words": 0.7 * 0.7 / 0.8, "time": 0.3})
    assert old.parts == pytest.approx(
        {"words": 0.7 * 0.5 / 0.8, "near": 0.7 * 0.3 / 0.8, "time": 0.03}
    )
    assert STRATEGIES["time-weighted"].over_fetch == 2


def test_a_much_better_answer_stays_first_however_old(two, now_ms):
    best = two[0]._replace(score=8.0, parts={"words": 8.0})
    assert time_weighted("", [two[1], best], now_ms)[0].image["content"] == "Berth"


def test_the_default_changes_nothing(two, now_ms):
    """002-15: the reranker hook, a no-op by default."""
    assert unchanged("why?", two, now_ms) == two
    assert PLAIN.rerank is unchanged


def test_two_reviewers_count_half_between_them(two, now_ms):
    """001-04: analyzer and patterns, 0-1 each, averaged."""
    first, second = reviewed("why did the crane fail?", two, now_ms)
    assert first.image["content"] == "Crane"
    assert first.parts["patterns"] == pytest.approx(0.5 * 1.0 / 2)
    assert first.parts["analyzer"] > second.parts["analyzer"] == 0.0
    assert second.parts["patterns"] == 0.0


def test_the_analyzer_says_how_much_of_the_question_is_there(an_image, subtests):
    rows = [("Tide tables of berth 12", 1.0), ("Tide", 0.5), ("Crane", 0.0)]
    for content, opinion in rows:
        with subtests.test(content=content):
            one = Ranked(an_image(content), 1.0, {})
            assert analyzer(keywords("tide berth"), one) == pytest.approx(opinion)


def test_the_analyzer_is_sure_of_a_very_thing_by_its_name(an_image):
    one = Ranked(an_image("See db/outbox.py"), 1.0, {})
    assert analyzer(keywords("why does db/outbox.py hang for ever?"), one) == 1.0


def test_patterns_knows_what_kind_of_memory_a_question_wants(an_image, subtests):
    rows = [
        ("why did it break?", "error", 1.0),
        ("why did it break?", "preference", 0.0),
        ("what did we decide?", "decision", 1.0),
        ("worauf ist zu achten?", "warning", 1.0),
        ("berth 12", "warning", 0.5),
    ]
    for question, category, opinion in rows:
        with subtests.test(question=question):
            one = Ranked(an_image(category=category), 1.0, {})
            assert patterns(wanted_kinds(question), one) == opinion


@pytest.mark.parametrize("rerank", [time_weighted, reviewed])
@settings(deadline=None)
@given(
    scores=st.lists(st.floats(0, 10), min_size=1, max_size=8),
    ages=st.lists(st.integers(0, 4_000), min_size=8, max_size=8),
)
def test_parts_add_up_after_any_reranker(rerank, an_image, now_ms, scores, ages):
    ranked = [
        Ranked(
            an_image("Tide", created_at=now_ms - age * DAY_MS), score, {"a": score, "factor": 1.0}
        )
        for score, age in zip(scores, ages, strict=False)
    ]
    made = rerank("why tide?", ranked, now_ms)
    assert {one.id for one in made} == {one.id for one in ranked}
    assert [one.score for one in made] == sorted((one.score for one in made), reverse=True)
    for one in made:
        assert one.score == pytest.approx(sum(one.parts.values()))
        assert -1e-9 <= one.score <= 1.0 + 1e-9


def test_a_strategy_is_chosen_by_name_or_handed_in(core):
    core.remember("Berth 12 floods at spring tide")
    core.remember("Berth 9 is dry")
    backwards = Strategy("backwards", lambda _prompt, ranked, _now: list(reversed(ranked)))
    plain = [hit.id for hit in core.search("berth")]
    assert [hit.id for hit in core.search("berth", strategy="plain")] == plain
    assert [hit.id for hit in core.search("berth", strategy=backwards)] == plain[::-1]
    assert "time" in core.search("berth", strategy="time-weighted")[0].parts
    with pytest.raises(BadInput, match="no search strategy 'best'"):
        core.search("berth", strategy="best")
