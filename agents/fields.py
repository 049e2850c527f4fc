"""What hosts' payloads have in common: fields that may hold anything, read without ever raising.

Three hosts name their fields alike; what differs stays in each adapter.
"""

from __future__ import annotations

from . import events
from .events import MOST_FILES, Event, Todos
from .hosts import registry as hosts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping
    from typing import Any

    Reader = Callable[[Event, Mapping[str, Any]], None]
    Read = Callable[[Mapping[str, Any], str], Event | None]
    Reply = Callable[[Event, str], str]

ID_CHARS = 200
"""Longest name, id or kind that is taken."""

WORD_CHARS = 50
"""Longest word that says how a session began, why it ended or what kind of failure it was."""

_PATH_CHARS = 4096
_PATCH_MARKS = (
    "*** Add File: ",
    "*** Update File: ",
    "*** Delete File: ",
    "*** Move to: ",
)
_OVER = ("completed", "cancelled", "deleted")


def dialect(
    host: str, readers: Mapping[str, Reader], answered: Collection[str], limit_bytes: int
) -> tuple[Read, Reply]:
    """`read` and `reply` of a host that names its fields, and takes text, as Claude Code does."""

    def read(payload: Mapping[str, Any], name: str) -> Event | None:
        return event_of(payload, name, host, readers)

    def reply(event: Event, said: str) -> str:
        context = {"hookEventName": event.name, "additionalContext": said}
        return line(event, said, answered, limit_bytes, {"hookSpecificOutput": context})

    return read, reply


def line(
    event: Event, said: str, answered: Collection[str], limit_bytes: int, form: dict[str, Any]
) -> str:
    """`form`, which holds `said`, as a line; "" when the event is not one of `answered`.

    Raises ValueError above `limit_bytes` of UTF-8: cutting here could cut a memory in half.
    """
    if not said or event.name not in answered:
        return ""
    if len(said.encode("utf-8", "replace")) > limit_bytes:
        raise ValueError("reply too large")
    from ..db import quick_json

    return quick_json.dumps(form)


def event_of(
    payload: Mapping[str, Any], name: str, host: str, readers: Mapping[str, Reader]
) -> Event | None:
    """The event that one of `readers`, by the host's name for it, finds in `payload`.

    None when there is none for us, or when the payload bears another host's marks. `name` is
    the event given on the command line; the payload's own name wins.
    """
    if hosts.host_of(payload) not in (host, None):
        return None
    name = text(payload, "hook_event_name") or name
    session = text(payload, "session_id")
    reader = readers.get(name)
    if reader is None or not session:
        return None
    event = Event(
        "",
        host,
        name,
        session=session,
        cwd=path(payload, "cwd"),
        transcript=path(payload, "transcript_path"),
        agent_id=text(payload, "agent_id"),
    )
    reader(event, payload)
    return event if event.kind else None


def session_started(event: Event, payload: Mapping[str, Any]) -> None:
    """A session that began, and how."""
    event.kind = events.SESSION_STARTED
    event.detail = word(payload, "source")


def session_ended(event: Event, payload: Mapping[str, Any]) -> None:
    """A session that ended, and why."""
    event.kind = events.SESSION_ENDED
    event.detail = word(payload, "reason")


def turn_ended(event: Event, _payload: Mapping[str, Any]) -> None:
    """A turn whose words stand in the transcript."""
    event.kind = events.TURN_ENDED


def asked(event: Event, prompt: Any) -> None:
    """What the person asks."""
    if isinstance(prompt, str) and prompt.strip():
        event.kind = events.PROMPT
        event.prompt = prompt


def tool_starting(event: Event, tool: str, files: tuple[str, ...], role: str = "") -> None:
    """A tool about to run, of interest where it names files; `role` is its subagent's."""
    event.tool, event.files = tool, files
    if files:
        event.kind = events.TOOL_STARTING
        event.role = role if event.agent_id else ""


def tool_ended(event: Event, tool: str, files: tuple[str, ...], outcome: str) -> None:
    """A tool that ran: "ok", "failed", or "" where that is not known."""
    event.kind = events.TOOL_ENDED
    event.tool, event.files, event.outcome = tool, files, outcome


