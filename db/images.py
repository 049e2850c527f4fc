"""Rows as plain dictionaries, as the journal stores them and this package returns them; their JSON.

A memory's image is the whole of it: the shared columns, its tags and files, and the fields of
its type's own table under `details`. SQL runs by a function for each kind of answer: values are
bound, by position or by name, and a list as JSON, for `IN (SELECT value FROM json_each(?))`, so
that SQLite's statement is used again. Standard library only: recall reads through here, and each
hook. `json` brings `re` and `enum`, a third of the time of a note. The C code
behind it needs neither; an interpreter without that gets the package itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Mapping
    from typing import Any

    from .connection import Database

Image = dict[str, "Any"]

_scan: Callable[[str, int], tuple[Any, int]] | None
_CONSTANTS = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}
_SPACE = " \t\n\r"


class _Form:
    """The attributes that the scanner reads: the defaults of `json.loads`."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = _CONSTANTS.__getitem__


def _refuse(value: object) -> Any:
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


try:
    from _json import encode_basestring, encode_basestring_ascii, make_encoder, make_scanner

    _scan = make_scanner(_Form)  # type: ignore[arg-type]
    _write_spaced = make_encoder(
        None, _refuse, encode_basestring_ascii, None, ": ", ", ", False, False, True
    )
    _write_tight = make_encoder(
        None, _refuse, encode_basestring_ascii, None, ":", ",", False, False, True
    )
    _write_plain = make_encoder(
        None, _refuse, encode_basestring, None, ":", ",", False, False, True
    )
    _write_sorted = make_encoder(
        None, _refuse, encode_basestring, None, ":", ",", True, False, True
    )
except (ImportError, TypeError, AttributeError):  # another interpreter, or another time
    _scan = None


def loads(text: str | bytes) -> Any:
    """Return the value in `text`. Raises ValueError without JSON, RecursionError if too deep."""
    if _scan is None:
        import json

        return json.loads(text)
    if isinstance(text, bytes):
        text = text.decode("utf-8")
    start = len(text) - len(text.lstrip(_SPACE))
    try:
        value, end = _scan(text, start)
    except (StopIteration, SystemError):  # the latter where it cannot load its own error
        raise ValueError("no JSON") from None
    if text[end:].strip(_SPACE):
        raise ValueError("more than one JSON value")
    return value


def dumps_ascii(value: object, *, is_tight: bool = False) -> str:
    """`value` as JSON in ASCII on one line; tight without a space after commas and colons.

    Raises TypeError for a value without a JSON form, RecursionError for one that holds itself.
    """
    if _scan is None:
        import json

        return json.dumps(value, separators=(",", ":") if is_tight else None)
    return "".join((_write_tight if is_tight else _write_spaced)(value, 0))


def dumps(value: object, *, is_sorted: bool = False) -> str:
    """`value` as tight JSON on one line, other letters as they are; keys as given, or sorted.

    The result of `json.dumps`, without making its encoder each time, which is most of the work for
    a small row. Raises as `dumps_ascii`.
    """
    if _scan is None:
        import json

        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=is_sorted)
    return "".join((_write_sorted if is_sorted else _write_plain)(value, 0))


EARLIEST_MS, LATEST_MS = -62_135_596_800_000, 253_402_300_799_999
"""The first and the last millisecond of the years 1 to 9999, the range of `datetime`."""

JSON_COLUMNS = frozenset(
    """tags files context source_sessions related_concepts steps prerequisites success_conditions
    failure_patterns performance_metrics aliases dropped reasons synonyms value per_tier items
    left_out signals actions artifacts errors lessons learned limits about fields""".split()
)
"""Columns that hold JSON, by name, in every table."""

EXTRA = "extra"
"""The table of callers' own fields of a memory; in an image they are among the `details`."""

BOOKKEEPING = ("revision", "row_hash", "terms", "parts")
"""Columns of `memory` that follow from the image and its journal entry."""

TABLED = frozenset({"episodic", "semantic", "prospective", "procedural", "working"})
"""The types whose own table every store has; those of other packages are searched for."""

HEADLINE = 80  # characters of a title that is made of the text

SHORTEST = 8
"""Characters before the end of its first sentence: "1. Build it" and "Dr. Meyer says" go on."""

CHUNK = 500  # SQLite's default limit is 999 parameters on old builds


