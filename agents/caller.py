"""The session of a command that an agent runs in its own shell.

The request to record names the session, and Claude Code sets it in the environment too. Without
either, the newest running session of the project counts, and the reply says so.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ..core.answers import StoreResult
from ..core.compat import MemoryCoordinator
from ..core.context import Context
from ..core.recall.receipt import injections_in
from ..core.redaction.redact import redact_record
from ..core.values import ms_of
from ..db.errors import NotFound, Refused
from ..db.home import Home
from ..hosts import registry, wire
from . import spool
from .mcp import SESSION
from .spool import Record

Named = Literal["option", "environment", "newest"]


@dataclass(frozen=True, slots=True)
class Caller:
    session: str
    host: str
    named_by: Named  # how we know
    injected: tuple[tuple[str, int], ...]  # memory and time (ms), in the spool


def caller(memory: MemoryCoordinator, wanted: str | None, environ: Mapping[str, str]) -> Caller:
    """Return the session that runs us in `memory`'s project; store it if it is new.

    `wanted` is its id, or the beginning of a stored one. Raises NotFound, Ambiguous, and Refused
    if it is unknown.
    """
    waiting = list(_waiting(memory))
    named_by: Named = "option"
    if wanted is None:
        wanted = registry.shell(environ).session
        named_by = "environment"
    if wanted is None:
        named_by = "newest"
        wanted = _newest(memory, waiting, environ)
    fresh = [record for record in waiting if record["session"] == wanted]
    try:
        named = memory.session_named(wanted)
        session, host = named.id, named.agent
    except NotFound:
        if not fresh:
            raise NotFound(
                f"No session of this project is called {wanted[:60]!r}.",
                hint="Run it in the project's folder. `memdeck sessions` lists its sessions.",
            ) from None
        first = fresh[0]  # it says how the session began
        session, host = wanted, first["host"]
        source = first.get("detail") if first["kind"] == wire.SESSION_STARTED else None
        memory.session_seen(session, host, first["cwd"], source)
    details = tuple(
        (item, at)
        for record in waiting
        if record["kind"] == spool.RECEIPT and record["session"] == session
        for at, _, _, item, _ in injections_in(record["receipt"])
        if item is not None
    )
    return Caller(session, host, named_by, details)


BUSY_S = 5.0
"""Time that an agent's record waits for other writers before it goes into the queue."""

QUEUED = (
    "Saved to the queue: another process holds the store. Background processing stores it;"
    " `memdeck status` shows the queue."
)


def queue(home: Home, folder: str, who: Caller, text: str, **more: Any) -> StoreResult:
    """Put an agent's record into the queue, without secrets; `more` are options of `learn`.

    `folder` is one of the project's. Only an agent's words: the author of a queued line cannot be
    proven to be the user. Raises StoreFull, StoreUnusable.
    """
    clean = redact_record({"text": text, **more}, names=("files", "replaces"))
    record = spool.new_record(spool.RECORDED, who.host, who.session, folder)
    spool.append(home, {**record, "learn": clean.fields})
    spool.start_drain(home)  # which waits longer
    return StoreResult(False, None, 0.0, QUEUED, "queued", clean.removed)


def unread(wanted: str | None, environ: Mapping[str, str]) -> Caller | None:
    """Return the session that runs us without a look into the store; None if it is not named."""
    shell = registry.shell(environ)
    session = wanted or shell.session
    return Caller(session, min(shell.hosts, default="mcp"), "option", ()) if session else None


def queue_receipt(context: Context, receipt: dict[str, Any]) -> None:
    """Put the receipt of a recall into the queue: another process holds the store."""
    folder = context.root or os.getcwd()
    record = spool.new_record(spool.RECEIPT, receipt["host"], receipt["session"] or "", folder)
    spool.append(context.home, {**record, "receipt": receipt})
    spool.start_drain(context.home)


def _newest(memory: MemoryCoordinator, waiting: list[Record], environ: Mapping[str, str]) -> str:
    """Return the newest session of this project that has not ended, of the host that runs us."""
    hosts = registry.shell(environ).hosts
    open_ones: dict[str, tuple[int, str]] = {}
    for session in memory.sessions():
        # whether a client without hooks still runs is not known: each of its servers is a session
        if session.ended_at is None and not session.id.startswith(SESSION):
            began = ms_of(session.started_at)
            open_ones[session.id] = (began, session.agent)
    for record in waiting:
        if record["kind"] == wire.SESSION_ENDED:
            open_ones.pop(record["session"], None)
        elif record["kind"] == wire.SESSION_STARTED:
            open_ones[record["session"]] = (record["at"], record["host"])
    fitting = [(at, key) for key, (at, host) in open_ones.items() if not hosts or host in hosts]
    if not fitting:
        hint = "An agent names its own with --session ID. A user writes with `memdeck remember`."
        raise Refused("The session is unknown: none is running in this project.", hint=hint)
    return max(fitting)[1]


def _waiting(memory: MemoryCoordinator) -> Iterator[Record]:
    """Yield the queued events of this project's sessions, oldest first."""
    here: dict[str, bool] = {}
    for record in spool.read_spool(memory.home):
        folder = record.get("cwd")
        if not folder or not record.get("session"):
            continue
        if folder not in here:
            here[folder] = memory.is_here(folder)
        if here[folder]:
            yield record
