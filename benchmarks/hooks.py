"""How long a hook takes as a fresh process, as a ratio to a bare interpreter.

Targets, as CPU time beside `python -c pass`: recall with a prompt or at a start at most 4.5 times
at 100,000 memories; a spooling hook at most 1.8 times; from 1,000 to 100,000 memories recall
gets at most 15 ms slower. Each recall must inject something. The benchmark also lists what a hook
imports beyond the bare interpreter, the dearest first.

The processes run as after an installation: a development install loads a finder with `pathlib` and
`re` into every interpreter, the bare one as well, which would make the ratios look better by half.
"""

import json
import os
import re
import shutil
import subprocess
import sysconfig
import tempfile
import time
import uuid
import venv
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import memdeck
from memdeck import MemoryCoordinator

from . import report
from .search_set import Notes
from .search_store import folder_of, store_of

_FOLDER = tempfile.TemporaryDirectory(prefix="memdeck-bench-")

RUNS = 15
SIZES = (1_000, 10_000, 100_000)
PLACE = 1  # a project of 9 % of the memories
IMPORT_RUNS = 5  # of which each module's quickest import counts
IMPORTS_SHOWN = 12

BARE, START, SPOOLING, RECALL, SILENT = (
    "bare python",
    "start (SessionStart)",
    "spooling hook (PostToolUse)",
    "recall hook (UserPromptSubmit)",
    "hook with nothing to say (Notification)",
)

BARS = ((START, 100_000, 4.5), (RECALL, 100_000, 4.5), (SPOOLING, 100_000, 1.8))
"""Kind of process, memories, and how many bare interpreters it may cost at most."""


def payload(event: str, folder: Path, **fields: object) -> bytes:
    """Claude Code's payload, each time of a session without injections."""
    return json.dumps(
        {
            "session_id": str(uuid.uuid4()),
            "transcript_path": str(folder / "transcript.jsonl"),
            "cwd": str(folder),
            "hook_event_name": event,
            **fields,
        }
    ).encode()


def cases_of(home: Path, size: int) -> dict[str, list[bytes]]:
    """For each kind of process what is piped to it, one for each turn."""
    folder = folder_of(home, PLACE)
    with MemoryCoordinator.open(home, folder) as core:
        prompts = [
            one.text
            for one in Notes(size).questions(PLACE, 3 * RUNS)
            if core.recall(one.text, write_receipt=False).text
        ]
    todos = {
        "tool_name": "TodoWrite",
        "tool_input": {"todos": [{"content": "x", "status": "pending"}]},
        "tool_response": {"oldTodos": [], "newTodos": []},
    }
    turns = range(RUNS + 2)
    return {
        BARE: [b"" for _ in turns],
        START: [payload("SessionStart", folder, source="startup") for turn in turns],
        SPOOLING: [payload("PostToolUse", folder, **todos) for turn in turns],
        RECALL: [
            payload("UserPromptSubmit", folder, prompt=prompts[turn % len(prompts)])
            for turn in turns
        ],
        SILENT: [payload("Notification", folder, message="x") for turn in turns],
    }


def command_of(name: str, *options: str) -> list[str]:
    """The command line of a kind of process."""
    python = [installed(), *options]
    if name == BARE:
        return [*python, "-c", "pass"]
    script = str(Path(python[0]).with_name("memdeck-hook"))
    started = [*python, "-I", script] if options else [script]  # as an agent starts it
    return [*started, "claude", name.partition("(")[2].rstrip(")")]


@cache
def installed(*, is_whole: bool = False) -> str:
    """An interpreter with this package alone, or with all that an installer gets if `is_whole`."""
    folder = Path(_FOLDER.name) / ("whole" if is_whole else "alone")
    venv.create(folder, symlinks=True)
    [packages] = folder.glob("lib/*/site-packages")
    for one in Path(sysconfig.get_path("purelib")).iterdir() if is_whole else ():
        is_ours = one.name.startswith(("__editable__", "memdeck"))
        if not (is_ours or one.suffix == ".pth" or (packages / one.name).exists()):
            (packages / one.name).symlink_to(one, target_is_directory=one.is_dir())
    package = Path(memdeck.__file__).resolve().parent
    (packages / "memdeck").symlink_to(package, target_is_directory=True)
    for script in ("memdeck", "memdeck-hook"):
        shutil.copy(package / "bin" / script, folder / "bin")
    return str(folder / "bin" / "python")


def environment_of(home: Path) -> dict[str, str]:
    return {**os.environ, "MEMDECK_HOME": str(home)}


