"""Acts on many memories: seconds, processor seconds and memory, and the undo of each.

Target: 20,000 tags in under 3 s with less than 300 MB. Each act runs in a process of its own on a
copy of one store, as the app's write lane carries it out, with its collector, and as the command
line does.
"""

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from memdeck import MemoryCoordinator
from memdeck.tui.app import freeze_what_is_loaded

from . import report
from .stores import store_of

MEMORIES = 20_000
ACTS: dict[str, Callable[[MemoryCoordinator, list[str]], object]] = {
    "tag": lambda core, ids: core.retag(ids, add=["gate"]),
    "pin": lambda core, ids: core.pin(ids),
    "forget": lambda core, ids: core.forget(ids),
}
EVERYTHING = "importance:>=1"  # `--all` asks for a query
COMMANDS = {
    "memdeck forget --all": ("forget", "--all", EVERYTHING),
    "memdeck pin --all": ("pin", "--all", EVERYTHING),
}


def run() -> None:
    """Carry out each act on every memory of a store, and take it back."""
    home = store_of(MEMORIES)
    figures = dict[str, dict[str, float]]()
    with tempfile.TemporaryDirectory(prefix="memdeck-bench-") as folder:
        for name in [*ACTS, *COMMANDS]:
            copy = Path(folder) / "home"
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(home, copy)
            done = subprocess.run(
                [sys.executable, "-m", __spec__.name, name, str(copy)],
                stdout=subprocess.PIPE,
                check=True,
            )
            figures[name] = json.loads(done.stdout.splitlines()[-1])
    header = ("act", "s", "CPU s", "MB at most", "undo s", "undo CPU s", "MB at most")
    report.table_of(f"One act on {MEMORIES:,} memories, and its undo", header, figures)
    report.save("bulk", {"memories": MEMORIES, "acts": figures})


def _measure(name: str, home: str) -> dict[str, float]:
    if name in ACTS:
        with MemoryCoordinator.open(home, "bench") as core:
            nums = list(core.find("").nums)
            freeze_what_is_loaded()  # as in the app
            return _timed("", lambda: _act(core, name, nums)) | _timed("undo_", core.undo)
    command = [sys.executable, "-m", "memdeck", "--home", home, "--project", "bench"]
    act, undo = [*command, *COMMANDS[name]], [*command, "undo"]
    done = _timed("", lambda: _quietly(act), children=True)
    return done | _timed("undo_", lambda: _quietly(undo), children=True)


def _act(core: MemoryCoordinator, name: str, nums: list[int]) -> None:
    def write(ids: list[str]) -> tuple[()]:
        ACTS[name](core, ids)
        return ()

    written = core.services.bulk.carry_out(nums, lambda _: True, write, lambda _done, _of: True)
    assert len(written.ids) == MEMORIES


def _quietly(command: list[str]) -> None:
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)


def _timed(prefix: str, job: Callable[[], object], *, children: bool = False) -> dict[str, float]:
    who = resource.RUSAGE_CHILDREN if children else resource.RUSAGE_SELF
    before, began = resource.getrusage(who), time.perf_counter()
    job()
    spent, after = time.perf_counter() - began, resource.getrusage(who)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {
        f"{prefix}seconds": spent,
        f"{prefix}cpu_seconds": cpu,
        f"{prefix}megabytes": after.ru_maxrss / 1024,
    }


if __name__ == "__main__":
    os.environ["NO_COLOR"] = "1"
    print(json.dumps(_measure(*sys.argv[1:])))
