"""Frozen values for what somebody waits for: `dataclass`, `NamedTuple`; `TypedDict` for rows.

An agent waits for a hook, a person for a command. `dataclasses` brings `inspect`, and compiles six
methods a class; that and `typing` cost as much as two bare interpreters. `namedtuple` compiles one.
Here nothing is compiled before a class has made `MANY` values, as it seldom does in a hook; until
then they are put together. What is made here is the same to its users: type checkers see the
libraries' own; `asdict`, `fields` and `inspect.signature` work. What is loaded later than the first
words of a hook, a command or the app uses the libraries.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dataclasses import dataclass, field, replace
    from typing import NamedTuple, TypedDict
else:
    from operator import itemgetter

    try:
        from _collections import _tuplegetter as _getter
    except ImportError:  # another interpreter than CPython

        def _getter(place, _doc):
            return property(itemgetter(place))

    MANY = 200
    """Values of a class from which on the method that makes them is worth its compilation."""

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
            "__init__": _first_init(lambda: made, names, defaults),
            "__dataclass_fields__": _Fields(names, defaults),
            "__signature__": _Signature(lambda: _init(cls.__qualname__, names, defaults)),
            **{name: method for name, method in _METHODS.items() if name not in own},
        }
        made = type(cls)(cls.__name__, cls.__bases__, own)
        return made

    def replace(value, **changes):
        """A value of the same class with these fields changed; a library's own as well."""
        retained = {
            name: getattr(value, name) for name in value.__match_args__ if name not in changes
        }
        return type(value)(**retained, **changes)

    _OF_THE_CLASS = ("__dict__", "__weakref__")

    def _first_init(made, names, defaults):
        """An `__init__` that puts values together, and steps aside for a compiled one."""
        remaining = MANY

        def __init__(self, *arguments, **named):
            nonlocal remaining
            remaining -= 1
            values = _filled(names, defaults, arguments, named) if remaining else None
            if values is None:  # also for arguments that do not fit, since it can say why
                cls = made()
                cls.__init__ = init = _init(cls.__qualname__, names, defaults)
                init(self, *arguments, **named)
                return
            for name, value in zip(names, values, strict=True):
                _set(self, name, value.maker() if type(value) is _Fresh else value)

        return __init__

    _set = object.__setattr__

    def _filled(names, defaults, arguments, named):
        """All values in the order of `names`; None where the arguments do not fit them."""
        if not named and len(arguments) == len(names):
            return arguments
        missing = names[len(arguments) :]
        if len(arguments) > len(names) or named.keys() - missing:
            return None
        try:
            return (*arguments, *[named[n] if n in named else defaults[n] for n in missing])
        except KeyError:
            return None

    def _init(qualname, names, defaults):
        """`__init__` with these parameters, the only method that must be compiled."""
        arguments = [f"{name}=_d[{name!r}]" if name in defaults else name for name in names]
        lines = [
            f" _set(self, {name!r}, {name} if {name} is not _d[{name!r}] else _d[{name!r}].maker())"
            if isinstance(defaults.get(name), _Fresh)
            else f" _set(self, {name!r}, {name})"
            for name in names
        ]
        scope = {"_set": object.__setattr__, "_d": defaults}
        exec(f"def __init__(self, {', '.join(arguments)}):\n" + "\n".join(lines), scope)
        scope["__init__"].__qualname__ = f"{qualname}.__init__"
        return scope["__init__"]

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

    class _Signature:
        """What `inspect` asks of a class, whether or not it has made a value yet."""

        def __init__(self, compiled):
            self._compiled = compiled

        def __get__(self, value, cls):
            from inspect import signature

            whole = signature(self._compiled())
            return whole.replace(parameters=list(whole.parameters.values())[1:])

    class _NamedTuples(type):
        """Makes a named tuple of a class whose base is `NamedTuple`."""

        def __new__(mcs, name, bases, own):
            if not bases:
                return super().__new__(mcs, name, bases, own)
            names = tuple(own.get("__annotations__", ()))
            defaults = {field: own.pop(field) for field in names if field in own}
            made = type(
                name,
                (tuple,),
                {
                    **_TUPLE_METHODS,
                    **{field: _getter(position, "") for position, field in enumerate(names)},
                    "_fields": names,
                    "_field_defaults": defaults,
                    "__match_args__": names,
                    "__signature__": _Signature(lambda: _new(names, defaults)),
                    "__new__": _first_new(lambda: made, names, defaults),
                    **own,
                    "__slots__": (),
                },
            )
            return made

    def _first_new(made, names, defaults):
        """A `__new__` that puts values together, and steps aside for a compiled one."""
        remaining = MANY

        def __new__(cls, *arguments, **named):
            nonlocal remaining
            remaining -= 1
            values = _filled(names, defaults, arguments, named) if remaining else None
            if values is not None:
                return tuple.__new__(cls, values)
            new = _new(names, defaults)
            made().__new__ = staticmethod(new)
            return new(cls, *arguments, **named)

        return __new__

    def _new(names, defaults):
        """`__new__` with these parameters, the only method that must be compiled."""
        listed = ", ".join(names)
        new = eval(f"lambda _cls, {listed}: _made(_cls, ({listed},))", {"_made": tuple.__new__})
        new.__name__ = "__new__"
        new.__defaults__ = tuple(defaults.values())
        return new

    def _make(cls, values):
        """A value of these, in the order of the fields."""
        made = tuple.__new__(cls, values)
        if len(made) != len(cls._fields):
            raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
        return made

    def _replaced(self, /, **changes):
        """A value with these fields changed."""
        made = self._make(map(changes.pop, self._fields, self))
        if changes:
            raise ValueError(f"Got unexpected field names: {list(changes)!r}")
        return made

    def _shown(self):
        visible = (f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
        return f"{type(self).__name__}({', '.join(visible)})"

    _TUPLE_METHODS = {
        "_make": classmethod(_make),
        "_replace": _replaced,
        "__replace__": _replaced,
        "_asdict": lambda self: dict(zip(self._fields, self, strict=True)),
        "__repr__": _shown,
        "__getnewargs__": lambda self: tuple(self),
    }

    class NamedTuple(metaclass=_NamedTuples):
        """A base that makes a class a tuple with names, as `typing.NamedTuple` does."""

    class _Mappings(type):
        """Makes classes that say what stands in a mapping; called, they give a plain one."""

        def __new__(mcs, name, bases, own):
            inherited = [getattr(base, "__annotations__", {}) for base in bases]
            own["__annotations__"] = {
                field: kind
                for kinds in (*inherited, own.get("__annotations__", {}))
                for field, kind in kinds.items()
            }
            return super().__new__(mcs, name, bases, own)

        def __call__(cls, *arguments, **named):
            return dict(*arguments, **named)

    class TypedDict(metaclass=_Mappings):
        """A base that makes a class say what stands in a mapping, as `typing.TypedDict` does."""


__all__ = ["NamedTuple", "TypedDict", "dataclass", "field", "replace"]
