"""Queries of the review queue, captures, votes, records and conflicts.

The queue: candidates, conflicts, duplicates, tasks that may be done, memories that may hold
everywhere. Times are milliseconds since 1970.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .activity import FIX, WORKFLOW
from .connection import Database, begin_immediate
from .fast_reader import recorded_sources
from .images import Image, column, decoded, execute, first, insert, listing, tuples, value

VOTES_KEPT = 20_000
FINDINGS_KEPT = 5_000


# --- the queue


QUEUED_CHARACTERS = 320
LEAST_IMPORTANT = 0.5  # importance, 0-1, below which a candidate without any point is likely junk

_QUEUED = f"m.num, m.id, m.title, substr(m.content, 1, {QUEUED_CHARACTERS}) AS content, m.due"
_PAIR = f"""
    a.num AS first, b.num AS second, a.id AS first_id, b.id AS second_id,
    a.title, substr(a.content, 1, {QUEUED_CHARACTERS}) AS content,
    b.title AS other_title, substr(b.content, 1, {QUEUED_CHARACTERS}) AS other_content"""
_BOTH_LIVE = "a.retired_at IS NULL AND b.retired_at IS NULL"
_IS_USERS = "coalesce(c.signals, '') LIKE '%user-intent%'"
_JUDGED = """FROM memory m
    LEFT JOIN recording r ON r.memory = m.id AND r.is_new = 1
    LEFT JOIN memory_candidacy c ON c.memory = m.id
    LEFT JOIN memory_salience s ON s.memory = m.id"""
_ASKED = f"""(c.memory IS NULL OR r.memory IS NOT NULL OR {_IS_USERS}
    OR s.is_person = 1 AND s.is_established = 1
    OR (s.memory IS NULL AND m.tags NOT LIKE '%"{FIX}"%' AND m.tags NOT LIKE '%"{WORKFLOW}"%'
        OR s.is_person = 0)
    AND NOT EXISTS (SELECT 1 FROM recording o WHERE o.session = m.session))"""


def queued_candidates(
    database: Database, project: str, now: int, *, snoozed: bool = False
) -> list[Image]:
    """The candidates by session, the newest first and in it the user's words; likely junk last.

    The user's sentences that hold no limit and are not established do not wait: of 36 such, .60
    are junk. Nor do fixes of commands and lists of finished tasks, and where an agent recorded in a
    session any other sentence of its. Likely junk has no point towards promotion, no agent recorded
    it, and it is not the user's sentence. Either the fitted score put it below its upper threshold,
    or it is unimportant.
    """
    return listing(  # an index of their own has the few that wait
        database,
        f"""
        SELECT {_QUEUED}, m.created_at AS since, coalesce(
            coalesce(c.points, 0) <= 0 AND coalesce(s.is_person, 0) = 0
            AND (s.is_established = 0 OR s.memory IS NULL AND m.importance < {LEAST_IMPORTANT})
            AND r.memory IS NULL, 0
        ) AS is_junk, coalesce(r.evidence, '') AS evidence
        {_JUDGED}
        WHERE m.status = 'candidate' AND m.project IN (:project, '') AND +m.retired_at IS NULL
        AND m.type != 'working' AND (:snoozed OR coalesce(c.snoozed_until, 0) <= :now)
        AND {_ASKED}
        ORDER BY is_junk, max(m.num) OVER (PARTITION BY m.session) DESC,
            coalesce(s.is_person, 0) = 1 OR {_IS_USERS} DESC, m.num
        """,
        project=project,
        now=now,
        snoozed=snoozed,
    )


def is_asked(database: Database, memory: str) -> bool:
    """Return True if a candidate waits for the user, once it is not snoozed."""
    text = f"SELECT 1 {_JUDGED} WHERE m.id = ? AND {_ASKED}"
    return value(database, text, memory) is not None


def queued_conflicts(database: Database, project: str) -> list[Image]:
    """Return the open conflicts of live memories that agents receive marked, oldest first."""
    return listing(  # looked up from the table of pairs, which has fewer rows
        database,
        f"""
        SELECT {_PAIR}, p.id AS conflict, coalesce(p.reason, '') AS reason, p.detected_at AS since
        FROM conflict p CROSS JOIN memory a CROSS JOIN memory b
        WHERE p.entry_a = a.id AND p.entry_b = b.id AND {_BOTH_LIVE}
        AND p.resolved_at IS NULL AND (a.project = ? OR a.scope = 'global')
        ORDER BY p.detected_at, p.id
        """,
        project,
    )


def queued_duplicates(database: Database, project: str) -> list[Image]:
    """Pairs that say the same, both live, on which no verdict was given; the newest first."""
    text = f"""
        SELECT {_PAIR}, '' AS conflict, '' AS reason, p.at AS since
        FROM memory_duplicate p CROSS JOIN memory a CROSS JOIN memory b
        WHERE p.first = a.id AND p.second = b.id AND {_BOTH_LIVE} AND p.project = ?
        AND NOT EXISTS (SELECT 1 FROM conflict o WHERE o.entry_a = a.id AND o.entry_b = b.id
            OR o.entry_a = b.id AND o.entry_b = a.id)
        ORDER BY p.at DESC, a.num DESC
        """
    return listing(database, text, project)


def queued_tasks(
    database: Database, project: str, now: int, opened: int, confirmed: int
) -> list[Image]:
    """Open tasks that are past their date, or without one and older than `opened`.

    Not those that the user confirmed since `confirmed`.
    """
    return listing(  # from the fewer rows
        database,
        f"""
        SELECT {_QUEUED}, 0 AS is_junk, coalesce(m.due, m.created_at) AS since
        FROM prospective p CROSS JOIN memory m LEFT JOIN memory_trust t ON t.memory = m.id
        WHERE m.num = p.memory AND m.project = ? AND m.type = 'prospective'
        AND m.status != 'candidate' AND m.retired_at IS NULL
        AND (m.due < ? OR m.due IS NULL AND m.created_at < ?) AND coalesce(t.vouched_at, 0) < ?
        ORDER BY since, m.num
        """,
        *(project, now, opened, confirmed),
    )


def chosen(database: Database, kind: str) -> dict[str, Any]:
    """Return the user's settings whose keys begin with `kind`, by the rest of the key."""
    text = "SELECT key, value FROM setting WHERE substr(key, 1, length(?1)) = ?1"
    return {key[len(kind) :]: decoded(value) for key, value in tuples(database, text, kind)}


