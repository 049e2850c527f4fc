"""Commands that agents' hooks use: hook and drain."""

from __future__ import annotations

import click

from ...core.errors import StoreUnusable
from ..options import Door, command, example
from ..output import count, narrate, say


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
    from ...agents.main import main as answer_hook

    return answer_hook([host, event, *rest])


@command("memdeck drain")
def drain(door: Door) -> int:
    """Turn what the hooks noted into memories now.

    Otherwise it happens shortly after an agent's turn, in the background.
    """
    from ...agents.drain import drain_spool
    from ...db.home import Home

    report = drain_spool(Home(door.home))
    if not report.ran and not door.as_json:
        narrate("Another drain is at work; there is nothing to do.")
    elif not door.prints_json(report):
        say(
            f"drained  {count(report.records, 'note')}: {report.stored} remembered, "
            f"{report.duplicates} known, {report.refused} refused"
        )
        if report.retried or report.failed:
            narrate(f"  {report.retried} are tried again later, {report.failed} were set aside.")
    if report.problem:
        raise StoreUnusable(report.problem, hint="What is left waits for the next drain.")
    return 1 if report.failed else 0
