"""Lays out one memory, with its numbers on request, and the profile of the user."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from .. import judgements
from ..answers import NO_ENVELOPE, Entry, Envelope, Link, Recording, Salience
from ..lifecycle.worth import Worth
from ..models.reviewers import Vote
from ..services.receipts import Receipt
from ..values import Hit, Memory, at, importance_10, is_moment, source_of
from . import document as d

NAMES = {"preference": "Preferences", "pattern": "Patterns"}


def profile_document(profile: Mapping[str, Mapping[str, Sequence[Memory]]]) -> d.Document:
    """Return the preferences and patterns, each category as a section."""
    sections = [
        d.section(
            f"{NAMES[category]}: {group}",
            *[d.Row(each.short_id, each.content, link=f"memory:{each.id}") for each in memories],
        )
        for category, groups in profile.items()
        for group, memories in groups.items()
    ]
    return d.document("Your preferences in every project", *sections)


SHOWN_INJECTIONS = 3  # receipts that are shown in the app; Prompts shows all

REPEATED_DETAILS = ("timestamp", "due_at", "expires_at")
"""Fields of a type's own table that repeat fields of every memory."""


DETAILED_TYPES = ("procedural", "prospective", "episodic")
"""Types whose own fields say more than the text."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """The scores of a memory. Every field may be missing."""

    votes: tuple[Vote, ...] = ()
    is_candidacy_known: bool = False
    points: float = 0.0
    points_needed: int = 0
    signals: Mapping[str, float] = field(default_factory=dict)
    promoted_at: datetime | None = None
    quarantined_until: datetime | None = None
    snoozed_until: datetime | None = None
    envelope: Envelope = NO_ENVELOPE
    salience: Salience | None = None
    recordings: Sequence[Recording] = ()
    worth: Worth | None = None  # of a live memory


@dataclass(frozen=True, slots=True)
class Explanation:
    """The match of a memory with a query. Without `hit` it is not among the best hits."""

    hit: Hit | None = None
    place: int = 0
    behind: float = 0.0  # the score's distance to the next hit
    next_title: str = ""
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MemoryDetails:
    """One memory with its surroundings."""

    memory: Memory
    links: Sequence[Link] = ()
    injections: Sequence[Receipt] = ()  # newest first
    names: Mapping[str, str] = field(default_factory=dict)  # of sessions, projects, memories by id
    here: str = ""  # the project that is looked from
    review: str = ""  # why a candidate does not wait there
    pin: str = ""  # whether a pinned memory fits into each start
    numbers: Numbers | None = None
    history: Sequence[Entry] = ()
    explanation: Explanation | None = None


def memory_document(details: MemoryDetails) -> d.Document:
    """Return the whole layout of a memory."""
    memory = details.memory
    repeats = " ".join(memory.content.split()) == " ".join(memory.title.split())
    sections = [
        d.section("", *([] if repeats else [d.Row("", memory.content, d.BODY)])),
        *([_explained(details.explanation)] if details.explanation is not None else ()),
        d.section("", *_facts(details)),
        _injections(details),
        d.section("Links", *(_link(link, memory.id) for link in details.links)),
        d.section(
            memory.type.capitalize(),
            *(_type_rows(details) if memory.type in DETAILED_TYPES or details.numbers else ()),
        ),
        *(number_sections(memory, details.numbers) if details.numbers is not None else ()),
        _history(details.history),
    ]
    return d.document(memory.title, *sections, marks=_marks(details))


def states(memory: Memory) -> Iterator[d.Mark]:
    """Yield what became of a memory: retired, else its status, and whether it is in a conflict."""
    kinds = {"pinned": d.PINNED, "candidate": d.CANDIDATE}
    if memory.retired_as is not None:
        yield d.Mark(memory.retired_as, d.RETIRED)
    else:
        yield d.Mark(memory.status, kinds.get(memory.status, d.MUTED))
    if memory.in_conflict:
        yield d.Mark("in conflict", d.CONFLICT)


def _marks(details: MemoryDetails) -> Iterator[d.Mark]:
    memory = details.memory
    yield from states(memory)
    if memory.stale:
        yield d.Mark("verify", d.WARNING)
    if memory.project and details.here and memory.project != details.here:
        yield d.Mark(details.names.get(memory.project, memory.project), d.BAD)
    for word in (memory.type, memory.category.replace("_", " "), memory.scope):
        yield d.Mark(word)


def _facts(details: MemoryDetails) -> Iterator[d.Row | None]:
    memory, origin = details.memory, details.memory.origin
    yield d.Row("pin", details.pin, d.PINNED)
    yield d.Row("review", details.review)
    yield d.Row("verify", memory.stale, d.WARNING)
    yield d.Row("from", " · ".join(part for part in (origin.agent or "you", origin.role) if part))
    session = details.names.get(origin.session or "", "") or (origin.session or "")[:12]
    yield d.Row("session", session, link=f"session:{origin.session}" if origin.session else "")
    yield d.Row("created", memory.created_at, d.MOMENT)
    if memory.updated_at > memory.created_at:
        yield d.Row("changed", memory.updated_at, d.MOMENT)
    for name, moment in (
        ("due", memory.due),
        ("expires", memory.expires),
        (memory.retired_as or "retired", memory.retired_at),
    ):
        yield d.Row(name, moment, d.MOMENT) if moment is not None else None
    yield d.Row("tags", ", ".join(memory.tags))
    yield d.Row("files", "\n".join(memory.files), d.PATH)
    for other, short, context in memory.both_hold:
        title = details.names.get(other, short)
        yield d.Row("both hold", title, link=f"memory:{other}", note=context)
    yield d.Row("injected", injected_words(memory, len(details.injections)))
    yield d.Row("tokens", f"{memory.tokens:,}")
    yield d.Row("project", details.names.get(memory.project, memory.project) or "all projects")
    yield d.Row("id", memory.id)


def injected_words(memory: Memory, receipts: int) -> str:
    """Return how often a memory was injected and used, in words, of which some have receipts."""
    if not memory.accesses:
        return "never"
    words = [d.counted(memory.accesses, "time")]
    if receipts < min(memory.accesses, SHOWN_INJECTIONS):
        words[0] += ", injected or said again"
    if memory.used:
        words.append(f"used {d.counted(memory.used, 'time')}")
    if memory.helpful or memory.unhelpful:
        words.append(f"{memory.helpful} helpful, {memory.unhelpful} not")
    return "; ".join(words)


def _injections(details: MemoryDetails) -> d.Section:
    own = details.memory.id
    rows = []
    for receipt in details.injections[:SHOWN_INJECTIONS]:
        helped = next((item.get("helpful") for item in receipt.items if item["id"] == own), None)
        verdict = {True: "helpful: ", False: "not helpful: ", None: ""}[helped]
        what = verdict + " ".join((receipt.prompt or receipt.event).split())
        rows.append(
            d.Row(receipt.host, receipt.at, d.MOMENT, link=f"receipt:{receipt.id}", note=what)
        )
    more = len(details.injections) - SHOWN_INJECTIONS
    return d.section("Last injected", *rows, note=f"and {more} more" if more > 0 else "")


def _link(link: Link, own: str) -> d.Row:
    kind = link.kind.replace("_", " ")
    other = link.target if link.source == own else link.source
    word = kind if link.source == own else f"← {kind}"
    return d.Row(
        word,
        link.other_title or other,
        d.CONFLICT if link.kind == "contradicts" else d.TEXT,
        link=f"memory:{other}",
    )


def _type_rows(details: MemoryDetails) -> Iterator[d.Row]:
    for name, value in details.memory.details.items():
        if name in REPEATED_DETAILS or value == details.memory.title:
            continue
        if is_moment(value) and (moment := at(value)) is not None:
            yield d.Row(name.replace("_", " "), moment, d.MOMENT)
        else:
            yield d.Row(name.replace("_", " "), _as_text(value, details.names))


def _as_text(value: Any, names: Mapping[str, str]) -> str:
    if value is None or value in ("", [], (), {}):
        return ""
    if isinstance(value, Mapping):
        return "\n".join(f"{name}: {_as_text(part, names)}" for name, part in value.items())
    if isinstance(value, list | tuple):
        return "\n".join(_as_text(part, names) for part in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return f"{value.astimezone(UTC):%Y-%m-%d %H:%M}"
    return names.get(value, value) if isinstance(value, str) else str(value)


def _explained(why: Explanation) -> d.Section:
    if why.hit is None:
        return d.section("Why it matches", d.Row("", "The query has no words that rank it."))
    rows = [d.Row("", reason) for reason in why.reasons]
    rows += [d.Row(name, part, d.PART) for name, part in why.hit.parts.items()]
    if why.next_title:
        rows.append(d.Row("next one", why.next_title, note=f"{why.behind:.3f} behind"))
    return d.section("Why it matches", *rows, note=f"ranked {why.place}, score {why.hit.score:.3f}")


def number_sections(memory: Memory, numbers: Numbers) -> Iterator[d.Section]:
    """Return everything that a memory is judged by, section by section."""
    yield d.section(
        "Numbers",
        d.Row(
            "importance",
            memory.importance,
            d.SHARE,
            note=f"{importance_10(memory.importance)} of 10",
        ),
        d.Row("confidence", memory.confidence, d.SHARE, note=f"{memory.confidence:.0%}"),
        d.Row("trust", judgements.trust_words(memory.degree, memory.provenance)),
        d.Row("privacy", "" if memory.privacy == "public" else memory.privacy),
        d.Row("key", memory.key or ""),
        d.Row("session id", memory.origin.session or ""),
        d.Row("subagent", memory.origin.agent_id or ""),
        d.Row("transcript", _transcript(memory), d.PATH),
    )
    if numbers.is_candidacy_known:
        yield _points(numbers)
    if numbers.worth is not None:
        yield worth_section(numbers.worth)
    if numbers.salience is not None:
        score = numbers.salience
        yield d.section(
            "Worth keeping",
            d.Row("likely", score.worth_keeping, d.SHARE, note=f"{score.worth_keeping:.0%}"),
            *(d.Row(words, part, d.PART) for words, part in score.reasons),
        )
    yield d.section(
        "Recorded by agents", *(_recording(recording) for recording in numbers.recordings)
    )
    yield d.section(
        "Reviews",
        *(_vote(vote) for vote in numbers.votes),
        note=judgements.TIER_WORDS.get(tier_of(numbers.votes), ""),
    )
    yield _envelope(numbers.envelope)


def _transcript(memory: Memory) -> str:
    origin = memory.origin
    if not origin.transcript:
        return ""
    return f"{origin.transcript}:{origin.line}" if origin.line else origin.transcript


def _points(numbers: Numbers) -> d.Section:
    rows: list[d.Row | None] = [d.Row("points", f"{numbers.points:g} of {numbers.points_needed}")]
    for name, points in numbers.signals.items():
        rows.append(
            d.Row(judgements.SIGNAL_WORDS.get(name, name.replace("-", " ")), f"{points:+g}")
        )
    for label, moment in (
        ("promoted", numbers.promoted_at),
        ("trial ends", numbers.quarantined_until),
        ("snoozed until", numbers.snoozed_until),
    ):
        rows.append(d.Row(label, moment, d.MOMENT) if moment is not None else None)
    return d.section("Promotion", *rows)


def worth_section(worth: Worth) -> d.Section:
    rows = [d.Row("given", worth.base, d.SHARE, note=f"{worth.base:.2f}")]
    for name, share in worth.factors.items():
        note = f"{share:.2f}  {worth.moved[name]:+.2f}"
        rows.append(d.Row(name.replace("_", " "), share, d.SHARE, note=note))
    rows.append(d.Row("time", worth.fading, d.SHARE, note=f"{worth.quiet_days:.0f} days not used"))
    rows.append(d.Row("use", worth.use, d.SHARE, note=d.counted(worth.uses, "time")))
    rest = ", injected only on a clear match" if worth.tier == "cold" else ""
    return d.section("Worth", *rows, note=f"{worth.worth:.2f} · {worth.tier}{rest}")


def _recording(recording: Recording) -> d.Row:
    words = f"{source_of(recording.evidence)}: {judgements.EVIDENCE_WORDS[recording.evidence]}"
    return d.Row("", words, link=f"session:{recording.session}", note=recording.why)


def _vote(vote: Vote) -> d.Row:
    if vote.status != "ok" or vote.score is None:
        says = judgements.STATUS_WORDS.get(vote.status, vote.status)
        note = f"{says}: {vote.reason}" if vote.reason else says
        return d.Row(vote.reviewer, "-", d.WARNING, note=note)
    cost = f", ${vote.cost_usd:.4f}" if vote.cost_usd else ""
    about = f"{vote.reason} ({vote.engine}, {vote.latency_ms:,.0f} ms{cost})".strip()
    return d.Row(vote.reviewer, f"{vote.score:.1f}", note=about)


def tier_of(votes: Sequence[Vote]) -> str:
    """Return a key of TIER_WORDS for the number of votes that count; "" for none."""
    if not votes:
        return ""
    counted = sum(vote.status == "ok" for vote in votes)
    return "consensus" if counted > 1 else "partial" if counted else "fallback"


def _envelope(envelope: Envelope) -> d.Section:
    cost = []
    if envelope.tokens is not None:
        cost.append(f"{envelope.tokens:,} tokens")
    if envelope.time_ms is not None:
        cost.append(f"{envelope.time_ms / 1000:,.0f} s")
    return d.section(
        "Learned during",
        d.Row("task", envelope.task),
        d.Row("intent", envelope.intent),
        d.Row("actions", "\n".join(envelope.actions)),
        d.Row("outcome", envelope.outcome),
        d.Row("files", "\n".join(envelope.artifacts), d.PATH),
        d.Row("errors", "\n".join(envelope.errors)),
        d.Row("lessons", "\n".join(envelope.lessons)),
        d.Row("cost", ", ".join(cost)),
    )


def _history(entries: Sequence[Entry]) -> d.Section:
    rows = []
    for entry in entries:
        undone = f"undone by #{entry.undone_by}" if entry.undone_by else ""
        words = [f"{entry.actor} {entry.action}", entry.reason, undone]
        note = " · ".join(word for word in words if word)
        link = f"entry:{entry.seq}"
        rows.append(d.Row(f"#{entry.seq}", entry.at, d.MOMENT, link=link, note=note))
    return d.section("History", *rows)
