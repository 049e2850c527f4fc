"""Text and lines from files and pipes: bounded, and never waiting for a terminal."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

import click

from ..core.text.clean import clean

LONGEST_LINE = 1 << 20  # bytes; a memory is at most 4,000 characters


class BadLine(ValueError):
    """A line that is not what was asked for; the message says why."""


def text_argument(words: tuple[str, ...], name: str) -> str:
    """The words of an argument as one text; `-` alone reads standard input.

    Raises click.UsageError when there is nothing.
    """
    if words == ("-",):
        refuse_terminal()
        text = sys.stdin.buffer.read(LONGEST_LINE).decode("utf-8", errors="replace")
    else:
        text = " ".join(words)
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

    Empty lines are passed over. A line is handed on as soon as it is there.
    """
    number = 0
    while raw := stream.readline(LONGEST_LINE + 1):
        number += 1
        if len(raw) > LONGEST_LINE:
            _skip_line(stream, raw)
            yield number, BadLine(f"the line is longer than {LONGEST_LINE:,} bytes")
            continue
        if number == 1:
            raw = raw.removeprefix(b"\xef\xbb\xbf")  # the mark that some editors put first
        if raw.strip():
            yield number, _object(raw)


def _skip_line(stream: IO[bytes], part: bytes) -> None:
    while part and not part.endswith(b"\n"):
        part = stream.readline(LONGEST_LINE)


def _object(raw: bytes) -> dict[str, Any] | BadLine:
    try:
        text = raw.decode("utf-8")
        value = _cleaned(json.loads(text, parse_float=_finite, parse_constant=_finite))
    except UnicodeDecodeError:
        return BadLine("the line is not UTF-8")
    except json.JSONDecodeError as error:
        return BadLine(f"the line is not JSON: {error.msg} at column {error.colno}")
    except (RecursionError, ValueError):  # too deep, too many digits, or not finite
        return BadLine("the line is not JSON that can be read")
    if not isinstance(value, dict):
        return BadLine("the line is not a JSON object")
    return value


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
