"""The cards of Review: one memory, two memories, and a filtered capture."""

from __future__ import annotations

from collections.abc import Iterator

from ..judgements import RefusedCapture
from ..services.review import ReviewItem
from ..text.sameness import ALIKE
from ..values import Memory
from . import document as d
from .memory import Numbers, injected_words, number_sections, states

HEADINGS = {
    "candidate": "New",
    "conflict": "Conflicts",
    "duplicate": "Duplicates",
    "outdated": "Outdated",
    "global": "For every project?",
}
"""The heading of each kind of item in Review."""


def side_facts(memory: Memory) -> list[d.Row]:
    """Return the fields in which a side differs from the other one, beside its text."""
    return [
        d.Row("who", who(memory)),
        d.Row("when", memory.created_at, d.MOMENT),
        d.Row("status", memory.retired_as or memory.status),
        d.Row("injected", injected_words(memory, memory.accesses)),
        d.Row("files", "\n".join(memory.files), d.PATH),
        d.Row("tags", ", ".join(memory.tags)),
    ]


IF_NOTHING = "If you do nothing: "

PROPOSALS = {
    "accept": "accept it",
    "reject": "reject it",
    "merge": "merge it into the nearest memory",
    "done": "mark the task as done",
    "keep": "keep the lit side",
}
"""The proposal of a card, by decision."""

SAME, SIMILAR = ALIKE, 0.5
"""Similarity, 0-1, from which two texts say the same, and from which they are similar."""


def proposal_words(item: ReviewItem) -> str:
    if item.kind == "global" and item.proposal == "accept":
        return "make it global"
    if item.kind == "duplicate" and item.proposal == "keep":
        return "merge the other one into the lit side"
    return PROPOSALS[item.proposal]


def card(item: ReviewItem, numbers: Numbers | None = None) -> d.Document:
    """Return the card of an item. With `numbers`, also what its memory is judged by.

    Two memories stand one under the other.
    """
    if item.is_pair:
        sections = [
            _side(memory, "stays" if position == item.stays else "the other one")
            for position, memory in enumerate(item.memories)
        ]
        marks = [d.Mark("conflict" if item.kind == "conflict" else "duplicate", d.CONFLICT)]
    else:
        sections, marks = card_sections(item, numbers), [*marks_of(item.memory, item.is_junk)]
    why = [d.Row("why", item.reason), d.Row("proposal", proposal_words(item))]
    last = d.section("", d.Row("", f"{IF_NOTHING}{item.if_nothing}", d.WARNING))
    return d.document(item.memory.title, d.section("", *why), *sections, last, marks=marks)


def _side(memory: Memory, title: str) -> d.Section:
    rows = [*_body(memory), *side_facts(memory)]
    return d.section(title, *rows, note=memory.short_id)


def _body(memory: Memory) -> list[d.Row]:
    heading = [] if repeats(memory) else [d.Row("", memory.title)]
    return [*heading, d.Row("", memory.content, d.BODY)]


def card_sections(item: ReviewItem, numbers: Numbers | None = None) -> list[d.Section]:
    """Return the sections between the proposal and the last line of a card."""
    memory, near = item.memory, item.near
    nearest = (
        [d.Row("", near.title, link=f"memory:{near.id}", note=likeness_words(near.similarity))]
        if near is not None
        else []
    )
    sections = [
        d.section("", *_body(memory)),
        origin_section(memory, item),
        d.section("Nearest memory", *nearest),
        *(number_sections(memory, numbers) if numbers is not None else ()),
    ]
    return [part for part in sections if part.rows]


def origin_section(memory: Memory, item: ReviewItem) -> d.Section:
    """Return where a memory comes from: the quote, who said it and when, and its session."""
    quote, origin = item.quote, memory.origin
    rows: list[d.Row | None] = []
    if quote is not None:
        rows.append(d.Row("", quote.text, d.QUOTE, link=f"file:{quote.line}:{quote.path}"))
    rows += [
        d.Row("who", who(memory)),
        d.Row("when", memory.created_at, d.MOMENT),
        d.Row(
            "session",
            item.session_name or (origin.session or "")[:12],
            link=f"session:{origin.session}" if origin.session else "",
            note=f"line {origin.line:,}" if origin.line else "",
        ),
        d.Row("files", "\n".join(memory.files), d.PATH),
        d.Row("tags", ", ".join(memory.tags)),
        d.Row("due", memory.due, d.MOMENT) if memory.due else None,
        d.Row("to check", memory.stale, d.WARNING),
    ]
    return d.section("Comes from", *rows)


def who(memory: Memory) -> str:
    """Return who said a memory: an agent with its role, or you."""
    origin = memory.origin
    if origin.agent is None:
        return "you"
    if memory.provenance == "person":
        return f"you, to {origin.agent}"
    return f"{origin.agent} ({origin.role})" if origin.role else origin.agent


def repeats(memory: Memory) -> bool:
    """Return True if the title only repeats the start of the text."""
    content = " ".join(memory.content.split())
    return content.startswith(" ".join(memory.title.split()).rstrip("…. "))


def likeness_words(similarity: float) -> str:
    """Return how alike two texts are, in words."""
    if similarity >= SAME:
        return "says the same"
    return "similar" if similarity >= SIMILAR else "only some words in common"


def marks_of(memory: Memory, is_junk: bool = False) -> Iterator[d.Mark]:
    """Return the states of a memory that a verdict should know."""
    yield from states(memory)
    if is_junk:
        yield d.Mark("likely junk")
    yield d.Mark(memory.type)
    yield d.Mark(memory.category.replace("_", " "))


def filtered_card(capture: RefusedCapture) -> d.Document:
    check, _, why = capture.reason.partition(": ")
    text = capture.content if capture.content.strip() else "Nothing of its text was kept."
    session = capture.session or ""
    sections = [
        d.section("", d.Row("", text, d.BODY)),
        d.section(
            "Filtered",
            d.Row("why", why or check, d.WARNING),
            d.Row("check", check if why else ""),
            d.Row("rule", capture.rule),
            d.Row("when", capture.at, d.MOMENT),
            d.Row(
                "session",
                capture.session_name or session[:12],
                link=f"session:{session}" if session else "",
            ),
        ),
        d.section("", d.Row("", f"{IF_NOTHING}it stays out of memory.", d.WARNING)),
    ]
    title = " ".join(text.split())[:80]
    return d.document(title, *sections, marks=[d.Mark("filtered", d.RETIRED)])
