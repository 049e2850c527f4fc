"""Receipts, opinions, use counters and latencies.

None is journaled. Each function writes in one short immediate transaction of its own, or inside the
change that the caller has open. Times are milliseconds since 1970.
"""

from collections.abc import Callable, Sequence

from .connection import Database, begin_immediate
from .fast_reader import LATENCIES_KEPT, latency_window
from .images import Image, column, each, execute, insert, listing, tuples, value

RECEIPTS_KEPT = 5_000

WITHOUT_QUERY = ("SessionStart", "PostCompact", "PreAssistantResponse")
"""Events that inject without a question. An injection then counts as a use only if the agent used
the memory afterwards. Otherwise memories of each start would never age."""

USES = "max(0, coalesce(u.accesses, 0) - coalesce(u.unasked, 0))"
"""How often memory `m`, with its `memory_use u`, was used."""

LINE = (
    "WITH RECURSIVE line(id) AS (SELECT ?1 UNION SELECT s.parent FROM session s"
    " JOIN line ON s.id = line.id WHERE s.parent IS NOT NULL) "
)
"""A session and those that it was forked from, as the head of a query."""

LISTED = "(tokens > 0 OR json_array_length(left_out) > 0)"
"""A condition on `receipt`: it injected something or left something out; others note an emptied
context."""

_AMONG = "(SELECT value FROM json_each(?))"


def usage(database: Database, project: str, since: int) -> list[Image]:
    """Return the usage of each agent in a project since then, the one with most tokens first."""
    text = """
        SELECT r.host AS agent, count(r.id) AS injections,
            coalesce(sum(i.memories), 0) AS memories, sum(r.tokens) AS tokens,
            coalesce(sum(i.used), 0) AS used, coalesce(sum(i.helpful), 0) AS helpful,
            coalesce(sum(i.unhelpful), 0) AS unhelpful
        FROM receipt r LEFT JOIN (
            SELECT receipt, count(memory) AS memories, sum(used IS 1) AS used,
                sum(helpful IS 1) AS helpful, sum(helpful IS 0) AS unhelpful
            FROM receipt_item GROUP BY receipt) i ON i.receipt = r.id
        WHERE r.project = ? AND r.at >= ? AND r.tokens > 0
        GROUP BY r.host ORDER BY sum(r.tokens) DESC, r.host
        """
    return listing(database, text, project, since)


# --- receipts


def receipts(
    database: Database,
    limit: int = 50,
    *,
    memory: str | None = None,
    project: str | None = None,
    receipt: str | None = None,
    session: str | None = None,
    is_listed: bool = False,
) -> list[Image]:
    """Receipts, newest first. `receipt` and `session` are beginnings of ids.

    `is_listed`: only those that users see.
    """
    return listing(
        database,
        f"""
        SELECT * FROM receipt WHERE (NOT :is_listed OR {LISTED})
        AND (:memory IS NULL OR id IN (SELECT receipt FROM receipt_item WHERE memory = :memory))
        AND (:project IS NULL OR project = :project)
        AND (:receipt IS NULL OR substr(id, 1, length(:receipt)) = lower(:receipt))
        AND (:session IS NULL OR substr(session, 1, length(:session)) = :session)
        ORDER BY at DESC, id DESC LIMIT :limit
        """,
        limit=limit,
        memory=memory,
        project=project,
        receipt=receipt,
        session=session,
        is_listed=is_listed,
    )


def _name(database: Database, receipt: str, memory: str, revision: int | None = None) -> bool:
    """Note that a receipt names a memory; False if it was noted before."""
    text = "INSERT OR IGNORE INTO receipt_item (receipt, memory, revision) VALUES (?, ?, ?)"
    return bool(execute(database, text, receipt, memory, revision).rowcount)


def keep_receipt(database: Database, receipt: Image, repeated: Sequence[str] = ()) -> bool:
    """Store one receipt with its text and count its uses. Return False if it was stored before.

    `repeated` are memories that its prompt matched and that its session had received before.
    """
    names = column(database, "SELECT name FROM pragma_table_info('receipt')")
    row = {name: receipt.get(name) for name in names}
    connection = database.connection()
    with begin_immediate(database):
        before = connection.total_changes
        insert(database, "receipt", row, "IGNORE")
        if connection.total_changes == before:
            return False
        items = receipt["items"]
        for item in items:
            _name(database, receipt["id"], item["id"], item.get("revision"))
        at, session = receipt["at"], receipt.get("session")
        if receipt.get("event") in WITHOUT_QUERY:
            each(database, _ADD_IDLE, [(item["id"], at) for item in items])
        else:
            # a preview of due tasks, which belongs to no session, is no use of them
            used = [
                item["id"] for item in items if session or "due" not in (item.get("parts") or ())
            ]
            each(database, _USE, [(memory, at, session) for memory in used])
            each(database, _REMOVE_IDLE, [(memory, at, session) for memory in repeated])
        if text := receipt.get("text"):
            details = {"receipt": receipt["id"], "at": receipt["at"], "text": text}
            insert(database, "receipt_text", details, "REPLACE")
        older = f"SELECT id FROM receipt ORDER BY at DESC LIMIT -1 OFFSET {RECEIPTS_KEPT}"
        if beyond := column(database, older):
            execute(database, f"DELETE FROM receipt WHERE id IN {_AMONG}", beyond)
            execute(database, f"DELETE FROM receipt_text WHERE receipt IN {_AMONG}", beyond)
            # with all that is older than the oldest: ids sort by time, and some items have none
            sql = f"""DELETE FROM receipt_item WHERE receipt IN {_AMONG}
                OR receipt < (SELECT min(id) FROM receipt)"""
            execute(database, sql, beyond)
    return True


