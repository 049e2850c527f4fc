"""Search and recall inside one process, warm. Target: p95 under 50 ms at 100,000 memories."""

import time

from memdeck import open_memory

from . import report, stores
from .texts import questions

SIZES = (1_000, 10_000, 100_000)
QUESTIONS = 200


def run() -> None:
    """Time searches, recalls and the lists of the app."""
    rows, figures = [], {}
    for size in SIZES:
        home = stores.store_of(size)
        with open_memory(home, "bench") as memory:
            asked = questions(QUESTIONS)
            cases = {
                "search": lambda text, m=memory: m.search(text, limit=10),
                "recall": lambda text, m=memory: m.recall(text, write_receipt=False),
                "list: newest hits": lambda text, m=memory: m.find(text, "newest"),
                "list: ranked": lambda text, m=memory: m.find(text, "ranked"),
                "list: exact": lambda text, m=memory: m.find(text, "exact"),
                "facets": lambda text, m=memory: m.facets(text),
            }
            for name, ask in cases.items():
                part = asked if name in ("search", "recall") else asked[:40]
                for text in part[:10]:
                    ask(text)
                times = []
                for text in part:
                    started = time.perf_counter()
                    ask(text)
                    times.append((time.perf_counter() - started) * 1000)
                p50, p95 = report.median(times), report.quantile(times, 0.95)
                rows.append((f"{size:,}", name, f"{p50:.2f}", f"{p95:.2f}"))
                figures[f"{name} @ {size}"] = {"p50_ms": p50, "p95_ms": p95}
    report.table("Search, warm", ("memories", "question", "p50 ms", "p95 ms"), rows)
    report.save("search", figures)
