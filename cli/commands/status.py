"""The project at a glance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from ...core.agents import HOSTS, NAMES, Host
from ...core.answers import Project, Receipt, Stats
from ...core.models.calls import ExtractorState, describe_call
from ...core.recall.receipt import HEALTHY_MS, SLOW_MS, Health, describe
from ..encoder import encode
from ..options import Door, command
from ..output import Ink, count, gauge, memory_count, one_line, say, size, table

if TYPE_CHECKING:
    from ...core.services.maintenance import Ageing

LAST = 3
"""Injections that the status shows."""


@command("memdeck status")
def status(door: Door) -> int:
    """Show the project at a glance.

    Counts, sizes, hooks, what waits, and the last injections.
    """
    return report_status(door)


@dataclass(frozen=True, slots=True)
class Glance:
    """What the status says."""

    project: Project
    stats: Stats
    receipts: list[Receipt]
    home: str
    connected: dict[Host, list[str]]  # by agent, the scopes in which it calls us
    waiting: int  # notes of hooks that no drain has read yet
    review: int  # items that need the user's word
    health: Health  # how quick recall is
    extractor: ExtractorState  # the model that reads sessions, if any
    now: datetime
    why_unasked: str  # why agents are not asked to record; "" when they are
    problems: list[str]  # what in the settings cannot be used
    ageing: Ageing  # what leaves by itself


def report_status(door: Door) -> int:
    """Print the status; also what `memdeck` alone does where there is no terminal."""
    from ...agents import spool

    with door.services() as services:
        context, stats = services.context, services.search.stats()
        project = context.project
        if context.viewer is not None:  # counted is what an agent may see
            project = replace(project, memories=stats.total_count)
        glance = Glance(
            project=project,
            stats=stats,
            receipts=services.receipts.newest(limit=LAST),
            home=context.home.path,
            connected=_connected(door),
            waiting=len(spool.read_spool(context.home)),
            review=services.review.count(),
            health=services.receipts.health(),
            extractor=services.extractor_state(),
            now=context.now(),
            why_unasked=services.preferences.why_unasked,
            problems=[str(one) for one in context.settings_problems()],
            ageing=services.maintenance.glance(),
        )
    if door.as_json:
        speed = {"healthy_below_ms": HEALTHY_MS, "degraded_above_ms": SLOW_MS}
        why_unasked = glance.why_unasked
        door.prints_json(
            {
                "project": glance.project,
                "stats": stats,
                "memory_limit": glance.ageing.limit,
                "home": glance.home,
                "hooks": glance.connected,
                "spool": glance.waiting,
                "review": glance.review,
                "learn": {"asked": not why_unasked, "why_not": why_unasked or None},
                "recall": {**encode(glance.health), **speed},
                "extractor": glance.extractor,
                "conflicts": stats.conflicts,
                "receipts": glance.receipts,
                "settings_problems": glance.problems,
                "maintenance": glance.ageing,
            }
        )
    else:
        _show(glance)
    return 0


def _connected(door: Door) -> dict[Host, list[str]]:
    """By agent, the scopes in which it calls us."""
    from ...hosts.install import hook_statuses

    return {
        host: [one.scope for one in hook_statuses(host, door.folder) if one.is_installed]
        for host in HOSTS
    }


def _show(glance: Glance) -> None:
    stats = glance.stats
    say(Ink(one_line(glance.project.name), "bold"), f"  {memory_count(stats.total_count)}")
    if glance.project.root:
        say("  ", Ink(one_line(glance.project.root), "dim"))
    say("")
    kinds = [f"{number} {kind}" for kind, number in stats.by_type.items()]
    wants = [
        ("★", count(stats.by_status.get("pinned", 0), "pinned", "pinned")),
        ("?", count(stats.by_status.get("candidate", 0), "candidate")),
        ("≠", count(stats.conflicts, "conflict")),
        ("·", f"{stats.retired:,} retired"),
    ]
    rows: list[list[str | Ink]] = [
        ["types", ", ".join(kinds) or "none yet"],
        ["state", "   ".join(f"{sign} {words}" for sign, words in wants)],
        ["to review", _to_review(glance)],
        ["expiring", f"{stats.expiring:,} soon"],
        ["room", _room(glance.ageing)],
        ["aged", _aged(glance.ageing)],
        ["tiers", _tiers(stats)],
        ["on disk", f"{size(stats.database_bytes)} database, {size(stats.journal_bytes)} journal"],
        ["hooks", _hooks(glance.connected)],
        ["spool", f"{count(glance.waiting, 'note')} waiting"],
        ["agents", _asked(glance.why_unasked)],
        ["recall", describe(glance.health)],
        ["extractor", str(glance.extractor)],
    ]
    if glance.extractor.last is not None:
        rows.append(["", f"last: {describe_call(glance.extractor.last)}"])
    if glance.extractor.last_pairs is not None:
        rows.append(["", f"last: {describe_call(glance.extractor.last_pairs)}"])
    table([[Ink(str(name), "dim"), value] for name, value in rows], indent="  ")
    say("  ", Ink("home       ", "dim"), one_line(glance.home))  # whole: somebody may copy it
    for problem in glance.problems:
        say("  ", Ink("settings   ", "bad"), one_line(problem))
    if glance.receipts:
        from .receipts import show_receipts  # with all that the command `receipts` needs

        say("")
        say("  ", Ink("last injections", "dim"))
        show_receipts(glance.receipts, glance.now, indent="  ")


def _room(ageing: Ageing) -> str:
    """How much of what agents found is kept."""
    if not ageing.limit:
        return f"{ageing.count:,} that agents found, without a limit"
    return f"{gauge(ageing.count, ageing.limit)}  of {ageing.limit:,} that agents found"


def _aged(ageing: Ageing) -> str:
    """What left by itself in the last days, or why nothing does."""
    if ageing.held_back:
        return ageing.held_back
    left = ", ".join(f"{number:,} {reason}" for reason, number in ageing.left.items())
    return f"{left} in 7 days: `memdeck list is:retired`" if left else "nothing left in 7 days"


def _asked(why_not: str) -> str:
    """Whether agents are asked to record what they learn."""
    return f"record nothing: {why_not}" if why_not else "are asked to record what they learn"


def _to_review(glance: Glance) -> str:
    """Return what needs the user's word, and the command for it."""
    waits = f"{count(glance.review, 'item')}, {count(glance.stats.conflicts, 'conflict')}"
    return f"{waits}: `memdeck review`" if glance.review else waits


def _tiers(stats: Stats) -> str:
    """How many memories are hot, warm and cold, as a bar that is full where all are hot or warm."""
    near = stats.total_count - stats.by_tier["cold"]
    return f"{gauge(near, stats.total_count)}  " + ", ".join(
        f"{number:,} {name}" for name, number in stats.by_tier.items()
    )


def _hooks(connected: Mapping[Host, list[str]]) -> str:
    shown = [f"{NAMES[host]} ({', '.join(scopes)})" for host, scopes in connected.items() if scopes]
    return ", ".join(shown) or "no agent is connected; `memdeck doctor` says how"
