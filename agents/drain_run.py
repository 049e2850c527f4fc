"""One drain at work: what each note that a hook left asks for."""

from __future__ import annotations

import contextlib
import os
from dataclasses import replace
from typing import Any

from ..core.answers import StoreResult
from ..core.clock import Clock
from ..core.compat import MemoryCoordinator
from ..db.errors import Ambiguous, BadInput, NotFound, StoreUnusable
from ..db.home import Home
from ..hosts import wire
from ..hosts.opencode import exports
from . import claims, log, spool
from . import extraction as extracting
from .claims import Claim
from .drain import DrainReport
from .spool import Record
from .transcripts import is_file, parent_of, prompt_in_export, read_on, tasks_at_hand

_READ_ON = frozenset(
    (
        wire.SESSION_STARTED,  # a resumed session may have ended in a crash
        wire.TURN_ENDED,
        wire.SUBAGENT_ENDED,
        wire.COMPACTING,
        wire.FAILED,
        wire.SESSION_ENDED,
    )
)
"""Events after which the transcript is read. After a todo only the list is: a turn is read as a
whole."""

_SUMMED_UP = frozenset((wire.TURN_ENDED, wire.COMPACTING))
"""Events after which a session is summed up, beside its end."""

_READ_BY_MODELS = frozenset((wire.COMPACTING, wire.SESSION_ENDED))
"""Events after which a model may read what was said until then."""


class SettingsUnreadable(Exception):
    """A project's settings must be mended by a person before its records can be used."""


