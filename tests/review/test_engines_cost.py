"""What asking costs, and that a day's limits hold whoever asks."""

import threading
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

WORDS = '{"importance": 8, "total_cost_usd": %s}'
PAID, FREE, UNKNOWN = {"usd_per_call": 0.02}, {"usd_per_call": 0.0}, {}
LOCAL = {"kind": "openai", "url": "http://localhost:1/v1", "model": "m"}
amounts = st.floats(0, 1)


@pytest.fixture
def judge(model, reviewer, note):
    """The vote of a model at this price, when so much was spent today."""

    def _judge(price, spent=(0.0, 0), **limits):
        voter = reviewer(spent=spent, review=limits, **{"kind": "claude", **price})
        return replace(voter, model=replace(voter.model, engine=model)).review(note(), 20.0)

    return _judge


# --- the sums


def test_a_call_costs_what_is_reported_else_its_price_else_a_cent(model, judge, subtests):
    rows = [
        (UNKNOWN, 0.3, 0.3),
        (PAID, 0.3, 0.3),  # what the host says goes first
        (UNKNOWN, None, 0.01),
        (PAID, None, 0.02),
        (LOCAL, 0.3, 0.0),
        (PAID | LOCAL, None, 0.02),
        (FREE, 0.3, 0.0),  # a subscription pays
    ]
    for price, reported, usd in rows:
        with subtests.test(price=price):
            model.reply.cost_usd = reported
            for model.reply.text in (
                '{"importance": 8}',
                '{"importance": 99}',
            ):  # of no use, but paid for
                assert judge(price).cost_usd == pytest.approx(usd)


def test_a_call_that_was_never_made_costs_nothing(ask):
    vote = ask(kind="program", program=["not-installed"], **PAID)
    assert (vote.status, vote.cost_usd) == ("failed", 0)


@pytest.mark.slow
def test_what_is_no_amount_of_money_is_not_counted(program, ask, subtests):
    judge = program()
    for value in ['"1"', "null", "true", "-0.1", "NaN", "Infinity", "1" + "0" * 400]:
        with subtests.test(value):
            judge.acts(stdout=WORDS % value)
            assert ask(kind="program", program=["judge"]).cost_usd == 0.01  # as if it said nothing
    for value in (0, 0.004):
        with subtests.test(value):
            judge.acts(stdout=WORDS % value)
            assert ask(kind="program", program=["judge"]).cost_usd == value


# --- the day's limits


@pytest.mark.parametrize(
    ("spent", "price", "is_allowed"),
    [
        ((0.0, 0), PAID, True),
        ((0.48, 10), PAID, True),  # to the cent
        ((0.481, 10), PAID, False),
        ((0.5, 10), FREE, True),
        ((0.5, 10), LOCAL, True),
        ((0.5, 10), UNKNOWN, False),
        ((0.0, 99), PAID, True),
        ((0.0, 100), PAID, False),
        ((0.0, 100), FREE, False),  # free calls count as calls
        ((9.9, 900), PAID, False),
    ],
)
def test_a_call_is_allowed_up_to_both_limits(model, judge, spent, price, is_allowed):
    vote = judge(price, spent, max_cost_usd_per_day=0.5, max_calls_per_day=100)
    assert vote.status == ("ok" if is_allowed else "over_budget")
    assert model.calls == is_allowed


def test_a_limit_of_nothing_lets_only_free_engines_answer(judge):
    nothing = {"max_cost_usd_per_day": 0, "max_calls_per_day": 9}
    for price in (UNKNOWN, PAID):
        assert "costs money" in judge(price, **nothing).reason
    for price in (FREE, LOCAL):
        assert judge(price, **nothing).status == "ok"


def test_a_refusal_says_how_much_was_spent_of_how_much(judge):
    limits = {"max_cost_usd_per_day": 0.5, "max_calls_per_day": 9}
    why = judge(PAID, (0.49, 3), **limits).reason
    assert why == "$0.49 of $0.50 were spent today, and a call is taken to cost $0.020."
    assert judge(PAID, (0, 9), **limits).reason.startswith("9 calls were made")


