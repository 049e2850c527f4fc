"""Which events are handled: all that arrive, unless the person's settings name their groups."""

from __future__ import annotations

from . import events

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..db.home import Home

GROUP_OF = {
    events.SESSION_STARTED: "sessions",
    events.SESSION_ENDED: "sessions",
    events.OPENING: "sessions",
    events.PROMPT: "prompts",
    events.TURN_ENDED: "turns",
    events.SUBAGENT_ENDED: "turns",
    events.TODOS: "todos",
    events.TASK_COMPLETED: "todos",
    events.COMPACTING: "compaction",
    events.TOOL_STARTING: "files",
    events.TOOL_ENDED: "results",
    events.TASK_GIVEN: "roles",
    events.SUBAGENT_STARTED: "roles",
    events.FAILED: "errors",
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
