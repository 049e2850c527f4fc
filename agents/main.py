"""One hook call: `memdeck-hook CLI EVENT`, the host's JSON on standard input.

The agent's session always goes on: exit code 0, nothing on standard error, and on standard output
one JSON object or nothing.
"""

from __future__ import annotations

import gc
import os
import sys
import time

from ..core.hosts import GUARD
from ..db.images import dumps_ascii, loads
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
    from collections.abc import Mapping, Sequence
    from types import ModuleType
    from typing import IO, Any

    from ..db.home import Home
    from ..hosts.wire import Event


def main(argv: Sequence[str] | None = None, stdin: IO[bytes] | None = None) -> int:
    """Answer one hook; always 0.

    `argv` are the words after the command's name, `stdin` a binary stream (default: the
    process's own, with a time limit). Without `argv` the process ends here, without tidying up.
    """
    if argv is None:
        gc.disable()
        _answer_quietly(sys.argv[1:], stdin)
        os._exit(0)
    _answer_quietly(list(argv), stdin)
    return 0


def _answer_quietly(words: list[str], stdin: IO[bytes] | None) -> None:
    """Answer a hook. Every exception ends here."""
    try:
        if os.environ.get(GUARD, "0") not in ("", "0"):
            return  # an agent that we started ourselves must not be remembered
        # `claude Stop`, also `--cli claude Stop`
        plain = [word.removeprefix("--cli").removeprefix("=") for word in words]
        host, name, *_ = [*filter(None, plain), "", ""]
        from ..hosts import registry

        adapter = registry.wire(host)
        if adapter is not None:
            _handle(adapter, name, stdin)
    except BaseException as error:
        _report(words, error)


def _handle(adapter: ModuleType, name: str, stdin: IO[bytes] | None) -> None:
    data = _read_handle(0) if stdin is None else stdin.read(PAYLOAD_BYTES + 1)
    payload = parse_payload(data)
    event: Event | None = adapter.read(payload, name) if payload is not None else None
    if event is None:
        return
    from ..db.home import Home

    home, kind = Home(), event.kind
    if kind == wire.COMMAND:
        from ..hosts import registry

        if not registry.is_shell_of(adapter, os.environ):  # the one-time word of a slash command
            spool.lay_word(home, event.detail, event.prompt)
        return
    mark_heartbeat(home, event.host, event.name)
    if not event.cwd:
        try:
            event.cwd = os.getcwd()  # the agent's
        except OSError:  # it is gone
            event.cwd = ""
    is_about_files = event.files and event.name in adapter.GROUPS["files"]
    if kind == TOOL_ENDED and (is_about_files or event.command):
        # These hosts take no text before a tool. It comes with the result: of a file, or a failure.
        _answer(home, [event.moment(TOOL_STARTING)], adapter)
    is_spooled = kind in SPOOLED
    moments = [event]
    if kind == PROMPT and event.name in adapter.ANSWERED:
        # Gemini takes the session's start only with a prompt. Memories that a start lacked, since
        # they were still being read, come with the first prompt after that.
        late = spool.late_start(home, event.session)
        if late or event.name in adapter.GROUPS["sessions"]:
            moments = [event.moment(OPENING, prompt="", agent_id="", late=late), event]
    is_left_over = False
    if kind == TASK_GIVEN:
        # The start of the subagent comes without a word of its task.
        from . import recall

        fitting = recall.fitting(home, event, limit_bytes=adapter.REPLY_BYTES)
        if fitting is not None:
            recall.keep(home, event, fitting)
    elif kind in ANSWERED and event.name in adapter.ANSWERED:
        is_left_over = is_spooled and spool.has_waiting(home)  # before our receipt waits there
        _answer(home, moments, adapter)
    elif kind == SESSION_STARTED:
        is_left_over = spool.has_waiting(home)
        _note_start(home, event)
    if is_spooled:
        size = spool.append(home, spool.record_of(event))
        if kind in DRAINED or is_left_over or size > spool.GROWN_BYTES:
            spool.start_drain(home)
    if event.name == adapter.REMINDED and event.detail != wire.CONTINUED:
        _remind(home, event)


def _note_start(home: Home, event: Event) -> None:
    """Note a start whose text comes with the next prompt: earlier injections may be gone."""
    if event.detail in ("", "startup"):
        return  # nearly always, and nothing was injected before it
    try:
        from . import recall

        if receipt := recall.reset(home, event):
            keep_receipt(home, event, receipt)
    except BaseException as error:
        _report([event.host, event.name], error)


def _answer(home: Home, moments: list[Event], adapter: ModuleType) -> None:
    """Inject the texts of `moments`, all of one event. A failure must not lose its record."""
    try:
        event = moments[-1]
        if event.kind == TOOL_STARTING:
            from ..db.activity import is_known

            paths = [os.path.join(event.cwd, path) for path in event.files]
            if not is_known(home, paths, event.command):
                return  # nearly always: the rest would cost the agent three times as much
        if event.kind == TODOS and not (event.prompt or event.begun):
            return  # no task was begun
        from . import recall

        answers = recall.answers(home, moments, limit_bytes=adapter.REPLY_BYTES)
        text = BETWEEN.join(answer.text for answer in answers if answer.text)
        if reply := adapter.reply(event, text):
            _print(reply)
        for moment, answer in zip(moments, answers, strict=False):
            if answer.receipt is not None:
                keep_receipt(home, moment, answer.receipt, answer.text)
    except BaseException as error:
        _report([moments[-1].host, moments[-1].name], error)


REMINDED_BYTES = 256 * 1024  # size of a transcript from which on its session is long


