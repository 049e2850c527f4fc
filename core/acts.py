"""A service's act as one of the coordinator's: in its own thread, asked for, with our errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from importlib import import_module
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar, cast

from ..db.connection import mapped_errors
from .errors import BadInput

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
    def acted(core: MemoryCoordinator, /, *args: P.args, **named: P.kwargs) -> T:
        core.context.must_be_own_thread()
        with mapped_errors():
            return core.context.consent.asked(lambda: act(core, *args, **named))

    return acted


class Later:
    """A service's class, imported when one of its acts is first looked at.

    It stands for the class where acts are named: `Later("search.Search").find` is the act that is
    meant. Whoever opens a store to look at a list waits for no module that takes sessions in.
    """

    def __init__(self, where: str) -> None:
        self._where = where  # module and class, below `services`

    def __getattr__(self, act: str) -> _Meant:
        return _Meant(self._where, act)


class _Meant:
    """An act of a service whose module may not be loaded yet."""

    def __init__(self, where: str, act: str) -> None:
        self._where, self._act = where, act

    def found(self) -> Callable[..., Any]:
        module, name = self._where.split(".")
        service = getattr(import_module(f"{__package__}.services.{module}"), name)
        return cast("Callable[..., Any]", getattr(service, self._act))


LATER = {
    where.rpartition(".")[2]: Later(where)
    for where in """
        audit.Audit
        curation.Curation ingest.Captures
        maintenance.Maintenance past.Past
        preferences.Preferences profile.ProfileBook
        recall.Recall receipts.Receipts review.Review
        search.Search secrets.Sweep
        sessions.Sessions suggestions.Suggestions summaries.Summaries
        transfer.Imports working_memory.WorkingMemory worth.Worths
    """.split()
}
"""What stands for the services' classes whose acts the coordinator names, by their names."""


class _ActOf:
    """An act in the class of who names it, until it is first looked at; then what was meant."""

    def __init__(self, made: Callable[[], Callable[..., Any]]) -> None:
        self._made = made

    def __set_name__(self, owner: type, name: str) -> None:
        self._owner, self._name = owner, name

    def __get__(self, core: object, owner: type) -> Any:
        act = self._made()
        setattr(self._owner, self._name, act)
        return act if core is None else act.__get__(core, owner)


def _must_fit(
    act: Callable[..., Any], values: Sequence[Any], named: Mapping[str, Any], error: Exception
) -> None:
    """Raise BadInput where an act broke since it was given no text for a text, or None."""
    kinds = {name: str(kind) for name, kind in act.__annotations__.items() if name != "return"}
    for name, value in (*zip(kinds, values, strict=False), *named.items()):
        kind = kinds.get(name, "Any")
        is_missing = value is None and kind not in ("Any", "object") and "None" not in kind
        if is_missing or (kind == "str" and not isinstance(value, str)):
            wanted = "a text" if kind == "str" else f"a value of the kind {kind}"
            raise BadInput(
                f"{name} cannot be {value!r:.60}.",
                hint=f"Give {wanted}: `help(memory.{act.__name__})` says more.",
            ) from error


def act_of(
    service: Callable[[Memdeck], S], act: Callable[Concatenate[S, P], T]
) -> Callable[Concatenate[MemoryCoordinator, P], T]:
    """A service's act as one of the coordinator's: same signature, same docstring.

    `act` is a method of the service's class, or of what stands for it until then (`Later`).
    """

    def made() -> Callable[..., Any]:
        targets = act.found() if isinstance(act, _Meant) else act

        @wraps(targets)
        def acted(core: MemoryCoordinator, /, *values: Any, **named: Any) -> Any:
            try:
                return targets(service(core.services), *values, **named)
            except (TypeError, AttributeError) as error:
                _must_fit(targets, values, named, error)
                raise

        return act_here(acted)

    return cast("Callable[Concatenate[MemoryCoordinator, P], T]", _ActOf(made))
