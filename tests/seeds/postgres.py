"""A PostgreSQL server of the tests' own, on a socket in a folder that is gone afterwards."""

import importlib.util
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ADDRESS = "MEMDECK_TEST_POSTGRES"
"""Environment variable with the server's URL."""

DRIVER = Path(__file__).resolve().parents[2] / ".venv" / "postgres"
"""Where `make postgres` puts the driver: beside the packages that every command imports."""


def programs() -> Path | None:
    """Return the folder of `initdb` and `pg_ctl`, which Debian does not put into PATH."""
    folders = [*sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)]
    if initdb := shutil.which("initdb"):
        folders.insert(0, Path(initdb).resolve().parent)
    return next((folder for folder in folders if (folder / "pg_ctl").exists()), None)


def missing() -> str:
    """Return why no server can be started here; "" if one can."""
    if programs() is None:
        return "PostgreSQL was not tested: no initdb (apt-get install postgresql)"
    if not DRIVER.exists() and importlib.util.find_spec("psycopg") is None:
        return "PostgreSQL was not tested: no driver (make postgres)"
    if os.getuid() == 0 and as_another() is None:
        return "PostgreSQL was not tested: root must not run it, and setpriv is missing"
    return ""


def as_another() -> list[str] | None:
    """Return the beginning of a command that another user runs, for root; else []."""
    if os.getuid() != 0:
        return []
    if (setpriv := shutil.which("setpriv")) is None:
        return None
    return [setpriv, "--reuid=65534", "--regid=65534", "--clear-groups"]


@contextmanager
def server() -> Iterator[str]:
    """Start a server; its URL."""
    folder = Path(tempfile.mkdtemp(prefix="pg", dir="/tmp"))  # a socket's path is short
    data, bin_folder, user = folder / "data", programs(), as_another() or []
    data.mkdir()
    if user:
        folder.chmod(0o711)
        os.chown(data, 65534, 65534)

    def do(program: str, *options: str) -> None:
        command = [*user, str(bin_folder / program), "-D", str(data), *options]
        done = subprocess.run(
            command, cwd="/", capture_output=True, text=True, check=False, timeout=300
        )
        assert done.returncode == 0, done.stdout + done.stderr

    try:
        do("initdb", "-A", "trust", "-U", "memdeck", "-E", "UTF8", "--no-sync")
        options = f"-k {data} -c listen_addresses= -c fsync=off"
        do("pg_ctl", "-w", "-l", str(data / "log"), "-o", options, "start")
        try:
            yield f"postgresql:///postgres?host={data}&user=memdeck"
        finally:
            do("pg_ctl", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder)
