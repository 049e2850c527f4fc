"""The hook's frozen SQL tells what Peewee tells of the same store, told project by project."""

import pytest
from peewee import JOIN, fn

from memdeck.db.fast_reader import open_reader
from memdeck.db.home import Home
from memdeck.db.store import Store
from memdeck.db.tables import (
    DETAILS,
    AliasRow,
    ConflictRow,
    LatencyRow,
    MemoryCandidacyRow,
    MemoryRow,
    MemoryTrustRow,
    MemoryUseRow,
    MemoryWorthRow,
    ReceiptItemRow,
    ReceiptRow,
    SessionRow,
    SummaryRow,
)

ProspectiveRow = DETAILS["prospective"]
NOW = 4_000_000_000_000  # after everything in the demo store
MANY = 10_000


@pytest.fixture
def both(copy_demo, tmp_path):
    """The hook's reader and a store, over one home."""
    home = Home(copy_demo(tmp_path / "seeded").home)
    store, reader = Store(home), open_reader(home, NOW)
    yield reader, store.database
    reader.close()
    store.close()


def column(database, query):
    return [value for (value,) in query.tuples().execute(database)]


def projects(database):
    return column(database, MemoryRow.select(MemoryRow.project).distinct())


def sessions(database):
    return [None, *column(database, SessionRow.select(SessionRow.id))]


def here(project):
    return MemoryRow.project.in_((project, "")) & MemoryRow.retired_at.is_null()


def settled(database, session):
    """What is a person's or established, of all the store, or of this session."""
    vouched = MemoryTrustRow.select(MemoryTrustRow.memory).where(
        MemoryTrustRow.vouched_at.is_null(False)
    )
    rows = (
        MemoryCandidacyRow.select()
        .where(MemoryCandidacyRow.promoted_at.is_null(False))
        .execute(database)
    )
    through = [row.memory for row in rows if row.points - row.signals.get("worth-keeping", 0) >= 3]
    by_person = MemoryRow.id.in_(vouched)
    return by_person | MemoryRow.id.in_(through) | _known_before(session)


def _known_before(session):
    own = MemoryCandidacyRow.select(MemoryCandidacyRow.memory).where(
        MemoryCandidacyRow.signals.cast("text").contains('"user-intent"')
    )
    of_it = MemoryRow.session == session if session else MemoryRow.num < 0
    return (MemoryRow.status != "candidate") | MemoryRow.id.in_(own) | of_it


NO_TODO = MemoryRow.type.not_in(("working", "prospective"))


def test_pinned(both):
    reader, database = both
    everywhere = []
    for project in projects(database):
        expected = column(
            database,
            MemoryRow.select(MemoryRow.num)
            .where(here(project), MemoryRow.status == "pinned", MemoryRow.type != "working")
            .order_by(MemoryRow.importance.desc(), MemoryRow.num.desc()),
        )
        assert reader.pinned(project, MANY) == expected
        everywhere += expected
    assert everywhere


def test_foremost_and_preferences(both):
    reader, database = both
    told = 0
    for project in projects(database):
        for session in sessions(database):
            foremost = MemoryRow.select(MemoryRow.num).where(
                here(project), settled(database, session), NO_TODO, MemoryRow.importance >= 0.4
            )
            expected = column(database, foremost)
            assert sorted(reader.foremost(project, session, 0.4, MANY)) == sorted(expected)
            preferred = (
                MemoryRow.select(MemoryRow.num)
                .where(
                    here(project),
                    settled(database, session),
                    NO_TODO,
                    MemoryRow.category == "preference",
                )
                .order_by(MemoryRow.importance.desc(), MemoryRow.num.desc())
            )
            assert reader.preferences(project, session, MANY) == column(database, preferred)
            told += len(expected)
    assert told


def test_todos(both):
    reader, database = both
    told = 0
    cold = MemoryWorthRow.select(MemoryWorthRow.memory).where(MemoryWorthRow.tier == "cold")
    for project in projects(database):
        for session in sessions(database):
            own = MemoryRow.session == session if session else MemoryRow.num < 0
            due = fn.coalesce(ProspectiveRow.due_at, MemoryRow.due)
            reminders = (
                ReceiptItemRow.select()
                .join(ReceiptRow, on=ReceiptRow.id == ReceiptItemRow.receipt)
                .where(
                    ReceiptItemRow.memory == MemoryRow.id,
                    ReceiptRow.session.is_null(False),
                    ReceiptRow.at >= due,
                )
            )
            waits = (  # for an event, of which the demo's prompts have said nothing
                (fn.coalesce(ProspectiveRow.trigger_type, "") == "event")
                & (fn.coalesce(ProspectiveRow.trigger_condition, "") != "")
                & ProspectiveRow.due_at.is_null()
                & MemoryRow.due.is_null()
            )
            waiting = (
                MemoryRow.select(MemoryRow.num)
                .join(ProspectiveRow, on=ProspectiveRow.memory == MemoryRow.num)
                .where(
                    here(project),
                    ProspectiveRow.status.in_(("pending", "active")),
                    own | (settled(database, session) & MemoryRow.num.not_in(cold)),
                    ~waits,
                    ~((fn.coalesce(due, 9e15) <= NOW) & fn.EXISTS(reminders)),
                )
                .order_by(
                    fn.coalesce(ProspectiveRow.due_at, MemoryRow.due, 9e15),
                    ProspectiveRow.priority.desc(),
                    MemoryRow.num.desc(),
                )
            )
            expected = column(database, waiting)
            assert reader.todos(project, session, MANY) == expected
            told += len(expected)
    assert told


