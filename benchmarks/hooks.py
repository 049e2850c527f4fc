"""How long a hook takes as a fresh process, as a ratio to a bare interpreter.

Targets: the recall hook at most 8 times, a spooling hook at most 2.5 times `python -c pass`.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

from . import report, stores

RUNS = 15
SIZES = (1_000, 10_000, 100_000)

PROMPT = "how does the berth tide retryqueue61 lock work?"


def payload(event: str, folder: Path, **fields: object) -> bytes:
    """What Claude Code sends."""
    return json.dumps(
        {
            "session_id": "6f1f4c52-0c1b-4d0e-9a57-2b8d1f3e7a10",
            "transcript_path": str(folder / "transcript.jsonl"),
            "cwd": str(folder),
            "hook_event_name": event,
            **fields,
        }
    ).encode()


def timed(command: list[str], stdin: bytes, environment: dict[str, str]) -> float:
    started = time.perf_counter()
    subprocess.run(command, input=stdin, env=environment, capture_output=True, check=True)
    return (time.perf_counter() - started) * 1000


def run() -> None:
    """Time each kind of hook beside the bare interpreter, in turn."""
    script = str(Path(sys.executable).with_name("memdeck-hook"))
    rows, figures = [], {}
    for size in SIZES:
        home = stores.store_of(size)
        folder = home.parent / "bench"
        folder.mkdir(exist_ok=True)
        environment = {**os.environ, "MEMDECK_HOME": str(home)}
        cases = {
            "bare python": ([sys.executable, "-c", "pass"], b""),
            "spooling hook (PostToolUse)": (
                [script, "claude", "PostToolUse"],
                payload(
                    "PostToolUse",
                    folder,
                    tool_name="TodoWrite",
                    tool_input={"todos": [{"content": "x", "status": "pending"}]},
                    tool_response={"oldTodos": [], "newTodos": []},
                ),
            ),
            "recall hook (UserPromptSubmit)": (
                [script, "claude", "UserPromptSubmit"],
                payload("UserPromptSubmit", folder, prompt=PROMPT),
            ),
            "hook with nothing to say (Notification)": (
                [script, "claude", "Notification"],
                payload("Notification", folder, message="x"),
            ),
        }
        times: dict[str, list[float]] = {name: [] for name in cases}
        for turn in range(RUNS + 2):
            for name, (command, stdin) in cases.items():
                spent = timed(command, stdin, environment)
                if turn >= 2:  # the first ones warm the caches
                    times[name].append(spent)
        bare = report.median(times["bare python"])
        for name, values in times.items():
            ratio = report.median(values) / bare
            rows.append(
                (
                    f"{size:,}",
                    name,
                    f"{report.median(values):.1f}",
                    f"{report.quantile(values, 0.95):.1f}",
                    f"{ratio:.2f}",
                )
            )
            figures[f"{name} @ {size}"] = {"median_ms": report.median(values), "ratio": ratio}
    report.table(
        "Hooks as fresh processes", ("memories", "process", "median ms", "p95 ms", "x bare"), rows
    )
    report.save("hooks", figures)
