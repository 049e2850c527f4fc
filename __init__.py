"""memdeck: the memory manager for coding agents.

The public names are loaded when they are first used, so that a hook does not wait for all of it.

    from memdeck import open_memory

    with open_memory(project=".") as memory:
        memory.remember("Integration tests need `make test-db` first.")
        print(memory.recall("run the integration tests").text)
"""

from __future__ import annotations

from .core import hosts as _core_hosts
from .hosts import registry as _registry

__version__ = "0.1.0"
_MODULES = {
    "core.compat": ("MemoryCoordinator", "open_memory"),
    "core.answers": ("Capture", "Envelope", "Neighbour", "Salience", "StoreResult"),
    "core.backends": (
        *("ContextItem", "MemoryBackend", "InMemoryBackend", "JsonFileBackend", "SqliteBackend"),
        *("PostgresBackend", "CoreBackend", "open_backend"),
    ),
    "core.extensions": ("Kind",),
    "core.ingest.kinds": ("MemoryType", "determine_memory_type"),
    "core.models.reviewers": ("BUILT_IN", "Subject", "Vote"),
    "core.pipelines": (
        *("StoragePipeline", "AgentReviewResult", "store_memory", "filter_trivial"),
        *("RetrievalPipeline", "MemoryQuery", "TokenBudget", "retrieve_relevant", "inject_context"),
        *("AgentReviewCoordinator", "ReviewDecision", "aggregate_decisions"),
        *("UserPromptSubmitHandler", "SessionStopHandler", "TodoCompleteHandler"),
        *("detect_agent_references", "register_hooks"),
    ),
    "core.recall.ranking": ("Strategy",),
    "core.services.receipts": ("Receipt",),
    "core.stores": (
        *("TaskMemoryStore", "ProjectMemoryStore", "GlobalMemoryStore"),
        *("ContextAssembler", "ContextRequest", "ContextPackage"),
    ),
    "core.values": ("Hit", "Injection", "Memory", "Origin"),
    "db.errors": (
        *("Ambiguous", "BadInput", "ConsentNeeded", "ManagerError", "NotFound", "Refused"),
        *("StaleEdit", "StoreBusy", "StoreDamaged", "StoreFull", "StoreNewer", "StoreReadOnly"),
        *("StoreUnusable", "WrongThread"),
    ),
}
"""Public names by module: errors, values (docs/reference/python.md), parts of packages
(docs/reference/extensions.md), and the names of the designs."""

_PLACES = {name: module for module, names in _MODULES.items() for name in names}
__all__ = ["__version__", *_PLACES]

TYPE_CHECKING = False  # importing typing would cost every hook some milliseconds
if TYPE_CHECKING:
    from typing import Any

    from .core.answers import Capture as Capture
    from .core.answers import Envelope as Envelope
    from .core.answers import Neighbour as Neighbour
    from .core.answers import Salience as Salience
    from .core.answers import StoreResult as StoreResult
    from .core.compat import MemoryCoordinator as MemoryCoordinator
    from .core.compat import open_memory as open_memory
    from .core.extensions import Kind as Kind
    from .core.models.reviewers import BUILT_IN as BUILT_IN
    from .core.models.reviewers import Subject as Subject
    from .core.models.reviewers import Vote as Vote
    from .core.recall.ranking import Strategy as Strategy
    from .core.services.receipts import Receipt as Receipt
    from .core.values import Hit as Hit
    from .core.values import Injection as Injection
    from .core.values import Memory as Memory
    from .core.values import Origin as Origin
    from .db.errors import Ambiguous as Ambiguous
    from .db.errors import BadInput as BadInput
    from .db.errors import ConsentNeeded as ConsentNeeded
    from .db.errors import ManagerError as ManagerError
    from .db.errors import NotFound as NotFound
    from .db.errors import Refused as Refused
    from .db.errors import StaleEdit as StaleEdit
    from .db.errors import StoreBusy as StoreBusy
    from .db.errors import StoreDamaged as StoreDamaged
    from .db.errors import StoreFull as StoreFull
    from .db.errors import StoreNewer as StoreNewer
    from .db.errors import StoreReadOnly as StoreReadOnly
    from .db.errors import StoreUnusable as StoreUnusable
    from .db.errors import WrongThread as WrongThread


_core_hosts.registry = _registry


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'memdeck' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
