"""A model that says what it was told to say: a server on loopback that keeps what it heard."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

from .dialects import DIALECTS, Dialect, Json, Step

SIDE = Step("Harbour importer")
"""Said to a request that offers no tools: a title will do."""

OVER = Step("There is nothing more to do.")
"""The answer if the story is over and the client still asks."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request as it came in. `step` is the place in the story, None for a side request."""

    method: str
    path: str
    body: Json
    step: int | None
    is_aside: bool = False  # of a subagent's session

    @property
    def texts(self) -> list[str]:
        """Every text in the body, in order, as the model would read them."""
        return list(_texts(self.body))

    def has(self, words: str) -> bool:
        """Whether `words` stand in any of the texts."""
        return any(words in text for text in self.texts)


@dataclass(frozen=True, slots=True)
class Aside:
    """What a session's subagents answer, and the words by which their requests are known."""

    step: Step
    words: str
    are_theirs: bool  # the words stand in subagents' requests alone, or in all others

    def has(self, request: Request) -> bool:
        """Whether `request` is a subagent's."""
        return request.has(self.words) is self.are_theirs


class StandIn:
    """A model's server for one session; a context manager."""

    def __init__(self, steps: Sequence[Step], aside: Aside | None = None) -> None:
        """`steps` are the session's; its subagents' requests are answered as `aside` says."""
        self.steps = tuple(steps)
        self.aside = aside
        self.requests: list[Request] = []
        self._lock = threading.Lock()
        stand_in = self

        class Handler(_Handler):
            server_of = stand_in

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.05,), daemon=True
        )

    def __enter__(self) -> StandIn:
        self._thread.start()
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        """Where it listens, without a slash at the end."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def story(self) -> list[Request]:
        """The requests of the session itself, without side requests."""
        return [one for one in self.requests if one.step is not None and not one.is_aside]

    @property
    def subagents(self) -> list[Request]:
        """The requests of subagents."""
        return [one for one in self.requests if one.step is not None and one.is_aside]

    def hear(self, method: str, path: str, body: Json, dialect: Dialect | None) -> tuple[Step, int]:
        """Keep a request; the step that answers it, and its number."""
        with self._lock:
            place = dialect.results(body) if dialect and dialect.has_tools(body) else None
            request = Request(method, path, body, place)
            if place is not None and self.aside and self.aside.has(request):
                request = replace(request, is_aside=True)
            self.requests.append(request)
            if place is None:
                return SIDE, len(self.requests)
            if self.aside and request.is_aside:
                return self.aside.step, len(self.requests)
            step = self.steps[place] if place < len(self.steps) else OVER
            return step.after(request.texts), len(self.requests)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_of: StandIn

    def do_POST(self) -> None:
        body = self._body()
        dialect = next((one for one in DIALECTS if one.speaks(self.path)), None)
        step, number = self.server_of.hear("POST", self.path, body, dialect)
        if dialect is None:
            self._send(404, "application/json", b'{"error": {"message": "not here"}}')
            return
        reply = dialect.reply(self.path, body, step, number)
        self._send(200, reply.content_type, reply.body)

    def do_GET(self) -> None:
        self.server_of.hear("GET", self.path, {}, None)
        self._send(404, "application/json", b'{"error": {"message": "not here"}}')

    def do_HEAD(self) -> None:
        self.server_of.hear("HEAD", self.path, {}, None)
        self._send(200, "text/plain", b"")

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: what matters is kept in `requests`."""

    def _body(self) -> Json:
        data = self.rfile.read(int(self.headers.get("content-length") or 0))
        if self.headers.get("content-encoding") == "gzip":
            data = gzip.decompress(data)
        try:
            found = json.loads(data or b"{}")
        except ValueError:
            return {"unreadable": repr(data[:200])}
        return found if isinstance(found, dict) else {"list": found}

    def _send(self, status: int, content_type: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", content_type)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)
