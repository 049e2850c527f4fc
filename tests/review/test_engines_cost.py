"""What asking costs, and that a day's limits hold whoever asks."""

from dataclasses import replace

import pytest

PAID: dict[str, str] = {}
LOCAL = {"kind": "openai", "url": "http://localhost:1/v1", "model": "m"}


@pytest.fixture
def judge(model, reviewer, note):
    """The vote of a model at this price, when so much was spent today."""

    def _judge(price, spent=(0.0, 0), **limits):
        voter = reviewer(spent=spent, review=limits, **{"kind": "claude", **price})
        return replace(voter, model=replace(voter.model, engine=model)).review(note(), 20.0)

    return _judge


# --- the sums


def test_a_call_costs_what_is_reported_else_a_cent(model, judge, subtests):
    rows = [(PAID, 0.3, 0.3), (PAID, None, 0.01), (LOCAL, 0.3, 0.0), (LOCAL, None, 0.0)]
    for price, reported, usd in rows:
        with subtests.test(price=price):
            model.reply.cost_usd = reported
            for model.reply.text in (
                '{"importance": 8}',
                '{"importance": 99}',
            ):  # of no use, but paid for
                assert judge(price).cost_usd == pytest.approx(usd)


# --- the day's limits


@pytest.mark.parametrize(
    ("spent", "price", "is_allowed"),
    [
        ((0.0, 0), PAID, True),
        ((0.49, 10), PAID, True),  # to the cent
        ((0.491, 10), PAID, False),
        ((0.5, 10), LOCAL, True),
        ((0.0, 99), PAID, True),
        ((0.0, 100), PAID, False),
        ((0.0, 100), LOCAL, False),  # free calls count as calls
        ((9.9, 900), PAID, False),
    ],
)
def test_a_call_is_allowed_up_to_both_limits(model, judge, spent, price, is_allowed):
    vote = judge(price, spent, max_cost_usd_per_day=0.5, max_calls_per_day=100)
    assert vote.status == ("ok" if is_allowed else "over_budget")
    assert model.calls == is_allowed


# --- as reviewers see them


def test_beyond_the_days_money_nobody_is_asked(program, ask):
    judge = program()
    vote = ask(kind="program", program=["judge"], spent=(0.5, 3))
    assert (vote.status, vote.score, vote.cost_usd) == ("over_budget", None, 0.0)
    assert "$0.50 of $0.50" in vote.reason
    assert vote.engine == "program judge"
    assert judge.calls == []
