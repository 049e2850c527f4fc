"""Choose which memories may be injected, and keep conflicts together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from ...db.activity import FIX, WORKFLOW
from ...frozen import NamedTuple
from ..config.limits import RecallLimits
from ..text.sameness import ALIKE, STOP, content_of, corrects_a_detail, says_the_same
from ..text.words import SECTIONS, letters_and_digits, may_be_unspaced
from ..values import HANDOVER, MAIN_ROLE
from .ranking import Ranked, Statement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ...db.fast_reader import Reader

UNTRUSTED = "untrusted"
"""Tag of memories from the web or a tool's output: never injected without a question."""

SAME_CHARACTERS = 1_200  # characters of a text that are compared
NEARLY_BEST = 0.7  # share of the best score, 0-1, from which on a memory is one of the best matches
EQUAL = 0.99  # share of the best score, 0-1, from which on a memory is as good as the best

OVERRULED = "a newer statement of yours contradicts it"

OVER_FETCH = 3  # candidates that are read for each one that is kept
MAX_TODOS = 10  # open tasks at the start of a session

Rerank = Callable[[str, Sequence[Ranked]], Sequence[Ranked]]
"""A hook that reorders candidates: prompt and ranked in, ranked out."""

LeftOut = list[tuple[str, str]]  # ids with the reason why they were not injected


class Viewer(NamedTuple):
    """The agent that reads, its project, session and role."""

    project: str
    session: str | None
    role: str | None  # None is the orchestrator's
    now_ms: int
    shared_before_ms: int | None = None  # older private memories are shared; None: never
    unproven: str = "asked"  # when unverified memories are injected (`RecallLimits`)

    @property
    def sees_unproven(self) -> bool:
        """Return True if its starts include unverified memories."""
        return self.unproven == "always"

    def owns(self, image: Mapping[str, Any]) -> bool:
        """Return True if the memory was learned in this session."""
        return self.session is not None and image.get("session") == self.session


def hidden_because(image: Mapping[str, Any], viewer: Viewer) -> str | None:
    """Return why this memory may not be injected for `viewer` without a question, or None."""
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
    if reason := withheld_because(image, viewer):
        return reason
    if image["type"] == "working" and HANDOVER in image["tags"]:
        return "the preset injects no handover" if viewer.unproven == "never" else None
    if image["scope"] == "task" or image["type"] == "working":
        return "it is another session's working memory"
    if viewer.unproven == "never" and is_unproven(image) and not is_recorded(image):
        return "unverified, and the preset injects none"
    return None


def visible(
    reader: Reader, nums: Sequence[int], viewer: Viewer, left_out: LeftOut | None = None
) -> list[dict[str, Any]]:
    """Return the images of `nums` that the viewer may see, in order."""
    return seen_by(viewer, reader.images(nums) if nums else (), left_out)


def seen_by(
    viewer: Viewer, images: Iterable[dict[str, Any]], left_out: LeftOut | None
) -> list[dict[str, Any]]:
    """Return the `images` that `viewer` may see; the others are left out with a reason."""
    seen = []
    for image in images:
        reason = hidden_because(image, viewer)
        if reason is None:
            seen.append(image)
        elif left_out is not None:
            left_out.append((image["id"], reason))
    return seen


def withheld_because(image: Mapping[str, Any], viewer: Viewer) -> str | None:
    """Return why its privacy withholds this memory from `viewer`, or None.

    `private` is for the session that wrote it, until it is shared after the configured time.
    `agent-only` is for agents of the same role, of any host. Without a role, an agent or a user at
    a terminal is the orchestrator. A session always sees its own. `core.services.search` has the
    same rules as conditions.
    """
    if image["privacy"] == "public" or viewer.owns(image):
        return None
    if image["privacy"] == "agent-only":
        is_same = (image.get("role") or MAIN_ROLE) == (viewer.role or MAIN_ROLE)
        return None if is_same else "it is for another role only"
    shared = viewer.shared_before_ms
    if shared is not None and image["created_at"] <= shared:
        return None
    return "it is private to another session"


def shared_before(limits: RecallLimits, now_ms: int) -> int | None:
    """Return the time before which private memories are shared by now; None for never."""
    return now_ms - limits.private_days * 86_400_000 if limits.private_days else None


def is_own(viewer: Viewer, since_ms: int, image: Mapping[str, Any]) -> bool:
    """Return True if the memory was made of this session's own words since `since_ms`.

    False for its working memory and for its due tasks: both are injected again.
    """
    has_source = bool(image.get("transcript") or image.get("evidence"))
    if not has_source or not viewer.owns(image) or image["created_at"] < since_ms:
        return False
    due = image.get("due")
    return due is None or due > viewer.now_ms


def is_unproven(image: Mapping[str, Any]) -> bool:
    """Return True if it is unverified (`db.fast_reader`)."""
    return image.get("degree") == "unproven" or image.get("is_settled") == 0


RECORDED = ("unchecked", "nobody", "agent", "person")
"""Evidence of an agent's record whose words no tool result and no paste had first."""


