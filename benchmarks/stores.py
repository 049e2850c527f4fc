"""Stores of a given size, made once per run through the import that users have."""

import os
import tempfile
import time
from pathlib import Path

from memdeck import open_memory

from .texts import memories

_FOLDER = tempfile.TemporaryDirectory(prefix="memdeck-bench-")


def store_of(count: int) -> Path:
    """The home of a store with `count` memories in the project "bench"."""
    home = Path(_FOLDER.name) / f"home-{count}"
    if not home.exists():
        started = time.perf_counter()
        with open_memory(home, "bench") as memory:
            memory.import_memories(memories(count))
        print(f"  imported {count:,} memories in {time.perf_counter() - started:.1f} s")
    return home


def database_bytes(home: Path) -> int:
    """Bytes of the database with its log folded in."""
    with open_memory(home, "bench"):
        pass  # closing the last connection folds the log into the file
    return sum(
        os.stat(home / name).st_size
        for name in ("memory.db", "memory.db-wal")
        if (home / name).exists()
    )