# --- duplicates


def comparable(database: Database, project: str, since: int, limit: int) -> list[int]:
    """Return the numbers of the statements of fact that changed since then, the newest first.

    Of the candidates only those that the user asked for.
    """
    text = f"""SELECT m.num FROM memory m LEFT JOIN memory_candidacy c ON c.memory = m.id
        WHERE m.project = ? AND m.retired_at IS NULL AND (m.status != 'candidate' OR {_IS_USERS})
        AND m.type NOT IN ('working', 'prospective') AND m.updated_at >= ?
        ORDER BY m.num DESC LIMIT ?"""
    return column(database, text, project, since, limit)


def duplicates(database: Database, project: str) -> list[tuple[str, str]]:
    return tuples(database, "SELECT first, second FROM memory_duplicate WHERE project = ?", project)


def note_duplicate(database: Database, project: str, first: str, second: str, at: int) -> None:
    pair = {"first": first, "second": second, "project": project, "at": at}
    insert(database, "memory_duplicate", pair, "REPLACE")


def drop_duplicate(database: Database, first: str, second: str) -> None:
    """Delete the note that two memories are duplicates."""
    text = "DELETE FROM memory_duplicate WHERE first = ? AND second = ?"
    execute(database, text, first, second)


# --- trials, verdicts, captures

_TRIALS = f"""
    SELECT c.*, coalesce(u.last_use, 0) AS last_use, coalesce(u.last_access, 0) AS last_access,
        m.title, substr(m.content, 1, {QUEUED_CHARACTERS}) AS content
    FROM memory_candidacy c JOIN memory m ON m.id = c.memory
    LEFT JOIN memory_use u ON u.memory = c.memory"""


def quarantined(database: Database, project: str, now: int, latest: int) -> list[Image]:
    """Return the project's candidacies whose trial is over, or would last beyond `latest`."""
    text = f"""{_TRIALS} WHERE (c.quarantined_until <= ? OR c.quarantined_until > ?)
        AND m.project = ? ORDER BY c.memory"""
    return listing(database, text, now, latest, project)


def trial(database: Database, memory: str) -> Image | None:
    """Return the candidacy of a memory that is on trial; None of any other."""
    of_it = f"{_TRIALS} WHERE c.memory = ? AND c.quarantined_until IS NOT NULL"
    return first(database, of_it, memory)


def is_touched(database: Database, memory: str) -> bool:
    """Return True if the user ever decided about it."""
    text = """SELECT 1 FROM audit_memory m JOIN audit a ON a.seq = m.seq
        WHERE m.memory = ? AND a.actor = 'person' LIMIT 1"""
    return value(database, text, memory) is not None


