"""Write memories: new ones, repetitions, edits, retirements, links. Nothing here decides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...db import memories, receipts, reviews
from ...db.errors import NotFound, Refused
from ...db.images import Image, headline_of
from ...db.index import parts_in
from ..answers import NO_ENVELOPE, Capture, Envelope, Salience, StoreResult
from ..context import must_not_be_agent, withheld
from ..ingest import promotion
from ..ingest.drafts import Draft, draft_image, edited, redacted, texts
from ..ingest.promotion import CORRECTION
from ..lifecycle import worth
from ..lifecycle.worth import OUTCOMES
from ..redaction.redact import Counts, redact, worded
from ..text.words import fingerprint, length_of
from ..values import STATUSES, VERIFIED, Origin

if TYPE_CHECKING:
    from ...db.store import Change
    from ..context import Context
    from ..ingest.conflicts import Opposition
    from ..models.reviewers import ReviewDecision
    from ..values import Memory

UNNAMED = frozenset(
    "category scope importance confidence privacy tags files session agent role due expires".split()
)
"""Fields that another text for a known key leaves unchanged unless they are named. The others
follow from the text."""

DECIDED = ("memory_candidacy", "memory_trust")  # tables that a decision on a memory reads


_OF_CAPTURE = ("category", "importance", "confidence", "rule", "privacy")
_OF_VOTE = ("reviewer", "engine", "status", "score", "reason", "latency_ms", "cost_usd")
"""Fields that the store keeps as they are."""

LONGEST_CONTEXT = 500
"""Characters of a note that says when each side of a conflict holds, and of a reason."""

REINFORCEMENT = 0.1  # added to importance by a repetition, up to 1.0


class Writer:
    """Changes to memories, each a part of an act."""

    _context: Context

    def edited(self, change: Change, image: Image, fields: dict[str, Any]) -> Image:
        """Return the image after an edit; the entry notes removed secrets."""
        details: dict[tuple[str, str], int] = {}
        made = edited(
            image,
            fields,
            project=self._context.project_id,
            now=self._context.now_ms(),
            choice=self._context.redaction_choice(),
            redacted=details,
        )
        note_redaction(change, details)
        return made

    def live(self, change: Change, memory: str) -> Image:
        """The image of a memory that is there. Raises NotFound, and Refused for a retired one."""
        image = change.get("memory", memory)
        if image is None:
            raise NotFound(f"{memory} vanished meanwhile.")
        self.must_live(image)
        return image

    def must_live(self, image: Image) -> None:
        """Raise Refused for a retired memory."""
        if image["retired_at"] is not None:
            raise Refused(
                f"“{headline_of(image)}” is {image['retired_as']}.", hint="Restore it first."
            )

    def change_all(
        self,
        action: str,
        refs: str | Sequence[str],
        change_one: Callable[[Image, Change], Image],
        reason: str = "",
        *,
        beside: Sequence[str] = (),
    ) -> list[Memory]:
        """Apply one act to all of `refs` in one entry; return the memories, if they are read back.

        `beside` are tables that `change_one` reads.
        """
        names = (refs,) if isinstance(refs, str) else texts("The memories", refs)
        nums = nums_of(self._context, names)
        with self._context.change(action, reason) as change:
            change.look_at(list(nums), beside)
            for memory_id in nums:
                image = change.get("memory", memory_id)
                if image is None:
                    raise NotFound(f"{memory_id} vanished meanwhile.")
                changed = change_one(image, change)
                if changed is not image:
                    change.put("memory", changed)
        return self._context.memories(list(nums.values())) if self._context.is_read_back else []

    def decided(self, image: Image, change: Change, status: str) -> Image:
        """Return the image of a memory that the user wants. Raises Refused for an agent."""
        must_not_be_agent(self._context.actor)
        existing = change.get("memory_candidacy", image["id"])
        if existing is not None:
            change.put(
                "memory_candidacy", {**existing, "quarantined_until": None, "snoozed_until": None}
            )
        self.confirm(image, change)
        scope = "project" if image["scope"] == "session" else image["scope"]
        return {**image, "status": status, "scope": scope, "updated_at": self._context.now_ms()}

    def confirm(self, image: Image, change: Change) -> None:
        """Note that the user confirmed a memory, which is theirs from then on."""
        if self._context.actor != "person":
            return
        existing = change.get("memory_trust", image["id"]) or {"provenance": None}
        change.put(
            "memory_trust",
            {**existing, "memory": image["id"], "vouched_at": self._context.now_ms()},
        )

    def retire(
        self, action: str, refs: str | Sequence[str], retired_as: str, reason: str
    ) -> list[Memory]:
        """Retire memories, restorably; their text is not captured again."""

        def change_one(image: Image, change: Change) -> Image:
            self.must_live(image)
            self.bar(change, image, retired_as)
            return self.retired(image, retired_as, change)

        return self.change_all(action, refs, change_one, reason)

    def bar(self, change: Change, image: Image, reason: str) -> None:
        """Bar this text from being captured again in its project."""
        stone = {"project": image["project"], "fingerprint": image["fingerprint"]}
        stone |= {"reason": reason, "created_at": self._context.now_ms()}
        change.put("tombstone", stone)

    def retired(self, image: Image, retired_as: str, change: Change) -> Image:
        """Return the image of a memory that retires; end its conflicts."""
        now = self._context.now_ms()
        for row in reviews.conflicts_of(change.database, image["id"]):
            conflict = change.get("conflict", row["id"])
            if conflict is not None and conflict["resolved_at"] is None:
                stays = "b" if conflict["entry_a"] == image["id"] else "a"
                change.put("conflict", {**conflict, "resolved_at": now, "verdict": stays})
        return {**image, "retired_at": now, "retired_as": retired_as, "updated_at": now}

    def take_out(self, change: Change, memory: str, retired_as: str, by: str | None = None) -> bool:
        """Retire a memory, linked to its replacement; return True if it was live."""
        image = change.get("memory", memory)
        if image is None or image["retired_at"] is not None:
            return False
        change.put("memory", self.retired(image, retired_as, change))
        if by is not None:
            self.put_link(change, memory, by, "superseded_by", 1.0)
        return True

    def ended(self, image: Image, change: Change, status: str = "completed") -> Image:
        """Return the image of a task that is done, or `cancelled`: retired, with the time of its
        completion."""
        moment = self._context.now_ms() if status == "completed" else None
        details = {**image["details"], "status": status, "completed_at": moment}
        return {**self.retired(image, status, change), "details": details}

    def put_link(
        self, change: Change, source: str, target: str, kind: str, strength: float
    ) -> None:
        """Join two memories by a kind of link; `strength` is 0-1."""
        change.put(
            "memory_link",
            {
                "source": source,
                "target": target,
                "kind": kind,
                "strength": float(strength),
                "created_at": self._context.now_ms(),
            },
        )

    # --- conflicts

    def put_conflict(
        self, change: Change, first: str, second: str, kind: str, reason: str = "", **decided: Any
    ) -> str:
        """Put a conflict into a change, link its sides unless it is `decided`; return its id."""
        conflict: Image = {
            "id": self._context.new_id(),
            "entry_a": first,
            "entry_b": second,
            "kind": kind,
            "detected_at": self._context.now_ms(),
            "resolved_at": None,
            "verdict": None,
            "context": None,
            **decided,
        }
        if reason:
            conflict["reason"] = redacted(reason)[:LONGEST_CONTEXT]
        change.put("conflict", conflict)
        if not (decided or any(change.get("memory_link", key) for key in links_of(first, second))):
            self.put_link(change, first, second, "contradicts", 1.0)
        return str(conflict["id"])

    def supersede(self, change: Change, old: str, new: str) -> None:
        """Retire a memory as superseded by another, and link the two."""
        self.retire_side(change, old, "superseded")
        self.put_link(change, old, new, "superseded_by", 1.0)

    def retire_side(self, change: Change, side: str, retired_as: str) -> None:
        image = change.get("memory", side)
        assert image is not None
        if self.take_out(change, side, retired_as):
            self.bar(change, image, retired_as)

    # --- a new memory

    def drawn(self, draft: Draft) -> tuple[Image, Counts]:
        """Return the image of a new memory without a number yet, and its removed secrets."""
        image, counts = draft_image(
            draft,
            memory_id=self._context.new_id(),
            num=0,
            project=self._context.project_id,
            now=self._context.now_ms(),
            choice=self._context.redaction_choice(),
        )
        parts_in(image)  # is kept until it is stored, when others wait
        return image, counts

    def image(
        self, change: Change, draft: Draft, taken: Counter[tuple[str, str]] | None = None
    ) -> tuple[Image, tuple[str, ...]]:
        """Return a new memory's image and the kinds of its secrets, counted in `taken`."""
        image, counts = self.drawn(draft)
        image["num"] = change.next_num()
        if taken is None:
            note_redaction(change, counts)
        else:
            taken.update(counts)
        return image, tuple(dict.fromkeys(kind for _, kind in counts))

    def put(self, change: Change, image: Image) -> None:
        """Put a new memory; a tombstone of its text is removed."""
        self._context.ensure_project(change)
        change.put("memory", image)
        for position in {self._context.project_id, image["project"]}:
            stone = f"{position}|{image['fingerprint']}"
            if change.get("tombstone", stone):
                change.drop("tombstone", stone)

    def put_candidate(
        self, change: Change, image: Image, capture: Capture, similarity: float
    ) -> Image:
        """Put a captured memory with its points, envelope and weight; return its image."""
        salience, values = capture.salience, promotion.given_by(capture) - {"verified"}
        # Votes may raise the importance; that alone is no evidence for an unestablished one.
        proven = image["importance"] if "worth-keeping" in values else capture.importance
        signals = promotion.signals_of(values, importance=min(image["importance"], proven))
        envelope = capture.envelope
        if envelope != NO_ENVELOPE:
            change.put("memory_envelope", _envelope_row(image["id"], envelope))
        if salience is not None:
            is_person = capture.rule.startswith("person.")
            change.put("memory_salience", salience_row(image["id"], salience, is_person=is_person))
        life = worth.Life(
            image["importance"],
            image["status"],
            image["created_at"],
            is_users="user-intent" in values,
            at_birth=worth.factors_at_birth(
                envelope.outcome,
                is_lesson="error-resolution" in values or bool(envelope.lessons),
                similarity=similarity,
                tokens=envelope.tokens,
                time_ms=envelope.time_ms,
            ),
        )
        weight = {"memory": image["id"], **worth.factors_of(life)}
        change.put("memory_weight", {**weight, "weighed_at": self._context.now_ms()})
        image, candidacy = self.promoted(
            image,
            new_candidacy(image["id"]),
            signals,
            is_asked=capture.scope,
            is_short=capture.rule in (CORRECTION, promotion.INSTRUCTION, *promotion.WISH_RULES),
        )
        change.put("memory_candidacy", candidacy)
        self.put(change, image)
        return image

    def promoted(
        self,
        image: Image,
        candidacy: Image,
        signals: Mapping[str, int],
        *,
        is_asked: str | None = None,
        is_short: bool = False,
        is_proven: bool = False,
    ) -> tuple[Image, Image]:
        """Return the two after the signals were counted: promoted when they are enough."""
        policy, points = self._context.policy.promotion, float(sum(signals.values()))
        candidacy = {**candidacy, "signals": dict(signals), "points": points}
        held = promotion.held_back_because(
            policy,
            points=points,
            length=policy.min_length if is_short else length_of(image["content"]),
            importance=image["importance"],
        )
        if image["scope"] in ("task", "global") or image["status"] != "candidate":
            return image, candidacy
        if not (held or "user-intent" in signals or image["agent"] is None):
            held = promotion.unestablished_because(image["content"], image["tags"])
        if not (held or is_proven or "user-intent" in signals):
            sources = reviews.sources(self._context.database, [image["id"]])
            if {*sources.values()}.difference(VERIFIED):
                held = promotion.UNPROVEN
        if held:
            is_new = candidacy["promoted_at"] is None
            scope = "session" if is_new and not is_asked else image["scope"]
            return {**image, "scope": scope}, candidacy
        if candidacy["promoted_at"] is None:
            now = self._context.now_ms()
            until = now + promotion.QUARANTINE_MS
            candidacy = {**candidacy, "promoted_at": now, "quarantined_until": until}
        return {**image, "scope": "project"}, candidacy

    def put_conflicts(
        self,
        change: Change,
        image: Image,
        oppositions: Sequence[Opposition],
        *,
        is_asked: bool = False,
    ) -> None:
        """Note a new memory's contradictions; with `is_asked`, retire those that it corrects."""
        for opposition in oppositions:
            other = opposition.neighbour.id
            current = change.get("memory", other)
            if current is None or current["retired_at"] is not None:
                continue
            is_wider = current["status"] == "pinned" or (current["scope"], image["scope"]) in (
                ("global", "project"),
                ("global", "session"),
            )
            if is_asked and opposition.is_sure and not is_wider:
                self.take_out(change, other, "superseded", image["id"])
                why = f"“{headline_of(current)}” is superseded"
                change.head["reason"] = "; ".join(filter(None, (change.head["reason"], why)))
            elif reviews.conflict_between(change.database, other, image["id"]) is None:
                self.put_conflict(change, other, image["id"], opposition.kind, opposition.reason)

    # --- a repetition

    def reinforce(
        self,
        memory: str,
        origin: Origin,
        *,
        capture: Capture | None = None,
        pin: bool = False,
        actor: str | None = None,
        similarity: float = 1.0,
        removed: tuple[str, ...] = (),
    ) -> StoreResult:
        """Count a repetition: importance +0.1, one use and one piece of evidence more.

        A global memory only counts as used, unless it is pinned. `capture` is None for the
        user's words; its outcome changes the success rate of a procedure.
        """
        text = f"said again, {similarity:.0%} alike" if similarity < 1 else ""
        now = self._context.now_ms()  # before any trial begins: its start is no use in it
        by_user = actor is None and self._context.actor == "person"
        with self._context.change("reinforce", text, actor=actor or self._context.actor) as change:
            image = change.get("memory", memory)
            if image is None or image["retired_at"] is not None:
                raise Refused("The memory that says the same was changed just now. Try again.")
            status = "pinned" if pin else "confirmed" if by_user else "candidate"
            if image["scope"] != "global" or pin:
                image = _raised(image, status, now)
            is_asked_again = capture is not None and promotion.is_asked_again(capture)
            sessions, agents = reviews.witnesses(change.database, memory)
            if not (is_asked_again and reviews.is_users_sentence(change.database, memory)):
                sessions |= {origin.session} if origin.session else set()
                agents |= {origin.agent} if origin.agent else set()
                image = self._with_evidence(image, origin, sessions, change)
            if image["type"] == "procedural" and capture and capture.envelope.outcome:
                details = _used_again(image["details"], capture.envelope.outcome, now)
                image = {**image, "details": details}
            values = {"user-intent"} if by_user else set[str]()
            values |= {"explicit-pin"} if pin else set()
            values |= promotion.given_by(capture) if capture is not None else set()
            witnesses = (self.distinct(sessions, change), agents)
            image = self._counted(change, image, values, witnesses, capture)
            change.put("memory", image)
            if by_user and (existing := change.get("memory_trust", memory)):
                change.put("memory_trust", {**existing, "vouched_at": now})
        receipts.count_use(self._context.database, [memory], now, origin.session)
        rose = "it counts as used" if image["scope"] == "global" else "its importance rose"
        reason = f"already known as “{headline_of(image)}”; {rose}"
        return StoreResult(False, memory, 0.0, reason, "duplicate", removed)

    def _counted(
        self,
        change: Change,
        image: Image,
        values: set[str],
        witnesses: tuple[set[str], set[str]],
        capture: Capture | None,
    ) -> Image:
        """Return the image after `values` were counted; `witnesses` are sessions and agents."""
        existing = change.get("memory_candidacy", image["id"])
        if existing is None:
            return image
        judged = change.get("memory_salience", image["id"])
        if capture and judged and promotion.is_explicit(capture):
            change.drop("memory_salience", image["id"])  # it need not be judged any more
        signals = promotion.signals_of(
            values | (existing["signals"].keys() & promotion.LASTING),
            sessions=witnesses[0],
            agents=witnesses[1],
            importance=image["importance"],
        )
        image, candidacy = self.promoted(image, existing, signals)
        change.put("memory_candidacy", candidacy)
        if candidacy["promoted_at"] != existing["promoted_at"]:
            change.head["action"] = "promote"
            change.head["reason"] = promotion.in_words(candidacy["signals"])
        return image

    def count_use(self, memory: str, capture: Capture) -> StoreResult:
        """Count an agent's repetition of an injection: a use, an outcome, no evidence."""
        now, outcome = self._context.now_ms(), capture.envelope.outcome
        with self._context.change("use", "received in this session", actor="rule") as change:
            image = change.get("memory", memory)
            assert image is not None
            if outcome and image["type"] == "procedural" and image["retired_at"] is None:
                details = _used_again(image["details"], outcome, now)
                change.put("memory", {**image, "details": details})
        receipts.count_use(self._context.database, [memory], now, capture.origin.session)
        reason = f"this session received “{headline_of(image)}”; one use more"
        return StoreResult(False, memory, 0.0, reason, "duplicate")

    def _with_evidence(
        self, image: Image, origin: Origin, sessions: set[str], change: Change
    ) -> Image:
        """Return the image with more evidence; an event of three sessions becomes a fact."""
        if image["type"] == "semantic":
            details = dict(image["details"])
            details["evidence_count"] += 1
            sources = details["source_sessions"]
            if origin.session and origin.session not in sources:
                details["source_sessions"] = [*sources, origin.session]
            return {**image, "details": details}
        distinct = len(self.distinct(sessions, change))
        may_become = image["type"] == "episodic" and image["scope"] != "global"
        if may_become and distinct >= promotion.LASTING_SESSIONS:
            change.head["action"] = "promote"
            change.head["reason"] = f"it happened in {distinct} sessions, so it holds"
            fields = {
                "type": "semantic",
                "details": {"evidence_count": distinct, "source_sessions": sorted(sessions)},
            }
            return self.edited(change, image, fields)
        return image

    def distinct(self, sessions: set[str], change: Change) -> set[str]:
        """Return these sessions; a fork and its parent are one."""
        return {self._root(session, change) for session in sessions}

    def _root(self, session: str, change: Change) -> str:
        """Return the first session of a chain of forks."""
        seen = {session}
        while (row := change.get("session", session)) and row["parent"] not in {None, "", *seen}:
            session = row["parent"]
            seen.add(session)
        return session

    # --- the record of every outcome

    def note(
        self,
        capture: Capture,
        text: str,
        outcome: str,
        reason: str,
        memory: str | None = None,
        decision: ReviewDecision | None = None,
    ) -> None:
        """Record the result of a capture, with the votes on it."""
        points, salience = 0.0, capture.salience
        if memory is not None:
            candidacy = reviews.candidacy(self._context.database, memory)
            points = candidacy["points"] if candidacy else 0.0
        number = reviews.note_capture(
            self._context.database,
            {
                **{name: getattr(capture, name) for name in _OF_CAPTURE},
                "project": self._context.project_id,
                "session": capture.origin.session,
                "ref": capture.origin.ref,
                "fingerprint": fingerprint(text),
                "content": text,
                "files": [redact(path).value for path in capture.files],
                "tags": [redact(tag).value for tag in capture.tags],
                "outcome": outcome,
                "reason": reason,
                "memory": memory,
                "points": points,
                "created_at": self._context.now_ms(),
                "score": salience.score if salience else None,
            },
        )
        if decision is None:
            return
        votes = [
            {
                "memory": memory,
                "finding": number,
                **{name: getattr(vote, name) for name in _OF_VOTE},
                "is_trivial": int(vote.is_trivial),
                "tier": decision.tier,
                "created_at": self._context.now_ms(),
            }
            for vote in decision.votes
        ]
        reviews.note_votes(self._context.database, votes)

    def twin(self, change: Change, image: Image, *, working: bool = False) -> str | None:
        """Return the live memory with the same text, which may have been stored meanwhile."""
        project, text = image["project"], image["fingerprint"]
        return memories.with_fingerprint(change.database, project, text, working=working)


