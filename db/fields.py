"""What a column takes, asked before it is tried, so that a refusal can name the field.

Values are brought to their column's own kind here: SQLite would do it on its own (a 1 in a
column of floats becomes 1.0), and the row would then differ from what the journal says.
"""

import math
from collections.abc import Mapping
from typing import Any

from peewee import Field, FloatField, IntegerField, Model, TextField
from playhouse.sqlite_ext import JSONField

from . import tables, type_tables
from .errors import BadInput
from .images import Image

LARGEST = 2**63 - 1
"""The largest whole number that a row can hold."""

EARLIEST_MS, LATEST_MS = -62_135_596_800_000, 253_402_300_799_999
"""The first and the last millisecond of the years 1 to 9999, which is what a calendar has."""

DEEPEST = 16
"""Lists and mappings inside each other that a field may hold."""

_MODELS: dict[str, type[Model]] = {"memory": tables.MemoryRow, **type_tables.DETAILS}


def fitted(table: str, image: Image) -> Image:
    """`image` with each value as the table's column keeps it; what is no column stays as it is.

    Raises BadInput naming the field.
    """
    columns = _MODELS[table]._meta.fields
    return {
        name: _fitted(columns[name], value) if name in columns else value
        for name, value in image.items()
    }


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


def _fitted(column: Field, value: Any) -> Any:
    if isinstance(value, str) and type(column) is TextField:
        return value  # by far the most
    name = column.name
    if value is None:
        if not column.null:
            raise BadInput(f"{name} cannot be empty.")
        return None
    if isinstance(column, JSONField):
        return _container(column, value)
    kept = _as_kind(column, value)
    if _is_moment(name) and not EARLIEST_MS <= kept <= LATEST_MS:
        raise BadInput(f"{name} lies beyond the years 1 to 9999.")
    return kept


def _as_kind(column: Field, value: Any) -> Any:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if isinstance(column, IntegerField):
        if is_number and abs(value) <= LARGEST and value == int(value):
            return int(value)
        raise BadInput(f"{column.name} must be a whole number, not {_short(value)}.")
    if isinstance(column, FloatField):
        if is_number and abs(value) <= LARGEST:
            return float(value) + 0.0  # SQLite knows no negative zero
        raise BadInput(f"{column.name} must be a number, not {_short(value)}.")
    if isinstance(value, str):
        return value
    raise BadInput(f"{column.name} must be a text, not {_short(value)}.")


def _container(column: Field, value: Any) -> Any:
    """A list or a mapping, whichever the column holds."""
    if column.default is dict:
        if isinstance(value, Mapping):
            return plain(value)
    elif isinstance(value, list | tuple):
        return plain(value)
    kind = "mapping" if column.default is dict else "list"
    raise BadInput(f"{column.name} must be a {kind}, not {_short(value)}.")


def _is_moment(name: str) -> bool:
    return name in ("due", "expires", "timestamp") or name.endswith("_at")


def _short(value: Any) -> str:
    """A value for a message, in at most a few words, whatever it is."""
    if isinstance(value, str | float) or (isinstance(value, int) and abs(value) <= LARGEST):
        return repr(value)[:60]
    return f"a value of the kind {type(value).__name__}"
