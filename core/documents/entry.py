"""Lays out one entry of the history: who, when, why, and every field before and after."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from ..answers import Difference, Entry
from . import document as d

MOST_ROWS = 40
"""Changed rows that are shown in full; a bulk act may have thousands."""

MOST_CHARACTERS = 6_000
"""Characters of one value; the rest is counted."""

SHORT = 30
"""Characters up to which a value stands beside its field's name."""

_SILENT = frozenset(
    "id num project revision row_hash fingerprint tokens created_at updated_at retired_at".split()
)
"""Fields that follow from others."""

_SILENT_TABLES = frozenset({"tombstone", "project", "memory_trust"})
"""Tables that only follow what is done to a memory; shown if nothing else changed."""

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
"""What the rows of a table are called, if not by the table's name."""

ACT_WORDS = {
    "add": "remember",
    "keep": "confirm",
    "supersede": "replace",
    "evict": "retire",
    "quarantine": "trial",
    "complete": "done",
    "finalize": "end",
    "compact": "summarise",
    "purge": "delete",
    "config": "setting",
    "auto": "recording",
}
"""What the history calls the acts whose names in the journal are not the words of the glossary."""

ACTOR_WORDS = {"person": "you", "agent": "an agent", "rule": "a rule"}

_ORDER = ("title", "content", "status", "retired_as", "type", "category", "scope", "importance")


def act_words(entry: Entry) -> str:
    """Return the word for what an entry did."""
    return ACT_WORDS.get(entry.action, entry.action)


def journal_name(word: str) -> str:
    """Return the journal's name for the word of an act or an actor, in lower case."""
    names = {shown: name for name, shown in ACT_WORDS.items()} | {"you": "person"}
    return names.get(word.lower(), word.lower())


def entry_document(
    entry: Entry,
    differences: Sequence[Difference],
    titles: Mapping[str, str],
    problem: str = "",
) -> d.Document:
    """Return the whole entry. `titles` are those of its memories by id.

    `problem` says why its rows cannot be shown.
    """
    count = len(entry.memories)
    what = f"{count:,} memories" if count > 1 else entry.title or "no memory"
    session = entry.session_name or (entry.session or "")
    head = d.section(
        "",
        [
            d.Row("when", entry.at, d.MOMENT),
            d.Row("by", ACTOR_WORDS.get(entry.actor, entry.actor), note=f"#{entry.seq}"),
            d.Row("why", entry.reason if entry.reason != entry.title else ""),
            d.Row("session", session, link=f"session:{entry.session}" if entry.session else ""),
            d.Row("act", f"one with #{entry.group}, undone together", link=f"entry:{entry.group}")
            if entry.group is not None
            else None,
            d.Row("undoes", f"#{entry.undoes}", link=f"entry:{entry.undoes}")
            if entry.undoes is not None
            else None,
            d.Row("undone", f"by #{entry.undone_by}", d.WARNING, link=f"entry:{entry.undone_by}")
            if entry.undone_by is not None
            else None,
        ],
    )
    rows = list(_rows(differences, titles))
    sections = [_changed(*row, titles) for row in rows[:MOST_ROWS]]
    if len(rows) > MOST_ROWS:
        sections.append(
            d.section("", [d.Row("", f"and {len(rows) - MOST_ROWS:,} more rows", d.MUTED)])
        )
    if not rows:
        says = problem or "This entry changed no rows."
        sections.append(d.section("", [d.Row("", says, d.MUTED)]))
    marks = [d.Mark("undone", d.WARNING)] if entry.undone_by is not None else []
    return d.document(f"{act_words(entry)}  {what}", [head, *sections], marks, entry)


def _rows(
    differences: Sequence[Difference], titles: Mapping[str, str]
) -> Iterator[tuple[str, str, list[Difference]]]:
    """Table, key and differences of each changed row, memories first."""
    by_row: dict[tuple[str, str], list[Difference]] = {}
    for difference in _opened(differences):
        named = replace(
            difference,
            before=_named(difference.field, difference.before, titles),
            after=_named(difference.field, difference.after, titles),
        )
        by_row.setdefault((difference.table, difference.key), []).append(named)
    visible = {key: rows for key, rows in by_row.items() if key[0] not in _SILENT_TABLES} or by_row
    for (table, key), rows in sorted(visible.items(), key=lambda item: item[0][0] != "memory"):
        yield table, key, rows


