"""What a session of `benchmarks year` was told, held against the truth of that day."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import NamedTuple

from memdeck.core.compat import MemoryCoordinator

from .year_facts import HOLDS, Fact, held_by, words
from .year_play import OVERTURNS, Turn

HEADS = (
    *("month", "live", "starts", "true", "prompts", "right", "stale", "silent", "marked"),
    *("else", "asked", "sound", "needed", "kept", "recall", "told of kept", "KB", "maintain s"),
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
    silent: int = 0  # of the stale: nobody ever said that it is over
    marked: int = 0  # of the stale: told with the mark of a conflict, or to be verified
    other: int = 0  # that hold no fact
    asked: int = 0  # of these: they say a question of the play again
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

    @property
    def sound(self) -> float:
        """Of what was told and holds a fact: the share of which nobody could know that it is over.

        What ageing can be held to: not what was never worth keeping, nor what ended unsaid.
        """
        of_facts = self.starts + self.prompts - self.other
        return 1 - (self.stale - self.silent) / max(1, of_facts)

    def row(self) -> list[object]:
        kept = self.kept / max(1, self.needed)
        of_kept = self.found / max(1, self.kept)
        true, right = self.true / max(1, self.starts), self.right / max(1, self.prompts)
        told = [self.starts, f"{true:.2f}", self.prompts, f"{right:.2f}", self.stale]
        told += [self.silent, self.marked, self.other, self.asked, f"{self.sound:.2f}"]
        shares = [f"{kept:.2f}", f"{self.recall:.2f}", f"{of_kept:.2f}"]
        end = [self.size_kb, f"{self.maintain_s:.2f}"]
        return [self.name, self.live, *told, self.needed, *shares, *end]

    def against(self, first: Month) -> str:
        """The last held against the first, in words."""
        told = f"recall {self.recall:.2f} after {first.recall:.2f}"
        right = f"precision {self.precision:.2f} after {first.precision:.2f}"
        stood = self.recall >= first.recall and self.precision >= first.precision
        sound = f"sound {self.sound:.2f} after {first.sound:.2f}"
        return f"last against first: {told}, {right}: {'not below' if stood else 'BELOW'}; {sound}"


class Truth:
    """What was said so far, and what of it is over: from the session after the one that ends it."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        self._facts = list(facts)
        self._said = set[int]()
        self._over = set[int]()
        self._unsaid = set[int]()  # over, and nobody said so

    def say(self, facts: Iterable[Fact]) -> None:
        self._said |= {id(fact) for fact in facts}

    def end(self, facts: Iterable[Fact]) -> None:
        self._over |= {id(fact) for fact in facts}

    def overturn(self, new: Sequence[Fact], turns: Sequence[Turn]) -> None:
        """End what these overturn; in the turns somebody said so, or did not.

        What one of these says in the very same words is said anew, and not over.
        """
        gone = {(fact.project, fact.file, fact.follows) for fact in new if fact.follows}
        gone -= {(fact.project, fact.file, fact.text) for fact in new}
        over = [one for one in self._facts if (one.project, one.file, one.text) in gone]
        self.end(over)
        spoken = [text for turn in turns for text in (turn.prompt, turn.answer)]
        leads = [lead.format("").strip() for lead in OVERTURNS if lead]
        self._unsaid |= {
            id(one)
            for one in over
            if one.end == "overturned"  # what is "changed" is said again with another value
            and not any(f"{lead} {one.text}" in text for lead in leads for text in spoken)
        }

    def remove(self, project: str, file: str) -> None:
        """End what was about a file that is gone."""
        self.end(one for one in self._facts if (one.project, one.file) == (project, file))

    def holds(self, fact: Fact) -> bool:
        return id(fact) in self._said and id(fact) not in self._over

    def ended_unsaid(self, fact: Fact) -> bool:
        """Whether it is over and nobody said so."""
        return id(fact) in self._over and id(fact) in self._unsaid

    def is_said(self, fact: Fact) -> bool:
        return id(fact) in self._said

    def of(self, project: str) -> list[Fact]:
        return [one for one in self._facts if one.project == project and self.is_said(one)]


class Told(NamedTuple):
    """A memory that was told."""

    words: frozenset[str]
    is_marked: bool  # in conflict, or to be verified
    is_denial: bool  # it says itself that what it names is over


NOBODY = Told(frozenset(), False, False)


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
    leads = tuple(lead.format("").strip() for lead in OVERTURNS if lead)
    contents = {
        m.id: Told(
            _words(m.content),
            bool(m.in_conflict or m.stale),
            any(lead in m.content for lead in leads),
        )
        for m in (*store.list(), *store.list("is:retired"))
    }
    receipts = store.receipts(50, session=session)
    start = list[Told]()
    by_prompt = dict[str, list[Told]]()
    for receipt in receipts:
        texts = [contents.get(item["id"], NOBODY) for item in receipt.items]
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
            month.kept += any(_holds(one.words, turn.fact, said) for one in contents.values())
            month.found += any(_holds(one.words, turn.fact, said) for one in (*start, *told))


def _holds(content: frozenset[str], fact: Fact, said: Sequence[Fact]) -> bool:
    return fact.share_in(content) >= HOLDS and fact in held_by(content, said)


def _judged(month: Month, told: Told, said: Sequence[Fact], truth: Truth) -> list[Fact]:
    """The facts that a told memory holds; stale ones and those of no fact are counted.

    What says itself that something is over holds none: it is no fact of the play, and not wrong.
    """
    held = [] if told.is_denial else held_by(told.words, said)
    month.other += not held
    month.asked += not held and any(_says(told.words, fact.title) for fact in said)
    if held and not any(map(truth.holds, held)):
        month.stale += 1
        month.silent += all(map(truth.ended_unsaid, held))
        month.marked += told.is_marked
    return held


def _says(content: frozenset[str], question: str) -> bool:
    """Whether a memory has as many words of a question as one that holds a fact has of it."""
    asked = _words(question)
    return len(asked & content) >= HOLDS * len(asked)