def timed(command: Sequence[str], stdin: bytes, environment: dict[str, str]) -> tuple[float, float]:
    """Milliseconds of wall and of CPU that a process took. Raises for a recall without a word."""
    before = report.cpu_of_children()
    started = time.perf_counter()
    done = subprocess.run(command, input=stdin, env=environment, capture_output=True, check=True)
    wall = (time.perf_counter() - started) * 1000
    is_answered = b'"UserPromptSubmit"' in stdin or b'"SessionStart"' in stdin
    if is_answered and b"additionalContext" not in done.stdout:
        raise RuntimeError(f"The hook injected nothing: {stdin!r}")
    return wall, (report.cpu_of_children() - before) * 1000


def run() -> None:
    """Time each kind of hook beside the bare interpreter, all sizes in turn."""
    homes = {size: store_of(size) for size in SIZES}
    piped = {size: cases_of(home, size) for size, home in homes.items()}
    spent: dict[tuple[int, str], list[tuple[float, float]]] = {}
    for turn in range(RUNS + 2):  # sizes side by side, since a machine's speed drifts
        for size, home in homes.items():
            environment = environment_of(home)
            for name, stdins in piped[size].items():
                (home / "spool" / "pending.jsonl").unlink(missing_ok=True)  # as drained
                took = timed(command_of(name), stdins[turn], environment)
                if turn >= 2:  # the first ones warm the caches
                    spent.setdefault((size, name), []).append(took)
    bare, bare_cpu = medians([one for size in SIZES for one in spent[size, BARE]])
    rows, figures = [], dict[str, Any]()
    for (size, name), times in spent.items():
        wall, cpu = medians(times)
        figure = {
            "median_ms": wall,
            "p95_ms": report.quantile([one for one, _ in times], 0.95),
            "cpu_ms": cpu,
            "ratio": wall / bare,
            "cpu_ratio": cpu / bare_cpu,
        }
        rows.append((f"{size:,}", name, *(f"{value:.2f}" for value in figure.values())))
        figures[f"{name} @ {size}"] = figure
    header = ("memories", "process", "median ms", "p95 ms", "CPU ms", "x bare", "x CPU")
    report.table("Hooks as fresh processes", header, rows)
    figures["ratios"] = {}
    for name, size, most in BARS:
        ratio = figures[f"{name} @ {size}"]["cpu_ratio"]
        print(f"  {name} at {size:,} memories: {ratio:.2f} times a bare interpreter (aim: {most})")
        figures["ratios"][name] = {"ratio": ratio, "aim": most}
    few, many = SIZES[0], SIZES[-1]
    pairs = zip(spent[few, RECALL], spent[many, RECALL], strict=True)
    wall, cpu = medians([(late[0] - early[0], late[1] - early[1]) for early, late in pairs])
    print(f"  recall, {few:,} -> {many:,} memories: {wall:+.1f} ms, {cpu:+.1f} ms of CPU (medians)")
    figures["recall added"] = {"median_ms": wall, "cpu_ms": cpu}
    figures["imports"] = imports()
    report.save("hooks", figures)


def medians(times: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The medians of wall and of CPU."""
    return report.median([one for one, _ in times]), report.median([one for _, one in times])


def imports() -> dict[str, dict[str, float]]:
    """Milliseconds by module of what a hook imports beyond the bare interpreter; printed."""
    home = store_of(SIZES[0])
    environment = environment_of(home)
    bare = imported(command_of(BARE, "-X", "importtime"), b"", environment)
    found, rows = {}, []
    for name in (SPOOLING, START, RECALL):
        command = command_of(name, "-X", "importtime")
        stdins = cases_of(home, SIZES[0])[name][:IMPORT_RUNS]
        runs = [imported(command, stdin, environment) for stdin in stdins]
        spent = {module: min(run.get(module, 99.0) for run in runs) for module in runs[0]}
        own = {module: ms for module, ms in spent.items() if module not in bare}
        found[name] = dict(sorted(own.items(), key=lambda pair: -pair[1]))
        rows.append((name, f"all {len(own)}", f"{sum(own.values()):.2f}"))
        rows += [
            (name, module, f"{ms:.2f}") for module, ms in list(found[name].items())[:IMPORTS_SHOWN]
        ]
    report.table("Imports beyond the bare interpreter", ("process", "module", "ms"), rows)
    return found


def imported(command: Sequence[str], stdin: bytes, environment: dict[str, str]) -> dict[str, float]:
    """Milliseconds that each module's own import took, without those that it imports."""
    done = subprocess.run(command, input=stdin, env=environment, capture_output=True, check=True)
    pattern = re.compile(r"import time:\s+(\d+) \|\s+\d+ \|\s+(\S+)")
    return {
        found[2]: int(found[1]) / 1000
        for line in done.stderr.decode().splitlines()
        if (found := pattern.match(line))
    }