class Run:
    """One drain at work."""

    def __init__(self, home: Home, clock: Clock) -> None:
        self.home = home
        self.report = DrainReport()
        self._clock = clock
        self._open: dict[str, MemoryCoordinator] = {}  # by the folder of the hook
        self._exports: dict[str, str | exports.ExportFailed] = {}  # for these claims, by address
        self._put_back: set[str] = set()  # ids of records that a later drain tries again
        self._claimed: list[Claim] = []
        self._kept: set[str] = set()  # ids of records whose receipts are in the store
        self._reading = ""  # a folder in which a model reads sessions; "" while there is none
        self._roots: dict[str, str] = {}  # by session the main checkout of its worktree
        self._begun: set[str] = set()  # folders in which a session began
        self._done: set[tuple[str, str]] = set()  # session and id of the tasks counted as done

    def has_work(self) -> bool:
        """Whether something waits that this run has not put back itself."""
        if self.report.problem or not spool.has_waiting(self.home):
            return False
        records = spool.read_spool(self.home)  # none at all: only torn lines, to be cleared away
        return not records or any(record["id"] not in self._put_back for record in records)

    def take_everything(self) -> None:
        """Work off what waits now; the caller holds the lock."""
        self._exports.clear()  # what is claimed now may say more
        try:
            self._claimed = claims.claim(self.home)
            for claim in self._claimed:
                self._add(torn=claim.torn)
                if self.report.problem:
                    claim.give_back()
                else:
                    self._work_off(claim)
            self._look_after()
        finally:
            for memory in self._open.values():
                memory.close()
            self._open.clear()

    def extract(self) -> None:
        """Have sessions read that are due; without the lock, since a model may take minutes."""
        if self._reading and not self.report.problem:
            self._add(extracted=extracting.work_off(self.home, self._reading, self._clock))

    def _work_off(self, claim: Claim) -> None:
        try:
            for record in claim.records:
                if record["id"] in self._put_back:
                    claim.postpone(record)  # one try a drain
                else:
                    self._try(claim, record)
        except (StoreUnusable, OSError) as error:  # no record's fault: they all wait
            log.note(self.home, "drain", error)
            hint = getattr(error, "hint", "")
            self.report = replace(self.report, problem=f"{error} {hint}".strip())
            claim.give_back()
        else:
            claim.finish()

    def _try(self, claim: Claim, record: Record) -> None:
        """Work off one record, or put it back. Raises StoreUnusable."""
        try:
            self._handle(record)
        except StoreUnusable:
            raise
        except SettingsUnreadable as error:
            log.note(self.home, f"drain {record['kind']}", error)
            self._put_back.add(record["id"])
            claim.postpone(record)
            self._add(postponed=1)
        except Exception as error:  # one bad record must not keep the others waiting
            why = log.describe(error)
            self._put_back.add(record["id"])
            is_left = claim.retry(record, why)
            log.note(self.home, f"drain {record.get('kind')}", why + log.PUT_BACK * is_left)
            self._add(retried=int(is_left), failed=int(not is_left))
        else:
            claim.settle(record)
            self._add(records=1)

    def _placed(self, record: Record) -> Record:
        """As of the session's project where its folder, as of a worktree, is gone meanwhile."""
        session, cwd = record["session"], record["cwd"]
        if root := record.get("root"):
            self._roots[session] = root
        if not cwd or os.path.isdir(cwd):
            return record
        root = self._roots.get(session) or self._memory_for(cwd).services.sessions.root_of(session)
        return {**record, "cwd": root} if root else record

    def _handle(self, record: Record) -> None:
        record = self._placed(record)
        memory = self._memory_for(record["cwd"])
        kind, session = record["kind"], record["session"]
        if kind == spool.RECEIPT:
            self._keep_receipt(memory, record)
            return
        self._see(memory, record)
        if kind == wire.SESSION_STARTED:
            self._begun.add(record["cwd"])
        if kind in (wire.TOOL_ENDED, wire.FAILED):
            _note_outcome(memory, record)
        if kind in (wire.TODOS, wire.TASK_COMPLETED):
            todos = record["todos"]
            self._add(tasks_completed=self._newly_done(session, todos))
            if todos["completed"] and todos.get("task"):
                memory.complete_task(session, todos["task"])
            if kind == wire.TODOS and (path := record.get("transcript")):
                tasks_at_hand(memory, record, path)
        if kind in _READ_ON and (path := record.get("transcript")):
            self._keep_receipts(memory, session)
            if kind != wire.SUBAGENT_ENDED:
                memory.extractor.note_session(session, record["host"], record["cwd"], path)
            results, searched = read_on(memory, record, path, self._export)
            self._count(results)
            self._add(searched=searched)
        if kind in _SUMMED_UP:
            memory.finalize_session(session)
        if kind in _READ_BY_MODELS:
            memory.extractor.make_due(session)
        if kind == wire.SESSION_ENDED:
            memory.clear_working_memory(session)
            memory.session_ended(session, record.get("detail", ""))

    def _keep_receipt(self, memory: MemoryCoordinator, record: Record) -> None:
        if record["id"] in self._kept:
            return
        if not memory.note_known(record["receipt"]):
            receipt = self._with_prompt(memory, record, _with_titles(memory, record["receipt"]))
            self._add(receipts=int(memory.keep_receipt(receipt)))
        self._kept.add(record["id"])

    def _keep_receipts(self, memory: MemoryCoordinator, session: str) -> None:
        """What the session was told is known before its words are read: they may repeat it.

        The receipt may wait behind the note that has the words read, or have come since.
        """
        waiting, _ = spool.read_file(spool.path_of(self.home))
        for record in [*(one for claim in self._claimed for one in claim.records), *waiting]:
            if (record["kind"], record["session"]) != (spool.RECEIPT, session):
                continue
            try:
                self._keep_receipt(memory, record)
            except StoreUnusable:
                raise
            except Exception as error:  # it is tried, and set aside, when its own turn comes
                log.note(self.home, "drain receipt", error)

    def _export(self, address: str, folder: str) -> str:
        """A session's export, tried once for all of its records. Raises ExportFailed."""
        if address not in self._exports:
            try:
                self._exports[address] = exports.export(address, folder)
            except exports.ExportFailed as error:
                self._exports[address] = error  # each try may take a minute
        found = self._exports[address]
        if isinstance(found, exports.ExportFailed):
            raise found
        return found

    def _with_prompt(
        self, memory: MemoryCoordinator, record: Record, receipt: dict[str, Any]
    ) -> dict[str, Any]:
        """The receipt with its prompt, where this stands in no file; it is redacted when kept."""
        address = receipt.get("transcript") or ""
        wanted = memory.policy.recall.keep_prompts and memory.is_taken_down(record["session"])
        if not (exports.is_address(address) and wanted):
            return receipt
        with contextlib.suppress(exports.ExportFailed):  # an account without its prompt is one
            text = self._export(address, record["cwd"])
            prompt = prompt_in_export(text, receipt["prompt_fingerprint"])
            return {**receipt, "prompt": prompt}
        return receipt

    def _see(self, memory: MemoryCoordinator, record: Record) -> None:
        """Note the session; a forked one gets what its parent found."""
        session, path = record["session"], record.get("transcript")
        source = record.get("detail") if record["kind"] == wire.SESSION_STARTED else None
        memory.session_seen(session, record["host"], record["cwd"], source)
        if source == "fork" and path and is_file(path) and (parent := parent_of(path, session)):
            with contextlib.suppress(NotFound, Ambiguous):  # it was never seen here
                memory.fork_session(parent, session)

    def _look_after(self) -> None:
        """What is due anyway: upkeep, all of it once a day."""
        for folder, memory in self._open.items():
            try:
                memory.maintenance.after_drain(has_begun=folder in self._begun)
            except Exception as error:  # the next drain tries again; starts are told as ever
                log.note(self.home, "drain upkeep", error)
        self._begun.clear()

    def _newly_done(self, session: str, todos: dict[str, Any]) -> int:
        """How many are done by this note: a task's end comes as an update and as an event."""
        task = (session, todos.get("task") or "")
        if not (todos["completed"] and task[1]):
            return int(todos["completed"])
        is_known = task in self._done
        self._done.add(task)
        return 0 if is_known else int(todos["completed"])

    def _memory_for(self, cwd: str) -> MemoryCoordinator:
        """The store as seen from the project of `cwd`.

        Raises StoreUnusable, SettingsUnreadable.
        """
        if not cwd:
            raise ValueError("a record without a folder belongs to no project")
        if cwd not in self._open:
            self._open[cwd] = MemoryCoordinator.open(
                self.home, cwd, clock=self._clock, actor="rule"
            )
        memory = self._open[cwd]
        try:
            _ = memory.policy
        except BadInput as error:
            raise SettingsUnreadable(str(error)) from error
        if not self._reading and memory.extractor.engine:
            self._reading = cwd
        return memory

    def _count(self, results: list[StoreResult]) -> None:
        outcomes = [result.outcome for result in results]
        self._add(
            stored=outcomes.count("stored"),
            duplicates=outcomes.count("duplicate"),
            refused=outcomes.count("refused"),
        )

    def _add(self, **counts: int) -> None:
        self.report = replace(
            self.report, **{name: getattr(self.report, name) + n for name, n in counts.items()}
        )


def _note_outcome(memory: MemoryCoordinator, record: Record) -> None:
    """Count a tool call, or a turn that failed, and of what kind the failure was.

    Which files it touched is read in the transcript, where it shows what is off the record.
    """
    is_turn = record["kind"] == wire.FAILED
    has_failed = is_turn or record.get("outcome") == "failed"
    what = record.get("detail" if is_turn else "tool", "" if is_turn else "a tool")
    memory.note_activity(
        record["session"],
        tools=int(not is_turn),
        failures=int(has_failed),
        last_failure=what if has_failed else "",
    )


def _with_titles(memory: MemoryCoordinator, receipt: dict[str, Any]) -> dict[str, Any]:
    """The receipt with the titles that its memories have now; "" for one that is gone."""

    def title(key: str) -> str:
        try:
            return memory.resolve(key).title
        except (NotFound, Ambiguous):
            return ""

    return {**receipt, "items": [{**i, "title": title(i["id"])} for i in receipt["items"]]}
