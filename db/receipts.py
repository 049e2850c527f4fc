"""What was injected, what was thought of it, how often a memory was of use, how long recall took.

Tables `receipt`, `receipt_item`, `receipt_text`, `memory_use`, `latency`. None is journaled. Each
function writes in one short immediate transaction of its own, or inside the change that the caller
has open. Times are milliseconds since 1970.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypedDict

from peewee import EXCLUDED, JOIN, Case, fn

from .connection import Database, begin_immediate
from .fast_reader import LATENCIES_KEPT, latency_window
from .images import Image
from .queries import (
    Query,
    among,
    column,
    insert,
    listing,
    single,
    starts_with,
    statement,
    tuples,
    value,
)
from .tables import (
    LatencyRow,
    MemoryRow,
    ReceiptItemRow,
    ReceiptRow,
    ReceiptTextRow,
    SessionRow,
    UseRow,
)

RECEIPTS_KEPT = 5_000

UNASKED = ("SessionStart", "PostCompact", "PreAssistantResponse")
"""Events that inject without a question. An injection then counts as a use only if the agent used
the memory afterwards. Otherwise what is injected at each start would never age."""

USES = "max(0, coalesce(u.accesses, 0) - coalesce(u.unasked, 0))"
"""How often memory `m`, with its `memory_use u`, was used."""

RECEIPT_COLUMNS = tuple(ReceiptRow._meta.sorted_field_names)
"""Every column of `receipt`. Fields that a receipt lacks are NULL."""


LINE = (
    "WITH RECURSIVE line(id) AS (SELECT ?1 UNION SELECT s.parent FROM session s"
    " JOIN line ON s.id = line.id WHERE s.parent IS NOT NULL) "
)
"""A session and those that it was forked from, as the head of a question."""


@listing(Image)
def usage(project: str, since: int) -> Query:
    """Return the usage of each agent in a project since then, the one with most tokens first."""
    item = (
        ReceiptItemRow.select(
            ReceiptItemRow.receipt,
            fn.count(ReceiptItemRow.memory).alias("memories"),
            fn.sum(Case(None, [(ReceiptItemRow.used == 1, 1)], 0)).alias("used"),
            fn.sum(Case(None, [(ReceiptItemRow.helpful == 1, 1)], 0)).alias("helpful"),
            fn.sum(Case(None, [(ReceiptItemRow.helpful == 0, 1)], 0)).alias("unhelpful"),
        )
        .group_by(ReceiptItemRow.receipt)
        .alias("items")
    )

    def total(name: str) -> Query:
        return fn.coalesce(fn.sum(getattr(item.c, name)), 0).alias(name)

    return (
        ReceiptRow.select(
            ReceiptRow.host.alias("agent"),
            fn.count(ReceiptRow.id).alias("injections"),
            total("memories"),
            fn.sum(ReceiptRow.tokens).alias("tokens"),
            total("used"),
            total("helpful"),
            total("unhelpful"),
        )
        .join(item, JOIN.LEFT_OUTER, on=item.c.receipt == ReceiptRow.id)
        .where(ReceiptRow.project == project, ReceiptRow.at >= since, ReceiptRow.tokens > 0)
        .group_by(ReceiptRow.host)
        .order_by(fn.sum(ReceiptRow.tokens).desc(), ReceiptRow.host)
    )


# --- receipts


def listed() -> Query:
    """Receipts that injected something or left something out; others note an emptied context."""
    return (ReceiptRow.tokens > 0) | (fn.json_array_length(ReceiptRow.left_out) > 0)


@listing(Image)
def receipts(
    limit: int = 50,
    *,
    memory: str | None = None,
    project: str | None = None,
    receipt: str | None = None,
    session: str | None = None,
    is_listed: bool = False,
) -> Query:
    """Receipts, newest first. `receipt` and `session` are beginnings of ids.

    `is_listed`: only those that users see.
    """
    where = ReceiptRow.select()
    if is_listed:
        where = where.where(listed())
    if memory is not None:
        naming = ReceiptItemRow.select(ReceiptItemRow.receipt)
        where = where.where(ReceiptRow.id.in_(naming.where(ReceiptItemRow.memory == memory)))
    if project is not None:
        where = where.where(ReceiptRow.project == project)
    if receipt is not None:
        where = where.where(starts_with(ReceiptRow.id, fn.lower(receipt)))
    if session is not None:
        where = where.where(starts_with(ReceiptRow.session, session))
    return where.order_by(ReceiptRow.at.desc(), ReceiptRow.id.desc()).limit(limit)


@statement
def _name(receipt: str, memory: str, revision: int | None) -> Query:
    item = ReceiptItemRow.insert(receipt=receipt, memory=memory, revision=revision)
    return item.on_conflict_ignore()


@column(str)
def _beyond() -> Query:
    """The ids of the receipts that are more than are kept."""
    older = ReceiptRow.select(ReceiptRow.id).order_by(ReceiptRow.at.desc())
    return older.limit(-1).offset(RECEIPTS_KEPT)


@statement
def _cut(receipts: Sequence[str]) -> Query:
    return ReceiptRow.delete().where(ReceiptRow.id.in_(among(receipts)))


@statement
def _cut_texts_of(receipts: Sequence[str]) -> Query:
    return ReceiptTextRow.delete().where(ReceiptTextRow.receipt.in_(among(receipts)))


@statement
def _cut_items_of(receipts: Sequence[str]) -> Query:
    """With all that is older than the oldest receipt: ids sort by time, and some items have none.

    So has what an older version left behind.
    """
    receipt, oldest = ReceiptItemRow.receipt, ReceiptRow.select(fn.min(ReceiptRow.id))
    return ReceiptItemRow.delete().where(receipt.in_(among(receipts)) | (receipt < oldest))


def keep_receipt(database: Database, receipt: Image, repeated: Sequence[str] = ()) -> bool:
    """Store one receipt with its text and count its uses. Return False if it was stored before.

    `repeated` are memories that its prompt matched and that its session had received before.
    """
    row = {name: receipt.get(name) for name in RECEIPT_COLUMNS}
    connection = database.connection()
    with begin_immediate(database):
        before = connection.total_changes
        insert(database, ReceiptRow, row, "IGNORE")
        if connection.total_changes == before:
            return False
        items = receipt["items"]
        _name.each(database, [(receipt["id"], item["id"], item.get("revision")) for item in items])
        at, session = receipt["at"], receipt.get("session")
        if receipt.get("event") in UNASKED:
            _tell.each(database, [(item["id"], at) for item in items])
        else:
            # a preview of due tasks, which belongs to no session, is no use of them
            used = [
                item["id"] for item in items if session or "due" not in (item.get("parts") or ())
            ]
            _use.each(database, [(memory, at, session) for memory in used])
            _ask.each(database, [(memory, at, session) for memory in repeated])
        if text := receipt.get("text"):
            details = {"receipt": receipt["id"], "at": receipt["at"], "text": text}
            insert(database, ReceiptTextRow, details, "REPLACE")
        if beyond := _beyond(database):
            for cut in (_cut, _cut_texts_of, _cut_items_of):
                cut(database, beyond)
    return True


@value(int)
def asked_since(project: str, since: int) -> Query:
    """Injections of memories into a project's prompts since then, starts left out."""
    return (
        ReceiptItemRow.select(fn.count(ReceiptItemRow.memory))
        .join(ReceiptRow, on=ReceiptRow.id == ReceiptItemRow.receipt)
        .where(
            ReceiptRow.at > since, ReceiptRow.project == project, ReceiptRow.event.not_in(UNASKED)
        )
    )


