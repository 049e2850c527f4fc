"""How long commands take as fresh processes, as a ratio to a bare interpreter.

Targets: `list --limit 1` and `status` at most 8 times `python -I -c pass`, a completion at most 5
times, the first answer of the MCP server at most 3 times. The processes run as after an
installation and in turn with the bare interpreter. The benchmark also says how many modules each
loads beyond it, and which are the dearest.
"""

import os
from collections.abc import Sequence
from contextlib import chdir
from pathlib import Path
from typing import Any

from . import report
from .hooks import BARE, imported, installed, medians, timed
from .search_store import folder_of, store_of

RUNS = 11
WARMING = 2
MEMORIES = 1_000
SHOWN = 8

MCP = "memdeck mcp"
INITIALIZE = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}\n'

COMMANDS = {
    BARE: (),
    "memdeck list --limit 1": ("list", "--limit", "1"),
    "memdeck search": ("search", "release", "branch"),
    "memdeck status": ("status",),
    "memdeck drain": ("drain",),  # with nothing to read
    MCP: ("mcp",),  # to its first answer, and to its end
    "memdeck -V": ("-V",),
}

AIMS = {"memdeck list --limit 1": 8, "memdeck status": 8, MCP: 3}
"""How many bare interpreters each may cost at most."""


def run() -> None:
    """Time each command beside the bare interpreter, and count what it imports."""
    home = store_of(MEMORIES)
    environment = {**os.environ, "MEMDECK_HOME": str(home)}
    with chdir(folder_of(home, 0)):  # the benchmarks after it begin where this one began
        _run(environment)


def _run(environment: dict[str, str]) -> None:
    spent: dict[str, list[tuple[float, float]]] = {}
    for turn in range(RUNS + WARMING):
        for name in COMMANDS:
            seconds = timed(command_of(name), INITIALIZE if name == MCP else b"", environment)
            if turn >= WARMING:
                spent.setdefault(name, []).append(seconds)
    bare, bare_cpu = medians(spent[BARE])
    base = imported(command_of(BARE, "-X", "importtime"), b"", environment)
    rows, figures, dearest = [], dict[str, Any](), []
    for name, times in spent.items():
        wall, cpu = medians(times)
        loaded = imported(command_of(name, "-X", "importtime"), b"", environment)
        own = {module: ms for module, ms in loaded.items() if module not in base}
        figure = {
            "median_ms": wall,
            "cpu_ms": cpu,
            "ratio": wall / bare,
            "cpu_ratio": cpu / bare_cpu,
            "modules": len(own),
        }
        rows.append((name, *(f"{value:.1f}" for value in list(figure.values())[:4]), len(own)))
        dearest += [
            (name, module, f"{ms:.1f}")
            for module, ms in sorted(own.items(), key=lambda pair: -pair[1])[:SHOWN]
        ]
        figures[name] = figure
    header = ("command", "median ms", "CPU ms", "x bare", "x CPU", "modules")
    report.table(f"Commands as fresh processes, {MEMORIES:,} memories", header, rows)
    for name, most in AIMS.items():
        times = figures[name]["ratio"]
        print(f"  {name}: {times:.1f} times a bare interpreter (aim: {most})")
    report.table("Their dearest imports", ("command", "module", "ms"), dearest)
    report.save("startup", figures)


def command_of(name: str, *options: str) -> Sequence[str]:
    """The command line of one of `COMMANDS`."""
    python = [installed(is_whole=True), "-I", *options]
    if name == BARE:
        return [*python, "-c", "pass"]
    return [*python, str(Path(python[0]).with_name("memdeck")), *COMMANDS[name]]
