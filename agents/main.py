"""One hook call: `memdeck-hook CLI EVENT`, the host's JSON on standard input.

Whatever happens inside, the agent's session goes on: exit code 0, nothing on standard
error, and on standard output one JSON object or nothing.
"""

from __future__ import annotations

import gc
import os
import sys
import time

from ..core.hosts import GUARD
from ..db import quick_json
from ..hosts import wire
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
from . import spool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import ModuleType
    from typing import IO, Any

    from ..db.home import Home
    from ..hosts.wire import Event


def main(argv: Sequence[str] | None = None, stdin: IO[bytes] | None = None) -> int:
    """Answer one hook; always 0.

    `argv` are the words after the command's name, `stdin` a binary stream (default: the
    process's own, with a time limit). Without `argv` the words are the process's own, and the
    process ends here, without the tidying up that would take a quarter of a note's time.
    """
    if argv is None:
        gc.disable()
        _answer_quietly(sys.argv[1:], stdin)
        os._exit(0)
    _answer_quietly(list(argv), stdin)
    return 0


def _answer_quietly(words: list[str], stdin: IO[bytes] | None) -> None:
    """The one place where everything that can be raised ends."""
    try:
        if os.environ.get(GUARD, "0") not in ("", "0"):
            return  # an agent that we started ourselves must not be remembered
        host, name = _names(words)
        from ..hosts import registry

        adapter = registry.wire(host)
        if adapter is not None:
            _handle(adapter, name, stdin)
    except BaseException as error:
        _report(words, error)


def _handle(adapter: ModuleType, name: str, stdin: IO[bytes] | None) -> None:
    payload = parse_payload(read_stdin(stdin))
    event: Event | None = adapter.read(payload, name) if payload is not None else None
    if event is None:
        return
    from ..db.home import Home
    from ..hosts import wire

    home = Home()
    if event.kind == wire.COMMAND:
        _note_command(home, event, adapter)
        return
    mark_heartbeat(home, event.host, event.name)
    event.cwd = event.cwd or _here()
    if event.kind == wire.TOOL_ENDED and event.files and event.name in adapter.GROUPS["files"]:
        _tell_late(home, event, adapter)
    wanted = is_wanted(home, event.kind)
    opening = _opening(home, event, adapter)
    first_prompt = _first_prompt(home, event)
    moments = [
        item for item in (opening, event if wanted else None, first_prompt) if item is not None
    ]
    if not moments:
        return
    if event.kind == wire.TASK_GIVEN:
        _set_aside(home, event, adapter)
        return
    is_spooled = wanted and event.kind in SPOOLED
    is_left_over = False
    if event.kind in ANSWERED and event.name in adapter.ANSWERED:
        try:
            is_left_over = is_spooled and _waits(home)  # before our own receipt waits there
            _answer(home, moments, adapter)
        except BaseException as error:  # an unanswered event is still worth a note
            _report([event.host, event.name], error)
    elif event.kind == wire.SESSION_STARTED:
        is_left_over = _waits(home)
        _note_start(home, event)
    if is_spooled:
        _spool(home, event, is_left_over)


def _note_command(home: Home, event: Event, adapter: ModuleType) -> None:
    """Lay down the one-time word of a slash command, unless a tool of the agent called us."""
    from ..hosts import registry

    if not registry.is_shell_of(adapter, os.environ):
        spool.lay_word(home, event.detail, event.prompt)


def _tell_late(home: Home, event: Event, adapter: ModuleType) -> None:
    """What is known of a tool's files, with its result: Gemini takes no text before a tool."""
    from ..hosts import wire

    if not is_wanted(home, wire.TOOL_STARTING):
        return
    event.kind = wire.TOOL_STARTING
    try:
        _answer(home, [event], adapter)
    except BaseException as error:
        _report([event.host, event.name], error)
    finally:
        event.kind = wire.TOOL_ENDED


def _set_aside(home: Home, event: Event, adapter: ModuleType) -> None:
    """What fits a subagent's task, for its start: that comes without a word of the task."""
    from . import recall

    fitting = recall.fitting(home, event, limit_bytes=adapter.REPLY_BYTES)
    if fitting is not None:
        recall.keep(home, event, fitting)


def _opening(home: Home, event: Event, adapter: ModuleType) -> Event | None:
    """What belongs to the session's start, where the host takes it with a prompt alone: Gemini."""
    from ..hosts import wire

    if event.kind != wire.PROMPT or event.name not in adapter.GROUPS["sessions"]:
        return None
    if not is_wanted(home, wire.OPENING):
        return None
    return event.moment(wire.OPENING, prompt="", agent_id="")


