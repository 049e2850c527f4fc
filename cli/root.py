"""The tree of commands, each loaded on use, and `memdeck` alone: the app."""

from __future__ import annotations

import errno
import gc
import importlib
import os
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from .. import __version__
from .options import DOOR, Door
from .output import hush

if TYPE_CHECKING:
    from ..core.agents import Agents

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Errors of a full disk for redirected output; the store's own error is `StoreFull`."""

SECTIONS: Mapping[str, Sequence[str]] = {
    "Find": ("search list show recall receipts sessions summaries extract").split(),
    "Judge": "review profile".split(),
    "Curate": (
        "remember edit pin unpin merge promote demote link done forget restore undo redo"
    ).split(),
    "Trust": "history verify maintain rebuild check redact".split(),
    "Store": "status doctor config memory".split(),
    "Move": "sources import export project".split(),
    "Agents": "learn install uninstall hook drain mcp".split(),
    "More": "demo completion".split(),
}
"""The commands, as the help page groups them."""

MODULES = {
    "acts": "edit pin unpin promote demote merge link done forget restore undo redo",
    "find": "search list show profile",
    "hook": "hook drain mcp completion",
    "install": "install uninstall",
    "remember": "remember learn",
    "sessions": "sessions summaries",
    "store": "verify rebuild check redact doctor maintain",
    "transfer": "import export project",
}
"""Commands by the module in `commands/` that has them; any other has a module of its name."""

_MODULE = {name: module for module, names in MODULES.items() for name in names.split()}

ALIASES = {"audit": "history", "inbox": "review", "conflicts": "review", "stale": "review"}
"""Other names of commands. No help lists them."""

_NAMES = tuple(name for section in SECTIONS.values() for name in section)


class Root(click.Group):
    """A group that imports a module when one of its commands is used."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(_NAMES)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        cmd_name = ALIASES.get(cmd_name, cmd_name)
        if cmd_name not in _NAMES:
            return None
        module = f".commands.{_MODULE.get(cmd_name, cmd_name)}"
        name = f"{cmd_name}_" if cmd_name in ("import", "list") else cmd_name
        command = getattr(importlib.import_module(module, __package__), name)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[:1] == ["stale"] and (not args[1:] or args[1].startswith("-")):
            args = ["review", "list", "--kind", "outdated", *args[1:]]
        existing = {*_NAMES, *ALIASES}
        if args and args[0] not in existing and not ctx.resilient_parsing:  # completing: silent
            import difflib  # for slips only

            near = difflib.get_close_matches(args[0], _NAMES, n=1)
            advice = f"Did you mean {near[0]!r}?" if near else "`memdeck -h` lists them."
            ctx.fail(f"No such command {args[0]!r}. {advice}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for section, names in SECTIONS.items():
            rows = []
            for name in names:
                command = self.get_command(ctx, name)
                assert command is not None
                rows.append((f"{name:10}", command.get_short_help_str(60)))
            with formatter.section(section):
                formatter.write_dl(rows)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a closed pipe (`| head`) ends it without an error."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            hush()
            return 0
        except OSError as error:
            if isinstance(error, FileNotFoundError):
                from ..core.context import current_folder

                current_folder()  # where that is gone, this says so
            if error.errno not in _NO_ROOM or error.filename is not None:
                raise
            hush()
            raise click.ClickException(
                f"Not all of it could be written: {error.strerror}. Free some space, and try again."
            ) from None
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
@DOOR
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
            context.fail("--screen, --id and --query open the app. Use them without a command.")
        return 0
    door = Door(as_json=as_json, project=project, home=home)
    if as_json or not has_terminal():
        if screen or identifier or query:
            context.fail("This is no terminal to open the app in. Use: memdeck list, memdeck show.")
        return _without_terminal(door)
    return open_app(door, screen=screen, identifier=identifier, query=query)


def has_terminal() -> bool:
    """Return True if the app can be shown: input and output are terminals.

    A browser has no terminal: there, Textual's own variable names the driver.
    """
    if os.environ.get("TEXTUAL_DRIVER"):
        return True
    streams = (sys.stdin, sys.stdout, sys.stderr)  # the app is drawn on the last
    is_there = all(stream is not None and stream.isatty() for stream in streams)
    return is_there and os.environ.get("TERM") != "dumb"


def open_app(
    door: Door,
    *,
    screen: str | None = None,
    identifier: str | None = None,
    query: str | None = None,
    agents: Agents | None = None,
) -> int:
    """Run the app until it is left; `agents` are this machine's unless others are given.

    Raises click.UsageError for a screen that there is not.
    """
    # a key that comes right after a paint waits for the next frame: half as long as Textual's usual
    os.environ.setdefault("TEXTUAL_FPS", "120")
    gc.disable()  # modules loaded now are no garbage; the app enables it after its first screen
    try:
        from ..agents.desk import Desk
        from ..db.home import Home
        from ..tui.app import MemoryApp  # it and its libraries are for those who look at it
        from ..tui.view import SCREENS

        names = {kind.label.lower(): kind.name for kind in SCREENS}
        if screen is not None and screen not in names:
            raise click.UsageError(f"There is no screen {screen!r}. Screens: {', '.join(names)}.")
        if identifier is not None or door.project:
            with door.memory() as core:
                identifier = core.resolve(identifier).id if identifier else None
        home = Home(door.home)
        app = MemoryApp(
            home.path,
            door.project,
            query=query or "",
            view=names[screen] if screen else None,
            select=identifier,
            agents=agents or Desk(home, door.folder),
        )
        wants_demo = app.run_in_terminal()
    finally:
        gc.enable()
    if wants_demo:
        command = root.get_command(click.get_current_context(), "demo")
        assert command is not None
        return int(command.main([], standalone_mode=False) or 0)
    return 0


def _without_terminal(door: Door) -> int:
    from .commands.status import report_status
    from .output import narrate

    report_status(door)
    if not door.as_json:
        narrate("")
        narrate("There is no terminal to open the app in. These commands work anywhere:")
        narrate("  memdeck search QUERY      memdeck remember TEXT      memdeck -h")
    return 0
