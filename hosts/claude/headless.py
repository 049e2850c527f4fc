"""Claude Code asked one question without a person, and how its answer is read."""

from __future__ import annotations

import json

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


def _arguments(call: Call) -> list[str]:
    return [
        "claude", "-p", "--output-format", "json", "--model", call.model or "haiku",
        "--safe-mode", "--settings", '{"disableAllHooks":true}',
        "--tools", "", "--strict-mcp-config", "--disallowedTools", "mcp__*",
        "--disable-slash-commands", "--no-session-persistence",
    ]  # fmt: skip


def _read(done: Output, _call: Call) -> Reply:
    """The result object, alone or as one of the events of a verbose run."""
    results = [event for event in events_in(done.stdout) if event.get("type") == "result"]
    if not results:
        raise NoReply("failed", last_words(done))
    found = results[-1]
    cost = dollars(found.get("total_cost_usd"))
    words = found.get("result")
    subtype = str(found.get("subtype", ""))
    if found.get("is_error") or subtype.startswith("error") or done.code:
        told = words if isinstance(words, str) and words else message_in(found.get("errors"))
        raise NoReply("failed", told or subtype or last_words(done), cost_usd=cost)
    if found.get("structured_output") is not None:
        words = json.dumps(found["structured_output"])
    if not isinstance(words, str):
        raise NoReply("invalid", "The result holds no text.", cost_usd=cost)
    usage = table(found.get("usage"))
    return Reply(
        words,
        cost,
        total(
            usage.get("input_tokens"),
            usage.get("cache_creation_input_tokens"),
            usage.get("cache_read_input_tokens"),
        ),
        total(usage.get("output_tokens")),
    )


DIALECT = Dialect(_arguments, _read)
