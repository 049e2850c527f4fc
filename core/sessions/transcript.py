"""Read a session's file, whichever agent wrote it, as turns.

The file belongs to another program that may be writing it at this moment: its last line may be half
there, it may have been cut short or replaced, and any line may be nonsense. None of that is an
error here. Unusable lines are counted and skipped.
"""

from __future__ import annotations

import errno
import json
import os
import re
import shlex
import stat
import tomllib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2s
from typing import Any, BinaryIO

from ...core import hosts
from .echo import is_trace
from .turns import ASKED, Turn, clip

MAX_READ = 32 * 1024 * 1024  # bytes in one reading
MAX_LINE = 4 * 1024 * 1024  # bytes of a line without its pictures
MAX_PICTURED = 64 * 1024 * 1024  # bytes of a line with them
MAX_WHOLE = 64 * 1024 * 1024  # bytes of a file that is rewritten, and so read whole
LOOK_BACK = 1024 * 1024  # bytes

_CHUNK = 64 * 1024
_PICTURE = re.compile(rb'(?<=[",])[A-Za-z0-9+/=]{4096,}(?=")')
"""Base64 in a line of JSON, alone or as a data URL."""


class LineReader:
    """Iterates over (line number from 1, object); afterwards says where to go on.

    `offset` always follows a newline. `has_more` is set when `max_bytes` ended the reading.
    A line without its newline is left for the next reading. Raises OSError where the file
    is missing, unreadable or not a regular one.
    """

    def __init__(
        self,
        path: str,
        offset: int = 0,
        line_no: int = 0,
        *,
        max_bytes: int = MAX_READ,
        max_line: int = MAX_LINE,
    ) -> None:
        self.path = path
        self.offset = max(offset, 0)
        self.line_no = max(line_no, 0)
        self.bad_lines = 0
        self.has_more = False
        self._max_bytes = max_bytes
        self._max_line = max_line

    def __iter__(self) -> Iterator[tuple[int, dict[str, Any]]]:
        with open_regular(self.path) as file:
            if self.offset and not _ends_line(file, self.offset):  # it shrank, or was replaced
                self.offset = self.line_no = 0
            file.seek(self.offset)
            end = self.offset + self._max_bytes
            while self.offset < end:
                line = file.readline(self._max_line + 1)
                if len(line) > self._max_line and not line.endswith(b"\n"):
                    line += file.readline(MAX_PICTURED)
                length = len(line)
                if length > self._max_line + 1 and line.endswith(b"\n"):
                    line = _PICTURE.sub(b"", line)
                    line = line if len(line) <= self._max_line + 1 else b""
                elif length > self._max_line and not line.endswith(b"\n"):
                    while piece := file.readline(_CHUNK):  # without keeping it
                        length += len(piece)
                        if piece.endswith(b"\n"):
                            break
                    line = b""
                    if not _ends_line(file, self.offset + length):
                        return
                elif not line.endswith(b"\n"):
                    return
                self.offset += length
                self.line_no += 1
                try:
                    value = _loaded(line)
                except (ValueError, RecursionError):  # a depth bomb is no object either
                    value = None
                if isinstance(value, dict):
                    yield self.line_no, value
                elif not line or line.strip():
                    self.bad_lines += 1
            self.has_more = bool(file.read(1))


def look_back(path: str, offset: int, line_no: int, span: int = LOOK_BACK) -> tuple[int, int]:
    """Return the start of a line at most `span` bytes before `offset`, and the lines before it.

    A command may fail in one reading and work in the next; a reading that starts a little
    earlier sees both.
    """
    start = max(offset - span, 0)
    if start == 0:
        return 0, 0
    with open_regular(path) as file:
        file.seek(start - 1)
        piece = file.read(offset - start + 1)
    first = piece.find(b"\n")
    if first < 0:
        return offset, line_no
    return start + first, max(line_no - piece.count(b"\n", first + 1), 0)


def whole_json(path: str, max_bytes: int) -> tuple[Any, int, str]:
    """(value, bytes read, why there is none) of a file that is one JSON text.

    Raises OSError where there is no readable file.
    """
    with open_regular(path) as file:
        data = file.read(max_bytes + 1)
    if len(data) > max_bytes:
        return None, 0, f"larger than {max_bytes:,} bytes"
    try:
        return _loaded(data), len(data), ""
    except (ValueError, RecursionError):
        return None, 0, "not one whole JSON text"


