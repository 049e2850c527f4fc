"""What all tables have in common: what one is called, and what a column may hold."""

import re
from typing import Any

from peewee import Check, Model


def _called(model: type[Model]) -> str:
    return re.sub("(?!^)([A-Z])", r"_\1", model.__name__.removesuffix("Row")).lower()


class Table(Model):
    """A table, called as its class unless that says otherwise: `PairAskedRow` is `pair_asked`."""

    class Meta:
        table_function = _called


def one_of(column: str, *words: str) -> Any:
    """A constraint: `column` holds one of `words`."""
    return Check(f"{column} IN ({', '.join(repr(word) for word in words)})")


def between(column: str, low: float, high: float) -> Any:
    """A constraint: `column` lies in [low, high]."""
    return Check(f"{column} BETWEEN {low} AND {high}")
