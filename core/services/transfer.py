"""Memories taken over from elsewhere, without review (000-33)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

from ...frozen import dataclass
from ..answers import ImportReport
from ..consent import question_about
from ..errors import BadInput, ConsentNeeded, Refused
from .amendments import (
    UNNAMED,
    called,
    must_be_wanted,
    renewed,
    tell_redaction,
    unvouched,
)

if TYPE_CHECKING:
    from ...db.images import Image
    from ...db.store import Change, Progress
    from ..context import Context
    from ..ingest.drafts import Draft
    from .deposits import Deposits

IMPORT_CHUNK = 500
"""Memories per journal entry of an import: one fsync for so many."""


class Batch:
    """What an import has done so far."""

    def __init__(self) -> None:
        self.added = self.duplicates = self.redacted = 0
        self.refused: list[tuple[int, str]] = []  # (line from 1, why)
        self.ids: dict[int, str] = {}  # line -> id
        self.added_lines: set[int] = set()


class _Consent:
    """A person's answer about the objects for every project: asked for at the first of them."""

    def __init__(self, agree: Callable[[str], bool], count: int | None) -> None:
        self._agree = agree
        self._what = f"{count:,} of these" if count is not None else "some of these"

    @cached_property
    def refusal(self) -> str:
        """Why such an object is refused; "" when the person agreed."""
        try:
            self._agree(question_about(self._what))
        except ConsentNeeded as error:
            return f"scope: {error}"
        except Refused:
            return "scope: for every project, which was not agreed to."
        return ""


@dataclass(frozen=True, slots=True)
class Imports:
    """import_memories."""

    _context: Context
    _deposits: Deposits

    @property
    def _is_agents(self) -> bool:
        return self._context.actor == "agent"

    def import_memories(
        self,
        objects: Iterable[Mapping[str, Any]],
        *,
        progress: Progress | None = None,
        global_count: int | None = None,
    ) -> ImportReport:
        """Take memories over from elsewhere: no review, but redaction (000-33). One undo.

        Each object has `content` and any of the fields of the import format. An object whose
        `key` is known with the same text, or without a key whose text is known, is a duplicate;
        a known key with another text updates that memory. `progress` hears after every 500 how
        many objects were looked at; where it returns False, the import ends there.

        Objects for every project need a person's yes, who is asked once; without it they are
        refused, and the others are taken over. `global_count` is how many there are, if known.
        What an agent imports waits as candidates.
        """
        from ..portable import draft_of_object

        batch = Batch()
        line, stopped = 0, False
        consent = _Consent(self._context.consent.agree, global_count)
        with self._context.as_one_act():
            numbered = enumerate(objects, 1)
            while chunk := list(islice(numbered, IMPORT_CHUNK)):
                drafts: list[tuple[int, Draft]] = []
                kept = dict[int, frozenset[str]]()
                for line, item in chunk:
                    try:
                        draft = draft_of_object(item)
                    except BadInput as error:
                        batch.refused.append((line, str(error)))
                        continue
                    if draft.scope == "global" and (refusal := consent.refusal):
                        batch.refused.append((line, refusal))
                    else:
                        drafts.append((line, draft))
                        kept[line] = UNNAMED.difference(n for n, v in item.items() if v is not None)
                if drafts:
                    is_agreed = any(draft.scope == "global" for _, draft in drafts)
                    self.import_chunk(drafts, batch, kept=kept, is_agreed=is_agreed)
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

    def import_chunk(
        self,
        chunk: Sequence[tuple[int, Draft]],
        batch: Batch,
        reason: str = "",
        *,
        kept: Mapping[int, frozenset[str]] | None = None,
        is_agreed: bool,
    ) -> None:
        """Take drafts over in one entry; of a known key the fields in `kept` stay, by line."""
        fresh: dict[str, str] = {}  # key, or text without one -> id; older ones are in the store
        taken = Counter[tuple[str, str]]()  # told once of all its memories
        with self._context.change("import", reason, is_agreed=is_agreed) as change:
            self._context.ensure_project(change)
            for line, given in chunk:
                draft = replace(given, status="candidate") if self._is_agents else given
                found = Counter[tuple[str, str]]()
                try:
                    image, removed = self._deposits.image(change, draft, found)
                    self._import_one(change, line, image, (kept or {}).get(line, ()), batch, fresh)
                except (BadInput, Refused) as error:
                    batch.refused.append((line, str(error)))
                if line in batch.added_lines:  # what is known already brings nothing
                    batch.redacted += bool(removed)
                    taken.update(found)
            tell_redaction(change, taken)

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
            image = {**image, "session": viewer.session}  # what an agent keeps to itself (003-07)
        if key:
            known = called(self._context, change, image, fresh.get(mark))
        else:
            is_working = image["type"] == "working"
            twin = fresh.get(mark) or self._deposits.twin(change, image, working=is_working)
            known = change.get("memory", twin) if twin else None
        if known and known["fingerprint"] == image["fingerprint"]:
            batch.duplicates += 1
            batch.ids[line] = known["id"]
            return
        must_be_wanted(self._context, image)
        if known:
            image = renewed(known, image, unnamed, self._context.now_ms())
        self._deposits.put(change, image)
        if known and change.get("memory_verdict", known["id"]):
            change.drop("memory_verdict", known["id"])  # a person judged other words
        brought = "agent-unverified" if self._is_agents else "imported"
        change.put("memory_trust", unvouched(image["id"], brought))
        fresh[mark] = batch.ids[line] = image["id"]
        batch.added += 1
        batch.added_lines.add(line)
