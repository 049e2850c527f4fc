"""Items of context in a table of their own, in SQLite or PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import peewee

from .connection import map_error, mapped_errors
from .errors import StoreUnusable
from .home import create_private


class ItemTable:
    """Texts by id. Each thread has a connection of its own."""

    def __init__(self, database: peewee.Database) -> None:
        """Make the table unless it is there. Raises StoreUnusable."""

        class Item(peewee.Model):
            id = peewee.TextField(primary_key=True)
            text: Any = peewee.TextField()

            class Meta:
                table_name = "context_item"

        Item.bind(database)
        self._database, self._item = database, Item
        with errors():
            database.create_tables([Item])

    def put(self, id: str, text: str) -> None:
        """Write a text, in place of the one with its id."""
        with errors():
            self._item.insert(id=id, text=text).on_conflict(
                conflict_target=[self._item.id], update={"text": text}
            ).execute()

    def texts(self, id: str | None = None) -> list[str]:
        """Return the text of an id, or all, in no order."""
        query: Any = self._item.select(self._item.text)
        with errors():
            rows = (query if id is None else query.where(self._item.id == id)).tuples()
            return [str(row[0]) for row in list(rows)]

    def delete(self, id: str | None = None) -> int:
        """Delete one, or all; return how many."""
        query = self._item.delete()
        with errors():
            return int((query if id is None else query.where(self._item.id == id)).execute())

    def close(self) -> None:
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
        unusable = StoreUnusable(f"The store of items cannot be used: {error}".strip())
        raise map_error(error) or unusable from error


def sqlite_items(path: str) -> ItemTable:
    """Return the items in a SQLite file, which is made 0600. Raises StoreUnusable."""
    create_private(path)
    return ItemTable(peewee.SqliteDatabase(path, pragmas={"journal_mode": "wal"}, timeout=30))


def postgres_items(url: str) -> ItemTable:
    """The items in a PostgreSQL database, by a URL or `key=value` pairs. Raises StoreUnusable."""
    return ItemTable(peewee.PostgresqlDatabase(url, prefer_psycopg3=True))
