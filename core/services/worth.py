"""Compute the worth of one memory part by part, or of all for lists and recall."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...db import ageing, memories
from ...db.images import Image
from ..clock import to_ms
from ..lifecycle.worth import (
    AT_BIRTH,
    WEIGHTS,
    Life,
    Worth,
    account_of,
    importance_of,
    tier_of,
    worth_of,
)
from ..sessions.uses import uses
from .review import neighbour_of

if TYPE_CHECKING:
    from ...db.ageing import StoredLife
    from ..context import Context
    from ..sessions.turns import Turn

assert set(AT_BIRTH) <= WEIGHTS.keys()


@dataclass(frozen=True, slots=True)
class Worths:
    """The worth of memories, computed from their stored lives."""

    _context: Context

    def worth(self, ref: str) -> Worth:
        """Return a memory's worth now, with its parts and its forecast.

        Raises NotFound, Ambiguous.
        """
        memory, now = self._context.named(ref)["id"], self._context.now_ms()
        row = ageing.life_of(self._context.database, memory)
        assert row is not None
        decays, has_tiers = self._switches()
        return account_of(life_of(row), now, decays=decays, has_tiers=has_tiers)

    def weigh(self) -> int:
        """Weigh the project's memories in small transactions; return how many.

        Nothing is journaled or retired.
        """
        now, done = self._context.now_ms(), 0
        decays, has_tiers = self._switches()
        for batch in ageing.lives(*self._context.here):
            ageing.put_worth(
                self._context.database,
                [_weighed(row, now, decays=decays, has_tiers=has_tiers) for row in batch],
            )
            done += len(batch)
        ageing.drop_retired(self._context.database)
        return done

    def note_uses(self, session: str, turns: Iterable[Turn], since_line: int = 0) -> int:
        """Count the injected memories that a session's agent used; return how many are new.

        Turns up to `since_line` were read before. Each injection counts once.
        """
        listed = list(turns)
        if not any(turn.line > since_line and not turn.is_prompt for turn in listed):
            return 0
        rows = memories.told_to(self._context.database, session)
        if not rows:
            return 0
        first = {row["id"]: row["told_at"] for row in rows}
        now = self._context.now_ms()
        answers = [to_ms(t.at) or now for t in listed if t.line > since_line and not t.is_prompt]
        ageing.note_read(self._context.database, session, max(answers))
        used = (
            (memory, to_ms(turn.at) or now)
            for memory, turn in uses(listed, [neighbour_of(row) for row in rows], since_line)
        )
        later = [(memory, at) for memory, at in used if at >= first[memory]]
        return ageing.note_uses(self._context.database, session, later) if later else 0

    def _switches(self) -> tuple[bool, bool]:
        """Return whether worth decays, and whether there are tiers."""
        lifecycle = self._context.policy.lifecycle
        return lifecycle.decay, lifecycle.tiers


def life_of(row: StoredLife) -> Life:
    """Return a stored life as a value."""
    born = {name: row[name] for name in AT_BIRTH if row[name] is not None}  # type: ignore[literal-required]
    return Life(
        importance=row["importance"],
        status=row["status"],
        created_at=row["created_at"],
        accesses=row["accesses"],
        last_access=row["last_access"],
        used=row["used"],
        helpful=row["helpful"],
        unhelpful=row["unhelpful"],
        agents=row["agents"],
        sessions=row["sessions"],
        is_persons=bool(row["is_persons"]),
        is_open_task=bool(row["is_open_task"]),
        is_dated=bool(row["is_dated"]),
        at_birth=born or None,
    )


def _weighed(row: StoredLife, now: int, *, decays: bool, has_tiers: bool) -> Image:
    life = life_of(row)
    importance = importance_of(life)
    tier = tier_of(importance, life.quiet_days(now), is_held=life.is_held or not has_tiers)
    return {
        "memory": row["num"],
        "worth": worth_of(life, now) if decays else importance,
        "importance": importance,
        "tier": tier,
        "as_of": now,
    }
