"""What sessions are called, so that no door has to show their ids."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime

from ...db import chronicle
from ...db.chronicle import NamedSession
from ...db.connection import Database
from ..values import at

_SESSION = re.compile(r"(?:session |session_checkpoint |summary session:)([^|]+)(?:\|\d+)?")


def names_of(database: Database, ids: Iterable[str | None]) -> dict[str, str]:
    """By id, what these sessions are called; those that nobody noted are left out."""
    wanted = list(dict.fromkeys(one for one in ids if one))
    found = chronicle.named(database, wanted) if wanted else []
    return {row["id"]: name_of_row(row) for row in found}


def name_of_row(row: NamedSession) -> str:
    """What the session of a row is called."""
    started_at = at(row["started_at"])
    assert started_at is not None
    return name_of_session(row["goal"] or "", row["agent"], started_at)


def name_of_session(goal: str, agent: str, started_at: datetime) -> str:
    """What a session is called: its goal, else its agent and when it began, local time."""
    if words := " ".join(goal.split()):
        return words
    began = started_at.astimezone()
    return f"{agent or 'a session'}, {began.day} {began:%b %Y %H:%M}"


def session_in(title: str) -> str | None:
    """The id of the session that an entry of the journal is titled by; None when it is not."""
    found = _SESSION.fullmatch(title)
    return found[1] if found else None
