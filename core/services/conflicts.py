"""Conflicts: two memories that cannot both hold, until a person has decided."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...db import conflicts, memories
from ...db.images import Image
from ...db.rows import StoredConflict
from ...db.store import Change
from ...frozen import dataclass
from ..consent import must_be_a_person
from ..context import each
from ..errors import Ambiguous, BadInput, NotFound, Refused
from ..ingest.drafts import Redactor
from ..ingest.verdicts import Judged, bias_of, moved, shifted
from ..judgements import CONFLICT, CONFLICT_KINDS, NEAR, VERDICTS, Conflict
from ..values import at, moment_at

if TYPE_CHECKING:
    from ...db.images import Image
    from ...db.store import Change
    from ..context import Context
    from ..judgement.pairs import Bias
    from ..values import Memory
    from .amendments import Amendments
    from .curation import Curation

LONGEST_CONTEXT = 500
"""Characters of what tells two memories apart that both stay."""


@dataclass(frozen=True, slots=True)
class Conflicts:
    """Conflicts: noted, looked at, resolved. A verdict is remembered and not asked again."""

    _context: Context
    _amendments: Amendments
    _curation: Curation

    def conflicts(self, *, resolved: bool | None = False) -> list[Conflict]:
        """The pairs that wait for a verdict, as `Conflict.rank` has them; `resolved` None: all.

        What is surely in conflict comes before what only speaks of the same thing, the likeliest
        first.
        """
        found = conflicts.conflicts(*self._context.here, resolved=resolved)
        bias = self.bias()
        ids = {row[side] for row in found for side in ("entry_a", "entry_b")}
        nums = memories.by_ids(self._context.database, [*ids])
        sides = {one.id: one for one in each(self._context, [*nums.values()])}
        shown = (
            _conflict(row, bias, sides[row["entry_a"]], sides[row["entry_b"]])
            for row in found
            if row["entry_a"] in sides and row["entry_b"] in sides  # else withheld
        )
        return sorted(shown, key=lambda one: one.rank)

    def bias(self) -> Bias:
        """How far the judge of pairs errs in this project, by what was decided here."""
        decided = conflicts.conflict_verdicts(*self._context.here)
        return bias_of([Judged(*row) for row in decided])

    def conflict(self, ref: str) -> Conflict:
        """One conflict by the beginning of its id, resolved or not. Raises NotFound, Ambiguous."""
        found = conflicts.conflicts(*self._context.here, resolved=None, ref=ref.strip() or "?")
        if not found:
            raise NotFound(
                f"No conflict is called {ref[:60]!r}.", hint="`memdeck conflicts` lists them."
            )
        if len(found) > 1:
            raise Ambiguous.among(ref, [row["id"] for row in found])
        [row] = found
        first, second = self._context.resolve(row["entry_a"]), self._context.resolve(row["entry_b"])
        return _conflict(row, self.bias(), first, second)

    def mark_conflict(
        self, first: str, second: str, kind: str = "contradictory", reason: str = ""
    ) -> str:
        """Note that two memories cannot both hold; the id of the conflict.

        Both stay, linked and marked, until somebody decides. An open conflict between the two
        stays the one there is. Raises NotFound, BadInput, and Refused for a retired one.
        """
        if kind not in CONFLICT_KINDS:
            raise BadInput(
                f"A conflict cannot be {kind!r}.", hint=f"Use: {', '.join(CONFLICT_KINDS)}."
            )
        one, other = self._context.resolve(first), self._context.resolve(second)
        if one.id == other.id:
            raise BadInput("A memory cannot contradict itself.")
        self._context.must_be_here(one, other)
        with self._context.change("conflict", reason) as change:
            for side in (one.id, other.id):
                image = change.get("memory", side)
                assert image is not None
                self._amendments.must_live(image)
            known = conflicts.conflict_between(change.database, one.id, other.id)
            if known is not None and known["resolved_at"] is None:
                if known.get("band") == NEAR:  # it was only listed
                    change.put("conflict", {**known, "band": CONFLICT, "kind": kind})
                    self.link_rivals(change, one.id, other.id)
                return str(known["id"])
            return self.put_conflict(change, one.id, other.id, kind, reason)

    def put_conflict(
        self, change: Change, first: str, second: str, kind: str, reason: str, **told: Any
    ) -> str:
        """A new conflict, inside a change that may do more; its id.

        `told` is what the judge of pairs said: band, same, contradict. A pair that is only listed
        is not linked.
        """
        conflict: Image = {
            "id": self._context.new_id(),
            "entry_a": first,
            "entry_b": second,
            "kind": kind,
            "detected_at": self._context.now_ms(),
            "resolved_at": None,
            "verdict": None,
            "context": None,
            **{name: value for name, value in told.items() if value is not None},
        }
        if reason:
            conflict["reason"] = Redactor().text(reason)[:LONGEST_CONTEXT]
        change.put("conflict", conflict)
        if told.get("band") != NEAR:
            self.link_rivals(change, first, second)
        return str(conflict["id"])

    def link_rivals(self, change: Change, first: str, second: str) -> None:
        """Link two memories as contradicting each other, unless they are."""
        if not any(change.get("memory_link", key) for key in _links(first, second)):
            self._amendments.put_link(change, first, second, "contradicts", 1.0)

    def resolve_conflict(
        self, /, ref: str, keep: str, *, context: str = "", **fields: Any
    ) -> Conflict:
        """Decide a conflict, in one entry; the verdict is not asked for again.

        `a` or `b` keeps the first or the second side: the other one retires as superseded,
        linked to what replaced it. `both` keeps the two, with the `context` that tells
        them apart. `neither` retires both. `merged` makes the first side say it for both:
        `fields` edit it as `edit` does. `not_a_conflict` only says that there was none.
        Raises NotFound, Ambiguous, BadInput, Refused.
        """
        if keep not in VERDICTS:
            raise BadInput(f"A verdict cannot be {keep!r}.", hint=f"Use: {', '.join(VERDICTS)}.")
        if fields and keep != "merged":
            raise BadInput("Only a merge can change the texts.")
        told = Redactor().text(context).strip()
        if len(told) > LONGEST_CONTEXT:
            raise BadInput(f"The context may have {LONGEST_CONTEXT} characters.")
        conflict = self.conflict(ref)
        if not conflict.is_open:
            raise Refused(
                f"This conflict was decided already: {conflict.verdict}.",
                hint="`memdeck undo` takes the verdict back.",
            )
        first, second = conflict.first.id, conflict.second.id
        if keep == "merged" and "person" in (conflict.first.degree, conflict.second.degree):
            must_be_a_person(self._context.actor)
        reason = f"keeps {_VERDICT_WORDS[keep]}"
        with self._context.change("resolve", reason) as change:
            row = change.get("conflict", conflict.id)
            assert row is not None
            change.put(
                "conflict",
                {
                    **row,
                    "resolved_at": self._context.now_ms(),
                    "verdict": keep,
                    "context": told or None,
                },
            )
            for key in _links(first, second):
                link = change.get("memory_link", key)
                if link is not None and link["kind"] == "contradicts":
                    change.drop("memory_link", key)
            if keep == "a":
                self.replace(change, second, first)
            elif keep == "b":
                self.replace(change, first, second)
            elif keep == "neither":
                for side in (first, second):
                    self._retire_side(change, side, "rejected")
            elif keep == "merged":
                self._curation.merge_in(change, first, [second], fields)
        return self.conflict(conflict.id)

    def replace(self, change: Change, old: str, new: str) -> None:
        self._retire_side(change, old, "superseded")
        self._amendments.put_link(change, old, new, "superseded_by", 1.0)

    def _retire_side(self, change: Change, side: str, retired_as: str) -> None:
        """Take one side out of recall, unless it left before; its text is not captured again."""
        image = change.get("memory", side)
        assert image is not None
        if self._amendments.take_out(change, side, retired_as):
            self._amendments.bar(change, image, retired_as)


def _shifted(probability: float | None, shift: float) -> float | None:
    return None if probability is None else shifted(probability, shift)


_VERDICT_WORDS = {
    "a": "the first",
    "b": "the second",
    "both": "both",
    "neither": "neither",
    "merged": "the two as one",
    "not_a_conflict": "both: no conflict",
}


def _conflict(row: StoredConflict, bias: Bias, first: Memory, second: Memory) -> Conflict:
    opinion = row["opinion"] or ""
    same, contradict = moved(opinion)
    return Conflict(
        id=row["id"],
        kind=row["kind"],
        reason=row.get("reason") or "",
        first=first,
        second=second,
        detected_at=moment_at(row["detected_at"]),
        resolved_at=at(row["resolved_at"]),
        verdict=row["verdict"],
        context=row["context"] or "",
        band=row["band"] or CONFLICT,
        same=_shifted(row["same"], bias.same + same),
        contradict=_shifted(row["contradict"], bias.contradict + contradict),
        opinion=opinion,
        opinion_by=row["opinion_by"] or "",
        opinion_why=row["opinion_why"] or "",
    )


def _links(first: str, second: str) -> tuple[str, str]:
    """The keys that a link between two memories may have."""
    return f"{first}|{second}", f"{second}|{first}"
