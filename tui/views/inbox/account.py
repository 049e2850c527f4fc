"""A candidate as text to read: what it says, where it came from, what speaks for it and against it.

Pure functions from values to `Content`. Memory text enters as text, never as markup.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from textual.content import Content
from textual.style import Style

from ....core.answers import NO_ENVELOPE, Envelope, Neighbour, Recording, Row, Salience
from ....core.judgements import (
    EVIDENCE_WORDS,
    FACTOR_WORDS,
    SIGNAL_WORDS,
    TIER_WORDS,
    Candidate,
    RefusedCapture,
    failure_words,
)
from ....core.models.reviewers import Vote
from ....core.values import VERIFIED, Memory, importance_10, source_of
from ...text import counted, one_line, plain, width
from ...widgets.account import BAR, LABEL, LONGEST_BODY, Account
from ...widgets.word_diff import Comparison, content_of, ruled

LONGEST_ID = 16  # characters of a session's id that is shown whole
MOST_PARTS = 6  # actions, errors, lessons that are shown

OUTCOMES = {
    "success": ("✓ it worked", "$text-success"),
    "failure": ("✗ it failed", "$text-error"),
    "partial": ("◐ it worked in part", "$text-warning"),
}


@dataclass(frozen=True, slots=True)
class Rival:
    """What a candidate contradicts."""

    title: str
    reason: str  # which words or values oppose each other


@dataclass(frozen=True, slots=True)
class Judged:
    """A candidate with all that is shown beside it."""

    candidate: Candidate
    words: Comparison | None = None  # the nearest known text before, this one after
    rivals: tuple[Rival, ...] = ()
    says_the_same: bool = False  # near enough to what is known to merge the two unasked
    session_name: str = ""  # the session in words; "" where nobody noted it

    @property
    def memory(self) -> Memory:
        return self.candidate.memory

    @property
    def shows(self) -> set[str]:
        """The ids of the memories whose change makes this old."""
        near = self.candidate.neighbour
        return {self.memory.id} | ({near.id} if near else set())


def says(account: Account, judged: Judged) -> list[Content]:
    """Title, standing and text: what the verdict is about."""
    memory = judged.memory
    return [*_top(account, memory), Content(""), *_text(account, memory.content), Content("")]


def came_from(account: Account, judged: Judged) -> list[Content]:
    """Where it was learned, what it touches, and the work around it."""
    memory = judged.memory
    return [
        *_origin_fields(account, memory, judged.session_name),
        *_work(account, judged.candidate.envelope),
        *account.details(_without(memory, "source_sessions")),
    ]


def in_short(account: Account, row: Row) -> list[Content]:
    """What the list knows of a candidate, until the rest is here."""
    standing = Content.styled(f"{row.type} · {row.category}", "$text-muted")
    return [standing, Content(""), *_text(account, row.title)]


def _top(account: Account, memory: Memory) -> Iterable[Content]:
    if not _repeats(memory.title, memory.content):
        yield plain(one_line(memory.title), "bold $text")
    words = [
        (f"{account.glyphs.conflict} conflict", "$conflict") if memory.in_conflict else None,
        *((text, "$text-muted") for text in (memory.type, memory.category, memory.scope)),
    ]
    parts = [Content.styled(*word) for word in words if word]
    yield Content.styled(" · ", "$text-muted").join(parts)


def _text(account: Account, content: str, ink: str = "$candidate") -> Iterable[Content]:
    """The text behind a bar, so that it stands out from what is said about it."""
    shown = plain(content[:LONGEST_BODY], "$foreground")
    for line in shown.wrap(account.width - 2):
        yield Content.assemble((f"{account.glyphs.bar} ", ink), line)
    if len(content) > LONGEST_BODY:
        rest = f"… {len(content) - LONGEST_BODY:,} more characters: e opens them all"
        yield Content.styled(rest, "$text-muted")


def _origin_fields(account: Account, memory: Memory, session_name: str) -> list[Content]:
    origin = memory.origin
    session = one_line(session_name) or _short(origin.session or "")
    place = [session, f"line {origin.line:,}" if origin.line else ""]
    return account.fields(
        ("from", account.origin(memory)),
        ("trust", account.trust(memory.degree, memory.provenance)),
        ("said", account.when(memory.created_at)),
        ("session", " · ".join(part for part in place if part)),
        ("subagent", origin.agent_id or ""),
        ("files", account.paths(memory.files)),
        ("tags", "  ".join(memory.tags)),
        ("due", account.when(memory.due)),
        ("expires", account.when(memory.expires)),
        ("importance", account.gauge(memory.importance, f"{importance_10(memory.importance)}/10")),
    )


def _work(account: Account, envelope: Envelope) -> list[Content]:
    """The work that it was learned at, and how it went."""
    if envelope == NO_ENVELOPE:
        return []
    outcome, ink = OUTCOMES.get(envelope.outcome, ("", ""))
    fields = account.fields(
        ("task", envelope.task),
        ("intent", envelope.intent),
        ("outcome", Content.styled(outcome, ink) if outcome else ""),
        ("actions", _list(envelope.actions)),
        ("errors", _list(envelope.errors)),
        ("lessons", _list(envelope.lessons)),
        ("made", _list(envelope.artifacts)),
        ("cost", _cost(envelope)),
    )
    return [Content(""), account.section("learned while"), *fields]


# -- what was refused


def refused(account: Account, capture: RefusedCapture) -> list[Content]:
    """A refused capture: its text, and why it was refused."""
    gate, _, why = capture.reason.partition(": ")
    text = capture.content
    kept = (
        _text(account, text, "$retired")
        if text.strip()
        else [Content.styled("Nothing of its text was kept.", "$text-muted")]
    )
    fields = account.fields(
        ("refused", Content.styled(one_line(why or gate), "$text-warning")),
        ("at gate", gate if why else ""),
        ("found by", capture.rule),
        ("session", one_line(capture.session_name) or _short(capture.session or "")),
        ("said", account.when(capture.at)),
        ("category", capture.category or ""),
        (
            "importance",
            account.gauge(capture.importance, f"{importance_10(capture.importance)}/10"),
        ),
    )
    return [*kept, Content(""), *fields]


def _repeats(title: str, content: str) -> bool:
    """Whether a title only says how the text begins."""
    return one_line(content[: 4 * len(title) + 64]).startswith(one_line(title).rstrip("…").strip())


def _without(memory: Memory, field: str) -> Memory:
    """The memory without a field of its type that is told elsewhere."""
    details = {name: value for name, value in memory.details.items() if name != field}
    return replace(memory, details=details)


def _list(parts: Sequence[str]) -> str:
    """One a line, the first few of them."""
    rest = len(parts) - MOST_PARTS
    return "\n".join([*parts[:MOST_PARTS], *([f"… {rest:,} more"] if rest > 0 else [])])


def _cost(envelope: Envelope) -> str:
    tokens = counted(envelope.tokens, "token") if envelope.tokens is not None else ""
    time = f"{envelope.time_ms / 1000:,.0f} s" if envelope.time_ms is not None else ""
    return " · ".join(part for part in (tokens, time) if part)


def _short(session: str) -> str:
    """The id of a session that nobody noted."""
    return session if len(session) <= LONGEST_ID else f"{session[:8]}…"


ALIKE = 0.5
"""Texts less alike than this are shown without their differences: everything would differ."""

MOST_COMPARED = 4_000
"""Characters of the nearest known text that are shown."""


def judgement(account: Account, judged: Judged) -> list[Content]:
    """Points, quarantine, rivals, votes and weight, in this order."""
    return [*_points(account, judged.candidate), *_reasons(account, judged)]


def all_in_one(account: Account, judged: Judged) -> list[Content]:
    """The same and the nearest known memory, where there is one pane for everything."""
    return [
        *_points(account, judged.candidate),
        account.section("known, most like it"),
        *nearest(account, judged),
        Content(""),
        *_reasons(account, judged),
    ]


def _reasons(account: Account, judged: Judged) -> Iterator[Content]:
    candidate = judged.candidate
    yield from _recordings(account, candidate.recordings)
    yield from _salience(account, candidate.salience)
    yield from _rivals(account, judged)
    yield from votes(account, candidate.votes, candidate.tier)
    yield from _weight(account, candidate)


def nearest(account: Account, judged: Judged) -> list[Content]:
    """The nearest known memory, and the words in which this one differs."""
    near = judged.candidate.neighbour
    if near is None:
        says = "Nothing that is known shares words with it: it is new."
        return [*plain(says, "$text-muted").wrap(account.width)]
    lines = [_near_head(account, near)]
    if judged.words is None or near.similarity < ALIKE:
        text = plain(near.content[:MOST_COMPARED], "$text-muted").wrap(account.width - 2)
        return [*lines, *(Content.assemble(("▎ ", "$text-muted"), line) for line in text)]
    before = content_of(judged.words.before, "before")
    after = content_of(judged.words.after, "after")
    cells = account.width
    return [*lines, *ruled(before, "before", cells), *ruled(after, "after", cells)]


# -- the nearest known memory


def _near_head(account: Account, near: Neighbour) -> Content:
    status = {
        "pinned": (f"{account.glyphs.pinned} pinned", "$pinned"),
        "candidate": (f"{account.glyphs.candidate} candidate too", "$candidate"),
    }.get(near.status, (near.status, "$text-muted"))
    ink = "$text-warning" if near.similarity >= ALIKE else "$text-muted"
    parts = [
        Content.styled(f"{near.similarity:.0%} alike", f"bold {ink}"),
        Content.styled(*status),
        Content.styled(near.category, "$text-muted"),
    ]
    line = Content.styled(" · ", "$text-muted").join(parts)
    goes = Style.from_meta({"memdeck_memory": near.id})
    return line.truncate(account.width, ellipsis=True).stylize(goes)


# -- points and quarantine


def _points(account: Account, candidate: Candidate) -> Iterator[Content]:
    needed = candidate.points_needed
    share = candidate.points / needed if needed else 1.0
    ink = "$success" if share >= 1 else "$score"
    says = f"{candidate.points:g} of {needed}" if share < 1 else f"{candidate.points:g}, enough"
    yield account.field("points", account.gauge(share, says, ink))
    if candidate.signals:
        told = [
            f"+{points:g} {SIGNAL_WORDS.get(name, name.replace('-', ' '))}"
            for name, points in candidate.signals.items()
        ]
        line = " · ".join(told)
        fits = width(line) <= account.width - LABEL
        says = line if fits else "\n".join(told)
        yield account.field("", Content.styled(says, "$text-muted"))
    if state := _quarantine(account, candidate):
        yield from plain(state, "$text-muted").wrap(account.width)
    yield Content("")


def _quarantine(account: Account, candidate: Candidate) -> str:
    """How far it is on its way into the project's memory, in words."""
    until = candidate.quarantined_until
    if until is not None and until > account.now:
        return f"kept for the project on trial, for good {_ahead(account, until.timestamp())}"
    if until is not None:
        return "kept for the project; its trial is over"
    if candidate.promoted_at is not None:
        return "kept for the project"
    missing = candidate.points_needed - candidate.points
    return f"{missing:g} more and it is kept for the project" if missing > 0 else ""