def unconfirmed(memory: str, provenance: str) -> Image:
    """Return the trust row of an imported or an agent's memory until the user confirms it."""
    return {"memory": memory, "provenance": provenance, "vouched_at": None}


def called(
    context: Context, change: Change, image: Image, fresh: str | None = None
) -> Image | None:
    """Return the live memory that has a new image's key; `fresh` is its id if it is new as well.

    Raises Refused if its text differs and an agent must not reword it.
    """
    key = image["key"]
    existing = fresh or (memories.with_key(change.database, image["project"], key) if key else None)
    matches = change.get("memory", existing) if existing else None
    if matches and matches["fingerprint"] != image["fingerprint"]:
        if withheld(context, [matches["id"]]):
            raise Refused(f"key: {key!r} names what is not for this session.")
        if context.actor == "agent" and matches["status"] != "candidate":
            raise Refused(f"key: {key!r} names a memory that only the user rewords.")
    return matches


def renewed(existing: Image, image: Image, unnamed: Iterable[str], now: int) -> Image:
    """Return the image of a known key with the newer text; `unnamed` fields stay."""
    names = ("num", "id", "created_at", "status", *unnamed)
    return {**image, **{name: existing[name] for name in names}, "updated_at": now}


def reworded(
    context: Context, change: Change, existing: Image, image: Image, named: Mapping[str, Any]
) -> Image:
    """Return the same once the user has confirmed it."""
    change.head["action"] = "edit"
    now = context.now_ms()
    unnamed = UNNAMED.difference(
        name for name, value in named.items() if value not in (None, (), [])
    )
    trust = change.get("memory_trust", existing["id"])
    if trust and context.actor == "person":
        change.put("memory_trust", {**trust, "vouched_at": now})
    status = max(existing["status"], image["status"], key=STATUSES.index)
    return {**renewed(existing, image, unnamed, now), "status": status}


