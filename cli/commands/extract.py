"""A model of the person's own that reads sessions: what it would be sent, and one call by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import click

from ...core.errors import BadInput
from ..acts import takes_back
from ..options import Door, command
from ..output import Ink, narrate, one_line, say

if TYPE_CHECKING:
    from ...core.services.extractor_state import Extracted

T = TypeVar("T")


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
    if off or use:
        if session or print_request or (off and use):
            raise click.UsageError("--use and --off go alone.")
        return _choose(door, None if off else use)
    if session is None:
        if print_request:
            raise click.UsageError("Name the session: `memdeck sessions` lists them.")
        return _stand(door)
    if print_request:
        return _print(door, session)
    return _read(door, session, engine or "", yes=yes)


def _choose(door: Door, engine: str | None) -> int:
    with door.memory() as core:
        core.extractor.choose(engine)
        state = core.extractor.state()
    if door.prints_json(state):
        return 0
    text = f"sessions are read by {one_line(engine)} when they end" if engine else "off"
    say("extractor  ", Ink(text, "bold"))
    takes_back()
    return 0


def _stand(door: Door) -> int:
    from ...core.services.extractor_state import describe_call

    with door.memory() as core:
        state = core.extractor.state()
    if door.prints_json(state):
        return 0
    say("extractor  ", one_line(str(state)))
    say(
        "  ",
        Ink("a session  ", "dim"),
        "takes about 8,000 tokens, instructions and answer included",
    )
    if state.last is not None:
        say("  ", Ink("last       ", "dim"), one_line(describe_call(state.last)))
    if state.problem:
        narrate(Ink(f"  {one_line(state.problem)}", "bad"))
    elif not state.is_on:
        narrate("  `memdeck extract --use claude`, or codex, gemini, opencode, has it read them.")
    return 0


def _print(door: Door, session: str) -> int:
    from ...agents.extraction import request_of

    with door.memory() as core:
        request = _or_bad_input(lambda: request_of(core, core.session_named(session).id))
    if not door.prints_json(request.json):
        click.echo(request.text)
    narrate(Ink(f"about {request.tokens:,} tokens with the answer; nothing was sent", "dim"))
    return 0


def _read(door: Door, session: str, engine: str, *, yes: bool) -> int:
    from ...agents.extraction import read_by_hand

    with door.memory(yes=yes) as core:
        identifier = core.session_named(session).id
        done = _or_bad_input(lambda: read_by_hand(core, identifier, engine))
        memories = [core.resolve(memory) for memory in done.memories]
    is_well = done.status == "ok"
    if door.prints_json(done, memories=memories):
        return 0 if is_well else 1
    from ...core.services.extractor_state import describe_call
    from ..output import acted

    say("extracted  ", one_line(describe_call(done)))
    acted("kept", memories)
    _tell_cost(done)
    if done.dropped:
        narrate(Ink("  `memdeck review --filtered` shows what was dropped.", "dim"))
    return 0 if is_well else 1


def _tell_cost(done: Extracted) -> None:
    if done.tokens:
        cost = f", ${done.cost_usd:.4f}" if done.cost_usd else ""
        narrate(Ink(f"  {done.engine}: {done.tokens:,} tokens{cost}", "dim"))


def _or_bad_input(job: Callable[[], T]) -> T:
    try:
        return job()
    except OSError as error:
        raise BadInput(
            f"The session's file cannot be read: {error.strerror or type(error).__name__}.",
            hint="Agents delete old sessions. Its captures are kept.",
        ) from None
