"""Which methods of a widget hear a message, and how much of it: found once for each kind of both.

Textual walks all classes of the widget for each message, which is a thirtieth of what an app costs,
and inspects each function anew that is made for one call, which is as much.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from types import CodeType
from typing import Any

import pytest
from textual import Logger, _callback
from textual.message import Message
from textual.message_pump import MessagePump

Handler = tuple[type, Callable[..., Any]]

_NAMED: dict[tuple[type, str, type], list[tuple[type, str]] | None] = {}
_MOST = 10_000  # kinds of widgets times kinds of messages, and functions

_COUNTED: dict[tuple[CodeType, bool], int] = {}

textuals_own = MessagePump._get_dispatch_methods
textuals_count = _callback._count_parameters


def find_handlers_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on the classes of a widget are walked once for each kind of message.

    Nor is each message written into a log that nobody reads.
    """
    monkeypatch.setattr(MessagePump, "_get_dispatch_methods", handlers_of)
    monkeypatch.setattr(_callback, "_count_parameters", parameters_of)
    monkeypatch.setattr(Logger, "event", property(lambda log: log))
    monkeypatch.setattr(Logger, "verbosity", lambda log, _: log)
    monkeypatch.setattr(Logger, "__call__", lambda *_, **__: None)


def parameters_of(called: Callable[..., Any]) -> int:
    """How many arguments a function takes; where it stands for another, Textual itself looks."""
    inner = getattr(called, "__func__", called)
    code = getattr(inner, "__code__", None)
    if code is None or hasattr(inner, "__wrapped__") or hasattr(inner, "__signature__"):
        return textuals_count(called)
    key = (code, inner is called)
    if key not in _COUNTED:
        if len(_COUNTED) >= _MOST:
            _COUNTED.clear()
        _COUNTED[key] = textuals_count(called)
    return _COUNTED[key]


def handlers_of(node: MessagePump, name: str, message: Message) -> Iterable[Handler]:
    """What Textual finds, in its order; where a handler was decorated, it does so itself."""
    key = (type(node), name, type(message))
    if key not in _NAMED:
        if len(_NAMED) >= _MOST:
            _NAMED.clear()
        _NAMED[key] = _named(*key)
    named = _NAMED[key]
    return textuals_own(node, name, message) if named is None else _found(node, named, message)


def _named(kind: type, name: str, message: type) -> list[tuple[type, str]] | None:
    """The classes with a method of that name, and its name; None if a decorated one may hear it."""
    named = []
    for one in kind.__mro__:
        decorated = one.__dict__.get("_decorated_handlers") or {}
        if not decorated.keys().isdisjoint(message.__mro__):
            return None
        own = next((way for way in (f"_{name}", name) if one.__dict__.get(way)), None)
        if own is not None and not getattr(one.__dict__[own], "_textual_on", None):
            named.append((one, own))
    return named


def _found(node: MessagePump, named: list[tuple[type, str]], message: Message) -> Iterator[Handler]:
    for one, own in named:
        if message._no_default_action:
            return
        yield one, one.__dict__[own].__get__(node, one)
