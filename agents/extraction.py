"""Read sessions with the user's model, in the background.

The drain has released its lock by then. One process of a home reads at a time. A session that
cannot be read is logged.
"""

from __future__ import annotations

from ..core.compat import MemoryCoordinator
from ..core.models.extractor import Request
from ..core.services.extractor_state import FAILURES, Extracted, describe_call
from ..core.sessions.transcript import read_any
from ..core.sessions.turns import Session, Turn
from ..core.values import Clock
from ..db.errors import ManagerError, Refused, StoreUnusable
from ..db.home import Home
from ..db.images import Image
from ..hosts.opencode import host as exports
from ..hosts.opencode.host import read_export
from . import spool
from .spool import DrainLock

LOCK = "extract"


def work_off(home: Home, folder: str, clock: Clock) -> int:
    """Read the sessions that are due; return the number of calls. Raises nothing.

    The extractor is on in `folder`. The sessions may be of other projects.
    """
    calls = 0
    seen: set[str] = set()
    try:
        while _next_due(home, folder, clock, seen):
            with DrainLock(home, LOCK) as is_mine:
                if not is_mine:
                    break  # its holder checks once more after the release
                while row := _next_due(home, folder, clock, seen):
                    seen.add(row["session"])
                    calls += _read_one(home, row["session"], row["cwd"], clock)
    except (ManagerError, OSError) as error:
        spool.log_error(home, "extract", error)
    return calls


def _next_due(home: Home, folder: str, clock: Clock, seen: set[str]) -> Image | None:
    with MemoryCoordinator.open(home, folder, clock=clock, actor="rule") as memory:
        rows = memory.extractor.due(len(seen) + 1)
    return next((row for row in rows if row["session"] not in seen), None)


def _read_one(home: Home, session: str, cwd: str, clock: Clock) -> bool:
    """Return True if a model was asked about a due session."""
    with MemoryCoordinator.open(home, cwd, clock=clock, actor="rule") as memory:
        if not memory.services.preferences.engine:
            return False  # it was switched off since
        try:
            done = memory.extractor.read(place_of(memory, session), turns_of(memory, session))
        except StoreUnusable:
            raise
        except Exception as error:  # one bad session must not keep the others waiting
            spool.log_error(home, "extract", error)
            is_gone = isinstance(error, Refused | FileNotFoundError | exports.NoSuchSession)
            memory.extractor.fail(session, for_good=is_gone)
            return False
    if done.status in FAILURES:
        spool.log_error(home, "extract", f"{done.engine}: {describe_call(done)}")
    return done.status not in ("nothing", "over_budget")


def read_by_hand(memory: MemoryCoordinator, session: str, engine: str = "") -> Extracted:
    """Have one session read now. Raises Refused while another one is read."""
    memory.home.prepare()
    with DrainLock(memory.home, LOCK) as is_mine:
        if not is_mine:
            why = "A model reads another session now, or is asked something else."
            raise Refused(why, hint="Try again in a minute.")
        turns = turns_of(memory, session)
        return memory.extractor.read(place_of(memory, session), turns, by_hand=True, engine=engine)


def request_of(memory: MemoryCoordinator, session: str) -> Request:
    """Return the request about a session. Raises Refused for an incognito one."""
    if not memory.is_recorded(session):
        raise Refused("This session is not recorded.", hint="`memdeck sessions` says more.")
    return memory.extractor.request(session, turns_of(memory, session), whole=True)


def place_of(memory: MemoryCoordinator, session: str) -> Session:
    host, transcript = memory.extractor.transcript_of(session)
    name = exports.name_of(transcript) if exports.is_address(transcript) else transcript
    return Session(session, host, name, memory.project.root or None)


def turns_of(memory: MemoryCoordinator, session: str) -> list[Turn]:
    """Return the turns of a session, from its beginning. Raises OSError, ExportFailed."""
    host, transcript = memory.extractor.transcript_of(session)
    if exports.is_address(transcript):
        export = exports.export(transcript, memory.project.root or "")
        return [turn for turn in read_export(export).turns if not turn.agent_id]
    turns: list[Turn] = []
    offset = lines = 0
    seen: frozenset[str] = frozenset()
    while True:
        reading = read_any(transcript, host, offset, lines, seen)
        turns += (turn for turn in reading.turns if not turn.agent_id)
        if not reading.has_more or reading.offset <= offset:
            return turns
        offset, lines, seen = reading.offset, reading.line_no, reading.seen_uuids
