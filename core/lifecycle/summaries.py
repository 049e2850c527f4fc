"""What a session comes to, in a few lines: its goal, what was decided and learned, what is open.

Pure: it takes what was learned and gives a text. Nothing in it is new, so nothing is redacted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...db.images import headline
from ..retrieval.tokens import estimate_tokens

LONGEST = 1_600
"""Characters of a summary: some 400 tokens of English, within the 200-600 of 002-18."""

MOST_TOKENS = 600
"""Tokens of a summary in whatever script (002-18)."""

MOST_A_KIND = 4
"""Memories named for each part of a summary."""

PARTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Decided", ("decision", "architecture")),
    ("Laid down", ("preference", "pattern")),
    ("Watch out", ("warning",)),
    ("Solved", ("error",)),
    ("Found", ("discovery",)),
    ("Changed", ("file_change",)),
)
"""The parts of a summary, in order, and the categories that each gathers."""


def summary_of(goal: str | None, learned: Sequence[Mapping[str, Any]]) -> str:
    """The summary of a session (002-09, 003-02: summary, open issues, next); "" of nothing.

    `learned` are rows of memories: category, type, title, content, importance, intention.
    """
    lines = list[str]()
    for name, categories in PARTS:
        chosen = [
            row for row in learned if row["category"] in categories and row["type"] != "prospective"
        ]
        lines += _line(name, chosen)
    lines += _line("Open", [row for row in learned if row.get("intention") in _OPEN])
    if not lines:
        return ""
    told = [f"Goal: {goal}", *lines] if goal else lines
    text = "\n".join(told)
    return text if _fits(text) else _cut(text)


_OPEN = ("pending", "active")


def _fits(text: str) -> bool:
    return len(text) <= LONGEST and estimate_tokens(text) <= MOST_TOKENS


def _cut(text: str) -> str:
    """The longest beginning that fits, to the end of a word where there is one, and an ellipsis."""
    low, high = 0, min(len(text), LONGEST)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if _fits(text[:middle] + "…") else (low, middle - 1)
    return text[:low].rsplit(" ", 1)[0] + "…"


def _line(name: str, rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """`Decided: one; another; and 2 more`, the most important ones; nothing without any."""
    if not rows:
        return []
    chosen = sorted(rows, key=lambda row: -float(row["importance"]))[:MOST_A_KIND]
    named = {id(row) for row in chosen}
    titles = [headline(row["title"], row["content"]) for row in rows if id(row) in named]
    more = f"; and {len(rows) - len(titles)} more" if len(rows) > len(titles) else ""
    return [f"{name}: {'; '.join(titles)}{more}"]
