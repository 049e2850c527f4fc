"""Stores memories: the user's own, captures of sessions, records of agents."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ...db import ageing, memories, reviews, sessions
from ...db.errors import BadInput, NotFound, Refused
from ...db.images import Image
from ...db.store import Change
from ..answers import (
    Capture,
    FileChange,
    Neighbour,
    Recorded,
    Recording,
    StoreResult,
)
from ..context import must_not_be_agent, of_row
from ..extensions import must_be_type
from ..ingest import drafts, promotion
from ..ingest.conflicts import Opposition, carried_out_by, oppositions, outdated_by, restates
from ..ingest.kinds import category_of, memory_type
from ..ingest.pipeline import Keep, SeenAgain, Used, judge, trivial_because
from ..ingest.promotion import QUOTED_WISH_RULES, RECORDED, WISH_RULES
from ..judgement.salience import DamagedWeights, Utterance, salience, signs_of, threshold
from ..judgements import EVIDENCE_WORDS
from ..language.phrases import is_refuted
from ..models.reviewers import review, reviewers_for
from ..recall.start import held_back_because
from ..redaction.redact import redact
from ..sessions.shape import relative
from ..text.sameness import is_equal, says_the_same
from ..values import CATEGORIES, DAY_MS, PRIORITY_LABELS, VERIFIED, Memory, Origin, to_ms
from . import writer
from .search import Search, neighbour_of

Beside = Callable[[Change, str, bool], None]
"""Writes into the entry of a capture: the memory, and whether it is a new one."""

if TYPE_CHECKING:
    from ..context import Context
    from ..ingest.kinds import MemoryType
    from ..models.reviewers import ReviewDecision, Subject
    from .preferences import Preferences
    from .sessions import Sessions
    from .staleness import Staleness

MOST_RECORDED = 5  # recordings of one session
MUCH_THE_SAME = 0.6  # likeness from which on two texts of one session are one record
LONGEST_WHY = 500  # characters of a recording's reason

LEAST_ON_PURPOSE = 12
"""Characters of a caller's text, or of a user's task, correction or rule: "Port is 9090"."""

STORED = "stored"  # the rule of texts that a caller stores on purpose

OF_ORIGIN = ("session_id", "agent_id", "role")
"""Keys of a `context` that give a memory's origin."""


@dataclass(frozen=True, slots=True)
class _Known:
    """The store and the reviewers, as the checks of the pipeline see them."""

    context: Context
    search: Search
    pending: Sequence[tuple[str, int]]  # memory and time (ms), of receipts that are not stored yet

    def was_captured(self, ref: str) -> bool:
        return memories.was_captured(self.context.database, ref)

    def is_buried(self, fingerprint: str) -> bool:
        return memories.is_buried(*self.context.here, fingerprint)

    def unneeded_because(self, capture: Capture) -> str:
        session, judged = capture.origin.session, capture.salience
        if session and reviews.of_session(self.context.database, session, self.context.project_id):
            return "the agent or a model recorded what this session learned"
        least, text = threshold(is_person=False), capture.content
        if is_refuted(text) and "reason" in signs_of(text):  # what failed, and why, is rarely said
            return ""
        if judged and judged.score < least:
            return f"it scores {judged.score:.1f}, and an agent's sentence needs {least:g}"
        return ""

    def received(self, capture: Capture) -> Sequence[Neighbour]:
        session, text = capture.origin.session, to_ms(capture.said_at)
        if session is None or capture.rule.startswith("person."):
            return ()
        rows = memories.injected_into(self.context.database, session)
        rows += memories.named(self.context.database, self.pending)
        return [neighbour_of(row) for row in rows if text is None or row["injected_at"] <= text]

    def with_fingerprint(self, fingerprint: str) -> str | None:
        project = self.context.project_id
        return memories.with_fingerprint(self.context.database, project, fingerprint)

    def neighbours(self, text: str) -> Sequence[Neighbour]:
        return self.search.sharing_words(text)

    def review(self, subject: Subject) -> ReviewDecision:
        policy = self.context.policy.review
        now = self.context.now_ms()
        spent = reviews.spent(self.context.database, now - now % DAY_MS)
        return review(
            subject,
            reviewers_for(policy, spent=spent, models=not subject.is_private),
            timeout_s=policy.timeout_s,
            rule=policy.rule,
            heuristic=lambda text: trivial_because(text.content) or None,
        )


