"""What changed of late, to be read in two minutes; nothing in it is worded anew.

From the journal: what is new, corrected, retired and why, and which conflicts came and went. From
receipts: what agents were told and used. Each part names the few that matter most and counts all.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from ...db import memories, past
from ...db.images import headline
from ..answers import ChangedMemory, Point
from ..clock import to_ms
from ..context import withheld
from ..text.sentences import sentences
from .stretch import Pair, Stretch, Touched, changed_memory

if TYPE_CHECKING:
    from ..context import Context
    from .past import Past

DAYS = 7
"""Days that a digest looks back unless another time is named."""

SHOWN = 6
"""Memories that a part names unless another number is asked for."""

NAMED = 3
"""Memories that are named for one reason of leaving."""

SAYS_SOMETHING_ELSE = frozenset({"title", "content"})
"""Fields by which a memory says something else than before."""


@dataclass(frozen=True, slots=True)
class Correction:
    """What was said before, and what holds now."""

    before: str  # the title of what does not hold any more
    after: str  # of what holds; "" where nobody said
    id: str  # of what holds, else of what does not
    actor: str
    reason: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Leaving:
    """Memories that left for one reason."""

    retired_as: str | None  # None: their adding was taken back
    actor: str
    reason: str
    count: int
    memories: tuple[ChangedMemory, ...]  # the weightiest of them


@dataclass(frozen=True, slots=True)
class Dispute:
    """A conflict that was found or decided."""

    id: str
    first: str  # titles
    second: str
    verdict: str | None  # None while it is open


@dataclass(frozen=True, slots=True)
class Used:
    """A memory that agents were told."""

    id: str
    title: str
    told: int  # in so many texts
    used: int  # in so many sessions an answer followed it


@dataclass(frozen=True, slots=True)
class Tellings:
    """What agents were told, from the receipts that are kept."""

    prompts: int  # texts that they were given
    memories: int  # different ones in these
    hosts: tuple[str, ...]  # the one that was given most first
    used: tuple[Used, ...]  # the most used first, then the most told


@dataclass(frozen=True, slots=True)
class Digest:
    """What changed between two times; each part the weightiest first, and how many there are."""

    since: Point
    until: Point
    new: tuple[ChangedMemory, ...]
    new_count: int
    waiting: int  # of the new ones, that wait in the Inbox
    corrected: tuple[Correction, ...]
    corrected_count: int
    retired: tuple[Leaving, ...]
    retired_count: int
    restored: tuple[ChangedMemory, ...]
    restored_count: int
    conflicts: tuple[Dispute, ...]
    opened: int  # conflicts that were found and are open
    decided: int  # conflicts that were decided
    agents: Tellings

    @property
    def is_empty(self) -> bool:
        """Whether nothing happened."""
        counts = (self.new_count, self.corrected_count, self.retired_count, self.restored_count)
        return not any((*counts, self.opened, self.decided, self.agents.prompts))


@dataclass(frozen=True, slots=True)
class DigestBook:
    """Makes digests of this project, when somebody looks; nothing of them is stored."""

    _context: Context
    _past: Past

    def digest(self, since: datetime | int | None = None, shown: int = SHOWN) -> Digest:
        """What changed since a moment, or after an entry: in the last seven days by default.

        `shown` is how many a part names, from 0. Raises NotFound, BadInput.
        """
        now = self._context.now()
        first = self._past.point(now - timedelta(days=DAYS) if since is None else since)
        last = self._past.point(now)
        stretch = self._past.stretch(first.entry, last.entry)
        by_kind: dict[str, list[Touched]] = defaultdict(list)
        for touched in stretch.memories.values():
            by_kind[_kind_of(touched)].append(touched)
        new = [changed_memory(one) for one in by_kind["added"]]
        corrected = self._corrections(stretch, by_kind)
        left = [one for one in by_kind["retired"] if not _is_replaced(one)]
        restored = [changed_memory(one) for one in by_kind["restored"]]
        disputes = self._disputes(stretch.conflicts)
        return Digest(
            first,
            last,
            new=tuple(sorted(new, key=_weight))[:shown],
            new_count=len(new),
            waiting=sum(one.status == "candidate" for one in new),
            corrected=tuple(corrected[:shown]),
            corrected_count=len(corrected),
            retired=_leavings(left)[:shown],
            retired_count=len(left),
            restored=tuple(sorted(restored, key=_weight))[:shown],
            restored_count=len(restored),
            conflicts=tuple(self._named(disputes[:shown])),
            opened=sum(pair.after["resolved_at"] is None for _, pair in disputes if pair.after),
            decided=sum(
                pair.after["resolved_at"] is not None for _, pair in disputes if pair.after
            ),
            agents=self._tellings(to_ms(first.at) or 0, shown),
        )

    def _corrections(self, stretch: Stretch, by_kind: dict[str, list[Touched]]) -> list[Correction]:
        """What was replaced by another memory, and what was written anew; the newest first."""
        found = []
        gone = [changed_memory(one) for one in by_kind["retired"] if _is_replaced(one)]
        held = {one.id: stretch.replaced[one.id] for one in gone if one.id in stretch.replaced}
        titles = self._titles([*held.values()])
        for one in gone:
            other = held.get(one.id, "")
            holds = (titles[other], other) if other in titles else ("", one.id)
            found.append((one.entry, Correction(one.title, *holds, one.actor, one.reason, one.at)))
        for touched in by_kind["corrected"]:
            one = changed_memory(touched)
            said = Correction(*_reworded(touched), one.id, one.actor, one.reason, one.at)
            found.append((one.entry, said))
        return [correction for _, correction in sorted(found, key=lambda pair: -pair[0])]

    def _disputes(self, pairs: dict[str, Pair]) -> list[tuple[str, Pair]]:
        """The conflicts that were found or decided here, open ones first, the newest first."""
        found = []
        for key, pair in pairs.items():
            before, after = pair.before, pair.after
            if after is None or after.get("band") == "near":
                continue
            was_open = before is not None and before["resolved_at"] is None
            if pair.project != self._context.project_id:
                continue
            if before is None or was_open != (after["resolved_at"] is None):
                found.append((key, pair))
        return sorted(found, key=_place)

    def _named(self, disputes: Sequence[tuple[str, Pair]]) -> Iterable[Dispute]:
        afters = [(key, pair.after) for key, pair in disputes if pair.after is not None]
        titles = self._titles([after[side] for _, after in afters for side in _SIDES])
        for key, after in afters:
            first, second = (titles.get(after[side], "a memory that is gone") for side in _SIDES)
            yield Dispute(key, first, second, after["verdict"] if after["resolved_at"] else None)

    def _titles(self, ids: Sequence[str]) -> dict[str, str]:
        found = memories.titles(self._context.database, ids)
        hidden = withheld(self._context, (row[0] for row in found))
        open_ones = [row for row in found if row[0] not in hidden]
        return {memory: headline(title, content) for memory, title, content in open_ones}

    def _tellings(self, since: int, shown: int) -> Tellings:
        database, project = self._context.here
        texts = past.receipts(database, project, since)
        told = Counter(memory for _, memory, _ in past.items(database, project, since))
        used = Counter(memory for _, memory in past.uses(database, project, since))
        best = sorted(told, key=lambda memory: (-used[memory], -told[memory], memory))
        titles = self._titles(best[: 2 * shown])  # some may be gone, or private
        named = [Used(one, titles[one], told[one], used[one]) for one in best if one in titles]
        hosts = Counter(host for _, _, host, _, _ in texts)
        named_hosts = tuple(host for host, _ in hosts.most_common())
        return Tellings(len(texts), len(told), named_hosts, tuple(named[:shown]))


_SIDES = ("entry_a", "entry_b")


def _kind_of(touched: Touched) -> str:
    """added, corrected, retired, restored, or "": what an agent's own list does is no news."""
    state = touched.after or touched.before
    if state is None or state.type == "working":
        return ""
    what = touched.what
    if what == "changed":
        return "corrected" if SAYS_SOMETHING_ELSE & set(touched.fields) else ""
    return what


