"""What an agent would be told, and what it was told: recall and receipts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

import click

from ..core.agents import HOSTS
from ..core.answers import Receipt, Replay
from ..core.config.limits import CHOICES
from ..core.errors import BadInput
from ..core.retrieval.occasions import OCCASIONS, RESETS
from ..core.values import Injection
from . import fields, stdin
from .finding import try_instead
from .options import Door, door_options, example, shared
from .output import Ink, age, emit, gauge, local, memory_count, narrate, one_line, say, table

POLICIES = CHOICES["budget_policy"]
PROFILES = CHOICES["ranking"]
EVENTS = tuple(OCCASIONS)
SOURCES = ("startup", *RESETS)

MOST = 50
"""Receipts that are listed unless told otherwise."""

Line = Callable[..., None]


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
@shared
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
) -> int:
    """Print what an agent would be given with a prompt.

    The exact text goes to standard output, its cost to standard error.
    """
    needs_words = event == EVENTS[0] or any(prompt)
    text = stdin.text_argument(prompt, "PROMPT") if needs_words else ""
    with door.memory() as core:
        injection = core.recall(
            text,
            host=host,
            session=session,
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
        told = fields.of_injection(injection)
        if explain:
            told["items"] = [{**one, "account": accounts[one["id"]]} for one in told["items"]]
        if advice is not None and not advice.is_empty:
            told["suggestion"] = fields.of_suggestion(advice)
        emit(told)
        return 0
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
    return 0


def _explain(injection: Injection, accounts: Mapping[str, Sequence[str]]) -> None:
    narrate(Ink(f"  {injection.policy} budget, {injection.profile} ranking", "dim"))
    _gauges(injection.per_tier, injection.limits, line=narrate)
    if injection.items:
        narrate("  given:")
    for hit in injection.items:
        memory = hit.memory
        cost = f"{injection.costs.get(memory.id, 0):>4} tokens"
        head = (Ink(memory.short_id, "dim"), f"  {hit.score:.2f}  {cost}  ")
        narrate("    ", *head, one_line(memory.title))
        if parts := _parts(hit.parts):
            narrate("      ", Ink(parts, "dim"))
        for why in accounts[hit.id]:
            narrate("      ", Ink(why, "dim"))
    if injection.left_out:
        narrate("  left out:")
        table([[who[:8], why] for who, why in injection.left_out], indent="    ", line=narrate)
    _what_next(injection.next, line=narrate)
    if injection.items:
        narrate(Ink(f"  {injection.compression_ratio:.0%} of what was in question", "dim"))
    if injection.receipt:
        narrate(Ink(f"  receipt {injection.receipt}", "dim"))


def _gauges(per_tier: Mapping[str, int], limits: Mapping[str, int], line: Line = say) -> None:
    """What each tier used of what it may."""
    rows = []
    for tier in dict.fromkeys([*limits, *per_tier]):
        used, limit = per_tier.get(tier, 0), limits.get(tier, 0)
        rows.append([tier, gauge(used, limit), f"{used:,}" + (f" of {limit:,}" if limit else "")])
    table(rows, indent="  ", line=line)


def _parts(parts: Mapping[str, float]) -> str:
    """The parts of a score that show in two digits; `--json` has them all."""
    return ", ".join(f"{name} {part:.2f}" for name, part in parts.items() if abs(part) >= 0.005)


def _what_next(after: Mapping[str, Any] | None, line: Line = say) -> None:
    if after:
        title = one_line(after.get("title") or "")
        line("  next: ", Ink(after["id"][:8], "dim"), f"  {title}".rstrip())
        line(Ink(f"    {after['tokens']} tokens; {after['why']}", "dim"))


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


@receipts.command("list", epilog=example("memdeck receipts list --limit 5 --json"))
@click.option("--memory", metavar="ID", help="Only those that told this memory.")
@click.option("--session", metavar="ID", help="Only those of this session.")
@click.option(
    "--limit", type=click.IntRange(1), metavar="N", default=MOST, help="Receipts at most (50)."
)
@shared
def receipts_list(door: Door, memory: str | None, session: str | None, limit: int) -> int:
    """List what past prompts were given, newest first."""
    with door.memory() as core:
        found = core.receipts(limit=limit, memory=memory, session=session)
        now, extractor = core.now(), core.extractor.state()
    if door.as_json:
        for receipt in found:
            emit(fields.of_receipt(receipt))
        return 0
    show_receipts(found, now)
    if extractor.is_on:
        narrate(Ink(f"  extractor  {extractor}", "dim"))
    if not found and (memory or session):
        narrate("Nothing of it was told.")
    elif not found:
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
        receipt = core.receipt_named(identifier)
        now = core.now()
    if door.as_json:
        emit(fields.of_receipt(receipt))
        return 0
    say(Ink(receipt.id, "bold"), f"  {receipt.event} of {receipt.host}")
    say(f"  {local(receipt.at)} ({age(receipt.at, now)})")
    for name, value in _circumstances(receipt):
        say(f"  {name} {one_line(value)}")
    say(f"  {receipt.tokens:,} of {receipt.budget:,} tokens, {receipt.latency_ms:.0f} ms")
    _gauges(receipt.per_tier, receipt.limits)
    if receipt.items:
        say("")
        say("  ", Ink("given", "dim"))
    for item in receipt.items:
        _show_item(dict(item))
    if receipt.left_out:
        say("")
        say("  ", Ink("left out", "dim"))
        table([[who[:8], why] for who, why in receipt.left_out], indent="    ")
    _what_next(receipt.next)
    return 0


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
    if parts := _parts(item.get("parts") or {}):
        say("      ", Ink(parts, "dim"))


@receipts.command("replay", epilog=example("memdeck receipts replay 01k9a00"))
@click.argument("identifier", metavar="ID")
@click.option("--prompt", metavar="TEXT", help="The prompt, where none was kept.")
@shared
def receipts_replay(door: Door, identifier: str, prompt: str | None) -> int:
    """Show what the same prompt would get today, and what differs."""
    with door.memory() as core:
        replay = core.replay(identifier, prompt)
    if door.as_json:
        emit(fields.of_replay(replay))
        return 0
    _show_replay(replay)
    return 0


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
        emit(fields.of_receipt(judged))
    else:
        word = {True: "helpful", False: "not helpful", None: "without an opinion"}[helpful]
        narrate(f"{memory_count(len(memories))} noted as {word}.")
    return 0


@receipts.command("helpful", epilog=example("memdeck receipts helpful 01k9a00 01k8f2q"))
@click.argument("identifier", metavar="ID")
@click.argument("memories", nargs=-1, metavar="MEMORY")
@click.option("--clear", is_flag=True, help="Take the opinion back.")
@shared
def receipts_helpful(door: Door, identifier: str, memories: tuple[str, ...], clear: bool) -> int:
    """Say that memories helped where a receipt told them.

    It counts in the ranking, once for each receipt, and can be changed.
    """
    return _judge(door, identifier, memories, None if clear else True)


@receipts.command("unhelpful", epilog=example("memdeck receipts unhelpful 01k9a00 01k8f2q"))
@click.argument("identifier", metavar="ID")
@click.argument("memories", nargs=-1, metavar="MEMORY")
@click.option("--clear", is_flag=True, help="Take the opinion back.")
@shared
def receipts_unhelpful(door: Door, identifier: str, memories: tuple[str, ...], clear: bool) -> int:
    """Say that memories did not help where a receipt told them."""
    return _judge(door, identifier, memories, None if clear else False)
