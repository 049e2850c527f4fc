"""The coordinator's view of conversations: who spoke where, how far each was read, what it got."""

from typing import Any

from ..db import ledger
from ..db.images import Image
from .answers import Receipt
from .base import Core
from .drafting import MOST_LOOKED_AT, outside_name
from .storage.redaction import redact
from .values import at

Fields = dict[str, Any]

MOST_GOAL = 200
"""Characters of a prompt that are kept as a session's goal."""


class Sessions(Core):
    """Sessions, transcript offsets and receipts, as the drain reports them."""

    def session_seen(
        self,
        session_id: str,
        agent: str,
        cwd: str = "",
        source: str | None = None,
        parent: str | None = None,
    ) -> None:
        """Note that a session began or went on. The first sight makes the row."""
        session_id = _name(session_id)
        with self._change("session", session=session_id, actor="agent") as change:
            known = change.get("session", session_id)
            if known is None:
                self._ensure_project(change)
                change.put("session", self._new_session(session_id, agent, cwd, source, parent))
            elif known["ended_at"] is not None and source in ("resume", "clear", "compact"):
                change.put("session", {**known, "ended_at": None, "end_reason": None})

    def _new_session(
        self, session_id: str, agent: str, cwd: str, source: str | None, parent: str | None
    ) -> Image:
        return {
            "id": session_id,
            "project": self.project_id,
            "agent": _name(agent),
            "parent": outside_name(parent),
            "cwd": outside_name(cwd or None),
            "source": outside_name(source),
            "goal": None,
            "summary": None,
            "incognito": 0,
            "started_at": self.now_ms(),
            "ended_at": None,
            "end_reason": None,
            "finalized_at": None,
        }

    def session_goal(self, session_id: str, prompt: str) -> None:
        """Keep the first prompt of a session as its goal, redacted, at most 200 characters."""
        session_id = _name(session_id)
        goal = " ".join(redact(prompt[:MOST_LOOKED_AT]).value.split())[:MOST_GOAL]
        with self._change("session", session=session_id, actor="agent") as change:
            known = change.get("session", session_id)
            if known is not None and known["goal"] is None:
                change.put("session", {**known, "goal": goal})

    def session_ended(self, session_id: str, reason: str) -> None:
        """Note the end of a session; a second report of the same end changes nothing."""
        session_id, reason = _name(session_id), _name(reason)
        with self._change("finalize", session=session_id, actor="agent") as change:
            known = change.get("session", session_id)
            if known is not None and known["ended_at"] is None:
                now = self.now_ms()
                change.put(
                    "session",
                    {**known, "ended_at": now, "end_reason": reason, "finalized_at": now},
                )

    def transcript_mark(self, path: str) -> tuple[int, int]:
        """(byte offset, lines read) of a transcript; (0, 0) for one never seen."""
        return ledger.transcript_mark(self._store.connection, _path(path))

    def set_transcript_mark(self, path: str, offset: int, line: int) -> None:
        """Remember how far a transcript was read."""
        ledger.set_transcript_mark(self._store.database, _path(path), offset, line, self.now_ms())

    def keep_receipt(self, receipt: Fields) -> bool:
        """Store what an injection reported of itself; False when it was stored before."""
        names = {name: outside_name(receipt[name]) for name in ("host", "session", "event")}
        return ledger.keep_receipt(self._store.database, {**receipt, **names})

    def receipts(self, limit: int = 50) -> list[Receipt]:
        """What was injected in this project, newest first."""
        found = ledger.receipts(self._store.connection, project=self.project_id, limit=limit)
        return [receipt_of(row) for row in found]

    def receipt(self, ref: str) -> Receipt | None:
        """The receipt whose id begins with `ref`; None when there is none or more than one."""
        found = ledger.receipts(self._store.connection, receipt=ref, limit=2)
        return receipt_of(found[0]) if len(found) == 1 else None

    def injections(self, ref: str, limit: int = 20) -> list[Receipt]:
        """The receipts that name a memory, newest first."""
        memory = self.resolve(ref)
        found = ledger.receipts(self._store.connection, memory=memory.id, limit=limit)
        return [receipt_of(row) for row in found]

    def refusals(self, limit: int = 200) -> list[Image]:
        """Captures that a gate refused, newest first: content (redacted), reason, rule, session."""
        return ledger.findings(
            self._store.connection, self.project_id, outcome="refused", limit=limit
        )

    def latencies(self) -> list[float]:
        """The last recalls' times in milliseconds, oldest first; at most 100 (002-34)."""
        return ledger.latencies(self._store.connection, "recall")


def _name(value: str) -> str:
    return outside_name(value) or ""


def _path(value: str) -> str:
    """A path as the store can keep it: in a file's name, not every byte is a letter."""
    return value.encode("utf-8", "backslashreplace").decode()


def receipt_of(row: Image) -> Receipt:
    """A stored receipt as a value."""
    moment = at(row["at"])
    assert moment is not None
    return Receipt(
        id=row["id"],
        at=moment,
        host=row["host"],
        session=row["session"],
        event=row["event"],
        prompt_fingerprint=row["prompt_fingerprint"],
        tokens=row["tokens"],
        budget=row["budget"],
        latency_ms=row["latency_ms"],
        items=tuple(row["items"]),
        left_out=tuple((memory, why) for memory, why in row["left_out"]),
    )
