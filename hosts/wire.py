"""The common part of hosts' payloads: the event, and fields read without ever raising.

Copilot runs a repository's Claude Code hooks, Cursor may: the command line names the host, and a
payload with another host's marks is not its own.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

SESSION_STARTED = "session_started"
OPENING = "opening"  # the start, injected with the first prompt: no host sends this
PROMPT = "prompt"
COMMAND = "command"  # the user typed one of our slash commands
TOOL_STARTING = "tool_starting"
TOOL_ENDED = "tool_ended"
TASK_GIVEN = "task_given"  # a subagent is about to start with this task
TODOS = "todos"
TASK_COMPLETED = "task_completed"
TURN_ENDED = "turn_ended"
SUBAGENT_STARTED = "subagent_started"
SUBAGENT_ENDED = "subagent_ended"
COMPACTING = "compacting"
FAILED = "failed"
SESSION_ENDED = "session_ended"

MOST_FILES = 20  # files of one tool call that are read


KNOWN_TOOLS = frozenset(
    "Bash Read Edit Write MultiEdit NotebookEdit Grep Glob Task Agent WebFetch WebSearch"
    " apply_patch shell exec run_shell_command read_file write_file replace"
    " bash read edit write multiedit patch grep glob webfetch".split()
)
"""Tools whose name may be stored; of others only the fact that they ran."""


class Event:
    """One event. Texts are "" if the host did not give them."""

    session = ""
    cwd = ""
    transcript = ""  # of the subagent, when one ended
    detail = ""  # kind of a start, reason of an end, cause of a compaction or a failure
    agent_id = ""
    prompt = ""  # never written to the spool; on TODOS the task that is begun, in words
    command = ""  # of a shell that is about to run it, or failed; never written to the spool
    begun = ""  # the host's id of the task that is begun, on TODOS
    role = ""  # the kind of the subagent that starts, ended or works: "explorer"
    tool = ""  # the tool's name as the host says it, on TOOL_STARTING and TOOL_ENDED
    files: tuple[str, ...] = ()  # that the tool call names, at most MOST_FILES, as given
    outcome = ""  # of a tool that ended: "ok", "failed" or "" when unknown
    late = ""  # of a repeated start: the time of the oldest event that it had lacked, in ms
    task = ""  # the host's id of the task that was completed, on TODOS and TASK_COMPLETED

    def __init__(self, kind: str, host: str, name: str, **existing: str) -> None:
        self.kind = kind  # one of the constants above
        self.host = host  # claude, codex, gemini, opencode
        self.name = name  # the event as the host calls it, for the reply
        self.__dict__.update(existing)

    def moment(self, kind: str, **changes: str) -> Event:
        """Return another event at the same moment, with all fields equal except `changes`."""
        made = Event(kind, self.host, self.name)
        made.__dict__.update({**self.__dict__, **changes, "kind": kind})
        return made


if TYPE_CHECKING:
    Payload = Mapping[str, Any]
    Reader = Callable[[Event, Payload], None]
    ReadText = Callable[[str], str]

ID_CHARS = 200  # longest name, id or kind that is taken

WORD_CHARS = 50
"""Longest word for a start, an end or a kind of failure."""

_PATH_CHARS = 4096
_PATCH_MARKS = ("*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: ")


def started(event: Event, payload: Payload) -> None:
    event.kind = SESSION_STARTED
    event.detail = word(payload, "source")


def ended(event: Event, payload: Payload) -> None:
    event.kind = SESSION_ENDED
    event.detail = word(payload, "reason")


CONTINUED = "continued"  # the detail of a turn's end that a hook has made go on


def turn_ended(event: Event, payload: Payload) -> None:
    """Read the end of a turn, whose words are in the transcript."""
    event.kind = TURN_ENDED
    event.detail = CONTINUED if payload.get("stop_hook_active") is True else ""


def compacting(event: Event, payload: Payload) -> None:
    """Read a compaction that is about to happen, with its cause."""
    event.kind = COMPACTING
    event.detail = word(payload, "trigger")


def subagent_started(event: Event, payload: Payload) -> None:
    """Read the start of a subagent. A nameless one is the host's own, as for a compaction."""
    event.role = text(payload, "agent_type")
    event.kind = SUBAGENT_STARTED if event.role else ""


def subagent_ended(event: Event, payload: Payload) -> None:
    """Read the end of a subagent, whose words are in a transcript of its own."""
    event.role = text(payload, "agent_type")
    event.transcript = path(payload, "agent_transcript_path")
    event.kind = SUBAGENT_ENDED if event.role and event.transcript else ""


