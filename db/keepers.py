"""Applying a change: one keeper a kind of row, reading an image, writing one, taking it out.

The tables, and Peewee with them, are loaded for the first change.
"""

import math
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any

from . import index
from .errors import BadInput
from .images import BOOKKEEPING, JSON_COLUMNS, Image, dumps, hash_of, memories, rows, state_of

if TYPE_CHECKING:
    from peewee import Model

Written = tuple[Image | None, Image]  # the stored row, or None, and the new one


class TableKeeper:
    """Rows of one plain table, named by their primary key."""

    def __init__(self, model: "type[Model]") -> None:
        meta = model._meta
        self.table: str = meta.table_name
        self.columns: list[str] = list(meta.sorted_field_names)
        key: Any = meta.primary_key
        self.keys: list[str] = list(getattr(key, "field_names", ())) or [key.name]
        self.json = JSON_COLUMNS.intersection(self.columns)
        self.defaults: Image = meta.get_default_dict()
        self.where = " AND ".join(f'"{name}" = ?' for name in self.keys)
        self.listed = ", ".join(f'"{name}"' for name in self.columns)
        places = ", ".join("?" * len(self.columns))
        self.insert = f'INSERT OR REPLACE INTO "{self.table}" ({self.listed}) VALUES ({places})'

    def whole(self, image: Image) -> Image:
        """The image with the columns that the table has: an older entry may hold other ones."""
        return {name: image.get(name) for name in self.columns}

    def key_of(self, image: Image) -> str:
        return "|".join(str(image[name]) for name in self.keys)

    def parameters(self, image: Image) -> list[Any]:
        return self.values(image, self.columns)

    def values(self, image: Image, columns: Sequence[str]) -> list[Any]:
        """Return the image's values in the order of `columns`."""
        return [
            dumps(value) if (value := image.get(name)) is not None and name in self.json else value
            for name in columns
        ]

    def read(self, connection: sqlite3.Connection, key: str) -> Image | None:
        parts = key.split("|", len(self.keys) - 1)
        if len(parts) != len(self.keys):
            return None
        matches = rows(connection, f'SELECT * FROM "{self.table}" WHERE {self.where}', parts)
        return matches[0] if matches else None

    def read_many(self, connection: sqlite3.Connection, keys: Sequence[str]) -> dict[str, Image]:
        """By key the images of the rows there are; of a table with a key of one column."""
        [column] = self.keys
        matches = rows(
            connection,
            f'SELECT * FROM "{self.table}" WHERE "{column}" IN (SELECT value FROM json_each(?))',
            [dumps(list(keys))],
        )
        return {str(row[column]): row for row in matches}

    def write(
        self,
        connection: sqlite3.Connection,
        written: Sequence[Written],  # a plain row is replaced
        revision: int,  # noqa: ARG002  # and keeps no bookkeeping
    ) -> None:
        connection.executemany(self.insert, [self.parameters(after) for _, after in written])

    def remove(self, connection: sqlite3.Connection, before: Image) -> None:
        text = f'DELETE FROM "{self.table}" WHERE {self.where}'
        connection.execute(text, [before[name] for name in self.keys])


LISTS = (("memory_tag", "tag", "tags"), ("memory_file", "path", "files"))
"""Tables with a memory's lists, one value a row: table, column, name in the image."""


