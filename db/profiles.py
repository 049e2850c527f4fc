"""Which memories may be of a profile: what somebody stands for, or what happened bears out."""

from peewee import SQL

from .queries import Query, column
from .tables import MemoryRow
from .trust import DEGREE

_ROW = MemoryRow.alias("m")
_KINDS = ("preference", "pattern", "decision", "architecture", "warning", "discovery")


@column(int)
def sure(project: str, now: int, limit: int) -> Query:
    """Row numbers of live memories of the project and of everywhere that are not unproven.

    Preferences first, then patterns, each by importance; at most `limit`.
    """
    is_kind = _ROW.category.in_(_KINDS) | (_ROW.type == "procedural")
    holds = _ROW.expires.is_null() | (_ROW.expires > now)
    return (
        _ROW.select(_ROW.num)
        .where(
            _ROW.project.in_((project, "")),
            _ROW.retired_at.is_null(),
            _ROW.type.not_in(("working", "prospective")),
            _ROW.scope != "task",
            is_kind,
            holds,
            SQL(f"{DEGREE} != 'unproven'"),
        )
        .order_by(
            (_ROW.category == "preference").desc(),
            (_ROW.category == "pattern").desc(),
            _ROW.importance.desc(),
            _ROW.num.desc(),
        )
        .limit(limit)
    )
