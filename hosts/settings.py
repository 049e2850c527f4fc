"""Settings files of other programs: changed as text, shown as a diff, written whole.

Only our piece is inserted or removed. Writes are atomic and durable, keep the mode, and follow a
link. A file of hooks is copied aside before our first change, until it is again as it was.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import stat
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..core.agents import FileChange, SetupPlan
from ..core.context import must_not_be_agent
from ..core.projects import program_outside
from ..db.errors import Refused, of_the_system
from ..db.home import Home, create_private, replace_file, sync_folder, try_lock
from . import registry

_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\r\n]*")

Path = tuple[str | None, ...]
"""Keys from the root of a JSON text to a value; None for an item of an array."""

Entry = tuple[Path, Any]  # a value of ours and its path. The path of an item ends with None.

IsOurs = Callable[[Path, Any], bool]


class Node(NamedTuple):
    """A JSON value from `start` to `end` in a text; `begin` is that of its key, if it has one."""

    begin: int
    start: int
    end: int
    key: str | None
    value: Any
    parts: tuple[Node, ...] = ()  # members or items, in order


def parse(text: str) -> Node:
    """Return the root of a JSON text.

    Raises ValueError for anything but strict JSON, and for an object with a key that it has twice.
    """
    try:
        json.loads(text.removeprefix("\ufeff"), parse_constant=_refuse, object_pairs_hook=_unique)
        return _node(text, _skip(text, 1 if text.startswith("\ufeff") else 0))
    except RecursionError as error:
        raise ValueError("is nested too deeply") from error


def _refuse(name: str) -> object:
    raise ValueError(f"holds {name}, which is no JSON")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("has a key twice")
    return members


def _skip(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _node(text: str, begin: int, key: str | None = None, start: int | None = None) -> Node:
    start = begin if start is None else start
    if text[start] not in "{[":
        value, end = _DECODER.raw_decode(text, start)
        return Node(begin, start, end, key, value)
    parts = list[Node]()
    position = _skip(text, start + 1)
    while text[position] not in "}]":
        before, name = position, None
        if text[start] == "{":
            name, position = _DECODER.raw_decode(text, position)
            position = _skip(text, _skip(text, position) + 1)  # over the colon
        parts.append(_node(text, before, name, position))
        position = _skip(text, parts[-1].end)
        if text[position] == ",":
            position = _skip(text, position + 1)
    values = [part.value for part in parts]
    value = values if text[start] == "[" else {part.key: part.value for part in parts}
    return Node(begin, start, position + 1, key, value, tuple(parts))


def with_entries(text: str, entries: Sequence[Entry]) -> str:
    """Return the text with entries at the ends of their containers, laid out as their neighbours.

    Raises ValueError where the text has another kind of value on the way to one.
    """
    for path, entry in entries:
        box, value = parse(text), entry
        for depth, key in enumerate(path):
            if not isinstance(box.value, list if key is None else dict):
                raise ValueError("has another form than expected")
            inner = next((part for part in box.parts if key is not None and part.key == key), None)
            if inner is None:
                for name in reversed(path[depth + 1 :]):
                    value = [value] if name is None else {name: value}
                text = _insert(text, box, key, value)
                break
            box = inner
    return text


def _insert(text: str, box: Node, key: str | None, value: object) -> str:
    unit = re.search(r"[\r\n]([ \t]+)\S", text)
    step, newline = unit[1] if unit else "  ", "\r\n" if "\r\n" in text else "\n"
    at, comma, space, after = box.start + 1, "", "", ""
    end = box.end - 1
    visible = text.strip("\ufeff \t\r\n")
    if box.parts:
        before = text.index(",", box.parts[-2].end) + 1 if len(box.parts) > 1 else at
        at = end = box.parts[-1].end
        comma, space = ",", text[before : box.parts[-1].begin]
    elif re.search(r"[\r\n]", visible) or re.fullmatch(r"\{\s*\}", visible):
        line = max(text.rfind("\n", 0, box.start), text.rfind("\r", 0, box.start)) + 1
        after = newline + text[line : _skip(text[: box.start], line)]
        space = after + step
    name = "" if key is None else json.dumps(key, ensure_ascii=False) + ": "
    if match := re.search(r"[\r\n]([ \t]*)$", space):
        piece = json.dumps(value, ensure_ascii=False, indent=step).replace("\n", newline + match[1])
    else:
        piece = json.dumps(value, ensure_ascii=False)
    return text[:at] + comma + space + name + piece + after + text[end:]


def entries_in(text: str, is_ours: IsOurs) -> list[Entry]:
    """Return our entries in a text, in its order."""
    return [(path, trail[-1][0].parts[trail[-1][1]].value) for path, trail in _ours(text, is_ours)]


def without_entries(text: str, is_ours: IsOurs) -> str:
    """Return the text without our entries, and without containers of nothing else."""
    while first := next(_ours(text, is_ours), None):
        trail = first[1]
        box, index = trail.pop()
        while len(box.parts) == 1 and trail:
            box, index = trail.pop()
        parts = box.parts
        if len(parts) == 1:
            text = text[: box.start + 1] + text[box.end - 1 :]
        elif index == len(parts) - 1:
            text = text[: parts[index - 1].end] + text[parts[index].end :]
        else:
            text = text[: parts[index].begin] + text[parts[index + 1].begin :]
    return text


def _ours(text: str, is_ours: IsOurs) -> Iterator[tuple[Path, list[tuple[Node, int]]]]:
    """Yield the path of each value of ours, and the nodes on the way with the place of the next."""

    def walk(node: Node, path: Path) -> Iterator[tuple[Path, list[tuple[Node, int]]]]:
        for index, part in enumerate(node.parts):
            if is_ours(here := (*path, part.key), part.value):
                yield here, [(node, index)]
            else:
                yield from ((end, [(node, index), *trail]) for end, trail in walk(part, here))

    return walk(parse(text), ())


def with_tables(text: str, tables: Mapping[tuple[str, ...], Mapping[str, Any] | None]) -> str:
    """Return TOML with these tables at its end, each instead of the one that it had; None: without.

    Raises ValueError for invalid TOML, or for one of them in another form than `[path]`.
    """
    for path, table in tables.items():
        if _value_at(text, path) == table:
            continue
        if _value_at(text, path) is not None:
            name = r"\s*\.\s*".join(rf"[\"']?{re.escape(word)}[\"']?" for word in path)
            ours = rf"\[{name}\][^\n]*\n(?:(?!\[)[^\n]+(?:\n|\Z))*"
            text = re.sub(rf"\n{ours}(?=\n|\Z)|^{ours}", "", text, count=1, flags=re.MULTILINE)
            if _value_at(text, path) is not None:
                raise ValueError(f"has {'.'.join(path)} in another form than ours")
        if table is not None:
            head = ".".join(w if re.fullmatch(r"[\w-]+", w) else json.dumps(w) for w in path)
            lines = [f"[{head}]", *(f"{name} = {_toml(value)}" for name, value in table.items())]
            text += ("\n" if text else "") + "\n".join(lines) + "\n"
    _value_at(text, ())  # which is valid
    return text


def _value_at(text: str, path: Sequence[str]) -> Any:
    import tomllib  # few settings are TOML

    value: Any = tomllib.loads(text)
    for name in path:
        if not isinstance(value, dict):
            raise ValueError("has another form than expected")
        if (value := value.get(name)) is None:
            return None
    return value


def _toml(value: Any) -> str:
    """Return a text, bool, list or table as TOML; JSON's strings are strings of TOML."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {_toml(item)}" for name, item in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False)


