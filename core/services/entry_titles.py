"""What an entry of the trail is about, in words, where it is about no memory.

The trail notes such an entry by its row, a table's name and a key: that is looked up here, and
called by what a person knows: a session by its goal, a link by its two memories.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from ...db import value
from ...db.images import headline
from .session_names import names_of, session_in

if TYPE_CHECKING:
    from ...db.audit import ListedEntry
    from ..context import Context

_SETTING = re.compile(r"setting (auto_memory|incognito|ceiling|preset|offer|views|teaching)\|.+")
_FILED = re.compile(r"setting file\|(.+)")
_ROW = re.compile(
    r"(session|session_checkpoint|summary|project|alias|tombstone|conflict|recording"
    r"|memory_[a-z]+) (\S.*)"
)

_OF_A_MEMORY = {
    "memory_candidacy": "promotion of",
    "memory_envelope": "circumstances of",
    "memory_salience": "score of",
    "memory_trust": "trust in",
    "memory_verdict": "verdict on",
    "memory_weight": "weight of",
}
"""What a table that stands beside the memories says of one."""


def titled(context: Context, rows: Sequence[ListedEntry]) -> list[str]:
    """The titles of entries, in order: of a memory its own, of anything else in words."""
    named = {row["seq"]: _ROW.fullmatch(row["title"]) for row in rows}
    names = _Names(context, [(found[1], found[2]) for found in named.values() if found], rows)
    made = []
    for row in rows:
        found = named[row["seq"]]
        made.append(_switch(row) or (found and names.of(found[1], found[2], row)) or row["title"])
    return made


def _switch(row: ListedEntry) -> str:
    """A setting by what was said of it, else by its name."""
    setting, filed = _SETTING.fullmatch(row["title"]), _FILED.fullmatch(row["title"])
    if setting is None and filed is None:
        return ""
    if row["reason"] and not row["undoes"]:
        return str(row["reason"])
    return filed[1] if filed else setting[1].replace("_", " ") if setting else ""


class _Names:
    """What sessions and memories are called, looked up once for all the entries of a page."""

    def __init__(
        self, context: Context, named: Sequence[tuple[str, str]], rows: Sequence[ListedEntry]
    ) -> None:
        database, self._project = context.database, context.project_id
        ids = [session_in(row["title"]) for row in rows]
        self._sessions = names_of(database, ids)
        keys = [part for table, key in named if table.startswith("memory_") for part in _ids(key)]
        keys += [one for row in rows if row["title"].startswith("conflict ")
                 for one in row["memories"]]  # fmt: skip
        self._memories: Mapping[str, str] = {
            memory: headline(title, content)
            for memory, title, content in (value.titles(database, keys) if keys else [])
        }

    def of(self, table: str, key: str, row: ListedEntry) -> str:
        """The row in words; "" where it is the title of a memory that only reads like one."""
        if session := session_in(row["title"]):
            name = self._sessions.get(session)
            return f"session “{name}”" if name else ""
        if table == "memory_link":
            return self._both(_ids(key), " — ")
        if table == "conflict":
            return self._both(row["memories"], " ≠ ")
        if about := _OF_A_MEMORY.get(table):
            title = self._memories.get(key)
            return f"{about} “{title}”" if title else ""
        plain = _PLAIN.get(table)
        return plain(key) if plain and (self._project in key or table == "recording") else ""

    def _both(self, ids: Sequence[str], sign: str) -> str:
        return sign.join(self._memories[one] for one in ids[:2] if one in self._memories)


def _ids(key: str) -> list[str]:
    return key.split("|")


def _summary(key: str) -> str:
    level, _, rest = key.partition(":")
    return f"summary of the {level} {rest.rpartition(':')[2]}"


_PLAIN: Mapping[str, Callable[[str], str]] = {
    "summary": _summary,
    "project": lambda _: "this project",
    "alias": lambda key: f"alias {key.partition('|')[2]}",
    "tombstone": lambda _: "a text that was forgotten for good",
    "recording": lambda _: "what an agent recorded",
}
"""Rows that are called by what their key says."""
