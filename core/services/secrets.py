"""Finds and removes secrets of the store, by today's redaction rules."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

from ...db import journal, rebuild
from ...db.errors import ManagerError
from ...db.home import replace_file
from ...db.images import Image, canonical
from ...db.keepers import keepers
from ..context import must_not_be_agent
from ..redaction.redact import Choice, Counts, redact, redact_record, worded
from ..text.tokens import strict_tokens
from ..text.words import fingerprint
from ..values import looks_made

if TYPE_CHECKING:
    from ..context import Context

NAMES = frozenset(
    """id key memory memories name session sessions source_sessions parent agent agent_id role
    project transcript ref line cwd root remote path aliases fingerprint prompt_fingerprint source
    target entry_a entry_b finding receipt todo_id learned num hash prev host event kind""".split()
)
"""Fields with outside names or our own ids: random, yet no secrets."""

MADE = frozenset("id memory fingerprint source target entry_a entry_b finding receipt".split())
"""Those of them with our own ids, if they look so: every row has some."""

ROWS_PER_ENTRY = 500
LONGEST_FILE = 32 * 1024 * 1024
"""Bytes of one file that are searched; no file of ours grows so far."""

_OWN = ("config.toml", "themes")  # the user's own settings, no texts of sessions
_COUNTED = (".db", ".db-wal", ".db-shm", ".lock", ".tmp")


@dataclass(frozen=True, slots=True)
class Held:
    place: str  # a table, "journal", "backup", or the kind of file
    name: str  # of the record there: an id, the number of an entry, a path under the home
    counts: Counts

    @property
    def total(self) -> int:
        return sum(self.counts.values())


@dataclass(frozen=True, slots=True)
class Redacted:
    """The result of `redact_store`."""

    found: tuple[Held, ...]
    entries: int  # of the journal that were rewritten
    left: tuple[Held, ...]  # secrets that remain: backups, queued events
    is_clean: bool  # False: another program still reads the database as it was


class Sweep:
    """A search for secrets through the whole store, every project's part of it."""

    _context: Context

    def find_secrets(self) -> list[Held]:
        """Return every place under the home with a secret by today's rules."""
        return [*self._in_rows(), *self._in_journal(), *self._in_files()]

    def redact_store(self) -> Redacted:
        """Remove the secrets of `find_secrets`. Raises Refused for a damaged journal."""
        must_not_be_agent(self._context.actor)
        secrets = self.find_secrets()
        if not secrets:
            return Redacted((), 0, (), True)
        self._redact_rows()
        self._redact_derived()
        renamed = self._renamed()
        sealed = rebuild.reseal(
            self._context.store, lambda item: self._redacted_entry(item, renamed)[0]
        )
        self._redact_files()
        remaining = tuple(self.find_secrets())
        return Redacted(tuple(secrets), sealed.altered, remaining, sealed.is_clean)

    # --- looking

    @cached_property
    def _clean(self) -> set[bytes]:
        """Return the digests of rows without secrets: the journal has each several times."""
        return set()

    @cached_property
    def _altered(self) -> set[str]:
        """Return memories with a secret: the journal's hashes of them no longer fit."""
        return set()

    @cached_property
    def _rules(self) -> Choice:
        return self._context.policy.redaction.choice()

    def _in_rows(self) -> Iterator[Held]:
        database = self._context.database
        for rows in (rebuild.journaled_rows(database), rebuild.derived_rows(database)):
            for table, key, image in rows:
                if counts := self._redacted_row(table, image)[1]:
                    yield Held(table, self._redacted_name(key), counts)

    def _in_journal(self) -> Iterator[Held]:
        for matches in journal.read(self._context.home):
            if matches.record is not None:
                if counts := self._redacted_entry(matches.record, {})[1]:
                    yield Held("journal", str(matches.record["seq"]), counts)
            elif counts := self._in_text(rebuild.line_of(self._context.home, matches)):
                yield Held("journal", f"{matches.segment:06d}:{matches.start}", counts)
        for path in journal.torn_files(self._context.home):
            with open(path, encoding="utf-8", errors="replace") as file:
                if counts := self._in_text(file.read()):
                    yield Held("journal", os.path.basename(path), counts)
        if os.path.exists(os.path.join(self._context.home.journal, journal.RESEALING)):
            yield Held("journal", "an interrupted fix", {("segments", "unfinished"): 1})

    def _in_text(self, text: str) -> Counts:
        clean = redact(text, use_entropy=False, choice=self._rules)
        return {("text", kind): number for kind, number in clean.counts}

    def _in_files(self) -> Iterator[Held]:
        for path in self._files():
            name = self._redacted_name(os.path.relpath(path, self._context.home.path))
            if path.endswith(".db"):
                yield from self._in_backup(path, name)
            elif counts := self._redacted_file(path)[1]:
                yield Held(name.partition(os.sep)[0], name, counts)

    def _in_backup(self, path: str, name: str) -> Iterator[Held]:
        counts: Counter[tuple[str, str]] = Counter()
        try:
            for table, row in rebuild.rows_of_file(path):
                for (_, kind), number in self._redacted_row(table, row)[1].items():
                    counts[table, kind] += number
        except ManagerError:
            counts["file", "unreadable"] += 1
        if counts:
            yield Held("backups", name, counts)

    def _files(self) -> Iterator[str]:
        """The files that are neither database, journal nor settings, and backups of databases."""
        for folder, folders, names in os.walk(self._context.home.path):
            if folder == self._context.home.path:
                folders[:] = [item for item in folders if item not in ("journal", *_OWN)]
            for name in sorted(names):
                path = os.path.join(folder, name)
                is_backup = folder.startswith(self._context.home.backups) and name.endswith(".db")
                is_ours = not (name.endswith(_COUNTED) or name in _OWN)
                if (is_backup or is_ours) and os.path.isfile(path) and not os.path.islink(path):
                    yield path

    def _redacted_name(self, name: str) -> str:
        """Return the name of a record without secrets."""
        return redact(name, use_entropy=False, choice=self._rules).value

    # --- redacting one thing

    def _redacted_row(self, table: str, image: Mapping[str, Any]) -> tuple[Image, Counts]:
        """Return a row without secrets, with the fields that follow from its texts, and counts."""
        # Bytes are digests of searched texts: no text, and not writable as JSON.
        readable = {
            name: held
            for name, held in image.items()
            if not (isinstance(held, bytes) or (name in MADE and looks_made(str(held))))
        }
        text = canonical(readable).encode("utf-8", "replace")
        mark = hashlib.blake2b(text, digest_size=16).digest()
        if mark in self._clean:
            return dict(image), {}
        made = redact_record(readable, names=NAMES, choice=self._rules)
        if not made.counts:
            self._clean.add(mark)
            return dict(image), {}
        row = {**image, **made.fields}
        if "content" in row and row["content"] != image["content"]:
            follows = {"fingerprint": fingerprint, "tokens": strict_tokens}
            row |= {name: of(row["content"]) for name, of in follows.items() if name in row}
        if table == "receipt" and row["prompt"] and row["prompt"] != image["prompt"]:
            row["prompt_fingerprint"] = fingerprint(row["prompt"])
        return row, made.counts

    def _redacted_entry(
        self, record: Mapping[str, Any], renamed: Mapping[str, str]
    ) -> tuple[dict[str, Any], Counts]:
        """An entry of the journal without secrets; `renamed` are fingerprints that changed."""
        head = {name: value for name, value in record.items() if name != "changes"}
        made = redact_record(head, names=NAMES, choice=self._rules)
        counts = Counter(made.counts)
        changes = []
        for change in record["changes"]:
            table, images = change["table"], {}
            for side in ("before", "after"):
                images[side] = change[side]
                if change[side] is not None:
                    row, taken = self._redacted_row(table, change[side])
                    counts.update(
                        {(f"{side}.{field}", kind): n for (field, kind), n in taken.items()}
                    )
                    if table == "tombstone":
                        row["fingerprint"] = renamed.get(row["fingerprint"], row["fingerprint"])
                    images[side] = row
                    if table == "memory" and taken:
                        self._altered.add(change["key"])
            image = images["after"] or images["before"]
            keeper = keepers().get(table)  # None for a table of an older version
            is_some = "hash" in change  # some fields of a memory, which keeps its id
            key = keeper.key_of(image) if keeper and image and not is_some else change["key"]
            if is_some and key in self._altered:
                images["hash"] = ""
            changes.append({**change, "key": key, **images})
        return {**made.fields, "changes": changes}, counts

    def _redacted_file(self, path: str) -> tuple[str, Counts]:
        """Return a text file without secrets, and their counts."""
        try:
            with open(path, "rb") as file:
                text = file.read(LONGEST_FILE).decode("utf-8", "replace")
        except OSError:
            return "", {}  # gone meanwhile: the drain takes its files away
        clean = redact(text, use_entropy=False, choice=self._rules)
        return clean.value, {("text", kind): number for kind, number in clean.counts}

    # --- redacting the store

    def _redact_rows(self) -> None:
        """Redact rows, live and retired, as edits in the journal: one entry for 500."""
        rows = rebuild.journaled_rows(self._context.database)
        stained = (
            (table, key, counts)
            for table, key, image in list(rows)
            if (counts := self._redacted_row(table, image)[1])
        )
        while chunk := list(islice(stained, ROWS_PER_ENTRY)):
            total = sum((Counter(counts) for _, _, counts in chunk), Counter[tuple[str, str]]())
            # agreed, since no agent receives more by it
            with self._context.change(
                "redact", worded(total), actor="rule", is_agreed=True
            ) as change:
                for table, key, _ in chunk:
                    current = change.get(table, key)  # another process may have changed it
                    if current is None:
                        continue
                    row, _ = self._redacted_row(table, current)
                    if keepers()[table].key_of(row) != key:
                        change.drop(table, key)
                    change.put(table, row)
                    stone = f"{current.get('project')}|{current.get('fingerprint')}"
                    if table == "memory" and (existing := change.get("tombstone", stone)):
                        change.drop("tombstone", stone)
                        change.put("tombstone", {**existing, "fingerprint": row["fingerprint"]})

    def _redact_derived(self) -> None:
        changed = []
        for table, _, row in rebuild.derived_rows(self._context.database):
            made, counts = self._redacted_row(table, row)
            if counts:
                changed.append((table, row, made))
        if changed:
            rebuild.rewrite_derived(self._context.database, changed)

    def _renamed(self) -> dict[str, str]:
        """Map fingerprints in the journal to those of the text without its secret."""
        renamed: dict[str, str] = {}
        for matches in journal.read(self._context.home):
            for change in matches.record["changes"] if matches.record else ():
                for image in (change["before"], change["after"]):
                    if change["table"] == "memory" and image is not None:
                        row, counts = self._redacted_row("memory", image)
                        if counts and row.get("fingerprint") != image.get("fingerprint"):
                            renamed[image["fingerprint"]] = row["fingerprint"]
        return renamed

    def _redact_files(self) -> None:
        """Redact files, except backups and queued events, which background processing redacts."""
        waiting = os.path.join(self._context.home.spool, "")
        for path in self._files():
            if path.endswith(".db") or (path.startswith(waiting) and path.endswith(".jsonl")):
                continue
            text, counts = self._redacted_file(path)
            if counts:
                replace_file(path, text.encode("utf-8"), 0o600)
