"""The history of changes, undo, and the checks of the store."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ...db import audit, memories, past
from ...db.audit import Wanted
from ...db.errors import BadInput, NotFound, Refused
from ...db.images import Image, headline, headline_of
from ...db.rebuild import Rebuilt, Verification, rebuild, verify
from ...db.store import opened
from ..answers import Difference, Entry, Point
from ..context import Context, names_of, of_row, over, shows
from ..values import moment_at, to_ms

if TYPE_CHECKING:
    from ...db.store import Progress


def _is_shown(context: Context, row: Image) -> bool:
    """Return True if the viewer may see all memories of an entry."""
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
    return (
        [audit.listed(context.database, record)]
        if record["project"] in (context.project_id, "")
        else []
    )


def _in_words(context: Context, rows: Sequence[Image]) -> list[Entry]:
    """Return the entries as values, with titles and sessions in words."""
    names = names_of(context.database, [row["session"] for row in rows])
    return [
        of_row(
            Entry,
            row,
            title=title,
            group=row["grouped"],
            session_name=names.get(row["session"] or "", ""),
        )
        for row, title in zip(rows, _titled(context, rows, names), strict=True)
    ]


def _shown(table: str, image: Image | None) -> Image:
    """Return the fields of an image, with the title that a memory shows."""
    if image is None:
        return {}
    is_titled = table == "memory" and "content" in image
    return {**image, "title": headline_of(image)} if is_titled else image


class Audit:
    """Reads the journal, takes acts back, verifies the store and rebuilds it."""

    _context: Context

    def audit(
        self, /, *, before: int | None = None, limit: int = 200, **wanted: Any
    ) -> list[Entry]:
        """Return entries of this project, newest first, those older than the one numbered `before`.

        `wanted` are `memory`, `session`, `action`, `actor`, `since`, `until` and `words`,
        of which each occurs in the entry's texts.
        """
        listed = audit.entries(
            self._context.database, self._wanted(**wanted), before=before, limit=limit
        )
        return _in_words(self._context, [row for row in listed if _is_shown(self._context, row)])

    def audit_count(self, /, **wanted: Any) -> int:
        """Return how many entries `audit` would list without a limit."""
        return audit.count(self._context.database, self._wanted(**wanted))

    def _wanted(
        self,
        memory: str | None = None,
        session: str | None = None,
        action: str | None = None,
        actor: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        words: Sequence[str] = (),
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
        database = self._context.database
        entries = parts = audit.entries(database, seq=seq) or _older(self._context, seq)
        if entries and (group := entries[0]["grouped"]) is not None:
            parts = audit.entries(database, group=group, limit=-1)
        if not entries or not all(_is_shown(self._context, part) for part in parts):
            raise NotFound(f"There is no entry {seq}.", hint="`memdeck history` lists the entries.")
        [entry] = _in_words(self._context, entries)
        if entry.group is None:
            return entry
        named = dict.fromkeys(memory for part in reversed(parts) for memory in part["memories"])
        return replace(entry, memories=tuple(named), count=sum(part["count"] for part in parts))

    def entry(self, seq: int) -> Entry:
        """Return an entry of this project, also one cut from the view. Raises NotFound."""
        database, project = self._context.here
        rows = audit.entries(database, Wanted(project), seq=seq) or _older(self._context, seq)
        if not rows or not _is_shown(self._context, rows[0]):
            hint = "`memdeck history` lists them."
            raise NotFound(f"No entry #{seq} in this project.", hint=hint)
        return _in_words(self._context, rows)[0]

    def history(self, ref: str) -> list[Entry]:
        """Return the entries about one memory, newest first."""
        return self.audit(memory=ref, limit=1_000)

    def differences(self, seq: int) -> list[Difference]:
        """Return the differences of an entry, field by field. Raises NotFound."""
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
        return _titles_of(self._context, ids)

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

    # --- undo

    def undo(self, seq: int | None = None, *, progress: Progress | None = None) -> Entry:
        """Undo a whole act, by default the newest of the current actor; return the new entry.

        `seq` is any of its entries. `progress` gets the number of restored rows and the total,
        and returns False to stop. Raises NotFound, Refused.
        """
        if seq is None:
            seq = audit.next_undo(*self._context.here, self._context.actor)
        if seq is None:
            raise NotFound(
                "There is nothing to undo.", hint="`memdeck history` lists what was done."
            )
        return self._taken_back(seq, progress)

    def next_undo(self) -> Entry | None:
        """Return the act that `undo` would undo; None if there is none."""
        seq = audit.next_undo(*self._context.here, self._context.actor)
        return None if seq is None else self.act(seq)

    def redo(self, *, progress: Progress | None = None) -> Entry:
        """Redo the newest undo, unless another act followed. Raises NotFound."""
        chosen = audit.next_redo(*self._context.here, self._context.actor)
        if chosen is None:
            raise NotFound("There is nothing to redo.", hint="Redo follows an undo directly.")
        return self._taken_back(chosen, progress)

    def _taken_back(self, chosen: int, progress: Progress | None) -> Entry:
        from .sources import following

        is_agents = self._context.actor == "agent"
        if is_agents or self._context.viewer is not None:
            entry = self.act(chosen)  # an agent undoes only acts that it may see
            if is_agents and entry.actor == "person":
                raise Refused(f"Entry {chosen} is the user's.", hint="Only the user takes it back.")
        with following(self._context) as allowed:
            seq = self._context.store.take_back(
                chosen,
                at=self._context.now_ms(),
                actor=self._context.actor,
                progress=progress,
                allowed=allowed,
            )
        return self.act(seq)

    # --- the store as it was at a time

    def point(self, when: datetime | int) -> Point:
        """Return a time as a place in the journal, at most now. Raises NotFound, BadInput."""
        store = self._context.store
        if isinstance(when, int):
            return Point(moment_at(past.moment_of(store, when)), when)
        if when.tzinfo is None:
            raise BadInput("A time needs a zone.", hint="`datetime.now(UTC)` has one.")
        when = min(when, self._context.now())
        return Point(when, past.entry_at(store, to_ms(when) or 0))

    def as_of(self, when: datetime | int, progress: Progress | None = None) -> Context:
        """Return the store as it was, to be closed; uses, worth and doubts are those of today.

        Raises NotFound, BadInput, and Refused for an agent, since private memories may not
        have been then.
        """
        if self._context.viewer is not None:
            raise Refused("Earlier states are shown to the user only.", hint="Leave out `at:`.")
        point = self.point(when)
        store = past.open_past(self._context.store, point.entry, progress)
        return over(self._context, store, lambda: point.at)


_ABOUT: Mapping[str, str] = {
    "memory": "“{}”",
    "memory_candidacy": "promotion of “{}”",
    "memory_envelope": "circumstances of “{}”",
    "memory_salience": "score of “{}”",
    "memory_trust": "trust in “{}”",
    "memory_weight": "weight of “{}”",
    "memory_link": "{} — {}",
    "conflict": "{} ≠ {}",
    "recording": "what an agent recorded",
    **dict.fromkeys(("session", "session_checkpoint", "summary"), "session “{}”"),
    "project": "this project",
    "alias": "an alias",
    "tombstone": "a text that was forgotten for good",
}
"""Names of the rows of further tables, with titles of memories or sessions."""

_ROW = re.compile(rf"({'|'.join(_ABOUT)}|setting) (\S+)")
_ID = re.compile(r"[0-9a-z]{16,}(\|[0-9a-z]{16,})?")


def _titles_of(context: Context, ids: Sequence[str]) -> dict[str, str]:
    titles = memories.titles(context.database, list(ids)) if ids else []
    return {memory: headline(title, content) for memory, title, content in titles}


def _titled(context: Context, rows: Sequence[Image], names: Mapping[str, str]) -> list[str]:
    """Return the titles of entries. `names` are those of sessions."""
    matches = [_ROW.fullmatch(row["title"]) for row in rows]
    ids = [item for row, match in zip(rows, matches, strict=True) if match
           for item in row["memories"][:2]]  # fmt: skip
    titles, made = _titles_of(context, ids), []
    for row, match in zip(rows, matches, strict=True):
        about = [titles[item] for item in row["memories"][:2] if item in titles]
        text = row["title"]
        if match and (not row["memories"] or _ID.fullmatch(match[2])):  # no title of a memory
            table, key = match[1], match[2]
            if table == "setting":
                kind, _, rest = key.partition("|")
                name = {"file": rest, "edit": "config.toml"}.get(kind, kind)
                has_reason = row["reason"] and not row["undoes"]
                text = row["reason"] if has_reason else name.replace("_", " ")
            elif not row["memories"] and row["session"]:
                about = [names.get(row["session"], row["session"])]
            form = _ABOUT.get(table, "")
            if form and form.count("{}") <= len(about):
                text = form.format(*about)
        made.append(str(text))
    return made
