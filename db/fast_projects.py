"""What recall reads of a project: which one it is, and what was chosen and switched for it.

Standard library only, as `fast_reader`, which hands it out.
"""

from __future__ import annotations

from .images import marks, rows
from .quick_sqlite import sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class ProjectReader:
    """Read-only questions about projects and their settings over one connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def is_taken_down(self, project: str, session: str) -> bool:
        """Whether a session's words may be read, by what is switched in the store."""
        places = (project, "*", f"session:{session}")
        switched = dict(
            self.connection.execute(
                f"SELECT key, value FROM setting WHERE key IN ({marks(2 * len(places))})",
                [f"{name}|{one}" for one in places for name in ("auto_memory", "incognito")],
            )
        )
        said = {(key.partition("|")[0], value) for key, value in switched.items()}
        hidden = self.connection.execute(
            "SELECT 1 FROM session WHERE id = ? AND incognito = 1", (session,)
        ).fetchone()
        return hidden is None and not said & {("auto_memory", "false"), ("incognito", "true")}

    def ceiling(self, project: str) -> int | None:
        """The budget's ceiling in tokens that was chosen for the project; None: no choice."""
        chosen = self._setting(f"ceiling|{project}")
        return chosen if isinstance(chosen, int) else None

    def preset(self, project: str) -> str | None:
        """The preset that was chosen for the project in the store; None: no choice."""
        chosen: str | None = self._setting(f"preset|{project}")
        return chosen

    def _setting(self, key: str) -> Any:
        found = rows(self.connection, "SELECT value FROM setting WHERE key = ?", (key,))
        return found[0]["value"] if found else None

    def aliases(self, project: str) -> dict[str, list[str]]:
        """Words that mean the same, for the project and everywhere."""
        found = rows(
            self.connection,
            "SELECT word, synonyms FROM alias WHERE project IN ('', ?) ORDER BY project",
            (project,),
        )
        return {row["word"]: row["synonyms"] for row in found}

    def id_of(self, project: str, name: str, root: str, remote: str | None) -> str:
        """The id under which the store knows a project; `project` itself when it is new.

        A project may have been joined to another by its id, its root or, without a root, its
        name. One that was a folder without a remote stays itself when it is given one.
        """
        keys = [key.encode("utf-8", "replace").decode() for key in (project, root or name)]
        joined: Any = self.connection.execute(
            "SELECT project.id FROM project, json_each(project.aliases) AS other"
            f" WHERE other.value IN ({marks(len(keys))})",
            keys,
        ).fetchone()
        if joined is None and root and remote:
            joined = self.connection.execute(
                "SELECT id FROM project WHERE root = ? AND remote IS NULL"
                " AND NOT EXISTS (SELECT 1 FROM project WHERE id = ?)",
                (keys[1], keys[0]),
            ).fetchone()
        return str(joined[0]) if joined else project