def must_be_wanted(context: Context, image: Image) -> None:
    """Raise Refused if an agent stores a text that was forgotten here."""
    buried = memories.is_buried(*context.here, image["fingerprint"])
    if context.actor == "agent" and buried:
        raise Refused(
            "This was forgotten on purpose.", hint="Only the user brings it back: ask them to."
        )


def note_redaction(change: Change, counts: Counts) -> None:
    """Add the counts of removed secrets by field to the entry, never the values."""
    details = worded(counts)
    change.head["reason"] = "; ".join(filter(None, (change.head["reason"], details)))


def nums_of(context: Context, refs: Sequence[str]) -> dict[str, int]:
    """Map id to row number of the memories that these name, as in `Context.resolve`."""
    ids = [ref for ref in refs if isinstance(ref, str) and ref.isascii()]
    by_ids = memories.by_ids(context.database, ids) if len(ids) > 1 else {}
    nums: dict[str, int] = {}
    for ref in refs:
        if ref in by_ids:
            nums[ref] = by_ids[ref]
        else:
            named = context.named(ref)
            nums[named["id"]] = named["num"]
    return nums


def new_candidacy(memory: str) -> Image:
    """Return the empty candidacy of a memory."""
    return {
        "memory": memory,
        "points": 0.0,
        "signals": {},
        "promoted_at": None,
        "quarantined_until": None,
        "snoozed_until": None,
    }


