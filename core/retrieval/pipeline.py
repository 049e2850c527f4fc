"""From a prompt to the text handed to the agent: the order of the steps, and nothing else.

active files -> keywords -> aliases -> candidates, in phases -> ranking -> reranker -> top 15 ->
without the weakest 30 % -> relevant ones -> two a session and what answers -> conflicts with both
sides -> budget -> text (002-15). Pinned memories and the session's working memory come first.
Everything needed is an argument; nothing is written. Standard library only.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence, Set
from functools import partial

from ...frozen import replace
from ..config.limits import RecallLimits
from ..values import Injection, least_importance
from .budget import allocate, host_tokens, widened
from .candidates import Timer, gather
from .formats import format_for
from .keywords import keywords, paths_in
from .occasions import NOTHING_HEARD, Heard, Occasion, is_at_work, is_reset, occasion_of
from .ranking import DAY_MS, recency
from .relevance import Text, matcher
from .scoring import rank
from .selection import (
    Ranked,
    Rerank,
    Viewer,
    distinct,
    head_and_tail,
    hidden_because,
    is_doubted,
    is_own,
    is_unproven,
    lived,
    plainly_asked,
    shared_before,
    shortlist,
    spread,
    units,
)
from .sheet import KNOWN, Sheet
from .times import full_hour, window_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .reader import Reader

OVER_FETCH = 3
"""Candidates read whole, for each that stays in the running (001-05)."""

MAX_TODOS = 10
"""Open intentions at the start of a session (001-16)."""

MAX_AWAITED = 100
"""Tasks that wait for an event whose words are looked for in a prompt."""

SAID = 2 / 3
"""A prompt says an event when it has so much of its words, by their weight: 0.0 to 1.0."""

PROGRESS = ("file_change", "task_progress")
"""Categories of what was done to a file, which say nothing of the file itself."""

MAX_TOLD = 10
"""Memories that a session is told again after a compaction, the last told first."""

MAX_SUMMARIES = 3

MAX_RIVALS = 100
"""Memories whose conflicts are followed, from one rival to the next."""


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
    source: str = "",
    role: str | None = None,
    rerank: Rerank | None = None,
    heard: Heard = NOTHING_HEARD,
    request: str = "",
    chosen: Sequence[str] | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> Injection:
    """What the agent should be told with this prompt, with the account of how it came about.

    `context_left` is in tokens, None when the host does not say. `event` is one of `OCCASIONS`
    and says what belongs to the moment; `source` how a session starts. `heard` is what the session
    was told before and still knows, `request` what it is asked to do, below the notes. `chosen`
    are memories that were found before, which no search is made for. `clock` gives seconds; once
    `max_retrieval_ms` are spent, no further phase of finding begins. The text is empty when there
    is nothing to tell. The receipt's id is the caller's to give.
    """
    occasion = occasion_of(event, source)
    shared = shared_before(limits, now_ms)
    viewer = Viewer(project, session, role, now_ms, shared, limits.unproven)
    is_empty = occasion.is_fresh or is_reset(event, source) or limits.repeat == "always"
    known = None if is_empty else heard
    reminders = _reminders(reader, viewer) if occasion.has_reminders else []
    known = _since_due(known, reminders)
    about = _of_files(reader, files, viewer, limits) if occasion.of_files and files else []
    known = _at_its_file(known, about)
    called = _called(reader, viewer, prompt, reminders) if occasion.has_reminders else []
    sheet = _sheet(host, prompt, limits, context_left, viewer, known, request)
    limits = widened(limits)
    pinned = _pinned(reader, viewer, limits, sheet) if occasion.has_always else []
    working = _working(reader, viewer) if occasion.has_always else []
    is_asked, profile, untold = True, list[Ranked](), frozenset[str]()
    if chosen is not None:
        images = _visible(reader, reader.nums(chosen), viewer)
        ranked: Sequence[Ranked] = [Ranked(image, 1.0, {"task": 1.0}) for image in images]
        answers = list(ranked)
    elif occasion.asks and prompt.strip():
        timer = Timer(lambda: 1000 * clock(), limits.max_retrieval_ms)
        above = {one.id for one in (*pinned, *working)}  # a list of tasks takes no answer's place
        ranked = _ranked(reader, prompt, viewer, limits, sheet, timer, files, above, rerank)
        answers = _chosen(reader, ranked, viewer, limits, sheet, [*pinned, *working])
        if todos := _todos(reader, viewer) if occasion.has_todos else reminders + called:
            sheet.widen(limits.injection_top_n + len(todos))  # they take no answer's place
            answers = todos + answers
    elif occasion.of_files and files:
        ranked = answers = about
    else:
        is_asked = False
        sheet.widen(limits.top_k)
        ranked = _unasked(reader, viewer, limits, occasion, heard)
        if occasion.has_profile and limits.profile_share:
            from .profile import LOOKED_AT, profile_of  # a prompt is told none of it

            liked = _visible(reader, reader.preferences(viewer.project, None, LOOKED_AT), viewer)
            profile, untold = profile_of(reader, liked, ranked, [*pinned, *working], sheet.left_out)
            ranked = [one for one in ranked if one.id not in untold]
            sheet.narrow(max(limits.top_k - len(profile), 0))
        ranked = answers = _once(reader, ranked, [*pinned, *working, *profile], sheet)
    if occasion.places is not None:
        sheet.narrow(occasion.places)
    sheet.rank(ranked)
    tiers = (pinned, working, profile, answers)
    shown = _with_rivals(reader, viewer, tiers, is_asked=is_asked, untold=untold)
    if limits.budget_policy == "tiered":
        shown[3] = head_and_tail(shown[3], limits.head_tail)
    _write(sheet, shown, limits)
    if occasion.has_summaries:
        _sum_up(reader, viewer, sheet, known)
    return replace(sheet.injection(), policy=limits.budget_policy, profile=limits.ranking)


def _sheet(
    host: str,
    prompt: str,
    limits: RecallLimits,
    context_left: int | None,
    viewer: Viewer,
    known: Heard | None,
    request: str,
) -> Sheet:
    """An empty sheet within the budget and in the host's form.

    What stands in the session's context is not told again: what it has `known`, and what it said
    itself since then. None: its context is empty.
    """
    return Sheet(
        format_for(host, limits.budget_policy, prompt),
        allocate(limits, context_left, prompt, host),
        limits.max_output_units,
        viewer.now_ms,
        estimate=limits.token_estimate,
        most_tokens=host_tokens(host),
        told=known.told if known else None,
        is_own=partial(is_own, viewer, known.since_ms) if known else None,
        request=request,
    )


def _ranked(
    reader: Reader,
    prompt: str,
    viewer: Viewer,
    limits: RecallLimits,
    sheet: Sheet,
    timer: Timer,
    files: Sequence[str],
    shown: set[str],
    rerank: Rerank | None,
) -> list[Ranked]:
    """The `top_k` that answer `prompt`, best first, without what is `shown` already or hidden."""
    terms = keywords(prompt, reader.aliases(viewer.project))
    if not terms:
        return []
    pool = gather(
        reader,
        terms,
        lambda words, limit: reader.candidates(words, viewer.project, limit),
        project=viewer.project,
        limits=limits,
        timer=timer,
        most=limits.top_k * OVER_FETCH,
        asked=prompt,
    )
    hidden = len(sheet.left_out)
    images = [image for image in _seen_by(viewer, pool.images, sheet) if image["id"] not in shown]
    ranked = rank(
        pool._replace(images=images),
        limits=limits,
        active=(*files, *paths_in(terms)),
        window=window_of(prompt, viewer.now_ms),
        now_ms=viewer.now_ms,
    )
    is_small_talk = all(term.kind == "common" for term in terms)
    if is_small_talk and not any(one.is_relevant for one in ranked):
        del sheet.left_out[hidden:]  # there was no question: an account of it would tell nothing
        return []
    final: Sequence[Ranked] = ranked
    if rerank is not None:
        final = rerank(prompt, ranked)
    elif limits.strategy != "plain":
        from .rerankers import last_word  # few configure one, and a prompt waits

        final = last_word(limits.strategy, prompt, ranked, viewer.now_ms)
    return _whole(reader, final[: limits.top_k])


def _chosen(
    reader: Reader,
    ranked: Sequence[Ranked],
    viewer: Viewer,
    limits: RecallLimits,
    sheet: Sheet,
    shown: Sequence[Ranked],
) -> list[Ranked]:
    """From the ranked to those that may be injected, best first; more than have a place.

    `shown` is injected anyway: what says the same is not said again.
    """
    running = shortlist(ranked, limits, sheet.left_out)
    relevant = [one for one in running if one.is_relevant]
    sheet.left_out.extend(
        (one.id, "too little in common with the prompt") for one in running if not one.is_relevant
    )
    relevant = plainly_asked(relevant, viewer, sheet.left_out)
    both_hold = reader.both_hold([one.id for one in (*relevant, *shown)])
    return spread(distinct(relevant, shown, sheet.left_out, both_hold), limits, sheet.left_out)


def _todos(reader: Reader, viewer: Viewer) -> list[Ranked]:
    """Open intentions, at most ten: by due time, then priority (001-16)."""
    images = _visible(
        reader,
        reader.todos(viewer.project, viewer.session, MAX_TODOS, unproven=viewer.hears_all),
        viewer,
    )
    return [Ranked(image, 1.0, {"open": 1.0}) for image in images]


def _once(
    reader: Reader, ranked: Sequence[Ranked], shown: Sequence[Ranked], sheet: Sheet
) -> list[Ranked]:
    """`ranked` without what stands among `shown`, or says the same as something before it."""
    above = {one.id for one in shown}
    others = [one for one in ranked if one.id not in above]
    both_hold = reader.both_hold([one.id for one in (*shown, *others)])
    return distinct(others, shown, sheet.left_out, both_hold)


def _reminders(reader: Reader, viewer: Viewer) -> list[Ranked]:
    """What became due since it was last told, the earliest first (000-12)."""
    due = dict(reader.reminders(viewer.project, viewer.session, MAX_TODOS))
    images = _visible(reader, list(due), viewer)
    return [Ranked(image, 1.0, {"due": float(due[image["num"]])}) for image in images]


def _at_its_file(known: Heard | None, about: Sequence[Ranked]) -> Heard | None:
    """`known` without the tasks whose file is at hand: a start told of them before their time."""
    tasks = {one.id for one in about if one.image["type"] == "prospective"}
    if known is None or not tasks:
        return known
    return known._replace(told={key: said for key, said in known.told.items() if key not in tasks})


def _called(reader: Reader, viewer: Viewer, prompt: str, above: Sequence[Ranked]) -> list[Ranked]:
    """Tasks whose event this prompt says, at most ten, without those `above` (000-12)."""
    awaited = dict(reader.awaited(viewer.project, viewer.session, MAX_AWAITED))
    if not awaited:
        return []
    text = Text(prompt, prompt.lower().replace("\\", "/"))
    shares = {num: matcher(keywords(event))(text).share for num, event in awaited.items()}
    shown = {one.image["num"] for one in above}
    nums = [num for num, share in shares.items() if share >= SAID and num not in shown]
    images = _visible(reader, nums[:MAX_TODOS], viewer)
    return [Ranked(image, 1.0, {"event": shares[image["num"]]}) for image in images]


def _since_due(known: Heard | None, reminders: Sequence[Ranked]) -> Heard | None:
    """`known` without what was told of the reminders before they were due."""
    if known is None or not reminders:
        return known
    since = {one.id: one.parts["due"] for one in reminders}
    told = {
        memory: {telling for telling in tellings if telling[0] >= since.get(memory, 0)}
        for memory, tellings in known.told.items()
    }
    return known._replace(told=told)


def _unasked(
    reader: Reader, viewer: Viewer, limits: RecallLimits, occasion: Occasion, heard: Heard
) -> list[Ranked]:
    """What matters without a question, and is settled: an agent's word waits until it is proven.

    Open intentions, what the context held before it was compacted, what belongs to the role that
    begins, then what is important and recent; as the occasion says.
    """
    ranked = _todos(reader, viewer) if occasion.has_todos else []
    groups: list[tuple[str, list[int]]] = []
    if occasion.has_told:
        last = sorted(heard.told, key=lambda memory: max(heard.told[memory]), reverse=True)
        groups.append(("told", reader.nums(last[:MAX_TOLD])))
    if viewer.role:
        learned = reader.of_role(
            viewer.project, viewer.session, viewer.role, limits.top_k, unproven=viewer.hears_all
        )
        groups.append(("role", learned))
    for name, nums in groups:
        ranked += [Ranked(image, 1.0, {name: 1.0}) for image in _visible(reader, nums, viewer)]
    ranked = [one for one in ranked if one.image["type"] != "working"]
    ranked = list({one.id: one for one in reversed(ranked)}.values())[::-1]  # each once, the first
    known = {one.id for one in ranked}
    least = least_importance(limits.min_importance)
    most = limits.top_k * OVER_FETCH
    found = reader.foremost(viewer.project, viewer.session, least, most, unproven=viewer.hears_all)
    others = []
    for image in _visible(reader, found, viewer):
        if image["id"] in known or image["type"] in ("prospective", "working"):
            continue  # open ones are above; closed ones are done
        age_days = (full_hour(viewer.now_ms) - image["updated_at"]) / DAY_MS
        parts = {"importance": 0.7 * lived(image), "recency": 0.3 * recency(age_days)}
        others.append(Ranked(image, sum(parts.values()), parts))
    others.sort(key=lambda one: (is_doubted(one.image), -one.score, one.id))
    ranked += [one for one in others if not one.image.get("is_gone")][: limits.top_k]
    return [one for one in ranked if not one.image.get("is_gone")]  # told when a prompt asks


def _sum_up(reader: Reader, viewer: Viewer, sheet: Sheet, known: Heard | None) -> None:
    """What the last sessions came to, of what is settled and still holds and is not told above.

    Its own end is no news to a session that goes on, nor what was over when it was told last.
    """
    from ..lifecycle.summaries import summed_up  # a prompt is told none

    sheet.open("summary")
    above = [one.image["content"] for one in sheet.items]
    for session in reader.summaries(viewer.project, MAX_SUMMARIES):
        is_known = known is not None and session["ends_at"] <= known.start_ms
        if is_known or (known is not None and session["session"] == viewer.session):
            continue
        images = _seen_by(viewer, reader.sketches(reader.learned(session["session"])), None)
        images = [image for image in images if not sheet.holds(image["id"])]
        content, said = summed_up(session["goal"], images, above)
        if content and sheet.add_summary({**session, "content": content}):
            above = said


def _of_files(
    reader: Reader, files: Sequence[str], viewer: Viewer, limits: RecallLimits
) -> list[Ranked]:
    """What waits for these files (000-12) and is known of them, but not that they changed."""
    found = reader.about_files(viewer.project, files, limits.top_k)
    return [
        Ranked(image, image["importance"], {"importance": image["importance"]})
        for image in _visible(reader, found, viewer)
        if (image["type"] == "prospective" or image["category"] not in PROGRESS)
        and (viewer.hears_all or viewer.owns(image) or not is_unproven(image))
    ]


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
    return _seen_by(viewer, reader.images(nums) if nums else (), sheet)


def _seen_by(
    viewer: Viewer, images: Iterable[dict[str, Any]], sheet: Sheet | None
) -> list[dict[str, Any]]:
    """Those of `images` that `viewer` may see; the others are named on the sheet with a reason."""
    seen = []
    for image in images:
        reason = hidden_because(image, viewer)
        if reason is None:
            seen.append(image)
        elif sheet is not None:
            sheet.left_out.append((image["id"], reason))
    return seen


def _whole(reader: Reader, ranked: Sequence[Ranked]) -> list[Ranked]:
    """The same with everything that is stored of them, which ranking did not need."""
    images = reader.images([one.image["num"] for one in ranked]) if ranked else ()
    whole = {image["id"]: image for image in images}
    return [one._replace(image=whole[one.id]) for one in ranked if one.id in whole]


def _with_rivals(
    reader: Reader,
    viewer: Viewer,
    tiers: Sequence[Sequence[Ranked]],
    *,
    is_asked: bool,
    untold: Set[str] = frozenset(),
) -> list[list[list[Ranked]]]:
    """The tiers as units, each with all sides of its conflicts (002-25); none shown twice.

    Where nobody asked, an unproven rival stays away: a guess must not get there by contradicting;
    so does what is `untold` until it is decided.
    """
    listed = {one.id: one for tier in tiers for one in tier}
    pairs, others = list[tuple[str, str]](), dict[str, Ranked]()
    asked: set[str] = set()
    while (fresh_ids := (listed.keys() | others.keys()) - asked) and len(asked) < MAX_RIVALS:
        asked |= fresh_ids
        pairs += [pair for pair in reader.rivals(sorted(fresh_ids)) if not untold & {*pair}]
        missing = {memory_id for pair in pairs for memory_id in pair} - asked
        nums = reader.nums(sorted(missing)) if missing else []
        is_open = is_asked or viewer.hears_all or not nums
        nums = nums if is_open else reader.settled(nums, viewer.session)
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


def _write(sheet: Sheet, tiers: Sequence[Sequence[list[Ranked]]], limits: RecallLimits) -> None:
    """Fill the tiers by priority; the profile has its share of the whole.

    A pinned memory, and the task being worked on, that its own tier cannot hold may use the room
    of the retrieval tier, before any answer does; under `tiered` each task may (004-11), else the
    others stay within their share.
    """
    pinned, working, profile, answers = tiers
    tasks_first = limits.budget_policy == "tiered"
    spilt = []
    for tier, section, tier_units in (
        ("always", "pinned", pinned),
        ("working", "working", working),
    ):
        sheet.open(tier)
        for unit in tier_units:
            reason = sheet.add(tier, section, unit)
            is_needed = tier == "always" or tasks_first or is_at_work(unit[0].image)
            if reason is not None and (reason in KNOWN or not is_needed):
                sheet.leave(unit, reason)
            elif reason is not None:
                spilt.append((section, unit))
    if profile:
        sheet.open_share("profile", limits.profile_share)
    for unit in profile:
        if reason := sheet.add("profile", "profile", unit):
            sheet.leave(unit, reason)
    sheet.open("retrieval")
    for section, unit in spilt:
        if reason := sheet.add("retrieval", section, unit):
            sheet.leave(unit, reason)
    sheet.fill(answers)
