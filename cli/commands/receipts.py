"""What past prompts were given, item by item, and opinions on it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from ...core.answers import Change, Proof, Receipt, Replay
from ...core.errors import BadInput, NotFound
from ..options import Count, Door, agreeable, all_of, command, group
from ..output import Ink, age, local, memory_count, narrate, one_line, say, table
from .recall import gauges, score_parts, what_next

if TYPE_CHECKING:
    from ...core.compat import MemoryCoordinator

MOST = 50
"""Receipts that are listed unless told otherwise."""


_listing = all_of(
    click.option("--memory", metavar="ID", help="Only those that told this memory."),
    click.option("--session", metavar="ID", help="Only those of this session."),
    click.option("--limit", type=Count(1), metavar="N", help="Receipts at most (50)."),
)
_asked_again = click.option("--prompt", metavar="TEXT", help="The prompt, where none was kept.")
_changing = all_of(
    agreeable,
    click.argument("identifier", metavar="ID"),
    click.argument("memory", metavar="MEMORY"),
)
_judging = all_of(
    click.argument("identifier", metavar="ID"),
    click.argument("memories", nargs=-1, metavar="MEMORY"),
    click.option("--clear", is_flag=True, help="Take the opinion back."),
)


@group(
    "memdeck receipts --memory 01k8f2q",
    "memdeck receipts show 01k9a00",
    "memdeck receipts replay 01k9a00",
    "memdeck receipts forget 01k9a00 01k8f2q",
    "memdeck receipts helpful 01k9a00 01k8f2q",
)
@_listing
def receipts() -> None:
    """Show what past prompts were given.

    Item by item, with what was left out and why. Without a word, lists them.
    """


@command("memdeck receipts list --limit 5 --json", of=receipts)
@_listing
def receipts_list(door: Door, memory: str | None, session: str | None, limit: int | None) -> None:
    """List what past prompts were given, newest first."""
    with door.memory() as core:
        found = core.receipts(limit=limit or MOST, memory=memory, session=session)
        now, extractor = core.now(), core.extractor.state()
    if door.prints_json(*found):
        return
    show_receipts(found, now)
    if extractor.is_on:
        narrate(Ink(f"  extractor  {extractor}", "dim"))
    if not found and (memory or session):
        narrate("Nothing of it was told.")
    elif not found:
        narrate("No prompt was given anything yet; `memdeck doctor` says how agents are connected.")


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
                _used_of(receipt),
            ]
            for receipt in found
        ],
        indent=indent,
    )


def _used_of(receipt: Receipt) -> str:
    """How many of its memories were used, where that is known of any."""
    known = [item["used"] for item in receipt.items if item.get("used") is not None]
    return f"{sum(known)} used" if known else ""


@command("memdeck receipts show 01k8f2q", of=receipts)
@click.argument("identifier", metavar="ID")
def receipts_show(door: Door, identifier: str) -> None:
    """Show one receipt: item by item, with scores, what was left out and why, and the text."""
    with door.memory() as core:
        receipt = core.receipt_named(identifier)
        now = core.now()
        titles = _titles(core, [who for who, _ in receipt.left_out])
    if door.prints_json(receipt):
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
        table([[who[:8], why, titles.get(who, "")] for who, why in receipt.left_out], indent="    ")
        say("    ", Ink("memdeck show ID shows one of them", "dim"))
    what_next(receipt.next)
    say("")
    if receipt.text is None:
        say("  ", Ink("its text is not kept, or no longer: 30 days", "dim"))
    else:
        say("  ", Ink("the text that was told", "dim"))
        for line in receipt.text.splitlines():
            say("    ", line)


def _titles(core: MemoryCoordinator, ids: Sequence[str]) -> dict[str, str]:
    """The titles that these memories have now; those that are gone lack."""
    found = {}
    for identifier in ids:
        with contextlib.suppress(NotFound):
            found[identifier] = one_line(core.show(identifier).title)
    return found


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
    came = {True: "used", False: "told and not used", None: ""}[item.get("used")]
    facts = [
        f"{score:.2f}" if isinstance(score, (int, float)) else "",
        str(item.get("tier") or ""),
        f"{item['tokens']} tokens" if item.get("tokens") is not None else "",
        f"({item['source']})" if item.get("source") else "",
        came,
        said,
    ]
    title = one_line(item.get("title") or item.get("content") or "")
    say("    ", Ink(str(item.get("id", ""))[:8], "dim"), f"  {title}")
    say("      ", "  ".join(fact for fact in facts if fact))
    if parts := score_parts(item.get("parts") or {}):
        say("      ", Ink(parts, "dim"))


@command("memdeck receipts replay 01k9a00", of=receipts)
@click.argument("identifier", metavar="ID")
@_asked_again
def receipts_replay(door: Door, identifier: str, prompt: str | None) -> None:
    """Show what the same prompt would get today, and what differs."""
    with door.memory() as core:
        replay = core.replay(identifier, prompt)
    if door.prints_json(replay):
        return
    _show_replay(replay)


def _show_replay(replay: Replay) -> None:
    _show_text(replay.now.text)
    then, now = replay.then, replay.now
    narrate(Ink(f"{now.tokens:,} of {now.budget:,} tokens; {then.tokens:,} then", "dim"))
    if not replay.is_exact:
        narrate("The prompt is not exactly the one of then: it was cut, redacted or given anew.")
    _show_changes(replay.changes)


def _show_text(text: str) -> None:
    if text:
        say(text)
    else:
        narrate("Nothing fits that prompt any more; the agent would be given nothing.")


def _show_changes(changes: Sequence[Change]) -> None:
    signs = {"same": "=", "changed": "~", "gone": "-", "new": "+"}
    table(
        [
            [signs[each.change], each.id[:8], each.change, one_line(each.title), each.why]
            for each in changes
        ],
        indent="  ",
        line=narrate,
    )


def _prove(
    door: Door,
    receipt: str,
    memory: str,
    prompt: str | None,
    yes: bool,
    act: Callable[[MemoryCoordinator, str], object],
) -> None:
    """Change a memory that a receipt names, and show what its prompt gets before and after."""
    with door.memory(yes=yes) as core:
        found = core.receipt_named(receipt)
        ids = [*(item["id"] for item in found.items), *(who for who, _ in found.left_out)]
        named = [one for one in dict.fromkeys(ids) if memory and one.startswith(memory)]
        if len(named) != 1:
            raise NotFound(
                f"{found.id} names no memory, or more than one, that begins with {memory[:60]!r}.",
                hint=f"`memdeck receipts show {found.id}` lists them.",
            )
        proof = core.services.recall.prove(found.id, lambda: act(core, named[0]), prompt)
    if not door.prints_json(proof):
        _show_proof(proof)


def _show_proof(proof: Proof) -> None:
    _show_text(proof.after.text)
    before, after = proof.before, proof.after
    narrate(Ink(f"before {before.tokens:,} tokens, after {after.tokens:,}", "dim"))
    _show_changes(proof.changes)
    if before.text == after.text:
        narrate("The prompt gets the same text as before.")
    narrate(Ink("`memdeck undo` takes it back", "dim"))


@command("memdeck receipts edit 01k9a00 01k8f2q --content TEXT", of=receipts)
@_changing
@click.option("--content", metavar="TEXT", required=True, help="What it says from now on.")
@_asked_again
def receipts_edit(
    door: Door, identifier: str, memory: str, content: str, prompt: str | None, yes: bool
) -> None:
    """Correct a memory that a receipt names, and show what its prompt gets before and after."""
    _prove(door, identifier, memory, prompt, yes, lambda core, one: core.edit(one, content=content))


@command("memdeck receipts demote 01k9a00 01k8f2q", of=receipts)
@_changing
@_asked_again
def receipts_demote(
    door: Door, identifier: str, memory: str, prompt: str | None, yes: bool
) -> None:
    """Let a memory that a receipt names count for less: unpinned, else of importance 1."""
    _prove(door, identifier, memory, prompt, yes, lambda core, one: core.demote(one))


@command("memdeck receipts forget 01k9a00 01k8f2q", of=receipts)
@_changing
@_asked_again
def receipts_forget(
    door: Door, identifier: str, memory: str, prompt: str | None, yes: bool
) -> None:
    """Forget a memory that a receipt names, and show what its prompt gets before and after."""
    _prove(door, identifier, memory, prompt, yes, lambda core, one: core.forget(one))


def _judge(door: Door, receipt: str, memories: tuple[str, ...], helpful: bool | None) -> int:
    if not memories:
        raise BadInput("No memory is named.", hint="`memdeck receipts show ID` lists them.")
    with door.memory() as core:
        for memory in memories:
            core.feedback(receipt, memory, helpful)
        judged = core.receipt_named(receipt)
    if not door.prints_json(judged):
        word = {True: "helpful", False: "not helpful", None: "without an opinion"}[helpful]
        narrate(f"{memory_count(len(memories))} noted as {word}.")
    return 0


@command("memdeck receipts helpful 01k9a00 01k8f2q", of=receipts)
@_judging
def receipts_helpful(door: Door, identifier: str, memories: tuple[str, ...], clear: bool) -> int:
    """Say that memories helped where a receipt told them.

    It counts in the ranking, once for each receipt, and can be changed.
    """
    return _judge(door, identifier, memories, None if clear else True)


@command("memdeck receipts unhelpful 01k9a00 01k8f2q", of=receipts)
@_judging
def receipts_unhelpful(door: Door, identifier: str, memories: tuple[str, ...], clear: bool) -> int:
    """Say that memories did not help where a receipt told them."""
    return _judge(door, identifier, memories, None if clear else False)
