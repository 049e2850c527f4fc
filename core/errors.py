"""The errors a door may meet, under one roof: `ManagerError` means "show me"."""

from ..db.errors import (
    Ambiguous,
    BadInput,
    ManagerError,
    NotFound,
    Refused,
    StaleEdit,
    StoreBusy,
    StoreDamaged,
    StoreFull,
    StoreNewer,
    StoreReadOnly,
    StoreUnusable,
)


class WrongThread(ManagerError):
    """A coordinator was used in another thread than the one that opened it."""

    hint = "Open one in each thread with `open_memory`. Only `interrupt()` works across threads."


class ConsentNeeded(Refused):
    """A person has to say yes to this, and nobody was there to be asked."""

    hint = "Nothing was changed. A program passes a `confirmation_callback`."

    def __init__(self, question: str, *, is_agents: bool = False) -> None:
        reason = "This needs confirmation: run it in a terminal, or pass `--yes`."
        if is_agents:
            reason = "An agent cannot agree."
            self.hint = "Ask the user to run it in a terminal."
        super().__init__(f"{question} {reason}")
        self.question = question


__all__ = [
    "Ambiguous",
    "BadInput",
    "ConsentNeeded",
    "ManagerError",
    "NotFound",
    "Refused",
    "StaleEdit",
    "StoreBusy",
    "StoreDamaged",
    "StoreFull",
    "StoreNewer",
    "StoreReadOnly",
    "StoreUnusable",
    "WrongThread",
]