PROGRAM = "memdeck-hook"


def find_executable() -> str | None:
    """Return the absolute path of `memdeck-hook`: beside this interpreter, else on the PATH."""
    name = f"{PROGRAM}.exe" if sys.platform == "win32" else PROGRAM
    beside = os.path.join(os.path.dirname(os.path.abspath(sys.executable)), name)
    return beside if os.access(beside, os.X_OK) else program_outside(PROGRAM)


def sibling(executable: str) -> str:
    """Return the path of `memdeck` beside the hook's program."""
    folder, name = os.path.split(executable)
    return os.path.join(folder, name.replace(PROGRAM, "memdeck"))


def command(executable: str, host: str, event: str, home: Home) -> str:
    """Return the shell command for `event`. It cannot exit 2, which would block the agent."""
    position = chosen_home(home)
    prefix = f"MEMDECK_HOME={shlex.quote(position)} " if position else ""
    return f"{prefix}{shlex.quote(executable)} {host} {event} || exit 0"


def chosen_home(home: Home) -> str:
    """Return the home's path if a hook would not find it by itself, else ""."""
    is_chosen = os.environ.get("MEMDECK_HOME") or home.path != Home().path
    return home.path if is_chosen else ""


BACKUP_SUFFIX = ".memdeck.bak"  # of the copy beside the file, from before our first change
FRESH = "{}\n"  # a file that we make ourselves, before our entries


