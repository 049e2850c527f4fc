"""The history: who changed what, and whether the store is still whole."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from ...db import audit, memories
from ...db.audit import Wanted
from ...db.images import Image, headline, headline_of
from ...db.rebuild import Rebuilt, Verification, opened, rebuild, verify
from ..answers import Difference, Entry
from ..clock import to_ms
from ..context import names_of, shows
from ..errors import NotFound
from ..values import moment_at

if TYPE_CHECKING:
    from ..context import Context


def _entry(row: Image, title: str, session_name: str) -> Entry:
    """Return an entry as a value, with its title and session in words."""
    return Entry(
        seq=row["seq"],
        at=moment_at(row["at"]),
        actor=row["actor"],
        action=row["action"],
        project=row["project"],
        session=row["session"],
        reason=row["reason"],
        memories=tuple(row["memories"]),
        title=title,
        count=row["count"],
        undoes=row["undoes"],
        undone_by=row["undone_by"],
        group=row["grouped"],
        session_name=session_name,
    )


def _is_shown(context: Context, row: Image) -> bool:
    """Return True if the viewer may see all memories of an entry.

    An entry that made more than a few is listed under none of them: there all must be public.
    """
    if context.viewer is None:
        return True
    if row["count"] > audit.FEW and audit.withheld_count(context.database, row["seq"]):
        return False
    return shows(context, *row["memories"])


def _older(context: Context, seq: int) -> list[Image]:
    """Return an entry that was cut from the view, from the journal."""
    oldest = audit.oldest(context.database)
    if oldest is None or seq >= oldest[0]:
        return []
    record = context.store.record(seq)
    return [audit.listed(record)] if record["project"] in (context.project_id, "") else []


def whole_act(context: Context, seq: int) -> Entry:
    """Return the entry with this number, with the memories and rows of its whole act.

    Raises NotFound.
    """
    entries = parts = audit.entries(context.database, seq=seq) or _older(context, seq)
    if entries and (group := entries[0]["grouped"]) is not None:
        parts = audit.entries(context.database, group=group, limit=-1)
    if not entries or not all(_is_shown(context, part) for part in parts):
        raise NotFound(f"There is no entry {seq}.", hint="`memdeck history` lists the entries.")
    [entry] = _in_words(context, entries)
    if entry.group is None:
        return entry
    named = dict.fromkeys(memory for part in reversed(parts) for memory in part["memories"])
    return replace(entry, memories=tuple(named), count=sum(part["count"] for part in parts))


def _in_words(context: Context, rows: Sequence[Image]) -> list[Entry]:
    """Return the entries as values, with titles and sessions in words."""
    names = names_of(context.database, [row["session"] for row in rows])
    return [
        _entry(row, title, names.get(row["session"] or "", ""))
        for row, title in zip(rows, titled(context, rows), strict=True)
    ]


def _shown(table: str, image: Image | None) -> Image:
    """Return the fields of an image, with the title that a memory shows."""
    if image is None:
        return {}
    return {**image, "title": headline_of(image)} if table == "memory" else image


@dataclass(frozen=True, slots=True)
class Audit:
    """Reads the journal, verifies the store and rebuilds it."""

    _context: Context

    def audit(
        self,
        *,
        memory: str | None = None,
        session: str | None = None,
        action: str | None = None,
        actor: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        words: Sequence[str] = (),
        before: int | None = None,
        limit: int = 200,
    ) -> list[Entry]:
        """Return entries of this project, newest first. `memory` is an id or a unique prefix.

        Each of `words` occurs in the title, reason, action, actor or session of the entry.
        `before` is the number of an entry: only older ones, for paging.
        """
        wanted = self._wanted(memory, session, action, actor, since, until, words)
        entries = audit.entries(self._context.database, wanted, before=before, limit=limit)
        listed = [row for row in entries if _is_shown(self._context, row)]
        return _in_words(self._context, listed)

    def audit_count(
        self,
        *,
        memory: str | None = None,
        session: str | None = None,
        action: str | None = None,
        actor: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        words: Sequence[str] = (),
    ) -> int:
        """Return how many entries `audit` would list without a limit."""
        wanted = self._wanted(memory, session, action, actor, since, until, words)
        return audit.count(self._context.database, wanted)

    def _wanted(
        self,
        memory: str | None,
        session: str | None,
        action: str | None,
        actor: str | None,
        since: datetime | None,
        until: datetime | None,
        words: Sequence[str],
    ) -> Wanted:
        return Wanted(
            project=None if memory else self._context.project_id,
            memory=self._context.resolve(memory).id if memory else None,
            session=session,
            action=action,
            actor=actor,
            since=to_ms(since),
            until=to_ms(until),
            words=tuple(words),
        )

    def act(self, seq: int) -> Entry:
        """Return an entry with the memories and rows of its whole act. Raises NotFound."""
        return whole_act(self._context, seq)

    def entry(self, seq: int) -> Entry:
        """Return an entry of this project, also one cut from the view. Raises NotFound."""
        wanted = Wanted(project=self._context.project_id)
        entries = audit.entries(self._context.database, wanted, seq=seq) or _older(
            self._context, seq
        )
        listed = [row for row in entries if _is_shown(self._context, row)]
        if not listed:
            raise NotFound(
                f"No entry #{seq} in this project.", hint="`memdeck history` lists them."
            )
        return _in_words(self._context, listed)[0]

    def history(self, ref: str) -> list[Entry]:
        """Return the entries about one memory, newest first."""
        return self.audit(memory=ref, limit=1_000)

    def differences(self, seq: int) -> list[Difference]:
        """Return what an entry changed, field by field. Raises NotFound."""
        differences: list[Difference] = []
        for change in self._context.store.record(seq)["changes"]:
            before = _shown(change["table"], change["before"])
            after = _shown(change["table"], change["after"])
            for name in dict.fromkeys([*before, *after]):
                old, new = before.get(name), after.get(name)
                if old != new:
                    differences.append(Difference(change["table"], change["key"], name, old, new))
        return differences

    def titles(self, ids: Sequence[str]) -> dict[str, str]:
        """Return the titles of the memories that are in the store, by id."""
        titles = memories.titles(self._context.database, list(ids)) if ids else []
        return {memory: headline(title, content) for memory, title, content in titles}

    def last_seq(self) -> int:
        """Return the number of the newest entry; 0 in an empty store."""
        return audit.newest_seq(self._context.database)

    def data_version(self) -> int:
        """Return a number that changes when another process commits. Raises StoreUnusable."""
        self._context.store.must_be_the_same_file()
        return self._context.store.data_version()

    def verify(self) -> Verification:
        """Check journal, chain, rows and indexes."""
        return verify(self._context.store)

    def index_problem(self) -> str:
        """Return the problem that the search index's own check reports; "" if it is sound."""
        return self._context.store.index_problem()

    def rebuild(self) -> Rebuilt:
        """Make the database again from the journal."""
        self._context.store.close()
        try:
            return rebuild(self._context.home)
        finally:
            self._context.store = opened(self._context.home)


