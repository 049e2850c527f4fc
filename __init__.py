"""memdeck: the memory manager for coding agents.

The public names are loaded when they are first used, so that a hook that only needs
one room does not pay for the house.

    from memdeck import open_memory

    with open_memory(project=".") as memory:
        memory.remember("Integration tests need `make test-db` first.")
        print(memory.recall("run the integration tests").text)
"""

from __future__ import annotations

__version__ = "0.1.0"
__all__ = [
    "Ambiguous",
    "BadInput",
    "ConsentNeeded",
    "ManagerError",
    "MemoryCoordinator",
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
    "__version__",
    "open_memory",
]

_TYPES = ("MemoryType", "determine_memory_type")
_PIPELINES = (
    *("StoragePipeline", "AgentReviewResult", "store_memory", "filter_trivial"),
    *("RetrievalPipeline", "MemoryQuery", "TokenBudget", "retrieve_relevant", "inject_context"),
    *("AgentReviewCoordinator", "ReviewDecision", "aggregate_decisions"),
)
"""What the designs call by these names (000-08), and where it is."""

_BROUGHT = {
    "Kind": "extensions",
    "Strategy": "retrieval.rerankers",
    **dict.fromkeys(("BUILT_IN", "Subject", "Vote"), "review.reviewer"),
}
"""What a package of one's own is made of (docs/extending.md), and where it is in `core`."""

TYPE_CHECKING = False  # importing typing would cost every hook some milliseconds
if TYPE_CHECKING:
    from typing import Any

    from .core.compat import MemoryCoordinator, open_memory
    from .core.errors import (
        Ambiguous,
        BadInput,
        ConsentNeeded,
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
        WrongThread,
    )


def __getattr__(name: str) -> Any:
    if name in {"MemoryCoordinator", "open_memory"}:
        from .core import compat as coordinator

        return getattr(coordinator, name)
    if name in __all__:
        from .core import errors

        return getattr(errors, name)
    if name in _TYPES:
        from .core import memory_types

        return getattr(memory_types, name)
    if name in _PIPELINES:
        from .core import pipelines

        return getattr(pipelines, name)
    if name in _BROUGHT:
        from importlib import import_module

        return getattr(import_module(f"{__name__}.core.{_BROUGHT[name]}"), name)
    raise AttributeError(f"module 'memdeck' has no attribute {name!r}")
