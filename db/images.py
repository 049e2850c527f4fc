"""Rows as plain dictionaries: what the journal stores and what leaves this package.

A memory's image is the whole of it: the shared columns, its tags and files, and the fields of
its type's own table under `details`. Standard library only: recall reads through here.
"""

import hashlib
import json
import sqlite3
from collections.abc import Sequence
from typing import Any

Image = dict[str, Any]

JSON_COLUMNS = frozenset(
    {
        "tags",
        "files",
        "context",
        "source_sessions",
        "related_concepts",
        "steps",
        "prerequisites",
        "success_conditions",
        "failure_patterns",
        "performance_metrics",
        "aliases",
        "dropped",
        "reasons",
        "synonyms",
        "value",
        "per_tier",
        "items",
        "left_out",
        "signals",
        "actions",
        "artifacts",
        "errors",
        "lessons",
        "learned",
        "limits",
        "about",
    }
)
"""Columns that hold JSON, by name, in every table."""

BOOKKEEPING = frozenset({"revision", "row_hash", "terms"})
"""Columns of `memory` that follow from the image and its journal entry."""

HEADLINE = 80
"""Characters of a title that is made of the text."""

CHUNK = 500  # SQLite's default limit is 999 parameters on old builds


def dumps(value: Any) -> str:
    """JSON as it is stored: compact, readable, keys in the order given."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def headline(title: str, content: str) -> str:
    """The memory's title: its own, else the first sentence of its text, cut at a word.

    A title that merely repeats the text is not stored: it follows the text instead.
    """
    if title:
        return title
    first = content.strip().partition("\n")[0][: 4 * HEADLINE]
    line = " ".join(first.partition(". ")[0].split()).rstrip(".")
    if len(line) > HEADLINE:
        line = line[: HEADLINE - 1].rsplit(" ", 1)[0].rstrip(" ,;:") + "…"
    return line


def headline_of(image: Image) -> str:
    """The title of a memory's image."""
    return headline(image["title"], image["content"])


def canonical(image: Image) -> str:
    """The one spelling of an image, for comparing and hashing."""
    return json.dumps(image, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def hash_of(image: Image) -> str:
    """What `row_hash` must be: the first 16 hex digits of the SHA-256 of the image."""
    return hashlib.sha256(canonical(image).encode("utf-8")).hexdigest()[:16]


def rows(connection: sqlite3.Connection, sql: str, parameters: Sequence[Any] = ()) -> list[Image]:
    """The result as dictionaries, JSON columns decoded."""
    cursor = connection.execute(sql, parameters)
    names = [column[0] for column in cursor.description]
    encoded = [name in JSON_COLUMNS for name in names]
    return [
        {
            name: _decoded(value) if is_json and value is not None else value
            for name, value, is_json in zip(names, row, encoded, strict=True)
        }
        for row in cursor.fetchall()
    ]


def _decoded(value: Any) -> Any:
    try:
        return json.loads(value)
    except (TypeError, ValueError):  # this package wrote JSON there, so the file was altered
        raise sqlite3.DatabaseError("malformed JSON in a column") from None


def marks(count: int) -> str:
    """`?,?,?`: placeholders for `count` parameters."""
    return ",".join("?" * count)


def detail_tables(connection: sqlite3.Connection) -> list[str]:
    """The types that have a table of their own in this store."""
    found = connection.execute(
        "SELECT DISTINCT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c"
        " WHERE m.type = 'table' AND c.name = 'memory' AND c.pk = 1 AND m.name NOT LIKE 'memory%'"
        " AND m.name NOT IN ('review', 'audit_memory')"
    )
    return [name for (name,) in found.fetchall()]


def memories(
    connection: sqlite3.Connection, column: str, values: Sequence[Any], *, full: bool = False
) -> list[Image]:
    """The images of the memories whose `column` ("num" or "id") is among `values`, in that order.

    With `full`, bookkeeping columns stay in. Values that name no memory are left out.
    """
    assert column in ("num", "id")
    found: dict[Any, Image] = {}
    for start in range(0, len(values), CHUNK):
        part = values[start : start + CHUNK]
        for image in rows(
            connection, f"SELECT * FROM memory WHERE {column} IN ({marks(len(part))})", part
        ):
            found[image[column]] = image
    by_type: dict[str, list[Image]] = {}
    for image in found.values():
        image["details"] = {}
        by_type.setdefault(image["type"], []).append(image)
    known = set(detail_tables(connection)) if found else set()
    for kind, images in by_type.items():
        if kind in known:
            _add_details(connection, kind, images)
    ordered = [found[value] for value in values if value in found]
    if not full:
        for image in ordered:
            for name in BOOKKEEPING:
                image.pop(name, None)
    return ordered


def _add_details(connection: sqlite3.Connection, kind: str, images: list[Image]) -> None:
    by_num = {image["num"]: image for image in images}
    nums = list(by_num)
    for start in range(0, len(nums), CHUNK):
        part = nums[start : start + CHUNK]
        for row in rows(
            connection, f'SELECT * FROM "{kind}" WHERE memory IN ({marks(len(part))})', part
        ):
            by_num[row.pop("memory")]["details"] = row


def shortest_prefix(connection: sqlite3.Connection, memory_id: str, least: int = 7) -> str:
    """The shortest prefix of `memory_id`, at least `least` long, that names no other memory."""
    needed = least
    for comparison, order in (("<", "DESC"), (">", "ASC")):
        neighbour = connection.execute(
            f"SELECT id FROM memory WHERE id {comparison} ? ORDER BY id {order} LIMIT 1",
            (memory_id,),
        ).fetchone()
        if neighbour:
            shared = 0
            for ours, theirs in zip(memory_id, neighbour[0], strict=False):
                if ours != theirs:
                    break
                shared += 1
            needed = max(needed, shared + 1)
    return memory_id[:needed]
