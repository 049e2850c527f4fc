"""From what was gathered to an order: each memory with its score and the parts of it."""

from collections.abc import Sequence

from ..limits import RecallLimits
from .company import together
from .gathering import Pool, rarity
from .ranking import PROFILES, Profile, signals_of
from .relevance import MIN_RELATIVE, frequencies, is_relevant, matcher, stands_out
from .selection import Ranked
from .times import Window

JOINT, JOINTLY_NEAR = 0.7, 0.5
"""A memory with a word of the question is shown when it and its session say this much of it, and
a near neighbour is among the best answers by at least the second number."""


def rank(
    pool: Pool,
    *,
    limits: RecallLimits,
    active: Sequence[str] = (),
    window: Window | None = None,
    now_ms: int,
    profile: Profile | None = None,
) -> list[Ranked]:
    """The gathered memories, best first by `profile`, or the one of `limits.ranking`.

    `window` is the time that the question is about. Ties go to the newer memory.
    """
    weigh = profile or PROFILES[limits.ranking]
    best = max(pool.scores.values(), default=0.0)
    match = matcher(pool.terms)
    matches = [(image, match(image)) for image in pool.images]
    counts = frequencies(found for _, found in matches)
    telling = {term.text: rarity(term, pool.entries) for term in pool.terms}
    total = sum(telling.values())
    joined = together(matches, telling) if pool.near else {}
    ranked = []
    for image, found in matches:
        num, words = image["num"], found.words
        rare = sum([telling[word] for word in words]) / total if total > 0 else 0.0
        signals = signals_of(
            image,
            words=pool.scores.get(num, 0.0) / best if best > 0 else 0.0,
            coverage=found.share,
            active=active,
            now_ms=now_ms,
            rare=min(rare, 1.0),
            near=pool.near.get(num, 0.0),
            together=joined.get(num, 0.0) if found.terms else 0.0,
            when=window.fits(image["created_at"]) if window else 0.0,
            speaker=float(bool(image.get("agent")) and image.get("agent") in telling),
        )
        score, parts = weigh(signals)
        is_fit = is_relevant(found, is_rare=stands_out(found, counts, signals.words))
        is_fit = is_fit and (signals.words >= MIN_RELATIVE or found.names_it)
        if not is_fit and found.terms and signals.near >= JOINTLY_NEAR:
            is_fit = signals.rare >= 0.15 and signals.rare + signals.together >= JOINT
        ranked.append(Ranked(image, score, parts, words, is_fit))
    ranked.sort(key=lambda one: (-one.score, -one.image["created_at"], one.id))
    return ranked
