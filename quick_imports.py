"""Our own modules found at the first look, while an agent or a person waits for a process of ours.

The interpreter's finder asks each folder of its path for each name, and joins and splits a dozen
paths a module, in Python. Here the compiled file is opened where the interpreter keeps it; what is
not just so (none is there, or one of another source, form or version) is left to the interpreter.
"""

from __future__ import annotations

import os
import sys
from _frozen_importlib_external import (  # there before `importlib`, and without it
    MAGIC_NUMBER,
    SourceFileLoader,
)
from _thread import allocate_lock
from marshal import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import CodeType, ModuleType
else:
    ModuleSpec, ModuleType = type(__spec__), type(sys)

_OURS = f"{__package__}."
_ENDING = f".{sys.implementation.cache_tag}.pyc"
_COMPILED = MAGIC_NUMBER + bytes(4)  # how a file begins that is held against its source
_HEAD_BYTES = 16  # that, and the source's time and size
_WORD = 0xFFFF_FFFF  # both are noted in 32 bits
_MOST_BYTES = 1024 * 1024  # a compiled file has some thousands: one call reads it
_FLAGS = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def install() -> None:
    """Find our own modules here from now on, in a process that is ours alone."""
    if not (sys.flags.optimize or sys.pycache_prefix):
        sys.meta_path.insert(0, Finder)


class Finder:
    """Finds the compiled file of a module of ours, if it stands beside its source and fits it."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """How to load the module; None where the interpreter has to look for it."""
        if not path or not name.startswith(_OURS):
            return None
        folder, word = path[0], name.rpartition(".")[2]
        place = f"{folder}/{word}"
        return _spec(name, folder, word, None) or _spec(name, place, "__init__", [place])


def _spec(name: str, folder: str, word: str, inside: list[str] | None) -> ModuleSpec | None:
    source, cached = f"{folder}/{word}.py", f"{folder}/__pycache__/{word}{_ENDING}"
    try:
        handle = os.open(cached, _FLAGS)
        try:
            data = os.read(handle, _MOST_BYTES)
        finally:
            os.close(handle)
        facts = os.stat(source)
    except OSError:
        return None
    stamp = (int(facts.st_mtime) & _WORD) | (facts.st_size & _WORD) << 32
    is_it = data[:_HEAD_BYTES] == _COMPILED + stamp.to_bytes(8, "little")
    if not is_it or len(data) == _MOST_BYTES:
        return None
    found = ModuleSpec(name, Loader(name, source, data), origin=source)
    found.submodule_search_locations = inside
    found.has_location, found.cached = True, cached
    return found


class Loader(SourceFileLoader):
    """The interpreter's own, with the compiled file at hand."""

    def __init__(self, name: str, path: str, data: bytes) -> None:
        self.name, self.path, self._data = name, path, data

    def get_code(self, fullname: str) -> CodeType | None:
        data, self._data = self._data, b""
        return loads(memoryview(data)[_HEAD_BYTES:]) if data else super().get_code(fullname)


_ASKING = allocate_lock()

LATER = ("calendar", "hashlib", "inspect", "platform", "socket", "textwrap")
"""What click and Peewee import, and use for what seldom comes: an eighth of a short command."""


def put_off(names: Sequence[str] = LATER) -> None:
    """Load these modules of the library when something is asked of them, not when imported."""
    for name in names:
        sys.modules.setdefault(name, Later(name))


class Later(ModuleType):
    """Stands for a module until it is asked for anything, and hands out what that has."""

    def __getattr__(self, name: str) -> object:
        own: str = self.__name__
        if name == "__path__":  # what `from inspect import …` asks first: none is a package
            raise AttributeError(name)
        return _AT_ONCE.get(f"{own}.{name}") or getattr(self._itself(), name)

    def _itself(self) -> ModuleType:
        own: str = self.__name__
        with _ASKING:
            if sys.modules.get(own) is self:
                del sys.modules[own]
        __import__(own)
        return sys.modules[own]


def _cleandoc(doc: str) -> str:
    """`inspect.cleandoc`; a line by itself has no margin to look for."""
    if "\n" not in doc and "\t" not in doc:
        return doc.lstrip()
    import inspect

    found: str = (inspect._itself() if type(inspect) is Later else inspect).cleandoc(doc)
    return found


_AT_ONCE = {
    "inspect.cleandoc": _cleandoc,
    "inspect.isclass": lambda one: isinstance(one, type),
    **({"platform.system": lambda: os.uname().sysname} if hasattr(os, "uname") else {}),
}
"""All that is asked of them while click, Peewee and `uuid` are loaded, and the same answers."""