def _ahead(account: Account, moment: float) -> str:
    """`in 19 h`, `in 40 min`."""
    minutes = max(round((moment - account.now.timestamp()) / 60), 1)
    return f"in {minutes // 60} h" if minutes >= 60 else f"in {minutes} min"


# -- what an agent recorded


def _recordings(account: Account, recordings: Sequence[Recording]) -> Iterator[Content]:
    """Who said it in the session, as the transcript has it, and why it was recorded."""
    for one in recordings:
        yield account.section("recorded by the agent", source_of(one.evidence) or "")
        ink = "$text-success" if one.evidence in VERIFIED else "$text-warning"
        yield from plain(EVIDENCE_WORDS[one.evidence], ink).wrap(account.width)
        if one.why:
            yield from plain(f"why: {one_line(one.why)}", "$text-muted").wrap(account.width)
        yield Content("")


# -- what the fitted score says


def _salience(account: Account, salience: Salience | None) -> Iterator[Content]:
    """How likely it is worth keeping, and the signs that counted most."""
    if salience is None:
        return
    standing = "established" if salience.is_established else "candidate"
    yield account.section("worth keeping", standing)
    gauge = account.gauge(salience.worth_keeping, f"{salience.worth_keeping:.0%}", "$score")
    yield account.field("likely", gauge)
    for words, part in salience.reasons:
        line = Content.assemble(
            (f"{part:+.1f} ", "$text-success" if part > 0 else "$text-error"),
            plain(one_line(words), "$text-muted"),
        )
        yield line.truncate(account.width, ellipsis=True)
    yield Content("")


