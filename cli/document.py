"""Prints a `Document` to the terminal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from ..core.documents import document as d
from .output import Ink, gauge, one_line, say, unique_beginnings, when, width, wrap

INKS = {d.WARNING: "warn", d.CONFLICT: "warn", d.GOOD: "good", d.BAD: "bad", d.MUTED: "dim",
        d.BEFORE: "bad", d.AFTER: "good"}  # fmt: skip
SIGNS = {d.QUOTE: "| ", d.BEFORE: "- ", d.AFTER: "+ "}
WITH_IDS = ("memory", "session", "receipt")
"""Kinds of links whose ids commands take."""

BAR_CELLS = 10
MIN_LABEL, MAX_LABEL = 8, 14


def print_document(
    document: d.Document, now: datetime, line: Callable[..., None] = say, *, with_title: bool = True
) -> None:
    """Print every section of the document by `line`, below the title and the marks.

    A row that leads to a memory, session or receipt begins with the id that commands take.
    """
    if with_title:
        line(Ink(one_line(document.title), "bold"))
    if document.marks:
        line("  ", Ink(" · ".join(one_line(mark.text) for mark in document.marks), "dim"))
    links = [row.link.partition(":") for part in document.sections for row in part.rows]
    ids = unique_beginnings([name for kind, _, name in links if kind in WITH_IDS], 8)
    for number, part in enumerate(document.sections):
        if number or with_title:
            line("")
        if part.title:
            line("  ", Ink(one_line(f"{part.title}  {part.note}".rstrip()), "dim"))
        numbers = [
            abs(row.value)
            for row in part.rows
            if row.kind == d.PART and isinstance(row.value, int | float)
        ]
        longest = max((len(row.label) for row in part.rows), default=0)
        label = min(max(longest, MIN_LABEL), MAX_LABEL) + 2 if longest else 0
        for row in part.rows:
            _print_row(row, label, max(numbers, default=0.0), ids, now, line)


def _print_row(
    row: d.Row,
    label: int,
    scale: float,
    ids: Mapping[str, str],
    now: datetime,
    line: Callable[..., None],
) -> None:
    value = row.value
    if isinstance(value, datetime):
        text = when(value, now)
    elif row.kind == d.SHARE and isinstance(value, int | float):
        text = gauge(value, 1.0, BAR_CELLS)
    elif row.kind == d.PART and isinstance(value, int | float):
        text = f"{gauge(abs(value), scale, BAR_CELLS)}  {value:+.3f}"
    else:
        text = str(value)
    text = f"{text}  ({row.note})".strip() if row.note else text
    kind, _, name = row.link.partition(":")
    identifier = f"{ids[name]}  " if kind in WITH_IDS else ""
    lead = f"{row.label:{label}}{identifier}" if row.label else identifier
    if row.label and row.kind in (d.BEFORE, d.AFTER):
        line("  ", Ink(row.label, "dim"))
        lead = ""
    if row.kind == d.CODE:  # verbatim: an agent's text is compared line by line
        for part in text.split("\n"):
            line("    ", part)
        return
    mark = SIGNS.get(row.kind, "")
    for number, part in enumerate(wrap(text, width() - 4 - len(lead) - len(mark))):
        head = Ink(" " * len(lead) if number else lead, "dim")
        line("  ", head, mark, Ink(part, INKS[row.kind]) if row.kind in INKS else part)
