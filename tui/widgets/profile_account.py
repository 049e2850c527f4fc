"""One entry of the profile as text to read: what it says, whose it is, and what it rests on."""

from __future__ import annotations

from datetime import datetime

from textual.content import Content
from textual.style import Style

from ...core.clock import to_ms
from ...core.judgements import Conflict
from ...core.profiles import ProfileEntry
from ...core.values import Memory
from ..text import age, counted, cut, fit, one_line, plain

LABEL = 9  # cells of a label
MOST_SHOWN = 8
"""Memories that an entry names of those it rests on."""

GROUPS = {"preferences": "category", "patterns": "domain", "facts": "kind"}
WHOSE = {
    "yours": "yours: to be kept to",
    "confirmed": "confirmed by you: to be kept to",
    "established": "established: told as a note",
}
SAID_BY = {
    "person": "you",
    "agent-verified": "an agent, borne out by its session",
    "agent-unverified": "an agent",
    "quoted": "an agent, quoting",
    "imported": "an import",
}


def account(entry: ProfileEntry, question: Conflict | None, cells: int, now: datetime) -> Content:
    """All there is to say of an entry, no line wider than `cells`."""
    now_ms = to_ms(now) or 0
    used = f"{age(to_ms(entry.last_used), now_ms).strip()} ago" if entry.last_used else "never"
    used = "now" if used == "now ago" else used
    lines = [*plain(entry.memory.content).wrap(max(cells, 8)), Content("")]
    if question is not None:
        lines += _question(entry, question, cells)
    sessions = f" in {counted(entry.sessions, 'session')}" if entry.sessions else ""
    for label, value in (
        (GROUPS[entry.section], f"{entry.group}, since {entry.why}"),
        ("whose", WHOSE[entry.whose]),
        ("said by", SAID_BY.get(entry.provenance, entry.provenance) + sessions),
        ("holds", "everywhere" if entry.memory.scope == "global" else "in this project"),
        ("weight", f"{entry.weight:.2f} of 1"),
        ("told", _told(entry)),
        ("used", used),
    ):
        lines += _labelled(label, plain(value), cells)
    lines += [Content(""), plain(f"rests on {counted(len(entry.rests_on), 'memory', 'memories')}")]
    lines += [_link(memory, cells) for memory in entry.rests_on[:MOST_SHOWN]]
    if len(entry.rests_on) > MOST_SHOWN:
        lines.append(plain(f"and {len(entry.rests_on) - MOST_SHOWN} more", "$text-muted"))
    return Content("\n").join(lines)


def _told(entry: ProfileEntry) -> str:
    """When agents are told it."""
    if entry.memory.status == "pinned":
        return "always, with what contradicts it" if entry.asked else "always: it is pinned"
    return "at starts, the weightiest first" if entry.is_told else "to nobody until you decide"


def _question(entry: ProfileEntry, question: Conflict, cells: int) -> list[Content]:
    """What contradicts the entry, and the key that decides."""
    is_first = question.first.id == entry.memory.id
    other = question.second if is_first else question.first
    return [
        plain("Which holds? It contradicts", "bold $conflict"),
        _link(other, cells),
        Content.assemble(("L", "bold $footer-key-foreground"), (" decides", "$text-muted")),
        Content(""),
    ]


def _link(memory: Memory, cells: int) -> Content:
    """A memory that can be clicked."""
    words = f"› {cut(one_line(memory.title), max(cells - 2, 8))}"
    return plain(words, "$text-accent").stylize(Style.from_meta({"memdeck_memory": memory.id}))


def _labelled(label: str, value: Content, cells: int) -> list[Content]:
    """The value behind its label; what does not fit goes on beneath itself."""
    return [
        Content.assemble((fit(label if not row else "", LABEL) + "  ", "$text-muted"), line)
        for row, line in enumerate(value.wrap(max(cells - LABEL - 2, 8)))
    ]
