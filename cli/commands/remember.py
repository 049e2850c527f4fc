"""A text remembered at once."""

from __future__ import annotations

import os
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from ...core.answers import StoreResult
from ...core.values import Memory
from .. import stdin
from ..acts import released_at, shown
from ..batch import remember_batch
from ..choices import CATEGORY, FUTURE, IMPORTANCE, PRIVACY, SCOPE, TYPE
from ..encoder import encode
from ..options import Door, agreeable, command
from ..output import Ink, emit, narrate, one_line
from ..rows import acted

if TYPE_CHECKING:
    from ...core.compat import MemoryCoordinator


@command(
    'memdeck remember "No migrations on Fridays" --category warning --pin',
    "memdeck remember --batch notes.jsonl",
)
@click.argument("text", nargs=-1)
@TYPE
@CATEGORY
@SCOPE
@PRIVACY
@click.option(
    "--release-after", type=FUTURE, metavar="WHEN", help="When what is not public becomes so: 7d."
)
@click.option("--importance", type=IMPORTANCE, help="From 1 to 10.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="A tag; repeatable.")
@click.option(
    "--file", "files", multiple=True, metavar="PATH", help="A file it is about; repeatable."
)
@click.option("--title", help="A title; the first words otherwise.")
@click.option("--pin", is_flag=True, help="Pin it: given with every prompt.")
@click.option("--due", type=FUTURE, metavar="WHEN", help="When to act on it: 2026-03-01, 3d.")
@click.option(
    "--when-file", metavar="PATH", help="A task, told when an agent opens or edits this file."
)
@click.option(
    "--when-event", metavar="WORDS", help="A task, told with the prompt that says this happened."
)
@click.option("--expires", type=FUTURE, metavar="WHEN", help="When it leaves recall.")
@click.option("--key", help="Your own id for it; of a known one the text is replaced.")
@click.option(
    "--batch", metavar="FILE|-", help="A JSON object a line in, a result a line out, once durable."
)
@agreeable
def remember(
    door: Door,
    text: tuple[str, ...],
    batch: str | None,
    yes: bool,
    when_file: str | None,
    when_event: str | None,
    release_after: datetime | None,
    **wanted: Any,
) -> int:
    """Remember a text.

    Kept at once, secrets taken out first. `-` reads the text from a pipe.
    """
    if when_file is not None or when_event is not None:
        wanted["details"] = _trigger(when_file, when_event, wanted["type"])
        wanted["type"] = "prospective"
        if when_file is not None:
            wanted["files"] = (*wanted["files"], wanted["details"]["trigger_condition"])
    if release_after is not None:
        if wanted["privacy"] in (None, "public"):
            raise click.UsageError("--release-after goes with --privacy private or agent-only.")
        wanted["details"] = {**wanted.get("details", {}), **released_at(release_after)}
    if batch is not None:
        if text:
            raise click.UsageError("--batch brings its own texts; leave TEXT out.")
        with stdin.opened(batch) as stream, door.memory(yes=yes, asks=False) as core:
            _keep_for_caller(core, wanted["privacy"])
            return remember_batch(core, stream, wanted)
    content = stdin.text_argument(text, "TEXT")
    with door.memory(yes=yes) as core:
        _keep_for_caller(core, wanted["privacy"])
        result = core.remember(content, **wanted)
        memory = shown(core, result.memory_id)
        opposed = _opposed_to(memory, core) if result.stored and memory else []
        is_over = bool(memory and memory.expires and memory.expires <= core.now())
    if door.as_json:
        emit({**encode(result), "memory": encode(memory)})
    code = _tell(result, memory, quiet=door.as_json)
    asked = wanted["privacy"]
    if asked is not None and memory is not None and memory.privacy != asked:
        narrate(Ink(f"  It was known and stays {memory.privacy}.", "warn"))
        narrate(Ink(f"  `memdeck edit {memory.short_id} --privacy {asked}` changes it.", "dim"))
    if is_over and wanted["expires"] is not None:
        narrate(Ink("  It ends at once: --expires names a time that is over.", "warn"))
    for wording, other in opposed:
        said = wording.replace("perhaps the same", "perhaps says the same as")
        narrate(Ink(f"  It {said} {other.short_id}: {one_line(other.title)}", "warn"))
    if opposed:
        narrate(Ink("  `memdeck conflicts` shows both; they wait for your verdict.", "dim"))
    return code


def _keep_for_caller(core: MemoryCoordinator, privacy: str | None) -> None:
    """What an agent keeps private in its own shell is for its session (003-07)."""
    if privacy == "private" and core.context.viewer is not None:
        core.context.session = core.context.viewer.session


def _trigger(path: str | None, event: str | None, type: str | None) -> dict[str, str]:
    """What a task waits for (000-12). Raises UsageError for what no task can wait for."""
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
    from ...core.retrieval.keywords import keywords

    if not keywords(event or ""):
        raise click.UsageError("--when-event needs words that a prompt can say.")
    return {"trigger_type": "event", "trigger_condition": event or ""}


def _opposed_to(memory: Memory, core: MemoryCoordinator) -> list[tuple[str, Memory]]:
    """The conflicts in which the memory stands: how sure they are, in words, and the other side."""
    return [
        (one.wording, one.second if one.first.id == memory.id else one.first)
        for one in core.conflicts()
        if memory.id in (one.first.id, one.second.id)
    ]


def _tell(result: StoreResult, memory: Memory | None, *, quiet: bool) -> int:
    """Say what became of a text; 1 when it was refused."""
    if result.outcome == "refused":
        narrate(Ink("memdeck: ", "bad"), f"Not remembered: {result.reason}")
        return 1
    if memory and not quiet:
        acted("known" if result.outcome == "duplicate" else "remembered", [memory])
    if result.reason != "remembered":
        narrate(f"  {result.reason}")
    if result.removed:
        narrate(Ink(f"  Taken out before storing: {', '.join(result.removed)}.", "warn"))
    return 0
