"""Run maintenance: retire memories past their time, each kind as one act that can be undone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from heapq import nsmallest
from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from ...db import ageing, memories, receipts, reviews
from ..ingest import promotion
from ..values import DAY_MS, moment_at, moment_of, to_ms
from .receipts import TEXTS_KEPT_MS
from .staleness import Proposal
from .vitals import AHEAD_MS

if TYPE_CHECKING:
    from ...db.ageing import Due
    from ...db.images import Image
    from ...db.store import Change
    from ..answers import Neighbour
    from ..context import Context
    from ..values import Memory
    from .meaning import Meaning
    from .search import Search
    from .staleness import Staleness
    from .summaries import Summaries
    from .vitals import Vitals
    from .worth import Worths
    from .writer import Writer


class Duty(NamedTuple):
    """A kind of maintenance. After a run, the store has no more proposals for it."""

    name: str  # shown to people
    action: str  # the journal's word
    proposals: Callable[[], Iterable[Proposal]]
    carry_out: Callable[[Change, Proposal], bool]  # returns False if it is no longer due
    does_retire: bool = True  # held back while the clock is not to be believed


LIVES: Mapping[str, int] = {
    "task_progress": 14,
    "discovery": 21,
    "file_change": 21,
    "warning": 30,
    "decision": 90,
    "error": 90,
    "pattern": 180,
    "architecture": 180,
    "preference": 365,
}
"""Days that unused memories are kept, by category."""

USES = 3  # uses from which on a memory outlives its category
RECENT_MS = DAY_MS  # memories used within this time are neither expired nor evicted


_LIVES_MS = {category: days * DAY_MS for category, days in LIVES.items()}


def is_used(row: Image) -> bool:
    """Return True if a memory was used since its trial began."""
    last = row["last_access" if "user-intent" in row["signals"] else "last_use"]
    return bool(last > row["promoted_at"])


def ahead(milliseconds: float) -> str:
    """Return how far a moment lies ahead: `in 14 days`, `with the next maintenance`."""
    hours = milliseconds / 3_600_000
    if hours <= 0:
        return "with the next maintenance"
    return f"in {max(round(hours), 1)} h" if hours < 48 else f"in {round(hours / 24)} days"


def outlook(context: Context, memory: Memory) -> str:
    """Return in a sentence how the trial of a memory will end; "" without a trial."""
    row = reviews.trial(context.database, memory.id)
    if row is None:
        return ""
    when = ahead(row["quarantined_until"] - context.now_ms())
    if is_used(row):
        return f"its trial ends {when}, and it is confirmed, because it was used."
    return f"its trial ends {when}. Unless it is used by then, it stays a candidate."


def retires_at(context: Context, memory: Memory) -> datetime | None:
    """Return when `Expiry` retires a memory unless it is used; None if never."""
    if not context.policy.lifecycle.expiry or memory.status == "pinned" or memory.in_conflict:
        return None
    if memory.expires is not None:
        return memory.expires
    [old] = ageing.with_nums(context.database, [memory.num])
    is_ageing = ageing.is_true(context.database, ageing.ages(context.project_id), memory.id)
    if not is_ageing or old["accesses"] >= USES:
        return None
    kept_since = max(old["updated_at"], moment_of(old["id"]), to_ms(memory.due) or 0)
    return moment_at(kept_since + _LIVES_MS[old["category"]])


AT_ONCE = 200
"""Memories whose texts are read at once. Of the others only worth, age and number are in memory."""


BATCH = 200  # maximum number of changes in a transaction, so that hooks do not wait

OFTEN = ("quarantine", "working memory", "eviction")  # duties of each background run
COMPACTION = (*OFTEN, "expiry")  # duties when a session has begun, and after `ACCESSES` uses
ACCESSES = 50  # memories found by questions since the last compaction, after which the next is due

ENCODED, ENCODED_OFTEN = 2_000, 200
"""Memories that get a vector in a daily background run, and in each other; with progress all do."""

Progress = Callable[[int, int | None], bool]
"""Called with the number of changes done, and of all if known. False stops the run."""


MOST_DUPLICATES = 200  # number of changed memories that one run compares with their neighbours

WORDINGS_MS = 31 * DAY_MS
"""Time within which the user's wordings of one rule are one item of Review."""

MOST_BESIDE = 8  # number of neighbours that are compared with a memory, the best by BM25


class Maintained(NamedTuple):
    done: dict[str, int]  # changes by duty
    held_back: str = ""  # why nothing was retired; "" when it was
    is_stopped: bool = False
    entries: dict[str, int] = {}  # by duty: of the trail, for `undo`


