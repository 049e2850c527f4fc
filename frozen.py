"""Frozen values for code that must start fast: `dataclass`, `NamedTuple`.

An agent waits for a hook, the user for a command. `dataclasses` brings `inspect`, and compiles six
methods a class, which costs with `typing` as much as two bare interpreters. Here nothing is
compiled for a data class. Type checkers see the libraries' own; `asdict` and `fields` work.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dataclasses import dataclass, field, replace
    from typing import NamedTuple
else:
    from collections import namedtuple

    class _Fresh:
        """A default that is made for each value."""

        def __init__(self, maker):
            self.maker = maker

    def field(*, default_factory):
        """A field whose default is the result of `default_factory()`."""
        return _Fresh(default_factory)

    def dataclass(*, frozen, slots):
        """Make a class's annotations its frozen slots, as `dataclasses.dataclass` does.

        `frozen` and `slots` must be True; the library makes values of other kinds.
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
            "__dataclass_fields__": _Fields(),
            **{name: method for name, method in _METHODS.items() if name not in own},
        }
        return type(cls)(cls.__name__, cls.__bases__, own)

    def replace(value, **changes):
        """A value of the same class with these fields changed; a library's own as well."""
        retained = {
            name: getattr(value, name) for name in value.__match_args__ if name not in changes
        }
        return type(value)(**retained, **changes)

    _OF_THE_CLASS = ("__dict__", "__weakref__")

    _set = object.__setattr__

    def _init(qualname, names, defaults):
        """`__init__` with these parameters."""

        def __init__(self, *arguments, **named):
            values = {**defaults, **dict(zip(names, arguments, strict=False)), **named}
            if len(values) != len(names) or len(arguments) + len(named) > len(names):
                raise TypeError(f"{qualname} takes {', '.join(names)}.")
            for name, value in values.items():
                _set(self, name, value.maker() if type(value) is _Fresh else value)

        return __init__

    def _values(value):
        return tuple(getattr(value, name) for name in value.__slots__)

    def _repr(self):
        visible = (f"{name}={getattr(self, name)!r}" for name in self.__slots__)
        return f"{type(self).__qualname__}({', '.join(visible)})"

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
        """The fields for `dataclasses`, made on request, without their defaults."""

        def __get__(self, value, cls):
            import dataclasses

            twin = dataclasses.make_dataclass(cls.__name__, cls.__annotations__.items())
            cls.__dataclass_fields__ = fields = twin.__dataclass_fields__
            return fields

    class _NamedTuples(type):
        """Makes a named tuple of a class whose base is `NamedTuple`."""

        def __new__(mcs, name, bases, own):
            if not bases:
                return super().__new__(mcs, name, bases, own)
            names = own["__annotations__"]
            defaults = [own.pop(field) for field in names if field in own]
            made = namedtuple(name, names, defaults=defaults, module=own["__module__"])
            for field, value in own.items():
                setattr(made, field, value)
            return made

    class NamedTuple(metaclass=_NamedTuples):
        """A base that makes a class a tuple with names, as `typing.NamedTuple` does."""


__all__ = ["NamedTuple", "dataclass", "field", "replace"]
