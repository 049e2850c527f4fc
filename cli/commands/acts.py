"""Commands that change memories: edit, pin, forget, restore, done, link, merge, promote, undo."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ...core.answers import Entry
from ...core.values import LINK_KINDS
from ...db.errors import BadInput, NotFound, Refused
from ..acts import (
    act_on,
    act_on_all,
    all_meant,
    changes,
    count_pins,
    editing,
    ids_of,
    list_candidates,
    memories_of,
    report,
    report_line,
    several,
    takes_back,
)
from ..options import COUNT, Door, agreeable, command, is_asking
from ..output import Ink, acted, count, counted, memory_count, narrate, say

if TYPE_CHECKING:
    from ...core.compat import MemoryCoordinator


PREVIEW_FROM = 3  # memories from which on the user sees a preview first


@command(
    "memdeck edit 01k8f2q --importance 8 --add-tag db",
    "memdeck edit --all tag:spike --remove-tag spike",
)
@click.option("--all", "every", is_flag=True, help="All memories that match the query.")
@click.argument("ids", metavar="ID…", nargs=-1, required=True)
@editing
@click.option("--add-tag", multiple=True, metavar="TAG", help="Add a tag. Repeatable.")
@click.option("--remove-tag", multiple=True, metavar="TAG", help="Remove a tag. Repeatable.")
def edit(
    door: Door,
    ids: tuple[str, ...],
    every: bool,
    add_tag: tuple[str, ...],
    remove_tag: tuple[str, ...],
    yes: bool,
    **wanted: Any,
) -> None:
    """Change a memory.

    Several memories take --add-tag and --remove-tag only. With --all the words are a query. Three
    or more memories need --yes or an answer.
    """
    fields_changed = changes(wanted)
    with door.memory(yes=yes) as core:
        if every and not fields_changed and (add_tag or remove_tag):
            from ...core.services.bulk import special

            nums = all_meant(core, ids)
            effect = core.services.bulk.preview(nums, lambda _: True)
            if len(effect.targets) >= PREVIEW_FROM and is_asking() and not yes:
                details = special(effect.targets)
                what = f": {details}" if details else ""
                if not click.confirm(f"Edit {memory_count(len(effect.targets))}{what}?", err=True):
                    raise Refused("Nothing was changed.")
            act_on_all(door, core, nums, "edited", lambda ids: core.retag(ids, add_tag, remove_tag))
            return
        elif not fields_changed and (add_tag or remove_tag):
            edited = core.retag([core.resolve(item).id for item in ids], add_tag, remove_tag)
        elif every or len(ids) > 1:
            hint = "Use --add-tag and --remove-tag, or edit one memory at a time."
            raise BadInput("Only tags can be changed in several memories at once.", hint=hint)
        else:
            memory = core.resolve(ids[0])
            if add_tag or remove_tag:
                tags = [
                    tag for tag in fields_changed.get("tags", memory.tags) if tag not in remove_tag
                ]
                fields_changed["tags"] = tuple(dict.fromkeys([*tags, *add_tag]))
            if not fields_changed:
                raise click.UsageError("What to change? Give an option such as --content.")
            edited = [core.edit(memory.id, **fields_changed)]
    report(door, "edited", edited)


@command("memdeck pin 01k8f2q", "memdeck pin retry budget")
@several
@agreeable
def pin(door: Door, words: tuple[str, ...], every: bool, yes: bool) -> None:
    """Pin memories, so that they are injected."""
    with door.memory(yes=yes) as core:
        act_on(door, core, words, every, "pinned", core.pin)
        count_pins(core.services.pin_words())


def _acting(name: str, done: str, about: str, *examples: str, within: str = "") -> click.Command:
    """A command that does one act on the memories of `several`, and reports them as `done`."""

    def act(door: Door, words: tuple[str, ...], every: bool, yes: bool) -> None:
        with door.memory(yes=yes) as core:
            act_on(door, core, words, every, done, getattr(core, name), within=within)

    act.__doc__ = about
    return command(*examples, name=name)(several(agreeable(act)))


unpin = _acting("unpin", "unpinned", "Unpin memories.", "memdeck unpin 01k8f2q", within="is:pinned")
restore = _acting(
    *("restore", "restored", "Restore forgotten, expired or merged memories."),
    *("memdeck restore 01k8f2q", "memdeck list is:retired"),
    within="is:retired",
)
done = _acting(
    *("done", "ended", "End finished tasks."),
    *("memdeck done 01k8f2q", "memdeck list type:prospective"),
    within="type:prospective",
)
demote = _acting(
    "demote",
    "demoted",
    """Lower memories by one step.

    A global memory becomes one of this project. A pinned one is unpinned. Others rank last.
    """,
    "memdeck demote 01k8f2q",
)


@command('memdeck forget 01k8f2q --reason "done"', "memdeck forget --all tag:spike")
@several
@click.option("--reason", default="", help="Reason for the history.")
@agreeable
def forget(door: Door, words: tuple[str, ...], every: bool, reason: str, yes: bool) -> None:
    """Forget memories. `restore` makes them live again."""
    with door.memory(yes=yes) as core:
        act_on(door, core, words, every, "forgot", lambda ids: core.forget(ids, reason=reason))


@command("memdeck link 01k8f2q 01k9a00 --as refines")
@click.argument("source", metavar="ID")
@click.argument("target", metavar="ID")
@click.option(
    "--as",
    "kind",
    type=click.Choice(LINK_KINDS),
    required=True,
    help="Relation of the first memory to the second.",
)
def link(door: Door, source: str, target: str, kind: str) -> None:
    """Link two memories.

    The first reinforces, contradicts, extends, refines, or is superseded by the second.
    """
    with door.memory() as core:
        first, second = core.resolve(source), core.resolve(target)
        core.link(first.id, second.id, kind)
    text = f"linked  {first.short_id} {kind.replace('_', ' ')} {second.short_id}"
    report_line(door, {"source": first.id, "target": second.id, "kind": kind}, text)


@command("memdeck merge 01k8f2q 01k9a00", 'memdeck merge 01k8f2q 01k9a00 --title "Retry"')
@click.argument("ids", metavar="ID ID…", nargs=-1, required=True)
@click.option("--content", help="Text of the merged memory.")
@click.option("--title", help="Title of the merged memory.")
@agreeable
def merge(
    door: Door, ids: tuple[str, ...], content: str | None, title: str | None, yes: bool
) -> None:
    """Merge memories that say the same.

    The first stays, with the tags, files and evidence of the others, which retire as merged.
    """
    if len(ids) < 2:
        raise click.UsageError("Name at least two memories: the first stays.")
    edits = {"content": content, "title": title}
    with door.memory(yes=yes) as core:
        retained, *named = (core.resolve(item) for item in ids)
        others = list({memory.id: memory for memory in named}.values())
        core.context.must_be_here(retained, *others)
        retained = core.merge(
            retained.id,
            ids_of(others),
            expected_revision=retained.revision,
            **{name: value for name, value in edits.items() if value is not None},
        )
    if not door.prints_json(retained, merged=ids_of(others)):
        acted("merged", others)
        acted("into", [retained])
        takes_back()


@command("memdeck promote 01k8f2q --to project", "memdeck promote retry --to global")
@several
@click.option(
    "--to",
    "scope",
    type=click.Choice(["project", "global"]),
    required=True,
    help="Scope: this project, or every project.",
)
@agreeable
def promote(door: Door, words: tuple[str, ...], every: bool, scope: str, yes: bool) -> None:
    """Widen the scope of memories to the project or to all.

    A candidate is accepted. A global memory needs your consent.
    """
    with door.memory(yes=yes) as core:
        memories = memories_of(core, words, every=every)
        if scope == "global" and not yes:
            list_candidates(core, memories)
        promoted = core.promote(ids_of(memories), scope)
    report(door, "promoted", promoted)


LONGEST_TITLE_SHOWN = 60


@command("memdeck undo", "memdeck undo 42")
@click.argument("seq", type=COUNT, required=False)
@agreeable
def undo(door: Door, seq: int | None, yes: bool) -> None:
    """Undo the last change.

    With SEQ, undo this entry of the history, unless a later entry changed the same memory. An act
    such as an import is undone as a whole.
    """
    with door.memory(yes=yes) as core, counted("undid") as progress:
        entry = core.undo(seq, progress=progress)
        taken_back = _act(core, entry.undoes)
    _report_entry(door, "undid", entry, taken_back)
    narrate(Ink("  Redo with `memdeck redo`.", "dim"))


@command("memdeck redo")
@agreeable
def redo(door: Door, yes: bool) -> None:
    """Redo the last undo."""
    with door.memory(yes=yes) as core, counted("redid") as progress:
        entry = core.redo(progress=progress)
        undone = _act(core, entry.undoes)
        again = _act(core, undone.undoes) if undone is not None else None
    _report_entry(door, "redid", entry, again or undone)


def _act(core: MemoryCoordinator, seq: int | None) -> Entry | None:
    """Return the act of the entry with this number, if the view still has it."""
    try:
        return core.act(seq) if seq is not None else None
    except NotFound:
        return None


def _report_entry(door: Door, done: str, entry: Entry, taken_back: Entry | None) -> None:
    if door.prints_json(entry):
        return
    about = taken_back or entry
    what = about.title or about.reason
    others = f" and {len(about.memories) - 1} more" if len(about.memories) > 1 else ""
    is_switch = not about.memories and what.startswith(about.action)  # a switch names itself
    text = what if is_switch else f"{about.action}: {what}"
    if about.group is not None:
        others += f" ({count(about.count, 'change')})"
    say(f"{done}  #{about.seq} {text[:LONGEST_TITLE_SHOWN]}{others}")
