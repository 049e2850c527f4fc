"""How often the answer is among the first: our ranking, part by part, beside plain FTS5.

Everything goes through the public doors: `import_memories` and `search`. The plain engine is an
FTS5 table with the porter stemmer, asked for any of the question's words, ranked by BM25; one
table a project, as if every filter were free. Target: `blend` beats it by 12 points of recall@10
on the held-out half.
"""

import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from memdeck import MemoryCoordinator
from memdeck.core.retrieval.gathering import Uses
from memdeck.core.retrieval.ranking import BLEND, PROFILES, blended
from memdeck.core.retrieval.rerankers import PLAIN, STRATEGIES, Strategy

from . import report
from .retrieval_set import NOW, Question, Set, evaluation_set

SHOWN = 10
Search = Callable[[Question], list[str]]
"""A question in, the keys of the first answers out."""


def run() -> None:
    """Print the table: plain FTS5, each profile, and `blend` without each of its parts."""
    data = evaluation_set()
    rows, figures = [], {}
    with tempfile.TemporaryDirectory(prefix="memdeck-bench-") as folder, stores(data, folder) as of:
        engines: list[tuple[str, Search]] = [("plain FTS5 (porter, OR)", plain(data))]
        engines += [(strategy.name, ours(of, strategy)) for strategy in strategies()]
        base = 0.0
        for name, search in engines:
            started = time.perf_counter()
            places = [(question, place_of(question, search)) for question in data.questions]
            spent = (time.perf_counter() - started) * 1000 / len(places)
            held_out = [place for question, place in places if question.is_held_out]
            tuned = [place for question, place in places if not question.is_held_out]
            at_5, at_10, mrr = scores(held_out)
            base = base or at_10
            figures[name] = {
                "held_out": {"recall@5": at_5, "recall@10": at_10, "mrr": mrr},
                "tuning": dict(zip(("recall@5", "recall@10", "mrr"), scores(tuned), strict=True)),
                "ms": spent,
            }
            cells = [f"{100 * value:.1f}" for value in (*scores(held_out), at_10 - base)]
            cells += [f"{100 * value:.1f}" for value in scores(tuned)[1:]]
            rows.append((name, *cells, f"{spent:.1f}"))
            if name in (engines[0][0], "blend"):
                figures[f"{name} by kind"] = by_kind(name, places)
    header = ("engine", "r@5", "r@10", "MRR", "+r@10", "tuning r@10", "MRR", "ms")
    count = sum(len(memories) for memories in data.memories.values())
    report.table(
        f"Retrieval: {len(data.questions)} questions over {count:,} memories, held-out half",
        header,
        rows,
    )
    report.save("retrieval", figures)


def strategies() -> Iterator[Strategy]:
    """The profiles, the named strategies, and `blend` without each of its parts."""
    yield PLAIN._replace(name="blend", profile=PROFILES["blend"])
    for profile in ("multiplicative", "additive"):
        yield PLAIN._replace(name=profile, profile=PROFILES[profile])
    for name in ("time-weighted", "reviewed"):
        yield STRATEGIES[name]
    for phase in Uses._fields:
        uses = Uses()._replace(**{phase: False})
        yield PLAIN._replace(name=f"blend, phase off: {phase}", uses=uses)
    for signal in BLEND:
        weights = {**BLEND, signal: 0.0}
        yield PLAIN._replace(name=f"blend, signal off: {signal}", profile=blended(weights))


@contextmanager
def stores(data: Set, folder: str) -> Iterator[dict[str, MemoryCoordinator]]:
    """One store with all projects, seen from each."""
    with ExitStack() as stack:
        opened = {}
        for project, memories in data.memories.items():
            core = MemoryCoordinator.open(Path(folder) / "home", project, clock=lambda: NOW)
            stack.callback(core.close)
            core.import_memories(memories)
            opened[project] = core
        yield opened


def ours(of: dict[str, MemoryCoordinator], strategy: Strategy) -> Search:
    """Our search with this strategy."""

    def search(question: Question) -> list[str]:
        hits = of[question.project].search(question.text, SHOWN, strategy)
        return [hit.key or "" for hit in hits]

    return search


def plain(data: Set) -> Search:
    """The plain engine over the same texts."""
    tables = {}
    for project, memories in data.memories.items():
        table = sqlite3.connect(":memory:")
        table.execute("CREATE VIRTUAL TABLE t USING fts5(key UNINDEXED, body, tokenize='porter')")
        table.executemany(
            "INSERT INTO t VALUES (?, ?)",
            [
                (one["key"], " ".join((one["content"], *one["tags"], *one["files"])))
                for one in memories
            ],
        )
        tables[project] = table

    def search(question: Question) -> list[str]:
        words = ['"' + word.replace('"', '""') + '"' for word in question.text.split()]
        usable = [word for word in words if any(sign.isalnum() for sign in word)]
        found = tables[question.project].execute(
            "SELECT key FROM t WHERE t MATCH ? ORDER BY bm25(t) LIMIT ?",
            (" OR ".join(usable), SHOWN),
        )
        return [key for (key,) in found]

    return search


def place_of(question: Question, search: Search) -> int:
    """At which place the answer stands, from 1; 0 when it is not among the first ten."""
    keys = search(question)
    return keys.index(question.answer) + 1 if question.answer in keys else 0


def scores(places: Sequence[int]) -> tuple[float, float, float]:
    """recall@5, recall@10 and the mean reciprocal rank, 0-1 each."""
    count = max(len(places), 1)
    at_5 = sum(0 < place <= 5 for place in places) / count
    at_10 = sum(place > 0 for place in places) / count
    return at_5, at_10, sum(1 / place for place in places if place) / count


def by_kind(name: str, places: Sequence[tuple[Question, int]]) -> dict[str, float]:
    """recall@10 of the held-out half by the kind of question, answer and language; printed."""
    groups: dict[str, list[int]] = {}
    for question, place in places:
        if question.is_held_out:
            for group in (question.kind, f"answer: {question.style}", question.language):
                groups.setdefault(group, []).append(place)
    shares = {group: scores(found)[1] for group, found in sorted(groups.items())}
    cells = [(group, len(groups[group]), f"{100 * share:.0f}") for group, share in shares.items()]
    report.table(f"{name}: recall@10 by kind, held-out half", ("kind", "questions", "%"), cells)
    return shares
