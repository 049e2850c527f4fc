"""Which events are handled, written down, answered, and which start the drain."""

from __future__ import annotations

from ..hosts.wire import (
    COMPACTING,
    FAILED,
    OPENING,
    PROMPT,
    SESSION_ENDED,
    SESSION_STARTED,
    SUBAGENT_ENDED,
    SUBAGENT_STARTED,
    TASK_COMPLETED,
    TASK_GIVEN,
    TODOS,
    TOOL_ENDED,
    TOOL_STARTING,
    TURN_ENDED,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..db.home import Home

SPOOLED = frozenset(
    (
        SESSION_STARTED,
        TOOL_ENDED,
        TODOS,
        TASK_COMPLETED,
        TURN_ENDED,
        SUBAGENT_ENDED,
        COMPACTING,
        FAILED,
        SESSION_ENDED,
    )
)
"""Written to the spool. A prompt is not: its text stays in the host's own transcript."""

ANSWERED = {
    SESSION_STARTED: "SessionStart",
    OPENING: "SessionStart",
    PROMPT: "UserPromptSubmit",
    TOOL_STARTING: "PreToolUse",
    SUBAGENT_STARTED: "SubagentStart",
}
"""Answered with what we remember: by kind, the moment as recall and receipts name it."""

DRAINED = frozenset((TODOS, TURN_ENDED, COMPACTING, FAILED, SESSION_ENDED))
"""Start the drain: a turn, a context or a session is complete, or the list of tasks changed."""


GROUP_OF = {
    SESSION_STARTED: "sessions",
    SESSION_ENDED: "sessions",
    OPENING: "sessions",
    PROMPT: "prompts",
    TURN_ENDED: "turns",
    SUBAGENT_ENDED: "turns",
    TODOS: "todos",
    TASK_COMPLETED: "todos",
    COMPACTING: "compaction",
    TOOL_STARTING: "files",
    TOOL_ENDED: "results",
    TASK_GIVEN: "roles",
    SUBAGENT_STARTED: "roles",
    FAILED: "errors",
}
"""By the kind of an event, its group (`EventGroup` in `core/config/policy.py`)."""


def is_wanted(home: Home, kind: str) -> bool:
    """Whether events of `kind` are handled here.

    What an installer did not register does not come; what comes all the same is ignored only
    where the settings say which groups are wanted. Settings that cannot be read say nothing.
    """
    try:
        with open(home.config, "rb") as file:
            data = file.read()
    except OSError:
        return True
    if b"hooks" not in data:
        return True  # nearly always: reading TOML costs a hook as much as its own work
    import tomllib

    try:
        table = tomllib.loads(data.decode("utf-8-sig")).get("hooks")
    except (ValueError, RecursionError):
        return True
    wanted = table.get("events") if isinstance(table, dict) else None
    if not isinstance(wanted, list) or not all(name in GROUP_OF.values() for name in wanted):
        return True  # a value that does not fit counts as not set
    return GROUP_OF.get(kind) in wanted
