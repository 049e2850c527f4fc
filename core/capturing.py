"""The coordinator's way in: what people say, what sessions offer, what files bring."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from ..db import finding, ledger
from ..db.images import Image, headline_of
from ..db.store import Change
from .answers import Capture, ImportReport, StoreResult
from .base import Core, to_ms
from .drafting import MOST_LOOKED_AT, Draft, clean_origin, draft_image, in_range, one_of, texts
from .errors import BadInput, Refused
from .storage.fingerprint import fingerprint
from .storage.pipeline import Keep, RefusedBecause, SeenAgain, judge
from .storage.redaction import redact
from .values import STATUSES, TYPES, Origin

REINFORCEMENT = 0.1
"""What a repetition adds to importance, up to 1.0 (002-27)."""

IMPORT_CHUNK = 500
"""Memories per journal entry of an import: one fsync for so many."""


class _Known:
    """The store, as the gates of the pipeline see it."""

    def __init__(self, core: Core) -> None:
        self._connection = core._store.connection
        self._project = core.project_id

    def was_captured(self, ref: str) -> bool:
        return ledger.was_captured(self._connection, ref)

    def is_buried(self, fingerprint: str) -> bool:
        return finding.is_buried(self._connection, self._project, fingerprint)

    def with_fingerprint(self, fingerprint: str) -> str | None:
        return finding.with_fingerprint(self._connection, self._project, fingerprint)


class _Batch:
    """What an import has done so far."""

    def __init__(self, refused: list[tuple[int, str]]) -> None:
        self.added = self.duplicates = self.redacted = 0
        self.refused = refused  # (line from 1, why)
        self.seen: dict[tuple[str, str], str] = {}  # (key, fingerprint) -> id
        self.keys: dict[str, str] = {}  # key -> id
        self.ids: dict[int, str] = {}  # line -> id


class Capturing(Core):
    """remember, offer, store, import_memories."""

    def remember(
        self,
        text: str,
        *,
        type: str | None = None,
        category: str | None = None,
        scope: str | None = None,
        importance: float | None = None,
        tags: Sequence[str] = (),
        files: Sequence[str] = (),
        title: str | None = None,
        pin: bool = False,
        due: datetime | None = None,
        expires: datetime | None = None,
        key: str | None = None,
        details: Mapping[str, Any] | None = None,
    ) -> StoreResult:
        """Keep what a person says: past the filters (002-20), never past redaction.

        `importance` is 0-1, `text` at most 4,000 characters. The same text again reinforces
        the memory there is (002-27). Raises BadInput.
        """
        draft = Draft(
            content=text,
            title=title or "",
            type=type or ("prospective" if due is not None else None),
            category=category,
            scope=scope,
            status="pinned" if pin else "confirmed",
            importance=0.6 if importance is None else importance,
            tags=texts("tags", tags),
            files=texts("files", files),
            key=key,
            due=to_ms(due),
            expires=to_ms(expires),
            origin=Origin(session=self.session, agent=self.agent),
            details=details or {},
        )
        with self._change("add") as change:
            image, removed = self._image(change, draft)
            twin = finding.with_fingerprint(
                change.connection, image["project"], image["fingerprint"]
            )
            if twin is None:
                self._put(change, image)
        if twin is not None:
            return self._reinforce(twin, draft.origin, pin=pin, removed=removed)
        return StoreResult(True, image["id"], 10.0, "remembered", removed=removed)

    def offer(self, captures: Sequence[Capture]) -> list[StoreResult]:
        """Run captures through the storage pipeline; what passes waits as a candidate.

        Every outcome is recorded with its reason, except for a place that was read before.
        """
        return [self._offer(capture) for capture in captures]

    def _offer(self, capture: Capture) -> StoreResult:
        if not isinstance(capture.content, str):
            raise BadInput(f"A text was expected, not {type(capture.content).__name__}.")
        capture = replace(
            capture,
            content=capture.content[:MOST_LOOKED_AT],
            origin=clean_origin(capture.origin),
            rule=redact(capture.rule).value,
        )
        verdict = judge(capture, _Known(self), min_length=self._least_length(capture))
        if isinstance(verdict, RefusedBecause):
            if verdict.gate != "repeat":
                self._note(capture, verdict.text, "refused", f"{verdict.gate}: {verdict.reason}")
            outcome = "repeated" if verdict.gate == "repeat" else "refused"
            return StoreResult(False, None, 0.0, verdict.reason, outcome)
        if isinstance(verdict, SeenAgain):
            return self._repeated(capture, verdict)
        return self._keep(capture, verdict)

    def _repeated(self, capture: Capture, seen: SeenAgain) -> StoreResult:
        result = self._reinforce(seen.memory, capture.origin, actor="rule")
        self._note(capture, seen.text, "duplicate", result.reason, seen.memory)
        return replace(result, removed=seen.removed)

    def _least_length(self, capture: Capture) -> int:
        """Characters a capture needs: 50 (000-22), less where a person laid something down.

        An instruction may be short ("keep keys for 48 hours only"); there the preset's limit
        for findings holds (002-05).
        """
        if capture.rule.startswith("person."):
            return min(self.policy.capture.min_length, self.policy.promotion.min_length)
        return self.policy.capture.min_length

    def _keep(self, capture: Capture, verdict: Keep) -> StoreResult:
        draft = replace(
            verdict.draft,
            due=to_ms(capture.due),
            expires=to_ms(capture.expires),
            created_at=to_ms(capture.said_at),
        )
        reason = f"found by the rule “{capture.rule}”" if capture.rule else ""
        with self._change("add", reason, actor="rule", session=capture.origin.session) as change:
            image, removed = self._image(change, draft)
            twin = finding.with_fingerprint(  # somebody may have said it since it was judged
                change.connection, image["project"], image["fingerprint"]
            )
            if twin is None:
                self._put(change, image)
        removed = (*verdict.removed, *removed)
        if twin is not None:
            return self._repeated(capture, SeenAgain(twin, image["content"], removed))
        self._note(capture, image["content"], "stored", reason, image["id"])
        return StoreResult(True, image["id"], 0.0, "waits as a candidate", removed=removed)

    def store(
        self,
        content: str,
        memory_type: str,
        metadata: Mapping[str, Any] | None = None,
        context: Mapping[str, Any] | None = None,
    ) -> StoreResult:
        """Offer one text through all gates, as a candidate (001's API).

        `metadata` may hold tags, files, category, title, importance (0-1) and fields of the
        type's own table; `context` may hold session_id, agent_id and role. Raises BadInput.
        """
        if not all(isinstance(about, Mapping | None) for about in (metadata, context)):
            raise BadInput("metadata and context must be mappings.")
        given, around = dict(metadata or {}), dict(context or {})
        one_of("type", memory_type, TYPES)
        in_range("importance", given.get("importance", 0.5))
        capture = Capture(
            content=content,
            title=given.pop("title", ""),
            type=memory_type,
            category=given.pop("category", None),
            importance=given.pop("importance", 0.5),
            tags=texts("tags", given.pop("tags", ())),
            files=texts("files", given.pop("files", ())),
            origin=Origin(
                session=around.get("session_id", self.session),
                agent=self.agent,
                agent_id=around.get("agent_id"),
                role=around.get("role"),
            ),
            details=given,
        )
        return self._offer(capture)

    def _reinforce(
        self,
        memory: str,
        origin: Origin,
        *,
        pin: bool = False,
        actor: str | None = None,
        removed: tuple[str, ...] = (),
    ) -> StoreResult:
        """A known text came again: importance +0.1, one use more (002-27)."""
        with self._change("reinforce", actor=actor or self.actor) as change:
            image = change.get("memory", memory)
            if image is None or image["retired_at"] is not None:
                raise Refused("The memory that says the same was changed just now; try again.")
            details = dict(image["details"])
            status = "confirmed" if actor is None and self.actor == "person" else "candidate"
            if image["type"] == "semantic":
                details["evidence_count"] = details.get("evidence_count", 1) + 1
                sources = details.get("source_sessions") or []
                if origin.session and origin.session not in sources:
                    details["source_sessions"] = [*sources, origin.session]
            change.put(
                "memory",
                {
                    **image,
                    "importance": min(1.0, image["importance"] + REINFORCEMENT),
                    "status": "pinned" if pin else _higher(image["status"], status),
                    "updated_at": self.now_ms(),
                    "details": details,
                },
            )
        ledger.count_use(self._store.database, [memory], self.now_ms())
        reason = f"already known as “{headline_of(image)}”; its importance rose"
        return StoreResult(False, memory, 0.0, reason, "duplicate", removed)

    def import_memories(self, objects: Iterable[Mapping[str, Any]]) -> ImportReport:
        """Take memories over from elsewhere: no review, but redaction (000-33).

        Each object has `content` and any of the fields of the import format. An object whose
        `key` is known with the same text, or without a key whose text is known, is a duplicate;
        a known key with another text updates that memory.
        """
        from .portable import draft_of_object

        refused: list[tuple[int, str]] = []
        batch = _Batch(refused)
        chunk: list[tuple[int, Draft]] = []
        line = 0
        for line, item in enumerate(objects, 1):
            try:
                chunk.append((line, draft_of_object(item)))
            except BadInput as error:
                refused.append((line, str(error)))
            if len(chunk) >= IMPORT_CHUNK:
                self._import_chunk(chunk, batch)
                chunk.clear()
        if chunk:
            self._import_chunk(chunk, batch)
        ids = tuple(batch.ids.get(number) for number in range(1, line + 1))
        refused.sort()
        return ImportReport(batch.added, batch.duplicates, tuple(refused), batch.redacted, ids)

    def _import_chunk(self, chunk: Sequence[tuple[int, Draft]], batch: _Batch) -> None:
        with self._change("import") as change:
            self._ensure_project(change)
            for line, draft in chunk:
                try:
                    image, removed = self._image(change, draft)
                except BadInput as error:
                    batch.refused.append((line, str(error)))
                    continue
                batch.redacted += bool(removed)
                self._import_one(change, line, image, batch)

    def _import_one(self, change: Change, line: int, image: Image, batch: _Batch) -> None:
        connection = self._store.connection
        mark = (image["key"] or "", image["fingerprint"])
        twin = batch.seen.get(mark) or (
            batch.keys.get(image["key"])
            or finding.with_key(connection, image["project"], image["key"])
            if image["key"]
            else finding.with_fingerprint(connection, image["project"], image["fingerprint"])
        )
        known = change.get("memory", twin) if twin else None
        if known and known["fingerprint"] == image["fingerprint"]:
            batch.duplicates += 1
            batch.ids[line] = known["id"]
            return
        if known:  # the caller's own id, another text: the newer text holds
            kept = {name: known[name] for name in ("num", "id", "created_at", "status")}
            image = {**image, **kept, "updated_at": self.now_ms()}
        self._put(change, image)
        batch.seen[mark] = batch.ids[line] = image["id"]
        if image["key"]:
            batch.keys[image["key"]] = image["id"]
        batch.added += 1

    # --- one memory into a change

    def _image(self, change: Change, draft: Draft) -> tuple[Image, tuple[str, ...]]:
        return draft_image(
            draft,
            memory_id=self._new_id(),
            num=change.next_num(),
            project=self.project_id,
            now=self.now_ms(),
        )

    def _put(self, change: Change, image: Image) -> None:
        """A new memory; if its text was forgotten before, it is wanted again."""
        self._ensure_project(change)
        change.put("memory", image)
        for place in {self.project_id, image["project"]}:
            stone = f"{place}|{image['fingerprint']}"
            if change.get("tombstone", stone):
                change.drop("tombstone", stone)

    def _note(
        self, capture: Capture, text: str, outcome: str, reason: str, memory: str | None = None
    ) -> None:
        ledger.note_finding(
            self._store.database,
            {
                "project": self.project_id,
                "session": capture.origin.session,
                "ref": capture.origin.ref,
                "fingerprint": fingerprint(text),
                "content": text,
                "category": capture.category,
                "importance": capture.importance,
                "confidence": capture.confidence,
                "files": [redact(path).value for path in capture.files],
                "tags": [redact(tag).value for tag in capture.tags],
                "rule": capture.rule,
                "outcome": outcome,
                "reason": reason,
                "memory": memory,
                "points": 0.0,
                "created_at": self.now_ms(),
            },
        )


def _higher(one: str, other: str) -> str:
    """The status that says more: candidate, confirmed, pinned."""
    return max(one, other, key=STATUSES.index)
