"""One change of the journal in full: who, when, why, and every field before and after.

`account_of` is pure and may take a while for long texts: call it in a lane.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, ClassVar

from textual.binding import BindingType
from textual.content import Content

from ...core.answers import Difference, Entry
from ...core.values import ms_of
from ..text import age, counted, cut, fit, moment, one_line, plain, width
from .text_pane import TextPane, scroll_keys
from .timeline import ACTOR_GLYPHS, UNDONE_GLYPH
from .word_diff import Comparison, Run, Side, compare, content_of, ruled

MOST_ROWS = 40
"""Changed rows told in full; a bulk act may have thousands."""

MOST_CHARACTERS = 6_000
"""Of one text; more is cut off and counted."""

SHORT = 30
"""Cells up to which a value fits beside its field's name."""

FIELD_CELLS = 16

_SILENT = frozenset(
    {
        *("id", "num", "project", "revision", "row_hash", "fingerprint", "tokens"),
        *("created_at", "updated_at", "retired_at"),
    }
)
"""Fields that follow from others, or that only the store cares about."""

_SILENT_TABLES = frozenset({"tombstone", "project"})
"""Tables that only follow what is done to a memory; told when nothing else is."""

_WORDS = {
    "memory_candidacy": "promotion",
    "memory_envelope": "circumstances",
    "memory_link": "link",
    "memory_salience": "score",
    "memory_trust": "trust",
    "memory_weight": "weight",
    "session_checkpoint": "checkpoint",
    "tombstone": "forgotten text",
}
"""What the rows of a table are called, where that is not the table's own name."""

_ORDER = ("title", "content", "status", "retired_as", "type", "category", "scope", "importance")


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field; a side is None when the row was not there before, or is gone after."""

    name: str
    before: str | None
    after: str | None
    is_of_type: bool = False  # of the type's own table: a name may be there twice
    words: Comparison | None = None  # for texts that are on both sides and too long for one line

    @property
    def is_long(self) -> bool:
        """Whether it is set below its name, not beside it."""
        if self.words is not None:
            return True
        sides = [side for side in (self.before, self.after) if side is not None]
        return len(sides) == 1 and ("\n" in sides[0] or width(sides[0]) > SHORT)


@dataclass(frozen=True, slots=True)
class RowChange:
    """One row of the store: its name, what happened to it, and its fields."""

    name: str
    happened: str  # added, removed or changed
    fields: tuple[FieldChange, ...]
    unsaid: int  # fields that follow from the others
    type: str = ""  # of a memory, where it is told


@dataclass(frozen=True, slots=True)
class Account:
    """All that is known of one entry."""

    entry: Entry
    rows: tuple[RowChange, ...]
    more_rows: int = 0
    problem: str = ""  # why its rows cannot be shown


def account_of(
    entry: Entry,
    differences: Sequence[Difference],
    titles_of: Callable[[Sequence[str]], Mapping[str, str]],
) -> Account:
    """The entry with its differences, row by row, in words.

    `titles_of` is asked once, for the memories that the rows told are about or name.
    """
    by_row: dict[tuple[str, str], list[Difference]] = {}
    for difference in _opened(differences):
        by_row.setdefault((difference.table, difference.key), []).append(difference)
    said = {key: rows for key, rows in by_row.items() if key[0] not in _SILENT_TABLES}
    by_row = dict(sorted((said or by_row).items(), key=lambda item: item[0][0] != "memory"))
    told = list(by_row.items())[:MOST_ROWS]
    named = {key for (_, key), _ in told}
    for _, of_row in told:
        for one in of_row:
            named.update(side for side in (one.before, one.after) if isinstance(side, str))
    titles = titles_of([memory for memory in entry.memories if memory in named])
    known = titles if len(by_row) > 1 else {}  # the only one's title stands above already
    rows = [
        _row(
            f"{_WORDS.get(table, table)} {_short(table, key)}",
            known.get(key, ""),
            list(_named(of_row, titles)),
        )
        for (table, key), of_row in told
    ]
    return Account(entry, tuple(rows), max(0, len(by_row) - MOST_ROWS))


def _short(table: str, key: str) -> str:
    """What a row is called: a setting by its name, another by how its key begins."""
    return key.partition("|")[0].replace("_", " ") if table == "setting" else key[:8]


def _named(differences: Iterable[Difference], titles: Mapping[str, str]) -> Iterator[Difference]:
    """The differences, with titles in the place of memories' ids, and verdicts in words."""
    for difference in differences:
        before, after = (
            titles.get(side, side.replace("_", " ") if difference.field == "verdict" else side)
            if isinstance(side, str)
            else side
            for side in (difference.before, difference.after)
        )
        yield replace(difference, before=before, after=after)


