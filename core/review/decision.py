"""What the votes come to: `panel` counts and averages them, `consensus` asks for a mean.

A score means what its reviewer is asked: the analyzer's is importance, that of patterns is
relevance, the knowledge-archaeologist's is novelty. Whoever else votes has a part in the mean of
all scores and may call a text trivial, and changes none of these three.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from .reviewer import ReviewDecision, Vote

ANALYZER = "analyzer"
PATTERNS = "patterns"
ARCHAEOLOGIST = "knowledge-archaeologist"

ASKED = {ANALYZER: "importance", PATTERNS: "relevance", ARCHAEOLOGIST: "novelty"}
"""What the score of each of the three reviewers stands for."""

MISSING_SCORE = 5.0
"""What counts for an importance or a relevance that nobody gave."""

TRIVIAL_VOTES = 2  # so many refuse
MIN_IMPORTANCE = 4.0  # a mean under it refuses
MIN_RELEVANCE = 5.0  # a mean under it refuses
MIN_ALONE = 3.0  # importance that one reviewer alone must give
FALLBACK_IMPORTANCE = 5  # of what nobody reviewed
CONSENSUS_SCORE = 6.0  # mean score that the rule "consensus" asks for


def aggregate_decisions(
    votes: Sequence[Vote],
    *,
    rule: str = "panel",
    consensus_score: float = CONSENSUS_SCORE,
    refusal: str | None = None,
) -> ReviewDecision:
    """The decision that follows from `votes`; only those with status "ok" count.

    `rule` is "panel" or "consensus". `refusal` is why the heuristic
    filter would refuse, None if it would not: it decides when nobody answered.
    """
    counted = [vote for vote in votes if vote.status == "ok" and vote.score is not None]
    if not counted:
        return _without_votes(votes, refusal)
    averages = _averages(counted)
    importance = averages.get("importance", MISSING_SCORE)
    score = _mean([vote.score or 0.0 for vote in counted])
    if rule == "consensus":
        objection = _too_low_together(counted, score, consensus_score)
    elif len(counted) == 1:
        objection = _too_low_alone(counted, importance)
    else:
        objection = _panel_objection(counted, averages)
    return ReviewDecision(
        is_accepted=objection is None,
        importance_10=_whole(importance),
        score=score,
        reason=objection or _approval(counted),
        tier="consensus" if len(counted) > 1 else "partial",
        votes=tuple(votes),
        averages=averages,
        type=_settled_type(counted),
    )


def _without_votes(votes: Sequence[Vote], refusal: str | None) -> ReviewDecision:
    """The heuristic filter's word, since no reviewer gave one."""
    return ReviewDecision(
        is_accepted=refusal is None,
        importance_10=FALLBACK_IMPORTANCE if refusal is None else 1,
        score=float(FALLBACK_IMPORTANCE) if refusal is None else 0.0,
        reason=refusal or "No reviewer answered; the heuristic filter lets it through.",
        tier="fallback",
        votes=tuple(votes),
    )


def _panel_objection(counted: Sequence[Vote], averages: Mapping[str, float]) -> str | None:
    """Why two reviewers or more refuse; None when they accept."""
    trivial = [vote for vote in counted if vote.is_trivial]
    if len(trivial) >= TRIVIAL_VOTES:
        return _refusal(f"Trivial for {len(trivial)} of {len(counted)} reviewers", trivial, counted)
    importance = averages.get("importance", MISSING_SCORE)
    relevance = averages.get("relevance", MISSING_SCORE)
    if importance < MIN_IMPORTANCE:
        low = [vote for vote in counted if vote.reviewer == ANALYZER]
        limit = f"{MIN_IMPORTANCE:g} is needed"
        return _refusal(f"Importance {_shown(importance)}, and {limit}", low, counted)
    if relevance < MIN_RELEVANCE:
        low = [vote for vote in counted if vote.reviewer == PATTERNS]
        limit = f"{MIN_RELEVANCE:g} is needed"
        return _refusal(f"Relevance {_shown(relevance)}, and {limit}", low, counted)
    return None


def _too_low_alone(counted: Sequence[Vote], importance: float) -> str | None:
    """Why the only answer refuses; None when it accepts."""
    if importance >= MIN_ALONE:
        return None
    lead = f"Importance {_shown(importance)} from the only reviewer, and {MIN_ALONE:g} is needed"
    return _refusal(lead, counted, counted)


def _too_low_together(counted: Sequence[Vote], score: float, least: float) -> str | None:
    """Why the mean of the scores refuses; None when it accepts."""
    if score >= least:
        return None
    lowest = [min(counted, key=lambda vote: vote.score or 0.0)]
    return _refusal(f"Mean score {_shown(score)}, and {least:g} is needed", lowest, counted)


def _refusal(lead: str, because: Sequence[Vote], counted: Sequence[Vote]) -> str:
    """`lead`, the first reason given, and the scores."""
    why = next((vote.reason.strip() for vote in because if vote.reason.strip()), "")
    told = f"{lead}: {why}" if why else f"{lead}."
    return f"{told if told.endswith(('.', '!', '?')) else told + '.'} {_scores(counted)}"


def _approval(counted: Sequence[Vote]) -> str:
    lead = "Accepted" if len(counted) > 1 else "Accepted by the only reviewer that answered"
    return f"{lead}. {_scores(counted)}"


def _scores(counted: Sequence[Vote]) -> str:
    """`Scores: analyzer 3, patterns 4.5.`"""
    shown = ", ".join(f"{vote.reviewer} {_shown(vote.score or 0.0)}" for vote in counted)
    return f"Scores: {shown}."


def _averages(counted: Sequence[Vote]) -> dict[str, float]:
    """The mean importance, relevance and novelty: those that were given, 1-10 each."""
    given = {
        meaning: [vote.score for vote in counted if vote.reviewer == name and vote.score]
        for name, meaning in ASKED.items()
    }
    return {meaning: _mean(scores) for meaning, scores in given.items() if scores}


def _settled_type(counted: Sequence[Vote]) -> str | None:
    """The type most reviewers propose; the analyzer's word where they are divided."""
    proposed = Counter(vote.type for vote in counted if vote.type)
    if not proposed:
        return None
    most = max(proposed.values())
    leaders = [kind for kind, number in proposed.items() if number == most]
    from_analyzer = [vote.type for vote in counted if vote.reviewer == ANALYZER]
    return next((kind for kind in from_analyzer if kind in leaders), leaders[0])


def _mean(scores: Sequence[float]) -> float:
    return math.fsum(scores) / len(scores)


def _whole(importance: float) -> int:
    """`importance` on the scale of a memory: whole, 1-10."""
    return min(10, max(1, int(importance)))


def _shown(score: float) -> str:
    """A score as people write it, never rounded up to a limit that it misses: 3.9, 10."""
    return f"{math.floor(score * 10 + 1e-9) / 10:g}"
