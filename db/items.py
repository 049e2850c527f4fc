"""Items of context in a table of their own, in SQLite or PostgreSQL."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import peewee

from .connection import mapped_errors
from .errors import StoreUnusable
from .home import create_private

COLUMNS = ("id", "kind", "source", "timestamp", "tags", "importance", "token_cost", "payload")
"""Columns of a row; `tags` and `payload` are JSON."""


class ItemTable:
    """Rows with the names of `COLUMNS`, by id. Each thread has a connection of its own."""

    def __init__(self, database: peewee.Database) -> None:
        """Make the table unless it is there. Raises StoreUnusable."""

        class Item(peewee.Model):
            id = peewee.TextField(primary_key=True)
            kind = peewee.TextField(index=True)
            source = peewee.TextField(index=True)
            timestamp = peewee.TextField(index=True)
            tags = peewee.TextField()
            importance = peewee.DoubleField(null=True)
            token_cost = peewee.IntegerField(null=True)
            payload = peewee.TextField()

            class Meta:
                table_name = "context_item"

        Item.bind(database)
        self._database, self._item = database, Item
        with errors():
            database.create_tables([Item])

    def put(self, row: Mapping[str, Any]) -> None:
        """Write a row, in place of the one with its id."""
        stored = {**row, "tags": json.dumps(row["tags"]), "payload": json.dumps(row["payload"])}
        others = {name: value for name, value in stored.items() if name != "id"}
        with errors():
            self._item.insert(stored).on_conflict(
                conflict_target=[self._item.id], update=others
            ).execute()

    def rows(self, **equal: str) -> list[dict[str, Any]]:
        """Return the rows whose columns have these values, in no order."""
        query = self._item.select()
        for name, value in equal.items():
            query = query.where(getattr(self._item, name) == value)
        with errors():
            rows: list[dict[str, Any]] = list(query.dicts())
        return [
            {**row, "tags": json.loads(row["tags"]), "payload": json.loads(row["payload"])}
            for row in rows
        ]

    def delete(self, id: str | None = None) -> int:
        """Delete one row, or all; return how many."""
        query = self._item.delete()
        with errors():
            return int((query if id is None else query.where(self._item.id == id)).execute())

    def count(self) -> int:
        with errors():
            return int(self._item.select().count())

    def close(self) -> None:
        """Close the connection of this thread."""
        self._database.close()


@contextmanager
def errors() -> Iterator[None]:
    """Turn the database's errors into ours."""
    try:
        with mapped_errors():
            yield
    except peewee.ImproperlyConfigured as error:
        raise StoreUnusable(
            "PostgreSQL needs a driver.", hint="Install it: `pip install 'memdeck[postgres]'`."
        ) from error
    except peewee.PeeweeException as error:
        raise StoreUnusable(f"The store of items cannot be used: {error}".strip()) from error


def sqlite_items(path: str) -> ItemTable:
    """The items in a SQLite file, which is made 0600. Raises StoreUnusable."""
    create_private(path)
    return ItemTable(peewee.SqliteDatabase(path, pragmas={"journal_mode": "wal"}, timeout=30))


def postgres_items(url: str) -> ItemTable:
    """The items in a PostgreSQL database, by a URL or `key=value` pairs. Raises StoreUnusable."""
    return ItemTable(peewee.PostgresqlDatabase(url, prefer_psycopg3=True))
