"""The card of two memories that want one verdict."""

from __future__ import annotations

from ..services.review import ReviewItem
from ..values import Memory
from . import document as d
from .candidate import IF_NOTHING, proposal_words, repeats, who
from .memory import injected_words


def card(item: ReviewItem) -> d.Document:
    """Return the card of a conflict or a pair of duplicates, one side under the other."""
    sides = [
        side_section(memory, "stays" if position == item.stays else "the other one")
        for position, memory in enumerate(item.memories)
    ]
    model = item.conflict.model_says if item.conflict else ""
    why = [
        d.Row("why", item.reason),
        d.Row("model", model),
        d.Row("proposal", proposal_words(item)),
    ]
    last = d.section("", [d.Row("", f"{IF_NOTHING}{item.if_nothing}", d.WARNING)])
    kind = "conflict" if item.kind == "conflict" else "duplicate"
    sections = [d.section("", why), *sides, last]
    return d.document(item.memory.title, sections, [d.Mark(kind, d.CONFLICT)], value=item)


def side_section(memory: Memory, title: str) -> d.Section:
    """Return one side of a pair: its text and its facts."""
    heading = () if repeats(memory) else (d.Row("", memory.title),)
    body = d.Row("", memory.content, d.BODY)
    return d.section(title, [*heading, body, *side_facts(memory)], note=memory.short_id)


def side_facts(memory: Memory) -> list[d.Row]:
    """Return what tells a side apart from the other one, beside its text."""
    return [
        d.Row("who", who(memory)),
        d.Row("when", memory.created_at, d.MOMENT),
        d.Row("status", memory.retired_as or memory.status),
        d.Row("injected", injected_words(memory, memory.accesses)),
        d.Row("files", "\n".join(memory.files), d.PATH),
        d.Row("tags", ", ".join(memory.tags)),
    ]
