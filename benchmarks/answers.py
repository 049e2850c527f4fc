"""A model's answers for the benchmarks: from a folder, or from a program that is asked for them."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path

PATIENCE_S = 900


def folder(variable: str) -> Path | None:
    """The folder that an environment variable names, made where it is not there."""
    place = os.environ.get(variable)
    if not place:
        return None
    Path(place).mkdir(parents=True, exist_ok=True)
    return Path(place)


def reader() -> list[str]:
    """The program that is asked for answers that are missing; empty for none."""
    return shlex.split(os.environ.get("MEMDECK_BENCH_READER", ""))


def answer(request: str, answers: Path | None, name: str, program: list[str]) -> str | None:
    """A model's words about a request: from the folder, or asked for now and kept there."""
    place = answers / name if answers is not None else None
    if place is not None and place.is_file():
        return place.read_text(encoding="utf-8")
    if not program:
        return None
    done = subprocess.run(
        program, input=request, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    if place is not None and done.returncode == 0:
        place.write_text(done.stdout, encoding="utf-8")
    return done.stdout