class MemoryKeeper:
    """A memory is one aggregate: row, details, tags, files and search index move together."""

    @cached_property
    def row(self) -> TableKeeper:
        return _keeper("memory")

    @cached_property
    def extra(self) -> TableKeeper:
        return _keeper("extra")

    @cached_property
    def details(self) -> dict[str, TableKeeper]:
        from .tables import DETAILS

        return {kind: TableKeeper(model) for kind, model in DETAILS.items()}

    @cached_property
    def columns(self) -> list[str]:
        """Return the keys of a memory's image, in order."""
        return [*(name for name in self.row.columns if name not in BOOKKEEPING), "details"]

    def whole(self, image: Image) -> Image:
        return {name: image.get(name) for name in self.columns}

    def key_of(self, image: Image) -> str:
        return str(image["id"])

    def read(self, connection: sqlite3.Connection, key: str) -> Image | None:
        matches = memories(connection, "id", [key])
        return matches[0] if matches else None

    def write(
        self, connection: sqlite3.Connection, written: Sequence[Written], revision: int
    ) -> None:
        # the index writes to its tables for every statement that may fail half-way, so it gets
        # all rows at once: row by row takes three times as long for many rows
        indexed = [(before, after) for before, after in written if _is_reindexed(before, after)]
        outdated = [before["num"] for before, _ in indexed if before is not None]
        index.remove(connection, outdated)
        _forget_vectors(connection, outdated)
        self._write_rows(connection, written, revision)
        for before, after in written:
            self._write_details(connection, before, after)
        self._write_lists(connection, written)
        index.add(connection, [after["num"] for _, after in indexed])

    def _write_rows(
        self, connection: sqlite3.Connection, written: Sequence[Written], revision: int
    ) -> None:
        updates: dict[tuple[str, ...], list[list[Any]]] = {}
        for before, after in written:
            retained: tuple[Any, ...] = (revision, hash_of(after))
            if is_new := _is_reindexed(before, after):  # else the index has the older words
                retained = (*retained, index.terms_of(after), index.parts_in(after))
            if before is None or before["num"] != after["num"]:
                full = {**after, **dict(zip(BOOKKEEPING, retained, strict=True))}
                connection.execute(self.row.insert, self.row.parameters(full))
                continue
            changed = [name for name, value in after.items() if before[name] != value]
            if "details" in changed:  # they have tables of their own
                changed.remove("details")
            values = [*self.row.values(after, changed), *retained, after["num"]]
            names = BOOKKEEPING if is_new else BOOKKEEPING[:2]
            updates.setdefault((*changed, *names), []).append(values)
        for columns, rows_of in updates.items():
            sets = ", ".join(f'"{name}" = ?' for name in columns)
            connection.executemany(f"UPDATE memory SET {sets} WHERE num = ?", rows_of)

    def _write_lists(self, connection: sqlite3.Connection, written: Sequence[Written]) -> None:
        for table, column, name in LISTS:
            gone, new = list[tuple[str, int]](), list[tuple[str, int]]()
            for before, after in written:
                old = before[name] if before is not None else []
                if old != after[name]:
                    num = after["num"]
                    gone += [(value, num) for value in old if value not in after[name]]
                    new += [(value, num) for value in after[name] if value not in old]
            self._remove_list(connection, table, column, gone)
            text = f"INSERT OR IGNORE INTO {table} ({column}, memory) VALUES (?, ?)"
            connection.executemany(text, new)

    def _write_details(
        self, connection: sqlite3.Connection, before: Image | None, after: Image
    ) -> None:
        if before is not None:
            if before["type"] == after["type"] and before["details"] == after["details"]:
                return
            if before["type"] != after["type"]:
                self._remove_details(connection, before)
        num = after["num"]
        if (keeper := self.details.get(after["type"])) and after["details"]:
            keeper.write(connection, [(None, {"memory": num, **after["details"]})], 0)
        if extra := self._extra_of(after):
            self.extra.write(connection, [(None, {"memory": num, "fields": extra})], 0)
        elif before is not None and self._extra_of(before):
            self.extra.remove(connection, {"memory": num})

    def reindex(self, connection: sqlite3.Connection, images: Sequence[Image]) -> int:
        """Index again those whose words another version made; return how many."""
        words = {each["num"]: (index.terms_of(each), index.parts_in(each)) for each in images}
        nums = [
            each["num"] for each in images if words[each["num"]] != (each["terms"], each["parts"])
        ]
        index.remove(connection, nums)
        values = [(*words[num], num) for num in nums]
        connection.executemany("UPDATE memory SET terms = ?, parts = ? WHERE num = ?", values)
        index.add(connection, nums)
        return len(nums)

    def remove(self, connection: sqlite3.Connection, before: Image) -> None:
        num = before["num"]
        index.remove(connection, [num])
        _forget_vectors(connection, [num])
        self._remove_details(connection, before)
        self.extra.remove(connection, {"memory": num})
        for table, column, name in LISTS:
            self._remove_list(connection, table, column, [(value, num) for value in before[name]])
        connection.execute("DELETE FROM memory WHERE num = ?", (num,))

    def _remove_list(
        self,
        connection: sqlite3.Connection,
        table: str,
        column: str,
        values: Iterable[tuple[str, int]],
    ) -> None:
        connection.executemany(f"DELETE FROM {table} WHERE {column} = ? AND memory = ?", values)

    def _extra_of(self, image: Image) -> Image:
        """Return the details of a memory for which its type has no column."""
        keeper = self.details.get(image["type"])
        columns = keeper.columns if keeper else ()
        return {name: value for name, value in image["details"].items() if name not in columns}

    def _remove_details(self, connection: sqlite3.Connection, before: Image) -> None:
        if before["type"] in self.details:
            connection.execute(f'DELETE FROM "{before["type"]}" WHERE memory = ?', (before["num"],))


def _forget_vectors(connection: sqlite3.Connection, nums: Sequence[int]) -> None:
    """Delete vectors of texts that change, retire or are erased."""
    sql = "DELETE FROM memory_vector WHERE memory = ?"
    connection.executemany(sql, [(num,) for num in nums])


