"""What an agent is told in its instruction files, as memories.

One file is one entry of the trail, so that one undo takes all of it back.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...db import memories
from ..consent import question_about
from ..ingest.drafts import Draft, one_of, texts
from ..ingest.fingerprint import fingerprint
from ..ingest.kinds import category_of, memory_type
from ..redaction.redact import redact
from ..text.clean import clean
from ..values import Origin
from .transfer import Batch, Imports

if TYPE_CHECKING:
    from ..context import Context

IMPORTANCE = 0.7
"""0-1. A person wrote it down for good, though for no one moment."""

SCOPES = ("project", "global")

TAG = "instructions"
"""What memories from such a file are found by."""


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction as it would be kept, without secrets."""

    text: str
    is_known: bool  # remembered already, or forgotten on purpose


@dataclass(frozen=True, slots=True)
class InstructionReport:
    """What became of the instructions of one file."""

    path: str
    added: int
    duplicates: int  # known, or forgotten on purpose
    refused: tuple[tuple[str, str], ...]  # (text, why)
    redacted: int  # memories of those added that lost a secret
    ids: tuple[str, ...]  # of those added, in the file's order


@dataclass(frozen=True, slots=True)
class InstructionFiles:
    """instructions_in, import_instructions."""

    _context: Context
    _imports: Imports

    def instructions_in(
        self, path: str | os.PathLike[str], *, scope: str = "project"
    ) -> tuple[Instruction, ...]:
        """What `import_instructions` would keep of a file; nothing is written.

        Raises NotFound or BadInput for a file that cannot be read.
        """
        return tuple(Instruction(text, self._is_known(text, scope)) for text in self._safe(path))

    def import_instructions(
        self,
        path: str | os.PathLike[str],
        *,
        entries: Sequence[str] | None = None,
        scope: str = "project",
    ) -> InstructionReport:
        """Remember the instructions of a file as confirmed facts and procedures.

        Without `entries` all of the file, but for what was forgotten on purpose; else just those,
        at most 200. The same again is a duplicate. `scope` is project or global. Raises NotFound
        or BadInput.
        """
        from ..ingest.instructions import (  # many patterns, rarely used
            MOST_ENTRIES,
            entries_in,
            read_file,
        )

        self._place(scope)
        name = os.path.abspath(os.fspath(path))
        shown: set[str] = set()  # as they stand in the file, secrets and all
        if entries is None:
            shown = set(entries_in(read_file(name)))
            wanted = list(self._safe(name))
            given = [text for text in wanted if not self._is_buried(text, scope)]
        else:
            wanted = given = [clean(text) for text in texts("entries", entries)][:MOST_ENTRIES]
        batch = Batch()
        chunk = [(line, self._instruction(text, name, scope)) for line, text in enumerate(given, 1)]
        if chunk:
            few = "1 instruction" if len(chunk) == 1 else f"{len(chunk):,} instructions"
            what = f"{few} of {os.path.basename(name)}"
            is_agreed = scope == "global" and self._context.consent.agree(question_about(what))
            self._imports.import_chunk(
                chunk, batch, f"instructions from {name}", is_agreed=is_agreed
            )
        added = [line for line, _ in chunk if line in batch.added_lines]
        lost = sum(bool(shown) and given[line - 1] not in shown for line in added)
        return InstructionReport(
            path=name,
            added=batch.added,
            duplicates=batch.duplicates + len(wanted) - len(given),
            refused=tuple((given[line - 1], why) for line, why in batch.refused),
            redacted=batch.redacted + lost,
            ids=tuple(batch.ids[line] for line in added),
        )

    def _safe(self, path: str | os.PathLike[str]) -> tuple[str, ...]:
        """The instructions of a file without secrets, looked for before it is cut and after."""
        from ..ingest.instructions import entries_in, read_file

        choice = self._context.redaction_choice()
        entries = entries_in(redact(read_file(path), choice=choice).value)
        return tuple(redact(entry, choice=choice).value for entry in entries)

    def _instruction(self, text: str, path: str, scope: str) -> Draft:
        category = category_of(text)
        steps = memory_type(text, category) == "procedural"
        return Draft(
            content=text,
            type="procedural" if steps else "semantic",
            category=category,
            scope=scope,
            importance=IMPORTANCE,
            tags=(TAG,),
            origin=Origin(ref=path),
        )

    def _is_known(self, text: str, scope: str) -> bool:
        """Whether a live memory says exactly this, or one that was forgotten did."""
        known = memories.with_fingerprint(
            self._context.database, self._place(scope), fingerprint(text)
        )
        return known is not None or self._is_buried(text, scope)

    def _is_buried(self, text: str, scope: str) -> bool:
        return memories.is_buried(self._context.database, self._place(scope), fingerprint(text))

    def _place(self, scope: str) -> str:
        """The project that a scope's memories belong to. Raises BadInput for another scope."""
        one_of("scope", scope, SCOPES)
        return "" if scope == "global" else self._context.project_id
