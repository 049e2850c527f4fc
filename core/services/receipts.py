"""The book of injections: each kept, with its prompt redacted, and judged."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ...db import receipts
from ...frozen import dataclass
from ..errors import NotFound
from ..ingest.drafts import MOST_LOOKED_AT, outside_name
from ..ingest.extract.echo import without_echo, without_incognito
from ..ingest.extract.lines import look_back
from ..ingest.extract.transcripts import read_any
from ..ingest.fingerprint import fingerprint
from ..redaction.redact import redact
from ..retrieval.receipt import shortened
from ..retrieval.sheet import KNOWN, TOLD
from ..retrieval.slo import judge

if TYPE_CHECKING:
    from ..context import Context
    from ..ingest.extract.turns import Turn
    from .accounts import Accounts
    from .sessions import Sessions

MOST_PROMPT = 2_000
"""Longest prompt that a receipt keeps, in characters."""

PROMPT_LOOK_BACKS = (256 * 1024, 4 * 1024 * 1024)
"""How far back from its end a transcript is searched for a prompt, in bytes: most stand near it."""


@dataclass(frozen=True, slots=True)
class ReceiptBook:
    """Receipts as they come in, and opinions on what they name."""

    _context: Context
    _accounts: Accounts
    _sessions: Sessions

    def keep_receipt(self, receipt: dict[str, Any]) -> bool:
        """Store what an injection reported of itself; False when it was stored before.

        Its `prompt`, or the one that its `transcript` holds, is kept redacted, at most 2,000
        characters, where `recall.keep_prompts` allows it; its `text`, the very words that were
        told, for 30 days, where `recall.keep_told` does. What was to stay private is left out.
        """
        named = ("host", "session", "event", "source")
        names = {name: outside_name(receipt.get(name)) for name in named}
        about = dict(receipt.get("about") or {})
        session = receipt.get("session")
        is_told = not session or self._sessions.is_taken_down(session, receipt["at"])
        # Else not even which files.
        about["files"] = [outside_name(path) for path in about.get("files") or () if is_told]
        about["role"] = outside_name(about.get("role"))
        prompt, is_hidden = self._asked(receipt, is_told=is_told)
        kept = {**receipt, **names, "about": about, "prompt": self._kept_prompt(prompt)}
        kept["text"] = None if is_hidden or not is_told else self._kept_text(receipt)
        if not receipts.keep_receipt(self._context.database, kept, _known_in(receipt)):
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
        """Note what a prompt asked for, if its session knew all of it and it was told nothing.

        That is one use more of each, counted once by the receipt's id, and no line among
        the receipts. Whether it was so.
        """
        known = _known_in(receipt)
        if receipt.get("event") in receipts.UNASKED or receipt["items"] or not known:
            return False
        if any(why not in KNOWN for _, why in receipt["left_out"]):
            return False
        receipts.note_asked(
            self._context.database, receipt["id"], known, receipt["at"], receipt.get("session")
        )
        return True

    def feedback(self, receipt: str, memory: str, helpful: bool | None) -> None:
        """Say whether a memory helped where a receipt says it was told; None takes it back.

        One opinion for each item of a receipt: a new one takes the place of the old.
        Raises NotFound for a receipt that is not there, or does not name the memory.
        """
        known = self._accounts.receipt_named(receipt)
        named = [item["id"] for item in known.items if item["id"].startswith(memory.lower())]
        identifier = named[0] if memory and len(named) == 1 else self._context.resolve(memory).id
        if not receipts.note_opinion(self._context.database, known.id, identifier, helpful):
            raise NotFound(
                f"{known.id} did not tell {memory!r}.",
                hint=f"`memdeck receipts show {known.id}` lists what it told.",
            )

    def _kept_text(self, receipt: dict[str, Any]) -> str | None:
        """What was told, as it may be kept; None for none.

        It is made of memories, which were looked through whole as they came in. Rules for secrets
        may have grown since; what is merely random is ours: ids, and the name of the session.
        """
        text = receipt.get("text")
        if not text or not self._context.policy.recall.keep_told:
            return None
        return redact(text, use_entropy=False, choice=self._context.redaction_choice()).value

    def _asked(self, receipt: dict[str, Any], *, is_told: bool) -> tuple[str | None, bool]:
        """The prompt of a receipt as it was asked, None without one; whether it is off the record.

        `is_told`: what its session says is taken down.
        """
        prompt = receipt.get("prompt")
        if prompt is None:
            path = receipt.get("transcript")
            if not path or not receipt.get("session") or not is_told:
                return None, False
            prompt, is_hidden = _prompt_in(path, receipt["host"], receipt["prompt_fingerprint"])
            return without_echo(prompt or "").strip() or None, is_hidden
        plain = without_echo(prompt).strip()
        return plain or None, bool(prompt.strip()) and not plain

    def _kept_prompt(self, plain: str | None) -> str | None:
        """A prompt as it may be kept; None for none."""
        if not plain or not self._context.policy.recall.keep_prompts:
            return None
        value = redact(plain[:MOST_LOOKED_AT], choice=self._context.redaction_choice()).value
        return value if len(value) <= MOST_PROMPT else f"{value[: MOST_PROMPT - 1]}…"


def _prompt_in(path: str, host: str, mark: str) -> tuple[str | None, bool]:
    """The last prompt in a transcript with this fingerprint, as it was typed, None without one; and
    whether it is there, but off the record.

    A hook notes the fingerprint alone: what was said stays in the host's own file until here.
    """
    is_there = False
    for span in PROMPT_LOOK_BACKS:
        try:
            offset, line = look_back(path, os.path.getsize(path), 0, span)
            turns = list(read_any(path, host, offset, line).turns)
        except OSError:
            return None, False
        is_there = any(turn.is_prompt and _mark_of(turn) == mark for turn in reversed(turns))
        if is_there:
            found = prompt_among(turns, mark, starts_inside=offset > 0)
            if found is not None:
                return found, False
        if offset == 0:
            break
    return None, is_there


def prompt_among(turns: Iterable[Turn], mark: str, *, starts_inside: bool = False) -> str | None:
    """The last of the prompts with this fingerprint, unless it is off the record."""
    spoken = list(without_incognito(turns, starts_inside=starts_inside))
    for turn in reversed(spoken):
        if turn.is_prompt and _mark_of(turn) == mark:
            return turn.text
    return None


def _mark_of(turn: Turn) -> str:
    return _mark(shortened(turn.text))


@lru_cache(maxsize=512)  # each receipt of a session looks for its own among all prompts of it
def _mark(text: str) -> str:
    return fingerprint(text)


def _known_in(receipt: dict[str, Any]) -> list[str]:
    """The memories that a receipt left out, since the session had been told them."""
    return [memory for memory, why in receipt["left_out"] if why == TOLD]
