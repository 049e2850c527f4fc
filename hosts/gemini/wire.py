"""Gemini CLI's dialect: its payload in, an event out; what we recall in, its reply out.

Fields and shapes as seen in 0.61.0. `PreCompress` is not read: it comes before every request to
the model. Before a tool runs nothing can be said, so that what is known of a file comes after
it was read. When a session starts nothing is said either: without a screen the host puts that
text in front of the prompt before it looks for a slash command, and would find none. It comes with
the first prompt.
"""

from __future__ import annotations

from ...db import quick_json
from .. import wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any


HOST = "gemini"
TITLE = "Gemini CLI"
INSTALL = "npm install -g @google/gemini-cli"

GROUPS: dict[str, tuple[str, ...]] = {
    "sessions": ("SessionStart", "BeforeAgent", "SessionEnd"),
    "prompts": ("BeforeAgent",),
    "turns": ("AfterAgent",),
    "todos": ("AfterTool",),
    "compaction": (),  # nothing tells of one
    "files": ("AfterTool",),
    "results": ("AfterTool",),
    "roles": (),  # subagents are not told of
    "errors": (),
}
TODO_TOOLS: tuple[str, ...] = ("write_todos",)
FILE_TOOLS: tuple[str, ...] = ("read_file", "write_file", "replace")
TASK_TOOLS: tuple[str, ...] = ()
ANSWERED: tuple[str, ...] = ("BeforeAgent", "AfterTool")  # there it escapes "<" and ">"
REPLY_BYTES = 9900  # the host has no limit of its own
FORM = "markdown"
MOST_TOKENS: int | None = None
SESSION_VARIABLE = "GEMINI_SESSION_ID"
MARKS: tuple[str, ...] = ("GEMINI_CLI",)
IN_HOOKS = False
HOOK_FILES = (
    (("GEMINI_CLI_HOME", ".gemini"),),
    "~/.gemini",
    ".gemini",
    {"user": "settings.json", "project": "settings.json"},
)

LOADS: tuple[tuple[str, ...], ...] = (("GEMINI.md",), ("@/GEMINI.md",), ("memory:MEMORY.md",))


def memory_folder(base: str, root: str, read: Callable[[str], str]) -> str:
    """The folder of its own memory for a project; "" if it has no name for the project yet."""
    try:
        slugs = quick_json.loads(read(f"{base}/projects.json") or "{}")["projects"]
        return f"{base}/tmp/{slugs[root]}/memory" if isinstance(slugs[root], str) else ""
    except (ValueError, RecursionError, KeyError, TypeError):
        return ""


_SHELL = "run_shell_command"
_TAIL = ("Error:", "Signal:", "Background PIDs:", "Process Group PGID:", "</untrusted_context>")
_MOST_TAIL_LINES = 12


def _before_agent(event: wire.Event, payload: Mapping[str, Any]) -> None:
    """A slash command of ours arrives as its text: no question to memory."""
    prompt = payload.get("prompt")
    if isinstance(prompt, str) and not wire.commanded(event, prompt):
        wire.prompted(event, prompt)


def _before_tool(event: wire.Event, payload: Mapping[str, Any]) -> None:
    wire.tool_starting(event, wire.text(payload, "tool_name"), _files(payload))


def _after_tool(event: wire.Event, payload: Mapping[str, Any]) -> None:
    tool = wire.text(payload, "tool_name")
    if tool in TODO_TOOLS:
        values = wire.mapping(payload, "tool_input").get("todos")
        # The host names no call: the drain finds the list in the transcript by itself.
        wire.listed(
            event, None if _error(payload) else wire.todos(tool, "", values, word="description")
        )
    elif tool:
        wire.tool_ended(event, tool, _files(payload), _outcome(tool, payload))


def _outcome(tool: str, payload: Mapping[str, Any]) -> str:
    if "tool_response" not in payload:
        return ""
    if _error(payload):
        return "failed"
    if tool != _SHELL:
        return "ok"
    code = _exit_code(wire.mapping(payload, "tool_response").get("llmContent"))
    return "failed" if code else "ok"


def _exit_code(content: Any) -> int:
    """The exit code among the lines that the host adds below what a command printed.

    It adds none for success; a line of that form further up was printed by the command.
    """
    if not isinstance(content, str):
        return 0
    for line in reversed(content[-4000:].rstrip().split("\n")[-_MOST_TAIL_LINES:]):
        if line.startswith("Exit Code: "):
            try:
                return int(line.removeprefix("Exit Code: "))
            except ValueError:
                return 0
        if line and not line.startswith(_TAIL):
            return 0
    return 0


def _error(payload: Mapping[str, Any]) -> bool:
    return bool(wire.mapping(payload, "tool_response").get("error"))


def _files(payload: Mapping[str, Any]) -> tuple[str, ...]:
    if payload.get("tool_name") not in FILE_TOOLS:
        return ()
    values = wire.mapping(payload, "tool_input")
    return wire.files((values.get("file_path") or values.get("absolute_path"),))


_READERS = {
    "SessionStart": wire.session_started,
    "BeforeAgent": _before_agent,
    "BeforeTool": _before_tool,
    "AfterTool": _after_tool,
    "AfterAgent": wire.turn_ended,
    "SessionEnd": wire.session_ended,
}
EVENTS: tuple[str, ...] = tuple(_READERS)
read, reply = wire.dialect(HOST, _READERS, ANSWERED, REPLY_BYTES)
