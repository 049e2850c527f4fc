"""Connecting agents: install, uninstall, hook, drain."""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from ..core.errors import Refused, StoreUnusable
from .options import Door, example, shared
from .output import Ink, count, emit, narrate, say

if TYPE_CHECKING:
    from ..hooks.install_claude import Plan

HOST = click.Choice(["claude"])
INTO = click.Choice(["user", "project", "local"])


@click.command(epilog=example("memdeck install claude --dry-run", "memdeck install claude"))
@click.argument("host", metavar="claude", type=HOST)
@click.option(
    "--scope",
    type=INTO,
    default="user",
    help="Settings of yours (user), of the project, or yours for the project (local).",
)
@click.option("--dry-run", is_flag=True, help="Only show what would change.")
@shared
def install(door: Door, host: str, scope: str, dry_run: bool) -> int:
    """Connect an agent: put our hooks into its settings.

    Nothing else in them is touched; `uninstall` takes the hooks out again.
    """
    from ..db.home import Home
    from ..hooks import install_claude

    planned = install_claude.plan(scope, _folder(door), Home(door.home))
    if not dry_run:
        install_claude.apply(planned, Home(door.home))
    elif planned.problems:
        raise Refused(" ".join(planned.problems), hint="Nothing was changed.")
    done = "would be connected" if dry_run else "connected"
    _report(door, host, planned, done if planned.is_needed else "is connected already", dry_run)
    return 0


@click.command(epilog=example("memdeck uninstall claude"))
@click.argument("host", metavar="claude", type=HOST)
@click.option("--scope", type=INTO, default="user", help="The settings to leave (user).")
@click.option("--dry-run", is_flag=True, help="Only show what would change.")
@shared
def uninstall(door: Door, host: str, scope: str, dry_run: bool) -> int:
    """Take our hooks out of an agent's settings.

    Memories stay.
    """
    from ..db.home import Home
    from ..hooks import install_claude

    planned = install_claude.plan_uninstall(scope, _folder(door))
    if not dry_run:
        install_claude.apply(planned, Home(door.home))
    elif planned.problems:
        raise Refused(" ".join(planned.problems), hint="Nothing was changed.")
    done = "would be disconnected" if dry_run else "disconnected"
    _report(door, host, planned, done if planned.is_needed else "is not connected", dry_run)
    return 0


def _folder(door: Door) -> str | None:
    """The folder whose settings are meant; None is the current one."""
    if door.project is None:
        return None
    folder = os.path.expanduser(door.project)
    if not os.path.isdir(folder):
        raise click.UsageError(f"{door.project} is no folder; settings lie in one.")
    return folder


def _report(door: Door, host: str, planned: Plan, done: str, dry_run: bool) -> None:
    if door.as_json:
        emit(
            {
                "host": host,
                "scope": planned.scope,
                "path": planned.path,
                "changed": planned.is_needed and not dry_run,
                "dry_run": dry_run,
                "diff": planned.diff,
                "notes": list(planned.notes),
            }
        )
        return
    if dry_run and planned.diff:
        say(planned.diff.rstrip("\n"))
    narrate(Ink(f"{host} {done}", "bold"), f"  {planned.path}")
    for note in planned.notes if planned.is_needed else ():
        narrate(f"  {note}")


@click.command(
    context_settings={"ignore_unknown_options": True},
    epilog=example("memdeck hook claude UserPromptSubmit < payload.json"),
)
@click.argument("host", metavar="CLI")
@click.argument("event", metavar="EVENT")
@click.argument("rest", nargs=-1, type=click.UNPROCESSED, metavar="")
def hook(host: str, event: str, rest: tuple[str, ...]) -> int:
    """Answer one hook of an agent.

    The same as the command `memdeck-hook`; the exit code is always 0.
    """
    from ..hooks.main import main as answer_hook

    return answer_hook([host, event, *rest])


@click.command(epilog=example("memdeck drain"))
@shared
def drain(door: Door) -> int:
    """Turn what the hooks noted into memories now.

    Otherwise it happens shortly after an agent's turn, in the background.
    """
    from ..db.home import Home
    from ..hooks.drain import drain as drain_spool

    report = drain_spool(Home(door.home))
    if door.as_json:
        emit(asdict(report))
    elif not report.ran:
        narrate("Another drain is at work; there is nothing to do.")
    else:
        say(
            f"drained  {count(report.records, 'note')}: {report.stored} remembered, "
            f"{report.duplicates} known, {report.refused} refused"
        )
        if report.retried or report.failed:
            narrate(f"  {report.retried} are tried again later, {report.failed} were set aside.")
    if report.problem:
        raise StoreUnusable(report.problem, hint="What is left waits for the next drain.")
    return 1 if report.failed else 0
