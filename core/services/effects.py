"""What a setting does, shown on what is here: a prompt of one's own, a sample, the memories kept.

Nothing is written and no model is asked, but by `asked_reviewers`, which does what its name says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ...db import reviews
from ..config.catalogue import Knob, text_of
from ..config.limits import UNPROVEN, RecallLimits
from ..config.policy import PRESETS
from ..redaction.redact import Choice, redact
from ..review.engines import reviewers_for
from ..review.panel import gather
from ..review.reviewer import BUILT_IN, Subject
from ..text.shapes import length_of
from ..values import DAY_MS
from .recall import ANYBODY

if TYPE_CHECKING:
    from ..context import Context
    from ..review.reviewer import Vote
    from ..values import Injection, Memory
    from .accounts import Accounts
    from .recall import Recall
    from .search import Search

SAMPLE = (
    "Ask ana.moreau@example.org; the test card is 4242 4242 4242 4242 and the box says "
    "q7Zk2Lm9Qw3Rt5Yu7Io1Pa4Sd6Fg8Hj0"
)
"""What redaction is shown on; invented."""

SAMPLE_FINDING = "The integration tests need `make test-db` first, since they read a real database."
SAMPLE_PROMPT = "how do I run the tests?"

AT_STARTS = frozenset({"min_importance", "profile_share"})
"""Limits that show when a session starts, not with a prompt."""

MOST_TITLES = 3  # memories that come in or stay out, by name
MOST_LENGTHS = 2_000  # memories whose length is looked at
LONGEST_SAID = 60


@dataclass(frozen=True, slots=True)
class Line:
    """One line of an effect."""

    label: str
    text: str
    tone: str = ""  # "now", "more", "less", "warning"


@dataclass(frozen=True, slots=True)
class Effect:
    """What a setting does with one value or another."""

    tried_on: str  # in words; "" where nothing had to be tried
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Effects:
    """Settings, tried out."""

    _context: Context
    _accounts: Accounts
    _recall: Recall
    _search: Search

    def of(self, knob: Knob, values: Sequence[Any]) -> Effect | None:
        """What changes with each of `values`, the first of which is in force; None where nothing
        can be shown."""
        if knob.place == "preset":
            return self._presets(values)
        if knob.section == "recall" and knob.name in RecallLimits.__match_args__:
            return self._told(knob.name, values)
        if knob.section == "redaction":
            return self._redacted(knob.name, values)
        if knob.place in ("review.reviewers", "review.rule", "review.consensus_score"):
            return self._reviewed()
        if knob.place in ("capture.min_length", "capture.max_length"):
            return self._captured(knob.name, values)
        if knob.place in ("lifecycle.max_memories", "lifecycle.keep_memories"):
            return self._kept(values)
        return None

    # --- recall

    def _told(self, name: str, values: Sequence[Any]) -> Effect:
        prompt, host = self._prompt()
        event = "SessionStart" if name in AT_STARTS else "UserPromptSubmit"
        told = [self._recall.trial(prompt, {name: value}, host=host, event=event)
                for value in values]  # fmt: skip
        tried = f"“{_short(prompt)}”" if event != "SessionStart" else "the start of a session"
        if not values:
            return Effect(tried, ())
        lines = [Line(text_of(values[0]), _account(told[0]), "now")]
        for value, other in zip(values[1:], told[1:], strict=True):
            lines.append(Line(text_of(value), _account(other)))
            lines += _difference(told[0], other)
        return Effect(tried, tuple(lines))

    def _prompt(self) -> tuple[str, str]:
        """The newest prompt that was kept and told something, and its host; else words that
        something here answers."""
        kept = [one for one in self._accounts.receipts(50) if one.prompt]
        past = next((one for one in kept if one.items), kept[0] if kept else None)
        if past is not None:
            return past.prompt or "", past.host
        newest = self._newest(1)
        return newest[0].title if newest else SAMPLE_PROMPT, ANYBODY

    def _newest(self, count: int) -> list[Memory]:
        return self._search.list(limit=count)

    def _presets(self, values: Sequence[Any]) -> Effect:
        prompt, host = self._prompt()
        lines = []
        for preset in dict.fromkeys([*values[:1], *PRESETS]):
            needs = PRESETS[preset]
            told = self._recall.trial(prompt, {"unproven": UNPROVEN[preset]}, host=host)
            says = (
                f"{needs['min_points']:g} points, importance {needs['min_importance']:g}, "
                f"{needs['min_length']:g} characters; {_account(told)}"
            )
            lines.append(Line(preset, says, "now" if preset == values[0] else ""))
        return Effect(f"“{_short(prompt)}”", tuple(lines))

    # --- what is written down

    def _redacted(self, name: str, values: Sequence[Any]) -> Effect:
        choice = self._context.redaction_choice()
        lines = [Line("sample", SAMPLE)]
        for place, value in enumerate(values):
            said = redact(SAMPLE, choice=_choice_with(choice, name, value)).value
            lines.append(Line(text_of(value) or "none", said, "" if place else "now"))
        return Effect("", tuple(lines))

    def _reviewed(self) -> Effect:
        """What each reviewer that needs no model says; those that ask one are named."""
        subject, tried = self._finding()
        votes = self._votes(subject, with_models=False)
        return Effect(tried, tuple(map(_vote_line, votes)))

    def asked_reviewers(self) -> Effect:
        """The same with models asked: takes as long as they do, and costs what a review costs."""
        subject, tried = self._finding()
        return Effect(tried, tuple(map(_vote_line, self._votes(subject, with_models=True))))

    def _votes(self, subject: Subject, *, with_models: bool) -> list[Vote]:
        policy = self._context.policy.review
        from ..review.cost import Spent
        from ..review.reviewer import Vote

        spent = Spent(
            *reviews.spent(self._context.database, self._context.now_ms() // DAY_MS * DAY_MS)
        )
        asked = reviewers_for(policy, spent=spent)
        instant = [one for one in asked if one.is_instant or with_models]
        votes = {vote.reviewer: vote for vote in gather(subject, instant, policy.timeout_s)}
        waits = "asks a model: not asked here (:Test reviewers)"
        return [
            votes.get(one.name) or Vote(one.name, status="waits", reason=waits, engine=one.engine)
            for one in asked
        ]

    def _finding(self) -> tuple[Subject, str]:
        """What reviewers are tried on: the newest that a session left, or a sample."""
        for memory in self._newest(50):
            if memory.origin.session:
                subject = Subject(
                    memory.content, memory.type, memory.category or "", memory.importance
                )
                return subject, f"“{_short(memory.title)}”"
        sample = Subject(SAMPLE_FINDING, "procedural", "workflow", 0.6)
        return sample, f"“{_short(SAMPLE_FINDING)}”"

    def _captured(self, name: str, values: Sequence[Any]) -> Effect:
        found = [one for one in self._newest(MOST_LENGTHS) if one.origin.session]
        lines = []
        for place, value in enumerate(values):
            out = [
                one
                for one in found
                if (
                    length_of(one.content) < value
                    if name == "min_length"
                    else len(one.content) > value
                )
            ]
            what = "shorter" if name == "min_length" else "longer"
            says = f"{len(out):,} of {len(found):,} captured memories are {what}"
            lines.append(Line(text_of(value), says, "" if place else "now"))
        return Effect("", tuple(lines))

    def _kept(self, values: Sequence[Any]) -> Effect:
        total = self._search.count()
        lines = [Line("here", f"{total:,} memories, the person's own included")]
        for place, value in enumerate(values):
            over = max(total - value, 0)
            says = f"at most {over:,} over it" if over else f"room for {value - total:,} more"
            lines.append(Line(text_of(value), says, "" if place else "now"))
        return Effect("", tuple(lines))


def _choice_with(choice: Choice, name: str, value: Any) -> Choice:
    """What redaction leaves with another value of one of its settings."""
    if name == "keep_emails":
        kept = frozenset(str(one).strip().lower() for one in value)
        return replace(choice, keep_emails=kept)
    return replace(choice, **{f"use_{name}": value})


def _account(told: Injection) -> str:
    memories = f"{len(told.items)} {'memory' if len(told.items) == 1 else 'memories'}"
    return f"{memories}, {told.tokens:,} of {told.budget:,} tokens, {len(told.left_out)} left out"


def _difference(now: Injection, then: Injection) -> list[Line]:
    """What another value tells or holds back, by title."""
    here: Mapping[str, str] = {hit.id: hit.memory.title for hit in now.items}
    there: Mapping[str, str] = {hit.id: hit.memory.title for hit in then.items}
    more = [title for name, title in there.items() if name not in here]
    less = [title for name, title in here.items() if name not in there]
    lines = [Line("+", _short(title), "more") for title in more[:MOST_TITLES]]
    lines += [Line("-", _short(title), "less") for title in less[:MOST_TITLES]]
    over = max(len(more) - MOST_TITLES, 0) + max(len(less) - MOST_TITLES, 0)
    return [*lines, *([Line("", f"and {over} more")] if over else [])]


def _vote_line(vote: Vote) -> Line:
    engine = "" if vote.engine == BUILT_IN else f" ({vote.engine})"
    if vote.status != "ok":
        return Line(vote.reviewer, f"{vote.reason or vote.status}{engine}", "warning")
    score = f"{vote.score:.1f} of 10" if vote.score is not None else "no score"
    took = f", {vote.latency_ms:,.0f} ms" if vote.engine != BUILT_IN else ""
    return Line(vote.reviewer, f"{score}: {vote.reason}{engine}{took}".rstrip(": "), "now")


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_SAID else f"{line[: LONGEST_SAID - 1]}…"
