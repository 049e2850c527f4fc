"""From a prompt to the text handed to the agent: the order of the steps, and nothing else.

active files -> keywords -> aliases -> candidates, in phases -> ranking -> reranker -> top 15 ->
without the weakest 30 % -> relevant ones -> two a session and what answers -> conflicts with both
sides -> budget -> text. Pinned memories and the session's working memory come first.
Everything needed is an argument; nothing is written. Standard library only.
"""

from __future__ import annotations

import time
from collections.abc import Sequence, Set
from functools import partial

from ...frozen import replace
from ..config.limits import RecallLimits
from ..values import Injection
from .budget import allocate, host_tokens, widened
from .candidates import Timer, gather
from .frame import KNOWN, Sheet, format_for
from .keywords import Text, keywords, matcher, paths_in, window_of
from .ranking import rank
from .receipt import NOTHING_HEARD, Heard, is_at_work, is_reset, occasion_of
from .selection import (
    MAX_TODOS,
    OVER_FETCH,
    Question,
    Ranked,
    Rerank,
    Running,
    Viewer,
    distinct,
    head_and_tail,
    is_own,
    is_unproven,
    plainly_asked,
    seen_by,
    shared_before,
    shortlist,
    spread,
    units,
    visible,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...db.fast_reader import Reader

MAX_AWAITED = 100
"""Tasks that wait for an event whose words are looked for in a prompt."""

SAID = 2 / 3
"""A prompt says an event when it has so much of its words, by their weight: 0.0 to 1.0."""

PROGRESS = ("file_change", "task_progress")
"""Categories of what was done to a file, which say nothing of the file itself."""

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
) -> Injection:
    """What the agent should be told with this prompt, with the account of how it came about.

    `context_left` is in tokens, None when the host does not say. `event` is one of `OCCASIONS`
    and says what belongs to the moment; `source` how a session starts. `heard` is what the session
    was told before and still knows, `request` what it is asked to do, below the notes. `chosen`
    are memories that were found before, which no search is made for. Once `max_retrieval_ms`
    are spent, no further phase of finding begins. The text is empty when there is nothing to tell.
    The receipt's id is the caller's to give.
    """
    occasion = occasion_of(event, source)
    viewer = Viewer(project, session, role, now_ms, shared_before(limits, now_ms), limits.unproven)
    is_empty = occasion.is_fresh or is_reset(event, source) or limits.repeat == "always"
    reminders = _reminders(reader, viewer) if occasion.has_reminders else []
    about = _of_files(reader, files, viewer, limits) if occasion.of_files and files else []
    at_its_file = _at_its_file(_since_due(None if is_empty else heard, reminders), about)
    sheet = _sheet(host, prompt, limits, context_left, viewer, at_its_file, request)
    question = Question(reader, prompt, files, viewer, widened(limits), occasion, sheet)
    pinned = _pinned(question) if occasion.has_always else []
    working = _working(question) if occasion.has_always else []
    above = [*pinned, *working]
    if chosen is not None:
        images = visible(reader, reader.nums(chosen), viewer)
        running = Running([Ranked(image, 1.0, {"task": 1.0}) for image in images])
    elif occasion.asks and prompt.strip():
        timer = Timer(lambda: 1000 * time.perf_counter(), limits.max_retrieval_ms)
        ranked = _ranked(question, timer, above, rerank)
        running = _with_tasks(
            question, Running(ranked, _chosen(question, ranked, above)), reminders
        )
    elif occasion.of_files and files:
        running = Running(about)
    else:
        from .start import found_unasked  # a prompt is told none of it

        running = found_unasked(question, heard, above)
    _lay_out(question, (pinned, working), running)
    if occasion.has_summaries:
        from .start import sum_up

        sum_up(question, at_its_file)
    return replace(sheet.injection(), policy=limits.budget_policy, profile=limits.ranking)


def _with_tasks(question: Question, running: Running, reminders: list[Ranked]) -> Running:
    """The answers behind the open tasks, or those that are due or called; these take no place."""
    if question.occasion.has_todos:
        from .start import todos

        tasks = todos(question)
    elif question.occasion.has_reminders:
        tasks = reminders + _called(question, reminders)
    else:
        return running
    if tasks:
        question.sheet.widen(question.limits.injection_top_n + len(tasks))
    return running._replace(answers=[*tasks, *running.told])


