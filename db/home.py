"""The home of a store: one private directory, 0700, its files 0600.

Standard library only, since every hook passes through here.
"""

from __future__ import annotations

import os
import stat
import sys

from .errors import BadInput, StoreUnusable

TYPE_CHECKING = False  # a note waits for each import
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


SCHEMA = 33
"""The schema's version, kept in `PRAGMA user_version`: raised whenever `db/tables.py` or the words
of the search index (`db/index.py`) change."""

OLDEST_READ = 29
"""The oldest schema that hooks can read, until background processing has upgraded the store."""


def default_path() -> str:
    """`MEMDECK_HOME`, else the platform's data directory for memdeck.

    Raises StoreUnusable for a relative `MEMDECK_HOME`, which would be another store in each folder,
    and where nothing says which folder is the user's.
    """
    if chosen := os.environ.get("MEMDECK_HOME", "").strip():
        if os.path.isabs(path := _expanded(chosen)):
            return os.path.normpath(path)
        hint = f"Set it to a whole path, such as {os.path.abspath(chosen)}."
        raise StoreUnusable(f"MEMDECK_HOME is {chosen!r}, which is no absolute path.", hint=hint)
    if sys.platform in ("win32", "darwin"):
        from platformdirs import user_data_dir  # the registry and the Library folder are its trade

        path = user_data_dir("memdeck", appauthor=False)
        return path if os.path.isabs(path) else _expanded("~" + os.sep)
    # The XDG rule: a relative path is ignored. platformdirs costs a hook some milliseconds.
    base = os.environ.get("XDG_DATA_HOME", "").strip()
    return os.path.join(base if os.path.isabs(base) else _expanded("~/.local/share"), "memdeck")


def _expanded(path: str) -> str:
    """`path` with the user's folder for its `~`. Raises StoreUnusable where there is none."""
    expanded = os.path.expanduser(path)
    if path[:1] != "~" or (os.path.isabs(expanded) and os.environ.get("HOME") != ""):
        return expanded
    raise StoreUnusable(
        f"memdeck cannot tell which folder {path.split('/')[0]} is: HOME is not set to one, and"
        " the system's list of users does not name one.",
        hint="Set MEMDECK_HOME to an absolute path.",
    )


class Home:
    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        self.path = os.path.abspath(_expanded(os.fspath(path))) if path else default_path()
        self.database = os.path.join(self.path, "memory.db")
        self.journal = os.path.join(self.path, "journal")
        self.spool = os.path.join(self.path, "spool")
        self.backups = os.path.join(self.path, "backups")
        self.log = os.path.join(self.path, "log")
        self.themes = os.path.join(self.path, "themes")
        self.config = os.path.join(self.path, "config.toml")

    def __repr__(self) -> str:
        return f"Home({self.path!r})"

    def _folders(self) -> tuple[str, ...]:
        return self.path, self.journal, self.spool, self.backups, self.log

    def _refuse_link(self, folder: str) -> None:
        if folder != self.path:  # which programs that keep settings in one place make a link
            refuse_link(folder)

    def check(self) -> None:
        """Refuse links inside and other people's folders. Raises StoreUnusable."""
        for folder in self._folders():
            self._refuse_link(folder)
            if os.path.isdir(folder):
                _refuse_others(folder)

    def prepare(self) -> None:
        """The same, and make the directories, 0700. Raises StoreUnusable."""
        for folder in self._folders():
            self._refuse_link(folder)
            try:
                os.makedirs(folder, mode=0o700, exist_ok=True)
                _refuse_others(folder)
                if stat.S_IMODE(os.stat(folder).st_mode) & 0o077:
                    os.chmod(folder, 0o700)
            except FileExistsError as error:
                raise StoreUnusable(
                    f"{folder} is a file where memdeck needs a folder.",
                    hint="Move it away, or point MEMDECK_HOME elsewhere.",
                ) from error
            except OSError as error:
                hint = "Check the folder's permissions, or point MEMDECK_HOME elsewhere."
                raise StoreUnusable(f"Cannot use {folder}: {error.strerror}.", hint=hint) from error


def foreign(home: Home) -> str:
    """Return the first file of a home that the user cannot read and write; "" if there is none.

    A command that was run with sudo leaves such files. A home that is read-only as a whole has
    none.
    """
    if not os.access(home.path, os.W_OK):
        return ""
    beside = [home.database + suffix for suffix in ("", "-wal", "-shm")]
    folders = [home.path, home.journal, home.spool]
    names = [os.path.join(folder, name) for folder in folders[1:] for name in _names(folder)]
    for path in (*folders, *beside, *names, home.config):
        if os.path.exists(path) and not os.access(path, os.R_OK | os.W_OK):
            return path
    return ""