def _first_prompt(home: Home, event: Event) -> Event | None:
    """What the person asked first, where it comes along with the session's start."""
    from ..hosts import wire

    is_asked = event.kind == wire.SESSION_STARTED and bool(event.prompt)
    if not is_asked or not is_wanted(home, wire.PROMPT):
        return None
    return event.moment(wire.PROMPT, detail="", agent_id="")


def _note_start(home: Home, event: Event) -> None:
    """A start that is told with the next prompt: what was told before it may be gone."""
    if event.detail in ("", "startup"):
        return  # nearly always, and nothing was told before it
    try:
        from . import recall as recall_hook

        if receipt := recall_hook.reset(home, event):
            keep_receipt(home, event, receipt)
    except BaseException as error:
        _report([event.host, event.name], error)


def _answer(home: Home, moments: list[Event], adapter: ModuleType) -> None:
    """Tell what belongs to `moments`, all of them under the name of one event."""
    from ..hosts import wire

    event = moments[-1]
    if event.kind == wire.TOOL_STARTING and not _is_known(home, event):
        return  # nearly always: the rest would cost the agent three times as much
    from . import recall as recall_hook

    answers = recall_hook.answers(home, moments, limit_bytes=adapter.REPLY_BYTES)
    if reply := adapter.reply(event, joined(answers)):
        _print(reply)
    for moment, answer in zip(moments, answers, strict=False):
        if answer.receipt is not None:
            keep_receipt(home, moment, answer.receipt, answer.text)


def _is_known(home: Home, event: Event) -> bool:
    """Whether any memory names a file that the tool is about to touch."""
    if not event.files:
        return False
    from ..db.activity import is_known

    return is_known(home, [os.path.join(event.cwd, path) for path in event.files])


def _waits(home: Home) -> bool:
    from . import spool

    return spool.has_waiting(home)


def _spool(home: Home, event: Event, is_left_over: bool) -> None:
    from . import spool

    size = spool.append(home, spool.record_of(event))
    if event.kind in DRAINED or is_left_over or size > spool.GROWN_BYTES:
        from . import spool

        spool.start_drain(home)


def _print(reply: str) -> None:
    """Hand `reply` to the host; a host that no longer listens is no error."""
    try:
        print(reply, flush=True)
    except OSError:
        # The interpreter flushes once more at its end, and would complain then.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _here() -> str:
    """The folder we were started in, which is the agent's; "" when it is gone."""
    try:
        return os.getcwd()
    except OSError:
        return ""


def _names(words: list[str]) -> tuple[str, str]:
    """Host and event of the command line: `claude Stop`, also `--cli claude Stop`."""
    plain: list[str] = []
    for word in words:
        plain.extend(part for part in (word.removeprefix("--cli").removeprefix("="),) if part)
    return (plain[0] if plain else "", plain[1] if len(plain) > 1 else "")


def _report(words: list[str], error: BaseException) -> None:
    """Leave a line for `memdeck doctor`, if even that is possible."""
    try:
        from ..db.home import Home
        from . import spool

        spool.log_error(Home(), " ".join(words[:2]), error)
    except BaseException:  # the log itself: there is nowhere else to say it
        return


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


PAYLOAD_BYTES = 8 * 1024 * 1024
"""A larger payload is refused unread; hosts send a few kilobytes."""

PATIENCE_S = 2.0
"""How long to wait for a host that never closes the pipe."""

_CHUNK_BYTES = 1 << 20
_PAUSE_MS = 50  # after so long without news a complete object counts as the whole payload


def read_stdin(stream: IO[bytes] | None) -> bytes:
    """At most `LIMIT_BYTES` + 1 bytes of `stream`, or of standard input when it is None."""
    if stream is not None:
        return stream.read(PAYLOAD_BYTES + 1)
    return _read_handle(0)


def parse_payload(data: bytes) -> dict[str, Any] | None:
    """The JSON object in `data`; None for anything else.

    Bytes that are no UTF-8 become U+FFFD, a byte order mark is skipped. Raises ValueError
    when the payload is larger than `LIMIT_BYTES`.
    """
    if len(data) > PAYLOAD_BYTES:
        raise ValueError("payload too large")
    text = data.decode("utf-8", "replace").lstrip("\ufeff").strip("\0 \t\r\n")
    if not text.startswith("{"):
        return None
    try:
        matches = quick_json.loads(text)
    except (ValueError, RecursionError):  # not JSON, a number of 5,000 digits, too deep
        return None
    return matches if isinstance(matches, dict) else None


