"""Rows as plain dictionaries: what the journal stores and what leaves this package.

A memory's image is the whole of it: the shared columns, its tags and files, and the fields of
its type's own table under `details`. Standard library only: recall reads through here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from . import quick_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3 as sqlite3
    from typing import Any
else:
    try:  # the library's own module brings `datetime`, and a hook pays a millisecond for that
        import _sqlite3 as sqlite3
    except ImportError:  # another interpreter than CPython
        import sqlite3 as sqlite3

Image = dict[str, "Any"]

EARLIEST_MS, LATEST_MS = -62_135_596_800_000, 253_402_300_799_999
"""The first and the last millisecond of the years 1 to 9999, which is what a calendar has."""

JSON_COLUMNS = frozenset(
    """tags files context source_sessions related_concepts steps prerequisites success_conditions
    failure_patterns performance_metrics aliases dropped reasons synonyms value per_tier items
    left_out signals actions artifacts errors lessons learned limits about fields""".split()
)
"""Columns that hold JSON, by name, in every table."""

EXTRA = "extra"
"""The table of what callers keep with a memory; in an image it stands among the `details`."""

PRIVACY_UNTIL = (
    "(SELECT json_extract(e.fields, '$.privacy_until') FROM extra e WHERE e.memory = m.num)"
)
"""When the privacy of `memory m` ends, in milliseconds; NULL where it does not."""

BOOKKEEPING = ("revision", "row_hash", "terms", "parts")
"""Columns of `memory` that follow from the image and its journal entry."""

TABLED = frozenset({"episodic", "semantic", "prospective", "procedural", "working"})
"""The types whose own table every store has; those of other packages are looked for."""

HEADLINE = 80
"""Characters of a title that is made of the text."""

SHORTEST = 8
"""Characters before the end of its first sentence: "1. Build it" and "Dr. Meyer says" go on."""

CHUNK = 500  # SQLite's default limit is 999 parameters on old builds


def dumps(value: Any) -> str:
    """JSON as it is stored: compact, readable, keys in the order given."""
    return quick_json.dumps_plain(value)


def headline(title: str, content: str) -> str:
    """The memory's title: its own, else the first sentence of its text, cut at a word of it.

    A title that merely repeats the text is not stored: it follows the text instead.
    """
    if title:
        return title
    first = content.strip().partition("\n")[0][: 4 * HEADLINE]
    end = first.find(". ", SHORTEST)
    line = " ".join(first[: end if end > 0 else None].split())
    line = line.rstrip(".") or line
    if len(line) > HEADLINE:
        head = line[: HEADLINE - 1]
        space = head.rfind(" ", HEADLINE // 2)  # not before a long address
        line = head[: space if space > 0 else None].rstrip(" ,;:") + "…"
    return line


def headline_of(image: Image) -> str:
    """The title of a memory's image."""
    return headline(image["title"], image["content"])


def canonical(image: Image) -> str:
    """The one spelling of an image, for comparing and hashing."""
    return quick_json.dumps_plain(image, is_sorted=True)


def hash_of(image: Image) -> str:
    """What `row_hash` must be: the first 16 hex digits of the SHA-256 of the image."""
    import hashlib  # who only reads does without

    return hashlib.sha256(canonical(image).encode("utf-8")).hexdigest()[:16]


def rows(connection: sqlite3.Connection, sql: str, parameters: Sequence[Any] = ()) -> list[Image]:
    """The result as dictionaries, JSON columns decoded."""
    cursor = connection.execute(sql, parameters)
    names = [column[0] for column in cursor.description]
    encoded = [name for name in names if name in JSON_COLUMNS]
    matches = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    for name in encoded:
        for row in matches:
            value = row[name]
            row[name] = [] if value == "[]" else decoded(value)  # most lists are empty
    return matches


def decoded(value: Any) -> Any:
    """What a column of JSON holds. Raises sqlite3.DatabaseError."""
    if value is None:
        return None
    try:
        return quick_json.loads(value)
    except (TypeError, ValueError):  # this package wrote JSON there, so the file was altered
        raise sqlite3.DatabaseError("malformed JSON in a column") from None


def marks(count: int) -> str:
    """`?,?,?`: placeholders for `count` parameters."""
    return ",".join("?" * count)


def detail_tables(connection: sqlite3.Connection, types: Iterable[str] | None = None) -> list[str]:
    """The types, of `types` or of all, that have a table of their own here; also `EXTRA`."""
    among = "" if types is None else " AND m.name IN (SELECT value FROM json_each(?))"
    matches = connection.execute(
        "SELECT DISTINCT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c"
        " WHERE m.type = 'table' AND c.name = 'memory' AND c.pk = 1 AND m.name NOT LIKE 'memory%'"
        f" AND m.name NOT IN ('review', 'audit_memory'){among}",
        () if types is None else (quick_json.dumps(list(types)),),
    )
    return [name for (name,) in matches.fetchall()]


def memories(
    connection: sqlite3.Connection, column: str, values: Sequence[Any], *, full: bool = False
) -> list[Image]:
    """The images of the memories whose `column` ("num" or "id") is among `values`, in that order.

    With `full`, bookkeeping columns stay in. Values that name no memory are left out.
    """
    assert column in ("num", "id")
    matches: dict[Any, Image] = {}
    for start in range(0, len(values), CHUNK):
        part = values[start : start + CHUNK]
        for image in rows(
            connection, f"SELECT * FROM memory WHERE {column} IN ({marks(len(part))})", part
        ):
            matches[image[column]] = image
    by_type: dict[str, list[Image]] = {}
    for image in matches.values():
        image["details"] = {}
        by_type.setdefault(image["type"], []).append(image)
    others = by_type.keys() - TABLED
    tables = TABLED.union(detail_tables(connection, others) if others else ())
    for kind, images in by_type.items():
        if kind in tables:
            for image, row in _beside(connection, kind, images):
                image["details"] = row
    if matches:
        for image, row in _beside(connection, EXTRA, matches.values()):
            image["details"] |= row["fields"]
    ordered = [matches[value] for value in values if value in matches]
    if not full:
        for image in ordered:
            for name in BOOKKEEPING:
                image.pop(name, None)
    return ordered


def _beside(
    connection: sqlite3.Connection, table: str, images: Iterable[Image]
) -> Iterator[tuple[Image, Image]]:
    """Each of `images` that has a row in a table with one row a memory, and that row."""
    by_num = {image["num"]: image for image in images}
    nums = list(by_num)
    for start in range(0, len(nums), CHUNK):
        part = nums[start : start + CHUNK]
        for row in rows(
            connection, f'SELECT * FROM "{table}" WHERE memory IN ({marks(len(part))})', part
        ):
            yield by_num[row.pop("memory")], row


def short_ids(connection: sqlite3.Connection, ids: Sequence[str], least: int = 7) -> dict[str, str]:
    """By id its shortest prefix, at least `least` long, that names no other memory."""
    matches = connection.execute(
        "SELECT value, (SELECT id FROM memory WHERE id < value ORDER BY id DESC LIMIT 1),"
        " (SELECT id FROM memory WHERE id > value ORDER BY id LIMIT 1) FROM json_each(?)",
        (quick_json.dumps(ids),),
    )
    return {
        memory: memory[: max(least, _shared(memory, before) + 1, _shared(memory, after) + 1)]
        for memory, before, after in matches
    }


def _shared(first: str, other: str | None) -> int:
    """How many characters both begin with."""
    count = 0
    for ours, theirs in zip(first, other or "", strict=False):
        if ours != theirs:
            break
        count += 1
    return count
