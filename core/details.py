"""Collects the details of one memory for its document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .context import names_of, of_row
from .documents.memory import Explanation, MemoryDetails, Numbers
from .values import Memory

if TYPE_CHECKING:
    from .compat import MemoryCoordinator
    from .query.language import Query

MAX_INJECTIONS = 20  # receipts that are read of one memory
MAX_EXPLAINED = 60  # hits that are searched for a memory's place


def details_of(
    core: MemoryCoordinator, memory: Memory, *, with_numbers: bool = False, history: bool = False
) -> MemoryDetails:
    """Return the details of a memory; `with_numbers` also its scores."""
    sources = memory.details.get("source_sessions") or ()
    sessions = [memory.origin.session, *map(str, sources)]
    names = names_of(core.context.database, sessions)
    if memory.project:
        names |= {
            project.id: project.name for project in core.projects() if project.id == memory.project
        }
    names |= {project: core.show(project).title for project, _, _ in memory.both_hold}
    return MemoryDetails(
        memory,
        links=core.links(memory.id),
        injections=core.receipts(MAX_INJECTIONS, memory=memory.id),
        names=names,
        here=core.project.id,
        review=core.services.review.unasked_because(memory),
        pin=core.services.pin_words(memory) if memory.status == "pinned" and memory.is_live else "",
        numbers=numbers_of(core, memory) if with_numbers else None,
        history=core.history(memory.id) if history else (),
    )


def numbers_of(core: MemoryCoordinator, memory: Memory) -> Numbers:
    """Return the scores of a memory, live or retired."""
    candidacy = core.candidacy(memory.id)
    return of_row(
        Numbers,
        candidacy,
        votes=tuple(core.reviews(memory.id)),
        is_candidacy_known=bool(candidacy),
        points_needed=core.policy.promotion.min_points,
        envelope=core.envelope(memory.id),
        salience=core.salience(memory.id),
        recordings=core.recordings(memory.id),
        worth=core.worth(memory.id) if memory.is_live else None,
    )


def explanation_of(core: MemoryCoordinator, query: Query, num: int) -> Explanation:
    """Return why the memory with this row number is a hit of a parsed query."""
    hits = core.search(query, limit=MAX_EXPLAINED) if query.words or query.phrases else ()
    for position, hit in enumerate(hits, 1):
        if hit.memory.num == num:
            after = hits[position] if position < len(hits) else None
            return Explanation(
                hit,
                position,
                hit.score - after.score if after else 0.0,
                after.memory.title if after else "",
                core.account(query, hit),
            )
    return Explanation()
