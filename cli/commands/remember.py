"""Stores a memory at once: of the user, and of an agent as it works."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from ...core.answers import Recorded, StoreResult
from ...core.values import Memory
from ..acts import became, count_pins, readable_memory
from ..options import (
    CATEGORY,
    DEADLINE,
    IMPORTANCE,
    PRIVACY,
    SCOPE,
    TYPE,
    Door,
    agreeable,
    command,
    text_argument,
)
from ..output import Ink, narrate, one_line

if TYPE_CHECKING:
    pass
    from ...agents.caller import Caller
    from ...core.compat import MemoryCoordinator


@command(
    'memdeck remember "No migrations on Fridays" --category warning --pin',
)
@click.argument("text", nargs=-1)
@TYPE
@CATEGORY
@SCOPE
@PRIVACY
@IMPORTANCE
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="Tag. Repeatable.")
@click.option(
    "--file", "files", multiple=True, metavar="PATH", help="File that it is about. Repeatable."
)
@click.option("--title", help="Title (the first words of the text).")
@click.option("--pin", is_flag=True, help="Pin it: injected at starts and with prompts.")
@click.option("--due", type=DEADLINE, metavar="WHEN", help="Due date: 2026-03-01, 3d.")
@click.option(
    "--when-file",
    metavar="PATH",
    help="Task that is injected when an agent opens or edits this file.",
)
@click.option(
    "--when-event",
    metavar="WORDS",
    help="Task that is injected when a prompt says that this happened.",
)
@click.option("--expires", type=DEADLINE, metavar="WHEN", help="Expiry date.")
@click.option("--key", help="Your own id. A known id replaces the text of its memory.")
@agreeable
def remember(
    door: Door,
    text: tuple[str, ...],
    yes: bool,
    when_file: str | None,
    when_event: str | None,
    **wanted: Any,
) -> int:
    """Store a memory.

    Secrets are removed first. `-` reads the text from standard input.
    """
    if when_file is not None or when_event is not None:
        wanted["details"] = _trigger(when_file, when_event, wanted["type"])
        wanted["type"] = "prospective"
        if when_file is not None:
            wanted["files"] = (*wanted["files"], wanted["details"]["trigger_condition"])
    content = text_argument(text, "TEXT")
    with door.memory(yes=yes) as core:
        if wanted["privacy"] == "private" and core.context.viewer is not None:
            core.context.session = core.context.viewer.session  # for the agent's session
        result = core.remember(content, **wanted)
        memory = readable_memory(core, result.memory_id)
        opposed = [
            conflict.second if conflict.first.id == memory.id else conflict.first
            for conflict in (core.conflicts() if result.stored and memory else ())
            if memory and memory.id in (conflict.first.id, conflict.second.id)
        ]
        pins = core.services.pin_words() if wanted["pin"] else ""
        is_over = bool(memory and memory.expires and memory.expires <= core.now())
    door.prints_json(result, memory=memory)
    code = _print_result(result, memory, quiet=door.as_json)
    count_pins(pins)
    request = wanted["privacy"]
    if request is not None and memory is not None and memory.privacy != request:
        narrate(Ink(f"  It was known and stays {memory.privacy}.", "warn"))
        narrate(Ink(f"  `memdeck edit {memory.short_id} --privacy {request}` changes it.", "dim"))
    if is_over and wanted["expires"] is not None:
        narrate(Ink("  It ends at once: --expires names a time that is over.", "warn"))
    for other in opposed:
        narrate(Ink(f"  It contradicts {other.short_id}: {one_line(other.title)}", "warn"))
    if opposed:
        narrate(Ink("  Both wait for your verdict in `memdeck review`.", "dim"))
    return code


def _trigger(path: str | None, event: str | None, type: str | None) -> dict[str, str]:
    """Return a task's trigger. Raises UsageError for an invalid one."""
    if path is not None and event is not None:
        raise click.UsageError("A task waits for --when-file or for --when-event, not for both.")
    if type not in (None, "prospective"):
        raise click.UsageError(f"Only a task waits: leave --type {type} out.")
    if path is not None:
        from ...core.projects import whereabouts

        path = os.path.normpath(os.path.expanduser(path)).replace("\\", "/")
        if os.path.isabs(path):
            path = os.path.realpath(path).removeprefix(f"{whereabouts(os.path.dirname(path))[0]}/")
        return {"trigger_type": "context", "trigger_condition": path}
    from ...core.recall.candidates import keywords

    if not keywords(event or ""):
        raise click.UsageError("--when-event needs words that a prompt can say.")
    return {"trigger_type": "event", "trigger_condition": event or ""}