@given(amounts, st.integers(0, 20), amounts, amounts, st.integers(0, 20))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_allowed_never_exceeds_the_limits(judge, usd, calls, call_usd, max_usd, max_calls):
    limits = {"max_cost_usd_per_day": max_usd, "max_calls_per_day": max_calls}
    if judge({"usd_per_call": call_usd}, (usd, calls), **limits).status == "ok":
        assert calls < max_calls
        assert call_usd == 0 or usd + call_usd <= max_usd


# --- as reviewers see them


def test_beyond_the_days_money_nobody_is_asked(program, ask):
    judge = program()
    vote = ask(kind="program", program=["judge"], spent=(0.5, 3))
    assert (vote.status, vote.score, vote.cost_usd) == ("over_budget", None, 0.0)
    assert "$0.50 of $0.50" in vote.reason
    assert vote.engine == "program judge"
    assert judge.calls == []


def test_beyond_the_days_calls_nobody_is_asked(program, ask):
    judge = program()
    vote = ask(kind="program", program=["judge"], usd_per_call=0.0, spent=(0, 300))
    assert vote.status == "over_budget"
    assert judge.calls == []


def test_with_a_limit_of_0_what_costs_is_never_asked_and_what_is_free_always(program, ask):
    judge = program()
    nothing = {"max_cost_usd_per_day": 0.0}
    assert ask(kind="program", program=["judge"], review=nothing).status == "over_budget"
    assert judge.calls == []
    free = ask(kind="program", program=["judge"], review=nothing, usd_per_call=0.0)
    assert (free.status, free.cost_usd) == ("ok", 0.0)


def test_what_calls_cost_is_counted_on(program, reviewer, note):
    judge = program(stdout=WORDS % 0.2)
    voter = reviewer(kind="program", program=["judge"])
    votes = [voter.review(note(), 20.0) for _ in range(4)]
    assert [vote.status for vote in votes] == ["ok", "ok", "ok", "over_budget"]
    assert [vote.cost_usd for vote in votes] == [0.2, 0.2, 0.2, 0.0]
    assert (voter.budget.usd, voter.budget.calls) == (pytest.approx(0.6), 3)
    assert len(judge.calls) == 3


def test_reviewers_that_ask_at_the_same_moment_share_one_purse(program, three_reviewers, note):
    """The day has one call left, and three reviewers want it."""
    judge = program(stdout='{"score": 8}')
    voters = three_reviewers((0.0, 9), max_calls_per_day=10)
    votes = []
    threads = [
        threading.Thread(target=lambda voter=voter: votes.append(voter.review(note(), 20.0)))
        for voter in voters
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(vote.status for vote in votes) == ["ok", "over_budget", "over_budget"]
    assert len(judge.calls) == 1


def test_a_call_that_came_cheaper_leaves_room_for_another(program, three_reviewers, note):
    program(stdout=WORDS % 0.001)
    voters = three_reviewers((0.48, 0), usd_per_call=0.02)
    votes = [voter.review(note(), 20.0) for voter in voters]
    assert [vote.status for vote in votes] == ["ok", "over_budget", "over_budget"]
    voters = three_reviewers((0.475, 0), usd_per_call=0.02)
    votes = [voter.review(note(), 20.0) for voter in voters]
    assert [vote.status for vote in votes] == ["ok"] * 3


def test_an_answer_that_is_no_use_costs_all_the_same(program, ask):
    program(stdout='{"importance": 99, "total_cost_usd": 0.03}')
    vote = ask(kind="program", program=["judge"])
    assert (vote.status, vote.cost_usd) == ("invalid", 0.03)


def test_a_program_that_hangs_is_taken_to_have_cost_something(program, ask):
    program(do="hang")
    vote = ask(kind="program", program=["judge"], limit_s=1.0)
    assert (vote.status, vote.cost_usd) == ("timeout", 0.01)
