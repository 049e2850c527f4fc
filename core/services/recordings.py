"""What agents record as they go, and what their sessions say to it.

A recording goes through the gates of every capture and waits as a candidate. It becomes no person's
rule, and counts towards promotion only once the transcript bears it out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ...db import memories, reviews, sessions
from ...db.images import Image
from ...db.store import Change
from ..answers import Capture, Recorded, Recording, Salience, StoreResult
from ..errors import BadInput, Refused
from ..ingest import promotion
from ..ingest.drafts import Redactor, texts
from ..ingest.kinds import category_of, memory_type
from ..ingest.pipeline import SeenAgain
from ..ingest.promotion import RECORDED
from ..judgement.salience import Utterance, reasons, salience
from ..judgement.weights import DamagedWeights
from ..judgements import EVIDENCE_WORDS
from ..redaction.redact import redact
from ..text.sameness import says_the_same
from ..values import VERIFIED, Memory, Origin
from .deposits import Deed, Deposits, salience_row
from .review import Review, recording_of

if TYPE_CHECKING:
    from ..context import Context
    from .amendments import Amendments
    from .ingest import Captures
    from .sessions import Sessions

MOST_RECORDED = 5
"""Recordings of one session."""

MUCH_THE_SAME = 0.6
"""Likeness from which on two texts of one session are one record."""

LONGEST_WHY = 500
"""Characters of a recording's reason."""


