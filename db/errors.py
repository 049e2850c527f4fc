"""The errors that memdeck shows to the user.

`ManagerError` means "show me": the CLI prints message and hint, the app shows a notice.
Anything else that escapes is a bug and keeps its traceback.
"""

from __future__ import annotations

import errno

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self


class ManagerError(Exception):
    """An error that the user can understand and act upon."""

    hint = ""
    exit_code = 1

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        if hint is not None:
            self.hint = hint


class NotFound(ManagerError):
    """Nothing carries that name."""

    hint = "`memdeck list` shows what there is."


class Ambiguous(ManagerError):
    """More than one thing carries that name."""

    hint = "Give more characters of the id."

    @classmethod
    def among(cls, ref: str, ids: Sequence[str]) -> Self:
        """Return the error for a `ref` of several ids. It names five, each by a unique prefix."""
        some = ids[:5]
        lengths = range(7, max(map(len, some)))
        enough = next(
            (end for end in lengths if len({item[:end] for item in some}) == len(some)), None
        )
        more = " or another one" if len(ids) > len(some) else ""
        return cls(f"{ref!r} could be {', '.join(item[:enough] for item in some)}{more}.")


class Refused(ManagerError):
    """A rule forbids it; the message says which."""


class StaleEdit(Refused):
    """The memory was changed since it was read."""

    hint = "Look at the newer text, then edit again."


class BadInput(ManagerError):
    """An input is not valid."""


class StoreUnusable(ManagerError):
    exit_code = 3
    hint = "Run `memdeck doctor`."


class StoreBusy(StoreUnusable):
    """Another process kept the store locked for longer than we wait."""

    hint = "Close other programs that are writing and try again."


class StoreFull(StoreUnusable):
    """The disk is full."""

    hint = "Free some space and try again. Nothing that was acknowledged is lost."


class StoreDamaged(StoreUnusable):
    """The database file is damaged."""

    hint = "Run `memdeck rebuild`, which repairs journal and database, each from the other."


class StoreOutdated(StoreDamaged):
    """The database is of an older memdeck: it is made again from the journal."""


class StoreReadOnly(StoreUnusable):
    """The store can be read from here, and not be written."""

    hint = (
        "In an agent's sandbox: let the command run outside it, or let the sandbox write there"
        " (`sandbox_workspace_write.writable_roots` in Codex's config.toml). Elsewhere check the"
        " folder's permissions."
    )

    def __init__(self, path: str, *, hint: str | None = None) -> None:
        message = f"The store in {path} can only be read from here. Nothing was changed."
        super().__init__(message, hint=hint)


class StoreNewer(StoreUnusable):
    hint = "Upgrade memdeck. The store was left untouched."


class WrongThread(ManagerError):
    """A coordinator was used in another thread than the one that opened it."""

    hint = "Open one in each thread with `open_memory`. Only `interrupt()` works across threads."


class ConsentNeeded(Refused):
    """The user has to confirm this, and the caller cannot ask the user."""

    hint = "Nothing was changed. In Python, pass a `confirmation_callback`."

    def __init__(self, question: str, *, is_agents: bool = False) -> None:
        reason = "This needs confirmation: run it in a terminal, or pass `--yes`."
        if is_agents:
            reason = "An agent cannot agree."
            self.hint = "Ask the user to run it in a terminal."
        super().__init__(f"{question} {reason}")
        self.question = question


def of_the_system(error: OSError, what: str) -> StoreUnusable:
    """Return the error for the user with the system's reason; `what` names the file or folder."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return StoreFull("The disk is full, and the change was not made.")
    return StoreUnusable(f"{what} cannot be used: {error.strerror}.")
