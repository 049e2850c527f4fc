"""A client from its npm package, at its pinned version, in a folder of its own.

`MEMDECK_CLIENTS_FOLDER` says where; otherwise it is the user's cache. Each version has a folder
of its own, and what is there already is not fetched again.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from pathlib import Path

import platformdirs

from .agents import Agent

LIMIT_S = 600.0
"""An installation that takes longer is given up."""


class CouldNotInstall(Exception):
    """Why a client is not here, in one line."""


def folder() -> Path:
    """Where the clients are installed, each in a folder below."""
    chosen = os.environ.get("MEMDECK_CLIENTS_FOLDER")
    cache = Path(platformdirs.user_cache_dir("memdeck")) / "clients"
    return Path(chosen).expanduser().absolute() if chosen else cache


def install(agent: Agent, into: Path) -> Path:
    """The client's program, installed when it is not there yet. Raises CouldNotInstall."""
    target = into / f"{agent.host}-{agent.version}"
    program = target / "node_modules" / ".bin" / agent.program
    if program.exists():
        return program
    npm = shutil.which("npm")
    if npm is None:
        raise CouldNotInstall("npm is not on this machine")
    target.mkdir(mode=0o700, parents=True, exist_ok=True)
    quiet = ["--no-audit", "--no-fund", "--loglevel=error"]
    wanted = f"{agent.package}@{agent.version}"
    code, err = _run([npm, "install", "--prefix", str(target), *quiet, wanted], LIMIT_S)
    if code is None:
        raise CouldNotInstall(f"npm had not finished after {LIMIT_S:.0f} s")
    if code != 0:
        raise CouldNotInstall(f"npm ended with {code}: {_reason(err)}")
    return program


def _run(command: list[str], limit_s: float) -> tuple[int | None, str]:
    """Exit code (None when the time was up) and all that was printed."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    try:
        out, _ = process.communicate(timeout=limit_s)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, _ = process.communicate()
        return None, out
    return process.returncode, out


def _reason(printed: str) -> str:
    """The first two of npm's errors, without their prefix: a code, and what it means."""
    lines = [line.strip() for line in printed.splitlines() if line.strip()]
    errors = [line.removeprefix("npm error").strip() for line in lines if "error" in line.lower()]
    return ": ".join((errors or lines or ["it said nothing"])[:2])[:200]