@dataclass(frozen=True, slots=True)
class Recordings:
    """learn, recordings, and how the drain checks them."""

    _context: Context
    _amendments: Amendments
    _review: Review
    _deposits: Deposits
    _sessions: Sessions
    _captures: Captures

    def learn(
        self,
        text: str,
        *,
        session: str,
        why: str = "",
        files: Sequence[str] = (),
        replaces: str | None = None,
        told: Sequence[tuple[str, int]] = (),
    ) -> Recorded:
        """Record what the agent of a known `session` says, as a candidate; at most five a session.

        `told` is what the session was told and the store does not know yet: id and time (ms).
        `replaces` names a memory that this one takes the place of: at once where it is an agent's
        and unproven, once this one is borne out where it was promoted; else a person decides.
        Raises NotFound, Ambiguous, BadInput, and Refused when the session may not, or no more.
        """
        known = self._sessions.session_named(session)
        self._must_take_down(known.id)
        told_why = Redactor().text(why).strip()
        if len(told_why) > LONGEST_WHY:
            raise BadInput(f"A reason may have {LONGEST_WHY} characters.")
        target = self._replaceable(replaces)
        capture = Capture(
            content=text,
            type=_kind_of(text),
            files=texts("files", files),
            rule=RECORDED,
            origin=Origin(session=known.id, agent=known.agent),
            said_at=self._context.now(),
        )
        own = reviews.of_session(self._context.database, known.id, self._context.project_id)
        said = redact(text, choice=self._context.redaction_choice()).value.strip()
        live = (row for row in own if row["retired_at"] is None)
        if twin := next((row for row in live if row["content"] == said), None):
            known_as = SeenAgain(twin["memory"], said, ())
            return self._recorded(known.id, _known_already(known_as), None)
        self._must_have_room(reviews.count(self._context.database, known.id))
        row = self._unchecked_row(known.id, told_why)
        done: list[Image] = []

        def beside(change: Change, image: Image) -> None:
            self._must_have_room(reviews.count(change.database, known.id))
            done.append(self._put_recording(change, {**row, "memory": image["id"]}, target))

        def again(seen: SeenAgain) -> StoreResult:
            done.append(self._noted(capture, seen, row, target))
            return _known_already(seen)

        if same := self._same_in_session(known.id, said):
            result = again(SeenAgain(same, said, ()))
        else:
            result = self._captures.admit(capture, told=told, deed=Deed(beside, again))
        return self._recorded(known.id, result, done[0] if done else None)

    def _unchecked_row(self, session: str, why: str) -> Image:
        """A recording that no transcript was asked about, and that names no memory yet."""
        return {
            "id": self._context.new_id(),
            "memory": "",
            "session": session,
            "at": self._context.now_ms(),
            "why": why,
            "is_new": 1,
            "replaces": None,
            "evidence": "unchecked",
            "line": None,
            "checked_at": None,
        }

    def recordings(self, ref: str) -> list[Recording]:
        """How agents recorded a memory, oldest first, and what their sessions say to it."""
        return list(self._review.recordings_of(self._context.resolve(ref).id))

    # --- the gates, as they meet what was recorded

    def _must_take_down(self, session: str) -> None:
        if not self._context.policy.capture.learn:
            raise Refused(
                "Agents record nothing here: `capture.learn` is off.",
                hint="A person writes with `memdeck remember`.",
            )
        if not self._sessions.is_taken_down(session):
            raise Refused(
                "Nothing is taken down from this session, so nothing was recorded.",
                hint="It is incognito, or auto-memory is off; `memdeck memory status` shows which.",
            )

    def _must_have_room(self, count: int) -> None:
        if count >= MOST_RECORDED:
            raise Refused(
                f"This session has recorded {count} notes, and {MOST_RECORDED} is the most.",
                hint="What else was said is read in the transcript; go on with the work.",
            )

    def _same_in_session(self, session: str, text: str) -> str | None:
        """The live memory of this session that says as much, in whatever words."""
        learned = memories.learned_in(self._context.database, session)
        facts = (row for row in learned if row["type"] != "prospective")
        same = (row for row in facts if says_the_same(text, row["content"], MUCH_THE_SAME))
        return next((row["id"] for row in same), None)

    def _noted(self, capture: Capture, seen: SeenAgain, row: Image, target: Memory | None) -> Image:
        """A recording of what is known: no evidence before the transcript was read."""
        with self._context.change(
            "learn", "known already", actor="agent", session=row["session"]
        ) as change:
            self._must_have_room(reviews.count(change.database, row["session"]))
            row = self._put_recording(change, {**row, "memory": seen.memory, "is_new": 0}, target)
        self._deposits.note(capture, seen.text, "duplicate", "recorded again by an agent")
        return row

    def _recorded(self, session: str, result: StoreResult, row: Image | None) -> Recorded:
        outcome = row.get("outcome", {}) if row else {}
        count = reviews.count(self._context.database, session)
        return Recorded(result, session, count, MOST_RECORDED, **outcome)

    # --- what takes the place of something else

    def _replaceable(self, ref: str | None) -> Memory | None:
        if ref is None:
            return None
        memory = self._context.resolve(ref)
        self._context.must_be_here(memory)
        if not memory.is_live:
            raise Refused(f"“{memory.title}” is {memory.retired_as} already.")
        return memory

    def _put_recording(self, change: Change, row: Image, target: Memory | None) -> Image:
        """The row as it was put, with an `outcome` that the answer tells of."""
        outcome: dict[str, str] = {}
        if target is not None and target.id == row["memory"]:
            raise BadInput("It says the same as what it is to replace.")
        if target is not None:
            image = change.get("memory", target.id)
            assert image is not None
            standing = self._standing_of(change, image)
            if standing == "unproven":
                self._review.replace(change, target.id, row["memory"])
                outcome["replaced"] = target.id
            elif standing == "established":
                row = {**row, "replaces": target.id}
                outcome["waits"] = target.id
            else:
                outcome["conflict"] = self._contested(change, target.id, row["memory"])
        change.put("recording", row)
        return {**row, "outcome": outcome}

    def _standing_of(self, change: Change, image: Image) -> str:
        """person, established or unproven: what may take its place without a person's word."""
        known = change.get("memory_candidacy", image["id"])
        signals = known["signals"] if known else {}
        is_persons = "user-intent" in signals or "explicit-pin" in signals
        is_persons = is_persons or image["scope"] == "global"
        if image["status"] != "candidate" or image["agent"] is None or known is None or is_persons:
            return "person"
        return "unproven" if known["promoted_at"] is None else "established"

    def _contested(self, change: Change, old: str, new: str) -> str:
        known = reviews.conflict_between(change.database, old, new)
        if known is not None:
            return str(known["id"])
        return self._review.put_conflict(
            change, old, new, "superseded", "an agent says that it replaces"
        )

    # --- what the transcript says to it

    def unchecked(self, session: str) -> list[tuple[Recording, str]]:
        """What a session recorded and nobody has looked for yet, each with the memory's text."""
        found = reviews.of_session(self._context.database, session, self._context.project_id)
        return [(recording_of(row), row["content"]) for row in found if row["checked_at"] is None]

    def settle_recording(self, number: str, source: str, *, privacy: str = "public") -> None:
        """Note where its words stood first; the agent's own count towards promotion.

        `source` is "agent", "finding" (a tool's result) or "quoted" (a paste); `privacy` is for
        whom the turn was marked that recorded it. A second time changes nothing.
        """
        is_own = source in VERIFIED
        with self._context.change("check", EVIDENCE_WORDS[source], actor="rule") as change:
            row = change.get("recording", number)
            if row is None or row["checked_at"] is not None:
                return
            now = self._context.now_ms()
            noted = {**row, "evidence": source, "checked_at": now}
            change.put("recording", {**noted, "replaces": None})
            image = change.get("memory", row["memory"])
            if image is None or image["retired_at"] is not None:
                return
            if privacy != "public" and row["is_new"]:
                image = {**image, "privacy": privacy}
                change.put("memory", image)
            if is_own and row["is_new"]:
                self._supported(change, image)
            if row["replaces"]:
                self._take_place(change, row, is_verified=is_own)
        is_independent = image["session"] != row["session"]
        if is_own and not row["is_new"] and is_independent:
            self._witnessed(image, row)

    def withdraw_recording(self, number: str) -> None:
        """Take back what was recorded in a turn that is off the record."""
        with self._context.change("reject", "recorded off the record", actor="rule") as change:
            row = change.get("recording", number)
            if row is None:
                return
            image = change.get("memory", row["memory"])
            if row["is_new"] and image and image["scope"] != "global":  # no person took it up
                self._amendments.take_out(change, image["id"], "rejected")
            checked = {"evidence": "nobody", "checked_at": self._context.now_ms(), "replaces": None}
            change.put("recording", {**row, **checked, "why": ""})

    def _supported(self, change: Change, image: Image) -> None:
        """Give points to a memory in the agent's own words; established if the score says so."""
        judged = words_judged(image["content"])
        if judged is not None:
            change.put("memory_salience", salience_row(image["id"], judged, is_person=False))
        known = change.get("memory_candidacy", image["id"])
        if known is None:
            return
        sessions, agents = reviews.witnesses(change.database, image["id"])
        counted = promotion.Evidence(
            is_from_person="user-intent" in known["signals"],
            is_pinned="explicit-pin" in known["signals"],
            is_established=judged is not None and judged.is_established,
            sessions=self._deposits.distinct(sessions, change),
            agents=len(agents),
            is_verified=True,
            importance=image["importance"],
        )
        moved, candidacy = self._deposits.promoted(image, known, counted, is_proven=True)
        change.put("memory_candidacy", candidacy)
        if moved != image:
            change.put("memory", moved)

    def _take_place(self, change: Change, row: Image, *, is_verified: bool) -> None:
        old = change.get("memory", row["replaces"])
        if old is None or old["retired_at"] is not None:
            return
        if is_verified and self._standing_of(change, old) != "person":
            self._review.replace(change, old["id"], row["memory"])
        else:
            self._contested(change, old["id"], row["memory"])

    def _witnessed(self, image: Image, row: Image) -> None:
        """A second session said it, by itself: evidence, as with any capture."""
        known = sessions.sessions_called(*self._context.here, row["session"])
        origin = Origin(session=row["session"], agent=known[0]["agent"] if known else None)
        capture = Capture(content=image["content"], rule=RECORDED, origin=origin)
        self._deposits.reinforce(image["id"], origin, capture=capture, actor="rule")
        self._deposits.note(capture, image["content"], "duplicate", "verified", image["id"])


