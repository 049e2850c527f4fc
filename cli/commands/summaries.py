"""What tasks, sessions, days, weeks, months and the project came to, each opened to its sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..options import Door, command, group
from ..output import Ink, memory_row, narrate, one_line, say, section, table

if TYPE_CHECKING:
    from ...core.services.summaries import Summary

LEVELS = ("task", "session", "day", "week", "month", "project")


@group("memdeck summaries", "memdeck summaries show 2026-03-02")
def summaries() -> None:
    """Show what sessions, tasks, days and the project came to.

    Without a word, lists the summaries, newest first.
    """


@command("memdeck summaries list --level week --json", of=summaries)
@click.option("--level", type=click.Choice(LEVELS), help="Only those of this level.")
def summaries_list(door: Door, level: str | None) -> None:
    """List the summaries, newest first."""
    with door.memory() as core:
        matches = core.summaries(level)
    if door.prints_json(*matches):
        return
    for item in matches:
        say(Ink(_heading(item), "bold"))
        for line in item.content.splitlines():
            say("    ", one_line(line))
    if not matches:
        narrate(
            "Nothing is summed up yet: a session is when it ends, a task when it is done,"
            " a day when it is over."
        )


@command("memdeck summaries show 2026-03-02", of=summaries)
@click.argument("identifier", metavar="ID")
def summaries_show(door: Door, identifier: str) -> None:
    """Open one summary: the project to months, these and weeks to days, days to sessions.

    Days, sessions and tasks open to what was learned in them.
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
        section("made of")
        for summary in opened.summaries:
            say("    ", _heading(summary))
    if opened.memories:
        section("learned")
        table([memory_row(memory, now) for memory in opened.memories], indent="    ")


def _heading(summary: Summary) -> str:
    name = one_line(summary.name)
    return name if name == summary.level else f"{summary.level} {name}"