def prompted(event: Event, prompt: Any, sign: str = "/") -> None:
    """Read a prompt of the user, or one of our commands, which begins with `sign`."""
    if isinstance(prompt, str) and prompt.strip() and not _commanded(event, prompt, sign):
        event.kind = PROMPT
        event.prompt = prompt


def asked(event: Event, payload: Payload) -> None:
    """Read a prompt of the user."""
    prompted(event, payload.get("prompt"))


class Wire:
    """A host's dialect. Its module imports the least it can, since an agent waits for it."""

    HOST = ""  # the name in settings, on command lines, in the store
    TITLE = ""  # the name for people
    INSTALL = ""  # the command that installs it
    GROUPS: Mapping[str, tuple[str, ...]] = {}  # by group, the events that serve it
    ANSWERED: tuple[str, ...] = ()  # the events whose reply may hold text for the model
    REMINDED = ""  # the event whose reply may let the model go on, for one reminder
    REPLY_BYTES = 9900  # longest text for the model, in bytes of UTF-8
    LOADS: tuple[tuple[str, ...], ...] = ()
    """Files that it loads itself at a start, each with those in whose presence it does not: below
    the project's folders, the user's (`@/`) or its memory's for the project (`memory:`)."""
    INDEX_LIMIT: tuple[int | None, int | None] = (None, None)
    """Lines and characters of its memory's index that a start loads."""
    FORM = "plain"  # of injected text (`core/recall/frame.py`): xml, markdown or plain
    MOST_TOKENS: int | None = None  # that it takes from one hook, however large the budget
    SESSION_VARIABLE = ""  # holds the session's id in the environment of its children
    MARKS: tuple[str, ...] = ()  # variables in the environment of its children
    IN_HOOKS = False  # whether hooks have these marks too
    HOOK_FILES: tuple[tuple[tuple[str, str], ...], str, str, Mapping[str, str]]
    """As of `HookFiles` in `hosts/install.py`."""
    HOOK_ENTRIES: Mapping[str, Any] | None = None  # as of its `Installer`; None: one of its own

    todos: tuple[str, ...] = ()  # tools that keep the agent's list
    todo_field = "todos"  # of the list in a call
    shells: tuple[str, ...] = ()  # tools that run a command
    files: tuple[str, ...] = ()  # tools that read or edit a file
    tasks: tuple[str, ...] = ()  # tools that start a subagent whose start event lacks its task
    paths: tuple[str, ...] = ()  # fields of a path
    patches: tuple[str, ...] = ()  # fields of a patch in the form "*** Begin Patch"
    task: tuple[str, str] = ("prompt", "subagent_type")  # fields of a task, and of the role for it

    def __init__(self) -> None:
        self.readers = self.make_readers()
        self.EVENTS = tuple(self.readers)  # that can be read, in the order of their registration

    def make_readers(self) -> dict[str, Reader]:
        """Map the host's event names to their readers; {} by default."""
        return {}

    def memory_folder(self, _base: str, _root: str, _read: ReadText) -> str:
        """Return the folder of its own memory for a project; "" where a start loads none.

        `base` is its settings folder, `root` the main checkout, `read` gives a file's text.
        """
        return ""

    def read(self, payload: Payload, name: str) -> Event | None:
        """Return the event in a payload, or None if it is not for us.

        None also for a payload with another host's marks. `name` is the event given on the
        command line; the payload's own name wins.
        """
        if sender_of(payload) not in (self.HOST, None):
            return None
        name = text(payload, "hook_event_name") or name
        session = text(payload, "session_id")
        reader = self.readers.get(name)
        if reader is None or not session:
            return None
        event = Event(
            "",
            self.HOST,
            name,
            session=session,
            cwd=path(payload, "cwd"),
            transcript=path(payload, "transcript_path"),
            agent_id=text(payload, "agent_id"),
        )
        reader(event, payload)
        return event if event.kind else None

    def reply(self, event: Event, message: str) -> str:
        """Return the line that hands a text to the model; "" if there is nothing to hand over.

        Raises ValueError above `REPLY_BYTES`: cutting here could cut a memory in half.
        """
        if not message or event.name not in self.ANSWERED:
            return ""
        if len(message.encode("utf-8", "replace")) > self.REPLY_BYTES:
            raise ValueError("reply too large")
        from ..db.images import dumps_ascii

        return dumps_ascii(self.form(event, message))

    def form(self, event: Event, message: str) -> Payload:
        """Return the object that holds a text for the model."""
        context = {"hookEventName": event.name, "additionalContext": message}
        return {"hookSpecificOutput": context}

    def has_changed(self, _event: Event, payload: Payload) -> bool:
        """Return True if a call changed the list; note the task that it completed."""
        values = mapping(payload, "tool_input").get(self.todo_field)
        has_failed = mapping(payload, "tool_response").get("error")
        return isinstance(values, list) and not has_failed

    def outcome(self, _event: Event, _payload: Payload) -> str:
        """Return "ok", "failed", or "" where that is not known."""
        return ""

    def starting(self, event: Event, payload: Payload) -> None:
        """Read the start of a tool that names files, or gives a subagent its task."""
        values = mapping(payload, "tool_input")
        event.tool = text(payload, "tool_name")
        if event.tool in self.tasks:
            prompt = values.get(self.task[0])
            # Some models of Codex hand it over enciphered.
            if isinstance(prompt, str) and (" " in prompt.strip() or not prompt.isascii()):
                event.kind, event.prompt = TASK_GIVEN, prompt
                event.role = text(values, self.task[1])
            return
        event.files = self._files(event.tool, values)
        event.command = self._command(event, values)
        if event.files or event.command:
            event.kind = TOOL_STARTING
            event.role = text(payload, "agent_type") if event.agent_id else ""

    def ended(self, event: Event, payload: Payload) -> None:
        """Read the end of a tool, or the list that it changed."""
        tool = text(payload, "tool_name")
        if tool in self.todos:
            event.kind = TODOS if self.has_changed(event, payload) else ""
            event.prompt = event.prompt or self._begun(payload)
        elif tool:
            event.kind, event.tool = TOOL_ENDED, tool
            event.files = self._files(tool, mapping(payload, "tool_input"))
            event.outcome = self.outcome(event, payload)
            if event.outcome == "failed":
                event.command = self._command(event, mapping(payload, "tool_input"))

    def _begun(self, payload: Payload) -> str:
        """Return the item of a list that is begun, and was not before; "" for none."""
        listed = mapping(payload, "tool_input").get(self.todo_field)
        before = mapping(payload, "tool_response").get("oldTodos")
        begun, earlier = (
            [
                next(filter(None, (text(item, name, COMMAND_CHARS) for name in _ITEM)), "")
                for item in (items if isinstance(items, list) else ())
                if isinstance(item, dict) and item.get("status") == "in_progress"
            ]
            for items in (listed, before)
        )
        return next((item for item in begun if item not in earlier), "")

    def _command(self, event: Event, values: Payload) -> str:
        is_asked = event.tool in self.shells and event.name in self.GROUPS["commands"]
        command = values.get("command") if is_asked else ""
        return command[:COMMAND_CHARS] if isinstance(command, str) else ""

    def _files(self, tool: str, values: Payload) -> tuple[str, ...]:
        if tool not in self.files:
            return ()
        named = files(values.get(name) for name in self.paths)
        return named or patch_files(next(filter(None, map(values.get, self.patches)), None))


