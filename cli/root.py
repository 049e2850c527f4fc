"""The tree of commands, each loaded when it is asked for, and `memdeck` alone: the app."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from .. import __version__
from .options import Door
from .output import hush

if TYPE_CHECKING:
    from ..core.agents import Agents

SECTIONS: Mapping[str, Mapping[str, str]] = {
    "Find": {
        "search": "finding:search",
        "list": "finding:list_",
        "show": "finding:show",
        "recall": "recalling:recall",
        "receipts": "recalling:receipts",
        "sessions": "sessions:sessions",
        "extract": "extracting:extract",
    },
    "Judge": {
        "inbox": "inbox:inbox",
        "conflicts": "conflicts:conflicts",
        "teaching": "teaching:teaching",
    },
    "Curate": {
        "remember": "curating:remember",
        "edit": "curating:edit",
        "pin": "curating:pin",
        "unpin": "curating:unpin",
        "merge": "joining:merge",
        "promote": "joining:promote",
        "link": "curating:link",
        "forget": "curating:forget",
        "restore": "curating:restore",
        "undo": "curating:undo",
        "redo": "curating:redo",
    },
    "Trust": {
        "audit": "trail:audit",
        "verify": "trail:verify",
        "rebuild": "trail:rebuild",
        "check": "checking:check",
        "redact": "checking:redact",
    },
    "Store": {
        "status": "store:status",
        "stats": "store:stats",
        "doctor": "store:doctor",
        "memory": "memory:memory",
    },
    "Move": {
        "import": "moving:import_",
        "export": "moving:export",
    },
    "Agents": {
        "learn": "learning:learn",
        "install": "agents:install",
        "uninstall": "agents:uninstall",
        "hook": "agents:hook",
        "drain": "agents:drain",
    },
    "More": {
        "demo": "demo:demo",
        "completion": "completion:completion",
    },
}
"""Where each command lives: the room and its name there."""

_PLACES = {name: place for section in SECTIONS.values() for name, place in section.items()}


class Root(click.Group):
    """A group that imports a room when one of its commands is used."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(_PLACES)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        if (place := _PLACES.get(cmd_name)) is None:
            return None
        room, _, name = place.partition(":")
        found = getattr(importlib.import_module(f".{room}", __package__), name)
        assert isinstance(found, click.Command)
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in _PLACES:
            import difflib  # for slips only

            near = difflib.get_close_matches(args[0], _PLACES, n=1)
            advice = f"Did you mean {near[0]!r}?" if near else "`memdeck -h` lists them."
            ctx.fail(f"No such command {args[0]!r}. {advice}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for section, places in SECTIONS.items():
            rows = []
            for name in places:
                command = self.get_command(ctx, name)
                assert command is not None
                rows.append((f"{name:10}", command.get_short_help_str(60)))
            with formatter.section(section):
                formatter.write_dl(rows)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a reader that went away (`| head`) ends it without a word."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            hush()
            return 0
        return result


@click.group(
    cls=Root,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 96},
    epilog="`memdeck COMMAND -h` shows a command's options and an example.",
)
@click.option("--screen", metavar="NAME", help="Open the app on this screen.")
@click.option("--id", "identifier", metavar="ID", help="Open the app on this memory.")
@click.option("--query", metavar="QUERY", help="Open the app with this query.")
@click.option("--project", metavar="NAME|FOLDER", help="Another project than this folder's.")
@click.option("--home", metavar="FOLDER", help="The store to use, instead of MEMDECK_HOME.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one object a line.")
@click.version_option(__version__, "-V", "--version", message="memdeck %(version)s")
@click.pass_context
def root(
    context: click.Context,
    screen: str | None,
    identifier: str | None,
    query: str | None,
    project: str | None,
    home: str | None,
    as_json: bool,
) -> int:
    """The memory manager for coding agents. Alone, `memdeck` opens the app on this project."""
    if context.invoked_subcommand is not None:
        if screen or identifier or query:
            context.fail("--screen, --id and --query open the app; they go without a command.")
        return 0
    door = Door(as_json=as_json, project=project, home=home)
    if as_json or not has_terminal():
        return _without_terminal(door)
    return open_app(door, screen=screen, identifier=identifier, query=query)


def has_terminal() -> bool:
    """Whether the app can be shown: somebody types and somebody looks."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def open_app(
    door: Door,
    *,
    screen: str | None = None,
    identifier: str | None = None,
    query: str | None = None,
    clock: Callable[[], datetime] | None = None,
    agents: Agents | None = None,
) -> int:
    """Run the app until it is left; `agents` are this machine's unless others are given.

    Raises click.UsageError for a screen that there is not.
    """
    from ..agents.desk import Desk
    from ..db.home import Home
    from ..tui.app import run_app  # the app and its libraries are for those who look at it
    from ..tui.stage import VIEWS

    if screen is not None and screen not in VIEWS:
        raise click.UsageError(f"There is no screen {screen!r}; there are {', '.join(VIEWS)}.")
    if identifier is not None:
        with door.memory() as core:
            identifier = core.resolve(identifier).id
    home = Home(door.home)
    run_app(
        home.path,
        door.project,
        query=query or "",
        view=screen,
        select=identifier,
        clock=clock,
        agents=agents or Desk(home, folder_of(door.project)),
    )
    return 0


def folder_of(project: str | None) -> str | None:
    """The folder whose settings are meant; None, the current one, for a project's name."""
    folder = os.path.expanduser(project) if project is not None else None
    return folder if folder is not None and os.path.isdir(folder) else None


def _without_terminal(door: Door) -> int:
    from .output import narrate
    from .store import report_status

    report_status(door)
    if not door.as_json:
        narrate("")
        narrate("There is no terminal to open the app in; these work anywhere:")
        narrate("  memdeck search QUERY      memdeck remember TEXT      memdeck -h")
    return 0
