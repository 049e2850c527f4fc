"""Who said a memory, how sure we are of it, and whether it is to be verified: all derived.

*person*: said, written, confirmed, pinned or rewritten by the user. *established*: through its
trial, or supported by sessions that did not receive it. *unproven*: all else, imports included.
Standard library only.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..frozen import NamedTuple
from . import quick_json
from .images import sqlite3

DEGREES = ("person", "established", "unproven")  # the surest first


class Trust(NamedTuple):
    """Who said a memory, and one of `DEGREES`."""

    provenance: str  # person, agent-verified, agent-unverified, quoted, imported
    degree: str


POINTS = 3
"""Points of promotion, without those for its words, from which a promoted memory is established."""

BEST_LAST = ("unchecked", "nobody", "quoted", "finding", "agent", "person")
"""What a session can say to a recording, the best last."""

IMPORTED = (
    "EXISTS (SELECT 1 FROM memory_trust t WHERE t.memory = m.id AND t.provenance = 'imported')"
)
"""A condition on `memory m`: an import brought it."""

_VOUCHED = (
    "EXISTS (SELECT 1 FROM memory_trust t WHERE t.memory = m.id AND t.vouched_at IS NOT NULL)"
)
_SAID = (
    "EXISTS (SELECT 1 FROM memory_candidacy c WHERE c.memory = m.id"
    """ AND c.signals LIKE '%"user-intent"%')"""
)
_IN_SO_MANY_WORDS = (
    f"{_SAID} AND NOT EXISTS (SELECT 1 FROM memory_salience s WHERE s.memory = m.id)"
)
"""Nothing had to be judged. Of 35 sentences that only the score took for a person's standing word,
in sessions that nobody had seen, half were at least borderline: established, no more."""

_PROMOTED = "EXISTS (SELECT 1 FROM memory_candidacy c WHERE c.memory = m.id AND c.promoted_at > 0)"
_ACCEPTED = f"(m.status = 'pinned' OR m.status = 'confirmed' AND NOT {_PROMOTED})"
_WROTE = (
    "EXISTS (SELECT 1 FROM memory_trust t"
    " WHERE t.memory = m.id AND t.provenance = 'agent-unverified')"
)
_AGENTS_NOTE = f"(m.type = 'working' AND coalesce(m.agent, '') != '' OR {_WROTE})"
_CAPTURED = "EXISTS (SELECT 1 FROM memory_candidacy c WHERE c.memory = m.id)"
_PERSONS_SENTENCE = (
    "EXISTS (SELECT 1 FROM memory_salience s WHERE s.memory = m.id AND s.is_person = 1)"
)
_QUOTED = """EXISTS (SELECT 1 FROM json_each(m.tags) WHERE value = 'untrusted')"""


_PROVEN = (
    "EXISTS (SELECT 1 FROM memory_candidacy c WHERE c.memory = m.id AND c.promoted_at > 0"
    f" AND c.points - coalesce(json_extract(c.signals, '$.\"worth-keeping\"'), 0) >= {POINTS})"
)

SETTLED = f"(m.status != 'candidate' OR {_SAID} OR {_VOUCHED} OR {_PROVEN})"
"""A condition on `memory m`: it is a person's or established.

What its words alone promoted is on trial: used in that time it is confirmed, else it
waits. What came to its points by what happened, an error's cause or sessions and agents
that found it by themselves, needs no trial.
"""

DEGREE = (
    f"CASE WHEN {_VOUCHED} OR NOT {IMPORTED} AND ({_ACCEPTED} AND NOT {_AGENTS_NOTE}"
    f" OR {_IN_SO_MANY_WORDS}) THEN 'person'"
    f" WHEN {SETTLED} AND NOT {_AGENTS_NOTE} THEN 'established' ELSE 'unproven' END"
)
"""An expression on `memory m`: one of `DEGREES`."""

PROVENANCE = (
    f"CASE WHEN {IMPORTED} THEN 'imported' WHEN {_SAID} THEN 'person'"
    f" WHEN {_QUOTED} THEN 'quoted' WHEN {_PERSONS_SENTENCE} THEN 'person'"
    f" WHEN {_CAPTURED} OR {_AGENTS_NOTE} THEN 'agent-unverified' ELSE 'person' END"
)
"""An expression on `memory m`: one of `PROVENANCES`, but for what an agent recorded itself.

What no rule captured a person wrote, but for the working memory of an agent: its own list.
"""

_HEARD = {
    **dict.fromkeys(("agent", "person"), "agent-verified"),
    **dict.fromkeys(("unchecked", "nobody", "finding"), "agent-unverified"),
    "quoted": "quoted",
}


def trust_of(connection: sqlite3.Connection, ids: Sequence[str]) -> dict[str, tuple[Trust, str]]:
    """By memory its trust, and what its session says to it where an agent recorded it, else ""."""
    listed = quick_json.dumps(list(ids))
    received = recorded_sources(connection, ids)
    matches = connection.execute(
        f"SELECT m.id, {PROVENANCE}, {DEGREE} FROM memory m"
        " WHERE m.id IN (SELECT value FROM json_each(?))",
        (listed,),
    )
    details = {}
    for memory, provenance, how_sure in matches:
        evidence = received.get(memory, "")
        if evidence and provenance == "agent-unverified":
            provenance = _HEARD[evidence]
        details[memory] = (Trust(provenance, how_sure), evidence)
    return details


def recorded_sources(connection: sqlite3.Connection, ids: Sequence[str]) -> dict[str, str]:
    """By memory that an agent recorded and nobody else said: the best evidence that there is."""
    ranks = " ".join(f"WHEN '{word}' THEN {rank}" for rank, word in enumerate(BEST_LAST))
    matches = connection.execute(
        "SELECT memory, evidence FROM recording r"
        " WHERE memory IN (SELECT value FROM json_each(?))"
        " AND EXISTS (SELECT 1 FROM recording o WHERE o.memory = r.memory AND o.is_new = 1)"
        f" ORDER BY CASE evidence {ranks} END",
        (quick_json.dumps(list(ids)),),
    )
    return dict(matches.fetchall())


FLAGGED = (
    "NOT EXISTS (SELECT 1 FROM memory_trust v WHERE v.memory = s.memory AND v.vouched_at >= s.at)"
)
"""A condition on `memory_staleness s`: no person has stood for the memory since."""


def staleness_of(connection: sqlite3.Connection, ids: Sequence[str]) -> dict[str, tuple[str, bool]]:
    """By memory why it is to be verified, and whether all files that it names are gone."""
    matches = connection.execute(
        "SELECT s.memory, s.reason, s.is_gone FROM memory_staleness s"
        f" WHERE s.memory IN (SELECT value FROM json_each(?)) AND {FLAGGED}",
        (quick_json.dumps(list(ids)),),
    )
    return {memory: (reason, bool(is_gone)) for memory, reason, is_gone in matches}
