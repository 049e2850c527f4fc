"""A client from its npm package, at its pinned version, in a folder of its own.

`MEMDECK_CLIENTS_FOLDER` says where; otherwise it is the person's cache. What is there already, and
says that it is of the right version, is not fetched again.
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
    if _version(program) == agent.version:
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
    found = _version(program)
    if found != agent.version:
        raise CouldNotInstall(f"it does not start here: --version says {found or 'nothing'}")
    return program


def _version(program: Path) -> str:
    """The version that `program` names; "" when it is not there or does not start."""
    if not program.exists():
        return ""
    code, out = _run([str(program), "--version"], 60)
    words = out.replace("codex-cli", "").split()
    return words[0] if code == 0 and words else ""


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
