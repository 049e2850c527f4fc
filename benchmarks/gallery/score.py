"""What is known after a session against what a careful colleague would have kept."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from memdeck import Memory


@dataclass
class Score:
    """One session, or several added up. All numbers are counts."""

    expected: int = 0
    found: int = 0  # of what was expected
    kept: int = 0  # memories
    wanted: int = 0  # memories that were expected, or are good to have
    missed: list[str] = field(default_factory=list)
    unwanted: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float:
        """Share of the memories that are worth keeping; 1 where there are none."""
        return self.wanted / self.kept if self.kept else 1.0

    @property
    def recall(self) -> float:
        """Share of what is worth keeping that was kept; 1 where nothing is."""
        return self.found / self.expected if self.expected else 1.0

    def __add__(self, other: "Score") -> "Score":
        return Score(
            self.expected + other.expected,
            self.found + other.found,
            self.kept + other.kept,
            self.wanted + other.wanted,
            self.missed + other.missed,
            self.unwanted + other.unwanted,
        )


def score(memories: Sequence[Memory], told: dict[str, Any]) -> Score:
    """Each wish is met by one memory; a second memory that says the same is unwanted."""
    wishes = [*told["expected"], *told["optional"]]
    met = _pairs([[fits(memory, wish) for memory in memories] for wish in wishes])
    expected = range(len(told["expected"]))
    return Score(
        expected=len(expected),
        found=sum(wish in met for wish in expected),
        kept=len(memories),
        wanted=len(met),
        missed=[" · ".join(wishes[wish]["phrases"]) for wish in expected if wish not in met],
        unwanted=[m.content for n, m in enumerate(memories) if n not in met.values()],
    )


def _pairs(fitting: Sequence[Sequence[bool]]) -> dict[int, int]:
    """Wish -> memory, as many pairs as there can be; earlier wishes are never given up."""
    taken: dict[int, int] = {}  # memory -> wish

    def find(wish: int, tried: set[int]) -> bool:
        for memory, fits_it in enumerate(fitting[wish]):
            if fits_it and memory not in tried:
                tried.add(memory)
                if memory not in taken or find(taken[memory], tried):
                    taken[memory] = wish
                    return True
        return False

    for wish in range(len(fitting)):
        find(wish, set())
    return {wish: memory for memory, wish in taken.items()}


def fits(memory: Memory, wanted: dict[str, Any]) -> bool:
    """Whether all phrases are in it, one spelling of each, and category and type are allowed."""
    text = memory.content.lower()
    return (
        all(
            any(spelling.lower() in text for spelling in phrase.split("|"))
            for phrase in wanted["phrases"]
        )
        and memory.category in wanted.get("categories", (memory.category,))
        and memory.type in wanted.get("types", (memory.type,))
    )
