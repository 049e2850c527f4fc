"""The app in a terminal of its own (120x35): from the shell to rows, and from a key to its paint.

Targets: the first rows within 0.6 s on the demo store and within 1 s at 100,000 memories, those of
`memdeck demo` within 2 s; of two words the first hits within 0.15 s, and ranked within 0.3 s; a key
while scrolling painted within 30 ms (p95) while another process writes fifty memories a second; a
megabyte pasted into the filter does not stop the loop. Starts take their turns with a bare
interpreter and with a Textual app of one widget, below which no app of that library can come, and
stand beside them, in seconds and in time of the processor until then.

A paint counts from the moment at which the bytes arrive that make the terminal show it. With
`MEMDECK_BENCH_MILLION` a store of a million memories is opened, scrolled and searched as well.
"""

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from memdeck import MemoryCoordinator
from memdeck.core.services.search import SearchResult
from memdeck.demo.store import write_demo_store

from . import report
from .hooks import BARE, installed, timed
from .search_set import ALONE, STEMS
from .search_store import folder_of, store_of
from .startup import command_of
from .terminal import Terminal

MEMORIES, MILLION = 100_000, 1_000_000
RUNS = 5
WARMING = 1
PAIRS = 8  # of words to search for
BETWEEN_KEYS_S = (0.09, 0.22)  # of somebody who types 60 to 100 words a minute
KEYS = {"j": ("one row down", 300), "\x04": ("half a page down", 100)}
REPEAT_S = 1 / 30  # of a key held down
A_SECOND, AT_ONCE = 50, 10  # memories written by the other process
PASTED = 1_000_000  # characters
BEAT_S = 0.002

ESCAPE = "\x1b"
FLOOR = "a Textual app of one widget"
DEMO = "memdeck demo"
MINIMAL = """
from textual.app import App
from textual.widgets import Static

class Minimal(App):
    def compose(self):
        yield Static("▌ a first row")

Minimal().run()
"""

BEATING = f"""
import asyncio, json, sys, time
from memdeck.cli.main import main
from memdeck.tui import app

async def beat(stood):
    last = time.perf_counter()
    while True:
        await asyncio.sleep({BEAT_S})
        now = time.perf_counter()
        stood.append((now, now - last - {BEAT_S}))
        last = now

class Beating(app.MemoryApp):
    stood = []

    def on_load(self):
        self.beat = asyncio.create_task(beat(self.stood))

app.MemoryApp = Beating
into = sys.argv.pop(1)
try:
    main()
finally:
    with open(into, "w") as file:
        json.dump(Beating.stood, file)
"""
"""The app with a pulse: it notes when its loop came around, and how much too late (seconds)."""


@dataclass(frozen=True)
class Opened:
    """A store, the folder of its project, and what it is called in tables."""

    name: str
    home: Path
    folder: Path


def run() -> None:
    """Take all measurements, and print each beside its aim."""
    with tempfile.TemporaryDirectory(prefix="memdeck-bench-") as folder:
        room = Path(folder)
        demo = write_demo_store(str(room / "demo"))
        large = [_copied(size, room) for size in _sizes()]
        figures: dict[str, Any] = {}
        demo_store = Opened("demo", room / "demo", Path(demo.project_root))
        figures["start"] = report.table_of(
            "From the shell to the first rows (aim: demo 0.6 s, 100,000 1 s)",
            ("opened", "median s", "most s", "x bare", "processor s", "x bare"),
            _starts([demo_store, *large], room / "cache"),
        )
        figures["search"] = report.table_of(
            "Two words in one go: to the first hits (aim: 0.15 s), and to ranked rows (aim: 0.3 s)",
            ("memories", "first hits, median s", "most s", "ranked, median s", "most s"),
            {store.name: _searches(store) for store in large},
        )
        figures["paste"] = report.table_of(
            f"{PASTED:,} characters pasted into the filter",
            ("memories", "loop stood at most, ms", "until the next word is seen, s"),
            {large[0].name: _paste(large[0], room / "beats.json")},
        )
        scrolled = {f"{one.name}, {key}": n for one in large for key, n in _scrolls(one).items()}
        figures["scroll"] = report.table_of(  # which writes into them
            f"A key and its paint, another process to write {A_SECOND} a second (aim: p95 30 ms)",
            ("memories, key", "p50 ms", "p95 ms", "most ms", "written a second"),
            scrolled,
            digits=1,
        )
    report.save("app", figures)


def _sizes() -> tuple[int, ...]:
    return (MEMORIES, MILLION) if os.environ.get("MEMDECK_BENCH_MILLION") else (MEMORIES,)


def _copied(size: int, room: Path) -> Opened:
    """A store to write into: what was made once for several runs stays as it is."""
    made = store_of(size, ALONE)
    home = room / made.name
    shutil.copytree(made, home)
    return Opened(f"{size:,}", home, folder_of(made, 0))


