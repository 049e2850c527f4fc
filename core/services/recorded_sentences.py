"""A sentence that an agent recorded, met again in its session's transcript: no second memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...db import memories, recordings
from ...db.recordings import SessionRecording
from ..answers import Capture, StoreResult
from ..ingest.extract.evidence import agree
from ..ingest.promotion import RECORDED

if TYPE_CHECKING:
    from ..context import Context
    from ..ingest.pipeline import SeenAgain
    from .amendments import Amendments
    from .deposits import Deposits


class RecordedSentences:
    """The agent's own words link to its recording; a person's are kept instead of it."""

    def __init__(self, context: Context, amendments: Amendments, deposits: Deposits) -> None:
        self._context = context
        self._amendments = amendments
        self._deposits = deposits

    def of(self, capture: Capture) -> list[SessionRecording]:
        """The live recordings of the capture's session that say the same, oldest first.

        None for a recording itself, a todo, and what was read before.
        """
        session = capture.origin.session
        if capture.rule == RECORDED or not session or capture.type == "prospective":
            return []
        if capture.origin.ref and memories.was_captured(self._context.database, capture.origin.ref):
            return []
        return [
            row
            for row in recordings.of_session(
                self._context.database, session, self._context.project_id
            )
            if row["retired_at"] is None and agree(capture.content, row["content"])
        ]

    def repeated(self, capture: Capture, seen: SeenAgain) -> StoreResult | None:
        """What one session records and says is one witness: only another one adds to it.

        None where the capture is evidence.
        """
        session = capture.origin.session
        if session and not capture.rule.startswith("person."):
            own = recordings.of_session(self._context.database, session, self._context.project_id)
            if any(row["memory"] == seen.memory for row in own):
                return self.linked(capture, seen.memory, seen.text)
        return None

    def yield_to(self, rows: Sequence[SessionRecording], said: str) -> None:
        """What waits as a candidate of the agent's makes room for the person's own words."""
        for row in rows:
            if row["is_new"] and row["status"] == "candidate":
                self._yield_to(row["memory"], said)

    def linked(self, capture: Capture, memory: str, text: str) -> StoreResult:
        image = self._context.resolve(memory)
        reason = f"the agent recorded it as “{image.title}”"
        self._deposits.note(capture, text, "duplicate", reason, memory)
        return StoreResult(False, memory, 0.0, reason, "duplicate")

    def _yield_to(self, recorded: str, said: str) -> None:
        """The person's own words stay, and the agent's of them retire, linked."""
        with self._context.change("merge", "the person said it", actor="rule") as change:
            image = change.get("memory", recorded)
            if image is None or image["retired_at"] is not None or image["scope"] == "global":
                return
            change.put("memory", self._amendments.retired(image, "merged", change))
            self._amendments.put_link(change, recorded, said, "superseded_by", 1.0)
