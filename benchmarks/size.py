"""Bytes on disk. Target: at most 10 MB of database per 10,000 memories."""

import os
from pathlib import Path

from . import report, stores

SIZES = (1_000, 10_000, 100_000)


def run() -> None:
    """Weigh database and journal."""
    figures = {}
    for size in SIZES:
        home = stores.store_of(size)
        database = stores.database_bytes(home)
        journal = sum(os.stat(path).st_size for path in Path(home, "journal").iterdir())
        figures[f"{size:,}"] = {
            "database_mb": database / 1e6,
            "journal_mb": journal / 1e6,
            "mb_per_10000": database / size * 10_000 / 1e6,
        }
    header = ("memories", "database MB", "journal MB", "MB per 10,000")
    report.table_of("Size", header, figures)
    report.save("size", figures)