def prompts_since(database: Database, project: str, since: int) -> int:
    """Injections of memories into a project's prompts since then, starts left out."""
    return int(
        value(
            database,
            f"""SELECT count(i.memory) FROM receipt_item i JOIN receipt r ON r.id = i.receipt
            WHERE r.at > ? AND r.project = ? AND r.event NOT IN {WITHOUT_QUERY}""",
            *(since, project),
        )
    )


def note_repeated(
    database: Database, receipt: str, memories: Sequence[str], at: int, session: str | None
) -> None:
    """Count a prompt that matched only memories which its session had received before.

    It counts once, however often it is delivered: its items stay, without a receipt.
    """
    with begin_immediate(database):
        for memory in memories:
            if _name(database, receipt, memory):
                execute(database, _REMOVE_IDLE, memory, at, session)


# --- the injected text


def texts(database: Database, receipts: Sequence[str], since: int) -> dict[str, str]:
    """Map receipt to its text, for texts that were injected since then."""
    text = f"SELECT receipt, text FROM receipt_text WHERE receipt IN {_AMONG} AND at >= ?"
    return dict(tuples(database, text, receipts, since))


def cut_texts(database: Database, before: int) -> int:
    """Delete the texts of all projects that were injected before then. Return how many."""
    with begin_immediate(database):
        return execute(database, "DELETE FROM receipt_text WHERE at < ?", before).rowcount


# --- use and opinions


def outcomes(database: Database, receipts: Sequence[str]) -> dict[str, dict[str, Image]]:
    """Map receipt to the outcomes of its memories. Unknown outcomes are omitted."""
    came: dict[str, dict[str, Image]] = {}
    for receipt, memory, helpful, used in tuples(
        database,
        f"""SELECT receipt, memory, helpful, used FROM receipt_item WHERE receipt IN {_AMONG}
        AND (helpful IS NOT NULL OR used IS NOT NULL)""",
        receipts,
    ):
        came.setdefault(receipt, {})[memory] = {
            "helpful": None if helpful is None else bool(helpful),
            "used": None if used is None else bool(used),
        }
    return came


def note_opinion(database: Database, receipt: str, memory: str, helpful: bool | None) -> bool:
    """Set the user's opinion of one item of a receipt, and count it.

    One opinion an item: a new one replaces the old one, None removes it. Returns False if the
    receipt does not name the memory.
    """
    of_it = "receipt_item {} WHERE receipt = ? AND memory = ?"
    with begin_immediate(database):
        before = column(database, f"SELECT helpful FROM {of_it.format('')}", receipt, memory)
        if not before:
            return False
        execute(database, f"UPDATE {of_it.format('SET helpful = ?')}", helpful, receipt, memory)
        execute(
            database,
            """INSERT INTO memory_use (memory, accesses, helpful, unhelpful)
            VALUES (?1, 0, max(?2, 0), max(?3, 0)) ON CONFLICT (memory) DO UPDATE SET
            helpful = max(helpful + ?2, 0), unhelpful = max(unhelpful + ?3, 0)""",
            memory,
            (helpful is True) - (before == [1]),
            (helpful is False) - (before == [0]),
        )
    return True


# --- use

PROVEN = """(SELECT CASE WHEN m.session = ?3
    OR m.session IN (SELECT parent FROM session WHERE id = ?3) THEN NULL ELSE ?2 END
    FROM memory m WHERE m.id = ?1)"""
"""The time of a use (?2) of a memory (?1) that proves something; NULL in the session (?3) in which
the memory was found, or in a fork of it: nothing confirms itself."""


def later(other: str) -> str:
    """Return the expression for the later of `last_use` and another moment; either may be NULL."""
    return f"nullif(max(coalesce(last_use, 0), coalesce({other}, 0)), 0)"


_ACCESSED = """ON CONFLICT (memory) DO UPDATE SET accesses = accesses + 1,
    last_access = max(coalesce(last_access, 0), excluded.last_access)"""

_USE = f"""INSERT INTO memory_use (memory, accesses, last_access, helpful, unhelpful, last_use)
    VALUES (?1, 1, ?2, 0, 0, {PROVEN}) {_ACCESSED}, last_use = {later("excluded.last_use")}"""

_ADD_IDLE = f"""INSERT INTO memory_use (memory, accesses, last_access, helpful, unhelpful, unasked)
    VALUES (?1, 1, ?2, 0, 0, 1) {_ACCESSED}, unasked = coalesce(unasked, 0) + 1"""

_REMOVE_IDLE = f"""UPDATE memory_use SET unasked = max(0, coalesce(unasked, 0) - 1),
    last_use = {later(PROVEN)} WHERE memory = ?1"""


def count_use(database: Database, ids: Sequence[str], at: int, session: str | None) -> None:
    """One more access for each memory, by `session`."""
    with begin_immediate(database):
        each(database, _USE, [(memory, at, session) for memory in ids])


# --- latencies


def note_latency(
    database: Database,
    kind: str,
    at: int,
    milliseconds: float,
    decide: Callable[[Sequence[float], bool], bool],
) -> None:
    """Add a measurement to the window of its kind.

    `decide` gets the window with it (oldest first) and whether recall was degraded before, and
    says whether it is now; that is kept with the measurement.
    """
    with begin_immediate(database):
        window, was_degraded = latency_window(database.connection(), kind)
        is_degraded = decide([*window, milliseconds][-LATENCIES_KEPT:], was_degraded)
        measured = {"at": at, "kind": kind, "milliseconds": milliseconds}
        insert(database, "latency", {**measured, "is_degraded": is_degraded})
        text = f"""DELETE FROM latency WHERE kind = ?1 AND id NOT IN (SELECT id FROM latency
            WHERE kind = ?1 ORDER BY id DESC LIMIT {LATENCIES_KEPT})"""
        execute(database, text, kind)
