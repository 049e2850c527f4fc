"""What an agent may hear of what is private, as conditions for the store (003-07)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...db.lists import Condition
from ..retrieval.selection import MAIN_ROLE

if TYPE_CHECKING:
    from ..retrieval.selection import Viewer


def heard_by(viewer: Viewer) -> tuple[tuple[Condition, ...], ...]:
    """The conditions under which privacy lets `viewer` hear a memory (`withheld_because`)."""
    always: tuple[Condition, ...] = (Condition("until", viewer.now_ms, "<="),)
    if viewer.session is not None:
        always = (Condition("own", viewer.session), *always)
    shared = viewer.shared_before_ms
    old = (Condition("created", shared, "<="),) if shared is not None else ()
    role = Condition("role", viewer.role or MAIN_ROLE)
    return (
        (Condition("privacy", "agent-only", "!="), role, *always),
        (Condition("privacy", "private", "!="), *old, *always),
    )
