"""Turns without secrets, before their words are cut, joined or capitalised.

What is left of a secret then no longer looks like one: `xoxb-…` at the start of a sentence gets
a capital letter, an address is cut before its `@`. The storage pipeline redacts once more.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ...redaction.record import redact_record
from ...redaction.redact import EVERYTHING, Choice, redact
from .turns import Turn


def without_secrets(turns: Iterable[Turn], choice: Choice = EVERYTHING) -> tuple[Turn, ...]:
    """`turns` with all that was said and given to tools redacted.

    `choice` is what the policy may leave.
    """
    return tuple(
        replace(
            turn,
            text=redact(turn.text, choice=choice).value,
            tool_input=redact_record(turn.tool_input, choice=choice).fields,
        )
        for turn in turns
    )
