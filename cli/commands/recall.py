"""What an agent would be told with a prompt."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click

from ...core.agents import HOSTS
from ...core.config.limits import CHOICES, UNPROVEN
from ...core.recall.receipt import OCCASIONS, SOURCES
from ...core.values import Injection
from .. import stdin
from ..encoder import encode
from ..options import Count, Door, command, session_called
from ..output import Ink, emit, gauge, narrate, one_line, say, table
from .find import try_instead

POLICIES = CHOICES["budget_policy"]
PROFILES = CHOICES["ranking"]
PRESETS = tuple(UNPROVEN)

EVENTS = tuple(OCCASIONS)


@command(
    'memdeck recall "run the integration tests" --explain',
    "memdeck recall - --cli codex --context-left 40000 < prompt.txt",
)
@click.argument("prompt", nargs=-1)
@click.option(
    "--cli", "host", type=click.Choice(HOSTS), default="claude", help="For whom (claude)."
)
@click.option("--session", metavar="ID", help="The session that asks.")
@click.option("--context-left", type=Count(0), metavar="TOKENS", help="Context that is left.")
@click.option(
    "--policy",
    type=click.Choice([*POLICIES, *PRESETS]),
    metavar="POLICY",
    help="How the budget is divided, or a preset: what is told of the unproven.",
)
@click.option("--profile", type=click.Choice(PROFILES), help="How the answers are ranked.")
@click.option(
    "--event",
    type=click.Choice(EVENTS),
    metavar="EVENT",
    default=EVENTS[0],
    help="What happens, as the host calls it (UserPromptSubmit).",
)
@click.option("--source", type=click.Choice(SOURCES), help="How the session starts.")
@click.option("--role", metavar="ROLE", help="The role of the agent that asks.")
@click.option(
    "--files", "--file", "files", multiple=True, metavar="PATH", help="A file being worked on."
)
@click.option("--explain", is_flag=True, help="Also what each part cost and what was left out.")
@click.option("--no-receipt", is_flag=True, help="Only look: leave no receipt.")
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
    """Print what an agent would be given with a prompt.

    The exact text goes to standard output, its cost to standard error.
    """
    needs_words = event == EVENTS[0] or any(prompt)
    text = stdin.text_argument(prompt, "PROMPT") if needs_words else ""
    with door.memory() as core:
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
        )
        is_answered = "retrieval" in injection.tiers.values()
        advice = None if is_answered or not text.strip() else core.suggest_instead(text)
        accounts = {hit.id: core.account(text, hit) for hit in injection.items} if explain else {}
    if door.as_json:
        told = encode(injection)
        if explain:
            told["items"] = [{**one, "account": accounts[one["id"]]} for one in told["items"]]
        if advice is not None and not advice.is_empty:
            told["suggestion"] = encode(advice)
        emit(told)
        return
    if injection.text:
        say(injection.text)
    else:
        narrate("Nothing fits this prompt; the agent would be given nothing.")
    if advice is not None and not advice.is_empty:
        if injection.text:
            narrate("No memory answers this prompt; only what is always told is given.")
        try_instead(advice)
    if injection.is_degraded:
        narrate("Recall was slow lately and looks at less; `memdeck doctor` tells more.")
    narrate(Ink(f"{injection.tokens:,} of {injection.budget:,} tokens", "dim"))
    if explain:
        _explain(injection, accounts)


def _explain(injection: Injection, accounts: Mapping[str, Sequence[str]]) -> None:
    narrate(Ink(f"  {injection.policy} budget, {injection.profile} ranking", "dim"))
    gauges(injection.per_tier, injection.limits, line=narrate)
    if injection.items:
        narrate("  given:")
    for hit in injection.items:
        memory = hit.memory
        cost = f"{injection.costs.get(memory.id, 0):>4} tokens"
        head = (Ink(memory.short_id, "dim"), f"  {hit.score:.2f}  {cost}  ")
        narrate("    ", *head, one_line(memory.title))
        if parts := score_parts(hit.parts):
            narrate("      ", Ink(parts, "dim"))
        for why in accounts[hit.id]:
            narrate("      ", Ink(why, "dim"))
    if injection.left_out:
        narrate("  left out:")
        table([[who[:8], why] for who, why in injection.left_out], indent="    ", line=narrate)
    what_next(injection.next, line=narrate)
    if injection.items:
        narrate(Ink(f"  {injection.compression_ratio:.0%} of what was in question", "dim"))
    if injection.receipt:
        narrate(Ink(f"  receipt {injection.receipt}", "dim"))


Line = Callable[..., None]


def gauges(per_tier: Mapping[str, int], limits: Mapping[str, int], line: Line = say) -> None:
    """What each tier used of what it may."""
    rows = []
    for tier in dict.fromkeys([*limits, *per_tier]):
        used, limit = per_tier.get(tier, 0), limits.get(tier, 0)
        rows.append([tier, gauge(used, limit), f"{used:,}" + (f" of {limit:,}" if limit else "")])
    table(rows, indent="  ", line=line)


def score_parts(parts: Mapping[str, float]) -> str:
    """The parts of a score that show in two digits; `--json` has them all."""
    from ...core.recall.ranking import label

    told = [(label(name), part) for name, part in parts.items() if abs(part) >= 0.005]
    return ", ".join(f"{name} {part:.2f}" for name, part in told)


def what_next(after: Mapping[str, Any] | None, line: Line = say) -> None:
    if after:
        title = one_line(after.get("title") or "")
        line("  next: ", Ink(after["id"][:8], "dim"), f"  {title}".rstrip())
        line(Ink(f"    {after['tokens']} tokens; {after['why']}", "dim"))
