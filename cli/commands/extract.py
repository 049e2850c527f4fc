"""The user's own model that reads sessions: its request, and one call by hand."""

from __future__ import annotations

import click

from ...db.errors import BadInput
from ..acts import report_line
from ..options import Door, command
from ..output import Ink, acted, narrate, one_line, say


@command(
    "memdeck extract --print-request 0f3c9a",
    "memdeck extract 0f3c9a",
    "memdeck extract --use claude",
)
@click.argument("session", metavar="[SESSION]", required=False)
@click.option("--print-request", is_flag=True, help="Print the request and send nothing.")
@click.option("--engine", metavar="NAME", help="Use this engine once.")
@click.option("--use", metavar="NAME", help="Use this engine for all sessions from now on.")
@click.option("--off", is_flag=True, help="Stop using a model.")
@click.option("--yes", is_flag=True, help="Send it without asking.")
def extract(
    door: Door,
    session: str | None,
    print_request: bool,
    engine: str | None,
    use: str | None,
    off: bool,
    yes: bool,
) -> int:
    """Let a model of yours read a session, once.

    Its proposals must quote the session, and are checked. It is off unless you choose an engine.
    Without a session, show the engine and the cost.
    """
    from ...agents.extraction import read_by_hand, request_of
    from ...core.services.extractor_state import describe_call

    if off or use:
        if session or print_request or (off and use):
            raise click.UsageError("--use and --off go alone.")
        with door.memory() as core:
            core.services.preferences.choose_engine(use)
            state = core.services.preferences.extractor_state()
        text = f"sessions are read by {use} when they end" if use else "off"
        report_line(door, state, f"extractor  {text}")
        return 0
    if session is None:
        if print_request:
            raise click.UsageError("Name the session: `memdeck sessions` lists them.")
        return _print_state(door)
    with door.memory(yes=yes) as core:
        identifier = core.session_named(session).id
        try:
            if print_request:
                request = request_of(core, identifier)
                if not door.prints_json(request.json):
                    click.echo(request.text)
                says = f"about {request.tokens:,} tokens with the answer; nothing was sent"
                narrate(Ink(says, "dim"))
                return 0
            done = read_by_hand(core, identifier, engine or "")
        except OSError as error:
            raise BadInput(
                f"The session's file cannot be read: {error.strerror or type(error).__name__}.",
                hint="Agents delete old sessions. Its captures are kept.",
            ) from None
        memories = [core.resolve(memory) for memory in done.memories]
    if not door.prints_json(done, memories=memories):
        say("extracted  ", one_line(describe_call(done)))
        acted("kept", memories)
        if done.tokens:
            cost = f", counted as ${done.cost_usd:.4f}" if done.cost_usd else ""
            narrate(Ink(f"  {done.engine}: {done.tokens:,} tokens{cost}", "dim"))
        if done.dropped:
            narrate(Ink("  `memdeck review --filtered` shows what was dropped.", "dim"))
    return 0 if done.status == "ok" else 1


def _print_state(door: Door) -> int:
    from ...core.services.extractor_state import COST, describe_call

    with door.memory() as core:
        state = core.services.preferences.extractor_state()
    if door.prints_json(state):
        return 0
    say("extractor  ", one_line(str(state)))
    say("  ", Ink("cost       ", "dim"), COST)
    if state.last is not None:
        say("  ", Ink("last       ", "dim"), one_line(describe_call(state.last)))
    if state.problem:
        narrate(Ink(f"  {one_line(state.problem)}", "bad"))
    elif not state.is_on:
        narrate("  `memdeck extract --use claude`, or codex, gemini, opencode, has it read them.")
    return 0
