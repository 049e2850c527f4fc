"""Active files of a session, and memories that name a file. Standard library: hooks import this."""

from __future__ import annotations

import os

from .home import address_to_read
from .images import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3 as sqlite3
    from collections.abc import Sequence

    from .home import Home
else:
    try:  # the library's own module brings `datetime`, and a hook pays a millisecond for that
        import _sqlite3 as sqlite3
    except ImportError:  # another interpreter than CPython
        import sqlite3 as sqlite3

MOST_ENDINGS = 12
"""Ends of a path by which a memory may name a file: util.py, src/util.py, app/src/util.py..."""

_AWAITED = (
    "EXISTS (SELECT 1 FROM prospective p WHERE p.memory = m.num AND p.trigger_type = 'context'"
    " AND p.status IN ('pending', 'active') AND instr(p.trigger_condition, f.path) > 0)"
)
"""A condition on `memory m` and its `memory_file f`: an open task that waits for this file."""


def endings(path: str) -> list[str]:
    """Return the path and its ends from a whole name on, the longest first."""
    parts = [part for part in path.replace("\\", "/").split("/") if part not in ("", ".")]
    ends = ["/".join(parts[n:]) for n in range(len(parts))][-MOST_ENDINGS:]
    return list(dict.fromkeys([path, *ends]))


def about_files(
    connection: sqlite3.Connection, project: str, paths: Sequence[str], limit: int
) -> list[int]:
    """Return live memories of the project that name one of the files, the most important first.

    Of tasks only open ones that wait for this very file, before everything else.
    """
    ends = [end for path in paths for end in endings(path)]
    if not ends:
        return []
    matches = connection.execute(
        "SELECT DISTINCT m.num, m.importance, m.type = 'prospective' AS is_task"
        " FROM memory_file f CROSS JOIN memory m ON m.num = f.memory"
        f" WHERE f.path IN ({', '.join('?' * len(ends))})"
        " AND m.project IN (?, '') AND m.retired_at IS NULL"
        f" AND m.type != 'working' AND (m.type != 'prospective' OR {_AWAITED})"
        " ORDER BY is_task DESC, m.importance DESC, m.num DESC LIMIT ?",
        (*ends, project, limit),
    )
    return [num for num, *_ in matches]


FIX, WORKFLOW = "error-fix", "workflow"
"""Tags of memories with the fix of a failed command, and with the finished tasks of a list."""

MAX_FIXES = 500


def fixes(
    connection: sqlite3.Connection, command: str, project: str = "%"
) -> list[tuple[int, str]]:
    """Return (row number, failed command) of fixes that share a word with `command`, newest first.

    Of all projects by default. A fix begins with the command, in backticks.
    """
    rows = connection.execute(
        "SELECT m.num, substr(m.content, 2, instr(substr(m.content, 2), '`') - 1)"
        " FROM memory_tag t CROSS JOIN memory m ON m.num = t.memory"
        " WHERE t.tag = ? AND m.retired_at IS NULL AND ? IN ('%', m.project)"
        " AND m.content LIKE '`%`%' ORDER BY m.num DESC LIMIT ?",
        (FIX, project, MAX_FIXES),
    )
    words = set(command.split())
    return [(num, failed) for num, failed in rows if not words.isdisjoint(failed.split())]


def is_known(home: Home, paths: Sequence[str], command: str = "") -> bool:
    """Return True if a memory of any project names one of the files, or a fix for such a command.

    False without a readable store. Opens the database itself and nothing else, since this runs
    before every tool call.
    """
    if not os.path.isfile(home.database) or os.path.islink(home.database):
        return False
    ends = [end for path in paths for end in endings(path)]
    if not ends and not command:
        return False
    try:
        connection = sqlite3.connect(address_to_read(home.database), uri=True, timeout=0.2)
        try:
            if command:
                return bool(fixes(connection, command))
            text = f"SELECT 1 FROM memory_file WHERE path IN ({', '.join('?' * len(ends))}) LIMIT 1"
            row = connection.execute(text, ends).fetchone()
        finally:
            connection.close()
    except sqlite3.Error:
        return False
    return row is not None


def active_files(connection: sqlite3.Connection, session: str) -> list[str]:
    """Return the files that the session touched last, the last one first."""
    text = "SELECT files FROM session_activity WHERE session = ?"
    row = connection.execute(text, (session,)).fetchone()
    return _texts(row[0]) if row else []


def files_injected(connection: sqlite3.Connection, session: str, agent: str = "") -> set[str]:
    """Return the files about which memories were injected before a tool touched them.

    `agent` is the id of a subagent, which has a context of its own.
    """
    matches = connection.execute(
        "SELECT about FROM receipt WHERE session = ? AND event = 'PreToolUse'"
        " AND coalesce(source, '') = ?",
        (session, agent),
    )
    return {path for (about,) in matches for path in files_of(about)}


def files_of(about: object) -> list[str]:
    """Return the files that a receipt's `about` names, given as JSON or decoded."""
    if isinstance(about, str):
        try:
            about = loads(about)
        except ValueError:
            return []
    return _texts(about.get("files")) if isinstance(about, dict) else []


def _texts(matches: object) -> list[str]:
    if isinstance(matches, str):
        try:
            matches = loads(matches)
        except ValueError:
            return []
    return [item for item in matches if isinstance(item, str)] if isinstance(matches, list) else []
