"""Lays out one entry of the history: who, when, why, and every field before and after."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from ..answers import Difference, Entry
from . import document as d

MOST_ROWS = 40  # changed rows that are shown in full; a bulk act may have thousands
MOST_CHARACTERS = 6_000  # characters of one value; the rest is counted
SHORT = 30  # characters up to which a value is beside its field's name

_SILENT = frozenset(
    "id num project revision row_hash fingerprint tokens created_at updated_at retired_at".split()
)
"""Fields that follow from others."""

_SILENT_TABLES = frozenset({"tombstone", "project", "memory_trust"})
"""Tables that only follow changes of a memory; shown if nothing else changed."""

_NAMES = {
    "memory_candidacy": "promotion",
    "memory_envelope": "circumstances",
    "memory_link": "link",
    "memory_salience": "score",
    "memory_trust": "trust",
    "memory_verdict": "verdict",
    "memory_weight": "weight",
    "session_checkpoint": "checkpoint",
    "tombstone": "forgotten text",
}
"""Names of a table's rows, if not the table's name."""

ACT_WORDS = {
    "add": "remember",
    "keep": "confirm",
    "supersede": "replace",
    "evict": "retire",
    "quarantine": "trial",
    "session": "record",
    "complete": "done",
    "finalize": "end",
    "compact": "summarise",
    "purge": "delete",
    "config": "setting",
    "auto": "recording",
}
"""Names in the history of acts whose names in the journal are not those of the glossary."""

ACTOR_WORDS = {"person": "you", "agent": "an agent", "rule": "a rule"}

_ORDER = ("title", "content", "status", "retired_as", "type", "category", "scope", "importance")
_BLANK: tuple[Any, ...] = (None, "", 0, "[]", "{}", [], {}, ())


def act_words(entry: Entry) -> str:
    return ACT_WORDS.get(entry.action, entry.action)


def journal_name(word: str) -> str:
    """Return the journal's name for the word of an act or an actor, in lower case."""
    names = {word_of: name for name, word_of in ACT_WORDS.items()} | {"you": "person"}
    return names.get(word.lower(), word.lower())


def entry_document(
    entry: Entry,
    differences: Sequence[Difference],
    titles: Mapping[str, str],
    problem: str = "",
) -> d.Document:
    """Return the whole entry. `titles` are by id, `problem` says why its rows cannot be shown."""
    count = len(entry.memories)
    what = f"{count:,} memories" if count > 1 else entry.title or "no memory"
    others = (
        ("act", entry.group if entry.group != entry.seq else None, "one with #{}, undone together"),
        ("undoes", entry.undoes, "#{}"),
        ("undone", entry.undone_by, "by #{}"),
    )
    head = d.section(
        "",
        d.Row("when", entry.at, d.MOMENT),
        d.Row("by", ACTOR_WORDS.get(entry.actor, entry.actor), note=f"#{entry.seq}"),
        d.Row("why", entry.reason if entry.reason != entry.title else ""),
        d.Row(
            "session",
            entry.session_name or entry.session or "",
            link=f"session:{entry.session}" if entry.session else "",
        ),
        *(
            d.Row(label, words.format(seq), link=f"entry:{seq}")
            for label, seq, words in others
            if seq is not None
        ),
    )
    by_row: dict[tuple[str, str], list[Difference]] = {}
    for difference in _opened(differences):
        by_row.setdefault((difference.table, difference.key), []).append(difference)
    visible = {key: rows for key, rows in by_row.items() if key[0] not in _SILENT_TABLES} or by_row
    rows = sorted(visible.items(), key=lambda item: item[0][0] != "memory")
    sections = [_changed(*key, fields, titles) for key, fields in rows[:MOST_ROWS]]
    rest = f"and {len(rows) - MOST_ROWS:,} more rows" if len(rows) > MOST_ROWS else ""
    rest = rest if rows else problem or "This entry changed no rows."
    marks = [d.Mark("undone", d.WARNING)] if entry.undone_by is not None else []
    last = d.section("", d.Row("", rest, d.MUTED))
    return d.document(f"{act_words(entry)}  {what}", head, *sections, last, marks=marks)


