"""Reading and writing a settings file that belongs to somebody else, without harm.

Writes are atomic and durable, keep the mode, and go through a link to its target; one
installer works at a time.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator, Mapping
from typing import Any

from ..db.errors import Refused, of_the_system
from ..db.home import Home, create_private, sync_folder
from ..frozen import dataclass, field
from . import detach, json_edit

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
        root = json_edit.parse(text)
    except ValueError:
        return Found(data, "{}", problems=(f"{path} is not valid JSON; it was left as it is.",))
    problems = _shape_problems(path, root)
    value = {} if problems else root.value
    return Found(data, text, _backup_of(path), target, problems, value)


def bytes_at(path: str) -> bytes | None:
    """What the file at `path` holds; None when there is none. Raises OSError."""
    try:
        return _bytes_of(path)
    except FileNotFoundError:
        return None


def write(path: str, data: bytes, *, new_mode: int) -> None:
    """Put `data` at `path` in one step; a new file gets `new_mode`, an old one keeps its own."""
    target = os.path.realpath(path)
    folder = os.path.dirname(target)
    os.makedirs(folder, exist_ok=True)
    try:
        mode = stat.S_IMODE(os.stat(target).st_mode)
    except FileNotFoundError:
        mode = new_mode
    temporary = f"{target}.memdeck-{os.getpid()}.tmp"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    try:
        with open(os.open(temporary, flags, 0o600), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, mode)
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    sync_folder(folder)


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
        if not detach.try_lock(handle):
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
        json_edit.parse(text)
    except (OSError, ValueError):
        return None
    return text


def _shape_problems(path: str, root: json_edit.Node) -> tuple[str, ...]:
    """What keeps us from adding a hook to valid JSON."""
    if not root.is_object:
        return (f"{path} holds no JSON object; it was left as it is.",)
    hooks = root.member("hooks")
    if hooks is None:
        return ()
    if not hooks.is_object:
        return (f'"hooks" in {path} is no object; it was left as it is.',)
    found = [
        f'"{part.key}" under "hooks" in {path} is no list; it was left as it is.'
        for part in hooks.parts
        if not part.node.is_array
    ]
    twice = [*_twice(root), *_twice(hooks)]
    found += [f'{path} has the key "{key}" twice; it was left as it is.' for key in twice]
    return tuple(found)


def _twice(node: json_edit.Node) -> list[str]:
    keys = [part.key or "" for part in node.parts]
    return sorted({key for key in keys if keys.count(key) > 1})
