"""Shows the injection that an agent would receive with a prompt."""

from __future__ import annotations

import click

from ...core.agents import HOSTS
from ...core.config.limits import CHOICES, UNPROVEN
from ...core.documents.receipt import injection_document
from ...core.recall.receipt import INJECTION_RULES, SOURCES
from ..options import Door, command, session_called, text_argument
from ..output import Ink, emit, encode, narrate, print_document, say
from .find import try_instead

POLICIES = CHOICES["budget_policy"]
PROFILES = CHOICES["ranking"]
PRESETS = tuple(UNPROVEN)

EVENTS = tuple(INJECTION_RULES)


@command(
    'memdeck recall "run the integration tests" --explain',
    "memdeck recall - --cli codex --context-left 40000 < prompt.txt",
)
@click.argument("prompt", nargs=-1)
@click.option(
    "--cli",
    "host",
    type=click.Choice(HOSTS),
    default="claude",
    help="Agent that receives it (claude).",
)
@click.option("--session", metavar="ID", help="The session of the prompt.")
@click.option(
    "--context-left", type=click.IntRange(0), metavar="TOKENS", help="Remaining context in tokens."
)
@click.option(
    "--policy",
    type=click.Choice([*POLICIES, *PRESETS]),
    metavar="POLICY",
    help="Budget policy, or a preset for unverified memories.",
)
@click.option("--profile", type=click.Choice(PROFILES), help="Ranking of the memories.")
@click.option(
    "--event",
    type=click.Choice(EVENTS),
    metavar="EVENT",
    default=EVENTS[0],
    help="The hook event (UserPromptSubmit).",
)
@click.option("--source", type=click.Choice(SOURCES), help="How the session starts.")
@click.option("--role", metavar="ROLE", help="The role of the agent.")
@click.option(
    "--files", "--file", "files", multiple=True, metavar="PATH", help="File in use. Repeatable."
)
@click.option("--explain", is_flag=True, help="Add reasons, scores, costs and omitted memories.")
@click.option("--no-receipt", is_flag=True, help="Store no receipt.")
def recall(
    door: Door,
    prompt: tuple[str, ...],
    host: str,
    session: str | None,
    context_left: int | None,
    policy: str | None,
    profile: str | None,
    event: str,
    source: str | None,
    role: str | None,
    files: tuple[str, ...],
    explain: bool,
    no_receipt: bool,
) -> None:
    """Print what an agent would receive with a prompt.

    The exact text goes to standard output, its cost to standard error.
    """
    needs_words = event == EVENTS[0] or any(prompt)
    text = text_argument(prompt, "PROMPT") if needs_words else ""
    from ...agents.caller import queue_receipt
    from ...db.connection import READING_S

    with door.memory(patience=READING_S) as core:
        injection = core.recall(
            text,
            host=host,
            session=session_called(core, session),
            context_left=context_left,
            policy=policy,
            profile=profile,
            event=event,
            source=source or "",
            role=role,
            files=files,
            write_receipt=not no_receipt,
            queue=queue_receipt,
        )
        is_answered = "retrieval" in injection.tiers.values()
        advice = None if is_answered or not text.strip() else core.suggest_instead(text)
        why = core.explanation(injection, text) if explain else None
        now = core.now()
    if door.as_json:
        value = encode(injection)
        if why is not None:
            value["reasons"] = why.reasons
        if advice is not None and not advice.is_empty:
            value["suggestion"] = encode(advice)
        emit(value)
        return
    if injection.text:
        say(injection.text)
    else:
        narrate("No memory matches this prompt: nothing would be injected.")
    if advice is not None and not advice.is_empty:
        if injection.text:
            narrate("No memory matches this prompt: only what is always injected is.")
        try_instead(advice)
    if injection.is_degraded:
        narrate("Recall was slow lately, so it searches less. `memdeck doctor` says more.")
    narrate(Ink(f"{injection.tokens:,} of {injection.budget:,} tokens", "dim"))
    if why is not None:
        layout = injection_document(injection, why, with_text=False, with_numbers=True)
        print_document(layout, now, narrate, with_title=False)
