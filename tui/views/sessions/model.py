"""What Sessions asks the core, in a lane, and the rows that come of it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING

from ....core.services.sessions import SessionDetail, SessionOverview
from ...text import counted

if TYPE_CHECKING:
    from ....core.compat import MemoryCoordinator

MOST = 2_000
"""Sessions that are listed, the newest ones."""

GROUPS = ("day", "week", "agent", "line")
"""What sessions can stand under."""

BUSY = 2.0
"""Sessions a day from which on each day has a heading of its own; else each week has."""


@dataclass(frozen=True, slots=True)
class Opened:
    """One session, and what its keys can lead to."""

    session: SessionDetail
    has_transcript: bool  # its file is there
    query: str  # what finds its memories

    @property
    def id(self) -> str:
        """The id of the session."""
        return self.session.overview.session.id


def read_courses(core: MemoryCoordinator) -> list[SessionOverview]:
    """The project's newest sessions with what came of each."""
    return core.services.sessions.overviews(MOST)


def read_opened(core: MemoryCoordinator, session: str) -> Opened:
    """One session in full. Raises NotFound."""
    sessions = core.services.sessions
    opened = sessions.detail(session)
    there = bool(opened.transcript) and os.path.isfile(opened.transcript)
    return Opened(opened, there, f"session:{sessions.word_for(session)}")


def session_of(core: MemoryCoordinator, ref: str) -> str | None:
    """The id of a session by its beginning, or of the one that a memory was learned in."""
    from ....core.errors import ManagerError

    try:
        return core.session_named(ref).id
    except ManagerError:
        try:
            return core.show(ref).origin.session
        except ManagerError:
            return None


def said(course: SessionOverview) -> str:
    """What a session says, to look for words in."""
    session = course.session
    return " ".join((course.name, session.agent, session.summary, session.id, session.cwd or ""))


def usual_group(courses: Sequence[SessionOverview]) -> str:
    """Under what sessions stand until somebody chooses: days where each has several, or weeks."""
    days = {one.began_at.astimezone().date() for one in courses}
    return "week" if len(courses) < BUSY * len(days) else "day"


def grouped(
    courses: Sequence[SessionOverview], by: str, today: date
) -> Iterator[tuple[str, list[SessionOverview]]]:
    """(heading, sessions), in the order in which the first of each comes."""
    parents = {one.session.id: one.session.parent for one in courses}
    names = {one.session.id: one.name for one in courses}
    groups: dict[object, list[SessionOverview]] = {}
    for one in courses:
        groups.setdefault(_key(one, by, parents), []).append(one)
    if by == "line":  # a session without forks is no line
        lines = {key: inside for key, inside in groups.items() if len(inside) > 1}
        alone = [inside[0] for inside in groups.values() if len(inside) == 1]
        groups = {**lines, **({"": alone} if alone else {})}
    for key, inside in groups.items():
        if isinstance(key, date):
            yield _week(key, today) if by == "week" else _day(key, today), inside
        elif by == "agent":
            yield f"{key}  {counted(len(inside), 'session')}", inside
        else:
            title = names.get(str(key), inside[-1].name) if key else "Without forks"
            yield f"{title}  {counted(len(inside), 'session')}", inside


def _key(course: SessionOverview, by: str, parents: Mapping[str, str | None]) -> object:
    if by in ("day", "week"):
        day = course.began_at.astimezone().date()
        return day if by == "day" else day - timedelta(days=day.weekday())
    return course.session.agent if by == "agent" else _root(course.session.id, parents)


def _root(session: str, parents: Mapping[str, str | None]) -> str:
    """The first session of the line that this one belongs to."""
    seen = {session}
    while (parent := parents.get(session)) and parent not in seen:
        seen.add(parent)
        session = parent
    return session


def _week(monday: date, today: date) -> str:
    """A week by its first and last day, and by how far away it is."""
    sunday = monday + timedelta(days=6)
    year = f" {sunday.year}" if sunday.year != today.year else ""
    first = f"{monday.day}" if monday.month == sunday.month else f"{monday.day} {monday:%B}"
    written = f"{first} to {sunday.day} {sunday:%B}{year}"
    if monday <= today <= sunday:
        return f"This week · {written}"
    return f"Last week · {written}" if (today - sunday).days <= 7 else written


def _day(day: date, today: date) -> str:
    """A day as a person says it."""
    written = f"{day.day} {day:%B}" + (f" {day.year}" if day.year != today.year else "")
    if day == today:
        return f"Today  {written}"
    if day == today - timedelta(days=1):
        return f"Yesterday  {written}"
    return f"{day:%A}  {written}"