def note_asked(
    database: Database, receipt: str, memories: Sequence[str], at: int, session: str | None
) -> None:
    """Count a prompt that matched only memories which its session had received before.

    It counts once, however often it is delivered: its items stay, without a receipt.
    """
    with begin_immediate(database):
        for memory in memories:
            if _name(database, receipt, memory, None):
                _ask(database, memory, at, session)


# --- the injected text


@tuples(tuple[str, str])
def _texts(receipts: Sequence[str], since: int) -> Query:
    return ReceiptTextRow.select(ReceiptTextRow.receipt, ReceiptTextRow.text).where(
        ReceiptTextRow.receipt.in_(among(receipts)), ReceiptTextRow.at >= since
    )


def texts(database: Database, receipts: Sequence[str], since: int) -> dict[str, str]:
    """Map receipt to its text, for texts that were injected since then."""
    return dict(_texts(database, receipts, since))


@statement
def _cut_texts(before: int) -> Query:
    return ReceiptTextRow.delete().where(ReceiptTextRow.at < before)


def cut_texts(database: Database, before: int) -> int:
    """Delete the texts of all projects that were injected before then. Return how many."""
    with begin_immediate(database):
        return _cut_texts(database, before)


# --- use and opinions


class Outcome(TypedDict):
    """Whether one injected memory was used, and the opinion on it."""

    helpful: bool | None  # None: no opinion
    used: bool | None  # None: the rest of the session was not read


@tuples(tuple[str, str, int | None, int | None])
def _outcomes(receipts: Sequence[str]) -> Query:
    item = ReceiptItemRow
    return item.select(item.receipt, item.memory, item.helpful, item.used).where(
        item.receipt.in_(among(receipts)),
        item.helpful.is_null(False) | item.used.is_null(False),
    )


