"""Receipts: what was injected with which prompt, what it cost, what came of it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ...db import receipts, reviews
from ...db.images import CHUNK, Image
from ..answers import Receipt
from ..context import is_own_session, shows, withheld
from ..errors import NotFound
from ..ingest.drafts import MOST_LOOKED_AT, outside_name
from ..ingest.fingerprint import fingerprint
from ..recall.frame import KNOWN, TOLD
from ..recall.receipt import Health, judge, shortened
from ..redaction.redact import redact
from ..sessions.echo import without_echo, without_incognito
from ..values import moment_at, source_of
from .sessions import names_of

if TYPE_CHECKING:
    from ..context import Context
    from ..sessions.turns import Turn
    from .sessions import Sessions

MOST_PROMPT = 2_000
"""Longest prompt that a receipt keeps, in characters."""

PROMPT_LOOK_BACKS = (256 * 1024, 4 * 1024 * 1024)
"""How far back from its end a transcript is searched for a prompt, in bytes: most stand near it."""


TEXTS_KEPT_MS = 30 * 24 * 60 * 60 * 1000
"""How long the very text that was told is kept."""

NOT_KNOWN = receipts.Outcome(helpful=None, used=None)


@dataclass(frozen=True, slots=True)
class Receipts:
    """Receipts as they arrive and as they are read, and the user's opinions on what they name."""

    _context: Context
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
        retained = {**receipt, **names, "about": about, "prompt": self._kept_prompt(prompt)}
        retained["text"] = None if is_hidden or not is_told else self._kept_text(receipt)
        if not receipts.keep_receipt(self._context.database, retained, _known_in(receipt)):
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
        known_in = _known_in(receipt)
        if receipt.get("event") in receipts.UNASKED or receipt["items"] or not known_in:
            return False
        if any(why not in KNOWN for _, why in receipt["left_out"]):
            return False
        receipts.note_asked(
            self._context.database, receipt["id"], known_in, receipt["at"], receipt.get("session")
        )
        return True

    def feedback(self, receipt: str, memory: str, helpful: bool | None) -> None:
        """Say whether a memory helped where a receipt says it was told; None takes it back.

        One opinion for each item of a receipt: a new one takes the place of the old.
        Raises NotFound for a receipt that is not there, or does not name the memory.
        """
        existing = self.receipt_named(receipt)
        named = [item["id"] for item in existing.items if item["id"].startswith(memory.lower())]
        identifier = named[0] if memory and len(named) == 1 else self._context.resolve(memory).id
        if not receipts.note_opinion(self._context.database, existing.id, identifier, helpful):
            raise NotFound(
                f"{existing.id} did not tell {memory!r}.",
                hint=f"`memdeck receipts show {existing.id}` lists what it told.",
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

    # --- looking

    def newest(
        self, limit: int = 50, *, memory: str | None = None, session: str | None = None
    ) -> list[Receipt]:
        """What was injected in this project, newest first; where nothing was in question, nothing.

        Of one `memory`, wherever it was told, or of sessions whose id begins with `session`.
        """
        named = None if memory is None else self._context.resolve(memory).id
        matches = receipts.receipts(
            self._context.database,
            project=self._context.project_id if named is None else None,
            memory=named,
            session=session,
            limit=limit,
            has_content=True,
        )
        return self._receipts_of(matches)

    def receipt(self, ref: str) -> Receipt | None:
        """The receipt whose id begins with `ref`; None when there is none or more than one."""
        matches = receipts.receipts(self._context.database, receipt=ref, limit=2)
        return self._receipts_of(matches)[0] if len(matches) == 1 else None

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
        return self.newest(limit, memory=ref)

    def _receipts_of(self, images: Sequence[Image]) -> list[Receipt]:
        """Stored receipts as values, with what came of their items and who recorded them."""
        if not images:
            return []  # a status before anything was told
        database = self._context.database
        ids = [row["id"] for row in images]
        came = receipts.outcomes(database, ids)
        texts = receipts.texts(database, ids, self._context.now_ms() - TEXTS_KEPT_MS)
        named = list({item["id"] for row in images for item in row["items"]})
        sources: dict[str, str] = {}
        for start in range(0, len(named), CHUNK):
            sources |= reviews.sources(database, named[start : start + CHUNK])
        hidden = withheld(self._context, named)
        for row in images:
            is_own = is_own_session(self._context, row["session"])
            if not is_own:
                row["prompt"] = None  # it may have been marked for its session alone
            items = [item for item in row["items"] if item["id"] not in hidden]
            if not is_own or len(items) < len(row["items"]):
                texts.pop(row["id"], None)
            row["items"] = items
            after = (row["about"] or {}).get("next")
            if after and not shows(self._context, after["id"]):
                row["about"] = {**(row["about"] or {}), "next": None}
        names = names_of(database, (row["session"] for row in images))
        return [
            _receipt(
                row,
                came.get(row["id"], {}),
                sources,
                texts.get(row["id"]),
                names.get(row["session"] or "", ""),
            )
            for row in images
        ]

    def refusals(self, limit: int = 200) -> list[Image]:
        """Captures that a gate refused, newest first: content (redacted), reason, rule, session.

        An agent is shown those of its own session.
        """
        captures = reviews.captures(*self._context.here, limit, outcome="refused", rescued=True)
        return [row for row in captures if is_own_session(self._context, row["session"])]

    def latencies(self) -> list[float]:
        """The last recalls' times in milliseconds, oldest first; at most 100."""
        return receipts.latencies(self._context.database, "recall")

    def health(self) -> Health:
        """Whether recall is quick enough, and whether it looks at less for it."""
        return judge(*self._context.reader().receipts.latencies())


def _receipt(
    row: Image,
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


def _prompt_in(path: str, host: str, mark: str) -> tuple[str | None, bool]:
    """The last prompt in a transcript with this fingerprint, as it was typed, None without one; and
    whether it is there, but off the record.

    A hook notes the fingerprint alone: what was said stays in the host's own file until here.
    """
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
            matches = prompt_among(turns, mark, starts_inside=offset > 0)
            if matches is not None:
                return matches, False
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
