"""Find candidates for a question, step by step.

rarest words -> BM25 -> neighbours in the session. If that finds little, once more
with synonyms, joined words and corrected spelling (`expansion`). No step begins after
`limits.max_retrieval_ms`. Standard library only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import log

from ...db.index import POSTINGS_HERE, affordable
from ...frozen import NamedTuple
from ..config.limits import RecallLimits
from .keywords import Term, index_words, matcher, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ...db.fast_reader import Reader

READ_WHOLE = 45
"""Memories that are read and ranked with all signals."""

COMMON = 16_000
"""Number of memories from which on a word's rarity counts nothing."""

LENT = 0.6
"""Weight of a neighbour's score beside a memory's own, to choose what to read."""


Hits = Sequence[tuple[int, float]]
"""Row numbers with their BM25, best first."""

Ask = Callable[[Sequence[str], int], Hits]
"""The index: words and a limit in, hits out."""


ENOUGH = 0.67
"""Share of a question's weight, 0-1, that a match must cover to skip the expansion."""

MAX_READ = 10
"""Best matches that are checked for it."""

FIRST_HITS = 30
"""Maximum number of hits that lend their score to neighbours."""

REACH = 12
"""Maximum distance to a neighbour, in memories."""

FADING = 0.06
"""Reduction of a lent score for each memory between."""

_FADED = tuple((1 - FADING * abs(steps)) if steps else 0.0 for steps in range(-REACH, REACH + 1))
"""Remaining share of a score by distance."""

NEW_NEIGHBOURS = 40
"""Maximum number of memories that only their neighbours bring in."""


class Pool(NamedTuple):
    """The candidates to rank, with what the steps know of them by row number."""

    images: list[dict[str, Any]]
    scores: Mapping[int, float]  # BM25, larger is better; neighbours may have none
    near: Mapping[int, float]  # what neighbours lend, as a share of the best score, 0-1
    terms: tuple[Term, ...]  # with further words, where the plain ones found little
    entries: Mapping[str, int]  # how many memories have each word


class Timer:
    """The time limit of a retrieval. `clock` gives milliseconds."""

    def __init__(self, clock: Callable[[], float], allowed_ms: float) -> None:
        self._clock = clock
        self._end = clock() + allowed_ms

    @property
    def is_over(self) -> bool:
        return self._clock() >= self._end


def gather(
    reader: Reader,
    terms: Sequence[Term],
    ask: Ask,
    *,
    project: str,
    limits: RecallLimits,
    timer: Timer,
    most: int = READ_WHOLE,
    with_neighbours: bool = True,
    asked: str = "",
) -> Pool:
    """Return the candidates, at most `most` and some neighbours.

    `asked` is the whole question, for words that are no `terms`. Without `with_neighbours`, only
    memories that `ask` found are returned, as filters require. `ask` may then search other
    projects, and words are not counted for this project alone.
    """
    entries = reader.frequencies(index_words(terms))
    phases = _Phases(reader, ask, project, limits, timer, most, with_neighbours)
    hits = phases.found_by(entries)
    pool = phases.pool_of(hits, terms, entries)
    match = matcher(tuple(terms))
    by_score = sorted(pool.images, key=lambda image: -pool.scores.get(image["num"], 0.0))
    best = by_score[:MAX_READ]
    if timer.is_over or any(match(text_of(image)).share >= ENOUGH for image in best):
        return pool
    from .expansion import widened  # most questions are answered without

    further = widened(reader, terms, entries, reader.aliases(project), asked)
    if further is None or timer.is_over:
        return pool
    wide, counts = further
    if with_neighbours:  # BM25 is a sum over words: what the others find is added
        others = {word: count for word, count in counts.items() if word not in entries}
        sums = dict(hits)
        for num, score in phases.found_by(others):
            sums[num] = sums.get(num, 0.0) + score
        hits = sorted(sums.items(), key=lambda hit: (-hit[1], -hit[0]))
    else:  # but what was asked beside words would count twice
        hits = phases.found_by(counts)
    return phases.pool_of(hits, wide, counts)


class _Phases(NamedTuple):
    """The steps for one question. They may run twice, the second time with more words."""

    reader: Reader
    ask: Ask
    project: str
    limits: RecallLimits
    timer: Timer
    most: int
    with_neighbours: bool

    def found_by(self, entries: Mapping[str, int]) -> Hits:
        """Return the hits for the rarest of these words."""
        words = affordable(entries)
        others = [word for word in entries if entries[word] and word not in words]
        if others and self.with_neighbours:  # rare in this project
            here = self.reader.frequencies(others, self.project)
            words += affordable(here, POSTINGS_HERE, least=0)
        return self.ask(words, self.limits.max_candidate_scan)

    def pool_of(self, hits: Hits, terms: Sequence[Term], entries: Mapping[str, int]) -> Pool:
        """Return the candidates: hits and neighbours."""
        scores = dict(hits)
        near: Mapping[int, float] = {}
        if hits and hits[0][1] > 0 and not self.timer.is_over:
            shares = {num: score / hits[0][1] for num, score in hits[:FIRST_HITS]}
            near = lent(shares, self.reader.company(list(shares)))
        lent_here = near if self.with_neighbours else {}
        chosen = _worth_reading(hits, scores, lent_here, self.most)
        if not self.with_neighbours:
            near = {num: share for num, share in near.items() if num in scores}
        images = [
            image
            for image in self.reader.sketches(chosen)
            if image["num"] in scores
            or (image["retired_at"] is None and image["project"] in (self.project, ""))
        ]
        return Pool(images, scores, near, tuple(terms), entries)


def rarity(term: Term, entries: Mapping[str, int]) -> float:
    """Return how specific a term is, by its kind and by how few memories have it: 0.06 to 2.0.

    The minimum is reached at a quarter of `COMMON`, where the index stops counting.
    """
    share = log(1 + min(entries.get(term.text, 0), COMMON)) / log(1 + COMMON)
    return term.weight * max(0.15, 1 - share)


def lent(scores: Mapping[int, float], sessions: Iterable[Sequence[int]]) -> dict[int, float]:
    """Return what each memory gets from its session, 0.0 to the best score.

    `scores` are the first hits'. `sessions` list row numbers in order.
    """
    shares: dict[int, float] = {}
    for session in sessions:
        for num in scores.keys() & session:
            position, score = session.index(num), scores[num]
            first = max(position - REACH, 0)
            near = session[first : position + REACH + 1]
            for other, remaining in zip(near, _FADED[first - position + REACH :], strict=False):
                share = score * remaining
                if share > shares.get(other, 0.0):
                    shares[other] = share
    return shares


def _worth_reading(
    hits: Hits, scores: Mapping[int, float], near: Mapping[int, float], most: int
) -> list[int]:
    """Return row numbers by their own score and their neighbours', best first.

    `hits` beyond `most` come in only by a neighbour's score. `scores` are theirs by number.
    """
    best = max(hits[0][1], 0.0) if hits else 0.0
    best = best or 1.0
    worth = {num: score / best for num, score in hits[:most]}
    new = []
    for num, share in near.items():
        if num in worth:
            worth[num] += LENT * share
        elif num in scores:
            worth[num] = scores[num] / best + LENT * share
        else:
            new.append((LENT * share, num))
    own = [(value, num) for num, value in worth.items()]
    if len(own) >= most:  # hundreds of neighbours lend less than the last of these have
        least = min(own)
        new = [item for item in new if item > least]
    new.sort(reverse=True)  # `heapq` takes longer to load than to sort these
    foremost = sorted((*own, *new[:NEW_NEIGHBOURS]), reverse=True)[:most]
    return [num for _, num in foremost]
