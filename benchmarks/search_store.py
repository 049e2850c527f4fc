"""A store of up to a million memories in minutes: rows as an import leaves them, no journal.

An import redacts each text and journals it, which a benchmark of searching does not need. The rows
are those of the store's own keeper, and the index is made by the store's own rebuild.
"""

import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memdeck import MemoryCoordinator
from memdeck.core.projects import identify
from memdeck.db import index
from memdeck.db.home import Home
from memdeck.db.keepers import LISTS, MEMORY
from memdeck.db.store import Store

from .search_set import NEWEST_MS, SHARES, START_MS, Notes, project_name

_FOLDER = tempfile.TemporaryDirectory(prefix="memdeck-bench-")


def clock() -> datetime:
    """The time at which the benchmark asks: a day after the newest note."""
    return datetime.fromtimestamp(NEWEST_MS / 1000 + 86_400, UTC)


def folder_of(home: Path, place: int) -> Path:
    """Return the folder of a project by its index in `SHARES`: hooks know projects by folder."""
    return home.parent / "projects" / project_name(place)


def store_of(count: int, shares: Sequence[int] = SHARES) -> Path:
    """The home of a store with `count` notes over the projects of `shares`.

    Made once per run; below `MEMDECK_BENCH_STORES`, when that is set, once and for all.
    """
    home = Path(os.environ.get("MEMDECK_BENCH_STORES") or _FOLDER.name) / f"notes-{count}"
    home = home if shares == SHARES else home.with_name(f"{home.name}-{len(shares)}")
    if not (home / "complete").exists():
        started = time.perf_counter()
        for place in range(len(shares)):
            folder_of(home, place).mkdir(parents=True, exist_ok=True)
            with MemoryCoordinator.open(home, folder_of(home, place), clock=clock) as core:
                core.remember(f"This is {project_name(place)}.")
        _fill(home, Notes(count, shares=shares))
        (home / "complete").touch()
        print(f"  made a store of {count:,} in {time.perf_counter() - started:.0f} s", flush=True)
    return home


def _fill(home: Path, notes: Notes) -> None:
    store = Store(Home(home))
    with closing(store):
        connection = store.connection
        template = MEMORY.read(connection, _any_id(connection)) or {}
        connection.execute("BEGIN")
        connection.executemany(MEMORY.row.insert, _rows(home, notes, template))
        for table, column, name in LISTS:
            connection.executemany(
                f"INSERT OR IGNORE INTO {table} ({column}, memory) VALUES (?, ?)",
                (
                    (value, _num(number))
                    for number, note in enumerate(notes)
                    for value in note[name]
                ),
            )
        connection.execute("INSERT INTO memory_fts(memory_fts) VALUES('rebuild')")
        connection.execute("COMMIT")


def _rows(home: Path, notes: Notes, template: dict[str, Any]) -> Iterator[list[Any]]:
    ids = [identify(str(folder_of(home, place))).id for place in range(len(notes.shares))]
    for number, note in enumerate(notes):
        made = START_MS + (NEWEST_MS - START_MS) * number // notes.count
        image = {
            **template,
            **note,
            "project": ids[note["project"]],
            "num": _num(number),
            "id": f"{number:016x}",
            "fingerprint": f"{number:016x}",
            "created_at": made,
            "updated_at": made,
            "revision": 1,
            "row_hash": "",
        }
        yield MEMORY.row.parameters(
            {**image, "terms": index.terms_of(image), "parts": index.parts_in(image)}
        )


def _num(number: int) -> int:
    """A row number as five hundred memories a journal entry would give."""
    return (1_000 + number // 500) * 1024 + number % 500 + 1


def _any_id(connection: Any) -> str:
    return str(connection.execute("SELECT id FROM memory LIMIT 1").fetchone()[0])