def _is_replaced(touched: Touched) -> bool:
    return touched.after is not None and touched.after.retired_as == "superseded"


def _weight(one: ChangedMemory) -> tuple[bool, bool, float, int]:
    """The weightiest first: pinned, then what is no candidate, then by importance, then newest."""
    return (one.status != "pinned", one.status == "candidate", -one.importance, -one.entry)


def _place(dispute: tuple[str, Pair]) -> tuple[bool, int]:
    after = dispute[1].after or {}
    return after["resolved_at"] is not None, -(after["resolved_at"] or after["detected_at"])


def _reworded(touched: Touched) -> tuple[str, str]:
    """The first sentences of both texts that the other has not; the titles where only they differ.

    What was only added, or taken out, stands beside the title.
    """
    before, after = touched.before, touched.after
    assert before is not None
    assert after is not None
    if "content" not in touched.fields:
        return before.headline, after.headline
    was, now = ([one.text for one in sentences(state.content)] for state in (before, after))
    gone = next((text for text in was if text not in now), before.headline)
    come = next((text for text in now if text not in was), after.headline)
    return gone, come


def _leavings(left: Sequence[Touched]) -> tuple[Leaving, ...]:
    """Those that left, by reason, the commonest first."""
    groups: dict[tuple[str | None, str, str], list[ChangedMemory]] = defaultdict(list)
    for touched in left:
        one = changed_memory(touched)
        groups[one.retired_as, one.actor, one.reason].append(one)
    made = [
        Leaving(*why, len(ones), tuple(sorted(ones, key=_weight)[:NAMED]))
        for why, ones in groups.items()
    ]
    return tuple(sorted(made, key=lambda leaving: -leaving.count))