class Maintenance:
    _context: Context
    _writer: Writer
    _staleness: Staleness
    _search: Search
    _worths: Worths
    _meaning: Meaning
    _summaries: Summaries
    _vitals: Vitals

    @property
    def _duties(self) -> list[Duty]:
        """Return the kinds of maintenance that the settings leave on, in the order of a run."""
        chosen, staleness = self._context.policy.lifecycle, self._staleness
        duties = (
            Duty("quarantine", "quarantine", self._trials, self._end_trial, False),
            Duty("working memory", "expire", self._overdue_tasks, self._retire),
            Duty("folding", "compact", self._folded, self._retire),
            Duty("expiry", "expire", self._expired, self._retire),
            Duty("eviction", "evict", self._least_worth, self._retire),
            Duty("staleness", "verify", staleness.proposals, staleness.carry_out, False),
            Duty("duplicates", "compare", self._duplicates, self._note_pair, False),
        )
        return [duty for duty in duties if getattr(chosen, duty.name, True)]

    # --- trials

    def _trials(self) -> Iterator[Proposal]:
        """Yield candidates whose trial is over: used ones are confirmed, others lose a fifth."""
        context, now = self._context, self._context.now_ms()
        for row in reviews.quarantined(*context.here, now, now + promotion.QUARANTINE_MS):
            if row["quarantined_until"] > now:  # the clock was turned back
                yield Proposal(row["memory"], "its trial begins again", {"begins": now})
            elif is_used(row):
                yield Proposal(row["memory"], "used while on trial", {"was_used": True})
            else:
                yield Proposal(row["memory"], "unused for a day", {"was_used": False})

    def _end_trial(self, change: Change, proposal: Proposal) -> bool:
        candidacy = change.get("memory_candidacy", proposal.memory)
        image = change.get("memory", proposal.memory)
        if not (candidacy and image and candidacy["quarantined_until"]):
            return False  # it ended meanwhile
        if (begins := proposal.data.get("begins")) is not None:
            times = {"promoted_at": begins, "quarantined_until": begins + promotion.QUARANTINE_MS}
            change.put("memory_candidacy", {**candidacy, **times})
            return True
        change.put("memory_candidacy", {**candidacy, "quarantined_until": None})
        if image["retired_at"] is not None or image["status"] != "candidate":
            return False
        if proposal.data["was_used"]:
            image = {**image, "status": "confirmed"}
        else:
            image = {**image, "importance": image["importance"] * promotion.UNUSED_FACTOR}
        change.put("memory", image)
        return True

    # --- retirement

    def _due(self, due: Due, old: Image, rule: str, retired_as: str = "expired") -> Proposal:
        return Proposal(old["id"], rule, {"due": due, "as": retired_as})

    def _retire(self, change: Change, proposal: Proposal) -> bool:
        is_due = ageing.is_true(self._context.database, proposal.data["due"], proposal.memory)
        return is_due and self._writer.take_out(change, proposal.memory, proposal.data["as"])

    def _overdue_tasks(self) -> Iterator[Proposal]:
        """Yield working memory past its time, which activity on its task prolongs."""
        due = ageing.held(self._context.project_id, self._context.now_ms())
        for old in ageing.each(self._context.database, due):
            yield self._due(due, old, "it was not cleared in its time")

    def _expired(self) -> Iterator[Proposal]:
        """Yield memories past their own date, then those that outlived their category."""
        database, now = self._context.database, self._context.now_ms()
        due = ageing.dated(self._context.project_id, now)
        for old in ageing.each(database, due):
            yield self._due(due, old, "past its own date")
        due = ageing.outlived(self._context.project_id, now, now - RECENT_MS, _LIVES_MS, USES)
        for old in ageing.each(database, due):
            since = max(old["updated_at"], moment_of(old["id"]))  # it may be of an old session
            if since + _LIVES_MS[old["category"]] <= now:
                rule = f"{old['category'].replace('_', ' ')}: kept {LIVES[old['category']]} days"
                yield self._due(due, old, rule)

    def _folded(self) -> Iterator[Proposal]:
        """Yield old, unimportant memories that the summary of their day has in full."""
        from ..lifecycle.worth import BRIEF, WARM_DAYS
        from .summaries import period_of

        now, digest = self._context.now_ms(), cache(self._summaries.digest)
        since = now - WARM_DAYS * DAY_MS
        due = ageing.quiet(self._context.project_id, now, since, BRIEF, USES)
        for old in ageing.each(self._context.database, due):
            day = period_of("day", old["created_at"])
            text = " ".join(old["content"].split()).rstrip(".")  # a title alone is not all of it
            if text and text in digest(day):
                yield self._due(due, old, f"part of the summary of {day.name}", "folded")

    def _least_worth(self) -> Iterator[Proposal]:
        """Yield the memories of least worth above the limit; an interrupted run continues."""
        chosen, (database, project) = self._context.policy.lifecycle, self._context.here
        is_begun = self._vitals.last_run()["unfinished"] == "eviction"
        most = chosen.staying if is_begun else chosen.max_memories
        if ageing.count(database, project, most + 1) <= most:
            return
        too_many = ageing.count(database, project) - chosen.staying
        rule, now = f"more than {chosen.max_memories:,} memories", self._context.now_ms()
        due = ageing.unused(project, now, now - RECENT_MS)
        worths = (
            (self._worth(old, now), old["created_at"], old["num"])
            for old in ageing.each(database, due)
        )
        least = nsmallest(too_many, worths)
        for start in range(0, len(least), AT_ONCE):
            part = least[start : start + AT_ONCE]
            by_num = {old["num"]: old for old in ageing.with_nums(database, [n for *_, n in part])}
            for *_, num in part:
                if num in by_num:  # else purged meanwhile
                    yield self._due(due, by_num[num], rule, "evicted")

    def _worth(self, old: Image, now: int) -> float:
        from ..lifecycle.worth import decayed

        last = max(old["created_at"], old["last_access"] or 0)
        return decayed(
            old["importance"],
            days_since_access=(now - last) / DAY_MS,
            uses=old["accesses"],
            is_candidate=old["status"] == "candidate",
        )

    # --- duplicates

    def _duplicates(self) -> Iterator[Proposal]:
        """Yield pairs of changed memories that say the same, and noted ones that differ by now."""
        from ..language.phrases import after_cues
        from ..text.sameness import is_wording, says_the_same

        database, project = self._context.here
        noted = set(reviews.duplicates(database, project))
        by_id = self._memories({ref for pair in noted for ref in pair})
        for first, other in sorted(noted):
            texts = [by_id[ref].content for ref in (first, other) if ref in by_id]
            if len(texts) < 2 or not (says_the_same(*texts) or is_wording(*map(after_cues, texts))):
                data = {"pair": (first, other), "is_same": False}
                yield Proposal("", "says something else now", data)
        since = ageing.new_since(database, project, self._context.now_ms()) or 0
        nums = reviews.comparable(database, project, since, MOST_DUPLICATES)
        for memory in self._context.memories(nums):
            for near in self._beside(memory):
                later, earlier = sorted((memory.id, near.id), reverse=True)
                if (later, earlier) not in noted:
                    noted.add((later, earlier))
                    data = {"pair": (later, earlier), "is_same": True}
                    yield Proposal("", "says the same as another memory", data)

    def _memories(self, ids: Collection[str]) -> dict[str, Memory]:
        nums = memories.by_ids(self._context.database, [*ids])
        return {memory.id: memory for memory in self._context.memories([*nums.values()])}

    def _beside(self, memory: Memory) -> Iterator[Neighbour]:
        """Yield the neighbours that say the same; of the user's, other wordings of one rule."""
        from ..language.phrases import after_cues
        from ..text.sameness import is_wording, says_the_same

        around = [
            near
            for near in self._search.sharing_words(memory.content, memory.id)
            if near.type not in ("working", "prospective")
        ]
        by_id = self._memories({near.id for near in around})
        created_ms = to_ms(memory.created_at) or 0
        for near in islice(around, MOST_BESIDE):
            are_users = "person" == memory.provenance == by_id[near.id].provenance
            is_close = abs(created_ms - near.created_ms) <= WORDINGS_MS
            rules = map(after_cues, (memory.content, near.content))
            if (are_users and is_close and is_wording(*rules)) or (
                "candidate" not in (memory.status, near.status)
                and says_the_same(memory.content, near.content)
            ):
                yield near

    def _note_pair(self, _change: Change, proposal: Proposal) -> bool:
        database, pair = self._context.database, proposal.data["pair"]
        if proposal.data["is_same"]:
            project, now = self._context.project_id, self._context.now_ms()
            reviews.note_duplicate(database, project, pair[0], pair[1], now)
        else:
            reviews.drop_duplicate(database, *pair)
        return True

    # --- a run

    def after_drain(self, *, has_begun: bool = False) -> Maintained:
        """Run maintenance after a session was read: all once a day, else compaction or `OFTEN`."""
        if self._vitals.is_due():
            return self.run()
        began, is_compaction = monotonic(), has_begun or self._is_compaction_due()
        report = self._run(COMPACTION if is_compaction else OFTEN)
        if is_compaction:
            took = 1000 * (monotonic() - began)
            ageing.note_compaction(*self._context.here, self._context.now_ms(), took)
        self._encode(report, ENCODED_OFTEN)
        return report

    def _encode(self, report: Maintained, most: int, progress: Progress | None = None) -> None:
        """Make vectors for at most so many memories, last. Raises BadInput if that fails."""
        if self._context.policy.recall.encoder:
            report.done["vectors"] = self._meaning.fill(most, progress)

    def _is_compaction_due(self) -> bool:
        database, project = self._context.here
        since = max(ageing.compacted_at(database, project) or 0, self._vitals.last_run()["at"] or 0)
        if since > self._context.now_ms():
            return True  # it was noted in the future
        return receipts.prompts_since(database, project, since) >= ACCESSES

    def plan(self) -> dict[str, list[Proposal]]:
        """Return the due proposals by duty. Writes nothing."""
        return {duty.name: list(duty.proposals()) for duty in self._allowed()}

    def run(self, progress: Progress | None = None) -> Maintained:
        """Do all that is due, in transactions of at most 200 changes, each duty as one act."""
        began = self._context.now_ms()  # later writes are new to the next run
        self._worths.weigh()
        report = self._run(None, progress)
        if not report.is_stopped:
            self._note_end(report.held_back, began)
            ageing.reindex(self._context.database, began)
            self._encode(report, 10**9 if progress else ENCODED, progress)
        return report

    def end_quarantines(self) -> list[str]:
        """End the trials that are over; return the ids of the candidates."""
        return self._do("quarantine")

    def clear_expired(self) -> int:
        """Retire working memory past its time; return how many."""
        return len(self._do("working memory"))

    def _allowed(self) -> list[Duty]:
        is_held = bool(self._vitals.held_back())
        return [duty for duty in self._duties if not (is_held and duty.does_retire)]

    def _do(self, name: str) -> list[str]:
        """Do one duty; return the ids of the changed memories."""
        [duty] = [duty for duty in self._duties if duty.name == name]
        with self._context.as_one_act():
            return [memory for changed in self._batches(duty) for memory in changed]

    def _run(self, names: Sequence[str] | None, progress: Progress | None = None) -> Maintained:
        held_back, done, entries = self._vitals.held_back(), dict[str, int](), dict[str, int]()
        if not held_back:  # texts of all projects: unused ones get no maintenance
            receipts.cut_texts(self._context.database, self._context.now_ms() - TEXTS_KEPT_MS)
        go_on = progress or (lambda _done, _of: True)
        for duty in self._allowed():
            if names is not None and duty.name not in names:
                continue
            done[duty.name] = 0
            with self._context.as_one_act():
                for changed in self._batches(duty):
                    done[duty.name] += len(changed)
                    act = self._context.group
                    if act is not None and act.id is not None:
                        entries.setdefault(duty.name, act.id)
                    if not go_on(sum(done.values()), None):
                        return Maintained(done, held_back, is_stopped=True, entries=entries)
        return Maintained(done, held_back, entries=entries)

    def _batches(self, duty: Duty) -> Iterator[list[str]]:
        """Carry the duty out; yield the ids that each transaction changed."""
        waiting, is_noted = iter(duty.proposals()), False
        while batch := list(islice(waiting, BATCH)):
            if len(batch) == BATCH and not is_noted:
                self._note_unfinished(duty.name)
                is_noted = True
            rules = dict[str, list[Proposal]]()
            for proposal in batch:
                rules.setdefault(proposal.rule, []).append(proposal)
            for rule, proposals in rules.items():
                with self._context.change(duty.action, rule, actor="rule") as change:
                    change.look_at([each.memory for each in proposals if each.memory])
                    changed = [each.memory for each in proposals if duty.carry_out(change, each)]
                yield changed
        if is_noted:
            self._note_unfinished("")

    def _note_unfinished(self, duty: str) -> None:
        last = self._vitals.last_run()
        ageing.note_maintenance(*self._context.here, last["at"], last["held_at"], duty)

    def _note_end(self, held_back: str, now: int) -> None:
        if not held_back:
            ageing.note_maintenance(*self._context.here, now, None)
            return
        last = self._vitals.last_run()
        held = last["held_at"]
        if held is None or not 0 <= now - held <= AHEAD_MS:
            held = now
        ageing.note_maintenance(*self._context.here, last["at"], held, last["unfinished"])
