"""Codex asked one question without a person, and how its answer is read."""

from __future__ import annotations

import os

from ...core.models.client import (
    ANSWER_SCHEMA,
    LAST_MESSAGE,
    Call,
    Dialect,
    NoReply,
    Output,
    Reply,
    events_in,
    last_words,
    message_in,
    table,
    total,
)


def _arguments(call: Call) -> list[str]:
    model = ["-m", call.model] if call.model else []
    return [
        "codex", "exec", "--json", "--ephemeral", "--skip-git-repo-check",
        "--sandbox", "read-only", "-c", "features.hooks=false",
        "--ignore-user-config", "--ignore-rules", *model,
        "--output-schema", os.path.join(call.files, ANSWER_SCHEMA),
        "-o", os.path.join(call.files, LAST_MESSAGE), "-",
    ]  # fmt: skip


def _read(done: Output, _call: Call) -> Reply:
    """The last message of the agent; a failed turn has none, whatever was said before."""
    words, trouble, is_failed = "", "", False
    tokens_in = tokens_out = None
    for event in events_in(done.stdout):
        kind, item = event.get("type"), table(event.get("item"))
        if kind == "item.completed" and item.get("type") == "agent_message":
            words = str(item.get("text") or "")
        elif kind == "turn.completed":
            usage = table(event.get("usage"))
            tokens_in = total(tokens_in, usage.get("input_tokens"))
            tokens_out = total(tokens_out, usage.get("output_tokens"))
        elif kind == "turn.failed":
            is_failed, trouble = True, message_in(event.get("error")) or "The turn failed."
        elif kind == "error":  # also told while it tries again
            trouble = message_in(event) or trouble
    if is_failed or done.code or not words:
        raise NoReply("failed", trouble or last_words(done))
    return Reply(words, None, tokens_in, tokens_out)


DIALECT = Dialect(_arguments, _read)
