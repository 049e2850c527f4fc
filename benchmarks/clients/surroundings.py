"""Where a client runs: a user's folder of its own, a small repository, and no network.

Nothing of the surrounding environment reaches a client: no settings, no credentials, no proxies.
Folder names hold spaces, as people's do.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

CHECK = """\
if [ "$RETRIES" = 7 ]; then echo "3 files imported"; exit 0; fi
echo "error: the retry budget is missing from RETRIES" >&2
exit 1
"""

_DEAD = "http://127.0.0.1:9"  # nothing listens on the discard port: a connection is refused
_SIOCGIFFLAGS, _SIOCSIFFLAGS, _IFF_UP = 0x8913, 0x8914, 1


@dataclass(frozen=True, slots=True)
class Done:
    """How a program ended. `code` is None when its time was up."""

    code: int | None
    out: str
    err: str


@dataclass(frozen=True, slots=True)
class Place:
    """The surroundings of one client."""

    root: Path
    programs: tuple[Path, ...]  # the folders that hold the clients, first on the PATH

    @property
    def person(self) -> Path:
        """The user's home folder."""
        return self.root / "some person"

    @property
    def project(self) -> Path:
        """The repository that the agent works in."""
        return self.root / "harbour importer"

    @property
    def store(self) -> Path:
        """memdeck's home."""
        return self.root / "mem deck"

    def build(self) -> None:
        """Make the folders and the repository."""
        for folder in (self.person, self.project, self.root / "tmp"):
            folder.mkdir(mode=0o700, parents=True)
        (self.project / "check.sh").write_text(CHECK)
        (self.project / "README.md").write_text("# Harbour importer\n")
        who = ("-c", "user.name=Some Person", "-c", "user.email=person@example.invalid")
        for words in (("init", "-q"), ("add", "."), (*who, "commit", "-q", "-m", "Begin")):
            done = self.git(*words)
            if done.code != 0:
                raise RuntimeError(f"git {' '.join(words)}: {done.err.strip()}")

    def environment(self) -> dict[str, str]:
        """What every program here is given, and nothing else."""
        node = shutil.which("node")
        folders = [*map(str, self.programs), *([os.path.dirname(node)] if node else [])]
        return {
            "PATH": os.pathsep.join([*folders, "/usr/local/bin", "/usr/bin", "/bin"]),
            "HOME": str(self.person),
            "TMPDIR": str(self.root / "tmp"),
            "MEMDECK_HOME": str(self.store),
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "HTTP_PROXY": _DEAD,
            "HTTPS_PROXY": _DEAD,
            "http_proxy": _DEAD,
            "https_proxy": _DEAD,
            "NO_PROXY": "127.0.0.1,localhost",
            "no_proxy": "127.0.0.1,localhost",
            "DO_NOT_TRACK": "1",
        }

    def run(self, command: list[str], more: dict[str, str], *, limit_s: float) -> Done:
        """Run `command` in the project; what it started dies with it when the time is up."""
        process = subprocess.Popen(
            command,
            cwd=self.project,
            env={**self.environment(), **more},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        try:
            out, err = process.communicate(timeout=limit_s)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            return Done(None, out, err)
        return Done(process.returncode, out, err)

    def git(self, *words: str) -> Done:
        """Run git in the project."""
        return self.run(["git", *words], {}, limit_s=20)

    def memdeck(self, *words: str) -> Done:
        """Run memdeck's own command line, as the user would."""
        return self.run([self.program, *words], {}, limit_s=60)

    @property
    def program(self) -> str:
        """Where memdeck's own command line lies."""
        return os.path.join(sysconfig.get_path("scripts"), "memdeck")


def closing() -> list[str]:
    """The words before a command that leave it loopback alone; [] where there are none.

    They give it a network namespace of its own; without root, within a user namespace.
    """
    unshare = shutil.which("unshare")
    for words in (["--net"], ["--map-root-user", "--net"]) if unshare else ():
        command = [unshare or "", *words, "--"]
        tried = subprocess.run(
            [*command, sys.executable, "-c", ""], capture_output=True, check=False
        )
        if tried.returncode == 0:
            return command
    return []


def is_closed() -> bool:
    """Whether loopback is the only interface there is."""
    return [name for _, name in socket.if_nameindex()] == ["lo"]


def raise_loopback() -> None:
    """Switch loopback on: in a new namespace it is down."""
    import fcntl
    import struct

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        asked = struct.pack("16sH14x", b"lo", 0)
        flags = struct.unpack("16sH14x", fcntl.ioctl(one, _SIOCGIFFLAGS, asked))[1]
        if not flags & _IFF_UP:
            fcntl.ioctl(one, _SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", flags | _IFF_UP))