def _remind(home: Home, event: Event) -> None:
    """Let the agent of a long session go on once, to record what it learned, if that is set."""
    try:
        with open(home.config, "rb") as file:
            if b"nudge" not in file.read():
                return  # nearly always
        if os.path.getsize(event.transcript) < REMINDED_BYTES:
            return
    except OSError:
        return
    from . import recall

    if reminder := recall.reminder(home, event):
        _print(dumps_ascii({"decision": "block", "reason": reminder}))


def _print(reply: str) -> None:
    """Hand `reply` to the host; a host that no longer listens is no error."""
    try:
        print(reply, flush=True)
    except OSError:
        # The interpreter flushes once more at its end, and would complain then.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _report(words: list[str], error: BaseException) -> None:
    """Leave a line for `memdeck doctor`, if even that is possible."""
    try:
        from ..db.home import Home

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
"""Events written to the spool. Prompts are not: their text stays in the host's transcript."""

ANSWERED = {
    SESSION_STARTED: "SessionStart",
    OPENING: "SessionStart",
    PROMPT: "UserPromptSubmit",
    TOOL_STARTING: "PreToolUse",
    SUBAGENT_STARTED: "SubagentStart",
    TODOS: "TaskBoundary",
}
"""Events that inject: by kind, the name of the event in recall and receipts."""

DRAINED = frozenset((TODOS, TURN_ENDED, COMPACTING, FAILED, SESSION_ENDED))
"""Events that start the drain: a turn, context or session ended, or the task list changed."""


PAYLOAD_BYTES = 8 * 1024 * 1024  # a larger payload is refused unread; hosts send a few kilobytes
PATIENCE_S = 2.0  # how long to wait for a host that never closes the pipe

_CHUNK_BYTES = 1 << 20
_PAUSE_MS = 50  # after so long without news a complete object counts as the whole payload


def parse_payload(data: bytes) -> dict[str, Any] | None:
    """Return the JSON object in `data`; None for anything else.

    Bytes that are no UTF-8 become U+FFFD, a byte order mark is skipped. Raises ValueError
    when the payload is larger than `LIMIT_BYTES`.
    """
    if len(data) > PAYLOAD_BYTES:
        raise ValueError("payload too large")
    text = data.decode("utf-8", "replace").lstrip("\ufeff").strip("\0 \t\r\n")
    if not text.startswith("{"):
        return None
    try:
        matches = loads(text)
    except (ValueError, RecursionError):  # not JSON, a number of 5,000 digits, too deep
        return None
    return matches if isinstance(matches, dict) else None


def _read_handle(handle: int) -> bytes:
    """Read until the end, the limit, or `PATIENCE_S` without a complete object."""
    import select

    poll = select.poll() if hasattr(select, "poll") else None  # a pipe of Windows cannot be polled
    if poll is not None:
        poll.register(handle, select.POLLIN)
    deadline = time.monotonic() + PATIENCE_S
    data = bytearray()
    looked_at = 0  # size at which the object was last found to be incomplete
    while len(data) <= PAYLOAD_BYTES and (seconds := deadline - time.monotonic()) > 0:
        if poll is None or poll.poll(min(seconds * 1000, _PAUSE_MS)):
            part = os.read(handle, min(_CHUNK_BYTES, PAYLOAD_BYTES + 1 - len(data)))
            if not part:
                break
            data += part
        elif len(data) > looked_at and data.rstrip().endswith(b"}"):
            looked_at = len(data)
            if parse_payload(bytes(data)) is not None:
                break  # complete, though the host keeps the pipe open
    return bytes(data)


def mark_heartbeat(home: Home, host: str, name: str) -> None:
    """Note that `host` sent `name` now; never raises. Both are names of our own adapters."""
    folder = os.path.join(home.log, "fired")
    path = os.path.join(folder, f"{host}.{name}")
    if os.path.islink(home.log) or os.path.islink(folder):
        return  # `status` says so
    try:
        try:
            os.utime(path, follow_symlinks=False)
        except FileNotFoundError:
            # A home that does not exist yet is not begun for it.
            if os.path.isdir(home.log):
                os.makedirs(folder, mode=0o700, exist_ok=True)
                os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError:
        return


def heartbeats(home: Home) -> dict[str, dict[str, float]]:
    """Return by host, by event: seconds since 1970 at which it last came."""
    matches: dict[str, dict[str, float]] = {}
    try:
        marks = list(os.scandir(os.path.join(home.log, "fired")))
    except OSError:
        return {}
    for entry in marks:
        host, _, name = entry.name.partition(".")
        if name:
            matches.setdefault(host, {})[name] = entry.stat(follow_symlinks=False).st_mtime
    return matches


BETWEEN = "\n\n"  # between the texts of several moments


class Answer:
    """The text for the model, and its receipt."""

    __slots__ = ("receipt", "text")

    def __init__(self, text: str, receipt: dict[str, Any] | None) -> None:
        self.text = text
        self.receipt = receipt  # None when there was nothing to choose from


def keep_receipt(home: Home, event: Event, receipt: Mapping[str, Any], text: str = "") -> None:
    """Write a receipt to the spool: ids, numbers and the `text`; no word of any prompt.

    The text is made of memories, which hold no secrets. The drain finds the prompt in the host's
    transcript, and redacts it there.
    """
    items = [{**item, "title": ""} for item in receipt["items"]]
    noted = {**receipt, "items": items}
    if text:
        noted["text"] = text
    if event.kind == PROMPT and event.transcript:
        noted["transcript"] = event.transcript
    record = spool.new_record(spool.RECEIPT, event.host, event.session, event.cwd)
    spool.append(home, {**record, "receipt": noted})


if __name__ == "__main__":
    sys.exit(main())