def open_regular(path: str) -> BinaryIO:
    """Return the file, open for reading; a pipe or a device would make us wait for ever."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "not a regular file", path)
    return os.fdopen(descriptor, "rb")


def _ends_line(file: BinaryIO, offset: int) -> bool:
    position = file.tell()
    file.seek(offset - 1)
    ended = file.read(1) == b"\n"
    file.seek(position)
    return ended


def _loaded(data: bytes) -> Any:
    return json.loads(data.decode("utf-8", "replace").lstrip("\ufeff"))


@dataclass(frozen=True, slots=True)
class Reading:
    """The turns of one reading, and where the next one starts."""

    turns: tuple[Turn, ...]
    offset: int  # bytes; after a newline, or the size of a file that is read whole
    line_no: int  # lines before `offset`; messages, in a file that is read whole
    seen_uuids: frozenset[str]  # given on to the next reading, it repeats nothing
    bad_lines: int = 0  # lines that were no JSON object, or too long
    has_more: bool = False  # the reading was full; read again from `offset`
    skipped: str = ""  # why nothing of the file was read
    rewound: frozenset[str] = frozenset()  # names of the entries that the user took back


class SessionReader(ABC):
    """The entries of one session, read in order into `turns`, each turn once.

    A host's subclass calls `locate` in `take`, and then adds the entry's turns. `head` is the first
    object of the file. Subagents' entries are read if `sidechains` is True.
    """

    def __init__(self, head: dict[str, Any], seen: Iterable[str], *, sidechains: bool) -> None:
        self.head = head
        self.seen = set(seen)
        self.sidechains = sidechains
        self.turns: list[Turn] = []
        self.is_skipped = False
        self.rewound: set[str] = set()
        self._agent: str | None = None
        self._place: dict[str, Any] = {}
        self._parents: dict[str, str] = {}  # by entry; "" for one that hangs on none

    def read(self, entries: Iterable[tuple[int, Any]]) -> tuple[Turn, ...]:
        """The turns of these entries that were not rewound, each with its number in the file."""
        for number, entry in entries:
            if not self.is_skipped:
                self.take(mapping_of(entry), number)
        self.rewound |= self._branches_left()
        return tuple(turn for turn in self.turns if turn.uuid not in self.rewound)

    def hang(self, name: str, parent: str) -> None:
        """Note that an entry follows another one: a session is a tree, its newest branch counts."""
        self._parents[name] = parent

    def _branches_left(self) -> set[str]:
        """Return the rewound prompts with all entries after them: prompts beside the newest branch.
        Results of parallel calls are branches, too, but no prompts."""
        chain, name = dict[str, None](), next(reversed(self._parents), "")
        while name in self._parents and name not in chain:
            chain[name], name = None, self._parents[name]
        prompts = {turn.uuid for turn in self.turns if turn.is_prompt}
        if len(chain) > 1 and not name and next(reversed(chain)) in prompts:
            chain[""] = None  # the first prompt of all may be another one, too
        rewound = set[str]()
        for name, parent in self._parents.items():
            is_branch = name in prompts and name not in chain and parent in chain
            if is_branch or parent in rewound:
                rewound.add(name)
        return rewound

    @abstractmethod
    def take(self, entry: dict[str, Any], number: int) -> None:
        """Read one entry."""

    def belongs_to(self, name: str, *, is_subagent: bool) -> None:
        """Note that the whole file is one agent's. A subagent's turns carry its name."""
        self.is_skipped = is_subagent and not self.sidechains
        self._agent = (name or "sidechain") if self.sidechains else None

    def locate(
        self, number: int, name: str, at: datetime | None, agent: str = "", message: str = ""
    ) -> None:
        """Set the entry, line and time of the turns that are added next."""
        self._place = {
            "line": number,
            "uuid": name or f"line-{number}",
            "at": at,
            "agent_id": agent or self._agent,
            "message_id": message,
        }

    @property
    def name(self) -> str:
        return str(self._place["uuid"])

    def is_new(self, mark: str) -> bool:
        """Return True if this mark is new, and remember it."""
        is_new = mark not in self.seen
        self.seen.add(mark)
        return is_new

    def add_turn(self, kind: str, text: str = "", **more: Any) -> None:
        """Add a turn. A result carries the name of the called tool if its results may hold words
        of the user."""
        call = more.get("call_id", "")
        if kind == "tool_call" and more["tool"] in ASKED:
            self.seen.add(f"{more['tool']}:{call}")
        elif kind == "tool_result":
            more["tool"] = next((tool for tool in ASKED if f"{tool}:{call}" in self.seen), "")
        self.turns.append(Turn(kind, clip(text), **(self._place | more)))

    def add_message(self, who: str, text: str, mark: str = "", **more: Any) -> bool:
        """Add a message, unless the host wrote it itself or it was added before under its `mark`.
        Return True if it was added."""
        if not text.strip() or (who != "assistant" and is_trace(text)):
            return False
        if mark and not self.is_new(mark):
            return False
        self.add_turn(who, text, **more)
        return True

    def call(
        self, name: str, calls: Iterable[tuple[str, dict[str, Any]]], first: int = 0, **more: Any
    ) -> bool:
        """Add the calls, of (tool, input), that one call amounts to; return True if it is new.
        `first` is the part of the first."""
        if name and not self.is_new(f"call:{name}"):
            return False
        for part, (tool, values) in enumerate(calls, first):
            self.add_turn(
                "tool_call", tool=tool, tool_input=values, call_id=name, part=part, **more
            )
        return True

    def result(
        self, name: str, text: str, *, is_error: bool = False, code: Any = None, **more: Any
    ) -> bool:
        """Add a call's result, once; return True if new. An exit code other than 0 is an error."""
        if name and not self.is_new(f"result:{name}"):
            return False
        if isinstance(code, int) and code != 0:
            is_error, text = True, f"Exit code {code}\n{text}"
        self.add_turn("tool_result", text, is_error=is_error, call_id=name, **more)
        return True


