"""The review queue: everything that needs the user's word. A verdict is one undo."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations, islice
from typing import TYPE_CHECKING, Any

from ...db import memories, reviews
from ...db.connection import mapped_errors
from ...db.errors import Ambiguous, BadInput, NotFound, Refused, StaleEdit
from ...db.fast_reader import DEGREES
from ...db.images import Image, headline_of
from ...db.store import Change
from ..answers import Envelope, Neighbour, Recording, Salience
from ..context import each, is_own_session, must_not_be_agent, names_of, of_row
from ..ingest.drafts import Draft, redacted
from ..judgements import CONFLICT_KINDS, VERDICTS, Conflict, RefusedCapture
from ..models.reviewers import Vote
from ..text.sameness import ALIKE
from ..values import DAY_MS, Memory, at, moment_at, to_ms
from . import maintenance
from .review_entries import OFFER, SNOOZE, ReviewEntries, ReviewEntry
from .writer import LONGEST_CONTEXT, Writer, links_of, new_candidacy

if TYPE_CHECKING:
    from ..context import Context
    from .curation import Curation
    from .search import Search
    from .staleness import Staleness

PAIRS = ("conflict", "duplicate")  # the kinds that are about two memories
DECISIONS = ("accept", "reject", "keep", "merge", "neither", "done")  # what `decide` takes
MERGEABLE = 0.4  # similarity, 0-1, from which the nearest memory is worth a merge
LONGEST_QUOTE = 600
LONGEST_LINE = 2_000_000  # bytes of a transcript's line that is read for a quote


@dataclass(frozen=True, slots=True)
class Quote:
    text: str
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """One card: the memories, the reason, the proposal."""

    kind: str
    key: str
    memories: tuple[Memory, ...]  # one, both sides, or all that say the same
    reason: str  # one line
    proposal: str  # the decision that the card proposes: one of DECISIONS
    if_nothing: str  # a sentence
    stays: int = 0  # place of the side that the proposal keeps
    is_junk: bool = False
    conflict: Conflict | None = None
    near: Neighbour | None = None  # of a candidate, the nearest memory
    quote: Quote | None = None
    session_name: str = ""
    snoozed_until: datetime | None = None

    @property
    def memory(self) -> Memory:
        """Return the memory to judge. Of a pair the side that the proposal keeps."""
        return self.memories[self.stays]

    @property
    def is_pair(self) -> bool:
        return len(self.memories) > 1


class Review:
    """Candidates, conflicts, duplicates, outdated memories, suggestions, filtered captures."""

    _context: Context
    _writer: Writer
    _curation: Curation
    _staleness: Staleness
    _search: Search
    _review_entries: ReviewEntries

    def unasked_because(self, memory: Memory) -> str:
        """Return why a candidate does not wait for the user; "" if it waits, or is none."""
        from ..recall.start import held_back_because  # few documents are of candidates

        is_candidate = memory.is_live and memory.status == "candidate"
        is_record = is_candidate and memory.evidence
        if is_record and not held_back_because(memory.content, memory.evidence):
            return "not asked, since an agent recorded it, and starts receive the newest records"
        if not is_candidate or reviews.is_asked(self._context.database, memory.id):
            return ""
        session, project = memory.origin.session or "", self._context.project_id
        if not reviews.of_session(self._context.database, session, project):
            return "not asked, since by its score it is hardly worth your time"
        return "not asked, since an agent recorded what this session learned, or a model read it"

    @mapped_errors()
    def item(self, entry: ReviewEntry) -> ReviewItem:
        """Return the card of an entry. Raises NotFound when a memory is gone."""
        matches = {memory.num: memory for memory in self._context.memories(entry.nums)}
        if len(matches) < len(entry.nums):
            raise NotFound(f"“{entry.title}” is gone.")
        sides = tuple(matches[num] for num in entry.nums)
        more: dict[str, Any] = {
            "kind": entry.kind,
            "key": entry.key,
            "memories": sides,
            "is_junk": entry.is_junk,
            "session_name": self._session_name(sides[0]),
        }
        if entry.kind == "candidate":
            return self._candidate_item(sides[0], entry.reason, more)
        until = reviews.chosen(self._context.database, SNOOZE).get(entry.key)
        more["snoozed_until"] = at(until)
        if entry.kind in PAIRS:
            ref = entry.key.partition(":")[2]
            conflict = self.conflict(ref) if entry.kind == "conflict" else None
            reason, says = entry.reason, "both stay."
            if conflict is not None:
                reason = conflict.reason or CONFLICT_WORDS.get(conflict.kind, "")
                says = "both stay. Agents receive them together, marked as conflicting."
            elif len(reach := {self._reach(side) for side in sides}) == 1:
                says = f"both stay, and each {reach.pop()}."
            return ReviewItem(
                reason=reason,
                proposal="keep",
                if_nothing=says,
                stays=sides.index(max(sides, key=_standing)),
                conflict=conflict,
                **more,
            )
        if entry.kind == "global":
            says = "it stays a memory of this project only."
            return ReviewItem(reason=entry.reason, proposal="accept", if_nothing=says, **more)
        proposal = "done" if sides[0].type == "prospective" else "reject"
        stays = "it stays open." if proposal == "done" else "it stays."
        says = " ".join((stays, *self._prospects(sides[0])))
        return ReviewItem(
            reason=entry.reason,
            proposal=proposal,
            if_nothing=says,
            quote=quote_of(sides[0]),
            **more,
        )

    def _candidate_item(self, memory: Memory, held: str, more: dict[str, Any]) -> ReviewItem:
        near = next(iter(self._search.neighbours(memory.content, without=memory.id, limit=1)), None)
        proposal = "reject" if more["is_junk"] else "accept"
        if near is not None and near.similarity >= ALIKE:
            proposal = "merge"
        trial = maintenance.outlook(self._context, memory)
        waits = () if trial else ("it stays a candidate.",)
        return ReviewItem(
            reason=self._candidate_reason(memory, held, is_junk=more["is_junk"]),
            proposal=proposal,
            if_nothing=" ".join(filter(None, (*waits, trial, *self._prospects(memory)))),
            near=near,
            quote=quote_of(memory),
            snoozed_until=at(self.candidacy(memory.id).get("snoozed_until")),
            **more,
        )

    def _candidate_reason(self, memory: Memory, held: str, *, is_junk: bool) -> str:
        """Return in one line why a candidate was captured, or why a record is `held` back."""
        if held:
            why = self.recordings(memory.id)[0].why
            return f"{held} The agent's reason: {why}" if why else held
        if "user-intent" in self.candidacy(memory.id).get("signals", {}):
            return "You said it."
        from_session = memory.origin.session is not None
        why = "Captured from a session." if from_session else "Imported, and not confirmed by you."
        return "Likely junk." if is_junk else why

    def _prospects(self, memory: Memory) -> Iterator[str]:
        """Yield sentences: when agents receive a memory and when it retires."""
        text = "Agents received it" if memory.accesses else "No agent received it yet"
        times = f" {memory.accesses} times" if memory.accesses > 1 else ""
        yield f"{text}{times}, and it {self._reach(memory)}."
        ends = maintenance.retires_at(self._context, memory)
        if ends is not None:
            ends_in = (ends - self._context.now()).total_seconds() * 1000
            yield f"It retires {maintenance.ahead(ends_in)} unless it is used."

    def _reach(self, memory: Memory) -> str:
        """Return the prompts that inject a memory, by the rules of the injection itself."""
        from ..recall.selection import Viewer, hidden_because, is_unproven

        [image] = self._context.reader().images([memory.num])
        preset = self._context.policy.recall.unproven
        viewer = Viewer(self._context.project_id, None, None, self._context.now_ms(), None, preset)
        if reason := hidden_because(image, viewer):
            return f"is not injected into other sessions: {reason}"
        if is_unproven(image) and preset != "always":
            return "is injected only with a prompt that clearly matches it"
        return "is injected with prompts that match it"

    def _session_name(self, memory: Memory) -> str:
        session = memory.origin.session
        return names_of(self._context.database, [session]).get(session or "", "")

    # --- deciding on an item

    @mapped_errors()
    def decide(
        self, item: ReviewItem, decision: str, *, stays: str = "", context: str = "", **fields: Any
    ) -> list[Memory]:
        """Carry out a decision on an item, as one undo. Return its memories as they are now.

        `accept` keeps everything: a candidate is confirmed, a suggestion followed. `reject`
        takes a single memory away, or declines a suggestion. `keep`, `merge` and `neither` are for
        pairs: `stays` is the id of the side that stays, by default the proposed one. `merge` of
        a candidate joins it to the nearest memory. `fields` edit the result of a merge. `context`
        is when each of two accepted sides holds. Raises NotFound, BadInput, Refused.
        """
        if decision not in DECISIONS:
            raise BadInput(f"{decision!r} is no decision.", hint=f"Use: {', '.join(DECISIONS)}.")
        if why := cannot(item, decision):
            raise Refused(why)
        must_not_be_agent(self._context.actor)
        self._must_be_as_shown(item)
        stays = stays or item.memory.id
        with self._context.as_one_act():
            if item.is_pair:
                self._decide_pair(item, decision, stays, context, fields)
            else:
                self._decide_single(item, decision, fields)
        return self._context.memories([memory.num for memory in item.memories])

    @mapped_errors()
    def decide_all(
        self,
        entries: Sequence[ReviewEntry],
        decision: str,
        act: Callable[[list[str]], list[Memory]],
        **how: Any,
    ) -> list[Memory]:
        """Decide on entries as one undo: on all candidates by `act`, then on each other one."""
        candidates = [entry.ids[0] for entry in entries if entry.kind == "candidate"]
        with self._context.as_one_act():
            done = act(candidates) if candidates else []
            for entry in entries:
                if entry.kind != "candidate":
                    done += self.decide(self.item(entry), decision, **how)
        return done

    def _decide_single(self, item: ReviewItem, decision: str, fields: dict[str, Any]) -> None:
        ref = item.memory.id
        if decision == "done":
            self._curation.done(ref)
        elif decision == "merge":
            assert item.near is not None
            self._curation.merge(item.near.id, ref, **fields)
        elif item.kind == "candidate":
            act = self.accept if decision == "accept" else self.reject
            act(ref)
        elif item.kind == "global" and decision == "accept":
            self._curation.promote(ref, "global")
        elif item.kind == "global":
            self.decline(ref)
        elif decision == "reject":
            self._curation.forget(ref, "outdated")
        elif item.memory.stale:
            self._staleness.confirm(ref)
        else:
            self._curation.keep(ref)

    def _decide_pair(
        self, item: ReviewItem, decision: str, stays: str, context: str, fields: dict[str, Any]
    ) -> None:
        ids = [memory.id for memory in item.memories]
        if stays not in ids:
            raise BadInput("That memory is not part of the pair.")
        others = [ref for ref in ids if ref != stays]
        if item.conflict is not None:
            first = item.conflict.first.id == stays
            verdict = {
                "accept": "both",
                "keep": "a" if first else "b",
                "neither": "neither",
                "merge": "merged",
            }[decision]
            self.resolve_conflict(item.conflict.id, verdict, context=context, into=stays, **fields)
        elif decision == "accept":
            decided: dict[str, Any] = {
                "resolved_at": self._context.now_ms(),
                "verdict": "not_a_conflict",
                "context": redacted(context).strip()[:LONGEST_CONTEXT] or None,
            }
            with self._context.change("resolve", "keeps both") as change:
                for pair in combinations(ids, 2):
                    self._writer.put_conflict(change, *pair, "ambiguous", **decided)
        elif decision == "neither":
            self._curation.forget(ids, "neither of two duplicates")
        else:
            self._curation.merge(stays, others, **fields)

    def _must_be_as_shown(self, item: ReviewItem) -> None:
        """Raise Refused if a memory of the item retired or was reworded since it was read."""
        nums = [memory.num for memory in item.memories]
        now = {memory.id: memory for memory in self._context.memories(nums) if memory.is_live}
        for side in item.memories:
            if side.id not in now or now[side.id].content != side.content:
                raise Refused(f"“{side.title}” was changed meanwhile.", hint="Look at it again.")

    def snooze_entries(self, entries: Sequence[ReviewEntry], until: datetime) -> None:
        """Snooze entries until a moment, as one undo. Raises BadInput for the past."""
        moment = self._future(until)
        candidates = [entry.ids[0] for entry in entries if entry.kind == "candidate"]
        with self._context.as_one_act():
            if candidates:
                self.snooze(candidates, until)
            rest = [entry for entry in entries if entry.kind != "candidate"]
            if rest:
                with self._context.change("snooze", rest[0].title) as change:
                    for entry in rest:
                        change.put("setting", {"key": f"{SNOOZE}{entry.key}", "value": moment})

    def _future(self, until: datetime) -> int:
        moment = to_ms(until)
        if moment is None or moment <= self._context.now_ms():
            raise BadInput("That time has passed already.", hint="Give one in the future.")
        return moment

    def decline(self, ref: str) -> None:
        """Suggest no more to make a memory global. Raises NotFound, Refused."""
        memory = self._context.resolve(ref)
        if all(item.id != memory.id for item, _ in self._review_entries.offers()):
            raise Refused(f"Nothing suggests to make “{memory.title}” global.")
        with self._context.change("decline", f"not for every project: {memory.title}") as change:
            change.put("setting", {"key": f"{OFFER}{memory.id}", "value": "declined"})

    def split(self, ref: str, second: str, *, first: str = "", **fields: Any) -> list[Memory]:
        """Make two memories of one, confirmed: it keeps the text `first`, a new one says `second`.

        Raises NotFound, BadInput, Refused.
        """
        must_not_be_agent(self._context.actor)
        memory = self._context.resolve(ref)
        fields = {**fields, **({"content": first} if first else {})}
        with self._context.change("split") as change:
            image = self._writer.live(change, memory.id)
            if image["status"] == "candidate":
                image = self._writer.decided(image, change, "confirmed")
            image = self._writer.edited(change, image, fields)
            self._writer.confirm(image, change)
            change.put("memory", image)
            draft = Draft(
                content=second,
                type=image["type"],
                category=image["category"],
                scope=image["scope"],
                status="confirmed",
                importance=image["importance"],
                confidence=image["confidence"],
                tags=tuple(image["tags"]),
                files=tuple(image["files"]),
                privacy=image["privacy"],
                origin=memory.origin,
            )
            made, _ = self._writer.image(change, draft)
            change.put("memory", {**made, "ref": None})
            self._writer.confirm(made, change)
        return [self._context.resolve(memory.id), self._context.resolve(str(made["id"]))]

    # --- candidates

    def _waiting(self, ref: str) -> Memory:
        memory = self._context.resolve(ref)
        if memory.status != "candidate" or not memory.is_live:
            state = memory.retired_as or memory.status
            raise Refused(f"“{memory.title}” is {state}, and not a candidate.")
        return memory

    def envelope(self, memory_id: str) -> Envelope:
        """Return the work that a memory was learned at, or an empty envelope."""
        return of_row(Envelope, reviews.envelope(self._context.database, memory_id) or {})

    def recordings(self, ref: str) -> list[Recording]:
        """Return the agents' records of a memory, oldest first, with their evidence."""
        memory = self._context.resolve(ref)
        rows = reviews.of_memory(self._context.database, memory.id)
        return [of_row(Recording, row) for row in rows]

    def salience(self, memory_id: str) -> Salience | None:
        """Return its fitted score; None if it needed none."""
        row = reviews.salience(self._context.database, memory_id)
        if row is None:
            return None
        reasons = tuple((str(words), float(part)) for words, part in row["reasons"])
        return of_row(Salience, row, is_captured=True, reasons=reasons)

    def reviews(self, ref: str) -> list[Vote]:
        """Return the votes on a memory, oldest first."""
        memory = self._context.resolve(ref)
        return self._votes(memory=memory.id)

    def _votes(self, **of: Any) -> list[Vote]:
        return [of_row(Vote, row) for row in reviews.votes(self._context.database, **of)]

    def broken_reviewers(self) -> list[Vote]:
        """Return the newest vote of each reviewer whose last three of a day all came to nothing."""
        late: dict[str, list[Vote]] = {}
        since = self._context.now_ms() - DAY_MS
        for row in reviews.late_votes(self._context.database, since):
            late.setdefault(row["reviewer"], []).append(of_row(Vote, row))
        return [cast[0] for cast in late.values() if all(vote.status != "ok" for vote in cast[:3])]

    def candidacy(self, ref: str) -> Image:
        """Points, signals, promoted_at, quarantined_until and snoozed_until; {} without any."""
        memory = self._context.resolve(ref)
        row: Mapping[str, Any] = reviews.candidacy(self._context.database, memory.id) or {}
        return {name: value for name, value in row.items() if name != "memory"}

    def accept(self, refs: str | Sequence[str], *, pin: bool = False) -> list[Memory]:
        """Make candidates memories of the project; with `pin`, always injected ones."""
        return self._writer.change_all(
            "pin" if pin else "accept",
            refs,
            lambda image, change: self._accepted(image, change, pin=pin),
        )

    def accept_edited(
        self, /, ref: str, *, pin: bool = False, expected_revision: int | None = None, **fields: Any
    ) -> Memory:
        """Edit a candidate and accept it, in one entry. Raises as `edit` does."""
        memory = self._context.resolve(ref)
        with self._context.change("accept") as change:
            if expected_revision not in (None, self._context.resolve(memory.id).revision):
                raise StaleEdit(f"“{memory.title}” was changed meanwhile.")
            image = self._accepted(self._writer.live(change, memory.id), change, pin=pin)
            change.put("memory", self._writer.edited(change, image, fields))
        return self._context.resolve(memory.id)

    def _accepted(self, image: Image, change: Change, *, pin: bool) -> Image:
        self._writer.must_live(image)
        if image["status"] != "candidate":
            raise Refused(f"“{headline_of(image)}” is no candidate.")
        return self._writer.decided(image, change, "pinned" if pin else "confirmed")

    def reject(self, refs: str | Sequence[str], reason: str = "") -> list[Memory]:
        """Reject candidates, restorably; the same text is not captured again."""
        for ref in (refs,) if isinstance(refs, str) else refs:
            self._waiting(ref)
        return self._writer.retire("reject", refs, "rejected", reason)

    def snooze(self, refs: str | Sequence[str], until: datetime) -> list[Memory]:
        """Snooze candidates until a moment. Raises BadInput for the past."""
        moment = self._future(until)

        def change_one(image: Image, change: Change) -> Image:
            self._writer.must_live(image)
            if image["status"] != "candidate":
                raise Refused("Only a candidate can be snoozed.")
            row = change.get("memory_candidacy", image["id"]) or new_candidacy(image["id"])
            change.put("memory_candidacy", {**row, "snoozed_until": moment})
            return image

        return self._writer.change_all("snooze", refs, change_one)

    # --- filtered captures

    def refused_captures(
        self, limit: int = 200, session: str | None = None
    ) -> list[RefusedCapture]:
        """Return the filtered captures, newest first; an agent sees those of its own session."""
        every = reviews.filtered_captures(*self._context.here, limit, session=session)
        rows = [row for row in every if is_own_session(self._context, row["session"])]
        names = names_of(self._context.database, (row["session"] for row in rows))
        return [
            of_row(
                RefusedCapture,
                row,
                number=row["id"],
                at=moment_at(row["created_at"]),
                votes=tuple(self._votes(capture=row["id"])),
                session_name=names.get(row["session"] or "", ""),
            )
            for row in rows
        ]

    # --- conflicts

    def conflicts(self, *, resolved: bool | None = False) -> list[Conflict]:
        """Return the conflicts without a verdict, the oldest first; `resolved` None: all."""
        matches = reviews.conflicts(*self._context.here, resolved=resolved)
        ids = {row[side] for row in matches for side in ("entry_a", "entry_b")}
        nums = memories.by_ids(self._context.database, [*ids])
        sides = {item.id: item for item in each(self._context, [*nums.values()])}
        return [
            of_row(Conflict, row, first=sides[row["entry_a"]], second=sides[row["entry_b"]])
            for row in matches
            if row["entry_a"] in sides and row["entry_b"] in sides  # else withheld
        ]

    def conflict(self, ref: str) -> Conflict:
        """One conflict by the beginning of its id, resolved or not. Raises NotFound, Ambiguous."""
        matches = reviews.conflicts(*self._context.here, resolved=None, ref=ref.strip() or "?")
        if not matches:
            raise NotFound(
                f"No conflict is called {ref[:60]!r}.", hint="`memdeck review` lists them."
            )
        if len(matches) > 1:
            raise Ambiguous.among(ref, [row["id"] for row in matches])
        [row] = matches
        first, second = self._context.resolve(row["entry_a"]), self._context.resolve(row["entry_b"])
        return of_row(Conflict, row, first=first, second=second)

    def mark_conflict(
        self, first: str, second: str, kind: str = "contradictory", reason: str = ""
    ) -> str:
        """Note that two memories cannot both hold; return the id. Raises NotFound, BadInput."""
        if kind not in CONFLICT_KINDS:
            raise BadInput(
                f"A conflict cannot be {kind!r}.", hint=f"Use: {', '.join(CONFLICT_KINDS)}."
            )
        item, other = self._context.resolve(first), self._context.resolve(second)
        if item.id == other.id:
            raise BadInput("A memory cannot contradict itself.")
        self._context.must_be_here(item, other)
        with self._context.change("conflict", reason) as change:
            for side in (item.id, other.id):
                self._writer.live(change, side)
            row = reviews.conflict_between(change.database, item.id, other.id)
            if row is not None and row["resolved_at"] is None:
                return str(row["id"])
            return self._writer.put_conflict(change, item.id, other.id, kind, reason)

    def resolve_conflict(
        self, /, ref: str, keep: str, *, context: str = "", into: str = "", **fields: Any
    ) -> Conflict:
        """Decide a conflict, in one entry.

        `a` or `b` keeps that side, `both` the two with the `context` in which they differ,
        `neither` none. `merged` keeps one side for both, the first or the one with the id
        `into`; `fields` edit it. `not_a_conflict` only ends it. Raises NotFound,
        Ambiguous, BadInput, Refused.
        """
        if keep not in VERDICTS:
            raise BadInput(f"A verdict cannot be {keep!r}.", hint=f"Use: {', '.join(VERDICTS)}.")
        if fields and keep != "merged":
            raise BadInput("Only a merge can change the texts.")
        must_not_be_agent(self._context.actor)
        words = redacted(context).strip()
        if len(words) > LONGEST_CONTEXT:
            raise BadInput(f"The context may have {LONGEST_CONTEXT} characters.")
        conflict = self.conflict(ref)
        if not conflict.is_open:
            raise Refused(
                f"This conflict was decided already: {conflict.verdict}.",
                hint="`memdeck undo` takes the verdict back.",
            )
        first, second = conflict.first.id, conflict.second.id
        with self._context.change("resolve", f"keeps {_VERDICT_WORDS[keep]}") as change:
            row = change.get("conflict", conflict.id)
            assert row is not None
            verdict = {"resolved_at": self._context.now_ms(), "verdict": keep}
            change.put("conflict", {**row, **verdict, "context": words or None})
            for key in links_of(first, second):
                link = change.get("memory_link", key)
                if link is not None and link["kind"] == "contradicts":
                    change.drop("memory_link", key)
            if keep == "a":
                self._writer.supersede(change, second, first)
            elif keep == "b":
                self._writer.supersede(change, first, second)
            elif keep == "neither":
                for side in (first, second):
                    self._writer.retire_side(change, side, "rejected")
            elif keep == "merged":
                stays, leaves = (second, first) if into == second else (first, second)
                self._curation.merge_in(change, stays, [leaves], fields)
        return self.conflict(conflict.id)