def headline(title: str, content: str) -> str:
    """Return the memory's title: its own, else the first sentence of its text, cut at a word of it.

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
    return headline(image["title"], image["content"])


def canonical(image: Image) -> str:
    """Return the one spelling of an image, for comparing and hashing."""
    return dumps(image, is_sorted=True)


def hash_of(image: Image) -> str:
    """Return the correct `row_hash`: the first 16 hex digits of the SHA-256 of the image."""
    import hashlib  # who only reads does without

    return hashlib.sha256(canonical(image).encode("utf-8")).hexdigest()[:16]


def state_of(image: Image) -> str:
    """Return the same for an image that may not be stored yet: 1, 1.0 and True are one number."""
    return hash_of(_even(image))


def _even(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _even(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_even(item) for item in value]
    return int(value) if isinstance(value, float | bool) and value == int(value) else value


def rows(connection: sqlite3.Connection, sql: str, parameters: Sequence[Any] = ()) -> list[Image]:
    """Return the result as dictionaries, JSON columns decoded."""
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
    """Return the value of a JSON column. Raises sqlite3.DatabaseError."""
    if value is None:
        return None
    try:
        return loads(value)
    except (TypeError, ValueError):  # this package wrote JSON there, so the file was altered
        import sqlite3

        raise sqlite3.DatabaseError("malformed JSON in a column") from None


def marks(count: int) -> str:
    """`?,?,?`: placeholders for `count` parameters."""
    return ",".join("?" * count)


def detail_tables(connection: sqlite3.Connection, types: Iterable[str] | None = None) -> list[str]:
    """Return the types, of `types` or of all, that have a table of their own here; also `EXTRA`."""
    among = "" if types is None else " AND m.name IN (SELECT value FROM json_each(?))"
    matches = connection.execute(
        "SELECT DISTINCT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c"
        " WHERE m.type = 'table' AND c.name = 'memory' AND c.pk = 1 AND m.name NOT LIKE 'memory%'"
        f" AND m.name NOT IN ('review', 'audit_memory'){among}",
        () if types is None else (dumps(list(types)),),
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
    """Yield each of `images` that has a row in a table with one row a memory, and that row."""
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
        (dumps(ids),),
    )
    return {
        memory: memory[: max(least, _shared(memory, before) + 1, _shared(memory, after) + 1)]
        for memory, before, after in matches
    }


def _shared(first: str, other: str | None) -> int:
    count = 0
    for ours, theirs in zip(first, other or "", strict=False):
        if ours != theirs:
            break
        count += 1
    return count


# --- running SQL


def execute(database: Database, sql: str, *values: Any, **named: Any) -> sqlite3.Cursor:
    """Run a statement in the caller's transaction."""
    bound: Any = {name: _stored(value) for name, value in named.items()} or _bound(values)
    connection: sqlite3.Connection = database.connection()
    return connection.execute(sql, bound)


def each(database: Database, sql: str, many: Iterable[Sequence[Any]]) -> None:
    """Run a statement once for each of `many`."""
    database.connection().executemany(sql, map(_bound, many))


def listing(database: Database, sql: str, *values: Any, **named: Any) -> list[Any]:
    """Return rows as mappings, JSON columns decoded."""
    bound: Any = {name: _stored(value) for name, value in named.items()} or _bound(values)
    return rows(database.connection(), sql, bound)


def first(database: Database, sql: str, *values: Any) -> Image | None:
    """Return the first row as a mapping; None without one."""
    return next(iter(listing(database, sql, *values)), None)


def tuples(database: Database, sql: str, *values: Any) -> list[Any]:
    return execute(database, sql, *values).fetchall()


def column(database: Database, sql: str, *values: Any) -> list[Any]:
    """Return the values of the only column."""
    return [value for (value,) in execute(database, sql, *values)]


def value(database: Database, sql: str, *values: Any) -> Any:
    """Return the first value of the first row; None without one."""
    row = execute(database, sql, *values).fetchone()
    return None if row is None else row[0]


def insert(database: Database, name: str, row: Mapping[str, Any], action: str = "") -> int:
    """Add a row to the table `name`; its row number. Columns that it lacks get their defaults.

    `action`: IGNORE or REPLACE a row that is there.
    """
    from .tables import table

    model = table(name)
    whole = {**model._meta.get_default_dict(), **row}
    names = ", ".join(f'"{name}"' for name in whole)
    marks = ", ".join("?" * len(whole))
    verb = f"INSERT OR {action}" if action else "INSERT"
    sql = f'{verb} INTO "{name}" ({names}) VALUES ({marks})'
    return execute(database, sql, *whole.values()).lastrowid or 0


def _bound(values: Iterable[Any]) -> list[Any]:
    return [_stored(value) for value in values]


def _stored(value: Any) -> Any:
    if value is None or isinstance(value, str | int | float | bytes):
        return value
    return dumps(value if isinstance(value, dict) else list(value))
