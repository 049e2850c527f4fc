"""The values that a renderer draws: a document of sections of rows.

A row gives the meaning of its values (`kind`), never their look.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

TEXT, BODY, QUOTE, CODE, PATH = "text", "body", "quote", "code", "path"
MOMENT, SHARE, PART = "moment", "share", "part"
WARNING, CONFLICT, GOOD, BAD, MUTED = "warning", "conflict", "good", "bad", "muted"
PINNED, CANDIDATE, RETIRED = "pinned", "candidate", "retired"
BEFORE, AFTER = "before", "after"
"""Kinds of a row or mark.

BODY is Markdown over the whole width. QUOTE is a quotation. PATH breaks at its slashes.
MOMENT takes a datetime and is shown with its distance from now. SHARE takes 0 to 1 and is drawn as
a gauge. PART takes a signed number and is drawn as a bar beside the other parts of its section.
BEFORE is a text that was replaced; an AFTER right behind it is the new one, and the words that
differ are marked.
The rest are text with a meaning, for which a renderer may have a colour or a glyph.
"""


class Row(NamedTuple):
    """One line of a section. A row without a label takes the whole width.

    `link` names the target of the row: "memory:ID", "session:ID", "receipt:ID", "entry:SEQ".
    `note` is less important text behind the value.
    """

    label: str
    value: str | float | datetime
    kind: str = TEXT
    link: str = ""
    note: str = ""


class Section(NamedTuple):
    """Rows under a heading. A section without a title follows the one before after a blank line."""

    title: str
    rows: tuple[Row, ...]
    note: str = ""


class Mark(NamedTuple):
    """A state of the thing, in one or two words beside its title."""

    text: str
    kind: str = MUTED


class Document(NamedTuple):
    """Everything to read about one thing."""

    title: str
    sections: tuple[Section, ...]
    marks: tuple[Mark, ...] = ()


def section(title: str, *rows: Row | None, note: str = "") -> Section:
    """Return a section of the rows that have a value."""
    return Section(title, tuple(row for row in rows if row is not None and row.value != ""), note)


def document(title: str, *sections: Section, marks: Iterable[Mark] = ()) -> Document:
    """Return a document of the sections that have rows."""
    return Document(title, tuple(part for part in sections if part.rows), tuple(marks))


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun: `1 memory`, `3,214 memories`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
