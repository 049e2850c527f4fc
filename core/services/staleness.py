"""Memories whose files moved or are gone, by git's history, and the user's verdict on them.

Only a file that once was in the project makes a memory outdated. A mark is derived.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from ...db import ageing
from ...db.errors import Refused
from ...db.images import headline_of
from ..projects import is_for_git, program_outside
from ..values import DAY_MS

if TYPE_CHECKING:
    from ...db.images import Image
    from ...db.store import Change
    from ..context import Context
    from ..values import Memory
    from .writer import Writer

MAX_FILES = 20  # files of a memory that are checked
MAX_MOVES = 10  # a file is followed so many times

OF_THE_PAST = ("file_change", "task_progress")
"""Categories of past events, which stay true when the file is gone."""

_PATH = re.compile(r"(?<![\w/.:@~-])((?:[\w.@+-]+/)+[\w@+-][\w.@+-]*\.[A-Za-z]\w{0,7})(?![\w/])")
_NAME = re.compile(r"(?<![\w/.:@~-])(\w[\w@+.-]*\.[A-Za-z]\w{0,7})(?![\w/@-]|\.\w)")
"""A file at the top of the project; git knows it from `os.path`."""

_LEFT = re.compile(
    r"\b(?:delet|remov|renam|mov(?:ed|ing)|replac|dropp?(?:ed|ing)|no longer|gone|obsolete|former"
    r"|used to|instead of|legacy|deprecat|migrat|split|extract)",
    re.IGNORECASE,
)


def files_named(content: str, files: Sequence[str], root: str) -> list[str]:
    """Return the files that a memory names, relative to `root`; none if it is about removal."""
    content = content.replace(f"{root}/", "") if root else content
    if _LEFT.search(content) and _LEFT.search(_NAME.sub(" ", _PATH.sub(" ", content))):
        return []
    named = (*files, *_PATH.findall(content), *_NAME.findall(content))
    inside = (path.removeprefix(f"{root}/").removeprefix("./") for path in named)
    return [path for path in dict.fromkeys(inside) if not _is_odd(path)][:MAX_FILES]


def _is_odd(path: str) -> bool:
    is_outside = path.startswith(("/", "~", "-", ":")) or ".." in path.split("/")
    return not path or is_outside or "\0" in path or "\n" in path


# --- git

MAX_BYTES = 32 * 1024 * 1024
"""Of an answer: the names of a hundred thousand files are a third of it."""

LIMIT_S = 20.0  # seconds that git may take over one question

EARLIEST_S = 100_000_000
"""Up to here git takes a number for no moment; it is in 1973, before any commit."""

_SAFE = (
    *("--no-pager", "--no-replace-objects", "--literal-pathspecs"),
    *("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.pager=cat"),
    *("-c", "log.showSignature=false", "-c", "gpg.program=false", "-c", "diff.external="),
    *("-c", "protocol.allow=never", "-c", "core.sshCommand=false", "-c", "credential.helper="),
    *("-c", "diff.renames=true", "-c", "diff.renameLimit=2000", "-c", "log.follow=false"),
)
"""A repository's own settings can run nothing."""

_INHERITED = ("PATH", "HOME", "XDG_CONFIG_HOME", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT")
_SET = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_ALLOW_PROTOCOL": "",
    "LC_ALL": "C",
}


class GitFailed(Exception):
    """Git could not answer, and why, in words."""


class Departure(NamedTuple):
    """A move or deletion of a file, in the history of the current checkout."""

    at: int  # milliseconds since 1970, of the commit
    commit: str
    moved_to: str  # "" if it was deleted


class Sign(NamedTuple):
    """One departure that makes a memory outdated."""

    key: str  # the same evidence has the same key
    words: str
    path: str
    moved_to: str  # "" where it is gone


