"""What changed of late, read in two minutes."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import click

from ..choices import THEN, Count
from ..options import Door, command
from ..output import Ink, clip, count, local, memory_count, narrate, one_line, say, width

if TYPE_CHECKING:
    from ...core.services.digest import Digest

BY = {"person": "you", "agent": "an agent", "rule": "upkeep"}


@command("memdeck digest", "memdeck digest --since monday --json")
@click.option("--since", type=THEN, metavar="WHEN", help="Not the last 7 days: monday, 30d, #42.")
@click.option("--limit", type=Count(0), metavar="N", default=6, help="Named in each part (6).")
def digest(door: Door, since: datetime | int | None, limit: int) -> None:
    """Show what changed of late, read in two minutes.

    What is new, corrected, retired and why, which conflicts came and went, and what agents were
    told and used. Each part names the weightiest and counts all.
    """
    with door.services() as services:
        made = services.digest_book.digest(since, limit)
        name = services.search.project_name
    if door.prints_json(made):
        return
    say(Ink(f"{name} since {local(made.since.at)}", "bold"))
    if made.is_empty:
        narrate("Nothing changed, and no agent was told anything.")
        return
    _show(made)


def _show(made: Digest) -> None:
    waiting = f", {made.waiting:,} waiting in the Inbox" if made.waiting else ""
    if made.new_count:
        _head("new", f"{memory_count(made.new_count)}{waiting}")
        for one in made.new:
            _line(f"{'★ ' if one.status == 'pinned' else '+ '}{one.title}")
    if made.corrected_count:
        _head("corrected", count(made.corrected_count, "memory", "memories"))
        for said in made.corrected:
            _line(f"- {said.before}", "bad")
            if said.after:
                _line(f"+ {said.after}", "good")
    if made.retired_count:
        _head("retired", count(made.retired_count, "memory", "memories"))
        for left in made.retired:
            why = f": {left.reason}" if left.reason else ""
            _line(f"{left.count:,} {left.retired_as or 'taken back'} by {BY[left.actor]}{why}")
            for one in left.memories:
                _line(f"    {one.title}", "dim")
    if made.restored_count:
        _head("restored", memory_count(made.restored_count))
        for one in made.restored:
            _line(f"^ {one.title}")
    if made.opened or made.decided:
        _head("conflicts", f"{made.opened:,} found, {made.decided:,} decided")
        for pair in made.conflicts:
            _line(f"{pair.verdict or 'open':7} {pair.first}")
            _line(f"      ≠ {pair.second}")
    if made.agents.prompts:
        hosts = ", ".join(made.agents.hosts)
        verb = "was" if len(made.agents.hosts) == 1 else "were"
        told = f"{hosts} {verb} given {count(made.agents.prompts, 'text')} with"
        _head("agents", f"{told} {count(made.agents.memories, 'memory', 'memories')}")
        for used in made.agents.used:
            times = f"{used.told:,}×" + (f", used {used.used:,}×" if used.used else "")
            _line(f"{times:>6}  {used.title}")


def _head(part: str, told: str) -> None:
    say("")
    say("  ", Ink(part, "bold"), "  ", one_line(told))


def _line(text: str, style: str = "") -> None:
    shown = clip(one_line(text), width() - 4)
    say("    ", Ink(shown, style) if style else shown)
