"""Prints a `Document` to the terminal."""

from __future__ import annotations

from datetime import datetime

from ..core.documents import document as d
from .output import Ink, field, gauge, one_line, say, when, width, wrap

INKS = {d.WARNING: "warn", d.CONFLICT: "warn", d.GOOD: "good", d.BAD: "bad", d.MUTED: "dim",
        d.BEFORE: "bad", d.AFTER: "good"}  # fmt: skip
SIGNS = {d.QUOTE: "| ", d.BEFORE: "- ", d.AFTER: "+ "}
BAR_CELLS = 10


def print_document(document: d.Document, now: datetime) -> None:
    """Print the title, the marks and every section of the document."""
    say(Ink(one_line(document.title), "bold"))
    if document.marks:
        say("  ", Ink(" · ".join(one_line(mark.text) for mark in document.marks), "dim"))
    for part in document.sections:
        say("")
        if part.title:
            say("  ", Ink(f"{part.title}  {part.note}".rstrip(), "dim"))
        numbers = [
            abs(row.value)
            for row in part.rows
            if row.kind == d.PART and isinstance(row.value, int | float)
        ]
        for row in part.rows:
            _print_row(row, max(numbers, default=0.0), now)


def _print_row(row: d.Row, scale: float, now: datetime) -> None:
    value = row.value
    if isinstance(value, datetime):
        text = when(value, now)
    elif row.kind == d.SHARE and isinstance(value, int | float):
        text = gauge(value, 1.0, BAR_CELLS)
    elif row.kind == d.PART and isinstance(value, int | float):
        text = f"{gauge(abs(value), scale, BAR_CELLS)}  {value:+.3f}"
    else:
        text = str(value)
    text = f"{text}  {row.note}".strip() if row.note else text
    mark = SIGNS.get(row.kind, "")
    if row.label and row.kind in (d.BEFORE, d.AFTER):
        say("  ", Ink(row.label, "dim"))
    elif row.label:
        field(row.label, text)
        return
    for line in wrap(text, width() - 2 - len(mark)):
        say("  ", mark, Ink(line, INKS[row.kind]) if row.kind in INKS else line)
