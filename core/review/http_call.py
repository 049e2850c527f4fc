"""Asking a model's server: one request, bounded in time and size, and how its answer is read.

No proxy, no redirect, no `.netrc`: the notes and the key go to the address in the settings and
nowhere else. The key is read from the environment when it is needed.

`openai` is what most servers speak, those on one's own machine included (Ollama, llama.cpp,
LM Studio, vLLM); `anthropic` is the Messages API.
"""

from __future__ import annotations

import asyncio
import json
import os
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit

from ..config.policy import refusal_of_address
from .replies import MOST_BYTES, NoReply, Reply, count, total

ANTHROPIC_URL = "https://api.anthropic.com"
"""The address used when the settings name none for the kind `anthropic`."""

_ANTHROPIC_VERSION = "2023-06-01"

MOST_TOKENS = 1_024
"""Tokens of an answer, since the Messages API wants a limit; a judgement has a few dozen."""

EXTRA = "http"
"""The extra of our package that brings httpx."""


@dataclass(frozen=True, slots=True)
class Server:
    """A model's server as an engine."""

    kind: str  # openai or anthropic
    model: str
    url: str = ""
    key_variable: str = ""  # name of the environment variable that holds the key
    most_tokens: int = MOST_TOKENS  # of an answer, where the dialect must say so

    def ask(self, prompt: str, _schema: Mapping[str, object], limit_s: float) -> Reply:
        """Its reply to the prompt. Raises NoReply."""
        dialect = DIALECTS[self.kind]
        url = self.url or ANTHROPIC_URL
        if why := refusal_of_address(url):
            raise NoReply("failed", f"Nothing was sent to {url}: {why}", is_asked=False)
        key = self._key()
        answer = asyncio.run(
            _post(
                _httpx(),
                dialect.address(url),
                {"content-type": "application/json", **dialect.headers(key)},
                dialect.body(self.model, prompt, self.most_tokens),
                limit_s,
            )
        )
        if answer.is_failure:
            raise NoReply("failed", _without(key, answer.told))
        return dialect.read(answer.object())

    def _key(self) -> str:
        if not self.key_variable:
            return ""
        key = os.environ.get(self.key_variable, "").strip()
        if not key:
            reason = f"The environment variable {self.key_variable}, which holds the key, is empty."
            raise NoReply("failed", reason, is_asked=False)
        if not (key.isascii() and key.isprintable()):
            reason = f"What {self.key_variable} holds is no key."
            raise NoReply("failed", reason, is_asked=False)
        return key


@dataclass(frozen=True, slots=True)
class _Answer:
    """Status and body of a response."""

    status: int
    content: bytes

    @property
    def is_failure(self) -> bool:
        return not 200 <= self.status < 300

    @property
    def told(self) -> str:
        """What the server says about a failure."""
        if 300 <= self.status < 400:
            return f"HTTP {self.status}: redirects are not followed."
        try:
            found = json.loads(self.content)
        except (ValueError, RecursionError):
            return f"HTTP {self.status}."
        error = found.get("error", found) if isinstance(found, dict) else found
        message = error.get("message", "") if isinstance(error, dict) else error
        return f"HTTP {self.status}: {message}" if message else f"HTTP {self.status}."

    def object(self) -> dict[str, Any]:
        """The JSON object in the body. Raises NoReply, status invalid."""
        try:
            found = json.loads(self.content)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise NoReply("invalid", "The server's answer is no JSON object.")
        return found


async def _post(
    httpx: ModuleType,
    address: str,
    headers: Mapping[str, str],
    body: Mapping[str, Any],
    limit_s: float,
) -> _Answer:
    """The response, read to its end or to the limits. Raises NoReply.

    The deadline is the event loop's: httpx's own limits begin anew with every byte that arrives.
    """
    # All of the system's certificates take longer to read than a server at home to answer.
    verify = address.lower().startswith("https:") or ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    try:
        async with (
            asyncio.timeout(limit_s),
            httpx.AsyncClient(
                verify=verify, trust_env=False, follow_redirects=False, timeout=None
            ) as client,
            # Not compressed: a small body could be a large one.
            client.stream(
                "POST", address, headers={**headers, "accept-encoding": "identity"}, json=body
            ) as response,
        ):
            content = bytearray()
            async for piece in response.aiter_raw():
                content += piece
                if len(content) > MOST_BYTES:
                    raise NoReply("invalid", f"It sent more than {MOST_BYTES:,} bytes.")
            return _Answer(response.status_code, bytes(content))
    except TimeoutError:
        raise NoReply("timeout", f"No answer within {limit_s:.1f} s.") from None
    except httpx.ConnectError as error:
        reason = f"No connection: {error}."
        raise NoReply("failed", reason, is_asked=False) from None
    except httpx.HTTPError as error:
        raise NoReply("failed", f"{type(error).__name__}: {error}") from None
    except (httpx.InvalidURL, OSError, ValueError) as error:
        raise NoReply("failed", f"{type(error).__name__}: {error}", is_asked=False) from None


def _httpx() -> ModuleType:
    """The library, imported when a server is asked and not before. Raises NoReply."""
    try:
        import httpx
    except ImportError:
        reason = f"httpx is not installed: pip install 'memdeck[{EXTRA}]'."
        raise NoReply("failed", reason, is_asked=False) from None
    return httpx


def _without(key: str, text: str) -> str:
    """`text` without the key, which some servers repeat in their errors."""
    return text.replace(key, "[REDACTED:api-key]") if key else text


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