class SettingsFile(NamedTuple):
    """A JSON file. `data` is None without one. With `problems` it must not be changed."""

    path: str
    data: bytes | None = None
    text: str = FRESH
    value: Mapping[str, Any] = {}
    problems: tuple[str, ...] = ()


def read(path: str) -> SettingsFile:
    """Return the settings at `path`; their problems say why they must not be changed."""
    data = None
    try:
        if os.path.islink(path) and not os.path.isdir(os.path.dirname(os.path.realpath(path))):
            raise ValueError("is a link that leads nowhere")
        data = bytes_at(path)
        text = FRESH if data is None else data.decode()
        value = parse(text).value
        hooks = value.get("hooks", {}) if isinstance(value, dict) else None
        if not isinstance(hooks, dict) or not all(isinstance(v, list) for v in hooks.values()):
            raise ValueError("has another form than expected")
    except OSError as error:
        return SettingsFile(path, problems=(f"{path} cannot be read: {error.strerror}.",))
    except (json.JSONDecodeError, UnicodeDecodeError):
        why = "is not valid JSON"
        if any(match[1] for match in re.finditer(_COMMENT, data or b"", re.DOTALL)):
            why = "holds comments, and memdeck edits only JSON without them"
        return SettingsFile(path, data, problems=(f"{path} {why}. It was left as it is.",))
    except ValueError as error:
        return SettingsFile(path, data, problems=(f"{path} {error}. It was left as it is.",))
    return SettingsFile(path, data, text, value)


_COMMENT = rb'"(?:[^"\\\n]|\\.)*"|(//[^\n]*|/\*.*?\*/)'


def bytes_at(path: str) -> bytes | None:
    """Return the bytes of the regular file at `path`, or None without one. Raises OSError."""
    if os.path.exists(path) and not os.path.isfile(path):
        raise IsADirectoryError(None, "it is no regular file")
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


class FilePlan(NamedTuple):
    """A change of one file with its problems and notes; without a change there are only these."""

    change: FileChange | None
    problems: tuple[str, ...] = ()  # reasons why it cannot be done
    notes: tuple[str, ...] = ()  # advice to the user


def plan_entries(
    path: str,
    is_ours: IsOurs,
    entries: Sequence[Entry],
    *,
    fresh: str = FRESH,
    is_copied: bool = True,
) -> FilePlan:
    """Return the change of a JSON file that leaves just these entries of ours; none to remove us.

    A file that only we changed becomes what it was before: the copy, or no file. `fresh` is what
    a new file holds beside our entries.
    """
    file = read(path)
    ours = [] if file.problems else entries_in(file.text, is_ours)
    if file.problems or sorted(ours, key=_order) == sorted(entries, key=_order):
        return FilePlan(change(path, file.data, file.data), file.problems)
    base: str | None = file.text if file.data is not None else None
    copy, notes = read(path + BACKUP_SUFFIX), tuple[str, ...]()
    try:
        if ours and copy.data is not None and with_entries(copy.text, ours) == file.text:
            base = copy.text
        elif ours and copy.data is None and with_entries(fresh, ours) == file.text:
            base = None
        elif ours:
            base = without_entries(file.text, is_ours)
            if not entries and copy.data is not None and base != copy.text:
                notes = (f"{path}{BACKUP_SUFFIX} keeps the file as it first was.",)
        after = with_entries(fresh if base is None else base, entries) if entries else base
    except ValueError as error:
        problem = f"{path} {error}. It was left as it is."
        return FilePlan(change(path, file.data, file.data), (problem,))
    data = None if after is None else after.encode()
    return FilePlan(change(path, file.data, data, is_shared=is_copied and not ours), (), notes)


