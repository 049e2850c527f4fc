"""Summarise in a few lines: goal, lessons, decisions, open tasks.

Pure. All of it comes from stored memories, so nothing is redacted. Statements appear whole or are
only counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..text.sameness import says_the_same
from ..text.tokens import strict_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LONGEST = 1_600  # characters of a summary: some 400 tokens of English
MOST_TOKENS = 600  # maximum tokens of a summary in any script
MOST_A_KIND = 4  # memories named for each part of a summary, except the lessons

LONGEST_STATEMENT = 240
"""Characters of one statement. Of a longer text the first sentence is used, or it is counted."""

CUT_GOAL = 200  # characters from which on a stored goal is cut

REFUTED, OPEN = "refuted", "open"
"""Categories of memories that another one superseded, and of open tasks."""

PARTS: Mapping[str, tuple[str, ...]] = {
    "Solved": ("error",),
    "Refuted": (REFUTED,),
    "Watch out": ("warning",),
    "Decided": ("decision", "architecture"),
    "Rules": ("preference", "pattern"),
    "Found": ("discovery",),
    "Changed": ("file_change",),
    "Open": (OPEN,),
}
"""The parts of a summary, in order, with their categories. Failures always fit, as the first."""

LESSONS = ("Solved", "Refuted")
"""The parts that are listed in full if there is room: lessons of failures."""


def summed_up(
    goal: str | None, learned: Sequence[Mapping[str, Any]], above: Sequence[str] = ()
) -> tuple[str, list[str]]:
    """Return the summary without statements of the texts `above`, and these with its own added.

    `learned` are rows of memories: category, type, title, content, importance, intention, and
    perhaps `retired_as`. The summary is "" without content.
    """
    text, lines = list(above), list[str]()
    kinds = list(map(_kind_of, learned))
    for name, categories in PARTS.items():
        rows = [row for row, kind in zip(learned, kinds, strict=True) if kind in categories]
        most = len(rows) if name in LESSONS else MOST_A_KIND
        listed, rest, line = list[str](), 0, ""
        for row in sorted(rows, key=lambda row: -float(row["importance"])):
            whole = statement_of(row) if len(listed) < most else ""
            if whole and any(says_the_same(whole, other) for other in (*text, *listed)):
                continue
            if whole and fits([*lines, f"{name}: {'; '.join((*listed, whole))}; and 99 more"]):
                listed.append(whole)
            else:
                rest, most = rest + 1, len(listed) if whole else most
            line = f"{name}: {'; '.join(listed)}{f'; and {rest} more' if rest else ''}"
        if listed:
            lines.append(line)
            text += listed
    aim = _goal(goal or "", text) if lines else ""
    if aim and fits([f"Goal: {aim}", *lines]):
        lines.insert(0, f"Goal: {aim}")
        text.append(aim)
    return "\n".join(lines), text


def _kind_of(row: Mapping[str, Any]) -> str:
    if row.get("retired_as") == "superseded" or REFUTED in row.get("tags", ()):
        return REFUTED
    if row["type"] != "prospective":
        return str(row["category"])
    return OPEN if row.get("intention") in ("pending", "active") else ""


def fits(lines: Sequence[str]) -> bool:
    text = "\n".join(lines)
    return len(text) <= LONGEST and strict_tokens(text) <= MOST_TOKENS


def statement_of(row: Mapping[str, Any]) -> str:
    """Return a memory's own title, else its text; "" if too long.

    For errors the text is preferred, since the title only names the error.
    """
    title, text = " ".join(row["title"].split()), " ".join(row["content"].split())
    is_error = row["category"] == "error" and len(text) <= LONGEST_STATEMENT
    if title and not title.endswith("…") and not is_error:
        return title.rstrip(".")
    if len(text) > LONGEST_STATEMENT:
        text = next(iter(_sentences(row["content"].strip().partition("\n")[0])), "")
    return text.rstrip(".") if len(text) <= LONGEST_STATEMENT else ""


def _goal(goal: str, text: Sequence[str]) -> str:
    """Return the sentences of a goal that `text` does not have."""
    whole = [" ".join(sentence.split()) for sentence in _sentences(goal)]
    if len(goal) >= CUT_GOAL and whole and whole[-1][-1] not in ".!?…。！？":
        whole.pop()
    return " ".join(s for s in whole if not any(says_the_same(s, other) for other in text))


def _sentences(line: str) -> list[str]:
    from ..text.sentences import cut  # a prompt waits: only where a session is summed up

    return [sentence.strip() for sentence in cut(line) if sentence.strip()]
