"""Rank the candidates, part by part, and reorder them by a strategy.

Each part is a pure function with a stated range. A profile combines them. Every score keeps its
parts by name, so that a hit can explain itself. In `blend` and `additive` the score is the sum of
its parts, in `multiplicative` their product.

A reranker takes the prompt, the ranked memories and the time, and returns the same memories in
another order. The default changes nothing. Add a strategy to `STRATEGIES`, or pass it to `search`.
"""

# ruff: noqa: ARG001 - every reranker is offered all three arguments

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import exp, log, prod
from operator import attrgetter, mul

from ...frozen import NamedTuple
from ..config.limits import RecallLimits
from ..text.words import is_common
from ..text.words import label as label_of
from ..values import DAY_MS
from .candidates import (
    MIN_RELATIVE,
    Match,
    Pool,
    Term,
    Text,
    Window,
    clarity,
    frequencies,
    is_rare_best,
    is_relevant,
    keywords,
    matcher,
    rarity,
    text_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CATEGORY_WEIGHTS: Mapping[str, float] = {
    "warning": 1.1,
    "decision": 1.1,
    "architecture": 1.05,
    "preference": 1.05,
    "pattern": 1.0,
    "error": 1.0,
    "discovery": 1.0,
    "file_change": 0.9,
    "task_progress": 0.9,
}
"""Weight of a category when all else is equal."""

STATUS_WEIGHTS: Mapping[str, float] = {"pinned": 1.15, "confirmed": 1.0, "candidate": 0.85}

MANY_ACCESSES = 100  # uses from which on the access frequency is at its maximum

SAME_FILE, SAME_FOLDER = 1.0, 0.5


class Statement(NamedTuple):
    type: str
    content: str


class Ranked(NamedTuple):
    """A candidate: its stored image, its score and the parts of it."""

    image: Mapping[str, Any]
    score: float
    parts: Mapping[str, float]
    matched: tuple[str, ...] = ()
    is_relevant: bool = True  # enough in common with the prompt to be injected
    clarity: int = 2  # 0-2, from 1 on even an unverified memory is injected
    names_it: bool = False  # it has an identifier of the prompt

    @property
    def id(self) -> str:
        return str(self.image["id"])

    @property
    def statement(self) -> Statement:
        return Statement(self.image["type"], self.image["content"])


class Signals(NamedTuple):
    words: float  # BM25 as a share of the best answer's, 0-1
    coverage: float  # share of the prompt that it covers, 0-1
    age_days: float
    importance: float  # 0-1
    accesses: int
    status: str
    category: str
    affinity: float  # 0-1
    lead: float = 0.0  # how early it says them, rare words counting more, 0-1
    near: float = 0.0  # the best neighbour's score in the session, faded by distance, 0-1
    together: float = 0.0  # share of the prompt that its session adds, 0-1
    before: float = 0.0  # that the one before it adds, 0-1
    when: float = 0.0  # how well it fits the time that the prompt names, 0-1
    speaker: float = 0.0  # 1.0 if the prompt names its agent or its speaker
    statement: float = 1.0  # 0.0 when it only asks, 1.0 for a note; a turn by its length
    approval: float = 0.5  # share of people who called it helpful; 0.5 without an opinion
    length: float = 0.0  # how long the memories at hand are, 0.0 a sentence or two, 1.0 more


def recency(age_days: float) -> float:
    """Return the freshness: 1.0 today, 0.5 at a week, 0.1 at a month, towards 0.0.

    Exponential between these points, and after the last at the same rate.
    """
    age = max(age_days, 0.0)
    if age <= 7:
        return float(0.5 ** (age / 7))
    return 0.5 * exp(-(age - 7) * log(5) / 23)


def access_frequency(accesses: int) -> float:
    """Return the frequency of use, 0.0 (never) to 10.0 (a hundred times or more), logarithmic."""
    return min(10 * log(max(accesses, 0) + 1) / log(MANY_ACCESSES + 1), 10.0)


def file_affinity(files: Sequence[str], active: Sequence[str]) -> float:
    """Return 1.0 if a memory's file is in use, 0.5 if one of its folder is, else 0.0.

    Two paths are the same if one ends with the other, so absolute and relative ones match.
    """
    best = 0.0
    for path in files:
        ours = path.replace("\\", "/").lower().lstrip("./")
        for other in active:
            theirs = other.replace("\\", "/").lower().lstrip("./")
            if not ours or not theirs:
                continue
            if _ends_alike(ours, theirs):
                return SAME_FILE
            folder, their_folder = posixpath.dirname(ours), posixpath.dirname(theirs)
            if folder and their_folder and _ends_alike(folder, their_folder):
                best = SAME_FOLDER
    return best


def multiplicative(signals: Signals) -> tuple[float, dict[str, float]]:
    """Return BM25 times one boost per signal, 0.0 to about 4."""
    parts = {
        "words": signals.words,
        "category": CATEGORY_WEIGHTS.get(signals.category, 1.0),  # 0.9 to 1.1
        "recency": 0.7 + 0.3 * recency(signals.age_days),  # 0.7 to 1.0
        "importance": 0.7 + 0.6 * signals.importance,  # 0.7 to 1.3
        "access": 1.0 + 0.02 * access_frequency(signals.accesses),  # 1.0 to 1.2
        "files": 1.0 + 0.5 * signals.affinity,  # 1.0 to 1.5
        "status": STATUS_WEIGHTS[signals.status],  # 0.85 to 1.15
        "approval": 0.9 + 0.2 * signals.approval,  # 0.9 to 1.1
    }
    return prod(parts.values()), parts


def additive(signals: Signals) -> tuple[float, dict[str, float]]:
    """Return 0.3 importance + 0.2 recency + 0.1 use + 0.4 similarity, each 0-10."""
    parts = {
        "importance": 0.3 * (1 + 9 * signals.importance),  # 0.3 to 3.0
        "recency": 2.0 * recency(signals.age_days),
        "access": 0.1 * access_frequency(signals.accesses),
        "words": 4.0 * signals.words,
    }
    return sum(parts.values()), parts


ANSWERING: Mapping[str, tuple[float, float]] = {
    "words": (0.09, 0.20),
    "coverage": (0.28, 0.23),
    "lead": (0.53, 0.32),
    "near": (0.14, 0.05),
    "together": (0.29, 0.10),
    "before": (0.23, 0.10),
}
"""Weights of the signals that say how well a memory matches: for candidates of a sentence or two,
and for longer ones. Between them, in proportion to `Signals.length`. A sentence matches by its
subject at its start and by its session, a longer text by its own words."""

DECIDING: Mapping[str, float] = {
    "when": 1.41,
    "speaker": 0.45,
    "tells": 0.43,
    "files": 0.05,
    "importance": 0.06,
    "recency": 0.05,
    "approval": 0.04,
}
"""Weights of the signals that decide between matches, as a share of the match.

`ANSWERING` and the first three are fitted by `python -m benchmarks.retrieval_fit` and rounded. The
others are small and chosen by hand, since no data set shows their effect (docs/dev/benchmarks.md).
"""


LABELS: Mapping[str, str] = {
    "words": "rare words",
    "coverage": "words had",
    "lead": "how early",
    "near": "neighbours",
    "together": "session",
    "before": "note before",
    "when": "right time",
    "speaker": "who says it",
    "tells": "a statement",
    "recency": "recent",
    "access": "often used",
    "approval": "opinions",
    "time": "recent",
}
"""Labels of the parts of a score, at most eleven cells; others keep their names."""


def label(part: str) -> str:
    return LABELS.get(part) or part.replace("_", " ")


Profile = Callable[[Signals], tuple[float, dict[str, float]]]


def blended(
    answering: Mapping[str, tuple[float, float]] = ANSWERING,
    decides: Mapping[str, float] = DECIDING,
) -> Profile:
    """Return a profile of mostly the match, 0.0 to 1.0.

    It adds the matching signals, and all others as shares of that sum, so that a memory without a
    match cannot rise. Weights are relative to each other.
    """
    top = 1 + sum(decides.values())
    weights = tuple([decides.get(name, 0.0) for name in DECIDING])
    names = (*answering, *DECIDING)
    signals_named = attrgetter(*answering)

    @lru_cache(maxsize=8)  # all memories of a question have the same length
    def shares(length: float) -> tuple[float, ...]:
        doses = [short + length * (long - short) for short, long in answering.values()]
        return tuple([dose / (sum(doses) * top) for dose in doses])

    def profile(signals: Signals) -> tuple[float, dict[str, float]]:
        values = list(map(mul, shares(signals.length), signals_named(signals)))
        answer = sum(values)
        sides = zip(weights, deciding(signals), strict=True)
        values += [weight * answer * side for weight, side in sides]
        return sum(values), dict(zip(names, values, strict=True))

    return profile


def deciding(signals: Signals) -> tuple[float, ...]:
    """Return the deciding signals, 0.0 to 1.0 each, in the order of `DECIDING`."""
    return (
        signals.when,
        signals.speaker,
        signals.statement,
        signals.affinity,
        signals.importance,
        recency(signals.age_days),
        signals.approval,
    )


PROFILES: Mapping[str, Profile] = {
    "blend": blended(),
    "multiplicative": multiplicative,
    "additive": additive,
}
"""Ranking profiles by name."""


def _ends_alike(first: str, other: str) -> bool:
    """Return True if one path is the other, or its last whole names."""
    return first == other or first.endswith(f"/{other}") or other.endswith(f"/{first}")


def approval(helpful: int, unhelpful: int) -> float:
    """Return the share of helpful opinions, 0.0 to 1.0; 0.5 without opinions.

    One opinion of each kind is added (Laplace), so that a single one moves it by a sixth.
    """
    return (helpful + 1) / (helpful + unhelpful + 2)


FEW_WORDS, MANY_WORDS = 4, 60
"""Words: up to the first a memory depends on its neighbours; from the second on it stands alone."""

LEAST_LEANING = 0.6  # minimum share that its session counts


def together(
    matches: Sequence[tuple[Mapping[str, Any], Match]], weights: Mapping[str, float]
) -> dict[int, float]:
    """Return by number the share of the question that a memory's session adds to its own words.

    A session has the terms of all its candidates. `weights` are those of the question's terms.
    """
    total = sum(weights.values())
    by_session: dict[str | None, dict[str, None]] = {}
    own = [(image, image.get("session"), match.words) for image, match in matches]
    for _, session, words in own:
        if session:
            by_session.setdefault(session, {}).update(dict.fromkeys(words))
    result: dict[int, float] = {}
    for image, session, words in own:
        text = by_session.get(session, {})
        if len(text) > len(words):  # its own are among those of its session
            others = [weights.get(word, 0.0) for word in text if word not in words]
            result[image["num"]] = sum(others) / total
    return result


def before(
    matches: Sequence[tuple[Mapping[str, Any], Match]], weights: Mapping[str, float]
) -> dict[int, float]:
    """Return by number the share of the question that the memory just before adds, 0-1.

    An answer often leaves out its subject: "what about the queue?", "we moved it to Redis". Only
    the one before in the same session counts. `weights` are those of the question's terms.
    """
    total = sum(weights.values())
    text = {image["num"]: (image.get("session") or "", match.words) for image, match in matches}
    result: dict[int, float] = {}
    for num, (session, words) in text.items():
        other, earlier = text.get(num - 1, (None, ()))
        if session and session == other and earlier:
            added = [weights.get(word, 0.0) for word in earlier if word not in words]
            result[num] = sum(added) / total
    return result


JOINT, JOINTLY_NEAR = 0.7, 0.5
"""A memory with a word of the question is injected if it and its session cover the first share, and
a neighbour's score is at least the second."""

FULL_TURN = 60  # words from which on a turn of a session counts as much as a note

BRIEF, LONG = 0.45, 0.65
"""Mean independence, 0-1, up to which candidates count as a sentence or two, and from which as
longer ones."""


def rank(
    pool: Pool,
    *,
    limits: RecallLimits,
    active: Sequence[str] = (),
    window: Window | None = None,
    now_ms: int,
    profile: Profile | None = None,
) -> list[Ranked]:
    """Return the candidates best first, by `profile` or the one of `limits.ranking`.

    `window` is the time that the question names. Ties go to the newer memory.
    """
    weigh = profile or PROFILES[limits.ranking]
    match = matcher(pool.terms)
    texts = [text_of(image) for image in pool.images]
    matches = list(map(match, texts))
    weights = {term.text: rarity(term, pool.entries) for term in pool.terms}
    result = list(zip(pool.images, matches, strict=True))
    joined = together(result, weights) if pool.near else {}
    signals = _signals(
        pool, texts, matches, weights, joined, active=active, window=window, now_ms=now_ms
    )
    counts = frequencies(matches)
    fit = _fit(pool, matches, counts, weights, joined, [signal.words for signal in signals])
    ranked = [
        Ranked(
            image,
            *weigh(signal),
            match.words,
            is_fit,
            clarity(match, counts, len(matches)),
            match.names_it,
        )
        for (image, match), signal, is_fit in zip(result, signals, fit, strict=True)
    ]
    ranked.sort(key=lambda signal: (-signal.score, -signal.image["created_at"], signal.id))
    return ranked


def _signals(
    pool: Pool,
    texts: Sequence[Text],
    matches: Sequence[Match],
    weights: Mapping[str, float],
    joined: Mapping[int, float],
    *,
    active: Sequence[str],
    window: Window | None,
    now_ms: int,
) -> list[Signals]:
    """Return the signals of each candidate, in order.

    `weights` are by term, `joined` is the session's part by number.
    """
    best = max(pool.scores.values(), default=1.0)
    result = zip(pool.images, matches, strict=True)
    earlier = before(list(result), weights) if pool.near else {}
    forms = [_form(image["content"]) for image in pool.images]
    # "The limit is 40" depends on the turns before it, and a note of some sentences does not
    above = [(form.words - FEW_WORDS) / (MANY_WORDS - FEW_WORDS) for form in forms]
    alone = [min(max(share, 0.0), 1.0) for share in above]
    mean = sum(alone) / len(alone) if alone else 0.0
    kind = min(max((mean - BRIEF) / (LONG - BRIEF), 0.0), 1.0)  # 29 words on average to 40
    leads = early(beginnings(pool.terms), [text.lower for text in texts])
    signals = []
    for image, match, lead, form, independent in zip(
        pool.images, matches, leads, forms, alone, strict=True
    ):
        num = image["num"]
        leans = 1 - (1 - LEAST_LEANING) * independent  # how much its session counts
        signals.append(
            Signals(
                words=pool.scores.get(num, 0.0) / best,
                coverage=match.share,
                age_days=(now_ms - image["updated_at"]) / DAY_MS,
                importance=image["importance"],
                accesses=image.get("accesses") or 0,
                status=image["status"],
                category=image["category"],
                affinity=file_affinity(image["files"], active) if active else 0.0,
                lead=lead,
                near=pool.near.get(num, 0.0) * leans,
                together=joined.get(num, 0.0) * leans if match.terms else 0.0,
                before=earlier.get(num, 0.0) * leans,
                when=window.fits(image["created_at"]) if window else 0.0,
                speaker=float(image.get("agent") in weights or form.speaker in weights),
                statement=form.statement,
                approval=approval(image.get("helpful") or 0, image.get("unhelpful") or 0),
                length=kind,
            )
        )
    return signals


def _fit(
    pool: Pool,
    matches: Sequence[Match],
    counts: Mapping[str, int],
    weights: Mapping[str, float],
    joined: Mapping[int, float],
    words: Sequence[float],
) -> list[bool]:
    """Return for each candidate True if it shares enough with the question to be injected.

    Its session may help. `words` are the BM25 as shares of the best, 0-1.
    """
    total = sum(weights.values())
    fit = []
    for image, match, share in zip(pool.images, matches, words, strict=True):
        is_fit = is_relevant(match, is_rare=is_rare_best(match, counts, share))
        is_fit = is_fit and (share >= MIN_RELATIVE or match.names_it)
        if not is_fit and match.terms and pool.near.get(image["num"], 0.0) >= JOINTLY_NEAR:
            own = sum([weights[word] for word in match.words]) / total
            is_fit = own >= 0.15 and own + joined.get(image["num"], 0.0) >= JOINT
        fit.append(is_fit)
    return fit


class _Form(NamedTuple):
    """The properties of a text that no question changes."""

    words: int
    speaker: str  # as `speaker_of`
    statement: float  # as `statement_share`


@lru_cache(maxsize=1_024)  # follow-up questions match the same memories
def _form(content: str) -> _Form:
    words, speaker = len(content.split()), speaker_of(content)
    return _Form(words, speaker, statement_share(content, words if speaker else FULL_TURN))


def statement_share(text: str, turn_words: int = FULL_TURN) -> float:
    """Return the share of a statement in a memory: 0.0 for a question, 1.0 for a note.

    A turn of a session counts by its length, up to `FULL_TURN` words: "sounds great, Anna" says
    nothing.
    """
    return 0.0 if text.rstrip().endswith("?") else min(turn_words / FULL_TURN, 1.0)


def speaker_of(text: str) -> str:
    """Return the speaker of a turn such as "Caroline: I went there", lower case; "" without one.

    "Warning:" and "Fix:" are no names.
    """
    name = label_of(text).lower()
    return "" if is_common(name) else name


LETTERS = 5  # first letters of a word that are searched for anywhere in the text
OTHER_LETTERS = 7  # the same for a synonym
EARLY = 60  # characters from the start at which a word counts half
Starts = tuple[str, ...]  # the first letters of a word, then those of its synonyms


def beginnings(terms: Sequence[Term]) -> tuple[Starts, ...]:
    """Return the first letters of the words of a question and of the parts of its names, each once.

    They are also found in `assertWalletIsAllowed` for "wallet", which a stem is not. A synonym
    counts as the word.
    """
    matches: dict[str, dict[str, None]] = {}
    for term in terms:
        if term.kind != "question":
            others = dict.fromkeys(other.lower()[:OTHER_LETTERS] for other in term.synonyms)
            for word in term.parts or (term.text,):
                start = word[:LETTERS]
                matches.setdefault(start, {start: None}).update(others)
    return tuple(map(tuple, matches.values()))


def early(words: Sequence[Starts], texts: Sequence[str]) -> list[float]:
    """Return how early each text (lower case) has `words`, 0-1. A text is about its first words.

    1.0 if each is at the very start, half of it at `EARLY` characters. Rare words weigh more.
    """
    result, whole = [0.0] * len(texts), 0.0
    columns = []
    for starts in words:
        if len(starts) == 1:
            places = [text.find(starts[0]) for text in texts]
        else:
            places = [_first(starts, text) for text in texts]
        weight = log(1 + len(texts) / (len(texts) - places.count(-1) + 0.5))
        columns.append((weight, places))
        whole += weight
    for weight, places in columns:
        for number, position in enumerate(places):
            if position >= 0:
                result[number] += weight / whole * EARLY / (EARLY + position)
    return result


def _first(starts: Starts, text: str) -> int:
    """Return the position of the first of these; -1 without one."""
    return min([start for start in map(text.find, starts) if start >= 0], default=-1)


# --- another order

Reranker = Callable[[str, Sequence[Ranked], int], Sequence[Ranked]]
"""Prompt, ranked, milliseconds since 1970 in; the same memories, best first, out."""

TIME_WEIGHT = 0.3  # weight of recency in `time-weighted`
DAY_FADES = 0.1  # rate at which recency falls there: 1 / (1 + 0.1 x days)


class Strategy(NamedTuple):
    """One way of searching: how much is read, how it is ranked and reordered."""

    name: str
    rerank: Reranker
    over_fetch: int = 3  # memories ranked for each that is wanted
    profile: Profile | None = None  # None: the one that is configured


def unchanged(prompt: str, ranked: Sequence[Ranked], now_ms: int) -> Sequence[Ranked]:
    """Return the order as it is."""
    return ranked


def time_weighted(prompt: str, ranked: Sequence[Ranked], now_ms: int) -> Sequence[Ranked]:
    """Return 0.7 of the score, as a share of the best, plus 0.3 of recency; 0.0 to 1.0."""

    def recency(item: Ranked) -> dict[str, float]:
        age_days = max(now_ms - item.image["created_at"], 0) / DAY_MS
        return {"time": 1 / (1 + DAY_FADES * age_days)}

    return _mixed(ranked, TIME_WEIGHT, recency)


def reviewed(prompt: str, ranked: Sequence[Ranked], now_ms: int) -> Sequence[Ranked]:
    """Return half of the score plus half the mean of two reviewers; 0.0 to 1.0."""
    terms = keywords(prompt)
    kinds = wanted_kinds(prompt)

    def opinions(item: Ranked) -> dict[str, float]:
        return {"analyzer": analyzer(terms, item) / 2, "patterns": patterns(kinds, item) / 2}

    return _mixed(ranked, 0.5, opinions)


def analyzer(terms: Sequence[Term], item: Ranked) -> float:
    """Return the share of the question that a memory has, 0.0 to 1.0; 1.0 for a name."""
    common = matcher(tuple(terms))(text_of(item.image))
    return 1.0 if common.names_it else common.share


def patterns(kinds: Sequence[str], item: Ranked) -> float:
    """Return 1.0 for a memory of the wanted kind, 0.5 if unknown, 0.0 for another."""
    if not kinds:
        return 0.5
    return float(item.image["category"] in kinds or item.image["type"] in kinds)


def wanted_kinds(prompt: str) -> tuple[str, ...]:
    """Return the categories and types that a question asks for; () if open."""
    import re  # few configure a strategy, and a prompt waits

    lower = prompt.lower()
    return next((kinds for words, kinds in _ASKED if re.search(rf"\b(?:{words})\b", lower)), ())


_ASKED: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("why|cause[ds]?|fail|broke|warum|weshalb|fehler", ("error", "discovery")),
    ("how (?:do|can|to|should)|steps?|wie (?:kann|soll)", ("procedural",)),
    ("decide[d]?|choose|chose|agreed?|entschieden|gewählt", ("decision",)),
    ("where|structure|stored?|wo|aufbau", ("architecture", "discovery")),
    ("careful|mind|danger|trap|vorsicht|achten", ("warning",)),
    ("prefer|style|convention|lieber|regel", ("preference", "pattern")),
    ("todo|open|left to do|offen", ("prospective", "task_progress")),
)


