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

    session = ""
    cwd = ""
    transcript = ""  # of the subagent, when one ended
    detail = ""  # how a session started, why it ended, what led to a compaction or a failure
    agent_id = ""
    prompt = ""  # never written to the spool
    role = ""  # what kind of subagent starts, ended or is at work: "explorer"
    tool = ""  # the tool's name as the host says it, on TOOL_STARTING and TOOL_ENDED
    files: tuple[str, ...] = ()  # that the tool call names, at most MOST_FILES, as given
    outcome = ""  # of a tool that ended: "ok", "failed" or "" when unknown
    todos: Todos | None = None

    def __init__(self, kind: str, host: str, name: str, **known: str) -> None:
        self.kind = kind  # one of the constants above
        self.host = host  # claude, codex, gemini, opencode
        self.name = name  # the event as the host calls it, for the reply
        self.__dict__.update(known)

    def moment(self, kind: str, **changes: str) -> Event:
        """Another moment that this event stands for, with all else as it is but `changes`."""
        made = Event(kind, self.host, self.name)
        made.__dict__.update({**self.__dict__, **changes, "kind": kind})
        return made


class Todos:
    """How a todo list stands, without its words: those are in the transcript, and may be secret."""

    __slots__ = ("call", "completed", "open", "task", "tool")

    def __init__(self, tool: str, call: str, open_: int, completed: int, task: str = "") -> None:
        self.tool = tool  # the host's name: TodoWrite, TaskCreate, update_plan, write_todos...
        self.call = call  # the host's id of the tool call, to find it in the transcript
        self.open = open_  # entries still open; 1 or 0 where the tool speaks of one task
        self.completed = completed  # entries that this very call completed
        self.task = task  # the host's id of the task, where the tool speaks of one
