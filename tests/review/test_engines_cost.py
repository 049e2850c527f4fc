"""What asking costs, and that a day's limits hold whoever asks."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdeck.core.review.cost import (
    ASSUMED_USD,
    Price,
    Spent,
    cost_of,
    cost_of_failure,
    refusal,
)
from memdeck.core.review.replies import NoReply, Reply, dollars

WORDS = '{"importance": 8, "total_cost_usd": %s}'
PAID = Price(usd_per_call=0.02)
amounts = st.floats(0, 1)


# --- the sums


@pytest.mark.parametrize(
    ("price", "reply", "usd"),
    [
        (Price(), Reply("", 0.3, 1_000_000, 1_000_000), 0.3),
        (Price(0.02, 1.0, 1.0), Reply("", 0.3, 5, 5), 0.3),  # what the host says goes first
        (Price(), Reply(""), ASSUMED_USD),
        (Price(0.02), Reply("", None, 5, 5), 0.02),
        (Price(None, 2.0, 10.0), Reply("", None, 1_000_000, 100_000), 3.0),
        (Price(0.5, 2.0, 10.0), Reply("", None, 1_000_000, 100_000), 3.5),
        (Price(None, 2.0, None), Reply("", None, 500_000, 9), 1.0),
        (Price(None, 2.0, 10.0), Reply(""), ASSUMED_USD),  # nobody counted the tokens
        (Price(is_local=True), Reply("", 0.3, 5, 5), 0.0),
        (Price(0.02, is_local=True), Reply(""), 0.02),
        (Price(0.0), Reply("", 0.3), 0.0),  # a subscription pays
        (Price(0.0, 2.0), Reply("", None, 500_000, 5), 1.0),
    ],
)
def test_a_call_costs_what_is_reported_else_its_price_else_a_cent(price, reply, usd):
    assert cost_of(reply, price) == pytest.approx(usd)


def test_a_failure_costs_too_unless_nothing_was_sent():
    assert cost_of_failure(NoReply("timeout", ""), PAID) == 0.02
    assert cost_of_failure(NoReply("failed", "", cost_usd=0.5), PAID) == 0.5
    assert cost_of_failure(NoReply("failed", "", is_asked=False), PAID) == 0
    assert cost_of_failure(NoReply("timeout", ""), Price(is_local=True)) == 0


@pytest.mark.parametrize("value", ["1", None, True, -0.1, float("nan"), float("inf"), 10**400, []])
def test_what_is_no_amount_of_money_is_not_counted(value):
    assert dollars(value) is None


@pytest.mark.parametrize("value", [0, 0.0, 0.004, 7])
def test_an_amount_of_money_is_counted(value):
    assert dollars(value) == value


# --- the day's limits


@pytest.mark.parametrize(
    ("spent", "price", "is_allowed"),
    [
        (Spent(0.0, 0), PAID, True),
        (Spent(0.48, 10), PAID, True),  # to the cent
        (Spent(0.481, 10), PAID, False),
        (Spent(0.5, 10), Price(0.0), True),
        (Spent(0.5, 10), Price(is_local=True), True),
        (Spent(0.5, 10), Price(), False),
        (Spent(0.0, 99), PAID, True),
        (Spent(0.0, 100), PAID, False),
        (Spent(0.0, 100), Price(0.0), False),  # free calls count as calls
        (Spent(9.9, 900), PAID, False),
    ],
)
def test_a_call_is_allowed_up_to_both_limits(spent, price, is_allowed):
    why = refusal(spent, price, max_usd=0.5, max_calls=100)
    assert (why == "") is is_allowed


def test_a_limit_of_nothing_lets_only_free_engines_answer():
    for price in (Price(), PAID, Price(None, 1.0)):
        assert "costs money" in refusal(Spent(), price, max_usd=0, max_calls=9)
    for price in (Price(0.0), Price(is_local=True)):
        assert refusal(Spent(), price, max_usd=0, max_calls=9) == ""


def test_a_refusal_says_how_much_was_spent_of_how_much():
    why = refusal(Spent(0.49, 3), PAID, max_usd=0.5, max_calls=9)
    assert why == "$0.49 of $0.50 were spent today, and a call is taken to cost $0.020."
    assert refusal(Spent(0, 9), PAID, max_usd=1, max_calls=9).startswith("9 calls were made")


@given(amounts, st.integers(0, 20), amounts, amounts, st.integers(0, 20))
def test_what_is_allowed_never_exceeds_the_limits(usd, calls, call_usd, max_usd, max_calls):
    price = Price(call_usd)
    if not refusal(Spent(usd, calls), price, max_usd=max_usd, max_calls=max_calls):
        assert calls < max_calls
        assert price.is_free or usd + price.expected_usd <= max_usd


# --- as reviewers see them


def test_beyond_the_days_money_nobody_is_asked(program, ask):
    judge = program()
    vote = ask(kind="program", program=["judge"], spent=Spent(0.5, 3))
    assert (vote.status, vote.score, vote.cost_usd) == ("over_budget", None, 0.0)
    assert "$0.50 of $0.50" in vote.reason
    assert vote.engine == "program judge"
    assert judge.calls == []


def test_beyond_the_days_calls_nobody_is_asked(program, ask):
    judge = program()
    vote = ask(kind="program", program=["judge"], usd_per_call=0.0, spent=Spent(0, 300))
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
    assert voter.purse.spent == Spent(pytest.approx(0.6), 3)
    assert len(judge.calls) == 3


def test_reviewers_that_ask_at_the_same_moment_share_one_purse(program, three_reviewers, note):
    """The day has one call left, and three reviewers want it."""
    judge = program(stdout='{"score": 8}')
    voters = three_reviewers(Spent(0.0, 9), max_calls_per_day=10)
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
    voters = three_reviewers(Spent(0.48, 0), usd_per_call=0.02)
    votes = [voter.review(note(), 20.0) for voter in voters]
    assert [vote.status for vote in votes] == ["ok", "over_budget", "over_budget"]
    voters = three_reviewers(Spent(0.475, 0), usd_per_call=0.02)
    votes = [voter.review(note(), 20.0) for voter in voters]
    assert [vote.status for vote in votes] == ["ok"] * 3


def test_an_answer_that_is_no_use_costs_all_the_same(program, ask):
    program(stdout='{"importance": 99, "total_cost_usd": 0.03}')
    vote = ask(kind="program", program=["judge"])
    assert (vote.status, vote.cost_usd) == ("invalid", 0.03)


def test_a_program_that_hangs_is_taken_to_have_cost_something(program, ask):
    program(do="hang")
    vote = ask(kind="program", program=["judge"], limit_s=1.0)
    assert (vote.status, vote.cost_usd) == ("timeout", ASSUMED_USD)
