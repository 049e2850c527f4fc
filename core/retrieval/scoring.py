"""From what was gathered to an order: each memory with its score and the parts of it."""

from collections.abc import Sequence

from ..config.limits import RecallLimits
from ..text.shapes import label
from ..text.words import is_common
from .beginnings import beginnings, said
from .candidates import Pool, rarity
from .company import before, leaning, standing_alone, together
from .ranking import PROFILES, Profile, signals_of
from .relevance import (
    MIN_RELATIVE,
    frequencies,
    is_relevant,
    is_strong,
    matcher,
    stands_out,
    text_of,
)
from .selection import Ranked
from .times import Window

JOINT, JOINTLY_NEAR = 0.7, 0.5
"""A memory with a word of the question is shown when it and its session say this much of it, and
a near neighbour is among the best answers by at least the second number."""

TELLING = 60
"""Words from which on a turn of a conversation tells as much as a note."""

BRIEF, LONG = 0.45, 0.65
"""How much memories stand alone, 0-1, that are a sentence or two each, and that are long."""


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
    texts = [text_of(image) for image in pool.images]
    matches = [(image, match(text)) for image, text in zip(pool.images, texts, strict=True)]
    counts = frequencies(found for _, found in matches)
    telling = {term.text: rarity(term, pool.entries) for term in pool.terms}
    total = sum(telling.values())
    joined = together(matches, telling) if pool.near else {}
    earlier = before(matches, telling) if pool.near else {}
    ranked = []
    lengths = [len(image["content"].split()) for image in pool.images]
    kind = length_of(lengths)
    told = said(beginnings(pool.terms), [text.lower for text in texts], lengths)
    for (image, found), says, length in zip(matches, told, lengths, strict=True):
        num, words, content = image["num"], found.words, image["content"]
        near, session = pool.near.get(num, 0.0), joined.get(num, 0.0)
        turn, speaker = earlier.get(num, 0.0), said_by(content)
        leans = leaning(length) if near or session or turn else 0.0
        signals = signals_of(
            image,
            words=pool.scores.get(num, 0.0) / best if best > 0 else 0.0,
            coverage=found.share,
            active=active,
            now_ms=now_ms,
            rare=says.often,
            lead=says.early,
            dense=says.dense,
            near=near * leans,
            together=session * leans if found.terms else 0.0,
            before=turn * leans,
            when=window.fits(image["created_at"]) if window else 0.0,
            speaker=float(image.get("agent") in telling or speaker in telling),
            tells=tells(content, length) if speaker else tells(content),
            length=kind,
        )
        score, parts = weigh(signals)
        is_fit = is_relevant(found, is_rare=stands_out(found, counts, signals.words))
        is_fit = is_fit and (signals.words >= MIN_RELATIVE or found.names_it)
        if not is_fit and found.terms and near >= JOINTLY_NEAR:
            share = sum([telling[word] for word in words]) / total if total > 0 else 0.0
            is_fit = share >= 0.15 and share + session >= JOINT
        ranked.append(Ranked(image, score, parts, words, is_fit, is_strong(found)))
    ranked.sort(key=lambda one: (-one.score, -one.image["created_at"], one.id))
    return ranked


def length_of(lengths: Sequence[int]) -> float:
    """How long the memories at hand are on the whole, by their words: 0.0 to 1.0.

    0.0 where they have 29 words and fewer, a sentence or two, 1.0 from 40 on.
    """
    if not lengths:
        return 0.0
    alone = sum(map(standing_alone, lengths)) / len(lengths)
    return min(max((alone - BRIEF) / (LONG - BRIEF), 0.0), 1.0)


def tells(text: str, turn_words: int = TELLING) -> float:
    """How much a memory tells: 0.0 when it only asks, 1.0 for a note.

    A turn of a conversation tells the more the longer it is, up to `TELLING` words: "that sounds
    great, Anna" answers nothing, however many words of the question it has.
    """
    return 0.0 if text.rstrip().endswith("?") else min(turn_words / TELLING, 1.0)


def said_by(text: str) -> str:
    """Who says a turn, in lower case: "Caroline: I went there". "" without such a beginning.

    "Warning:" or "Fix:" is nobody's name.
    """
    name = label(text).lower()
    return "" if is_common(name) else name
