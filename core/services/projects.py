"""Projects that may be the same one: the reasons, and joining."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ...db import sessions
from ...db.errors import Ambiguous, NotFound, Refused
from ..context import Project, must_not_be_agent
from ..projects import is_alike

if TYPE_CHECKING:
    from ..context import Context

ROWS_AT_ONCE = 500  # rows per journal entry of a join


class LookAlike(NamedTuple):
    """Another project that may be this one, and why."""

    project: Project
    reason: str


class Joined(NamedTuple):
    """The rows that joining moves, or would move, from this project to another."""

    project: Project
    memories: int  # retired ones too
    sessions: int
    is_done: bool = True


class Projects:
    """The projects of the store, seen from one of them."""

    _context: Context

    def alike(self) -> list[LookAlike]:
        """Return other projects that may be this one, the surest first; none to an agent."""
        context = self._context
        if context.viewer is not None or not context.root:
            return []
        here = context.project
        reasons = ((item, _likeness(here, item)) for item in context.projects())
        return [
            LookAlike(item, reason)
            for item, reason in reasons
            if reason and item.memories and item.id != here.id
        ]

    def begin(self) -> Project:
        """Keep this project, which is only a name, before it has memories. Raises Refused."""
        context = self._context
        if context.root:
            raise Refused(
                f"{context.root} is a folder.", hint="Its project begins with its first memory."
            )
        if context.project_id in [item.id for item in context.projects()]:
            raise Refused(f"There is a project {context.project.name!r} already.")
        with context.change("begin") as change:
            context.ensure_project(change)
        return context.project

    def join(self, ref: str, *, preview: bool = False) -> Joined:
        """Make this project a place of another one, given by id or name. Asks. One undo.

        Raises NotFound, Ambiguous, Refused.
        """
        context = self._context
        must_not_be_agent(context.actor)
        here = context.project
        matches = sessions.projects_called(context.database, ref)
        matches = [row for row in matches if row["id"] == ref] or matches
        others = [row for row in matches if row["id"] != here.id]
        if not others:
            raise NotFound(
                f"No other project is called {ref[:60]!r}.", hint="`memdeck project` lists them."
            )
        if len(others) > 1:
            raise Ambiguous.among(ref, [row["id"] for row in others])
        target: Mapping[str, Any] = others[0]
        keys = context.reader().projects.rows_of(here.id)
        counts = {table: sum(key[0] == table for key in keys) for table in ("memory", "session")}
        other = next(item for item in context.projects() if item.id == target["id"])
        joined = Joined(other, counts["memory"], counts["session"], not preview)
        if preview:
            return joined
        moves = "1 memory moves" if joined.memories == 1 else f"{joined.memories:,} memories move"
        context.consent.agree(
            f"{here.name} ({here.root}) becomes a place of {other.name} ({other.root or other.id}):"
            f" {moves} there."
        )
        reason = f"{here.name} became a place of {other.name}"
        with context.as_one_act():
            for number in range(0, len(keys), ROWS_AT_ONCE):
                with context.change("join", reason, is_agreed=True) as change:
                    for table, key in keys[number : number + ROWS_AT_ONCE]:
                        row = change.get(table, key)
                        if row is not None:
                            self._move(change, table, key, row, target["id"])
            with context.change("join", reason, is_agreed=True, project=target["id"]) as change:
                change.put(
                    "setting", {"key": context.place_key, "value": context.placed(target["id"])}
                )
                project = change.get("project", target["id"])
                own = change.get("project", here.id)
                assert project is not None
                aliases = [*project["aliases"], here.id, *(own["aliases"] if own else ())]
                remote = project["remote"] or here.remote
                change.put("project", {**project, "aliases": aliases, "remote": remote})
                if own:
                    change.drop("project", here.id)
        context.project_id = target["id"]
        return joined

    def _move(self, change: Any, table: str, key: str, row: Mapping[str, Any], to: str) -> None:
        """Give a row to another project; a row there with the same key wins."""
        if table == "setting":
            if key.startswith("place|"):
                moved = {**row, "value": {**row["value"], "project": to}}
            else:
                moved = {**row, "key": f"{key.rpartition('|')[0]}|{to}"}
            new_key = moved["key"]
        else:
            moved = {**row, "project": to}
            is_keyed = table in ("alias", "tombstone")
            new_key = f"{to}|{key.partition('|')[2]}" if is_keyed else key
        if new_key == key:
            change.put(table, moved)
            return
        if change.get(table, new_key) is None:
            change.put(table, moved)
        change.drop(table, key)


def _likeness(here: Project, other: Project) -> str:
    """Return why another project may be this one; "" if nothing says so."""
    if here.remote and here.remote == other.remote:
        return "has the same remote"
    if here.root and here.root == other.root:
        return "was in this folder"
    is_gone = bool(other.root) and not os.path.isdir(other.root)
    is_near = here.name == other.name or os.path.dirname(here.root) == os.path.dirname(other.root)
    if is_gone and is_near:
        return "was in a folder that is gone"
    if is_alike(here.remote, other.remote):
        return f"has the remote {other.remote}"
    return ""
