"""Receipts: the memories injected with each prompt, their cost and use."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ...db import receipts, reviews
from ...db.errors import NotFound
from ...db.images import CHUNK, Image
from ..context import is_own_session, names_of, of_row, withheld
from ..recall.receipt import IN_CONTEXT, INJECTED_BEFORE, Health, judge, shortened
from ..text.words import fingerprint
from ..values import source_of

if TYPE_CHECKING:
    from datetime import datetime

    from ..context import Context
    from ..sessions.turns import Turn
    from .preferences import Preferences

MOST_PROMPT = 2_000  # longest prompt that a receipt keeps, in characters

PROMPT_LOOK_BACKS = (256 * 1024, 4 * 1024 * 1024)
"""Bytes from a transcript's end in which a prompt is searched: most are near the end."""

TEXTS_KEPT_MS = 30 * 24 * 60 * 60 * 1000  # how long the injected text is kept

NOT_KNOWN = {"helpful": None, "used": None}


class Receipt(NamedTuple):
    """The record of one injection."""

    id: str
    at: datetime
    host: str
    session: str | None
    event: str
    prompt_fingerprint: str
    tokens: int
    budget: int
    latency_ms: float
    items: tuple[Mapping[str, Any], ...]
    # each: id, title, score, parts, revision, tokens, tier; helpful and used: True, False, None
    left_out: tuple[tuple[str, str], ...]  # (memory id, why)
    project: str = ""
    prompt: str | None = None  # redacted, at most 2,000 characters; None when it was not kept
    source: str | None = None  # how the session started, or the id of the subagent it was for
    policy: str | None = None
    profile: str | None = None
    context_left: int | None = None  # tokens, when the host said
    per_tier: Mapping[str, int] = {}  # tokens by tier
    limits: Mapping[str, int] = {}  # tokens allowed by tier
    files: tuple[str, ...] = ()  # that were worked on
    role: str | None = None
    compression_ratio: float | None = None
    is_degraded: bool = False  # recall was too slow then and read less
    unread: int = 0  # events of other sessions that were still being read at this start
    request_tokens: int = 0  # of these, for the lines that ask the agent to record
    session_name: str = ""  # the session in words; "" for none, and for an unknown one
    text: str | None = None  # the exact text, redacted; None if it was not kept, or no longer


