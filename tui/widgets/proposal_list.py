"""What there is to tidy, one proposal a line; one side of a proposal as text to read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.segment import Segment
from textual.content import Content
from textual.strip import Strip

from ...core.judgements import trust_words
from ...core.values import Memory, ms_of
from ..text import age, counted, cut, fit, one_line, plain
from .account import Account
from .text_pane import TextPane, scroll_keys
from .virtual_list import LEAD, Look, VirtualList
from .word_diff import Comparison, compare, content_of

KIND_WIDTH = 13


@dataclass(frozen=True, slots=True)
class ProposalRow:
    """One line; `num` names the proposal while the app runs."""

    num: int
    kind: str  # in words
    title: str
    is_urgent: bool  # agents may be misled by it

    @property
    def revision(self) -> int:
        """Changes with whatever the line says."""
        return hash((self.kind, self.title, self.is_urgent))


class ProposalList(VirtualList[ProposalRow]):
    """Proposals, those that mislead agents first."""

    HELP = """\
## Tidy
What is known already, one proposal at a time: what contradicts, is said twice, names files that are
gone, may be done, is long, or was told to no agent in a month. One key settles it, `u` takes it
back.
"""

    def draw_row(self, row: ProposalRow, look: Look) -> Strip:
        kind = self._ink(look, "urgent" if row.is_urgent else "muted")
        title = fit(one_line(row.title), max(look.width - LEAD - KIND_WIDTH, 1))
        segments = [Segment(fit(row.kind, KIND_WIDTH), kind), Segment(title, self._ink(look))]
        return self._line_of(look, segments)


MOST_COMPARED = 3_000  # characters of both texts: comparing them takes some milliseconds
MOST_SHOWN = 20_000


class ProposalPane(TextPane, inherit_bindings=False):
    """One side; letters go on to the view."""

    HELP = """\
## The memory
What it says, who said it, and how often agents were told of it. Arrows scroll.
"""
    BINDINGS = scroll_keys("pane", letters=False)


def side(
    account: Account, memory: Memory, words: Comparison | None, *, is_first: bool, is_low: bool
) -> Content:
    """A memory, no line wider than the account; `words` marks where the two differ.

    Where it `is_low`, nothing parts the title from the text.
    """
    return Content("\n").join(_lines(account, memory, words, is_first, is_low))


def compared(first: Memory, second: Memory | None) -> Comparison | None:
    """Where the two differ; None of one alone, of texts that have nothing in common, and of texts
    too long to compare at once."""
    if second is None or len(first.content) + len(second.content) > MOST_COMPARED:
        return None
    words = compare(first.content, second.content)
    return words if any(not run.is_changed for run in words.before) else None


def _lines(
    account: Account, memory: Memory, words: Comparison | None, is_first: bool, is_low: bool
) -> Iterator[Content]:
    title = one_line(memory.title)
    if not one_line(memory.content).startswith(title.rstrip("….")):  # else it is read twice
        yield plain(cut(title, account.width), "bold $text")
        if not is_low:
            yield Content("")
    if words is None:
        body = plain(memory.content[:MOST_SHOWN])
    else:
        body = content_of(*((words.before, "before") if is_first else (words.after, "after")))
    yield from body.wrap(account.width)
    yield Content("")
    told = counted(memory.accesses, "time") if memory.accesses else "never"
    used = f", used {memory.used}×" if memory.used else ""
    learned = age(ms_of(memory.created_at), account.now_ms).strip()
    facts = (
        ("verify", memory.stale),
        ("state", memory.status),
        ("trust", trust_words(memory.degree, memory.provenance)),
        ("learned", "just now" if learned == "now" else f"{learned} ago"),
        ("told", told + used),
        ("files", account.paths(memory.files)),
        ("tokens", f"{memory.tokens:,}"),
    )
    for name, value in facts:
        if value:
            yield account.field(name, value)