_OF_A_DRAFT = (
    *("title", "type", "category", "scope", "importance", "confidence", "tags", "files"),
    *("origin", "details", "metadata", "privacy"),
)
"""Fields of a capture that its memory keeps."""


class Captures:
    """remember, offer, store, rescue."""

    _context: Context
    _search: Search
    _writer: writer.Writer
    _sessions: Sessions
    _preferences: Preferences
    _staleness: Staleness

    def remember(
        self,
        text: str,
        *,
        type: str | None = None,
        category: str | None = None,
        scope: str | None = None,
        importance: float | None = None,
        tags: Sequence[str] = (),
        files: Sequence[str] = (),
        title: str | None = None,
        pin: bool = False,
        due: datetime | None = None,
        expires: datetime | None = None,
        key: str | None = None,
        details: Mapping[str, Any] | None = None,
        privacy: str | None = None,
    ) -> StoreResult:
        """Store a text of the user without the checks, but with redaction.

        An agent's text waits as a candidate. `importance` is 0-1, `text` at most 4,000
        characters. The same text again reinforces the memory there is, whose privacy stays; a new
        one is public unless `privacy` says `agent-only` or `private`.
        Another text for a known `key` replaces that one: fields that are not named stay.
        Raises BadInput, and Refused for a global memory without the user's consent.
        """
        is_agents = self._context.actor == "agent"
        if pin:
            must_not_be_agent(self._context.actor)
        draft = drafts.Draft(
            content=text,
            title=title or "",
            type=type or ("prospective" if due is not None else None),
            category=category,
            scope=scope,
            status="pinned" if pin else "candidate" if is_agents else "confirmed",
            importance=0.6 if importance is None else importance,
            tags=drafts.texts("tags", tags),
            files=drafts.texts("files", files),
            key=key,
            due=to_ms(due),
            expires=to_ms(expires),
            origin=Origin(session=self._context.session, agent=self._context.agent),
            details=details or {},
            metadata=details or {},
            privacy="public" if privacy is None else privacy,
        )
        named = dict[str, Any](category=category, scope=scope, importance=importance, tags=tags)
        named |= {"files": files, "privacy": privacy, "due": due, "expires": expires}
        image, counts = self._writer.drawn(draft)
        seq, around = self._context.store.position().seq, self._around(image)
        opposed = self._opposed(image, around)  # before others wait for us
        with self._context.change("add") as change:
            image["num"] = change.next_num()
            writer.note_redaction(change, counts)
            removed = tuple(dict.fromkeys(kind for _, kind in counts))
            existing = writer.called(self._context, change, image)
            is_other = existing is not None and existing["fingerprint"] != image["fingerprint"]
            newest = self._search.since(seq, image["content"], around)
            twin = None if is_other else self._twin(change, image, newest)
            if twin is None:
                if existing:
                    image = writer.reworded(self._context, change, existing, image, named)
                if existing or newest is not around:
                    opposed = self._opposed(image, newest)
                self._put(change, image, opposed)
        if twin is not None:
            return self._writer.reinforce(twin, draft.origin, pin=pin, removed=removed)
        reason = "it replaces what its key named" if existing else "remembered"
        return StoreResult(True, image["id"], 10.0, reason, removed=removed)

    def _around(self, image: Image) -> list[Neighbour]:
        return self._search.sharing_words(image["content"], image["id"])

    def _twin(self, change: Change, image: Image, around: Sequence[Neighbour]) -> str | None:
        """Return the live memory that differs in case, spaces, punctuation or markup at most."""
        if twin := self._writer.twin(change, image):
            return twin
        text = image["content"]
        if image["scope"] == "global":  # that a project knows it is no reason to keep it there
            return None
        return next((item.id for item in around if is_equal(text, item.content)), None)

    def _put(self, change: Change, image: Image, opposed: Sequence[Opposition]) -> None:
        """Write a memory stated here, and its possible contradictions. Raises Refused."""
        writer.must_be_wanted(self._context, image)
        self._writer.put(change, image)
        self._writer.put_conflicts(change, image, opposed, is_asked=self._context.actor == "person")
        if self._context.actor == "agent":
            change.put("memory_trust", writer.unconfirmed(image["id"], "agent-unverified"))

    def _opposed(self, image: Image, around: Sequence[Neighbour]) -> tuple[Opposition, ...]:
        """Return the contradictions of a memory stated here."""
        return oppositions(
            image["content"],
            category=image["category"],
            files=image["files"],
            neighbours=around,
            created_ms=image["created_at"],
            type=image["type"],
            is_users=self._context.actor == "person",
        )

    def offer(self, captures: Sequence[Capture]) -> list[StoreResult]:
        """Run captures through the checks. Those that pass become candidates."""
        return [self.admit(capture) for capture in captures]

    def correct(self, corrections: Sequence[Capture]) -> list[StoreResult]:
        """Admit corrections that change a value of a memory. Both stay."""
        choice = self._context.redaction_choice()
        return [
            self.admit(correction)
            for correction in corrections
            if restates(
                text := redact(correction.content, choice=choice).value,
                self._search.sharing_words(text),
            )
        ]

    def take_back(self, session: str, places: tuple[str, ...], why: str) -> None:
        """Retire memories from rewound places only; `places` are beginnings of references."""
        rewound = dict[str, bool]()
        for ref, memory in reviews.captured_in(self._context.database, drafts.name_of(session)):
            rewound[memory] = rewound.get(memory, True) and ref.startswith(places)
        gone = [
            memory
            for memory, is_rewound in rewound.items()
            if is_rewound and not reviews.is_touched(self._context.database, memory)
        ]
        if gone:
            with self._context.change("reject", why, actor="rule", session=session) as change:
                for memory in gone:
                    self._writer.take_out(change, memory, "rejected")

    def end_left_todos(self, session: str, captures: Sequence[Capture]) -> None:
        """Retire tasks that a session left open before, and that are not in `captures`."""
        refs = {
            ref for ref, _ in reviews.captured_in(self._context.database, drafts.name_of(session))
        }
        gone = {ref for ref in refs if ":todo:" in ref} - {item.origin.ref for item in captures}
        if gone:
            self.take_back(session, tuple(gone), "its session ended without it")

    def mark_changed(self, session: str, changes: Sequence[FileChange]) -> None:
        """Mark memories that changes of a session made wrong; both lines are kept.

        A change back removes the mark.
        """
        agent = self._sessions.session_named(session).agent
        by = f"by {agent} on {self._context.now():%d %b %Y}".replace(" on 0", " on ")
        marks = dict[str, tuple[str, bool]]()
        for change in changes:
            text = f"{change.path} {' '.join(change.gone)} {change.before}"[: drafts.MOST_LOOKED_AT]
            back = replace(change, before=change.after, after=change.before)
            near = self._search.sharing_words(text) if change.before or change.gone else ()
            for item in (item for item in near if item.created_ms < change.at_ms):
                envelope = reviews.envelope(self._context.database, item.id)
                made = envelope["artifacts"] if envelope else ()
                files = [*item.files, *(relative(path, self._context.root) for path in made)]
                if words := outdated_by(item.content, files, change):
                    where = f"changed in {change.path} {by}" if change.path else f"changed {by}"
                    is_plain = not held_back_because(words, "agent")  # agents receive it
                    marks[item.id] = f"{where}: {words}" if is_plain else where, False
                elif change.before and outdated_by(item.content, files, back):
                    marks[item.id] = "", False
        added = [change for change in changes if change.after]
        text = " ".join(f"{change.path} {change.after[:500]}" for change in added)
        for item in self._search.sharing_words(text[: drafts.MOST_LOOKED_AT]):
            after_it = [change for change in added if item.created_ms < change.at_ms]
            if where := carried_out_by(item.content, after_it):
                marks[item.id] = f"carried out in {where} {by}", True
        for memory, (words, is_done) in marks.items():
            self._staleness.put_change(self._context.resolve(memory), words, is_done=is_done)

    def admit(
        self,
        capture: Capture,
        *,
        received: Sequence[tuple[str, int]] = (),
        beside: Beside | None = None,
    ) -> StoreResult:
        """Return the result of one capture; `beside` is written with it, and counts for it.

        `received`: injections of its session that are not stored yet, id and time (ms).
        """
        if not isinstance(capture.content, str):
            raise BadInput(f"A text was expected, not {type(capture.content).__name__}.")
        if capture.scope == "global":
            raise BadInput("A capture belongs to its project: only the user makes it global.")
        recorded = self._records_of(capture)
        if recorded and not capture.rule.startswith("person."):
            text = redact(capture.content, choice=self._context.redaction_choice()).value
            image = self._context.resolve(recorded[0]["memory"])
            reason = f"the agent recorded it as “{image.title}”"
            self._writer.note(capture, text, "duplicate", reason, image.id)
            return StoreResult(False, image.id, 0.0, reason, "duplicate")
        capture = replace(
            capture,
            content=capture.content[: drafts.MOST_LOOKED_AT],
            origin=drafts.clean_origin(capture.origin),
            rule=redact(capture.rule).value,
        )
        result = self._judged(capture, received, beside)
        # one that waits is injected less often than the record
        for row in recorded if result.stored and promotion.is_lasting(capture) else ():
            if row["is_new"] and row["status"] == "candidate":
                with self._context.change("merge", "the user said it", actor="rule") as change:
                    waiting = change.get("memory", row["memory"])
                    if waiting is not None and waiting["scope"] != "global":
                        self._writer.take_out(change, row["memory"], "merged", result.memory_id)
        return result

    def _judged(
        self, capture: Capture, details: Sequence[tuple[str, int]], beside: Beside | None
    ) -> StoreResult:
        existing = _Known(self._context, self._search, details)
        if not (capture.origin.ref and existing.was_captured(capture.origin.ref)):
            # raises BadInput for fields that no memory can have, whatever becomes of the text
            draft = drafts.Draft(
                content="x", **{name: getattr(capture, name) for name in _OF_A_DRAFT}
            )
            project, now = self._context.project_id, self._context.now_ms()
            drafts.draft_image(draft, memory_id="x", num=0, project=project, now=now)
        verdict = judge(
            capture,
            existing,
            min_length=self._least_length(capture),
            choice=self._context.redaction_choice(),
        )
        if isinstance(verdict, Used):
            return self._used(capture, verdict)
        if isinstance(verdict, SeenAgain):
            return self._repeated(capture, verdict, beside)
        if isinstance(verdict, Keep):
            return self._keep(capture, verdict, beside)
        if verdict.gate == "repeat":
            return StoreResult(False, None, 0.0, verdict.reason, "repeated")
        why = f"{verdict.gate}: {verdict.reason}"
        self._writer.note(capture, verdict.text, "refused", why, decision=verdict.decision)
        score = verdict.decision.score if verdict.decision else 0.0
        is_trivial = capture.rule == STORED and verdict.gate == "triviality"
        reason = f"Trivial: {verdict.reason}" if is_trivial else verdict.reason
        return StoreResult(False, None, score, reason, "refused")

    def _repeated(self, capture: Capture, seen: SeenAgain, beside: Beside | None) -> StoreResult:
        if beside is not None:
            with self._context.change(
                "learn", "known already", actor="agent", session=capture.origin.session
            ) as change:
                beside(change, seen.memory, False)
            self._writer.note(capture, seen.text, "duplicate", "recorded again by an agent")
            return StoreResult(False, seen.memory, 0.0, "known already", "duplicate", seen.removed)
        is_agents = not capture.rule.startswith("person.")
        if is_agents and (why := promotion.unestablished_because(seen.text, capture.tags)):
            self._writer.note(capture, seen.text, "duplicate", f"no evidence: {why}")
            return StoreResult(False, seen.memory, 0.0, why, "duplicate", seen.removed)
        result = self._writer.reinforce(
            seen.memory, capture.origin, capture=capture, actor="rule", similarity=seen.similarity
        )
        self._writer.note(capture, seen.text, "duplicate", result.reason, seen.memory)
        return replace(result, removed=seen.removed)

    def _used(self, capture: Capture, used: Used) -> StoreResult:
        """Count the use. The stored capture names no memory, so that it is no evidence."""
        at_ms = to_ms(capture.said_at) or self._context.now_ms()
        if capture.origin.session is not None:
            received = [(used.memory, at_ms)]
            ageing.note_uses(self._context.database, capture.origin.session, received)
        result = self._writer.count_use(used.memory, capture)
        self._writer.note(capture, used.text, "duplicate", result.reason)
        return replace(result, removed=used.removed)

    def _least_length(self, capture: Capture) -> int:
        """Return the minimum length of a capture: less for intended statements."""
        policy, least = self._context.policy, self._context.policy.capture.min_length
        if capture.rule in (*WISH_RULES, *QUOTED_WISH_RULES):
            return 0  # no length filters an explicit wish, also among words of others
        on_purpose = (".correction", "person.intention", promotion.INSTRUCTION)
        if capture.rule.endswith(on_purpose) or capture.rule == STORED:
            return min(least, LEAST_ON_PURPOSE)
        is_intended = capture.rule.startswith(("person.", "model.")) or capture.rule == RECORDED
        if is_intended or capture.type == "prospective":
            return min(least, policy.promotion.min_length)
        return least

    def _keep(self, capture: Capture, verdict: Keep, beside: Beside | None) -> StoreResult:
        draft = replace(
            verdict.draft,
            due=to_ms(capture.due),
            expires=to_ms(capture.expires),
            created_at=to_ms(capture.said_at),
        )
        reason = f"found by the rule “{capture.rule}”" if capture.rule else ""
        if is_recorded := capture.rule == RECORDED:
            reason = "recorded by the agent itself"
        actor = "agent" if is_recorded else "rule"
        with self._context.change(
            "add", reason, actor=actor, session=capture.origin.session
        ) as change:
            image, removed = self._writer.image(change, draft)
            twin = self._writer.twin(change, image)
            if twin is None:
                image = self._writer.put_candidate(change, image, capture, verdict.similarity)
                is_asked = promotion.is_explicit(capture)
                self._writer.put_conflicts(change, image, verdict.oppositions, is_asked=is_asked)
                if beside is not None:
                    beside(change, image["id"], True)
        removed = (*verdict.removed, *removed)
        if twin is not None:
            return self._repeated(capture, SeenAgain(twin, image["content"], removed), beside)
        self._writer.note(
            capture, image["content"], "stored", reason, image["id"], verdict.decision
        )
        text = f"waits as a candidate: {verdict.decision.reason}"
        return StoreResult(True, image["id"], verdict.decision.score, text, removed=removed)

    def rescue(self, number: int, *, pin: bool = False) -> Memory:
        """Store a filtered capture as a confirmed memory. Raises NotFound, Refused."""
        must_not_be_agent(self._context.actor)
        row = reviews.capture(self._context.database, number)
        if row is None or row["project"] != self._context.project_id:
            raise NotFound(
                f"No filtered capture has the number {number}.",
                hint="`memdeck review --filtered` lists them.",
            )
        is_back = row["memory"] and memories.exists(self._context.database, row["memory"])
        if row["outcome"] != "refused" or is_back:
            why = "it was brought back already" if is_back else row["reason"]
            raise Refused("That capture is not refused.", hint=why)
        if not row["content"]:
            raise Refused("Nothing of its text was kept, so it cannot be brought back.")
        draft = drafts.Draft(
            content=row["content"],
            category=row["category"],
            status="pinned" if pin else "confirmed",
            importance=row["importance"],
            confidence=row["confidence"],
            privacy=row["privacy"] or "public",
            tags=tuple(row["tags"]),
            files=tuple(row["files"]),
            origin=Origin(session=row["session"], ref=row["ref"]),
        )
        with self._context.change("add", f"brought back: refused as {row['reason']}") as change:
            image, _ = self._writer.image(change, draft)
            twin = self._writer.twin(change, image)
            if twin is None:
                self._put(change, image, self._opposed(image, self._around(image)))
        memory = twin or str(image["id"])
        if twin is not None:
            self._writer.reinforce(twin, draft.origin, pin=pin)
        reviews.rescue_capture(self._context.database, number, memory)
        return self._context.resolve(memory)

    def store(
        self,
        content: str,
        memory_type: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        context: Mapping[str, Any] | None = None,
    ) -> StoreResult:
        """Run one text through all checks, as a candidate.

        It is stored on purpose, so it may be short: 12 characters. Without a type the words decide.
        `metadata` may hold tags, files, category (of memories or of the type), title, importance
        and confidence (0-1), session_id and fields of the type's own table. A priority may be one
        of `PRIORITY_LABELS`. Other fields are returned unchanged, and also become tags, as
        `promoted_from:working`.
        `context` may hold session_id, agent_id, role and further fields. Raises BadInput.
        """
        if not all(isinstance(about, Mapping | None) for about in (metadata, context)):
            raise BadInput("metadata and context must be mappings.")
        values, around = dict(metadata or {}), dict(context or {})
        session = around.get("session_id") or values.pop("session_id", None)
        memory_type = str(memory_type or self.determine_memory_type(content, around))
        if memory_type in ("prospective", "working") and values.get("priority") in PRIORITY_LABELS:
            values["priority"] = PRIORITY_LABELS.index(values["priority"]) + 1
        free = {name: value for name, value in around.items() if name not in OF_ORIGIN}
        must_be_type(memory_type)
        for name in ("importance", "confidence"):
            drafts.in_range(name, values.get(name, 0.5))
        category = values.get("category")
        if category not in drafts.WORDS.get(memory_type, {}).get("category", ()):
            values.pop("category", None)
        elif category not in CATEGORIES:  # one of the type's own, as a fact's "principle"
            category = None
        if free:
            values["context"] = free
        capture = Capture(
            content=content,
            title=values.pop("title", ""),
            type=memory_type,
            category=category,
            importance=values.pop("importance", 0.5),
            confidence=values.pop("confidence", 0.7),
            tags=(*drafts.texts("tags", values.pop("tags", ())), *_noted(memory_type, values)),
            files=drafts.texts("files", values.pop("files", ())),
            origin=Origin(
                session=session or self._context.session,
                agent=self._context.agent,
                agent_id=around.get("agent_id"),
                role=around.get("role"),
            ),
            rule=STORED,
            details=values,
            metadata=values,
        )
        return self.admit(capture)

    def route_storage(
        self, content: str, memory_type: str, context: Mapping[str, Any] | None = None
    ) -> tuple[bool, str]:
        """Return whether `store`, under its earlier name, stored it, and why."""
        result = self.store(content, memory_type, context=context)
        return result.stored, result.reason

    def determine_memory_type(
        self, content: str, context: Mapping[str, Any] | None = None, role: str | None = None
    ) -> MemoryType:
        """One of the five types, by rule."""
        from ..ingest.kinds import determine_memory_type

        return determine_memory_type(content, context, role)

    # --- records of agents

    def learn(
        self,
        text: str,
        *,
        session: str,
        why: str = "",
        files: Sequence[str] = (),
        replaces: str | None = None,
        received: Sequence[tuple[str, int]] = (),
    ) -> Recorded:
        """Record a text of a known session's agent, as a candidate; at most five a session.

        `received`: injections of the session that are not stored yet, id and time (ms).
        `replaces` names a memory; the user's is put into conflict. Raises NotFound,
        Ambiguous, BadInput, Refused.
        """
        existing = self._sessions.session_named(session)
        self._must_be_captured(existing.id)
        reason = drafts.redacted(why).strip()
        if len(reason) > LONGEST_WHY:
            raise BadInput(f"A reason may have {LONGEST_WHY} characters.")
        target = None if replaces is None else self._context.resolve(replaces)
        if target is not None:
            self._context.must_be_here(target)
            if not target.is_live:
                raise Refused(f"“{target.title}” is {target.retired_as} already.")
        kind = memory_type(text, category_of(text))  # a plan would be injected as a todo
        capture = Capture(
            content=text,
            type=kind if kind in ("semantic", "procedural") else "semantic",
            files=drafts.texts("files", files),
            rule=RECORDED,
            origin=Origin(session=existing.id, agent=existing.agent),
            said_at=self._context.now(),
        )
        message = redact(text, choice=self._context.redaction_choice()).value.strip()
        row: Image = {"id": self._context.new_id(), "session": existing.id, "why": reason}
        row |= {"at": self._context.now_ms(), "evidence": "unchecked", "checked_at": None}
        outcome: dict[str, str] = {}

        def beside(change: Change, memory: str, is_new: bool) -> None:
            self._must_have_room(reviews.count(change.database, existing.id))
            outcome.update(self._replaced(change, target, memory))
            change.put("recording", {**row, "memory": memory, "is_new": int(is_new)})

        own = reviews.of_session(self._context.database, existing.id, self._context.project_id)
        live = (row for row in own if row["retired_at"] is None)
        if twin := next((row for row in live if row["content"] == message), None):
            result = StoreResult(False, twin["memory"], 0.0, "known already", "duplicate")
        else:
            self._must_have_room(reviews.count(self._context.database, existing.id))
            if same := self._same_in_session(existing.id, message):
                result = self._repeated(capture, SeenAgain(same, message, ()), beside)
            else:
                result = self.admit(capture, received=received, beside=beside)
        count = reviews.count(self._context.database, existing.id)
        return Recorded(result, existing.id, count, MOST_RECORDED, **outcome)

    # --- the checks of a record

    def _must_be_captured(self, session: str) -> None:
        if not self._context.policy.capture.learn:
            raise Refused(
                "Agents record nothing here: `capture.learn` is off.",
                hint="The user writes with `memdeck remember`.",
            )
        if not self._preferences.is_recorded(session):
            raise Refused(
                "This session is not recorded, so the record was refused.",
                hint="It is incognito, or recording is off. `memdeck memory status` shows which.",
            )

    def _must_have_room(self, count: int) -> None:
        if count >= MOST_RECORDED:
            raise Refused(
                f"This session has recorded {count} notes, and {MOST_RECORDED} is the most.",
                hint="The transcript is read later. Go on with the work.",
            )

    def _same_in_session(self, session: str, text: str) -> str | None:
        """Return the live memory of this session with the same content, in any words."""
        learned = memories.learned_in(self._context.database, session)
        facts = (row for row in learned if row["type"] != "prospective")
        same = (row for row in facts if says_the_same(text, row["content"], MUCH_THE_SAME))
        return next((row["id"] for row in same), None)

    def _replaced(self, change: Change, target: Memory | None, memory: str) -> dict[str, str]:
        """Retire the memory that a record replaces. The user's stays, in conflict with it."""
        if target is None:
            return {}
        if target.id == memory:
            raise BadInput("It says the same as what it is to replace.")
        if self._is_agents(change, target.id):
            self._writer.supersede(change, target.id, memory)
            return {"replaced": target.id}
        if conflict_between := reviews.conflict_between(change.database, target.id, memory):
            return {"conflict": str(conflict_between["id"])}
        pair, why = (target.id, memory), "an agent says that it replaces"
        return {"conflict": self._writer.put_conflict(change, *pair, "superseded", why)}

    def _is_agents(self, change: Change, memory: str) -> bool:
        """Return True if the user has not confirmed a memory."""
        image, existing = change.get("memory", memory), change.get("memory_candidacy", memory)
        assert image is not None
        if image["status"] != "candidate" or image["agent"] is None or existing is None:
            return False
        is_users = {"user-intent", "explicit-pin"} & existing["signals"].keys()
        return not is_users and image["scope"] != "global"

    # --- the evidence in the transcript

    def unchecked(self, session: str) -> list[tuple[Recording, str]]:
        """Return the unchecked records of a session, each with the memory's text."""
        of_session = reviews.of_session(self._context.database, session, self._context.project_id)
        return [
            (of_row(Recording, row), row["content"])
            for row in of_session
            if row["checked_at"] is None
        ]

    def settle_recording(self, number: str, source: str, *, privacy: str = "public") -> None:
        """Note the evidence of a record, once: `source` is "agent", "finding" or "quoted"."""
        is_own = source in VERIFIED
        with self._context.change("check", EVIDENCE_WORDS[source], actor="rule") as change:
            row = change.get("recording", number)
            if row is None or row["checked_at"] is not None:
                return
            now = self._context.now_ms()
            noted = {**row, "evidence": source, "checked_at": now}
            change.put("recording", noted)
            image = change.get("memory", row["memory"])
            if image is None or image["retired_at"] is not None:
                return
            if privacy != "public" and row["is_new"]:
                image = {**image, "privacy": privacy}
                change.put("memory", image)
            if is_own and row["is_new"]:
                self._supported(change, image)
        is_independent = image["session"] != row["session"]
        if is_own and not row["is_new"] and is_independent:
            self._witnessed(image, row)

    def withdraw_recording(self, number: str) -> None:
        """Withdraw a record of an incognito turn."""
        with self._context.change("reject", "recorded off the record", actor="rule") as change:
            row = change.get("recording", number)
            if row is None:
                return
            image = change.get("memory", row["memory"])
            if row["is_new"] and image and image["scope"] != "global":  # no person took it up
                self._writer.take_out(change, image["id"], "rejected")
            checked = {"evidence": "nobody", "checked_at": self._context.now_ms()}
            change.put("recording", {**row, **checked, "why": ""})

    def _supported(self, change: Change, image: Image) -> None:
        """Give points to a memory in the agent's own words; established if the score says so."""
        text, judged = image["content"], None
        existing = change.get("memory_candidacy", image["id"])
        if existing is None or "user-intent" in existing["signals"]:
            return  # the user has said it since, which needs no score
        with suppress(DamagedWeights):
            judged = salience(Utterance(text, is_person=False, turn_length=len(text)))
            change.put("memory_salience", writer.salience_row(image["id"], judged, is_person=False))
        sessions, agents = reviews.witnesses(change.database, image["id"])
        keys = existing["signals"].keys() & promotion.LASTING | {"verified"}
        signals = promotion.signals_of(
            keys | ({"worth-keeping"} if judged and judged.is_established else set()),
            sessions=self._writer.distinct(sessions, change),
            agents=agents,
            importance=image["importance"],
        )
        moved, candidacy = self._writer.promoted(image, existing, signals, is_proven=True)
        change.put("memory_candidacy", candidacy)
        change.put("memory", moved)

    def _witnessed(self, image: Image, row: Image) -> None:
        """Count a second session's own record as evidence, as with any capture."""
        existing = sessions.sessions_called(*self._context.here, row["session"])
        origin = Origin(session=row["session"], agent=existing[0]["agent"] if existing else None)
        capture = Capture(content=image["content"], rule=RECORDED, origin=origin)
        self._writer.reinforce(image["id"], origin, capture=capture, actor="rule")
        self._writer.note(capture, image["content"], "duplicate", "verified", image["id"])

    def _records_of(self, capture: Capture) -> list[Image]:
        """Return the live recordings of a capture's session that say the same, oldest first."""
        session = capture.origin.session
        if capture.rule == RECORDED or not session or capture.type == "prospective":
            return []
        if capture.origin.ref and memories.was_captured(self._context.database, capture.origin.ref):
            return []
        return [
            row
            for row in reviews.of_session(self._context.database, session, self._context.project_id)
            if row["retired_at"] is None
            and says_the_same(capture.content, row["content"], MUCH_THE_SAME)
        ]


def _noted(kind: str, values: Mapping[str, Any]) -> tuple[str, ...]:
    """Return values without a field of the type as tags; lists and long texts are left out."""
    existing = drafts.own_fields(kind)
    tags = (
        f"{name}:{value}"
        for name, value in values.items()
        if name not in existing and isinstance(value, str | int | float)
    )
    return tuple(tag for tag in tags if len(tag) <= drafts.LONGEST_TAG)