def captured_in(database: Database, session: str) -> list[tuple[str, str]]:
    """Return the places of a session's captures, each with the memory that it became."""
    text = """SELECT coalesce(ref, ''), memory FROM finding
        WHERE memory IN (SELECT memory FROM finding WHERE session = ?)"""
    return tuples(database, text, session)


def candidacy(database: Database, memory: str) -> Image | None:
    """Return the candidacy of a captured memory: points, signals, promotion, trial."""
    return first(database, "SELECT * FROM memory_candidacy WHERE memory = ?", memory)


def envelope(database: Database, memory: str) -> Image | None:
    """Return the task that a memory was learned at, and its outcome."""
    return first(database, "SELECT * FROM memory_envelope WHERE memory = ?", memory)


def salience(database: Database, memory: str) -> Image | None:
    """Return the fitted score of a captured sentence, with its reasons."""
    return first(database, "SELECT * FROM memory_salience WHERE memory = ?", memory)


def is_users_sentence(database: Database, memory: str) -> bool:
    """Return True if the fitted score admitted it as the user's sentence."""
    row = salience(database, memory)
    return row is not None and row["is_person"] == 1


def weight(database: Database, memory: str) -> Image | None:
    return first(database, "SELECT * FROM memory_weight WHERE memory = ?", memory)


def witnesses(database: Database, memory: str) -> tuple[set[str], set[str]]:
    """(sessions, agents) in which a memory came up. A fork and its parent are one session.

    For a sentence that the score admitted as the user's, users' repetitions do not count.
    """
    text = """
        WITH seen AS (
            SELECT session FROM finding WHERE memory = ?1 AND (
                rule NOT LIKE 'person.%' OR score IS NULL
                OR memory NOT IN (SELECT memory FROM memory_salience WHERE is_person = 1))
            UNION SELECT session FROM memory WHERE id = ?1)
        SELECT coalesce(s.parent, seen.session),
            CASE WHEN s.agent IS NULL AND seen.session = m.session THEN m.agent ELSE s.agent END
        FROM seen LEFT JOIN session s ON s.id = seen.session LEFT JOIN memory m ON m.id = ?1
        WHERE seen.session IS NOT NULL
        """
    seen = tuples(database, text, memory)
    return {session for session, _ in seen}, {agent for _, agent in seen if agent}


# --- captures


def filtered_captures(
    database: Database, project: str, limit: int = 200, *, session: str | None = None
) -> list[Image]:
    """Return captures that a check dropped and that were not restored, newest first."""
    text = """SELECT * FROM finding WHERE project = ?1 AND outcome = 'refused'
        AND (memory IS NULL OR memory NOT IN (SELECT id FROM memory))
        AND (?2 IS NULL OR session = ?2) ORDER BY id DESC LIMIT ?3"""
    return listing(database, text, project, session, limit)


def capture(database: Database, number: int) -> Image | None:
    return first(database, "SELECT * FROM finding WHERE id = ?", number)


def note_capture(database: Database, capture: Mapping[str, Any]) -> int:
    """Store one capture with its result; return its number."""
    with begin_immediate(database):
        number = insert(database, "finding", capture)
        _keep_newest(database, "finding", FINDINGS_KEPT)
    return number


def _keep_newest(database: Database, table: str, most: int) -> None:
    execute(database, f"DELETE FROM {table} WHERE id <= (SELECT max(id) FROM {table}) - {most}")


def rescue_capture(database: Database, number: int, memory: str) -> None:
    """Note that a filtered capture became a memory; it is not listed while that one exists."""
    with begin_immediate(database):
        execute(database, "UPDATE finding SET memory = ? WHERE id = ?", memory, number)


def copy_captures(database: Database, parent: str, fork: str, at: int) -> int:
    """Give a fork the captures of its parent, all but their places and scores; how many."""
    new = {"session": "?1", "ref": "NULL", "created_at": "?2"}
    text = "SELECT name FROM pragma_table_info('finding') WHERE name NOT IN ('id', 'score')"
    names = column(database, text)
    copied = ", ".join(new.get(name, name) for name in names)
    with begin_immediate(database):
        return execute(
            database,
            f"INSERT INTO finding ({', '.join(names)})"
            f" SELECT {copied} FROM finding WHERE session = ?3 ORDER BY id",
            *(fork, at, parent),
        ).rowcount


# --- votes

_LATE_VOTES = 60  # the newest votes that the state of each reviewer is computed from


