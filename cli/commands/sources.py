"""The agents' own memories: listed, imported, and changed in their files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..acts import takes_back
from ..options import Door, agreeable, all_of, command, group
from ..output import Ink, clip, count, memory_count, narrate, one_line, say, visible, width

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...core.services.sources import FactGroup, SourcePlan, Sources, Survey


WRITES = all_of(
    click.option("--dry-run", is_flag=True, help="Show the changes and write nothing."),
    click.option("--yes", is_flag=True, help="Write without asking."),
)


@group("memdeck sources", "memdeck sources take", "memdeck sources --json")
def sources() -> None:
    """See and fix what your agents already remember.

    Lists the memories that agents keep by themselves, and the rules in instruction files.
    """


@command("memdeck sources list", of=sources)
def sources_list(door: Door) -> None:
    """List what agents remember for this project."""
    with door.services() as services:
        survey = services.sources.survey()
    if door.prints_json(*(_objects(survey) if door.as_json else ())):
        return
    for report in survey.sources:
        facts = len(report.reading.facts)
        never = f", {facts - report.loaded} never loaded" if facts > report.loaded else ""
        path = Ink(f"  {visible(report.reading.path)}", "dim")
        say(Ink(report.source.title, "bold"), f"  {count(facts, 'fact')}{never}", path)
        for note in report.notes:
            say("  ", Ink("! ", "warn"), one_line(note))
    if not survey.sources:
        narrate("No agent remembers anything here, and there is no instruction file.")
    _say_part("in several places", [item for item in survey.groups if len(item.facts) > 1], True)
    if survey.conflicts:
        say(Ink(f"\n{count(len(survey.conflicts), 'contradiction')}", "bold"))
    for conflict in survey.conflicts:
        say("  newer  ", _line(conflict.newer.text))
        say("  older  ", _line(conflict.older.text))
        say("         ", Ink(one_line(conflict.reason), "dim"))
    _say_part("not in memdeck", [item for item in survey.groups if not item.memory], False)
    for folder in survey.elsewhere:
        narrate(f"Perhaps of this project, moved or from another machine: {visible(folder)}")
    if survey.sources:
        alone = sum(len(entry.agents) < 2 for entry in survey.groups)
        total = count(len(survey.groups), "fact")
        narrate(f"\n{total}, {alone} of them known to one agent or none.")
        narrate("  memdeck sources take [--share]   into memdeck, and to the other agents")
        narrate("  memdeck sources repair           complete and shorten the indexes")


def _say_part(title: str, groups: list[FactGroup], with_places: bool) -> None:
    if groups:
        say(Ink(f"\n{len(groups)} {title}", "bold"))
    for entry in groups:
        say(f"  {entry.facts[0].id}  ", _line(entry.facts[0].title or entry.facts[0].text))
        for fact in entry.facts if with_places else ():
            say(" " * 12, Ink(f"{visible(fact.path)}:{fact.line}", "dim"))


def _line(text: str) -> str:
    return clip(one_line(text), width() - 14)


def _objects(survey: Survey) -> list[dict[str, Any]]:
    """Return a source, a fact, a contradiction and a folder elsewhere as objects, by `kind`."""
    made: list[dict[str, Any]] = []
    for report in survey.sources:
        reading = report.reading
        fields = "path lines loaded_lines without_line proposals others".split()
        made.append({
            "kind": "source", "source": report.source.name, "title": report.source.title,
            "facts": len(reading.facts), "loaded": report.loaded, "notes": report.notes,
            "dead": [{"line": line, "file": file} for line, file in reading.dead],
            "secrets": [{"path": path, "line": line, "secret": kind}
                        for path, line, kind in reading.secrets],
            "problems": [{"path": path, "why": why} for path, why in reading.problems],
            **{name: getattr(reading, name) for name in fields},
        })  # fmt: skip
    for entry in survey.groups:
        fact, fields = entry.facts[0], "id source path line is_loaded seen".split()
        made.append({
            "kind": "fact", "id": fact.id, "title": fact.title, "text": fact.text,
            "agents": entry.agents, "memory": entry.memory or None,
            "places": [{name: getattr(item, name) for name in fields} for item in entry.facts],
        })  # fmt: skip
    for conflict in survey.conflicts:
        sides = {"newer": conflict.newer, "older": conflict.older}
        texts = {name: {"key": side.key, "text": side.text} for name, side in sides.items()}
        made.append({"kind": "contradiction", "reason": conflict.reason, **texts})
    return [*made, *({"kind": "elsewhere", "path": path} for path in survey.elsewhere)]


@command("memdeck sources take", "memdeck sources take 3fa2c81d --share", of=sources)
@click.argument("refs", metavar="[ID|FILE]…", nargs=-1)
@click.option("--share", is_flag=True, help="Confirm them, for all agents that do not load them.")
@agreeable
def sources_take(door: Door, refs: tuple[str, ...], share: bool, yes: bool) -> int:
    """Take facts into memdeck.

    Without an ID, take all facts that memdeck lacks. Facts that a model wrote become candidates in
    Review, or with --share confirmed memories. Rules
    become confirmed memories. No agent receives from memdeck what it loads by itself.
    """
    with door.memory(yes=yes) as core:
        report = core.services.sources.take(refs, share=share)
    refused = [{"fact": line, "error": why} for line, why in report.refused]
    counts = {"added": report.added, "duplicates": report.duplicates, "redacted": report.redacted}
    if not door.prints_json({**counts, "refused": refused, "ids": list(report.ids)}):
        more = f"{count(report.duplicates, 'duplicate')}, {len(refused)} refused"
        say(f"{'shared' if share else 'taken'}  {memory_count(report.added)}, {more}")
        takes_back()
    for line, why in report.refused:
        narrate(f"  fact {line}: {one_line(why)}")
    return 1 if refused else 0


def _carry_out(
    door: Door, plan_of: Callable[[Sources], SourcePlan], *, dry_run: bool, yes: bool
) -> None:
    with door.memory(yes=yes) as core:
        acts = core.services.sources
        plan = plan_of(acts)
        for change in plan.changes if not (door.as_json or yes) else ():
            say("\n".join(map(visible, change.diff.split("\n"))))
        for note in plan.notes if not door.as_json else ():
            narrate(f"  {one_line(note)}")
        if not dry_run:
            core.context.consent.agree(f"{count(len(plan.changes), 'file')} will be changed.")
            acts.carry_out(plan)
    files = [{"path": change.path, "diff": change.diff} for change in plan.changes]
    fields = {"changed": not dry_run, "undo": plan.can_be_undone, "notes": plan.notes}
    if not door.prints_json({"act": plan.act, **fields, "files": files}) and not dry_run:
        say(f"changed  {count(len(files), 'file')}")
        if plan.can_be_undone:
            takes_back()


@command("memdeck sources write 01j9 --to claude", of=sources)
@click.argument("memory", metavar="MEMORY")
@click.option(
    "--to", metavar="AGENT", required=True, help="claude, qwen, codex, gemini or copilot."
)
@WRITES
def sources_write(door: Door, memory: str, to: str, dry_run: bool, yes: bool) -> None:
    """Write a memory into an agent's own memory.

    Claude Code and Qwen Code get a file and its index line, Gemini CLI a line, Codex a note, and
    Copilot CLI a line for `copilot memories import`.
    """
    _carry_out(door, lambda acts: acts.plan_write(memory, to), dry_run=dry_run, yes=yes)


@command("memdeck sources repair --dry-run", of=sources)
@click.argument("folder", metavar="[FOLDER]", default="")
@WRITES
def sources_repair(door: Door, folder: str, dry_run: bool, yes: bool) -> None:
    """Complete an agent's index, and drop its dead lines.

    If a start loads only a part of it, the entries of the oldest facts go to its end.
    """
    _carry_out(door, lambda acts: acts.plan_repair(folder), dry_run=dry_run, yes=yes)


@command("memdeck sources forget 3fa2c81d", of=sources)
@click.argument("refs", metavar="ID|FILE…", nargs=-1, required=True)
@WRITES
def sources_forget(door: Door, refs: tuple[str, ...], dry_run: bool, yes: bool) -> None:
    """Remove facts from where an agent keeps them.

    Codex rewrites its files itself, so it gets a note that asks it to forget.
    """
    _carry_out(door, lambda acts: acts.plan_forget(refs), dry_run=dry_run, yes=yes)