_ITEM = ("content", "step", "description")  # fields of an item's words
COMMAND_CHARS = 2_000  # longest command, and longest item of a list, that is read

COMMANDS = ("remember", "forget", "pin", "mem")  # our slash commands (`hosts/commands.py`)

_EXPANDED = ("The user typed ", "The person typed ")  # the second by commands of older versions

WORDS_END = "MEMDECK_WORDS"
"""The line that ends the user's words in the text that a command expands to."""


def _commanded(event: Event, prompt: str, sign: str) -> bool:
    """Note one of our own commands that the user typed; return True if it is one.

    Some hosts report it as typed, others the text that it expands to.
    """
    text = prompt.strip()
    if text.startswith(_EXPANDED):
        called, _, text = text.partition(" typed ")[2].partition(".")
        _, mark, words = text.partition(f" --stdin <<'{WORDS_END}'\n")
        words = words.rpartition(f"\n{WORDS_END}\n")[0]
    else:
        mark = called = text.split(None, 1)[0] if text else ""
        words = text.removeprefix(called)
    name = called.removeprefix(sign)
    if not mark or name == called or name not in COMMANDS:
        return False
    event.kind, event.detail, event.prompt = COMMAND, name, words
    return True


def text(payload: Payload, key: str, limit: int = ID_CHARS) -> str:
    """Return the text under `key`, or "" when it is missing, of another type, or over `limit`."""
    value = payload.get(key)
    if not isinstance(value, str) or len(value) > limit:
        return ""
    if value.isprintable():
        return value
    return "".join(c if c.isprintable() else "\ufffd" for c in value)