class Repository:
    """The repository whose top folder is `root`."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._departures: Mapping[str, list[Departure]] = {}

    def has_history(self) -> bool:
        """Return True if the folder is the top of a repository with a commit. Raises GitFailed."""
        if not is_for_git(os.path.join(self._root, ".git")):
            return False
        top = self._git("rev-parse", "--show-toplevel").rstrip("\n")
        if os.path.realpath(top) != os.path.realpath(self._root):
            return False
        return bool(self._git("rev-list", "--max-count=1", "--all"))

    def read(self, since_ms: int) -> None:
        """Read the moves and deletions of files since then. Raises GitFailed."""
        log = self._git(
            *("log", "HEAD", "--reverse", "--topo-order"),
            f"--since={max(since_ms // 1000, EARLIEST_S + 1)}",
            *("--diff-filter=DR", "--find-renames=60%", "--name-status", "-z"),
            *("--no-ext-diff", "--no-textconv", "--no-color", "--format=%x01%H %ct"),
        )
        departures: dict[str, list[Departure]] = {}
        commit, at = "", 0
        words = iter(log.split("\0"))
        for word in words:
            head = word.lstrip("\n")
            if head.startswith("\x01"):
                commit, _, seconds = head[1:].partition(" ")
                at = 1000 * int(seconds)
            elif head.startswith("R"):
                old, new = islice(words, 2)
                departures.setdefault(old, []).append(Departure(at, commit[:12], new))
            elif head == "D":
                departures.setdefault(next(words), []).append(Departure(at, commit[:12], ""))
        self._departures = departures

    def sign(self, path: str, since_ms: int) -> Sign | None:
        """Return a file's departure after `since_ms`; None if it is there, or git never had it."""
        if path not in self._departures or self._exists(path):
            return None
        here, last, seen = path, None, {path}
        for _ in range(MAX_MOVES):
            steps = [
                step
                for step in self._departures.get(here, ())
                if (step.at > since_ms if last is None else step.at >= last.at)
            ]
            if not steps:
                break
            last = steps[-1]
            if not last.moved_to or last.moved_to in seen:
                break
            here = last.moved_to
            seen.add(here)
            if self._exists(here):
                words = f"{path} moved to {here} on {_day(last.at)}"
                return Sign(f"moved:{path}>{here}@{last.commit}", words, path, here)
        if last is None or last.moved_to:
            return None
        words = f"{path} was deleted on {_day(last.at)}"
        return Sign(f"gone:{path}@{last.commit}", words, path, "")

    def _exists(self, path: str) -> bool:
        if os.path.lexists(os.path.join(self._root, path)):
            return True
        reply = self._git("cat-file", "--batch-check", text=f"HEAD:{path}\n")
        return not reply.rstrip("\n").endswith(" missing")  # only not checked out

    def _git(self, *arguments: str, text: str = "") -> str:
        inherited = {name: os.environ[name] for name in _INHERITED if name in os.environ}
        from ..models.client import NoReply, run  # for who asks git

        program = program_outside("git", self._root)
        if program is None:
            raise GitFailed(f"git {arguments[0]}: git is not installed outside of the project")
        try:
            output = run(
                [program, "-C", self._root, *_SAFE, *arguments],
                text=text,
                folder=self._root,
                environment={**inherited, **_SET},
                limit_s=LIMIT_S,
                max_bytes=MAX_BYTES,
            )
        except NoReply as error:
            raise GitFailed(f"git {arguments[0]}: {error.reason}") from None
        if output.code:
            lines = output.stderr.strip().splitlines() or [f"it ended with {output.code}"]
            raise GitFailed(f"git {arguments[0]}: {lines[0][:200]}")
        return output.stdout


def _day(at: int) -> str:
    moment = datetime.fromtimestamp(at / 1000, UTC)
    return f"{moment.day} {moment:%b %Y}"


