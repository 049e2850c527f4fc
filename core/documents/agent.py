"""Lays out an agent, something to fix, a setting, and a project's status."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ..agents import NAMES, AgentState, Finding, Host
from ..recall.receipt import describe
from ..services.extractor_state import describe_call
from ..services.projects import LookAlike
from ..services.vitals import AgentUsage, Status
from . import document as d

if TYPE_CHECKING:
    from ..services.settings import Setting

LATER = {
    "app.glyphs": "The app uses it from its next start.",
    "hooks.events": "`memdeck install` brings it into the agents that are connected.",
}
"""The step that a change needs before it has an effect."""


def setting_document(setting: Setting) -> d.Document:
    """Return everything there is to read about a setting."""
    from ..services.settings import SOURCES, text_of

    return d.document(
        setting.key,
        d.section("", d.Row("", setting.about)),
        d.section(
            "",
            d.Row("value", text_of(setting.value) or "none"),
            d.Row("default", text_of(setting.default) or "none"),
            d.Row("may be", setting.rule.allowed),
            d.Row("from", SOURCES[setting.source]),
        ),
        d.section(
            "",
            d.Row("", setting.overridden, d.WARNING),
            d.Row("", setting.problem, d.BAD),
            d.Row("", LATER.get(setting.key, ""), d.MUTED),
        ),
    )


STATES: Mapping[str, str] = {
    "active": "connected",
    "silent": "connected, but no event came yet",
    "untrusted": "connected, but it needs your trust",
    "disconnected": "not connected",
    "absent": "not found on this machine",
}
"""The states of an agent in words."""

_KINDS = {"active": d.GOOD, "silent": d.WARNING, "untrusted": d.WARNING}

TRUST = {
    None: "it asks for none",
    True: "given",
    False: "not given: it runs no hook of ours until you trust them in it",
}


def state_of(agent: AgentState) -> str:
    if not agent.scopes:
        return "disconnected" if agent.is_present else "absent"
    if agent.is_trusted is False:
        return "untrusted"
    return "silent" if agent.last_fired_ms is None else "active"


def agent_document(
    agent: AgentState, usage: AgentUsage, memories: int, candidates: int
) -> d.Document:
    """Return everything about an agent, with the `usage` of the last seven days."""
    state = state_of(agent)
    middle, slow = agent.latency_p50_ms, agent.latency_p95_ms
    speed = "" if middle is None or slow is None else f"{middle:.0f} ms, 95 % within {slow:.0f} ms"
    missing = agent.folder if agent.is_present else f"not found in PATH, nor {agent.folder}"
    has_any = bool(memories or candidates)
    injected = (
        d.Row("injections", f"{usage.injections:,} with {usage.memories:,} memories"),
        d.Row("tokens", f"{usage.tokens:,}"),
        d.Row("used", f"{usage.used:,} of the injected memories", note="in an answer"),
    )
    return d.document(
        agent.name,
        d.section(
            "",
            d.Row("program", agent.program or missing, d.PATH),
            d.Row("install", "" if agent.is_present else agent.install_command, d.CODE),
            d.Row("hooks in", ", ".join(agent.scopes) or "none of its settings"),
            d.Row("trust", TRUST[agent.is_trusted] if agent.scopes else ""),
            d.Row("answers in", speed),
            d.Row("last error", agent.last_error, d.BAD),
        ),
        d.section(
            "To fix",
            *(
                row
                for finding in agent.findings
                if not finding.ok
                for row in (d.Row("", finding.message, d.BAD), d.Row("", finding.advice, d.MUTED))
            ),
        ),
        d.section("Last 7 days in this project", *(injected if usage.injections else ())),
        d.section(
            "From it",
            d.Row("memories", f"{memories:,}" * has_any, link=f"query:agent:{agent.host}"),
            d.Row("candidates", f"{candidates:,}" if candidates else ""),
        ),
        d.section(
            "Events",
            *(
                d.Row(event.name, "never came", d.MUTED)
                if event.at_ms is None
                else d.Row(event.name, datetime.fromtimestamp(event.at_ms / 1000, UTC), d.MOMENT)
                for event in (agent.events if agent.scopes else ())
            ),
        ),
        marks=[d.Mark(STATES[state], _KINDS.get(state, d.MUTED))],
    )


def finding_document(finding: Finding) -> d.Document:
    """Return a finding with its advice."""
    can = "enter fixes it, after a question." if finding.fix else ""
    return d.document(
        finding.name,
        d.section("", d.Row("", finding.message, d.TEXT if finding.ok else d.BAD)),
        d.section("To fix it", d.Row("", finding.advice), d.Row("", can, d.MUTED)),
    )


def likeness(item: LookAlike) -> str:
    """Return which project looks like this one, why, and how to join it."""
    other = item.project
    count = d.counted(other.memories, "memory", "memories")
    return (
        f"{other.name}, which {item.reason} ({count}). If it is the same:"
        f" memdeck project join {other.id}"
    )


def status_document(
    status: Status, connected: Mapping[Host, Sequence[str]] | None = None, pins: str = ""
) -> d.Document:
    """Return the project at a glance. `connected` are the scopes in which each agent calls us,
    `pins` says how many are injected."""
    stats, ageing = status.stats, status.maintenance
    kinds = ", ".join(f"{number:,} {kind}" for kind, number in stats.by_type.items())
    tiers = ", ".join(f"{number:,} {tier}" for tier, number in stats.by_tier.items())
    totals = ", ".join(f"{number:,} {name}" for name, number in stats.totals.items())
    pinned = stats.by_status.get("pinned", 0)
    remaining = ", ".join(f"{number:,} {reason}" for reason, number in ageing.left.items())
    last_call = status.extractor.last
    learn = (
        f"agents record nothing: {status.why_not_learn}"
        if status.why_not_learn
        else "agents are asked to record what they learn"
    )
    named = [f"{NAMES[host]} ({', '.join(at)})" for host, at in (connected or {}).items() if at]
    nobody = "" if connected is None else "none (`memdeck doctor` says how)"
    agents = ", ".join(named) or nobody
    spool = f"{_size(status.spool_bytes)} waiting, not read yet" if status.spool_bytes else "empty"
    index = "complete"
    if status.indexed != status.stored:
        index = f"{status.indexed:,} of {status.stored:,}: `memdeck rebuild` completes it"
    last = f"{ageing.last_at.astimezone():%Y-%m-%d %H:%M}" if ageing.last_at else "never ran"
    return d.document(
        status.project.name,
        d.section(
            "",
            d.Row("folder", status.project.root, d.PATH),
            *(d.Row("looks like", likeness(item)) for item in status.look_alikes),
        ),
        d.section(
            "Memories",
            d.Row("live", f"{stats.total_count:,}", note=kinds),
            d.Row("pinned", f"{pinned:,}", link="query:is:pinned", note=pins),
            d.Row("expiring", f"{stats.expiring:,} within a week", link="query:is:expiring"),
            d.Row("retired", f"{stats.retired:,}", link="query:is:retired"),
            d.Row("tiers", tiers),
            d.Row("ever", totals),
            d.Row("limit", f"{ageing.count:,} of {ageing.limit:,} from agents"),
        ),
        d.section(
            "To review",
            d.Row("items", f"{status.review:,}", note="`memdeck review`"),
            d.Row("conflicts", f"{stats.conflicts:,}"),
        ),
        d.section(
            "Agents, last 7 days",
            d.Row("connected", agents),
            d.Row("learn", learn),
            *(
                d.Row(
                    NAMES.get(agent.agent, agent.agent),
                    f"{agent.tokens:,} tokens",
                    note=f"{d.counted(agent.injections, 'injection')},"
                    f" {d.counted(agent.memories, 'memory', 'memories')}",
                )
                for agent in status.week.agents
            ),
        ),
        d.section(
            "Health",
            d.Row("recall", describe(status.recall)),
            d.Row("index", index),
            d.Row("queue", spool),
            d.Row(
                "failed",
                f"{status.spool_failed:,} events" if status.spool_failed else "",
                d.WARNING,
            ),
            d.Row("maintained", last, note="due now" if status.maintenance_due else ""),
            d.Row("held back", ageing.held_back, d.WARNING),
            d.Row("retired", f"{remaining or 'none'} in the last 7 days"),
            d.Row("model", str(status.extractor)),
            d.Row("", f"last: {describe_call(last_call)}" if last_call else ""),
            d.Row(
                "on disk",
                f"{_size(stats.database_bytes)} database, {_size(stats.journal_bytes)} journal",
            ),
            d.Row("home", status.home, d.PATH),
            *(d.Row("settings", problem, d.BAD) for problem in status.settings_problems),
        ),
    )


def _size(number: float) -> str:
    for unit in ("bytes", "KB", "MB"):
        if number < 1000:
            return f"{number:,.0f} {unit}"
        number /= 1000
    return f"{number:,.1f} GB"
