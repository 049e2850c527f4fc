"""`python -m benchmarks.mutants [AREA]…`: change code where a fault costs most; do tests notice?

Each area is some modules. First the tests of FOLDERS are run once, and coverage.py records which of
them runs which line. Of all single changes that cosmic-ray knows for a module (another comparison,
another number, a condition denied, `and` for `or`) a seeded sample is made, one at a time, in a
copy of this checkout. The tests that run the changed line are run until one fails, for LONGEST_S at
most. A change that no test notices *survives* and is printed. What runs into the time limit counts
as noticed. A process that a test starts is not recorded, so a change that only such a process meets
survives.

Exit code 0 when at least LEAST of each area's changes were noticed.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
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
IDLE = ("strict=", "slots=", "maxsize=")  # arguments that no correct program depends on
LONGEST_S = 20.0  # seconds of tests for one change; the slowest that run its line are left out

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


FOLDERS = (
    *("tests/core", "tests/db", "tests/retrieval", "tests/capture", "tests/judgement"),
    *("tests/agents", "tests/journeys", "tests/reliability"),
)
"""Whose tests answer for the areas."""


@dataclass(frozen=True)
class Area:
    """Modules, and the files of tests, or how they begin, that are run first and whole.

    `last` are files of tests that start processes, which are not recorded. `parts` are the
    functions that count of a module; a module without an entry counts whole.
    """

    modules: tuple[str, ...]
    first: tuple[str, ...]
    last: tuple[str, ...] = ()
    parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def mutants(self) -> list[Mutant]:
        """All changes of the area."""
        return [m for module in self.modules for m in mutants(module) if self._has(m)]

    def _has(self, mutant: Mutant) -> bool:
        names = self.parts.get(mutant.module)
        return names is None or any(mutant.line in _span(mutant.module, name) for name in names)


@cache
def _span(module: str, name: str) -> range:
    """The lines of a function."""
    tree = ast.parse((ROOT / module).read_text(encoding="utf-8"))
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    [start, end] = next((f.lineno, f.end_lineno or 0) for f in functions if f.name == name)
    return range(start, end + 1)


AREAS = {
    "ranking": Area(
        ("core/recall/ranking.py", "core/recall/candidates.py"),
        tuple(
            f"tests/retrieval/test_{name}"
            for name in ("ranking", "keywords", "req_scores", "relevance", "gathering", "rerankers")
        ),
    ),
    "budget": Area(("core/recall/budget.py",), ("tests/retrieval/test_budget",)),
    "selection": Area(
        ("core/recall/selection.py",),
        tuple(
            f"tests/retrieval/test_{name}" for name in ("selection", "relevance", "recall_pipeline")
        ),
        ("tests/journeys/test_lived_through.py", "tests/journeys/test_conflicts.py"),
    ),
    "judgement": Area(
        ("core/judgement/salience.py", "core/ingest/conflicts.py"),
        ("tests/judgement", "tests/core/test_conflicting"),
    ),
    "promotion": Area(
        (
            *("core/ingest/promotion.py", "core/services/writer.py"),
            *("core/services/ingest.py", "core/services/maintenance.py"),
        ),
        ("tests/core/test_promotion", "tests/core/test_quarantine", "tests/core/test_forking"),
        tuple(f"tests/journeys/test_{name}.py" for name in ("promoted", "two_tiers")),
        {
            "core/services/writer.py": (
                *("put_candidate", "promoted", "reinforce", "_counted", "_with_evidence"),
                *("distinct", "_root"),
            ),
            "core/services/ingest.py": ("_supported", "_witnessed"),
            "core/services/maintenance.py": ("is_used", "outlook", "_trials", "_end_trial"),
        },
    ),
    "maintenance": Area(
        ("core/services/maintenance.py",),
        (
            "tests/journeys/test_ageing",
            "tests/core/test_quarantine",
            "tests/core/test_review_queue",
        ),
        tuple(f"tests/journeys/test_{name}.py" for name in ("two_tiers", "maintain_killed")),
    ),
    "store": Area(
        ("db/store.py", "db/journal.py"),
        (
            "tests/db/test_store",
            "tests/db/test_journal.",
            "tests/core/test_one_act",
            "tests/core/test_past",
        ),
        ("tests/reliability/test_rel_damage.py",),
    ),
    "redaction": Area(
        ("core/redaction/redact.py", "core/redaction/rules.py", "core/redaction/shapes.py"),
        (
            "tests/core/test_redaction.",
            "tests/core/test_redaction_words",
            "tests/core/test_redaction_record",
        ),
    ),
}
MODULES = tuple(dict.fromkeys(module for area in AREAS.values() for module in area.modules))


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
    """Whether a change there is none: a large number by one, the star of a list of parameters, what
    only types are imported by, or only the use of memory."""
    if node.type == "number":
        return abs(ast.literal_eval(node.value)) >= LARGE
    if node.type == "operator" and node.parent.type in ("parameters", "param"):
        return True
    if node.parent.type == "argument" and node.parent.get_code(False).startswith(IDLE):
        return True
    return "TYPE_CHECKING" in node.parent.get_code()


class Record:
    """Which test runs which line, and how long each test takes, in seconds."""

    def __init__(self, lines: Mapping[str, Mapping[str, list[str]]], times: Mapping[str, float]):
        self.lines = lines  # by module and number: tests, without their parameters
        self.times = times

    def tests_of(self, mutant: Mutant, area: Area) -> list[str]:
        """Return the tests that run the changed statement, in the order of the area.

        What runs much of the module in little time comes first. Code that runs only at import has
        the tests that run any line of the module.
        """
        lines = self.lines.get(mutant.module, {})
        tree = ast.parse((ROOT / mutant.module).read_text(encoding="utf-8"))
        around = [
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.stmt) and node.lineno <= mutant.line <= (node.end_lineno or 0)
        ]
        is_inside = any(isinstance(node, ast.FunctionDef) for node in around[:-1])
        numbers = range(around[-1].lineno, mutant.line + 1) if is_inside else map(int, lines)

        def whole(test: str) -> str:
            file = test.partition("::")[0]  # what a fixture of the file runs counts for one test
            return file if file.startswith(area.first) else test

        runs = Counter(name for each in lines.values() for name in {*map(whole, each)})
        tests = {whole(name) for number in numbers for name in lines.get(str(number), ())}
        names = tests or {*runs}
        ranks = {n: (not n.endswith(".py"), self.seconds(n) / runs[n], n) for n in names}
        chosen, total = list[str](), 0.0
        for name in sorted(names, key=ranks.__getitem__):
            total += self.seconds(name)
            if chosen and total > LONGEST_S:
                break
            if not name.startswith(area.last):
                chosen.append(name)
        return [*chosen, *area.last]

    def seconds(self, test: str) -> float:
        """Return how long a test, or a file of tests, takes, without what collecting it takes."""
        if test.endswith(".py"):
            return sum(time for name, time in self.times.items() if name.startswith(test))
        return self.times.get(test, 0.0) + 0.01


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

    def record(self) -> Record:
        """Run the tests, which must pass, and record what they run."""
        from coverage import CoverageData

        data, settings = self.root / ".coverage", self.root / ".coveragerc"
        files = "".join(f"\n  */{module}" for module in MODULES)
        settings.write_text(f"[run]\ninclude ={files}\n", encoding="utf-8")
        options = ["--cov", f"--cov-config={settings}", "--cov-context=test", "--cov-report="]
        done = self._pytest([*options, "--durations=0", "--durations-min=0.01", *FOLDERS])
        if done.returncode:
            sys.exit(f"The tests fail before anything is changed:\n{done.stdout}")
        times: dict[str, float] = defaultdict(float)
        for seconds, name in re.findall(r"^ *([\d.]+)s \w+ +([^\s\[]+)", done.stdout, re.M):
            times[name] += float(seconds)
        covered = CoverageData(str(data))
        covered.read()
        lines: dict[str, dict[str, list[str]]] = {}
        for path in covered.measured_files():
            module = next(module for module in MODULES if path.endswith(f"/{module}"))
            lines[module] = {
                str(number): sorted({re.split(r"[\[|]", context)[0] for context in contexts} - {""})
                for number, contexts in covered.contexts_by_lineno(path).items()
            }
        return Record(lines, times)

    def passes(self, tests: Sequence[str], seconds: float) -> bool:
        """Return True if the tests pass; `seconds` is what they take where nothing is changed."""
        try:
            return self._pytest(tests, int(4 * seconds + 20), 20 * seconds + 120).returncode == 0
        except subprocess.TimeoutExpired:
            return False

    def _pytest(
        self, arguments: Sequence[str], cpu_s: int = 0, wall_s: float | None = None
    ) -> subprocess.CompletedProcess[str]:
        def limit() -> None:  # of the processor's time: another process may slow the clock's
            if cpu_s:
                resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s + 5))

        command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "--no-header"]
        command += ["-p", "no:cacheprovider", "--assert=plain"]  # others are compiled at each start
        return subprocess.run(
            [*command, *arguments],
            cwd=self.root,
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=wall_s,
            check=False,
            preexec_fn=limit,
        )

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


def record_in(path: Path | None, copy: Copy) -> Record:
    """Return the record of this file, or a new one, which is left there."""
    if path and path.exists():
        return Record(**json.loads(path.read_text(encoding="utf-8")))
    record = copy.record()
    if path:
        path.write_text(json.dumps(vars(record)), encoding="utf-8")
    return record


def measure(name: str, record: Record, sample: int, seed: int, copies: Queue[Copy]) -> bool:
    """Print what survives of an area; return True if enough is noticed."""
    every = AREAS[name].mutants()
    chosen = random.Random(seed).sample(every, min(sample or len(every), len(every)))

    def survives(mutant: Mutant) -> bool:
        tests = record.tests_of(mutant, AREAS[name])
        copy = copies.get()
        try:
            with copy.changed(mutant):
                is_alive = not tests or copy.passes(tests, sum(map(record.seconds, tests)))
        finally:
            copies.put(copy)
        if is_alive:
            print(f"  {mutant}".replace("\n", "\n    "), flush=True)
        return is_alive

    with ThreadPoolExecutor(copies.qsize()) as workers:
        survivors = sum(workers.map(survives, chosen))
    share = 1 - survivors / len(chosen)
    print(f"{name:12} {share:6.0%} noticed of {len(chosen)}, sampled from {len(every)}", flush=True)
    return share >= LEAST


def main() -> int:
    words = argparse.ArgumentParser(prog="python -m benchmarks.mutants")
    words.add_argument("areas", nargs="*", default=list(AREAS), metavar="AREA")
    words.add_argument("--sample", type=int, default=SAMPLE, help="changes an area; 0 for all")
    words.add_argument("--seed", type=int, default=SEED, help="another number: another sample")
    words.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    words.add_argument("--record", type=Path, help="a file: what tests run, for the next time")
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
        record = record_in(given.record, copy)
        enough = [measure(name, record, given.sample, given.seed, copies) for name in given.areas]
    return 0 if all(enough) else 1


if __name__ == "__main__":
    sys.exit(main())
