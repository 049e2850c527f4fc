"""Text and lines from files and pipes: bounded, and never waiting for a terminal."""

from __future__ import annotations

import io
import json
import math
import sys
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

import click

from ..core.text.clean import clean, decoded

LONGEST_LINE = 1 << 20  # bytes; a memory is at most 4,000 characters
LONGEST_WHOLE = 1 << 26  # bytes of what cannot be read line by line

_WIDE = (BOM_UTF16_LE, BOM_UTF16_BE)


class BadLine(ValueError):
    """A line that is not what was asked for; the message says why."""


def text_argument(words: tuple[str, ...], name: str) -> str:
    """The words of an argument as one text; `-` alone reads standard input.

    Raises click.UsageError when there is nothing, or what cannot be read.
    """
    try:
        if words == ("-",):
            refuse_terminal()
            data = sys.stdin.buffer.read(LONGEST_LINE)
            is_cut = len(data) == LONGEST_LINE  # perhaps within a character
            text = data.decode("utf-8", errors="replace") if is_cut else decoded(data)
        else:
            text = " ".join(words)
    except UnicodeDecodeError as error:
        raise click.UsageError(
            f"{name} is not UTF-8; `iconv -f latin1 -t utf-8` in the pipe makes it so."
        ) from error
    if not text.strip():
        raise click.UsageError(f"{name} is empty. Give it as an argument, or pipe it to `-`.")
    return text


def refuse_terminal() -> None:
    """Raise click.UsageError when standard input is a keyboard: nothing is piped to us."""
    if sys.stdin is None or sys.stdin.isatty():
        raise click.UsageError("`-` reads from a pipe, and there is none. Name a file instead.")


@contextmanager
def opened(path: str) -> Iterator[IO[bytes]]:
    """The bytes of a file, or of standard input for `-`."""
    if path == "-":
        refuse_terminal()
        yield sys.stdin.buffer
        return
    try:
        stream = open(path, "rb")  # noqa: SIM115 - closed below, where its errors are the reader's
    except OSError as error:
        raise click.UsageError(f"Cannot read {path}: {error.strerror}.") from error
    with stream:
        yield stream


def objects(stream: IO[bytes]) -> Iterator[tuple[int, dict[str, Any] | BadLine]]:
    """Each line's number, from 1, and its JSON object, or what is wrong with it.

    Empty lines are passed over. A line is handed on as soon as it is there. A list of objects, over
    as many lines as it likes, counts as its objects.
    """
    number, start = 0, stream.readline(LONGEST_LINE + 1)
    if start.startswith(_WIDE) or start.removeprefix(BOM_UTF8).lstrip().startswith(b"["):
        data = start + stream.read(LONGEST_WHOLE)
        if len(data) > LONGEST_WHOLE:
            yield 1, BadLine(f"more than {LONGEST_WHOLE:,} bytes; give an object a line, in UTF-8")
            return
        try:
            text = decoded(data)
        except UnicodeDecodeError:
            yield 1, BadLine("the text is not UTF-8")
            return
        if text.lstrip().startswith("["):
            yield from _listed(text)
            return
        stream = io.BytesIO(text.encode("utf-8", "surrogatepass"))
        start = stream.readline(LONGEST_LINE + 1)
    raw = start.removeprefix(BOM_UTF8)
    while raw:
        number += 1
        if len(raw) > LONGEST_LINE:
            _skip_line(stream, raw)
            yield number, BadLine(f"the line is longer than {LONGEST_LINE:,} bytes")
        elif raw.strip():
            yield number, _object(raw)
        raw = stream.readline(LONGEST_LINE + 1)


def _listed(text: str) -> Iterator[tuple[int, dict[str, Any] | BadLine]]:
    """The objects of a list, each with its place in it, from 1."""
    value = _value(text, "list")
    if isinstance(value, BadLine):
        yield 1, value
        return
    for number, item in enumerate(value, 1):
        yield number, item if isinstance(item, dict) else BadLine("not a JSON object")


def _skip_line(stream: IO[bytes], part: bytes) -> None:
    while part and not part.endswith(b"\n"):
        part = stream.readline(LONGEST_LINE)


def _object(raw: bytes) -> dict[str, Any] | BadLine:
    try:
        value = _value(raw.rstrip().decode("utf-8"))
    except UnicodeDecodeError:
        return BadLine("the line is not UTF-8")
    if isinstance(value, BadLine | dict):
        return value
    return BadLine("the line is not a JSON object")


def _value(text: str, what: str = "line") -> Any:
    """What a JSON text says, or what is wrong with it."""
    try:
        return _cleaned(json.loads(text, parse_float=_finite, parse_constant=_finite))
    except json.JSONDecodeError as error:
        line = f"line {error.lineno}, " if error.lineno > 1 else ""
        message = error.msg.removesuffix(" at")
        return BadLine(f"the {what} is not JSON: {message} at {line}column {error.colno}")
    except (RecursionError, ValueError):  # too deep, too many digits, or not finite
        return BadLine(f"the {what} is not JSON that can be read")


def _cleaned(value: Any) -> Any:
    """The same with every text inside made safe: all that comes in passes `clean` once."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [_cleaned(part) for part in value]
    if isinstance(value, dict):
        return {clean(name): _cleaned(part) for name, part in value.items()}
    return value


def _finite(text: str) -> float:
    """The number that `text` is. Raises ValueError for one that JSON does not know."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is no number")
    return number
