"""What happened in an agent's session, in our own words.

A plain class: `dataclasses` costs a hook more than all of its own work.
"""

from __future__ import annotations

SESSION_STARTED = "session_started"
OPENING = "opening"  # the start, told with the first prompt: no host sends this
PROMPT = "prompt"
TOOL_STARTING = "tool_starting"
TOOL_ENDED = "tool_ended"
TASK_GIVEN = "task_given"  # a subagent is about to start, and this is what it is asked
TODOS = "todos"
TASK_COMPLETED = "task_completed"
TURN_ENDED = "turn_ended"
SUBAGENT_STARTED = "subagent_started"
SUBAGENT_ENDED = "subagent_ended"
COMPACTING = "compacting"
FAILED = "failed"
SESSION_ENDED = "session_ended"

MOST_FILES = 20
"""Files of one tool call that are looked at."""


KNOWN_TOOLS = frozenset(
    "Bash Read Edit Write MultiEdit NotebookEdit Grep Glob Task Agent WebFetch WebSearch"
    " apply_patch shell exec run_shell_command read_file write_file replace"
    " bash read edit write multiedit patch grep glob webfetch".split()
)
"""Tools whose name may be written down; of another, whatever it calls itself, only that it ran."""


class Event:
    """One event. Texts are "" when the host did not say; `todos` is None except on TODOS."""

    __slots__ = (
        "agent_id",
        "cwd",
        "detail",
        "files",
        "host",
        "kind",
        "name",
        "outcome",
        "prompt",
        "role",
        "session",
        "todos",
        "tool",
        "transcript",
    )

    def __init__(
        self,
        kind: str,
        host: str,
        name: str,
        *,
        session: str = "",
        cwd: str = "",
        transcript: str = "",
        detail: str = "",
        agent_id: str = "",
        prompt: str = "",
        role: str = "",
        tool: str = "",
        files: tuple[str, ...] = (),
        outcome: str = "",
        todos: Todos | None = None,
    ) -> None:
        self.kind = kind  # one of the constants above
        self.host = host  # claude, codex, gemini, opencode
        self.name = name  # the event as the host calls it, for the reply
        self.session = session
        self.cwd = cwd
        self.transcript = transcript  # of the subagent, when one ended
        self.detail = detail  # how a session started, why it ended, what led to a compaction,
        # the kind of a failure
        self.agent_id = agent_id
        self.prompt = prompt  # never written to the spool
        self.role = role  # what kind of subagent starts, ended or is at work: "explorer"
        self.tool = tool  # the tool's name as the host says it, on TOOL_STARTING and TOOL_ENDED
        self.files = files  # paths that the tool call names, at most MOST_FILES, as given
        self.outcome = outcome  # of a tool that ended: "ok", "failed" or "" when unknown
        self.todos = todos


class Todos:
    """How a todo list stands, without its words: those are in the transcript, and may be secret."""

    __slots__ = ("call", "completed", "open", "task", "tool")

    def __init__(self, tool: str, call: str, open_: int, completed: int, task: str = "") -> None:
        self.tool = tool  # the host's name: TodoWrite, TaskCreate, update_plan, write_todos...
        self.call = call  # the host's id of the tool call, to find it in the transcript
        self.open = open_  # entries still open; 1 or 0 where the tool speaks of one task
        self.completed = completed  # entries that this very call completed
        self.task = task  # the host's id of the task, where the tool speaks of one
