"""Injuries that opening a store must repair, and many writers at once.

`python -m benchmarks reliability` prints how many of 500 injuries of the database and 500 of the
journal are repaired, and what 1, 4 and 16 writers wait for beside plain SQLite with the same
durability. The first write of a process loads what judges a text, and is named by itself.
"""

import os
import random
import shutil
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from subprocess import PIPE, Popen

from memdeck import open_memory
from memdeck.db import journal
from memdeck.db.home import Home
from memdeck.db.rebuild import journaled_rows
from memdeck.db.store import Store

from .report import quantile, save, table

INJURIES = 500
WRITERS = (1, 4, 16)
WRITES = 100


def injure(home: Home, kind: str, chance: random.Random) -> str:
    """Damage the database or the journal of a store that nobody has open; what was done."""
    path = home.database if kind == "database" else journal.segment_path(home, 1)
    act = chance.choice(ACTS)
    if kind == "journal":
        act = chance.choice((*ACTS, "drop", "swap", "twice", "gone", "empty"))
    data = bytearray(Path(path).read_bytes())
    at = chance.randrange(len(data))
    lines = [line for line in bytes(data).split(b"\n") if line]
    number = chance.randrange(len(lines) - 1)
    match act:
        case "bit":
            data[at] ^= 1 << chance.randrange(8)
        case "head":
            data[chance.randrange(100)] ^= 1 << chance.randrange(8)
        case "bytes":
            data[at : at + 8] = chance.randbytes(len(data[at : at + 8]))
        case "zeros":
            data[at : at + 512] = bytes(len(data[at : at + 512]))
        case "page":
            start = at // 4096 * 4096
            data[start : start + 4096] = chance.randbytes(len(data[start : start + 4096]))
        case "cut":
            del data[at:]
        case "drop":
            del lines[number]
        case "swap":
            lines[number], lines[number + 1] = lines[number + 1], lines[number]
        case "twice":
            lines.insert(chance.randrange(len(lines)), lines[number])
        case "empty":
            data.clear()
    if act in ("drop", "swap", "twice"):
        data = bytearray(b"".join(b"\n" + line + b"\n" for line in lines))
    before = os.stat(path).st_mtime_ns
    if act == "gone":
        os.remove(path)
    else:
        Path(path).write_bytes(data)
        os.utime(path, ns=(before + 10**9, before + 10**9))
    return f"{act} at {at} of {kind}"


ACTS = ("bit", "bit", "bit", "head", "bytes", "zeros", "page", "cut")


def rows_of(home: Home) -> list[str]:
    """Every row of a store that the journal brings back, as text that can be compared."""
    with closing(Store(home)) as store:
        return sorted(map(repr, journaled_rows(store.database)))


def _injuries(folder: Path) -> dict[str, Counter[str]]:
    home = Home(folder / "sound")
    with open_memory(home, "harbour") as memory:
        ids = [
            memory.remember(f"Berth {number} is let to boat {number * 7}").memory_id
            for number in range(40)
        ]
        memory.forget([memory_id for memory_id in ids[3:9] if memory_id])
        memory.session_seen("s1", "claude", "/harbour")
        memory.undo()
    sound, outcomes = rows_of(home), dict[str, Counter[str]]()
    for kind in ("database", "journal"):
        outcomes[kind] = Counter()
        for seed in range(INJURIES):
            copy = Home(folder / "copy")
            shutil.copytree(home.path, copy.path)
            injury = injure(copy, kind, random.Random(seed))
            try:
                with open_memory(copy, "harbour") as memory:
                    is_whole = memory.verify().ok
                outcome = "repaired" if is_whole and rows_of(copy) == sound else "differs"
            except Exception as error:
                outcome = f"refused: {error}"
            outcomes[kind][outcome] += 1
            if outcome != "repaired":
                print(f"  {kind} {seed}: {injury}: {outcome}", file=sys.stderr)
            shutil.rmtree(copy.path)
    return outcomes