def _lay_out(
    question: Question, always: tuple[list[Ranked], list[Ranked]], running: Running
) -> None:
    """Fill the sheet: what comes always, then what is in the running, each with its rivals."""
    sheet, limits = question.sheet, question.limits
    if question.occasion.places is not None:
        sheet.narrow(question.occasion.places)
    sheet.rank(running.ranked)
    tiers = (*always, running.profile, running.told)
    with_rivals = _with_rivals(question, tiers, is_asked=running.is_asked, untold=running.untold)
    if limits.budget_policy == "tiered":
        with_rivals[3] = head_and_tail(with_rivals[3], limits.head_tail)
    _write(sheet, with_rivals, limits)


def _sheet(
    host: str,
    prompt: str,
    limits: RecallLimits,
    context_left: int | None,
    viewer: Viewer,
    existing: Heard | None,
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
        told=existing.told if existing else None,
        is_own=partial(is_own, viewer, existing.since_ms) if existing else None,
        request=request,
    )


def _ranked(
    question: Question, timer: Timer, above: Sequence[Ranked], rerank: Rerank | None
) -> list[Ranked]:
    """The `top_k` that answer the prompt, best first, without what is hidden or `above` already."""
    reader, prompt, viewer, limits = (
        question.reader,
        question.prompt,
        question.viewer,
        question.limits,
    )
    left_out = question.sheet.left_out
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
    hidden = len(left_out)
    ids = {item.id for item in above}  # a list of tasks takes no answer's place
    images = [image for image in seen_by(viewer, pool.images, left_out) if image["id"] not in ids]
    ranked = rank(
        pool._replace(images=images),
        limits=limits,
        active=(*question.files, *paths_in(terms)),
        window=window_of(prompt, viewer.now_ms),
        now_ms=viewer.now_ms,
    )
    is_small_talk = all(term.kind == "common" for term in terms)
    if is_small_talk and not any(item.is_relevant for item in ranked):
        del left_out[hidden:]  # there was no question: an account of it would tell nothing
        return []
    final: Sequence[Ranked] = ranked
    if rerank is not None:
        final = rerank(prompt, ranked)
    elif limits.strategy != "plain":
        from .rerankers import last_word  # few configure one, and a prompt waits

        final = last_word(limits.strategy, prompt, ranked, viewer.now_ms)
    return _whole(reader, final[: limits.top_k])


def _chosen(question: Question, ranked: Sequence[Ranked], listed: Sequence[Ranked]) -> list[Ranked]:
    """From the ranked to those that may be injected, best first; more than have a place.

    `shown` is injected anyway: what says the same is not said again.
    """
    limits, left_out = question.limits, question.sheet.left_out
    running = shortlist(ranked, limits, left_out)
    relevant = [item for item in running if item.is_relevant]
    left_out.extend(
        (item.id, "too little in common with the prompt")
        for item in running
        if not item.is_relevant
    )
    relevant = plainly_asked(relevant, question.viewer, left_out)
    both_hold = question.reader.both_hold([item.id for item in (*relevant, *listed)])
    return spread(distinct(relevant, listed, left_out, both_hold), limits, left_out)


def _reminders(reader: Reader, viewer: Viewer) -> list[Ranked]:
    """What became due since it was last told, the earliest first."""
    due = reader.reminders(viewer.project, viewer.session, MAX_TODOS)
    images = visible(reader, [num for num, _ in due], viewer)
    return [Ranked(image, 1.0, {"due": 1.0}) for image in images]


def _at_its_file(existing: Heard | None, about: Sequence[Ranked]) -> Heard | None:
    """`known` without the tasks whose file is at hand: a start told of them before their time."""
    tasks = {item.id for item in about if item.image["type"] == "prospective"}
    if existing is None or not tasks:
        return existing
    return existing._replace(
        told={key: value for key, value in existing.told.items() if key not in tasks}
    )


def _called(question: Question, above: Sequence[Ranked]) -> list[Ranked]:
    """Tasks whose event this prompt says, at most ten, without those `above`."""
    reader, viewer, prompt = question.reader, question.viewer, question.prompt
    awaited = dict(reader.awaited(viewer.project, viewer.session, MAX_AWAITED))
    if not awaited:
        return []
    text = Text(prompt, prompt.lower().replace("\\", "/"))
    shares = {num: matcher(keywords(event))(text).share for num, event in awaited.items()}
    listed = {item.image["num"] for item in above}
    nums = [num for num, share in shares.items() if share >= SAID and num not in listed]
    images = visible(reader, nums[:MAX_TODOS], viewer)
    return [Ranked(image, 1.0, {"event": shares[image["num"]]}) for image in images]


