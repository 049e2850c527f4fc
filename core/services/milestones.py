"""Of a session: checkpoints, findings summed up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...db import memories, sessions
from ...frozen import dataclass
from ..retrieval.tokens import estimate_tokens
from .sessions import Sessions, name_of
from .summaries import session_summary

if TYPE_CHECKING:
    from ...db.images import Image
    from ...db.rows import StoredCheckpoint
    from ...db.store import Change
    from ..context import Context

CHECKPOINT_EVERY = 10
"""Messages between two checkpoints of a session (002-01)."""


@dataclass(frozen=True, slots=True)
class Milestones:
    """A session's checkpoints and its end, each written once."""

    _context: Context
    _sessions: Sessions

    def checkpoint(self, session_id: str, messages: int, line: int = 0) -> bool:
        """Note how a session stands, after every tenth message (002-01); whether it was due.

        `messages` is how many it has so far, `line` how far its transcript was read.
        """
        session_id, due = name_of(session_id), messages // CHECKPOINT_EVERY * CHECKPOINT_EVERY
        if due == 0:
            return False
        with self._context.change("checkpoint", session=session_id, actor="rule") as change:
            if change.get("session_checkpoint", f"{session_id}|{due}"):
                return False
            learned = memories.learned_in(self._context.database, session_id)
            change.put(
                "session_checkpoint",
                {
                    "session": session_id,
                    "messages": due,
                    "at": self._context.now_ms(),
                    "line": line,
                    "learned": [row["id"] for row in learned],
                },
            )
        return True

    def checkpoints(self, session_id: str) -> list[StoredCheckpoint]:
        """A session's checkpoints, oldest first: messages, at (ms), line, learned (ids)."""
        return sessions.checkpoints(self._context.database, name_of(session_id))

    def finalize_session(self, session_id: str) -> bool:
        """Sum a session up, at the end of a turn, before a compaction and at its end (002-22).

        Never twice: without anything learned since the last time, nothing is written. Skipped
        for what is not taken down. Whether something was written.
        """
        session_id = name_of(session_id)
        with self._context.change("finalize", session=session_id, actor="agent") as change:
            known = change.get("session", session_id)
            return known is not None and self._summed_up(change, known) != known

    def session_ended(self, session_id: str, reason: str) -> None:
        """Sum a session up and note its end, in one entry.

        A second report of the same end changes nothing.
        """
        session_id, reason = name_of(session_id), name_of(reason)
        with self._context.change("finalize", session=session_id, actor="agent") as change:
            known = change.get("session", session_id)
            if known is None:
                return
            row = self._summed_up(change, known)
            if known["ended_at"] is not None:
                return
            now = self._context.now_ms()
            if (
                row == known
                and known["finalized_at"] is None
                and self._sessions.is_taken_down(session_id)
            ):
                row = {**known, "finalized_at": now}  # there was nothing to sum up
            if row == known:
                change.head["action"] = "session"  # it was summed up before, or never will be
            change.put("session", {**row, "ended_at": now, "end_reason": reason})

    def _summed_up(self, change: Change, known: Image) -> Image:
        """The session's row with its summary, put into the change; `known` without a new one."""
        summary = ""
        if self._sessions.is_taken_down(known["id"]):
            summary = session_summary(self._context, known["id"])
        if not summary or summary == known["summary"]:
            return known
        row = {**known, "summary": summary, "finalized_at": self._context.now_ms()}
        change.put("session", row)
        change.put("summary", self._summary_row(known, summary))
        return row

    def _summary_row(self, session: Image, summary: str) -> Image:
        return {
            "id": f"session:{session['id']}",
            "project": session["project"],
            "session": session["id"],
            "level": "session",
            "starts_at": session["started_at"],
            "ends_at": self._context.now_ms(),
            "content": summary,
            "tokens": estimate_tokens(summary),
        }
