"""The coordinator's import: memories taken over from elsewhere, without review (000-33)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..db import finding
from ..db.images import Image
from ..db.store import Change
from .answers import ImportReport
from .drafting import Draft
from .errors import BadInput
from .working import Working

IMPORT_CHUNK = 500
"""Memories per journal entry of an import: one fsync for so many."""


class Batch:
    """What an import has done so far."""

    def __init__(self, refused: list[tuple[int, str]]) -> None:
        self.added = self.duplicates = self.redacted = 0
        self.refused = refused  # (line from 1, why)
        self.seen: dict[tuple[str, str], str] = {}  # (key, fingerprint) -> id
        self.keys: dict[str, str] = {}  # key -> id
        self.ids: dict[int, str] = {}  # line -> id
        self.added_lines: set[int] = set()


class Importing(Working):
    """import_memories."""

    def import_memories(self, objects: Iterable[Mapping[str, Any]]) -> ImportReport:
        """Take memories over from elsewhere: no review, but redaction (000-33).

        Each object has `content` and any of the fields of the import format. An object whose
        `key` is known with the same text, or without a key whose text is known, is a duplicate;
        a known key with another text updates that memory.
        """
        from .portable import draft_of_object

        refused: list[tuple[int, str]] = []
        batch = Batch(refused)
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

    def _import_chunk(
        self, chunk: Sequence[tuple[int, Draft]], batch: Batch, reason: str = ""
    ) -> None:
        with self._change("import", reason) as change:
            self._ensure_project(change)
            for line, draft in chunk:
                try:
                    image, removed = self._image(change, draft)
                except BadInput as error:
                    batch.refused.append((line, str(error)))
                    continue
                batch.redacted += bool(removed)
                self._import_one(change, line, image, batch)

    def _import_one(self, change: Change, line: int, image: Image, batch: Batch) -> None:
        connection = self._store.connection
        mark = (image["key"] or "", image["fingerprint"])
        twin = batch.seen.get(mark) or (
            batch.keys.get(image["key"])
            or finding.with_key(connection, image["project"], image["key"])
            if image["key"]
            else finding.with_fingerprint(
                connection,
                image["project"],
                image["fingerprint"],
                working=image["type"] == "working",
            )
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
        batch.added_lines.add(line)
