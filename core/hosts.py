"""What core asks of the agents' hosts: a registry that the package hands over.

Core imports no host. `memdeck/__init__.py` hands over `hosts/registry.py`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Protocol

    from .models.client import Dialect
    from .sessions.transcript import Transcript

    class Host(Protocol):
        """What core asks a host for."""

        @property
        def name(self) -> str:
            """In settings, on command lines, in the store."""

        @property
        def transcript(self) -> Transcript:
            """How its session files are read."""

        @property
        def headless(self) -> Dialect | None:
            """How it is asked one question; None where that is not known."""

    class Registry(Protocol):
        """The hosts by name."""

        def names(self) -> tuple[str, ...]:
            """The names of all hosts, in the order of the alphabet."""

        def wire(self, name: str) -> Any:
            """The module that speaks the dialect of the host of this name; None without one."""

        def host(self, name: str) -> Host | None:
            """The host of this name; None where there is none."""

        def hosts(self) -> Sequence[Host]:
            """All hosts, in the order of their names."""

        def sources(self) -> Any:
            """The module of what agents remember by themselves: `SOURCES` and what finds them."""

        def upwards(self, folder: str) -> list[str]:
            """The folder and those above it, up to its checkout."""

        def loaded(self, name: str, folder: str, root: str) -> dict[str, str]:
            """What a host loads by itself at a start in `folder`: by path, the text."""

        def shell(self, environ: Mapping[str, str]) -> Any:
            """The agent in whose shell we run: its `hosts`, `folder` and `session`."""


GUARD = "MEMDECK_GUARD"  # set for whatever runs on our behalf: a hook that sees it ends at once
registry: Registry  # the hosts that there are
