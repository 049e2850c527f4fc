"""The review queue: everything that needs the user's word, and the verdicts on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

import click

from ...core.documents.candidate import HEADINGS
from ...core.judgements import CONFLICT_KINDS, RefusedCapture
from ...core.services.review import ReviewItem
from ...core.services.review_entries import KINDS, ReviewEntry
from ...core.values import Memory
from ...db.errors import Ambiguous, NotFound
from ..acts import memories_of, report, takes_back
from ..options import COUNT, FUTURE, Door, agreeable, all_of, command, group
from ..output import (
    Ink,
    acted,
    age,
    count,
    narrate,
    one_line,
    print_document,
    say,
    table,
    width,
    wrap,
)

if TYPE_CHECKING:
    from ...core.compat import MemoryCoordinator

SHOWN = 50  # lines of a listing where no limit is given. JSON has all.
CANDIDATES = "is:candidate -type:working"  # the query that words of commands narrow

_kind = click.option("--kind", type=click.Choice(KINDS), help="Only items of this kind.")
_several = all_of(
    click.argument("words", metavar="ID…|WORDS", nargs=-1),
    click.option("--all", "every", is_flag=True, help="All candidates that match the query."),
)
_one = click.argument("ref", metavar="ID")
_text = all_of(
    click.option("--content", help="Text of the merged memory."),
    click.option("--title", help="Title of the merged memory."),
)


@group("memdeck review", "memdeck review accept 01k8f2q", "memdeck review --kind conflict")
def review() -> None:
    """List and decide what needs your word.

    Candidates, conflicts, duplicates, outdated memories and suggestions to make one global.
    Without a subcommand, list them.
    """


@command("memdeck review list --limit 10 --json", of=review)
@_kind
@click.option("--limit", type=COUNT, metavar="N", help="Maximum number of items.")
@click.option("--snoozed", is_flag=True, help="Include snoozed items.")
@click.option("--filtered", is_flag=True, help="List captures that a check dropped.")
def review_list(
    door: Door, kind: str | None, limit: int | None, snoozed: bool, filtered: bool
) -> int:
    """List what needs your word, likely junk last."""
    with door.memory() as core:
        now = core.now()
        if filtered:
            return _list_filtered(door, core.refused_captures(limit or SHOWN), now)
        entries = core.services.review_entries.queue((kind,) if kind else KINDS, snoozed=snoozed)
        if door.as_json:
            door.prints_json(*(core.services.review.item(entry) for entry in entries[:limit]))
            return 0
    visible = entries[: limit or SHOWN]
    groups = [(name, False) for name in KINDS] + [(name, True) for name in KINDS]
    for name, is_junk in groups:
        matches = [item for item in visible if (item.kind, item.is_junk) == (name, is_junk)]
        if matches:
            say(Ink("Likely junk" if is_junk else HEADINGS[name], "bold"))
            table([row for entry in matches for row in _rows(entry, now)], indent="  ")
    more = f", the first {len(visible)} shown" if len(entries) > len(visible) else ""
    narrate(Ink(f"{count(len(entries), 'item')} to review{more}", "dim"))
    return 0


def _rows(entry: ReviewEntry, now: datetime) -> Iterator[list[str | Ink]]:
    """One line for a memory, two for a pair."""
    yield [Ink(entry.ids[0][:10], "dim"), age(entry.since, now), entry.title]
    if len(entry.ids) > 1:
        yield [Ink(entry.ids[1][:10], "dim"), "", entry.text]


def _list_filtered(door: Door, captures: Sequence[RefusedCapture], now: datetime) -> int:
    if door.prints_json(*captures):
        return 0
    for capture in captures:
        text = capture.content or "(nothing of its text was kept)"
        [first, *more] = wrap(one_line(text), width() - 16)
        number = Ink(f"{capture.number:>6}", "dim")
        say(number, f"  {age(capture.at, now):>4}  ", first, "…" if more else "")
        say(" " * 14, Ink(one_line(capture.reason), "warn"))
    if captures:
        narrate(Ink("  `memdeck review rescue NUMBER` keeps one after all.", "dim"))
    else:
        narrate("No capture was filtered.")
    return 0


@command("memdeck review show 01k8f2q", of=review)
@_one
@_kind
@click.option("--why", is_flag=True, help="Also show all numbers.")
def review_show(door: Door, ref: str, kind: str | None, why: bool) -> None:
    """Show one item: texts, origin, proposal, and its default."""
    from ...core.details import numbers_of
    from ...core.documents import candidate

    with door.memory() as core:
        item = _item(core, ref, kind)
        judged = why or door.as_json
        numbers = numbers_of(core, item.memory) if judged else None
        if door.as_json:
            from ..output import encode

            door.prints_json(item, numbers=encode(numbers))
        else:
            print_document(candidate.card(item, numbers), core.now())


# --- verdicts


@command("memdeck review accept 01k8f2q 01k9a00 --pin", of=review)
@_several
@_kind
@click.option("--pin", is_flag=True, help="Pin accepted candidates.")
@click.option("--context", default="", help="When each of the two accepted sides applies.")
@agreeable
def accept(
    door: Door,
    words: tuple[str, ...],
    every: bool,
    kind: str | None,
    pin: bool,
    context: str,
    yes: bool,
) -> None:
    """Accept items: a candidate is confirmed, both of a pair stay.

    An outdated memory is confirmed as still true. A suggested one becomes global.
    """
    with door.memory(yes=yes) as core:
        entries = _entries(core, words, every, kind)
        act = partial(core.accept, pin=pin)
        done = core.services.review.decide_all(entries, "accept", act, context=context)
    report(door, "pinned" if pin else "accepted", done)


@command('memdeck review reject 01k8f2q --reason "not so any more"', of=review)
@_several
@_kind
@click.option("--junk", is_flag=True, help="Reject all likely junk, without ids.")
@click.option("--reason", default="", help="Reason for the history.")
@agreeable
def reject(
    door: Door,
    words: tuple[str, ...],
    every: bool,
    kind: str | None,
    junk: bool,
    reason: str,
    yes: bool,
) -> None:
    """Reject items.

    The same text is not captured again. `memdeck restore` brings a memory back. An outdated memory
    is forgotten. A suggestion is declined.
    """
    with door.memory(yes=yes) as core:
        if junk:
            entries = [entry for entry in core.services.review_entries.queue() if entry.is_junk]
        else:
            entries = _entries(core, words, every, kind)
        act = partial(core.reject, reason=reason)
        done = core.services.review.decide_all(entries, "reject", act)
    report(door, "rejected", done)


@command("memdeck review snooze 01k8f2q --until 3d", of=review)
@_several
@_kind
@click.option(
    "--until",
    type=FUTURE,
    metavar="WHEN",
    default="1d",
    help="Time or duration: 2026-03-01, 3h, 2w (1d).",
)
def snooze(
    door: Door, words: tuple[str, ...], every: bool, kind: str | None, until: datetime
) -> None:
    """Snooze items."""
    with door.memory() as core:
        entries = _entries(core, words, every, kind)
        core.services.review.snooze_entries(entries, until)
        nums = [num for entry in entries for num in entry.nums[:1]]
        snoozed = core.context.memories(nums)
    report(door, "snoozed", snoozed)


@command("memdeck review keep 01k8f2q", of=review)
@_one
@click.option("--over", metavar="ID", help="The other memory of the pair.")
@agreeable
def keep(door: Door, ref: str, over: str | None, yes: bool) -> None:
    """Keep one side of a pair.

    In a conflict it supersedes the other one. Of duplicates, the other one is merged into it.
    """
    with door.memory(yes=yes) as core:
        stays = core.resolve(ref)
        item = _pair(core, stays, over)
        sides = core.services.review.decide(item, "keep", stays=stays.id)
    _report_sides(door, sides)


@command("memdeck review merge 01k8f2q", of=review)
@_one
@_text
@agreeable
def merge(door: Door, ref: str, content: str | None, title: str | None, yes: bool) -> None:
    """Merge a memory into its pair, or into the nearest memory.

    The other memory gains its tags, files and evidence. `memdeck merge` merges any two.
    """
    edits = {"content": content, "title": title}
    fields = {name: value for name, value in edits.items() if value is not None}
    with door.memory(yes=yes) as core:
        leaves = core.resolve(ref)
        pair = next((item for item in _items(core, leaves.id) if item.is_pair), None)
        if pair is not None:
            stays = next(memory.id for memory in pair.memories if memory.id != leaves.id)
            sides = core.services.review.decide(pair, "merge", stays=stays, **fields)
        else:
            item = _item(core, ref, "candidate")
            sides = core.services.review.decide(item, "merge", **fields)
            assert item.near is not None
            sides.append(core.resolve(item.near.id))
    _report_sides(door, sides)


@command("memdeck review neither 01k8f2q", of=review)
@_one
@click.option("--over", metavar="ID", help="The other memory of the pair.")
@agreeable
def neither(door: Door, ref: str, over: str | None, yes: bool) -> None:
    """Retire both sides of a pair."""
    with door.memory(yes=yes) as core:
        item = _pair(core, core.resolve(ref), over)
        sides = core.services.review.decide(item, "neither")
    _report_sides(door, sides)


@command("memdeck review rescue 118", of=review)
@click.argument("number", type=COUNT)
@click.option("--pin", is_flag=True, help="Also pin it.")
def rescue(door: Door, number: int, pin: bool) -> None:
    """Keep a filtered capture as a confirmed memory."""
    with door.memory() as core:
        rescued = core.rescue(number, pin=pin)
    report(door, "rescued", [rescued])


@command('memdeck review mark 01k8f2q 01k9a00 --reason "other port"', of=review)
@click.argument("first", metavar="ID")
@click.argument("second", metavar="ID")
@click.option(
    "--as", "kind", type=click.Choice(CONFLICT_KINDS), default="contradictory", help="How."
)
@click.option("--reason", default="", help="What contradicts what.")
def mark(door: Door, first: str, second: str, kind: str, reason: str) -> None:
    """Mark two memories as a conflict."""
    with door.memory() as core:
        sides = [core.resolve(first), core.resolve(second)]
        core.context.must_be_here(*sides)
        conflict = core.conflict(core.mark_conflict(sides[0].id, sides[1].id, kind, reason))
    if not door.prints_json(conflict):
        say(f"marked  {conflict.id}")
        takes_back()


# --- which items are meant


def _items(core: MemoryCoordinator, ref: str) -> list[ReviewItem]:
    entries = core.services.review_entries.entries_of(ref)
    return [core.services.review.item(entry) for entry in entries]


def _item(core: MemoryCoordinator, ref: str, kind: str | None) -> ReviewItem:
    """Return the item that a reference means. Raises NotFound, Ambiguous."""
    [entry] = _entries(core, (ref,), False, kind)
    return core.services.review.item(entry)


def _pair(core: MemoryCoordinator, memory: Memory, over: str | None) -> ReviewItem:
    """Return the pair of a memory. Raises NotFound, and Ambiguous for several without `over`."""
    other = core.resolve(over) if over else None
    pairs = [item for item in _items(core, memory.id) if item.is_pair]
    if other is not None:
        pairs = [item for item in pairs if other.id in {side.id for side in item.memories}]
    if not pairs:
        raise NotFound(f"“{memory.title}” is in no pair.", hint="`memdeck review` lists them.")
    if len(pairs) > 1:
        raise Ambiguous(
            f"“{memory.title}” is in {len(pairs)} pairs.", hint="`--over ID` names the other one."
        )
    return pairs[0]


def _entries(
    core: MemoryCoordinator, words: Sequence[str], every: bool, kind: str | None
) -> list[ReviewEntry]:
    """Return the entries that ids or words mean. Raises NotFound, Ambiguous, BadInput."""
    if not words:
        raise click.UsageError("Name one or more: an id, or words.")
    queue = core.services.review_entries
    matches = [queue.entries_of(word, kind or "") for word in words] if not every else []
    if not matches or not all(matches):
        memories = memories_of(core, words, every=every, within="" if kind else CANDIDATES)
        core.context.must_be_here(*memories)
        matches = [queue.entries_of(memory.id, kind or "") for memory in memories]
        for memory, entries in zip(memories, matches, strict=True):
            if not entries:
                hint = "`memdeck review` lists what does. Nothing was changed."
                raise NotFound(f"“{memory.title}” needs no verdict.", hint=hint)
    for entries in matches:
        if len(entries) > 1:
            kinds = ", ".join(dict.fromkeys(entry.kind for entry in entries))
            raise Ambiguous(
                f"“{entries[0].title}” is listed {len(entries)} times: {kinds}.",
                hint="`--kind` chooses, or the id of the conflict.",
            )
    return list({entry.key: entry for [entry] in matches}.values())


def _report_sides(door: Door, sides: Sequence[Memory]) -> None:
    if door.prints_json(*sides):
        return
    for memory in sides:
        acted(memory.retired_as or "stays", [memory])
    takes_back()
