"""Accounts: what was injected where, what it cost, what gates refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ...db import receipts, recordings, reviews
from ...db.images import CHUNK
from ...db.rows import StoredFinding, StoredReceipt
from ...frozen import dataclass
from ..answers import Receipt
from ..context import is_own_session, shows, withheld
from ..errors import NotFound
from ..retrieval.slo import Health, judge
from ..values import moment_at, source_of
from .session_names import names_of

if TYPE_CHECKING:
    from ..context import Context


TEXTS_KEPT_MS = 30 * 24 * 60 * 60 * 1000
"""How long the very text that was told is kept."""

NOT_KNOWN = receipts.Outcome(helpful=None, used=None)


@dataclass(frozen=True, slots=True)
class Accounts:
    """Receipts, refusals and latencies: worth counting, but no changes."""

    _context: Context

    def receipts(
        self, limit: int = 50, *, memory: str | None = None, session: str | None = None
    ) -> list[Receipt]:
        """What was injected in this project, newest first; where nothing was in question, nothing.

        Of one `memory`, wherever it was told, or of sessions whose id begins with `session`.
        """
        named = None if memory is None else self._context.resolve(memory).id
        found = receipts.receipts(
            self._context.database,
            project=self._context.project_id if named is None else None,
            memory=named,
            session=session,
            limit=limit,
            has_content=True,
        )
        return self._receipts_of(found)

    def receipt(self, ref: str) -> Receipt | None:
        """The receipt whose id begins with `ref`; None when there is none or more than one."""
        found = receipts.receipts(self._context.database, receipt=ref, limit=2)
        return self._receipts_of(found)[0] if len(found) == 1 else None

    def receipt_named(self, ref: str) -> Receipt:
        """The same; raises NotFound when there is none or more than one."""
        receipt = self.receipt(ref) if ref else None
        if receipt is None:
            raise NotFound(
                f"No receipt, or more than one, has an id that begins with {ref[:60]!r}.",
                hint="`memdeck receipts` lists them, newest first.",
            )
        return receipt

    def injections(self, ref: str, limit: int = 20) -> list[Receipt]:
        """The receipts that name a memory, newest first."""
        return self.receipts(limit, memory=ref)

    def _receipts_of(self, found: Sequence[StoredReceipt]) -> list[Receipt]:
        """Stored receipts as values, with what came of their items and who recorded them."""
        if not found:
            return []  # a status before anything was told
        database = self._context.database
        ids = [row["id"] for row in found]
        came = receipts.outcomes(database, ids)
        texts = receipts.texts(database, ids, self._context.now_ms() - TEXTS_KEPT_MS)
        named = list({item["id"] for row in found for item in row["items"]})
        sources: dict[str, str] = {}
        for start in range(0, len(named), CHUNK):
            sources |= recordings.sources(database, named[start : start + CHUNK])
        hidden = withheld(self._context, named)
        for row in found:
            is_own = is_own_session(self._context, row["session"])
            if not is_own:
                row["prompt"] = None  # it may have been marked for its session alone
            shown = [item for item in row["items"] if item["id"] not in hidden]
            if not is_own or len(shown) < len(row["items"]):
                texts.pop(row["id"], None)
            row["items"] = shown
            after = (row["about"] or {}).get("next")
            if after and not shows(self._context, after["id"]):
                row["about"] = {**(row["about"] or {}), "next": None}
        names = names_of(database, (row["session"] for row in found))
        return [
            _receipt(
                row,
                came.get(row["id"], {}),
                sources,
                texts.get(row["id"]),
                names.get(row["session"] or "", ""),
            )
            for row in found
        ]

    def refusals(self, limit: int = 200) -> list[StoredFinding]:
        """Captures that a gate refused, newest first: content (redacted), reason, rule, session.

        An agent is shown those of its own session.
        """
        found = reviews.captures(*self._context.here, limit, outcome="refused", rescued=True)
        return [row for row in found if is_own_session(self._context, row["session"])]

    def latencies(self) -> list[float]:
        """The last recalls' times in milliseconds, oldest first; at most 100."""
        return receipts.latencies(self._context.database, "recall")

    def health(self) -> Health:
        """Whether recall is quick enough, and whether it looks at less for it."""
        return judge(*self._context.reader().receipts.latencies())


def _receipt(
    row: StoredReceipt,
    came: Mapping[str, receipts.Outcome],
    sources: Mapping[str, str],
    text: str | None,
    session_name: str,
) -> Receipt:
    """A stored receipt as a value; `sources` is what bears recorded memories out, as of now."""
    about = row["about"] or {}
    return Receipt(
        id=row["id"],
        at=moment_at(row["at"]),
        host=row["host"],
        session=row["session"],
        event=row["event"],
        prompt_fingerprint=row["prompt_fingerprint"],
        tokens=row["tokens"],
        budget=row["budget"],
        latency_ms=row["latency_ms"],
        items=tuple(
            {
                **item,
                **came.get(item["id"], NOT_KNOWN),
                "source": source_of(sources.get(item["id"], "")),
            }
            for item in row["items"]
        ),
        left_out=tuple((memory, why) for memory, why in row["left_out"]),
        project=row["project"],
        prompt=row["prompt"],
        source=row["source"],
        policy=row["policy"],
        profile=row["profile"],
        context_left=row["context_left"],
        per_tier=row["per_tier"],
        limits=row["limits"] or {},
        files=tuple(about.get("files") or ()),
        role=about.get("role"),
        next=about.get("next"),
        compression_ratio=about.get("compression_ratio"),
        request_tokens=int(about.get("request_tokens") or 0),
        is_degraded=bool(about.get("is_degraded")),
        session_name=session_name,
        text=text,
    )
