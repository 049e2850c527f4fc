"""`python -m benchmarks.mutants [AREA]…`: change code where a fault costs most; do tests notice?

Each area is some modules and the tests that answer for them. Of all single changes that cosmic-ray
knows for a module (another comparison, another number, a condition denied, `and` for `or`) a seeded
sample is made, one at a time, in a copy of this checkout; a change that no test notices *survives*
and is printed. What runs into the time limit counts as noticed.

Exit code 0 when at least LEAST of each area's changes were noticed.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import Queue
from typing import Any

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator

ROOT = Path(__file__).resolve().parents[1]
LEAST = 0.85
SAMPLE = 40
SEED = 7
LARGE = 100

OPERATORS = (
    *(f"ReplaceComparisonOperator_{change}" for change in ("Eq_NotEq", "NotEq_Eq", "Is_IsNot")),
    *(f"ReplaceComparisonOperator_{change}" for change in ("Lt_LtE", "LtE_Lt", "Gt_GtE", "GtE_Gt")),
    *(f"ReplaceComparisonOperator_{change}" for change in ("Lt_Gt", "Gt_Lt", "IsNot_Is")),
    *(f"ReplaceBinaryOperator_{change}" for change in ("Add_Sub", "Sub_Add", "Mul_Div", "Div_Mul")),
    *("ReplaceAndWithOr", "ReplaceOrWithAnd", "AddNot", "ReplaceUnaryOperator_Delete_Not"),
    *("ReplaceTrueWithFalse", "ReplaceFalseWithTrue", "NumberReplacer", "ZeroIterationForLoop"),
    *("ReplaceBreakWithContinue", "ReplaceContinueWithBreak"),
)
"""Those whose change is one that somebody could have written."""


@dataclass(frozen=True)
class Area:
    """Modules, and the tests that answer for them, the quickest first."""

    modules: tuple[str, ...]
    tests: tuple[str, ...]


AREAS = {
    "ranking": Area(
        (
            "core/recall/ranking.py",
            "core/recall/candidates.py",
        ),
        ("tests/retrieval", "tests/core/test_worth.py"),
    ),
    "budget": Area(("core/recall/budget.py",), ("tests/retrieval",)),
    "selection": Area(("core/recall/selection.py",), ("tests/retrieval",)),
    "judgement": Area(
        (
            "core/judgement/salience.py",
            "core/ingest/conflicts.py",
        ),
        ("tests/judgement", "tests/core", "tests/capture"),
    ),
    "promotion": Area(
        (
            "core/ingest/promotion.py",
            "core/services/maintenance.py",
        ),
        ("tests/core", "tests/capture", "tests/journeys/test_no_self_witness.py"),
    ),
    "store": Area(
        ("db/store.py", "db/journal.py"),
        ("tests/db", "tests/core"),
    ),
    "redaction": Area(
        ("core/redaction/redact.py", "core/redaction/rules.py", "core/redaction/shapes.py"),
        ("tests/core/test_redaction_goals.py", "tests/core"),
    ),
}


@dataclass(frozen=True)
class Mutant:
    """One change of one module."""

    module: str
    operator: str
    occurrence: int
    line: int

    def code(self) -> str | None:
        """The module's text with the change."""
        text = (ROOT / self.module).read_text(encoding="utf-8")
        return mutate_code(text, get_operator(f"core/{self.operator}")(), self.occurrence)

    def __str__(self) -> str:
        before = (ROOT / self.module).read_text(encoding="utf-8").splitlines()
        changed = difflib.unified_diff(before, (self.code() or "").splitlines(), lineterm="", n=0)
        lines = [line for line in changed if line[:3] not in ("---", "+++") and line[:2] != "@@"]
        return "\n".join([f"{self.module}:{self.line} {self.operator}", *lines])


def mutants(module: str) -> Iterator[Mutant]:
    """All changes of a module."""
    tree = get_ast((ROOT / module).read_text(encoding="utf-8"))
    for name in OPERATORS:
        operator = get_operator(f"core/{name}")()
        changed = (node for node in ast_nodes(tree) for _ in operator.mutation_positions(node))
        for occurrence, node in enumerate(changed):
            if not _is_idle(node):
                yield Mutant(module, name, occurrence, node.start_pos[0])


