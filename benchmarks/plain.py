"""The plain engine that others are measured against: an FTS5 table, any of the words, BM25."""

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from typing import Any


def plain_table(
    memories: Iterable[Mapping[str, Any]], shown: int = 10
) -> Callable[[str], list[str]]:
    """A question in, the keys of the first answers out; one table, in memory, porter stems."""
    table = sqlite3.connect(":memory:")
    table.execute("CREATE VIRTUAL TABLE t USING fts5(key UNINDEXED, body, tokenize='porter')")
    table.executemany(
        "INSERT INTO t VALUES (?, ?)",
        (
            (one["key"], " ".join((one["content"], *one.get("tags", ()), *one.get("files", ()))))
            for one in memories
        ),
    )

    def search(question: str) -> list[str]:
        words = ['"' + word.replace('"', '""') + '"' for word in question.split()]
        usable = [word for word in words if any(sign.isalnum() for sign in word)]
        found = table.execute(
            "SELECT key FROM t WHERE t MATCH ? ORDER BY bm25(t) LIMIT ?",
            (" OR ".join(usable), shown),
        )
        return [key for (key,) in found]

    return search