def _opened(differences: Sequence[Difference]) -> Iterator[Difference]:
    """The differences, with a field that holds fields (`details`) taken apart: `details.goal`."""
    for difference in differences:
        before, after = difference.before, difference.after
        if not isinstance(before, Mapping) and not isinstance(after, Mapping):
            yield difference
            continue
        old, new = (side if isinstance(side, Mapping) else {} for side in (before, after))
        for name in dict.fromkeys([*old, *new]):
            if old.get(name) != new.get(name):
                field, sides = f"{difference.field}.{name}", (old.get(name), new.get(name))
                yield replace(difference, field=field, before=sides[0], after=sides[1])


def _row(name: str, title: str, differences: Sequence[Difference]) -> RowChange:
    had = any(difference.before is not None for difference in differences)
    has = any(difference.after is not None for difference in differences)
    by_field = {difference.field: difference for difference in differences}
    said = [
        difference
        for difference in differences
        if _bare(difference.field) not in _SILENT
        and not _is_blank(difference, had and has)
        and not _is_derived(difference, by_field.get("content"))
    ]
    said.sort(key=_place_of)
    kind = by_field.get("type")
    return RowChange(
        name=name + (f"  {title}" if title else ""),
        happened="changed" if had and has else "added" if has else "removed",
        fields=tuple(_field(difference, had and has) for difference in said),
        unsaid=len(differences) - len(said),
        type="" if kind is None else str(kind.after or kind.before or ""),
    )


def _bare(field: str) -> str:
    """The name of a field, without that of the field it stands in."""
    return field.rpartition(".")[2]


def _place_of(difference: Difference) -> tuple[bool, int, str]:
    """Where a field is told: those that all memories have first, in their order."""
    name = difference.field
    return "." in name, _ORDER.index(name) if name in _ORDER else 99, name


def _is_blank(difference: Difference, is_change: bool) -> bool:
    """Whether a field of a new or removed row says nothing."""
    return not is_change and all(
        value in (None, "", 0, "[]", "{}") or value == [] or value == ()
        for value in (difference.before, difference.after)
    )


def _is_derived(difference: Difference, content: Difference | None) -> bool:
    """Whether a title only repeats how the content begins, before and after."""
    if _bare(difference.field) not in {"title", "concept"} or content is None:
        return False
    return all(
        one_line(str(whole or "")).startswith(str(start or "").rstrip("…."))
        for start, whole in (
            (difference.before, content.before),
            (difference.after, content.after),
        )
    )


def _field(difference: Difference, is_change: bool) -> FieldChange:
    name = _bare(difference.field).removesuffix("_ms").replace("_", " ")
    is_of_type = "." in difference.field
    before, after = (_in_words(difference.field, v) for v in (difference.before, difference.after))
    if not is_change:
        return FieldChange(
            name,
            None if difference.before is None else before,
            None if difference.after is None else after,
            is_of_type,
        )
    is_long = "\n" in before + after or max(width(before), width(after)) > SHORT
    if is_long and difference.before is not None and difference.after is not None:
        return FieldChange(name, before, after, is_of_type, compare(before, after))
    return FieldChange(name, before, after, is_of_type)


def _in_words(field: str, value: Any) -> str:
    """A stored value as a person would write it."""
    if value is None or value == "":
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int) and field.endswith(("_at", "_ms", "due", "expires")):
        return moment(datetime.fromtimestamp(value / 1000, UTC))
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    if isinstance(value, str) and value[:1] in "[{":
        try:
            value = json.loads(value)
        except ValueError:
            return _capped(str(value))
    if isinstance(value, Mapping):
        return _capped(", ".join(f"{key}: {item}" for key, item in value.items()) or "nothing")
    if isinstance(value, list | tuple):
        return _capped(", ".join(str(item) for item in value) or "nothing")
    return _capped(str(value))


def _capped(text: str) -> str:
    left = len(text) - MOST_CHARACTERS
    return text if left <= 0 else f"{text[:MOST_CHARACTERS]}… and {left:,} more characters"