# --- allowed decisions


def cannot(item: ReviewItem, decision: str) -> str:
    """Return why a decision cannot be taken on an item, as a sentence; "" when it can."""
    if item.is_pair:
        if decision == "reject":
            return "One of two: choose the side that stays. `neither` takes both away."
        return "" if decision in ("accept", "keep", "merge", "neither") else "This is a pair."
    if decision in ("keep", "neither"):
        return "This is one memory."
    near = item.near.similarity if item.kind == "candidate" and item.near else 0.0
    if decision == "merge" and near < MERGEABLE:
        return "No memory is near enough to merge it into."
    if decision == "done" and item.memory.type != "prospective":
        return "This is no task."
    return ""


_VERDICT_WORDS = {
    "a": "the first",
    "b": "the second",
    "both": "both",
    "neither": "neither",
    "merged": "the two as one",
    "not_a_conflict": "both: no conflict",
}


# --- words and rows


CONFLICT_WORDS = {
    "contradictory": "Only one of the two can hold.",
    "superseded": "One seems to replace the other.",
    "ambiguous": "The two do not quite agree.",
}
"""Reasons of a conflict that no rule gave."""


def _standing(memory: Memory) -> tuple[bool, int, datetime, int]:
    """Return the sort key of two sides: the pinned, the surer, the newer one stays."""
    unsure = DEGREES.index(memory.degree) if memory.degree in DEGREES else len(DEGREES) - 1
    return memory.status == "pinned", -unsure, memory.created_at, memory.num


def quote_of(memory: Memory) -> Quote | None:
    """Return the redacted words in a memory's transcript that it comes from, or None."""
    from ..redaction.redact import redact

    path, number = memory.origin.transcript, memory.origin.line
    if not path or not number:
        return None
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = iter(lambda: file.readline(LONGEST_LINE), "")
            value = json.loads(next(islice(lines, number - 1, None), ""))
    except (OSError, ValueError):
        return None
    words = set(memory.content.lower().split())
    texts = [text for text in _texts(value) if " " in text]
    best = max(texts, key=lambda text: len(words & set(text.lower().split())), default="")
    if not words & set(best.lower().split()):
        return None
    start = best.find(memory.content[:40])
    start = max(start - LONGEST_QUOTE // 4, 0)
    cut = best[start : start + LONGEST_QUOTE]
    visible = f"{'… ' if start else ''}{cut}{' …' if len(best) > start + LONGEST_QUOTE else ''}"
    return Quote(redact(visible).value, path, number)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)
