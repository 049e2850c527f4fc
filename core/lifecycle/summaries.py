"""Summaries in a few lines: the goal, what was decided and learned, what is open.

Pure: it takes what was learned and gives a text. Nothing in it is new, so nothing is redacted; and
nothing in it is cut: a statement stands there whole, or is only counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..text.sameness import says_the_same
from ..text.tokens import estimate_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LONGEST = 1_600
"""Characters of a summary: some 400 tokens of English."""

MOST_TOKENS = 600
"""Tokens of a summary in whatever script."""

MOST_A_KIND = 4
"""Memories named for each part of a summary, but where all is told."""

LONGEST_STATEMENT = 240
"""Characters of one statement; a longer text is told by its first sentence, or counted."""

CUT_GOAL = 200
"""Characters from which on a goal was cut when it was stored."""

PARTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Decided", ("decision", "architecture")),
    ("Laid down", ("preference", "pattern")),
    ("Watch out", ("warning",)),
    ("Solved", ("error",)),
    ("Found", ("discovery",)),
    ("Changed", ("file_change",)),
)
"""The parts of a summary, in order, and the categories that each gathers."""

REFUTED = "refuted"
"""What stands for the category of a memory that another one took the place of."""

DIGEST_PARTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Solved", ("error",)),
    ("Refuted", (REFUTED,)),
    ("Watch out", ("warning",)),
    ("Decided", ("decision", "architecture")),
    ("Laid down", ("preference", "pattern")),
    ("Found", ("discovery",)),
    ("Changed", ("file_change",)),
)
"""The parts of a period's digest: what failed stands first, so that no room is lacking for it."""


LESSONS = ("Solved", "Refuted")
"""The parts that are told in full, as far as there is room: what a failure taught."""

_OPEN = ("pending", "active")


def summary_of(goal: str | None, learned: Sequence[Mapping[str, Any]]) -> str:
    """The summary of a session (summary, open issues, next); "" of nothing.

    `learned` are rows of memories: category, type, title, content, importance, intention.
    """
    return summed_up(goal, learned, ())[0]


def digest_of(learned: Sequence[Mapping[str, Any]]) -> str:
    """Return what a period came to, in whole statements; "" of nothing learned.

    `learned` are rows of memories as `summary_of` takes them, and `retired_as`.
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
    """The summary below the texts `above`, and these with all that it says.

    What one of them says is not said again, nor anything twice. Of the parts named in `lessons`
    all is told that there is room for, of the others `MOST_A_KIND`.
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
    """Whether lines are no more than a summary may have."""
    text = "\n".join(lines)
    return len(text) <= LONGEST and estimate_tokens(text) <= MOST_TOKENS


def _part(
    name: str, named: Sequence[tuple[int, str]], order: Sequence[int | None]
) -> tuple[list[str], str]:
    """The statements that were chosen, in the order of their rows, and the line that says them."""
    chosen = [whole for _, whole in sorted(named)]
    last = order.index(named[-1][0]) + 1 if named else 0
    rest = len(order) - last + sum(position is None for position in order[:last])
    return chosen, f"{name}: {'; '.join(chosen)}{f'; and {rest} more' if rest else ''}"


def _chosen(
    rows: Sequence[Mapping[str, Any]], text: Sequence[str], most: int
) -> tuple[list[tuple[int, str]], list[int | None]]:
    """Of the `most` important rows place and statement, and the places of all in that order.

    None stands for a row that has no statement. More than a summary can hold is not chosen: each
    is compared with all that are.
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
    """What a memory says in a few words: its own title, else its text; "" if that is too long.

    Of what failed the text, where there is room: the title names the error, and not what mended it.
    """
    title, text = " ".join(row["title"].split()), " ".join(row["content"].split())
    is_told = row["category"] == "error" and len(text) <= LONGEST_STATEMENT
    if title and not title.endswith("…") and not is_told:
        return title.rstrip(".")
    if len(text) > LONGEST_STATEMENT:
        text = next(iter(_sentences(row["content"].strip().partition("\n")[0])), "")
    return text.rstrip(".") if len(text) <= LONGEST_STATEMENT else ""


def _goal(goal: str, text: Sequence[str]) -> str:
    """The whole sentences of a goal that say something which is not said."""
    whole = [" ".join(sentence.split()) for sentence in _sentences(goal)]
    if len(goal) >= CUT_GOAL and whole and whole[-1][-1] not in ".!?…。！？":
        whole.pop()
    return " ".join(sentence for sentence in whole if not _is_said(sentence, text))


def _is_said(text: str, message: Sequence[str]) -> bool:
    return any(says_the_same(text, other) for other in message)


def _sentences(line: str) -> list[str]:
    from ..text.sentences import cut  # a prompt waits: only where a session is summed up

    return [sentence.strip() for sentence in cut(line) if sentence.strip()]
