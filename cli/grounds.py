"""What speaks for a memory and against it: points, trial, reviews, weight, how it was learned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ..core.answers import NO_ENVELOPE, Envelope, Recording, Salience
from ..core.judgements import (
    EVIDENCE_WORDS,
    FACTOR_WORDS,
    SIGNAL_WORDS,
    TIER_WORDS,
    failure_words,
    worth_words,
)
from ..core.lifecycle.worth import AHEAD, Worth
from ..core.models.reviewers import Vote
from ..core.values import at, source_of
from .encoder import encode
from .output import (
    Ink,
    count,
    field,
    gauge,
    local,
    one_line,
    say,
    section,
    span,
    when,
    width,
    wrap,
)

if TYPE_CHECKING:
    from ..core.compat import MemoryCoordinator


@dataclass(frozen=True, slots=True)
class Grounds:
    """What a memory was kept for, or waits for."""

    votes: tuple[Vote, ...] = ()
    is_candidacy_known: bool = False  # whether it was captured, so that points count
    points: float = 0.0
    points_needed: int = 0
    signals: Mapping[str, float] | None = None
    promoted_at: datetime | None = None
    quarantined_until: datetime | None = None
    snoozed_until: datetime | None = None
    weight: Mapping[str, float] | None = None  # factors of importance, each 0-1
    envelope: Envelope = NO_ENVELOPE
    salience: Salience | None = None
    recordings: Sequence[Recording] = ()
    worth: Worth | None = None  # of what lives

    @property
    def tier(self) -> str:
        """consensus, partial or fallback: how many votes count."""
        return tier_of(self.votes)


CANDIDACY = tuple(
    "points points_needed signals promoted_at quarantined_until snoozed_until".split()
)
"""Fields that say how far a captured memory is on its way into the project's."""


def tier_of(votes: Sequence[Vote]) -> str:
    """On how many votes a decision stands: a key of TIER_WORDS; "" of none."""
    if not votes:
        return ""
    counted = sum(vote.status == "ok" for vote in votes)
    return "consensus" if counted > 1 else "partial" if counted else "fallback"


def grounds_of(core: MemoryCoordinator, memory: str) -> Grounds:
    """The grounds of a memory, whatever became of it."""
    candidacy = core.candidacy(memory)
    return Grounds(
        votes=tuple(core.reviews(memory)),
        is_candidacy_known=bool(candidacy),
        points=float(candidacy.get("points", 0.0)),
        points_needed=core.policy.promotion.min_points,
        signals=candidacy.get("signals"),
        promoted_at=at(candidacy.get("promoted_at")),
        quarantined_until=at(candidacy.get("quarantined_until")),
        snoozed_until=at(candidacy.get("snoozed_until")),
        weight=core.weight(memory),
        envelope=core.envelope(memory),
        salience=core.salience(memory),
        recordings=core.recordings(memory),
        worth=core.worth(memory) if core.show(memory).is_live else None,
    )


def show_grounds(grounds: Grounds, now: datetime) -> None:
    """Print what is known: points, reviews, the factors of importance, how it was learned."""
    show_points(grounds, now)
    show_recordings(grounds.recordings)
    show_salience(grounds.salience)
    show_reviews(grounds.votes, grounds.tier)
    if grounds.worth is not None:
        _show_worth(grounds.worth)
    else:
        _show_weight(grounds.weight or {})
    _show_envelope(grounds.envelope)


def show_points(grounds: Grounds, now: datetime) -> None:
    """Print the points towards promotion, the signals behind them, and what it waits for."""
    if not grounds.is_candidacy_known:
        return
    needed = grounds.points_needed
    field("points", f"{gauge(grounds.points, needed)}  {grounds.points:g} of {needed}")
    if grounds.signals:
        details = [
            f"+{points:g} {SIGNAL_WORDS.get(name, name.replace('-', ' '))}"
            for name, points in grounds.signals.items()
        ]
        field("", ", ".join(details))
    if grounds.promoted_at is not None:
        field("promoted", when(grounds.promoted_at, now))
    if grounds.quarantined_until is not None:
        field("trial", trial(grounds.quarantined_until, now))
    if grounds.snoozed_until is not None and grounds.snoozed_until > now:
        field("put off", f"until {local(grounds.snoozed_until)}")


def show_recordings(recordings: Sequence[Recording]) -> None:
    """Print how agents recorded it, and what their sessions say to that."""
    for recording in recordings:
        says = f"{source_of(recording.evidence)}: {EVIDENCE_WORDS[recording.evidence]}"
        field("recorded", f"{says} (session {one_line(recording.session)})")
        if recording.why:
            field("", f"why: {one_line(recording.why)}")


def show_salience(salience: Salience | None) -> None:
    """Print what the fitted score says, and the signs that counted most, in words."""
    if salience is None:
        return
    standing = "established" if salience.is_established else "a candidate"
    field(
        "judged",
        f"{salience.worth_keeping:.0%} worth keeping, {salience.worth_a_look:.0%} worth a look:"
        f" {standing}",
    )
    for words, part in salience.reasons:
        field("", f"{part:+.1f}  {words}")