# -- from the shell to rows


def _starts(stores: Sequence[Opened], cache: Path) -> dict[str, dict[str, float]]:
    opened = {
        f"{store.name}, {view}": [_memdeck(), *_where(store), "--screen", view]
        for store in stores
        for view in ("memories", "review")
        if view == "memories" or store.name == "demo"  # nothing waits in the others
    }
    commands = {FLOOR: ["-c", MINIMAL], DEMO: [_memdeck(), "demo"], **opened}
    spent: dict[str, list[tuple[float, float]]] = {name: [] for name in (BARE, *commands)}
    for turn in range(RUNS + WARMING):
        wall, processor = timed(command_of(BARE), b"", dict(os.environ))
        found = {BARE: (wall / 1000, processor / 1000)}
        for name, command in commands.items():
            with _started(command, XDG_CACHE_HOME=str(cache)) as (terminal, began):
                terminal.until(lambda shown: bool(_cursor(shown)), "a first row")
                found[name] = terminal.read_at - began, terminal.processor_s
        for name, pair in found.items():
            spent[name] += [pair] * (turn >= WARMING)
    bare, bare_processor = (report.median(one) for one in zip(*spent[BARE], strict=True))
    return {
        name: {
            "median_s": report.median([wall for wall, _ in pairs]),
            "most_s": max(wall for wall, _ in pairs),
            "ratio": report.median([wall for wall, _ in pairs]) / bare,
            "processor_s": report.median([processor for _, processor in pairs]),
            "processor_ratio": report.median([one for _, one in pairs]) / bare_processor,
        }
        for name, pairs in spent.items()
    }


def _memdeck() -> str:
    return str(Path(installed(is_whole=True)).with_name("memdeck"))


def _where(store: Opened) -> list[str]:
    return ["--home", str(store.home), "--project", str(store.folder)]


@contextmanager
def _started(command: Sequence[str], **variables: str) -> Iterator[tuple[Terminal, float]]:
    """A command of Python in a terminal, with an empty home folder, and when it was started."""
    with tempfile.TemporaryDirectory(prefix="memdeck-bench-") as person:
        began = time.perf_counter()
        around = {**os.environ, **variables, "HOME": person}
        terminal = Terminal([installed(is_whole=True), "-I", *command], variables=around)
        try:
            yield terminal, began
        finally:
            terminal.close()


@contextmanager
def opened_app(
    store: Opened, *options: str, before: Sequence[str] = ()
) -> Iterator[tuple[Terminal, float]]:
    """The app as the command `memdeck` starts it, and when it was started.

    `before` stands for the script `memdeck`. The agents are those of an empty home folder.
    """
    with _started([*(before or [_memdeck()]), *_where(store), *options]) as opened:
        yield opened


def _cursor(shown: str) -> str:
    """What stands under the cursor of the list, in its first row; nothing before there is one."""
    return next(
        (line.split("▌")[1].split("│")[0] for line in shown.splitlines() if "▌" in line), ""
    )


def _has_moved(under: str, shown: str) -> bool:
    """Whether the cursor stands on a row, and on another one."""
    return _cursor(shown) not in ("", under)


def settled(terminal: Terminal) -> None:
    """Wait until the list is there and the app has been silent for a while."""
    terminal.until(lambda shown: bool(_cursor(shown)), "a first row")
    terminal.rest(0.7)


# -- two ranked words


def _searches(store: Opened) -> dict[str, float]:
    rng, spent, first = random.Random(7), list[float](), list[float]()
    results = dict[str, SearchResult]()
    with MemoryCoordinator.open(store.home, store.folder) as core:
        while len(results) < PAIRS + WARMING:
            pair = " ".join(rng.sample(STEMS, 2))
            whole = core.find(pair)
            if whole.total != core.find(pair[:-1]).total:  # else the last letter changes nothing
                results[pair] = whole
    with opened_app(store, "--screen", "memories") as (terminal, _):
        settled(terminal)
        for pair in results:
            terminal.type("g/")  # the list stays with what is under the cursor: the first of all
            terminal.rest(0.3)
            began = _typed_by_hand(terminal, pair, rng)
            total, best = results[pair].total, results[pair].first_page[0].title[:20]
            terminal.until(partial(_has_hits, total=total), f"first hits by {pair}")
            first.append(terminal.read_at - began)
            terminal.until(
                partial(_is_ranked, total=total, best=best),
                f"{total:,} memories by {pair}, and first of them {best}",
            )
            spent.append(terminal.read_at - began)
            terminal.rest(0.3)
            terminal.type(ESCAPE)
            terminal.until(lambda shown: "newest first" in shown, "the whole list")
            terminal.rest(0.3)
    spent, first = spent[WARMING:], first[WARMING:]
    return {
        "first_median_s": report.median(first),
        "first_most_s": max(first),
        "median_s": report.median(spent),
        "most_s": max(spent),
    }


