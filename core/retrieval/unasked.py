"""What an agent is told without a question: at a start, after a compaction, at a task's end.

A prompt asks with its words and loads none of this.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..config.limits import RecallLimits
from ..values import least_importance
from .occasions import Heard, Occasion
from .ranking import DAY_MS, recency
from .selection import (
    MAX_TODOS,
    OVER_FETCH,
    Ranked,
    Running,
    Viewer,
    distinct,
    is_doubted,
    lived,
    seen_by,
    visible,
)
from .sheet import Sheet
from .times import full_hour

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .reader import Reader

MAX_TOLD = 10
"""Memories that a session is told again after a compaction, the last told first."""

MAX_SUMMARIES = 3


def found_unasked(
    reader: Reader,
    viewer: Viewer,
    limits: RecallLimits,
    sheet: Sheet,
    occasion: Occasion,
    heard: Heard,
    above: list[Ranked],
) -> Running:
    """What matters here, and the profile where it is told, without what stands `above`."""
    sheet.widen(limits.top_k)
    ranked = _unasked(reader, viewer, limits, occasion, heard)
    profile, untold = list[Ranked](), frozenset[str]()
    if occasion.has_profile and limits.profile_share:
        from .profile import LOOKED_AT, profile_of

        liked = visible(reader, reader.preferences(viewer.project, None, LOOKED_AT), viewer)
        profile, untold = profile_of(reader, liked, ranked, above, sheet.left_out)
        ranked = [one for one in ranked if one.id not in untold]
        sheet.narrow(max(limits.top_k - len(profile), 0))
    ranked = _once(reader, ranked, [*above, *profile], sheet)
    return Running(ranked, profile=profile, untold=untold, is_asked=False)


def todos(reader: Reader, viewer: Viewer) -> list[Ranked]:
    """Open intentions, at most ten: by due time, then priority (001-16)."""
    images = visible(
        reader,
        reader.todos(viewer.project, viewer.session, MAX_TODOS, unproven=viewer.hears_all),
        viewer,
    )
    return [Ranked(image, 1.0, {"open": 1.0}) for image in images]


def _unasked(
    reader: Reader, viewer: Viewer, limits: RecallLimits, occasion: Occasion, heard: Heard
) -> list[Ranked]:
    """What matters without a question, and is settled: an agent's word waits until it is proven.

    Open intentions, what the context held before it was compacted, what belongs to the role that
    begins, then what is important and recent; as the occasion says.
    """
    ranked = todos(reader, viewer) if occasion.has_todos else []
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
        ranked += [Ranked(image, 1.0, {name: 1.0}) for image in visible(reader, nums, viewer)]
    ranked = [one for one in ranked if one.image["type"] != "working"]
    ranked = list({one.id: one for one in reversed(ranked)}.values())[::-1]  # each once, the first
    known = {one.id for one in ranked}
    least = least_importance(limits.min_importance)
    most = limits.top_k * OVER_FETCH
    found = reader.foremost(viewer.project, viewer.session, least, most, unproven=viewer.hears_all)
    others = []
    for image in visible(reader, found, viewer):
        if image["id"] in known or image["type"] in ("prospective", "working"):
            continue  # open ones are above; closed ones are done
        age_days = (full_hour(viewer.now_ms) - image["updated_at"]) / DAY_MS
        parts = {"importance": 0.7 * lived(image), "recency": 0.3 * recency(age_days)}
        others.append(Ranked(image, sum(parts.values()), parts))
    others.sort(key=lambda one: (is_doubted(one.image), -one.score, one.id))
    ranked += [one for one in others if not one.image.get("is_gone")][: limits.top_k]
    return [one for one in ranked if not one.image.get("is_gone")]  # told when a prompt asks


def _once(
    reader: Reader, ranked: Sequence[Ranked], shown: Sequence[Ranked], sheet: Sheet
) -> list[Ranked]:
    """`ranked` without what stands among `shown`, or says the same as something before it."""
    above = {one.id for one in shown}
    others = [one for one in ranked if one.id not in above]
    both_hold = reader.both_hold([one.id for one in (*shown, *others)])
    return distinct(others, shown, sheet.left_out, both_hold)


def sum_up(reader: Reader, viewer: Viewer, sheet: Sheet, known: Heard | None) -> None:
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
        images = seen_by(viewer, reader.sketches(reader.learned(session["session"])), None)
        images = [image for image in images if not sheet.holds(image["id"])]
        content, said = summed_up(session["goal"], images, above)
        if content and sheet.add_summary({**session, "content": content}):
            above = said
