"""The registry of the agents' hosts, which the package hands over to core.

Core imports no host. `memdeck/__init__.py` hands over the module `hosts/registry.py`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

GUARD = "MEMDECK_GUARD"  # set for whatever runs on our behalf: a hook that sees it ends at once

registry: Any  # the hosts by name, each with its wire, and functions over all of them
