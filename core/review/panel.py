"""All reviewers at once, each within its time; what they say comes back as one decision.

A reviewer may hang, raise or answer nonsense: that is a vote that does not count, and says why.
Threads are daemons, so that one that hangs never holds the process. Reviewers that
are `is_instant` answer by computing alone; they run here and need no thread.
"""

from __future__ import annotations

import math
import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from ..clock import ms_since
from ..errors import BadInput
from ..values import TYPES
from .built_in import SCORERS
from .decision import ANALYZER, ARCHAEOLOGIST, CONSENSUS_SCORE, PATTERNS, aggregate_decisions
from .reviewer import STATES, ReviewDecision, Reviewer, Subject, Vote

TIMEOUT_S = 2.0
"""Seconds one reviewer may take."""

LEAST_S, MOST_S = 0.1, 30.0
RULES = ("panel", "consensus")
MAX_REASON = 300  # characters

Heuristic = Callable[[Subject], str | None]
"""Why a text is not worth keeping, None if it may be: the word when nobody answers."""


def built_in_panel() -> tuple[Reviewer, ...]:
    """The three reviewers that are always there and need no model."""
    return (SCORERS[ANALYZER], SCORERS[PATTERNS], SCORERS[ARCHAEOLOGIST])


def review(
    subject: Subject,
    reviewers: Sequence[Reviewer],
    *,
    timeout_s: float = TIMEOUT_S,
    rule: str = "panel",
    consensus_score: float = CONSENSUS_SCORE,
    heuristic: Heuristic,
) -> ReviewDecision:
    """What `reviewers` decide about `subject`, at the latest about `timeout_s` from now.

    `timeout_s` is 0.1-30 seconds, `rule` "panel" or "consensus",
    `consensus_score` 0-10. `heuristic` is asked only if nobody answers. Votes keep the order of
    `reviewers`. Raises BadInput.
    """
    if not LEAST_S <= timeout_s <= MOST_S:
        raise BadInput(f"A reviewer's time is {LEAST_S:g} to {MOST_S:g} seconds, not {timeout_s}.")
    if rule not in RULES:
        raise BadInput(f"There is no review rule {rule!r}; there are {', '.join(RULES)}.")
    if not 0 <= consensus_score <= 10:
        raise BadInput(f"The consensus score is 0 to 10, not {consensus_score}.")
    votes = gather(subject, reviewers, timeout_s)
    nobody = all(vote.status != "ok" for vote in votes)
    decision = aggregate_decisions(
        votes,
        rule=rule,
        consensus_score=consensus_score,
        refusal=heuristic(subject) if nobody else None,
    )
    return decision if subject.is_type_unsure else replace(decision, type=None)


def gather(subject: Subject, reviewers: Sequence[Reviewer], timeout_s: float) -> tuple[Vote, ...]:
    """One vote a reviewer, in their order; those who are late or fail get one that says so."""
    votes: dict[int, Vote] = {}
    arrived: queue.SimpleQueue[tuple[int, Vote]] = queue.SimpleQueue()
    deadline = time.monotonic() + timeout_s
    waited_for = set()
    for place, reviewer in enumerate(reviewers):
        if reviewer.is_instant:
            continue
        asked = threading.Thread(
            target=_ask_and_tell,
            args=(arrived, place, reviewer, subject, timeout_s),
            name=f"review-{reviewer.name}",
            daemon=True,
        )
        try:
            asked.start()
            waited_for.add(place)
        except RuntimeError as error:  # no more threads
            votes[place] = _lost(reviewer, "failed", error)
    for place, reviewer in enumerate(reviewers):
        if reviewer.is_instant:
            votes[place] = _ask(reviewer, subject, timeout_s)
    while waited_for:
        try:
            place, vote = arrived.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            break
        votes[place] = vote
        waited_for.discard(place)
    for place in waited_for:
        votes[place] = Vote(
            reviewers[place].name,
            status="timeout",
            reason=f"It gave no answer within {timeout_s:g} s.",
            engine=reviewers[place].engine,
            latency_ms=timeout_s * 1000,
        )
    return tuple(votes[place] for place in range(len(reviewers)))


def _ask_and_tell(
    arrived: queue.SimpleQueue[tuple[int, Vote]],
    place: int,
    reviewer: Reviewer,
    subject: Subject,
    timeout_s: float,
) -> None:
    """A thread's work: its vote, put where the panel looks for it as long as it waits."""
    arrived.put((place, _ask(reviewer, subject, timeout_s)))


def _ask(reviewer: Reviewer, subject: Subject, timeout_s: float) -> Vote:
    """Its vote, checked and timed. Whatever it raises becomes a failed one."""
    started = time.perf_counter()
    try:
        vote = checked(reviewer, reviewer.review(subject, timeout_s))
    except TimeoutError:
        vote = _lost(reviewer, "timeout", None)
    except (Exception, SystemExit) as error:  # a reviewer's fault is never the capture's
        vote = _lost(reviewer, "failed", error)
    return replace(vote, latency_ms=ms_since(started))


def checked(reviewer: Reviewer, vote: object) -> Vote:
    """`vote` if it can be counted, else an invalid one that says what is wrong with it.

    A score is 1-10; a type that is none of the five is left out, a long reason is cut.
    """
    if not isinstance(vote, Vote):
        return _invalid(reviewer, f"It answered with {type(vote).__name__} instead of a vote.")
    if vote.status not in STATES:
        return _invalid(reviewer, f"It reports the unknown status {str(vote.status)[:40]!r}.")
    is_number = isinstance(vote.score, int | float) and not isinstance(vote.score, bool)
    score = float(vote.score) if is_number and vote.score is not None else None
    if vote.status == "ok" and (score is None or not 1 <= score <= 10):
        return _invalid(reviewer, f"Its score is {str(vote.score)[:40]}, not 1 to 10.")
    return replace(
        vote,
        reviewer=reviewer.name,
        score=score if vote.status == "ok" else None,
        is_trivial=vote.status == "ok" and vote.is_trivial is True,
        reason=vote.reason[:MAX_REASON] if isinstance(vote.reason, str) else "",
        type=vote.type if vote.status == "ok" and vote.type in TYPES else None,
        cost_usd=_cost(vote.cost_usd),
    )


def _invalid(reviewer: Reviewer, reason: str) -> Vote:
    return Vote(reviewer.name, status="invalid", reason=reason, engine=reviewer.engine)


def _lost(reviewer: Reviewer, status: str, error: BaseException | None) -> Vote:
    """The vote of one that did not get to an answer.

    An error is told by its kind alone: its text may quote what must not be kept.
    """
    reason = f"It failed: {type(error).__name__}." if error else "It gave no answer in time."
    return Vote(reviewer.name, status=status, reason=reason, engine=reviewer.engine)


def _cost(cost_usd: object) -> float:
    """A cost that can be summed: dollars from 0, 0 for anything else."""
    is_sum = isinstance(cost_usd, int | float) and math.isfinite(cost_usd) and cost_usd > 0
    return float(cost_usd) if is_sum else 0.0  # type: ignore[arg-type]
