"""Summaries of sessions, days, weeks, months and the project, opened to their sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..options import Door, command, group
from ..output import Ink, memory_row, narrate, one_line, say, table

if TYPE_CHECKING:
    from ...core.services.summaries import Summary

LEVELS = ("session", "day", "week", "month", "project")


@group("memdeck summaries", "memdeck summaries show 2026-03-02")
def summaries() -> None:
    """Summarize sessions, days, weeks, months and the project.

    Without a subcommand, list the newest summaries.
    """


@command("memdeck summaries list --level week --json", of=summaries)
@click.option("--level", type=click.Choice(LEVELS), help="Only those of this level.")
@click.option("--limit", default=20, show_default=True, help="Number of summaries.")
def summaries_list(door: Door, level: str | None, limit: int) -> None:
    """List the summaries, newest first."""
    with door.memory() as core:
        listed = core.summaries(level, limit)
    if door.prints_json(*listed):
        return
    for item in listed:
        say(Ink(_heading(item), "bold"))
        for line in item.content.splitlines():
            say("    ", one_line(line))
    if not listed:
        narrate("No memory of a session or a day is there to summarize.")


@command("memdeck summaries show 2026-03-02", of=summaries)
@click.argument("identifier", metavar="ID")
def summaries_show(door: Door, identifier: str) -> None:
    """Show one summary with its parts.

    The project has months, months and weeks have days, days have sessions. Days and sessions
    list their memories.
    """
    with door.memory() as core:
        opened = core.opened_summary(identifier)
        now = core.now()
    parts = {"summaries": opened.summaries, "memories": opened.memories}
    if door.prints_json(opened.summary, **parts):
        return
    say(Ink(_heading(opened.summary), "bold"))
    for line in opened.summary.content.splitlines():
        say("    ", one_line(line))
    if opened.summaries:
        say("\n  ", Ink("made of", "dim"))
        for summary in opened.summaries:
            say("    ", _heading(summary))
    if opened.memories:
        say("\n  ", Ink("learned", "dim"))
        table([memory_row(memory, now) for memory in opened.memories], indent="    ")


def _heading(summary: Summary) -> str:
    name = one_line(summary.name)
    return name if name == summary.level else f"{summary.level} {name}"