def _read_handle(handle: int) -> bytes:
    """Read until the end, the limit, or `PATIENCE_S` without a complete object."""
    wait = _waiter(handle)
    if wait is None:
        return _read_blocking(handle)
    deadline = time.monotonic() + PATIENCE_S
    parts: list[bytes] = []
    size = 0
    looked_at = 0  # size at which the object was last found to be incomplete
    while size <= PAYLOAD_BYTES:
        monotonic = deadline - time.monotonic()
        if monotonic <= 0:
            break
        if wait(min(monotonic, _PAUSE_MS / 1000)):
            part = os.read(handle, min(_CHUNK_BYTES, PAYLOAD_BYTES + 1 - size))
            if not part:
                break
            parts.append(part)
            size += len(part)
        elif size > looked_at and parts[-1].rstrip().endswith(b"}"):
            looked_at = size
            if parse_payload(b"".join(parts)) is not None:
                break  # complete, though the host keeps the pipe open
    return b"".join(parts)


def _read_blocking(handle: int) -> bytes:
    """Read to the end or the limit, where a pipe cannot be polled (Windows)."""
    parts: list[bytes] = []
    size = 0
    while size <= PAYLOAD_BYTES and (part := os.read(handle, PAYLOAD_BYTES + 1 - size)):
        parts.append(part)
        size += len(part)
    return b"".join(parts)


def _waiter(handle: int) -> Callable[[float], bool] | None:
    """A function that waits so many seconds for news from `handle`; None without poll(2)."""
    import select

    if not hasattr(select, "poll"):
        return None
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    return lambda seconds: bool(poll.poll(seconds * 1000))


def heartbeat_folder(home: Home) -> str:
    """Where the marks lie."""
    return os.path.join(home.log, "fired")


def mark_heartbeat(home: Home, host: str, name: str) -> None:
    """Note that `host` sent `name` now; never raises. Both are names of our own adapters."""
    path = os.path.join(heartbeat_folder(home), f"{host}.{name}")
    try:
        os.utime(path)
    except FileNotFoundError:
        _begin_heartbeat(home, path)
    except OSError:
        return


def _begin_heartbeat(home: Home, path: str) -> None:
    """Make a mark; a home that does not exist yet is not begun for it."""
    try:
        if os.path.isdir(home.log):
            os.makedirs(heartbeat_folder(home), mode=0o700, exist_ok=True)
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    except OSError:
        return


def heartbeats(home: Home) -> dict[str, dict[str, float]]:
    """By host, by event: seconds since 1970 at which it last came."""
    matches: dict[str, dict[str, float]] = {}
    try:
        marks = list(os.scandir(heartbeat_folder(home)))
    except OSError:
        return {}
    for entry in marks:
        host, _, name = entry.name.partition(".")
        if name:
            matches.setdefault(host, {})[name] = entry.stat(follow_symlinks=False).st_mtime
    return matches


BETWEEN = "\n\n"
"""What stands between the texts of several moments."""


class Answer:
    """The text for the model, and its account."""

    __slots__ = ("receipt", "text")

    def __init__(self, text: str, receipt: dict[str, Any] | None) -> None:
        self.text = text
        self.receipt = receipt  # None when there was nothing to choose from


def joined(answers: Sequence[Answer]) -> str:
    """The texts of several moments as one."""
    return BETWEEN.join(answer.text for answer in answers if answer.text)


def keep_receipt(home: Home, event: Event, receipt: Mapping[str, Any], text: str = "") -> None:
    """Note in the spool what was injected: ids, numbers and the `text`; no word of any prompt.

    The text is made of memories, which hold no secrets. The drain finds the prompt in the host's
    transcript, and redacts it there.
    """
    items = [{**item, "title": ""} for item in receipt["items"]]
    about, after = receipt["about"], receipt["about"]["next"]
    if after:
        about = {**about, "next": {**after, "title": ""}}
    noted = {**receipt, "items": items, "about": about}
    if text:
        noted["text"] = text
    if event.kind == wire.PROMPT and event.transcript:
        noted["transcript"] = event.transcript
    record = spool.new_record(spool.RECEIPT, event.host, event.session, event.cwd)
    spool.append(home, {**record, "receipt": noted})


if __name__ == "__main__":
    sys.exit(main())