def trial(until: datetime, now: datetime) -> str:
    """What is left of a quarantine: `19h left`, or that it is over."""
    total_seconds = (until - now).total_seconds()
    return f"{span(max(total_seconds, 60))} left" if total_seconds > 0 else "over"


def show_reviews(votes: Sequence[Vote], tier: str) -> None:
    """Print each reviewer's score, engine, time, cost and reason, and how many answered."""
    if not votes:
        return
    answered = sum(vote.status == "ok" for vote in votes)
    says = f"reviews: {answered} of {len(votes)} answered"
    section(f"{says}, {TIER_WORDS.get(tier, tier)}" if tier else says)
    aside = max(len(one_line(vote.reviewer)) for vote in votes)
    for vote in votes:
        is_ok = vote.status == "ok" and vote.score is not None
        score = Ink(f"{vote.score:4.1f}" if is_ok else "   –", "bold" if is_ok else "warn")
        details = [vote.engine, f"{vote.latency_ms:,.0f} ms"]
        if vote.cost_usd:
            details.append(f"${vote.cost_usd:.4f}")
        if vote.is_trivial and is_ok:
            details.append("calls it trivial")
        name = f"{one_line(vote.reviewer):{aside}}"
        say("    ", score, f"  {name}  ", Ink(one_line(", ".join(details)), "dim"))
        reason = vote.reason if is_ok else failure_words(vote)
        for line in wrap(one_line(reason), width() - 10) if reason else ():
            say("          ", line)


def _show_weight(weight: Mapping[str, float]) -> None:
    """The six factors of importance, as bars."""
    if not weight:
        return
    section("importance, by its factors")
    for name, share in weight.items():
        words = FACTOR_WORDS.get(name, name.replace("_", " "))
        say("    ", Ink(f"{words:11}", "dim"), f"{gauge(share, 1.0)}  {share:.2f}")


def _show_worth(worth: Worth) -> None:
    """What it is worth, part by part, and what becomes of it unused."""
    section(f"worth: {worth_words(worth)}")
    rows = [("given", f"{worth.base:.2f}")]
    rows += [
        (FACTOR_WORDS[name], f"{gauge(share, 1.0)}  {share:.2f}  {worth.moved[name]:+.2f}")
        for name, share in worth.factors.items()
    ]
    rows.append(("importance", f"{worth.importance:.2f}"))
    quiet = "used today" if worth.quiet_days < 1 else f"quiet for {span(86_400 * worth.quiet_days)}"
    rows.append(("time", f"x {worth.fading:.2f}  {quiet}"))
    rows.append(("use", f"x {worth.use:.2f}  {count(worth.uses, 'use')}"))
    if worth.trial < 1:
        rows.append(("trial", f"x {worth.trial:.2f}  a candidate"))
    ahead = ", ".join(f"{worth.ahead(days):.2f} in {days} days" for days in AHEAD)
    rows.append(("worth", f"{worth.worth:.2f}  unused {ahead}"))
    for name, says in rows:
        say("    ", Ink(f"{name:11}", "dim"), says)


def _show_envelope(envelope: Envelope) -> None:
    """The work that it was learned at."""
    if envelope == NO_ENVELOPE:
        return
    section("learned at")
    cost = []
    if envelope.tokens is not None:
        cost.append(count(envelope.tokens, "token"))
    if envelope.time_ms is not None:
        cost.append(f"{envelope.time_ms / 1000:,.0f} s")
    for name in ("task", "intent", "outcome"):
        field(name, one_line(getattr(envelope, name)))
    for name in ("actions", "artifacts", "errors", "lessons"):
        field(name, one_line("; ".join(getattr(envelope, name))))
    field("cost", ", ".join(cost))


def json_of_grounds(grounds: Grounds) -> dict[str, Any]:
    """reviews, candidacy, weight and envelope of a memory; null where nothing is known."""
    is_known = grounds.envelope != NO_ENVELOPE
    return {
        "reviews": json_of_votes(grounds.votes, grounds.tier),
        "candidacy": _candidacy(grounds) if grounds.is_candidacy_known else None,
        "weight": encode(grounds.weight or None),
        "envelope": encode(grounds.envelope) if is_known else None,
        "salience": encode(grounds.salience),
        "recordings": encode(tuple(grounds.recordings)),
    }


def json_of_votes(votes: Sequence[Vote], tier: str) -> list[dict[str, Any]]:
    """The reviews of a text; `tier` says on how many votes the decision stood."""
    return [{**encode(vote), "tier": tier} for vote in votes]


def _candidacy(grounds: Grounds) -> dict[str, Any]:
    existing = {name: encode(getattr(grounds, name)) for name in CANDIDACY}
    return {**existing, "signals": existing["signals"] or {}}
