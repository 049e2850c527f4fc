"""Whether sessions are taken down; one session, a project, everywhere.

Auto-memory is a habit, incognito is for a while. Nothing is taken down where auto-memory is off or
incognito is on, at whichever of the three places it was switched.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from ...db import audit, projects, sessions
from ...frozen import dataclass
from ..errors import BadInput
from .preferences import EVERYWHERE, Preferences
from .session_names import names_of

if TYPE_CHECKING:
    from ..context import Context

SwitchName = Literal["auto_memory", "incognito"]
Reach = Literal["project", "everywhere"]

Spell = tuple[int, int]
"""From when, and until when, in milliseconds."""

MOST_OPEN = 20
"""Sessions that go on and are looked at: the newest."""


@dataclass(frozen=True, slots=True)
class SessionSwitches:
    """One session that goes on, and how it is switched."""

    id: str
    goal: str  # "" before its first prompt was read
    auto_memory: bool
    incognito: bool
    name: str = ""  # its goal; before that, its agent and when it began


@dataclass(frozen=True, slots=True)
class Switches:
    """What is switched where."""

    by_settings: bool = True  # `auto_memory` of the settings files: what is off there stays off
    auto_project: bool = True
    auto_everywhere: bool = True
    incognito_project: bool = False
    incognito_everywhere: bool = False
    why_unasked: str = ""  # why agents are not asked to record; "" when they are
    sessions: tuple[SessionSwitches, ...] = ()  # those that go on, newest first


@dataclass(frozen=True, slots=True)
class Switchboard:
    """Auto-memory and incognito."""

    _context: Context
    _preferences: Preferences

    @property
    def switches(self) -> Switches:
        """Every switch of this project and of the sessions in it that have not ended."""
        newest = sessions.going_on(self._context.database, self._context.project_id, MOST_OPEN)
        names = names_of(self._context.database, (row["id"] for row in newest))
        return Switches(
            by_settings=self._context.habits.auto_memory,
            auto_project=self._context.setting("auto_memory") is not False,
            auto_everywhere=self._preferences.everywhere("auto_memory") is not False,
            incognito_project=self._context.setting("incognito") is True,
            incognito_everywhere=self._preferences.everywhere("incognito") is True,
            why_unasked=self.why_unasked,
            sessions=tuple(
                SessionSwitches(
                    row["id"],
                    row["goal"] or "",
                    auto_memory=not self.is_off_in(row["id"]),
                    incognito=bool(row["incognito"]),
                    name=names.get(row["id"], ""),
                )
                for row in newest
            ),
        )

    @property
    def why_unasked(self) -> str:
        """Why agents are not asked here to record what they learn; "" when they are."""
        try:
            if not self._context.habits.learn:
                return "capture.learn is off"
        except BadInput:
            return "the settings cannot be read"
        return "" if self.takes_down else "sessions are not taken down"

    def set_switch(self, name: SwitchName, is_on: bool, reach: Reach = "project") -> None:
        """Switch auto-memory or incognito for this project, or for every project."""
        whose = EVERYWHERE if reach == "everywhere" else self._context.project_id
        self.put_switch(name, is_on, whose, "" if reach == "project" else " everywhere")

    def put_switch(self, name: SwitchName, is_on: bool, whose: str, words: str) -> None:
        action = "auto" if name == "auto_memory" else "incognito"
        said = f"{name.replace('_', ' ')}{words}: {'on' if is_on else 'off'}"
        with self._context.change(action, said) as change:
            self._context.ensure_project(change)
            change.put("setting", {"key": f"{name}|{whose}", "value": is_on})

    @property
    def takes_down(self) -> bool:
        """Whether sessions of this project are taken down at all."""
        is_incognito = self._context.setting("incognito") or self._preferences.everywhere(
            "incognito"
        )
        return self._preferences.auto_memory and not is_incognito

    def off_spells(self, session_id: str) -> list[Spell]:
        """When nothing of a session was taken down, as the trail has it; it knows no settings file.

        Whoever reads the session later must not read what was said then (002-22).
        """
        changed = list(self._switched(session_id))
        is_off: dict[str, bool] = {}
        for key, _, before, _ in changed:
            is_off.setdefault(key, before)
        since = 0 if any(is_off.values()) else None
        spells = list[Spell]()
        for key, at, _, after in changed:
            is_off[key] = after
            if since is None and any(is_off.values()):
                since = at // 1000 * 1000  # some hosts note the second alone
            elif since is not None and not any(is_off.values()):
                spells.append((since, at))
                since = None
        return spells if since is None else [*spells, (since, self._context.now_ms())]

    def _switched(self, session_id: str) -> Iterator[tuple[str, int, bool, bool]]:
        """By the key of a switch that counts for a session: when it was switched, from and to off,
        oldest first."""
        session = of_session(session_id).partition(":")[2]
        whose = (self._context.project_id, EVERYWHERE)
        keys = {f"{name}|{one}" for name in ("auto_memory", "incognito") for one in whose}
        keys.add(f"auto_memory|{of_session(session_id)}")
        for seq in audit.switches(self._context.database):
            record = self._context.store.record(seq)
            for one in record["changes"]:
                table, key, sides = one["table"], one["key"], (one["before"], one["after"])
                if table == "setting" and key in keys:
                    off = "value", key.startswith("incognito")
                elif table == "session" and key == session:
                    off = "incognito", 1
                else:
                    continue
                before, after = ((side or {}).get(off[0]) == off[1] for side in sides)
                yield f"{table} {key}", record["at"], before, after

    def is_off_in(self, session_id: str) -> bool:
        """Whether auto-memory was switched off for the session with this very id."""
        key = f"auto_memory|{of_session(session_id)}"
        return projects.setting(self._context.database, key) is False


def of_session(session_id: str) -> str:
    """What stands for a session in a setting's key."""
    from ..ingest.drafts import outside_name  # for a session that is named

    return f"session:{outside_name(session_id) or ''}"