def listed(event: Event, todos: Todos | None) -> None:
    """How the agent's list stands, if the tool changed it."""
    event.todos = todos
    event.kind = events.TODOS if todos else ""


def subagent_started(event: Event, role: str) -> None:
    """A nameless subagent is the host's own, as one that sums up before a compaction."""
    event.role = role
    if role:
        event.kind = events.SUBAGENT_STARTED


def task_given(event: Event, given: Mapping[str, Any], task: str, role: str) -> None:
    """What a subagent is about to be asked, and of what kind it is: texts under these names."""
    prompt = given.get(task)
    if isinstance(prompt, str) and prompt.strip():
        event.kind = events.TASK_GIVEN
        event.prompt = prompt
        event.role = text(given, role)


def compacting(event: Event, payload: Mapping[str, Any]) -> None:
    """A context about to be compacted, and what led to it."""
    event.kind = events.COMPACTING
    event.detail = word(payload, "trigger")


def text(payload: Mapping[str, Any], key: str, limit: int = ID_CHARS) -> str:
    """The text under `key`, or "" when it is missing, of another type, or over `limit`."""
    value = payload.get(key)
    if not isinstance(value, str) or len(value) > limit:
        return ""
    if value.isprintable():
        return value
    return "".join(c if c.isprintable() else "\ufffd" for c in value)


def word(payload: Mapping[str, Any], key: str) -> str:
    """The one word under `key`, or "": a sentence is no kind of anything, nor ours to note."""
    value = payload.get(key)
    if not isinstance(value, str) or len(value) > WORD_CHARS:
        return ""
    is_word = value.replace("_", "").replace("-", "").replace(".", "").isalnum()
    return value if is_word and value.isascii() else ""


def path(payload: Mapping[str, Any], key: str) -> str:
    """The absolute path under `key`, or "": a name with control characters is not followed."""
    value = payload.get(key)
    if not isinstance(value, str) or not _is_path(value):
        return ""
    return value if value.startswith("/") or value[1:3] in (":\\", ":/") else ""


def mapping(payload: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """The object under `key`, or an empty one."""
    value = payload.get(key)
    return value if isinstance(value, dict) else {}


def files(values: Iterable[Any]) -> tuple[str, ...]:
    """Those of `values` that can be paths, as given, each once, at most `MOST_FILES`."""
    return tuple(dict.fromkeys(value for value in values if _is_path(value)))[:MOST_FILES]


def patch_files(patch: Any) -> tuple[str, ...]:
    """The paths that a patch in the form "*** Begin Patch" names, as given."""
    if not isinstance(patch, str):
        return ()
    return files(
        line[len(mark) :].strip()
        for line in patch.split("\n")
        for mark in _PATCH_MARKS
        if line.startswith(mark)
    )


def todos(
    tool: str, call: str, given: Any, before: Any = None, word: str = "content"
) -> Todos | None:
    """How the list `given` stands; None when it is no list.

    As completed counts what the list from `before` does not show as completed, by its words
    under `word`. Where no earlier list is told, that is all that is completed.
    """
    if not isinstance(given, list):
        return None
    now = [todo for todo in given if isinstance(todo, dict)]
    done_before = {
        str(todo.get(word))
        for todo in (before if isinstance(before, list) else [])
        if isinstance(todo, dict) and todo.get("status") == "completed"
    }
    done = [todo for todo in now if todo.get("status") == "completed"]
    fresh = [todo for todo in done if str(todo.get(word)) not in done_before]
    open_ = [todo for todo in now if todo.get("status") not in _OVER]
    return Todos(tool, call, len(open_), len(fresh))


def _is_path(value: Any) -> bool:
    if not isinstance(value, str) or not value or len(value) > _PATH_CHARS:
        return False
    if value.isprintable():
        return True
    return not any(c < " " or "\x7f" <= c < "\xa0" or "\ud800" <= c <= "\udfff" for c in value)
