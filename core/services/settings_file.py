"""The home's `config.toml` as a program changes it: whole or not at all, and back with an undo.

Without the library that checks settings: every undo passes here.
"""

from __future__ import annotations

import os
import stat
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from ..config.toml_text import Unwritable, place_of, read_bytes, text_at, with_value
from ..errors import BadInput, Refused

if TYPE_CHECKING:
    from ...db.store import Allowed
    from ..context import Context

FILE = "file|"
"""How the key of a settings row begins that stands for a value in the home's file."""


class SettingsFile:
    """One file of settings, which need not be there."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._stood: str | None = None  # its text before the first change of ours

    def read(self) -> str:
        """Its text; "" where it is not there. Raises BadInput where it is no TOML."""
        try:
            text = read_bytes(self.path).decode("utf-8")
            tomllib.loads(text)
        except FileNotFoundError:
            return ""
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
            raise BadInput(
                f"{self.path} is not valid TOML: {error}", hint="Correct it there."
            ) from error
        except OSError as error:
            raise BadInput(
                f"{self.path} cannot be read: {error.strerror or error}.",
                hint="Check its permissions.",
            ) from error
        return text

    def put(self, place: str, *, expected: str | None, value: str | None) -> None:
        """Let it say `value`, as TOML, at `place`, where it says `expected`; None is nothing.

        Raises Refused where it says something else, or can only be changed by a person.
        """
        text, at = self.read(), place_of(place)
        if not same(text_at(text, at), expected):
            raise Refused(
                f"`{place}` says something else in {os.path.basename(self.path)}: it was changed"
                " by hand since.",
                hint="Change it there, or in the Settings.",
            )
        try:
            changed = with_value(text, at, value)
        except Unwritable:
            raise Refused(
                f"`{place}` is written in a way that only a person can change.",
                hint=f"Change it in {self.path}.",
            ) from None
        if self._stood is None:
            self._stood = text
        self._write(changed)

    def _write(self, text: str) -> None:
        """Its text anew; a new file is private. Raises Refused."""
        real = os.path.realpath(self.path)  # a link to a person's own collection stays one
        draft = f"{real}.{os.getpid()}"
        try:
            mode = stat.S_IMODE(os.stat(real).st_mode) if os.path.exists(real) else 0o600
            handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
            with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(draft, mode)
            os.replace(draft, real)
        except OSError as error:
            with suppress(OSError):
                os.unlink(draft)
            raise Refused(
                f"{self.path} cannot be written: {error.strerror}.", hint="Check its permissions."
            ) from error

    @contextmanager
    def restored_on_failure(self) -> Iterator[None]:
        """As it was before our changes, where what is done in here fails: the journal did not
        take it."""
        try:
            yield
        except BaseException:
            if self._stood is not None:
                with suppress(Refused):
                    self._write(self._stood)
            raise


@contextmanager
def following(context: Context) -> Iterator[Allowed]:
    """What an undo may write, and the home's file with it: both change, or neither."""
    file = SettingsFile(context.home.config)
    followed = False

    def allowed(rows: list[dict[str, Any]]) -> None:
        nonlocal followed
        context.consent.must_cover(rows)
        for row in rows:
            if row["table"] == "setting" and row["key"].startswith(FILE):
                _follow(file, row)
                followed = True

    with file.restored_on_failure():
        yield allowed
    if followed:
        context.read_policy_anew()


def _follow(file: SettingsFile, row: Mapping[str, Any]) -> None:
    """Let the file say what the row says after this change."""
    before, after = row["before"], row["after"]
    file.put(
        row["key"].removeprefix(FILE),
        expected=before["value"]["now"] if before else after["value"]["before"],
        value=after["value"]["now"] if after else before["value"]["before"],
    )


def same(one: str | None, other: str | None) -> bool:
    """Whether two values in TOML say the same, however they are written."""
    if one is None or other is None:
        return one is other
    return bool(tomllib.loads(f"v = {one}") == tomllib.loads(f"v = {other}"))