def test_what_is_learned_and_summed_up(both):
    reader, database = both
    summed_up = 0
    for project in projects(database):
        summaries = (
            SummaryRow.select(
                SummaryRow.id, SummaryRow.session, SessionRow.goal, SummaryRow.ends_at
            )
            .join(SessionRow, on=SessionRow.id == SummaryRow.session)
            .where(SummaryRow.project == project, SummaryRow.level == "session")
            .order_by(SummaryRow.ends_at.desc())
        )
        expected = list(summaries.dicts().execute(database))
        assert reader.summaries(project, MANY) == expected
        summed_up += len(expected)
    assert summed_up
    for session in sessions(database)[1:]:
        learned = (
            MemoryRow.select(MemoryRow.num)
            .where(
                MemoryRow.session == session,
                MemoryRow.retired_at.is_null(),
                NO_TODO,
                settled(database, None),
            )
            .order_by(MemoryRow.num)
        )
        assert reader.learned(session) == column(database, learned)


def test_a_sketch_is_the_row_and_its_use(both):
    reader, database = both
    nums = column(database, MemoryRow.select(MemoryRow.num))
    counted = ("accesses", "helpful", "unhelpful")
    uses = [fn.coalesce(getattr(MemoryUseRow, name), 0).alias(name) for name in counted]
    rows = (
        MemoryRow.select(MemoryRow, *uses, MemoryWorthRow.tier)
        .join(MemoryUseRow, JOIN.LEFT_OUTER, on=MemoryUseRow.memory == MemoryRow.id)
        .switch(MemoryRow)
        .join(MemoryWorthRow, JOIN.LEFT_OUTER, on=MemoryWorthRow.memory == MemoryRow.num)
        .dicts()
        .execute(database)
    )
    expected = {row["num"]: row for row in rows}
    known = set(column(database, MemoryRow.select(MemoryRow.num).where(settled(database, None))))
    assert 0 < len(known) < len(nums)
    sketches = reader.sketches(nums)
    assert [sketch["num"] for sketch in sketches] == nums
    for sketch in sketches:
        row = expected[sketch["num"]]
        lists = {"tags": list(sketch["tags"]), "files": list(sketch["files"])}
        is_settled = sketch.pop("is_settled")
        assert bool(is_settled) == (sketch["num"] in known)
        assert sketch.pop("privacy_until") is None  # of none here; `test_privacy` has some
        assert {**sketch, **lists} == {name: row[name] for name in sketch} | lists
    for image in reader.images(nums):
        row = expected[image["num"]]
        assert {name: image[name] for name in row} == row


def test_conflicts(both):
    reader, database = both
    ids = column(database, MemoryRow.select(MemoryRow.id))
    rivals = ConflictRow.select(ConflictRow.entry_a, ConflictRow.entry_b).where(
        ConflictRow.resolved_at.is_null(),
    )
    expected = list(rivals.tuples().execute(database))
    assert sorted(reader.rivals(ids)) == sorted(expected)
    assert expected


def test_receipts_latencies_and_aliases(both):
    reader, database = both
    told = 0
    for project in projects(database):
        for session in sessions(database)[1:]:
            receipts = ReceiptRow.select().where(
                ReceiptRow.session == session,
                ReceiptRow.project == project,
                (ReceiptRow.tokens > 0) | ReceiptRow.event.in_(("SessionStart", "PostCompact")),
            )
            expected = [
                (row["at"], row["event"], row["source"], item.get("id"), item.get("mark"))
                for row in receipts.dicts().execute(database)
                for item in (row["items"] or [{}])
            ]
            found = reader.receipts.tellings(project, session)
            assert sorted(found, key=repr) == sorted(expected, key=repr)
            told += len(expected)
        words = (
            AliasRow.select(AliasRow.word, AliasRow.synonyms)
            .where(AliasRow.project.in_((project, "")))
            .order_by(AliasRow.project)
        )
        assert reader.aliases(project) == dict(words.tuples().execute(database))
    assert told
    newest = (
        LatencyRow.select(LatencyRow.milliseconds)
        .where(LatencyRow.kind == "recall")
        .order_by(LatencyRow.id.desc())
        .limit(100)
    )
    assert reader.receipts.latencies()[0] == column(database, newest)[::-1]
