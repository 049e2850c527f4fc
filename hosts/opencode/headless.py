"""OpenCode asked one question without a person, and how its answer is read."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from ...core.models.client import (
    Call,
    Dialect,
    NoReply,
    Output,
    Reply,
    dollars,
    events_in,
    last_words,
    message_in,
    table,
    total,
)

_TOOLS = (
    "* bash edit read glob grep list task webfetch websearch codesearch external_directory lsp"
    " skill todowrite todoread question"
).split()


def _arguments(call: Call) -> list[str]:
    model = ["-m", call.model] if call.model else []
    return [
        "opencode", "run", "--format", "json", *model, "--title", "memdeck review",
        "Answer what follows.",
    ]  # fmt: skip


def _environment(_call: Call) -> Mapping[str, str]:
    """No tool at all: unlike the other hosts it lets the model run commands without asking.

    Each tool by its name, since a person's own setting for one would win over `*`.
    """
    return {
        "OPENCODE_PERMISSION": json.dumps(dict.fromkeys(_TOOLS, "deny")),
        "OPENCODE_AUTO_SHARE": "false",  # it would put the prompt on a public page
        "OPENCODE_DISABLE_SHARE": "true",
        "OPENCODE_DISABLE_AUTOUPDATE": "true",
    }


def _read(done: Output, _call: Call) -> Reply:
    """The text parts, one after the other."""
    words: list[str] = []
    costs: list[float] = []
    tokens_in = tokens_out = None
    trouble: str | None = None
    for event in events_in(done.stdout):
        part = table(event.get("part"))
        if event.get("type") == "text" and isinstance(part.get("text"), str):
            words.append(part["text"])
        elif event.get("type") == "step_finish":
            if (cost := dollars(part.get("cost"))) is not None:
                costs.append(cost)
            tokens = table(part.get("tokens"))
            tokens_in = total(tokens_in, tokens.get("input"))
            tokens_out = total(tokens_out, tokens.get("output"), tokens.get("reasoning"))
        elif event.get("type") == "error":
            trouble = message_in(event.get("error")) or "The session failed."
    # A model without a price in its tables is reported to cost 0: that says nothing.
    paid = sum(costs) or None
    if trouble is not None or done.code or not words:
        raise NoReply("failed", trouble or last_words(done), cost_usd=paid)
    return Reply("\n".join(words), paid, tokens_in, tokens_out)


def _forget(stdout: str) -> list[str] | None:
    """It stores every session, and its login lies in the same file: the session is deleted."""
    for event in events_in(stdout):
        session = event.get("sessionID")
        if isinstance(session, str) and re.fullmatch(r"ses_\w{1,80}", session):
            return ["opencode", "session", "delete", session]
    return None


DIALECT = Dialect(_arguments, _read, _environment, _forget)
