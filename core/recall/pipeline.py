"""Choose the text to inject: the order of the steps.

active files -> keywords -> aliases -> candidates -> ranking -> reranker -> top 15 -> without the
weakest 30 % -> relevant ones -> at most two a session -> conflicts with both sides -> budget ->
text. Pinned memories and the session's working memory come first. Nothing is written. Standard
library only.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial

from ...frozen import replace
from .. import hosts
from ..config.limits import RecallLimits
from ..values import Injection
from .budget import allocate, host_tokens
from .candidates import Text, Timer, gather, keywords, matcher, paths_in, window_of
from .frame import InjectionBuilder, Question, format_for
from .ranking import Ranked, last_word, rank
from .receipt import EMPTY_CONTEXT, IN_CONTEXT, SessionContext, is_at_work, is_reset, rule_of
from .selection import (
    MAX_TODOS,
    OVER_FETCH,
    OVERRULED,
    Rerank,
    Viewer,
    best_of,
    distinct,
    head_and_tail,
    is_own,
    is_unproven,
    overruled_in,
    seen_by,
    shared_before,
    shortlist,
    spread,
    units,
    visible,
    without_weak_matches,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...db.fast_reader import Reader

MAX_AWAITED = 100  # tasks with an event whose words are searched for in a prompt
NAMED_SHARE = 2 / 3  # share of an event's words, by weight, from which on a prompt names the event

PROGRESS = ("file_change", "task_progress")
"""Categories of changes to a file. They say nothing about the file itself."""

MAX_RIVALS = 100  # memories whose conflicts are followed, from one rival to the next


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
    session_context: SessionContext = EMPTY_CONTEXT,
    request: str = "",
    chosen: Sequence[str] | None = None,
    folder: str = "",
    root: str = "",
) -> Injection:
    """Return the text to inject with this prompt, and its account. The text may be empty.

    `context_left` is in tokens, None if unknown. `event` is one of `INJECTION_RULES`, `source` how
    a session starts. `session_context` lists what the session's context already has. `request` is
    added below the memories. `chosen` are memories that need no search. What the host
    loads itself in `folder` of the project at `root` is left out. After `max_retrieval_ms` no
    further step of the search begins. The caller sets the receipt's id.
    """
    rule = rule_of(event, source)
    viewer = Viewer(project, session, role, now_ms, shared_before(limits, now_ms), limits.unproven)
    is_empty = rule.is_fresh or is_reset(event, source)
    about = _of_files(reader, files, viewer, limits) if rule.of_files and files else []
    context = None
    if not is_empty:  # the tasks of a file in use are injected again
        at_hand = {item.id for item in about if item.image["type"] == "prospective"}
        injected = {key: at for key, at in session_context.injected.items() if key not in at_hand}
        context = session_context._replace(injected=injected)
    builder = InjectionBuilder(
        format_for(host, limits.budget_policy, prompt),
        allocate(limits, context_left, prompt, host),
        limits.max_output_units,
        now_ms,
        estimate=limits.token_estimate,
        most_tokens=host_tokens(host),
        injected=context.injected if context else None,
        is_own=partial(is_own, viewer, context.since_ms) if context else None,
        loaded=lambda: hosts.registry.loaded(host, folder, root).values() if folder else (),
        request=request,
    )
    question = Question(reader, prompt, files, viewer, limits, rule, builder)
    pinned = _pinned(question) if rule.has_always else []
    nums = reader.working(project, session) if rule.has_always and session is not None else ()
    working = [Ranked(image, 1.0, {"working": 1.0}) for image in visible(reader, nums, viewer)]
    above = [*pinned, *working]
    profile, is_asked = list[Ranked](), True
    if chosen is not None:
        images = visible(reader, reader.nums(chosen), viewer)
        part = "fix" if rule.of_files else "task"
        answers = [Ranked(image, 1.0, {part: 1.0}) for image in images]
    elif rule.asks and prompt.strip():
        timer = Timer(lambda: 1000 * time.perf_counter(), limits.max_retrieval_ms)
        ranked = _ranked(question, timer, above, rerank)
        tasks, answers = _tasks(question), _chosen(question, ranked, above)
        if tasks:  # they use no place of the matches
            builder.widen(limits.injection_top_n + len(tasks))
        answers = [*tasks, *answers]
    elif rule.of_files and files:
        answers = about
    else:
        from .start import without_query  # a prompt needs none of it

        answers, profile = without_query(question, session_context, above)
        is_asked = False
    if rule.places is not None:
        builder.narrow(rule.places)
    tiers = _with_rivals(question, (pinned, working, profile, answers), is_asked=is_asked)
    if limits.budget_policy == "tiered":
        tiers[3] = head_and_tail(tiers[3], limits.head_tail)
    _write(builder, tiers, limits)
    if rule.has_summaries:
        from .start import sum_up

        sum_up(question, context)
    return replace(builder.injection(), policy=limits.budget_policy, profile=limits.ranking)


def _ranked(
    question: Question, timer: Timer, above: Sequence[Ranked], rerank: Rerank | None
) -> list[Ranked]:
    """Return the best matches without hidden memories and those `above`."""
    reader, prompt = question.reader, question.prompt
    viewer, limits = question.viewer, question.limits
    left_out = question.builder.left_out
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
        question=prompt,
    )
    hidden = len(left_out)
    ids = {item.id for item in above}  # listed tasks take no place of a match
    # Working memory is above or not injected, and a task that begins matches itself best.
    tasks = ("working",) if question.rule.has_always else ("working", "prospective")
    nums = {image["num"] for image in pool.images if image["type"] in tasks}
    pool = pool._replace(
        images=[image for image in pool.images if image["num"] not in nums],
        scores={num: score for num, score in pool.scores.items() if num not in nums},
    )
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
        del left_out[hidden:]  # there was no question
        return []
    final: Sequence[Ranked] = ranked
    if rerank is not None:
        final = rerank(prompt, ranked)
    elif limits.strategy != "plain":
        final = last_word(limits.strategy, prompt, ranked, viewer.now_ms)
    best = best_of(final, limits)
    images = list(reader.images([item.image["num"] for item in best])) if best else []
    whole = {image["id"]: image for image in images}  # with all columns, ranking reads fewer
    return [item._replace(image=whole[item.id]) for item in best if item.id in whole]


def _chosen(question: Question, ranked: Sequence[Ranked], above: Sequence[Ranked]) -> list[Ranked]:
    """Return the ranked memories that may be injected, best first; more than there are places.

    Memories that say the same as one `above` are left out.
    """
    limits, left_out = question.limits, question.builder.left_out
    relevant = []
    for item in shortlist(ranked, limits, left_out):
        if item.is_relevant:
            relevant.append(item)
        else:
            left_out.append((item.id, "too little in common with the prompt"))
    relevant = without_weak_matches(relevant, ranked, question.viewer, left_out)
    # the user's sentence about a name goes before those of agents
    relevant.sort(key=lambda item: not (item.names_it and item.image["degree"] == "person"))
    both_hold = question.reader.both_hold([item.id for item in (*relevant, *above)])
    return spread(distinct(relevant, above, left_out, both_hold), limits, left_out)


def _tasks(question: Question) -> list[Ranked]:
    """Return at most ten open tasks whose event this prompt names, if the rule has them."""
    reader, viewer, prompt = question.reader, question.viewer, question.prompt
    has_awaited = question.rule.has_awaited
    awaited = reader.awaited(viewer.project, viewer.session, MAX_AWAITED) if has_awaited else ()
    if not awaited:
        return []
    text = Text(prompt, prompt.lower().replace("\\", "/"))
    shares = {num: matcher(keywords(event))(text).share for num, event in awaited}
    nums = [num for num, share in shares.items() if share >= NAMED_SHARE]
    images = visible(reader, nums[:MAX_TODOS], viewer)
    return [Ranked(image, 1.0, {"event": shares[image["num"]]}) for image in images]


def _of_files(
    reader: Reader, files: Sequence[str], viewer: Viewer, limits: RecallLimits
) -> list[Ranked]:
    """Return the tasks and memories about these files, without records of their changes."""
    nums = reader.about_files(viewer.project, files, limits.top_k)
    return [
        Ranked(image, image["importance"], {"importance": image["importance"]})
        for image in visible(reader, nums, viewer)
        if (image["type"] == "prospective" or image["category"] not in PROGRESS)
        and (viewer.sees_unproven or viewer.owns(image) or not is_unproven(image))
    ]


NOTED_PINS = 5  # beyond the limit: the account names them


def _pinned(question: Question) -> list[Ranked]:
    """Return the pinned memories, at most five, and note the next ones."""
    most, reader, viewer = question.limits.max_pinned, question.reader, question.viewer
    nums = reader.pinned(viewer.project, most + NOTED_PINS)
    images = visible(reader, nums, viewer, question.builder.left_out)
    for image in images[most:]:
        question.builder.left_out.append((image["id"], f"only {most} pinned are injected"))
    return [Ranked(image, 1.0, {"pinned": 1.0}) for image in images[:most]]


def _with_rivals(
    question: Question, tiers: Sequence[Sequence[Ranked]], *, is_asked: bool
) -> list[list[list[Ranked]]]:
    """Return the tiers as units, each memory once and with all sides of its conflicts.

    Without a question, the older of two statements of the user is left out, and unverified rivals
    but for records.
    """
    reader, viewer = question.reader, question.viewer
    listed = {item.id: item for tier in tiers for item in tier}
    pairs, others = list[tuple[str, str]](), dict[str, Ranked]()
    followed: set[str] = set()
    while (fresh_ids := (listed.keys() | others.keys()) - followed) and len(followed) < MAX_RIVALS:
        followed |= fresh_ids
        pairs += reader.rivals(sorted(fresh_ids))
        missing = {memory_id for pair in pairs for memory_id in pair} - followed
        nums = reader.nums(sorted(missing)) if missing else []
        is_open = is_asked or viewer.sees_unproven or not nums
        nums = nums if is_open else reader.settled(nums, viewer.session)
        for image in visible(reader, nums, viewer):
            if is_unproven(image) and image["evidence"]:  # no prompt asked for this record
                from .start import held_back_because

                if reason := held_back_because(image["content"], image["evidence"]):
                    question.builder.left_out.append((image["id"], reason))
                    continue
            others[image["id"]] = Ranked(image, 0.0, {"rival": 0.0})
    everyone = {**listed, **others}
    overruled = overruled_in(everyone, pairs, is_asked=is_asked)
    question.builder.left_out += [(item, OVERRULED) for item in sorted(overruled)]
    result: list[list[list[Ranked]]] = []
    taken = set(overruled)
    for tier in tiers:
        fresh = [item for item in tier if item.id not in taken]
        made = units(fresh, pairs, {key: everyone[key] for key in everyone.keys() - taken})
        taken.update(item.id for unit in made for item in unit)
        result.append(made)
    return result


def _write(
    builder: InjectionBuilder, tiers: Sequence[Sequence[list[Ranked]]], limits: RecallLimits
) -> None:
    """Fill the tiers by priority.

    A pinned memory or the active task that does not fit its own tier may use the retrieval tier,
    before any match. With the policy `tiered` every task may.
    """
    pinned, working, profile, answers = tiers
    tasks_first = limits.budget_policy == "tiered"
    spilt = []
    for tier, section, tier_units in (
        ("always", "pinned", pinned),
        ("working", "working", working),
    ):
        builder.open(tier)
        for unit in tier_units:
            reason = builder.add(tier, section, unit)
            is_needed = tier == "always" or tasks_first or is_at_work(unit[0].image)
            if reason is not None and (reason in IN_CONTEXT or not is_needed):
                builder.leave(unit, reason)
            elif reason is not None:
                spilt.append((section, unit))
    if profile:
        builder.open("profile", limits.profile_share)
    for unit in profile:
        if reason := builder.add("profile", "profile", unit):
            builder.leave(unit, reason)
    builder.open("retrieval")
    for section, unit in spilt:
        if reason := builder.add("retrieval", section, unit):
            builder.leave(unit, reason)
    builder.fill(answers)
