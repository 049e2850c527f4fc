"""Home's lines, each one key away from where it is settled, and its words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ....core.services.vitals import Overview
from ....frozen import dataclass, replace
from ...acts import FILTER_ACT, ZOOM_ACT, Act
from ...text import counted
from ...view import Place
from ...widgets.nothing import NothingLine, nothing_fits

if TYPE_CHECKING:
    from ....core.services.tidy import Proposal

QUERIES: Mapping[str, str | None] = {
    "inbox": "is:candidate",
    "conflicts": "is:conflict",
    "tidy": None,
    "health": None,
}
"""What the Deck would be asked for what a line of another view counts."""

TO_TIDY = "to tidy"
MOST_KINDS = 3  # of what there is to tidy that have room
KINDS: Mapping[str, str] = {
    "contradiction": "contradicted",
    "repetition": "said twice",
    "moved": "moved",
    "verify": "stale",
    "task": "done",
    "long": "long",
    "untold": "untold",
}
"""What there is to tidy, in a word."""

LEARNED, IN_ALL = "learned this week", "memories in all"
NEARLY_ALWAYS = frozenset({TO_TIDY, LEARNED, IN_ALL})

HOME_ACTS = (
    Act("home.open", "enter", "Open", "open", "Goes to where the line is settled."),
    FILTER_ACT,
    ZOOM_ACT,
)  # fmt: skip
"""What works on this view, beside what works everywhere."""


@dataclass(frozen=True, slots=True)
class Matter:
    """One line: how many, of what, and where it is settled."""

    count: int | None  # None: it is being counted
    what: str  # with the count before it, a sentence: "memories wait for your verdict"
    place: Place
    key: str = ""  # that goes there from anywhere
    is_urgent: bool = False  # a person is waited for
    query: str | None = None  # finds what it counts; None: it is found in another way
    num: int = 0  # its place among all lines that there can be

    @property
    def revision(self) -> int:
        """Changes with whatever the line says."""
        return hash((self.count, self.what, self.key, self.is_urgent))


def matters(seen: Overview, to_tidy: Sequence[Proposal] | None) -> Iterator[Matter]:
    """What there is to do, then what there is to look at; what is nothing is left out.

    `to_tidy`: proposals of Tidy; None while they are counted. What is counted has its line
    already where there is nearly always something.
    """
    for num, one in enumerate(_all(seen, to_tidy)):
        if one.count or (one.count is None and one.what in NEARLY_ALWAYS):
            yield replace(one, num=num)


def _all(seen: Overview, to_tidy: Sequence[Proposal] | None) -> Iterator[Matter]:
    def line(
        count: int | None, one: str, many: str, place: Place, key: str = "", *, urgent: bool = False
    ) -> Matter:
        words = one if count == 1 else many
        query = QUERIES.get(place.view, place.query)
        return Matter(count, words, place, key, urgent, query)

    yield line(
        seen.waiting,
        "candidate waits for your verdict",
        "candidates wait for your verdict",
        Place("inbox"),
        "2",
        urgent=True,
    )
    yield line(
        seen.conflicts,
        "conflict to decide: both sides are told",
        "conflicts to decide: both sides are told",
        Place("conflicts"),
        "3",
        urgent=True,
    )
    yield line(
        seen.to_verify,
        "to verify: the project speaks against it",
        "to verify: the project speaks against them",
        _deck("is:verify"),
        urgent=True,
    )
    yield line(
        seen.offers,
        "memory may hold for every project",
        "memories may hold for every project",
        _deck("is:offered"),
    )
    yield line(
        seen.expiring, "ends within a week", "end within a week", _deck("is:expiring"), urgent=True
    )
    tidy = _to_tidy(to_tidy or ())
    count = None if seen.memories is None or to_tidy is None else len(to_tidy)
    yield line(0 if seen.memories == 0 else count, tidy, tidy, Place("tidy"), "T")
    yield line(seen.learned, LEARNED, LEARNED, _deck("created:<7d"))
    yield line(
        seen.untold,
        "was told to no agent so far",
        "were told to no agent so far",
        _deck("is:untold"),
    )
    yield line(
        seen.left, "left by itself this week", "left by themselves this week", Place("health"), "7"
    )
    yield line(seen.pinned, "pinned: told at each start", "pinned: told at each start",
               _deck("is:pinned"))  # fmt: skip
    yield line(seen.memories, "memory in all", IN_ALL, _deck(""), "1")


def _to_tidy(proposals: Sequence[Proposal]) -> str:
    """Of which kinds they are, the gravest first."""
    kinds = {one.kind for one in proposals}
    words = [word for kind, word in KINDS.items() if kind in kinds]
    return f"{TO_TIDY}: {', '.join(words[:MOST_KINDS])}" if words else TO_TIDY


def _deck(query: str) -> Place:
    return Place("deck", query=query)


def headline(seen: Overview) -> str:
    """What is to be done next, in a few words."""
    if not (seen.waiting or seen.conflicts or seen.to_verify):
        return "" if seen.to_verify is None else "nothing waits for you"
    parts = (
        counted(seen.waiting, "candidate") if seen.waiting else "",
        counted(seen.conflicts, "conflict") if seen.conflicts else "",
        f"{seen.to_verify:,} to verify" if seen.to_verify else "",
    )
    return ", ".join(part for part in parts if part)


LOOKING = (NothingLine("Looking at what your agents know…"),)
NOTHING = (
    NothingLine("Your agents know nothing of this project yet.", is_title=True),
    NothingLine(),
    NothingLine("Connect one, and it remembers what you say and what it finds:"),
    NothingLine("go to the agents", key="6"),
)
NOTHING_FITS = nothing_fits("No line fits the filter.")
