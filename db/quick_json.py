"""JSON as the standard library reads and writes it, without the import of its package.

An agent waits for a hook, and `json` brings `re` and `enum`: a third of all that a note takes. What
does the work is in C and needs neither; an interpreter without it gets the package itself.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_scan: Callable[[str, int], tuple[Any, int]] | None
_CONSTANTS = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}
_SPACE = " \t\n\r"


class _Form:
    """What the scanner asks for: the defaults of `json.loads`."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = _CONSTANTS.__getitem__


def _refuse(value: object) -> Any:
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


try:
    from _json import encode_basestring, encode_basestring_ascii, make_encoder, make_scanner

    _scan = make_scanner(_Form)  # type: ignore[arg-type]
    _write_spaced = make_encoder(
        None, _refuse, encode_basestring_ascii, None, ": ", ", ", False, False, True
    )
    _write_tight = make_encoder(
        None, _refuse, encode_basestring_ascii, None, ":", ",", False, False, True
    )
    _write_plain = make_encoder(
        None, _refuse, encode_basestring, None, ":", ",", False, False, True
    )
    _write_sorted = make_encoder(
        None, _refuse, encode_basestring, None, ":", ",", True, False, True
    )
except (ImportError, TypeError, AttributeError):  # another interpreter, or another time
    _scan = None


def loads(text: str | bytes) -> Any:
    """The value in `text`. Raises ValueError for what is no JSON, RecursionError when too deep."""
    if _scan is None:
        import json

        return json.loads(text)
    if isinstance(text, bytes):
        text = text.decode("utf-8")
    start = len(text) - len(text.lstrip(_SPACE))
    try:
        value, end = _scan(text, start)
    except (StopIteration, SystemError):  # the latter where it cannot load its own error
        raise ValueError("no JSON") from None
    if text[end:].strip(_SPACE):
        raise ValueError("more than one JSON value")
    return value


def dumps(value: object, *, is_tight: bool = False) -> str:
    """`value` as JSON in ASCII on one line; tight without a space after commas and colons.

    Raises TypeError for what JSON has no form for, RecursionError for what holds itself.
    """
    if _scan is None:
        import json

        return json.dumps(value, separators=(",", ":") if is_tight else None)
    return "".join((_write_tight if is_tight else _write_spaced)(value, 0))


def dumps_plain(value: object, *, is_sorted: bool = False) -> str:
    """`value` as tight JSON on one line, other letters as they are; keys as given, or sorted.

    What `json.dumps` writes, without the encoder that it makes anew each time: of a small row
    that is most of the work. Raises as `dumps`.
    """
    if _scan is None:
        import json

        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=is_sorted)
    return "".join((_write_sorted if is_sorted else _write_plain)(value, 0))