# --- marks and answers


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change that maintenance would make."""

    memory: str  # the memory's id; "" if the change concerns no single one
    rule: str  # the reason in the history, the same for many
    data: Mapping[str, Any] = field(default_factory=dict)  # arguments of the change


_CHANGED = "changed:"  # how the evidence of an act begins, which no look at git finds


class Staleness:
    """Marks memories to verify, as a duty of maintenance, and carries out the user's answers."""

    _context: Context
    _writer: Writer
    _failure = ""  # why git could not answer the last run

    def hindrance(self) -> str:
        """Return why nothing new can be marked; "" when git answers. Asks git."""
        try:
            self._repository(self._context.now_ms() - 365 * DAY_MS)
        except GitFailed as error:
            return _in_words(str(error))
        return ""

    def met(self) -> str:
        """Return the problem of the last run, or its preview; "" for none."""
        return _in_words(self._failure)

    def _repository(self, since_ms: int) -> Repository | None:
        """Return the project's repository; None without a folder or history. Raises GitFailed."""
        root = self._context.root
        if not root or not os.path.isdir(root):  # a folder that is gone is no evidence
            return None
        repository = Repository(root)
        if not repository.has_history():
            return None
        repository.read(since_ms)
        return repository

    def proposals(self) -> Iterator[Proposal]:
        """Yield marks to set and to remove; none if git cannot answer."""
        self._failure = ""
        root = self._context.root
        examined: list[tuple[Image, list[str]]] = []
        for memory in ageing.examined(*self._context.here):
            is_past = memory["category"] in OF_THE_PAST
            files = [] if is_past else files_named(memory["content"], memory["files"], root)
            if files or memory["at"] is not None:
                examined.append((memory, files))
        if not examined:
            return
        try:
            repository = self._repository(min(memory["created_at"] for memory, _ in examined))
            if repository is None:
                return
            for memory, files in examined:
                if (proposal := _proposal(memory, files, repository)) is not None:
                    yield proposal
        except GitFailed as error:  # marks stay
            self._failure = str(error)

    def put_change(self, memory: Memory, words: str, *, is_done: bool) -> None:
        """Mark a memory by the change of an act, in `words`; "" if another act reverted it.

        Starts do not inject marked memories. The user's words are still injected, unless the mark
        is that their wish `is_done`: no act of an agent silences a rule of the user.
        """
        database = self._context.database
        row = ageing.of_memory(self._context.store.connection, memory.id)
        others = [key for key in json.loads(row["evidence"]) if _CHANGED not in key] if row else []
        keys = sorted([*others, *([f"{_CHANGED}{words}"] if words else [])])
        if keys:
            reason = "; ".join(key.removeprefix(_CHANGED) for key in keys if _CHANGED in key)
            is_gone = int(is_done or memory.provenance != "person")
            values = {"reason": reason, "evidence": json.dumps(keys), "is_gone": is_gone}
            at = self._context.now_ms()
            ageing.put_staleness(database, {"memory": memory.id, "at": at, "moves": "[]", **values})
        elif row:
            ageing.drop_staleness(database, memory.id)

    def carry_out(self, change: Change, proposal: Proposal) -> bool:  # noqa: ARG002
        """Set a mark or take it off."""
        database = self._context.database
        if row := proposal.data.get("row"):
            now = self._context.now_ms()
            ageing.put_staleness(database, {"memory": proposal.memory, "at": now, **row})
        else:
            ageing.drop_staleness(database, proposal.memory)
        return True

    def confirm(self, refs: str | Sequence[str]) -> list[Memory]:
        """Confirm that memories are still true. Raises NotFound, Ambiguous, Refused."""

        def change_one(image: Image, change: Change) -> Image:
            self._writer.must_live(image)
            if self._context.actor != "person":
                raise Refused("Only the user confirms that a memory is still true.")
            if ageing.of_memory(self._context.store.connection, image["id"]) is None:
                raise Refused(f"“{headline_of(image)}” is not outdated.")
            self._writer.confirm(image, change)
            return {**image, "updated_at": self._context.now_ms()}

        return self._writer.change_all("confirm", refs, change_one, "still true")


def _proposal(memory: Image, files: Sequence[str], repository: Repository) -> Proposal | None:
    """Return the change of a memory's mark by departures since the user last confirmed it."""
    at, vouched_at = memory["at"], memory["vouched_at"]
    since = max(memory["created_at"], vouched_at or 0)
    loads = set(json.loads(memory["evidence"])) if memory["evidence"] else set[str]()
    if any(_CHANGED in key for key in loads):  # a change by an act holds until the user's verdict
        return None
    signs = [sign for path in files if (sign := repository.sign(path, since))]
    if not signs:
        return Proposal(memory["id"], "its files are there") if at is not None else None
    keys = sorted(sign.key for sign in signs)
    is_answered = vouched_at is not None and (at or 0) <= vouched_at
    new = [sign for sign in signs if not (is_answered and sign.key in loads)]
    if set(keys) == loads or not new:
        return None
    words = [sign.words for sign in new]
    reason = "; ".join(words[:3]) + (f"; and {len(words) - 3} more" if len(words) > 3 else "")
    there = [path for path in files if "/" in path or any(path == sign.path for sign in signs)]
    row = {
        "reason": reason,
        "evidence": json.dumps(keys),
        "moves": "[]",  # of an earlier version
        "is_gone": int(len(there) == sum(not sign.moved_to for sign in signs)),
    }
    return Proposal(memory["id"], f"verify: {reason}", {"row": row})


def _in_words(why: str) -> str:
    return f"No memory is marked to be verified: {why.rstrip('.')}." if why else ""
