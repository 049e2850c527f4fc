"""Turns without secrets, before their words are cut, joined or capitalised.

What is left of a secret then no longer looks like one: `xoxb-…` at the start of a sentence gets
a capital letter, an address is cut before its `@`. The storage pipeline redacts once more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from ..storage.redaction import redact
from .turns import Turn


def without_secrets(turns: Iterable[Turn]) -> tuple[Turn, ...]:
    """`turns` with all that was said and given to tools redacted (DESIGN.md, invariant 1)."""
    return tuple(
        replace(turn, text=redact(turn.text).value, tool_input=_redacted(turn.tool_input))
        for turn in turns
    )


def _redacted(value: Any) -> Any:
    """The same for every text inside lists and mappings; their keys are the host's."""
    if isinstance(value, str):
        return redact(value).value
    if isinstance(value, Mapping):
        return {key: _redacted(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_redacted(item) for item in value]
    return value
