"""A service's act as one of the coordinator's: in its own thread, asked for, with our errors."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from ..db.connection import mapped_errors

if TYPE_CHECKING:
    from .compat import MemoryCoordinator
    from .memdeck import Memdeck

S = TypeVar("S")
T = TypeVar("T")
P = ParamSpec("P")


def act_here(
    act: Callable[Concatenate[MemoryCoordinator, P], T],
) -> Callable[Concatenate[MemoryCoordinator, P], T]:
    """`act`, refused in a foreign thread, and with the database's errors turned into ours.

    What every project is told by it is asked for (`core/consent.py`).
    """

    @wraps(act)
    def acted(core: MemoryCoordinator, /, *given: P.args, **named: P.kwargs) -> T:
        core.context.must_be_own_thread()
        with mapped_errors():
            return core.context.consent.asked(lambda: act(core, *given, **named))

    return acted


def act_of(
    service: Callable[[Memdeck], S], act: Callable[Concatenate[S, P], T]
) -> Callable[Concatenate[MemoryCoordinator, P], T]:
    """A service's act as one of the coordinator's: same signature, same docstring."""

    @wraps(act)
    def acted(core: MemoryCoordinator, /, *given: P.args, **named: P.kwargs) -> T:
        return act(service(core.services), *given, **named)

    return act_here(acted)
