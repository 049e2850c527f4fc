"""Commands that move memories: import and export."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator
from typing import IO, TYPE_CHECKING, Any

import click

from ..acts import count_pins, takes_back
from ..options import (
    BadLine,
    Door,
    agreeable,
    command,
    group,
    json_lines,
    open_input,
)
from ..output import Ink, count, counted, emit, memory_count, narrate, one_line, say, visible
from .find import point_out

if TYPE_CHECKING:
    from ...core.answers import ImportReport
    from ...core.services.transfer import InstructionReport


_BEFORE = b"\xef\xbb\xbf\xff\xfe \t\r\n"  # marks of UTF-8 and UTF-16, and blanks


@group("memdeck project", "memdeck project join api-1a2b3c4d5e")
def project() -> None:
    """Show projects that look like this one, join or begin one."""


@command("memdeck project list --json", of=project)
def project_list(door: Door) -> None:
    """List projects that may be this one."""
    from ...core.documents.agent import likeness

    with door.services() as services:
        here, matches = services.context.project, services.projects.alike()
    if door.prints_json(*matches):
        return
    say(Ink(one_line(here.name), "bold"), f"  {one_line(here.root)}")
    for item in matches:
        say("  looks like ", one_line(likeness(item)))
    if not matches:
        narrate("No other project looks like this one.")


@command("memdeck project join api-1a2b3c4d5e", of=project)
@click.argument("other", metavar="ID|NAME")
@click.option("--dry-run", is_flag=True, help="Show the changes and write nothing.")
@agreeable
def project_join(door: Door, other: str, dry_run: bool, yes: bool) -> None:
    """Join this folder to another project.

    All memories here move there, with their links, pins and sessions.
    """
    with door.memory(yes=yes) as core:
        joined = core.services.projects.join(other, preview=dry_run)
    if door.prints_json(joined):
        return
    name = one_line(f"{joined.project.name} ({joined.project.id})")
    moved = f"{memory_count(joined.memories)}, {count(joined.sessions, 'session')}"
    say(f"{'would join' if dry_run else 'joined'}  {name}: {moved}")
    if not dry_run:
        takes_back()


@command("memdeck project new research", of=project)
@click.argument("name")
def project_new(door: Door, name: str) -> None:
    """Begin a project that has a name and no folder."""
    from ...core.memdeck import open_services

    with open_services(door.home, name) as services:
        begun = services.projects.begin()
    if not door.prints_json(begun):
        say("began  ", one_line(f"{begun.name} ({begun.id})"))
        narrate(f"  Name it: `memdeck remember TEXT --project {shlex.quote(begun.name)}`")


SHOWN = 10
"""Refused lines named on standard error."""


@command(
    "memdeck import team.jsonl --from jsonl", "memdeck import CLAUDE.md --dry-run", name="import"
)
@click.argument("file", metavar="FILE|-", type=click.Path(dir_okay=False, allow_dash=True))
@click.option(
    "--from",
    "form",
    type=click.Choice(["jsonl", "instructions", "markdown", "claude-md"]),
    help="Format of the file (detected). The last three are the same.",
)
@click.option("--dry-run", is_flag=True, help="List the instructions of a file and store nothing.")
@click.option(
    "--scope",
    type=click.Choice(["project", "global"]),
    help="Scope of instructions: this project, or every project.",
)
@agreeable
def import_(
    door: Door, file: str, form: str | None, dry_run: bool, scope: str | None, yes: bool
) -> int:
    """Import memories from a file.

    In CLAUDE.md, AGENTS.md, GEMINI.md and other Markdown, each rule becomes a memory.

    JSON Lines: objects with content, and any of type, title, category, scope, importance (0-1),
    confidence, status, tags, files, session, agent, created_at, key. All of an import is
    one undo, also when ctrl-c ends it early. Secrets are taken out of both.
    """
    if (form or _form_of(file)) != "jsonl":
        return _instructions(door, file, scope or "project", dry_run=dry_run, yes=yes)
    if dry_run or scope:
        raise click.UsageError("--dry-run and --scope are for files of instructions.")
    unread: list[tuple[int, str]] = []
    numbers: list[int] = []
    with (
        open_input(file) as stream,
        door.memory(yes=yes) as core,
        counted("imported") as progress,
    ):
        before = core.services.search.standing("pinned")
        report = core.import_memories(_readable(stream, numbers, unread), progress=progress)
        pins = core.services.pin_words() if core.services.search.standing("pinned") > before else ""
    refused = sorted(unread + [(numbers[at - 1], why) for at, why in report.refused])
    stopped = {"stopped": True} if report.stopped else {}
    _print_report(door, report, [{"line": line, "error": why} for line, why in refused], stopped)
    count_pins(pins)
    for line, why in refused[:SHOWN]:
        narrate(f"  line {line}: {one_line(why)}")
    if len(refused) > SHOWN:
        narrate(f"  … and {len(refused) - SHOWN} more. --json names them all.")
    if unread and not (report.added or report.duplicates):
        narrate("  An import has one JSON object a line.")
    if report.stopped:
        narrate(f"  Stopped: nothing after line {numbers[-1]} was not taken over.")
        raise click.Abort
    return 1 if refused else 0


def _form_of(file: str) -> str:
    """Return the format by the name, else by the first character; a pipe is JSON Lines."""
    if file.lower().endswith((".jsonl", ".ndjson", ".json")):
        return "jsonl"
    if file.lower().endswith((".md", ".markdown", ".mdc")):
        return "instructions"
    if file.lower().endswith((".csv", ".tsv")):
        raise click.UsageError(
            "Tables are not read. `export --format jsonl` writes what import reads."
        )
    if file == "-" or (os.path.exists(file) and not os.path.isfile(file)):
        return "jsonl"  # a pipe can be read but once
    with open_input(file) as stream:
        start = stream.read(4096).replace(b"\0", b"").lstrip(_BEFORE)
    is_object = start.removeprefix(b"[").lstrip().startswith(b"{")
    name = os.path.basename(file).lower()
    if is_object or not start:
        return "jsonl"
    if name.startswith(".") or "rules" in name:
        return "instructions"  # .cursorrules, .windsurfrules
    raise click.UsageError(
        f"{file} is no Markdown and no JSON Lines. `--from instructions` reads it as rules."
    )


def _instructions(door: Door, file: str, scope: str, *, dry_run: bool, yes: bool) -> int:
    if file == "-":
        raise click.UsageError("Instructions are read from a file. Name it instead of `-`.")
    if dry_run:
        with door.memory() as core:
            instructions_in = core.instructions_in(file, scope=scope)
        for item in instructions_in:
            row = {"text": item.text, "known": item.is_known}
            row |= {"refused": item.refused} if item.refused else {}
            if not door.prints_json(row):
                if item.refused:
                    narrate(Ink(f"not read  {item.text}: {item.refused}", "warn"))
                    continue
                ink = Ink("known  ", "dim") if item.is_known else "       "
                say(ink, item.text.replace("\n", "\n         "))
        new = sum(not (item.is_known or item.refused) for item in instructions_in)
        narrate(f"{memory_count(new)} would be added; nothing was changed.")
        _say_most(len(instructions_in))
        return 0
    with door.memory(yes=yes) as core:
        report = core.import_instructions(file, scope=scope)
    refused = [{"text": text, "error": why} for text, why in report.refused]
    skipped = [{"text": text, "reason": why} for text, why in report.skipped]
    _print_report(door, report, refused, {"ids": report.ids, "skipped": skipped})
    if not (door.as_json or report.added or report.duplicates or refused):
        narrate("  No instructions were found in it.")
    for text, why in report.refused[:SHOWN]:
        narrate(f"  {one_line(text)[:60]}: {one_line(why)}")
    for text, why in report.skipped[:SHOWN]:
        narrate(f"  skipped  {one_line(text)[:60]}: {why}")
    _say_most(report.added + report.duplicates + len(report.refused))
    return 1 if report.refused else 0


def _print_report(
    door: Door,
    report: ImportReport | InstructionReport,
    refused: list[dict[str, Any]],
    more: dict[str, Any],
) -> None:
    """Print the result of a file; `more` are further fields of the object."""
    counts = {name: getattr(report, name) for name in ("added", "duplicates", "redacted")}
    if not door.prints_json({**counts, "refused": refused, **more}):
        text = f"{memory_count(report.added)}, {count(report.duplicates, 'duplicate')}"
        say(f"imported  {text}, {len(refused)} refused")
        if report.added:
            takes_back()
    if report.redacted:
        narrate(f"  Secrets were taken out of {memory_count(report.redacted)} before storing.")


def _say_most(number: int) -> None:
    from ...core.ingest.importers import MOST_ENTRIES

    if number >= MOST_ENTRIES:
        narrate(
            f"  At most {MOST_ENTRIES} are read from a file. Move the others into another file."
        )


def _readable(
    stream: IO[bytes], numbers: list[int], unread: list[tuple[int, str]]
) -> Iterator[dict[str, Any]]:
    """Yield the lines that are objects; `numbers` gets their numbers, `unread` the other lines."""
    for number, line in json_lines(stream):
        if isinstance(line, BadLine):
            unread.append((number, str(line)))
        else:
            numbers.append(number)
            yield line


@command(
    "memdeck export --format jsonl > memories.jsonl",
    "memdeck export --format markdown type:semantic",
)
@click.argument("query", nargs=-1)
@click.option(
    "--format",
    "form",
    type=click.Choice(["jsonl", "markdown", "csv"]),
    default="jsonl",
    help="Output format (jsonl, which `import` reads).",
)
def export(door: Door, query: tuple[str, ...], form: str) -> None:
    """Write memories to standard output.

    All memories of the project, or those that match a query.
    """
    with door.memory() as core:
        from ...core import portable
        from ...core.context import each

        text = " ".join(query)
        point_out(text)
        memories = each(core.context, core.services.search.nums(text))
        if door.as_json or form == "jsonl":
            for memory in memories:
                emit(portable.object_of(memory))
        elif form == "markdown":
            for paragraph in portable.to_markdown(memories):
                say(paragraph)
        else:
            for line in portable.to_csv(memories):
                sys.stdout.write(visible(line) + "\r\n")
