"""All reviewers at once: late, broken and absurd ones are survived, and shown."""

import math
import threading
import time

import pytest

from memdeck import BadInput, Subject, Vote
from memdeck.core.config.policy import Policy
from memdeck.core.models.reviewers import (
    MAX_REASON,
    built_in_panel,
    gather,
    review,
    reviewers_for,
)

SUBJECT = Subject(
    "Never commit generated clients, `make client` writes them to packages/client/gen.",
    type="semantic",
    category="preference",
    importance=0.8,
    rule="person.always-never",
)
NONSENSE = [
    None,
    "8",
    {"score": 8},
    Vote("x", None),
    Vote("x", 0.99),
    Vote("x", 10.01),
    Vote("x", math.nan),
    Vote("x", math.inf),
    Vote("x", True),
    Vote("x", "8"),  # type: ignore[arg-type]
    Vote("x", 8.0, status="fine"),
]


class Someone:
    """A reviewer that does as it is told."""

    engine = "pretended"
    is_instant = False

    def __init__(self, name, act):
        self.name = name
        self._act = act

    def review(self, subject, timeout_s):
        return self._act(subject, timeout_s)


def giving(name, score=7.0, **fields):
    return Someone(name, lambda subject, timeout_s: Vote(name, score, **fields))


def raising(name, error):
    def act(subject, timeout_s):
        raise error

    return Someone(name, act)


def decide(*reviewers, **options):
    return review(SUBJECT, reviewers, **{"heuristic": lambda subject: None, **options})


@pytest.fixture
def hanging():
    """A reviewer that never answers; it is let go after the test."""
    end = threading.Event()
    yield Someone("patterns", lambda subject, timeout_s: end.wait(300))
    end.set()


def test_three_at_once_wait_for_each_other_and_not_one_after_another():
    together = threading.Barrier(3)  # opens only when all three are inside

    def act(subject, timeout_s):
        together.wait(25)
        return Vote("", 7.0)

    names = ("analyzer", "patterns", "knowledge-archaeologist")
    decision = decide(*(Someone(name, act) for name in names), timeout_s=30)

    assert decision.agents == "3/3 agents"
    assert [vote.reviewer for vote in decision.votes] == list(names)


def test_one_that_hangs_is_timed_out_and_the_others_count(hanging):
    decision = decide(giving("analyzer"), hanging, giving("security"), timeout_s=2)

    late = decision.votes[1]
    assert (late.status, late.score, late.engine) == ("timeout", None, "pretended")
    assert late.latency_ms == pytest.approx(2000)
    assert late.reason == "It gave no answer within 2 s."
    assert decision.is_accepted
    assert decision.agents == "2/3 agents"


def test_one_that_hangs_cannot_hold_the_process(hanging):
    gather(SUBJECT, [hanging], 0.1)
    left = [thread for thread in threading.enumerate() if thread.name == "review-patterns"]
    assert left
    assert all(thread.daemon for thread in left)


def test_an_answer_that_comes_too_late_changes_nothing():
    may_answer, answered = threading.Event(), threading.Event()

    def act(subject, timeout_s):
        may_answer.wait(300)
        answered.set()
        return Vote("analyzer", 9.0)

    votes = gather(SUBJECT, [Someone("analyzer", act)], 0.1)
    may_answer.set()
    assert answered.wait(300)
    assert votes[0].status == "timeout"


def test_one_that_raises_has_failed_and_its_words_are_not_repeated(subtests):
    rows = [ValueError("secret words"), KeyError(1), SystemExit(2), RecursionError()]
    for error in rows:
        with subtests.test(error=error):
            decision = decide(raising("analyzer", error), giving("patterns"), giving("security"))

            failed = decision.votes[0]
            assert failed.status == "failed"
            assert failed.reason == f"It failed: {type(error).__name__}."
            assert decision.agents == "2/3 agents"


def test_one_that_says_itself_that_time_is_up_is_late():
    assert decide(raising("analyzer", TimeoutError())).votes[0].status == "timeout"


@pytest.mark.parametrize("answer", NONSENSE, ids=repr)
@pytest.mark.parametrize("is_instant", [True, False])
def test_an_absurd_answer_is_no_vote(answer, is_instant):
    absurd = Someone("analyzer", lambda subject, timeout_s: answer)
    absurd.is_instant = is_instant

    decision = decide(absurd)

    assert decision.votes[0].status == "invalid"
    assert decision.votes[0].score is None
    assert decision.votes[0].reason
    assert decision.tier == "fallback"


