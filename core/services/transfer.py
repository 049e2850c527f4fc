"""Imports without review: exports, instruction files."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from ...db import memories
from ...db.errors import BadInput, ConsentNeeded, Refused
from ..answers import ImportReport
from ..context import question_about
from ..ingest.drafts import Draft, one_of
from ..ingest.kinds import category_of, memory_type
from ..redaction.redact import redact
from ..text.words import fingerprint
from ..values import Origin
from .writer import UNNAMED, called, must_be_wanted, note_redaction, renewed, unconfirmed

if TYPE_CHECKING:
    from ...db.images import Image
    from ...db.store import Change, Progress
    from ..context import Context
    from .writer import Writer

IMPORTANCE = 0.7  # 0-1. The user wrote it as a standing instruction.

SCOPES = ("project", "global")

TAG = "instructions"  # of memories from such a file
IMPORT_CHUNK = 500  # memories per journal entry of an import: one fsync for so many


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction as it would be stored, without secrets."""

    text: str
    is_known: bool  # remembered already, or forgotten on purpose
    refused: str = ""  # why it is not kept: an import that is not followed


@dataclass(frozen=True, slots=True)
class InstructionReport:
    path: str
    added: int
    duplicates: int  # known, or forgotten on purpose
    refused: tuple[tuple[str, str], ...]  # (text, why)
    redacted: int  # memories of those added that lost a secret
    ids: tuple[str, ...]  # of those added, in the file's order
    skipped: tuple[tuple[str, str], ...] = ()  # parts that are no instructions, and why


class Batch:
    def __init__(self) -> None:
        self.added = self.duplicates = self.redacted = 0
        self.refused: list[tuple[int, str]] = []  # (line from 1, why)
        self.ids: dict[int, str] = {}  # line -> id
        self.added_lines: set[int] = set()


