"""SQLite as the interpreter has it: `sqlite3` for what somebody waits for.

The library's own module brings `datetime`, to write and read dates that no table of ours has; a
hook pays a millisecond for that. Connections, rows and errors are the same objects.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3 as sqlite3
else:
    try:
        import _sqlite3 as sqlite3
    except ImportError:  # another interpreter than CPython
        import sqlite3 as sqlite3
