"""The coordinator's curation: edit, pin, forget, restore, link, undo. Each act is one entry."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from ..db import judging, trail
from ..db.images import Image, headline_of
from ..db.store import Change, Progress
from .answers import Entry
from .base import to_ms
from .consent import question_about, widens
from .drafting import LONGEST_TAG, MOST_TAGS, Redactor, edited, in_range, outside_name, texts
from .errors import Ambiguous, BadInput, NotFound, Refused, StaleEdit
from .storage.redaction_record import Counts, worded
from .teaching import Teaching
from .values import LINK_KINDS, Memory


class Curating(Teaching):
    """What a person does with the memories there are."""

    def edit(self, ref: str, *, expected_revision: int | None = None, **fields: Any) -> Memory:
        """Change fields of one memory; what follows from them is made anew.

        With `expected_revision`, raises StaleEdit when the memory changed since that revision.
        `due` and `expires` are moments. Raises NotFound, Ambiguous, BadInput, Refused.
        """
        memory = self.resolve(ref)
        values = {
            name: to_ms(value) if isinstance(value, datetime) else value
            for name, value in fields.items()
        }
        is_agreed = self._agree_to_edit(memory, values)
        with self._change("edit", is_agreed=is_agreed) as change:
            current = self.resolve(memory.id)
            if expected_revision is not None and current.revision != expected_revision:
                raise StaleEdit(f"“{memory.title}” was changed meanwhile.")
            if not current.is_live:
                raise Refused(
                    f"“{memory.title}” is {current.retired_as}.",
                    hint=f"`memdeck restore {memory.short_id}` brings it back first.",
                )
            image = change.get("memory", memory.id)
            assert image is not None
            changed = self._edited(change, image, values)
            if changed is not image:
                change.put("memory", changed)
        return self.resolve(memory.id)

    def pin(self, refs: str | Sequence[str]) -> list[Memory]:
        """Make memories always recalled, never decaying, never evicted."""
        return self._set_status("pin", refs, "pinned")

    def unpin(self, refs: str | Sequence[str]) -> list[Memory]:
        """Make pinned memories ordinary confirmed ones."""
        return self._set_status("unpin", refs, "confirmed", only="pinned")

    def confirm(self, refs: str | Sequence[str]) -> list[Memory]:
        """Accept candidates."""
        return self._set_status("promote", refs, "confirmed", only="candidate")

    def promote(self, refs: str | Sequence[str], to: str) -> list[Memory]:
        """Let memories hold for the whole project, or everywhere; a candidate is accepted by it.

        `to` is `project` or `global`. Nothing is ever made global but by a person, who is asked
        (004-09). Raises BadInput, NotFound, Ambiguous, Refused.
        """
        if to not in ("project", "global"):
            raise BadInput(f"A memory cannot be promoted to {to!r}.", hint="Use: project, global.")
        names = (refs,) if isinstance(refs, str) else texts("The memories", refs)
        wider = [one for one in map(self.resolve, names) if widens(one.scope, {"scope": to})]
        what = f"“{wider[0].title}”" if len(wider) == 1 else f"{len(wider):,} memories"
        is_agreed = bool(wider) and self._agree(question_about(what))

        def change_one(image: Image, change: Change) -> Image:
            self._must_live(image)
            fields: dict[str, Any] = {"scope": to}
            if image["type"] == "working":  # kept for good before its task ends (004-05)
                fields |= {"type": "semantic", "category": "discovery", "expires": None}
            wider = self._edited(change, image, fields)
            if wider["status"] == "candidate":
                self._put_verdict(change, image, is_kept=True)
                wider = {**wider, "status": "confirmed"}
            return wider

        return self._change_all("promote", names, change_one, f"to {to}", is_agreed=is_agreed)

    def _set_status(
        self, action: str, refs: str | Sequence[str], status: str, only: str | None = None
    ) -> list[Memory]:
        def change_one(image: Image, change: Change) -> Image:
            self._must_live(image)
            if image["status"] == status or (only is not None and image["status"] != only):
                return image
            return self._decided(image, change, status)

        return self._change_all(action, refs, change_one)

    def _decided(self, image: Image, change: Change, status: str) -> Image:
        """The image of a memory that a person wants: its trial is over, the project has it."""
        known = change.get("memory_candidacy", image["id"])
        if known is not None:
            change.put(
                "memory_candidacy", {**known, "quarantined_until": None, "snoozed_until": None}
            )
        self._put_verdict(change, image, is_kept=True)
        scope = "project" if image["scope"] == "session" else image["scope"]
        return {**image, "status": status, "scope": scope, "updated_at": self.now_ms()}

    def forget(self, refs: str | Sequence[str], reason: str = "") -> list[Memory]:
        """Take memories out of recall, restorably; their text is not captured again."""
        return self._retire("forget", refs, "forgotten", reason)

    def delete_memory(self, memory_id: str) -> bool:
        """Forget by full id (001-07); False when there is no such live memory."""
        try:
            memory = self.resolve(memory_id)
        except (NotFound, Ambiguous):
            return False
        if memory.id != memory_id or not memory.is_live:
            return False
        self.forget(memory_id)
        return True

    def clear_working_memory(self, session: str) -> int:
        """Mark the session's working memories as cleared, never deleted (000-19); how many."""
        session = outside_name(session) or ""
        nums = self._reader().working(self.project_id, session)
        now = self.now_ms()
        with self._change("clear", session=session) as change:
            for memory in self._memories(nums):
                image = change.get("memory", memory.id)
                assert image is not None
                details = {**image["details"], "cleared_at": now}
                change.put(
                    "memory", {**self._retired(image, "cleared", change), "details": details}
                )
        return len(nums)

    def supersede(self, ref: str, by: str) -> Memory:
        """Retire a memory because another replaces it, and link the two."""
        old, new = self.resolve(ref), self.resolve(by)
        if old.id == new.id:
            raise BadInput("A memory cannot replace itself.")
        with self._change("supersede") as change:
            image = change.get("memory", old.id)
            assert image is not None
            self._must_live(image)
            change.put("memory", self._retired(image, "superseded", change))
            self._put_link(change, old.id, new.id, "superseded_by", 1.0)
        return self.resolve(old.id)

    def _retire(
        self, action: str, refs: str | Sequence[str], retired_as: str, reason: str
    ) -> list[Memory]:
        def change_one(image: Image, change: Change) -> Image:
            self._must_live(image)
            change.put(
                "tombstone",
                {
                    "project": image["project"],
                    "fingerprint": image["fingerprint"],
                    "reason": retired_as,
                    "created_at": self.now_ms(),
                },
            )
            if retired_as == "rejected":
                self._put_verdict(change, image, is_kept=False)
            return self._retired(image, retired_as, change)

        return self._change_all(action, refs, change_one, reason)

    def _retired(self, image: Image, retired_as: str, change: Change) -> Image:
        """The image of a memory that leaves recall; a conflict that it was part of is over."""
        now = self.now_ms()
        for row in judging.conflicts_of(change.connection, image["id"]):
            conflict = change.get("conflict", row["id"])
            if conflict is not None and conflict["resolved_at"] is None:
                stays = "b" if conflict["entry_a"] == image["id"] else "a"
                change.put("conflict", {**conflict, "resolved_at": now, "verdict": stays})
        return {**image, "retired_at": now, "retired_as": retired_as, "updated_at": now}

    def restore(self, refs: str | Sequence[str]) -> list[Memory]:
        """Bring retired memories back into recall."""

        def change_one(image: Image, change: Change) -> Image:
            if image["retired_at"] is None:
                raise Refused(f"“{headline_of(image)}” is not retired.")
            stone = f"{image['project']}|{image['fingerprint']}"
            if change.get("tombstone", stone):
                change.drop("tombstone", stone)
            if image["retired_as"] == "rejected" and change.get("memory_verdict", image["id"]):
                change.drop("memory_verdict", image["id"])
            back = {**image, "retired_at": None, "retired_as": None, "updated_at": self.now_ms()}
            if image["expires"] is not None and image["expires"] <= self.now_ms():
                back["expires"] = None  # else it would expire again at once
            return back

        return self._change_all("restore", refs, change_one)

    def retag(
        self, refs: str | Sequence[str], add: Sequence[str] = (), remove: Sequence[str] = ()
    ) -> list[Memory]:
        """Add and remove tags, on one memory or on many."""
        added = Redactor().words(texts("add", add), MOST_TAGS, LONGEST_TAG)
        removed = set(texts("remove", remove))

        def change_one(image: Image, _: Change) -> Image:
            self._must_live(image)
            kept = [tag for tag in image["tags"] if tag not in removed]
            tags = list(dict.fromkeys([*kept, *added]))
            if tags == image["tags"]:
                return image
            if len(tags) > MOST_TAGS:
                raise BadInput(
                    f"“{headline_of(image)}” would have {len(tags)} tags; {MOST_TAGS} is the limit."
                )
            return {**image, "tags": tags, "updated_at": self.now_ms()}

        return self._change_all("edit", refs, change_one, "tags")

    def link(self, source: str, target: str, kind: str, strength: float = 1.0) -> None:
        """Join two memories by a kind of 000-15. Raises BadInput, NotFound."""
        if kind not in LINK_KINDS:
            raise BadInput(f"A link cannot be {kind!r}.", hint=f"Use: {', '.join(LINK_KINDS)}.")
        in_range("strength", strength)
        first, second = self.resolve(source), self.resolve(target)
        if first.id == second.id:
            raise BadInput("A memory cannot be linked to itself.")
        with self._change("link") as change:
            self._put_link(change, first.id, second.id, kind, strength)

    def _put_link(
        self, change: Change, source: str, target: str, kind: str, strength: float
    ) -> None:
        change.put(
            "memory_link",
            {
                "source": source,
                "target": target,
                "kind": kind,
                "strength": float(strength),
                "created_at": self.now_ms(),
            },
        )

    # --- taking back

    def undo(self, seq: int | None = None, *, progress: Progress | None = None) -> Entry:
        """Take back an act, by default the newest of a person here that still stands.

        `seq` is its entry, or any of its entries: it is taken back whole, or not at all. The new
        entry, as `act` gives one; its `undoes` names the one taken back. `progress` hears how many
        rows were put back, of how many, and stops it by returning False. Raises NotFound when there
        is nothing to take back, Refused when it was stopped or a later change touched a row.
        """
        chosen = (
            seq if seq is not None else trail.next_undo(self._store.connection, self.project_id)
        )
        if chosen is None:
            raise NotFound("There is nothing to undo.", hint="`memdeck audit` shows what was done.")
        return self._taken_back(chosen, progress)

    def redo(self, *, progress: Progress | None = None) -> Entry:
        """Take back the newest undo, unless something else was done since. Raises NotFound."""
        chosen = trail.next_redo(self._store.connection, self.project_id)
        if chosen is None:
            raise NotFound("There is nothing to redo.", hint="Redo follows an undo directly.")
        return self._taken_back(chosen, progress)

    def _taken_back(self, chosen: int, progress: Progress | None) -> Entry:
        from .auditing import whole_act

        seq = self._store.take_back(chosen, at=self.now_ms(), progress=progress)
        return whole_act(self, seq)

    # --- the pattern all acts on memories share

    def _edited(self, change: Change, image: Image, fields: dict[str, Any]) -> Image:
        """The image after an edit; the entry says what was taken out of it."""
        told: dict[tuple[str, str], int] = {}
        made = edited(
            image,
            fields,
            project=self.project_id,
            now=self.now_ms(),
            choice=self.redaction_choice(),
            told=told,
        )
        tell_redaction(change, told)
        return made

    def _must_live(self, image: Image) -> None:
        if image["retired_at"] is not None:
            raise Refused(
                f"“{headline_of(image)}” is {image['retired_as']}.", hint="Restore it first."
            )

    def _change_all(
        self,
        action: str,
        refs: str | Sequence[str],
        change_one: Callable[[Image, Change], Image],
        reason: str = "",
        *,
        is_agreed: bool = False,
    ) -> list[Memory]:
        """Apply one act to all of `refs` in one entry; all of it happens, or nothing."""
        names = (refs,) if isinstance(refs, str) else texts("The memories", refs)
        named = [self._named(name) for name in names]
        nums = {row["id"]: row["num"] for row in named}
        with self._change(action, reason, is_agreed=is_agreed) as change:
            change.look_at(list(nums))
            for memory_id in nums:
                image = change.get("memory", memory_id)
                if image is None:
                    raise NotFound(f"{memory_id} vanished meanwhile.")
                changed = change_one(image, change)
                if changed is not image:
                    change.put("memory", changed)
        return self._memories(list(nums.values()))


def tell_redaction(change: Change, counts: Counts) -> None:
    """Let the entry say what was taken out, of which field and how often; never the value."""
    told = worded(counts)
    change.head["reason"] = "; ".join(filter(None, (change.head["reason"], told)))
