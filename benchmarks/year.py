"""`python -m benchmarks year [--sources DIR] [--sessions N] [--draws N] [--only WAY]…`: a year.

Three projects are lived session by session through hooks and drains, by a moving clock, in this
process. DIR holds git repositories, one a project; what their commits say are the facts. Who says
which on what day, and what becomes of it, is drawn; several draws are counted together, each in a
home of its own, since of one the first month asks for twenty facts.

*Needed*: a prompt asks for a fact that was said before and still holds. *Kept*: the share of the
needed that a memory holds, live or retired. *Recall*: the share of the needed that was told with
that prompt or at that session's start. *Told of kept*: recall over kept.
*Right* with a prompt: a told memory holds what is needed, or what still holds and is about the same
file. *True* at a start: what still holds. *Stale*: told memories all of whose facts are over.
*Silent*: of these, whose end nobody said: another fact was said, and no word of it. *Marked*: of
the stale, told as in conflict or to be verified. *Else*: told memories that hold no fact; *asked*:
of these, what says a prompt of the play again. *Sound*: of what was told and holds a fact, the
share of which nobody could know that it is over. A memory holds a fact when it has 0.6 of its
words. Recall is timed by the processor meanwhile: a machine that others load is no slow store, of
which recall would look at less.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from unittest.mock import patch

from memdeck.core.compat import MemoryCoordinator
from memdeck.core.config.policy import LifecyclePolicy
from memdeck.core.config.schema import rules_of

from . import report
from .gallery.dialogue import Dialogue
from .gallery.play import Player
from .gallery.writer import session_id
from .year_checks import checked
from .year_count import HEADS, Month, Truth, counted
from .year_facts import DAYS, HOSTS, PROJECTS, drawn
from .year_play import DUE, Tree, lived, turns_of

MONTHS = 12  # of 30 days; the last one of 35
BEGINS = datetime(2026, 1, 5, 9, tzinfo=UTC)
PARTS = tuple(name for name, rule in rules_of(LifecyclePolicy).items() if rule.kind == "switch")


def run() -> None:
    """Live the year with all parts on, with each off, and with all off; print by month."""
    parser = argparse.ArgumentParser("benchmarks year")
    parser.add_argument("--sessions", type=int, default=600)
    parser.add_argument("--sources", type=Path)
    parser.add_argument("--draws", type=int, default=1)
    parser.add_argument("--only", action="append", choices=("on", "off", *PARTS))
    asked, _ = parser.parse_known_args(sys.argv[2:] if sys.argv[1:2] == ["year"] else [])
    if asked.sources is None:
        print("\nNo --sources: eight facts of our own words stand in; weak, read no curve off it.")
    ways = {"on": (), **{part: (part,) for part in PARTS}, "off": PARTS}
    wholes = list[list[object]]()
    for name in asked.only or ways:
        began = time.process_time()
        months, checks = list[Month](), list[str]()
        for draw in range(asked.draws):
            with TemporaryDirectory(prefix="memdeck-year-") as folder, timed_by_processor():
                chance = Random(14 + draw)
                its, said = year(Path(folder), asked.sessions, asked.sources, ways[name], chance)
            alive = [month for month in its if month.live]
            print(f"  draw {draw + 1}: {alive[-1].against(alive[0])}", flush=True)
            months = [a + b for a, b in zip(months, its, strict=True)] if draw else its
            checks += said
        months = [month for month in months if month.live]
        title = f"all {name}" if name in ("on", "off") else f"no {name}"
        whole = sum(months, Month("all"))
        wholes.append([title, *whole.row()[1:]])
        rows = [month.row() for month in (*months, whole)]
        report.table(f"A year, {title}", HEADS, rows)
        print(f"  {months[-1].against(months[0])}")
        quarters = [
            sum(its, Month(name)) for its, name in ((months[:3], "first"), (months[-3:], "last"))
        ]
        print(f"  by quarters: {quarters[1].against(quarters[0])}")
        for line in checks:
            print(f"  {line}")
        print(f"  {time.process_time() - began:.0f} s of processor time")
        figures = [asdict(month) for month in (*months, whole)]
        about = {"sessions": asked.sessions, "draws": asked.draws, "off": ways[name]}
        report.save(f"year_{name}", {**about, "checks": checks, "months": figures})
    report.table("A year by parts", ("way", *HEADS[1:]), wholes)


@contextmanager
def timed_by_processor() -> Iterator[None]:
    """Have what a recall takes told in seconds of the processor."""
    with patch.object(time, "perf_counter", time.process_time):
        yield


def year(
    folder: Path, count: int, sources: Path | None, off: Sequence[str], chance: Random
) -> tuple[list[Month], list[str]]:
    """Live `count` sessions in a home below `folder`: the months, and the checks in words."""
    facts, moves = drawn(sources, chance, count * 3 // 4)
    tree, truth = Tree(folder), Truth(facts)
    (folder / "home").mkdir()
    switches = "".join(f"{part} = false\n" for part in off)
    (folder / "home" / "config.toml").write_text(f"[lifecycle]\n{switches}", "utf-8")
    months = [Month(str(number)) for number in range(1, MONTHS + 1)]
    waiting = sorted(facts, key=lambda fact: fact.begins)
    ending = [fact for fact in facts if fact.by == "task" and fact.end == "ended"]
    asking = sorted(((d, f, q) for f in facts for d, q in f.needs), key=lambda one: one[0])
    limits = list[str]()
    for number in range(count):
        day, project = number * DAYS // count, PROJECTS[number % len(PROJECTS)]
        starts = BEGINS + timedelta(days=day, minutes=number % 300)
        for move in [one for one in moves if one.day <= day]:
            moves.remove(move)
            tree.move(move, starts.isoformat())
            if not move.name:
                truth.remove(move.project, move.file)
        new = [one for one in waiting if one.project == project and one.begins <= day][:3]
        waiting = [one for one in waiting if one not in new]
        over = [o for o in ending if o.project == project and o.ends <= day and o not in waiting]
        ending = [one for one in ending if one not in over[:1]]
        tree.write(project, sorted({one.file for one in new}), starts.isoformat())
        asked = [
            one
            for one in asking
            if one[1].project == project and one[0] <= day and truth.is_said(one[1])
        ]
        asking = [one for one in asking if one not in asked[:DUE]]
        due = [(fact, question) for _, fact, question in asked[:DUE] if truth.holds(fact)]
        turns = list(turns_of(new, due, over[:1], chance))
        host = HOSTS[number // len(PROJECTS) % len(HOSTS)]
        dialogue = Dialogue(f"year-{number}", host, project, "main", starts, ())
        player = lived(dialogue, turns, folder, chance)
        truth.say(new)
        with _opened(player) as store:
            named = session_id(player.dialogue)
            counted(months[_month(day)], store, named, turns, truth, project)
        truth.overturn(new, turns)
        truth.end(over[:1])
        if number == count - 1 or _month((number + 1) * DAYS // count) > _month(day):
            limits.append(_closed(months[_month(day)], player, folder))
    return months, checked(player, folder, limits)


def _month(day: int) -> int:
    return min(MONTHS - 1, day // 30)


def _opened(player: Player, project: Path | None = None) -> MemoryCoordinator:
    now = player.clock.now
    return MemoryCoordinator.open(player.home, project or player.root, clock=lambda: now)


def _closed(month: Month, player: Player, folder: Path) -> str:
    """Note the month's end; what is above its limit, or ""."""
    above = ""
    for project in PROJECTS:
        with _opened(player, folder / project) as store:
            began = time.process_time()
            store.maintenance.run()
            month.maintain_s += time.process_time() - began
            month.live += len(store.list())
            age = store.maintenance.glance()
            if age.limit and age.count > age.limit:
                above += f"month {month.name}, {project}: {age.count} of {age.limit}; "
    month.size_kb = (folder / "home" / "memory.db").stat().st_size // 1024
    return above
