"""What acts on memories have in common: one entry for many; an image edited, retired, linked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...db import memories, reviews
from ...db.images import Image, headline_of
from ..consent import must_be_a_person
from ..context import withheld
from ..errors import NotFound, Refused
from ..ingest.drafts import edited, texts
from ..redaction.redact import Counts, worded
from ..values import STATUSES

if TYPE_CHECKING:
    from ...db.store import Change
    from ..context import Context
    from ..values import Memory


UNNAMED = frozenset(
    "category scope importance confidence privacy tags files session agent role due expires".split()
)
"""What a known key with another text leaves as it is unless it is named; the text decides the
rest."""

DECIDED = ("memory_candidacy", "memory_trust")
"""What a decision on a memory looks at beside it."""


@dataclass(frozen=True, slots=True)
class Amendments:
    """Changes to memories, each a part of somebody's act."""

    _context: Context

    def edited(self, change: Change, image: Image, fields: dict[str, Any]) -> Image:
        """The image after an edit; the entry says what was taken out of it."""
        told: dict[tuple[str, str], int] = {}
        made = edited(
            image,
            fields,
            project=self._context.project_id,
            now=self._context.now_ms(),
            choice=self._context.redaction_choice(),
            told=told,
        )
        tell_redaction(change, told)
        return made

    def must_live(self, image: Image) -> None:
        """Raise Refused for a retired memory."""
        if image["retired_at"] is not None:
            raise Refused(
                f"“{headline_of(image)}” is {image['retired_as']}.", hint="Restore it first."
            )

    def change_all(
        self,
        action: str,
        refs: str | Sequence[str],
        change_one: Callable[[Image, Change], Image],
        reason: str = "",
        *,
        beside: Sequence[str] = (),
    ) -> list[Memory]:
        """Apply one act to all of `refs` in one entry; all of it happens, or nothing.

        `beside` are tables that `change_one` asks about each: they are read at once.
        The memories as they are now; none inside of an act of which nobody is told.
        """
        names = (refs,) if isinstance(refs, str) else texts("The memories", refs)
        nums = nums_of(self._context, names)
        with self._context.change(action, reason) as change:
            change.look_at(list(nums), beside)
            for memory_id in nums:
                image = change.get("memory", memory_id)
                if image is None:
                    raise NotFound(f"{memory_id} vanished meanwhile.")
                changed = change_one(image, change)
                if changed is not image:
                    change.put("memory", changed)
        return self._context.memories(list(nums.values())) if self._context.is_told else []

    def decided(self, image: Image, change: Change, status: str) -> Image:
        """The image of a memory that a person wants: its trial is over, the project has it.

        Raises Refused where an agent acts.
        """
        must_be_a_person(self._context.actor)
        known = change.get("memory_candidacy", image["id"])
        if known is not None:
            change.put(
                "memory_candidacy", {**known, "quarantined_until": None, "snoozed_until": None}
            )
        self.vouch(image, change)
        scope = "project" if image["scope"] == "session" else image["scope"]
        return {**image, "status": status, "scope": scope, "updated_at": self._context.now_ms()}

    def vouch(self, image: Image, change: Change) -> None:
        """Note that a person stands for a memory: it is the person's from then on."""
        if self._context.actor != "person":
            return
        known = change.get("memory_trust", image["id"]) or {"provenance": None}
        change.put(
            "memory_trust",
            {**known, "memory": image["id"], "vouched_at": self._context.now_ms()},
        )

    def retire(
        self, action: str, refs: str | Sequence[str], retired_as: str, reason: str
    ) -> list[Memory]:
        """Take memories out of recall, restorably; their text is not captured again."""

        def change_one(image: Image, change: Change) -> Image:
            self.must_live(image)
            self.bar(change, image, retired_as)
            return self.retired(image, retired_as, change)

        return self.change_all(action, refs, change_one, reason)

    def bar(self, change: Change, image: Image, reason: str) -> None:
        """Let this text not be captured again in its project."""
        stone = {"project": image["project"], "fingerprint": image["fingerprint"]}
        stone |= {"reason": reason, "created_at": self._context.now_ms()}
        change.put("tombstone", stone)

    def retired(self, image: Image, retired_as: str, change: Change) -> Image:
        """The image of a memory that leaves recall; a conflict that it was part of is over."""
        now = self._context.now_ms()
        for row in reviews.conflicts_of(change.database, image["id"]):
            conflict = change.get("conflict", row["id"])
            if conflict is not None and conflict["resolved_at"] is None:
                stays = "b" if conflict["entry_a"] == image["id"] else "a"
                change.put("conflict", {**conflict, "resolved_at": now, "verdict": stays})
        return {**image, "retired_at": now, "retired_as": retired_as, "updated_at": now}

    def take_out(self, change: Change, memory: str, retired_as: str, by: str | None = None) -> bool:
        """Retire a memory, linked to the one that takes its place; whether it still lived."""
        image = change.get("memory", memory)
        if image is None or image["retired_at"] is not None:
            return False
        change.put("memory", self.retired(image, retired_as, change))
        if by is not None:
            self.put_link(change, memory, by, "superseded_by", 1.0)
        return True

    def ended(self, image: Image, change: Change, status: str = "completed") -> Image:
        """The image of a task that is done, or `cancelled`: it leaves recall, and says
        when it was completed."""
        moment = self._context.now_ms() if status == "completed" else None
        details = {**image["details"], "status": status, "completed_at": moment}
        return {**self.retired(image, status, change), "details": details}

    def put_link(
        self, change: Change, source: str, target: str, kind: str, strength: float
    ) -> None:
        """Join two memories by a kind of link; `strength` is 0-1."""
        change.put(
            "memory_link",
            {
                "source": source,
                "target": target,
                "kind": kind,
                "strength": float(strength),
                "created_at": self._context.now_ms(),
            },
        )


