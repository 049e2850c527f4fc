"""What was done, by whom, and is it all still whole?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from ...db import audit
from ...db.audit import ListedEntry, Wanted
from ...db.images import Image, headline_of
from ...db.rebuild import Rebuilt, rebuild
from ...db.store import Store
from ...db.verify import Verification, verify
from ..answers import Difference, Entry
from ..clock import to_ms
from ..context import shows
from ..errors import NotFound
from ..values import at
from .entry_titles import titled
from .session_names import names_of

if TYPE_CHECKING:
    from ..context import Context


def entry_of(row: ListedEntry, title: str) -> Entry:
    """An entry of the trail as a value, with its title in words."""
    moment = at(row["at"])
    assert moment is not None
    return Entry(
        seq=row["seq"],
        at=moment,
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
    )


def _is_shown(context: Context, row: ListedEntry) -> bool:
    """Whether privacy lets whoever looks see all memories of an entry.

    One that made more than a few is listed under none of them: there all must be public.
    """
    if context.viewer is None:
        return True
    if row["count"] > audit.FEW and audit.withheld_count(context.database, row["seq"]):
        return False
    return shows(context, *row["memories"])


def _older(context: Context, seq: int) -> list[ListedEntry]:
    """What the journal says of an entry that is here, and was cut from the view (002-35)."""
    oldest = audit.oldest(context.database)
    if oldest is None or seq >= oldest[0]:
        return []
    record = context.store.record(seq)
    return [audit.listed(record)] if record["project"] in (context.project_id, "") else []


def whole_act(context: Context, seq: int) -> Entry:
    """The entry with this number, and in it what the others of its act changed as well.

    Raises NotFound.
    """
    found = parts = audit.entries(context.database, seq=seq) or _older(context, seq)
    if found and (group := found[0]["grouped"]) is not None:
        parts = audit.entries(context.database, group=group, limit=-1)
    if not found or not all(_is_shown(context, part) for part in parts):
        raise NotFound(f"There is no entry {seq}.", hint="`memdeck audit` lists the entries.")
    [entry] = _in_words(context, found)
    if entry.group is None:
        return entry
    named = dict.fromkeys(memory for part in reversed(parts) for memory in part["memories"])
    return replace(entry, memories=tuple(named), count=sum(part["count"] for part in parts))


def _in_words(context: Context, rows: Sequence[ListedEntry]) -> list[Entry]:
    """The entries as values, their titles and sessions in words."""
    names = names_of(context.database, [row["session"] for row in rows])
    return [
        replace(entry_of(row, title), session_name=names.get(row["session"] or "", ""))
        for row, title in zip(rows, titled(context, rows), strict=True)
    ]


def _shown(table: str, image: Image | None) -> Image:
    """The fields of an image as a person knows them: with the title that a memory shows."""
    if image is None:
        return {}
    return {**image, "title": headline_of(image)} if table == "memory" else image


class Audit:
    """Questions about the journal."""

    def __init__(self, context: Context) -> None:
        self._context = context

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
        """Entries of this project, newest first; `memory` is an id or a unique prefix.

        Each of `words` stands in what the entry says: its title, reason, action, actor, session.
        `before` is the number of an entry: only older ones, for paging.
        """
        wanted = self._wanted(memory, session, action, actor, since, until, words)
        found = audit.entries(self._context.database, wanted, before=before, limit=limit)
        listed = [row for row in found if _is_shown(self._context, row)]
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
        """How many entries `audit` would go through."""
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
        """An entry of the trail; of an act of several entries, with what all of them changed.

        Its `memories` and `count` are then the whole act's. Raises NotFound.
        """
        return whole_act(self._context, seq)

    def entry(self, seq: int) -> Entry:
        """One entry of this project, also one that the view has no more. Raises NotFound."""
        wanted = Wanted(project=self._context.project_id)
        found = audit.entries(self._context.database, wanted, seq=seq) or _older(self._context, seq)
        listed = [row for row in found if _is_shown(self._context, row)]
        if not listed:
            raise NotFound(f"No entry #{seq} in this project.", hint="`memdeck audit` lists them.")
        return _in_words(self._context, listed)[0]

    def history(self, ref: str) -> list[Entry]:
        """What happened to one memory, newest first."""
        return self.audit(memory=ref, limit=1_000)

    def differences(self, seq: int) -> list[Difference]:
        """What an entry changed, field by field. Raises NotFound."""
        found: list[Difference] = []
        for change in self._context.store.record(seq)["changes"]:
            before = _shown(change["table"], change["before"])
            after = _shown(change["table"], change["after"])
            for name in dict.fromkeys([*before, *after]):
                old, new = before.get(name), after.get(name)
                if old != new:
                    found.append(Difference(change["table"], change["key"], name, old, new))
        return found

    def last_seq(self) -> int:
        """The number of the newest entry; 0 in an empty store."""
        return audit.newest_seq(self._context.database)

    def data_version(self) -> int:
        """A number that changes when another process commits. Raises StoreUnusable."""
        self._context.store.must_be_the_same_file()
        return self._context.store.data_version()

    def verify(self) -> Verification:
        """Check journal, chain, rows and indexes."""
        return verify(self._context.store)

    def index_problem(self) -> str:
        """What the search index's own check says; "" when it is sound. Quicker than `verify`."""
        return self._context.store.index_problem()

    def rebuild(self) -> Rebuilt:
        """Make the database anew from the journal."""
        self._context.store.close()
        try:
            return rebuild(self._context.home)
        finally:
            self._context.store = Store(self._context.home)
