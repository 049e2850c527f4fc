"""What sessions and projects are called, so that no door has to show their ids."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from ...db import chronicle
from ...db.chronicle import NamedSession
from ...db.connection import Database
from ..values import moment_at

if TYPE_CHECKING:
    from ...db.memories import ListRow
    from ..context import Context

_SESSION = r"(?:session |session_checkpoint |summary session:)([^|]+)(?:\|\d+)?"


def names_of(database: Database, ids: Iterable[str | None]) -> dict[str, str]:
    """By id, what these sessions are called; those that nobody noted are left out."""
    wanted = list(dict.fromkeys(one for one in ids if one))
    found = chronicle.named(database, wanted) if wanted else []
    return {row["id"]: name_of_row(row) for row in found}


def name_of_row(row: NamedSession) -> str:
    """What the session of a row is called."""
    return name_of_session(row["goal"] or "", row["agent"], moment_at(row["started_at"]))


def name_of_session(goal: str, agent: str, started_at: datetime) -> str:
    """What a session is called: its goal, else its agent and when it began, local time."""
    if words := " ".join(goal.split()):
        return words
    began = started_at.astimezone()
    return f"{agent or 'a session'}, {began.day} {began:%b %Y %H:%M}"


def session_in(title: str) -> str | None:
    """The id of the session that an entry of the journal is titled by; None when it is not."""
    found = re.fullmatch(_SESSION, title)
    return found[1] if found else None


def other_projects(context: Context, found: Mapping[int, ListRow]) -> dict[int, str]:
    """The names of the projects of these rows, by row number; none of the one looked at."""
    own = ("", context.project_id)
    theirs = {num: row["project"] for num, row in found.items() if row["project"] not in own}
    known = {one.id: one.name for one in context.projects()} if theirs else {}
    return {num: known.get(project, project) for num, project in theirs.items()}
