"""One hook of an agent answered: the same as `memdeck-hook`."""

from __future__ import annotations

import click

from ..options import example


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
