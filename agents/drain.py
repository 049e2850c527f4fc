"""From queued events to memories: the detached process that reads the transcripts.

It runs once per home, processes all events and ends. Processing an event twice does no harm.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from ..core.compat import MemoryCoordinator
from ..core.values import Clock, system_clock
from ..db.errors import Ambiguous, BadInput, NotFound, Refused, StoreUnusable
from ..db.home import Home, create_private, refuse_link
from ..hosts import wire
from ..hosts.opencode import host
from . import extraction as extracting
from . import spool
from .mcp import SESSION
from .spool import DrainLock, Record
from .transcripts import is_file, parent_of, prompt_in_export, read_on, tasks_at_hand

_NICENESS = 10


@dataclass(frozen=True, slots=True)
class DrainReport:
    """The result of one drain. All numbers are counts."""

    ran: bool = True  # False: another drain of this home runs
    records: int = 0  # processed
    stored: int = 0  # captures that became candidates
    duplicates: int = 0  # captures that reinforced a memory
    refused: int = 0  # captures that a check dropped
    receipts: int = 0  # accounts of injections that were kept
    retried: int = 0  # records put back for a later drain
    postponed: int = 0  # records that wait until the user repairs the settings
    failed: int = 0  # records set aside in `spool/failed/`
    extracted: int = 0  # sessions that a model was asked about
    torn: int = 0  # lines that a crash had cut, never acknowledged
    problem: str = ""  # why the drain stopped early; the rest waits for the next one


def drain_spool(home: Home, now: datetime | None = None) -> DrainReport:
    """Process everything in the spool; a given `now` stays fixed.

    A record that fails is tried three times, then set aside. An unusable store ends the drain with
    `problem`. Raises StoreUnusable when the home itself cannot be used.
    """
    home.prepare()
    if not spool.has_waiting(home):
        return DrainReport()
    from ..db import journal
    from ..db.errors import StoreReadOnly

    clock: Clock = system_clock if now is None else lambda: now
    run = Run(home, clock)
    if run.has_work() and journal.is_read_only(home):
        raise StoreReadOnly(home.path)
    while run.has_work():
        with DrainLock(home) as is_mine:
            if not is_mine:
                return run.report if run.report.records else replace(run.report, ran=False)
            run.take_everything()
        # A hook that saw our lock has started no other drain: look once more without it.
    run.extract()
    return run.report


def main() -> int:
    """Return the detached process: drain the home named on the command line, quietly."""
    os.closerange(3, 256)  # whatever the host left open would keep it waiting for us
    home = Home(sys.argv[1] if len(sys.argv) > 1 else None)
    try:
        with contextlib.suppress(OSError, AttributeError):
            os.nice(_NICENESS)  # the agent at work comes first
        drain_spool(home)
    except BaseException as error:
        spool.log_error(home, "drain", error)
    return 0


MAX_TRIES = 3


class Claim:
    """One file of records that this drain has taken."""

    def __init__(self, home: Home, path: str) -> None:
        self.home = home
        self.path = path
        self.records, self.torn = spool.read_file(path)

    def settle(self, record: Record) -> None:
        """Mark `record` as done. Not synced: doing it again after a power cut does no harm."""
        with open(self.path, "ab") as file:
            file.write(spool.marks(iter([record["id"]])))

    def retry(self, record: Record, why: str) -> bool:
        """Put `record` back for a later drain; False when that was its last try."""
        tries = int(record.get("tries", 0)) + 1
        if tries >= MAX_TRIES:
            keep_failed(self.home, record, why)
        else:
            spool.append(self.home, {**record, "tries": tries})
        self.settle(record)
        return tries < MAX_TRIES

    def postpone(self, record: Record) -> None:
        """Put `record` back unchanged: the obstacle is not its own fault."""
        spool.append(self.home, record)
        self.settle(record)

    def finish(self) -> None:
        """Delete the file: every record is settled."""
        os.unlink(self.path)

    def give_back(self) -> None:
        """Return the claim without counting a try, since the store is unusable."""
        stem, count = _name_parts(self.path)
        os.replace(self.path, f"{stem}.{max(0, count - 1)}.jsonl")


def take_claims(home: Home) -> list[Claim]:
    """Return all waiting files: those of earlier drains, then the one of new records."""
    pending = spool.path_of(home)
    try:
        if os.stat(pending).st_size:
            stamp = time.time_ns() // 1_000_000
            os.rename(
                pending, os.path.join(home.spool, f"claimed-{stamp:012x}-{os.getpid()}.0.jsonl")
            )
    except FileNotFoundError:
        pass
    return [_claim(home, path) for path in spool.claimed_paths(home)]


def _claim(home: Home, path: str) -> Claim:
    """Count this drain in the file's name; set the record aside that stopped too many."""
    stem, count = _name_parts(path)
    os.replace(path, taken := f"{stem}.{count + 1}.jsonl")
    claimed = Claim(home, taken)
    if count >= MAX_TRIES and claimed.records:
        suspect = claimed.records.pop(0)
        keep_failed(home, suspect, "three drains ended in the middle of it")
        claimed.settle(suspect)
    return claimed


