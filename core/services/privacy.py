"""What an agent may hear of what is private, as conditions for the store."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...db.memories import Condition
from ..recall.selection import MAIN_ROLE

if TYPE_CHECKING:
    from ...db.memories import Asked
    from ..recall.selection import Viewer


NOWHERE = " "
"""What no project is called: where an agent looks that asks for another project than its own."""


def narrowed(request: Asked, viewer: Viewer) -> Asked:
    """The question, of the viewer's own project alone, and of what it may hear."""
    is_own = request.project in (None, viewer.project)
    conditions = (*request.conditions, *_heard_by(viewer))
    project = viewer.project if is_own else NOWHERE
    return replace(request, project=project, conditions=conditions)


def _heard_by(viewer: Viewer) -> tuple[tuple[Condition, ...], ...]:
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
