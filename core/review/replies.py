"""What comes back when a model was asked, before anybody looks for a judgement in it."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..redaction.redact import redact
from ..text.clean import clean

MOST_REASON = 300
"""Characters of a vote's reason."""

MOST_BYTES = 4 * 1024 * 1024
"""Longest output of a program or a server that is looked at; a judgement has a few hundred."""

_READ_FOR_REASON = 8_192  # characters; what lies beyond could not be shown anyway
_READ_FOR_LIST = 200_000  # characters of an answer in which a list is looked for

MOST_STRAY_BRACES = 1_000
"""Opening braces that begin no object, after which nothing more is looked for: each of them costs
time in proportion to the text."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's words, and what they cost as far as its host says."""

    text: str
    cost_usd: float | None = None  # None: the host does not say
    tokens_in: int | None = None
    tokens_out: int | None = None


class NoReply(Exception):
    """A model was asked and there is no usable answer; `reason` may be shown to a person."""

    def __init__(
        self,
        status: str,  # timeout, failed, invalid or over_budget: one of reviewer.STATES
        reason: str,
        *,
        cost_usd: float | None = None,  # what the host says it cost all the same
        is_asked: bool = True,  # False when nothing was sent, so that it cost nothing
        output: str = "",  # what a program had printed until then
    ) -> None:
        super().__init__(status)
        self.status = status
        self.reason = tidy(reason)
        self.cost_usd = cost_usd
        self.is_asked = is_asked
        self.output = output


def tidy(text: str) -> str:
    """`text` on one line, without secrets and control characters, at most 300 characters."""
    words = redact(clean(text[:_READ_FOR_REASON])).value.split()
    line = " ".join(words)
    return line if len(line) <= MOST_REASON else f"{line[: MOST_REASON - 1].rstrip()}…"


def dollars(value: Any) -> float | None:
    """A cost that a host reports; None for what is no amount of money."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        amount = float(value)
    except OverflowError:
        return None
    return amount if math.isfinite(amount) and amount >= 0 else None


def count(value: Any) -> int | None:
    """A number of tokens that a host reports; None for anything else."""
    is_count = isinstance(value, int) and not isinstance(value, bool)
    return value if is_count and 0 <= value < 10**12 else None


def total(*values: Any) -> int | None:
    """The sum of those values that are numbers of tokens; None when none is."""
    counts = [number for value in values if (number := count(value)) is not None]
    return sum(counts) if counts else None


def objects_in(text: str) -> Iterator[dict[str, Any]]:
    """The JSON objects in `text`, outermost ones only, in order."""
    decoder = json.JSONDecoder()
    strays = 0
    at = text.find("{")
    while at >= 0 and strays <= MOST_STRAY_BRACES:
        try:
            found, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):  # no JSON, a number of 5,000 digits, too deep
            strays += 1
            end = at + 1
        else:
            yield found
        at = text.find("{", end)


def listed_in(text: str, name: str) -> Mapping[str, Any]:
    """The last object of a model's words that has a list `name`. Raises NoReply, status invalid.

    An answer that breaks off is none: nobody knows what is missing.
    """
    found = [one for one in objects_in(text[:_READ_FOR_LIST]) if name in one]
    if not found or not isinstance(found[-1][name], list):
        raise NoReply("invalid", f"Its answer is no JSON object that lists {name}.")
    return found[-1]
