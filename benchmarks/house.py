"""The house in figures: its rooms, how they lean on each other, and how far one walks through it.

Lines are lines of text, blank ones included. What judges what is worth keeping is counted by
itself: all that reads sessions, finds, compares and reviews, words as data included. A rule file is
one of these of which at least a third is tables and patterns written by hand. A chain counts
classes of ours that inherit from each other; floors count modules of the core on the longest way of
imports at module level, a ring as one floor. Walks are traced (`house_walks`).
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from memdeck.tests.architecture.inner_modules import by_folder

from . import report
from .house_walks import WALKS

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("db", "core", "agents", "cli", "tui", "themes", "demo")
MOST_SHOWN = 6  # rule files
COUNT_LIST = "import sys; from memdeck.cli.main import run; run(['list', '--limit', '1']); "
COUNT_LIST += (
    "print(sum(name.split('.')[0] == 'memdeck' for name in sys.modules), len(sys.modules))"
)


def _of(folder: str, names: str) -> tuple[str, ...]:
    """The paths of these modules."""
    return tuple(f"{folder}/{name}.py" for name in names.split())


JUDGING = {
    "session files read": (
        "agents/hosts/*/transcript.py",
        *_of("core/ingest/extract", "lines tools transcript_reader transcripts turns"),
    ),
    "models' proposals, recordings, lessons": (
        *_of("core/ingest/extract", "condensed evidence extraction"),
        "core/judgement/lessons.py",
    ),
    "from turns to captures": ("core/ingest/extract/*.py",),
    "pairs: same, contradict, both": (
        *_of("core/judgement", "pairs* replacement"),
        *_of("core/ingest", "conflicts duplicates verdicts"),
    ),
    "sentences: score, owner, weights": ("core/judgement/*.py", "core/judgement/*.toml"),
    "type and category": ("core/ingest/kinds.*",),
    "text layer": _of(
        "core/text",
        "__init__ content differing everyday markdown sameness sentences times words",
    ),
    "language data": ("core/language/*.py", "core/language/*.toml"),
    "built-in reviewers": ("core/review/built_in.py",),
}
"""Subject -> its files; each counts where it is first named."""

RULES_FROM = 1 / 3
"""Share of a file's lines, 0-1, in tables and patterns, from which on it is a rule file."""


def run() -> None:
    """Print all of it; the tests' CPU last, since it takes as long as the tests do."""
    rows = [(name, len(paths(name)), sum(map(_lines, paths(name)))) for name in PACKAGES]
    rows.append(("together", sum(row[1] for row in rows), sum(row[2] for row in rows)))
    report.table("Rooms", ("package", "modules", "lines"), rows)
    judging = judging_rooms()
    report.table("What judges", ("subject", "files", "lines"), judging)
    rules = rule_files()
    report.table("Rule files", ("file", "lines"), rules[:MOST_SHOWN])
    chains = [(name, *longest_chain(name)) for name in PACKAGES[:5]]
    report.table("Longest chain of own classes", ("package", "classes", "chain"), chains)
    floors = longest_way("core")
    report.table("Floors of core", ("floors", "way"), [(len(floors), " > ".join(floors))])
    walks = [(name, walk(name)) for name in WALKS]
    report.table("Files entered by a walk", ("walk", "files"), walks)
    own, every = loaded_by_list()
    report.table("Imported by `list --limit 1`", ("ours", "all"), [(own, every)])
    inner = {module for modules in by_folder().values() for module in modules}
    report.table("Inner modules named by tests", ("modules",), [(len(inner),)])
    figures: dict[str, object] = {"judging": judging, "rule_files": rules}
    figures |= {"rooms": rows, "chains": chains, "floors": floors, "walks": walks}
    figures |= {"list": [own, every], "inner_modules": sorted(inner)}
    cpu = []
    for folder in sorted(one for one in (ROOT / "tests").iterdir() if any(one.glob("test_*.py"))):
        cpu.append((folder.name, *cpu_of_tests(folder)))
        print(f"  tests/{folder.name}: {cpu[-1][1]} s")
    report.table("CPU of tests", ("folder", "CPU s", "last line"), cpu)
    report.save("house", figures | {"tests": cpu})


def paths(package: str) -> list[Path]:
    """The modules of one of ours."""
    return sorted((ROOT / package).rglob("*.py"))


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def _lines(path: Path) -> int:
    return len(path.read_text("utf-8").splitlines())


