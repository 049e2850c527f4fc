"""Queries with a name: Peewee makes each text once, values are bound whenever it runs.

    @listing(Checkpoint)
    def checkpoints(session: str) -> Query:
        return CheckpointRow.select().where(CheckpointRow.session == session)

    checkpoints(database, "s1")  # a list of Checkpoint, plain mappings

Peewee takes 0.3 ms to make a text and SQLite a hundredth of that to answer it, so a text is kept.
What is given by position is a value. What is given by keyword is one too, unless it is None or a
bool: that shapes the text. Constants stand in the text itself, where a partial index knows them.
"""

import functools
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, ParamSpec, TypeVar

import peewee

from .connection import Database
from .images import dumps, rows

P = ParamSpec("P")
Answer = TypeVar("Answer")
Row = TypeVar("Row")
Query = Any
"""A query of Peewee, which publishes no types."""

Build = Callable[P, Query]
_Ask = Callable[[sqlite3.Connection, str, Sequence[Any]], Answer]

_GRAMMAR = peewee.SqliteDatabase(None)


class _Parameter(peewee.ColumnBase):
    """The place of a value in a text."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __sql__(self, ctx: Any) -> Any:
        ctx._values.append(self)
        return ctx.literal("?")


class Named(Generic[P, Answer]):
    """One query: called with a database and the values, it answers."""

    def __init__(self, build: Build[P], ask: _Ask[Answer]) -> None:
        functools.update_wrapper(self, build)
        code = build.__code__
        self._build: Callable[..., Query] = build
        self._ask = ask
        self._names: tuple[str, ...] = code.co_varnames[: code.co_argcount]
        count = code.co_argcount + code.co_kwonlyargcount
        self._shaping: tuple[str, ...] = code.co_varnames[code.co_argcount : count]
        defaults = build.__defaults__ or ()
        self._defaults: dict[str, Any] = dict(
            zip(self._names[len(self._names) - len(defaults) :], defaults, strict=True)
        ) | (build.__kwdefaults__ or {})
        self._texts: dict[tuple[Any, ...], tuple[str, list[Any]]] = {}

    def __call__(self, database: Database, *args: P.args, **kwargs: P.kwargs) -> Answer:
        values = {**self._defaults, **dict(zip(self._names, args, strict=False)), **kwargs}
        return self.with_values(database, values)

    def with_values(self, database: Database, values: Mapping[str, Any]) -> Answer:
        """The same with all values by name."""
        text, places = self._text(values)
        return self._ask(database.connection(), text, _bound(values, places))

    def each(self, database: Database, many: Iterable[Sequence[Any]]) -> None:
        """Run it once for each of `many`, the values by position."""
        text, places = self._text(dict.fromkeys(self._names))
        arguments = [
            self._names.index(item.name) if type(item) is _Parameter else None for item in places
        ]
        prepared = (
            [
                item if where is None else _stored(values[where])
                for item, where in zip(places, arguments, strict=True)
            ]
            for values in many
        )
        database.connection().executemany(text, prepared)

    def _text(self, values: Mapping[str, Any]) -> tuple[str, list[Any]]:
        shape = tuple(
            value if (value := values[name]) is None or isinstance(value, bool) else name
            for name in self._shaping
        )
        if shape not in self._texts:
            query = self._build(
                *map(_Parameter, self._names),
                **{
                    name: _Parameter(name) if part is name else part
                    for name, part in zip(self._shaping, shape, strict=True)
                },
            )
            self._texts[shape] = _GRAMMAR.get_sql_context(value_literals=True).sql(query).query()
        return self._texts[shape]


def _bound(values: Mapping[str, Any], places: Sequence[Any]) -> list[Any]:
    """The values at their places; lists and mappings as JSON."""
    matches = (
        values[position.name] if type(position) is _Parameter else position for position in places
    )
    return [_stored(value) for value in matches]


def _stored(value: Any) -> Any:
    if value is None or isinstance(value, str | int | float | bytes):
        return value
    return dumps(value if isinstance(value, dict) else list(value))


def listing(_row: type[Row]) -> Callable[[Build[P]], Named[P, list[Row]]]:
    """A query whose answers are mappings of the kind `_row`, JSON columns decoded."""
    return lambda build: Named(build, rows)  # type: ignore[arg-type]  # as the caller says


def first(_row: type[Row]) -> Callable[[Build[P]], Named[P, Row | None]]:
    """A query for one row: the first, or None."""
    return lambda build: Named(build, _first)


def column(_kind: type[Row]) -> Callable[[Build[P]], Named[P, list[Row]]]:
    """A query for one column."""
    return lambda build: Named(build, _column)


def value(_kind: type[Row]) -> Callable[[Build[P]], Named[P, Row]]:
    """A query for one value that is always there: a count, a sum."""
    return lambda build: Named(build, _value)


def optional(_kind: type[Row]) -> Callable[[Build[P]], Named[P, Row | None]]:
    """A query for one value that may be NULL, or not there."""
    return lambda build: Named(build, _value)


def tuples(_row: type[Row]) -> Callable[[Build[P]], Named[P, list[Row]]]:
    """A query for plain tuples."""
    return lambda build: Named(build, lambda c, text, values: c.execute(text, values).fetchall())


def single(_row: type[Row]) -> Callable[[Build[P]], Named[P, Row | None]]:
    """A query for one plain tuple, or None."""
    return lambda build: Named(build, lambda c, text, values: c.execute(text, values).fetchone())


def row(_row: type[Row]) -> Callable[[Build[P]], Named[P, Row]]:
    """A query for one plain tuple that is always there: counts, sums."""
    return lambda build: Named(build, lambda c, text, values: c.execute(text, values).fetchone())


def is_there(build: Build[P]) -> Named[P, bool]:
    """A query of which only counts whether it has an answer."""
    return Named(build, lambda c, text, values: c.execute(text, values).fetchone() is not None)


def statement(build: Build[P]) -> Named[P, int]:
    """A change of rows; answers how many. It runs in the transaction of the caller."""
    return Named(build, lambda c, text, values: c.execute(text, values).rowcount)


def _first(connection: sqlite3.Connection, text: str, values: Sequence[Any]) -> Any:
    answers = rows(connection, text, values)
    return answers[0] if answers else None


def _column(connection: sqlite3.Connection, text: str, values: Sequence[Any]) -> Any:
    return [value for (value,) in connection.execute(text, values)]


def _value(connection: sqlite3.Connection, text: str, values: Sequence[Any]) -> Any:
    answer = connection.execute(text, values).fetchone()
    return answer[0] if answer else None


def text_of(query: Query) -> tuple[str, list[Any]]:
    """The text and the values of a query that is made anew each time, of what a person asks for."""
    text, values = _GRAMMAR.get_sql_context().sql(query).query()
    return text, values


def run(database: Database, query: Query) -> sqlite3.Cursor:
    """Run such a query."""
    connection: sqlite3.Connection = database.connection()
    return connection.execute(*text_of(query))


@functools.cache
def _insertion(model: type[peewee.Model], names: tuple[str, ...], action: str) -> Named[..., int]:
    """The text of `insert`, kept as those with a name are."""

    def build() -> Query:
        row = model.insert({name: _Parameter(name) for name in names})
        return row.on_conflict(action) if action else row

    return Named(build, lambda c, text, values: c.execute(text, values).lastrowid or 0)


def insert(
    database: Database, model: type[peewee.Model], row: Mapping[str, Any], action: str = ""
) -> int:
    """Add a row, lists and mappings as JSON; its row number.

    Columns that it lacks get their defaults. `action`: IGNORE or REPLACE a row that is there.
    """
    return _insertion(model, tuple(row), action).with_values(database, row)


# --- pieces of conditions


def columns(model: type[peewee.Model], kind: type) -> list[Query]:
    """The columns of a table that a kind of row has."""
    return [getattr(model, name) for name in kind.__annotations__ if name in model._meta.fields]


def among(values: Any) -> Any:
    """A list as the right side of IN: however many, the text stays the same."""
    return peewee.NodeList(
        (peewee.SQL("(SELECT value FROM json_each("), values, peewee.SQL("))")), glue=""
    )


def starts_with(column: Any, text: Any) -> Any:
    """Whether a column's text begins with `text`, whatever stands in that."""
    return peewee.fn.substr(column, 1, peewee.fn.length(text)) == text


def unindexed(column: Any) -> Any:
    """A column that no index is to be chosen for."""
    return peewee.NodeList((peewee.SQL("+"), column), glue="")