def _opened(differences: Sequence[Difference]) -> Iterator[Difference]:
    """Yield the differences, with a field that holds fields (`details`) split: `details.goal`."""
    for difference in differences:
        sides = (difference.before, difference.after)
        if not any(isinstance(side, Mapping) for side in sides):
            yield difference
            continue
        old, new = (side if isinstance(side, Mapping) else {} for side in sides)
        for name in dict.fromkeys([*old, *new]):
            before, after = old.get(name), new.get(name)
            if before != after:
                field = f"{difference.field}.{name}"
                yield replace(difference, field=field, before=before, after=after)


def _changed(
    table: str, key: str, differences: Sequence[Difference], titles: Mapping[str, str]
) -> d.Section:
    if table == "setting" and key.startswith("edit|"):  # the file is changed with it
        paths = {item.before or item.after for item in differences if item.field == "value.path"}
        return d.section("changed  file", *[d.Row("", path, d.PATH) for path in paths])
    had = any(difference.before is not None for difference in differences)
    has = any(difference.after is not None for difference in differences)
    is_change = had and has
    fields = sorted(differences, key=_place)
    rows = [
        row
        for difference in fields
        if difference.field.rpartition(".")[2] not in _SILENT
        and (is_change or not (difference.before in _BLANK and difference.after in _BLANK))
        for row in _field(difference, titles, is_change=is_change)
    ]
    rows = rows or [d.Row("", f"only {len(differences)} internal fields", d.MUTED)]
    short = key.partition("|")[0].replace("_", " ") if table == "setting" else key[:8]
    happened = "changed" if is_change else "added" if has else "removed"
    name = titles.get(key, "") if table == "memory" and len(titles) > 1 else ""
    return d.section(f"{happened}  {_NAMES.get(table, table)} {short}", *rows, note=name)


def _place(difference: Difference) -> tuple[bool, int, str]:
    """Return the sort key of a field: fields of all memories first, in their order."""
    name = difference.field
    return "." in name, _ORDER.index(name) if name in _ORDER else 99, name


def _field(
    difference: Difference, titles: Mapping[str, str], *, is_change: bool
) -> Iterator[d.Row]:
    field = difference.field
    name = field.rpartition(".")[2].removesuffix("_ms").replace("_", " ")
    sides = [
        ""
        if side is None and not is_change
        else titles.get(side, _in_words(field, side))
        if isinstance(side, str)
        else _in_words(field, side)
        for side in (difference.before, difference.after)
    ]
    before, after = sides
    if max(map(len, sides)) <= SHORT and "\n" not in before + after:
        yield d.Row(name, " → ".join(filter(None, sides)), d.TEXT if after else d.MUTED)
        return
    if before:
        yield d.Row(name, before, d.BEFORE)
    if after:
        yield d.Row("" if before else name, after, d.AFTER)


def _in_words(field: str, value: Any) -> str:
    """Return a stored value as a user would write it."""
    if isinstance(value, str) and value[:1] in ("[", "{"):
        with suppress(ValueError):
            value = json.loads(value)
    if value is None or value in ("", [], {}):
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int) and field.endswith(("_at", "_ms", "due", "expires")):
        return f"{datetime.fromtimestamp(value / 1000, UTC).astimezone():%Y-%m-%d %H:%M}"
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    if isinstance(value, Mapping):
        value = ", ".join(f"{key}: {item}" for key, item in value.items())
    elif isinstance(value, list | tuple):
        value = ", ".join(map(str, value))
    text = str(value).replace("_", " ") if field == "verdict" else str(value)
    rest = len(text) - MOST_CHARACTERS
    return text if rest <= 0 else f"{text[:MOST_CHARACTERS]}… and {rest:,} more characters"
