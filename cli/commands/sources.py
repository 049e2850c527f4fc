"""What agents remember by themselves: listed, taken over, and changed where it is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..acts import takes_back
from ..options import Door, agreeable, command, group
from ..output import Ink, clip, count, memory_count, narrate, one_line, say, visible, width

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...core.services.sources import FactGroup, SourcePlan, Sources, Survey

REFS = click.argument("refs", metavar="ID|FILE…", nargs=-1)
DRY = click.option("--dry-run", is_flag=True, help="Only show what would change.")
YES = click.option("--yes", is_flag=True, help="Write it without showing it first.")


@group("memdeck sources", "memdeck sources take", "memdeck sources --json")
def sources() -> None:
    """See and fix what your agents already remember.

    Lists the memories that agents keep by themselves and the rules in instruction files. Nothing
    is changed without a word.
    """


@command("memdeck sources list", of=sources)
def sources_list(door: Door) -> None:
    """List what agents remember for this project."""
    with door.services() as services:
        survey = services.sources.survey()
    if door.as_json:
        _emit(door, survey)
        return
    for source in survey.sources:
        facts = len(source.reading.facts)
        missing = facts - source.loaded
        never = f", {missing} never loaded" if missing else ""
        say(Ink(source.source.title, "bold"), f"  {count(facts, 'fact')}{never}  ",
            Ink(visible(source.reading.path), "dim"))  # fmt: skip
        for note in source.notes:
            say("  ", Ink("! ", "warn"), one_line(note))
    if not survey.sources:
        narrate("No agent remembers anything here, and there is no instruction file.")
        return
    alone = sum(len(entry.agents) < 2 for entry in survey.groups)
    _say_part("in several places", [item for item in survey.groups if len(item.facts) > 1], True)
    if survey.conflicts:
        say(Ink(f"\n{count(len(survey.conflicts), 'contradiction')}", "bold"))
    for conflict in survey.conflicts:
        for word, item in (("newer", conflict.newer), ("older", conflict.older)):
            say(f"  {word}  ", _line(item))
        say("         ", Ink(one_line(conflict.reason), "dim"))
    _say_part("not in memdeck", [item for item in survey.groups if not item.memory], False)
    narrate("")
    narrate(f"{count(len(survey.groups), 'fact')}; {alone} that at most one agent knows.")
    for folder in survey.elsewhere:
        narrate(f"  Perhaps of this project, moved or from another machine: {visible(folder)}")
    narrate("  memdeck sources take ID…|share ID…   into memdeck; for the other agents, too")
    narrate("  memdeck sources repair               complete and shorten the indexes")


def _say_part(title: str, groups: list[FactGroup], with_places: bool) -> None:
    if groups:
        say(Ink(f"\n{len(groups)} {title}", "bold"))
    for entry in groups:
        say(f"  {entry.facts[0].id}  ", _line(entry.facts[0]))
        for fact in entry.facts if with_places else ():
            say(" " * 12, Ink(f"{visible(fact.path)}:{fact.line}", "dim"))


def _line(item: object) -> str:
    text = getattr(item, "statement", "") or getattr(item, "content", "")
    return clip(one_line(text), width() - 14)


def _emit(door: Door, survey: Survey) -> None:
    """Print an object a source, a fact and a contradiction, each with its `kind`."""
    for source in survey.sources:
        reading = source.reading
        door.prints_json(
            {
                "kind": "source",
                "source": source.source.name,
                "title": source.source.title,
                "path": reading.path,
                "facts": len(reading.facts),
                "loaded": source.loaded,
                "lines": reading.lines,
                "loaded_lines": reading.loaded_lines,
                "without_line": reading.without_line,
                "dead": [{"line": line, "file": file} for line, file in reading.dead],
                "secrets": [
                    {"path": path, "line": line, "secret": kind}
                    for path, line, kind in reading.secrets
                ],
                "problems": [{"path": path, "why": why} for path, why in reading.problems],
                "proposals": reading.proposals,
                "notes": list(source.notes),
            }
        )
    for entry in survey.groups:
        fact = entry.facts[0]
        places = [
            {"id": item.id, "source": item.source, "path": item.path, "line": item.line,
             "loaded": item.is_loaded, "seen": item.seen}
            for item in entry.facts
        ]  # fmt: skip
        more = {"agents": list(entry.agents), "memory": entry.memory or None, "places": places}
        door.prints_json(
            {"kind": "fact", "id": fact.id, "title": fact.title, "text": fact.text, **more}
        )
    for conflict in survey.conflicts:
        sides = {
            side: {"id": item.id, "text": getattr(item, "text", "") or getattr(item, "content", "")}
            for side, item in (("newer", conflict.newer), ("older", conflict.older))
        }
        door.prints_json({"kind": "contradiction", "reason": conflict.reason, **sides})
    door.prints_json(*({"kind": "elsewhere", "path": path} for path in survey.elsewhere))


def _taken(door: Door, refs: tuple[str, ...], scope: str | None, yes: bool, share: bool) -> int:
    with door.memory(yes=yes) as core:
        report = core.services.sources.take(refs, scope=scope, share=share)
    refused = [{"fact": line, "error": why} for line, why in report.refused]
    counts = {"added": report.added, "duplicates": report.duplicates, "redacted": report.redacted}
    if not door.prints_json({**counts, "refused": refused, "ids": list(report.ids)}):
        say(f"{'shared' if share else 'taken'}  {memory_count(report.added)}, "
            f"{count(report.duplicates, 'duplicate')}, {len(refused)} refused")  # fmt: skip
        if report.added or share:
            takes_back()
    for line, why in report.refused:
        narrate(f"  fact {line}: {one_line(why)}")
    return 1 if refused else 0


SCOPE = click.option(
    "--scope", type=click.Choice(["project", "global"]), help="This project, or every project."
)


@command("memdeck sources take", "memdeck sources take 3fa2c81d", of=sources)
@REFS
@SCOPE
@agreeable
def sources_take(door: Door, refs: tuple[str, ...], scope: str | None, yes: bool) -> int:
    """Take facts into memdeck; without an ID, all it lacks.

    Facts that a model wrote become candidates in Review. Rules become confirmed memories.
    """
    return _taken(door, refs, scope, yes, share=False)


@command("memdeck sources share 3fa2c81d", of=sources)
@click.argument("refs", metavar="ID|FILE…", nargs=-1, required=True)
@SCOPE
@agreeable
def sources_share(door: Door, refs: tuple[str, ...], scope: str | None, yes: bool) -> int:
    """Let the other agents receive facts: take and confirm.

    An agent that loads a fact by itself does not receive it from memdeck.
    """
    return _taken(door, refs, scope, yes, share=True)


def _carried_out(
    door: Door, plan_of: Callable[[Sources], SourcePlan], *, dry_run: bool, yes: bool
) -> int:
    """Show a plan, ask, and do it."""
    with door.memory(yes=yes) as core:
        acts = core.services.sources
        plan = plan_of(acts)
        if not door.as_json and not yes:
            for line in (line for change in plan.changes for line in change.diff.split("\n")):
                say(visible(line))
        for note in plan.notes if not door.as_json else ():
            narrate(f"  {one_line(note)}")
        if not dry_run:
            if not yes:
                core.context.consent.agree(f"{count(len(plan.changes), 'file')} will be changed.")
            acts.carry_out(plan)
    result = {
        "act": plan.act,
        "changed": not dry_run,
        "undo": plan.can_be_undone,
        "notes": list(plan.notes),
        "files": [{"path": change.path, "diff": change.diff} for change in plan.changes],
    }
    if not door.prints_json(result) and not dry_run:
        say(f"changed  {count(len(plan.changes), 'file')}")
        if plan.can_be_undone:
            takes_back()
    return 0


@command("memdeck sources write 01j9 --to claude", of=sources)
@click.argument("memory", metavar="MEMORY")
@click.option("--to", "to", metavar="AGENT", required=True,
              help="claude, qwen, codex, gemini or copilot.")  # fmt: skip
@DRY
@YES
def sources_write(door: Door, memory: str, to: str, dry_run: bool, yes: bool) -> int:
    """Write a memory into an agent's own memory.

    Claude Code and Qwen Code get a file and its index line, Gemini CLI a line, Codex a note, and
    Copilot CLI a line for `copilot memories import`.
    """
    return _carried_out(door, lambda acts: acts.plan_write(memory, to), dry_run=dry_run, yes=yes)


@command("memdeck sources repair --dry-run", of=sources)
@click.argument("folder", metavar="[FOLDER]", required=False)
@DRY
@YES
def sources_repair(door: Door, folder: str | None, dry_run: bool, yes: bool) -> int:
    """Complete an agent's index, and drop its dead lines.

    Where a start loads only a part of it, the lines are ordered: first the user's wishes, then the
    newest.
    """
    return _carried_out(door, lambda acts: acts.plan_repair(folder or ""), dry_run=dry_run, yes=yes)


@command("memdeck sources forget 3fa2c81d", of=sources)
@click.argument("refs", metavar="ID|FILE…", nargs=-1, required=True)
@DRY
@YES
def sources_forget(door: Door, refs: tuple[str, ...], dry_run: bool, yes: bool) -> int:
    """Remove facts from where an agent keeps them.

    Codex rewrites its files itself: it gets a note that asks it to forget.
    """
    return _carried_out(door, lambda acts: acts.plan_forget(refs), dry_run=dry_run, yes=yes)
