"""Search, recall and the lists of the app inside one process, warm, in projects of 1 to 10 %.

Targets: search p95 under 20 ms at 100,000 memories and under 50 ms at a million. Wall time and the
process's own CPU time stand side by side: on a machine that others use, the second tells more.
A store of a million is made when `MEMDECK_BENCH_MILLION` is set: that takes four minutes and 1 GB.
"""

import os
import time
from collections.abc import Callable, Sequence
from typing import Any

from memdeck import MemoryCoordinator

from . import report
from .search_set import SHARES, Notes
from .search_store import clock, folder_of, store_of

SIZES = (1_000, 10_000, 100_000)
MILLION = 1_000_000
PLACES = (0, 6, 23)
"""Projects that are asked in, as places in `SHARES`: of 10, 5 and 1 percent."""

QUESTIONS = 100  # a project
WARMING = 40
LISTED = 10  # questions for the lists, in the largest project


def run() -> None:
    """Time each kind of question at each size, and print p50 and p95."""
    sizes = (*SIZES, MILLION) if os.environ.get("MEMDECK_BENCH_MILLION") else SIZES
    rows, figures = list[tuple[str, ...]](), dict[str, Any]()
    for size in sizes:
        home, notes = store_of(size), Notes(size)
        taken: dict[str, list[tuple[float, float]]] = {}
        for place in PLACES:
            with MemoryCoordinator.open(home, folder_of(home, place), clock=clock) as core:
                asked = [one.text for one in notes.questions(place, QUESTIONS)]
                for name, ask in cases(core).items():
                    part = asked if name in ("search", "recall") else asked[:LISTED]
                    if name not in ("search", "recall") and place != PLACES[0]:
                        continue
                    spent = times(ask, part)
                    taken.setdefault(name, []).extend(spent)
                    if name == "search":
                        taken[f"search, project of {SHARES[place]} %"] = spent
        for name, spent in taken.items():
            figure = figures_of(spent)
            rows.append((f"{size:,}", name, *(f"{value:.2f}" for value in figure.values())))
            figures[f"{name} @ {size}"] = figure
    header = ("memories", "question", "p50 ms", "p95 ms", "CPU p50", "CPU p95")
    report.table("Search, warm", header, rows)
    report.save("search", figures)


def cases(core: MemoryCoordinator) -> dict[str, Callable[[str], object]]:
    """What is asked, by name."""
    return {
        "search": lambda text: core.search(text, limit=10),
        "recall": lambda text: core.recall(text, write_receipt=False),
        "list: newest hits": lambda text: core.find(text, "newest"),
        "list: ranked": lambda text: core.find(text, "ranked"),
        "list: exact": lambda text: core.find(text, "exact"),
        "facets": lambda text: core.facets(text),
    }


def times(ask: Callable[[str], object], texts: Sequence[str]) -> list[tuple[float, float]]:
    """Milliseconds of wall and of CPU for each text, after some that make it warm."""
    for text in texts[:WARMING]:
        ask(text)
    spent = []
    for text in texts:
        wall, cpu = time.perf_counter(), time.process_time()
        ask(text)
        spent.append((1000 * (time.perf_counter() - wall), 1000 * (time.process_time() - cpu)))
    return spent


def figures_of(spent: Sequence[tuple[float, float]]) -> dict[str, float]:
    """p50 and p95 of wall and of CPU, in milliseconds."""
    wall, cpu = [one for one, _ in spent], [one for _, one in spent]
    return {
        "p50_ms": report.median(wall),
        "p95_ms": report.quantile(wall, 0.95),
        "cpu_p50_ms": report.median(cpu),
        "cpu_p95_ms": report.quantile(cpu, 0.95),
    }
