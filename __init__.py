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
__all__ = ["MemoryCoordinator", "__version__", "open_memory"]

TYPE_CHECKING = False  # importing typing would cost every hook some milliseconds
if TYPE_CHECKING:
    from typing import Any

    from .core.compat import MemoryCoordinator, open_memory


def __getattr__(name: str) -> Any:
    if name in {"MemoryCoordinator", "open_memory"}:
        from .core import compat as coordinator

        return getattr(coordinator, name)
    raise AttributeError(f"module 'memdeck' has no attribute {name!r}")
