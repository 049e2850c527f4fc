"""Search, recall and the lists of the app inside one process, warm, beside plain FTS5.

Targets: search of a project of 1,000 memories within 5 times plain FTS5 in the same run; p95 under
10 ms at 100,000 memories and under 25 ms at a million; the MCP tool under 50 ms at 100,000. Plain
FTS5 is a table with the porter stemmer over the texts of the project alone, in memory, asked for
any of the words and for the first ten by BM25. It is asked each question right before our search
is. Wall time and the process's own CPU time stand side by side: on a machine that others use, the
second tells more.

A store of a million is made when `MEMDECK_BENCH_MILLION` is set: that takes four minutes and 1 GB.
"""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from memdeck import MemoryCoordinator
from memdeck.agents.mcp import Tools

from . import report
from .plain import plain_table
from .search_set import ALONE, SHARES, Notes
from .search_store import clock, folder_of, store_of

SIZES = (1_000, 10_000, 100_000)
MILLION = 1_000_000
PLACES = (0, 6, 23)
"""Projects that are asked in, as places in `SHARES`: of 10, 5 and 1 percent."""

QUESTIONS = 100  # a project
WARMING = 40
LISTED = 10  # questions for the lists, in the largest project

PLAIN, SEARCH = "plain FTS5", "search"

Times = list[tuple[float, float]]
"""Milliseconds of wall and of CPU, one pair a question."""


def run() -> None:
    """Time each kind of question at each size, and print p50, p95 and ratios to plain FTS5."""
    sizes = (*SIZES, MILLION) if os.environ.get("MEMDECK_BENCH_MILLION") else SIZES
    taken: dict[tuple[str, str], Times] = {}
    named = f"{SIZES[0]:,} in one project"
    taken |= {(named, name): spent for name, spent in _of_project(SIZES[0], ALONE, 0).items()}
    for size in sizes:
        for place in PLACES:
            for name, spent in _of_project(size, SHARES, place).items():
                taken.setdefault((f"{size:,}", name), []).extend(spent)
                if name in (PLAIN, SEARCH):
                    taken[f"{size:,}", f"{name}, project of {SHARES[place]} %"] = spent
    rows, figures = list[tuple[str, ...]](), dict[str, Any]()
    for (size_name, name), spent in taken.items():
        kind, _, which = name.partition(", ")
        beside = taken[size_name, f"{PLAIN}, {which}" if which else PLAIN]
        figure = figures_of(spent)
        if kind == SEARCH:
            figure |= ratios_of(spent, beside)
        cells = [f"{value:.2f}" for value in figure.values()]
        rows.append((size_name, name, *cells, *[""] * (len(HEADER) - 2 - len(cells))))
        figures[f"{name} @ {size_name}"] = figure
    report.table("Search, warm", HEADER, rows)
    report.save("search", figures)


HEADER = ("memories", "question", "p50 ms", "p95 ms", "CPU p50", "CPU p95", "x plain", "x CPU")


def _of_project(size: int, shares: Sequence[int], place: int) -> dict[str, Times]:
    """What each kind of question took in one project."""
    home, notes = store_of(size, shares), Notes(size, shares=shares)
    asked = [one.text for one in notes.questions(place, QUESTIONS)]
    with MemoryCoordinator.open(home, folder_of(home, place), clock=clock) as core:
        found = times({PLAIN: _plain(notes, place), SEARCH: cases(core)[SEARCH]}, asked)
        for name, ask in cases(core).items():
            if name in ("recall", "MCP memory_search"):
                found |= times({name: ask}, asked)
            elif name != SEARCH and place == PLACES[0]:
                found |= times({name: ask}, asked[:LISTED])
    return found


def _plain(notes: Notes, place: int) -> Callable[[str], object]:
    ours = (note for note in notes if note["project"] == place)
    return plain_table(ours)


def cases(core: MemoryCoordinator) -> dict[str, Callable[[str], object]]:
    """What is asked of memdeck, by name."""
    tools = Tools(str(core.home.path), core.context.root)
    return {
        SEARCH: lambda text: core.search(text, limit=10),
        "MCP memory_search": lambda text: tools.call("memory_search", {"query": text}),
        "recall": lambda text: core.recall(text, write_receipt=False),
        "list: newest hits": lambda text: core.find(text, "newest"),
        "list: ranked": lambda text: core.find(text, "ranked"),
        "list: exact": lambda text: core.find(text, "exact"),
        "facets": lambda text: core.facets(text),
    }


def times(asks: Mapping[str, Callable[[str], object]], texts: Sequence[str]) -> dict[str, Times]:
    """Milliseconds of wall and of CPU for each text, by turns, after some that make it warm."""
    for text in texts[:WARMING]:
        for ask in asks.values():
            ask(text)
    spent: dict[str, Times] = {name: [] for name in asks}
    for text in texts:
        for name, ask in asks.items():
            wall, cpu = time.perf_counter(), time.process_time()
            ask(text)
            spent[name].append(
                (1000 * (time.perf_counter() - wall), 1000 * (time.process_time() - cpu))
            )
    return spent


def figures_of(spent: Times) -> dict[str, float]:
    """p50 and p95 of wall and of CPU, in milliseconds."""
    wall, cpu = [one for one, _ in spent], [one for _, one in spent]
    return {
        "p50_ms": report.median(wall),
        "p95_ms": report.quantile(wall, 0.95),
        "cpu_p50_ms": report.median(cpu),
        "cpu_p95_ms": report.quantile(cpu, 0.95),
    }


def ratios_of(spent: Times, beside: Times) -> dict[str, float]:
    """How many times `beside` the medians of wall and of CPU are."""
    ours, theirs = figures_of(spent), figures_of(beside)
    return {
        "ratio": ours["p50_ms"] / theirs["p50_ms"],
        "cpu_ratio": ours["cpu_p50_ms"] / theirs["cpu_p50_ms"],
    }
