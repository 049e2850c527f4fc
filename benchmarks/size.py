"""Bytes on disk. Target: at most 10 MB of database per 10,000 memories (001-17)."""

import os
from pathlib import Path

from . import report, stores

SIZES = (1_000, 10_000, 100_000)


def run() -> None:
    """Weigh database and journal."""
    rows, figures = [], {}
    for size in SIZES:
        home = stores.store_of(size)
        database = stores.database_bytes(home)
        journal = sum(os.stat(path).st_size for path in Path(home, "journal").iterdir())
        per_ten_thousand = database / size * 10_000 / 1e6
        rows.append(
            (
                f"{size:,}",
                f"{database / 1e6:.1f}",
                f"{per_ten_thousand:.2f}",
                f"{journal / 1e6:.1f}",
            )
        )
        figures[str(size)] = {
            "database_bytes": database,
            "journal_bytes": journal,
            "mb_per_10000": per_ten_thousand,
        }
    report.table("Size", ("memories", "database MB", "MB per 10,000", "journal MB"), rows)
    report.save("size", figures)
