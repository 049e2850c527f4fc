"""Bytes on disk, memory of processes and times of hooks, small and large, beside ceilings.

The stores come through an import, so that they have a journal: 300,000 memories take minutes.
`MEMDECK_BENCH_STORES` names a folder in which they are kept for the next run. The memory of a
process is its largest resident set, as Linux says it.
"""

import os
import shutil
import subprocess
import tempfile
import time
from contextlib import chdir
from pathlib import Path

from memdeck import MemoryCoordinator

from . import report
from .app import Opened, opened_app, settled
from .hooks import RECALL, START, command_of, environment_of, installed, medians, payload, timed
from .search_set import ALONE, Notes
from .search_store import folder_of

SIZES = (10_000, 300_000)
RUNS = 7
CEILINGS = {
    "database, MB per 10,000": 12.0,
    "journal / database": 1.0,
    "journal / database, all forgotten": 1.0,
    "app, MB": 300.0,
    "list, MB": 100.0,
    "list, first row, s": 1.5,
    "verify, MB": 150.0,
    "maintain, MB": 150.0,
    "rebuild, MB": 150.0,
    "start hook / prompt hook": 2.0,
}


def run() -> None:
    """Measure both sizes, and print each figure beside its ceiling."""
    with tempfile.TemporaryDirectory(prefix="memdeck-bench-") as folder:
        stores = Path(os.environ.get("MEMDECK_BENCH_STORES") or folder)
        by_size = {f"{size:,}": _measured(_imported(stores, size), folder) for size in SIZES}
    figures = {
        name: {**{size: of[name] for size, of in by_size.items()}, "at most": ceiling}
        for name, ceiling in CEILINGS.items()
    }
    report.table_of("Size", ("figure", *by_size, "at most"), figures)
    report.save("size", figures)


def _imported(stores: Path, size: int) -> Opened:
    """A store with a rule and `size` imported memories in one project."""
    home = stores / f"imported-{size}"
    folder = folder_of(home, 0)
    folder.mkdir(parents=True, exist_ok=True)
    if not (home / "complete").exists():
        with MemoryCoordinator.open(home, folder) as core:
            core.remember("Always run the tests before a commit.")
            notes = ({**note, "project": None} for note in Notes(size, shares=ALONE))
            core.import_memories(notes)
        (home / "complete").touch()
    return Opened(f"{size:,}", home, folder)


def _measured(store: Opened, room: str) -> dict[str, float]:
    database, journal = _megabytes(store.home)
    figures = {
        "database, MB per 10,000": database / int(store.name.replace(",", "")) * 10_000,
        "journal / database": journal / database,
        "app, MB": _app(store),
        "start hook / prompt hook": _hooks(store),
    }
    copy = shutil.copytree(store.home, Path(room, store.home.name, "copy"))
    for command in ("list", "verify", "maintain", "rebuild"):
        figures[f"{command}, MB"], first_s = _process(command, copy, store.folder)
        if command == "list":
            figures["list, first row, s"] = first_s
    with MemoryCoordinator.open(copy, store.folder) as core:
        nums = core.find().nums
        core.services.bulk.carry_out(nums, lambda _: True, core.forget, lambda *_: True)
    database, journal = _megabytes(copy)
    figures["journal / database, all forgotten"] = journal / database
    shutil.rmtree(copy)
    return figures


def _megabytes(home: Path) -> tuple[float, float]:
    """Database and journal, with nobody at the store."""
    return os.stat(home / "memory.db").st_size / 1e6, sum(
        path.stat().st_size for path in (home / "journal").iterdir()
    ) / 1e6


def _app(store: Opened) -> float:
    """Megabytes of the app after a search and a look at every screen."""
    with opened_app(store, "--screen", "memories") as (terminal, _):
        settled(terminal)
        for keys in ("G", "g", "/deploy cursor", "\x1b", *"23451"):
            terminal.type(keys)
            terminal.rest(1.0)
        return terminal.peak_mb


def _process(command: str, home: Path, folder: Path) -> tuple[float, float]:
    """Megabytes of a command, and seconds to the first line that it prints."""
    script = Path(installed(is_whole=True)).with_name("memdeck")
    peak, first_s = 0.0, 0.0
    with tempfile.TemporaryFile() as out, chdir(folder):
        began = time.perf_counter()
        process = subprocess.Popen(
            [script, command], stdout=out, stderr=out, env=environment_of(home)
        )
        while process.poll() is None:
            peak = report.peak_mb(process.pid) or peak
            if not first_s and os.fstat(out.fileno()).st_size:
                first_s = time.perf_counter() - began
            time.sleep(0.02)
    if process.returncode:
        raise RuntimeError(f"memdeck {command} failed")
    return peak, first_s


def _hooks(store: Opened) -> float:
    """How many times the processor time of a prompt's hook a start's takes."""
    with MemoryCoordinator.open(store.home, store.folder) as core:
        asked = (one.text for one in Notes(SIZES[0], shares=ALONE).questions(0, 40))
        prompt = next(text for text in asked if core.recall(text, write_receipt=False).text)
    spent: dict[str, list[tuple[float, float]]] = {START: [], RECALL: []}
    for _ in range(RUNS):
        more = {START: {"source": "startup"}, RECALL: {"prompt": prompt}}
        for name, fields in more.items():
            stdin = payload(name.partition("(")[2].rstrip(")"), store.folder, **fields)
            spent[name].append(timed(command_of(name), stdin, environment_of(store.home)))
    return medians(spent[START])[1] / medians(spent[RECALL])[1]
