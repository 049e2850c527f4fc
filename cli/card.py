"""One memory, whole, as a person reads it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ..core.answers import Entry, Link, Receipt
from ..core.clock import is_moment
from ..core.judgements import trust_words
from ..core.recall.selection import privacy_words
from ..core.values import Memory, at, importance_10
from .grounds import Grounds, show_grounds
from .output import (
    Ink,
    age,
    ago,
    count,
    field,
    glyph,
    one_line,
    say,
    section,
    table,
    when,
    width,
    wrap,
)

if TYPE_CHECKING:
    from ..core.compat import MemoryCoordinator

MOST_RECEIPTS = 20
"""Receipts that are listed of a memory."""

TOLD_ALREADY = ("timestamp", "due_at", "expires_at")
"""Fields of a type's own table that repeat what every memory has."""


def show_card(
    memory: Memory,
    links: Sequence[Link],
    changes: Sequence[Entry],
    injected: Sequence[Receipt],
    grounds: Grounds,
    core: MemoryCoordinator,
) -> None:
    """Print the memory with its fields, grounds, links, uses and, where given, its history."""
    now = core.now()
    show_head(memory)
    own = next((project.name for project in core.projects() if project.id == memory.project), "")
    for name, value in _facts(memory, own or memory.project, len(injected), now):
        field(name, value)
    show_grounds(grounds, now)
    if links:
        section("links")
        table([_link_row(link, memory.id, core) for link in links], indent="    ")
    if injected:
        section("injected into")
        table(
            [
                [age(receipt.at, now), receipt.host, receipt.session or "", receipt.id]
                for receipt in injected
            ],
            indent="    ",
        )
    if changes:
        section("history, newest first")
        table([entry_row(entry, now, whose=False) for entry in changes], indent="    ")


def show_head(memory: Memory) -> None:
    """Print title, standing and, where the title leaves some of it out, the text."""
    show_title(memory)
    say("  ", Ink(_standing(memory), "dim"))
    say("")
    if one_line(memory.content).strip() != one_line(memory.title or memory.content).strip():
        for line in wrap(memory.content, width() - 2):
            say("  ", line)
        say("")


def show_title(memory: Memory, indent: str = "") -> None:
    """Print its glyph, id and title, on as many lines as it takes."""
    aside = len(indent) + len(memory.short_id) + 4
    first, *more = wrap(one_line(memory.title or memory.content), width() - aside)
    say(indent, glyph(memory), " ", Ink(memory.short_id, "dim"), "  ", Ink(first, "bold"))
    for line in more:
        say(" " * aside, Ink(line, "bold"))


def _standing(memory: Memory) -> str:
    words = [memory.type, memory.category.replace("_", " "), memory.scope, memory.status]
    words.append(f"importance {importance_10(memory.importance)} of 10")
    if memory.in_conflict:
        words.append("in conflict")
    if memory.retired_as:
        words.append(memory.retired_as)
    return " · ".join(words)


def _facts(memory: Memory, project: str, receipts: int, now: datetime) -> list[tuple[str, str]]:
    facts = [
        ("tags", ", ".join(memory.tags)),
        ("files", ", ".join(memory.files)),
        ("project", project if memory.project else "all projects"),
        ("from", origin_of(memory)),
        ("trust", trust_words(memory.degree, memory.provenance)),
        ("verify", memory.stale),
        ("created", when(memory.created_at, now)),
    ]
    if memory.updated_at != memory.created_at:
        facts.append(("updated", when(memory.updated_at, now)))
    for name in ("due", "expires"):
        if (moment := getattr(memory, name)) is not None:
            facts.append((name, when(moment, now)))
    if memory.retired_at is not None:
        facts.append((memory.retired_as or "retired", when(memory.retired_at, now)))
    facts += [
        *(
            ("both hold", f"with {short}{f': {context}' if context else ''}")
            for _, short, context in memory.both_hold
        ),
        ("told", _tellings(memory, receipts, now)),
        ("confidence", f"{memory.confidence:.2f}"),
        ("privacy", privacy_words(memory.privacy, memory.details, now)),
        ("tokens", str(memory.tokens)),
        ("key", memory.key or ""),
        ("id", memory.id),
    ]
    facts += [
        (name.replace("_", " "), _detail(value, now))
        for name, value in memory.details.items()
        if name not in TOLD_ALREADY and value != memory.title
    ]
    return facts


def origin_of(memory: Memory) -> str:
    """Where a memory was learned: agent, session, line; or that a person wrote it."""
    origin = memory.origin
    if origin.agent is None:
        return "a person"
    words = [origin.agent if origin.role is None else f"{origin.agent} ({origin.role})"]
    if origin.session:
        words.append(f"session {origin.session}")
    if origin.line:
        words.append(f"line {origin.line}")
    return ", ".join(words)


def _tellings(memory: Memory, receipts: int, now: datetime) -> str:
    if not memory.accesses:
        return "never"
    words = [count(memory.accesses, "time")]
    if memory.last_access:
        words.append(f"last {ago(memory.last_access, now)}")
    if memory.helpful or memory.unhelpful:
        words.append(f"helpful {memory.helpful}, unhelpful {memory.unhelpful}")
    if receipts < min(memory.accesses, MOST_RECEIPTS):  # fewer are listed, though all are
        words.append("being said again counts")
    return ", ".join(words)


def _detail(value: Any, now: datetime) -> str:
    if value is None or value in ("", [], {}):
        return ""
    if is_moment(value) and (moment := at(value)) is not None:
        return when(moment, now)
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {part}" for name, part in value.items())
    if isinstance(value, (list, tuple)):
        return "; ".join(str(part) for part in value)
    return str(value)


def _link_row(link: Link, owner: str, core: MemoryCoordinator) -> list[str | Ink]:
    other = link.target if link.source == owner else link.source
    kind = link.kind.replace("_", " ")
    word = kind if link.source == owner else f"← {kind}"
    return [word, Ink(core.show(other).short_id, "dim"), link.other_title]


def entry_row(entry: Entry, now: datetime, *, whose: bool = True) -> list[str | Ink]:
    """A line of the audit trail: number, age, actor, action, and what it was about."""
    about = entry.title if whose else ""
    if whose and entry.count > 1 and len(entry.memories) > 1:
        about = f"{about} (and {len(entry.memories) - 1} more)"
    remarks = [about, entry.reason if entry.reason != about else ""]
    if entry.group is not None:
        remarks.append(f"one act with #{entry.group}")
    if entry.undoes is not None:
        remarks.append(f"takes back #{entry.undoes}")
    if entry.undone_by is not None:
        remarks.append(f"taken back by #{entry.undone_by}")
    return [
        Ink(f"#{entry.seq}", "dim"),
        f"{age(entry.at, now):>4}",
        entry.actor,
        entry.action,
        " · ".join(remark for remark in remarks if remark),
    ]
