"""Memories in and out: import and export."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import IO, Any

import click

from . import stdin
from .options import Door, complete_query, example, shared
from .output import count, emit, memory_count, narrate, one_line, say, visible

SHOWN = 10
"""Refused lines named on standard error."""


@click.command("import", epilog=example("memdeck import team.jsonl --from jsonl"))
@click.argument("file", metavar="FILE|-", type=click.Path(dir_okay=False, allow_dash=True))
@click.option(
    "--from",
    type=click.Choice(["jsonl"]),
    default="jsonl",
    expose_value=False,  # there is one form
    help="The file's form (jsonl).",
)
@shared
def import_(door: Door, file: str) -> int:
    """Take memories in from a file.

    One JSON object a line: content, and any of type, title, category, scope, importance
    (0-1), confidence, status, tags, files, session, agent, created_at, key. Secrets are
    taken out. Each 500 memories are one entry of the trail, and one undo.
    """
    unread: list[tuple[int, str]] = []
    numbers: list[int] = []
    with stdin.opened(file) as stream, door.memory() as core:
        report = core.import_memories(_readable(stream, numbers, unread))
    refused = sorted(unread + [(numbers[at - 1], why) for at, why in report.refused])
    if door.as_json:
        emit(
            {
                "added": report.added,
                "duplicates": report.duplicates,
                "redacted": report.redacted,
                "refused": [{"line": line, "error": why} for line, why in refused],
            }
        )
    else:
        say(
            f"imported  {memory_count(report.added)}, "
            f"{count(report.duplicates, 'duplicate')}, {len(refused)} refused"
        )
    if report.redacted:
        what = memory_count(report.redacted)
        narrate(f"  Secrets were taken out of {what} before storing.")
    for line, why in refused[:SHOWN]:
        narrate(f"  line {line}: {one_line(why)}")
    if len(refused) > SHOWN:
        narrate(f"  … and {len(refused) - SHOWN} more; --json names them all.")
    return 1 if refused else 0


def _readable(
    stream: IO[bytes], numbers: list[int], unread: list[tuple[int, str]]
) -> Iterator[dict[str, Any]]:
    """The lines that are objects; `numbers` learns where they stood, `unread` what was not one."""
    for number, line in stdin.objects(stream):
        if isinstance(line, stdin.BadLine):
            unread.append((number, str(line)))
        else:
            numbers.append(number)
            yield line


@click.command(
    epilog=example(
        "memdeck export --format jsonl > memories.jsonl",
        "memdeck export --format markdown type:semantic",
    )
)
@click.argument("query", nargs=-1, shell_complete=complete_query)
@click.option(
    "--format",
    "form",
    type=click.Choice(["jsonl", "markdown", "csv"]),
    default="jsonl",
    help="What to write (jsonl, which `import` reads).",
)
@shared
def export(door: Door, query: tuple[str, ...], form: str) -> int:
    """Write memories to standard output.

    All of the project's, or those that a query matches.
    """
    with door.memory() as core:
        memories = core.list(" ".join(query))
    from ..core import portable

    if door.as_json or form == "jsonl":
        for memory in memories:
            emit(portable.object_of(memory))
    elif form == "markdown":
        for paragraph in portable.to_markdown(memories):
            say(paragraph)
    else:
        for line in portable.to_csv(memories):
            sys.stdout.write(visible(line) + "\r\n")
    return 0
