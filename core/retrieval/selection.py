"""Who may be shown, how many of them, and conflicts kept together."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ..limits import RecallLimits
from ..text.sameness import says_the_same
from ..values import VERIFIED

UNTRUSTED = "untrusted"
"""Tag of notes that came from the web or from a tool's output: never injected unasked."""


SAME_CHARACTERS = 1_200
"""What of a text is compared."""


class Ranked(NamedTuple):
    """A memory in the running: its stored image, its score and what made it."""

    image: Mapping[str, Any]
    score: float
    parts: Mapping[str, float]
    matched: tuple[str, ...] = ()
    is_relevant: bool = True  # enough in common with the prompt to be shown unasked

    @property
    def id(self) -> str:
        return str(self.image["id"])


Rerank = Callable[[str, Sequence[Ranked]], Sequence[Ranked]]
"""A hook that may put the running into another order (002-15): prompt and ranked in, ranked out."""

LeftOut = list[tuple[str, str]]
"""Ids with the reason why they were not injected."""


class Viewer(NamedTuple):
    """Who asks, from where, and when."""

    project: str
    session: str | None
    agent: str  # the host, as memories name it
    role: str | None  # 003-06; None when the host does not say
    now_ms: int
    shared_before_ms: int | None = None  # what is private is for all when older; None: never

    def owns(self, image: Mapping[str, Any]) -> bool:
        """Whether the memory was learned in this very session."""
        return self.session is not None and image.get("session") == self.session


def hidden_because(image: Mapping[str, Any], viewer: Viewer) -> str | None:
    """Why this memory may not be shown to `viewer` unasked, or None.

    Privacy (003-07): `private` is for the session that wrote it, until it is shared after the
    time that the settings give; `agent-only` for the same agent and, where both roles are known,
    the same role.
    """
    if image.get("retired_at") is not None:
        return f"it is {image.get('retired_as') or 'retired'}"
    if image["scope"] != "global" and image["project"] != viewer.project:
        return "it belongs to another project"
    if image.get("expires") is not None and image["expires"] <= viewer.now_ms:
        return "it has expired"
    if UNTRUSTED in image["tags"]:
        return "its source is not trusted"
    if viewer.owns(image):
        return None
    shared = viewer.shared_before_ms
    if image["privacy"] == "private" and (shared is None or image["created_at"] > shared):
        return "it is private to another session"
    if image["scope"] == "task" or image["type"] == "working":
        return "it is another session's working memory"
    if image["privacy"] == "agent-only":
        if image.get("agent") != viewer.agent:
            return "it is for another agent only"
        if viewer.role and image.get("role") and image["role"] != viewer.role:
            return "it is for another role only"
    return None


def is_unproven(image: Mapping[str, Any]) -> bool:
    """Whether an agent recorded it and nothing bears it out: told when a prompt asks, no sooner."""
    evidence = image.get("evidence")
    return image["status"] == "candidate" and bool(evidence) and evidence not in VERIFIED


def shortlist(ranked: Sequence[Ranked], limits: RecallLimits, left_out: LeftOut) -> list[Ranked]:
    """The running: best first, the top 15 without their weakest 30 % (002-15).

    Of n memories int(n x 0.3) are dropped, so that three or fewer all stay.
    """
    running = list(ranked)[: limits.top_k]
    keep = len(running) - int(len(running) * limits.drop_bottom_share + 1e-9)
    for weak in running[keep:]:
        left_out.append((weak.id, "weakest of the running"))
    return running[:keep]


def spread(ranked: Sequence[Ranked], limits: RecallLimits, left_out: LeftOut) -> list[Ranked]:
    """At most two from one source session (002-15). Memories without a session are not counted."""
    kept: list[Ranked] = []
    per_source: dict[str, int] = {}
    for one in ranked:
        source = one.image.get("session")
        if source:
            if per_source.get(source, 0) >= limits.max_per_source:
                left_out.append((one.id, f"{limits.max_per_source} of its session are ahead"))
                continue
            per_source[source] = per_source.get(source, 0) + 1
        kept.append(one)
    return kept


def distinct(
    ranked: Sequence[Ranked],
    shown: Sequence[Ranked],
    left_out: LeftOut,
    both_hold: Sequence[tuple[str, str]] = (),
) -> list[Ranked]:
    """Without what says the same as something better, or as what is `shown` anyway (001-06).

    Memories of different types are never the same: how to do a thing is not that it was done.
    Nor are those of which a person said that they `both_hold`, by their ids.
    """
    apart = {frozenset(pair) for pair in both_hold}
    kept: list[Ranked] = []
    known = list(shown)
    for one in ranked:
        if any(
            one.image["type"] == other.image["type"]
            and frozenset((one.id, other.id)) not in apart
            and says_the_same(_compared(one), _compared(other))
            for other in known
        ):
            left_out.append((one.id, "says the same as another that is injected"))
            continue
        known.append(one)
        kept.append(one)
    return kept


def _compared(one: Ranked) -> str:
    return str(one.image["content"])[:SAME_CHARACTERS]


def units(
    ranked: Sequence[Ranked],
    rivals: Sequence[tuple[str, str]],
    others: Mapping[str, Ranked],
) -> list[list[Ranked]]:
    """What must be shown together: each memory with those it is in an unresolved conflict with.

    `others` are rivals that are not in `ranked` themselves, by id. A rival that is in neither
    cannot be shown, and does not hold back its counterpart. Order follows the best of each unit.
    """
    by_id = dict(others)
    by_id.update((one.id, one) for one in ranked)
    opposed: dict[str, list[str]] = {}
    for one_id, other_id in rivals:
        if one_id in by_id and other_id in by_id and one_id != other_id:
            opposed.setdefault(one_id, []).append(other_id)
            opposed.setdefault(other_id, []).append(one_id)
    result, taken = [], set()
    for one in ranked:
        if one.id in taken:
            continue
        unit, waiting = [], [one.id]
        while waiting:
            current = waiting.pop(0)
            if current in taken:
                continue
            taken.add(current)
            unit.append(by_id[current])
            waiting.extend(opposed.get(current, ()))
        result.append(unit)
    return result
