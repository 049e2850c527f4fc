"""What git knows of a project's past. A repository's own settings can run nothing.

Each question is one process in a group of its own, killed as a whole when it takes too long.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from ..models.client import NoReply, run
from ..projects import is_for_git

MOST_BYTES = 32 * 1024 * 1024
"""Of an answer: the names of a hundred thousand files are a third of it."""

EARLIEST_S = 100_000_000
"""Up to here git takes a number for no moment; it is in 1973, before any commit."""

_SAFE = (
    *("--no-pager", "--no-replace-objects", "--literal-pathspecs"),
    *("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.pager=cat"),
    *("-c", "log.showSignature=false", "-c", "gpg.program=false", "-c", "diff.external="),
    *("-c", "protocol.allow=never", "-c", "core.sshCommand=false", "-c", "credential.helper="),
    *("-c", "diff.renames=true", "-c", "diff.renameLimit=2000", "-c", "log.follow=false"),
)
_KEPT = ("PATH", "HOME", "XDG_CONFIG_HOME", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT")
_SET = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_ALLOW_PROTOCOL": "",
    "LC_ALL": "C",
}


class NoEvidence(Exception):
    """Git could not say, and why, in words."""


@dataclass(frozen=True, slots=True)
class Left:
    """How a file left its place, in the history of what is checked out."""

    at: int  # milliseconds since 1970, of the commit
    commit: str
    moved_to: str  # where it is now; "" when it was deleted


class Repository:
    """The repository whose top folder is `root`. Only its objects are read, never its files."""

    def __init__(
        self, root: str, limit_s: float, environment: Mapping[str, str] = os.environ
    ) -> None:
        self._root = root
        self._limit_s = limit_s  # for one question
        kept = {name: environment[name] for name in _KEPT if name in environment}
        self._environment = {**kept, **_SET}

    def has_history(self) -> bool:
        """Whether the folder is the top of a repository with a commit. Raises NoEvidence."""
        if not is_for_git(os.path.join(self._root, ".git")):
            return False
        top = self._git("rev-parse", "--show-toplevel").rstrip("\n")
        if os.path.realpath(top) != os.path.realpath(self._root):
            return False
        return bool(self._git("rev-list", "--max-count=1", "--all"))

    def departures(self, since_ms: int) -> dict[str, list[Left]]:
        """By path how files left their places since then, the earliest first. Raises NoEvidence."""
        told = self._git(
            *("log", "HEAD", "--reverse", "--topo-order", _since(since_ms)),
            *("--diff-filter=DR", "--find-renames=60%", "--name-status", "-z"),
            *("--no-ext-diff", "--no-textconv", "--no-color", "--format=%x01%H %ct"),
        )
        found: dict[str, list[Left]] = {}
        commit, at = "", 0
        words = iter(told.split("\0"))
        for word in words:
            head = word.lstrip("\n")
            if head.startswith("\x01"):
                commit, _, seconds = head[1:].partition(" ")
                at = 1000 * int(seconds)
            elif head.startswith("R"):
                old, new = islice(words, 2)
                found.setdefault(old, []).append(Left(at, commit[:12], new))
            elif head == "D":
                found.setdefault(next(words), []).append(Left(at, commit[:12], ""))
        return found

    def commits(self, since_ms: int) -> list[tuple[int, str]]:
        """(milliseconds, commit) of the main line, the newest first, back to the first that is
        older than `since_ms`. Raises NoEvidence."""
        told = self._git("log", "HEAD", "--first-parent", "--max-count=50000", "--format=%ct %H")
        found = list[tuple[int, str]]()
        for line in told.splitlines():
            seconds, _, commit = line.partition(" ")
            found.append((1000 * int(seconds), commit))
            if found[-1][0] < since_ms:
                break
        return found

    def removals(self, since_ms: int, paths: Sequence[str]) -> dict[str, list[tuple[int, int]]]:
        """By path when lines were removed since then, and how many, the newest first.

        Of `paths` only. Raises NoEvidence.
        """
        asked = [path for path in paths if "\n" not in path]
        told = self._git(
            *("log", "--stdin", "--no-merges", _since(since_ms), "--numstat", "-z"),
            *("--no-renames", "--no-ext-diff", "--no-textconv", "--no-color", "--format=%x01%ct"),
            text="\n".join(["HEAD", "--", *asked, ""]),
        )
        found: dict[str, list[tuple[int, int]]] = {}
        at = 0
        for word in told.split("\0"):
            line = word.lstrip("\n")
            if line.startswith("\x01"):
                at = 1000 * int(line[1:])
            elif line.count("\t") == 2:
                _, removed, path = line.split("\t")
                if removed.isdecimal() and removed != "0":
                    found.setdefault(path, []).append((at, int(removed)))
        return found

    def removed(self, commit: str, path: str) -> int:
        """Lines that a file had in a commit and has no longer. Raises NoEvidence."""
        told = self._git(
            *("diff", "--numstat", "--no-renames", "--no-ext-diff", "--no-textconv"),
            *(commit, "HEAD", "--", path),
        )
        count = told.partition("\t")[2].partition("\t")[0]
        return int(count) if count.isdecimal() else 0

    def having(self, commit: str, flags: Sequence[str]) -> set[str]:
        """Those of `flags` that stand in a file of a commit. Raises NoEvidence."""
        patterns = [word for flag in flags for word in ("-e", f"{flag}([^[:alnum:]_-]|$)")]
        told = self._git("grep", "-hoIE", "--no-color", *patterns, commit, fails=1)
        lines = set(told.splitlines())
        return {flag for flag in flags if flag in lines or any(flag == one[:-1] for one in lines)}

    def standing(self, paths: Sequence[str]) -> set[str]:
        """Those of `paths` that the checked-out commit has. Raises NoEvidence."""
        asked = [path for path in paths if "\n" not in path]
        lines = "".join(f"HEAD:{path}\n" for path in asked)
        told = self._git("cat-file", "--batch-check", text=lines).splitlines()
        return {path for path, line in zip(asked, told, strict=False) if line[-8:] != " missing"}

    def text(self, commit: str, path: str) -> str | None:
        """A file's text in a commit; None where there is none. Raises NoEvidence."""
        name = f"{commit}:{path}"
        told = self._git("cat-file", "--batch-check", text=f"{name}\n")
        if " blob " not in told or int(told.split()[-1]) > 1024 * 1024:
            return None
        return self._git("cat-file", "blob", name)

    def _git(self, *arguments: str, text: str = "", fails: int = 0) -> str:
        """What git prints; it may end with `fails`, which is "nothing found" of some commands."""
        try:
            done = run(
                ["git", "-C", self._root, *_SAFE, *arguments],
                text=text,
                folder=self._root,
                environment=self._environment,
                limit_s=self._limit_s,
                max_bytes=MOST_BYTES,
            )
        except NoReply as error:
            raise NoEvidence(f"git {arguments[0]}: {error.reason}") from None
        if done.code not in (0, fails):
            lines = done.stderr.strip().splitlines() or [f"it ended with {done.code}"]
            raise NoEvidence(f"git {arguments[0]}: {lines[0][:200]}")
        return done.stdout


def _since(moment_ms: int) -> str:
    """The option that leaves out what was committed before; a memory may be of any date."""
    return f"--since={max(moment_ms // 1000, EARLIEST_S + 1)}"