def _order(entry: Entry) -> str:
    return str(entry[0])


def plan_own(path: str, after: bytes | None, is_ours: Callable[[bytes], bool]) -> FilePlan:
    """Return the change of a file that is ours as a whole; None: without it. Another's is left."""
    try:
        before = bytes_at(path)
    except OSError as error:
        return FilePlan(None, (f"{path} cannot be read ({error.strerror}).",))
    if before is not None and not is_ours(before):
        return FilePlan(
            change(path, before, before), (f"{path} is not ours. It was left as it is.",)
        )
    return FilePlan(change(path, before, after))


def change(
    path: str, before: bytes | None, after: bytes | None, *, is_shared: bool = False
) -> FileChange:
    """Return one file's change with its diff; None is no file, `is_shared` has it copied aside."""
    import difflib  # a status does without

    lines = difflib.unified_diff(
        (before or b"").decode("utf-8", "replace").splitlines(keepends=True),
        (after or b"").decode("utf-8", "replace").splitlines(keepends=True),
        path if before is not None else os.devnull,
        path if after is not None else os.devnull,
    )
    visible = "".join(line if line.endswith("\n") else line + "\n" for line in lines)
    return FileChange(path, before, after, visible, is_shared)


def carry_out(plan: SetupPlan, home: Home) -> None:
    """Carry out a plan.

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
        must_not_be_agent("agent")
    home.prepare()
    with _installing(home):
        for item in needed:
            if bytes_at(item.path) != item.before:
                raise Refused(f"{item.path} was changed meanwhile.", hint="Run it again.")
            if os.path.islink(backup := item.path + BACKUP_SUFFIX):
                raise Refused(f"{backup} is a link.", hint="Remove it: a copy is to stand there.")
        for item in needed:
            try:
                _carry_out(item, is_of_user=plan.scope == "user")
            except OSError as error:
                why = f"{item.path} cannot be written: {error.strerror}."
                raise Refused(why, hint="Correct it and run the command again.") from error


@contextlib.contextmanager
def _installing(home: Home) -> Iterator[None]:
    """The right to change settings. Raises Refused when another installer is at work."""
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


def _carry_out(item: FileChange, *, is_of_user: bool) -> None:
    backup, target = item.path + BACKUP_SUFFIX, os.path.realpath(item.path)
    if item.is_shared and item.before is not None:
        _write(os.path.realpath(backup), item.before, 0o600)
    if item.after is None:
        os.unlink(target)
        sync_folder(os.path.dirname(target))
        _remove_empty_folders(os.path.dirname(item.path), is_of_user=is_of_user)
        return
    os.makedirs(os.path.dirname(target), exist_ok=True)
    _write(target, item.after, 0o600 if is_of_user else 0o644)
    if not item.is_shared and bytes_at(backup) == item.after:
        os.unlink(backup)


def _write(target: str, data: bytes, mode: int) -> None:
    """Write a file in one step; a new one gets `mode`, an old one keeps its own."""
    with contextlib.suppress(FileNotFoundError):
        mode = stat.S_IMODE(os.stat(target).st_mode)
    replace_file(target, data, mode)


_INNER = frozenset(("plugins", "commands", "skills", "hooks"))


def _remove_empty_folders(folder: str, *, is_of_user: bool) -> None:
    """Remove `folder` and those above it as far as they are empty and only ours could need them.

    The agent's own folder goes in a project; the user's (`~/.claude`) stays.
    """
    with contextlib.suppress(OSError):
        # A skill has a folder, and one more in it.
        while not os.path.basename(folder).startswith(".") and not _INNER.isdisjoint(
            folder.split(os.sep)[-3:]
        ):
            os.rmdir(folder)
            folder = os.path.dirname(folder)
        if os.path.basename(folder).startswith(".") and not is_of_user:
            os.rmdir(folder)
