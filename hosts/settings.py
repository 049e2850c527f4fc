"""Settings files that belong to somebody else: read, changed as text, shown as a diff, written.

Text goes in and comes out: key order, indentation, line ends and a byte order mark survive, because
only the inserted or removed piece differs. Writes are atomic and durable, keep the mode, and go
through a link to its target. A file is copied aside before our first change, and the copy goes when
the file is again what it was.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..core.agents import FileChange, SetupPlan
from ..core.context import must_be_a_person
from ..core.projects import program_outside
from ..db.errors import Refused, of_the_system
from ..db.home import Home, create_private, replace_file, sync_folder, try_lock
from . import registry

_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\r\n]*")
_SCALAR = re.compile(r"[^\s,\]}]+")
_LINE_START = re.compile(r"[\r\n]([ \t]*)$")


@dataclass(frozen=True, slots=True)
class Node:
    """A value and where it stands in the text; `parts` are the members or items, in order."""

    start: int
    end: int
    value: Any
    parts: tuple[Part, ...] = ()
    is_object: bool = False
    is_array: bool = False

    def member(self, key: str) -> Node | None:
        """The member of that name, or None."""
        return next((part.node for part in self.parts if part.key == key), None)

    def index(self, key: str) -> int:
        """Where the member of that name stands among the parts. Raises StopIteration."""
        return next(i for i, part in enumerate(self.parts) if part.key == key)


@dataclass(frozen=True, slots=True)
class Part:
    """A member of an object (with its key) or an item of an array; `start` counts the key in."""

    start: int
    key: str | None
    node: Node


def parse(text: str) -> Node:
    """The root of `text`. Raises ValueError for anything that is no strict JSON."""
    try:
        json.loads(text.removeprefix("\ufeff"), parse_constant=_refuse)
        return _value(text, _skip(text, 1 if text.startswith("\ufeff") else 0))
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def insert(text: str, box: Node, key: str | None, value: object) -> str:
    """`text` with `value` as the last part of `box`, laid out as its neighbours are."""
    if box.parts:
        last = box.parts[-1]
        before = box.start + 1 if len(box.parts) == 1 else box.parts[-2].node.end
        if len(box.parts) > 1:
            before = text.index(",", before) + 1
        space = text[before : _skip(text, before)]
        piece = "," + space + _render(text, key, value, space)
        return text[: last.node.end] + piece + text[last.node.end :]
    if _is_one_line(text):
        piece = _render(text, key, value, "")
        return text[: box.start + 1] + piece + text[box.end - 1 :]
    outer = _newline(text) + _indent_of_line(text, box.start)
    space = outer + _unit(text)
    piece = space + _render(text, key, value, space) + outer
    return text[: box.start + 1] + piece + text[box.end - 1 :]


def remove(text: str, box: Node, index: int) -> str:
    """`text` without the part of `box` at `index`, and without the comma it no longer needs."""
    parts = box.parts
    if len(parts) == 1:
        return text[: box.start + 1] + text[box.end - 1 :]
    if index == len(parts) - 1:
        return text[: parts[index - 1].node.end] + text[parts[index].node.end :]
    return text[: parts[index].start] + text[parts[index + 1].start :]


def _render(text: str, key: str | None, value: object, space: str) -> str:
    """`value` as it reads behind `space`: over several lines when `space` has a line end."""
    name = "" if key is None else json.dumps(key, ensure_ascii=False) + ": "
    line = _LINE_START.search(space)
    if line is None:
        return name + json.dumps(value, ensure_ascii=False)
    visible = json.dumps(value, ensure_ascii=False, indent=_unit(text))
    return name + visible.replace("\n", _newline(text) + line.group(1))


def _is_one_line(text: str) -> bool:
    """Whether the file is written in a single line; an empty object may become several."""
    visible = text.strip("\ufeff \t\r\n")
    return not re.search(r"[\r\n]", visible) and not re.fullmatch(r"\{\s*\}", visible)


def _unit(text: str) -> str:
    """One step of indentation: that of the first indented line, else two blanks."""
    match = re.search(r"[\r\n]([ \t]+)\S", text)
    return match.group(1) if match else "  "


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _indent_of_line(text: str, position: int) -> str:
    """The blanks at the start of the line that `position` is in."""
    start = max(text.rfind("\n", 0, position), text.rfind("\r", 0, position)) + 1
    match = re.match(r"[ \t]*", text[start:position])
    return match.group() if match else ""


def _skip(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _value(text: str, position: int) -> Node:
    """The node at `position` of a text that is known to be valid."""
    if text[position] == "{":
        parts, end = _parts(text, position, "}")
        members = {part.key: part.node.value for part in parts}
        return Node(position, end, members, parts, is_object=True)
    if text[position] == "[":
        parts, end = _parts(text, position, "]")
        return Node(position, end, [part.node.value for part in parts], parts, is_array=True)
    if text[position] == '"':
        value, end = _DECODER.raw_decode(text, position)
        return Node(position, end, value)
    match = _SCALAR.match(text, position)
    end = match.end() if match else position + 1
    return Node(position, end, json.loads(text[position:end]))


def _parts(text: str, start: int, closing: str) -> tuple[tuple[Part, ...], int]:
    """The parts of the object or array that begins at `start`, and the position behind it."""
    parts = list[Part]()
    position = _skip(text, start + 1)
    while text[position] != closing:
        begins, key = position, None
        if closing == "}":
            key, position = _DECODER.raw_decode(text, position)
            position = _skip(text, _skip(text, position) + 1)  # over the colon
        part = Part(begins, key, _value(text, position))
        parts.append(part)
        position = _skip(text, part.node.end)
        if text[position] == ",":
            position = _skip(text, position + 1)
    return tuple(parts), position + 1


def _refuse(name: str) -> object:
    raise ValueError(f"{name} is no JSON")


PROGRAM = "memdeck-hook"


def find_executable() -> str | None:
    """The absolute path of `memdeck-hook`: beside this interpreter, else on the PATH."""
    name = f"{PROGRAM}.exe" if sys.platform == "win32" else PROGRAM
    beside = os.path.join(os.path.dirname(os.path.abspath(sys.executable)), name)
    if os.access(beside, os.X_OK):
        return beside
    return program_outside(PROGRAM)


def sibling(executable: str) -> str:
    """The path of `memdeck` beside the hook's program."""
    folder, name = os.path.split(executable)
    return os.path.join(folder, name.replace(PROGRAM, "memdeck"))