def _is_reindexed(before: Image | None, after: Image) -> bool:
    """Return True if the change alters the search index."""
    return (
        before is None
        or before["num"] != after["num"]
        or any(before[name] != after[name] for name in index.COLUMNS[:5])
        or index.terms_of(before) != index.terms_of(after)
    )


def _keeper(name: str) -> TableKeeper:
    from .tables import table

    return TableKeeper(table(name))


MEMORY = MemoryKeeper()


@cache
def keepers() -> dict[str, TableKeeper | MemoryKeeper]:
    """Return the keeper of every kind of row that the journal carries, by its name there."""
    from .tables import PLAIN

    return {"memory": MEMORY, **{model._meta.table_name: TableKeeper(model) for model in PLAIN}}


def brief(record: dict[str, Any]) -> dict[str, Any]:
    """A record as the journal holds it: without fields that are null in a new memory, and of a
    changed one only the fields that differ, with the hash of the whole."""
    return {**record, "changes": [_brief(change) for change in record["changes"]]}


def _brief(change: dict[str, Any]) -> dict[str, Any]:
    before, after = change["before"], change["after"]
    if change["table"] != "memory" or after is None:
        return change
    if before is None:
        return {**change, "after": {name: it for name, it in after.items() if it is not None}}
    names = {name for name, value in after.items() if before[name] != value}
    if names & {"title", "content"}:
        names |= {"title", "content"}  # of which a title is made
    sides = (("before", before), ("after", after))
    some = {side: {name: image[name] for name in after if name in names} for side, image in sides}
    return {**change, **some, "hash": state_of(after)}


def current(changes: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The changes of an entry as the tables of this version hold them; with a `hash` some fields.

    Tables and columns of older versions are passed over.
    """
    for change in changes:
        if (keeper := keepers().get(change["table"])) is not None:
            before, after = (
                image
                if image is None or "hash" in change
                # an older version also listed pairs that were only near each other
                else None
                if image.get("band") == "near" and image["resolved_at"] is None
                else keeper.whole(image)
                for image in (change["before"], change["after"])
            )
            yield {**change, "before": before, "after": after}


def empty_details(kind: str) -> Image:
    """Return the fields of a type's own table with their defaults; None where there is none."""
    from .tables import DETAILS

    model = DETAILS[kind]
    return {
        name: (field.default() if callable(field.default) else field.default)
        for name, field in model._meta.fields.items()
        if name != "memory"
    }


def empty(connection: sqlite3.Connection) -> None:
    """Delete all rows that the journal can restore, and their views."""
    from .tables import JOURNALED, VIEWS

    for model in (*JOURNALED, *VIEWS):
        connection.execute(f'DELETE FROM "{model._meta.table_name}"')
    connection.execute("INSERT INTO memory_fts(memory_fts) VALUES('delete-all')")


def apply(connection: sqlite3.Connection, seq: int, changes: Sequence[dict[str, Any]]) -> None:
    """Set the rows as in entry `seq`, a table after the other."""
    by_table: dict[str, list[dict[str, Any]]] = {}
    for change in changes:
        by_table.setdefault(change["table"], []).append(change)
    for table, of_table in by_table.items():
        keeper = keepers()[table]
        for goes, run in groupby(of_table, lambda change: change["after"] is None):
            if goes:
                for change in run:
                    if change["before"] is not None:
                        keeper.remove(connection, change["before"])
            else:
                pairs = [(change["before"], change["after"]) for change in run]
                keeper.write(connection, pairs, seq)


LARGEST = 2**63 - 1  # the largest whole number that a row can hold
DEEPEST = 16  # lists and mappings inside each other that a field may hold


def plain(value: Any, depth: int = DEEPEST) -> Any:
    """`value` as JSON can hold it: texts, numbers, lists, mappings, up to `depth` of them deep.

    Raises BadInput.
    """
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, int) and -LARGEST <= value <= LARGEST:
        return int(value)
    if isinstance(value, float) and math.isfinite(value):
        return float(value)
    if isinstance(value, int | float):
        raise BadInput("A number is too large, or none at all.")
    if depth == 0:
        raise BadInput(f"Lists and mappings go {DEEPEST} levels deep at most.")
    if isinstance(value, list | tuple):
        return [plain(item, depth - 1) for item in value]
    if isinstance(value, Mapping):
        if not all(isinstance(key, str) for key in value):
            raise BadInput("The names in a mapping must be texts.")
        return {key: plain(item, depth - 1) for key, item in value.items()}
    raise BadInput(f"{type(value).__name__} cannot be kept: give texts, numbers, lists, mappings.")