def not_ours(path: str) -> StoreUnusable:
    name = path.replace("'", "'\\''")
    return StoreUnusable(
        f"{path} cannot be read and written by you: another user owns it, such as root after sudo.",
        hint=f"Give it back: `sudo chown \"$(id -un)\" '{name}' && chmod u+rw '{name}'`.",
    )


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _refuse_others(folder: str) -> None:
    if hasattr(os, "getuid") and os.stat(folder).st_uid != os.getuid():
        hint = "Point MEMDECK_HOME at a folder of your own."
        raise StoreUnusable(f"{folder} belongs to somebody else.", hint=hint)


UNCHANGING = "&immutable=1"  # added to the URI of a file that does not change meanwhile


def address_to_read(path: str) -> str:
    """Return the URI by which SQLite reads the database at `path` without writing into it."""
    quoted = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    return f"file:{quoted}?mode=ro"


def addresses_to_read(path: str) -> Iterator[str]:
    """The URIs by which SQLite reads the database at `path` without writing, in order of trying.

    In WAL mode it makes two files beside the database. Where it may not, and they are not there,
    no other program has the database open: it is read as a file that does not change.
    """
    address = address_to_read(path)
    if has_room(path):
        yield address
    if not os.path.exists(path + "-wal"):
        yield address + UNCHANGING


def is_shut(error: Exception) -> bool:
    """Return True if SQLite could not make its files beside the database, and so not read it."""
    signs = ("unable to open", "readonly", "disk i/o", "is full")
    return any(sign in str(error).lower() for sign in signs)


ROOM_BYTES = 128 * 1024
"""Space that SQLite needs beside a database to open it: without it, it may end the process."""


def has_room(path: str) -> bool:
    """Return True if the disk of a store's database has room for SQLite's files beside it."""
    if os.path.exists(path + "-shm") or not hasattr(os, "statvfs"):
        return True
    try:
        disk = os.statvfs(os.path.dirname(path))
    except OSError:
        return True
    return disk.f_bavail * disk.f_frsize >= ROOM_BYTES or not disk.f_blocks


def refuse_link(path: str) -> None:
    """Raise StoreUnusable when `path` is a symbolic link: it could lead anywhere."""
    if os.path.islink(path):
        raise StoreUnusable(
            f"{path} is a symbolic link, which memdeck does not follow.",
            hint=f"Remove it: `rm '{path}'`. If memdeck's own files are in its target, move"
            f" {os.path.realpath(path)} to its place.",
        )


def create_private(path: str) -> None:
    """Make `path` an empty file with mode 0600 unless it exists; links are refused."""
    refuse_link(path)
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0)
    try:
        os.close(os.open(path, flags, 0o600))
    except FileExistsError:
        if stat.S_IMODE(os.stat(path).st_mode) & 0o077:
            os.chmod(path, 0o600)


def try_lock(handle: int) -> bool:
    """Take the lock of an open file, if it is free; closing the file releases it."""
    try:
        import fcntl
    except ImportError:  # Windows
        return _try_lock_windows(handle)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _try_lock_windows(handle: int) -> bool:
    import msvcrt

    try:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    except OSError:
        return False
    return True


def replace_file(path: str, data: bytes, mode: int) -> None:
    """Give a file other bytes in one step, durably; its folder is made if need be."""
    os.makedirs(folder := os.path.dirname(path), mode=0o700, exist_ok=True)
    draft = f"{folder}/.memdeck-{os.getpid()}.tmp"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    try:
        with open(os.open(draft, flags, 0o600), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(draft, mode)
        os.replace(draft, path)
    finally:
        if os.path.lexists(draft):
            os.unlink(draft)
    sync_folder(folder)


def sync_folder(path: str) -> None:
    """Make the names in a folder survive a power cut."""
    if sys.platform == "win32":
        return  # folders cannot be synced there
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def home_at(db_path: str | os.PathLike[str] | Home | None) -> tuple[Home, Callable[[], None]]:
    """Return the home of a database's path, and the function that deletes a temporary one.

    A home, the `memory.db` in it, or `":memory:"`: a temporary folder of its own.
    Raises BadInput for a database by another name.
    """
    if isinstance(db_path, Home):
        return db_path, _stay
    path = os.fspath(db_path) if db_path is not None else ""
    if path == ":memory:":
        import shutil  # none of these is needed by a hook
        import tempfile
        from functools import partial

        folder = tempfile.mkdtemp(prefix="memdeck-")
        return Home(folder), partial(shutil.rmtree, folder, ignore_errors=True)
    folder, name = os.path.split(path)
    if name == "memory.db":
        return Home(folder or "."), _stay
    if name.endswith(".db"):
        hint = "Name a folder, in which the store's files lie together."
        raise BadInput(f"A store's database is called memory.db, not {name[:60]!r}.", hint=hint)
    return Home(path or None), _stay


def _stay() -> None:
    """Keep the home: the default for one that is not temporary."""