class Imports:
    """Objects of the import format, and the instructions of a file."""

    _context: Context
    _writer: Writer

    def import_memories(
        self, objects: Iterable[Mapping[str, Any]], *, progress: Progress | None = None
    ) -> ImportReport:
        """Take objects of the import format over, redacted, without review. One undo.

        Known texts are duplicates, and known keys with another text are updated. `progress`
        gets the number of objects read after every 500, and returns False to stop. Global
        objects need consent. An agent's import waits as candidates.
        """
        from ..portable import draft_of_object

        batch = Batch()
        line, stopped = 0, False
        refusal: str | None = None  # of global objects, known from the first of them on
        with self._context.as_one_act():
            numbered = enumerate(objects, 1)
            while chunk := list(islice(numbered, IMPORT_CHUNK)):
                drafts: list[tuple[int, Draft]] = []
                retained = dict[int, frozenset[str]]()
                for line, item in chunk:
                    try:
                        draft = draft_of_object(item)
                    except BadInput as error:
                        batch.refused.append((line, str(error)))
                        continue
                    if draft.scope == "global" and refusal is None:
                        refusal = self._refusal()
                    if draft.scope == "global" and refusal:
                        batch.refused.append((line, refusal))
                    else:
                        drafts.append((line, draft))
                        retained[line] = UNNAMED.difference(
                            n for n, v in item.items() if v is not None
                        )
                if drafts:
                    is_agreed = any(draft.scope == "global" for _, draft in drafts)
                    self.import_chunk(drafts, batch, stays=retained, is_agreed=is_agreed)
                if progress is not None and progress(line, None) is False:
                    stopped = True
                    break
        ids = tuple(batch.ids.get(number) for number in range(1, line + 1))
        return ImportReport(
            added=batch.added,
            duplicates=batch.duplicates,
            refused=tuple(sorted(batch.refused)),
            redacted=batch.redacted,
            ids=ids,
            stopped=stopped,
        )

    def _refusal(self) -> str:
        """Ask whether every project may receive objects; return why not, "" for a yes."""
        try:
            self._context.consent.agree(question_about("some of these"))
        except ConsentNeeded as error:
            return f"scope: {error}"
        except Refused:
            return "scope: for every project, which was not agreed to."
        return ""

    def import_chunk(
        self,
        chunk: Sequence[tuple[int, Draft]],
        batch: Batch,
        reason: str = "",
        *,
        stays: Mapping[int, frozenset[str]] | None = None,
        is_agreed: bool,
    ) -> None:
        """Take drafts over in one entry; of a known key the fields in `stays` stay, by line."""
        fresh: dict[str, str] = {}  # key, or text without one -> id; older ones are in the store
        taken = Counter[tuple[str, str]]()  # noted once for all its memories
        with self._context.change("import", reason, is_agreed=is_agreed) as change:
            self._context.ensure_project(change)
            for line, values in chunk:
                is_agents = self._context.actor == "agent"
                draft = replace(values, status="candidate") if is_agents else values
                matches = Counter[tuple[str, str]]()
                try:
                    image, removed = self._writer.image(change, draft, matches)
                    self._import_one(change, line, image, (stays or {}).get(line, ()), batch, fresh)
                except (BadInput, Refused) as error:
                    batch.refused.append((line, str(error)))
                if line in batch.added_lines:  # duplicates add nothing
                    batch.redacted += bool(removed)
                    taken.update(matches)
            note_redaction(change, taken)

    def _import_one(
        self,
        change: Change,
        line: int,
        image: Image,
        unnamed: Iterable[str],
        batch: Batch,
        fresh: dict[str, str],
    ) -> None:
        key = image["key"]
        mark = f"key {key}" if key else f"text {image['fingerprint']}"
        viewer = self._context.viewer
        if viewer is not None and image["privacy"] == "private" and image["session"] is None:
            image = {**image, "session": viewer.session}  # an agent's private memories
        if key:
            existing = called(self._context, change, image, fresh.get(mark))
        else:
            is_working = image["type"] == "working"
            twin = fresh.get(mark) or self._writer.twin(change, image, working=is_working)
            existing = change.get("memory", twin) if twin else None
        if existing and existing["fingerprint"] == image["fingerprint"]:
            batch.duplicates += 1
            batch.ids[line] = existing["id"]
            return
        must_be_wanted(self._context, image)
        if existing:
            image = renewed(existing, image, unnamed, self._context.now_ms())
        self._writer.put(change, image)
        brought = "agent-unverified" if self._context.actor == "agent" else "imported"
        change.put("memory_trust", unconfirmed(image["id"], brought))
        fresh[mark] = batch.ids[line] = image["id"]
        batch.added += 1
        batch.added_lines.add(line)

    # --- instruction files: one file is one entry, and one undo

    def instructions_in(
        self, path: str | os.PathLike[str], *, scope: str = "project"
    ) -> tuple[Instruction, ...]:
        """Return instructions for `import_instructions` as a preview. Raises NotFound, BadInput."""
        entries, problems, skipped = self._safe(path)
        database, position = self._context.database, self._place(scope)
        safe = [
            Instruction(
                text,
                memories.with_fingerprint(database, position, fingerprint(text)) is not None
                or self._is_buried(text, scope),
            )
            for text in entries
        ]
        return (*safe, *(Instruction(name, False, why) for name, why in (*problems, *skipped)))

    def import_instructions(
        self,
        path: str | os.PathLike[str],
        *,
        scope: str = "project",
    ) -> InstructionReport:
        """Remember a file's instructions, at most 1,000, as confirmed memories.

        `scope` is project or global. Raises NotFound or BadInput.
        """
        from ..ingest.importers import entries_in, pages_of

        self._place(scope)
        name = os.path.abspath(os.fspath(path))
        # as in the file, with secrets
        visible = {text for page in pages_of(name)[0] for text in entries_in(page.text)}
        files, problems, skipped = self._safe(name)
        values = [text for text in files if not self._is_buried(text, scope)]
        batch = Batch()
        chunk = [
            (line, replace(self._instruction(text, name, scope), files=files[text]))
            for line, text in enumerate(values, 1)
        ]
        if chunk:
            few = "1 instruction" if len(chunk) == 1 else f"{len(chunk):,} instructions"
            what = f"{few} of {os.path.basename(name)}"
            is_agreed = scope == "global" and self._context.consent.agree(question_about(what))
            self.import_chunk(chunk, batch, f"instructions from {name}", is_agreed=is_agreed)
        added = [line for line, _ in chunk if line in batch.added_lines]
        lost = sum(values[line - 1] not in visible for line in added)
        return InstructionReport(
            path=name,
            added=batch.added,
            duplicates=batch.duplicates + len(files) - len(values),
            refused=(*((values[line - 1], why) for line, why in batch.refused), *problems),
            skipped=tuple(skipped),
            redacted=batch.redacted + lost,
            ids=tuple(batch.ids[line] for line in added),
        )

    def _safe(
        self, path: str | os.PathLike[str]
    ) -> tuple[dict[str, tuple[str, ...]], list[tuple[str, str]], list[tuple[str, str]]]:
        """Return a file's instructions with files, unread imports, and skipped parts."""
        from ..ingest.importers import entries_in, pages_of, passed_over

        choice = self._context.redaction_choice()
        pages, problems = pages_of(os.fspath(path))
        entries: dict[str, tuple[str, ...]] = {}
        skipped: list[tuple[str, str]] = []
        for page in pages:
            safe = redact(page.text, choice=choice).value
            skipped += passed_over(safe)
            for entry in entries_in(safe):
                entries.setdefault(redact(entry, choice=choice).value, page.files)
        return entries, problems, skipped

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

    def _is_buried(self, text: str, scope: str) -> bool:
        return memories.is_buried(self._context.database, self._place(scope), fingerprint(text))

    def _place(self, scope: str) -> str:
        """Return the project id of a scope's memories. Raises BadInput for another scope."""
        one_of("scope", scope, SCOPES)
        return "" if scope == "global" else self._context.project_id
