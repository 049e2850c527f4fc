"""`python -m benchmarks retrieval --semantic`: search by words, beside search by meaning as well.

On the sets of `retrieval_sets`, of which only what is left out is asked, and on two sets of
questions that share no word with their note. *Paraphrases* are questions in `data/paraphrases.tsv`
about commit notes, each asked in the store of its repository (up to 500 notes) and in one store of
all 200 notes. *Subjects* are those subjects of commits that have no word of their body. A word is a
stem of the search index or a part of a name; stop words do not count.

`MEMDECK_BENCH_ENCODER` is `recall.encoder`, by default `minilm`. The floor and the weights of
`core/services/meaning.py` were chosen on what is not left out.
"""

import os
import re
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from memdeck import MemoryCoordinator
from memdeck.core.recall.ranking import PLAIN
from memdeck.core.text.words import STOP_WORDS
from memdeck.db import index, vectors
from memdeck.db.images import tuples

from . import report, retrieval_set, search
from .retrieval import searched, stores
from .retrieval_sets import (
    COMMIT_NOTES,
    REPOSITORIES,
    Question,
    Set,
    clone_of,
    is_left_out,
    latest,
    notes_of,
    sets,
    spread,
)
from .search_store import clock, folder_of, store_of

ENCODER = os.environ.get("MEMDECK_BENCH_ENCODER", "minilm")
HEADER = ("set", "questions", "search", "H@1", "R@5", "R@10", "MRR")
QUESTIONS = 200
SIZE, ENCODED = 100_000, 2_000


def run() -> None:
    """Print recall with and without an encoder for each set, and the speed at 100,000."""
    rows, figures = list[tuple[str, ...]](), dict[str, Any]()
    for data in (*paraphrases(), *existing()):
        questions = [question for question in data.questions if question.is_left_out]
        known = {question.store for question in questions}
        memories = {name: notes for name, notes in data.memories.items() if name in known}
        with stores(data._replace(questions=questions, memories=memories)) as of:
            for name, encoder in (("words", ""), (ENCODER, ENCODER)):
                for core in of.values():
                    use(core, encoder)
                places = [searched(question, of, PLAIN) for question in questions]
                reached = scores(questions, places)
                rows.append((data.name, f"{len(questions):,}", name, *map(percent, reached)))
                figures[f"{data.name}, {name}"] = dict(zip(HEADER[3:], reached, strict=True))
    report.table("Search by meaning", HEADER, rows)
    figures["speed"] = speed()
    report.save("retrieval_semantic", figures)


def use(core: MemoryCoordinator, encoder: str) -> None:
    """Choose the encoder of a store, and make all vectors."""
    Path(core.home.config).write_text(f"[recall]\nencoder = {encoder!r}\n", "utf-8")
    core.context.reload_policy()
    if encoder:
        core.services.meaning.fill(SIZE)


def scores(questions: Sequence[Question], places: Sequence[list[int]]) -> tuple[float, ...]:
    """H@1, R@5, R@10 and MRR, 0-1."""
    pairs = list(zip((len(question.answers) for question in questions), places, strict=True))
    count = max(len(pairs), 1)
    return (
        sum(at[:1] == [1] for _, at in pairs) / count,
        sum(sum(place <= 5 for place in at) / needed for needed, at in pairs) / count,
        sum(sum(place <= 10 for place in at) / needed for needed, at in pairs) / count,
        sum(1 / at[0] for _, at in pairs if at) / count,
    )


def percent(share: float) -> str:
    return f"{100 * share:.1f}"


def existing() -> Iterator[Set]:
    """The sets of `retrieval`, and of the commit notes the subjects without a common word."""
    for data in sets():
        yield data
        if data.name == COMMIT_NOTES:
            notes = {n["key"]: n["content"] for notes in data.memories.values() for n in notes}
            alien = [
                question
                for question in data.questions
                if question.is_left_out
                and not common_words(question.text, notes[next(iter(question.answers))])
            ]
            yield data._replace(name="subjects, no common word", questions=spread(alien, QUESTIONS))


