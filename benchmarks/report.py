"""Tables on the terminal, JSON beside the code."""

import json
import os
import platform
import resource
import statistics
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"


Figures = Mapping[str, Mapping[str, float]]

median = statistics.median


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which `share` (0-1) of the values lie."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def table(title: str, header: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Print rows under a header, columns aligned."""
    texts = [[str(cell) for cell in row] for row in (header, *rows)]
    widths = [max(len(row[i]) for row in texts) for i in range(len(header))]
    print(f"\n{title}")
    for number, row in enumerate(texts):
        print("  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)))
        if number == 0:
            print("  " + "  ".join("-" * width for width in widths))


def table_of(title: str, header: Sequence[str], figures: Figures, digits: int = 2) -> Figures:
    """The figures, printed by the name of their row, in the order of their columns."""
    rows = [(name, *(f"{n:.{digits}f}" for n in one.values())) for name, one in figures.items()]
    table(title, header, rows)
    return figures


def cpu_of_children() -> float:
    """Seconds of processor that processes which have ended took, ours since we began."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def peak_mb(pid: int) -> float:
    """Megabytes of the largest resident set of a process so far, on Linux; 0 once it ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text("utf-8")
    except OSError:
        return 0.0
    sizes = (line.split()[1] for line in status.splitlines() if line.startswith("VmHWM"))
    return int(next(sizes, 0)) / 1024


def save(name: str, figures: dict[str, Any]) -> None:
    """Write figures with the machine they were taken on."""
    RESULTS.mkdir(exist_ok=True)
    about = {"python": sys.version.split()[0], "system": platform.platform()}
    path = RESULTS / f"{name}.json"
    path.write_text(json.dumps({"about": about, **figures}, indent=2) + "\n", "utf-8")
    print(f"  written to {os.path.relpath(path)}")