def words_judged(text: str) -> Salience | None:
    """Return what the fitted score says of a record's words; None with damaged weights."""
    own = Utterance(text, is_person=False, turn_length=len(text))
    try:
        return replace(salience(own), reasons=reasons(own))
    except DamagedWeights:
        return None


def _kind_of(text: str) -> str:
    """Its type by rule; never a plan, which other sessions would be told as a todo."""
    kind = memory_type(text, category_of(text))
    return kind if kind in ("semantic", "procedural") else "semantic"


def _known_already(seen: SeenAgain) -> StoreResult:
    return StoreResult(False, seen.memory, 0.0, "known already", "duplicate", seen.removed)


@dataclass(frozen=True, slots=True)
class RecordedSentences:
    """The agent's own words link to its recording; a person's are kept instead of it."""

    _context: Context
    _amendments: Amendments
    _deposits: Deposits

    def of(self, capture: Capture) -> list[Image]:
        """The live recordings of the capture's session that say the same, oldest first.

        None for a recording itself, a todo, and what was read before.
        """
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

    def repeated(self, capture: Capture, seen: SeenAgain) -> StoreResult | None:
        """What one session records and says is one witness: only another one adds to it.

        None where the capture is evidence.
        """
        session = capture.origin.session
        if session and not capture.rule.startswith("person."):
            own = reviews.of_session(self._context.database, session, self._context.project_id)
            if any(row["memory"] == seen.memory for row in own):
                return self.linked(capture, seen.memory, seen.text)
        return None

    def yield_to(self, rows: Sequence[Image], said: str) -> None:
        """What waits as a candidate of the agent's makes room for the person's own words."""
        for row in rows:
            if row["is_new"] and row["status"] == "candidate":
                self._yield_to(row["memory"], said)

    def linked(self, capture: Capture, memory: str, text: str) -> StoreResult:
        image = self._context.resolve(memory)
        reason = f"the agent recorded it as “{image.title}”"
        self._deposits.note(capture, text, "duplicate", reason, memory)
        return StoreResult(False, memory, 0.0, reason, "duplicate")

    def _yield_to(self, recorded: str, said: str) -> None:
        """The person's own words stay, and the agent's of them retire, linked."""
        with self._context.change("merge", "the person said it", actor="rule") as change:
            image = change.get("memory", recorded)
            if image is not None and image["scope"] != "global":
                self._amendments.take_out(change, recorded, "merged", said)