def _is_idle(node: Any) -> bool:
    """Whether a change there is none: a large number by one, what only types are imported by."""
    if node.type == "number":
        return abs(ast.literal_eval(node.value)) >= LARGE
    return node.parent is not None and "TYPE_CHECKING" in node.parent.get_code()


class Copy:
    """This checkout once more, in a folder of its own, as a package named as it is."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "memdeck"
        ignored = shutil.ignore_patterns(".venv", ".git", "__pycache__", ".*_cache", "docs")
        shutil.copytree(ROOT, self.root, ignore=ignored, symlinks=True)
        (self.root / "docs").symlink_to(ROOT / "docs")
        self._environment = {
            **os.environ,
            "PYTHONPATH": str(folder),  # before the checkout that is installed
            "PYTHONDONTWRITEBYTECODE": "1",  # two changes within a second look alike to a .pyc
        }

    def warm(self) -> None:
        """Compile everything once."""
        subprocess.run([sys.executable, "-m", "compileall", "-q", str(self.root)], check=True)

    def holds(self, tests: Sequence[str], limit_s: float | None = None) -> bool:
        """Whether the tests pass, within the time."""
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "--no-header"]
        command += ["-p", "no:cacheprovider", *tests]
        try:
            done = subprocess.run(
                command,
                cwd=self.root,
                env=self._environment,
                capture_output=True,
                timeout=limit_s,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0

    @contextmanager
    def changed(self, mutant: Mutant) -> Iterator[None]:
        """The copy with one change."""
        path = self.root / mutant.module
        before = path.read_text(encoding="utf-8")
        for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
            compiled.unlink()
        try:
            path.write_text(mutant.code() or before, encoding="utf-8")
            yield
        finally:
            path.write_text(before, encoding="utf-8")


def measure(name: str, sample: int, copies: Queue[Copy]) -> bool:
    """Print what survives of an area; whether enough is noticed."""
    area = AREAS[name]
    known = [mutant for module in area.modules for mutant in mutants(module)]
    chosen = random.Random(SEED).sample(known, min(sample or len(known), len(known)))
    copy = copies.get()
    began = time.monotonic()
    if not copy.holds(area.tests):
        sys.exit(f"{name}: its tests fail before anything is changed.")
    limit_s = 4 * (time.monotonic() - began) + 10
    copies.put(copy)

    def survives(mutant: Mutant) -> bool:
        copy = copies.get()
        try:
            with copy.changed(mutant):
                return copy.holds(area.tests, limit_s)
        finally:
            copies.put(copy)

    with ThreadPoolExecutor(copies.qsize()) as workers:
        fates = list(workers.map(survives, chosen))
    survivors = [mutant for mutant, lives in zip(chosen, fates, strict=True) if lives]
    share = 1 - len(survivors) / len(chosen)
    print(f"{name:12} {share:6.0%} noticed of {len(chosen)}, sampled from {len(known)}")
    for mutant in sorted(survivors, key=lambda mutant: (mutant.module, mutant.line)):
        print(f"  {mutant}".replace("\n", "\n    "), flush=True)
    return share >= LEAST


def main() -> int:
    words = argparse.ArgumentParser(prog="python -m benchmarks.mutants")
    words.add_argument("areas", nargs="*", default=list(AREAS), metavar="AREA")
    words.add_argument("--sample", type=int, default=SAMPLE, help="changes an area; 0 for all")
    words.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    given = words.parse_args()
    if unknown := set(given.areas) - AREAS.keys():
        words.error(f"no such area: {', '.join(unknown)}; there are {', '.join(AREAS)}")
    with tempfile.TemporaryDirectory(prefix="memdeck-mutants-") as folder:
        copies: Queue[Copy] = Queue()
        for number in range(given.workers):
            (Path(folder) / str(number)).mkdir()
            copy = Copy(Path(folder) / str(number))
            copy.warm()
            copies.put(copy)
        enough = [measure(name, given.sample, copies) for name in given.areas]
    return 0 if all(enough) else 1


if __name__ == "__main__":
    sys.exit(main())