def _mixed(
    ranked: Sequence[Ranked], share: float, added: Callable[[Ranked], Mapping[str, float]]
) -> list[Ranked]:
    """Return new scores: the old ones relative to the best, and `share` of the `added` parts.

    The parts add up to the new score. If the old parts did not, they become one part.
    """
    best = max((item.score for item in ranked), default=0.0) or 1.0
    made = []
    for item in ranked:
        parts = dict(item.parts)
        if abs(sum(parts.values()) - item.score) > 1e-9:
            parts = {"ranking": item.score}
        parts = {name: value / best * (1 - share) for name, value in parts.items()}
        parts.update((name, share * value) for name, value in added(item).items())
        made.append(item._replace(score=sum(parts.values()), parts=parts))
    return sorted(made, key=lambda item: (-item.score, -item.image["created_at"], item.id))


STRATEGIES: Mapping[str, Strategy] = {
    item.name: item
    for item in (
        Strategy("plain", unchanged),
        Strategy("time-weighted", time_weighted, over_fetch=2),
        Strategy("reviewed", reviewed),
    )
}
"""Strategies by name. "plain" is the default."""


def strategy_called(name: str) -> Strategy:
    """Return the strategy of this name, ours or another package's. Raises BadInput."""
    if name in STRATEGIES:
        return STRATEGIES[name]
    from ...db.errors import BadInput
    from .. import extensions  # slower, only for foreign ones

    brought = extensions.names("strategy")
    if name not in brought:
        raise BadInput(
            f"There is no search strategy {name!r}.",
            hint=f"Use: {', '.join((*STRATEGIES, *brought))}.",
        )
    strategy = extensions.extension("strategy", name)
    if not isinstance(strategy, Strategy):
        raise BadInput(
            f"The search strategy {name!r} is no Strategy.", hint="docs/reference/extensions.md"
        )
    return strategy


def last_word(name: str, prompt: str, ranked: Sequence[Ranked], now_ms: int) -> Sequence[Ranked]:
    """Return the order of the named strategy; unchanged if it is missing or fails.

    A prompt waits for it, and another package may raise anything. `memdeck doctor` reports unknown
    names.
    """
    try:
        return strategy_called(name).rerank(prompt, ranked, now_ms)
    except Exception:  # foreign code, and the agent waits: keep the order
        return ranked


PLAIN = STRATEGIES["plain"]
