"""The list of everything that needs the user's word: Review draws it, a status counts it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from ...db import ageing, memories, reviews
from ...db.connection import mapped_errors
from ...db.errors import BadInput
from ...db.images import Image, headline
from ...db.memories import Condition, Request
from ..context import each
from ..values import DAY_MS, Memory, at, moment_at, to_ms

if TYPE_CHECKING:
    from ..context import Context

KINDS = ("conflict", "candidate", "duplicate", "outdated", "global")
"""The kinds of items, in the order of the list."""


QUIET = timedelta(days=30)  # time in which a task that the user confirmed is not asked about again
OPEN = timedelta(days=14)  # age from which a task without a date is asked about

MOST_OFFERS = 50
ASKED = "You asked for it in all projects."

SNOOZE, OFFER = "snooze|", "offer|"
"""Prefixes of the store's settings that hold snoozes and declined suggestions."""


class ReviewEntry(NamedTuple):
    kind: str  # one of KINDS
    key: str  # names it: "conflict:ID", "outdated:MEMORY"
    ids: tuple[str, ...]  # of the memories: one, both sides, or all that say the same
    nums: tuple[int, ...]  # their row numbers
    title: str
    text: str  # the start of the content; of a pair the title of the second side
    reason: str  # "" for candidates, whose reason is on their card
    since: datetime
    is_junk: bool = False