def links_of(first: str, second: str) -> tuple[str, str]:
    """Return the keys that a link between two memories may have."""
    return f"{first}|{second}", f"{second}|{first}"


def _raised(image: Image, status: str, now: int) -> Image:
    """Return the image of a repeated memory, at least of this status."""
    is_wider = image["scope"] == "session" and status != "candidate"
    return {
        **image,
        "importance": min(1.0, image["importance"] + REINFORCEMENT),
        "status": max(image["status"], status, key=STATUSES.index),
        "scope": "project" if is_wider else image["scope"],
        "updated_at": now,
    }


def _used_again(details: Image, outcome: str, now: int) -> Image:
    """A procedure's fields after it was used once more; its learning counts as the first use."""
    uses = max(1, details.get("usage_count") or 0)
    rate = (details.get("success_rate", 1.0) * uses + OUTCOMES[outcome]) / (uses + 1)
    return {**details, "usage_count": uses + 1, "success_rate": rate, "last_used_at": now}


def salience_row(memory: str, salience: Salience, *, is_person: bool) -> Image:
    """Return the row of a fitted score; `is_person`: the sentence is the user's."""
    return {
        "memory": memory,
        "score": salience.score,
        "worth_a_look": salience.worth_a_look,
        "worth_keeping": salience.worth_keeping,
        "is_established": int(salience.is_established),
        "reasons": [[redact(words).value, part] for words, part in salience.reasons],
        "is_person": int(is_person),
    }


def _envelope_row(memory: str, envelope: Envelope) -> Image:
    """Return the row of an envelope, without secrets."""
    row: Image = {"memory": memory}
    for name in Envelope.__annotations__:
        part = getattr(envelope, name)
        if isinstance(part, tuple):
            part = list(map(redacted, part))
        row[name] = redacted(part) if isinstance(part, str) and name != "outcome" else part
    return row
