"""Does it pay: what agents were told, what came of it, and what it cost."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING

import click

from ..choices import PAST
from ..options import Door, command
from ..output import Ink, count, local, narrate, one_line, say, table

if TYPE_CHECKING:
    from ...core.services.value import Told, Value

LAST = 5
"""Avoided errors that are named."""


@command("memdeck value --since 4w")
@click.option("--since", type=PAST, metavar="WHEN", help="Not before: 2026-03-01, 4w (8 weeks).")
def value(door: Door, since: datetime | None) -> None:
    """Show what agents were told, and whether it paid.

    By week and host: what was told, what came of it and what it cost.

    From receipts and transcripts alone. A memory was used when an answer repeated it after it was
    told; an error was avoided when its lesson was told, its command ran without it, and it did not
    come again in that session. Tokens have a price only where the settings name one.
    """
    from ...core.context import short_ids

    with door.memory() as core:
        found = core.services.value_book.value(since)
        short = short_ids(core.services.context, [one.memory for one in found.avoided[:LAST]])
    if door.prints_json(found):
        return
    if not found.weeks:
        narrate(f"Nothing was told in this project since {local(found.since)}.")
    else:
        _show(found, short)
    for one in found.spent:
        tokens = "" if one.tokens is None else f", {one.tokens:,} tokens"
        calls = count(one.calls, "call")
        say(
            "  ", Ink(f"{one.what:10}", "dim"), f"{one.week}  {calls}{tokens}, ", _usd(one.cost_usd)
        )
    for note in notes(found):
        narrate(Ink(f"  {note}", "dim"))


def _show(found: Value, short: Mapping[str, str]) -> None:
    heads = ("week", "host", "prompts", "told", "tokens", "cost", "used", "of", "helpful", "not",
             "avoided", "again")  # fmt: skip
    rows: list[list[str | Ink]] = [[Ink(head, "dim") for head in heads]]
    rows += [[str(one.week), *_row(one)] for one in found.weeks]
    rows += [["all", *_row(one)] for one in found.hosts if len(found.weeks) > 1]
    if len(found.hosts) > 1:
        rows.append(["all", *_row(found.total)])
    table(rows, indent="  ")
    if found.avoided:
        say("")
        for one in found.avoided[:LAST]:
            say("  ", Ink(f"{short[one.memory]} ", "dim"), one_line(one.words))
        if len(found.avoided) > LAST:
            say("  ", Ink(f"… and {len(found.avoided) - LAST} more", "dim"))


def _row(one: Told) -> list[str | Ink]:
    return [
        one.host or "all",
        f"{one.prompts:>7,}",
        f"{one.items:>5,}",
        f"{one.tokens:>7,}",
        "-" if one.cost_usd is None else _usd(one.cost_usd),
        _number(one.used, 4),
        f"{one.memories:>4,}",
        f"{one.helpful:>7,}",
        f"{one.unhelpful:>3,}",
        _number(one.avoided, 7),
        _number(one.came_again, 5),
    ]


def _number(number: int | None, cells: int) -> str:
    return "?".rjust(cells) if number is None else f"{number:>{cells},}"


def _usd(dollars: float) -> str:
    return f"${dollars:,.2f}" if dollars >= 0.1 or not dollars else f"${dollars:.4f}"


def notes(found: Value) -> list[str]:
    """What is not known, in sentences."""
    said = []
    if any(one.used is None for one in found.weeks) and found.known_since is not None:
        said.append(f"?: not known; what came of it is noted since {local(found.known_since)}.")
    if found.unpriced:
        hosts = ", ".join(found.unpriced)
        said.append(f"-: not known; the settings name no price for {hosts} ([value]).")
    if found.kept_since is not None and found.kept_since > found.since:
        said.append(f"Receipts are here since {local(found.kept_since)}.")
    return said