def votes(
    database: Database, *, memory: str | None = None, capture: int | None = None
) -> list[Image]:
    """Return the votes on a memory, or on a filtered capture, oldest first."""
    named, key = ("memory", memory) if memory is not None else ("finding", capture)
    return listing(database, f"SELECT * FROM review WHERE {named} = ? ORDER BY id", key)


def late_votes(database: Database, since: int) -> list[Image]:
    """Return the newest votes since then, newest first, without those over the day's budget."""
    text = f"""SELECT * FROM review WHERE created_at >= ? AND status != 'over_budget'
        ORDER BY id DESC LIMIT {_LATE_VOTES}"""
    return listing(database, text, since)


def note_votes(database: Database, votes: Sequence[Image]) -> None:
    if votes:
        with begin_immediate(database):
            for vote in votes:
                insert(database, "review", vote)
            _keep_newest(database, "review", VOTES_KEPT)


def spent(database: Database, since: int) -> tuple[float, int]:
    """(dollars, calls) that reviewers other than the built-in ones took since then."""
    row: tuple[float, int]
    text = """SELECT coalesce(sum(cost_usd), 0.0), count(*) FROM review
        WHERE created_at >= ? AND engine != 'built-in' AND status != 'over_budget'"""
    [row] = tuples(database, text, since)
    return row


# --- records of agents


def count(database: Database, session: str) -> int:
    """Return how many records the agent of a session made itself."""
    text = "SELECT count(*) FROM recording WHERE session = ? AND id NOT LIKE 'model-%'"
    return int(value(database, text, session))


def of_session(database: Database, session: str, project: str) -> list[Image]:
    """Return the records of a session, oldest first, without those whose memory was deleted."""
    text = """SELECT r.*, m.content, m.status, m.session AS memory_session, m.retired_at
        FROM recording r JOIN memory m ON m.id = r.memory
        WHERE r.session = ? AND m.project IN (?, '') ORDER BY r.at, r.id"""
    return listing(database, text, session, project)


def of_memory(database: Database, memory: str) -> list[Image]:
    """Return the agents' records of a memory, oldest first."""
    text = "SELECT * FROM recording WHERE memory = ? ORDER BY at, id"
    return listing(database, text, memory)


def sources(database: Database, ids: Sequence[str]) -> dict[str, str]:
    """Map memories that an agent's record made to the best evidence for them."""
    return recorded_sources(database.connection(), ids)


# --- conflicts


def conflicts(
    database: Database,
    project: str,
    *,
    resolved: bool | None = False,
    ref: str | None = None,
) -> list[Image]:
    """Return conflicts of the project or of everywhere, oldest first.

    `resolved` None: both kinds. `ref` is the beginning of an id.
    """
    text = """
        SELECT c.* FROM conflict c JOIN memory a ON a.id = c.entry_a
        WHERE (a.project = :project OR a.scope = 'global')
        AND (:resolved IS NULL OR (c.resolved_at IS NOT NULL) = :resolved)
        AND (:ref IS NULL OR substr(c.id, 1, length(:ref)) = lower(:ref))
        ORDER BY c.detected_at, c.id
        """
    return listing(database, text, project=project, resolved=resolved, ref=ref)


def open_conflicts(database: Database, project: str) -> int:
    """Return unresolved conflicts of the project or of everywhere."""
    text = """SELECT count(*) FROM conflict c JOIN memory a ON a.id = c.entry_a
        WHERE c.resolved_at IS NULL AND (a.project = ? OR a.scope = 'global')"""
    return int(value(database, text, project))


def conflict_between(database: Database, item: str, other: str) -> Image | None:
    """Return the newest conflict of two memories, resolved or not."""
    text = """SELECT * FROM conflict WHERE entry_a = ?1 AND entry_b = ?2
        OR entry_a = ?2 AND entry_b = ?1 ORDER BY detected_at DESC, id DESC LIMIT 1"""
    return first(database, text, item, other)


def conflicts_of(database: Database, memory: str) -> list[Image]:
    text = "SELECT * FROM conflict WHERE resolved_at IS NULL AND (entry_a = ?1 OR entry_b = ?1)"
    return listing(database, text, memory)


def is_beside(database: Database, memory: str) -> bool:
    """Return True if a conflict or a link names a memory, resolved or not."""
    text = """SELECT 1 FROM conflict WHERE entry_a = ?1 OR entry_b = ?1
        UNION SELECT 1 FROM memory_link WHERE source = ?1 OR target = ?1"""
    return value(database, text, memory) is not None