def word(payload: Payload, key: str) -> str:
    """Return the one word under `key`, or "": a sentence is no kind, and must not be stored."""
    value = payload.get(key)
    if not isinstance(value, str) or len(value) > WORD_CHARS:
        return ""
    is_word = value.replace("_", "").replace("-", "").replace(".", "").isalnum()
    return value if is_word and value.isascii() else ""


def path(payload: Payload, key: str) -> str:
    """The absolute path under `key`, or "": a name with control characters is not followed."""
    value = payload.get(key)
    if not isinstance(value, str) or not _is_path(value):
        return ""
    return value if value.startswith("/") or value[1:3] in (":\\", ":/") else ""


def mapping(payload: Payload, key: str) -> Payload:
    """Return the object under `key`, or an empty one."""
    value = payload.get(key)
    return value if isinstance(value, dict) else {}


def files(values: Iterable[Any]) -> tuple[str, ...]:
    """Return those `values` that can be paths, as given, each once, at most `MOST_FILES`."""
    return tuple(dict.fromkeys(value for value in values if _is_path(value)))[:MOST_FILES]


def patch_files(patch: Any) -> tuple[str, ...]:
    """Return the paths that a patch in the form "*** Begin Patch" names, as given."""
    if not isinstance(patch, str):
        return ()
    return files(
        line[len(mark) :].strip()
        for line in patch.split("\n")
        for mark in _PATCH_MARKS
        if line.startswith(mark)
    )


def _is_path(value: Any) -> bool:
    if not isinstance(value, str) or not value or len(value) > _PATH_CHARS:
        return False
    if value.isprintable():
        return True
    return not any(c < " " or "\x7f" <= c < "\xa0" or "\ud800" <= c <= "\udfff" for c in value)


_GEMINI_EVENTS = (
    "SessionStart SessionEnd BeforeAgent AfterAgent BeforeModel AfterModel BeforeToolSelection"
    " BeforeTool AfterTool PreCompress Notification"
).split()  # no set, since a searched value may be a list


def sender_of(payload: Payload) -> str | None:
    """Return the host whose marks `payload` has; None without marks, as in old versions.

    The order matters: each test may assume that the earlier ones failed.
    """
    keys = payload.keys()
    if "cursor_version" in payload or {"conversation_id", "generation_id"} <= keys:
        return "cursor"
    if "hook_event_name" not in payload and (
        isinstance(payload.get("input"), dict) or isinstance(payload.get("event"), dict)
    ):
        return "opencode"  # the whole input of its plugins
    stamp = payload.get("timestamp")
    if "sessionId" in payload and isinstance(stamp, int):
        return "copilot"
    path = payload.get("transcript_path")
    if isinstance(stamp, str):
        theirs = payload.get("hook_event_name") in _GEMINI_EVENTS
        if not theirs or not isinstance(path, str) or {"tool_result", "stop_reason"} & keys:
            return "copilot"
        # Gemini's path is empty until it has a file; Copilot's file has always the same name.
        return "copilot" if path.endswith("events.jsonl") else "gemini"
    if "transcript_path" in payload and path is None:
        return "codex"
    if isinstance(path, str):
        parts = path.replace("\\", "/").split("/")
        if parts[-1].startswith("rollout-"):
            return "codex"
        if "projects" in parts[:-1]:
            return "claude"
    return "codex" if "turn_id" in payload else None


LONGEST_SLUG = 200
"""Characters of a project's folder name, from which on a hash takes the place of the rest."""


def in_folder(parent: str, root: str) -> str:
    """The folder below `parent` that Claude Code and Qwen Code make for the project at `root`.

    Its name is the path with `-` for all but ASCII letters and digits.
    """
    slug = "".join(c if c.isascii() and c.isalnum() else "-" for c in root)
    if len(slug) > LONGEST_SLUG:
        try:
            names = sorted(os.listdir(parent))
        except OSError:
            names = []
        slug = slug[:LONGEST_SLUG]
        slug = next((name for name in names if name.startswith(f"{slug}-")), slug)
    return f"{parent}/{slug}"
