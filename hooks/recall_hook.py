"""What an agent is told with a prompt, or when its session starts. An agent waits for this.

Reads only: the account of what was injected goes through the spool. Imports the standard
library and the rooms of retrieval, nothing else.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import FrameType
from typing import Any

from ..core.limits import RecallLimits
from ..core.projects import Identity, identify
from ..core.receipts import make_receipt
from ..core.retrieval.pipeline import recall
from ..core.values import Injection
from ..db.home import Home
from ..db.reader import Reader, open_reader
from . import events, spool
from .events import Event

PATIENCE_S = 2.0
"""A recall that takes longer is given up: the prompt goes on without it."""

PROMPT_CHARS = 20_000
"""Of a longer prompt only the beginning and the end are looked at."""

_STEPS = 20_000  # instructions of SQLite between two looks at the clock
_ROUNDS = 4


class Answer:
    """The text for the model, and its account."""

    __slots__ = ("receipt", "text")

    def __init__(self, text: str, receipt: dict[str, Any] | None) -> None:
        self.text = text
        self.receipt = receipt  # None when there was nothing to choose from


def answer(home: Home, event: Event, *, limit_bytes: int) -> Answer | None:
    """What to tell the model, at most `limit_bytes` of UTF-8; None when there is no store.

    Raises TimeoutError after `PATIENCE_S`.
    """
    started = time.perf_counter()
    now_ms = time.time_ns() // 1_000_000
    with _bounded():
        reader = open_reader(home, now_ms)
        if reader is None:
            return None
        try:
            reader.connection.set_progress_handler(_watch(started), _STEPS)
            identity = identify(event.cwd)
            project = reader.project_of(identity.id, identity.name, identity.root, identity.remote)
            limits = _limits(home, identity)
            injection = _recall(reader, event, project, limits, now_ms, limit_bytes)
        finally:
            reader.close()
    if not injection.items and not injection.left_out and not injection.text:
        return Answer("", None)
    receipt = make_receipt(
        injection,
        prompt=_shortened(event.prompt),
        host=event.host,
        project=project,
        session=event.session,
        event=event.name,
        at_ms=now_ms,
        latency_ms=(time.perf_counter() - started) * 1000,
        entropy=os.urandom,
    )
    return Answer(injection.text, receipt)


def keep_receipt(home: Home, event: Event, receipt: Mapping[str, Any]) -> None:
    """Note in the spool what was injected: ids and numbers, no word of any memory."""
    items = [{**item, "title": ""} for item in receipt["items"]]
    record = spool.new_record(spool.RECEIPT, event.host, event.session, event.cwd)
    spool.append(home, {**record, "receipt": {**receipt, "items": items}})


def _recall(
    reader: Reader, event: Event, project: str, limits: RecallLimits, now_ms: int, limit_bytes: int
) -> Injection:
    """The injection, made again with less room while its bytes exceed `limit_bytes`.

    The pipeline counts UTF-16 units; letters outside ASCII take up to three bytes each.
    """
    units = min(limits.max_output_units, limit_bytes)
    for _ in range(_ROUNDS):
        injection = recall(
            reader,
            _shortened(event.prompt),
            project=project,
            limits=replace(limits, max_output_units=units),
            now_ms=now_ms,
            host=event.host,
            session=event.session,
            event="SessionStart" if event.kind == events.SESSION_STARTED else "UserPromptSubmit",
        )
        size = len(injection.text.encode("utf-8", "replace"))
        if size <= limit_bytes:
            break
        used = len(injection.text.encode("utf-16-le", "replace")) // 2
        units = used * limit_bytes // size - 1
    return injection


def _shortened(prompt: str) -> str:
    if len(prompt) <= PROMPT_CHARS:
        return prompt
    return prompt[: PROMPT_CHARS // 2] + "\n" + prompt[-PROMPT_CHARS // 2 :]


def _limits(home: Home, identity: Identity) -> RecallLimits:
    """The configured limits; what cannot be read or is out of range counts as not said."""
    table: dict[str, Any] = {}
    paths = [home.config]
    if identity.root:
        paths.append(os.path.join(identity.root, ".memdeck.toml"))
    for path in paths:
        if os.path.isfile(path):
            table.update(_table_in(path))
    return RecallLimits.from_mapping(table)


def _table_in(path: str) -> dict[str, Any]:
    import tomllib

    try:
        with open(path, "rb") as file:
            found = tomllib.load(file).get("recall")
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _watch(started: float) -> Callable[[], int]:
    """A look at the clock for SQLite, which stops a query that runs too long."""
    return lambda: int(time.perf_counter() - started > PATIENCE_S)


@contextlib.contextmanager
def _bounded() -> Iterator[None]:
    """Whatever runs inside is given up after `PATIENCE_S`, where the platform has the alarm."""
    try:
        before = signal.signal(signal.SIGALRM, _give_up)
    except (AttributeError, ValueError):  # Windows; or not the main thread, as in a test
        yield
        return
    signal.setitimer(signal.ITIMER_REAL, PATIENCE_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _give_up(_number: int, _frame: FrameType | None) -> None:
    raise TimeoutError("recall took too long")
