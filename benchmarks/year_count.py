"""What a session of `benchmarks year` was told, held against the truth of that day."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache

from memdeck.core.compat import MemoryCoordinator

from .year_facts import HOLDS, Fact, held_by, words
from .year_play import Turn

HEADS = (
    *("month", "live", "starts", "true", "prompts", "right", "stale", "else"),
    *("needed", "kept", "recall", "told of kept", "KB", "maintain s"),
)
_words = lru_cache(None)(words)


@dataclass
class Month:
    """What was counted in a month of 30 days; added up, the sizes are those of the later one."""

    name: str
    live: int = 0
    starts: int = 0  # memories told at starts
    true: int = 0
    prompts: int = 0  # memories told with prompts
    right: int = 0
    stale: int = 0
    other: int = 0  # that hold no fact
    needed: int = 0
    kept: int = 0
    found: int = 0
    size_kb: int = 0
    maintain_s: float = 0.0

    def __add__(self, other: Month) -> Month:
        summed = {
            one.name: getattr(self, one.name) + getattr(other, one.name)
            for one in fields(self)
            if one.name not in ("name", "live", "size_kb")
        }
        return Month(self.name, live=other.live, size_kb=other.size_kb, **summed)

    @property
    def recall(self) -> float:
        return self.found / max(1, self.needed)

    @property
    def precision(self) -> float:
        return (self.true + self.right) / max(1, self.starts + self.prompts)

    def row(self) -> list[object]:
        kept = self.kept / max(1, self.needed)
        of_kept = self.found / max(1, self.kept)
        true, right = self.true / max(1, self.starts), self.right / max(1, self.prompts)
        told = [self.starts, f"{true:.2f}", self.prompts, f"{right:.2f}", self.stale, self.other]
        shares = [f"{kept:.2f}", f"{self.recall:.2f}", f"{of_kept:.2f}"]
        end = [self.size_kb, f"{self.maintain_s:.2f}"]
        return [self.name, self.live, *told, self.needed, *shares, *end]

    def against(self, first: Month) -> str:
        """The last held against the first, in words."""
        told = f"recall {self.recall:.2f} after {first.recall:.2f}"
        right = f"precision {self.precision:.2f} after {first.precision:.2f}"
        stood = self.recall >= first.recall and self.precision >= first.precision
        return f"last against first: {told}, {right}: {'not below' if stood else 'BELOW'}"


class Truth:
    """What was said so far, and what of it is over: from the session after the one that ends it."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        self._facts = list(facts)
        self._said = set[int]()
        self._over = set[int]()

    def say(self, facts: Iterable[Fact]) -> None:
        self._said |= {id(fact) for fact in facts}

    def end(self, facts: Iterable[Fact]) -> None:
        self._over |= {id(fact) for fact in facts}

    def overturn(self, new: Sequence[Fact]) -> None:
        """End what these overturn."""
        gone = {(fact.project, fact.file, fact.follows) for fact in new if fact.follows}
        self.end(one for one in self._facts if (one.project, one.file, one.text) in gone)

    def remove(self, project: str, file: str) -> None:
        """End what was about a file that is gone."""
        self.end(one for one in self._facts if (one.project, one.file) == (project, file))

    def holds(self, fact: Fact) -> bool:
        return id(fact) in self._said and id(fact) not in self._over

    def is_said(self, fact: Fact) -> bool:
        return id(fact) in self._said

    def of(self, project: str) -> list[Fact]:
        return [one for one in self._facts if one.project == project and self.is_said(one)]


def counted(
    month: Month,
    store: MemoryCoordinator,
    session: str,
    turns: Sequence[Turn],
    truth: Truth,
    project: str,
) -> None:
    """Count what the session's receipts say into the month."""
    said = truth.of(project)
    contents = {m.id: _words(m.content) for m in (*store.list(), *store.list("is:retired"))}
    receipts = store.receipts(50, session=session)
    start = list[frozenset[str]]()
    by_prompt = dict[str, list[frozenset[str]]]()
    for receipt in receipts:
        texts = [contents.get(item["id"], frozenset()) for item in receipt.items]
        if receipt.event == "SessionStart":
            start += texts
        else:
            by_prompt.setdefault(receipt.prompt or "", []).extend(texts)
    month.starts += len(start)
    for content in start:
        month.true += any(map(truth.holds, _judged(month, content, said, truth)))
    for turn in turns:
        told = by_prompt.get(turn.prompt, [])
        month.prompts += len(told)
        for content in told:
            held = _judged(month, content, said, truth)
            month.right += any(truth.holds(f) and f.file == turn.file for f in held)
        if turn.fact is not None:
            month.needed += 1
            month.kept += any(_holds(one, turn.fact, said) for one in contents.values())
            month.found += any(_holds(one, turn.fact, said) for one in (*start, *told))


def _holds(content: frozenset[str], fact: Fact, said: Sequence[Fact]) -> bool:
    return fact.share_in(content) >= HOLDS and fact in held_by(content, said)


def _judged(
    month: Month, content: frozenset[str], said: Sequence[Fact], truth: Truth
) -> list[Fact]:
    """The facts that a told memory holds; stale ones and those of no fact are counted."""
    held = held_by(content, said)
    month.other += not held
    month.stale += bool(held) and not any(map(truth.holds, held))
    return held
