"""Facts and their lives for `benchmarks year`: who says them, who needs them, how they end."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from random import Random

from .year_sources import Saying, families

DAYS = 365
PROJECTS = ("north", "south", "west")
HOSTS = ("claude", "codex", "gemini")
HOLDS = 0.6  # share of a fact's words that a memory has which holds it
_OF_A_FAMILY = 8
_NEEDS = (1, 1, 2, 2, 3, 4, 5, 6)
_LETTERS = re.compile(r"[a-z0-9]+")
_VALUE = re.compile(r"\b\d+\b")


def words(text: str) -> frozenset[str]:
    """The words of a text, small."""
    return frozenset(_LETTERS.findall(text.lower()))


@dataclass(frozen=True)
class Fact:
    """One truth of a project; days from 0. It holds on the days in [begins, ends)."""

    project: str
    title: str
    text: str
    file: str  # its family
    by: str  # "person", "agent" or "task"
    begins: int
    ends: int = DAYS
    end: str = ""  # "overturned", "changed", "removed" or "ended"; "" of what holds on
    follows: str = ""  # the text that it overturns
    needs: tuple[tuple[int, str], ...] = field(default=(), compare=False)  # (day, question)

    @cached_property
    def words(self) -> frozenset[str]:
        return words(self.text)

    def share_in(self, content: frozenset[str]) -> float:
        """Share (0-1) of the fact's words that stand in a memory's."""
        return len(self.words & content) / max(1, len(self.words))


@dataclass(frozen=True)
class Move:
    """A file that leaves on a day, or gets another name."""

    project: str
    day: int
    file: str
    name: str = ""  # its new one; "" when it is removed


def held_by(content: frozenset[str], facts: Sequence[Fact]) -> list[Fact]:
    """The facts that a memory of these words holds: those of which it has most, HOLDS at least."""
    shares = [fact.share_in(content) for fact in facts]
    most = max((*shares, 0.0))
    return [f for f, share in zip(facts, shares, strict=True) if share == most >= HOLDS]


def drawn(sources: Path | None, chance: Random, count: int) -> tuple[list[Fact], list[Move]]:
    """About `count` facts over the year, and what becomes of files."""
    facts, moves = list[Fact](), list[Move]()
    for number, project in enumerate(PROJECTS):
        its = list[Fact]()
        for family in families(sources, number):
            if len(its) >= count // len(PROJECTS):
                break
            begun = [_begun(one, project, chance) for one in family[:_OF_A_FAMILY]]
            days = sorted(chance.randrange(DAYS - 15) for _ in begun)
            lived = _overturned([replace(f, begins=d) for f, d in zip(begun, days, strict=True)])
            lived = list(_changed(lived, chance))
            lot = chance.random()
            if lot < 1 / 4:
                day = chance.randrange(120, 330)
                name = "" if lot < 1 / 8 else _renamed(lived[0].file)
                moves.append(Move(project, day, lived[0].file, name))
                lived = lived if name else [_ended(fact, day, "removed") for fact in lived]
            its += [_needed(one, family, chance) for one in lived if one.begins < one.ends]
        facts += its
    return facts, moves


def _begun(saying: Saying, project: str, chance: Random) -> Fact:
    by = chance.choice(("person", "person", "person", "agent", "agent", "agent", "task"))
    text = saying.subject if by == "task" else saying.sentence
    return Fact(project, saying.subject, text, saying.file, by, 0)


def _renamed(file: str) -> str:
    stem, dot, end = file.rpartition(".")
    return f"{stem}_next{dot}{end}" if dot else f"{end}_next"


def _ended(fact: Fact, day: int, how: str) -> Fact:
    return replace(fact, ends=day, end=how) if day < fact.ends else fact


def _overturned(facts: list[Fact]) -> list[Fact]:
    """Each is overturned by the next of its file whose subject speaks of the same; tasks end."""
    taken = set[int]()
    for place, old in enumerate(facts):
        if old.by == "task":
            facts[place] = _ended(old, min(DAYS, old.begins + 10 + len(old.text) % 40), "ended")
            continue
        for later in range(place + 1, len(facts)):
            new = facts[later]
            same = {word for word in words(old.title) & words(new.title) if len(word) > 3}
            if len(same) >= 2 and later not in taken and new.by != "task" and place % 2 == 0:
                taken.add(later)
                facts[place] = _ended(old, new.begins, "overturned")
                facts[later] = replace(new, follows=old.text)
                break
    return facts


def _changed(facts: Sequence[Fact], chance: Random) -> Iterator[Fact]:
    """Half of those with a number get another one later."""
    for fact in facts:
        values = _VALUE.findall(fact.text) if fact.by != "task" and not fact.end else ()
        day = fact.begins + chance.randint(20, 150)
        if not values or day >= DAYS - 5 or chance.random() < 0.5:
            yield fact
            continue
        new = _VALUE.sub(lambda found: str(int(found[0]) + 3), fact.text, count=1)
        yield _ended(fact, day, "changed")
        yield replace(fact, text=new, begins=day, follows=fact.text)


def _needed(fact: Fact, family: Sequence[Saying], chance: Random) -> Fact:
    """The fact with one to six questions on days of its life: its subject, or another commit's."""
    own = {word for word in fact.words if len(word) > 3}
    others = [one.subject for one in family[_OF_A_FAMILY:] if len(own & words(one.subject)) >= 2]
    day, needs = fact.begins, list[tuple[int, str]]()
    for _ in range(chance.choice(_NEEDS)):
        day += 1 + int(chance.expovariate(1 / 30))
        if day >= fact.ends:
            break
        question = chance.choice(others) if others and chance.random() < 0.5 else fact.title
        needs.append((day, f"In {fact.file}: {question}" if chance.random() < 1 / 3 else question))
    return replace(fact, needs=tuple(needs))