def paraphrases() -> Iterator[Set]:
    """The questions that are left out: in stores of a repository, and in one of their notes."""
    folder = os.environ.get(REPOSITORIES, "")
    memories, questions = dict[str, list[dict[str, Any]]](), list[Question]()
    lines = (retrieval_set.DATA / "paraphrases.tsv").read_text("utf-8").splitlines()
    for name, start, text in (line.split("\t") for line in lines if not line.startswith("#")):
        clone = clone_of(Path(folder), name) if folder and is_left_out(name) else None
        if clone is None:
            continue
        if name not in memories:
            memories[name] = [memory for _, memory in notes_of(clone)]
        for note in memories[name]:
            if note["key"].startswith(start) and not common_words(text, note["content"]):
                questions.append(Question(text, frozenset([note["key"]]), name, True))
    if not questions:
        print(f"Paraphrases are not measured: {REPOSITORIES} names no clones of them.")
        return
    now = {name: latest(notes) for name, notes in memories.items()}
    yield Set("paraphrases, 500 notes a store", memories, questions, now)
    asked = {key for question in questions for key in question.answers}
    notes = [note for of in memories.values() for note in of if note["key"] in asked]
    one = [question._replace(store="all") for question in questions]
    yield Set("paraphrases, one store", {"all": notes}, one, {"all": max(now.values())})


def common_words(question: str, note: str) -> set[str]:
    """The stems that a question, without its stop words, shares with a note."""
    words = [word for word in re.findall(r"\w+", question.lower()) if word not in STOP_WORDS]
    connection = sqlite3.connect(":memory:")
    connection.execute(
        "CREATE VIRTUAL TABLE t USING fts5(x, tokenize='porter unicode61 remove_diacritics 2')"
    )
    connection.execute("CREATE VIRTUAL TABLE v USING fts5vocab(t, 'instance')")
    texts = (" ".join(words), note)
    connection.executemany(
        "INSERT INTO t VALUES (?)", ((f"{text} {index.further_words(text)}",) for text in texts)
    )
    stems: dict[int, set[str]] = {1: set(), 2: set()}
    for stem, row in connection.execute("SELECT term, doc FROM v"):
        stems[row].add(stem)
    connection.close()
    return stems[1] & stems[2]


def speed() -> dict[str, dict[str, float]]:
    """Milliseconds of a warm search of all projects at 100,000 memories, each with a vector."""
    home, notes = store_of(SIZE), search.Notes(SIZE)
    asked = [one.text for one in notes.questions(0, search.QUESTIONS)]
    figures = dict[str, dict[str, float]]()
    with MemoryCoordinator.open(home, folder_of(home, 0), clock=clock) as core:
        for name, encoder in (("words", ""), (ENCODER, ENCODER)):
            Path(core.home.config).write_text(f"[recall]\nencoder = {encoder!r}\n", "utf-8")
            core.context.reload_policy()
            if encoder:
                fill_all(home)
            for where, more in (("own project", ""), ("all projects", " project:*")):
                texts = [text + more for text in asked]
                spent = search.times({name: core.search}, texts)[name]
                found = search.figures_of(spent)
                figures[f"{where}, {name}"] = found
                print(
                    f"  {SIZE:,} memories, {where}, {name}: a search takes"
                    f" {found['p50_ms']:.1f} ms (median), {found['p95_ms']:.1f} ms (p95),"
                    f" CPU {found['cpu_p50_ms']:.1f} and {found['cpu_p95_ms']:.1f} ms"
                )
    return figures


def fill_all(home: Path) -> None:
    """Give each memory one of `ENCODED` vectors: to make its own for all takes half an hour."""
    with MemoryCoordinator.open(home, folder_of(home, 0), clock=clock) as core:
        encoder, database = core.services.meaning.encoder(), core.context.database
        core.services.meaning.fill(ENCODED)
        codes = [code for _, code in tuples(database, "SELECT memory, vector FROM memory_vector")]
        nums = tuples(database, "SELECT num, revision FROM memory WHERE retired_at IS NULL")
        vectors.put(
            database,
            encoder.name,
            ((num, revision, codes[num % len(codes)]) for num, revision in nums),
        )