def outcomes(database: Database, receipts: Sequence[str]) -> dict[str, dict[str, Outcome]]:
    """Map receipt to the outcomes of its memories. Unknown outcomes are omitted."""
    came: dict[str, dict[str, Outcome]] = {}
    for receipt, memory, helpful, used in _outcomes(database, receipts):
        came.setdefault(receipt, {})[memory] = {
            "helpful": None if helpful is None else bool(helpful),
            "used": None if used is None else bool(used),
        }
    return came


@single(tuple[Any])
def _opinion(receipt: str, memory: str) -> Query:
    return ReceiptItemRow.select(ReceiptItemRow.helpful).where(
        ReceiptItemRow.receipt == receipt, ReceiptItemRow.memory == memory
    )


@statement
def _set_opinion(helpful: bool | None, receipt: str, memory: str) -> Query:
    return ReceiptItemRow.update(helpful=helpful).where(
        ReceiptItemRow.receipt == receipt, ReceiptItemRow.memory == memory
    )


@statement
def _count_opinion(memory: str, helpful: int, unhelpful: int) -> Query:
    use = UseRow.insert(memory=memory, helpful=fn.max(helpful, 0), unhelpful=fn.max(unhelpful, 0))
    return use.on_conflict(
        conflict_target=[UseRow.memory],
        update={
            UseRow.helpful: fn.max(UseRow.helpful + helpful, 0),
            UseRow.unhelpful: fn.max(UseRow.unhelpful + unhelpful, 0),
        },
    )


def note_opinion(database: Database, receipt: str, memory: str, helpful: bool | None) -> bool:
    """Set what is thought of one item of a receipt, and count it.

    One opinion an item: a new one takes the place of the old one, None takes it back. False when
    the receipt does not name the memory.
    """
    with begin_immediate(database):
        opinion = _opinion(database, receipt, memory)
        if opinion is None:
            return False
        was = None if opinion[0] is None else bool(opinion[0])
        _set_opinion(database, helpful, receipt, memory)
        _count_opinion(
            database,
            memory,
            (helpful is True) - (was is True),
            (helpful is False) - (was is False),
        )
    return True


# --- use


_LATER = {
    UseRow.accesses: UseRow.accesses + 1,
    UseRow.last_access: fn.max(fn.coalesce(UseRow.last_access, 0), EXCLUDED.last_access),
}


def proven_at(memory: str, at: int, session: str | None) -> Query:
    """`at` as a use that proves something; NULL in the session in which the memory was found, or
    in a fork of it: nothing confirms itself."""
    own = (MemoryRow.session == session) | MemoryRow.session.in_(
        SessionRow.select(SessionRow.parent).where(SessionRow.id == session)
    )
    return MemoryRow.select(Case(None, ((own, None),), at)).where(MemoryRow.id == memory)


def later(first: Any, other: Any) -> Any:
    """The later of two moments of which either may be NULL."""
    return fn.nullif(fn.max(fn.coalesce(first, 0), fn.coalesce(other, 0)), 0)


@statement
def _use(memory: str, at: int, session: str | None) -> Query:
    proven = proven_at(memory, at, session)
    row = UseRow.insert(memory=memory, accesses=1, last_access=at, last_use=proven)
    return row.on_conflict(
        conflict_target=[UseRow.memory],
        update={**_LATER, UseRow.last_use: later(UseRow.last_use, EXCLUDED.last_use)},
    )


@statement
def _tell(memory: str, at: int) -> Query:
    row = UseRow.insert(memory=memory, accesses=1, last_access=at, unasked=1)
    return row.on_conflict(
        conflict_target=[UseRow.memory],
        update={**_LATER, UseRow.unasked: fn.coalesce(UseRow.unasked, 0) + 1},
    )


@statement
def _ask(memory: str, at: int, session: str | None) -> Query:
    return UseRow.update(
        unasked=fn.max(0, fn.coalesce(UseRow.unasked, 0) - 1),
        last_use=later(UseRow.last_use, proven_at(memory, at, session)),
    ).where(UseRow.memory == memory)


def count_use(database: Database, ids: Sequence[str], at: int, session: str | None) -> None:
    """One more access for each memory, by `session`."""
    with begin_immediate(database):
        _use.each(database, [(memory, at, session) for memory in ids])


# --- latencies


@statement
def _cut_latencies(kind: str) -> Query:
    of_kind = LatencyRow.select(LatencyRow.id).where(LatencyRow.kind == kind)
    newest = of_kind.order_by(LatencyRow.id.desc()).limit(LATENCIES_KEPT)
    return LatencyRow.delete().where(LatencyRow.kind == kind, LatencyRow.id.not_in(newest))


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
        insert(database, LatencyRow, {**measured, "is_degraded": is_degraded})
        _cut_latencies(database, kind)


def latencies(database: Database, kind: str) -> list[float]:
    """The last measurements of a kind in milliseconds, oldest first; at most 100."""
    return latency_window(database.connection(), kind)[0]