class Receipts:
    """Stores and reads receipts, and the user's opinions on their memories."""

    _context: Context
    _preferences: Preferences

    def keep_receipt(self, receipt: dict[str, Any]) -> bool:
        """Store the record of one injection. Return False if it was stored before.

        Its `prompt`, or the one that its `transcript` holds, is kept redacted, at most 2,000
        characters, if `recall.keep_prompts` is on. Its `text` is kept for 30 days, if
        `recall.keep_told` is on. Private passages are left out.
        """
        from ..ingest.drafts import outside_name  # a status reads receipts and stores none

        named = ("host", "session", "event", "source")
        names = {name: outside_name(receipt.get(name)) for name in named}
        about = dict(receipt.get("about") or {})
        session = receipt.get("session")
        is_recorded = not session or self._preferences.is_recorded(session, receipt["at"])
        # of a session that is not recorded not even the files are kept
        about["files"] = [outside_name(path) for path in about.get("files") or () if is_recorded]
        about["role"] = outside_name(about.get("role"))
        prompt, is_hidden = self._prompt_of(receipt, is_recorded=is_recorded)
        retained = {**receipt, **names, "about": about, "prompt": self._kept_prompt(prompt)}
        retained["text"] = None if is_hidden or not is_recorded else self._kept_text(receipt)
        if not receipts.keep_receipt(self._context.database, retained, _repeated_in(receipt)):
            return False
        receipts.note_latency(
            self._context.database,
            "recall",
            receipt["at"],
            receipt["latency_ms"],
            lambda window, was_degraded: judge(window, was_degraded).is_degraded,
        )
        return True

    def note_known(self, receipt: dict[str, Any]) -> bool:
        """Count a use of memories that the context had already; return True if it was new."""
        repeated = _repeated_in(receipt)
        if receipt.get("event") in receipts.WITHOUT_QUERY or receipt["items"] or not repeated:
            return False
        if any(why not in IN_CONTEXT for _, why in receipt["left_out"]):
            return False
        receipts.note_repeated(
            self._context.database, receipt["id"], repeated, receipt["at"], receipt.get("session")
        )
        return True

    def feedback(self, receipt: str, memory: str, helpful: bool | None) -> None:
        """Set the opinion on a memory of a receipt; None for neither. Raises NotFound."""
        existing = self.receipt_named(receipt)
        named = [item["id"] for item in existing.items if item["id"].startswith(memory.lower())]
        identifier = named[0] if memory and len(named) == 1 else self._context.resolve(memory).id
        if not receipts.note_opinion(self._context.database, existing.id, identifier, helpful):
            hint = f"`memdeck receipts show {existing.id}` lists its memories."
            raise NotFound(f"The receipt {existing.id} does not name {memory!r}.", hint=hint)

    def _kept_text(self, receipt: dict[str, Any]) -> str | None:
        """Return the injected text as it may be kept, by today's rules; None for none."""
        from ..redaction.redact import redact

        text = receipt.get("text")
        if not text or not self._context.policy.recall.keep_told:
            return None
        return redact(text, use_entropy=False, choice=self._context.redaction_choice()).value

    def _prompt_of(self, receipt: dict[str, Any], *, is_recorded: bool) -> tuple[str | None, bool]:
        """Return the prompt of a receipt, None without one, and True if it is incognito."""
        from ..sessions.echo import without_echo

        prompt = receipt.get("prompt")
        if prompt is None:
            path = receipt.get("transcript")
            if not path or not receipt.get("session") or not is_recorded:
                return None, False
            prompt, is_hidden = _prompt_in(path, receipt["host"], receipt["prompt_fingerprint"])
            return without_echo(prompt or "").strip() or None, is_hidden
        plain = without_echo(prompt).strip()
        return plain or None, bool(prompt.strip()) and not plain

    def _kept_prompt(self, plain: str | None) -> str | None:
        """Return the prompt as it may be kept, None for none."""
        from ..ingest.drafts import MOST_LOOKED_AT
        from ..redaction.redact import redact

        if not plain or not self._context.policy.recall.keep_prompts:
            return None
        value = redact(plain[:MOST_LOOKED_AT], choice=self._context.redaction_choice()).value
        return value if len(value) <= MOST_PROMPT else f"{value[: MOST_PROMPT - 1]}…"

    # --- looking

    def newest(
        self, limit: int = 50, *, memory: str | None = None, session: str | None = None
    ) -> list[Receipt]:
        """Return receipts of this project, newest first, or those with a `memory` in any."""
        named = None if memory is None else self._context.resolve(memory).id
        matches = receipts.receipts(
            self._context.database,
            project=self._context.project_id if named is None else None,
            memory=named,
            session=session,
            limit=limit,
            is_listed=True,
        )
        return self._receipts_of(matches)

    def receipt(self, ref: str) -> Receipt | None:
        """Return the receipt whose id begins with `ref`; None for none or several."""
        matches = receipts.receipts(self._context.database, receipt=ref, limit=2)
        return self._receipts_of(matches)[0] if len(matches) == 1 else None

    def receipt_named(self, ref: str) -> Receipt:
        """Return the receipt whose id begins with `ref`. Raises NotFound for none or several."""
        receipt = self.receipt(ref) if ref else None
        if receipt is None:
            raise NotFound(
                f"No receipt, or several, have an id that begins with {ref[:60]!r}.",
                hint="`memdeck receipts` lists them, newest first.",
            )
        return receipt

    def _receipts_of(self, images: Sequence[Image]) -> list[Receipt]:
        """Return stored receipts as values, with the use of their items and opinions on them."""
        if not images:
            return []  # a status before the first injection
        database = self._context.database
        ids = [row["id"] for row in images]
        came = receipts.outcomes(database, ids)
        texts = receipts.texts(database, ids, self._context.now_ms() - TEXTS_KEPT_MS)
        named = list({item["id"] for row in images for item in row["items"]})
        sources: dict[str, str] = {}
        for start in range(0, len(named), CHUNK):
            sources |= reviews.sources(database, named[start : start + CHUNK])
        hidden = withheld(self._context, named)
        names = names_of(database, (row["session"] for row in images))
        values = list[Receipt]()
        for row in images:
            is_own = is_own_session(self._context, row["session"])
            if not is_own:
                row["prompt"] = None  # it may have been marked for its session alone
            items = [item for item in row["items"] if item["id"] not in hidden]
            if not is_own or len(items) < len(row["items"]):
                texts.pop(row["id"], None)
            outcome = came.get(row["id"], {})
            items = [
                {
                    **item,
                    **outcome.get(item["id"], NOT_KNOWN),
                    "source": source_of(sources.get(item["id"], "")),  # the evidence as it is now
                }
                for item in items
            ]
            about = {name: item for name, item in (row["about"] or {}).items() if item is not None}
            more = {
                "items": tuple(items),
                "left_out": tuple((memory, why) for memory, why in row["left_out"]),
                "limits": row["limits"] or {},
                "text": texts.get(row["id"]),
                "session_name": names.get(row["session"] or "", ""),
            }
            values.append(of_row(Receipt, {**row, **about}, **more))
        return values

    def health(self) -> Health:
        """Return the latency of recall, and whether it is degraded."""
        return judge(*self._context.reader().receipts.latencies())


def _prompt_in(path: str, host: str, mark: str) -> tuple[str | None, bool]:
    """Return the last prompt of a transcript with this fingerprint, and True if it is incognito."""
    from ..sessions.transcript import look_back, read_any

    is_there = False
    for span in PROMPT_LOOK_BACKS:
        try:
            offset, line = look_back(path, os.path.getsize(path), 0, span)
            turns = list(read_any(path, host, offset, line).turns)
        except OSError:
            return None, False
        is_there = any(turn.is_prompt and _mark_of(turn) == mark for turn in reversed(turns))
        if is_there:
            prompt = prompt_among(turns, mark, starts_inside=offset > 0)
            if prompt is not None:
                return prompt, False
        if offset == 0:
            break
    return None, is_there


def prompt_among(turns: Iterable[Turn], mark: str, *, starts_inside: bool = False) -> str | None:
    """Return the last prompt with this fingerprint, unless it is incognito."""
    from ..sessions.echo import without_incognito

    for turn in reversed(list(without_incognito(turns, starts_inside=starts_inside))):
        if turn.is_prompt and _mark_of(turn) == mark:
            return turn.text
    return None


def _mark_of(turn: Turn) -> str:
    return fingerprint(shortened(turn.text))


def _repeated_in(receipt: dict[str, Any]) -> list[str]:
    """Return the memories that were left out because the session had received them before."""
    return [memory for memory, why in receipt["left_out"] if why == INJECTED_BEFORE]
