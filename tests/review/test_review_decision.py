"""What votes come to, every limit at both ends."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdeck import Vote
from memdeck.core.models.reviewers import review

from .conftest import NOTE

UNSURE = replace(NOTE, is_type_unsure=True)
STATES = ("ok", "timeout", "failed", "invalid", "over_budget")
THREE = ("analyzer", "patterns", "knowledge-archaeologist")


class Saying:
    """A reviewer that votes so, whatever it is shown."""

    engine = "built-in"

    def __init__(self, vote):
        self.name, self._vote = vote.reviewer, vote

    def review(self, _subject, _timeout_s):
        return self._vote


def decide(votes, *, refusal=None, **rule):
    """What a panel decides whose reviewers say just this; `refusal` is the heuristic filter's."""
    panel = [Saying(one) for one in votes]
    return review(UNSURE, panel, heuristic=lambda _: refusal, **rule)


def votes(importance=6.0, relevance=6.0, novelty=6.0, trivial=()):
    """An answer of each of the three; `trivial` names those who call it so."""
    scores = zip(THREE, (importance, relevance, novelty), strict=True)
    return [Vote(name, score, name in trivial) for name, score in scores]


def lost(name, status="failed"):
    return Vote(name, status=status, reason="It is down.")


def test_what_is_important_and_relevant_is_accepted():
    decision = decide(votes(7.0, 6.0, 8.0))

    assert decision.is_accepted
    assert (decision.tier, decision.agents) == ("consensus", "3/3 agents")
    assert decision.averages == {"importance": 7.0, "relevance": 6.0, "novelty": 8.0}
    assert decision.score == 7.0


@pytest.mark.parametrize(("importance", "accepted"), [(3.99, False), (4.0, True)])
def test_a_mean_importance_under_four_is_refused(importance, accepted):
    assert decide(votes(importance=importance)).is_accepted is accepted


@pytest.mark.parametrize(("relevance", "accepted"), [(4.99, False), (5.0, True)])
def test_a_mean_relevance_under_five_is_refused(relevance, accepted):
    assert decide(votes(relevance=relevance)).is_accepted is accepted


def test_two_trivial_votes_refuse_and_one_does_not():
    one = decide(votes(9, 9, 9, trivial=THREE[:1]))
    two = decide(votes(9, 9, 9, trivial=THREE[:2]))

    assert one.is_accepted
    assert not two.is_accepted
    assert two.reason.startswith("Trivial for 2 of 3 reviewers")


def test_a_score_that_nobody_gave_counts_five():
    without_analyzer = decide([lost("analyzer"), *votes()[1:]])
    without_patterns = decide([votes()[0], lost("patterns"), votes()[2]])

    assert without_analyzer.is_accepted
    assert without_analyzer.importance_10 == 5
    assert "importance" not in without_analyzer.averages
    assert without_patterns.is_accepted
    assert without_patterns.agents == "2/3 agents"
    assert without_patterns.tier == "consensus"


@pytest.mark.parametrize(("importance", "accepted"), [(2.99, False), (3.0, True)])
def test_one_reviewer_alone_needs_an_importance_of_three(importance, accepted):
    decision = decide([Vote("analyzer", importance), *map(lost, THREE[1:])])

    assert decision.is_accepted is accepted
    assert (decision.tier, decision.agents) == ("partial", "1/3 agents")


def test_one_reviewer_alone_cannot_call_it_trivial_or_irrelevant():
    assert decide([Vote("analyzer", 3.0, True), *map(lost, THREE[1:])]).is_accepted
    assert decide([lost(THREE[0]), Vote("patterns", 1.0)]).is_accepted


def test_when_nobody_answers_the_heuristic_decides(subtests):
    for status in [state for state in STATES if state != "ok"]:
        with subtests.test(status=status):
            nobody = [lost(name, status) for name in THREE]

            kept = decide(nobody)
            refused = decide(nobody, refusal="It is too short.")

            assert (kept.is_accepted, kept.importance_10, kept.tier) == (True, 5, "fallback")
            assert (refused.is_accepted, refused.reason) == (False, "It is too short.")
            assert kept.agents == refused.agents == "0/3 agents"


def test_consensus_asks_for_a_mean_score_of_six(subtests):
    rows = [((6, 6, 6), True), ((6, 6, 5.9), False), ((1, 8, 9), True)]
    for scores, accepted in rows:
        with subtests.test(scores=scores):
            decision = decide(votes(*scores), rule="consensus")

            assert decision.is_accepted is accepted
            assert decision.score == pytest.approx(sum(scores) / 3)


def test_a_refusal_lists_the_scores_of_the_reviewers():
    consensus = decide(votes(5.96, 5, 3), rule="consensus")
    panel = decide([Vote("analyzer", 3.99, reason="It reports progress"), *votes()[1:]])

    for decision in (consensus, panel):
        for name in THREE:
            assert name in decision.reason
    assert "analyzer 5.9," in consensus.reason
    assert panel.reason == (
        "Importance 3.9, and 4 is needed: It reports progress. "
        "Scores: analyzer 3.9, patterns 6, knowledge-archaeologist 6."
    )


def test_a_fourth_reviewer_moves_the_mean_and_nothing_else():
    three = decide(votes(6, 6, 6))
    four = decide([*votes(6, 6, 6), Vote("security", 10.0)])

    assert four.score == 7.0
    assert (four.averages, four.importance_10) == (three.averages, three.importance_10)
    assert four.agents == "4/4 agents"


def test_the_type_that_most_propose_is_settled_on_and_the_analyzers_when_divided():
    def proposing(*types):
        return decide(
            [Vote(name, 6.0, type=kind) for name, kind in zip(THREE, types, strict=True)]
        ).type

    assert proposing(None, None, None) is None
    assert proposing("episodic", "semantic", "semantic") == "semantic"
    assert proposing("episodic", "semantic", "procedural") == "episodic"
    assert proposing(None, "semantic", "procedural") == "semantic"


SCORES = st.floats(1, 10)
VOTES = st.builds(
    lambda name, status, score, trivial: Vote(
        name, score if status == "ok" else None, trivial and status == "ok", status=status
    ),
    st.sampled_from([*THREE, "security"]),
    st.sampled_from(STATES),
    SCORES,
    st.booleans(),
)


@given(st.lists(VOTES, max_size=6), st.sampled_from(["panel", "consensus"]))
def test_any_votes_come_to_a_decision_within_its_ranges(given_votes, rule):
    decision = decide(given_votes, rule=rule)

    answered = sum(vote.status == "ok" for vote in given_votes)
    assert 1 <= decision.importance_10 <= 10
    assert 0 <= decision.score <= 10
    assert decision.reason.endswith(".")
    assert decision.tier == ("fallback", "partial", "consensus")[min(answered, 2)]
    assert [one.score for one in decision.votes] == [one.score for one in given_votes]
    trivial = sum(vote.is_trivial for vote in given_votes)
    if rule == "panel" and answered >= 2 and trivial >= 2:
        assert not decision.is_accepted