# -- what it contradicts


def _rivals(account: Account, judged: Judged) -> Iterator[Content]:
    if not judged.rivals:
        return
    yield account.section("contradicts", "3 decides it")
    for rival in judged.rivals:
        line = Content.assemble(
            (f"{account.glyphs.conflict} ", "$conflict"), plain(one_line(rival.title))
        )
        yield line.truncate(account.width, ellipsis=True)
        if rival.reason:
            for part in plain(one_line(rival.reason), "$text-muted").wrap(account.width - 2):
                yield Content("  ") + part
    yield Content("")


# -- votes and weight


def votes(account: Account, votes: Sequence[Vote], tier: str) -> Iterator[Content]:
    """Each reviewer's score and reason, and how many a decision stood on."""
    if not votes:
        return
    answered = sum(vote.status == "ok" for vote in votes)
    says = f"{answered} of {len(votes)}"
    yield account.section("votes", f"{says} · {TIER_WORDS.get(tier, tier)}" if tier else says)
    for vote in votes:
        yield from _vote(account, vote)
    yield Content("")


def _vote(account: Account, vote: Vote) -> Iterator[Content]:
    is_ok = vote.status == "ok" and vote.score is not None
    score = f"{vote.score:.1f}".rjust(4) if is_ok else "   –"
    ink = _ink_of(vote.score) if is_ok else "$text-warning"
    told = [vote.reviewer]
    if vote.engine != "built-in":
        told.append(f"{vote.engine}, {vote.latency_ms / 1000:.1f} s")
    if vote.cost_usd:
        told.append(f"${vote.cost_usd:.4f}")
    if vote.is_trivial and is_ok:
        told.append("trivial")
    head = Content.assemble((f"{score}  ", f"bold {ink}"), plain(one_line(" · ".join(told))))
    yield head.truncate(account.width, ellipsis=True)
    reason = vote.reason if is_ok else failure_words(vote)
    for line in plain(one_line(reason), "$text-muted").wrap(account.width - 6) if reason else ():
        yield Content("      ") + line


def _weight(account: Account, candidate: Candidate) -> Iterator[Content]:
    """The six factors of its importance, as bars."""
    if not candidate.weight:
        return
    yield account.section("why it weighs so")
    for name, share in candidate.weight.items():
        full = round(max(0.0, min(share, 1.0)) * BAR)
        bar = Content.assemble(
            (account.glyphs.full * full, "$score"),
            (account.glyphs.empty * (BAR - full), "$text-disabled"),
            (f"  {share:.2f}", "$text-muted"),
        )
        yield account.field(FACTOR_WORDS.get(name, name.replace("_", " ")), bar, 12)


def _ink_of(score: float | None) -> str:
    if score is None:
        return "$text-muted"
    return "$text-success" if score >= 7 else "$text-warning" if score >= 4 else "$text-error"
