"""What is sent to a model's server, and how its answer is read: one dialect a kind of server.

`openai` is what most servers speak, those on one's own machine included (Ollama, llama.cpp,
LM Studio, vLLM); `anthropic` is the Messages API.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from .replies import NoReply, Reply, count, total

ANTHROPIC_URL = "https://api.anthropic.com"
"""The address used when the settings name none for the kind `anthropic`."""

_ANTHROPIC_VERSION = "2023-06-01"

MOST_TOKENS = 1_024
"""Tokens of an answer, since the Messages API wants a limit; a judgement has a few dozen."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """Path, headers and body of a question, and how to read the answer."""

    path: str  # below the version, as in /v1/chat/completions
    headers: Callable[[str], dict[str, str]]  # given the key; "" is none
    body: Callable[[str, str, int], dict[str, Any]]  # given model, prompt, tokens of an answer
    read: Callable[[dict[str, Any]], Reply]

    def address(self, url: str) -> str:
        """Where to send a question, given the base address, with or without its version."""
        base = url.rstrip("/")
        if base.endswith(self.path):
            return base
        has_path = urlsplit(base).path not in ("", "/")
        return f"{base}{self.path}" if has_path else f"{base}/v1{self.path}"


def _openai_body(model: str, prompt: str, _most_tokens: int) -> dict[str, Any]:
    # No limit of tokens and no temperature: servers disagree about their names and ranges.
    return {
        "model": model,
        "messages": [{"role": "user", "content": prompt}],
        "stream": False,
    }


def _read_openai(answer: dict[str, Any]) -> Reply:
    choices = answer.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, dict) else None
    words = _text(message.get("content") if isinstance(message, dict) else None)
    if words is None:
        raise NoReply("invalid", "The answer holds no message.")
    usage = _table(answer.get("usage"))
    return Reply(
        words, None, count(usage.get("prompt_tokens")), count(usage.get("completion_tokens"))
    )


def _anthropic_headers(key: str) -> dict[str, str]:
    version = {"anthropic-version": _ANTHROPIC_VERSION}
    return {**version, "x-api-key": key} if key else version


def _anthropic_body(model: str, prompt: str, most_tokens: int) -> dict[str, Any]:
    return {
        "model": model,
        "max_tokens": most_tokens,
        "messages": [{"role": "user", "content": prompt}],
    }


def _read_anthropic(answer: dict[str, Any]) -> Reply:
    words = _text(answer.get("content"))
    if words is None:
        raise NoReply("invalid", "The answer holds no message.")
    usage = _table(answer.get("usage"))
    tokens_in = total(
        usage.get("input_tokens"),
        usage.get("cache_creation_input_tokens"),
        usage.get("cache_read_input_tokens"),
    )
    return Reply(words, None, tokens_in, count(usage.get("output_tokens")))


DIALECTS: Mapping[str, Dialect] = {
    "openai": Dialect(
        "/chat/completions",
        lambda key: {"authorization": f"Bearer {key}"} if key else {},
        _openai_body,
        _read_openai,
    ),
    "anthropic": Dialect("/messages", _anthropic_headers, _anthropic_body, _read_anthropic),
}
"""The dialects, by kind of engine."""


def _text(content: Any) -> str | None:
    """The words of a message: a text, or the text parts of a list; None without any."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return None
    parts = [part.get("text") for part in content if _table(part).get("type") == "text"]
    words = [part for part in parts if isinstance(part, str)]
    return "\n".join(words) if words else None


def _table(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
