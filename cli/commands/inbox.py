"""The Inbox: what was captured waits here until somebody has judged it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from ...core.answers import Neighbour
from ...core.errors import Refused
from ...core.judgements import Candidate, RefusedCapture
from ...core.values import Memory
from ..acts import changes, editing, ids_of, meant, must_be_here, report, several
from ..card import origin_of, show_head
from ..choices import FUTURE, Count
from ..grounds import grounds_of_candidate, json_of_candidate, json_of_refused, show_grounds, trial
from ..options import Door, agreeable, all_of, command, complete_memory, group
from ..output import (
    Ink,
    age,
    count,
    field,
    gauge,
    narrate,
    one_line,
    say,
    section,
    table,
    when,
    width,
    wrap,
)
from ..rows import glyph
from .merge import report_merge

if TYPE_CHECKING:
    from ...core.compat import MemoryCoordinator

CANDIDATES = "is:candidate -type:working"
"""The query that words are narrowed by."""

ALIKE = 0.4
"""From this similarity (0-1) on, the nearest memory is merged into without being named."""

SHOWN = 50
"""Lines of a listing for a person where no limit is given; JSON has all candidates."""


_listing = all_of(
    click.option("--limit", type=Count(1), metavar="N", help="At most so many."),
    click.option("--snoozed", is_flag=True, help="Those put off, too."),
    click.option("--refused", is_flag=True, help="What the gates refused, newest first."),
)
_one_candidate = click.argument(
    "words", metavar="ID|WORDS", nargs=-1, required=True, shell_complete=complete_memory
)


@group("memdeck inbox", "memdeck inbox accept 01k8f2q", "memdeck inbox --refused")
@_listing
def inbox() -> None:
    """Judge what was captured: accept, edit, reject, put off.

    Without a word, lists what waits, the most valuable first.
    """


@command("memdeck inbox list --limit 10 --json", of=inbox)
@_listing
def inbox_list(door: Door, limit: int | None, snoozed: bool, refused: bool) -> int:
    """List the candidates, the most valuable first.

    Each with its value (0-1), its points of those needed for promotion, and its trial.
    """
    with door.memory() as core:
        now, project = core.now(), core.project.name
        if refused:
            captures = core.refused_captures(limit or SHOWN)
            return _list_refused(door, captures, now)
        shown = limit if limit or door.as_json else SHOWN
        candidates = core.candidates(shown, snoozed=snoozed)
        waiting = core.waiting_count()
        extractor = core.extractor.state()
    if door.as_json:
        door.prints_json(*map(json_of_candidate, candidates))
        return 0
    table([_row(candidate, now) for candidate in candidates])
    if candidates:
        more = f", the first {len(candidates)} shown" if waiting > len(candidates) else ""
        narrate(Ink(f"{count(waiting, 'candidate')} waiting in {project}{more}", "dim"))
    else:
        narrate("Nothing waits for a verdict.")
        narrate("  What hooks capture from your agents' sessions comes here first.")
    if extractor.is_on:
        narrate(Ink(f"  extractor  {extractor}", "dim"))
    return 0


def _row(candidate: Candidate, now: datetime) -> list[str | Ink]:
    memory = candidate.memory
    return [
        glyph(memory),
        Ink(memory.short_id, "dim"),
        f"{candidate.value:.2f}",
        f"{candidate.points:g}/{candidate.points_needed} points",
        _state(candidate, now),
        memory.title or memory.content,
    ]


def _state(candidate: Candidate, now: datetime) -> str:
    """What it waits for beside a verdict: `trial 19h left`, `put off in 2d`."""
    if candidate.snoozed_until is not None and candidate.snoozed_until > now:
        return f"back {age(candidate.snoozed_until, now)}"
    until = candidate.quarantined_until
    return f"trial {trial(until, now)}" if until is not None else ""


def _list_refused(door: Door, captures: Sequence[RefusedCapture], now: datetime) -> int:
    if door.as_json:
        door.prints_json(*map(json_of_refused, captures))
        return 0
    for capture in captures:
        text = capture.content or "(nothing of its text was kept)"
        [first, *more] = wrap(one_line(text), width() - 16)
        number = Ink(f"{capture.number:>6}", "dim")
        say(number, f"  {age(capture.at, now):>4}  ", first, "…" if more else "")
        say(" " * 14, Ink(one_line(capture.reason), "warn"))
    if captures:
        narrate(Ink("  `memdeck inbox rescue NUMBER` keeps one after all.", "dim"))
    else:
        narrate("Nothing was refused.")
    return 0


@command("memdeck inbox show 01k8f2q", of=inbox)
@_one_candidate
def inbox_show(door: Door, words: tuple[str, ...]) -> None:
    """Show everything there is to judge a candidate by.

    Its origin, points and trial, the nearest of what is known, conflicts, the reviewers'
    votes, the factors of its importance, and the work it was learned at.
    """
    with door.memory() as core:
        candidate = core.candidate(_one(core, words).id)
        if door.as_json:
            door.prints_json(json_of_candidate(candidate))
        else:
            _show(core, candidate)


def _show(core: MemoryCoordinator, candidate: Candidate) -> None:
    memory, now = candidate.memory, core.now()
    show_head(memory)
    field("tags", ", ".join(memory.tags))
    field("files", ", ".join(memory.files))
    field("from", origin_of(memory))
    field("created", when(memory.created_at, now))
    field("value", f"{gauge(candidate.value, 1.0)}  {candidate.value:.2f}")
    show_grounds(grounds_of_candidate(candidate), now)
    _show_nearest(candidate.neighbour)
    if candidate.conflicts:
        section("in conflict with")
        for conflict in (core.conflict(one) for one in candidate.conflicts):
            other = conflict.second if conflict.first.id == memory.id else conflict.first
            say("    ", Ink(other.short_id, "dim"), f"  {one_line(other.title)}")
            say("    ", Ink(f"conflict {conflict.id}: {one_line(conflict.reason)}", "dim"))


def _show_nearest(near: Neighbour | None) -> None:
    section("nearest known")
    if near is None:
        say("    ", "Nothing that is known shares words with it: it is new.")
        return
    about = f"{near.similarity:.0%} alike, {near.status}, {near.category.replace('_', ' ')}"
    say("    ", Ink(f"{near.id}  {about}", "dim"))
    for line in wrap(near.content, width() - 4):
        say("    ", line)


def _one(core: MemoryCoordinator, words: Sequence[str]) -> Memory:
    """The one memory that the words mean. Raises click.UsageError for several ids."""
    found = meant(core, words, within=CANDIDATES)
    if len(found) > 1:
        raise click.UsageError("One at a time, please: this takes one candidate.")
    return found[0]


def _chosen(core: MemoryCoordinator, words: Sequence[str], every: bool) -> list[str]:
    """The ids of the candidates that are meant. Raises Refused for what was judged before."""
    found = meant(core, words, every=every, within=CANDIDATES)
    for memory in found:
        if memory.status != "candidate" or not memory.is_live:
            raise Refused(
                f"“{memory.title}” is {memory.retired_as or memory.status}: it waits for nobody.",
                hint="`memdeck inbox` lists what does. Nothing was changed.",
            )
    return ids_of(found)


@command("memdeck inbox accept 01k8f2q 01k9a00 --pin", of=inbox)
@several
@click.option("--pin", is_flag=True, help="Pin them: given with every prompt.")
@agreeable
def accept(door: Door, words: tuple[str, ...], every: bool, pin: bool, yes: bool) -> None:
    """Make candidates memories of the project."""
    with door.memory(yes=yes) as core:
        accepted = core.accept(_chosen(core, words, every), pin=pin)
    report(door, "pinned" if pin else "accepted", accepted)


@command('memdeck inbox edit 01k8f2q --title "Retry budget" --importance 8 --pin', of=inbox)
@_one_candidate
@editing
@click.option("--pin", is_flag=True, help="Pin it: given with every prompt.")
def edit(door: Door, words: tuple[str, ...], pin: bool, yes: bool, **wanted: Any) -> None:
    """Change a candidate and accept it; without options, in $EDITOR.

    One entry of the trail, and one undo. A page left unchanged accepts nothing.
    """
    edits = changes(wanted)
    with door.memory(yes=yes) as core:
        memory = core.candidate(_one(core, words).id).memory
        if edits:
            edited = core.accept_edited(
                memory.id, pin=pin, expected_revision=memory.revision, **edits
            )
        else:
            from ..editor import edit_in_editor

            edited = edit_in_editor(core, memory, partial(core.accept_edited, pin=pin))
    report(door, "pinned" if pin else "accepted", [edited])


@command('memdeck inbox reject 01k8f2q --reason "not so any more"', of=inbox)
@several
@click.option("--reason", default="", help="Why, for the trail.")
@agreeable
def reject(door: Door, words: tuple[str, ...], every: bool, reason: str, yes: bool) -> None:
    """Refuse candidates; the same text is not captured again.

    They stay restorable, like all that is forgotten.
    """
    with door.memory(yes=yes) as core:
        rejected = core.reject(_chosen(core, words, every), reason=reason)
    report(door, "rejected", rejected)


@command("memdeck inbox snooze 01k8f2q --until 3d", of=inbox)
@several
@click.option("--until", type=FUTURE, metavar="WHEN", default="1d", help="2026-03-01, 3h, 2w (1d).")
def snooze(door: Door, words: tuple[str, ...], every: bool, until: datetime) -> None:
    """Put candidates off: they wait again from then on."""
    with door.memory() as core:
        put_off = core.snooze(_chosen(core, words, every), until)
    report(door, "put off", put_off)


@command("memdeck inbox merge 01k8f2q --into 01k9a00", of=inbox)
@_one_candidate
@click.option(
    "--into", metavar="ID", shell_complete=complete_memory, help="The nearest known one otherwise."
)
@agreeable
def merge(door: Door, words: tuple[str, ...], into: str | None, yes: bool) -> None:
    """Let a memory that says the same take a candidate in.

    It gains the candidate's tags, files and evidence; the candidate retires as merged.
    """
    with door.memory(yes=yes) as core:
        candidate = core.candidate(_one(core, words).id)
        target = core.resolve(into) if into is not None else _nearest(core, candidate)
        must_be_here(core, [candidate.memory, target])
        kept = core.merge(target.id, candidate.memory.id, expected_revision=target.revision)
    report_merge(door, kept, [candidate.memory])


def _nearest(core: MemoryCoordinator, candidate: Candidate) -> Memory:
    """The memory that says nearly the same, shown. Raises Refused when none does, or opposes."""
    near = candidate.neighbour
    if near is None:
        raise Refused("Nothing that is known is near to it.", hint="--into names a memory.")
    target = core.resolve(near.id)
    about = f"{near.similarity:.0%} alike"
    if near.similarity < ALIKE:
        raise Refused(
            f"The nearest memory, {target.short_id} “{target.title}”, is only {about}.",
            hint=f"--into {target.short_id} says that it is meant.",
        )
    for conflict in (core.conflict(one) for one in candidate.conflicts):
        if target.id in (conflict.first.id, conflict.second.id):
            raise Refused(
                f"The nearest memory, {target.short_id} “{target.title}”, contradicts it.",
                hint=f"`memdeck conflicts resolve {conflict.id} --keep …` decides.",
            )
    narrate(f"nearest, {about}: ", one_line(target.content))
    return target


@command("memdeck inbox rescue 118", of=inbox)
@click.argument("number", type=Count(1))
@click.option("--pin", is_flag=True, help="Pin it: given with every prompt.")
def rescue(door: Door, number: int, pin: bool) -> None:
    """Keep a refused capture after all, confirmed; `inbox --refused` lists the numbers."""
    with door.memory() as core:
        rescued = core.rescue(number, pin=pin)
    report(door, "rescued", [rescued])
