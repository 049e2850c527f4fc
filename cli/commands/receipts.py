"""What past prompts were given, item by item, and opinions on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

import click

from ...core.answers import Receipt, Replay
from ...core.errors import BadInput
from ..budget import gauges, score_parts, what_next
from ..encoder import emit_all, encode
from ..options import Door, command, door_options, example
from ..output import Ink, age, emit, local, memory_count, narrate, one_line, say, table

MOST = 50
"""Receipts that are listed unless told otherwise."""


@click.group(
    invoke_without_command=True,
    epilog=example(
        "memdeck receipts --memory 01k8f2q",
        "memdeck receipts show 01k9a00",
        "memdeck receipts replay 01k9a00",
        "memdeck receipts helpful 01k9a00 01k8f2q",
    ),
)
@click.option("--memory", metavar="ID", help="Only those that told this memory.")
@click.option("--session", metavar="ID", help="Only those of this session.")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Receipts at most (50).")
@door_options
@click.pass_context
def receipts(context: click.Context, /, **given: object) -> int:
    """Show what past prompts were given.

    Item by item, with what was left out and why. Without a word, lists them.
    """
    chosen = {name: given[name] for name in ("memory", "session", "limit")}
    if context.invoked_subcommand is None:
        limit = chosen.pop("limit") or MOST
        return int(context.invoke(receipts_list, limit=limit, **chosen) or 0)
    if any(chosen.values()):
        word = context.invoked_subcommand
        raise click.UsageError(f"These options belong behind `{word}`, if it takes them.", context)
    return 0


@command("memdeck receipts list --limit 5 --json", name="list", of=receipts)
@click.option("--memory", metavar="ID", help="Only those that told this memory.")
@click.option("--session", metavar="ID", help="Only those of this session.")
@click.option(
    "--limit", type=click.IntRange(1), metavar="N", default=MOST, help="Receipts at most (50)."
)
def receipts_list(door: Door, memory: str | None, session: str | None, limit: int) -> None:
    """List what past prompts were given, newest first."""
    with door.memory() as core:
        found = core.receipts(limit=limit, memory=memory, session=session)
        now, extractor = core.now(), core.extractor.state()
    if door.as_json:
        emit_all(found)
        return
    show_receipts(found, now)
    if extractor.is_on:
        narrate(Ink(f"  extractor  {extractor}", "dim"))
    if not found and (memory or session):
        narrate("Nothing of it was told.")
    elif not found:
        narrate("No prompt was given anything yet. `memdeck install claude` connects an agent.")


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


@command("memdeck receipts show 01k8f2q", name="show", of=receipts)
@click.argument("identifier", metavar="ID")
def receipts_show(door: Door, identifier: str) -> None:
    """Show one receipt: item by item, with scores, and what was left out and why."""
    with door.memory() as core:
        receipt = core.receipt_named(identifier)
        now = core.now()
    if door.as_json:
        emit(encode(receipt))
        return
    say(Ink(receipt.id, "bold"), f"  {receipt.event} of {receipt.host}")
    say(f"  {local(receipt.at)} ({age(receipt.at, now)})")
    for name, value in _circumstances(receipt):
        say(f"  {name} {one_line(value)}")
    say(f"  {receipt.tokens:,} of {receipt.budget:,} tokens, {receipt.latency_ms:.0f} ms")
    gauges(receipt.per_tier, receipt.limits)
    if receipt.items:
        say("")
        say("  ", Ink("given", "dim"))
    for item in receipt.items:
        _show_item(dict(item))
    if receipt.left_out:
        say("")
        say("  ", Ink("left out", "dim"))
        table([[who[:8], why] for who, why in receipt.left_out], indent="    ")
    what_next(receipt.next)


def _circumstances(receipt: Receipt) -> Iterator[tuple[str, str]]:
    """What is known of the moment, each with its name."""
    if receipt.session:
        yield "session", receipt.session + (f" ({receipt.source})" if receipt.source else "")
    if receipt.prompt:
        yield "prompt", receipt.prompt
    else:
        yield "prompt", f"not kept; its fingerprint is {receipt.prompt_fingerprint}"
    if receipt.policy and receipt.profile:
        yield "budget", f"{receipt.policy}, ranking {receipt.profile}"
    if receipt.context_left is not None:
        yield "context", f"{receipt.context_left:,} tokens left"
    if receipt.files:
        yield "files", ", ".join(receipt.files)
    if receipt.request_tokens:
        yield "asked", f"to record what it learns, {receipt.request_tokens} tokens"
    if receipt.is_degraded:
        yield "recall", "was slow lately and looked at less"


def _show_item(item: Mapping[str, Any]) -> None:
    """One memory that was told: what it cost, what made its score, what was said of it."""
    score = item.get("score")
    said = {True: "+ helpful", False: "- not helpful", None: ""}[item.get("helpful")]
    facts = [
        f"{score:.2f}" if isinstance(score, (int, float)) else "",
        str(item.get("tier") or ""),
        f"{item['tokens']} tokens" if item.get("tokens") is not None else "",
        f"({item['source']})" if item.get("source") else "",
        said,
    ]
    title = one_line(item.get("title") or item.get("content") or "")
    say("    ", Ink(str(item.get("id", ""))[:8], "dim"), f"  {title}")
    say("      ", "  ".join(fact for fact in facts if fact))
    if parts := score_parts(item.get("parts") or {}):
        say("      ", Ink(parts, "dim"))


@command("memdeck receipts replay 01k9a00", name="replay", of=receipts)
@click.argument("identifier", metavar="ID")
@click.option("--prompt", metavar="TEXT", help="The prompt, where none was kept.")
def receipts_replay(door: Door, identifier: str, prompt: str | None) -> None:
    """Show what the same prompt would get today, and what differs."""
    with door.memory() as core:
        replay = core.replay(identifier, prompt)
    if door.as_json:
        emit(encode(replay))
        return
    _show_replay(replay)


def _show_replay(replay: Replay) -> None:
    if replay.now.text:
        say(replay.now.text)
    else:
        narrate("Nothing fits that prompt any more; the agent would be given nothing.")
    then, now = replay.then, replay.now
    narrate(Ink(f"{now.tokens:,} of {now.budget:,} tokens; {then.tokens:,} then", "dim"))
    if not replay.is_exact:
        narrate("The prompt is not exactly the one of then: it was cut, redacted or given anew.")
    signs = {"same": "=", "changed": "~", "gone": "-", "new": "+"}
    table(
        [
            [signs[each.change], each.id[:8], each.change, one_line(each.title), each.why]
            for each in replay.changes
        ],
        indent="  ",
        line=narrate,
    )


def _judge(door: Door, receipt: str, memories: tuple[str, ...], helpful: bool | None) -> int:
    if not memories:
        raise BadInput("No memory is named.", hint="`memdeck receipts show ID` lists them.")
    with door.memory() as core:
        for memory in memories:
            core.feedback(receipt, memory, helpful)
        judged = core.receipt_named(receipt)
    if door.as_json:
        emit(encode(judged))
    else:
        word = {True: "helpful", False: "not helpful", None: "without an opinion"}[helpful]
        narrate(f"{memory_count(len(memories))} noted as {word}.")
    return 0


@command("memdeck receipts helpful 01k9a00 01k8f2q", name="helpful", of=receipts)
@click.argument("identifier", metavar="ID")
@click.argument("memories", nargs=-1, metavar="MEMORY")
@click.option("--clear", is_flag=True, help="Take the opinion back.")
def receipts_helpful(door: Door, identifier: str, memories: tuple[str, ...], clear: bool) -> int:
    """Say that memories helped where a receipt told them.

    It counts in the ranking, once for each receipt, and can be changed.
    """
    return _judge(door, identifier, memories, None if clear else True)


@command("memdeck receipts unhelpful 01k9a00 01k8f2q", name="unhelpful", of=receipts)
@click.argument("identifier", metavar="ID")
@click.argument("memories", nargs=-1, metavar="MEMORY")
@click.option("--clear", is_flag=True, help="Take the opinion back.")
def receipts_unhelpful(door: Door, identifier: str, memories: tuple[str, ...], clear: bool) -> int:
    """Say that memories did not help where a receipt told them."""
    return _judge(door, identifier, memories, None if clear else False)
