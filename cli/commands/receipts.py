"""The injections of past prompts, and opinions on them."""

from __future__ import annotations

from datetime import datetime

import click

from ...core.documents.receipt import injection_document, occasion
from ...core.services.receipts import Receipt
from ...db.errors import BadInput
from ..options import COUNT, Door, all_of, command, group
from ..output import Ink, age, memory_count, narrate, one_line, print_document, table

MOST = 50  # receipts that are listed by default


_judging = all_of(
    click.argument("identifier", metavar="ID"),
    click.argument("memories", nargs=-1, metavar="MEMORY"),
    click.option("--clear", is_flag=True, help="Remove the opinion."),
)


@group(
    "memdeck receipts --memory 01k8f2q",
    "memdeck receipts show 01k9a00",
    "memdeck receipts helpful 01k9a00 01k8f2q",
)
def receipts() -> None:
    """Show the injections of past prompts, with reasons.

    Without a subcommand, list the receipts.
    """


@command("memdeck receipts list --limit 5 --json", of=receipts)
@click.option("--memory", metavar="ID", help="Only those with this memory.")
@click.option("--session", metavar="ID", help="Only those of this session.")
@click.option(
    "--limit", type=COUNT, metavar="N", default=MOST, help="Maximum number of receipts (50)."
)
def receipts_list(door: Door, memory: str | None, session: str | None, limit: int) -> None:
    """List the receipts, newest first."""
    with door.memory() as core:
        matches = core.receipts(limit=limit, memory=memory, session=session)
        now = core.now()
    if door.prints_json(*matches):
        return
    show_receipts(matches, now)
    if not matches and (memory or session):
        narrate("No receipt matches.")
    elif not matches:
        narrate("Nothing was injected yet. `memdeck doctor` shows how agents are connected.")


def show_receipts(matches: list[Receipt], now: datetime, indent: str = "") -> None:
    table(
        [
            [
                Ink(receipt.id, "dim"),
                f"{age(receipt.at, now):>4}",
                receipt.host,
                f"{receipt.tokens:>5,} tokens",
                memory_count(len(receipt.items)),
                one_line(occasion(receipt)),
            ]
            for receipt in matches
        ],
        indent=indent,
    )


@command("memdeck receipts show 01k8f2q", of=receipts)
@click.argument("identifier", metavar="ID")
@click.option("--numbers", is_flag=True, help="Add scores, the budget and the settings.")
def receipts_show(door: Door, identifier: str, numbers: bool) -> None:
    """Show one receipt: text, memories with reasons, omissions."""
    with door.memory() as core:
        receipt = core.receipt_named(identifier)
        now = core.now()
        if door.prints_json(receipt):
            return
        why = core.explanation(receipt)
    print_document(injection_document(receipt, why, with_numbers=numbers), now)


def _judge(door: Door, receipt: str, memories: tuple[str, ...], helpful: bool | None) -> int:
    if not memories:
        raise BadInput("No memory is named.", hint="`memdeck receipts show ID` lists them.")
    with door.memory() as core:
        for memory in memories:
            core.feedback(receipt, memory, helpful)
        judged = core.receipt_named(receipt)
    if not door.prints_json(judged):
        word = {True: "helpful", False: "not helpful", None: "neither"}[helpful]
        narrate(f"{memory_count(len(memories))} marked as {word}.")
    return 0


@command("memdeck receipts helpful 01k9a00 01k8f2q", of=receipts)
@_judging
def receipts_helpful(door: Door, identifier: str, memories: tuple[str, ...], clear: bool) -> int:
    """Mark memories of a receipt as helpful: they rank higher.

    Each receipt counts once, and its mark can be changed.
    """
    return _judge(door, identifier, memories, None if clear else True)


@command("memdeck receipts unhelpful 01k9a00 01k8f2q", of=receipts)
@_judging
def receipts_unhelpful(door: Door, identifier: str, memories: tuple[str, ...], clear: bool) -> int:
    """Mark memories of a receipt as not helpful: they rank lower."""
    return _judge(door, identifier, memories, None if clear else False)