def is_recorded(image: Mapping[str, Any]) -> bool:
    """Return True if an agent recorded a memory in its own words, and no user confirmed it."""
    return image.get("degree") != "person" and image.get("evidence") in RECORDED


def weighed_importance(image: Mapping[str, Any]) -> float:
    """Return a memory's importance, adjusted by its use, 0-1."""
    weighed = image.get("weighed")
    return float(image["importance"] if weighed is None else weighed)


def is_to_verify(image: Mapping[str, Any]) -> bool:
    """Return True if its files changed. Such memories come last without a question."""
    return bool(image.get("stale"))


_SUGGESTS = frozenset(SECTIONS["suggests"].split())
"""Words of an agent's review. Its proposals were carried out since, or not taken."""

_SUGGESTS_WITHIN = tuple(w for w in _SUGGESTS if may_be_unspaced(w) or not w.isalpha())
"""Those of writing without spaces, or with vowel signs, at which words are cut."""


def without_weak_matches(
    relevant: Sequence[Ranked], ranked: Sequence[Ranked], viewer: Viewer, left_out: LeftOut
) -> list[Ranked]:
    """Return the `relevant` without unverified and cold ones and tasks that match weakly, without
    review remarks of agents, and without statements of agents that a `ranked` one of the user
    refused later.

    Orders and finished work must match better. The session's own memories stay.
    """
    retained = []
    for item in relevant:
        if reason := "" if viewer.owns(item.image) else _withheld(item, ranked, viewer):
            left_out.append((item.id, reason))
        else:
            retained.append(item)
    return retained


def _withheld(item: Ranked, ranked: Sequence[Ranked], viewer: Viewer) -> str:
    image = item.image
    if is_unproven(image) and is_agents(image):
        theirs, text = content_of(image["content"]), image["content"].lower()
        is_remark = not _SUGGESTS.isdisjoint(letters_and_digits(text))
        is_remark = is_remark or any(word in text for word in _SUGGESTS_WITHIN)
        if is_remark and not is_recorded(image):
            return "an agent proposed it, and you have not confirmed it"
        for users in (other.image for other in ranked):  # deny what it says of the same things
            if users.get("provenance") != "person" or users["created_at"] < image["created_at"]:
                continue
            mine = content_of(users["content"])
            named = mine.distinctive | mine.marks
            shared = named & (theirs.distinctive | theirs.marks)
            least = max(2, REFUSED * len(named))
            if mine.denials > theirs.denials and len(shared) >= least:
                return OVERRULED
    if image["type"] == "prospective" and len(item.matched) < 2:
        return "a task, and the prompt hardly matches it"
    if is_unproven(image) and not viewer.sees_unproven and not is_recorded(image):
        is_over = image["is_order"] or FIX in image["tags"] or WORKFLOW in image["tags"]
        if item.clarity <= is_over:
            return "it is unverified, and the prompt hardly matches it"
        words = [
            counts for counts in content_of(image["content"]).weights.values() if counts > STOP
        ]
        if image["is_order"] and len(item.matched) >= REPEATED * len(words):
            return "the prompt asks for the same again"
    if not item.clarity and image.get("tier") == "cold":
        return "it is cold, and the prompt hardly matches it"
    return ""


def is_agents(image: Mapping[str, Any]) -> bool:
    """Return True if a memory holds an agent's words."""
    return str(image.get("provenance", "")).startswith("agent")


REPEATED = 0.6  # share of an order's words, 0-1, with which a prompt is the same order again
REFUSED = 0.5  # share of the things in a user's sentence, 0-1, that the refused sentence names too


def best_of(ranked: Sequence[Ranked], limits: RecallLimits) -> list[Ranked]:
    """Return the best 15, in order. Under `five-type` no type takes another's places."""
    retained, counts = list[Ranked](), dict[str, int]()
    for item in ranked:
        kind = item.image["type"] if limits.budget_policy == "five-type" else ""
        counts[kind] = counts.get(kind, 0) + 1
        if counts[kind] <= limits.top_k:
            retained.append(item)
    return retained


def shortlist(ranked: Sequence[Ranked], limits: RecallLimits, left_out: LeftOut) -> list[Ranked]:
    """Return the best 15 without the weakest 30 %, under `five-type` of each type.

    Of n memories int(n x 0.3) are dropped, so three or fewer all stay. Memories as good as the best
    stay while there are places.
    """
    running, weak = best_of(ranked, limits), set[str]()
    is_apart = limits.budget_policy == "five-type"
    for kind in {item.image["type"] for item in running} if is_apart else {""}:
        part = [item for item in running if kind in ("", item.image["type"])]
        keep = len(part) - int(len(part) * limits.drop_bottom_share + 1e-9)
        equal = sum(item.score >= EQUAL * part[0].score for item in part)
        weak.update(item.id for item in part[max(keep, min(equal, limits.injection_top_n)) :])
    left_out += [(item.id, "weakest of the running") for item in running if item.id in weak]
    return [item for item in running if item.id not in weak]


