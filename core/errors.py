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
    StoreUnusable,
)

__all__ = [
    "Ambiguous",
    "BadInput",
    "ManagerError",
    "NotFound",
    "Refused",
    "StaleEdit",
    "StoreBusy",
    "StoreDamaged",
    "StoreFull",
    "StoreNewer",
    "StoreUnusable",
]
