"""All reviewers at once: late, broken and absurd ones are survived, and shown."""

import math
import threading

import pytest

from memdeck import Subject, Vote
from memdeck.core.models.reviewers import review

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


def test_one_that_raises_has_failed_and_its_words_are_not_repeated(subtests):
    rows = [ValueError("secret words"), KeyError(1), SystemExit(2), RecursionError()]
    for error in rows:
        with subtests.test(error=error):
            decision = decide(raising("analyzer", error), giving("patterns"), giving("security"))

            failed = decision.votes[0]
            assert failed.status == "failed"
            assert failed.reason == f"It failed: {type(error).__name__}."
            assert decision.agents == "2/3 agents"


@pytest.mark.parametrize("answer", NONSENSE, ids=repr)
def test_an_absurd_answer_is_no_vote(answer):
    absurd = Someone("analyzer", lambda subject, timeout_s: answer)

    decision = decide(absurd)

    assert decision.votes[0].status == "invalid"
    assert decision.votes[0].score is None
    assert decision.votes[0].reason
    assert decision.tier == "fallback"


def test_the_type_is_corrected_only_where_the_rules_were_unsure():
    unsure = Subject(SUBJECT.content, "semantic", "error", 0.5, is_type_unsure=True)
    judge = giving("analyzer", type="procedural")

    assert review(unsure, [judge], heuristic=lambda s: None).type == "procedural"
    assert review(SUBJECT, [judge], heuristic=lambda s: None).type is None
