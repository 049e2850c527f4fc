"""Every row of a store with the texts it holds, for looking through and for rewriting.

Tables are found by their models: one that is added is swept without a word here.
"""

import contextlib
import sqlite3
from collections.abc import Iterator, Sequence

from .connection import Database, begin_immediate
from .derived import DERIVED
from .errors import StoreDamaged
from .home import Home
from .images import CHUNK, Image, memories, rows
from .journal import Found, segment_path
from .keepers import KEEPERS, MEMORY, TableKeeper

_DERIVED = {model._meta.table_name: TableKeeper(model) for model in DERIVED}


def journaled_rows(database: Database) -> Iterator[tuple[str, str, Image]]:
    """(table, key, image) of every row that the journal brings back, retired ones too."""
    connection = database.connection()
    for table, keeper in KEEPERS.items():
        if keeper is MEMORY:
            nums = [num for (num,) in connection.execute("SELECT num FROM memory ORDER BY num")]
            for image in _memories(connection, nums):
                yield table, image["id"], image
            continue
        for row in rows(connection, f'SELECT * FROM "{table}"'):
            key = keeper.key_of(row)
            if (found := keeper.read(connection, key)) is not None:
                yield table, key, found


def _memories(connection: sqlite3.Connection, nums: Sequence[int]) -> Iterator[Image]:
    for start in range(0, len(nums), CHUNK):
        yield from memories(connection, "num", nums[start : start + CHUNK])


def derived_rows(database: Database) -> Iterator[tuple[str, str, Image]]:
    """(table, key, row) of the counters and records that the journal does not bring back."""
    connection = database.connection()
    for table, keeper in _DERIVED.items():
        for row in rows(connection, f'SELECT * FROM "{table}"'):
            yield table, keeper.key_of(row), row


def rewrite_derived(database: Database, changed: Sequence[tuple[str, Image, Image]]) -> None:
    """Put other rows, (table, before, after), into the place of those there are."""
    connection = database.connection()
    with begin_immediate(database):
        for table, before, after in changed:
            keeper = _DERIVED[table]
            keeper.remove(connection, before)
            keeper.write(connection, [(before, after)], 0)


def line_of(home: Home, found: Found) -> str:
    """What stands in a line of the journal that is no record."""
    with open(segment_path(home, found.segment), "rb") as file:
        file.seek(found.start)
        return file.read(found.end - found.start).decode("utf-8", "replace")


def rows_of_file(path: str) -> Iterator[tuple[str, Image]]:
    """(table, row) of every text in another database file, a backup; nothing in it is changed.

    Raises StoreDamaged for a file that cannot be read.
    """
    quoted = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    uri = f"file:{quoted}?mode=ro&immutable=1"
    try:
        with contextlib.closing(sqlite3.connect(uri, uri=True)) as connection:
            tables = connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
                " AND name NOT LIKE 'memory_fts%'"
            ).fetchall()
            for (table,) in tables:
                for row in rows(connection, f'SELECT * FROM "{table}"'):
                    yield table, row
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise StoreDamaged(f"{path} cannot be read.") from error