def _since_due(existing: Heard | None, reminders: Sequence[Ranked]) -> Heard | None:
    """`known` without what was told of the reminders before they were due."""
    if existing is None or not reminders:
        return existing
    since = {
        reminder.id: reminder.image["details"].get("due_at") or reminder.image["due"]
        for reminder in reminders
    }
    details = {
        memory: {telling for telling in tellings if telling[0] >= since.get(memory, 0)}
        for memory, tellings in existing.told.items()
    }
    return existing._replace(told=details)


def _of_files(
    reader: Reader, files: Sequence[str], viewer: Viewer, limits: RecallLimits
) -> list[Ranked]:
    """What waits for these files and is known of them, but not that they changed."""
    about_files = reader.about_files(viewer.project, files, limits.top_k)
    return [
        Ranked(image, image["importance"], {"importance": image["importance"]})
        for image in visible(reader, about_files, viewer)
        if (image["type"] == "prospective" or image["category"] not in PROGRESS)
        and (viewer.hears_all or viewer.owns(image) or not is_unproven(image))
    ]


def _pinned(question: Question) -> list[Ranked]:
    """The pinned memories, at most five."""
    most, reader, viewer = question.limits.max_pinned, question.reader, question.viewer
    if most == 0:
        return []
    images = visible(
        reader, reader.pinned(viewer.project, most * 2), viewer, question.sheet.left_out
    )
    for image in images[most:]:
        question.sheet.left_out.append((image["id"], f"only {most} pinned are injected"))
    return [Ranked(image, 1.0, {"pinned": 1.0}) for image in images[:most]]


def _working(question: Question) -> list[Ranked]:
    """The working memory of the session, always."""
    reader, viewer = question.reader, question.viewer
    if viewer.session is None:
        return []
    images = visible(reader, reader.working(viewer.project, viewer.session), viewer)
    return [Ranked(image, 1.0, {"working": 1.0}) for image in images]


def _whole(reader: Reader, ranked: Sequence[Ranked]) -> list[Ranked]:
    """The same with everything that is stored of them, which ranking did not need."""
    images = reader.images([item.image["num"] for item in ranked]) if ranked else ()
    whole = {image["id"]: image for image in images}
    return [item._replace(image=whole[item.id]) for item in ranked if item.id in whole]


def _with_rivals(
    question: Question,
    tiers: Sequence[Sequence[Ranked]],
    *,
    is_asked: bool,
    untold: Set[str] = frozenset(),
) -> list[list[list[Ranked]]]:
    """The tiers as units, each with all sides of its conflicts; none shown twice.

    Where nobody asked, an unproven rival stays away: a guess must not get there by contradicting;
    so does what is `untold` until it is decided.
    """
    reader, viewer = question.reader, question.viewer
    listed = {item.id: item for tier in tiers for item in tier}
    pairs, others = list[tuple[str, str]](), dict[str, Ranked]()
    followed: set[str] = set()
    while (fresh_ids := (listed.keys() | others.keys()) - followed) and len(followed) < MAX_RIVALS:
        followed |= fresh_ids
        pairs += [pair for pair in reader.rivals(sorted(fresh_ids)) if not untold & {*pair}]
        missing = {memory_id for pair in pairs for memory_id in pair} - followed
        nums = reader.nums(sorted(missing)) if missing else []
        is_open = is_asked or viewer.hears_all or not nums
        nums = nums if is_open else reader.settled(nums, viewer.session)
        for image in visible(reader, nums, viewer):
            others[image["id"]] = Ranked(image, 0.0, {"rival": 0.0})
    result: list[list[list[Ranked]]] = []
    taken: set[str] = set()
    everyone = {**listed, **others}
    for tier in tiers:
        fresh = [item for item in tier if item.id not in taken]
        made = units(fresh, pairs, {key: everyone[key] for key in everyone.keys() - taken})
        taken.update(item.id for unit in made for item in unit)
        result.append(made)
    return result


def _write(sheet: Sheet, tiers: Sequence[Sequence[list[Ranked]]], limits: RecallLimits) -> None:
    """Fill the tiers by priority; the profile has its share of the whole.

    A pinned memory, and the task being worked on, that its own tier cannot hold may use the room
    of the retrieval tier, before any answer does; under `tiered` each task may, else the
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
