"""What a task, a day, a week, a month and the project came to, each opened to its sources."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from ...db import ageing, audit
from ...db import sessions as digests
from ...db.sessions import forks_of
from ..errors import NotFound
from ..lifecycle.digests import STRETCHES, Stretch, digest_of, stretch_of
from ..lifecycle.summaries import summary_of
from ..sessions.work import LEFT_OPEN
from ..text.tokens import estimate_tokens
from ..values import moment_at
from .maintenance import Proposal

if TYPE_CHECKING:
    from ...db.images import Image
    from ...db.sessions import DigestMemory, DoneTask
    from ...db.store import Change
    from ..context import Context
    from ..values import Memory

_BELOW = {"project": "month", "month": "day", "week": "day", "day": "session"}
_LATE_MS = 24 * 60 * 60 * 1_000
"""How long after a task was done what was learned for it may still come in."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What a stretch of a project's history came to."""

    id: str
    level: str  # one of `lifecycle.digests.LEVELS`
    name: str  # 2026-03-02, 2026-W10, 2026-03, project; of a session or a task its id
    starts_at: datetime
    ends_at: datetime
    content: str
    tokens: int


@dataclass(frozen=True, slots=True)
class OpenedSummary:
    """A summary with what it was made of."""

    summary: Summary
    summaries: tuple[Summary, ...]  # of the level below, oldest first
    memories: tuple[Memory, ...]  # of a day, a session or a task; retired ones with them