def judging_rooms() -> list[tuple[str, int, int]]:
    """(subject, files, lines) of what judges, and all of it together."""
    rows = [(subject, len(files), sum(map(_lines, files))) for subject, files in _judging()]
    return [*rows, ("together", sum(row[1] for row in rows), sum(row[2] for row in rows))]


def rule_files() -> list[tuple[str, int]]:
    """(file, lines) of those that are mostly rules, the longest first."""
    files = [path for _, paths_ in _judging() for path in paths_ if _is_rules(path)]
    rows = [(str(path.relative_to(ROOT)), _lines(path)) for path in files]
    return sorted(rows, key=lambda row: -row[1])


def _judging() -> Iterator[tuple[str, list[Path]]]:
    counted: set[Path] = set()
    for subject, patterns in JUDGING.items():
        listed = {path for pattern in patterns for path in ROOT.glob(pattern)} - counted
        counted |= listed
        yield subject, sorted(listed)


def _is_rules(path: Path) -> bool:
    if path.suffix != ".py":
        return True
    tables = (one for one in tree(path).body if isinstance(one, ast.Assign | ast.AnnAssign))
    length = sum((one.end_lineno or one.lineno) - one.lineno + 1 for one in tables)
    return length >= RULES_FROM * _lines(path)


def longest_chain(package: str) -> tuple[int, str]:
    """How many classes of the package stand on each other at most, and which."""
    bases = {
        node.name: [ast.unparse(base).partition("[")[0] for base in node.bases]
        for path in paths(package)
        for node in tree(path).body
        if isinstance(node, ast.ClassDef)
    }

    def chain(name: str) -> list[str]:
        below = [chain(base) for base in bases[name] if base in bases and base != name]
        return [name, *max(below, key=len, default=[])]

    longest = max((chain(name) for name in bases), key=len, default=[])
    return len(longest), " > ".join(longest)


def imports_of(path: Path) -> Iterator[str]:
    """Modules of ours that a module imports as it is loaded, as dotted names below the package."""
    here = path.relative_to(ROOT).with_suffix("").parts
    for node in tree(path).body:  # not inside functions, nor for type checkers only
        if isinstance(node, ast.ImportFrom) and node.level:
            package = here[: len(here) - node.level]
            module = (*package, *(node.module.split(".") if node.module else ()))
            for alias in node.names:
                below = ROOT.joinpath(*module, f"{alias.name}.py")
                yield ".".join((*module, alias.name) if below.exists() else module)


def longest_way(package: str) -> list[str]:
    """The longest way down the package's imports at module level; a ring counts once."""
    graph = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in paths(package)
    }
    ways: dict[str, list[str]] = {}
    open_now: set[str] = set()

    def way(name: str) -> list[str]:
        if name not in ways:
            open_now.add(name)
            below = [one for one in imports_of(graph[name]) if one in graph and one not in open_now]
            ways[name] = [name, *max((way(one) for one in below), key=len, default=[])]
            open_now.discard(name)
        return ways[name]

    return max((way(name) for name in graph), key=len)


def walk(name: str) -> int:
    """How many of our files a walk enters."""
    with tempfile.TemporaryDirectory(prefix="memdeck-walk-") as folder:
        command = [sys.executable, "-m", "benchmarks.house_walks", name, folder]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return len(done.stdout.splitlines())


def loaded_by_list() -> tuple[int, int]:
    """(modules of ours, all modules) that `memdeck list --limit 1` imports."""
    with tempfile.TemporaryDirectory(prefix="memdeck-list-") as folder:
        around = {**os.environ, "MEMDECK_HOME": folder}
        command = [sys.executable, "-c", COUNT_LIST]
        done = subprocess.run(command, env=around, capture_output=True, text=True, check=True)
    own, every = done.stdout.split()[-2:]
    return int(own), int(every)


def cpu_of_tests(folder: Path) -> tuple[str, str]:
    """(CPU seconds of a folder's tests, pytest's last line)."""
    before = report.cpu_of_children()
    command = [sys.executable, "-m", "pytest", "-n", "2", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    spent = report.cpu_of_children() - before
    return f"{spent:.0f}", (done.stdout.splitlines() or [""])[-1]
