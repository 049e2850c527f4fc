"""One hook call: `memdeck-hook CLI EVENT`, the host's JSON on standard input.

Whatever happens inside, the agent's session goes on: exit code 0, nothing on standard
error, and on standard output one JSON object or nothing.
"""

from __future__ import annotations

import gc
import os
import sys

from ..core.hosts import GUARD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType
    from typing import IO

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
    from . import stdin as payloads

    payload = payloads.parse(payloads.read(stdin))
    event: Event | None = adapter.read(payload, name) if payload is not None else None
    if event is None:
        return
    from ..db.home import Home
    from ..hosts import wire
    from . import heartbeats as fired
    from . import router

    home = Home()
    fired.mark(home, event.host, event.name)
    event.cwd = event.cwd or _here()
    if event.kind == wire.TOOL_ENDED and event.files and event.name in adapter.GROUPS["files"]:
        _tell_late(home, event, adapter)
    is_wanted = router.is_wanted(home, event.kind)
    opening = _opening(home, event, adapter)
    asked = _first_prompt(home, event)
    moments = [one for one in (opening, event if is_wanted else None, asked) if one is not None]
    if not moments:
        return
    if event.kind == wire.TASK_GIVEN:
        _set_aside(home, event, adapter)
        return
    is_spooled = is_wanted and event.kind in router.SPOOLED
    is_left_over = False
    if event.kind in router.ANSWERED and event.name in adapter.ANSWERED:
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


def _tell_late(home: Home, event: Event, adapter: ModuleType) -> None:
    """What is known of a tool's files, with its result: Gemini takes no text before a tool."""
    from ..hosts import wire
    from . import router

    if not router.is_wanted(home, wire.TOOL_STARTING):
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
    from . import recall as recall_hook
    from . import recall

    fitting = recall_hook.fitting(home, event, limit_bytes=adapter.REPLY_BYTES)
    if fitting is not None:
        recall.keep(home, event, fitting)


def _opening(home: Home, event: Event, adapter: ModuleType) -> Event | None:
    """What belongs to the session's start, where the host takes it with a prompt alone: Gemini."""
    from ..hosts import wire
    from . import router

    if event.kind != wire.PROMPT or event.name not in adapter.GROUPS["sessions"]:
        return None
    if not router.is_wanted(home, wire.OPENING):
        return None
    return event.moment(wire.OPENING, prompt="", agent_id="")


def _first_prompt(home: Home, event: Event) -> Event | None:
    """What the person asked first, where it comes along with the session's start."""
    from ..hosts import wire
    from . import router

    is_asked = event.kind == wire.SESSION_STARTED and bool(event.prompt)
    if not is_asked or not router.is_wanted(home, wire.PROMPT):
        return None
    return event.moment(wire.PROMPT, detail="", agent_id="")


def _note_start(home: Home, event: Event) -> None:
    """A start that is told with the next prompt: what was told before it may be gone."""
    if event.detail in ("", "startup"):
        return  # nearly always, and nothing was told before it
    try:
        from . import answers
        from . import recall as recall_hook

        if receipt := recall_hook.reset(home, event):
            answers.keep_receipt(home, event, receipt)
    except BaseException as error:
        _report([event.host, event.name], error)


def _answer(home: Home, moments: list[Event], adapter: ModuleType) -> None:
    """Tell what belongs to `moments`, all of them under the name of one event."""
    from ..hosts import wire

    event = moments[-1]
    if event.kind == wire.TOOL_STARTING and not _is_known(home, event):
        return  # nearly always: the rest would cost the agent three times as much
    from . import recall as recall_hook
    from .answers import joined, keep_receipt

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
    from . import router, spool

    size = spool.append(home, spool.record_of(event))
    if event.kind in router.DRAINED or is_left_over or size > spool.GROWN_BYTES:
        from . import detach

        detach.start_drain(home)


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
        from . import log

        log.note(Home(), " ".join(words[:2]), error)
    except BaseException:  # the log itself: there is nowhere else to say it
        return


if __name__ == "__main__":
    sys.exit(main())