@dataclass(frozen=True, slots=True)
class Summaries:
    """Writes the summaries of tasks that are done and of stretches that are over, and opens any.

    A duty of maintain. What is private or turned down is in none; what is superseded stands there
    as refuted. One of which a memory changed is made anew.
    """

    name, action, does_retire = "summaries", "compact", False

    _context: Context

    def proposals(self, *, of_known: bool = False) -> Iterator[Proposal]:
        """The stretches whose digest is missing or no longer says what their memories say.

        With `of_known` only those that have one.
        """
        database, project = self._context.here
        since = ageing.new_since(database, project, self._context.now_ms()) or 0
        summaries = digests.summaries(database, project)
        existing = {row["id"]: row["content"] for row in summaries}
        last = max((row["ends_at"] for row in summaries), default=0)
        due = (
            *self._over(existing, since, last),
            *self._done(existing, since),
            *self._rewritten(since),
        )
        for stretch, why in due:
            if of_known and self._id(stretch) not in existing:
                continue
            as_of = audit.newest_seq(database)
            content = self.content_of(stretch)
            if content != existing.get(self._id(stretch), ""):
                data = {"stretch": stretch, "content": content, "as_of": as_of}
                yield Proposal("", f"{stretch.level} {stretch.name}", why, data, "what is over")

    def _over(
        self, existing: Mapping[str, str], since: int, last: int
    ) -> Iterator[tuple[Stretch, str]]:
        """What is over since, or was written to since; with a month the project itself.

        What was summed up before it was over, by a clock that was ahead, is kept right as well;
        `last` is where the last known summary ends.
        """
        now, due, first = self._context.now_ms(), dict[Stretch, None](), None
        for day in digests.worked_days(*self._context.here):
            if day["starts_at"] > max(now, last):  # an import may hold any date
                break
            first = day["starts_at"] if first is None else first
            for level in STRETCHES:
                stretch = stretch_of(level, day["starts_at"])
                is_known = self._id(stretch) in existing
                is_new = not is_known or max(day["changed_at"], stretch.ends_at) >= since
                if is_new and (is_known or stretch.ends_at <= now):
                    due[stretch] = None
        yield from ((stretch, f"the {stretch.level} is over") for stretch in due)
        if first is not None and any(stretch.level == "month" for stretch in due):
            start, end = (stretch_of("month", moment).starts_at for moment in (first, now))
            yield Stretch("project", "project", start, end), "a month is over"

    def _done(self, existing: Mapping[str, str], since: int) -> Iterator[tuple[Stretch, str]]:
        """The tasks that were done since, and those that are open again."""
        done = set[str]()
        for task in digests.done_tasks(*self._context.here):
            end = task["completed_at"]
            stretch = Stretch("task", task["id"], task["created_at"], end + 1)
            done.add(self._id(stretch))
            if max(task["changed_at"], end + _LATE_MS) >= since:
                yield stretch, "the task is done"
        for key in existing:
            if key.startswith("task:") and key not in done:
                yield Stretch("task", key.rpartition(":")[2], 0, 0), "the task is not done"

    def _rewritten(self, since: int) -> Iterator[tuple[Stretch, str]]:
        """The sessions of which a memory was written since: they were summed up as they ended."""
        for row in digests.rewritten_sessions(*self._context.here, since):
            stretch = Stretch("session", row["id"], row["starts_at"], row["ends_at"])
            yield stretch, "what it learned was changed"

    def carry_out(self, change: Change, proposal: Proposal) -> bool:
        """Write one digest, or take it out when nothing is left of what it told.

        It is made anew only where something was written since: of a hundred thousand memories that
        takes seconds, in which nobody else could write.
        """
        stretch, content = proposal.data["stretch"], proposal.data["content"]
        if audit.newest_seq(self._context.database) != proposal.data["as_of"]:
            content = self.content_of(stretch)
        key = self._id(stretch)
        existing = change.get("summary", key)
        if content == (existing["content"] if existing is not None else ""):
            return False
        if stretch.level == "session":
            _note_in_session(change, stretch.name, content)
        if not content:
            change.drop("summary", key)
            return True
        change.put(
            "summary",
            {
                "id": key,
                "project": self._context.project_id,
                "session": stretch.name if stretch.level == "session" else None,
                "level": stretch.level,
                "starts_at": stretch.starts_at,
                "ends_at": stretch.ends_at,
                "content": content,
                "tokens": estimate_tokens(content),
            },
        )
        return True

    def summaries(self, level: str | None = None) -> list[Summary]:
        """The project's summaries, newest first; only those of a level if one is given.

        An agent is shown none that tells what was turned down, or made private, since.
        """
        summaries = digests.summaries(*self._context.here)
        if self._context.viewer is not None:
            due = (proposal.data for proposal in self.proposals(of_known=True))
            now = {self._id(each["stretch"]): each["content"] for each in due}
            summaries = [
                {**row, "content": now.get(row["id"], row["content"])} for row in summaries
            ]
        rows = [row for row in summaries if level in (None, row["level"]) and row["content"]]
        return [_summary(row) for row in rows]

    def opened_summary(self, ref: str) -> OpenedSummary:
        """A summary, named by its id, its name or the start of its session's or task's id, with its
        sources.

        The project opens to its months, months and weeks to their days, days to sessions and
        memories, a session or a task to its memories. Raises NotFound.
        """
        every = self.summaries()
        wanted = ref.lower()
        named = [part for part in every if wanted in (part.id.lower(), part.name.lower())]
        named = named or [
            part
            for part in every
            if part.level in ("session", "task") and part.name.lower().startswith(wanted)
        ]
        if not ref or len(named) != 1:
            raise NotFound(f"No one summary is called “{ref}”.", hint="See `memdeck summaries`.")
        [summary] = named
        if summary.level == "session":
            nums = digests.nums_of(self._context.database, summary.name)
            return OpenedSummary(summary, (), tuple(self._context.memories(nums)))
        start, end = _ms(summary.starts_at), _ms(summary.ends_at)
        if (level := _BELOW.get(summary.level)) and level != "session":
            parts = (part for part in reversed(every) if part.level == level)
            details = tuple(part for part in parts if start <= _ms(part.starts_at) < end)
            return OpenedSummary(summary, details, ())
        rows = self.learned(Stretch(summary.level, summary.name, start, end))
        sessions = {row["session"] for row in rows if level}
        details = tuple(
            part for part in reversed(every) if part.level == "session" and part.name in sessions
        )
        nums = sorted(row["num"] for row in rows)
        return OpenedSummary(summary, details, tuple(self._context.memories(nums)))

    def content_of(self, stretch: Stretch) -> str:
        """The lines that a stretch comes to, as its memories have it now; "" of nothing."""
        if stretch.level == "session":
            return session_summary(self._context, stretch.name)
        rows = sorted(self.learned(stretch), key=lambda row: row["num"])
        task = self._task(stretch)
        return digest_of(rows, task["content"].removeprefix(LEFT_OPEN) if task is not None else "")

    def learned(self, stretch: Stretch) -> list[DigestMemory]:
        """What was learned in a stretch; for a task in the session that set it and in those that
        ran when it was done."""
        database, project = self._context.here
        start, end = stretch.starts_at, stretch.ends_at
        if stretch.level != "task":
            return digests.learned_between(database, project, start, end)
        if (task := self._task(stretch)) is None:
            return []
        sessions = {task["session"] or "", *digests.running_at(database, project, end - 1)}
        return digests.learned_by(database, project, start, end, sorted(sessions))

    def _task(self, stretch: Stretch) -> DoneTask | None:
        if stretch.level != "task":
            return None
        return digests.done_task(*self._context.here, stretch.name)

    def _id(self, stretch: Stretch) -> str:
        if stretch.level == "session":
            return f"session:{stretch.name}"
        return f"{stretch.level}:{self._context.project_id}:{stretch.name}"


def session_summary(context: Context, session: str) -> str:
    """What a session came to, as its memories have it now; "" of nothing."""
    rows = digests.learned_in(context.database, session)
    goal = digests.goal_of(context.database, session)
    return summary_of(goal, sorted(rows, key=lambda row: row["num"]))


def _note_in_session(change: Change, session: str, content: str) -> None:
    """Let a session, and a fork that began with its summary, tell the new one."""
    existing = change.get("session", session)
    if existing is None:
        return
    forks = (change.get("session", row["id"]) for row in forks_of(change.database, session))
    for row in (existing, *forks):
        if row is not None and row["summary"] == existing["summary"]:
            change.put("session", {**row, "summary": content or None})


def _summary(row: Image) -> Summary:
    return Summary(
        id=row["id"],
        level=row["level"],
        name=row["session"] or row["id"].rpartition(":")[2],
        starts_at=moment_at(row["starts_at"]),
        ends_at=moment_at(row["ends_at"]),
        content=row["content"],
        tokens=row["tokens"],
    )


def _ms(moment: datetime) -> int:
    return round(moment.timestamp() * 1_000)
