"""Changing what is remembered. Each act is one entry in the trail and can be taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..core.answers import Entry, StoreResult
from ..core.errors import BadInput, NotFound
from ..core.values import LINK_KINDS, Memory
from . import fields, stdin
from .acting import changes, editing, ids_of, report, several, takes_back
from .batch import remember_batch
from .options import (
    CATEGORY,
    FUTURE,
    IMPORTANCE,
    SCOPE,
    TYPE,
    Door,
    complete_memory,
    example,
    shared,
)
from .output import Ink, emit, narrate, one_line, say
from .progress import counted
from .rows import acted
from .targets import meant

if TYPE_CHECKING:
    from ..core.compat import MemoryCoordinator

LONGEST_TITLE_SHOWN = 60


@click.command(
    epilog=example(
        'memdeck remember "No migrations on Fridays" --category warning --pin',
        "memdeck remember --batch notes.jsonl",
    )
)
@click.argument("text", nargs=-1)
@TYPE
@CATEGORY
@SCOPE
@click.option("--importance", type=IMPORTANCE, help="From 1 to 10.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="A tag; repeatable.")
@click.option(
    "--file", "files", multiple=True, metavar="PATH", help="A file it is about; repeatable."
)
@click.option("--title", help="A title; the first words otherwise.")
@click.option("--pin", is_flag=True, help="Pin it: given with every prompt.")
@click.option("--due", type=FUTURE, metavar="WHEN", help="When to act on it: 2026-03-01, 3d.")
@click.option("--expires", type=FUTURE, metavar="WHEN", help="When it leaves recall.")
@click.option("--key", help="Your own id for it.")
@click.option(
    "--batch", metavar="FILE|-", help="A JSON object a line in, a result a line out, once durable."
)
@click.option("--yes", is_flag=True, help="Agree to tell every project, unasked.")
@shared
def remember(door: Door, text: tuple[str, ...], batch: str | None, yes: bool, **wanted: Any) -> int:
    """Remember a text.

    Kept at once, secrets taken out first. `-` reads the text from a pipe.
    """
    if batch is not None:
        if text:
            raise click.UsageError("--batch brings its own texts; leave TEXT out.")
        with stdin.opened(batch) as stream, door.memory(yes=yes, asks=False) as core:
            return remember_batch(core, stream, wanted)
    content = stdin.text_argument(text, "TEXT")
    with door.memory(yes=yes) as core:
        result = core.remember(content, **wanted)
        memory = core.show(result.memory_id) if result.memory_id else None
        opposed = _opposed_to(memory, core) if result.stored and memory else []
    if door.as_json:
        emit({**fields.of_result(result), "memory": fields.of_memory(memory) if memory else None})
    code = _tell(result, memory, quiet=door.as_json)
    for other in opposed:
        narrate(Ink(f"  It contradicts {other.short_id}: {one_line(other.title)}", "warn"))
    if opposed:
        narrate(Ink("  `memdeck conflicts` shows both; they wait for your verdict.", "dim"))
    return code


def _opposed_to(memory: Memory, core: MemoryCoordinator) -> list[Memory]:
    """The other sides of the conflicts in which the memory stands."""
    sides = [(one.first, one.second) for one in core.conflicts()]
    return [
        second if first.id == memory.id else first
        for first, second in sides
        if memory.id in (first.id, second.id)
    ]


def _tell(result: StoreResult, memory: Memory | None, *, quiet: bool) -> int:
    """Say what became of a text; 1 when it was refused."""
    if result.outcome == "refused":
        narrate(Ink("memdeck: ", "bad"), f"Not remembered: {result.reason}")
        return 1
    if memory and not quiet:
        acted("known" if result.outcome == "duplicate" else "remembered", [memory])
    if result.outcome == "duplicate":
        narrate(f"  {result.reason}")
    if result.removed:
        narrate(Ink(f"  Taken out before storing: {', '.join(result.removed)}.", "warn"))
    return 0


@click.command(
    epilog=example("memdeck edit 01k8f2q --importance 8 --add-tag db", "memdeck edit 01k8f2q")
)
@click.argument("ids", metavar="ID…", nargs=-1, required=True, shell_complete=complete_memory)
@editing
@click.option("--add-tag", multiple=True, metavar="TAG", help="One tag more.")
@click.option("--remove-tag", multiple=True, metavar="TAG", help="One tag less.")
@shared
def edit(
    door: Door,
    ids: tuple[str, ...],
    add_tag: tuple[str, ...],
    remove_tag: tuple[str, ...],
    yes: bool,
    **wanted: Any,
) -> int:
    """Change a memory; without options, in $EDITOR.

    Several memories at once take --add-tag and --remove-tag only.
    """
    fields_changed = changes(wanted)
    with door.memory(yes=yes) as core:
        if not fields_changed and (add_tag or remove_tag):
            edited = core.retag([core.resolve(one).id for one in ids], add_tag, remove_tag)
        elif len(ids) > 1:
            raise BadInput(
                "Only tags can be changed in several memories at once.",
                hint="Use --add-tag and --remove-tag, or edit one memory at a time.",
            )
        else:
            memory = core.resolve(ids[0])
            if add_tag or remove_tag:
                kept = [
                    tag for tag in fields_changed.get("tags", memory.tags) if tag not in remove_tag
                ]
                fields_changed["tags"] = tuple(dict.fromkeys([*kept, *add_tag]))
            edited = [_edit_one(core, memory, fields_changed)]
    report(door, "edited", edited)
    return 0


def _edit_one(core: MemoryCoordinator, memory: Memory, changes: dict[str, Any]) -> Memory:
    if changes:
        return core.edit(memory.id, **changes)
    from .editor import edit_in_editor

    return edit_in_editor(core, memory)


@click.command(epilog=example("memdeck pin 01k8f2q", "memdeck pin retry budget"))
@several
@shared
def pin(door: Door, words: tuple[str, ...], every: bool) -> int:
    """Pin memories: every prompt is given them."""
    with door.memory() as core:
        pinned = core.pin(ids_of(meant(core, words, every=every)))
    report(door, "pinned", pinned)
    return 0


@click.command(epilog=example("memdeck unpin 01k8f2q"))
@several
@shared
def unpin(door: Door, words: tuple[str, ...], every: bool) -> int:
    """Take pins off."""
    with door.memory() as core:
        unpinned = core.unpin(ids_of(meant(core, words, every=every, within="is:pinned")))
    report(door, "unpinned", unpinned)
    return 0


@click.command(epilog=example("memdeck link 01k8f2q 01k9a00 --as refines"))
@click.argument("source", metavar="ID", shell_complete=complete_memory)
@click.argument("target", metavar="ID", shell_complete=complete_memory)
@click.option(
    "--as",
    "kind",
    type=click.Choice(LINK_KINDS),
    required=True,
    help="What the first is to the second.",
)
@shared
def link(door: Door, source: str, target: str, kind: str) -> int:
    """Join two memories.

    The first reinforces, contradicts, extends, refines, or is superseded by the second.
    """
    with door.memory() as core:
        first, second = core.resolve(source), core.resolve(target)
        core.link(first.id, second.id, kind)
    if door.as_json:
        emit({"source": first.id, "target": second.id, "kind": kind})
        return 0
    say(f"linked  {first.short_id} {kind.replace('_', ' ')} {second.short_id}")
    takes_back()
    return 0


@click.command(
    epilog=example('memdeck forget 01k8f2q --reason "done"', "memdeck forget --all tag:spike")
)
@several
@click.option("--reason", default="", help="Why, for the trail.")
@shared
def forget(door: Door, words: tuple[str, ...], every: bool, reason: str) -> int:
    """Take memories out of recall; they stay restorable."""
    with door.memory() as core:
        forgotten = core.forget(ids_of(meant(core, words, every=every)), reason=reason)
    report(door, "forgot", forgotten)
    return 0


@click.command(epilog=example("memdeck restore 01k8f2q", "memdeck list is:retired"))
@several
@shared
def restore(door: Door, words: tuple[str, ...], every: bool) -> int:
    """Bring forgotten, expired or merged memories back."""
    with door.memory() as core:
        restored = core.restore(ids_of(meant(core, words, every=every, within="is:retired")))
    report(door, "restored", restored)
    return 0


@click.command(epilog=example("memdeck undo", "memdeck undo 42"))
@click.argument("seq", type=click.IntRange(1), required=False)
@shared
def undo(door: Door, seq: int | None) -> int:
    """Take back the last change.

    Or the one with the number SEQ in the trail, unless a later one touched the same. What was
    one act, as an import is, is taken back whole.
    """
    with door.memory() as core, counted("took back") as progress:
        entry = core.undo(seq, progress=progress)
        taken_back = _act(core, entry.undoes)
    _report_entry(door, "took back", entry, taken_back)
    narrate(Ink("  `memdeck redo` does it again.", "dim"))
    return 0


@click.command(epilog=example("memdeck redo"))
@shared
def redo(door: Door) -> int:
    """Do again what the last undo took back."""
    with door.memory() as core, counted("did again") as progress:
        entry = core.redo(progress=progress)
        taken_back = _act(core, entry.undoes)
    _report_entry(door, "did again", entry, taken_back)
    return 0


def _act(core: MemoryCoordinator, seq: int | None) -> Entry | None:
    """The act that the entry with this number is of, when the trail still has it."""
    try:
        return core.act(seq) if seq is not None else None
    except NotFound:
        return None


def _report_entry(door: Door, done: str, entry: Entry, taken_back: Entry | None) -> None:
    if door.as_json:
        emit(fields.of_entry(entry))
        return
    about = taken_back or entry
    what = about.title or about.reason
    others = f" and {len(about.memories) - 1} more" if len(about.memories) > 1 else ""
    is_switch = not about.memories and what.startswith(about.action)  # which says it already
    said = what if is_switch else f"{about.action}: {what}"
    if about.group is not None:
        others += f" ({about.count:,} changes)"
    say(f"{done}  #{about.seq} {said[:LONGEST_TITLE_SHOWN]}{others}")
