"""Choose memories without a query: at a start, after a compaction, at a task's end.

A prompt loads none of this.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import lru_cache

from ..text.words import folded, patterns_in
from ..values import DAY_MS, least_importance
from .candidates import full_hour
from .frame import Question
from .ranking import Ranked, recency
from .receipt import NEVER_MS, SessionContext
from .selection import (
    MAX_TODOS,
    OVER_FETCH,
    LeftOut,
    distinct,
    is_to_verify,
    visible,
    weighed_importance,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ...db.fast_reader import Reader


MAX_OVERDUE = 3  # overdue tasks that a start receives, each once
MAX_REPEATED = 10  # memories that are injected again after a compaction, the latest injected first

RECORDED_AT_START = 5
"""Records of agents that a start receives, the last used first, then the newest."""

MAX_RECORDED = 4 * RECORDED_AT_START  # records that are read, since the guard holds some back

_WHY = {
    "unchecked": "its session was not read yet",
    "nobody": "its session had read the web, an MCP tool, a subagent's answer or a paste before",
    "finding": "a tool's result said it first",
    "quoted": "pasted text said it first",
}


@lru_cache(maxsize=1)
def guard() -> list[tuple[str, str]]:
    """Return subjects that starts receive only in confirmed records, with their patterns."""
    return patterns_in(os.path.join(os.path.dirname(__file__), "guard.tsv"))


def held_back_because(text: str, evidence: str) -> str:
    """Return why a record of an agent is not injected at starts; "" if it is, or is no record.

    `evidence` is that of its session, as in `EVIDENCE_WORDS`; "" for no record.
    """
    import re  # a prompt needs none of it

    if evidence in _WHY:
        return f"An agent recorded it, and {_WHY[evidence]}. Starts receive it once you accept it."
    for name, pattern in guard() if evidence else ():
        if re.search(pattern, folded(text), re.IGNORECASE | re.MULTILINE):
            return (
                f"An agent recorded it, and it names {name}. Starts receive it once you accept it."
            )
    return ""


MAX_SUMMARIES = 3

WEIGHTS: Mapping[str, float] = {"preferences": 0.9, "patterns": 0.7}
"""Minimum weight of a section's memories, 0-1. A fact weighs its memory's importance."""

SURE = ("person", "established")  # degrees of trust that a profile is made of

_HOLDS = ("decision", "architecture", "warning", "discovery", "preference")


def without_query(
    question: Question, received: SessionContext, above: list[Ranked]
) -> tuple[list[Ranked], list[Ranked]]:
    """Return the memories to inject, and the profile if the rule has it, without those `above`."""
    reader, viewer = question.reader, question.viewer
    limits, builder = question.limits, question.builder
    builder.widen(limits.top_k)
    ranked = _important(question, received)
    profile = list[Ranked]()
    if question.rule.has_profile and limits.profile_share:
        liked = visible(reader, reader.preferences(viewer.project, None, MAX_READ), viewer)
        liked = [image for image in liked if not image.get("is_gone")]
        profile = profile_of(reader, liked, ranked, above, builder.left_out)
        builder.narrow(max(limits.top_k - len(profile), 0))
    listed = [*above, *profile]
    ids = {item.id for item in listed}
    others = [item for item in ranked if item.id not in ids]
    both_hold = reader.both_hold([item.id for item in (*listed, *others)])
    return distinct(others, listed, builder.left_out, both_hold), profile


def todos(question: Question) -> list[Ranked]:
    """Return at most ten open tasks: by due time, then priority. At most three are overdue."""
    reader, viewer = question.reader, question.viewer
    most = MAX_TODOS * OVER_FETCH
    nums = reader.todos(viewer.project, viewer.session, most, unproven=viewer.sees_unproven)
    images = visible(reader, nums, viewer)
    overdue = [image["id"] for image in images if (image["due"] or NEVER_MS) <= viewer.now_ms]
    beyond, reason = overdue[MAX_OVERDUE:], f"only {MAX_OVERDUE} overdue tasks are injected"
    question.builder.left_out += [(memory, reason) for memory in beyond]
    images = [image for image in images if image["id"] not in beyond]
    return [Ranked(image, 1.0, {"open": 1.0}) for image in images[:MAX_TODOS]]


def _important(question: Question, received: SessionContext) -> list[Ranked]:
    """Return verified memories that matter without a question.

    In order: open tasks, memories from before a compaction, memories of the role, and then
    important and recent ones, as the rule says.
    """
    reader, viewer, limits = question.reader, question.viewer, question.limits
    ranked = todos(question) if question.rule.has_todos else []
    groups: list[tuple[str, list[int]]] = []
    if question.rule.has_injected:
        last = sorted(
            received.injected, key=lambda memory: max(received.injected[memory]), reverse=True
        )
        groups.append(("told", reader.nums(last[:MAX_REPEATED])))
    if viewer.role:
        learned = reader.of_role(
            viewer.project, viewer.session, viewer.role, limits.top_k, unproven=viewer.sees_unproven
        )
        groups.append(("role", learned))
    if question.rule.has_summaries:
        groups.append(("handover", reader.handover(viewer.project, viewer.session)))
    for name, nums in groups:
        ranked += [Ranked(image, 1.0, {name: 1.0}) for image in visible(reader, nums, viewer)]
    recorded = list[Ranked]()
    if question.rule.has_profile:
        for image in visible(reader, reader.recorded(viewer.project, MAX_RECORDED), viewer):
            if reason := held_back_because(image["content"], "agent"):
                question.builder.left_out.append((image["id"], reason))
            elif len(recorded) < RECORDED_AT_START:
                recorded.append(Ranked(image, 1.0, {"recorded": 1.0}))
    ranked += recorded
    ranked = list({other.id: other for other in reversed(ranked)}.values())[::-1]  # each once
    ids = {other.id for other in ranked}
    least = least_importance(limits.min_importance)
    most = limits.top_k * OVER_FETCH
    foremost = reader.foremost(
        viewer.project, viewer.session, least, most, unproven=viewer.sees_unproven
    )
    others = []
    for image in visible(reader, foremost, viewer):
        if image["id"] in ids or image["type"] in ("prospective", "working"):
            continue  # open ones are above; closed ones are done
        age_days = (full_hour(viewer.now_ms) - image["updated_at"]) / DAY_MS
        parts = {"importance": 0.7 * weighed_importance(image), "recency": 0.3 * recency(age_days)}
        others.append(Ranked(image, sum(parts.values()), parts))
    others.sort(key=lambda other: (is_to_verify(other.image), -other.score, other.id))
    ranked += [other for other in others if not other.image.get("is_gone")][: limits.top_k]
    return [other for other in ranked if not other.image.get("is_gone")]  # only for queries


def sum_up(question: Question, context: SessionContext | None) -> None:
    """Add summaries of the last sessions, without statements injected above.

    A running session gets neither its own summary nor those from before its last start.
    """
    from ..lifecycle.summaries import summed_up  # a prompt receives none

    reader, viewer, builder = question.reader, question.viewer, question.builder
    builder.open("summary")
    above = [item.image["content"] for item in builder.items]
    for session in reader.summaries(viewer.project, MAX_SUMMARIES):
        is_known = context is not None and session["ends_at"] <= context.start_ms
        if is_known or (context is not None and session["session"] == viewer.session):
            continue
        images = visible(reader, reader.learned(session["session"]), viewer)
        images = [image for image in images if not (image.get("stale") or _is_remark(image))]
        torn = {item for pair in reader.rivals([image["id"] for image in images]) for item in pair}
        images = [image for image in images if not builder.holds(image["id"])]
        images = [image for image in images if image["id"] not in torn]
        content, text = summed_up(session["goal"], images, above)
        if content and builder.add_summary({**session, "content": content}):
            above = text


def _is_remark(image: Mapping[str, Any]) -> bool:
    """Return True for a sentence of the user that sets no limit: its importance is low."""
    is_captured = image["provenance"] == "person" != image["degree"]
    return bool(is_captured and image["importance"] < 0.5)


MOST_PREFERENCES = 5  # preferences of the user that a session receives at its start
MOST_OTHERS = 5  # patterns, facts and policies beside them

MAX_READ = 4 * MOST_PREFERENCES
"""Preferences that are read. Some are dropped: an agent's words are no preference."""


