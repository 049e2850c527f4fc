"""Frozen values for what a hook imports, at a fraction of the cost: `dataclass`, `NamedTuple`.

An agent waits for a hook. `dataclasses` brings `inspect`, and compiles six methods a class; that
and `typing` cost as much as two bare interpreters. What is made here is the same to its users:
type checkers see the libraries' own, and `dataclasses.fields` and `asdict` work. What no hook
imports uses the libraries.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dataclasses import dataclass, field, replace
    from typing import NamedTuple
else:
    from collections import namedtuple

    class _Fresh:
        """A default that each value gets anew."""

        def __init__(self, maker):
            self.maker = maker

    def field(*, default_factory):
        """A field whose default is what `default_factory()` gives."""
        return _Fresh(default_factory)

    def dataclass(*, frozen, slots):
        """Make a class's annotations its frozen slots, as `dataclasses.dataclass` does.

        `frozen` and `slots` must be True; what a value can be otherwise, the library makes.
        """
        if not (frozen and slots):
            raise TypeError("Only frozen values with slots are made here.")
        return _made

    def _made(cls):
        names = tuple(cls.__annotations__)
        own = {name: value for name, value in vars(cls).items() if name not in _OF_THE_CLASS}
        defaults = {name: own.pop(name) for name in names if name in own}
        own |= {
            "__slots__": names,
            "__match_args__": names,
            "__qualname__": cls.__qualname__,
            "__init__": _init(cls.__qualname__, names, defaults),
            "__dataclass_fields__": _Fields(names, defaults),
            **_METHODS,
        }
        return type(cls)(cls.__name__, cls.__bases__, own)

    def replace(value, **changes):
        """A value of the same class with these fields changed; a library's own as well."""
        kept = {name: getattr(value, name) for name in value.__match_args__ if name not in changes}
        return type(value)(**kept, **changes)

    _OF_THE_CLASS = ("__dict__", "__weakref__")

    def _init(qualname, names, defaults):
        """`__init__` with these parameters, the only method that must be compiled."""
        given = [f"{name}=_d[{name!r}]" if name in defaults else name for name in names]
        lines = [
            f" _set(self, {name!r}, {name} if {name} is not _d[{name!r}] else _d[{name!r}].maker())"
            if isinstance(defaults.get(name), _Fresh)
            else f" _set(self, {name!r}, {name})"
            for name in names
        ]
        scope = {"_set": object.__setattr__, "_d": defaults}
        exec(f"def __init__(self, {', '.join(given)}):\n" + "\n".join(lines), scope)
        scope["__init__"].__qualname__ = f"{qualname}.__init__"
        return scope["__init__"]

    def _values(value):
        return tuple(getattr(value, name) for name in value.__slots__)

    def _repr(self):
        shown = (f"{name}={getattr(self, name)!r}" for name in self.__slots__)
        return f"{type(self).__qualname__}({', '.join(shown)})"

    def _eq(self, other):
        return _values(self) == _values(other) if type(other) is type(self) else NotImplemented

    def _hash(self):
        return hash(_values(self))

    def _refuse(_self, name, *_value):
        from dataclasses import FrozenInstanceError

        raise FrozenInstanceError(f"{name!r} is frozen: make another value with `replace`.")

    def _reduce(self):
        return type(self), _values(self)

    _METHODS = {
        "__repr__": _repr,
        "__eq__": _eq,
        "__hash__": _hash,
        "__setattr__": _refuse,
        "__delattr__": _refuse,
        "__reduce__": _reduce,
    }

    class _Fields:
        """What `dataclasses` asks of a class: made by itself, of a twin, when it is asked for."""

        def __init__(self, names, defaults):
            self._names, self._defaults = names, defaults

        def __get__(self, value, cls):
            import dataclasses

            kinds = cls.__annotations__
            twin = dataclasses.make_dataclass(
                cls.__name__,
                [(name, kinds[name], *self._default(name, dataclasses)) for name in self._names],
            )
            fields = twin.__dataclass_fields__
            cls.__dataclass_fields__ = fields
            return fields

        def _default(self, name, dataclasses):
            if name not in self._defaults:
                return ()
            default = self._defaults[name]
            if isinstance(default, _Fresh):
                return (dataclasses.field(default_factory=default.maker),)
            return (dataclasses.field(default=default),)

    class _NamedTuples(type):
        """Makes a named tuple of a class whose base is `NamedTuple`."""

        def __new__(mcs, name, bases, own):
            if not bases:
                return super().__new__(mcs, name, bases, own)
            fields = own.get("__annotations__", {})
            defaults = [own.pop(field) for field in fields if field in own]
            made = namedtuple(name, fields, defaults=defaults, module=own["__module__"])
            for key, value in own.items():
                if key not in ("__module__", "__slots__"):
                    setattr(made, key, value)
            return made

    class NamedTuple(metaclass=_NamedTuples):
        """A base that makes a class a tuple with names, as `typing.NamedTuple` does."""


__all__ = ["NamedTuple", "dataclass", "field", "replace"]