def command(executable: str, host: str, event: str, home: Home) -> str:
    """The shell command for `event`. It cannot exit 2, which would block the agent."""
    position = chosen_home(home)
    prefix = f"MEMDECK_HOME={shlex.quote(position)} " if position else ""
    return f"{prefix}{shlex.quote(executable)} {host} {event} || exit 0"


def chosen_home(home: Home) -> str:
    """The home's path where a hook would not find it by itself, else ""."""
    is_chosen = os.environ.get("MEMDECK_HOME") or home.path != Home().path
    return home.path if is_chosen else ""


def is_ours(handler: object, host: str) -> bool:
    """Whether `handler` runs our hook for `host`, in this spelling or an older one."""
    line = handler.get("command") if isinstance(handler, dict) else None
    if not isinstance(line, str):
        return False
    return any(matches["host"] == host for matches in _OURS.finditer(line))


def named_in(lines: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(executables, homes) that commands of ours name: the first by an absolute path."""
    programs, homes = set[str](), set[str]()
    for line in lines:
        with contextlib.suppress(ValueError):  # no words of a shell
            words = shlex.split(line)[:2]
            programs |= {word for word in words if os.path.isabs(word)}
            homes |= {item[13:] for item in words[:1] if item.startswith("MEMDECK_HOME=")}
    return tuple(sorted(programs)), tuple(sorted(homes))


_OURS = re.compile(
    r"(?:^|[\s/\\'\"])memdeck(?:-hook(?:\.exe)?|\s+hook)['\"]?\s+(?:--cli[= ])?(?P<host>[a-z]+)\b"
)


BACKUP_SUFFIX = ".memdeck.bak"
"""Of the copy that stands beside the file, from before our first change."""


@dataclass(frozen=True, slots=True)
class Found:
    """What stands at a path. `data` is None when nothing does; `text` is then "{}"."""

    data: bytes | None
    text: str
    backup_text: str | None = None
    link_target: str = ""
    problems: tuple[str, ...] = ()
    value: Mapping[str, Any] = field(default_factory=dict)  # what the JSON says; empty on problems


def read(path: str) -> Found:
    """The settings at `path` and their backup; problems say why they must not be changed."""
    target = os.path.realpath(path) if os.path.islink(path) else ""
    if target and not os.path.isdir(os.path.dirname(target)):
        return Found(None, "{}", problems=(f"{path} is a link that leads nowhere.",))
    try:
        data = _bytes_of(path)
    except FileNotFoundError:
        return Found(None, "{}\n", link_target=target)
    except OSError as error:
        return Found(None, "{}", problems=(f"{path} cannot be read: {error.strerror}.",))
    try:
        text = data.decode()
        root = parse(text)
    except ValueError:
        why = (
            "holds comments, and memdeck edits only JSON without them"
            if _has_comments(data)
            else "is not valid JSON"
        )
        return Found(data, "{}", problems=(f"{path} {why}; it was left as it is.",))
    problems = _shape_problems(path, root)
    value = {} if problems else root.value
    return Found(data, text, _backup_of(path), target, problems, value)


_COMMENT = re.compile(rb'"(?:[^"\\\n]|\\.)*"|(//[^\n]*|/\*.*?\*/)', re.DOTALL)


def _has_comments(data: bytes) -> bool:
    """Return True if JSON holds comments outside its texts, as several agents allow."""
    return any(match[1] for match in _COMMENT.finditer(data))


def bytes_at(path: str) -> bytes | None:
    """What the file at `path` holds; None when there is none. Raises OSError."""
    try:
        return _bytes_of(path)
    except FileNotFoundError:
        return None


def write(path: str, data: bytes, *, new_mode: int) -> None:
    """Put `data` at `path` in one step; a new file gets `new_mode`, an old one keeps its own."""
    target = os.path.realpath(path)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with contextlib.suppress(FileNotFoundError):
        new_mode = stat.S_IMODE(os.stat(target).st_mode)
    replace_file(target, data, new_mode)


def delete(path: str) -> None:
    """Remove `path`, or what it links to."""
    target = os.path.realpath(path)
    os.unlink(target)
    sync_folder(os.path.dirname(target))


@contextlib.contextmanager
def installing(home: Home) -> Iterator[None]:
    """The right to change settings; Refused when another installer is at work.

    Raises StoreUnusable where the home cannot be written.
    """
    path = os.path.join(home.path, "install.lock")
    try:
        create_private(path)
        handle = os.open(path, os.O_RDWR)
    except OSError as error:
        raise of_the_system(error, path) from error
    try:
        if not try_lock(handle):
            raise Refused("Another installation is going on.", hint="Try again when it is done.")
        yield
    finally:
        os.close(handle)


def _bytes_of(path: str) -> bytes:
    if os.path.exists(path) and not os.path.isfile(path):
        raise IsADirectoryError(None, "it is no regular file")
    with open(path, "rb") as file:
        return file.read()


def _backup_of(path: str) -> str | None:
    try:
        text = _bytes_of(path + BACKUP_SUFFIX).decode()
        parse(text)
    except (OSError, ValueError):
        return None
    return text


def _shape_problems(path: str, root: Node) -> tuple[str, ...]:
    """What keeps us from adding a hook to valid JSON."""
    if not root.is_object:
        return (f"{path} holds no JSON object; it was left as it is.",)
    hooks = root.member("hooks")
    if hooks is None:
        return ()
    if not hooks.is_object:
        return (f'"hooks" in {path} is no object; it was left as it is.',)
    matches = [
        f'"{part.key}" under "hooks" in {path} is no list; it was left as it is.'
        for part in hooks.parts
        if not part.node.is_array
    ]
    twice = [*_twice(root), *_twice(hooks)]
    matches += [f'{path} has the key "{key}" twice; it was left as it is.' for key in twice]
    return tuple(matches)


def _twice(node: Node) -> list[str]:
    keys = [part.key or "" for part in node.parts]
    return sorted({key for key in keys if keys.count(key) > 1})


FRESH = "{}\n"
"""What a file is that we make ourselves, before our entries."""

Entry = tuple[str, dict[str, Any]]  # event, group


def entries_in(text: str, host: str) -> list[Entry]:
    """Our groups in `text`, in its order."""
    return [
        (event.key or "", group.node.value)
        for event in _events(text)
        for group in event.node.parts
        if any(is_ours(part.node.value, host) for part in _handlers(group.node))
    ]


def positions(text: str, host: str) -> list[tuple[str, int, int, dict[str, Any], dict[str, Any]]]:
    """Of each of our handlers: event, place of its group, place in the group, group, handler."""
    return [
        (event.key or "", at, inner, group.node.value, part.node.value)
        for event in _events(text)
        for at, group in enumerate(event.node.parts)
        for inner, part in enumerate(_handlers(group.node))
        if is_ours(part.node.value, host)
    ]


def other_commands(text: str, host: str) -> list[str]:
    """The command lines of everybody else's handlers, in the text's order."""
    matches = [
        part.node.value.get("command")
        for event in _events(text)
        for group in event.node.parts
        for part in _handlers(group.node)
        if part.node.is_object and not is_ours(part.node.value, host)
    ]
    return [line for line in matches if isinstance(line, str)]


def with_entries(text: str, wanted: list[Entry]) -> str:
    """`text` with `wanted` at the ends of its lists."""
    for event, group in wanted:
        root = parse(text)
        hooks = root.member("hooks")
        if hooks is None:
            text = insert(text, root, "hooks", {event: [group]})
        elif (groups := hooks.member(event)) is None:
            text = insert(text, hooks, event, [group])
        else:
            text = insert(text, groups, None, group)
    return text


def without_entries(text: str, host: str) -> str:
    """`text` without our handlers, and without what only held them."""
    while (shorter := _without_one(text, host)) is not None:
        text = shorter
    return text


def original(text: str, backup: str | None, host: str) -> str | None:
    """The file without us: the backup if only we changed it, else what removal leaves.

    None when there was no file before us. `backup` is the copy from before our first change.
    """
    ours = entries_in(text, host)
    if not ours:
        return text
    if backup is not None and with_entries(backup, ours) == text:
        return backup
    if backup is None and with_entries(FRESH, ours) == text:
        return None
    return without_entries(text, host)


def is_same(entries: list[Entry], wanted: list[Entry]) -> bool:
    """Whether both hold the same groups, whatever the order of their events."""

    def by_event(entry: Entry) -> str:
        return entry[0]

    return sorted(entries, key=by_event) == sorted(wanted, key=by_event)


def _without_one(text: str, host: str) -> str | None:
    """`text` without one of our handlers, or None when it has none.

    With the handler go its group, its event and `hooks`, as far as each held nothing else.
    """
    root = parse(text)
    for event in _events(text):
        for position, group in enumerate(event.node.parts):
            handlers = _handlers(group.node)
            ours = [i for i, part in enumerate(handlers) if is_ours(part.node.value, host)]
            if not ours:
                continue
            hooks = root.member("hooks")
            assert hooks is not None  # _events found it
            if len(handlers) > 1:
                box = group.node.member("hooks")
                assert box is not None  # _handlers found it
                return remove(text, box, ours[0])
            if len(event.node.parts) > 1:
                return remove(text, event.node, position)
            if len(hooks.parts) > 1:
                return remove(text, hooks, hooks.index(event.key or ""))
            return remove(text, root, root.index("hooks"))
    return None


def _events(text: str) -> list[Part]:
    """The members of `hooks` that are lists."""
    hooks = parse(text).member("hooks")
    return [part for part in hooks.parts if part.node.is_array] if hooks else []


def _handlers(group: Node) -> tuple[Part, ...]:
    box = group.member("hooks") if group.is_object else None
    return box.parts if box is not None and box.is_array else ()


_SHARED = ".agents"  # several agents look there, none of them owns it
_INNER = frozenset(("plugins", "commands", "skills", "hooks"))


@dataclass(frozen=True, slots=True)
class FilePlan:
    """What would become of one file; without a change there is only something to say."""

    change: FileChange | None
    problems: tuple[str, ...] = ()  # reasons why it cannot be done
    notes: tuple[str, ...] = ()  # what the person should know or do


def change(
    path: str, before: bytes | None, after: bytes | None, *, is_shared: bool = False
) -> FileChange:
    """One file's change with its diff; None stands for no file.

    A file that `is_shared` is written by others too; all others are ours from the first byte on.
    """
    if before == after:
        return FileChange(path, before, after, "", is_shared)
    import difflib

    lines = difflib.unified_diff(
        (before or b"").decode("utf-8", "replace").splitlines(keepends=True),
        (after or b"").decode("utf-8", "replace").splitlines(keepends=True),
        path if before is not None else os.devnull,
        path if after is not None else os.devnull,
    )
    visible = "".join(line if line.endswith("\n") else line + "\n" for line in lines)
    return FileChange(path, before, after, visible, is_shared)


def carry_out(plan: SetupPlan, home: Home) -> None:
    """Do what `plan` says.

    Raises Refused in an agent's shell, when it has problems, when a file changed since, when a
    copy's place is taken by a link, or when another installer is at work; nothing is written then.
    Raises Refused as well for a file that cannot be written.
    """
    if plan.problems:
        raise Refused(" ".join(plan.problems), hint="Nothing was changed.")
    needed = [item for item in plan.changes if item.is_needed]
    if not needed:
        return
    if registry.shell(os.environ).hosts:
        must_be_a_person("agent")
    home.prepare()
    with installing(home):
        for item in needed:
            if bytes_at(item.path) != item.before:
                raise Refused(f"{item.path} was changed meanwhile.", hint="Run it again.")
            if os.path.islink(backup := item.path + BACKUP_SUFFIX):
                raise Refused(f"{backup} is a link.", hint="Remove it: a copy is to stand there.")
        for item in needed:
            try:
                _carry_out(plan, item)
            except OSError as error:
                why = f"{item.path} cannot be written: {error.strerror}."
                raise Refused(why, hint="Mend that and run it again.") from error


def _carry_out(plan: SetupPlan, file_change: FileChange) -> None:
    backup = file_change.path + BACKUP_SUFFIX
    if (
        file_change.is_shared
        and file_change.before is not None
        and not _has_ours(plan, file_change.before)
    ):
        write(backup, file_change.before, new_mode=0o600)
    if file_change.after is None:
        delete(file_change.path)
        _remove_empty_folders(os.path.dirname(file_change.path), is_of_person=plan.scope == "user")
        return
    mode = 0o600 if plan.scope == "user" else 0o644
    write(file_change.path, file_change.after, new_mode=mode)
    if plan.is_removal and file_change.is_shared and bytes_at(backup) == file_change.after:
        os.unlink(backup)


def _has_ours(plan: SetupPlan, data: bytes) -> bool:
    try:
        return bool(entries_in(data.decode(), plan.host))
    except ValueError:
        return False  # no JSON: an edited plugin


def _remove_empty_folders(folder: str, *, is_of_person: bool) -> None:
    """Remove `folder` and those above it as far as they are empty and only ours could need them.

    The agent's own folder goes in a project; the person's (`~/.claude`) stays.
    """
    with contextlib.suppress(OSError):
        while _is_inner(folder):
            os.rmdir(folder)
            folder = os.path.dirname(folder)
        name = os.path.basename(folder)
        if name == _SHARED or (name.startswith(".") and not is_of_person):
            os.rmdir(folder)


def _is_inner(folder: str) -> bool:
    """Whether `folder` lies inside an agent's own, for plugins, commands, skills or hooks."""
    nearest = folder.split(os.sep)[-3:]  # a skill has a folder, and one more in it
    return not nearest[-1].startswith(".") and not _INNER.isdisjoint(nearest)