def test_a_score_at_either_end_counts(subtests):
    for score in [1, 1.0, 10, 10.0]:
        with subtests.test(score=score):
            assert decide(giving("security", score)).votes[0].score == score


def test_what_surrounds_a_score_is_set_right():
    vote = decide(
        giving("analyzer", reason="x" * 400, type="poetic", cost_usd=math.nan, is_trivial="no")
    ).votes[0]

    assert vote.status == "ok"
    assert len(vote.reason) == MAX_REASON == 300
    assert (vote.type, vote.cost_usd, vote.is_trivial) == (None, 0.0, False)


def test_a_vote_bears_its_reviewers_name_whatever_it_says():
    impostor = Someone("security", lambda subject, timeout_s: Vote("analyzer", 1.0))
    assert decide(impostor).votes[0].reviewer == "security"


def test_one_over_budget_is_shown_as_it_says_and_does_not_count():
    over = Someone("analyzer", lambda s, t: Vote("analyzer", 8.0, True, status="over_budget"))
    decision = decide(over)

    assert decision.votes[0].status == "over_budget"
    assert (decision.votes[0].score, decision.votes[0].is_trivial) == (None, False)
    assert decision.agents == "0/1 agents"


def test_the_time_an_answer_took_is_measured():
    def act(subject, timeout_s):
        begun = time.thread_time()
        while time.thread_time() < begun + 0.05:
            pass
        return Vote("analyzer", 7.0, latency_ms=-3)

    assert decide(Someone("analyzer", act)).votes[0].latency_ms >= 40


def test_a_reviewer_is_told_how_long_it_has():
    told = []
    decide(Someone("analyzer", lambda subject, timeout_s: told.append(timeout_s)), timeout_s=30)
    assert told == [30]


def test_a_reviewer_may_have_a_tenth_to_thirty_seconds(subtests):
    for timeout_s in [0.1, 2.0, 30]:
        with subtests.test(timeout_s=timeout_s):
            assert decide(giving("analyzer"), timeout_s=timeout_s).tier == "partial"


def test_anything_else_is_refused(subtests):
    rows = [
        {"timeout_s": 0.09},
        {"timeout_s": 30.1},
        {"timeout_s": math.nan},
        {"rule": "dice"},
        {"consensus_score": -0.1},
        {"consensus_score": 10.1},
    ]
    for options in rows:
        with subtests.test(options=options), pytest.raises(BadInput):
            decide(giving("analyzer"), **options)


def test_built_in_reviewers_need_no_thread(monkeypatch):
    def no_thread(*args, **more):
        raise AssertionError("a thread was made")

    monkeypatch.setattr(threading, "Thread", no_thread)
    review = Policy.of({"review": {"reviewers": ["security"]}}).review
    decision = decide(*built_in_panel(), *reviewers_for(review, spent=(0.0, 0)))

    assert decision.agents == "4/4 agents"


def test_a_thread_that_cannot_be_had_costs_a_vote_and_not_the_review(monkeypatch):
    def none_left(self):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", none_left)
    decision = decide(giving("analyzer"), built_in_panel()[1])

    assert [vote.status for vote in decision.votes] == ["failed", "ok"]


def test_the_heuristic_is_asked_only_when_nobody_answers():
    asked = []

    def heuristic(subject):
        asked.append(subject)
        return "Too short."

    assert decide(giving("analyzer"), heuristic=heuristic).is_accepted
    assert asked == []
    assert decide(raising("analyzer", OSError()), heuristic=heuristic).reason == "Too short."
    assert asked == [SUBJECT]


def test_the_type_is_corrected_only_where_the_rules_were_unsure():
    unsure = Subject(SUBJECT.content, "semantic", "error", 0.5, is_type_unsure=True)
    judge = giving("analyzer", type="procedural")

    assert review(unsure, [judge], heuristic=lambda s: None).type == "procedural"
    assert review(SUBJECT, [judge], heuristic=lambda s: None).type is None


def test_the_built_in_panel_is_the_three():
    names = [reviewer.name for reviewer in built_in_panel()]
    assert names == ["analyzer", "patterns", "knowledge-archaeologist"]