def spread(ranked: Sequence[Ranked], limits: RecallLimits, left_out: LeftOut) -> list[Ranked]:
    """Return the memories without those beyond `max_per_source` of one session of origin.

    The best matches stay, by a score that is nearly the best. Memories without a session are not
    counted.
    """
    retained = list[Ranked]()
    counts: dict[str, int] = {}
    best = NEARLY_BEST * max([item.score for item in ranked], default=0.0)
    for item in ranked:
        source = item.image.get("session") or ""
        counts[source] = counts.get(source, 0) + 1
        if not source or counts[source] <= limits.max_per_source or item.score >= best:
            retained.append(item)
        else:
            left_out.append((item.id, f"{limits.max_per_source} of its session are ahead"))
    return retained


def distinct(
    ranked: Sequence[Ranked],
    listed: Sequence[Ranked],
    left_out: LeftOut,
    both_hold: Sequence[tuple[str, str]] = (),
) -> list[Ranked]:
    """Return `ranked` without copies of better ones and of those `listed`, and without parts.

    A part stands word for word in another of the same provenance. Pairs of ids in `both_hold` are
    kept: the user said that both hold.
    """
    apart = {frozenset(pair) for pair in both_hold}
    retained: list[Ranked] = []
    shown = list(listed)
    texts = {
        item.id: f" {' '.join(letters_and_digits(item.image['content'].lower()))} "
        for item in (*listed, *ranked)
    }

    def is_part(item: Ranked, other: Ranked) -> bool:
        part, whole = texts[item.id], texts[other.id]
        alike = (item.image.get("provenance"), item.statement.type)
        is_alike = alike == (other.image.get("provenance"), other.statement.type)
        return is_alike and part in whole and len(part) < len(whole)

    for item in ranked:
        others = [other for other in ranked if is_part(item, other)]
        others += (other for other in shown if is_copy(item.statement, other.statement))
        if any(frozenset((item.id, other.id)) not in apart for other in others):
            left_out.append((item.id, "says the same as another that is injected"))
            continue
        shown.append(item)
        retained.append(item)
    return retained


def is_copy(first: Statement, other: Statement, least: float = ALIKE) -> bool:
    """Return True if two memories say the same, by a likeness of at least `least`, 0-1.

    Memories of different types never do.
    """
    return first.type == other.type and says_the_same(
        first.content[:SAME_CHARACTERS], other.content[:SAME_CHARACTERS], least
    )


def overruled_in(
    items: Mapping[str, Ranked], pairs: Sequence[tuple[str, str]], *, is_asked: bool
) -> set[str]:
    """Return the ids of memories that a newer one of the user contradicts, among open conflicts.

    They are unverified ones of agents and, without a query, the user's own. A pinned memory is
    never among them, nor one of which only a detail is corrected.
    """
    overruled = set[str]()
    for pair in pairs:
        if all(item in items for item in pair):
            sides = [items[item].image for item in pair]
            older, newer = sorted(sides, key=lambda image: image["created_at"])
            is_newer = newer["degree"] == "person" and newer["created_at"] > older["created_at"]
            is_weaker = not is_asked and older["degree"] == "person"
            is_weaker = is_weaker or (is_unproven(older) and is_agents(older))
            is_weaker = is_weaker and older["status"] != "pinned"
            if is_newer and is_weaker and not corrects_a_detail(newer["content"], older["content"]):
                overruled.add(older["id"])
    return overruled


def units(
    ranked: Sequence[Ranked], rivals: Sequence[tuple[str, str]], others: Mapping[str, Ranked]
) -> list[list[Ranked]]:
    """Return each memory together with its rivals in open conflicts.

    `others` are rivals outside `ranked`, by id. A rival in neither is not shown. Order follows the
    best of each unit.
    """
    by_id = dict(others)
    by_id.update((item.id, item) for item in ranked)
    opposed: dict[str, list[str]] = {}
    for one_id, other_id in rivals:
        if one_id in by_id and other_id in by_id:
            opposed.setdefault(one_id, []).append(other_id)
            opposed.setdefault(other_id, []).append(one_id)
    result, taken = [], set()
    for item in ranked:
        if item.id in taken:
            continue
        unit, waiting = [], [item.id]
        while waiting:
            current = waiting.pop(0)
            if current in taken:
                continue
            taken.add(current)
            unit.append(by_id[current])
            waiting.extend(opposed.get(current, ()))
        result.append(unit)
    return result


def head_and_tail(units: Sequence[list[Ranked]], count: int) -> list[list[Ranked]]:
    """Return the units with the `count` oldest and the `count` newest first.

    Each group keeps its order. With 0, and of up to twice `count` units, the order stays.
    """
    by_age = sorted(range(len(units)), key=lambda n: units[n][0].image["created_at"])
    retained = {*by_age[:count], *by_age[-count:]}
    return [u for n, u in enumerate(units) if n in retained] + [
        u for n, u in enumerate(units) if n not in retained
    ]
