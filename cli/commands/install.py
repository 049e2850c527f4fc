"""An agent connected, and disconnected."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from ...core.agents import HOSTS, NAMES, Host, Scope, SetupPlan
from ...db.errors import Refused
from ..options import Door, command, is_asking
from ..output import Ink, count, narrate, one_line, say

if TYPE_CHECKING:
    from ...db.home import Home

HOST = click.Choice(HOSTS)
INTO = click.Choice(["user", "project", "local"])

MANY = "|".join(HOSTS)


@command(
    "memdeck install claude --dry-run",
    "memdeck install codex",
    short_help="Connect an agent: its hooks and commands.",
)
@click.argument("host", metavar=MANY, type=HOST)
@click.option(
    "--scope",
    type=INTO,
    default="user",
    help="Your settings (user), the project's, or yours for the project (local, Claude Code).",
)
@click.option("--dry-run", is_flag=True, help="Show the changes and write nothing.")
@click.option("--trust", is_flag=True, help="Mark our hooks as trusted in Codex.")
def install(door: Door, host: Host, scope: Scope, dry_run: bool, trust: bool) -> None:
    """Connect an agent: add hooks, commands and the MCP server.

    Other entries stay as they are. `uninstall` removes ours again.
    """
    from ...db.home import Home
    from ...hosts.install import host_of, plan

    if trust and host_of(host).trust is None:
        asking = ", ".join(name for name in HOSTS if host_of(name).trust is not None)
        raise click.UsageError(f"--trust goes with {asking}. No other agent asks for it here.")
    home = Home(door.home)
    planned = plan(host, scope, _folder(door), home, is_trusting=trust)
    _carry_out(planned, home, dry_run)
    done = "would be connected" if dry_run else "connected"
    done = done if planned.is_needed else "is connected already"
    _report(door, planned, done, dry_run)
    if trust and not door.as_json:
        narrate(f"  {NAMES[host]} {'would trust' if dry_run else 'trusts'} these hooks.")
    if not dry_run and not door.as_json and is_asking():
        _offer_reader(door, host)


def _offer_reader(door: Door, host: Host) -> None:
    """Ask once whether this agent's model may read finished sessions; a login makes it the default.

    The same vendor has just had the session.
    """
    from ...core.config.settings import AGENT_ENGINES
    from ...core.services.extractor_state import COST
    from ...hosts.install import has_login

    if host not in AGENT_ENGINES:
        return
    with door.memory() as core:
        if core.services.preferences.extractor_state().is_answered:
            return
        question = (
            f"Should {NAMES[host]} read each finished session and propose memories? {COST}"
            " With an API key you pay for them."
        )
        try:
            is_wanted = click.confirm(question, default=has_login(host), err=True)
        except click.Abort:  # no answer: the agent is connected, and the next install asks again
            return
        core.services.preferences.choose_engine(host if is_wanted else None)
    narrate(f"  Change it with `memdeck extract {'--off' if is_wanted else f'--use {host}'}`.")


@command("memdeck uninstall claude", short_help="Disconnect an agent. Memories stay.")
@click.argument("host", metavar=MANY, type=HOST)
@click.option("--scope", type=INTO, default="user", help="Settings to clean (user).")
@click.option("--dry-run", is_flag=True, help="Show the changes and write nothing.")
def uninstall(door: Door, host: Host, scope: Scope, dry_run: bool) -> None:
    """Disconnect an agent. Memories stay."""
    from ...db.home import Home
    from ...hosts.install import plan

    home = Home(door.home)
    planned = plan(host, scope, _folder(door), home, is_removal=True)
    _carry_out(planned, home, dry_run)
    done = "would be disconnected" if dry_run else "disconnected"
    _report(door, planned, done if planned.is_needed else "is not connected", dry_run)


def _carry_out(planned: SetupPlan, home: Home, dry_run: bool) -> None:
    """Carry out a plan, or on a dry run only raise its refusals."""
    from ...hosts import settings

    if not dry_run:
        settings.carry_out(planned, home)
    elif planned.problems:
        raise Refused(" ".join(planned.problems), hint="Nothing was changed.")


def _folder(door: Door) -> str | None:
    """Return the folder whose settings are meant; None is the current one."""
    if door.project is None:
        return None
    folder = os.path.expanduser(door.project)
    if not os.path.isdir(folder):
        raise click.UsageError(f"{door.project} is no folder. Settings lie in a folder.")
    return folder


def _report(door: Door, planned: SetupPlan, done: str, dry_run: bool) -> None:
    from ...hosts.install import host_of

    diffs = [change.diff for change in planned.changes if change.diff]
    if door.prints_json(
        {
            "host": planned.host,
            "scope": planned.scope,
            "path": planned.changes[0].path,
            "changed": planned.is_needed and not dry_run,
            "dry_run": dry_run,
            "diff": "".join(diffs),
            "notes": list(planned.notes),
            "files": [
                {"path": other.path, "changes": other.is_needed} for other in planned.changes
            ],
        }
    ):
        return
    if dry_run and diffs:
        say("".join(diffs).rstrip("\n"))
    narrate(Ink(f"{NAMES[planned.host]} {done}", "bold"))
    hooks, *others = planned.changes
    narrate(f"  {one_line(hooks.path)}")
    needed = [other for other in others if other.is_needed]
    servers = host_of(planned.host).server_path
    if paths := [other.path for other in needed if other.path != servers]:
        folder = one_line(os.path.commonpath(paths))
        narrate(f"  and {count(len(paths), 'file')} of slash commands in {folder}")
    if any(other.path == servers for other in needed):
        narrate(f"  and the MCP server in {one_line(servers)}")
    for note in planned.notes if planned.is_needed else ():
        narrate(f"  {one_line(note)}")