def _print_result(result: StoreResult, memory: Memory | None, *, quiet: bool) -> int:
    """Print the result of a text; return 1 if it was filtered."""
    if became(result, memory, "remembered", quiet=quiet):
        return 1
    if result.reason != "remembered":
        narrate(f"  {result.reason}")
    if result.removed:
        narrate(Ink(f"  Taken out before storing: {', '.join(result.removed)}.", "warn"))
    return 0


@command(
    "memdeck learn 'The feed is cut at midnight.' --why 'the job failed'",
    "memdeck learn 'Tests use port 5433.' --file compose.yml",
    short_help="Record what a session taught: for agents.",
)
@click.argument("text", nargs=-1)
@click.option("--why", default="", metavar="TEXT", help="Reason or evidence.")
@click.option(
    "--file", "files", multiple=True, metavar="PATH", help="File that it is about. Repeatable."
)
@click.option("--replaces", metavar="ID", help="Memory that is no longer true.")
@click.option("--session", metavar="ID", help="Session (the one that runs the command).")
def learn(
    door: Door,
    text: tuple[str, ...],
    why: str,
    files: tuple[str, ...],
    replaces: str | None,
    session: str | None,
) -> int:
    """Record a lesson of this session, for agents.

    The record waits as a candidate and is checked against the transcript. A session can record
    five. `-` reads the text from standard input. Users use `memdeck remember`.
    """
    from ...agents.caller import BUSY_S, caller, queue, unread
    from ...db.errors import StoreBusy, StoreReadOnly
    from ...db.home import Home

    content, who = text_argument(text, "TEXT"), None
    folder = door.folder if door.project else os.getcwd()
    about: dict[str, Any] = {"why": why, "files": files, "replaces": replaces}
    try:
        with door.memory(asks=False, patience=BUSY_S) as core:
            if core.is_read_only:
                raise StoreReadOnly(core.home.path)
            who, folder = caller(core, session, os.environ), core.context.root or folder
            if core.context.viewer is not None:
                core.context.viewer = core.context.viewer_of(who.session)
            recorded = core.learn(content, session=who.session, received=who.injected, **about)
            return _report(door, core, who, recorded)
    except StoreBusy:
        if (who := who or unread(session, os.environ)) is None or folder is None:
            raise
        result = queue(Home(door.home), folder, who, content, **about)
        door.prints_json(result, session=who.session)
        narrate(result.reason)
        return 0


def _report(door: Door, core: MemoryCoordinator, who: Caller, recorded: Recorded) -> int:
    """Print the result of a record; return 1 if a check dropped it."""
    result = recorded.result
    memory = readable_memory(core, result.memory_id)
    about = {"memory": memory, "session": recorded.session, "session_from": who.named_by}
    counts = {"recorded": recorded.count, "most": recorded.most}
    others = {name: getattr(recorded, name) for name in ("replaced", "conflict")}
    door.prints_json(result, **about, **counts, **others)
    if who.named_by == "newest":
        narrate(
            Ink("  No session was named: ", "warn"),
            f"this counts for {one_line(who.session)}, the newest that goes on here.",
        )
    if became(result, memory, "recorded", quiet=door.as_json):
        return 1
    for line in _remarks(core, recorded):
        narrate(f"  {line}")
    return 0


def _remarks(core: MemoryCoordinator, recorded: Recorded) -> list[str]:
    result = recorded.result
    details = [f"{recorded.count} of {recorded.most} in this session."]
    if result.outcome == "duplicate":
        details.insert(0, f"{result.reason[:1].upper()}{result.reason[1:]}.")
    if result.removed:
        details.append(f"Taken out before storing: {', '.join(result.removed)}.")
    if recorded.replaced:
        details.append(f"It takes the place of {core.show(recorded.replaced).short_id}.")
    if recorded.conflict:
        details.append("It would replace a memory of the user, who decides in `memdeck review`.")
    return details