def keep_failed(home: Home, record: Record, why: str) -> None:
    """Write `record` and the kind of its failure to `spool/failed/`."""
    folder = failed_folder(home)
    refuse_link(folder)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    path = os.path.join(folder, "".join(c for c in record["id"] if c.isalnum())[:64] + ".json")
    create_private(path)
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"why": why, "failed_at": time.time_ns() // 1_000_000, "record": record}, file)
        file.flush()
        os.fsync(file.fileno())


def failed(home: Home) -> list[dict[str, object]]:
    """Return the failed records, oldest first: `why`, `failed_at` (ms), `record`."""
    matches = []
    try:
        names = sorted(os.listdir(failed_folder(home)))
    except OSError:
        return []
    for name in names:
        try:
            with open(os.path.join(failed_folder(home), name), encoding="utf-8") as file:
                matches.append(json.load(file))
        except (OSError, ValueError):
            matches.append({"why": "unreadable", "failed_at": 0, "record": {"id": name}})
    return matches


def failed_folder(home: Home) -> str:
    return os.path.join(home.spool, "failed")


def _name_parts(path: str) -> tuple[str, int]:
    """("…/claimed-0199-42", 1) of "…/claimed-0199-42.1.jsonl"."""
    stem, _, count = path.removesuffix(".jsonl").rpartition(".")
    return (stem, int(count)) if stem and count.isdigit() else (path.removesuffix(".jsonl"), 0)


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
"""Events beside its end after which a session is summarised."""

_READ_BY_MODELS = frozenset((wire.COMPACTING, wire.SESSION_ENDED))
"""Events after which a model may read the session up to then."""


class SettingsUnreadable(Exception):
    """The user must repair a project's settings before its records can be used."""


