"""Commands that programs use: hook, drain, mcp and completion."""

from __future__ import annotations

import json
import sys

import click

from ...db.errors import StoreUnusable
from ..options import Door, command, example
from ..output import Ink, count, narrate, say


@click.command(
    context_settings={"ignore_unknown_options": True},
    epilog=example("memdeck hook claude UserPromptSubmit < payload.json"),
)
@click.argument("host", metavar="CLI")
@click.argument("event", metavar="EVENT")
@click.argument("rest", nargs=-1, type=click.UNPROCESSED, metavar="")
def hook(host: str, event: str, rest: tuple[str, ...]) -> int:
    """Answer one hook of an agent.

    The exit code is always 0.
    """
    from ...agents.main import main as answer_hook

    return answer_hook([host, event, *rest])


@command("memdeck drain")
def drain(door: Door) -> int:
    """Process queued events now.

    Background processing does this shortly after each turn.
    """
    from ...agents.drain import drain_spool
    from ...db.home import Home

    report = drain_spool(Home(door.home))
    if not report.ran and not door.as_json:
        narrate("Another process is reading the queue. There is nothing to do.")
    elif not door.prints_json(report):
        say(
            f"drained  {count(report.records, 'event')}: {report.stored} stored, "
            f"{report.duplicates} duplicates, {report.refused} filtered"
        )
        if report.retried or report.failed:
            narrate(f"  {report.retried} are tried again later, {report.failed} were set aside.")
    if report.problem:
        raise StoreUnusable(report.problem, hint="The rest waits for the next run.")
    return 1 if report.failed else 0


@command("memdeck mcp", "memdeck mcp --snippet")
@click.option("--snippet", is_flag=True, help="Print the entry for editors.")
def mcp(door: Door, snippet: bool) -> None:
    """Serve the memories over MCP on standard input and output.

    `memdeck install AGENT` registers it. --snippet prints the entry for Cursor, Windsurf, Cline,
    VS Code and Zed.
    """
    if not snippet:
        from ...agents.mcp import serve

        return serve(sys.stdin.buffer, sys.stdout.buffer, home=door.home, project=door.project)
    from ...hosts.settings import find_executable, sibling

    server = {"command": sibling(find_executable() or "memdeck-hook"), "args": ["mcp"]}
    for editors, key, more in _EDITORS:
        narrate(Ink(f"{editors}:", "dim"))
        say(json.dumps({key: {"memdeck": {**more, **server}}}, indent=2))
    return None


_EDITORS: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("Cursor (~/.cursor/mcp.json), Windsurf (mcp_config.json), Cline", "mcpServers", {}),
    ("VS Code (.vscode/mcp.json)", "servers", {"type": "stdio"}),
    ("Zed (settings.json)", "context_servers", {}),
)
"""Editors and their files, the key of the servers, and further fields of an entry."""


@command(
    'eval "$(memdeck completion bash)"',
    "memdeck completion fish > ~/.config/fish/completions/memdeck.fish",
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(door: Door, shell: str) -> None:
    """Print a shell's completion script."""
    from click.shell_completion import ShellComplete, get_completion_class

    from ..root import root

    kind = get_completion_class(shell)
    assert kind is not None  # click knows these three
    # a class's own `source` starts a bash to ask its version
    text = ShellComplete.source(kind(root, {}, "memdeck", "_MEMDECK_COMPLETE"))
    if not door.prints_json({"shell": shell, "script": text}):
        sys.stdout.write(f"{text.rstrip()}\n")