def _typed_by_hand(terminal: Terminal, text: str, rng: random.Random) -> float:
    """Type letter by letter, as a user does; the time at which the last key was pressed."""
    for letter in text[:-1]:
        terminal.type(letter)
        terminal.rest(0.0, least_s=rng.uniform(*BETWEEN_KEYS_S))
    began = time.perf_counter()
    terminal.type(text[-1])
    return began


def _has_hits(shown: str, total: int) -> bool:
    """Whether hits by all that was typed stand in the list, ranked or not."""
    is_told = f" {total:,} of " in shown.splitlines()[1]
    return is_told and "best match first" in shown and bool(_cursor(shown))


def _is_ranked(shown: str, total: int, best: str) -> bool:
    """Whether the number of hits stands in the box, and the best under the list's heading."""
    lines = shown.splitlines()
    heading = next((n for n, line in enumerate(lines) if "best match first" in line), None)
    return heading is not None and f" {total:,} of " in lines[1] and best in lines[heading + 1]


# -- a key and its paint


def _scrolls(store: Opened) -> dict[str, dict[str, float]]:
    figures = {}
    with opened_app(store, "--screen", "memories") as (terminal, _), _writing(store) as writer:
        _settled_while_written(terminal)
        for key, (name, count) in KEYS.items():
            spent = []
            for _ in range(count):
                terminal.rest(0, REPEAT_S)
                under, began = _cursor(str(terminal.screen)), time.perf_counter()
                terminal.type(key)
                terminal.until(partial(_has_moved, under), "another row")
                spent.append((terminal.read_at - began) * 1000)
            figures[name] = {
                "p50_ms": report.median(spent),
                "p95_ms": report.quantile(spent, 0.95),
                "most_ms": max(spent),
            }
        writer.terminate()
        written, seconds = json.loads(writer.communicate()[0])
    return {name: {**one, "written": written / seconds} for name, one in figures.items()}


def _settled_while_written(terminal: Terminal) -> None:
    terminal.until(lambda shown: bool(_cursor(shown)), "a first row")
    terminal.rest(0, 3.0)  # the writer has begun, and the app has seen it


@contextmanager
def _writing(store: Opened) -> Iterator[subprocess.Popen[bytes]]:
    """Another process that writes fifty memories a second until it is stopped."""
    writer = subprocess.Popen(
        [sys.executable, "-m", __spec__.name, str(store.home), str(store.folder)],
        stdout=subprocess.PIPE,
    )
    try:
        yield writer
    finally:
        writer.kill()
        writer.wait()


def _write(home: str, folder: str) -> None:
    """Import memories until SIGTERM, then print how many, and the seconds it took.

    Ten at a time, as an import does: no processor judges fifty texts a second and leaves another
    something to do.
    """
    import signal

    stopped = []
    signal.signal(signal.SIGTERM, lambda *_: stopped.append(True))
    with MemoryCoordinator.open(home, folder) as core:
        began, written = time.perf_counter(), 0
        while not stopped:
            numbers = range(written, written + AT_ONCE)
            core.import_memories(
                {"content": f"Written by {os.getpid()} as number {n}: {STEMS[n % 50]}."}
                for n in numbers
            )
            written += AT_ONCE
            time.sleep(max(0.0, began + written / A_SECOND - time.perf_counter()))
        print(json.dumps([written, time.perf_counter() - began]))


# -- a megabyte


def _paste(store: Opened, beats: Path) -> dict[str, float]:
    """The longest time for which the loop stood while a megabyte was pasted (ms)."""
    pasted = "harbour " * (PASTED // 8)
    with opened_app(store, "--screen", "memories", before=["-c", BEATING, str(beats)]) as (
        terminal,
        _,
    ):
        settled(terminal)
        terminal.type("/")
        terminal.rest(0.7)
        began = time.perf_counter()
        terminal.type(f"{ESCAPE}[200~{pasted}{ESCAPE}[201~")
        terminal.until(lambda shown: "pasted characters" in shown, "that a part was taken")
        terminal.type("\x15quay")  # ctrl+u
        terminal.until(lambda shown: "quay" in shown.splitlines()[1], "the word typed after it")
        until = terminal.read_at
        terminal.rest(0.5)
        terminal.type(ESCAPE + ESCAPE)
    stood = [(at, late) for at, late in json.loads(beats.read_text()) if at - late <= until]
    return {
        "longest_ms": max(late for at, late in stood if at >= began) * 1000,
        "until_next_word_s": until - began,
    }


if __name__ == "__main__":
    _write(*sys.argv[1:])