_SETTING = re.compile(r"setting (auto_memory|incognito|ceiling|preset|offer|views|edit)\|.+")
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
    "memory_weight": "weight of",
}
"""What a row of a table beside the memories is, in words."""


def titled(context: Context, rows: Sequence[Image]) -> list[str]:
    """Return the titles of entries: of a memory its own, of anything else in words."""
    named = {row["seq"]: _ROW.fullmatch(row["title"]) for row in rows}
    names = _Names(
        context, [(matches[1], matches[2]) for matches in named.values() if matches], rows
    )
    made = []
    for row in rows:
        matches = named[row["seq"]]
        made.append(
            _switch(row) or (matches and names.of(matches[1], matches[2], row)) or row["title"]
        )
    return made


def _switch(row: Image) -> str:
    """Return a setting by the reason of its entry, else by its name; "" for anything else."""
    setting, filed = _SETTING.fullmatch(row["title"]), _FILED.fullmatch(row["title"])
    if setting is None and filed is None:
        return ""
    if row["reason"] and not row["undoes"]:
        return str(row["reason"])
    return filed[1] if filed else setting[1].replace("_", " ") if setting else ""


class _Names:
    """Names of sessions and memories, looked up once for all entries of a page."""

    def __init__(
        self, context: Context, named: Sequence[tuple[str, str]], rows: Sequence[Image]
    ) -> None:
        database, self._project = context.here
        ids = [session_in(row["title"]) for row in rows]
        self._sessions = names_of(database, ids)
        keys = [part for table, key in named if table.startswith("memory_") for part in _ids(key)]
        keys += [item for row in rows if row["title"].startswith("conflict ")
                 for item in row["memories"]]  # fmt: skip
        self._memories: Mapping[str, str] = {
            memory: headline(title, content)
            for memory, title, content in (memories.titles(database, keys) if keys else [])
        }

    def of(self, table: str, key: str, row: Image) -> str:
        """Return the row in words; "" for the title of a memory that only looks like one."""
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
        return sign.join(self._memories[item] for item in ids[:2] if item in self._memories)


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
"""Rows that are named by their key."""


_SESSION = r"(?:session |session_checkpoint |summary session:)([^|]+)(?:\|\d+)?"


def session_in(title: str) -> str | None:
    """Return the id of the session in the title of a journal entry, or None."""
    match = re.fullmatch(_SESSION, title)
    return match[1] if match else None
