"""The kinds of events that a person can switch, in groups. No imports: every hook reads this."""

GROUPS = (
    "sessions",  # a session starts, ends
    "prompts",
    "turns",  # a turn is over, a subagent's work is over
    "todos",
    "compaction",
    "files",  # a tool is about to read or edit a file
    "results",  # a tool has ended, well or not
    "roles",  # a subagent is given its task, and starts
    "errors",  # a turn failed
)

DEFAULT = ("sessions", "prompts", "turns", "todos", "compaction", "files", "roles")
"""The smallest set that serves (000-03): what agents are asked for unless a person says more."""
