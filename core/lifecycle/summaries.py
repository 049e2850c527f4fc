"""Summarise in a few lines: goal, decisions, lessons, open tasks.

Pure. All of it comes from stored memories, so nothing is redacted. Statements appear whole or are
only counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..text.sameness import says_the_same
from ..text.tokens import strict_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LONGEST = 1_600
"""Characters of a summary: some 400 tokens of English."""

MOST_TOKENS = 600
"""Maximum tokens of a summary in any script."""

MOST_A_KIND = 4
"""Memories named for each part of a summary, except the lessons."""

LONGEST_STATEMENT = 240
"""Characters of one statement. Of a longer text the first sentence is used, or it is counted."""

CUT_GOAL = 200
"""Characters from which on a stored goal is cut."""

PARTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Decided", ("decision", "architecture")),
    ("Laid down", ("preference", "pattern")),
    ("Watch out", ("warning",)),
    ("Solved", ("error",)),
    ("Found", ("discovery",)),
    ("Changed", ("file_change",)),
)
"""The parts of a summary, in order, with their categories."""

REFUTED = "refuted"
"""Category of memories that another one superseded."""

DIGEST_PARTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Solved", ("error",)),
    ("Refuted", (REFUTED,)),
    ("Watch out", ("warning",)),
    ("Decided", ("decision", "architecture")),
    ("Laid down", ("preference", "pattern")),
    ("Found", ("discovery",)),
    ("Changed", ("file_change",)),
)
"""The parts of a period's digest. Failures come first, so that they always fit."""


LESSONS = ("Solved", "Refuted")
"""The parts that are listed in full if there is room: lessons of failures."""

_OPEN = ("pending", "active")


def summary_of(goal: str | None, learned: Sequence[Mapping[str, Any]]) -> str:
    """Return the summary of a session (summary, open issues, next); "" without content.

    `learned` are rows of memories: category, type, title, content, importance, intention.
    """
    return summed_up(goal, learned, ())[0]


def digest_of(learned: Sequence[Mapping[str, Any]]) -> str:
    """Return the digest of a period in whole statements; "" without content.

    `learned` are rows as in `summary_of`, with `retired_as`.
    """
    rows = [
        {**row, "category": REFUTED, "intention": None}
        if row["retired_as"] == "superseded"
        else row
        for row in learned
    ]
    return summed_up("", rows, (), DIGEST_PARTS, LESSONS)[0]


def summed_up(
    goal: str | None,
    learned: Sequence[Mapping[str, Any]],
    above: Sequence[str],
    parts: Sequence[tuple[str, tuple[str, ...]]] = PARTS,
    lessons: Sequence[str] = (),
) -> tuple[str, list[str]]:
    """Return the summary without statements of the texts `above`, and these with its own added.

    Parts named in `lessons` are listed as far as there is room, others up to `MOST_A_KIND`.
    """
    text = list(above)
    lines = list[str]()
    for name, rows in _parts(learned, parts):
        most = len(rows) if name in lessons else MOST_A_KIND
        named, order = _chosen(rows, text, most)
        chosen, line = _part(name, named, order)
        while name in lessons and len(named) > 1 and not fits([*lines, line]):
            named.pop()
            chosen, line = _part(name, named, order)
        if not chosen:
            continue
        if not fits([*lines, line]):
            break
        lines.append(line)
        text += chosen
    aim = _goal(goal or "", text) if lines else ""
    if aim and fits([f"Goal: {aim}", *lines]):
        lines.insert(0, f"Goal: {aim}")
        text.append(aim)
    return "\n".join(lines), text


def _parts(
    learned: Sequence[Mapping[str, Any]], parts: Sequence[tuple[str, tuple[str, ...]]]
) -> Iterator[tuple[str, list[Mapping[str, Any]]]]:
    for name, categories in parts:
        yield (
            name,
            [
                row
                for row in learned
                if row["category"] in categories and row["type"] != "prospective"
            ],
        )
    yield "Open", [row for row in learned if row.get("intention") in _OPEN]


def fits(lines: Sequence[str]) -> bool:
    """Return True if the lines fit in a summary."""
    text = "\n".join(lines)
    return len(text) <= LONGEST and strict_tokens(text) <= MOST_TOKENS


def _part(
    name: str, named: Sequence[tuple[int, str]], order: Sequence[int | None]
) -> tuple[list[str], str]:
    """Return the chosen statements in order of their rows, and the line with them."""
    chosen = [whole for _, whole in sorted(named)]
    last = order.index(named[-1][0]) + 1 if named else 0
    rest = len(order) - last + sum(position is None for position in order[:last])
    return chosen, f"{name}: {'; '.join(chosen)}{f'; and {rest} more' if rest else ''}"


def _chosen(
    rows: Sequence[Mapping[str, Any]], text: Sequence[str], most: int
) -> tuple[list[tuple[int, str]], list[int | None]]:
    """Return position and statement of the `most` important rows, and the positions of all of them.

    None marks a row without a statement. No more than fits a summary is chosen, since each is
    compared with the others.
    """
    named, order, length = list[tuple[int, str]](), list[int | None](), 0
    for number in sorted(range(len(rows)), key=lambda n: -float(rows[n]["importance"])):
        is_full = len(named) == most or length > LONGEST
        whole = "" if is_full else statement_of(rows[number])
        order.append(number if is_full or whole else None)
        if whole and not _is_said(whole, (*text, *(other for _, other in named))):
            named.append((number, whole))
            length += len(whole)
    return named, order


def statement_of(row: Mapping[str, Any]) -> str:
    """Return a memory's own title, else its text; "" if too long.

    For errors the text is preferred, since the title only names the error.
    """
    title, text = " ".join(row["title"].split()), " ".join(row["content"].split())
    is_told = row["category"] == "error" and len(text) <= LONGEST_STATEMENT
    if title and not title.endswith("…") and not is_told:
        return title.rstrip(".")
    if len(text) > LONGEST_STATEMENT:
        text = next(iter(_sentences(row["content"].strip().partition("\n")[0])), "")
    return text.rstrip(".") if len(text) <= LONGEST_STATEMENT else ""


def _goal(goal: str, text: Sequence[str]) -> str:
    """Return the sentences of a goal that `text` does not have."""
    whole = [" ".join(sentence.split()) for sentence in _sentences(goal)]
    if len(goal) >= CUT_GOAL and whole and whole[-1][-1] not in ".!?…。！？":
        whole.pop()
    return " ".join(sentence for sentence in whole if not _is_said(sentence, text))


def _is_said(text: str, message: Sequence[str]) -> bool:
    return any(says_the_same(text, other) for other in message)


def _sentences(line: str) -> list[str]:
    from ..text.sentences import cut  # a prompt waits: only where a session is summed up

    return [sentence.strip() for sentence in cut(line) if sentence.strip()]