class ReviewEntries:
    """Candidates, conflicts, duplicates, outdated memories and suggestions, as they wait."""

    _context: Context

    @mapped_errors()
    def queue(self, kinds: Sequence[str] = KINDS, *, snoozed: bool = False) -> list[ReviewEntry]:
        """Return the items for a verdict, by kind, junk last; also `snoozed`. Raises BadInput."""
        if unknown := sorted(set(kinds) - set(KINDS)):
            raise BadInput(f"{unknown[0]!r} is no kind.", hint=f"Use: {', '.join(KINDS)}.")
        until = reviews.chosen(self._context.database, SNOOZE)
        now = self._context.now_ms()
        entries = [
            entry
            for kind in KINDS
            if kind in kinds
            for entry in self._entries(kind, snoozed=snoozed)
            if snoozed or until.get(entry.key, 0) <= now
        ]
        if self._context.viewer is not None:
            nums = list({num for entry in entries for num in entry.nums})
            visible = {memory.num for memory in self._context.memories(nums)}
            entries = [entry for entry in entries if visible.issuperset(entry.nums)]
        return sorted(entries, key=lambda entry: entry.is_junk)

    def count(self) -> int:
        return len(self.queue())

    def _entries(self, kind: str, *, snoozed: bool) -> Iterator[ReviewEntry]:
        database, project = self._context.here
        now = self._context.now_ms()
        if kind == "candidate":
            from ..recall.start import held_back_because  # other kinds need none of it

            grouped = {ref for entry in self._duplicates() for ref in entry.ids}
            for row in reviews.queued_candidates(database, project, now, snoozed=snoozed):
                reason = held_back_because(row["content"], row["evidence"])
                if row["id"] not in grouped and (reason or not row["evidence"]):
                    yield _entry(kind, row, reason)
        elif kind == "conflict":
            for pair in reviews.queued_conflicts(database, project):
                yield _pair_entry(kind, pair, pair["conflict"])
        elif kind == "duplicate":
            yield from self._duplicates()
        elif kind == "outdated":
            yield from self._outdated(now)
        else:
            late = {row["id"] for row in self._late_tasks(now)}
            for memory, reason in self.offers():
                if memory.id not in late:
                    yield _memory_entry(kind, memory, reason, memory.created_at)

    def _duplicates(self) -> Iterator[ReviewEntry]:
        """Yield each group of memories that say the same, as one entry, the newest first."""
        entries: list[ReviewEntry] = []
        for pair in reviews.queued_duplicates(*self._context.here):
            key = f"{pair['first_id']}:{pair['second_id']}"
            entry = _pair_entry("duplicate", pair, key, "The two say the same.")
            joined = [other for other in entries if {*other.ids} & {*entry.ids}]
            if joined:
                sides = dict(
                    item
                    for each in (*joined, entry)
                    for item in zip(each.ids, each.nums, strict=True)
                )
                entry = joined[0]._replace(
                    ids=tuple(sides),
                    nums=tuple(sides.values()),
                    reason=f"The {len(sides)} say the same. A merge joins all of them."
                    if len(sides) > 2
                    else joined[0].reason,
                )
            entries = [other for other in entries if other not in joined]
            entries.insert(len(entries) if not joined else 0, entry)
        yield from entries

    def _outdated(self, now: int) -> Iterator[ReviewEntry]:
        flagged = ageing.flagged(*self._context.here)
        matches = {row["memory"]: at(row["at"]) for _, row in flagged}
        seen = set[str]()
        waits = {entry.ids[0] for entry in self._entries("candidate", snoozed=True)}
        for memory in each(self._context, [num for num, _ in flagged]):
            if memory.id not in waits:
                seen.add(memory.id)
                since = matches[memory.id] or memory.created_at
                yield _memory_entry("outdated", memory, f"{memory.stale}.", since)
        for row in self._late_tasks(now):
            if row["id"] not in seen:
                reason = f"The task is open for {(now - row['since']) // DAY_MS} days."
                if row["due"] is not None:
                    reason = f"It was due on {moment_at(row['due']).astimezone():%d %b %Y}."
                yield _entry("outdated", row, reason)

    def _late_tasks(self, now: int) -> list[Image]:
        opened, confirmed = (now - int(span.total_seconds() * 1000) for span in (OPEN, QUIET))
        return reviews.queued_tasks(*self._context.here, now, opened, confirmed)

    def offers(self) -> Iterator[tuple[Memory, str]]:
        """Yield memories to suggest as global that were not declined, with the reason."""
        database, project = self._context.here
        offered = Request(project, conditions=((Condition("is", "offered"),),))
        nums = memories.nums(database, offered, limit=MOST_OFFERS)
        for memory in self._context.memories(nums):
            if "everywhere" in memory.tags:
                yield memory, ASKED
            elif memory.type == "prospective":
                yield memory, f"Used {memory.accesses} times."
            else:
                yield memory, f"{memories.OFFERED_PROJECTS} projects have it word for word."

    def wanted_everywhere(self) -> list[Memory]:
        """Return the memories that may hold for every project. Only the user makes one global."""
        return [memory for memory, _ in self.offers()]

    def entries_of(self, ref: str, kind: str = "") -> list[ReviewEntry]:
        """Return the entries of a memory, or the one of a conflict, by the start of an id."""
        ref = ref.strip().lower()
        return [
            entry
            for entry in self.queue((kind,) if kind else KINDS, snoozed=True)
            if ref
            and any(item.startswith(ref) for item in (entry.key.partition(":")[2], *entry.ids))
        ]


def _entry(kind: str, row: Image, reason: str = "") -> ReviewEntry:
    return ReviewEntry(
        kind=kind,
        key=f"{kind}:{row['id']}",
        ids=(row["id"],),
        nums=(row["num"],),
        title=headline(row["title"], row["content"]),
        text=row["content"],
        reason=reason,
        since=moment_at(row["since"]),
        is_junk=bool(row["is_junk"]),
    )


def _pair_entry(kind: str, row: Image, key: str, reason: str = "") -> ReviewEntry:
    return ReviewEntry(
        kind=kind,
        key=f"{kind}:{key}",
        ids=(row["first_id"], row["second_id"]),
        nums=(row["first"], row["second"]),
        title=headline(row["title"], row["content"]),
        text=headline(row["other_title"], row["other_content"]),
        reason=row["reason"] or reason,
        since=moment_at(row["since"]),
    )


def _memory_entry(kind: str, memory: Memory, reason: str, since: datetime) -> ReviewEntry:
    row: Image = {name: getattr(memory, name) for name in ("id", "num", "title")}
    row["content"] = memory.content[: reviews.QUEUED_CHARACTERS]
    return _entry(kind, {**row, "since": to_ms(since), "is_junk": False}, reason)
