"""The ledger of promotions: who earned what, and what might hold for more."""

from __future__ import annotations

import click

from ..acts import meant
from ..choices import Count
from ..options import Door, command, group
from ..output import Ink, count, local, narrate, one_line, say, table

SHOWN = 20


@group("memdeck promotions", "memdeck promotions offers")
def promotions() -> None:
    """Show what came to hold for more, and what earned it.

    What might hold for more is offered, and goes nowhere without you.
    """


@command("memdeck promotions list --limit 50", of=promotions)
@click.option("--limit", type=Count(1, 5_000), default=SHOWN, help="So many, the newest.")
def promotions_list(door: Door, limit: int) -> None:
    """List promotions, newest first, and what each agent's findings came to."""
    from ...core.context import short_ids

    with door.memory() as core:
        book = core.services.promotions
        rows, earned, offers = book.ledger(limit), book.earnings(), book.offers()
        short = short_ids(core.services.context, [one.memory for one in rows])
    if door.prints_json(
        {
            "promotions": rows,
            "agents": earned,
            "offers": offers,
        }
    ):
        return
    for one in rows:
        is_back = "  (undone)" if one.undone else ""
        say(Ink(short[one.memory], "dim"), f"  {one.action:8}", one_line(one.title))
        by = f"{one.actor}, {local(one.at)}{is_back}"
        say("         ", Ink(one_line("; ".join(filter(None, (one.why, by)))), "dim"))
    if not rows:
        narrate("Nothing was promoted in this project.")
        narrate("  A finding comes to the project by its points, or by `memdeck promote`.")
    if earned:
        say("")
        heads = [Ink(head, "dim") for head in ("agent", "found", "promoted", "everywhere")]
        table(
            [
                heads,
                *(
                    [one.agent or "no agent", f"{one.found:,}", f"{one.promoted:,}",
                     f"{one.everywhere:,}"]
                    for one in earned
                ),
            ],
            indent="  ",
        )  # fmt: skip
    if offers:
        narrate(f"  {count(len(offers), 'offer')}: `memdeck promotions offers`.")


@command("memdeck promotions offers", of=promotions)
def offers(door: Door) -> None:
    """List what might hold for every project, and why."""
    with door.memory() as core:
        found = core.services.promotions.offers()
    for offer in found:
        if door.prints_json(offer):
            continue
        say(Ink(offer.memory.short_id, "dim"), f"  to {offer.to}  ", one_line(offer.memory.title))
        say("         ", Ink(offer.why, "dim"))
    if not door.as_json:
        narrate(
            "  `memdeck promote ID --to global`, or `memdeck promotions decline ID`."
            if found
            else "Nothing is offered."
        )


@command("memdeck promotions decline 01k8f2q", of=promotions)
@click.argument("words", nargs=-1, required=True)
def decline(door: Door, words: tuple[str, ...]) -> None:
    """Have a memory offered no more; `memdeck undo` takes that back."""
    with door.memory() as core:
        [memory] = meant(core, words)
        core.services.promotions.decline(memory.id)
    if not door.prints_json({"declined": memory.id}):
        narrate(f"“{one_line(memory.title)}” stays as it is.")
