"""From what was gathered to an order: each memory with its score and the parts of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import log, log1p

from ...frozen import NamedTuple
from ..config.limits import RecallLimits
from ..text.shapes import label
from ..text.words import is_common
from .candidates import Pool, rarity
from .company import before, leaning, standing_alone, together
from .keywords import Term
from .kindred import kindred
from .ranking import PROFILES, Profile, Signals, signals_of
from .relevance import (
    MIN_RELATIVE,
    Match,
    Text,
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
    match = matcher(pool.terms)
    texts = [text_of(image) for image in pool.images]
    matches = list(map(match, texts))
    telling = {term.text: rarity(term, pool.entries) for term in pool.terms}
    found = list(zip(pool.images, matches, strict=True))
    joined = together(found, telling) if pool.near else {}
    signals = _signals(
        pool, texts, matches, telling, joined, active=active, window=window, now_ms=now_ms
    )
    fit = _fit(pool, matches, telling, joined, [one.words for one in signals])
    ranked = [
        Ranked(image, *weigh(one), match.words, is_fit, is_strong(match))
        for (image, match), one, is_fit in zip(found, signals, fit, strict=True)
    ]
    ranked.sort(key=lambda one: (-one.score, -one.image["created_at"], one.id))
    return ranked


def _signals(
    pool: Pool,
    texts: Sequence[Text],
    matches: Sequence[Match],
    telling: Mapping[str, float],
    joined: Mapping[int, float],
    *,
    active: Sequence[str],
    window: Window | None,
    now_ms: int,
) -> list[Signals]:
    """What is known of each memory of the pool, in its order.

    `telling` is what each term tells, `joined` what the session adds to a memory, by its number.
    """
    best = max(pool.scores.values(), default=0.0)
    found = zip(pool.images, matches, strict=True)
    earlier = before(list(found), telling) if pool.near else {}
    contents = [image["content"] for image in pool.images]
    forms = list(map(_form, contents))
    lengths = [form.words for form in forms]
    kind = length_of(lengths)
    told = said(beginnings(pool.terms), [text.lower for text in texts], lengths)
    kin = kindred(pool.terms, matches, contents) if kind else [0.0] * len(contents)
    signals = []
    for image, match, says, form, goes in zip(pool.images, matches, told, forms, kin, strict=True):
        num, speaker = image["num"], form.speaker
        near, session = pool.near.get(num, 0.0), joined.get(num, 0.0)
        turn = earlier.get(num, 0.0)
        leans = leaning(form.words) if near or session or turn else 0.0
        signals.append(
            signals_of(
                image,
                words=pool.scores.get(num, 0.0) / best if best > 0 else 0.0,
                coverage=match.share,
                active=active,
                now_ms=now_ms,
                rare=says.often,
                lead=says.early,
                dense=says.dense,
                near=near * leans,
                together=session * leans if match.terms else 0.0,
                before=turn * leans,
                kindred=goes,
                when=window.fits(image["created_at"]) if window else 0.0,
                speaker=float(image.get("agent") in telling or speaker in telling),
                tells=form.tells,
                length=kind,
            )
        )
    return signals


def _fit(
    pool: Pool,
    matches: Sequence[Match],
    telling: Mapping[str, float],
    joined: Mapping[int, float],
    words: Sequence[float],
) -> list[bool]:
    """Whether each memory has enough in common with the question to be shown unasked.

    By itself, or with its session. `words` are the BM25 as shares of the best answer's, 0-1.
    """
    counts = frequencies(matches)
    total = sum(telling.values())
    fit = []
    for image, match, share in zip(pool.images, matches, words, strict=True):
        is_fit = is_relevant(match, is_rare=stands_out(match, counts, share))
        is_fit = is_fit and (share >= MIN_RELATIVE or match.names_it)
        if not is_fit and match.terms and pool.near.get(image["num"], 0.0) >= JOINTLY_NEAR:
            own = sum([telling[word] for word in match.words]) / total if total > 0 else 0.0
            is_fit = own >= 0.15 and own + joined.get(image["num"], 0.0) >= JOINT
        fit.append(is_fit)
    return fit


class _Form(NamedTuple):
    """What a text is, whatever is asked."""

    words: int
    speaker: str  # as `said_by`
    tells: float  # as `tells`


@lru_cache(maxsize=1_024)  # what answers one question answers the next, where somebody asks on
def _form(content: str) -> _Form:
    words, speaker = len(content.split()), said_by(content)
    return _Form(words, speaker, tells(content, words) if speaker else tells(content))


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


LETTERS = 5
"""Of a word its first letters are looked for, anywhere in the text: in a name, behind a prefix."""

OTHER_LETTERS = 7
"""The same of another word for it: by five letters `waitlist` would be said by who waits."""

OFTEN = 3
"""Of a word so many places count, each less than the one before."""

EARLY = 60
"""Characters from the start at which a word counts half of what it does at the start."""

DENSE = 5
"""A text is as full of the question's words as can be when one of so many words is one of them."""

_COUNTED = tuple(log1p(times) / log1p(OFTEN) for times in range(OFTEN + 1))

Starts = tuple[str, ...]
"""The first letters of a word, then those of the other words for it."""


def beginnings(terms: Sequence[Term]) -> tuple[Starts, ...]:
    """The first letters of the words of a question, of the parts of its names; none twice.

    A stem misses `assertWalletIsAllowed` for "wallet", `predictive` for "prediction"; these stand
    in both. Another word for a word counts as the word: "waiting list" is said by "the waitlist".
    """
    found: dict[str, dict[str, None]] = {}
    for term in terms:
        if term.kind != "question":
            others = dict.fromkeys(other.lower()[:OTHER_LETTERS] for other in term.synonyms)
            for word in term.parts or (term.text,):
                start = word[:LETTERS]
                found.setdefault(start, {start: None}).update(others)
    return tuple(map(tuple, found.values()))


class Said(NamedTuple):
    """How a text says the words of a question: 0.0 to 1.0 each.

    What it says first it is about, what it says more than once too, and what it says in few words.
    """

    often: float  # 1.0 when each is said `OFTEN` times
    early: float  # 1.0 when each stands at the very start, half of it at `EARLY` characters
    dense: float  # 1.0 when a word of `DENSE` is one of the question's


def said(words: Sequence[Starts], texts: Sequence[str], lengths: Sequence[int]) -> list[Said]:
    """How often, how early and in how few words each text (lower case) says `words`.

    What few of the texts have weighs more, but for the last. `lengths` are in words.
    """
    if not texts:
        return []
    columns = []
    whole = 0.0
    for starts in words:
        if len(starts) == 1:
            places = [text.find(starts[0]) for text in texts]
        else:
            places = [_first(starts, text) for text in texts]
        weight = log(1 + len(texts) / (len(texts) - places.count(-1) + 0.5))
        columns.append((starts, weight, places))
        whole += weight
    often, early, every = [0.0] * len(texts), [0.0] * len(texts), [0] * len(texts)
    for starts, weight, places in columns:
        share = weight / whole
        for number, place in enumerate(places):
            if place >= 0:
                early[number] += share * EARLY / (EARLY + place)
                times = sum([texts[number].count(start, place) for start in starts])
                often[number] += share * _COUNTED[min(times, OFTEN)]
                every[number] += times
    dense = [
        min(DENSE * times / max(length, 1), 1.0)
        for times, length in zip(every, lengths, strict=True)
    ]
    return list(map(Said, often, early, dense))


def _first(starts: Starts, text: str) -> int:
    """Where the first of these stands; -1 without one."""
    return min([place for place in map(text.find, starts) if place >= 0], default=-1)
