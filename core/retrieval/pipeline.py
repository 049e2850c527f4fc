"""From a prompt to the text handed to the agent: the order of the steps, and nothing else.

active files -> keywords -> aliases -> candidates -> ranking -> reranker -> top 15 -> without the
weakest 30 % -> relevant ones -> at most two a session -> conflicts with both sides -> budget ->
text (002-15). Pinned memories and the session's working memory come first, always. Everything
needed is an argument; nothing is written. Standard library only: a prompt waits for this.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..limits import RecallLimits
from ..values import Injection, importance_from_10
from .budget import allocate
from .formats import format_for
from .keywords import Term, index_words, keywords, paths_in
from .ranking import DAY_MS, PROFILES, recency, signals_of
from .reader import Reader
from .relevance import MIN_RELATIVE, frequencies, is_relevant, match, stands_out
from .selection import Ranked, Rerank, Viewer, hidden_because, shortlist, spread, units
from .sheet import Sheet

OVER_FETCH = 3
"""Candidates read whole, for each that stays in the running (001-05)."""

MAX_TODOS = 10
"""Open intentions at the start of a session (001-16)."""

MAX_SUMMARIES = 3

MAX_RIVALS = 100
"""Memories whose conflicts are followed, from one rival to the next."""

Image = Mapping[str, Any]


def recall(
    reader: Reader,
    prompt: str,
    *,
    project: str,
    limits: RecallLimits,
    now_ms: int,
    host: str = "claude",
    session: str | None = None,
    context_left: int | None = None,
    files: Sequence[str] = (),
    event: str = "UserPromptSubmit",
    role: str | None = None,
    rerank: Rerank | None = None,
) -> Injection:
    """What the agent should be told with this prompt, with the account of how it came about.

    `context_left` is in tokens, None when the host does not say. `event` "SessionStart" asks for
    what matters without a question; every other event for what answers `prompt`. The text is
    empty when there is nothing to tell. The receipt's id is the caller's to give.
    """
    viewer = Viewer(project, session, host, role, now_ms)
    sheet = Sheet(
        format_for(host), allocate(limits, context_left, prompt), limits.max_output_units, now_ms
    )
    pinned = _pinned(reader, viewer, limits, sheet)
    working = _working(reader, viewer)
    if event == "SessionStart":
        sheet.widen(limits.top_k)
        answers = _unasked(reader, viewer, limits)
    else:
        terms = keywords(prompt, reader.aliases(project))
        found = _found(reader, terms, viewer, limits, sheet, {one.id for one in pinned})
        active = (*files, *paths_in(terms))
        ranked: Sequence[Ranked] = rank(*found, terms, limits=limits, active=active, now_ms=now_ms)
        ranked = ranked if rerank is None else rerank(prompt, ranked)
        answers = _chosen(ranked, limits, sheet)
    shown = _with_rivals(reader, viewer, (pinned, working, answers))
    _write(sheet, shown)
    if event == "SessionStart":
        sheet.open("summary")
        for summary in reader.summaries(project, MAX_SUMMARIES):
            sheet.add_summary(summary)
    return sheet.injection()


def rank(
    images: Iterable[Image],
    scores: Mapping[int, float],
    terms: Sequence[Term],
    *,
    limits: RecallLimits,
    active: Sequence[str] = (),
    now_ms: int,
) -> list[Ranked]:
    """Memories that the index found, best first by the profile of `limits.ranking`.

    `scores` holds the BM25 of each `num`, larger is better. Ties go to the newer memory.
    """
    profile = PROFILES[limits.ranking]
    best = max(scores.values(), default=0.0)
    matches = [(image, match(terms, image)) for image in images]
    counts = frequencies(found for _, found in matches)
    ranked = []
    for image, found in matches:
        signals = signals_of(
            image,
            words=scores.get(image["num"], 0.0) / best if best > 0 else 0.0,
            coverage=found.share,
            active=active,
            now_ms=now_ms,
        )
        score, parts = profile(signals)
        is_fit = is_relevant(found, is_rare=stands_out(found, counts, signals.words))
        is_fit = is_fit and (signals.words >= MIN_RELATIVE or found.names_it)
        ranked.append(Ranked(image, score, parts, found.words, is_fit))
    ranked.sort(key=lambda one: (-one.score, -one.image["created_at"], one.id))
    return ranked


def _found(
    reader: Reader,
    terms: Sequence[Term],
    viewer: Viewer,
    limits: RecallLimits,
    sheet: Sheet,
    shown: set[str],
) -> tuple[list[Image], dict[int, float]]:
    """What the index knows about `terms`, without what is `shown` already, and its BM25."""
    words = index_words(terms)
    if not words:
        return [], {}
    found = reader.candidates(words, viewer.project, limits.max_candidate_scan)
    foremost = sorted(found, key=lambda one: -one[1])[: limits.top_k * OVER_FETCH]
    images = _visible(reader, [num for num, _ in foremost], viewer, sheet)
    return [image for image in images if image["id"] not in shown], dict(foremost)


def _chosen(ranked: Sequence[Ranked], limits: RecallLimits, sheet: Sheet) -> list[Ranked]:
    """From the ranked to those that may be injected, best first; more than have a place."""
    running = shortlist(ranked, limits, sheet.left_out)
    relevant = [one for one in running if one.is_relevant]
    sheet.left_out.extend(
        (one.id, "too little in common with the prompt") for one in running if not one.is_relevant
    )
    return spread(relevant, limits, sheet.left_out)


def _unasked(reader: Reader, viewer: Viewer, limits: RecallLimits) -> list[Ranked]:
    """For the start of a session: open intentions, then what is important and recent."""
    todos = _visible(reader, reader.todos(viewer.project, MAX_TODOS), viewer)
    least = importance_from_10(limits.min_importance)
    found = reader.foremost(viewer.project, least, limits.top_k * OVER_FETCH)
    ranked = [Ranked(image, 1.0, {"open": 1.0}) for image in todos]
    others = []
    for image in _visible(reader, found, viewer):
        if image["type"] in ("prospective", "working"):
            continue  # open ones are above; closed ones are done
        age_days = (viewer.now_ms - image["updated_at"]) / DAY_MS
        parts = {"importance": 0.7 * image["importance"], "recency": 0.3 * recency(age_days)}
        others.append(Ranked(image, sum(parts.values()), parts))
    others.sort(key=lambda one: (-one.score, one.id))
    return ranked + others[: limits.top_k]


def _pinned(reader: Reader, viewer: Viewer, limits: RecallLimits, sheet: Sheet) -> list[Ranked]:
    """The pinned memories, at most five (002-16)."""
    if limits.max_pinned == 0:
        return []
    images = _visible(reader, reader.pinned(viewer.project, limits.max_pinned * 2), viewer, sheet)
    for image in images[limits.max_pinned :]:
        sheet.left_out.append((image["id"], f"only {limits.max_pinned} pinned are injected"))
    return [Ranked(image, 1.0, {"pinned": 1.0}) for image in images[: limits.max_pinned]]


def _working(reader: Reader, viewer: Viewer) -> list[Ranked]:
    """The working memory of the session, always (000-18)."""
    if viewer.session is None:
        return []
    images = _visible(reader, reader.working(viewer.project, viewer.session), viewer)
    return [Ranked(image, 1.0, {"working": 1.0}) for image in images]


def _visible(
    reader: Reader, nums: Sequence[int], viewer: Viewer, sheet: Sheet | None = None
) -> list[dict[str, Any]]:
    """The images of `nums` that this reader may see, in order."""
    images = []
    for image in reader.images(nums) if nums else ():
        reason = hidden_because(image, viewer)
        if reason is None:
            images.append(image)
        elif sheet is not None:
            sheet.left_out.append((image["id"], reason))
    return images


def _with_rivals(
    reader: Reader, viewer: Viewer, tiers: Sequence[Sequence[Ranked]]
) -> list[list[list[Ranked]]]:
    """The tiers as units, each with all sides of its conflicts (002-25); none shown twice."""
    listed = {one.id: one for tier in tiers for one in tier}
    pairs, others = list[tuple[str, str]](), dict[str, Ranked]()
    asked: set[str] = set()
    while (fresh_ids := (listed.keys() | others.keys()) - asked) and len(asked) < MAX_RIVALS:
        asked |= fresh_ids
        pairs += reader.rivals(sorted(fresh_ids))
        missing = {memory_id for pair in pairs for memory_id in pair} - asked
        nums = reader.nums(sorted(missing)) if missing else []
        for image in _visible(reader, nums, viewer):
            others[image["id"]] = Ranked(image, 0.0, {"rival": 0.0})
    result: list[list[list[Ranked]]] = []
    taken: set[str] = set()
    everyone = {**listed, **others}
    for tier in tiers:
        fresh = [one for one in tier if one.id not in taken]
        made = units(fresh, pairs, {key: everyone[key] for key in everyone.keys() - taken})
        taken.update(one.id for unit in made for one in unit)
        result.append(made)
    return result


def _write(sheet: Sheet, tiers: Sequence[Sequence[list[Ranked]]]) -> None:
    """Fill the tiers by priority.

    A pinned memory or working memory that its own tier cannot hold may use the room of the
    retrieval tier, before any answer does.
    """
    pinned, working, answers = tiers
    spilt = []
    for tier, section, tier_units in (
        ("always", "pinned", pinned),
        ("working", "working", working),
    ):
        sheet.open(tier)
        for unit in tier_units:
            if sheet.add(tier, section, unit) is not None:
                spilt.append((section, unit))
    sheet.open("retrieval")
    for section, unit in spilt:
        if reason := sheet.add("retrieval", section, unit):
            sheet.leave(unit, reason)
    sheet.fill(answers)
