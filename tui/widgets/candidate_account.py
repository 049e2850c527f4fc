"""A candidate as text to read: what it says, where it came from, and the work it was learned at.

Pure functions from values to `Content`. Memory text enters as text, never as markup.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from textual.content import Content

from ...core.answers import NO_ENVELOPE, Envelope, Row
from ...core.judgements import Candidate, RefusedCapture
from ...core.values import Memory, importance_10
from ..text import counted, one_line, plain
from .account import LONGEST_BODY, Account
from .word_diff import Comparison

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
    rows: list[tuple[str, str | Content]] = [
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
    ]
    return [account.field(name, value) for name, value in rows if value]


def _work(account: Account, envelope: Envelope) -> list[Content]:
    """The work that it was learned at, and how it went."""
    if envelope == NO_ENVELOPE:
        return []
    outcome, ink = OUTCOMES.get(envelope.outcome, ("", ""))
    rows: list[tuple[str, str | Content]] = [
        ("task", envelope.task),
        ("intent", envelope.intent),
        ("outcome", Content.styled(outcome, ink) if outcome else ""),
        ("actions", _list(envelope.actions)),
        ("errors", _list(envelope.errors)),
        ("lessons", _list(envelope.lessons)),
        ("made", _list(envelope.artifacts)),
        ("cost", _cost(envelope)),
    ]
    fields = [account.field(name, value) for name, value in rows if value]
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
    rows: list[tuple[str, str | Content]] = [
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
    ]
    fields = [account.field(name, value) for name, value in rows if value]
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