def unvouched(memory: str, provenance: str) -> Image:
    """The row of what an import brought, or an agent wrote, until a person stands for it."""
    return {"memory": memory, "provenance": provenance, "vouched_at": None}


def called(
    context: Context, change: Change, image: Image, fresh: str | None = None
) -> Image | None:
    """The live memory that has a new image's key; `fresh` is its id where it was made just now.

    Raises Refused where it says something else, and an agent may not reword it.
    """
    key = image["key"]
    known = fresh or (memories.with_key(change.database, image["project"], key) if key else None)
    found = change.get("memory", known) if known else None
    if found and found["fingerprint"] != image["fingerprint"]:
        if withheld(context, [found["id"]]):
            raise Refused(f"key: {key!r} names what is not for this session.")
        if context.actor == "agent" and found["status"] != "candidate":
            raise Refused(f"key: {key!r} names what only a person rewords.")
    return found


def renewed(known: Image, image: Image, unnamed: Iterable[str], now: int) -> Image:
    """The image of a known key with another text: the newer text holds, what is `unnamed` stays."""
    names = ("num", "id", "created_at", "status", *unnamed)
    return {**image, **{name: known[name] for name in names}, "updated_at": now}


def reworded(
    context: Context, change: Change, known: Image, image: Image, named: Mapping[str, Any]
) -> Image:
    """The same where somebody says it here: a person stands for it from then on."""
    change.head["action"] = "edit"
    now = context.now_ms()
    unnamed = UNNAMED.difference(name for name, one in named.items() if one not in (None, (), []))
    trust = change.get("memory_trust", known["id"])
    if trust and context.actor == "person":
        change.put("memory_trust", {**trust, "vouched_at": now})
    status = max(known["status"], image["status"], key=STATUSES.index)
    return {**renewed(known, image, unnamed, now), "status": status}


def must_be_wanted(context: Context, image: Image) -> None:
    """Raise Refused where an agent brings what was forgotten here."""
    buried = memories.is_buried(*context.here, image["fingerprint"])
    if context.actor == "agent" and buried:
        raise Refused(
            "This was forgotten on purpose.", hint="Only a person brings it back: ask them to."
        )


def tell_redaction(change: Change, counts: Counts) -> None:
    """Let the entry say what was taken out, of which field and how often; never the value."""
    told = worded(counts)
    change.head["reason"] = "; ".join(filter(None, (change.head["reason"], told)))


def nums_of(context: Context, refs: Sequence[str]) -> dict[str, int]:
    """By id the nums of the memories that these name, as in `Context.resolve`."""
    ids = [ref for ref in refs if isinstance(ref, str) and ref.isascii()]
    known = memories.by_ids(context.database, ids) if len(ids) > 1 else {}
    nums: dict[str, int] = {}
    for ref in refs:
        if ref in known:
            nums[ref] = known[ref]
        else:
            named = context.named(ref)
            nums[named["id"]] = named["num"]
    return nums
