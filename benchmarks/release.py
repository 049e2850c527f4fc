"""Walk the release checklist: `make release`. Writes to `build/` only; exits 1 on a fault."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import venv
import zipfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
VERSION = PROJECT["project"]["version"]
WHEEL = ROOT / "build" / "release"
PYTHON = WHEEL / "venv" / "bin" / "python"


def run(*command: str | Path, folder: Path = ROOT) -> str:
    """Return what a command prints. Raises SystemExit with its last lines if it fails."""
    done = subprocess.run(
        [*map(str, command)], cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit("\n".join((done.stdout + done.stderr).splitlines()[-15:]))
    return done.stdout


def clean() -> str:
    if changes := run("git", "status", "--porcelain"):
        raise SystemExit(f"Commit or remove these first:\n{changes}")
    return run("git", "log", "-1", "--format=%h %s").strip()


def tag_is_free() -> str:
    if run("git", "tag", "--list", f"v{VERSION}"):
        raise SystemExit(f"v{VERSION} exists. Raise the version in pyproject.toml and __init__.py.")
    return f"v{VERSION}"


def changelog() -> str:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    heading = re.search(rf"^## {re.escape(VERSION)} \((\d{{4}}-\d\d-\d\d)\)$", text, re.MULTILINE)
    if heading is None:
        raise SystemExit(f"CHANGELOG.md has no heading `## {VERSION} (YYYY-MM-DD)`.")
    return heading[0]


def checks() -> str:
    return run("make", "check").splitlines()[-1]


def wheel() -> str:
    """Build the wheel and compare it with the packages and data of the repository."""
    shutil.rmtree(WHEEL, ignore_errors=True)
    venv.create(WHEEL / "venv", with_pip=True)
    run(PYTHON, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", WHEEL, ROOT)
    [path] = WHEEL.glob(f"memdeck-{VERSION}-*.whl")
    names = set(zipfile.ZipFile(path).namelist())
    tracked = run(
        "git", "ls-files", "--", "agents", "cli", "core", "db", "demo", "hosts", "tui", "themes"
    )
    missing = [name for name in tracked.split() if f"memdeck/{name}" not in names]
    if missing:
        raise SystemExit(f"Not in the wheel: {', '.join(missing[:10])}")
    return f"{path.name}, {path.stat().st_size / 1e6:.1f} MB, {len(names)} files"


def installed() -> str:
    """Install the wheel into an environment of its own, and try it there."""
    program, [path] = PYTHON.parent / "memdeck", WHEEL.glob(f"memdeck-{VERSION}-*.whl")
    run(PYTHON, "-m", "pip", "install", "--quiet", path)
    with tempfile.TemporaryDirectory(prefix="memdeck-release-") as name:
        demo = Path(name) / "demo"
        run(program, "demo", "--keep", demo, folder=Path(name))
        run(program, "verify", "--home", demo, folder=Path(name))
    return run(program, "--version").strip()


STEPS: dict[str, Callable[[], str]] = {
    "The tree is clean": clean,
    "The tag is free": tag_is_free,
    "The changelog has the version and a date": changelog,
    "All checks pass": checks,
    "The wheel is complete": wheel,
    "The wheel works in a new environment": installed,
}


def main() -> None:
    failed = 0
    for title, step in STEPS.items():
        print(f"… {title}", flush=True)
        try:
            print(f"  ok: {step()}")
        except SystemExit as fault:
            failed += 1
            print(f"  NOT YET: {fault}")
    print(
        f"{failed} steps are not ready."
        if failed
        else f"Ready: git tag -a v{VERSION} -m 'memdeck {VERSION}', push it, and upload {WHEEL}."
    )
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
