"""Curation: edit, pin, forget, restore, link, merge. Each act is one entry."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...db import audit
from ...db.errors import Ambiguous, BadInput, NotFound, Refused, StaleEdit
from ...db.images import Image, headline_of
from ...db.reviews import conflict_between
from ..context import must_not_be_agent
from ..ingest.drafts import LONGEST_TAG, MOST_FILES, MOST_TAGS, distinct, in_range, redacted, texts
from ..values import LINK_KINDS, STATUSES, Memory
from .writer import DECIDED, Writer

if TYPE_CHECKING:
    from ...db.store import Change
    from ..context import Context


class Curation:
    _context: Context
    _writer: Writer

    def edit(self, /, ref: str, *, expected_revision: int | None = None, **fields: Any) -> Memory:
        """Change fields of one memory; StaleEdit if it is no longer of `expected_revision`.

        `due` and `expires` are moments. Raises NotFound, Ambiguous, BadInput, Refused.
        """
        memory = self._context.resolve(ref)
        with self._context.change("edit") as change:
            current = self._context.resolve(memory.id)
            if expected_revision is not None and current.revision != expected_revision:
                raise StaleEdit(f"“{memory.title}” was changed meanwhile.")
            if not current.is_live:
                hint = f"`memdeck restore {memory.short_id}` brings it back first."
                raise Refused(f"“{memory.title}” is {current.retired_as}.", hint=hint)
            image = change.get("memory", memory.id)
            assert image is not None
            changed = self._writer.edited(change, image, fields)
            if changed is not image:
                change.put("memory", changed)
            if changed["content"] != image["content"]:
                if memory.degree == "person":  # else the agent's words would be the user's
                    must_not_be_agent(self._context.actor)
                self._writer.confirm(image, change)
        return self._context.resolve(memory.id)

    def pin(self, refs: str | Sequence[str]) -> list[Memory]:
        """Make memories always recalled, never decaying, never evicted."""
        return self._set_status("pin", refs, "pinned")

    def unpin(self, refs: str | Sequence[str]) -> list[Memory]:
        """Make pinned memories ordinary confirmed ones."""
        return self._set_status("unpin", refs, "confirmed", only="pinned")

    def confirm(self, refs: str | Sequence[str]) -> list[Memory]:
        return self._set_status("promote", refs, "confirmed", only="candidate")

    def keep(self, refs: str | Sequence[str]) -> list[Memory]:
        """Confirm memories and remove their expiry. Raises Refused, NotFound, Ambiguous."""
        must_not_be_agent(self._context.actor)

        def change_one(image: Image, change: Change) -> Image:
            self._writer.must_live(image)
            status = "pinned" if image["status"] == "pinned" else "confirmed"
            return {**self._writer.decided(image, change, status), "expires": None}

        return self._writer.change_all("keep", refs, change_one, beside=DECIDED)

    def promote(self, refs: str | Sequence[str], to: str) -> list[Memory]:
        """Make memories hold in the `project` or, with consent, be `global`; accept candidates.

        Raises BadInput, NotFound, Ambiguous, Refused.
        """
        if to not in ("project", "global"):
            raise BadInput(f"A memory cannot be promoted to {to!r}.", hint="Use: project, global.")

        def change_one(image: Image, change: Change) -> Image:
            self._writer.must_live(image)
            fields: dict[str, Any] = {"scope": to}
            if image["type"] == "working":  # kept for good before its task ends
                fields |= {"type": "semantic", "category": "discovery", "expires": None}
            wider = self._writer.edited(change, image, fields)
            if wider["status"] == "candidate":
                must_not_be_agent(self._context.actor)
                self._writer.confirm(image, change)
                wider = {**wider, "status": "confirmed"}
            return wider

        return self._writer.change_all("promote", refs, change_one, f"to {to}")

    def demote(self, refs: str | Sequence[str]) -> list[Memory]:
        """Lower memories: global to project, pinned to confirmed, others to importance 0."""

        def change_one(image: Image, change: Change) -> Image:
            self._writer.must_live(image)
            if image["scope"] == "global":
                return self._writer.edited(change, image, {"scope": "project"})
            if image["status"] == "pinned":
                return self._writer.decided(image, change, "confirmed")
            if not image["importance"]:
                hint = "`memdeck forget` retires it."
                raise Refused(f"“{headline_of(image)}” has the lowest importance.", hint=hint)
            return self._writer.edited(change, image, {"importance": 0.0})

        return self._writer.change_all("demote", refs, change_one)

    def _set_status(
        self, action: str, refs: str | Sequence[str], status: str, only: str | None = None
    ) -> list[Memory]:
        def change_one(image: Image, change: Change) -> Image:
            self._writer.must_live(image)
            if image["status"] == status or (only is not None and image["status"] != only):
                return image
            return self._writer.decided(image, change, status)

        return self._writer.change_all(action, refs, change_one, beside=DECIDED)

    def forget(self, refs: str | Sequence[str], reason: str = "") -> list[Memory]:
        """Retire memories as forgotten, restorably; their text is not captured again."""
        return self._writer.retire("forget", refs, "forgotten", reason)

    def done(self, refs: str | Sequence[str]) -> list[Memory]:
        """End tasks that are done. Raises NotFound, Ambiguous, Refused."""

        def change_one(image: Image, change: Change) -> Image:
            self._writer.must_live(image)
            if image["type"] != "prospective":
                hint = "`memdeck forget` retires a memory that is no longer true."
                raise Refused(f"“{headline_of(image)}” is no task.", hint=hint)
            return self._writer.ended(image, change)

        return self._writer.change_all("complete", refs, change_one)

    def delete_memory(self, memory_id: str) -> bool:
        """Forget by full id; False when there is no such live memory."""
        try:
            memory = self._context.resolve(memory_id)
        except (NotFound, Ambiguous):
            return False
        if memory.id != memory_id or not memory.is_live:
            return False
        self.forget(memory_id)
        return True

    def restore(self, refs: str | Sequence[str]) -> list[Memory]:
        """Restore retired memories; an agent only those that the user did not retire."""

        def change_one(image: Image, change: Change) -> Image:
            if image["retired_at"] is None:
                raise Refused(f"“{headline_of(image)}” is not retired.")
            if self._context.actor == "agent":
                by = audit.retired_by(change.database, image["id"], image["retired_at"])
                if by not in ("agent", "rule"):
                    hint = "Only the user brings it back: ask them to."
                    raise Refused(f"The user took “{headline_of(image)}” out.", hint=hint)
            stone = f"{image['project']}|{image['fingerprint']}"
            if change.get("tombstone", stone):
                change.drop("tombstone", stone)
            back = {
                **image,
                "retired_at": None,
                "retired_as": None,
                "updated_at": self._context.now_ms(),
            }
            if image["expires"] is not None and image["expires"] <= self._context.now_ms():
                back["expires"] = None  # else it would expire again at once
            if image["retired_as"] in ("completed", "cancelled"):
                open_again = {"status": "pending", "completed_at": None}
                back["details"] = {**image["details"], **open_again}
            return back

        return self._writer.change_all("restore", refs, change_one)

    def retag(
        self, refs: str | Sequence[str], add: Sequence[str] = (), remove: Sequence[str] = ()
    ) -> list[Memory]:
        """Add and remove tags, on one memory or on many."""
        added = distinct(map(redacted, texts("add", add)))
        if any(len(tag) > LONGEST_TAG for tag in added):
            raise BadInput(f"A tag may have {LONGEST_TAG} characters at most.")
        removed = set(texts("remove", remove))

        def change_one(image: Image, _: Change) -> Image:
            self._writer.must_live(image)
            retained = [tag for tag in image["tags"] if tag not in removed]
            tags = list(dict.fromkeys([*retained, *added]))
            if tags == image["tags"]:
                return image
            if len(tags) > MOST_TAGS:
                raise BadInput(
                    f"“{headline_of(image)}” would have {len(tags)} tags; {MOST_TAGS} is the limit."
                )
            return {**image, "tags": tags, "updated_at": self._context.now_ms()}

        return self._writer.change_all("edit", refs, change_one, "tags")

    def link(self, source: str, target: str, kind: str, strength: float = 1.0) -> None:
        """Link two memories. "contradicts" makes a conflict. Raises BadInput, NotFound, Refused."""
        if kind not in LINK_KINDS:
            raise BadInput(f"A link cannot be {kind!r}.", hint=f"Use: {', '.join(LINK_KINDS)}.")
        in_range("strength", strength)
        first, second = self._context.resolve(source), self._context.resolve(target)
        if first.id == second.id:
            raise BadInput("A memory cannot be linked to itself.")
        self._context.must_be_here(first, second)
        with self._context.change("link") as change:
            self._writer.put_link(change, first.id, second.id, kind, strength)
            is_open = first.is_live and second.is_live and kind == "contradicts"
            if is_open and conflict_between(change.database, first.id, second.id) is None:
                self._writer.put_conflict(change, first.id, second.id, "contradictory")

    def merge(
        self,
        /,
        into: str,
        refs: str | Sequence[str],
        *,
        expected_revision: int | None = None,
        **fields: Any,
    ) -> Memory:
        """Return the memory `into` with additions from the others, which retire as merged.

        `fields` edit the result. Raises NotFound, BadInput, Refused, StaleEdit.
        """
        target = self._context.resolve(into)
        names = (refs,) if isinstance(refs, str) else texts("The memories", refs)
        others = [self._context.resolve(name) for name in names]
        if not others or any(other.id == target.id for other in others):
            raise BadInput("A memory cannot be merged into itself.", hint="Name at least two.")
        self._context.must_be_here(target, *others)
        if any(item.degree == "person" for item in (target, *others)):
            must_not_be_agent(self._context.actor)  # the user's text would get an agent's words
        with self._context.change("merge") as change:
            if expected_revision not in (None, self._context.resolve(target.id).revision):
                raise StaleEdit(f"“{target.title}” was changed meanwhile.")
            self.merge_in(change, target.id, [other.id for other in others], fields)
        return self._context.resolve(target.id)

    def merge_in(
        self, change: Change, into: str, others: Sequence[str], fields: dict[str, Any]
    ) -> None:
        """The same inside a change that may do more."""
        retained = self._writer.live(change, into)
        if fields:
            retained = self._writer.edited(change, retained, fields)
        for name in others:
            other = self._writer.live(change, name)
            retained = joined(retained, other)
            change.put("memory", self._writer.retired(other, "merged", change))
            self._writer.put_link(change, other["id"], into, "reinforces", 1.0)
        change.put("memory", {**retained, "updated_at": self._context.now_ms()})


def joined(image: Image, other: Image) -> Image:
    """Return the image of a memory with the additions of its duplicate."""
    details = dict(image["details"])
    if image["type"] == "semantic":
        theirs = other["details"] if other["type"] == "semantic" else {}
        sources = [*(details.get("source_sessions") or [])]
        for session in [*(theirs.get("source_sessions") or []), other["session"]]:
            if session and session not in sources:
                sources.append(session)
        details["source_sessions"] = sources
        details["evidence_count"] = details.get("evidence_count", 1) + theirs.get(
            "evidence_count", 1
        )
    tags = list(dict.fromkeys([*image["tags"], *other["tags"]]))[:MOST_TAGS]
    files = list(dict.fromkeys([*image["files"], *other["files"]]))[:MOST_FILES]
    return {
        **image,
        "tags": tags,
        "files": files,
        "importance": max(image["importance"], other["importance"]),
        "confidence": max(image["confidence"], other["confidence"]),
        "status": max(image["status"], other["status"], key=STATUSES.index),
        "details": details,
    }
