"""What a column may hold, as a constraint of its table."""

from typing import Any

from peewee import Check


def one_of(column: str, *words: str) -> Any:
    """A constraint: `column` holds one of `words`."""
    return Check(f"{column} IN ({', '.join(repr(word) for word in words)})")


def between(column: str, low: float, high: float) -> Any:
    """A constraint: `column` lies in [low, high]."""
    return Check(f"{column} BETWEEN {low} AND {high}")