def text_of(value: Any) -> str:
    return value if isinstance(value, str) else ""


def mapping_of(value: Any) -> dict[str, Any]:
    """`value` if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def list_of(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def arguments_of(value: Any) -> dict[str, Any]:
    """Return an object, which may be given as JSON text; an empty one for anything else."""
    try:
        return mapping_of(json.loads(value) if isinstance(value, str) else value)
    except (ValueError, RecursionError):
        return {}


def blocks_of(content: Any) -> list[dict[str, Any]]:
    """Return the blocks of a message; a text alone is one block.

    A block that is no object keeps its place, so that `part` names the same block always.
    """
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [mapping_of(block) for block in list_of(content)]


def words_of(content: Any) -> str:
    """Return the text blocks of a message, one below the other."""
    texts = (
        text_of(block.get("text"))
        for block in blocks_of(content)
        if text_of(block.get("type")).lower() == "text"
    )
    return "\n".join(text for text in texts if text)


def moment_of(value: Any) -> datetime | None:
    """The moment that an ISO text names, UTC unless it says otherwise; None for anything else."""
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def moment_of_ms(value: Any) -> datetime | None:
    """Return the moment that a number of milliseconds since 1970 names; None for anything else."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    try:
        return datetime.fromtimestamp(value / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def clipped(values: Mapping[str, Any]) -> dict[str, Any]:
    """`values` with its long texts cut, those inside lists of objects too."""
    made = dict[str, Any]()
    for name, value in values.items():
        if isinstance(value, list):
            made[name] = [clipped(item) if isinstance(item, dict) else item for item in value]
        else:
            made[name] = clip(value) if isinstance(value, str) else value
    return made


def digest_of(text: str) -> str:
    """Return a short name of a text, to know it again."""
    return blake2s(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


_LOOK = 64 * 1024  # bytes at the start that show whose file it is
_WHOLE = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:\[|\{\s*\n)")


@dataclass(frozen=True, slots=True)
class Transcript:
    """The recognition and the reader of one host's session files."""

    reader: type[SessionReader]
    is_line: Callable[[dict[str, Any]], bool]
    """Return True if an object, a line or all of a file, has this host's marks and no other's."""
    sign: re.Pattern[str] | None = None
    """At a file's start, where the first line is not whole: pretty-printed, or very long."""
    messages: Callable[[Any, str], tuple[list[Any], str]] | None = None
    """Of a host that also writes files of one JSON text: from the value and the path to its
    messages and why there are none."""


def messages_in(value: Any, _path: str = "") -> tuple[list[Any], str]:
    """Return the messages of a session that is one JSON text: all of it, or listed in it."""
    return list_of(value if isinstance(value, list) else mapping_of(value).get("messages")), ""


def read_any(
    path: str,
    host: str = "",
    offset: int = 0,
    line_no: int = 0,
    seen_uuids: Iterable[str] = (),
    *,
    sidechains: bool = False,
    max_bytes: int = MAX_READ,
) -> Reading:
    """The turns of a session file after `offset`, at most `max_bytes` of a file that grows; all of
    one that is rewritten.

    `host` names the reader; without one the file's content decides. `sidechains` includes
    subagents' entries, of which a subagent's own file consists. A file of no known host gives no
    turns, and the reason in `skipped`. Raises OSError without a readable file.
    """
    owner = hosts.registry.host(host) or hosts.registry.host(host_of_file(path))
    if owner is None:
        return Reading((), offset, line_no, frozenset(seen_uuids), skipped="of no known form")
    transcript = owner.transcript
    head = next((line for _, line in LineReader(path, max_bytes=_LOOK)), {})
    with open_regular(path) as file:  # lines in a JSON text over several lines may be objects
        is_whole = _WHOLE.match(file.read(_LOOK)) is not None
    if transcript.messages and (not head or "messages" in head or is_whole):
        value, size, problem = whole_json(path, MAX_WHOLE)
        messages, absent = transcript.messages(value, path)
        session = transcript.reader(mapping_of(value), seen_uuids, sidechains=sidechains)
        turns, count = session.read(enumerate(messages, 1)), len(messages)
        seen, rewound = frozenset(session.seen), frozenset(session.rewound)
        return Reading(turns, size, count, seen, skipped=problem or absent, rewound=rewound)
    session = transcript.reader(head, seen_uuids, sidechains=sidechains)
    lines = LineReader(path, offset, line_no, max_bytes=max_bytes)
    turns = session.read(lines)
    return Reading(
        turns,
        lines.offset,
        lines.line_no,
        frozenset(session.seen),
        lines.bad_lines,
        lines.has_more,
        rewound=frozenset(session.rewound),
    )


def host_of_file(path: str) -> str:
    """Return the host whose marks the start of a file has; "" if it has none.

    Raises OSError where there is no readable file.
    """
    for _, line in LineReader(path, max_bytes=_LOOK, max_line=_LOOK):
        if host := _host_of_line(line):
            return host
    with open_regular(path) as file:
        start = file.read(_LOOK).decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
    for item in hosts.registry.hosts():
        if item.transcript.sign is not None and item.transcript.sign.search(start):
            return str(item.name)
    try:  # one short JSON text over several lines
        value = json.loads(start)
    except (ValueError, RecursionError):
        return ""
    first = value[0] if isinstance(value, list) and value else value
    return _host_of_line(first) if isinstance(first, dict) else ""


def _host_of_line(line: dict[str, Any]) -> str:
    return next((host.name for host in hosts.registry.hosts() if host.transcript.is_line(line)), "")


MAX_PATCH_FILES = 50  # of one patch; a larger one renames things

_FILE = re.compile(r"^\*\*\* (Add|Update|Delete) File: (.+)$")
_MOVED = re.compile(r"^\*\*\* Move to: (.+)$")
_SHELLS = re.compile(r"(?:^|/)(?:ba|z|da|k)?sh(?:\.exe)?$")
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "tools.toml"), "rb") as _file:
    _TOOLS = tomllib.load(_file)
_NAMES = {name: tool for tool, names in _TOOLS["tools"].items() for name in names.split()}
_PATCHES = ("apply_patch", "patch")
_SPELLINGS = {name: others.split() for name, others in _TOOLS["arguments"].items()}
_STATES = {"blocked": "pending", "in-progress": "in_progress", "done": "completed"}


def translated(
    name: str, values: Mapping[str, Any], cwd: str = ""
) -> Iterator[tuple[str, dict[str, Any]]]:
    """(tool, input) of the calls that one call of another host's tool amounts to.

    A patch is one call for each file. A tool that has no counterpart keeps its name and input.
    `cwd` is the folder of the session: a command run elsewhere says so.
    """
    if name in _PATCHES:
        yield from patched(text_of(values.get("input") or values.get("patchText")))
        return
    tool = _NAMES.get(name, name)
    if tool == "Bash":
        command = command_of(values.get("command", values.get("cmd")))
        if command.startswith("apply_patch") and "*** Begin Patch" in command:
            yield from patched(command)
            return
        folder = text_of(values.get("workdir") or values.get("dir_path") or values.get("directory"))
        is_elsewhere = folder.rstrip("/") not in (cwd.rstrip("/"), "", ".")
        if command and cwd and is_elsewhere:
            command = f"cd {shlex.quote(folder)} && {command}"
        yield tool, clipped({"command": command})
    elif tool == "TodoWrite":
        todos = []
        for item in map(mapping_of, list_of(values.get("todos", values.get("plan")))):
            texts = (text_of(item.get(key)) for key in ("content", "step", "description"))
            status = text_of(item.get("status")) or "pending"
            todo = {"content": next(filter(None, texts), ""), "status": _STATES.get(status, status)}
            if isinstance(item.get("priority"), str):
                todo["priority"] = item["priority"]
            todos += [todo] if todo["content"] else []
        yield tool, {"todos": todos}
    elif tool in ("Read", "Edit", "MultiEdit", "Write", "Agent"):
        yield tool, clipped(_respelled(values))
    else:
        yield tool, clipped(values)


def command_of(value: Any) -> str:
    """Return a command as the user would type it: a list of words joined, without its shell."""
    if not isinstance(value, list):
        return text_of(value)
    listed = [word for word in value if isinstance(word, str)]
    if len(listed) == 3 and _SHELLS.search(listed[0]) and listed[1].startswith("-"):
        return listed[2]
    if len(listed) == 2 and listed[0] == "apply_patch":
        return "\n".join(listed)
    return shlex.join(listed)


def patched(patch: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """One call for each file of a patch in the form "*** Begin Patch"."""
    kind = path = ""
    lines: list[str] = []
    files = 0
    for line in [*patch.split("\n"), "*** End of File List"]:
        opened = _FILE.match(line)
        if opened or line.startswith("*** End"):
            if path and files < MAX_PATCH_FILES:
                files += 1
                yield _changed(kind, path, lines)
            kind, path = (opened[1], opened[2].strip()) if opened else ("", "")
            lines = []
        elif moved := _MOVED.match(line):
            path = moved[1].strip()
        elif path:
            lines.append(line)


def from_diff(path: str, diff: str) -> tuple[str, dict[str, Any]]:
    """Return the call that a unified diff of one file amounts to."""
    lines = [line for line in diff.split("\n") if not line.startswith(("--- ", "+++ "))]
    return _changed("Update", path, lines)


def _changed(kind: str, path: str, lines: list[str]) -> tuple[str, dict[str, Any]]:
    if kind == "Delete":
        return "Delete", {"file_path": path}
    if kind == "Add":
        content = "\n".join(line[1:] for line in lines if line.startswith("+"))
        return "Write", clipped({"file_path": path, "content": content})
    edits = list(_hunks(lines))
    if len(edits) == 1:
        return "Edit", clipped({"file_path": path, **edits[0]})
    return "MultiEdit", clipped({"file_path": path, "edits": edits})


def _hunks(lines: list[str]) -> Iterator[dict[str, str]]:
    """Yield the removed and added lines of each hunk, without context lines."""
    before: list[str] = []
    after: list[str] = []
    for line in [*lines, "@@"]:
        if line.startswith("@@"):
            if before or after:
                yield {"old_string": "\n".join(before), "new_string": "\n".join(after)}
            before, after = [], []
        elif line.startswith("-"):
            before.append(line[1:])
        elif line.startswith("+"):
            after.append(line[1:])


def _respelled(values: Mapping[str, Any]) -> dict[str, Any]:
    made = dict(values)
    for name, spellings in _SPELLINGS.items():
        for spelling in spellings:
            if isinstance(values.get(spelling), str):
                made.pop(spelling, None)
                made[name] = values[spelling]
                break
    if isinstance(made.get("edits"), list):
        made["edits"] = [_respelled(edit) for edit in made["edits"] if isinstance(edit, dict)]
    return made