def _opened(differences: Sequence[Difference]) -> Iterator[Difference]:
    """The differences, with a field that holds fields (`details`) split: `details.goal`."""
    for difference in differences:
        before, after = difference.before, difference.after
        if not isinstance(before, Mapping) and not isinstance(after, Mapping):
            yield difference
            continue
        old, new = (side if isinstance(side, Mapping) else {} for side in (before, after))
        for name in dict.fromkeys([*old, *new]):
            if old.get(name) != new.get(name):
                yield replace(
                    difference,
                    field=f"{difference.field}.{name}",
                    before=old.get(name),
                    after=new.get(name),
                )


def _named(field: str, value: Any, titles: Mapping[str, str]) -> Any:
    """A value with a title in the place of a memory's id, and a verdict in words."""
    if not isinstance(value, str):
        return value
    return titles.get(value, value.replace("_", " ") if field == "verdict" else value)


def _changed(
    table: str, key: str, differences: Sequence[Difference], titles: Mapping[str, str]
) -> d.Section:
    had = any(difference.before is not None for difference in differences)
    has = any(difference.after is not None for difference in differences)
    is_change = had and has
    content = next((item for item in differences if item.field == "content"), None)
    fields = [
        difference
        for difference in differences
        if _bare(difference.field) not in _SILENT
        and not (not is_change and _is_blank(difference))
        and not _is_derived(difference, content)
    ]
    fields.sort(key=_place)
    rows = [row for field in fields for row in _field(field, is_change=is_change)]
    if not rows:
        rows = [d.Row("", f"only {len(differences)} internal fields", d.MUTED)]
    short = key.partition("|")[0].replace("_", " ") if table == "setting" else key[:8]
    happened = "changed" if is_change else "added" if has else "removed"
    name = titles.get(key, "") if table == "memory" and len(titles) > 1 else ""
    return d.section(f"{happened}  {_NAMES.get(table, table)} {short}", rows, name)


def _bare(field: str) -> str:
    return field.rpartition(".")[2]


def _place(difference: Difference) -> tuple[bool, int, str]:
    """Where a field stands: those that all memories have first, in their order."""
    name = difference.field
    return "." in name, _ORDER.index(name) if name in _ORDER else 99, name


def _is_blank(difference: Difference) -> bool:
    return all(
        value in (None, "", 0, "[]", "{}", [], ())
        for value in (difference.before, difference.after)
    )


def _is_derived(difference: Difference, content: Difference | None) -> bool:
    """Return True for a title that only repeats how the content begins, before and after."""
    if _bare(difference.field) not in {"title", "concept"} or content is None:
        return False
    return all(
        " ".join(str(whole or "").split()).startswith(str(start or "").rstrip("…."))
        for start, whole in (
            (difference.before, content.before),
            (difference.after, content.after),
        )
    )


def _field(difference: Difference, *, is_change: bool) -> Iterator[d.Row]:
    name = _bare(difference.field).removesuffix("_ms").replace("_", " ")
    before, after = (
        None if side is None and not is_change else _in_words(difference.field, side)
        for side in (difference.before, difference.after)
    )
    if is_change and before is not None and after is not None:
        if max(len(before), len(after)) <= SHORT and "\n" not in before + after:
            yield d.Row(name, f"{before} → {after}")
            return
    elif before is None and after is not None and _is_short(after):
        yield d.Row(name, after)
        return
    elif after is None and before is not None and _is_short(before):
        yield d.Row(name, before, d.MUTED)
        return
    if before is not None:
        yield d.Row(name, before, d.BEFORE)
    if after is not None:
        yield d.Row("" if before is not None else name, after, d.AFTER)


def _is_short(text: str) -> bool:
    return len(text) <= SHORT and "\n" not in text


def _in_words(field: str, value: Any) -> str:
    """A stored value as a person would write it."""
    if value is None or value == "":
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int) and field.endswith(("_at", "_ms", "due", "expires")):
        return f"{datetime.fromtimestamp(value / 1000, UTC).astimezone():%Y-%m-%d %H:%M}"
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
    rest = len(text) - MOST_CHARACTERS
    return text if rest <= 0 else f"{text[:MOST_CHARACTERS]}… and {rest:,} more characters"