def profile_of(
    reader: Reader,
    preferences: Sequence[Mapping[str, Any]],
    ranked: Sequence[Ranked],
    above: Sequence[Ranked],
    left_out: LeftOut,
) -> list[Ranked]:
    """Return the profile to inject, the user's memories first.

    The profile has its own share of the budget and is not repeated below. It is chosen from
    `preferences` and from `ranked`, without those `above`.
    """
    ids = {item.id for item in above}
    images = {item.id: item.image for item in ranked if "told" not in item.parts}
    images |= {image["id"]: image for image in preferences}
    parts = [(section, item) for item in images.values() if (section := section_of(item))]
    chosen: list[Ranked] = []
    places = {"preferences": MOST_PREFERENCES, "": MOST_OTHERS}

    def place(part: tuple[str, Mapping[str, Any]]) -> tuple[bool, bool, bool, float, float, int]:
        section, image = part
        importance = weighed_importance(image)
        is_first = (image["degree"] != "person", section != "preferences", is_to_verify(image))
        return (*is_first, -weight_of(section, importance), -importance, -image["num"])

    for section, image in sorted(parts, key=place):
        share = section if section in places else ""
        if image["id"] in ids or not places[share]:
            continue
        places[share] -= 1
        weight = weight_of(section, weighed_importance(image))
        part = "preference" if section == "preferences" else "profile"
        chosen.append(Ranked(image, weight, {part: weight}))
    both_hold = reader.both_hold([item.id for item in (*above, *chosen)])
    return distinct(chosen, above, left_out, both_hold)


def section_of(image: Mapping[str, Any]) -> str | None:
    """Return one of `SECTIONS`, or None for a memory that belongs to no profile.

    `image` has at least type, category, scope and degree. A preference that an agent reports is at
    most a policy.
    """
    kind, category = image["type"], image["category"]
    if image.get("degree") not in SURE or image["scope"] == "task":
        return None
    if kind in ("working", "prospective"):
        return None
    if category == "preference" and image["degree"] == "person":
        return "preferences"
    if category == "pattern" or kind == "procedural":
        return "patterns"
    holds = kind == "semantic" or category == "decision"  # in any wording
    return "facts" if holds and category in _HOLDS else None


def weight_of(section: str, importance: float) -> float:
    """Return a memory's weight, 0-1: its importance, at least the minimum of its section."""
    return max(importance, WEIGHTS.get(section, 0.0))
