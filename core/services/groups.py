"""A list under headings: by session, file, tag, type or age, in the order that it had.

A memory stands once. Of several tags or files, the one counts that it shares with most others.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ...db import lists, sessions
from ..answers import Group
from ..values import DAY_MS, moment_at

if TYPE_CHECKING:
    from ...db.lists import Asked
    from ..context import Context

NONE = {
    "session": "no session: written by hand or imported",
    "file": "no file",
    "tag": "no tag",
    "type": "no type",
    "age": "no date",
}
"""The heading of what has no value."""

AGES = (
    (1, "within a day"),
    (7, "within a week"),
    (30, "within a month"),
    (91, "within three months"),
    (365, "within a year"),
)
"""Days, and the heading of what is no older; the rest is `OLDER`."""

OLDER = "older than a year"
MOST_NAMED = 500  # sessions whose goals are looked up at once


def grouped(
    context: Context, group: str, asked: Asked, nums: array[int]
) -> tuple[array[int], tuple[Group, ...]]:
    """`nums` with those together that have the same value, and the groups.

    A group stands where its first row stood; within it the order stays as it was.
    """
    values = lists.group_values(context.database, asked, group)
    if group in ("tag", "file"):
        value_of: Mapping[int, Any] = _commonest(values)
    elif group == "age":
        now = context.now_ms()
        value_of = {num: age_of(now - created) for num, created in values}
    else:
        value_of = dict(values)
    parts: dict[Any, array[int]] = {}
    for num in nums:
        value = value_of.get(num)
        part = parts.get(value)
        if part is None:
            part = parts[value] = array("q")
        part.append(num)
    names = _names(context, group, parts)
    arranged, groups = array("q"), list[Group]()
    for value, part in parts.items():
        groups.append(Group(names.get(value) or NONE[group], len(arranged), len(part)))
        arranged.extend(part)
    return arranged, tuple(groups)


def age_of(milliseconds: int) -> str:
    """The heading for so long ago."""
    return next((name for days, name in AGES if milliseconds <= days * DAY_MS), OLDER)


def _commonest(values: Iterable[tuple[int, str]]) -> dict[int, str]:
    """For each memory that of its values which most memories have; of equals the first in ABC."""
    pairs = list(values)
    counts = Counter(value for _, value in pairs)
    best: dict[int, str] = {}
    for num, value in pairs:
        other = best.get(num)
        if other is None or (-counts[value], value) < (-counts[other], other):
            best[num] = value
    return best


def _names(context: Context, group: str, values: Iterable[Any]) -> dict[Any, str]:
    """What stands above each group: sessions by their goal, never by an id."""
    known = {value: value for value in values if value}
    if group != "session":
        return known
    ids = list(known)
    for first in range(0, len(ids), MOST_NAMED):
        for row in sessions.named(context.database, ids[first : first + MOST_NAMED]):
            day = f"{moment_at(row['started_at']).astimezone():%d %b %Y}"
            known[row["id"]] = f"{row['goal'] or 'a session'} · {row['agent']}, {day}"
    return {value: "a session of which nothing is known" if name == value else name
            for value, name in known.items()}  # fmt: skip
