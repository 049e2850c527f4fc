"""What an agent would be told, and what it was told: recall and receipts."""

from __future__ import annotations

from datetime import datetime

import click

from ..core.answers import Receipt
from ..core.errors import NotFound
from ..core.values import Injection
from . import fields, stdin
from .options import Door, door_options, example, shared
from .output import Ink, age, emit, gauge, local, memory_count, narrate, one_line, say, table

HOSTS = ("claude", "codex", "gemini", "opencode")
POLICIES = ("adaptive", "five-type", "tiered")


@click.command(
    epilog=example(
        'memdeck recall "run the integration tests" --explain',
        "memdeck recall - --cli codex --context-left 40000 < prompt.txt",
    )
)
@click.argument("prompt", nargs=-1)
@click.option(
    "--cli", "host", type=click.Choice(HOSTS), default="claude", help="For whom (claude)."
)
@click.option("--session", metavar="ID", help="The session that asks.")
@click.option(
    "--context-left", type=click.IntRange(0), metavar="TOKENS", help="Context that is left."
)
@click.option("--policy", type=click.Choice(POLICIES), help="How the budget is divided.")
@click.option(
    "--files", "--file", "files", multiple=True, metavar="PATH", help="A file being worked on."
)
@click.option("--explain", is_flag=True, help="Also what each part cost and what was left out.")
@click.option("--no-receipt", is_flag=True, help="Only look: leave no receipt.")
@shared
def recall(
    door: Door,
    prompt: tuple[str, ...],
    host: str,
    session: str | None,
    context_left: int | None,
    policy: str | None,
    files: tuple[str, ...],
    explain: bool,
    no_receipt: bool,
) -> int:
    """Print what an agent would be given with a prompt.

    The exact text goes to standard output, its cost to standard error.
    """
    text = stdin.text_argument(prompt, "PROMPT")
    with door.memory() as core:
        injection = core.recall(
            text,
            host=host,
            session=session,
            context_left=context_left,
            policy=policy,
            files=files,
            write_receipt=not no_receipt,
        )
    if door.as_json:
        emit(fields.of_injection(injection))
        return 0
    if injection.text:
        say(injection.text)
    else:
        narrate("Nothing fits this prompt; the agent would be given nothing.")
    narrate(Ink(f"{injection.tokens:,} of {injection.budget:,} tokens", "dim"))
    if explain:
        _explain(injection)
    return 0


def _explain(injection: Injection) -> None:
    tiers = dict.fromkeys([*injection.limits, *injection.per_tier])
    rows = []
    for tier in tiers:
        used, limit = injection.per_tier.get(tier, 0), injection.limits.get(tier, 0)
        rows.append([tier, gauge(used, limit), f"{used:,}" + (f" of {limit:,}" if limit else "")])
    table(rows, indent="  ", line=narrate)
    if injection.items:
        narrate("  given:")
    for hit in injection.items:
        memory = hit.memory
        parts = ", ".join(f"{name} {part:.2f}" for name, part in hit.parts.items())
        narrate("    ", Ink(memory.short_id, "dim"), f"  {hit.score:.2f}  {one_line(memory.title)}")
        if parts:
            narrate("      ", Ink(parts, "dim"))
    if injection.left_out:
        narrate("  left out:")
        table([[who[:8], why] for who, why in injection.left_out], indent="    ", line=narrate)
    if injection.receipt:
        narrate(Ink(f"  receipt {injection.receipt}", "dim"))


@click.group(
    invoke_without_command=True, epilog=example("memdeck receipts", "memdeck receipts show 01k8f2q")
)
@door_options
@click.pass_context
def receipts(context: click.Context, /, **_options: object) -> int:
    """Show what past prompts were given.

    Item by item, with what was left out and why. Without a word, lists them.
    """
    if context.invoked_subcommand is None:
        return int(context.invoke(receipts_list, limit=50) or 0)
    return 0


@receipts.command("list", epilog=example("memdeck receipts list --limit 5 --json"))
@click.option(
    "--limit", type=click.IntRange(1), metavar="N", default=50, help="Receipts at most (50)."
)
@shared
def receipts_list(door: Door, limit: int) -> int:
    """List what past prompts were given, newest first."""
    with door.memory() as core:
        found = core.receipts(limit=limit)
        now = core.now()
    if door.as_json:
        for receipt in found:
            emit(fields.of_receipt(receipt))
        return 0
    show_receipts(found, now)
    if not found:
        narrate("No prompt was given anything yet. `memdeck install claude` connects an agent.")
    return 0


def show_receipts(found: list[Receipt], now: datetime, indent: str = "") -> None:
    """Receipts as aligned lines."""
    table(
        [
            [
                Ink(receipt.id, "dim"),
                f"{age(receipt.at, now):>4}",
                receipt.host,
                f"{receipt.tokens:>5,} of {receipt.budget:,} tokens",
                f"{receipt.latency_ms:.0f} ms",
                memory_count(len(receipt.items)),
            ]
            for receipt in found
        ],
        indent=indent,
    )


@receipts.command("show", epilog=example("memdeck receipts show 01k8f2q"))
@click.argument("identifier", metavar="ID")
@shared
def receipts_show(door: Door, identifier: str) -> int:
    """Show one receipt: item by item, with scores, and what was left out and why."""
    with door.memory() as core:
        receipt = core.receipt(identifier)
        if receipt is None:
            raise NotFound(
                f"No receipt, or more than one, has an id that begins with {identifier!r}.",
                hint="`memdeck receipts` lists them, newest first.",
            )
        now = core.now()
    if door.as_json:
        emit(fields.of_receipt(receipt))
        return 0
    say(Ink(receipt.id, "bold"), f"  {receipt.event} of {receipt.host}")
    say(f"  {local(receipt.at)} ({age(receipt.at, now)})")
    if receipt.session:
        say(f"  session {one_line(receipt.session)}")
    say(f"  {receipt.tokens:,} of {receipt.budget:,} tokens, {receipt.latency_ms:.0f} ms")
    for name, rows in (
        ("given", [_item_row(dict(item)) for item in receipt.items]),
        ("left out", [[who[:8], why] for who, why in receipt.left_out]),
    ):
        if rows:
            say("")
            say("  ", Ink(name, "dim"))
            table(rows, indent="    ")
    return 0


def _item_row(item: dict[str, object]) -> list[str | Ink]:
    score = item.get("score")
    return [
        Ink(str(item.get("id", ""))[:8], "dim"),
        f"{score:.2f}" if isinstance(score, (int, float)) else "",
        str(item.get("tier", "")),
        str(item.get("title") or item.get("content") or ""),
    ]