class BeforeAfter(TextPane, inherit_bindings=False):
    """The pane that shows an account."""

    HELP = "One change in full: who, when, why, and every field before and after."
    BINDINGS: ClassVar[list[BindingType]] = scroll_keys("detail")
    seq: int | None = None  # the number of the entry that is shown

    def show_entry(self, account: Account | None, now_ms: int) -> None:
        """Show an entry, another one from its top; or none."""
        seq = account.entry.seq if account is not None else None
        is_other, self.seq = seq != self.seq, seq
        lines = partial(_lines, account, now_ms=now_ms) if account is not None else lambda _: ()
        self.show(lambda cells: Content("\n").join(lines(max(cells, 16))), from_top=is_other)


def _lines(account: Account, cells: int, now_ms: int) -> Iterator[Content]:
    yield from _head(account.entry, cells, now_ms)
    for row in account.rows:
        yield Content("")
        yield Content.assemble(
            (row.happened, "bold $text"),
            plain("  " + cut(row.name, cells - 2 - len(row.happened)), "$text-muted"),
        )
        for number, field in enumerate(row.fields):
            if field.is_of_type and number and not row.fields[number - 1].is_of_type:
                yield Content("")
                yield plain(row.type or "of its type", "bold $text-accent")
            elif field.is_long and number:
                yield Content("")
            yield from _field_lines(field, cells)
            if (
                field.is_long
                and number + 1 < len(row.fields)
                and not row.fields[number + 1].is_long
                and row.fields[number + 1].is_of_type == field.is_of_type
            ):
                yield Content("")
        if row.unsaid and not row.fields:
            yield plain(f"only {counted(row.unsaid, 'field')} that the store keeps", "$text-muted")
    if account.more_rows:
        yield Content("")
        yield plain(f"and {counted(account.more_rows, 'more row')}", "$text-muted")
    if not account.rows:
        yield Content("")
        told = account.problem or "This entry changed no rows."
        yield from plain(told, "$text-muted").wrap(cells)


def _head(entry: Entry, cells: int, now_ms: int) -> Iterator[Content]:
    what = one_line(entry.title) or "no memory"
    if len(entry.memories) > 1:
        what = counted(len(entry.memories), "memory", "memories")
    yield from Content.assemble((entry.action, "bold $text-accent"), "  ", plain(what)).wrap(cells)
    ago = age(ms_of(entry.at), now_ms).strip()
    told = " · ".join(
        (
            f"{ACTOR_GLYPHS.get(entry.actor, '·')} {entry.actor}",
            "just now" if ago == "now" else f"{ago} ago",
            f"#{entry.seq}",
        )
    )
    exact = moment(entry.at)
    name = one_line(entry.session_name)
    session = f"{name} ({one_line(entry.session)})" if name and entry.session else entry.session
    has_room = width(told) + width(exact) + 3 <= cells
    for line in [f"{told} · {exact}"] if has_room else [told, exact]:
        yield from plain(line, "$text-muted").wrap(cells)
    if session:
        yield from plain(f"session {session}", "$text-muted").wrap(cells)
    if entry.group is not None:
        yield from plain(f"one act with #{entry.group}", "$text-muted").wrap(cells)
    if entry.undone_by is not None:
        undone = f"{UNDONE_GLYPH} taken back by #{entry.undone_by}"
        yield from plain(undone, "$text-warning").wrap(cells)
    if entry.reason and entry.reason != entry.title:
        yield from plain(f"“{one_line(entry.reason)}”").wrap(cells)


def _field_lines(field: FieldChange, cells: int) -> Iterator[Content]:
    if field.words is not None:
        yield plain(field.name, "$text-muted")
        yield from ruled(content_of(field.words.before, "before"), "before", cells)
        yield from ruled(content_of(field.words.after, "after"), "after", cells)
    elif field.before is not None and field.after is not None:
        value = Content.assemble(
            plain(field.before, "$text-muted"), (" → ", "$text-muted"), plain(field.after)
        )
        yield from _hanging(field.name, value, cells)
    else:
        side: Side = "after" if field.before is None else "before"
        text = (field.after if field.before is None else field.before) or ""
        if field.is_long:
            yield plain(field.name, "$text-muted")
            yield from ruled(content_of([Run(text, False)], side), side, cells)
        else:
            yield from _hanging(field.name, content_of([Run(text, False)], side), cells)


def _hanging(name: str, value: Content, cells: int) -> Iterator[Content]:
    """The name in a column of its own, the value beside it on as many lines as it needs."""
    column = min(FIELD_CELLS, cells // 3)
    for number, line in enumerate(value.wrap(max(8, cells - column))):
        label = fit("" if number else name, column - 1) + " "
        yield Content.assemble((label, "$text-muted"), line)
