"""Summaries above a session: what a day, a week, a month came to, each opened to its sources."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from ...db import digests, maintenance
from ..errors import NotFound
from ..lifecycle.digests import LEVELS, Stretch, digest_of, stretch_of
from ..lifecycle.duties import Proposal
from ..retrieval.tokens import estimate_tokens
from ..values import at

if TYPE_CHECKING:
    from ...db.rows import StoredSummary
    from ...db.store import Change
    from ..context import Context
    from ..values import Memory

_BELOW = {"month": "day", "week": "day", "day": "session"}


@dataclass(frozen=True, slots=True)
class Summary:
    """What a stretch of a project's history came to."""

    id: str
    level: str  # session, day, week, month
    name: str  # 2026-03-02, 2026-W10, 2026-03; of a session its id
    starts_at: datetime
    ends_at: datetime
    content: str
    tokens: int


@dataclass(frozen=True, slots=True)
class OpenedSummary:
    """A summary with what it was made of."""

    summary: Summary
    summaries: tuple[Summary, ...]  # of the level below, oldest first
    memories: tuple[Memory, ...]  # of a day or a session; retired ones with them


class Summaries:
    """Writes the summaries of days, weeks and months that are over, and opens any.

    A duty of maintain. What is private or turned down is in none; what is superseded stands there
    as refuted. One of which a memory changed is made anew.
    """

    name, action, does_retire = "summaries", "compact", False

    def __init__(self, context: Context) -> None:
        self._context = context

    def proposals(self) -> Iterator[Proposal]:
        """The stretches whose digest is missing or no longer says what their memories say."""
        database, project = self._context.database, self._context.project_id
        last = maintenance.last(database, project)
        since = (last["at"] if last is not None else None) or 0
        known = {row["id"]: row["content"] for row in digests.summaries(database, project)}
        now, due = self._context.now_ms(), dict[Stretch, None]()
        for day in digests.worked_days(database, project):
            if day["starts_at"] > now:  # an import may hold any date
                break
            for level in LEVELS:
                stretch = stretch_of(level, day["starts_at"])
                is_new = self._id(stretch) not in known or day["changed_at"] >= since
                if stretch.ends_at <= now and is_new:
                    due[stretch] = None
        for stretch in due:
            if self._content(stretch) != known.get(self._id(stretch), ""):
                why = f"the {stretch.level} is over"
                data = {"level": stretch.level, "at": stretch.starts_at}
                yield Proposal("", f"{stretch.level} {stretch.name}", why, data, "what is over")

    def carry_out(self, change: Change, proposal: Proposal) -> bool:
        """Write one digest, or take it out when nothing is left of what it told."""
        stretch = stretch_of(proposal.data["level"], proposal.data["at"])
        key, content = self._id(stretch), self._content(stretch)
        known = change.get("summary", key)
        if content == (known["content"] if known is not None else ""):
            return False
        if not content:
            change.drop("summary", key)
            return True
        change.put(
            "summary",
            {
                "id": key,
                "project": self._context.project_id,
                "session": None,
                "level": stretch.level,
                "starts_at": stretch.starts_at,
                "ends_at": stretch.ends_at,
                "content": content,
                "tokens": estimate_tokens(content),
            },
        )
        return True

    def summaries(self, level: str | None = None) -> list[Summary]:
        """The project's summaries, newest first; only those of a level if one is given."""
        found = digests.summaries(self._context.database, self._context.project_id)
        return [_summary(row) for row in found if level in (None, row["level"])]

    def opened_summary(self, ref: str) -> OpenedSummary:
        """A summary, named by its id, its name or the start of its session's id, with its sources.

        Months and weeks open to their days, days to sessions and memories, a session to its
        memories. Raises NotFound.
        """
        every = self.summaries()
        named = [one for one in every if ref in (one.id, one.name)]
        named = named or [one for one in every if one.level == "session" and _starts(one, ref)]
        if not ref or len(named) != 1:
            raise NotFound(f"No one summary is called “{ref}”.", hint="See `memdeck summaries`.")
        [summary] = named
        start, end = _ms(summary.starts_at), _ms(summary.ends_at)
        database, project = self._context.database, self._context.project_id
        if summary.level == "session":
            nums = digests.nums_of(database, summary.name)
            return OpenedSummary(summary, (), tuple(self._context.memories(nums)))
        below = [one for one in reversed(every) if one.level == _BELOW[summary.level]]
        if summary.level != "day":
            days = tuple(one for one in below if start <= _ms(one.starts_at) < end)
            return OpenedSummary(summary, days, ())
        rows = digests.learned_between(database, project, start, end)
        sessions = {row["session"] for row in rows}
        told = tuple(one for one in below if one.name in sessions)
        nums = sorted(row["num"] for row in rows)
        return OpenedSummary(summary, told, tuple(self._context.memories(nums)))

    def _content(self, stretch: Stretch) -> str:
        rows = digests.learned_between(
            self._context.database, self._context.project_id, stretch.starts_at, stretch.ends_at
        )
        return digest_of(sorted(rows, key=lambda row: row["num"]))

    def _id(self, stretch: Stretch) -> str:
        return f"{stretch.level}:{self._context.project_id}:{stretch.name}"


def _summary(row: StoredSummary) -> Summary:
    starts_at, ends_at = at(row["starts_at"]), at(row["ends_at"])
    assert starts_at is not None
    assert ends_at is not None
    name = row["session"] or row["id"].rpartition(":")[2]
    level, content, tokens = row["level"], row["content"], row["tokens"]
    return Summary(row["id"], level, name, starts_at, ends_at, content, tokens)


def _starts(summary: Summary, ref: str) -> bool:
    return summary.name.startswith(ref)


def _ms(moment: datetime) -> int:
    return round(moment.timestamp() * 1_000)