_WRITER = """
import sys, time
from memdeck import StoreUnusable, open_memory
home, name, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
words = open(sys.argv[4]).read().split()
with open_memory(home, "harbour") as memory:
    for number in range(count + 1):
        start = name * 7919 + number * 104729
        text = " ".join(words[(start + i * 31) % len(words)] for i in range(9))
        began = time.perf_counter()
        try:
            memory.remember(f"{text} {name} {number}")
            outcome = "stored"
        except StoreUnusable:
            outcome = "refused"
        print(outcome, time.perf_counter() - began, flush=True)
        number or sys.stdin.readline()
"""

_PLAIN = """
import sqlite3, sys, time
database = sqlite3.connect(sys.argv[1] + "/plain.db", timeout=60, isolation_level=None)
database.execute("PRAGMA journal_mode = wal"); database.execute("PRAGMA synchronous = full")
for number in range(int(sys.argv[3]) + 1):
    began = time.perf_counter()
    database.execute("BEGIN IMMEDIATE")
    database.execute("INSERT INTO memory(text) VALUES (?)", (f"writer {sys.argv[2]} {number}",))
    database.execute("COMMIT")
    print("stored", time.perf_counter() - began, flush=True)
    number or sys.stdin.readline()
"""


def _at_once(code: str, folder: Path, words: Path, count: int) -> dict[str, float]:
    """What `count` writers wait."""
    command = [sys.executable, "-c", code, str(folder)]
    writers = [
        Popen([*command, str(number), str(WRITES), str(words)], stdin=PIPE, stdout=PIPE, text=True)
        for number in range(count)
    ]
    first = [writer.stdout.readline() for writer in writers if writer.stdout is not None]
    began = time.perf_counter()
    with ThreadPoolExecutor(count) as pool:
        answers = list(pool.map(lambda writer: writer.communicate("\n")[0], writers))
    took = time.perf_counter() - began
    lines = "".join(answers).splitlines()
    seconds = [float(line.split()[1]) for line in lines]
    return {
        "refused": sum(line.startswith("refused") for line in [*first, *lines]),
        "first ms": max(float(line.split()[1]) for line in first) * 1000,
        "p50 ms": quantile(seconds, 0.5) * 1000,
        "p99 ms": quantile(seconds, 0.99) * 1000,
        "worst ms": max(seconds) * 1000,
        "per second": len(seconds) / took,
    }


def contention(folder: Path, count: int) -> dict[str, dict[str, float]]:
    """What `count` writers wait, with memdeck and with plain SQLite."""
    words = Path(__file__).parent.parent / "docs" / "reference" / "store.md"
    with sqlite3.connect(folder / "plain.db") as database:
        database.executescript(
            "CREATE TABLE memory (id INTEGER PRIMARY KEY, text TEXT);"
            "CREATE VIRTUAL TABLE words USING fts5(text);"
            "CREATE TRIGGER added AFTER INSERT ON memory BEGIN"
            " INSERT INTO words(rowid, text) VALUES (new.id, new.text); END"
        )
    with open_memory(folder / "home", "harbour") as memory:
        memory.remember("Berth 1 is dry")
    return {
        "memdeck": _at_once(_WRITER, folder / "home", words, count),
        "SQLite": _at_once(_PLAIN, folder, words, count),
    }


def print_contention() -> dict[int, dict[str, dict[str, float]]]:
    """Print and return what each number of writers waits."""
    figures = {}
    for count in WRITERS:
        with tempfile.TemporaryDirectory() as name:
            figures[count] = contention(Path(name), count)
        own, plain = figures[count]["memdeck"], figures[count]["SQLite"]
        table(
            f"{count} writers with {WRITES} writes each",
            ("store", *plain),
            [(store, *(f"{n:.0f}" for n in row.values())) for store, row in figures[count].items()],
        )
        print(f"  ratio {own['per second'] / plain['per second']:.2f}")
    return figures


def run() -> None:
    """Print and save both."""
    with tempfile.TemporaryDirectory() as name:
        outcomes = _injuries(Path(name))
    table(
        f"{INJURIES} injuries each, then one opening",
        ("of", "outcomes"),
        [(kind, dict(counted)) for kind, counted in outcomes.items()],
    )
    save("reliability", {"injuries": outcomes, "contention": print_contention()})