class Run:
    def __init__(self, home: Home, clock: Clock) -> None:
        self.home = home
        self.report = DrainReport()
        self._clock = clock
        self._open: dict[str, MemoryCoordinator] = {}  # by the folder of the hook
        self._exports: dict[str, str | host.ExportFailed] = {}  # for these claims, by address
        self._put_back: set[str] = set()  # ids of records that a later drain tries again
        self._claimed: list[Claim] = []
        self._kept: set[str] = set()  # ids of records whose receipts are in the store
        self._reading = ""  # a folder in which a model reads sessions; "" while there is none
        self._roots: dict[str, str] = {}  # by session the main checkout of its worktree
        self._begun: set[str] = set()  # folders in which a session began

    def has_work(self) -> bool:
        """Return True if a record waits that this run has not put back itself."""
        if self.report.problem or not spool.has_waiting(self.home):
            return False
        records = spool.read_spool(self.home)  # none at all: only torn lines, to be cleared away
        return not records or any(record["id"] not in self._put_back for record in records)

    def take_everything(self) -> None:
        """Process the waiting records; the caller holds the lock."""
        self._exports.clear()  # later exports may hold more
        try:
            self._claimed = take_claims(self.home)
            for claim in self._claimed:
                self._add(torn=claim.torn)
                if self.report.problem:
                    claim.give_back()
                else:
                    self._work_off(claim)
            for folder, memory in self._open.items():
                try:
                    memory.maintenance.after_drain(has_begun=folder in self._begun)
                except Exception as error:  # the next drain tries again; injections go on
                    spool.log_error(self.home, "drain upkeep", error)
            self._begun.clear()
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
            spool.log_error(self.home, "drain", error)
            hint = getattr(error, "hint", "")
            self.report = replace(self.report, problem=f"{error} {hint}".strip())
            claim.give_back()
        else:
            claim.finish()

    def _try(self, claim: Claim, record: Record) -> None:
        """Process one record, or put it back. Raises StoreUnusable."""
        try:
            self._handle(record)
        except StoreUnusable:
            raise
        except SettingsUnreadable as error:
            spool.log_error(self.home, f"drain {record['kind']}", error)
            self._put_back.add(record["id"])
            claim.postpone(record)
            self._add(postponed=1)
        except Exception as error:  # one bad record must not keep the others waiting
            why = spool.described(error)
            self._put_back.add(record["id"])
            is_left = claim.retry(record, why)
            spool.log_error(
                self.home, f"drain {record.get('kind')}", why + spool.PUT_BACK * is_left
            )
            self._add(retried=int(is_left), failed=int(not is_left))
        else:
            claim.settle(record)
            self._add(records=1)

    def _handle(self, record: Record) -> None:
        kind, session, cwd = record["kind"], record["session"], record["cwd"]
        if root := record.get("root"):
            self._roots[session] = root
        if cwd and not os.path.isdir(cwd):  # a worktree that is gone: its checkout counts
            root = self._roots.get(session)
            root = root or self._memory_for(cwd).services.sessions.root_of(session)
            record = {**record, "cwd": root or cwd}
        memory, path = self._memory_for(record["cwd"]), record.get("transcript")
        if kind == spool.RECEIPT:
            self._keep_receipt(memory, record)
            return
        source = record.get("detail") if kind == wire.SESSION_STARTED else None
        memory.session_seen(session, record["host"], record["cwd"], source)
        if source == "fork" and path and is_file(path) and (parent := parent_of(path, session)):
            with contextlib.suppress(NotFound, Ambiguous):  # it was never seen here
                memory.fork_session(parent, session)
        if kind == spool.RECORDED:
            self._keep_receipts(memory, session)
            self._record(record)
        if kind == wire.SESSION_STARTED:
            self._begun.add(record["cwd"])
        if kind in (wire.TOOL_ENDED, wire.FAILED):
            # The transcript gives the touched files, since it shows which turns are incognito.
            is_turn = kind == wire.FAILED
            has_failed = is_turn or record.get("outcome") == "failed"
            what = record.get("detail", "") if is_turn else record.get("tool", "a tool")
            memory.note_activity(
                session,
                tools=int(not is_turn),
                failures=int(has_failed),
                last_failure=what if has_failed else "",
            )
        if kind in (wire.TODOS, wire.TASK_COMPLETED):
            todos = record["todos"]
            if todos["completed"] and todos.get("task"):
                memory.complete_task(session, todos["task"])
            if kind == wire.TODOS and path:
                tasks_at_hand(memory, record, path)
        if kind in _READ_ON and path:
            self._keep_receipts(memory, session)
            if kind != wire.SUBAGENT_ENDED:
                memory.extractor.note_session(session, record["host"], record["cwd"], path)
            self._count([item.outcome for item in read_on(memory, record, path, self._export)])
        if kind in _SUMMED_UP:
            memory.finalize_session(session)
        if kind in _READ_BY_MODELS:
            memory.extractor.make_due(session)
        if kind == wire.SESSION_ENDED:
            memory.clear_working_memory(session)
            memory.session_ended(session, record.get("detail", ""))

    def _record(self, record: Record) -> None:
        """Store an agent's record that waited for a busy store, as the agent's own act."""
        who = {"actor": "agent", "session": record["session"], "agent": record["host"]}
        with MemoryCoordinator.open(self.home, record["cwd"], clock=self._clock, **who) as memory:
            try:
                if record["session"].startswith(SESSION):  # of a client without hooks of ours
                    memory.session_seen(record["session"], record["host"], record["cwd"], None)
                recorded = memory.learn(session=record["session"], **record["learn"])
            except (Ambiguous, BadInput, NotFound, Refused) as error:  # the reason, not the words
                keep_failed(self.home, {**record, "learn": None}, str(error))
                return self._count(["refused"])
        self._count([recorded.result.outcome])

    def _keep_receipt(self, memory: MemoryCoordinator, record: Record) -> None:
        """Keep a receipt, with the titles that its memories have now, and with its prompt."""
        if record["id"] in self._kept:
            return
        receipt: dict[str, Any] = record["receipt"]
        if not memory.note_known(receipt):
            items = []
            for item in receipt["items"]:
                title = ""
                with contextlib.suppress(NotFound, Ambiguous):  # it is gone
                    title = memory.resolve(item["id"]).title
                items.append({**item, "title": title})
            receipt = {**receipt, "items": items}
            address = receipt.get("transcript") or ""
            wanted = memory.policy.recall.keep_prompts and memory.is_recorded(record["session"])
            if host.is_address(address) and wanted:  # its prompt is in no file
                with contextlib.suppress(host.ExportFailed):
                    text = self._export(address, record["cwd"])
                    receipt["prompt"] = prompt_in_export(text, receipt["prompt_fingerprint"])
            self._add(receipts=int(memory.keep_receipt(receipt)))
        self._kept.add(record["id"])

    def _keep_receipts(self, memory: MemoryCoordinator, session: str) -> None:
        """Store a session's receipts before its words are read, since these may repeat injections.

        A receipt may wait behind the event that has the words read, or have come since.
        """
        waiting, _ = spool.read_file(spool.path_of(self.home))
        for record in [*(item for claim in self._claimed for item in claim.records), *waiting]:
            if (record["kind"], record["session"]) != (spool.RECEIPT, session):
                continue
            try:
                self._keep_receipt(memory, record)
            except StoreUnusable:
                raise
            except Exception as error:  # it is tried, and set aside, when its own turn comes
                spool.log_error(self.home, "drain receipt", error)

    def _export(self, address: str, folder: str) -> str:
        """Return a session's export, tried once for all of its records. Raises ExportFailed."""
        if address not in self._exports:
            try:
                self._exports[address] = host.export(address, folder)
            except host.ExportFailed as error:
                self._exports[address] = error  # each try may take a minute
        matches = self._exports[address]
        if isinstance(matches, host.ExportFailed):
            raise matches
        return matches

    def _memory_for(self, cwd: str) -> MemoryCoordinator:
        """Return the store as seen from the project of `cwd`.

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
        if not self._reading and memory.services.preferences.engine:
            self._reading = cwd
        return memory

    def _count(self, outcomes: list[str]) -> None:
        names = {"stored": "stored", "duplicate": "duplicates", "refused": "refused"}
        self._add(**{names[it]: outcomes.count(it) for it in names})

    def _add(self, **counts: int) -> None:
        self.report = replace(
            self.report, **{name: getattr(self.report, name) + n for name, n in counts.items()}
        )


if __name__ == "__main__":
    sys.exit(main())
